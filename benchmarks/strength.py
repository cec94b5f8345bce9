"""How much better `basic` plays than `random`: the same deals, with the sides exchanged.

Every hand is a pitcher's, who pitches the suit and leads the card that come out best when everybody
plays `basic`. It is then played on the same deals by each pairing of policies, and what is compared
is the points that the pitcher's side took less the mean of those that the other sides took. Deals
of one hand resemble each other, so the errors are over hands, which are independent.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.tables import Table
from pitchsim.cards import SUITS, Card, format_hand, full_deck, is_joker, suit_of
from pitchsim.engine.count import ALL_TRICKS
from pitchsim.engine.score import OTHERS_SHIFT, POINT_MASK, TRICKS_SHIFT
from pitchsim.engine.setting import HAND_SIZE
from pitchsim.presets import load_preset
from pitchsim.rules import Rules
from pitchsim.worth import made_table, worth_of_points

TABLES = (("partners", 4), ("solo", 4), ("ten-point", 4), ("setback", 3))
HANDS = 300
DEALS = 1500
LOOK = 400  # deals on which suit and lead are chosen
SEED = 1
# (the pitcher's side, the others)
PAIRINGS = (("random", "random"), ("basic", "random"), ("random", "basic"), ("basic", "basic"))


@dataclass(frozen=True)
class Results:
    """A row for each hand: the mean points in front, and how often each bid was made."""

    ahead: NDArray[np.float64]
    made: NDArray[np.float64]


def main() -> None:
    print(f"{HANDS} hands, the same {DEALS} deals of each for every pairing of policies.")
    print("In front: the pitcher's side's points less the mean of the other sides', a hand.")
    for preset, players in TABLES:
        rules = load_preset(preset)
        results = compare(preset, players)
        print(f"\n{preset}, {players} players")
        print(f"  {'pitcher':<9}{'others':<9}{'in front':>9}   made: {_header(rules)}")
        for pairing, result in results.items():
            made = "".join(f"{100 * share:8.1f} %" for share in result.made.mean(axis=0))
            print(f"  {pairing[0]:<9}{pairing[1]:<9}{result.ahead.mean():+9.3f}        {made}")
        for side, better, worse in (
            ("pitcher's side, against random", PAIRINGS[1], PAIRINGS[0]),
            ("pitcher's side, against basic", PAIRINGS[3], PAIRINGS[2]),
            ("defenders, against random", PAIRINGS[0], PAIRINGS[2]),
            ("defenders, against basic", PAIRINGS[1], PAIRINGS[3]),
        ):
            gain = results[better].ahead - results[worse].ahead
            error = gain.std(ddof=1) / np.sqrt(len(gain))
            print(f"  basic gains as {side:<32}{gain.mean():+7.3f} ± {error:.3f}")


def compare(preset: str, players: int) -> dict[tuple[str, str], Results]:
    """Play every pairing on the same hands and deals."""
    rules = load_preset(preset)
    parts: dict[tuple[str, str], list[tuple[float, list[float]]]] = {p: [] for p in PAIRINGS}
    for number, hand in enumerate(_hands(rules)):
        table, positions = _best_option(preset, players, hand, number)
        for pairing in PAIRINGS:
            outcomes = table.play(0, positions, *pairing, seed=number)[0]
            parts[pairing].append((_ahead(rules, table, outcomes).mean(), _made(rules, outcomes)))
    return {
        pairing: Results(np.array([a for a, _ in rows]), np.array([m for _, m in rows]))
        for pairing, rows in parts.items()
    }


def _hands(rules: Rules) -> Iterator[tuple[Card, ...]]:
    """Yield random hands with at least one card that can be led."""
    chance = random.Random(SEED)
    deck = full_deck(rules.jokers)
    for _ in range(HANDS):
        yield tuple(chance.sample(deck, HAND_SIZE))


def _best_option(
    preset: str, players: int, hand: tuple[Card, ...], number: int
) -> tuple[Table, NDArray[np.int64]]:
    """Choose the suit and the lead that do best when everybody plays `basic`."""
    rules = load_preset(preset)
    best: tuple[float, Table] | None = None
    positions: NDArray[np.int64] | None = None
    for trump in SUITS:
        leads = [card for card in hand if not is_joker(card) and suit_of(card) == trump]
        if not leads:
            continue
        table = Table.of(preset, players, hand=format_hand(hand), trump=trump, leads=leads)
        if positions is None:
            positions = table.deal(0, DEALS, seed=number)
        outcomes = table.play(0, positions[:LOOK], "basic", seed=number)
        ahead = _ahead(rules, table, outcomes).mean(axis=1)
        lead = int(ahead.argmax())
        if best is None or ahead[lead] > best[0]:
            best = ahead[lead], Table(table.plan, table.setting, table.leads[lead : lead + 1])
    assert best is not None
    assert positions is not None
    return best[1], positions


def _ahead(rules: Rules, table: Table, outcomes: NDArray[np.int32]) -> NDArray[np.float64]:
    """Give the pitcher's side's points less the mean of the other sides'."""
    worth = worth_of_points(rules)
    sides = 2 if table.setting.side_mask == 1 else table.setting.players
    others = worth[outcomes >> OTHERS_SHIFT & POINT_MASK] / (sides - 1)
    return np.asarray(worth[outcomes & POINT_MASK] - others)


def _made(rules: Rules, outcomes: NDArray[np.int32]) -> list[float]:
    """Give how often each bid was made."""
    every_trick = np.where(outcomes >> TRICKS_SHIFT == HAND_SIZE, ALL_TRICKS, 0)
    results = outcomes & POINT_MASK | every_trick
    return [float(made_table(rules, bid)[results].mean()) for bid in rules.bids]


def _header(rules: Rules) -> str:
    return "".join(f"{bid:>10}" for bid in rules.bids)
