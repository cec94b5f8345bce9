"""An evaluated hand as people read it: the bids, the points, what comes close, what to do."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pitchsim.analysis import Analysis
from pitchsim.cards import format_hand, is_joker
from pitchsim.errors import listed
from pitchsim.evaluation import Evaluation, LookUp
from pitchsim.intervals import wilson
from pitchsim.plays import DOUBLE_DUMMY, QUICK
from pitchsim.presets import changes_in_words
from pitchsim.rules import SMUDGE, Rules
from pitchsim.study import Option, Study, options_of
from pitchsim.titles import POINT_TITLES, SUIT_NAMES
from pitchsim.wording import manner
from pitchsim_cli.layout import Heading, Paragraph, Part, Sheet
from pitchsim_cli.waiting import short

ENDINGS = {
    "deals": "the number of deals",
    "precision": "the precision that was asked for",
    "max_seconds": "the time that was allowed",
    "interrupt": "Ctrl-C",
}


@dataclass(frozen=True)
class EvaluationText:
    """An evaluation in words and tables.

    Attributes
    ----------
    evaluation
        What was found.
    command
        The command that gives the same numbers again.
    known
        What is known of others' cards, as it was typed.
    every_lead
        Whether to show all options, or only those worth listing.
    """

    evaluation: Evaluation
    command: str
    known: Sequence[str] = ()
    every_lead: bool = False

    @property
    def study(self) -> Study:
        """What was asked."""
        return self.evaluation.study

    @property
    def rules(self) -> Rules:
        """The rules of the table."""
        return self.study.rules

    @property
    def analysis(self) -> Analysis:
        """The numbers."""
        return self.evaluation.analysis

    @property
    def percent(self) -> "Percent":
        """How probabilities are written."""
        return Percent.fit_for(self.analysis.width)

    @property
    def deciding(self) -> tuple[int, int]:
        """The bid that decides, and its best option."""
        bid = self.analysis.deciding_bid
        return bid, int(self.analysis.best[bid])

    def parts(self) -> Iterator[Part]:
        """Write it part by part."""
        yield Heading(self._heading())
        if self.evaluation.run.stopped_by == "interrupt":
            yield Paragraph(
                f"INTERRUPTED: this is what {self._deals()} had shown by then.", strong=True
            )
        yield self._bids()
        yield self._points()
        if others := self._others():
            yield others
        yield Paragraph(" ".join(self._advice()), strong=True)
        yield Paragraph(" ".join(self._cautions()))
        yield Paragraph(self._run())
        if self.command:
            yield Paragraph(self.command, verbatim=True)

    def _heading(self) -> str:
        hand = format_hand(self.study.known.cards_of(0))
        table = [
            f"{self.rules.name} rules",
            *changes_in_words(self.rules),
            manner(self.study.seating),
        ]
        known = [f"known: {', '.join(self.known)}"] if self.known else []
        return f"{hand}: {', '.join([*table, *known])}"

    def _deals(self) -> str:
        deals = self.evaluation.run.tally.deals
        return f"{deals:,} deal" + ("" if deals == 1 else "s")

    def _bids(self) -> Sheet:
        """Show each bid with its best option."""
        analysis = self.analysis
        limit = None if self._tells_nothing else analysis.limit
        rows = [
            [
                f"{'> ' if place == limit else '  '}{bid}",
                *self._chance(int(analysis.best[place]), place),
                self.percent.rest(float(analysis.make[analysis.best[place], place])),
                signed(analysis.change[analysis.best[place], place]),
                self._margin(int(analysis.best[place]), place),
                option_name(self.rules, self.study.options[analysis.best[place]]),
            ]
            for place, bid in enumerate(self.study.bids)
        ]
        headings = ["<  Bid", "Made", "<95 %", "Set", "Change", "Margin", "<Trump, lead"]
        return Sheet("", headings, rows, strong_row=limit)

    def _chance(self, option: int, bid: int) -> list[str]:
        """Write the chance to make a bid, and its interval."""
        low, high = self.analysis.interval
        return [
            self.percent.of(float(self.analysis.make[option, bid])),
            self.percent.between(float(low[option, bid]), float(high[option, bid])),
        ]

    def _margin(self, option: int, bid: int) -> str:
        half = float(self.analysis.margin_half_width[option, bid])
        return f"{signed(self.analysis.margin[option, bid])} {plus_minus(half)}"

    def _points(self) -> Sheet:
        """Show what the recommended option brings, point by point."""
        bid, option = self.deciding
        analysis, deals = self.analysis, self.evaluation.run.tally.deals
        rows = []
        for name, worth in self.rules.point_values.items():
            p = float(analysis.points[name][option])
            low, high = wilson(round(p * deals), deals)
            rows.append(
                [
                    POINT_TITLES[name],
                    self.percent.of(p),
                    self.percent.between(float(low), float(high)),
                    str(worth),
                    f"{worth * p:.2f}",
                ]
            )
        rows.append(["together", "", "", str(self.rules.total), f"{analysis.mean[option]:.2f}"])
        title = f"What brings the points: {option_name(self.rules, self.study.options[option])}"
        if self.study.by_bid:
            title += f", played for {bid_name(self.study.bids[bid])}"
        return Sheet(title, ["<Point", "Scored", "<95 %", "Worth", "Brings"], rows)

    def _others(self) -> Sheet | None:
        """Show the other options, as far as they are worth it, beside the best one."""
        bid, best = self.deciding
        analysis = self.analysis
        shown = list(map(int, analysis.ranking)) if self.every_lead else analysis.listed
        lead, half = analysis.behind(bid, best)
        close = analysis.too_close(bid, best)
        some_close = any(close[option] for option in shown if option != best)
        rows = [
            [
                option_name(self.rules, self.study.options[option]),
                *self._chance(option, bid),
                signed(analysis.margin[option, bid]),
                f"{lead[option]:.2f} {plus_minus(float(half[option]))}",
                *(["too close to call" if close[option] else ""] if some_close else []),
            ]
            for option in shown
            if option != best
        ]
        if not rows:
            return None
        left = len(self.study.options) - 1 - len(rows)
        more = f" ({left} more with --leads)" if left else ""
        title = f"Other trumps and leads for {bid_name(self.study.bids[bid])}{more}"
        headings = ["<Trump, lead", "Made", "<95 %", "Margin", "Behind"]
        return Sheet(title, [*headings, *(["<"] if some_close else [])], rows)

    def _advice(self) -> Iterator[str]:
        """Say what to do, and on which assumptions."""
        bid, option = self.deciding
        if self._tells_nothing:
            yield "So few deals tell nothing about what to bid: play more, with --deals."
            return
        bids, analysis = self.study.bids, self.analysis
        how = instruction(self.rules, self.study.options[option])
        gain = f"{self._gain(option, bid)}, {self._assumptions()}"
        if self.study.bid is not None:
            smudge = "a smudge" if self.study.bid == SMUDGE else self.study.bid
            do = f"to bid {smudge}{how} {gain}."
            yield f"{self._tried}, {do}" if self._tried else f"T{do[1:]}"
            return
        if self._tried and analysis.limit is None:
            do = f"{self._tried}, no bid gains anything; at {bids[bid]}, the cheapest,"
        elif analysis.limit is None:
            do = f"Pass: no bid gains anything; at {bids[bid]}, the cheapest,"
        elif self._is_forced(bid):
            do = (
                "Pass, unless you deal and must bid since all the others passed; then bid "
                f"{bids[bid]}{how}: at that bid"
            )
        else:
            paying = [bids[place] for place in self._paying() if not self._is_forced(place)]
            is_run = len(paying) > 1 and paying[-1] == self.rules.bids[len(paying) - 1]
            highest = "a smudge" if paying[-1] == SMUDGE else paying[-1]
            do = f"{'up to ' if is_run else ''}{highest}{how}: at that bid"
            do = f"{self._tried}, bid {do}" if self._tried else f"Bid {do}"
        yield f"{do} the hand {gain}."
        if analysis.limit is None and self.rules.forced_bid is not None and not self._tried:
            place = next(place for place, bid in enumerate(bids) if self._is_enough(bid))
            best = self.study.options[analysis.best[place]]
            yield (
                f"If you deal and all the others pass, you must bid: bid {bids[place]}"
                f"{instruction(self.rules, best)}."
            )

    @property
    def _tried(self) -> str:
        """Say what alone was tried, where that is not all that the hand allows."""
        options = (*self.study.options, *self.evaluation.screened)
        run, hand = self.evaluation.run, self.study.known.cards_of(0)
        every = run.options if isinstance(run, LookUp) else options_of(self.rules, hand)
        if len(options) == len(every):
            return ""
        trumps = {option.trump for option in options}
        leads = {option.lead for option in options}
        only = [f"{lead} led" for lead in leads if lead and len(leads) == 1]
        if len(trumps) == 1 and not (only and self.rules.trump_choice == "pitched"):
            only.append(f"{SUIT_NAMES[next(iter(trumps))]} as trump")
        return f"With only {' and '.join(only)} tried"

    @property
    def _tells_nothing(self) -> bool:
        """Whether there are too few deals to say how sure anything is."""
        return not math.isfinite(self.analysis.margin_half_width.max())

    def _paying(self) -> list[int]:
        """Return the bids that gain something."""
        best = self.analysis.margin.max(axis=0)
        return [place for place, margin in enumerate(best) if margin > 0]

    def _is_enough(self, bid: str) -> bool:
        """Say whether a bid is as high as the dealer's must at least be."""
        return self.rules.bid_value(bid) >= (self.rules.forced_bid or 0)

    def _gain(self, option: int, bid: int) -> str:
        margin = float(self.analysis.margin[option, bid])
        half = float(self.analysis.margin_half_width[option, bid])
        others = "the other side" if self.study.seating.sides == 2 else "the others"
        verb = "gains" if margin > 0 else "loses"
        close = " (too close to zero to call)" if self._is_close_to_zero(option, bid) else ""
        return f"{verb} {abs(margin):.2f} {plus_minus(half)} points on {others} on average{close}"

    def _is_close_to_zero(self, option: int, bid: int) -> bool:
        analysis = self.analysis
        return bool(abs(analysis.margin[option, bid]) <= analysis.margin_half_width[option, bid])

    def _is_forced(self, bid: int) -> bool:
        """Say whether only a dealer who must bid can make a bid."""
        return self.study.bids[bid] not in self.rules.bids

    def _assumptions(self) -> str:
        known = "only what is said above" if self.known else "nothing"
        study = self.study
        return (
            f"if everybody follows the {study.play} policy{study.note_on_worlds} under "
            f"{self.rules.name} rules and {known} is known of the others' cards and bids "
            f"({self._deals()})"
        )

    def _cautions(self) -> Iterator[str]:
        """Say what the numbers mean, and where they leave the question open."""
        yield (
            "Change is what your score moves by; margin is that less what the others' scores move "
            "by, and is held against zero, as if a pass changed nothing."
        )
        if self.study.play == DOUBLE_DUMMY:
            yield (
                "Double dummy: after the first lead everybody sees all the cards. That is a point "
                "of reference, and no bound: at a table the pitcher's side may take more or less."
            )
        best, (decided, _) = self.analysis.best, self.deciding
        close = [
            bid_name(bid)
            for place, bid in enumerate(self.study.bids)
            if place != decided and self._is_close_to_zero(int(best[place]), place)
        ]
        if close and not self._tells_nothing:
            yield f"Whether {listed(close)} gains or loses is too close to call."
        if screened := [option_name(self.rules, option) for option in self.evaluation.screened]:
            yield (
                f"Left out after a quick look with {QUICK} play, which found them far behind: "
                f"{'; '.join(screened)}. --leads plays them too."
            )
        if SMUDGE in self.study.bids and self.rules.smudge_success == "wins_game":
            yield "That a smudge wins the game is not counted."
        if SMUDGE in self.study.bids and self.rules.smudge_failure == "loses_game":
            yield "That a failed smudge loses the game is not counted."

    def _run(self) -> str:
        run, options = self.evaluation.run, len(self.study.options)
        if isinstance(run, LookUp):
            by_holding = run.table["by"] == "holding"
            return (
                f"Looked up in {run.table['file']}, and not played now: {run.table['about']}. "
                + ("Only the trumps held count, side cards may be any. " if by_holding else "")
                + "How far one lead is ahead of another is told from it only roughly."
                + (" The same numbers again, played:" if self.command else "")
            )
        rate = run.tally.deals * options / run.seconds
        leads = "1 lead" if options == 1 else f"{options} leads"
        threads = "1 thread" if run.threads == 1 else f"{run.threads} threads"
        return (
            f"{self._deals()} \N{MULTIPLICATION SIGN} {leads} in {run.seconds:.2f} s on {threads}, "
            f"{short(rate)} a second; ended by {ENDINGS[run.stopped_by]}. Seed {self.study.seed}. "
            "The same numbers again:"
        )


@dataclass(frozen=True)
class Percent:
    """How probabilities are written: in percent, with so many decimals."""

    decimals: int

    @classmethod
    def fit_for(cls, half_width: float) -> "Percent":
        """Write no more decimals than intervals of this half-width are worth."""
        return cls(0 if half_width > 0.02 else 1 if half_width > 0.0005 else 2)

    def of(self, p: float) -> str:
        """Write a probability; 0 % and 100 % only for what never or always happened."""
        return self._written(round(100 * p, self.decimals), p in (0, 1))

    def rest(self, p: float) -> str:
        """Write what a probability lacks of one, so that the two as written make 100 %."""
        return self._written(100 - round(100 * p, self.decimals), p in (0, 1))

    def _written(self, percent: float, is_exact: bool) -> str:
        least = 10.0**-self.decimals
        if is_exact:
            return f"{percent:.0f} %"
        if percent == 0:
            return f"<{least:.{self.decimals}f} %"
        if percent == 100:
            return f">{100 - least:.{self.decimals}f} %"
        return f"{percent:.{self.decimals}f} %"

    def between(self, low: float, high: float) -> str:
        """Write an interval, its ends rounded outwards."""
        scale = 10**self.decimals
        ends = (math.floor(100 * low * scale) / scale, math.ceil(100 * high * scale) / scale)
        return "-".join(
            f"{end:.0f}" if end in (0, 100) else f"{end:.{self.decimals}f}" for end in ends
        )


def signed(points: float, decimals: int = 2) -> str:
    """Write a mean number of points with its sign; zero has none."""
    text = f"{points:+.{decimals}f}"
    return text[1:] if float(text) == 0 else text


def plus_minus(half_width: float) -> str:
    """Write a half-width, rounded up; `?` where nothing is known of it."""
    known = math.isfinite(half_width)
    return "\N{PLUS-MINUS SIGN}" + (f"{math.ceil(100 * half_width) / 100:.2f}" if known else "?")


def bid_name(bid: str) -> str:
    """Name a bid in a sentence."""
    return "a smudge" if bid == SMUDGE else f"a bid of {bid}"


def option_name(rules: Rules, option: Option) -> str:
    """Name a trump suit and lead in a table."""
    lead = option.lead or ("after the draw" if rules.draw else "any")
    return f"{SUIT_NAMES[option.trump]}, {lead}"


def instruction(rules: Rules, option: Option) -> str:
    """Say how to begin with a trump suit and lead, after what to bid."""
    suit = SUIT_NAMES[option.trump]
    if option.lead is None:
        return f" and name {suit}"
    names_trump = rules.trump_choice == "declared" or is_joker(option.lead)
    return f", name {suit} and lead {option.lead}" if names_trump else f" and lead {option.lead}"
