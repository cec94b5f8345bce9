import random

import pytest
from recordmaking import cards, random_record, rules_of

from pitchsim.presets import preset_names
from pitchsim.reference.hand import replay
from pitchsim.reference.play import legal_first_leads
from pitchsim.reference.playout import play_hand
from pitchsim.reference.random_play import ONE, RandomPlay, choose, engine_order
from pitchsim.reference.stream import (
    FIRST_PLAY_WORD,
    GAMMA,
    MASK,
    Stream,
    mix64,
    stream_key,
    word,
)


def test_the_hash_is_the_one_of_splitmix64():
    """The first outputs of SplitMix64 from state 1234567, as published with Rosetta Code's task."""
    state, outputs = 1234567, []
    for _ in range(5):
        state = (state + GAMMA) & MASK
        outputs.append(mix64(state))
    assert outputs == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_every_deal_has_words_of_its_own():
    key = stream_key(7)
    words = [word(key, deal, number) for deal in range(50) for number in range(50)]
    assert len(set(words)) == len(words)
    assert word(key, 0, 2**20) == word(key, 1, 0)  # where the next deal's counters begin
    stream = Stream(7, 3)
    assert [stream.next_word() for _ in range(4)] == [word(key, 3, n) for n in range(4)]
    assert Stream(7, 3, position=2).next_word() == word(key, 3, 2)
    assert word(stream_key(8), 0, 0) != word(key, 0, 0)


def test_a_fraction_chooses_in_proportion_and_leaves_the_rest():
    assert choose(["a"], 5) == ("a", 5)
    assert choose(["a", "b"], 0) == ("a", 0)
    assert choose(["a", "b"], ONE // 2) == ("b", 0)
    assert choose(["a", "b", "c", "d"], ONE // 8 * 3) == ("b", ONE // 2)
    assert choose(["a", "b", "c"], ONE - 1) == ("c", ONE - 3)


def test_engine_order():
    order = engine_order(rules_of("ten-point"), "D")
    assert len(order) == len(set(order)) == 54
    assert order[:13] == cards("2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC")
    assert order[13] == "2S"
    assert order[26:38] == cards("2H 3H 4H 5H 6H 7H 8H 9H TH QH KH AH")
    assert order[38:] == cards("2D 3D 4D 5D 6D 7D 8D 9D TD LJ HJ JH JD QD KD AD")


@pytest.mark.parametrize("preset", preset_names())
def test_random_hands_are_legal_and_the_same_again(preset):
    rules = rules_of(preset)
    seating = rules.seating()
    rng = random.Random(preset)
    for deal in range(10):
        hands = random_record(rng, rules, seating).hands
        lead = rng.choice(legal_first_leads(rules, hands[1]))
        played = [
            play_hand(
                rules,
                seating,
                hands,
                pitcher=1,
                trump=lead[1],
                first_lead=lead,
                policy=RandomPlay(1, deal),
            )
            for _ in range(2)
        ]
        assert played[0] == played[1]
        assert len(played[0]) == 6
        assert played[0][0].plays[0] == lead


def test_each_trick_has_a_word_of_its_own():
    """Seat 0 alone plays at random: what the others do does not move its words."""
    rules = rules_of("partners")
    hands = random_record(random.Random(0), rules, rules.seating()).hands
    order = engine_order(rules, "S")
    at_random = RandomPlay(1, 4)

    def policy(situation):
        if situation.seat != 0:
            return situation.legal[-1]
        trick = len(situation.tricks)
        fraction = word(stream_key(1), 4, FIRST_PLAY_WORD + trick) >> 4
        expected, _ = choose(sorted(situation.legal, key=order.index), fraction)
        assert at_random(situation) == expected
        return expected

    tricks = play_hand(
        rules, rules.seating(), hands, pitcher=3, trump="S", first_lead=None, policy=policy
    )
    assert len(tricks) == 6


def test_every_legal_card_is_as_likely():
    """The second player's first card, over many deals, with six legal cards."""
    rules = rules_of("partners")
    hands = ["2S 3S 4S 5S 6S 7S", "2H 3H 4H 5H 6H 7H", "2D 3D 4D 5D 6D 7D", "2C 3C 4C 5C 6C 7C"]
    counts = dict.fromkeys(hands[1].split(), 0)
    for deal in range(1200):
        tricks = play_hand(
            rules,
            rules.seating(),
            [hand.split() for hand in hands],
            pitcher=0,
            trump="S",
            first_lead="2S",
            policy=RandomPlay(5, deal),
        )
        counts[tricks[0].plays[1]] += 1
    # Chi-square with five degrees of freedom is over 20.5 once in a thousand seeds.
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 20.5


def test_a_policy_sees_its_own_cards_and_what_lies_on_the_table():
    rules = rules_of("auction")
    seating = rules.seating(3)
    record = random_record(random.Random(12), rules, seating)
    hands = record.hands
    lead = hands[2][0]
    seen = []

    def first_legal(situation):
        seen.append(situation)
        return situation.legal[0]

    tricks = play_hand(
        rules,
        seating,
        hands,
        pitcher=2,
        trump=lead[1],
        first_lead=lead,
        policy=first_legal,
        bid="3",
    )
    first, *_ = seen
    assert (first.seat, first.pitcher, first.bid, first.trump) == (0, 2, "3", lead[1])
    assert (first.leader, first.plays, first.seats, first.tricks) == (2, (lead,), (2,), ())
    assert first.hand == hands[0]
    last = seen[-1]
    assert last.tricks == tuple(tricks[:5])
    assert len(last.hand) == len(last.legal) == 1


@pytest.mark.parametrize(
    ("changes", "leads"),
    [
        ({}, "2S 3S"),
        ({"joker_lead": "names"}, "2S 3S HJ"),
        ({"trump_choice": "declared"}, "2S 3S 4H 5D AC HJ"),
    ],
)
def test_a_policy_may_choose_the_first_lead_of_those_that_make_the_trump_suit(changes, leads):
    rules = rules_of("six-point", **changes)
    hands = [cards("2S 3S 4H 5D AC HJ"), cards("4S 5S 6S 7S 8S 9S")]
    seen = []

    def first_legal(situation):
        seen.append(situation.legal)
        return situation.legal[0]

    play_hand(
        rules, rules.seating(2), hands, pitcher=0, trump="S", first_lead=None, policy=first_legal
    )
    assert seen[0] == tuple(cards(leads))


def test_a_policy_that_plays_an_illegal_card_is_stopped():
    rules = rules_of("partners")
    record = random_record(random.Random(2), rules, rules.seating())
    lead = record.hands[0][0]
    with pytest.raises(ValueError, match="is not legal for seat 1"):
        play_hand(
            rules,
            rules.seating(),
            record.hands,
            pitcher=0,
            trump=lead[1],
            first_lead=lead,
            policy=lambda _: lead,
        )


def test_a_random_hand_is_one_that_the_reference_accepts():
    rules = rules_of("ten-point")
    record = random_record(random.Random(8), rules, rules.seating())
    assert replay(record).table is not None
