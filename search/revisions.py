"""The text of an accepted revision: the design as edited, with where it comes from above it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from itertools import takewhile
from pathlib import Path

from designsearch import dsl
from designsearch.dsl.design import Design
from designsearch.dsl.edit import Edit, apply
from designsearch.dsl.relocate import relocated
from designsearch.search.books import Incumbent
from designsearch.search.kept_files import write_text
from designsearch.search.proposers.base import Attempt
from designsearch.search.run_folder import RunFolder

_MODELINE = re.compile(r"\A(\ufeff)?# yaml-language-server:[^\r\n]*(\r\n|\n|\r)")
_WIDTH = 118


def revision_text(text: str, lineage: Iterable[str], folder: Path) -> str:
    """A design's text with comments about its origin.

    Args:
        text: the YAML.
        lineage: lines about where it comes from.
        folder: where the file will be, for the way to the schema.
    """
    body = _MODELINE.sub("", text)
    newline = "\r\n" if "\r\n" in text else "\n"
    head = [f"# yaml-language-server: $schema={_schema(folder)}", *(_comment(line) for line in lineage)]
    return newline.join([*head, body])


def with_schema(text: str, folder: Path) -> str:
    """The text with its way to the schema as from another folder."""
    newline = "\r\n" if "\r\n" in text else "\n"
    return f"# yaml-language-server: $schema={_schema(folder)}{newline}" + _MODELINE.sub("", text)


def with_lineage(path: Path) -> str:
    """The text of a revision below the origins of all revisions that led to it, the base first.

    Args:
        path: the revision's file, among those of the revisions before it.
    """
    text = path.read_bytes().decode("utf-8")
    before = [one for one in sorted(path.parent.glob("[0-9]*-*.yaml")) if one.name < path.name]
    origins = [line for one in before for line in _origin(one.read_bytes().decode("utf-8"))]
    modeline, rest = _split(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    return modeline + "".join(line + newline for line in origins) + rest


def named(text: str, name: str) -> str:
    """The design's text with another name and an ``about`` that says that a search found it."""
    return found(apply(text, Edit("set", ("name",), name)))


def found(text: str) -> str:
    """The design's text with an ``about`` that says that a search found it: what was said of the base is past."""
    return apply(text, Edit("set", ("about",), "Found by a search; the comments at the head of this file say how."))


def _split(text: str) -> tuple[str, str]:
    found = _MODELINE.match(text)
    return (found[0], text[found.end() :]) if found else ("", text)


def _origin(text: str) -> list[str]:
    """The comments at the head of a revision."""
    return list(takewhile(lambda line: line.startswith("#"), _split(text)[1].splitlines()))


def _comment(line: str) -> str:
    one = " ".join(line.split())
    return "# " + (one if len(one) <= _WIDTH else one[: _WIDTH - 3] + "...")


def _schema(folder: Path) -> str:
    schema = Path(str(dsl.__file__)).resolve().parent / "design.schema.json"
    try:
        return Path(os.path.relpath(schema, folder.resolve())).as_posix()
    except ValueError:  # another drive
        return schema.as_uri()


def write_revision(
    folder: RunFolder,
    revision: int,
    attempt: Attempt | None,
    base: Incumbent,
    study: str,
    load: Callable[[str], Design],
) -> None:
    """Write the file of a revision unless it is there; it holds nothing that ledger and trial do not.

    Files that the design names are the same ones, seen from the run folder.

    Args:
        folder: the run folder.
        revision: its number; 0 is the base.
        attempt: the accepted proposal; ``None`` for the base.
        base: the base.
        study: the study's name.
        load: reads a design whose paths are seen from the folder of the base.
    """
    path = folder.revision(revision, attempt.design_hash if attempt is not None else base.design.hash)
    if path.exists():
        return
    if attempt is None:
        lineage = [f"revision 0 of study {study}: the base, score {base.value:.4f}"]
        write_text(path, revision_text(relocated(base.design, path.parent), lineage, path.parent))
        return
    proposal = attempt.proposal
    lineage = [
        f"revision {revision} of study {study}, trial {attempt.number}, made from {attempt.parent}",
        f"score {attempt.value:.4f}: {attempt.reason}" if attempt.value is not None else attempt.reason,
        f"{proposal.proposer}: {proposal.rationale}",
    ]
    write_text(path, revision_text(relocated(load(proposal.text), path.parent), lineage, path.parent))
