"""Matches between strategies: every pair of them on the same deals, until enough are played."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from pitchsim.bidding.playing import Playing
from pitchsim.bidding.strategy import BASIC_PLAYER, Strategy
from pitchsim.errors import PitchsimError, StrategyError, check_whole, quoted
from pitchsim.matches.pairing import TABLES, Pairing
from pitchsim.matches.result import Match, MatchResult
from pitchsim.matches.tally import MatchTally
from pitchsim.plays import PLAYS
from pitchsim.rules import Rules, Seating
from pitchsim.running import executor_of, workers_of
from pitchsim.study import LARGEST_SEED, random_seed
from pitchsim.warmup import contract_work, warm_up

DEFAULT_HANDS, DEFAULT_GAMES = 20_000, 2_000
MOST_HANDS, MOST_GAMES = 10**8, 10**7
#: About how many units are played at once: fewer, and in games numpy is asked for too little at a
#: time; more do not fit into a processor's cache. Fewer of those that take long.
CHUNK, COSTLY_CHUNK = 8_192, 16
#: Into how many stages a match is cut, of which its trail tells; and the most units of a stage, and
#: so of a chunk, of those that take long.
STAGES, COSTLY_STAGE = 240, 128
#: Deals in which every strategy is watched before the match begins.
TRIAL = 500

#: Called after every piece of work with the share of it all that is done.
Progress = Callable[[float], None]


@dataclass(frozen=True)
class MatchPlan:
    """What is to be played.

    Attributes
    ----------
    strategies
        Those who meet, each pair of them.
    rules, seating
        The table.
    hands, games
        How many hands, or whole games, each pair plays, at both tables together; one of them None.
        Of an odd number one more is played.
    seed
        Decides all the deals.

    Raises
    ------
    PitchsimError
        If there are fewer than two strategies or two of one name, or something is not possible.
    """

    strategies: tuple[Strategy, ...]
    rules: Rules
    seating: Seating
    hands: int | None
    games: int | None
    seed: int

    def __post_init__(self) -> None:
        if len(self.strategies) < 2:
            raise StrategyError(
                f"found {quoted(self.strategies[0].name) if self.strategies else 'nobody'} to "
                "play a match: expected two strategies or more"
            )
        names = [strategy.name for strategy in self.strategies]
        for name in names:
            if names.count(name) > 1:
                raise StrategyError(
                    f"two strategies are named {quoted(name)}: expected names that tell them apart"
                )
        worlds = {s.player.worlds_a_turn for s in self.strategies if PLAYS[s.player.play].samples}
        if len(worlds) > 1:
            raise StrategyError(
                f"experts with {min(worlds)} and {max(worlds)} worlds a turn cannot sit at one "
                "table: expected the same number"
            )
        for strategy in self.strategies:
            with _named(strategy):
                if strategy.source is not None:
                    strategy.source.check(self.rules, self.seating)
        check_whole("seed", self.seed, 0, LARGEST_SEED)
        if self.games is None:
            check_whole("hands", self.hands, 2, MOST_HANDS)
        elif self.hands is None:
            check_whole("games", self.games, 2, MOST_GAMES)
        else:
            raise StrategyError(
                f"{self.hands} hands and {self.games} games do not go together: expected one of "
                "them"
            )
        for name in ("hands", "games"):
            asked = getattr(self, name)
            if asked is not None:
                object.__setattr__(self, name, at_all_tables(asked))

    @cached_property
    def playing(self) -> Playing:
        """The table."""
        return Playing(self.rules, self.seating, self.seed)

    @property
    def units(self) -> int:
        """How many deals, or games, each pair plays at both tables."""
        return (self.hands or self.games or 0) // TABLES

    @property
    def stage(self) -> int:
        """How many units make a stage of the match."""
        stage = -(-self.units // STAGES)
        return min(stage, COSTLY_STAGE) if self._is_costly else stage

    @property
    def chunk(self) -> int:
        """How many units are played at once, whole stages; what is found does not depend on it."""
        return self.stage * max(1, (COSTLY_CHUNK if self._is_costly else CHUNK) // self.stage)

    @property
    def _is_costly(self) -> bool:
        return any(PLAYS[strategy.player.play].costly for strategy in self.strategies)

    @property
    def facts(self) -> dict[str, Any]:
        """What decides the numbers, as JSON has it."""
        return {
            "rules": self.rules.as_dict(),
            "players": self.seating.players,
            "partners": self.seating.partners,
            "strategies": [strategy.facts for strategy in self.strategies],
            "hands": self.hands,
            "games": self.games,
            "seed": self.seed,
        }

    @cached_property
    def pairings(self) -> dict[tuple[str, str], Pairing]:
        """Every pair of strategies, sat down at the table and watched for some deals.

        Raises
        ------
        PitchsimError
            If a strategy does not fit the table, or bids illegally; the message names it.
        """
        seated = {}
        for strategy in self.strategies:
            with _named(strategy):
                bidder = strategy.bidding.bidder(self.playing, strategy.player)
                trial = Pairing(self.playing, [bidder] * 2, [BASIC_PLAYER] * 2, False)
                trial.count(0, TRIAL)
            seated[strategy.name] = bidder
        return {
            (one.name, other.name): Pairing(
                self.playing,
                [seated[one.name], seated[other.name]],
                [one.player, other.player],
                self.games is not None,
                self.stage,
            )
            for one, other in combinations(self.strategies, 2)
        }


def at_all_tables(asked: int) -> int:
    """Return how many hands, or games, are played where so many are asked for: of each table's."""
    return asked + asked % TABLES


@contextmanager
def _named(strategy: Strategy) -> Iterator[None]:
    """Name the strategy of which something is wrong."""
    try:
        yield
    except PitchsimError as error:
        raise StrategyError(f"strategy {quoted(strategy.name)}: {error}") from None
    except Exception as error:  # whatever a strategy of one's own may raise
        what = f"{type(error).__name__}: {error}"
        raise StrategyError(f"strategy {quoted(strategy.name)} fails: {what}") from error


def plan_matches(
    strategies: Sequence[Strategy],
    rules: Rules,
    seating: Seating,
    *,
    hands: int | None = None,
    games: int | None = None,
    seed: int | None = None,
) -> MatchPlan:
    """Plan a match: 20,000 hands of each pair where nothing else is said.

    Raises
    ------
    PitchsimError
        As :class:`MatchPlan` has it.
    """
    if hands is None and games is None:
        hands = DEFAULT_HANDS
    seed = random_seed() if seed is None else seed
    return MatchPlan(tuple(strategies), rules, seating, hands, games, seed)


def play_matches(
    plan: MatchPlan,
    *,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> MatchResult:
    """Play what is planned, or, if interrupted, what of it all pairs have played by then.

    Parameters
    ----------
    threads, executor
        How to work; see :func:`pitchsim.running.run`.
    progress
        Called after every piece of work with the share that is done.

    Raises
    ------
    PitchsimError
        If a strategy does not fit the table, or bids illegally.
    KeyboardInterrupt
        If interrupted before every pair has played some.
    """
    workers = workers_of(threads)
    warm_up(*contract_work(strategy.player.play for strategy in plan.strategies))
    facts = plan.facts  # while the tables are there that it tells of
    with executor_of(executor, workers) as pool:
        at_work = _AtWork(plan, progress)
        interrupted = False
        try:
            at_work.play(pool, 2 * workers)
        except KeyboardInterrupt:
            at_work.finish_begun()
            if not at_work.whole:
                raise
            interrupted = True
    matches = tuple(
        Match(*names, plan.pairings[names], tally) for names, tally in at_work.whole.items()
    )
    facts["hands" if plan.games is None else "games"] = TABLES * matches[0].units
    return MatchResult(
        plan.rules, matches, plan.seed, json.dumps(facts, sort_keys=True), interrupted
    )


class _AtWork:
    """Plays chunk after chunk, every pair in turn, some of them ahead.

    whole : what every pair has played by now of the same deals; empty before all have any.
    """

    def __init__(self, plan: MatchPlan, progress: Progress | None) -> None:
        self.plan = plan
        self.progress = progress
        self.whole: dict[tuple[str, str], MatchTally] = {}
        self._tallies: dict[tuple[str, str], MatchTally] = {}
        self._waiting: deque[tuple[tuple[str, str], int, Future[MatchTally]]] = deque()

    def play(self, pool: Executor, ahead: int) -> None:
        """Play all."""
        plan = self.plan
        try:
            for first in range(0, plan.units, plan.chunk):
                units = min(plan.chunk, plan.units - first)
                for names, pairing in plan.pairings.items():
                    while len(self._waiting) >= ahead:
                        self._add_next()
                    part = pool.submit(pairing.count, first, units)
                    self._waiting.append((names, first, part))
            while self._waiting:
                self._add_next()
        except Exception:
            self._give_up()
            raise

    def finish_begun(self) -> None:
        """Wait for those chunks that are being played, and leave the others."""
        while self._waiting and not self._waiting[0][-1].cancel():
            self._add_next()
        self._give_up()

    def _give_up(self) -> None:
        for *_, part in self._waiting:
            part.cancel()

    def _add_next(self) -> None:
        """Add the next chunk: once only, even if interrupted in here and called again."""
        names, first, part = self._waiting[0]
        if first == 0:
            self._tallies[names] = part.result()
        elif self._tallies[names].units == first:
            self._tallies[names] += part.result()
        self._waiting.popleft()
        units = [tally.units for tally in self._tallies.values()]
        if len(units) == len(self.plan.pairings) and min(units) == max(units):
            self.whole = dict(self._tallies)
        if self.progress is not None:
            self.progress(sum(units) / len(self.plan.pairings) / self.plan.units)
