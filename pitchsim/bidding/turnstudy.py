"""What to say at one's turn: every call weighed, the rest of the auction and the play simulated.

The unseen cards are dealt again and again; of these deals, those count in which the players before
would have said what they said, if they bid by a strategy. In each of them every legal call is made,
those behind bid by the same strategy, and whoever has won the auction pitches.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pitchsim.bidding.auction import PASSED, Auctions, Bidder, Contracts, Turn, hold_auctions
from pitchsim.bidding.playing import Deals, Pitched, Player, Playing, Seated, gains_of
from pitchsim.bidding.strategy import Strategy
from pitchsim.bidding.turnanswer import CallWeighed, TurnAnswer
from pitchsim.cards import ALL_CARDS, SUITS, Card, sort_hand
from pitchsim.errors import RulesError, StudyError, check_whole, listed, quoted
from pitchsim.known import Known
from pitchsim.plays import PLAYS
from pitchsim.rules import Rules, Seating
from pitchsim.running import executor_of, workers_of
from pitchsim.study import ENGINE_VERSION, LARGEST_SEED, Option, identity_of, options_of
from pitchsim.tables.rows import ANY_LEAD
from pitchsim.warmup import contract_work, warm_up

#: Deals to be found that fit the auction: for a play that takes long, fewer.
DEFAULT_DEALS, COSTLY_DEALS, MOST_DEALS = 20_000, 400, 1_000_000
#: Deals that are looked through for them, at most for each that is to be found, and in all.
LOOKS_A_DEAL, LEAST_LOOKS, MOST_LOOKS = 100, 1_000_000, 20_000_000
#: With fewer deals that fit, the auction can hardly occur.
FEWEST = 100
#: With fewer deals in which a call wins the auction, trump and lead are chosen over all that fit.
ENOUGH_TO_CHOOSE = 1_000
CHUNK = 16_384

PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
DEALER = "dealer"
#: One's own seat; the others are counted clockwise from it.
OWN_SEAT = 0


#: Called again and again with about the share that is done.
Progress = Callable[[float], None]
Result = TypeVar("Result")


@dataclass(frozen=True)
class TurnStudy:
    """A player's turn in the auction; one's own seat is 0.

    Attributes
    ----------
    rules, seating
        The table.
    known
        What is known of the cards; one's own hand is that of seat 0.
    said
        What was said before, in turn from the dealer's left.
    strategy
        How all the others bid.
    player
        How everybody plays.
    deals
        How many deals that fit are to be found.
    seed
        Decides the deals.

    Raises
    ------
    StudyError
        If what was said is not possible, or anything else is not.
    """

    rules: Rules
    seating: Seating
    known: Known
    said: tuple[str, ...]
    strategy: Strategy
    player: Player
    deals: int
    seed: int

    def __post_init__(self) -> None:
        check_whole("seed", self.seed, 0, LARGEST_SEED)
        check_whole("deals", self.deals, FEWEST, MOST_DEALS)
        if PLAYS[self.player.play].both_sides:
            raise StudyError(
                f"{self.player.play} play cannot follow an auction, in which sides are not yet "
                f"known: expected {listed(name for name in PLAYS if not PLAYS[name].both_sides)}"
            )
        object.__setattr__(self, "said", check_calls(self.playing, self.said))

    @property
    def place(self) -> int:
        """The place of one's own turn, 0 at the dealer's left."""
        return len(self.said)

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return (self.seating.players - 1 - self.place) % self.seating.players

    @property
    def hand(self) -> tuple[Card, ...]:
        """One's own cards."""
        return sort_hand(self.known.cards_of(OWN_SEAT))

    @cached_property
    def playing(self) -> Playing:
        """The table at which it is all played."""
        return Playing(self.rules, self.seating, self.seed, self.known)

    @cached_property
    def bidder(self) -> Bidder:
        """All the others, seated at the table, which may take a while.

        Raises
        ------
        PitchsimError
            If the strategy does not fit the table.
        """
        return self.strategy.bidding.bidder(self.playing, self.player)

    @cached_property
    def own_playing(self) -> Playing:
        """The table at which one pitches oneself, and makes use of all that is known."""
        return replace(self.playing, told=self.known)

    @property
    def calls(self) -> tuple[int, ...]:
        """What may be said, from pass up."""
        is_dealer = self.place == self.seating.players - 1
        may_say = self.playing.ladder.after(self.said, is_dealer=is_dealer)
        return tuple(np.flatnonzero(may_say).tolist())

    @cached_property
    def identity(self) -> str:
        """A hash of what decides the numbers, 16 hexadecimal digits."""
        content = {
            "engine": ENGINE_VERSION,
            "rules": self.rules.as_dict(),
            "players": self.seating.players,
            "partners": self.seating.partners,
            "hand": self.hand,
            "known": self.known.texts(self.seating),
            "said": self.said,
            "strategy": self.strategy.facts,
            "player": [self.player.play, self.player.worlds_a_turn],
            "deals": self.deals,
            "seed": self.seed,
        }
        return identity_of(json.dumps(content, sort_keys=True))


def place_of(seat: str, players: int) -> int:
    """Read whose turn it is: `first`, `second`, … or `dealer`, who is the last; or 1, 2, ….

    Raises
    ------
    StudyError
        If there is no such seat.
    """
    names = PLACES[: players - 1]
    word = seat.strip().lower()
    if word == DEALER or word == str(players):
        return players - 1
    if word in names:
        return names.index(word)
    if word.isdecimal() and 1 <= int(word) < players:
        return int(word) - 1
    raise StudyError(
        f"seat {quoted(seat)} is not possible with {players} players: "
        f"expected {listed((*names, DEALER))}"
    )


def usual_deals(play: str) -> int:
    """Return how many deals that fit are looked for where nothing is said."""
    return COSTLY_DEALS if play in PLAYS and PLAYS[play].costly else DEFAULT_DEALS


def read_auction(text: str) -> tuple[str, ...]:
    """Split what was said, calls with spaces, commas or hyphens between."""
    return tuple(text.replace(",", " ").replace("-", " ").split())


def check_calls(playing: Playing, said: Sequence[str]) -> tuple[str, ...]:
    """Return calls in the rule set's own words, each checked against those before it.

    Raises
    ------
    StudyError
        If there are too many, or one is not possible in its turn.
    """
    players, ladder = playing.seating.players, playing.ladder
    if len(said) >= players:
        raise StudyError(
            f"{len(said)} calls leave you no turn: expected {players - 1} at most, as each of the "
            f"{players} players speaks once"
        )
    words: list[str] = []
    for text in said:
        may_say = ladder.after(words, is_dealer=False)
        legal = [word for word, may in zip(ladder.words, may_say, strict=True) if may]
        try:
            word = playing.rules.parse_bid(text)
        except RulesError:
            word = ""
        if word not in legal:
            after = f"after {listed(words, 'and')}" if words else "first"
            raise StudyError(f"{quoted(text)} cannot be said {after}: expected {listed(legal)}")
        words.append(word)
    return tuple(words)


def weigh_calls(
    study: TurnStudy, *, threads: int | None = None, progress: Progress | None = None
) -> TurnAnswer:
    """Weigh every legal call.

    Parameters
    ----------
    threads
        How many calls are weighed at once; None for as many as this machine has processors.
    progress
        Called again and again with about the share that is done.

    Raises
    ------
    StudyError
        If what was said can hardly occur.
    PitchsimError
        If the strategy does not fit the table.
    """
    warm_up(*contract_work([study.player.play]))
    steps = _Steps(progress)
    deals, looked_at = _fitting_deals(study, steps)
    with executor_of(None, workers_of(threads)) as pool:
        options = options_of(study.rules, study.hand)
        played = pool.map(lambda option: _quick_takings(study, deals, option), options)
        quick = dict(zip(options, steps.through(played, len(options)), strict=True))
        others = _Others(study, deals, quick)
        weighed = steps.through(pool.map(others.weigh, study.calls), len(study.calls))
        return TurnAnswer(study, tuple(weighed), len(deals.numbers), looked_at)


class _Steps:
    """Tells how far things are, in three steps that take about as long."""

    def __init__(self, progress: Progress | None) -> None:
        self.progress = progress
        self.done = 0

    def say(self, share: float) -> None:
        """Say which share of this step is done."""
        if self.progress is not None:
            self.progress((self.done + share) / 3)

    def end(self) -> None:
        """Go to the next step."""
        self.done += 1
        self.say(0.0)

    def through(self, results: Iterable[Result], count: int) -> Iterator[Result]:
        """Make a step of so many results."""
        for place, result in enumerate(results, start=1):
            self.say(place / count)
            yield result
        self.end()


def _fitting_deals(study: TurnStudy, steps: _Steps) -> tuple[Deals, int]:
    """Find deals in which the players before would have said what they said.

    Returns
    -------
    deals
        Those found.
    looked_at
        How many deals were looked through.
    """
    most = min(max(LEAST_LOOKS, LOOKS_A_DEAL * study.deals), MOST_LOOKS)
    parts: list[Deals] = []
    found = looked_at = 0
    while found < study.deals and looked_at < most:
        numbers = np.arange(looked_at, looked_at + CHUNK)
        dealers = np.full(CHUNK, study.dealer)
        deals = Deals(numbers, dealers, study.playing.deal(looked_at, CHUNK))
        fits = _fits(study, deals)
        chosen = np.flatnonzero(fits)[: study.deals - found]
        is_last = len(chosen) == study.deals - found
        looked_at += int(chosen[-1]) + 1 if is_last else CHUNK
        found += len(chosen)
        parts.append(deals.of(chosen))
        steps.say(max(found / study.deals, looked_at / most))
    steps.end()
    if found < FEWEST:
        raise StudyError(
            f"the auction {' '.join(study.said)} can hardly occur: in {found} of {looked_at:,} "
            f"deals {study.strategy.name} bids so; expected {FEWEST} at least, or another strategy"
        )
    return Deals(*map(np.concatenate, zip(*parts, strict=True))), looked_at


def _fits(study: TurnStudy, deals: Deals) -> NDArray[np.bool_]:
    """Say in which deals those before would have said what they said, bool[n]."""
    hands = deals.by_place
    fits = np.ones(len(deals.numbers), bool)
    words = study.playing.ladder.words
    for place, word in enumerate(study.said):
        there = np.flatnonzero(fits)
        turn = _turn(study, deals.numbers[there], hands[there, place], study.said[:place])
        fits[there] = study.bidder.call(turn) == words.index(word)
    return fits


def _turn(
    study: TurnStudy, numbers: NDArray[np.int64], hands: NDArray[np.int64], said: Sequence[str]
) -> Turn:
    """Give a turn after some calls; the game has just begun."""
    words = study.playing.ladder.words
    calls = np.array([words.index(word) for word in said], np.int64)
    return Turn(
        study.playing.ladder,
        study.seating,
        numbers,
        hands,
        np.tile(calls, (len(numbers), 1)),
        np.zeros((len(numbers), study.seating.sides), np.int64),
    )


def _quick_takings(study: TurnStudy, deals: Deals, option: Option) -> NDArray[np.int64]:
    """Play every deal with a trump and lead of one's own, by a quick play: what sides take."""
    seated = _seated(study.bidder, study.player.quick, deals)
    return study.own_playing.takings(_pitched(deals, option, PASSED), seated)


def _seated(bidder: Bidder, player: Player, deals: Deals) -> Seated:
    """Let everybody bid and play alike."""
    return Seated([bidder], [player], np.zeros(deals.hands.shape, np.int64))


def _pitched(deals: Deals, option: Option, call: int) -> Pitched:
    """Pitch oneself, with an option."""
    count = len(deals.numbers)
    lead = ANY_LEAD if option.lead is None else ALL_CARDS.index(option.lead)
    contracts = Contracts(
        np.full(count, SUITS.index(option.trump)), np.full(count, lead), np.full(count, np.nan)
    )
    return Pitched(deals, np.full(count, OWN_SEAT), np.full(count, call), contracts)


@dataclass(frozen=True)
class _Others:
    """The deals that fit, and what a quick play of one's own hand brings."""

    study: TurnStudy
    deals: Deals
    quick: dict[Option, NDArray[np.int64]]

    def weigh(self, call: int) -> CallWeighed:
        """Make a call, and play what it leads to, in every deal."""
        study, deals = self.study, self.deals
        auctions = self._auctions_after(call)
        left_in = (auctions.places == study.place) & (call != PASSED)
        gains = np.zeros(len(left_in))
        option, made = None, 0
        if left_in.any():
            option = self._best_option(call, left_in)
            pitched = _pitched(deals.of(left_in), option, call)
            is_made, changes = study.own_playing.play(pitched, self._seated_in(pitched.deals))
            gains[left_in] = gains_of(changes, pitched.pitchers)
            made = int(is_made.sum())
        others_pitch = deals.of(~left_in)
        theirs = Auctions(*(part[~left_in] for part in auctions))
        results = study.playing.finish(others_pitch, theirs, self._seated_in(others_pitch))
        own_seat = np.full(len(others_pitch.numbers), OWN_SEAT)
        gains[~left_in] = gains_of(results.changes, own_seat)
        return CallWeighed(
            call=study.playing.ladder.words[call],
            option=option,
            gains=gains,
            left_in=left_in,
            thrown_in=auctions.places < 0,
            made=made,
        )

    def _seated_in(self, deals: Deals) -> Seated:
        return _seated(self.study.bidder, self.study.player, deals)

    def _auctions_after(self, call: int) -> Auctions:
        """Make a call, and let those behind bid."""
        study, hands = self.study, self.deals.by_place
        word = study.playing.ladder.words[call]
        turn = _turn(study, self.deals.numbers, hands[:, study.place], (*study.said, word))
        scores = np.zeros((*hands.shape, study.seating.sides), np.int64)
        return hold_auctions(turn, hands, [self.study.bidder], np.zeros_like(hands), scores)

    def _best_option(self, call: int, left_in: NDArray[np.bool_]) -> Option:
        """Choose what gains most, by the quick play, where the bid is played for.

        Where that is in few deals, what gains most in all of them: the best of six leads in a few
        deals is the luckiest.
        """
        looked_at = left_in if left_in.sum() >= ENOUGH_TO_CHOOSE else np.ones_like(left_in)

        def gain(option: Option) -> float:
            pitched = _pitched(self.deals.of(looked_at), option, call)
            _, changes = self.study.own_playing.scored(pitched, self.quick[option][looked_at])
            return float(gains_of(changes, pitched.pitchers).mean())

        return max(self.quick, key=gain)
