"""What every call at one's turn leads to: what it gains, and how often one is left in with it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchsim.cards import format_hand
from pitchsim.intervals import Estimate, half_width, wilson
from pitchsim.presets import as_preset
from pitchsim.rules import PASS
from pitchsim.study import Option

if TYPE_CHECKING:
    import pandas as pd

    from pitchsim.bidding.turnstudy import TurnStudy


@dataclass(frozen=True)
class CallWeighed:
    """What a call leads to, on deals that are the same for every call.

    Attributes
    ----------
    call
        What is said.
    option
        The trump suit and lead that gain most if it wins the auction; None if it never does.
    gains
        float64[deals], what one's side gains on the others, in points.
    left_in
        bool[deals], where it wins the auction.
    thrown_in
        bool[deals], where everybody passes.
    made
        In how many of the deals in which it wins the auction the bid is made.
    """

    call: str
    option: Option | None
    gains: NDArray[np.float64]
    left_in: NDArray[np.bool_]
    thrown_in: NDArray[np.bool_]
    made: int

    @cached_property
    def margin(self) -> Estimate:
        """What it gains in the mean."""
        return mean_of(self.gains)

    @property
    def if_left_in(self) -> Estimate | None:
        """What it gains where it wins the auction; None if it never does."""
        return mean_of(self.gains[self.left_in]) if self.left_in.any() else None

    @property
    def if_not(self) -> Estimate | None:
        """What it gains where somebody else pitches, or nobody; None if that never happens."""
        return None if self.left_in.all() else mean_of(self.gains[~self.left_in])

    @property
    def make(self) -> tuple[float, float, float] | None:
        """The chance to make it once left in, with the ends of its 95 % interval."""
        count = int(self.left_in.sum())
        if not count:
            return None
        low, high = wilson(self.made, count)
        return self.made / count, float(low), float(high)

    @property
    def shares(self) -> dict[str, float]:
        """How often one is left in, outbid (or passed by), and how often the hand is thrown in."""
        left_in, thrown_in = float(self.left_in.mean()), float(self.thrown_in.mean())
        return {"left_in": left_in, "outbid": 1 - left_in - thrown_in, "thrown_in": thrown_in}


def finite(half_width: float) -> float | None:
    """Return a half-width; None where a single deal leaves it open, which JSON cannot say."""
    return half_width if math.isfinite(half_width) else None


def mean_of(gains: NDArray[np.float64]) -> Estimate:
    """Return a mean with its 95 % half-width."""
    mean, square = float(gains.mean()), float(np.square(gains).mean())
    return Estimate(mean, float(half_width(square, mean, len(gains))))


@dataclass(frozen=True)
class TurnAnswer:
    """Every legal call, weighed.

    Attributes
    ----------
    study
        What was asked.
    calls
        The calls, from pass up.
    deals
        How many deals were found that fit what was said: each counts fully, so that this is the
        effective number too.
    looked_at
        How many deals were looked through for them.
    """

    study: TurnStudy
    calls: tuple[CallWeighed, ...]
    deals: int
    looked_at: int

    @cached_property
    def best(self) -> CallWeighed:
        """The call that gains most; of equals the lowest."""
        return max(self.calls, key=lambda weighed: weighed.margin.mean)

    def behind(self, weighed: CallWeighed) -> Estimate:
        """Return by how much a call is behind the best, on the same deals."""
        if weighed is self.best:
            return Estimate(0.0, 0.0)
        return mean_of(self.best.gains - weighed.gains)

    def too_close(self, weighed: CallWeighed) -> bool:
        """Say whether a call cannot be told from the best one."""
        return weighed is not self.best and self.behind(weighed).too_close

    @property
    def share(self) -> float:
        """The share of all deals that fit what was said."""
        return self.deals / self.looked_at

    def to_json(self) -> dict[str, Any]:
        """Return it as `pitchsim hand --seat … --json` prints it."""
        study = self.study
        preset, changes = as_preset(study.rules)
        return {
            "hand": format_hand(study.hand),
            "rules": preset,
            "set": changes,
            "players": study.seating.players,
            "partners": study.seating.partners,
            "known": list(study.known.texts(study.seating)),
            "seat": study.place + 1,
            "auction": list(study.said),
            "strategy": study.strategy.name,
            "play": study.player.play,
            "deals": self.deals,
            "effective_deals": self.deals,
            "looked_at": self.looked_at,
            "seed": study.seed,
            "study": study.identity,
            "calls": {weighed.call: self._call_json(weighed) for weighed in self.calls},
            "best": self.best.call,
        }

    def _call_json(self, weighed: CallWeighed) -> dict[str, Any]:
        behind = self.behind(weighed)
        said: dict[str, Any] = {
            "margin": weighed.margin.mean,
            "half_width": weighed.margin.half_width,
            **weighed.shares,
            "behind": behind.mean,
            "behind_half_width": behind.half_width,
            "too_close": self.too_close(weighed),
        }
        if weighed.call != PASS:
            p, low, high = weighed.make or (None, None, None)
            option = weighed.option
            said |= {
                "trump": option and option.trump,
                "lead": option and option.lead,
                "p": p,
                "low": low,
                "high": high,
            }
        for name, estimate in (("if_left_in", weighed.if_left_in), ("if_not", weighed.if_not)):
            said[name] = estimate and estimate.mean
            said[f"{name}_half_width"] = estimate and finite(estimate.half_width)
        return said

    @cached_property
    def frame(self) -> pd.DataFrame:
        """A row for each call: `call` and what `to_json` says of it."""
        import pandas as pd  # noqa: PLC0415  (slow to load, and only frames need it)

        return pd.DataFrame(
            [{"call": weighed.call, **self._call_json(weighed)} for weighed in self.calls]
        )
