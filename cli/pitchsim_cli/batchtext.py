"""What came of a batch, at a glance."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pitchsim.errors import listed
from pitchsim.wording import counted
from pitchsim_cli.layout import Heading, Paragraph, Part, Sheet
from pitchsim_cli.tablelabels import FORCED, bid_label, is_forced

if TYPE_CHECKING:
    from pitchsim.batches.batch import Batch, Case
    from pitchsim.batches.hands import Hands
    from pitchsim.batches.running import BatchMade
    from pitchsim.batches.summary import Worth


def parts(batch: "Batch", hands: "Hands", made: "BatchMade", command: str) -> Iterator[Part]:
    """Write it part by part."""
    from pitchsim.batches.summary import summary_of  # noqa: PLC0415  (loads pyarrow)

    yield Heading(f"{_named(hands)}, seed {batch.seed}")
    summary = summary_of(made.folder, batch)
    rows = [row for case in batch.cases for row in _rows(case, summary[case])]
    headings = ["<Rules", "<Play", "<Worth", "Hands", "Share", "Made"]
    yield Sheet("What the hands are worth", headings, rows)
    yield Paragraph(" ".join([*_explained(batch), *_left_out(batch, hands)]))
    if hands.bad:
        yield Paragraph(_bad(hands), strong=True)
    yield Paragraph(_files(made))
    yield Paragraph(command, verbatim=True)


def _rows(case: "Case", summary: "tuple[Worth, ...]") -> Iterator[list[str]]:
    """Write a row for each bid, and name the case in the first of them."""
    total = sum(worth.hands for worth in summary)
    names = [case.rules.name, case.play]
    for worth in summary:
        yield [
            *names,
            "pass" if worth.bid is None else bid_label(case.rules, worth.bid),
            f"{worth.hands:,}",
            f"{100 * worth.hands / total:.1f} %" if worth.hands else "",
            "" if worth.make is None else f"{100 * worth.make:.1f} %",
        ]
        names = ["", ""]


def _explained(batch: "Batch") -> Iterator[str]:
    yield (
        "Worth: the highest bid that gains more than it loses on average, or pass if none does. "
        "Made: how often those hands make that bid, on average."
    )
    if any(is_forced(case.rules, bid) for case in batch.cases for bid in case.bids):
        yield FORCED
    deals = {case.play: counted(case.deals_a_hand, "deal") for case in batch.cases}
    if len(set(deals.values())) == 1:
        yield f"{next(iter(deals.values()))} of every hand."
    else:
        yield f"{listed((f'{of_each} by {play}' for play, of_each in deals.items()), 'and')}."


def _named(hands: "Hands") -> str:
    count = len(hands.numbers)
    if hands.source == "random":
        return counted(count, "random hand")
    return f"{counted(count, 'hand')} from {hands.source}"


def _left_out(batch: "Batch", hands: "Hands") -> Iterator[str]:
    """Say where there are fewer hands, for want of jokers in the deck."""
    for rules in batch.rule_sets:
        lacking = len(hands.numbers) - len(hands.under(rules)[0])
        if lacking:
            verb = "has" if lacking == 1 else "have"
            yield f"{counted(lacking, 'hand')} {verb} a joker that the deck of {rules.name} lacks."


def _bad(hands: "Hands") -> str:
    """Say how many lines are no hand."""
    everywhere = len({bad.number for bad in hands.bad if not bad.rules})
    somewhere = len({bad.number for bad in hands.bad if bad.rules})
    said = []
    if everywhere:
        said.append(f"{counted(everywhere, 'line')} {'is' if everywhere == 1 else 'are'} no hand")
    if somewhere:
        said.append(f"{counted(somewhere, 'hand')} may not be held under all of these rules")
    return f"{'; '.join(said)}: bad-lines.csv has the numbers and reasons."


def _files(made: "BatchMade") -> str:
    from pitchsim.batches.store import files_in  # noqa: PLC0415

    names = listed((place.name for place in files_in(made.folder)), "and")
    spent = (
        f"{counted(made.evaluated, 'hand')} evaluated in {made.seconds:.1f} s"
        if made.evaluated
        else "nothing was left to evaluate"
    )
    return f"In {made.folder}: {names} ({spent})."
