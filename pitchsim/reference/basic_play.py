"""Play by the rules of thumb of a good club player.

The player knows the own hand, the cards played, and who has shown to be void. Who did not follow
the suit led, and did not play what may always be played either, has none of that suit left; and
where void players must trump, who then played something else has no trump either. *Unseen* is the
rest of the deck: what others hold, and the stock, which nobody knows apart; only the pitcher may
know of some cards that no opponent has them.

Some cards are *treasure*: those that score for whoever wins them (the jack, and whichever of
off-jack, jokers, three, five, off-five and ace of hearts count), and, where Low is for winning it,
the lowest trump that the player has seen, if at most one lower trump is unseen: it is Low unless
somebody was dealt that one card. If at most three are unseen, it *may be Low*: some of them will
lie in the stock. *Small trumps* are those without card points, other than treasure.

The rules in their order; the first that finds a card applies. Where several cards fit, the lowest
or highest is meant by rank: plain cards of whatever suit from the two to the ace, then second
trumps, then trumps. Of plain cards of the same rank it is the one of the suit that is *lowest as
held*: by the player's highest card of it, if that is the same by the next, and so on; who has no
next card holds less. Between suits that are held just alike nothing is left but their names. So
that none is favoured, it is the first of clubs, diamonds, spades and hearts, but the last where
the player's hand and the tricks that are over have an odd number of twos, fours, sixes, eights,
tens, queens and aces in them, trumps left aside.

To lead, while an opponent may hold a trump:

* L1. The highest of the own trumps that no opponent can beat. It draws trumps, and catches jacks,
  tens and low trumps that must follow. The jack itself is led by this rule only when nothing
  above it can be out.
* L2. The highest own trump, if it is a ten or scores for who wins it, and opponents may hold at
  most one higher one: often that one is in the stock, and later it would be trumped for.
* L3. The highest own trump that is neither a ten nor treasure nor may be Low: it forces out what is
  higher, and opponents must follow with what they would keep for their own tricks. But where void
  players must trump, they are drawn anyway, and only an ace, king or queen is worth it. And the
  pitcher's side, which lives by its trumps, keeps its last one if that is small.
* L4. From the fourth trick on, where void players need not trump: the highest plain card that no
  opponent can beat in its suit, but no ten. Before that, it is too often trumped by those who had
  to keep something; and where void players must trump, always.
* L5. Likewise, and failing that: the lowest plain jack, queen or king. It may win now, and later
  it would fall to somebody's ace.

Once no opponent can hold a trump, plain cards are safe, and the trumps win whenever they are
wanted:

* L6. A plain ten that wins: ten card points for Game, out of everybody's reach.
* L7. The highest plain card that wins.

Otherwise:

* L8. The cheapest card (see below): somebody else may win this trick.

To follow, when a partner is winning and no opponent still to play can beat that card, give points
away, for they come home:

* F1. A treasure that could still be beaten: here it is safe. One that cannot be beaten any more
  wins its own trick later.
* F2. A ten that could still be beaten: the heaviest card for Game.
* F3. A plain ace, and
* F4. failing that a plain queen, and failing that a king: card points for Game too.

When a partner is winning but may yet be beaten, nothing is spent on taking the trick from a
partner:

* F5. A plain ten, if opponents still to play may hold at most two cards that beat the partner's:
  most of the time they hold neither. If not, the cheapest card.

Who plays alone against the pitcher stands with the other defenders in one thing: when a fellow
defender is winning, and the pitcher has played or nobody can beat that card, the trick is left
to the fellow, and

* F1 to F4 are given: what the player cannot bring home is better there than left for the pitcher.

When an opponent is winning, and some card is sure to win, that is, it beats the trick and whatever
the opponents still to play may hold of the suit led or of trumps:

* F6. A treasure: so it is brought home.
* F7. A ten: likewise.
* F8. If a ten or a treasure lies in the trick, or if a trump honour is winning it, the lowest sure
  card: the catch is worth a trump, and an honour that is taken is out of the way. If not, only a
  plain card: no trump is wasted on an empty trick. But the pitcher's side takes a plain ace with a
  small trump that is not needed as Low: so it keeps Game, and the lead.

When nothing is sure, and at most one opponent is still to play:

* F9. With something in the trick that F8 would spend a trump on, the highest card that beats it so
  far, so that one player has as little as possible to beat it with. But neither a treasure nor a
  ten: too much to risk.
* F10. In an empty trick, the highest card of a plain suit led that only a trump can beat: it costs
  nothing to try.
* F11. Where only treasure may be played, the highest that beats the trick so far: it may hold.
* F12. From the fourth trick on, when a plain suit was led, a trump that may be Low: there are few
  tricks left to bring it home.

Otherwise:

* F13. A plain ten, when a plain suit was led and a partner still to play may beat the card that is
  winning. Alone, when the pitcher is winning, any defender still to play may: whoever takes the
  ten, the pitcher does not.
* F14. The cheapest card: an opponent shall have as little as can be.

The *cheapest* card is never a treasure if anything else is legal. It is the lowest of the first of
these groups of which the player has any: plain cards from two to nine, for they are worth nothing;
plain jacks, queens and kings, a few card points; trumps without card points, which may still win
something; whatever else is no ten, that is plain aces and trump honours, which win tricks; tens;
and where only treasure is left, what scores least. Of the first group, those last that guard
better cards of their suit in the same hand: who has nothing else of it must play the ten. Of the
trumps, that last which may be Low.

What a player threw away in a draw, it does not count on: to it, those cards may still come.

Who plays alone has everybody else for an opponent otherwise, whoever pitched: all take points for
themselves before they keep them from the pitcher.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from pitchsim.cards import RANKS, Card, card_points, full_deck, is_joker, rank_of
from pitchsim.reference.play import lacking, trick_winner
from pitchsim.reference.playout import Situation
from pitchsim.reference.random_play import engine_order
from pitchsim.reference.scoring import prize_cards
from pitchsim.reference.trumps import plain_suit, second_trumps, suit_of_play, trump_suit

EVEN_RANKS = frozenset(RANKS[::2])

#: A rule of thumb: the card that it finds, or None where it does not apply.
Rule: TypeAlias = Callable[["View"], Card | None]


def basic_play(situation: Situation) -> Card:
    """Choose a card by the rules of thumb."""
    view = View(situation)
    for rule in rules_that_apply(view):
        card = rule(view)
        if card is not None:
            return card
    return cheapest(view)


def rules_that_apply(view: "View") -> tuple[Rule, ...]:
    """Return the rules to try in order, before the cheapest card is played."""
    if not view.situation.plays:
        return TRUMPS_OUT if view.opponents_may_hold_trump else TRUMPS_GONE
    if view.fellow_defender_keeps_the_trick:
        return GIFTS
    if view.partner_is_winning:
        return GIFTS if view.winning_card_is_safe else (trust_partner,)
    return (*WINS, *TRIES, hope_for_help)


# -- What the player sees ------------------------------------------------------------------------


@dataclass(frozen=True)
class View:
    """What a player makes of a situation."""

    situation: Situation

    @cached_property
    def legal(self) -> list[Card]:
        """The legal cards, from the lowest to the highest; of equals, first the one to choose."""
        order = engine_order(self.situation.rules, self.situation.trump)
        if self.odd_number_of_even_ranks:
            order.reverse()
        return sorted(
            self.situation.legal,
            key=lambda card: (self.height(card), self.held_of_suit(card), order.index(card)),
        )

    @cached_property
    def odd_number_of_even_ranks(self) -> bool:
        """Whether hand and former tricks have an odd number of every second rank in them."""
        played = [card for trick in self.situation.tricks for card in trick.plays]
        even = [card for card in (*self.situation.hand, *played) if rank_of(card) in EVEN_RANKS]
        return sum(card not in self.trumps for card in even) % 2 == 1

    def height(self, card: Card) -> int:
        """Return how high a card is among all: plain ones of the same rank are equally high."""
        trumps = self.may_always_be_played
        if card in trumps:
            return len(RANKS) + len(trumps) - trumps.index(card)
        return plain_height(card)

    def held_of_suit(self, card: Card) -> list[int]:
        """Return how high the player's cards of a suit are, that of a card, the highest first."""
        held = [own for own in self.situation.hand if own in self.suit(card)]
        return sorted(map(self.height, held), reverse=True)

    @cached_property
    def trumps(self) -> list[Card]:
        """The trump suit, from the highest card down."""
        return trump_suit(self.situation.rules, self.situation.trump)

    @cached_property
    def may_always_be_played(self) -> list[Card]:
        """The trumps and the second trumps, from the highest down."""
        return self.trumps + second_trumps(self.situation.rules, self.situation.trump)

    def suit(self, card: Card) -> list[Card]:
        """Return the suit that a card is of in play, from the highest down."""
        rules, trump = self.situation.rules, self.situation.trump
        suit = suit_of_play(rules, trump, card)
        return self.trumps if suit == trump else plain_suit(rules, trump, suit)

    @cached_property
    def seen(self) -> set[Card]:
        """The own hand, and all the cards played."""
        played = [card for trick in self.situation.tricks for card in trick.plays]
        return {*self.situation.hand, *played, *self.situation.plays}

    @cached_property
    def unseen(self) -> set[Card]:
        """The cards that others may hold, as far as the player knows."""
        deck = set(full_deck(self.situation.rules.jokers))
        return deck - self.seen - self.situation.harmless

    @cached_property
    def threats(self) -> set[Card]:
        """The cards that may still come from opponents to this trick, as far as the player knows.

        Those unseen but for what all the opponents who have yet to play have shown to lack.
        """
        threats: set[Card] = set()
        for seat in opponents_to_come(self.situation):
            lacking = shown_to_lack(self, seat)
            threats.update(card for card in self.unseen if card not in lacking)
        return threats

    @cached_property
    def opponents_may_hold_trump(self) -> bool:
        """Whether an opponent yet to play may hold a trump."""
        return any(card in self.threats for card in self.trumps)

    @cached_property
    def prizes(self) -> dict[Card, int]:
        """The cards that score for who wins them, and what each scores."""
        rules = self.situation.rules
        cards = prize_cards(rules, self.situation.trump)
        return {card: rules.point_values[name] for name, card in cards.items()}

    @cached_property
    def treasure(self) -> set[Card]:
        """The prizes, and what may well be Low where that is for winning it."""
        low = lowest_seen(self, most_lower=1)
        return {*self.prizes, low} if low else set(self.prizes)

    @cached_property
    def may_be_low(self) -> Card | None:
        """The lowest trump seen, if some of the few that are lower will be in the stock."""
        return lowest_seen(self, most_lower=3)

    @cached_property
    def void_players_must_trump(self) -> bool:
        """Whether who cannot follow suit has to trump."""
        return self.situation.rules.void_play == "must_trump"

    @cached_property
    def of_pitchers_side(self) -> bool:
        """Whether the player is the pitcher, or a partner of the pitcher."""
        side_of = self.situation.seating.side_of
        return side_of(self.situation.seat) == side_of(self.situation.pitcher)

    @cached_property
    def late(self) -> bool:
        """Whether three tricks are over."""
        return len(self.situation.tricks) >= 3

    @cached_property
    def something_at_stake(self) -> bool:
        """Whether a ten or a treasure lies in the trick, or a trump honour is winning it."""
        winning = self.situation.plays[self.winning_place]
        return any(is_ten(card) or card in self.treasure for card in self.situation.plays) or (
            winning in self.trumps and bool(card_points(winning))
        )

    @cached_property
    def contenders(self) -> list[Card]:
        """The cards that can win this trick, from the highest down: trumps, and the suit led."""
        suit_led = self.suit(self.situation.plays[0])
        plain = [card for card in suit_led if card not in self.may_always_be_played]
        return self.may_always_be_played + plain

    @cached_property
    def winning_place(self) -> int:
        """The place in the trick of the card that is winning it."""
        situation = self.situation
        return trick_winner(situation.rules, situation.trump, situation.plays)

    @cached_property
    def partner_is_winning(self) -> bool:
        """Whether the trick is a partner's so far."""
        side_of, seats = self.situation.seating.side_of, self.situation.seats
        return side_of(seats[self.winning_place]) == side_of(self.situation.seat)

    @cached_property
    def winning_card_is_safe(self) -> bool:
        """Whether no opponent yet to play can beat the card that is winning the trick."""
        return not self.threats_to_winner

    @cached_property
    def threats_to_winner(self) -> set[Card]:
        """The cards of opponents yet to play that would beat the card that is winning."""
        return self.threats & set(self.higher_than_winner)

    @cached_property
    def friends_may_beat_it(self) -> bool:
        """Whether a friend who has yet to play may beat the card that is winning the trick.

        A partner; who plays alone against a pitcher who is winning has the other defenders.
        """
        return any(
            card in self.unseen and card not in shown_to_lack(self, seat)
            for seat in friends_to_come(self)
            for card in self.higher_than_winner
        )

    @cached_property
    def higher_than_winner(self) -> list[Card]:
        """The cards that beat the trick so far."""
        winning = self.situation.plays[self.winning_place]
        return self.contenders[: self.contenders.index(winning)]

    @cached_property
    def fellow_defender_keeps_the_trick(self) -> bool:
        """Whether, all playing alone, another defender is winning, out of the pitcher's reach."""
        situation = self.situation
        winner, pitcher = situation.seats[self.winning_place], situation.pitcher
        if situation.seating.partners or pitcher in (winner, situation.seat):
            return False
        return pitcher not in opponents_to_come(situation) or self.winning_card_is_safe

    @cached_property
    def beating(self) -> list[Card]:
        """The legal cards that beat the trick so far."""
        return [card for card in self.legal if card in self.higher_than_winner]

    @cached_property
    def sure(self) -> list[Card]:
        """The legal cards that beat the trick so far and that no opponent can beat any more."""
        return [card for card in self.beating if not beaten(card, self.contenders, self.threats)]

    @cached_property
    def trump_was_led(self) -> bool:
        """Whether this trick was led with a trump."""
        return self.situation.plays[0] in self.trumps

    @cached_property
    def one_to_come(self) -> bool:
        """Whether at most one opponent is still to play."""
        return len(opponents_to_come(self.situation)) <= 1

    @cached_property
    def to_spare(self) -> list[Card]:
        """The legal cards, but for trumps that no trump still unseen can beat."""
        return [
            card
            for card in self.legal
            if card not in self.trumps or beaten(card, self.trumps, self.unseen)
        ]


def plain_height(card: Card) -> int:
    """Return how high a card is by its rank alone, from 0."""
    return RANKS.index(card[0])


def beaten(card: Card, order: Sequence[Card], threats: set[Card]) -> bool:
    """Whether one of the threats stands above a card, in an order from the highest down."""
    return any(higher in threats for higher in order[: order.index(card)])


def opponents_to_come(situation: Situation) -> list[int]:
    """Return the opponents who have yet to play to the trick, one without cards among them."""
    side_of = situation.seating.side_of
    return [seat for seat in seats_to_come(situation) if side_of(seat) != side_of(situation.seat)]


def friends_to_come(view: View) -> list[int]:
    """Return the friends who have yet to play to a trick that an opponent is winning."""
    situation = view.situation
    if not situation.seating.partners:
        pitcher_wins = situation.seats[view.winning_place] == situation.pitcher
        return seats_to_come(situation) if pitcher_wins else []
    side_of = situation.seating.side_of
    return [seat for seat in seats_to_come(situation) if side_of(seat) == side_of(situation.seat)]


def seats_to_come(situation: Situation) -> list[int]:
    """Return the seats that have yet to play to the trick, one without cards among them."""
    players = situation.seating.players
    own_turn = (situation.seat - situation.leader) % players
    return [(situation.leader + turn) % players for turn in range(own_turn + 1, players)]


def shown_to_lack(view: View, seat: int) -> set[Card]:
    """Return the cards that a player has shown to have none of, in the tricks so far.

    A player who had no card left to play did not follow either.
    """
    rules, trump = view.situation.rules, view.situation.trump
    shown: set[Card] = set()
    for trick in view.situation.tricks:
        if seat != trick.leader:
            card = trick.plays[trick.seats.index(seat)] if seat in trick.seats else None
            shown |= lacking(rules, trump, trick.plays[0], card)
    return shown


def lowest_seen(view: View, most_lower: int) -> Card | None:
    """Return the lowest trump seen, own or played, if no more lower ones than that are unseen.

    Of those that can be Low: a joker cannot where ``low_card`` is the lowest natural trump. None
    where Low is not for winning it.
    """
    rules = view.situation.rules
    natural_only = rules.low_card == "lowest_natural"
    order = [card for card in view.trumps if not (natural_only and is_joker(card))]
    seen = [card for card in order if card in view.seen]
    if not seen or rules.low_to != "captor":
        return None
    lower = [card for card in order[order.index(seen[-1]) + 1 :] if card in view.unseen]
    return seen[-1] if len(lower) <= most_lower else None


def is_ten(card: Card) -> bool:
    """Whether a card is a ten: what counts most for Game."""
    return rank_of(card) == "T"


def lowest(cards: Iterable[Card]) -> Card | None:
    """Return the lowest of some of the own cards, which are in order; None if there is none."""
    return next(iter(cards), None)


def highest(view: View, cards: Iterable[Card]) -> Card | None:
    """Return the highest of some of the own cards, which are in order; None if there is none."""
    return max(cards, key=view.height, default=None)  # the first of equals


# -- Leading -------------------------------------------------------------------------------------


def own_trumps(view: View) -> list[Card]:
    """Return the own trumps, from the lowest up."""
    return [card for card in view.legal if card in view.trumps]


def masters(view: View) -> list[Card]:
    """Return the own trumps that no opponent can beat."""
    return [card for card in own_trumps(view) if not beaten(card, view.trumps, view.threats)]


def plain_winners(view: View) -> list[Card]:
    """Return the own plain cards that no opponent can beat in their suit."""
    own = [card for card in view.legal if card not in view.trumps]
    return [card for card in own if not beaten(card, view.suit(card), view.threats)]


def lead_highest_master(view: View) -> Card | None:
    """L1: draw trumps."""
    return highest(view, masters(view))


def lead_dear_trump(view: View) -> Card | None:
    """L2: a ten or a prize above which there is little."""
    top = highest(view, own_trumps(view))
    if top is None or not (is_ten(top) or top in view.prizes):
        return None
    higher = view.trumps[: view.trumps.index(top)]
    return top if len(view.threats & set(higher)) <= 1 else None


def lead_trump(view: View) -> Card | None:
    """L3: force out what is higher; no small trump that is the last, or that is drawn anyway."""
    own = own_trumps(view)
    spare = [
        card
        for card in own
        if not is_ten(card) and card not in view.treasure and card != view.may_be_low
    ]
    if view.void_players_must_trump or (view.of_pitchers_side and len(own) == 1):
        spare = [card for card in spare if card_points(card)]
    return highest(view, spare)


def lead_unguarded_winner(view: View) -> Card | None:
    """L4: a plain card that only a trump can beat, late, where nobody need trump; no ten."""
    if view.void_players_must_trump or not view.late:
        return None
    return highest(view, (card for card in plain_winners(view) if not is_ten(card)))


def lead_court_card(view: View) -> Card | None:
    """L5: a plain jack, queen or king, late, where nobody need trump."""
    if view.void_players_must_trump or not view.late:
        return None
    return lowest(card for card in view.legal if discard_group(view, card) == COURT_CARDS)


def cash_ten(view: View) -> Card | None:
    """L6: a ten that nobody can take any more."""
    return lowest(card for card in plain_winners(view) if is_ten(card))


def cash_plain_winner(view: View) -> Card | None:
    """L7: the highest plain card that wins."""
    return highest(view, plain_winners(view))


TRUMPS_OUT: tuple[Rule, ...] = (
    lead_highest_master,
    lead_dear_trump,
    lead_trump,
    lead_unguarded_winner,
    lead_court_card,
)
TRUMPS_GONE: tuple[Rule, ...] = (cash_ten, cash_plain_winner)


# -- Following a partner who is winning ----------------------------------------------------------


def give_treasure(view: View) -> Card | None:
    """F1: a treasure that would not be sure to win a trick of its own."""
    return lowest(card for card in view.to_spare if card in view.treasure)


def give_ten(view: View) -> Card | None:
    """F2: a ten that would not be sure to win a trick of its own."""
    return lowest(card for card in view.to_spare if is_ten(card))


def give_ace(view: View) -> Card | None:
    """F3: the four card points of a plain ace."""
    return lowest(card for card in plain_cards(view) if rank_of(card) == "A")


def give_honour(view: View) -> Card | None:
    """F4: the card points of a plain queen, or else of a king."""
    honours = [card for card in plain_cards(view) if rank_of(card) in ("Q", "K")]
    return min(honours, key=plain_height, default=None)


def plain_cards(view: View) -> list[Card]:
    """Return the legal cards that are not of the trump suit."""
    return [card for card in view.legal if card not in view.trumps]


GIFTS: tuple[Rule, ...] = (give_treasure, give_ten, give_ace, give_honour)


def trust_partner(view: View) -> Card | None:
    """F5: a plain ten, to a partner whose card at most two cards can beat."""
    return lowest(plain_tens(view)) if len(view.threats_to_winner) <= 2 else None


def plain_tens(view: View) -> list[Card]:
    """Return the legal tens that are not of the trump suit."""
    return [card for card in plain_cards(view) if is_ten(card)]


# -- Following an opponent who is winning --------------------------------------------------------


def win_with_treasure(view: View) -> Card | None:
    """F6: bring a treasure home."""
    return lowest(card for card in view.sure if card in view.treasure)


def win_with_ten(view: View) -> Card | None:
    """F7: bring a ten home."""
    return lowest(card for card in view.sure if is_ten(card))


def win_cheaply(view: View) -> Card | None:
    """F8: the lowest card that is sure to win; no trump unless the trick is worth one."""
    if view.something_at_stake:
        return lowest(view.sure)
    return lowest(
        card
        for card in view.sure
        if card not in view.trumps or (worth_a_small_trump(view) and to_trump_with(view, card))
    )


def worth_a_small_trump(view: View) -> bool:
    """Say whether a plain ace lies in the trick, and the player is of the pitcher's side."""
    aces = [card for card in view.situation.plays if rank_of(card) == "A"]
    return view.of_pitchers_side and any(card not in view.trumps for card in aces)


def to_trump_with(view: View, card: Card) -> bool:
    """Say whether a card is a small trump that is not needed as Low."""
    return (
        discard_group(view, card) == SMALL_TRUMPS
        and card not in view.treasure
        and card != view.may_be_low
    )


def try_to_catch(view: View) -> Card | None:
    """F9: play as high as possible for what is at stake, with one opponent to fear at most."""
    if view.sure or not view.one_to_come or not view.something_at_stake:
        return None
    return highest(view, risking_little(view))


def try_to_win(view: View) -> Card | None:
    """F10: play the highest of a plain suit led, with one opponent to fear at most."""
    if view.sure or not view.one_to_come or view.something_at_stake:
        return None
    suit_led = view.suit(view.situation.plays[0])
    plain = [card for card in risking_little(view) if card in suit_led and card not in view.trumps]
    return highest(view, (card for card in plain if not beaten(card, suit_led, view.threats)))


def risk_treasure(view: View) -> Card | None:
    """F11: where treasure must be played, what may hold, with one opponent to fear at most."""
    if view.sure or not view.one_to_come:
        return None
    return highest(view, view.beating) if view.treasure.issuperset(view.legal) else None


def try_low(view: View) -> Card | None:
    """F12: trump with what may be Low, late, with one opponent to fear at most."""
    if view.sure or not view.one_to_come or not view.late or view.trump_was_led:
        return None
    return lowest(card for card in view.beating if card == view.may_be_low)


def risking_little(view: View) -> list[Card]:
    """Return the cards that beat the trick so far and are neither treasure nor ten."""
    return [card for card in view.beating if card not in view.treasure and not is_ten(card)]


WINS: tuple[Rule, ...] = (win_with_treasure, win_with_ten, win_cheaply)
TRIES: tuple[Rule, ...] = (try_to_catch, try_to_win, risk_treasure, try_low)


# -- Losing to an opponent, perhaps --------------------------------------------------------------


def hope_for_help(view: View) -> Card | None:
    """F13: a plain ten, for a friend still to play."""
    if view.trump_was_led or not view.friends_may_beat_it:
        return None
    return lowest(plain_tens(view))


# -- Parting with a card -------------------------------------------------------------------------


SMALL_PLAIN_CARDS, COURT_CARDS, SMALL_TRUMPS, HONOURS, TENS, PRIZES, GREAT_PRIZES = range(7)


def cheapest(view: View) -> Card:
    """L8 and F14: the card to part with most gladly."""
    cards = [card for card in view.legal if card not in view.treasure] or view.legal
    # The lowest of equals.
    return min(cards, key=lambda card: (discard_group(view, card), is_kept_back(view, card)))


def is_kept_back(view: View, card: Card) -> bool:
    """Say whether others of its group go first: it guards a better card, or may be Low."""
    if discard_group(view, card) != SMALL_PLAIN_CARDS:
        return card == view.may_be_low
    suit = [other for other in view.situation.hand if other in view.suit(card)]
    return any(discard_group(view, other) != SMALL_PLAIN_CARDS for other in suit)


def discard_group(view: View, card: Card) -> int:
    """Return how dear a card is to the player, from 0."""
    is_plain = card not in view.may_always_be_played
    if card in view.prizes:
        return PRIZES if view.prizes[card] == 1 else GREAT_PRIZES
    if is_ten(card):
        return TENS
    if not card_points(card):
        return SMALL_PLAIN_CARDS if is_plain else SMALL_TRUMPS
    return COURT_CARDS if is_plain and rank_of(card) != "A" else HONOURS
