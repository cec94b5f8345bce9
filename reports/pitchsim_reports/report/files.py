"""A report as files: a page, the same as Markdown with figures beside it, and the data."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from pitchsim.errors import OutputError, quoted_path
from pitchsim.wholefile import WholeFile, cannot_write, check_place, clear_leftovers
from pitchsim_reports.figures import figure_bytes
from pitchsim_reports.report.contents import report_document
from pitchsim_reports.report.gathering import DATA, Gathered
from pitchsim_reports.report.markdown import report_markdown
from pitchsim_reports.report.page import report_page

if TYPE_CHECKING:
    import pandas as pd

PAGE = "report.html"


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
    files["report.md"] = report_markdown(document).encode()
    files[PAGE] = report_page(document).encode()
    return files


def check_folder(folder: str | os.PathLike[str]) -> None:
    """Refuse a folder that cannot be written to, before any work is done for it.

    Raises
    ------
    OutputError
        If it is no folder, lies in a folder that is missing, or may not be written.
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
    except ValueError as error:  # a name with a null character
        raise OutputError(f"cannot write {quoted_path(folder)}: {error}") from None


def write_files(files: dict[str, bytes], folder: str | os.PathLike[str]) -> None:
    """Write files into a folder, each whole or not at all.

    Raises
    ------
    OutputError
        If one of them cannot be written; that is then as it was before.
    """
    for name, data in files.items():
        place = Path(folder) / name
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            clear_leftovers(place)
            with WholeFile(place) as file:
                file.write(data)
        except OSError as error:
            raise cannot_write(place, error.strerror or str(error)) from None


def _parquet(frame: pd.DataFrame) -> bytes:
    file = io.BytesIO()
    frame.to_parquet(file, index=False)
    return file.getvalue()
