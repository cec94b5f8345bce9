"""Hand records for the tests: the vectors, and hands bid and played at random."""

import json
import random
from pathlib import Path

from pitchsim.cards import SUITS, full_deck, parse_cards, sort_hand
from pitchsim.presets import load_preset
from pitchsim.records import Draw, HandRecord
from pitchsim.reference.auction import bidding_order, legal_bids, run_auction
from pitchsim.reference.draw import hands_after_draws, stock, trumps_kept
from pitchsim.reference.play import legal_first_leads
from pitchsim.reference.table import Table

DATA = Path(__file__).parent / "data"


def cards(text):
    return list(parse_cards(text))


def vectors(name):
    with (DATA / f"{name}.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def random_record(rng: random.Random, rules, seating) -> HandRecord:
    """Deal a hand, bid it and play it, all at random within the rules."""
    cards = list(full_deck(rules.jokers))
    rng.shuffle(cards)
    players = seating.players
    hands = tuple(sort_hand(cards[6 * seat : 6 * seat + 6]) for seat in range(players))
    dealer = rng.randrange(players)
    bids = []
    while len(bids) < players:
        bids.append(rng.choice(legal_bids(rules, bids, players)))
    scores = tuple(rng.randint(-5, rules.target - 1) for _ in range(seating.sides))
    auction = run_auction(rules, bids, dealer, players)
    start = {
        "rules": rules,
        "seating": seating,
        "dealer": dealer,
        "hands": hands,
        "scores": scores,
        "bids": tuple(bids),
    }
    if auction is None:
        return HandRecord(**start)
    pitcher, _ = auction
    lead = rng.choice(legal_first_leads(rules, hands[pitcher]))
    trump = rng.choice(SUITS) if rules.trump_choice == "declared" or lead[1] == "J" else None
    draws = None
    to_play = hands
    if rules.draw:
        draws = random_draws(rng, rules, trump, dealer, hands)
        to_play = hands_after_draws(rules, trump, dealer, hands, draws)
        lead = rng.choice(legal_first_leads(rules, to_play[pitcher]) or [lead])
    table = Table(rules, to_play, pitcher, trump)
    plays = []
    while table.to_move is not None:
        card = rng.choice(table.legal()) if plays else lead
        if not plays and card not in table.legal():
            card = rng.choice(table.legal())
        table.play(card)
        plays.append(card)
    return HandRecord(**start, trump=trump, draws=draws, plays=tuple(plays))


def random_draws(rng: random.Random, rules, trump, dealer, hands) -> tuple[Draw, ...]:
    left = stock(rules, hands)
    rng.shuffle(left)
    draws = {}
    for seat in bidding_order(dealer, len(hands)):
        kept = trumps_kept(rules, trump, hands[seat])
        wanted = rules.hand_size - len(kept)
        drawn, left = left[:wanted], left[wanted:]
        draws[seat] = Draw(tuple(c for c in hands[seat] if c not in kept), tuple(drawn))
    return tuple(draws[seat] for seat in range(len(hands)))


def rules_of(preset="partners", **changes):
    return load_preset(preset).changed(changes)
