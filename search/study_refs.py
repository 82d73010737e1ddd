"""A study by the name that people use for it, and the designs in it: ``berlin@best``, ``runs/berlin@2``."""

from __future__ import annotations

import re
from pathlib import Path

from designsearch.dsl.problems import UserError, nearest
from designsearch.search.run_folder import RunFolder
from designsearch.search.study_file import RUNS, read_study

_REF = re.compile(r"(?P<study>.+)@(?P<which>\d+|best|base)", re.DOTALL)


def is_study_ref(text: str) -> bool:
    """Whether a text names a design of a study; a file of that very name comes first."""
    return _REF.fullmatch(text) is not None and not Path(text).exists()


def find_run(study: str) -> RunFolder:
    """The run folder of a study.

    Args:
        study: a study file, a run folder, or the name of one under ``runs/``.

    Raises:
        UserError: there is no such study, or it has not been run.
        InvalidFileError: the study file has mistakes.
    """
    path = Path(study)
    for folder in (path, Path(RUNS) / study):
        if RunFolder(folder).manifest.is_file():
            return RunFolder(folder)
    if path.is_file():
        found = RunFolder(read_study(path).run_folder)
        if found.manifest.is_file():
            return found
        raise UserError(f"{study}: has not been run; designsearch run {study} does it")
    if path.is_dir():
        raise UserError(f"{study}: is a folder without a run; name a study file, a run folder or a name under {RUNS}/")
    known = sorted(child.name for child in Path(RUNS).iterdir() if child.is_dir()) if Path(RUNS).is_dir() else []
    hint = nearest(study, known) or (f"under {RUNS}/ there are {', '.join(known)}" if known else "")
    raise UserError(
        f"{study}: there is no such study: no study file, no run folder, no name under {RUNS}/"
        + (f" ({hint})" if hint else "")
    )


def revision_file(ref: str) -> Path:
    """The file of a design of a study.

    Args:
        ref: ``STUDY@N`` (accepted revision N; 0 is the base), ``STUDY@base`` or ``STUDY@best``.

    Raises:
        UserError: there is no such study or revision.
    """
    match = _REF.fullmatch(ref)
    if match is None:
        raise UserError(f"{ref}: write STUDY@N, STUDY@base or STUDY@best")
    run = find_run(match["study"])
    found = {int(path.name.partition("-")[0]): path for path in (run.root / "revisions").glob("[0-9]*-*.yaml")}
    if not found:
        raise UserError(f"{ref}: {run.root} holds no revision yet")
    which = {"base": 0, "best": max(found)}.get(match["which"])
    number = int(match["which"]) if which is None else which
    if number not in found:
        raise UserError(f"{ref}: there is no revision {number}; {run.root} holds 0 to {max(found)}")
    return found[number]
