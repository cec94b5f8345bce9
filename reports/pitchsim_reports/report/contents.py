"""A report's contents: from what was gathered to the document."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from importlib.metadata import version

from pitchsim.study import ENGINE_VERSION, identity_of
from pitchsim_reports.report.document import Document, Section
from pitchsim_reports.report.gathering import Gathered
from pitchsim_reports.report.handsections import change_section, worth_section
from pitchsim_reports.report.matchsections import match_sections, parting_section
from pitchsim_reports.report.overview import asked, found

_LIBRARIES = ("numpy", "pandas", "matplotlib")


def report_document(gathered: Gathered, command: str) -> Document:
    """Write a report on what was gathered.

    Parameters
    ----------
    command
        What the user may type to make it again.
    """
    spec = gathered.spec
    return Document(
        spec.title,
        spec.subtitle,
        spec.author,
        list(_sections(gathered)),
        list(_origin(gathered)),
        command,
    )


def _sections(gathered: Gathered) -> Iterator[Section]:
    yield asked(gathered)
    yield found(gathered)
    if "worth" in gathered.frames:
        yield worth_section(gathered)
        changes = change_section(gathered)
        if changes is not None:
            yield changes
    if "matches" in gathered.frames:
        yield from match_sections(gathered)
    partings = parting_section(gathered)
    if partings is not None:
        yield partings


def _origin(gathered: Gathered) -> Iterator[tuple[str, str]]:
    """Say what the report is of, so that anybody may know whether another is the same."""
    yield "Study", identity_of(json.dumps([list(study) for study in gathered.studies]))
    yield from gathered.studies
    yield "Seed", str(gathered.spec.seed)
    yield "Made by", f"pitchsim {version('pitchsim')}, engine {ENGINE_VERSION}"
    libraries = [f"{library} {version(library)}" for library in _LIBRARIES]
    yield "With", ", ".join([f"Python {platform.python_version()}", *libraries])
