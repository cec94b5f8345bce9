"""The sections on what hands are worth: under each rule set, and from one to another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pitchsim.cards import parse_cards
from pitchsim.intervals import Estimate
from pitchsim.titles import POINT_TITLES
from pitchsim.wording import counted
from pitchsim_reports import figures
from pitchsim_reports.phrasing import between, give_or_take, percent, rules_words, signed
from pitchsim_reports.report.document import Cell, Figure, Paragraph, Part, Section, Sheet, number
from pitchsim_reports.report.reasons import (
    ANOTHER_SUIT,
    differences,
    point_rule,
    reason,
    reasons_of,
)
from pitchsim_reports.report.worthviews import (
    Pair,
    limit_shares,
    point_means,
    point_names,
    under,
)

if TYPE_CHECKING:
    import pandas as pd

    from pitchsim_reports.report.gathering import Gathered
    from pitchsim_reports.report.spec import AskedRules

#: So many of the hands that change their bid are listed.
MOST_LISTED = 12


def worth_section(gathered: Gathered) -> Section:
    """Say what hands are worth under each rule set."""
    worth, spec = gathered.frames["worth"], gathered.spec
    sampled = is_sample(gathered)
    parts: list[Part] = [
        Figure("worth-by-bid", figures.worth_by_bid(worth)),
        Figure("make-by-bid", figures.make_by_bid(worth)),
        Figure(
            "points",
            figures.point_contributions(worth, {one.label: one.rules for one in spec.rules}),
        ),
    ]
    for place, one in enumerate(spec.rules, start=1):
        rows = under(worth, one.label)
        if not rows.empty:
            parts.append(
                Section(
                    f"worth-{place}",
                    f"Under {rules_words(one.label)}",
                    [_bids(rows, sampled=sampled), _points(rows, one)],
                )
            )
    return Section("worth", "What hands are worth", parts)


def _bids(rows: pd.DataFrame, *, sampled: bool) -> Sheet:
    """Show for each bid how many hands are worth it, and how surely it is made."""
    shares = limit_shares(rows)
    headings = ["<Bid", "Worth it", "Share", *(["95 %"] if sampled else [])]
    cells = []
    for bid, share in shares.items():
        of_bid = rows[rows["bid"].astype(str) == bid]
        worth_it = of_bid[of_bid["limit"].astype(str) == bid]
        low, high = share.interval
        cells.append(
            [
                Cell(bid),
                Cell(f"{share.count:,}", share.count),
                Cell(percent(share.share), share.share),
                *([Cell(between(low, high), low)] if sampled else []),
                _chance(of_bid["make"].mean()),
                _chance(worth_it["make"].mean()),
                _points_cell(worth_it["margin"].mean()),
            ]
        )
    return Sheet(
        "Hands by the highest bid that pays, and how surely a bid is made",
        [*headings, "Made, all hands", "Made, worth it", "Margin, worth it"],
        cells,
    )


def _points(rows: pd.DataFrame, one: AskedRules) -> Sheet:
    """Show what each point contributes to hands that are worth a bid."""
    means = point_means(rows)
    cells = []
    for name in point_names(rows):
        value = one.rules.point_values[name]
        brings = means[name] * value
        cells.append(
            [
                Cell(POINT_TITLES[name]),
                Cell(str(value), value),
                _chance(means[name]),
                number(signed(brings).lstrip("+"), brings),
            ]
        )
    return Sheet(
        "What each point contributes, at the highest bid that pays",
        ["<Point", "Worth", "Scored", "Brings"],
        cells,
    )


def is_sample(gathered: Gathered) -> bool:
    """Say whether the hands were dealt at random, and so stand for all hands."""
    hands = gathered.spec.hands
    return hands is not None and hands.count is not None


def change_section(gathered: Gathered) -> Section | None:
    """Compare the same hands from the first rule set to each other one; None if there is one."""
    sampled = is_sample(gathered)
    worth = gathered.frames["worth"]
    parts: list[Part] = []
    for place, pair in enumerate(gathered.pairs, start=1):
        first, other = pair.one_asked, pair.other_asked
        two = worth[worth["rules"].isin([first.label, other.label])]
        figure = Figure(f"changed-bids-{place}", figures.changed_bids(two))
        own = [figure, *_changes(pair, first, other, sampled=sampled)]
        parts.append(Section(f"change-{place}", f"{first.label} and {other.label}", own))
    return Section("changes", "The same hands under other rules", parts) if parts else None


def _changes(pair: Pair, first: AskedRules, other: AskedRules, *, sampled: bool) -> Iterator[Part]:
    changed = pair.changed
    if len(changed):
        yield Paragraph(
            f"{counted(len(changed), 'hand')} of {pair.hands:,} "
            f"{'changes its' if len(changed) == 1 else 'change their'} highest bid: "
            f"{how_surely(pair)}. What changes most in a hand that does: {reasons_of(pair)}."
        )
        if any(reason(pair, number).what == ANOTHER_SUIT for number in changed):
            yield Paragraph(
                "Where another suit is best, the points are made with other cards: what "
                "each brings is not compared, and no rule is named.",
                quiet=True,
            )
        yield _changed_hands(pair, first, other)
    else:
        yield Paragraph(f"None of {counted(pair.hands, 'hand')} changes its highest bid.")
    if pair.alike:
        yield _point_chances(pair, first, other, sampled=sampled)
    if pair.one_rules.dealer_steals != pair.other_rules.dealer_steals:
        yield Paragraph(
            f"The dealer's steal differs ({pair.one_rules.dealer_steals} under {first.label}, "
            f"{pair.other_rules.dealer_steals} under {other.label}). It decides how often a bid "
            "is left to you, not what a hand brings once you pitch it: no number of this section "
            "hangs on it.",
            quiet=True,
        )
    yield Sheet(
        "In what the rules differ",
        ["<Field", f"<{first.label}", f"<{other.label}"],
        [
            [Cell(name), Cell(one), Cell(two)]
            for name, one, two in differences(pair.one_rules, pair.other_rules)
        ],
    )


def how_surely(pair: Pair) -> str:
    """Say in how many of the hands that change their bid that is told, and in how many not."""
    clear = sum(map(pair.is_clear, pair.changed))
    one_sided = sum(map(pair.is_one_sided, pair.changed))
    close = len(pair.changed) - clear - one_sided
    groups = {
        "both margins at the higher bid are told from zero": clear,
        "only one of the rule sets has the higher bid": one_sided,
        "it is a close call": close,
    }
    return "; ".join(f"in {count:,} {what}" for what, count in groups.items() if count)


def _changed_hands(pair: Pair, first: AskedRules, other: AskedRules) -> Sheet:
    """List the hands that change most, each with its reason."""
    numbers = pair.changed
    shown = numbers[:MOST_LISTED]
    title = (
        "Hands that change their highest bid, and by how many points the margin of the higher of "
        "the two bids does, the largest first"
    )
    if len(shown) < len(numbers):
        title += f" ({len(shown)} of {len(numbers):,})"
    return Sheet(
        title,
        [
            "<Hand",
            f"<{first.label}",
            f"<{other.label}",
            "Change of margin",
            "<What changes",
            "<How",
        ],
        [_changed_hand(pair, number) for number in shown],
    )


def _changed_hand(pair: Pair, number: int) -> list[Cell]:
    text = str(pair.one.loc[number, "hand"])
    why = reason(pair, number)
    one, other = pair.disputed(number)
    gap = float("nan") if one is None or other is None else other["margin"] - one["margin"]
    return [
        Cell(text, cards=parse_cards(text)),
        *(Cell(str(side.loc[number, "limit"])) for side in (pair.one, pair.other)),
        _points_cell(gap),
        Cell(why.what[0].upper() + why.what[1:]),
        Cell(why.how),
    ]


def _point_chances(pair: Pair, first: AskedRules, other: AskedRules, *, sampled: bool) -> Sheet:
    """Compare the chance of each point over the hands that are best played alike.

    Where the suits differ, so do the cards, and no rule could be named. Hands that were chosen
    stand for no others: their difference has no interval.
    """
    names = [name for name in point_names(pair.one_rows) if name in point_names(pair.other_rows)]
    gaps = {name: pair.point_difference(name, sampled=sampled) for name in names}
    rows = []
    for name in sorted(names, key=lambda name: -abs(gaps[name].mean)):
        gap = gaps[name]
        size = signed(100 * gap.mean, 1)
        if sampled:
            size += f" {give_or_take(100 * gap.half_width, 1)}"
        rows.append(
            [
                Cell(POINT_TITLES[name]),
                *(_chance(chance) for chance in pair.point_chances(name)),
                Cell(size, gap.mean),
                Cell(what_bears_on(pair, name, gap)),
            ]
        )
    return Sheet(
        f"How often each point is scored at a bid of {pair.common_bid}, over the "
        f"{counted(len(pair.alike), 'hand')} of {pair.hands:,} with the same best suit",
        ["<Point", first.label, other.label, "Points of 100", "<Rules that bear on it"],
        rows,
    )


def what_bears_on(pair: Pair, point: str, gap: Estimate) -> str:
    """Name the rules by which the chance of a point differs, if it does and that can be told."""
    if gap.mean == 0:
        return "no difference"
    return "too close to call" if gap.too_close else point_rule(pair, point)


def _chance(share: float) -> Cell:
    return number(percent(share, 1), share)


def _points_cell(points: float) -> Cell:
    return number(signed(points), points)
