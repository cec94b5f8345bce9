import pytest
from recordmaking import cards, rules_of

from pitchsim.reference.trumps import plain_suit, second_trumps, suit_of_play, trump_suit


@pytest.mark.parametrize(
    ("preset", "changes", "trump", "expected"),
    [
        ("partners", {}, "S", "AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S"),
        ("five-point", {}, "S", "AS KS QS JS JC TS 9S 8S 7S 6S 5S 4S 3S 2S"),
        ("nine-point", {}, "C", "AC KC QC JC JS HJ TC 9C 8C 7C 6C 5C 4C 3C 2C"),
        ("ten-point", {}, "H", "AH KH QH JH JD HJ LJ TH 9H 8H 7H 6H 5H 4H 3H 2H"),
        (
            "ten-point",
            {"joker_rank": "lowest"},
            "D",
            "AD KD QD JD JH TD 9D 8D 7D 6D 5D 4D 3D 2D HJ LJ",
        ),
        ("pedro", {}, "H", "AH KH QH JH TH 9H 8H 7H 6H 5H 5D 4H 3H 2H"),
        (
            "ten-point",
            {"off_five": 3},
            "S",
            "AS KS QS JS JC HJ LJ TS 9S 8S 7S 6S 5S 5C 4S 3S 2S",
        ),
        ("six-point", {"joker": 0}, "S", "AS KS QS JS HJ LJ TS 9S 8S 7S 6S 5S 4S 3S 2S"),
    ],
)
def test_the_trump_suit_from_the_highest_down(preset, changes, trump, expected):
    assert trump_suit(rules_of(preset, **changes), trump) == expected.split()


def test_an_off_jack_no_longer_belongs_to_its_printed_suit():
    rules = rules_of("five-point")
    assert suit_of_play(rules, "S", "JC") == "S"
    assert suit_of_play(rules, "S", "JH") == "H"
    assert "JC" not in plain_suit(rules, "S", "C")
    assert suit_of_play(rules_of("four-point"), "S", "JC") == "C"


def test_a_joker_is_always_trump():
    assert suit_of_play(rules_of("six-point"), "D", "LJ") == "D"


def test_hearts_are_second_trumps_unless_they_are_trump():
    rules = rules_of("ace-of-hearts")
    assert second_trumps(rules, "S") == cards("AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H")
    assert second_trumps(rules, "H") == []
    assert second_trumps(rules_of("setback"), "S") == []


def test_the_jack_of_hearts_is_a_real_trump_where_it_is_the_off_jack():
    rules = rules_of("ace-of-hearts", off_jack=1)
    assert "JH" not in second_trumps(rules, "D")
    assert "JH" in second_trumps(rules, "S")


def test_a_joker_that_the_deck_lacks_has_no_suit():
    with pytest.raises(ValueError, match="HJ is not in the deck"):
        suit_of_play(rules_of("partners"), "S", "HJ")
