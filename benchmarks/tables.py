"""A hand at a table, ready to be dealt and played by the engine without anything around it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pitchsim.cards import Card, parse_hand
from pitchsim.encoding import encode_plan, encode_policies, encode_setting
from pitchsim.engine import HAND_SIZE, MOST_PLAYERS, DealPlan, Setting, deal_hands, play_hands
from pitchsim.known import read_known
from pitchsim.order import TrumpOrder
from pitchsim.presets import load_preset

HAND = "AS JS TS 5S KH 2D"
SEED = 7


@dataclass(frozen=True)
class Table:
    """What the kernels need for one hand, one trump suit and its first leads."""

    plan: DealPlan
    setting: Setting
    leads: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        preset: str,
        players: int | None = None,
        *,
        hand: str = HAND,
        trump: str = "S",
        leads: Iterable[Card] = ("AS",),
        changes: dict[str, object] | None = None,
    ) -> Table:
        """Encode a hand at a preset's table, with changes to its rules."""
        rules = load_preset(preset).changed(changes or {})
        seating = rules.seating(players)
        known = read_known(parse_hand(hand, jokers=rules.jokers), [], rules, seating)
        order = TrumpOrder(rules, trump)
        return cls(
            encode_plan(rules, seating, known),
            encode_setting(
                rules,
                seating,
                known,
                trump,
                dealer=seating.players - 1,
                told=known,
            ),
            np.array([order.mask([lead]) for lead in leads], np.int64),
        )

    def deal(self, first: int, deals: int, seed: int = SEED) -> NDArray[np.int64]:
        """Return the positions dealt, int64[deals, 7]."""
        positions = np.zeros((deals, MOST_PLAYERS), np.int64)
        deal_hands(np.uint64(seed), first, self.plan, positions)
        return positions

    def play(
        self,
        first: int,
        positions: NDArray[np.int64],
        play: str,
        defence: str | None = None,
        seed: int = SEED,
    ) -> NDArray[np.int32]:
        """Return the outcomes, int32[leads, deals]."""
        outcomes = np.zeros((len(self.leads), len(positions)), np.int32)
        plays = np.zeros(HAND_SIZE * MOST_PLAYERS, np.int64)
        both, mask = (play, defence or play), self.setting.side_mask
        play_hands(
            encode_policies(both[min(seat & mask, 1)] for seat in range(self.setting.players)),
            np.uint64(seed),
            first,
            self.plan,
            self.setting,
            positions,
            self.leads,
            outcomes,
            plays,
        )
        return outcomes

    def run(self, first: int, deals: int, play: str) -> NDArray[np.int32]:
        """Deal and play deal numbers `first`, `first` + 1 and so on."""
        return self.play(first, self.deal(first, deals), play)
