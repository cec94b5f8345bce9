"""Hands broken off with a few cards left, at random: every preset, seating and rule of the play."""

import random
from collections.abc import Sequence
from functools import cache

from recordmaking import random_draws

from pitchsim.cards import SUITS, full_deck, is_joker
from pitchsim.presets import load_preset, preset_names
from pitchsim.records import HandRecord
from pitchsim.reference.draw import hands_after_draws
from pitchsim.reference.hand import possible_bids
from pitchsim.reference.minimax import legal_plays
from pitchsim.reference.table import Table
from pitchsim.rules import PARTNERSHIP_COUNTS, Rules, Seating

#: What a table may change of its preset, each by itself.
CHANGES = (
    {"game_tie": ("nobody", "pitcher")},
    {"void_play": ("free", "must_trump")},
    {"low_to": ("holder", "captor")},
    {"low_card": ("lowest_trump", "lowest_natural")},
    {"joker_rank": ("below_jack", "lowest")},
    {"joker_lead": ("forbidden", "names")},
    {"secondary_trump": ("none", "hearts")},
    {"trump_choice": ("pitched", "declared")},
    {"smudge": ("none", "all_points", "all_tricks", "both")},
    {"off_jack": (0, 1), "off_five": (0, 5), "trump_three": (0, 3), "ace_of_hearts": (0, 1)},
)


def random_ending(
    chance: random.Random, *, cards_left: int, players: Sequence[int] = range(2, 8)
) -> HandRecord:
    """Play a hand at random until nobody holds more than some cards, and break it off.

    Parameters
    ----------
    chance
        Decides everything.
    cards_left
        How many cards the fullest hand still holds, from 1; with six nothing, or hardly anything,
        is played yet. Many hands are broken off in the middle of a trick, after which those
        who have played to it hold a card less.
    players
        How many may play.
    """
    rules, seating = random_table(chance, players)
    deck = chance.sample(full_deck(rules.jokers), 6 * seating.players)
    hands = [deck[6 * seat : 6 * seat + 6] for seat in range(seating.players)]
    dealer, pitcher = (chance.randrange(seating.players) for _ in range(2))
    trump, draws = None, None
    if rules.trump_choice == "declared":
        trump = chance.choice(SUITS)
    to_play = hands
    if rules.draw:
        draws = random_draws(chance, rules, trump, dealer, hands)
        to_play = hands_after_draws(rules, trump, dealer, hands, draws)
    table = Table(rules, to_play, pitcher, trump)
    plays = _random_plays(chance, table, cards_left)
    if rules.trump_choice == "pitched" and plays and (is_joker(plays[0]) or chance.random() < 0.1):
        trump = table.trump
    return HandRecord(
        rules=rules,
        seating=seating,
        dealer=dealer,
        hands=tuple(map(tuple, hands)),
        scores=(0,) * seating.sides,
        pitcher=pitcher,
        bid=chance.choice(possible_bids(rules, pitcher == dealer)),
        trump=trump,
        plays=tuple(plays),
        draws=draws,
    )


def _random_plays(chance: random.Random, table: Table, cards_left: int) -> list[str]:
    """Play cards until the fullest hand is small enough, and then perhaps some of a trick."""
    plays = []

    def play() -> None:
        cards = legal_plays(table)
        jokers = [card for card in cards if table.is_first_lead and is_joker(card)]
        card = chance.choice(jokers or list(cards))
        table.trump = chance.choice(cards[card])
        table.play(card)
        plays.append(card)

    while max(map(len, table.hands)) > cards_left or table.plays:
        play()
    waiting = sum(map(bool, table.hands))
    if chance.random() < 0.5:
        for _ in range(chance.randrange(waiting)):
            play()
    return plays


def random_table(chance: random.Random, players: Sequence[int]) -> tuple[Rules, Seating]:
    """Choose a preset, some changes of it, and how many play it, as two sides or each alone."""
    changes = {}
    for fields in CHANGES:
        if chance.random() < 0.3:
            changes |= {name: chance.choice(values) for name, values in fields.items()}
    if chance.random() < 0.15:
        changes |= {"trump_choice": "declared", "draw": True}
    count = chance.choice(players)
    presets = [name for name in preset_names() if count in load_preset(name).players]
    rules = _rules(chance.choice(presets), tuple(changes.items()))
    partners = chance.choice([True, False]) if count in PARTNERSHIP_COUNTS else None
    return rules, rules.seating(count, partners)


@cache
def _rules(preset: str, changes: tuple[tuple[str, object], ...]) -> Rules:
    return load_preset(preset).changed(dict(changes))
