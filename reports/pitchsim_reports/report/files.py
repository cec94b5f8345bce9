"""A report as files: a page, the same as Markdown with figures beside it, and the data."""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pitchsim.errors import OutputError, quoted_path
from pitchsim.wholefile import WholeFile, alone_in, cannot_write, check_place, clear_leftovers
from pitchsim_reports.figures import figure_bytes
from pitchsim_reports.report.contents import report_document
from pitchsim_reports.report.gathering import DATA, MATCH_FRAMES, Gathered
from pitchsim_reports.report.markdown import report_markdown
from pitchsim_reports.report.page import GENERATOR, report_page

if TYPE_CHECKING:
    import pandas as pd

PAGE, TEXT = "report.html", "report.md"
#: By what each is known to be of a report.
_MARKS = {PAGE: GENERATOR, TEXT: "\n- Made by: pitchsim "}
#: What the figures of reports are called, before their numbers.
FIGURES = (
    "worth-by-bid",
    "make-by-bid",
    "points",
    "changed-bids",
    "payoff",
    "calibration",
    "changes",
    "convergence",
)


def report_files(gathered: Gathered, command: str) -> dict[str, bytes]:
    """Return the files of a report by their paths inside its folder, the page last.

    `report.html`, `report.md`, `figures/NAME.png`, `data/NAME.csv` and `data/NAME.parquet`, but
    for `worth`, which is in its place since it was gathered. The same frames give the same bytes.
    """
    document = report_document(gathered, command)
    files: dict[str, bytes] = {}
    for name, frame in gathered.frames.items():
        if name != "worth":
            files[f"{DATA}/{name}.csv"] = frame.to_csv(index=False, lineterminator="\n").encode()
            files[f"{DATA}/{name}.parquet"] = _parquet(frame)
    for figure in document.figures():
        files[f"figures/{figure.name}.png"] = figure_bytes(figure.picture, "png")
    files[TEXT] = report_markdown(document).encode()
    files[PAGE] = report_page(document).encode()
    return files


def check_folder(folder: str | os.PathLike[str]) -> None:
    """Refuse a folder that cannot be written to, before any work is done for it.

    Raises
    ------
    OutputError
        If it is no folder, lies in a folder that is missing, may not be written, or holds what
        would be lost.
    """
    folder = Path(folder)
    try:
        if not folder.is_dir():
            check_place(folder)
            if folder.exists():
                raise cannot_write(folder, "it is a file; expected a folder")
            return
        for part in (folder, folder / "figures", folder / DATA):
            if part.exists():
                check_place(part / PAGE)
        _refuse_others(folder)
    except ValueError as error:  # a name with a null character
        raise OutputError(f"cannot write {quoted_path(folder)}: {error}") from None


def _refuse_others(folder: Path) -> None:
    """Refuse to write over a page or a text that is no report."""
    for name in _MARKS:
        place = folder / name
        if place.exists() and not _is_ours(place):
            raise cannot_write(
                place,
                "there is a file that is no report of pitchsim; expected another folder, or that "
                "file moved away",
            )


def _is_ours(place: Path) -> bool:
    """Say whether a page or a text is a report."""
    try:
        return _MARKS[place.name].encode() in place.read_bytes()
    except OSError as error:
        raise cannot_write(place, error.strerror or str(error)) from None


def write_files(
    files: dict[str, bytes], folder: str | os.PathLike[str], *, has_hands: bool = True
) -> None:
    """Write the files of a report into a folder, each whole or not at all.

    What an earlier report left there and this one does not have is removed; all else stays.

    Parameters
    ----------
    has_hands
        Whether the hands that are evaluated in the folder are this report's.

    Raises
    ------
    OutputError
        If one of them cannot be written, and is then as it was before, or cannot be removed.
    """
    folder = Path(folder)
    stale = [place for place in _known(folder) if place.relative_to(folder).as_posix() not in files]
    for name, data in files.items():
        place = folder / name
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            clear_leftovers(place)
            with WholeFile(place) as file:
                file.write(data)
        except OSError as error:
            raise cannot_write(place, error.strerror or str(error)) from None
    for place in stale:
        _remove(place)
    if not has_hands:
        _remove_hands(folder / DATA)


def _known(folder: Path) -> list[Path]:
    """Name what the report in a folder has beside its page; nothing if there is none."""
    if not (folder / PAGE).exists() or not _is_ours(folder / PAGE):
        return []
    frames = [
        folder / DATA / f"{name}.{kind}" for name in MATCH_FRAMES for kind in ("csv", "parquet")
    ]
    figures = [place for place in (folder / "figures").glob("*.png") if is_figure(place.stem)]
    return [place for place in frames + figures if place.is_file()]


def is_figure(name: str) -> bool:
    """Say whether a figure of a report may have that name."""
    return re.sub(r"-[0-9]+$", "", name) in FIGURES


def _remove_hands(folder: Path) -> None:
    """Remove the hands that an earlier report has evaluated, and what it kept for more of them."""
    from pitchsim.batches.store import PARTS, files_in  # noqa: PLC0415  (loads numba)

    if not _has_hands_of_a_report(folder):
        return
    with suppress(BlockingIOError), alone_in(folder / PARTS):
        for place in [*files_in(folder), *_parts_in(folder / PARTS)]:
            _remove(place)


def _has_hands_of_a_report(folder: Path) -> bool:
    """Say whether a folder has the results of a batch, and a report has made them."""
    from pitchsim.batches.batch import BatchError  # noqa: PLC0415
    from pitchsim.batches.store import ABOUT, WORTH  # noqa: PLC0415  (loads numba)
    from pitchsim.batches.worthframe import facts_in  # noqa: PLC0415  (loads numba)

    try:
        facts_in(folder / WORTH, "cases")
        command = json.loads((folder / ABOUT).read_bytes())["command"]
    except (BatchError, OSError, ValueError, KeyError, TypeError):
        return False
    return str(command).startswith("pitchsim report ")


def _parts_in(folder: Path) -> Iterator[Path]:
    """Give the parts of a batch."""
    from pitchsim.batches.batch import BatchError  # noqa: PLC0415
    from pitchsim.batches.worthframe import facts_in  # noqa: PLC0415  (loads numba)

    for place in folder.glob("[!.]*.parquet"):
        with suppress(BatchError):
            facts_in(place, "seed")
            yield place


def _remove(place: Path) -> None:
    try:
        place.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(f"cannot remove {quoted_path(place)}: {reason}") from None


def _parquet(frame: pd.DataFrame) -> bytes:
    file = io.BytesIO()
    frame.to_parquet(file, index=False)
    return file.getvalue()
