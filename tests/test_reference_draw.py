import random

import pytest
from recordmaking import cards, random_record, rules_of

from pitchsim.cards import parse_cards
from pitchsim.errors import IllegalRecordError
from pitchsim.records import Draw, record_from_json
from pitchsim.reference.draw import hands_after_draws
from pitchsim.reference.hand import score_hand
from pitchsim.reference.table import Table

RULES = rules_of("partners", trump_choice="declared", draw=True)
HANDS = [
    cards("AS KS 2H 3H 4H 5H"),
    cards("QS JS TS 9S 8S 7S"),
    cards("6S 6H 7H 8H 9H TH"),
    cards("2C 3C 4C 5C 6C 7C"),
]
DRAWS = [
    ("2H 3H 4H 5H", "2D 3D 4D 5S"),
    ("", ""),
    ("6H 7H 8H 9H TH", "6D 7D 8D 9D TD"),
    ("2C 3C 4C 5C 6C 7C", "8C 9C TC JC QC KC"),
]


def after(changes=None, hands=HANDS, dealer=3, rules=RULES):
    """The hands after DRAWS, some of them changed."""
    changed = [(changes or {}).get(seat, draw) for seat, draw in enumerate(DRAWS)]
    draws = [Draw(parse_cards(out), parse_cards(drawn)) for out, drawn in changed]
    return hands_after_draws(rules, "S", dealer, hands, draws)


def test_trumps_are_kept_and_hands_filled_up_to_six():
    hands = after()
    assert [" ".join(hand) for hand in hands] == [
        "AS KS 5S 4D 3D 2D",
        "QS JS TS 9S 8S 7S",
        "6S TD 9D 8D 7D 6D",
        "KC QC JC TC 9C 8C",
    ]


@pytest.mark.parametrize(
    ("changes", "said", "seat"),
    [
        ({0: ("2H 3H 4H", "2D 3D 4D")}, "expected every card that is not trump: 5H 4H 3H 2H", 0),
        ({0: ("2H 3H 4H 5H KS", "2D 3D 4D 5D 6D")}, "KS", 0),
        ({0: ("2H 3H 4H 6H", "2D 3D 4D 5S")}, "6H", 0),
        ({1: ("QS", "4S")}, "expected every card that is not trump: none", 1),
        ({0: ("2H 3H 4H 5H", "2D 3D 4D AS")}, "AS is not in the stock", 0),
        ({0: ("2H 3H 4H 5H", "2D 3D 4D 2H")}, "2H is not in the stock", 0),
        ({0: ("2H 3H 4H 5H", "2D 3D 4D 4D")}, "4D is not in the stock", 0),
        ({2: ("6H 7H 8H 9H TH", "6D 7D 8D 9D 2D")}, "2D is not in the stock", 2),
        ({0: ("2H 3H 4H 5H", "2D 3D 4D")}, "drew 3 cards", 0),
        ({0: ("2H 3H 4H 5H", "2D 3D 4D 5S TD")}, "drew 5 cards", 0),
    ],
)
def test_wrong_draws_are_refused(changes, said, seat):
    with pytest.raises(IllegalRecordError, match=said) as caught:
        after(changes)
    assert caught.value.seat == seat
    assert f"draws[{seat}]" in str(caught.value)


def test_who_sits_at_the_dealers_left_draws_first():
    """Seven players leave ten cards in the stock, and the last to draw may find it empty."""
    rules = rules_of("setback", trump_choice="declared", draw=True)
    seating = rules.seating(7)
    rng = random.Random(1)
    for _ in range(30):
        record = random_record(rng, rules, seating)
        if record.draws is None:
            continue
        order = [(record.dealer + turn) % 7 for turn in range(1, 8)]
        drawn = [len(record.draws[seat].drawn) for seat in order]
        thrown = [len(record.draws[seat].out) for seat in order]
        assert sum(drawn) == min(10, sum(thrown))
        short = [number < out for number, out in zip(drawn, thrown, strict=True)]
        assert short == sorted(short)
        score_hand(record)


def test_hands_of_unequal_length_are_played_by_those_who_hold_cards():
    table = Table(RULES, [["AS"], ["2S", "3H"], [], ["4H", "5H"]], 0, "S")
    assert table.leader == 0
    for card in ("AS", "2S", "4H"):
        table.play(card)
    first = table.tricks[0]
    assert first.seats == (0, 1, 3)
    assert first.winner == 0
    # Seat 0 won and has no card left: the next clockwise who has one leads.
    assert table.leader == 1
    for card in ("3H", "5H"):
        table.play(card)
    assert table.tricks[1].seats == (1, 3)
    assert table.tricks[1].winner == 3
    assert table.to_move is None
    assert table.legal() == []
    with pytest.raises(ValueError, match="nobody holds a card"):
        table.play("2C")


def test_hearts_as_second_trumps_are_thrown_away_too():
    rules = rules_of("ace-of-hearts", trump_choice="declared", draw=True)
    assert after(rules=rules) == after()
    with pytest.raises(IllegalRecordError, match="expected every card that is not trump"):
        after({0: ("", "")}, rules=rules)


def record(**keys):
    given = {
        "rules": "partners",
        "set": {"trump_choice": "declared", "draw": True},
        "dealer": 3,
        "hands": [" ".join(hand) for hand in HANDS],
        "bids": ["3", "pass", "pass", "pass"],
        "trump": "S",
        "draws": [{"out": out, "in": drawn} for out, drawn in DRAWS],
    }
    return record_from_json(given | keys)


def test_a_record_needs_draws_exactly_where_the_rules_have_them():
    with pytest.raises(IllegalRecordError, match="draws are missing"):
        score_hand(record(draws=None))
    with pytest.raises(IllegalRecordError, match="these rules have no draw"):
        score_hand(record(set={"trump_choice": "declared"}))
    with pytest.raises(IllegalRecordError, match=r"plays\[0\] .* is missing"):
        score_hand(record())
