"""Evaluating a hand: the library's front door."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pitchsim.analysis import Analysis, frame_of
from pitchsim.cards import Card, format_hand, parse_card, parse_hand, parse_suit
from pitchsim.known import read_known
from pitchsim.presets import as_preset, find_rules
from pitchsim.rules import Rules
from pitchsim.running import Progress, Run, Stop, check_threads, run
from pitchsim.screening import screen
from pitchsim.study import Option, Study, options_of, random_seed
from pitchsim.warmup import warm_up

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Evaluation:
    """What a hand is worth.

    Attributes
    ----------
    study
        What was asked, in full.
    run
        What was counted, and what ended it.
    screened
        The trump suits and leads left out after a quick look (see :mod:`pitchsim.screening`).
    """

    study: Study
    run: Run
    screened: tuple[Option, ...] = ()

    @cached_property
    def analysis(self) -> Analysis:
        """The numbers as arrays."""
        return Analysis(self.study, self.run.tally)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The numbers as a tidy frame: a row for each trump suit, lead and bid, best first.

        See :func:`pitchsim.analysis.frame_of` for its columns.
        """
        return frame_of(self.analysis)

    @property
    def best(self) -> pd.DataFrame:
        """The best option at each bid: the rows of `frame` that nothing is ahead of."""
        frame = self.frame.sort_values(["bid", "margin"], ascending=[True, False], kind="stable")
        return frame.drop_duplicates("bid").reset_index(drop=True)

    @property
    def limit(self) -> str | None:
        """The highest bid that gains more than it loses; None if the hand is worth none."""
        limit = self.analysis.limit
        return None if limit is None else self.study.bids[limit]

    def to_json(self, *, every_lead: bool = False) -> dict[str, Any]:
        """Return the evaluation as `pitchsim hand --json` prints it.

        Parameters
        ----------
        every_lead
            Whether to list all options, or only those worth listing.
        """
        analysis, study, run = self.analysis, self.study, self.run
        preset, changes = as_preset(study.rules)
        listed = list(map(int, analysis.ranking)) if every_lead else analysis.listed
        return {
            "hand": format_hand(study.known.cards_of(0)),
            "rules": preset,
            "set": changes,
            "players": study.seating.players,
            "partners": study.seating.partners,
            "known": list(study.known.texts(study.seating)),
            "play": study.play,
            "deals": run.tally.deals,
            "seed": study.seed,
            "study": study.identity,
            "stopped_by": run.stopped_by,
            "seconds": run.seconds,
            "deals_per_second": round(run.tally.deals * len(study.options) / run.seconds),
            "threads": run.threads,
            "options_played": len(study.options),
            **self.about_the_play(),
            "options": [self._option_json(option) for option in listed],
            "bids": {bid: self._bid_json(place) for place, bid in enumerate(study.bids)},
            "limit": {"bid": self.limit, "by": "margin"},
        }

    def about_the_play(self) -> dict[str, Any]:
        """Say what only some plays need said, as in `to_json`.

        Of one that samples, how many `worlds` a turn; of one that looks at the bid, for which one
        `pmf`, `mean` and `points` hold (`played_for`); of a costly one, what was left out after a
        quick look (`screened`).
        """
        said: dict[str, Any] = {}
        if self.study.samples:
            said["worlds"] = self.study.worlds_a_turn
        if self.study.by_bid:
            said["played_for"] = self.study.bids[self.analysis.deciding_bid]
        if self.study.costly:
            said["screened"] = [
                {"trump": option.trump, "lead": option.lead} for option in self.screened
            ]
        return said

    def _option_json(self, option: int) -> dict[str, Any]:
        analysis, bids = self.analysis, self.study.bids
        low, high = analysis.interval
        return {
            "trump": self.study.options[option].trump,
            "lead": self.study.options[option].lead,
            "mean": float(analysis.mean[option]),
            "pmf": analysis.pmf[option].tolist(),
            "make": {
                bid: {
                    "p": float(analysis.make[option, place]),
                    "low": float(low[option, place]),
                    "high": float(high[option, place]),
                }
                for place, bid in enumerate(bids)
            },
            "change": dict(zip(bids, analysis.change[option].tolist(), strict=True)),
            "margin": dict(zip(bids, analysis.margin[option].tolist(), strict=True)),
            "points": {name: float(p[option]) for name, p in analysis.points.items()},
        }

    def _bid_json(self, bid: int) -> dict[str, Any]:
        analysis = self.analysis
        option = int(analysis.best[bid])
        return {
            "trump": self.study.options[option].trump,
            "lead": self.study.options[option].lead,
            "p": float(analysis.make[option, bid]),
            "change": float(analysis.change[option, bid]),
            "margin": float(analysis.margin[option, bid]),
        }

    def __str__(self) -> str:
        """Show the best option at each bid, as a terminal shows a frame."""
        head = f"{format_hand(self.study.known.cards_of(0))}, {self.study.rules.name} rules"
        columns = ["bid", "trump", "lead", "make", "low", "high", "change", "margin"]
        table = self.best[columns].to_string(index=False, float_format="{:.3f}".format)
        study = self.study
        play = f"{study.play} play{study.note_on_worlds}"
        return f"{head}\n{table}\n{play}, {self.run.tally.deals:,} deals, seed {study.seed}"

    def _repr_html_(self) -> str:
        """Show the best option at each bid, as a notebook shows a frame."""
        columns = ["bid", "trump", "lead", "make", "low", "high", "change", "margin"]
        return self.best[columns].to_html(index=False, float_format="{:.3f}".format)


def evaluate(
    hand: str | Iterable[Card],
    rules: str | Rules = "partners",
    *,
    players: int | None = None,
    partners: bool | None = None,
    play: str = "basic",
    worlds: int | None = None,
    deals: int | None = None,
    precision: float | None = None,
    max_seconds: float | None = None,
    seed: int | None = None,
    trump: str | None = None,
    lead: str | None = None,
    bid: str | None = None,
    every_lead: bool = False,
    known: str | Iterable[str] = (),
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Estimate what a hand is worth to the player who pitches with it.

    Every option (a trump suit and a first lead) is played on the same deals, all of them uniform
    over the cards that are not known.

    Parameters
    ----------
    hand
        Six cards, as text in any notation (``"AS JS 10S 5S KH 2D"``) or as card names.
    rules
        A preset's name, the path of a TOML file, or a rule set.
    players, partners
        How many play, and whether as two sides; None for the rule set's usual way.
    play
        How everybody plays: ``"random"``, ``"basic"``, ``"expert"`` or ``"double-dummy"``.
    worlds
        How many deals of the unseen cards an expert thinks through at each turn; None for 100.
    deals, precision, max_seconds
        When to stop, whichever comes first (see :class:`pitchsim.running.Stop`); 100,000 deals
        where none is given.
    seed
        Makes the numbers repeatable; None takes one at random, which the result names.
    trump, lead
        If given, evaluate only this suit, only this card as the first lead.
    bid
        If given, evaluate only this bid.
    every_lead
        Whether to play even those leads that a quick look finds far behind, where the play is
        costly; a lead that is given is always played.
    known
        What is known of others' cards: ``"N:AS"`` (North holds it), ``"-N:AS"`` (North does not),
        ``"-:KS"`` (nobody does). Seats are W, N, E with four players, or 1, 2, … clockwise.
    threads, executor, progress
        How to work; see :func:`pitchsim.running.run`.

    Raises
    ------
    PitchsimError
        If anything given is not possible; the message says what would be.

    Examples
    --------
    >>> result = evaluate("AS JS 10S 5S KH 2D", rules="partners", seed=7)
    >>> result.limit
    '4'
    """
    study = make_study(
        hand,
        rules,
        players=players,
        partners=partners,
        play=play,
        worlds=worlds,
        seed=seed,
        trump=trump,
        lead=lead,
        bid=bid,
        known=known,
    )
    stop = Stop(deals, precision, max_seconds)
    check_threads(threads)
    study, screened = (study, ()) if every_lead or lead else screen(study)
    return evaluate_study(
        study,
        stop,
        screened=screened,
        threads=threads,
        executor=executor,
        progress=progress,
    )


def evaluate_study(
    study: Study,
    stop: Stop,
    *,
    screened: tuple[Option, ...] = (),
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Run a study, as :func:`evaluate` does; see :func:`pitchsim.running.run`.

    Parameters
    ----------
    screened
        What :func:`pitchsim.screening.screen` left out of it, to be said in the result.
    """
    check_threads(threads)
    warm_up(
        study.play, study.defence
    )  # so that the run's seconds are those of the simulation alone
    finished = run(
        study,
        stop,
        width=lambda tally: Analysis(study, tally).width,
        threads=threads,
        executor=executor,
        progress=progress,
    )
    return Evaluation(study, finished, screened)


def make_study(
    hand: str | Iterable[Card],
    rules: str | Rules = "partners",
    *,
    players: int | None = None,
    partners: bool | None = None,
    play: str = "basic",
    worlds: int | None = None,
    seed: int | None = None,
    trump: str | None = None,
    lead: str | None = None,
    bid: str | None = None,
    known: str | Iterable[str] = (),
) -> Study:
    """Make the study that :func:`evaluate` runs, from the same arguments."""
    table = find_rules(rules) if isinstance(rules, str) else rules
    seating = table.seating(players, partners)
    text = hand if isinstance(hand, str) else " ".join(hand)
    cards = parse_hand(text, jokers=table.jokers)
    suit = None if trump is None else parse_suit(trump)
    card = None if lead is None else parse_card(lead, jokers=table.jokers)
    return Study(
        rules=table,
        seating=seating,
        known=read_known(cards, [known] if isinstance(known, str) else known, table, seating),
        options=options_of(table, cards, suit, card),
        play=play,
        defence=play,
        worlds=worlds,
        seed=random_seed() if seed is None else seed,
        bid=None if bid is None else table.parse_bid(bid),
    )
