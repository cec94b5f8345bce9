"""What came of matches: differences with their intervals, as numbers and as frames."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitchsim.intervals import Z95, Estimate, half_width, wilson
from pitchsim.matches.pairing import Pairing
from pitchsim.matches.tally import DD, DN, MILLION, NN, UNITS, WW, D, MatchTally, N, W
from pitchsim.rules import Rules
from pitchsim.study import ENGINE_VERSION, identity_of

if TYPE_CHECKING:
    import pandas as pd

#: At how many points of a match, about, it is told how its difference settled.
TRAIL = 60
#: The normal quantile that is exceeded four times in five.
Z80 = 0.8416212335729143


@dataclass(frozen=True)
class Match:
    """What came of a match of two strategies.

    Attributes
    ----------
    one, other
        Their names.
    pairing
        How they met.
    tally
        What was counted.
    """

    one: str
    other: str
    pairing: Pairing = field(repr=False)
    tally: MatchTally = field(repr=False)

    @property
    def units(self) -> int:
        """How many deals, or games, were played at both tables."""
        return self.tally.units

    @property
    def hands(self) -> int:
        """How many hands were played, at both tables together."""
        return int(self.tally.sums[N])

    @property
    def games(self) -> int | None:
        """How many games were played, at both tables together; None if only hands were."""
        return int(self.tally.games.sum()) if self.pairing.whole_games else None

    @cached_property
    def difference(self) -> Estimate:
        """By how many points a hand the one's score moves more than the other's.

        The deals are the same at both tables and the sides exchanged, so that the spread is that
        of the units, each a deal (or a game) at both: the cards' own luck is not in it. A ratio of
        two sums where games have different numbers of hands, its error by the delta method
        (Cochran, "Sampling Techniques", 1977, section 6.4).
        """
        return difference_of(self.tally.sums, self.pairing.scale)

    @cached_property
    def share(self) -> Estimate | None:
        """The share of games that the one won, half of those nobody did; None without games."""
        if not self.pairing.whole_games:
            return None
        units = float(self.units)
        mean, square = self.tally.sums[W] / units / 4, self.tally.sums[WW] / units / 16
        return Estimate(float(mean), float(half_width(square, mean, units)))

    @cached_property
    def needed(self) -> int | None:
        """About how many hands would tell the difference from zero; None if it is told.

        As many as tell it four times in five, if it is as large as it was seen: the difference is
        then 1.96 + 0.84 standard errors.
        """
        return _needed(self.difference, self.hands)

    @property
    def lead(self) -> Estimate | None:
        """By how much the share of games that the one won exceeds one half; None without games."""
        return self.share and Estimate(self.share.mean - 0.5, self.share.half_width)

    @cached_property
    def needed_games(self) -> int | None:
        """About how many games would tell the lead from zero; None if it is told, or without games.

        As for `needed`.
        """
        if self.lead is None or self.games is None:
            return None
        return _needed(self.lead, self.games)

    @property
    def trail(self) -> Iterator[tuple[int, Estimate]]:
        """The hands played, and the difference then, as the match went on."""
        so_far = self.tally.trail.cumsum(axis=0)
        step = -(-len(so_far) // TRAIL)
        for sums in so_far[(len(so_far) - 1) % step :: step]:
            yield int(sums[N]), difference_of(sums, self.pairing.scale)


class Standing(NamedTuple):
    """How a strategy did against all the others.

    name : the strategy's.
    difference : the mean of its differences to the others, in points a hand. Its half-width is the
        mean of theirs: no narrower than the truth, for they may hang together.
    ahead, close, behind : of how many it is ahead, too close to call, and behind.
    """

    name: str
    difference: Estimate
    ahead: int
    close: int
    behind: int


def _needed(estimate: Estimate, count: int) -> int | None:
    """Return about how many are needed to tell from zero what so many did not; None if it is."""
    mean, half = estimate
    if not estimate.too_close or mean == 0 or not np.isfinite(half):
        return None
    return int(np.ceil(count * (half / mean * (Z95 + Z80) / Z95) ** 2))


def difference_of(sums: NDArray[np.int64], scale: int) -> Estimate:
    """Return the mean difference a hand, from the sums of units (see `tally.py`)."""
    units, differences, hands, squares, products, hand_squares = (
        float(sums[place]) for place in (UNITS, D, N, DD, DN, NN)
    )
    mean = differences / hands
    square = (squares - 2 * mean * products + mean**2 * hand_squares) / units
    half_a_unit = half_width(square / scale**2, 0.0, units)
    return Estimate(mean / scale, float(half_a_unit) * units / hands)


@dataclass(frozen=True)
class MatchResult:
    """What came of the matches of some strategies, each pair of them, under a rule set.

    Attributes
    ----------
    rules
        The rule set.
    matches
        Those that were played.
    seed
        The seed of their deals.
    facts
        What decided the numbers, as JSON.
    interrupted
        Whether that is less than was asked for.
    """

    rules: Rules
    matches: tuple[Match, ...]
    seed: int
    facts: str
    interrupted: bool = False

    def __str__(self) -> str:
        """Show by how much each is ahead of whom, as a terminal shows a frame."""
        shown = self.frame[["one", "other", "difference", "half_width", "hands"]]
        table = shown.to_string(index=False, float_format="{:+.3f}".format)
        return f"{self.rules.name} rules, points a hand\n{table}\nseed {self.seed}"

    @property
    def identity(self) -> str:
        """A hash of what decides the numbers, 16 hexadecimal digits."""
        return identity_of(f"{ENGINE_VERSION}, {self.facts}")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The strategies."""
        return tuple(dict.fromkeys(n for match in self.matches for n in (match.one, match.other)))

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """How each strategy did against the others, the best first."""
        standings = []
        for name in self.names:
            met = [
                Estimate((1, -1)[place] * match.difference.mean, match.difference.half_width)
                for match, place in self._of(name)
            ]
            mean, half = (float(np.mean(values)) for values in zip(*met, strict=True))
            close = sum(estimate.too_close for estimate in met)
            ahead = sum(estimate.mean > 0 and not estimate.too_close for estimate in met)
            standings.append(
                Standing(name, Estimate(mean, half), ahead, close, len(met) - ahead - close)
            )
        return tuple(sorted(standings, key=lambda standing: -standing.difference.mean))

    @cached_property
    def frame(self) -> pd.DataFrame:
        """A row for each ordered pair: who does how much better than whom.

        Columns: `rules`, `one`, `other`; `difference`, in points a hand, with `half_width`; `share`
        of games won with `share_half_width`; `hands` and `games` played; `needed`, the hands that
        it would take to tell the difference from zero, and `needed_games`, the games to tell the
        share from one half, missing where they are told; `thrown_in`, the share of the hands in
        which everybody passed.
        """
        import pandas as pd  # noqa: PLC0415  (slow to load, and only frames need it)

        rows = [
            {
                "rules": self.rules.name,
                "one": one,
                "other": other,
                "difference": sign * match.difference.mean,
                "half_width": match.difference.half_width,
                "share": _share(match, sign),
                "share_half_width": np.nan if match.share is None else match.share.half_width,
                "hands": match.hands,
                "games": np.nan if match.games is None else match.games,
                "needed": np.nan if match.needed is None else match.needed,
                "needed_games": np.nan if match.needed_games is None else match.needed_games,
                "thrown_in": match.tally.thrown_in / match.hands,
            }
            for match in self.matches
            for one, other, sign in ((match.one, match.other, 1), (match.other, match.one, -1))
        ]
        return pd.DataFrame(rows)

    @cached_property
    def levels(self) -> pd.DataFrame:
        """A row for each strategy and bid: how often it was played for, and made.

        Columns: `rules`, `strategy`, `bid`, `hands`, `made`, with the ends `low` and `high` of the
        95 % interval of the share made (see :func:`interval`), missing where there are no hands;
        `share`, of all the hands that the strategy was at the table for; and `expected`, the mean
        chance that its pitchers gave the bid, missing where they gave none.
        """
        import pandas as pd  # noqa: PLC0415

        rows = []
        for name in self.names:
            matches = self._of(name)
            counts = sum(match.tally.levels[place] for match, place in matches)
            chances = sum(match.tally.chances[place] for match, place in matches).sum(axis=1)
            at_table = sum(match.hands for match, _ in matches)
            for call, bid in enumerate(self._bids, start=1):
                hands, made = counts[call].tolist()
                low, high = interval(made, hands, len(matches))
                foretold, _, sum_of_chances = chances[call].tolist()
                rows.append(
                    {
                        "rules": self.rules.name,
                        "strategy": name,
                        "bid": bid,
                        "hands": hands,
                        "made": made,
                        "low": low,
                        "high": high,
                        "share": hands / at_table,
                        "expected": sum_of_chances / MILLION / foretold if foretold else np.nan,
                    }
                )
        return pd.DataFrame(rows)

    @cached_property
    def changes(self) -> pd.DataFrame:
        """A row for each strategy and number of points: how often a side's score moved by it.

        Columns: `rules`, `strategy`, `change`, `share`.
        """
        import pandas as pd  # noqa: PLC0415

        rows = []
        for name in self.names:
            counts = sum(match.tally.changes[place] for match, place in self._of(name))
            most = len(counts) // 2
            rows += [
                {
                    "rules": self.rules.name,
                    "strategy": name,
                    "change": int(place - most),
                    "share": counts[place] / counts.sum(),
                }
                for place in np.flatnonzero(counts)
            ]
        return pd.DataFrame(rows)

    @cached_property
    def calibration(self) -> pd.DataFrame:
        """A row for each strategy, bid and tenth of the chance that its pitchers gave the bid.

        Columns: `rules`, `strategy`, `bid`; `predicted`, the mean of those chances; `made`, the
        share that was made, with the ends `low` and `high` of its 95 % interval (see
        :func:`interval`); `hands`, and how many of them count as `independent`. Strategies that
        give no chances are not in it.
        """
        import pandas as pd  # noqa: PLC0415

        rows = []
        for name in self.names:
            counts = sum(match.tally.chances[place] for match, place in self._of(name))
            matches = len(self._of(name))
            for call, place in np.argwhere(counts[:, :, 0] > 0):
                hands, made, chances = counts[call, place].tolist()
                low, high = interval(made, hands, matches)
                rows.append(
                    {
                        "rules": self.rules.name,
                        "strategy": name,
                        "bid": self._bids[call - 1],
                        "predicted": chances / MILLION / hands,
                        "made": made / hands,
                        "low": low,
                        "high": high,
                        "hands": hands,
                        "independent": hands / matches,
                    }
                )
        columns = ["rules", "strategy", "bid", "predicted", "made", "low", "high", "hands"]
        return pd.DataFrame(rows, columns=[*columns, "independent"])

    @cached_property
    def convergence(self) -> pd.DataFrame:
        """A row for each pair and stage of the match: the difference by then.

        Columns: `rules`, `one`, `other`, `hands`; `difference` with the ends `low` and `high` of
        its 95 % interval.
        """
        import pandas as pd  # noqa: PLC0415

        return pd.DataFrame(
            [
                {
                    "rules": self.rules.name,
                    "one": match.one,
                    "other": match.other,
                    "hands": hands,
                    "difference": mean,
                    "low": mean - half,
                    "high": mean + half,
                }
                for match in self.matches
                for hands, (mean, half) in match.trail
            ]
        )

    @property
    def _bids(self) -> tuple[str, ...]:
        return self.rules.all_bids

    def _of(self, name: str) -> list[tuple[Match, int]]:
        """Return the matches of a strategy, and its place in each."""
        return [
            (match, place)
            for match in self.matches
            for place, who in enumerate((match.one, match.other))
            if who == name
        ]


def interval(made: int, hands: int, matches: int) -> tuple[float, float]:
    """Return the ends of the 95 % interval of a share of bids made, over some matches.

    A strategy meets every other one with the same deals, and mostly bids and plays them alike: so
    no more hands count as independent than it pitched in one match. NaN where there are none.
    """
    if not hands:
        return np.nan, np.nan
    low, high = wilson(made / matches, hands / matches)
    return float(low), float(high)


def _share(match: Match, sign: int) -> float:
    if match.share is None:
        return np.nan
    return match.share.mean if sign > 0 else 1 - match.share.mean
