"""Rule sets: every table plays its own Pitch, so the rules are data.

A :class:`Rules` is made once and checks itself; whatever it holds makes sense together. The
defaults of its fields are the plainest form of the game, on which the presets build
(:mod:`pitchsim.presets`).
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from pitchsim.errors import RulesError, did_you_mean, listed, quoted
from pitchsim.rulefields import (
    FIELDS,
    POINT_NAMES,
    POINT_PREFIX,
    DealerSteals,
    Finish,
    GameTie,
    JokerLead,
    JokerRank,
    LowCard,
    LowTo,
    SecondaryTrump,
    Smudge,
    SmudgeFailure,
    SmudgeSuccess,
    TrumpChoice,
    VoidPlay,
    field_name,
    read_field,
)

PASS = "pass"
SMUDGE = "smudge"

#: The numbers of players that can sit as two sides.
PARTNERSHIP_COUNTS = frozenset({4, 6})


@dataclass(frozen=True)
class Points:
    """What each point is worth; 0 is not played. `joker` is the worth of each joker."""

    high: int = 1
    low: int = 1
    jack: int = 1
    off_jack: int = 0
    joker: int = 0
    trump_three: int = 0
    trump_five: int = 0
    off_five: int = 0
    ace_of_hearts: int = 0
    game: int = 1

    def __post_init__(self) -> None:
        for name in POINT_NAMES:
            _keep(self, name, read_field(POINT_PREFIX + name, getattr(self, name)))


@dataclass(frozen=True)
class Seating:
    """How many play, and whether as two sides with seats alternating. Seats run from 0."""

    players: int
    partners: bool

    @property
    def sides(self) -> int:
        """The number of sides: two, or one for each player."""
        return 2 if self.partners else self.players

    def side_of(self, seat: int) -> int:
        """Return the side that a seat plays for."""
        return seat % 2 if self.partners else seat

    def seats_of(self, side: int) -> tuple[int, ...]:
        """Return the seats that play for a side."""
        return tuple(seat for seat in range(self.players) if self.side_of(seat) == side)


@dataclass(frozen=True)
class Rules:
    """One table's rules. All fields are checked, and read from text where they are text.

    Raises
    ------
    RulesError
        If a value, or a combination of values, makes no sense: naming the field, its value and
        what it may be.
    """

    name: str = "custom"
    title: str = ""
    description: str = ""
    players: frozenset[int] = frozenset({4})
    default_players: int = 4
    partners: bool = True
    hand_size: int = 6
    jokers: int = 0
    points: Points = field(default_factory=Points)
    joker_rank: JokerRank = "below_jack"
    joker_lead: JokerLead = "forbidden"
    low_to: LowTo = "captor"
    low_card: LowCard = "lowest_trump"
    game_tie: GameTie = "nobody"
    void_play: VoidPlay = "free"
    trump_choice: TrumpChoice = "pitched"
    secondary_trump: SecondaryTrump = "none"
    draw: bool = False
    min_bid: int = 2
    forced_bid: int | None = None
    dealer_steals: DealerSteals = "no"
    smudge: Smudge = "none"
    smudge_value: int = 0
    smudge_success: SmudgeSuccess = "score"
    smudge_failure: SmudgeFailure = "bid"
    defenders_score: bool = True
    target: int = 11
    finish: Finish = "pitcher_first"
    countdown: bool = False

    def __post_init__(self) -> None:
        for name in FIELDS:
            _keep(self, name, read_field(name, getattr(self, name)))
        self._check_players()
        self._check_points()
        self._check_bids()
        if self.draw and self.trump_choice == "pitched":
            raise RulesError(
                "draw = yes needs trump_choice = declared: trump must be known before the first "
                "lead, and with trump_choice = pitched it is not"
            )

    def _check_players(self) -> None:
        if self.default_players not in self.players:
            raise RulesError(
                f"default_players = {self.default_players} is not possible: "
                f"it may be {listed(sorted(self.players))} (players)"
            )
        if self.partners and not self.players & PARTNERSHIP_COUNTS:
            raise RulesError(
                "partners = yes is not possible: two sides need four or six players, and "
                f"players = {listed(sorted(self.players))}; it may be no"
            )

    def _check_points(self) -> None:
        if self.points.joker and not self.jokers:
            raise RulesError(
                f"points.joker = {self.points.joker} is not possible with jokers = 0: "
                "it may be 0, or jokers 1 or 2"
            )
        if self.total == 0:
            raise RulesError("points are all 0: at least one of them must be worth something")

    def _check_bids(self) -> None:
        for name, bid in (("min_bid", self.min_bid), ("forced_bid", self.forced_bid)):
            if bid is not None and bid > self.total:
                raise RulesError(
                    f"{name} = {bid} is not possible: the points add up to {self.total}, and "
                    f"no bid may be more"
                )

    @cached_property
    def total(self) -> int:
        """All the points of a hand together: the highest ordinary bid."""
        return sum(self.point_values.values())

    @cached_property
    def point_values(self) -> dict[str, int]:
        """The points that are played and what each is worth, each joker by itself."""
        values: dict[str, int] = {}
        for name in POINT_NAMES:
            worth = getattr(self.points, name)
            if name == "joker":
                values |= dict.fromkeys(("high_joker", "low_joker")[: self.jokers], worth)
            else:
                values[name] = worth
        return {name: worth for name, worth in values.items() if worth}

    @property
    def bids(self) -> tuple[str, ...]:
        """The bids from the lowest ordinary one to the highest, a smudge last.

        Where a smudge promises all the points, the highest number is the smudge.
        """
        numbers = [str(number) for number in range(self.min_bid, self.total + 1)]
        if self.smudge == "none":
            return tuple(numbers)
        if self.smudge == "all_points":
            return (*numbers[:-1], SMUDGE)
        return (*numbers, SMUDGE)

    @property
    def all_bids(self) -> tuple[str, ...]:
        """The bids, and before them a dealer's forced bid that lies below the ordinary ones."""
        below = self.forced_bid is not None and self.forced_bid < self.min_bid
        return (str(self.forced_bid), *self.bids) if below else self.bids

    def bid_value(self, bid: str) -> int:
        """Return what a bid counts: its number, or the worth of a smudge."""
        return max(self.smudge_value, self.total) if bid == SMUDGE else int(bid)

    def bid_rank(self, bid: str) -> int:
        """Return a number that orders bids: a smudge outranks every number, a pass is lowest."""
        if bid == PASS:
            return 0
        return self.total + 1 if bid == SMUDGE else int(bid)

    def parse_bid(self, text: str | int) -> str:
        """Read a bid: `pass`, a number or `smudge`, in any case.

        A forced bid counts too where it lies below the lowest ordinary bid; whether a bid may be
        made at its turn is the auction's business.

        Raises
        ------
        RulesError
            If the rule set has no such bid, listing those that it has.
        """
        word = str(text).strip().lower()
        if word == str(self.total) and self.smudge == "all_points":
            word = SMUDGE
        if word in (PASS, *self.bids) or word == str(self.forced_bid):
            return word
        names = [bid if bid != SMUDGE else self._smudge_name() for bid in self.bids]
        raise RulesError(f"{quoted(text)} is not a bid here: expected {listed([PASS, *names])}")

    def _smudge_name(self) -> str:
        return f"smudge (or {self.total})" if self.smudge == "all_points" else SMUDGE

    def seating(self, players: int | None = None, partners: bool | None = None) -> Seating:
        """Seat the players; what is not given is the usual way of the rule set.

        Parameters
        ----------
        players
            How many play; None for the rule set's own number.
        partners
            Whether as two sides. None: as the rule set says for four players or its own number;
            any other number of players plays alone.

        Raises
        ------
        RulesError
            If the rule set does not allow so many players, or so many cannot be two sides.
        """
        count = self.default_players if players is None else players
        if count not in self.players:
            raise RulesError(
                f"players = {quoted(players)} is not possible: "
                f"{self.name} is for {listed(sorted(self.players))}"
            )
        usual = self.partners and count in PARTNERSHIP_COUNTS & {4, self.default_players}
        together = usual if partners is None else partners
        if together and count not in PARTNERSHIP_COUNTS:
            raise RulesError(
                f"partners = yes is not possible with {count} players: two sides need four or six"
            )
        return Seating(count, together)

    def changed(self, changes: Mapping[str, Any]) -> Self:
        """Make a rule set with some fields changed.

        Parameters
        ----------
        changes
            Fields to new values, as Python values or as text (`"no"`, `"21"`, `"none"`). A point
            is named `off_jack`, `points.off_jack`, or inside a mapping `points`.

        Raises
        ------
        RulesError
            For an unknown field, a value that it may not have, or a senseless combination.
        """
        fields: dict[str, Any] = {}
        points: dict[str, Any] = {}
        for name, value in _flattened(changes).items():
            known = field_name(name)
            target = points if known.startswith(POINT_PREFIX) else fields
            target[known.removeprefix(POINT_PREFIX)] = read_field(known, value)
        if points:
            fields["points"] = dataclasses.replace(self.points, **points)
        if "players" in fields and "default_players" not in fields:
            fields["default_players"] = _nearest(self.default_players, fields["players"])
        return dataclasses.replace(self, **fields)

    def as_dict(self) -> dict[str, Any]:
        """Return every field but the texts, points flat (`points.high`), players as a list.

        This is what decides how a hand is played and scored, as values that JSON and TOML hold.
        """
        values: dict[str, Any] = {name: getattr(self, name) for name in FIELDS}
        values["players"] = sorted(self.players)
        return values | {POINT_PREFIX + name: getattr(self.points, name) for name in POINT_NAMES}


def _keep(record: Points | Rules, name: str, value: Any) -> None:
    """Set a field of a frozen record while it is being made."""
    object.__setattr__(record, name, value)


def _flattened(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Bring the points of a mapping `points` up among the fields."""
    flat = {name: value for name, value in changes.items() if name != "points"}
    points = changes.get("points", {})
    if isinstance(points, Points):
        points = dataclasses.asdict(points)
    if not isinstance(points, Mapping):
        raise RulesError(
            f"points = {quoted(points)} is not possible: it may be a table of points, such as "
            "{ off_jack = 1 }"
        )
    for name, value in points.items():
        if name not in POINT_NAMES:
            raise RulesError(f"there is no point {quoted(name)}{did_you_mean(name, POINT_NAMES)}")
        flat[POINT_PREFIX + name] = value
    return flat


def _nearest(count: int, counts: frozenset[int]) -> int:
    return min(sorted(counts), key=lambda other: abs(other - count))
