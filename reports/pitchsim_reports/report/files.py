"""A report as files: a page, the same as Markdown with figures beside it, and the data."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from pitchsim.errors import OutputError, quoted_path
from pitchsim.wholefile import WholeFile, cannot_write, check_place, clear_leftovers
from pitchsim_reports.figures import figure_bytes
from pitchsim_reports.report.contents import report_document
from pitchsim_reports.report.gathering import DATA, MATCH_FRAMES, Gathered
from pitchsim_reports.report.markdown import report_markdown
from pitchsim_reports.report.page import GENERATOR, report_page

if TYPE_CHECKING:
    import pandas as pd

PAGE, TEXT = "report.html", "report.md"
#: By what the text is known to be a report.
MADE_BY = "\n- Made by: pitchsim "
#: The first of the figures of matches, which is never left out.
OF_MATCHES = "payoff-"
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


def check_folder(folder: str | os.PathLike[str], *, has_hands: bool) -> None:
    """Refuse a folder that cannot be written to, before any work is done for it.

    Parameters
    ----------
    has_hands
        Whether hands are asked for; those that are there are not thrown away.

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
        check_place(folder / PAGE)
        for part in (folder / "figures", folder / DATA):
            if part.is_dir():
                check_place(part / PAGE)
            elif part.exists():
                raise cannot_write(part, "it is a file; expected a folder")
        _refuse_others(folder)
    except ValueError as error:  # a name with a null character
        raise OutputError(f"cannot write {quoted_path(folder)}: {error}") from None
    if not has_hands:
        _refuse_to_lose_hands(folder / DATA)


def _refuse_to_lose_hands(folder: Path) -> None:
    from pitchsim.batches.store import holds_hands  # noqa: PLC0415  (loads numba)

    if holds_hands(folder):
        raise cannot_write(
            folder,
            "it holds hands that were evaluated, and the specification asks for none; expected "
            "those hands, or another folder",
        )


def _refuse_others(folder: Path) -> None:
    """Refuse to write over what no report has written."""
    ours = _of_report(folder)
    for place in (folder / PAGE, folder / TEXT):
        if place.exists() and place not in ours:
            raise cannot_write(
                place,
                "there is a file that is no report of pitchsim; expected another folder, or that "
                "file moved away",
            )
    for place in [*_frames(folder), *(folder / "figures").glob("*.png")]:
        is_like_ours = place.parent.name == DATA or is_figure(place.stem)
        if is_like_ours and place.exists() and place not in ours:
            raise cannot_write(
                place,
                f"there is a file that no {TEXT} names as its own; expected another folder, or "
                "that file moved away",
            )


def _of_report(folder: Path) -> set[Path]:
    """Name the files of the report in a folder, but for the hands; nothing if there is none."""
    ours = set()
    page, text = (_read(folder / name) for name in (PAGE, TEXT))
    if GENERATOR in page:
        ours.add(folder / PAGE)
    if MADE_BY in text:
        figures = re.findall(r"\]\(figures/([^()/]+\.png)\)", text)
        ours |= {folder / TEXT, *(folder / "figures" / name for name in figures)}
        if any(name.startswith(OF_MATCHES) for name in figures):
            ours |= {*_frames(folder)}
    return ours


def _read(place: Path) -> str:
    try:
        return place.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise cannot_write(place, error.strerror or str(error)) from None


def _frames(folder: Path) -> list[Path]:
    """Name the places of what comes of matches."""
    return [
        folder / DATA / f"{name}.{kind}" for name in MATCH_FRAMES for kind in ("csv", "parquet")
    ]


def is_figure(name: str) -> bool:
    """Say whether a figure of a report may have that name."""
    return re.sub(r"-[0-9]+$", "", name) in FIGURES


def write_files(files: dict[str, bytes], folder: str | os.PathLike[str]) -> None:
    """Write the files of a report into a folder, each whole or not at all.

    What an earlier report has there and this one does not is removed; all else stays. The text,
    which names the others, is written first, and the page last.

    Raises
    ------
    OutputError
        If one of them cannot be written, and is then as it was before, or cannot be removed.
    """
    folder = Path(folder)
    for place in _of_report(folder) - {folder / name for name in files}:
        _remove(place)
    for name in sorted(files, key=lambda name: (name != TEXT, name == PAGE)):
        place = folder / name
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            clear_leftovers(place)
            with WholeFile(place) as file:
                file.write(files[name])
        except OSError as error:
            raise cannot_write(place, error.strerror or str(error)) from None


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
