"""Tables whose counts are drawn at random: for tests of reading, which need none that was played.

A table by hand has millions of records; one that is built here has only some blocks of it.
"""

import numpy as np

from pitchsim.hands import HandIndex, turn_card
from pitchsim.presets import load_preset
from pitchsim.tables.form import Source, Span, block_of, file_facts, schema_of, spans
from pitchsim.tables.tablefile import TableWriter
from pitchsim.tables.tablestudy import TableStudy

DEALS = 400


def study_of(by, rules="partners", **others):
    rule_set = load_preset(rules)
    return TableStudy(rule_set, rule_set.seating(), by, **{"seed": 7} | others)


def counts_of(study, rows, random):
    """Draw counts, int64[records, plays, columns]; every third row is hopeless."""
    columns, records = study.columns, study.rows.records(*rows)
    shape = (len(records.rows), study.example.plays)
    counts = np.zeros((*shape, len(columns.names)), np.int64)
    chances = random.dirichlet(np.ones(columns.rules.total + 1), shape)
    chances[records.rows % 3 == 0] = np.arange(columns.rules.total + 1) == 0
    counts[..., columns.taken] = random.multinomial(DEALS, chances)
    counts[..., columns.smudges] = random.binomial(counts[..., columns.rules.total], 0.3)
    points = (*shape, len(columns.rules.point_values))
    counts[..., columns.points] = random.binomial(DEALS, 0.5, points)
    counts[..., columns.others] = random.binomial(2 * DEALS, 0.5, shape)
    counts[..., columns.squares] = random.integers(5, 20, (*shape, len(columns.bids))) * DEALS
    return counts


def holding_row(study, trump, trumps):
    """Find the row of some trumps, and what the suits are called there, by looking at all."""
    for names in HandIndex.of(study.rules).symmetries:
        held = {turn_card(card, names) for card in trumps}
        for row, (suit, holding) in enumerate(study.rows.holdings):
            if suit == names[trump] and set(holding) == held:
                return row, names
    raise AssertionError(f"no row has {trumps} with {trump} as trump")


def build_table(place, study, blocks=None, seeds=None):
    """Write some blocks of a table, or all; returns the spans of rows and the counts of each.

    With seeds, as if it were combined: as many of its deals of each.
    """
    random = np.random.default_rng(1)
    every = list(spans(study.rows.count, study.rows_a_block))
    written = []
    with TableWriter(place, schema_of(study)) as writer:
        for rows in every if blocks is None else [every[block] for block in blocks]:
            counts = counts_of(study, rows, random)
            writer.write(block_of(study, rows, counts, DEALS))
            written.append((rows, counts))
        seeds = seeds or [study.seed]
        sources = [Source(seed, Span(0, DEALS // len(seeds))) for seed in seeds]
        writer.finish(file_facts(study.facts, sources), {"seconds": 1.0})
    return written
