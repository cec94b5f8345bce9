"""The first sections of a report: what was asked, and what was found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from pitchsim.errors import listed
from pitchsim.rules import SMUDGE, Rules
from pitchsim.wording import counted, manner
from pitchsim_reports.phrasing import DASH, NONE
from pitchsim_reports.report.document import (
    Cell,
    Finding,
    Findings,
    Items,
    Paragraph,
    Part,
    Section,
    Sheet,
)
from pitchsim_reports.report.findings import (
    calibration_findings,
    change_findings,
    match_findings,
    worth_findings,
)
from pitchsim_reports.report.gathering import Gathered
from pitchsim_reports.report.spec import AskedHands, AskedMatch, AskedRules, Spec

_STEALS = {"no": "", "below_max": "steals below the highest bid", "any": "steals any bid"}
_FINISHES = {
    "pitcher_first": "the pitcher is counted first",
    "as_pitcher": "only by pitching",
    "made_bid": "only by a bid made",
}


def found(gathered: Gathered) -> Section:
    """Say what was found."""
    spec, frames = gathered.spec, gathered.frames
    findings: list[Finding] = []
    if "worth" in frames and spec.hands is not None:
        sampled = spec.hands.count is not None
        findings += worth_findings(frames["worth"], spec.rules, sampled=sampled)
        findings += change_findings(gathered.pairs, sampled=sampled)
    if "matches" in frames:
        findings += match_findings(frames["matches"])
        findings += calibration_findings(frames["calibration"])
    return Section("findings", "What was found", [Findings(findings)])


def asked(gathered: Gathered) -> Section:
    """Say what was asked, and on which assumptions the answers hold."""
    spec = gathered.spec
    parts: list[Part] = [Items(list(_questions(gathered))), _rule_sets(spec)]
    if spec.match is not None:
        parts.append(_strategies(spec.match))
    parts += [Paragraph(text, quiet=True) for text in _assumptions(spec)]
    return Section("asked", "What was asked", parts)


def _questions(gathered: Gathered) -> Iterator[str]:
    spec = gathered.spec
    tables = "under each of the rule sets below" if len(spec.rules) > 1 else "under the rules below"
    if spec.hands is not None:
        one = gathered.frames["worth"]["number"].nunique() == 1
        yield (
            f"What {'is' if one else 'are'} {_hands(gathered, spec.hands)} worth {tables}? "
            f"{'It' if one else 'Each'} is dealt {counted(spec.hands.deals, 'time')} with other "
            f"cards around it, and everybody follows the {spec.play} policy of play."
        )
    if gathered.bad_lines:
        lines = "line holds" if gathered.bad_lines == 1 else "lines hold"
        yield (
            f"{gathered.bad_lines:,} {lines} no hand, or none for every rule set: "
            "data/bad-lines.csv says why."
        )
    if spec.match is not None:
        names = listed([strategy.name for strategy in spec.match.strategies], "and")
        over = (
            counted(spec.match.hands, "hand")
            if spec.match.hands is not None
            else counted(spec.match.games or 0, "game")
        )
        yield (
            f"Which of the strategies {names} does best {tables}? Each pair of them plays {over}, "
            "every deal twice with the sides exchanged."
        )


def _hands(gathered: Gathered, asked_hands: AskedHands) -> str:
    """Name the hands that are evaluated."""
    if asked_hands.file is None:
        return f"{counted(asked_hands.count or 0, 'hand')} dealt at random"
    count = gathered.frames["worth"]["number"].nunique()
    return f"the {counted(count, 'hand')} of {asked_hands.file.name}"


def _strategies(match: AskedMatch) -> Sheet:
    return Sheet(
        "The strategies",
        ["<Strategy", "<What it does", "<Plays"],
        [
            [Cell(one.name), Cell(one.title or NONE), Cell(one.player.play)]
            for one in match.strategies
        ],
    )


def _rule_sets(spec: Spec) -> Sheet:
    return Sheet(
        "The rule sets",
        ["<Rules", "<Table", "Points", "<Bids", "<Dealer", "<Low to", "<Tie for Game", "<Won at"],
        [_rule_set(one) for one in spec.rules],
    )


def _rule_set(asked_rules: AskedRules) -> list[Cell]:
    rules = asked_rules.rules
    low = rules.low_to if "low" in rules.point_values else ""
    tie = rules.game_tie if "game" in rules.point_values else ""
    return [
        Cell(asked_rules.label),
        Cell(manner(asked_rules.seating)),
        Cell(str(rules.total), rules.total),
        Cell(_bids(rules)),
        Cell(_dealer(rules)),
        Cell(low),
        Cell(tie),
        Cell(f"{rules.target}, {_FINISHES[rules.finish]}"),
    ]


def _bids(rules: Rules) -> str:
    numbers = [bid for bid in rules.bids if bid != SMUDGE]
    span = f"{numbers[0]}{DASH}{numbers[-1]}" if len(numbers) > 1 else "".join(numbers)
    return f"{span} and smudge" if SMUDGE in rules.bids else span


def _dealer(rules: Rules) -> str:
    forced = "" if rules.forced_bid is None else f"must bid {rules.forced_bid} if all pass"
    return "; ".join(filter(None, (_STEALS[rules.dealer_steals], forced))) or "bids as all do"


def _assumptions(spec: Spec) -> Iterator[str]:
    if spec.hands is not None:
        yield (
            "A bid pays if its margin is above zero: what the pitcher's side gains by it on "
            "average, less what the others score. That is as if passing cost nothing; and nothing "
            "is read out of the others' bids. A hand is worth the highest bid that pays."
        )
    yield (
        "Intervals hold the truth in 95 of 100 cases. What is compared is compared on the same "
        "deals. A difference whose interval holds zero is too close to call: a longer run may tell."
    )
