"""One deal of a study in which experts play, in both engines."""

from dataclasses import dataclass, field

import numpy as np
from agreement import (
    LARGEST_DEAL,
    Deal,
    Table,
    before_the_first_lead,
    random_known,
    random_rules,
    seatings,
)

from pitchsim.cards import full_deck
from pitchsim.counting import Counter
from pitchsim.encoding import encode_ignorance, encode_policies, encode_setting
from pitchsim.engine import HAND_SIZE, MOST_CARDS, MOST_PLAYERS, Aims, play_expert
from pitchsim.engine.score import OTHERS_SHIFT, POINT_MASK, POINTS
from pitchsim.known import Known
from pitchsim.order import TrumpOrder
from pitchsim.promise import chances_to_make
from pitchsim.reference.basic_play import basic_play
from pitchsim.reference.expert_play import ExpertPlay
from pitchsim.reference.random_play import RandomPlay
from pitchsim.tally import Columns

EXPERT_PAIRS = [
    ("expert", "expert"),
    ("expert", "basic"),
    ("basic", "expert"),
    ("expert", "random"),
    ("random", "expert"),
]


@dataclass
class ExpertDeal(Deal):
    """A deal, what is played for in it, and how the experts go about it.

    chances is int64[bids, 57], as the compiled engine takes it.
    """

    bids: tuple[str, ...] = ()
    worlds: int = 5
    informed: bool = True
    chances: np.ndarray = field(default=None, repr=False)

    @property
    def told(self):
        """What the pitcher knows."""
        known = self.table.known
        return known if self.informed else Known({0: known.cards_of(0)})

    def setting(self, trump):
        """The table with a suit as trump, and what the pitcher knows of it."""
        table = self.table
        return encode_setting(
            table.rules, table.seating, table.known, trump, dealer=table.dealer, told=self.told
        )

    def played_for(self, bids, positions, trump, leads):
        """The compiled engine's outcomes, int32[bids, leads, deals], and the plays of the last."""
        table = self.table
        order = TrumpOrder(table.rules, trump)
        tables = Counter.of(Columns(table.rules, table.seating, bids)).tables
        chances = np.stack([self.chances[self.bids.index(bid)] for bid in bids])
        outcomes = np.zeros((len(bids), len(leads), len(positions)), np.int32)
        plays = np.zeros(HAND_SIZE * MOST_PLAYERS, np.int64)
        setting = self.setting(trump)
        play_expert(
            encode_policies(self.by_seat),
            np.uint64(self.seed),
            self.number,
            table.plan,
            (setting, encode_ignorance(setting)),
            positions,
            np.array([order.mask([lead]) if lead else 0 for lead in leads], np.int64),
            self.worlds,
            Aims(tables.margins, tables.worth, chances),
            outcomes,
            plays,
        )
        turns = [play for play in plays.tolist() if play >> 3]
        return outcomes, [(play & 7, order.card_of[play >> 3]) for play in turns]

    def played_plainly_for(self, bid, hands, trump, lead):
        """The plays of the plain engine, and their outcome."""
        tricks = self.tricks_by(
            self.plain_policy_for(bid, trump),
            hands,
            trump,
            lead,
            bid=bid,
            dealt=self.dealt_plainly() if self.table.rules.draw else (),
            pitcher_knows=self.told,
        )
        plays = [play for trick in tricks for play in zip(trick.seats, trick.plays, strict=True)]
        return plays, self.packed(hands, trump, tricks)

    def plain_policy_for(self, bid, trump):
        """The pitcher's side by one policy, the others by another."""
        chances = self.chances[self.bids.index(bid)].tolist()
        bit_of = TrumpOrder(self.table.rules, trump).bit_of
        by_card = {card: chances[bit] for card, bit in bit_of.items()}
        return self.by_sides(
            {
                "random": RandomPlay(self.seed, self.number),
                "basic": basic_play,
                "expert": ExpertPlay(self.seed, self.number, self.worlds, chances[-1], by_card),
            }
        )


def random_chances(rng, bids):
    """Chances of no meaning, most of them where the bid says something of the hand."""
    chances = np.zeros((len(bids), MOST_CARDS + 1), np.int64)
    for row in chances:
        row[:-1] = [rng.randint(-60, 120) for _ in range(MOST_CARDS)]
        row[-1] = rng.randint(200, 600)
    return chances


def random_deal(rng, plays):
    """A deal at a table of any kind; what is known of the cards, and who knows it, likewise."""
    rules = random_rules(rng)
    seating = rng.choice(list(seatings(rules)))
    known = random_known(rng, seating, full_deck(rules.jokers))
    bids = tuple(rng.sample(rules.bids, min(len(rules.bids), rng.randint(1, 3))))
    return ExpertDeal(
        Table(rules, seating, known, dealer=rng.randrange(seating.players)),
        seed=rng.getrandbits(64),
        number=rng.choice([rng.randrange(9), rng.randint(0, LARGEST_DEAL)]),
        plays=plays,
        bids=bids,
        worlds=rng.randint(3, 9),
        informed=rng.random() < 0.7,
    )


def assert_experts_agree(deal, rng):
    """Play a deal for each of its bids in both engines; the number of cards chosen by thinking."""
    positions, _ = deal.dealt_by_the_engine()
    trump, hands, lead = before_the_first_lead(deal, rng)
    if rng.random() < 0.6:
        lead = None
    if deal.chances is None:
        deal.chances = (
            random_chances(rng, deal.bids)
            if rng.random() < 0.7
            else chances_to_make(deal.table.rules, deal.table.seating, trump, deal.bids)
        )
    case = f"trump={trump} lead={lead} hands={hands} {deal} {deal.table.rules.as_dict()}"
    outcomes, last = deal.played_for(deal.bids, positions, trump, [lead])
    for bid, outcome in zip(deal.bids, outcomes.ravel().tolist(), strict=True):
        expected, expected_outcome = deal.played_plainly_for(bid, hands, trump, lead)
        alone, played = deal.played_for((bid,), positions, trump, [lead])
        assert played == expected, f"bid={bid} {case}"
        assert scored(deal.table.rules, outcome) == expected_outcome, f"bid={bid} {case}"
        assert alone == outcome, f"bid={bid} {case}"
    assert last == expected, case


def scored(rules, outcome):
    """An outcome without the points that are found even where they are worth nothing."""
    unplayed = POINT_MASK & ~sum(1 << POINTS.index(name) for name in rules.point_values)
    return outcome & ~(unplayed | unplayed << OTHERS_SHIFT)
