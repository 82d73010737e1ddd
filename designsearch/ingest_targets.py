"""Where what an import writes will go, decided before anything is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from designsearch.dsl.problems import UserError
from designsearch.result_files import check_writable
from designsearch.runtime.histories.file_names import file_stems

_SHOWN_NAMES = 10


@dataclass(frozen=True)
class Targets:
    """Where everything will go.

    Attributes:
        files: the file of each history, by its name.
        questions: the file of questions; ``None`` where they are left out.
        report: the file of the account; ``None`` where there is none.
        whole_folder: whether the histories go into a folder.
    """

    files: dict[str, Path]
    questions: Path | None
    report: Path | None
    whole_folder: bool


def check_first(path: Path, out: str | Path, questions: str | Path | None, *, overwrite: bool) -> None:
    """Refuse, before anything is read, to write onto the source or into it, over other files, or two into one file.

    Raises:
        UserError: that would happen.
    """
    targets = [Path(out), *([Path(questions)] if questions is not None else ())]
    for target in targets:
        check_apart(path, target)
        _check_new(target, overwrite=overwrite)
    if len(targets) == 2 and _same(*targets):
        raise UserError(f"{out}: history and questions cannot go into the same file")


def check_apart(path: Path, target: Path) -> None:
    """Refuse to write onto the source, or into a folder that is the source: what is written would be read next time.

    Raises:
        UserError: that would happen.
    """
    if path.is_file() and _same(path, target):
        raise UserError(f"{target}: is the source itself; name another file")
    if path.is_dir() and path.resolve() in (target.resolve(), *target.resolve().parents):
        raise UserError(f"{target}: lies in the source, {path}, of which it would become a part; name another place")


def _same(one: Path, other: Path) -> bool:
    """Whether two paths are one file."""
    if one.exists() and other.exists():
        return one.samefile(other)
    return one.resolve() == other.resolve()


def targets_of(
    source: str,
    path: Path,
    names: Sequence[str],
    out: Path,
    written: str,
    questions: str | Path | None,
    *,
    overwrite: bool,
) -> Targets:
    """Decide where everything goes, and find out whether it may.

    Args:
        source: what is read, for messages.
        path: its file or folder.
        names: the histories in it.
        out: the file or folder to write.
        written: that as the user wrote it, as a slash at its end makes it a folder.
        questions: the file of questions, if any.
        overwrite: whether files that exist may be replaced.

    Raises:
        UserError: a target exists or is the source, several histories cannot go into one file, or a folder is missing.
        CannotContinueError: a target may not be written to.
    """
    whole_folder = out.is_dir() or written.endswith(("/", "\\"))
    if len(names) > 1 and not whole_folder:
        if out.suffix or out.exists():
            raise UserError(_several(source, out, names))
        whole_folder = True
    if whole_folder:
        _check_folder(out)
        files = {name: out / f"{stem}.jsonl" for name, stem in file_stems(names).items()}
        report: Path | None = out / "ingest.report.json"
    else:
        files = {names[0]: out}
        report = None if out.exists() and not out.is_file() else out.with_name(f"{out.stem}.report.json")
    plan = Targets(files, None if questions is None else Path(questions), report, whole_folder)
    for target in filter(None, (*files.values(), plan.questions, report)):
        check_apart(path, target)
        if target.parent.exists() or not whole_folder:
            check_writable(target)
        _check_new(target, overwrite=overwrite)
    return plan


def _check_new(target: Path, *, overwrite: bool) -> None:
    """A file that is not there yet, or that may be replaced."""
    if target.is_file() and not overwrite:
        raise UserError(f"{target}: exists already and is not overwritten; name another file, or add --force")


def _check_folder(out: Path) -> None:
    """A folder to write to: one that is there, or one that can be made in one that is there."""
    if not out.exists() and not out.parent.is_dir():
        raise UserError(f"{out}: cannot be made: {out.parent}: there is no such folder; make it first")
    if out.exists() and not out.is_dir():
        raise UserError(f"{out}: is a file; name a folder")


def _several(source: str, out: Path, names: Sequence[str]) -> str:
    """What is said where one file is to hold several histories."""
    shown = ", ".join(names[:_SHOWN_NAMES]) + (", ..." if len(names) > _SHOWN_NAMES else "")
    return (
        f"{source}: holds {len(names)} histories, and {out} takes one; take one with {source}#NAME, "
        f"or name a folder, as in -o {out.with_suffix('')}/ (histories: {shown})"
    )
