"""One deal of a study in both engines: the compiled one, and the plain one written in its terms."""

import random
from dataclasses import dataclass, field

import numpy as np

from pitchsim.cards import SUITS
from pitchsim.encoding import encode_plan, encode_policies, encode_setting
from pitchsim.engine import HAND_SIZE, MOST_PLAYERS, POINTS, deal_hands, play_hands
from pitchsim.engine.score import OTHERS_SHIFT, POINT_MASK, TRICKS_SHIFT
from pitchsim.known import Known
from pitchsim.order import TrumpOrder
from pitchsim.reference import dealing
from pitchsim.reference.basic_play import basic_play
from pitchsim.reference.draw import hands_after_draws
from pitchsim.reference.playout import play_hand
from pitchsim.reference.random_play import RandomPlay
from pitchsim.reference.scoring import points_taken, tricks_won
from pitchsim.rules import PARTNERSHIP_COUNTS, Rules, Seating

POLICIES = ("random", "basic")
PAIRS = [(play, defence) for play in POLICIES for defence in POLICIES]
LARGEST_DEAL = 2**44 - 1

# How many cards of another's hand are known.
COUNTS = [0, 0, 0, 1, 2, 6]


@dataclass
class Table:
    """A table at which hands are dealt and played in both engines; seat 0 is the pitcher."""

    rules: Rules
    seating: Seating
    known: Known = field(default_factory=Known)
    dealer: int = 0

    def __post_init__(self):
        self.plan = encode_plan(self.rules, self.seating, self.known)
        self.settings = {}

    def __repr__(self):
        return f"Table({self.seating}, {self.known}, dealer={self.dealer})"

    def setting(self, trump):
        """The compiled engine's view of the table with a suit as trump, made once."""
        if trump not in self.settings:
            self.settings[trump] = encode_setting(
                self.rules,
                self.seating,
                self.known,
                trump,
                dealer=self.dealer,
                told=self.known,
            )
        return self.settings[trump]


@dataclass
class Deal:
    """One deal at a table: its seed and number, and the plays of the pitcher's side and others."""

    table: Table
    seed: int
    number: int
    plays: tuple[str, str]

    def dealt_by_the_engine(self):
        """The positions that the compiled engine deals, and the cards that lie there, by seat."""
        table = self.table
        positions = np.zeros((1, MOST_PLAYERS), np.int64)
        deal_hands(np.uint64(self.seed), self.number, table.plan, positions)
        hands = []
        for seat in range(table.seating.players):
            places = enumerate(table.known.unseen(table.rules))
            dealt = {card for place, card in places if positions[0, seat] >> place & 1}
            hands.append(dealt | table.known.cards_of(seat))
        return positions, hands

    def played_by_the_engine(self, positions, trump, lead):
        """Who played what in each trick of the compiled engine, and its outcome."""
        table = self.table
        order = TrumpOrder(table.rules, trump)
        outcomes = np.zeros((1, 1), np.int32)
        cards = np.zeros(HAND_SIZE * MOST_PLAYERS, np.int64)
        play_hands(
            encode_policies(self.by_seat),
            np.uint64(self.seed),
            self.number,
            table.plan,
            table.setting(trump),
            positions,
            np.array([order.mask([lead]) if lead else 0], np.int64),
            outcomes,
            cards,
        )
        players = table.seating.players
        tricks = cards[: HAND_SIZE * players].reshape(HAND_SIZE, players).tolist()
        named = [
            [(play & 7, order.card_of[play >> 3]) for play in trick if play >> 3]
            for trick in tricks
        ]
        return named, int(outcomes[0, 0])

    def dealt_plainly(self):
        table = self.table
        return dealing.deal_hands(table.rules, table.seating, table.known, self.seed, self.number)

    def drawn_plainly(self, hands, trump):
        """The hands after the draw."""
        table = self.table
        draws = dealing.draw_cards(
            table.rules,
            table.known,
            hands,
            trump=trump,
            dealer=table.dealer,
            seed=self.seed,
            deal=self.number,
        )
        return hands_after_draws(table.rules, trump, table.dealer, hands, draws)

    def tricks_by(self, policy, hands, trump, lead, **more):
        """The tricks of the plain engine when a policy plays for everybody."""
        rules, seating = self.table.rules, self.table.seating
        return play_hand(
            rules,
            seating,
            hands,
            pitcher=0,
            trump=trump,
            first_lead=lead,
            policy=policy,
            **{"pitcher_knows": self.table.known, **more},
        )

    def played_plainly(self, hands, trump, lead):
        """The tricks, and what comes of them, packed as the compiled engine packs it."""
        tricks = self.tricks_by(self.plain_policy(), hands, trump, lead)
        return tricks, self.packed(hands, trump, tricks)

    def packed(self, hands, trump, tricks):
        """What comes of some tricks, packed as the compiled engine packs it."""
        rules, seating = self.table.rules, self.table.seating
        taken = points_taken(rules, seating, pitcher=0, trump=trump, hands=hands, tricks=tricks)
        ours = point_bits(name for name, side in taken.items() if side == 0)
        others = point_bits(name for name, side in taken.items() if side not in (0, None))
        won = tricks_won(seating, tricks)[0]
        return ours | others << OTHERS_SHIFT | won << TRICKS_SHIFT

    def plain_policy(self):
        """The pitcher's side by one policy, the others by another."""
        return self.by_sides({"random": RandomPlay(self.seed, self.number), "basic": basic_play})

    @property
    def by_seat(self):
        """The play of each seat, the pitcher's first."""
        ours, theirs = self.plays
        seating = self.table.seating
        return [theirs if seating.side_of(seat) else ours for seat in range(seating.players)]

    def by_sides(self, policies):
        """Those of some policies, by name, that the two sides play by."""
        ours, theirs = (policies[play] for play in self.plays)
        side_of = self.table.seating.side_of

        def policy(situation):
            is_ours = side_of(situation.seat) == side_of(situation.pitcher)
            return ours(situation) if is_ours else theirs(situation)

        return policy


def point_bits(names):
    return sum(1 << POINTS.index(name) for name in names)


def before_the_first_lead(deal, rng):
    """A trump suit, the hands when play begins, and a first lead.

    A pitcher who drew last may have found the stock empty: there is nothing to lead then.
    """
    rules = deal.table.rules
    hands = deal.dealt_plainly()
    trump = rng.choice(SUITS)
    if rules.draw:
        hands = deal.drawn_plainly(hands, trump)
    leads = possible_leads(rules, hands[0], trump)
    if not leads and hands[0]:
        trump = next(card[1] for card in hands[0] if card[1] in SUITS)
        leads = possible_leads(rules, hands[0], trump)
    return trump, hands, rng.choice(leads) if leads else None


def assert_agreement(deal, rng, *, free_lead=False):
    """Deal, draw and play one deal in both engines and compare whatever can be seen of it."""
    rules = deal.table.rules
    case = f"{rules.as_dict()} {deal}"
    positions, cards = deal.dealt_by_the_engine()
    assert [set(hand) for hand in deal.dealt_plainly()] == cards, case

    trump, hands, lead = before_the_first_lead(deal, rng)
    if free_lead:
        lead = None
    case = f"trump={trump} lead={lead} hands={hands} {case}"

    tricks, expected = deal.played_plainly(hands, trump, lead)
    compiled_tricks, outcome = deal.played_by_the_engine(positions, trump, lead)
    complete = len(tricks)
    plain_tricks = [list(zip(trick.seats, trick.plays, strict=True)) for trick in tricks]
    assert plain_tricks == compiled_tricks[:complete], case
    assert not any(compiled_tricks[complete:]), case
    # High, Low, Jack and Game are found even where they are worth nothing.
    unplayed = POINT_MASK & ~point_bits(rules.point_values)
    outcome &= ~(unplayed | unplayed << OTHERS_SHIFT)
    assert outcome == expected, f"{outcome:b} {expected:b} {case}"


def possible_leads(rules, hand, trump):
    """The first leads that go with a suit as trump, said once more in the test's own words."""
    if rules.trump_choice == "declared":
        return list(hand)
    jokers = [card for card in hand if card in ("HJ", "LJ") and rules.joker_lead == "names"]
    return [card for card in hand if card[1] == trump] + jokers


def seatings(rules):
    """Every way in which the players of a rule set can sit."""
    for players in sorted(rules.players):
        yield Seating(players, partners=False)
        if players in PARTNERSHIP_COUNTS:
            yield Seating(players, partners=True)


def random_rules(rng: random.Random) -> Rules:
    """Any rule set, as far as its fields change dealing, playing or what is taken."""
    jokers = rng.randrange(3)
    declared = rng.random() < 0.5
    points = {
        "high": rng.randrange(2),
        "low": rng.choice([0, 1, 1, 1]),
        "jack": rng.choice([0, 1, 1, 2]),
        "off_jack": rng.choice([0, 1, 2]),
        "joker": rng.choice([0, 1, 1, 2]) if jokers else 0,
        "trump_three": rng.choice([0, 0, 1, 3]),
        "trump_five": rng.choice([0, 0, 1, 2]),
        "off_five": rng.choice([0, 0, 1, 3]),
        "ace_of_hearts": rng.choice([0, 0, 1, 2]),
        "game": 1,
    }
    return Rules().changed(
        {
            "players": "2-7",
            "min_bid": 1,
            "points": points,
            "jokers": jokers,
            "joker_rank": rng.choice(["below_jack", "lowest"]),
            "joker_lead": rng.choice(["forbidden", "names"]),
            "low_to": rng.choice(["holder", "captor"]),
            "low_card": rng.choice(["lowest_trump", "lowest_natural"]),
            "game_tie": rng.choice(["nobody", "pitcher"]),
            "void_play": rng.choice(["free", "must_trump"]),
            "trump_choice": "declared" if declared else "pitched",
            "secondary_trump": rng.choice(["none", "hearts"]),
            "draw": declared and rng.random() < 0.5,
        }
    )


def random_known(rng: random.Random, seating, deck) -> Known:
    """Know anything of the cards: often the pitcher's hand, and some other cards.

    Few enough are barred that the stock has room for them all, so that there are deals that fit.
    """
    cards = list(deck)
    rng.shuffle(cards)
    players = seating.players
    held = {
        seat: frozenset(cards.pop() for _ in range(rng.choice([0, 6] if seat == 0 else COUNTS)))
        for seat in range(players)
    }
    spare = len(deck) - HAND_SIZE * players
    out = frozenset(cards.pop() for _ in range(rng.randint(0, spare // 2)))
    barred_seats = rng.sample(range(players), rng.randint(0, 2))
    barred = {seat: frozenset(rng.sample(cards, min(2, len(cards)))) for seat in barred_seats}
    return Known(held, out, barred)
