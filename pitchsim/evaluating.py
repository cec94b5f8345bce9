"""Evaluating a hand: the library's front door."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Executor

from pitchsim.analysis import Analysis
from pitchsim.cards import Card, parse_card, parse_hand, parse_suit
from pitchsim.evaluation import Evaluation
from pitchsim.known import read_known
from pitchsim.presets import find_rules
from pitchsim.rules import Rules
from pitchsim.running import Progress, Stop, check_threads, run
from pitchsim.screening import screen
from pitchsim.simulation import Simulation
from pitchsim.study import Option, Study, options_of, random_seed
from pitchsim.warmup import warm_up


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
        Simulation(study),
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
