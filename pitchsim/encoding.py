"""Cards, rules and what is known, as the numbers that the engine takes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pitchsim.cards import ALL_CARDS, CARD_POINTS, SUITS, Card, is_joker, rank_of, suit_of
from pitchsim.engine import BASIC, EXPERT, POLICY_BITS, RANDOM
from pitchsim.engine.deal import DealPlan
from pitchsim.engine.score import POINTS
from pitchsim.engine.setting import MOST_PLAYERS, SPREAD_TABLES, Setting
from pitchsim.known import Known
from pitchsim.order import TrumpOrder, first_leads, prize_cards
from pitchsim.plays import PLAYS
from pitchsim.rules import Rules, Seating

#: The numbers of the play policies in the engine.
POLICY_NUMBERS = {"random": RANDOM, "basic": BASIC, "expert": EXPERT}


def encode_policies(plays: Iterable[str]) -> int:
    """Give the engine the play of each seat, the pitcher's first."""
    return sum(policy_number(play) << POLICY_BITS * seat for seat, play in enumerate(plays))


def policy_number(play: str) -> int:
    """Give the engine's number of how a player by some play chooses."""
    policy = PLAYS[play].policy
    if policy is None:
        raise ValueError(f"{play} play is not played card by card")
    return POLICY_NUMBERS[policy]


def encode_setting(
    rules: Rules,
    seating: Seating,
    known: Known,
    trump: str,
    *,
    dealer: int,
    told: Known,
) -> Setting:
    """Give the engine's view of a table once trump is known; seat 0 is the pitcher.

    Parameters
    ----------
    known
        The cards that are fixed in every deal.
    dealer
        The seat after which a draw begins.
    told
        What the pitcher knows of the cards.
    """
    order = TrumpOrder(rules, trump)
    suits = order.suits()
    hearts = order.mask(card for card in order.bit_of if suit_of(card) == "H")
    second = hearts & ~suits[0] if rules.secondary_trump == "hearts" else 0
    ruff = suits[0] | second
    prizes = prize_cards(rules, trump)
    return Setting(
        players=seating.players,
        side_mask=1 if seating.partners else 7,
        dealer=dealer,
        draw=int(rules.draw),
        trump=suits[0],
        ruff=ruff,
        forced=ruff if rules.void_play == "must_trump" else 0,
        lead_mask=order.mask(first_leads(rules, trump)),
        low_cards=order.mask(
            card for card in order.trumps if rules.low_card == "lowest_trump" or not is_joker(card)
        ),
        low_to_holder=int(rules.low_to == "holder"),
        tie_to_pitcher=int(rules.game_tie == "pitcher"),
        deck=order.mask(order.bit_of),
        harmless=order.mask(told.harmless(rules, seating)),
        tens=order.mask("T" + suit for suit in SUITS),
        prizes=order.mask(prizes.values()),
        aces=order.mask("A" + suit for suit in SUITS if suit != trump),
        high_worth=rules.points.high,
        low_worth=rules.points.low,
        game_worth=rules.points.game,
        smudge_tricks=int(rules.smudge in ("all_tricks", "both")),
        smudge_points=rules.total if rules.smudge == "both" else 0,
        spread=_spread(known, rules, order),
        plain_suits=_int64(suits[1:]),
        fixed=_int64(order.mask(known.cards_of(seat)) for seat in range(MOST_PLAYERS)),
        prize_cards=_int64(order.mask([card]) for card in prizes.values()),
        prize_bits=_int64(1 << POINTS.index(name) for name in prizes),
        prize_worth=_int64(rules.point_values[name] for name in prizes),
        counters=_int64(
            order.mask(
                rank + suit
                for rank, points in CARD_POINTS.items()
                if points & value
                for suit in SUITS
            )
            for value in (1, 2, 4, 8)
        ),
        discards=_discards(rules, order, prizes, ruff),
        told=_int64(order.mask(told.cards_of(seat)) for seat in range(MOST_PLAYERS)),
        denied=_int64(_lacked_in_play(rules, told, seat, order) for seat in range(MOST_PLAYERS)),
    )


def encode_ignorance(setting: Setting) -> Setting:
    """Give a table as those see it who were told of no cards."""
    nothing = np.zeros(MOST_PLAYERS, np.int64)
    return setting._replace(harmless=0, told=nothing, denied=nothing)


def cards_dealt(setting: Setting, positions: NDArray[np.int64]) -> NDArray[np.int64]:
    """Turn sets of unseen positions, of any shape, into the cards that lie there."""
    cards = np.zeros_like(positions)
    for i in range(SPREAD_TABLES):
        cards |= setting.spread[i, positions >> 8 * i & 255]
    return cards


def encode_plan(rules: Rules, seating: Seating, known: Known) -> DealPlan:
    """Give the engine what is to be dealt."""
    unseen = known.unseen(rules)
    return DealPlan(
        players=seating.players,
        cards=len(unseen) + len(known.out),
        dealable=len(unseen),
        counts=_int64(
            rules.hand_size - len(known.cards_of(seat)) if seat < seating.players else 0
            for seat in range(MOST_PLAYERS)
        ),
        barred=_int64(
            sum(1 << i for i, card in enumerate(unseen) if card in barred)
            for barred in map(known.barred_to, range(MOST_PLAYERS))
        ),
    )


def _lacked_in_play(rules: Rules, told: Known, seat: int, order: TrumpOrder) -> int:
    """Give what a seat is known to lack when play begins: after a draw, nothing is sure."""
    return 0 if rules.draw else order.mask(told.out | told.barred_to(seat))


def _spread(known: Known, rules: Rules, order: TrumpOrder) -> NDArray[np.int64]:
    """Tabulate the cards of every eight unseen positions."""
    places = [*known.unseen(rules), *sorted(known.out, key=ALL_CARDS.index)]
    table = np.zeros((SPREAD_TABLES, 256), np.int64)
    for position, card in enumerate(places):
        chunk, bit = divmod(position, 8)
        size = 1 << bit  # those below are complete, and each comes again with this card
        table[chunk, size : 2 * size] = table[chunk, :size] | 1 << order.bit_of[card]
    return table


def _discards(
    rules: Rules, order: TrumpOrder, prizes: dict[str, Card], ruff: int
) -> NDArray[np.int64]:
    """Give the groups of cards in the order in which `basic` parts with them, but first and last.

    Before them come the plain cards below the ace that are no tens, after them the dear prizes.
    """
    deck = order.bit_of
    worth = rules.point_values
    tens = order.mask("T" + suit for suit in SUITS)
    small = order.mask(card for card in deck if rank_of(card) not in tuple(CARD_POINTS)) & ruff
    court = order.mask(card for card in deck if rank_of(card) in ("J", "Q", "K"))
    aces = order.mask("A" + suit for suit in SUITS)
    groups = [small, aces | court & ruff, tens]
    left = ~order.mask(prizes.values())
    cheap_prizes = order.mask(card for name, card in prizes.items() if worth[name] == 1)
    return _int64([*(group & left for group in groups), cheap_prizes])


def _int64(values: Iterable[int]) -> NDArray[np.int64]:
    return np.fromiter(values, dtype=np.int64)
