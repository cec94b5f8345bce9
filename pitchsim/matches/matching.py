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

from pitchsim.bidding.biddingrules import Margin, Threshold
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
#: Into how many stages a match is cut, of which its trail tells.
STAGES = 240
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
                f"found {len(self.strategies)} of the strategies of a match: expected two or more"
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
                if isinstance(strategy.bidding, Threshold | Margin):
                    strategy.bidding.source.check(self.rules, self.seating)
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

    @cached_property
    def playing(self) -> Playing:
        """The table."""
        return Playing(self.rules, self.seating, self.seed)

    @property
    def units(self) -> int:
        """How many deals, or games, each pair plays at both tables."""
        asked = self.hands if self.games is None else self.games
        return -(-(asked or 0) // TABLES)

    @property
    def stage(self) -> int:
        """How many units make a stage of the match."""
        return -(-self.units // STAGES)

    @property
    def chunk(self) -> int:
        """How many units are played at once, whole stages; what is found does not depend on it."""
        is_costly = any(PLAYS[strategy.player.play].costly for strategy in self.strategies)
        return self.stage * max(1, (COSTLY_CHUNK if is_costly else CHUNK) // self.stage)

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
    """Play what is planned.

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
    """
    workers = workers_of(threads)
    warm_up(*contract_work(strategy.player.play for strategy in plan.strategies))
    pairings = plan.pairings
    chunks = [(names, first) for first in range(0, plan.units, plan.chunk) for names in pairings]
    tallies: dict[tuple[str, str], MatchTally] = {}
    running: deque[tuple[tuple[str, str], Future[MatchTally]]] = deque()
    done = 0

    def add_next() -> None:
        nonlocal done
        names, future = running.popleft()
        tally = future.result()
        tallies[names] = tallies[names] + tally if names in tallies else tally
        done += 1
        if progress is not None:
            progress(done / len(chunks))

    with executor_of(executor, workers) as pool:
        try:
            for names, first in chunks:
                while len(running) >= 2 * workers:
                    add_next()
                units = min(plan.chunk, plan.units - first)
                running.append((names, pool.submit(pairings[names].count, first, units)))
            while running:
                add_next()
        except BaseException:
            for _, future in running:
                future.cancel()
            raise
    matches = [Match(*names, pairings[names], tallies[names]) for names in pairings]
    return MatchResult(
        plan.rules, tuple(matches), plan.seed, json.dumps(plan.facts, sort_keys=True)
    )
