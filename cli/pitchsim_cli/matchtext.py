"""Matches as people read them: who is ahead, how sure that is, and who bid what."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pitchsim.bidding.strategy import Strategy
from pitchsim.intervals import Estimate
from pitchsim.matches.result import Match, MatchResult
from pitchsim.precision import about, decimals_for, rounded_up, telling_decimals
from pitchsim.presets import changes_in_words
from pitchsim.wording import counted, manner
from pitchsim_cli.evaluationtext import Percent, signed
from pitchsim_cli.layout import Heading, Items, Paragraph, Part, Sheet
from pitchsim_cli.matchrun import MatchRun
from pitchsim_cli.tablelabels import CLOSE_MARK, FORCED, bid_label, is_forced, percent_for
from pitchsim_cli.waiting import short

if TYPE_CHECKING:
    import pandas as pd

PLUS_MINUS, ELLIPSIS = "\N{PLUS-MINUS SIGN}", "\N{HORIZONTAL ELLIPSIS}"
WIDE = 80  # columns, in which a payoff matrix is to find room
#: Writes a cell of a matrix: of a match, for the one (1) or the other (-1), with half-widths after
#: this sign, or without them.
Written = Callable[[Match, int, str], str]


@dataclass(frozen=True)
class MatchText:
    """Matches in words and tables.

    Attributes
    ----------
    run
        What was played.
    command
        The command that gives the same numbers again.
    """

    run: MatchRun
    command: str

    @property
    def result(self) -> MatchResult:
        """What came of it."""
        return self.run.result

    def parts(self) -> Iterator[Part]:
        """Write it part by part."""
        yield Heading(self._heading())
        if self.result.interrupted:
            played = counted(self.run.hands, "hand")
            yield Paragraph(f"INTERRUPTED: this is what {played} had shown by then.", strong=True)
        if len(self.result.matches) == 1:
            (match,) = self.result.matches
            yield Paragraph(headline(match), strong=True)
            if match.lead is not None:
                yield Paragraph(" ".join(_games(match, match.lead)))
        else:
            yield Paragraph(self._first(), strong=True)
            yield self._payoffs()
            if self.run.games is not None:
                yield self._shares()
            yield self._standings()
        if self.result.levels["hands"].any():
            yield self._levels()
        yield Paragraph(" ".join(self._notes()))
        yield Items("Who met", [described(strategy) for strategy in self.run.plan.strategies])
        yield Paragraph(self._run())
        yield Paragraph(self.command, verbatim=True)

    def _heading(self) -> str:
        rules, names = self.run.plan.rules, self.result.names
        who = " against ".join(names) if len(names) == 2 else f"{len(names)} strategies"
        about = [f"{rules.name} rules", *changes_in_words(rules), manner(self.run.plan.seating)]
        return f"{who}: {', '.join(about)}"

    def _first(self) -> str:
        """Say who is first of several, and whether that can be told."""
        first, second, *_ = self.result.standings
        names = {first.name, second.name}
        (match,) = (match for match in self.result.matches if {match.one, match.other} == names)
        others = len(self.result.names) - 1
        if first.ahead == others:
            by = ahead_by(Estimate(abs(match.difference.mean), match.difference.half_width))
            return (
                f"{first.name} is ahead of all the others; of {second.name}, the next, by "
                f"{by.lstrip('+')} points a hand."
            )
        return (
            f"{first.name} scores most against the others, but is not ahead of each: {first.ahead} "
            f"of {others}. {headline(match)}"
        )

    def _payoffs(self) -> Sheet:
        """Draw the payoff matrix."""
        title = "By how many points a hand each is ahead of the one in the column"
        most = max(match.difference.half_width for match in self.result.matches)
        return self._matrix(title, _payoff, _up(most, 2))

    def _shares(self) -> Sheet:
        """Draw the matrix of games won."""
        title = "Percent of games that each wins against the one in the column"
        halves = [match.share.half_width for match in self.result.matches if match.share]
        return self._matrix(title, _won, _up(100 * max(halves), 0))

    def _matrix(self, title: str, written: Written, most: str) -> Sheet:
        """Draw a matrix of pairs: with half-widths and names where there is room for them."""
        names = self.result.names
        rows, columns = list(names), list(names)
        cells = [[self._cell(one, other, written, PLUS_MINUS) for other in names] for one in names]
        if _room(columns, cells) < max(map(len, rows)):
            cells = [[self._cell(one, other, written, "") for other in names] for one in names]
            title += f" ({PLUS_MINUS}{most} at most)"
        if _room(columns, cells) < max(map(len, rows)):
            columns = [str(number) for number, _ in enumerate(names, start=1)]
            room = max(_room(columns, cells), len(columns[-1]))
            rows = [
                _shortened(f"{number} {name}", room)
                for number, name in zip(columns, names, strict=True)
            ]
        lines = [[name, *row] for name, row in zip(rows, cells, strict=True)]
        return Sheet(title, ["<Strategy", *columns], lines)

    def _cell(self, one: str, other: str, written: Written, sign: str) -> str:
        for match in self.result.matches:
            if (match.one, match.other) == (one, other):
                return written(match, 1, sign)
            if (match.other, match.one) == (one, other):
                return written(match, -1, sign)
        return ""

    def _standings(self) -> Sheet:
        lines = []
        for place, standing in enumerate(self.result.standings, start=1):
            levels = self._levels_of[standing.name]
            pitched, made = int(levels["hands"].sum()), int(levels["made"].sum())
            lines.append(
                [
                    str(place),
                    ahead_by(standing.difference),
                    *map(str, standing[2:]),
                    Percent(1).of(levels["share"].sum()),
                    Percent(1).of(made / pitched) if pitched else "",
                    standing.name,
                ]
            )
        return Sheet(
            "Against the others together",
            ["", "A hand", "Ahead of", "Close", "Behind", "Pitches", "Made", "<Strategy"],
            lines,
        )

    @cached_property
    def _levels_of(self) -> "dict[str, pd.DataFrame]":
        levels = self.result.levels
        return {name: levels[levels["strategy"] == name] for name in self.result.names}

    def _levels(self) -> Sheet:
        """Show what was pitched for, and made."""
        rules, levels = self.run.plan.rules, self.result.levels
        percent = percent_for(max(1, int(levels["hands"].max())))
        lines = []
        for bid in rules.all_bids:
            named = bid_label(rules, bid)
            for row in levels[(levels["bid"] == bid) & (levels["hands"] > 0)].to_dict("records"):
                made, hands = int(row["made"]), int(row["hands"])
                lines.append(
                    [
                        named,
                        f"{hands:,}",
                        Percent(1).of(row["share"]),
                        percent.of(made / hands),
                        percent.between(row["low"], row["high"]),
                        percent.rest(made / hands),
                        *self._expectation(row["expected"], percent),
                        row["strategy"],
                    ]
                )
                named = ""
        expected_too = ["Expected"] if self._some_expect else []
        headings = ["<Bid", "Hands", "Of all", "Made", "<95 %", "Set", *expected_too, "<Strategy"]
        return Sheet("What was pitched for, and made", headings, lines)

    def _expectation(self, expected: float, percent: Percent) -> list[str]:
        """Fill the column of what was expected, if there is one."""
        if not self._some_expect:
            return []
        return ["" if math.isnan(expected) else percent.of(expected)]

    @cached_property
    def _some_expect(self) -> bool:
        return bool(self.result.levels["expected"].notna().any())

    def _notes(self) -> Iterator[str]:
        """Explain the signs."""
        yield (
            f"Of all is the share of all hands. {PLUS_MINUS} is a 95 % half-width: every deal is "
            "played at two tables, with the sides exchanged, so that nobody gains by better cards."
        )
        if self._some_expect:
            yield "Expected is the mean of the chances that the pitchers themselves saw."
        thrown_in = sum(match.tally.thrown_in for match in self.result.matches)
        if thrown_in:
            share = Percent(1).of(thrown_in / self.run.hands)
            yield f"In {share} of the hands all passed: they are thrown in."
        if any(match.games and match.tally.games[2] for match in self.result.matches):
            yield "A game that nobody has won after 1,000 hands counts as half a win of each."
        rules = self.run.plan.rules
        forced = [bid for bid in rules.all_bids if is_forced(rules, bid)]
        if forced and self.result.levels.query("bid in @forced and hands > 0").size:
            yield FORCED
        if len(self.result.matches) > 1 and any(
            match.difference.too_close for match in self.result.matches
        ):
            yield f"{CLOSE_MARK} Too close to call."

    def _run(self) -> str:
        run = self.run
        threads = "1 thread" if run.threads == 1 else f"{run.threads} threads"
        rate = short(run.hands / run.seconds)
        return (
            f"{counted(run.hands, 'hand')} in {run.seconds:.2f} s on {threads}, {rate} a second. "
            f"Seed {run.plan.seed}. The same numbers again:"
        )


def headline(match: Match) -> str:
    """Say who is ahead, or that it is too close to call and what it would take."""
    mean, half = match.difference
    ahead, behind = (match.one, match.other) if mean >= 0 else (match.other, match.one)
    by = f"{ahead_by(Estimate(abs(mean), half)).lstrip('+')} points a hand"
    if not match.difference.too_close:
        return f"{ahead} is ahead of {behind} by {by}."
    if not math.isfinite(half):
        return f"So few hands tell nothing about {match.one} and {match.other}: play more."
    if match.needed is None:
        return (
            f"Too close to call: no difference between {match.one} and {match.other} was seen "
            f"({by})."
        )
    needed = about(match.needed)
    if match.games is not None:
        games = max(2, math.ceil(match.needed * match.games / match.hands))
        needed = f"{about(games)} games ({needed} hands)"
    else:
        needed += " hands"
    return (
        f"Too close to call: {ahead} was ahead of {behind} by {by}. If it is so, {needed} "
        "would tell."
    )


def _games(match: Match, lead: Estimate) -> Iterator[str]:
    """Say who won how many games."""
    assert match.games is not None
    one, other, nobody = match.tally.games.tolist()
    sign = 1 if match.difference.mean >= 0 else -1
    who = match.one if sign > 0 else match.other
    nobodys = f", nobody {nobody:,}" if nobody else ""
    yield (
        f"{who} wins {_won(match, sign, PLUS_MINUS, 1).lstrip(CLOSE_MARK)} % of "
        f"{counted(match.games, 'game')}: {match.one} {one:,}, {match.other} {other:,}{nobodys}."
    )
    if lead.too_close:
        needed = match.needed_games
        tell = "" if needed is None else f"; if it is so, {about(needed)} games would tell"
        yield f"That is too close to one half to call{tell}."
    yield f"A game takes {match.hands / match.games:.1f} hands."


def _payoff(match: Match, sign: int, plus_minus: str) -> str:
    """Write by how much one is ahead of the other, marked where that is too close to call."""
    mean, half = match.difference
    mark = CLOSE_MARK if match.difference.too_close else ""
    digits = telling_decimals(mean, half, 2) if plus_minus else 2
    width = f" {plus_minus}{_up(half, digits)}" if plus_minus else ""
    return f"{mark}{signed(sign * mean, digits)}{width}"


def _won(match: Match, sign: int, plus_minus: str, least: int = 0) -> str:
    """Write how many games of a hundred one wins, marked where that is too close to one half."""
    assert match.lead is not None
    lead, half = match.lead
    mark = CLOSE_MARK if match.lead.too_close else ""
    digits = telling_decimals(100 * lead, 100 * half, least) if plus_minus else least
    width = f" {plus_minus}{_up(100 * half, digits)}" if plus_minus else ""
    return f"{mark}{50 + 100 * sign * lead:.{digits}f}{width}"


def described(strategy: Strategy) -> str:
    """Say what a strategy is."""
    play, worlds = strategy.player.play, strategy.player.worlds_a_turn
    plays = f"plays {play}" + (f", {counted(worlds, 'world')} a turn" if worlds else "")
    return f"{strategy.name}: {strategy.title or 'a strategy of your own'} ({plays})"


def ahead_by(estimate: Estimate) -> str:
    """Write a difference as precisely as it is known."""
    mean, half = estimate
    decimals = decimals_for(mean, half)
    return f"{mean:+.{decimals}f} {PLUS_MINUS}{_up(half, decimals)}"


def _up(number: float, decimals: int) -> str:
    """Write a half-width, rounded up; `?` where nothing is known of it."""
    return f"{rounded_up(number, decimals):.{decimals}f}" if math.isfinite(number) else "?"


def _room(columns: list[str], cells: list[list[str]]) -> int:
    """Say how wide the names of the rows may be."""
    widths = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
    return WIDE - sum(widths) - 2 * len(widths)


def _shortened(name: str, room: int) -> str:
    return name if len(name) <= room else f"{name[: room - 1]}{ELLIPSIS}"
