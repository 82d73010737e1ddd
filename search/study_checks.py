"""What is wrong with a study beyond single keys: shares, paths, what is not there yet."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from designsearch.dsl.drafts import Drafter
from designsearch.dsl.paths import Path as Place
from designsearch.dsl.problems import nearest
from designsearch.runtime.histories.base import formats
from designsearch.search.model_block import check_prices
from designsearch.search.study_shape import SplitShape, StudyShape
from designsearch.search.supervision.part_files import parts_in

OFFICIAL = "official"
_EXACT = 1e-6
_DATABASE = re.compile(r"(sqlite|postgresql)(\+\w+)?://")
STUDY_REF = re.compile(r"[^@]+@(\d+|best|base)")
"""A revision of another study, as in ``berlin@best``."""


_VARIABLE = re.compile(r"\$\{(\w+)\}")


def filled(folder: Path, written: str) -> Path:
    """A path as written in a study, with ``~`` and ``${NAME}`` of the environment filled in where they are set."""
    return folder / Path(os.path.expandvars(written)).expanduser()


def set_aside(written: dict[str, Any], drafter: Drafter) -> dict[str, Any]:
    """Report what the format knows and this version cannot do, and return the study without it."""
    result = dict(written)
    execution = written.get("execution")
    if isinstance(execution, dict) and execution.get("backend") in ("dask", "ray"):
        message = f"the backend {execution['backend']} is not available yet"
        drafter.report(("execution", "backend"), message, "use serial, threading or loky")
        result["execution"] = execution | {"backend": "serial"}
    return result


def check_study(shape: StudyShape, accept: str, folder: Path, drafter: Drafter, *, asks_proposer: bool) -> None:
    """Report what does not fit together in a study whose keys are all right by themselves.

    Args:
        shape: the study.
        accept: name of its rule of acceptance.
        folder: that its paths are relative to.
        drafter: gets the problems.
        asks_proposer: whether its proposer asks a model.
    """
    _check_shares(shape.split, accept, drafter)
    _check_models(shape, drafter, asks_proposer=asks_proposer)
    if shape.storage is not None:
        _check_storage(shape.storage, drafter)
    for i, entry in enumerate(shape.data):
        _check_exists(_without_name(folder, entry.history), ("data", i, "history"), folder, "file or folder", drafter)
        _check_format(entry.format, ("data", i, "format"), drafter)
        if isinstance(entry.questions, str) and entry.questions != OFFICIAL:
            _check_questions(entry.questions, ("data", i, "questions"), folder, drafter)
    if not STUDY_REF.fullmatch(shape.base):
        _check_exists(shape.base, ("base",), folder, "file", drafter)
    if all(entry.split == "locked" for entry in shape.data):
        drafter.report(("data",), "every history is locked: nothing is left to learn from", "unlock one of them")


def _check_models(shape: StudyShape, drafter: Drafter, *, asks_proposer: bool) -> None:
    named = shape.models.named()
    if asks_proposer and "proposer" not in named:
        hint = 'add to models: proposer: {model: NAME, base_url: "http://127.0.0.1:8080/v1"}, or do without llm'
        drafter.report(("proposer",), "llm needs a model for the role proposer", hint)
    check_prices(shape.models, shape.budget, drafter)
    if named and shape.execution.backend == "loky":
        hint = "use threading or serial: calls to models are in flight together anyway"
        drafter.report(("execution", "backend"), "models cannot be shared by processes", hint)


def _check_shares(split: SplitShape, accept: str, drafter: Drafter) -> None:
    place: Place = ("split",)
    shares = {"train": split.train, "validation": split.validation, "locked": split.locked, "confirm": split.confirm}
    total = sum(shares.values())
    if abs(total - 1) > _EXACT:
        said = " + ".join(f"{name} {share:g}" for name, share in shares.items() if share)
        drafter.report(place, f"the shares must add up to 1; {said} make {total:g}")
    if accept == "confirm" and not split.confirm:
        drafter.report(place, "accept: confirm needs a reserved share", "add confirm: 0.1 and lower another share")
    if accept != "confirm" and split.confirm:
        hint = "write accept: {op: confirm}, or give the share to another"
        drafter.report((*place, "confirm"), "nobody would look at the reserved share", hint)


def _check_storage(written: str, drafter: Drafter) -> None:
    if "://" in written:
        if not _DATABASE.match(written):
            drafter.report(("storage",), f"{written}: not a database that Optuna's studies are kept in here", _STORAGE)
    elif not written.endswith(".log"):
        drafter.report(("storage",), f"{written}: a journal's name ends in .log", _STORAGE)


_STORAGE = "a journal such as runs/NAME/journal.log, sqlite:///runs/NAME/study.db, or postgresql://..."


def _without_name(folder: Path, history: str) -> str:
    """The path of ``PATH#NAME``; either may hold a ``#`` itself."""
    places = [len(history), *(at for at in range(len(history) - 1, 0, -1) if history[at] == "#")]
    return next((history[:at] for at in places if filled(folder, history[:at]).exists()), history[: places[:2][-1]])


def _check_format(written: str, place: Place, drafter: Drafter) -> None:
    known = ["auto", *formats()]
    if written not in known:
        drafter.report(place, f"unknown format {written}", nearest(written, known) or f"one of {', '.join(known)}")


def _check_questions(written: str, place: Place, folder: Path, drafter: Drafter) -> None:
    """A file of questions, or a folder of generated ones."""
    if not parts_in(filled(folder, written)):
        _check_exists(written, place, folder, "file", drafter)


def _check_exists(written: str, place: Place, folder: Path, what: str, drafter: Drafter) -> None:
    path = filled(folder, written)
    if missing := _VARIABLE.search(str(path)):
        name = missing[1]
        drafter.report(place, f"the environment variable {name} is not set", f"set it, as in {name}=FOLDER")
    elif not path.exists():
        drafter.report(place, f"there is no such {what}: {path}")
    elif what == "file" and path.is_dir():
        drafter.report(place, f"is a folder, a file is needed: {path}")
