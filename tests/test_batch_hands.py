"""Hands of a batch: every form of file, what is wrong with lines, and hands at random."""

import io
import sys

import numpy as np
import pandas as pd
import pytest

from pitchsim.batches.handlines import HandsError
from pitchsim.batches.hands import given_hands, random_hands, read_hands
from pitchsim.cards import format_hand
from pitchsim.errors import PitchsimError, StudyError
from pitchsim.hands import cards_of
from pitchsim.presets import load_preset

PARTNERS, NINE, TEN = map(load_preset, ("partners", "nine-point", "ten-point"))
HANDS = ["AS JS TS 5S KH 2D", "TS 9S 6S 5H QD JC", "AJT5.K.2."]
READ = ["AS JS TS 5S KH 2D", "TS 9S 6S 5H QD JC", "AS JS TS 5S KH 2D"]


def texts(hands):
    return [format_hand(cards_of(int(hand))) for hand in hands.cards]


def read(place, content, *rules):
    place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_hands(str(place), rules or (PARTNERS,))


def test_text(tmp_path):
    hands = read(tmp_path / "h.txt", "# ours\n\n{}\n{}\n  {}".format(*HANDS))
    assert texts(hands) == READ
    assert list(hands.numbers) == [3, 4, 5]
    assert hands.bad == ()


@pytest.mark.parametrize("heading", ["id,hand,note", "id;Hand;note", 'id\t"hand"\tnote'])
@pytest.mark.parametrize("name", ["h.csv", "h.txt"])
def test_csv_with_the_column(tmp_path, heading, name):
    separator = heading[2]
    rows = [separator.join([str(place), hand, ""]) for place, hand in enumerate(HANDS)]
    hands = read(tmp_path / name, "\ufeff" + "\r\n".join([heading, *rows]))
    assert texts(hands) == READ
    assert list(hands.numbers) == [2, 3, 4]


@pytest.mark.parametrize(("heading", "first"), [("cards\n", 2), ("", 1), ("# ours\n\ncards\n", 4)])
def test_csv_of_one_column_may_call_it_anything(tmp_path, heading, first):
    hands = read(tmp_path / "h.csv", heading + "\n".join(HANDS))
    assert texts(hands) == READ
    assert list(hands.numbers) == [first, first + 1, first + 2]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("id,cards\n7,{}\n", "'id' and 'cards'"),
        ("cards;note\n{};x\n", "'cards' and 'note'"),
        ("{},x\n", f"'{HANDS[0]}' and 'x'"),
        (",".join("abcdefghij") + "\n{}\n", "'g', 'h' and 2 more"),
    ],
)
def test_csv_of_several_columns_must_say_which_is_the_hand(tmp_path, content, found):
    with pytest.raises(HandsError, match="there is no column 'hand' in ") as error:
        read(tmp_path / "h.csv", content.format(HANDS[0]))
    assert str(error.value).endswith(found)


def test_csv_with_commas_in_quotes_and_too_few_columns(tmp_path):
    hands = read(tmp_path / "h.csv", 'x,hand\n1,"AS, JS, 10S, 5S, KH, 2D"\n2\n')
    assert texts(hands) == READ[:1]
    assert [(bad.number, bad.reason) for bad in hands.bad] == [(3, "'' is 0 cards: expected 6")]


@pytest.mark.parametrize("column", ["hand", "Hand", "only"])
def test_parquet(tmp_path, column):
    frame = pd.DataFrame({column: [*HANDS, None]})
    if column != "only":
        frame["other"] = 1
    frame.to_parquet(tmp_path / "h.parquet")
    hands = read_hands(str(tmp_path / "h.parquet"), [PARTNERS])
    assert texts(hands) == READ
    assert list(hands.numbers) == [1, 2, 3]
    assert [bad.number for bad in hands.bad] == [4]


@pytest.mark.parametrize("form", ["text", "csv", "parquet"])
def test_standard_input(tmp_path, monkeypatch, form):
    data = io.BytesIO()
    if form == "parquet":
        pd.DataFrame({"hand": HANDS}).to_parquet(data)
    else:
        data.write(("n,hand\n1," if form == "csv" else "").encode() + HANDS[0].encode())
    data.seek(0)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))
    assert texts(read_hands("-", [PARTNERS]))[0] == READ[0]


def test_bad_lines_are_told_with_their_reasons(tmp_path):
    lines = [HANDS[0], "AS JS", "AS AS JS TS 5S KH", "XX", b"AS \xff", HANDS[1]]
    content = b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines)
    hands = read(tmp_path / "h.txt", content, PARTNERS, TEN)
    assert texts(hands) == READ[:2]
    assert list(hands.numbers) == [1, 6]
    assert [(bad.number, bad.rules) for bad in hands.bad] == [(2, ""), (3, ""), (4, ""), (5, "")]
    reasons = [bad.reason for bad in hands.bad]
    assert reasons[0] == "'AS JS' is 2 cards: expected 6"
    assert reasons[1].startswith("AS is twice")
    assert reasons[2].startswith("'XX' is not a card")
    assert reasons[3].startswith("byte 4 (0xff) is not UTF-8")
    assert hands.bad[3].text == r"AS \xff"


def test_a_joker_is_wrong_only_where_there_is_none(tmp_path):
    """A low joker is in the deck of ten-point alone, `joker` is clear only where there is one."""
    content = "AS JS TS 5S KH LJ\nAS JS TS 5S KH joker\nAS JS TS 5S KH HJ\n" + HANDS[0]
    hands = read(tmp_path / "h.txt", content, PARTNERS, NINE, TEN)
    fits = {rules.name: list(hands.under(rules)[0]) for rules in (PARTNERS, NINE, TEN)}
    assert fits == {"partners": [4], "nine-point": [2, 3, 4], "ten-point": [1, 3, 4]}
    assert [(bad.number, bad.rules) for bad in hands.bad] == [
        (1, "partners"),
        (1, "nine-point"),
        (2, "partners"),
        (2, "ten-point"),
        (3, "partners"),
    ]
    assert hands.bad[0].reason == "LJ is not in the deck, which has no joker"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("h.txt", "", "h.txt' holds no hand: expected one a line"),
        ("h.txt", "# none\n\n", "holds no hand"),
        ("h.csv", "hand\n", "holds no hand"),
        ("h.txt", "foo\nbar", "is a hand; the first of them, line 1: 'FOO' in 'foo' is not"),
        ("h.txt", "AS KS QS JS TS HJ", "is a hand under partners rules; the first of them, line 1"),
        ("h.parquet", "AS", "is no Parquet file, as its name says"),
        ("h.parquet", "PAR1 and no more", "cannot be read: "),
        ("h.csv", 'hand\n"' + 200_000 * "x", "is no CSV: line 2: field larger"),
        ("h.txt", 20_000 * "x", "line 1: longer than 10,000 bytes"),
    ],
)
def test_a_file_without_hands_is_one_error(tmp_path, name, content, message):
    with pytest.raises(PitchsimError) as caught:
        read(tmp_path / name, content, PARTNERS, TEN)
    assert message in str(caught.value)


def test_parquet_without_the_column(tmp_path):
    pd.DataFrame({"a": ["x"], "b": ["y"]}).to_parquet(tmp_path / "h.parquet")
    with pytest.raises(HandsError, match=r"no column 'hand' in .*: found 'a' and 'b'"):
        read_hands(str(tmp_path / "h.parquet"), [PARTNERS])
    with pytest.raises(HandsError, match=r"missing\.txt' cannot be read: No such file"):
        read_hands(str(tmp_path / "missing.txt"), [PARTNERS])


def test_given_hands_must_all_be_right():
    assert texts(given_hands(HANDS, [PARTNERS])) == READ
    with pytest.raises(HandsError, match="there is no hand to evaluate"):
        given_hands([], [PARTNERS])
    with pytest.raises(HandsError, match="hand 2 is none: 'AS' is 1 card"):
        given_hands([HANDS[0], "AS"], [PARTNERS])
    with pytest.raises(HandsError, match="hand 2 is none under partners rules: HJ is not"):
        given_hands([HANDS[0], "AS KS QS JS TS HJ"], [PARTNERS, TEN])


def test_random_hands_are_equally_likely():
    """Each card as often as any other, within five standard errors, in each of the decks."""
    hands = random_hands(20_000, 7, [PARTNERS, TEN])
    for rules, cards in ((PARTNERS, 52), (TEN, 54)):
        held = hands.under(rules)[1]
        assert set(np.bitwise_count(held)) == {6}
        often = (held[:, None] >> np.arange(cards) & 1).mean(axis=0)
        error = np.sqrt(6 / cards * (1 - 6 / cards) / len(held))
        assert np.abs(often - 6 / cards).max() < 5 * error
        assert not (held >> cards).any()
    share = len(hands.under(PARTNERS)[1]) / 20_000
    assert abs(share - 48 * 47 / (54 * 53)) < 0.02


def test_random_hands_are_those_of_the_seed():
    few, many = random_hands(5, 7, [TEN]), random_hands(50, 7, [PARTNERS, TEN])
    assert list(few.cards) == list(many.cards[:5])
    assert list(few.cards) != list(random_hands(5, 8, [TEN]).cards)
    assert few.digest != many.digest
    for count in (0, -1, 10**9):
        with pytest.raises(StudyError, match=f"random {count} is not possible"):
            random_hands(count, 7, [TEN])
