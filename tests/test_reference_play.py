import pytest
from recordmaking import rules_of

from pitchsim.reference.play import legal_first_leads, legal_follows, trick_winner


def follows(rules, trump, hand, led):
    return " ".join(legal_follows(rules, trump, hand.split(), led))


FREE = rules_of("partners")
MUST_TRUMP = rules_of("setback")
HEARTS = rules_of("ace-of-hearts")  # hearts below trump, must trump when void
HEARTS_FREE = rules_of("ace-of-hearts", void_play="free")
OFF_JACK = rules_of("five-point")


@pytest.mark.parametrize(
    ("rules", "hand", "led", "expected"),
    [
        # Trump led: play a trump if you hold one.
        (FREE, "AS 2H 3D", "KS", "AS"),
        (FREE, "2H 3D", "KS", "2H 3D"),
        # A plain suit led: a card of it or any trump, no other suit.
        (FREE, "AS 2H 3D", "KH", "AS 2H"),
        (FREE, "2H 3D", "KH", "2H"),
        # Void: any card, or a trump if there is one.
        (FREE, "AS 3D", "KH", "AS 3D"),
        (MUST_TRUMP, "AS 3D", "KH", "AS"),
        (MUST_TRUMP, "4C 3D", "KH", "4C 3D"),
        # The off-jack follows a trump lead, and not the suit it bears.
        (OFF_JACK, "JC 3D", "2S", "JC"),
        (OFF_JACK, "JC 3D", "AC", "JC 3D"),
        (OFF_JACK, "JC 4C 3D", "AC", "JC 4C"),
        (OFF_JACK, "4C 3D", "JC", "4C 3D"),
        # A second trump suit: a real trump must follow trump, hearts may be played anywhere else.
        (HEARTS, "AS 2H 3D", "KS", "AS"),
        (HEARTS, "2H 3D", "KS", "2H"),
        (HEARTS_FREE, "2H 3D", "KS", "2H 3D"),
        (HEARTS, "2S 2H 3D 4C", "KD", "2S 2H 3D"),
        (HEARTS, "2H 4C", "KD", "2H"),
        (HEARTS, "2S 2H 4C", "KD", "2S 2H"),
        (HEARTS, "4C 3C", "KD", "4C 3C"),
        (HEARTS, "2S 2H 4C", "KH", "2S 2H"),
        (HEARTS, "2S 4C", "KH", "2S"),
        (HEARTS_FREE, "2S 4C", "KH", "2S 4C"),
    ],
)
def test_following_with_spades_as_trump(rules, hand, led, expected):
    assert follows(rules, "S", hand, led) == expected


def test_hearts_as_trump_are_one_suit():
    assert follows(HEARTS, "H", "AS 2H 3D", "KH") == "2H"
    assert trick_winner(HEARTS, "H", ["2H", "AH", "KH"]) == 1


def test_a_joker_may_not_be_the_first_lead_of_a_pitched_hand():
    hand = ["AS", "HJ", "LJ"]
    assert legal_first_leads(rules_of("six-point"), hand) == ["AS"]
    assert legal_first_leads(rules_of("six-point"), ["HJ", "LJ"]) == ["HJ", "LJ"]
    assert legal_first_leads(rules_of("six-point", joker_lead="names"), hand) == hand
    assert legal_first_leads(rules_of("six-point", trump_choice="declared"), hand) == hand


@pytest.mark.parametrize(
    ("rules", "plays", "winner"),
    [
        (FREE, "2H KH AD TH", 1),
        (FREE, "2H KH 2S AH", 2),
        (FREE, "2H AD AC KD", 0),
        (OFF_JACK, "QC JC AC TS", 1),
        (OFF_JACK, "QC JC AC JS", 3),
        (rules_of("ten-point"), "TS LJ HJ 2S", 2),
        (rules_of("ten-point"), "LJ JC TS AH", 1),
        (rules_of("ten-point", joker_rank="lowest"), "LJ HJ 2S AH", 2),
        (rules_of("pedro"), "4S 5C AC 3S", 1),
        (HEARTS, "AD 2H KD 3H", 3),
        (HEARTS, "AD AH 2S KH", 2),
        (HEARTS, "2H AH KD QD", 1),
    ],
)
def test_who_wins_the_trick_with_spades_as_trump(rules, plays, winner):
    assert trick_winner(rules, "S", plays.split()) == winner
