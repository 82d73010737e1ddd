"""Remove records with everything that was derived from them, then look for what is left.

Derived files come first and the history last, so that whoever is interrupted can do it again.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from designsearch.cached import cached_files, remove
from designsearch.dsl.problems import CannotContinueError
from designsearch.figures import number_of
from designsearch.forgetting.databases import forget_rows, is_database, marked, model_rows
from designsearch.forgetting.derived import Change, change_of, questions_in
from designsearch.forgetting.log_file import LogFile, read_log, refers
from designsearch.forgetting.places import Places, held, is_aside, look
from designsearch.forgetting.proof import left_in
from designsearch.forgetting.target import Target, target_of
from designsearch.runtime.cache import write_whole

REPORTS = ("{stem}.report.json", "ingest.report.json")
"""What an import leaves beside a history; it quotes examples."""

LEAST_WORDS = 4
"""A question with no more words than this says nothing of the record that it was made from."""

STUDY = "study.yaml"
_CALLS = "calls.sqlite"


@dataclass(frozen=True)
class Entry:
    """A file, and what was done to it or found in it."""

    file: Path
    what: str


@dataclass
class Forgotten:
    """What was done.

    Attributes:
        records: ids of the records.
        dry_run: whether nothing was changed.
        removed: what was done, file by file.
        cached: files of the cache that were removed.
        left: what still holds or names the records; in a dry run, what would.
        searched: number of files searched at the end, and their bytes.
        links: links that were not followed.
        stale: folders of studies and of generated questions whose history has changed, which can therefore not go on.
        also_said: for each record, the others that say a part of it.
        too_short: records of which no text could be searched for.
    """

    records: tuple[str, ...]
    dry_run: bool
    removed: list[Entry] = field(default_factory=list)
    cached: int = 0
    left: list[Entry] = field(default_factory=list)
    searched: tuple[int, int] = (0, 0)
    links: tuple[Path, ...] = ()
    stale: tuple[Path, ...] = ()
    also_said: dict[str, tuple[str, ...]] = field(default_factory=dict)
    too_short: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "forgotten": list(self.records),
            "dry_run": self.dry_run,
            "removed": [{"file": str(one.file), "what": one.what} for one in self.removed],
            "cache_files_removed": self.cached,
            "left": [{"file": str(one.file), "what": one.what} for one in self.left],
            "searched": {"files": self.searched[0], "bytes": self.searched[1]},
            "links_not_followed": list(map(str, self.links)),
            "cannot_go_on": list(map(str, self.stale)),
            "also_said_by": {name: list(others) for name, others in self.also_said.items()},
            "too_short_to_search": list(self.too_short),
        }


def forget(names: Sequence[str], history: Path, folders: Sequence[Path], cache: Path, *, dry_run: bool) -> Forgotten:
    """Forget records.

    Args:
        names: their ids.
        history: the file of their history.
        folders: folders and files that may hold what was derived from it.
        cache: the cache folder, which is emptied.
        dry_run: only find out.

    Raises:
        UserError: there is no such record, file or folder, or the history is no file of JSON lines.
        CannotContinueError: a study is in use, or a file cannot be read or written. What was done by then stays done.
    """
    log = read_log(history)
    records = log.check(list(names))
    target = target_of(history.stem, log.events, log.ids, records)
    beside = [path for name in REPORTS if (path := history.with_name(name.format(stem=history.stem))).is_file()]
    places = look(folders)
    done = Forgotten(tuple(dict.fromkeys(names)), dry_run, links=places.links, too_short=target.too_short)
    done.also_said = dict(target.also_said)
    try:
        target = _with_questions(target, places, log)
        with nullcontext() if dry_run else held(places):
            _derived(target, places, beside, history, done)
            _cache(cache, done)
            _history(log, records, done)
    except OSError as error:
        raise CannotContinueError(f"{error.filename}: {(error.strerror or str(error)).lower()}") from None
    where = [history, *beside, *folders, *([cache] if cache.is_dir() else [])]
    _prove(log, target, where, {one.file for one in done.removed} if dry_run else set(), cache, done)
    return done


def _with_questions(target: Target, places: Places, log: LogFile) -> Target:
    """With the words of the questions that were made from the records, by which results and replies are found."""
    asked = [found for path in places.files if path.suffix == ".jsonl" for found in questions_in(path, target)]
    # a file of pairs repeats a question without its evidence: that is the same question, and no other one
    derived = {words for words, marked in asked if marked and len(words.split()) > LEAST_WORDS}
    others = {words for words, _ in asked} - derived
    texts = [event.text for event, name in zip(log.events, log.ids, strict=True) if name not in target.ids]
    return target.also(sorted(derived), [*texts, *sorted(others)])


def _derived(target: Target, places: Places, beside: Sequence[Path], history: Path, done: Forgotten) -> None:
    own = history.resolve()
    changed: list[Path] = []
    for path in (*beside, *(path for path in places.files if path.resolve() != own)):
        ours = path in beside or places.is_ours(path)
        if is_aside(path) or not path.is_file():
            continue
        if ours and is_database(path):
            continue
        change = change_of(path, target, ours)
        if change is not None:
            _apply(change, done)
            changed.append(path)
    concerned = [home for home in places.homes if _reads(home, history) or any(home in one.parents for one in changed)]
    for path in places.files:
        if places.is_ours(path) and not is_aside(path) and path.is_file() and is_database(path):
            _database(path, target, any(home in path.parents for home in concerned), done)
    done.stale = tuple(concerned)


def _apply(change: Change, done: Forgotten) -> None:
    done.removed.append(Entry(change.path, change.what))
    if done.dry_run:
        return
    if change.text is None:
        change.path.unlink()
    else:
        _write(change.path, change.text)


def _write(path: Path, text: str) -> None:
    """Write a file anew, with the rights that it had."""
    mode = path.stat().st_mode
    write_whole(path, text.encode("utf-8", "surrogateescape"))
    path.chmod(mode)


def _database(path: Path, target: Target, concerned: bool, done: Forgotten) -> None:
    try:
        holds = marked(path, target)
        rows = model_rows(path) if concerned or holds else 0
    except sqlite3.Error as error:
        raise CannotContinueError(
            f"{path}: cannot be read as a database ({error}); stop what uses it, or move it away, and forget again"
        ) from None
    if not rows and not holds:
        return
    parts = [f"{number_of(rows, 'reply or vector', 'replies and vectors')} of models removed"] if rows else []
    done.removed.append(Entry(path, ", ".join([*parts, *(["cells blanked"] if holds else [])])))
    if not done.dry_run:
        forget_rows(path, target, models=rows > 0)


def _reads(home: Path, history: Path) -> bool:
    """Whether a folder that the program writes may be about a history: its study names that file, or does not tell."""
    import yaml

    study = home / STUDY
    if not study.is_file():
        return (home / _CALLS).is_file()
    try:
        entries = yaml.safe_load(study.read_text(encoding="utf-8"))["data"]
        named = [Path(str(entry["history"]).rpartition("#")[0] or str(entry["history"])) for entry in entries]
    except (yaml.YAMLError, KeyError, TypeError, ValueError):
        return True
    return any(path.name == history.name or not path.suffix or "$" in str(path) for path in named)


def _cache(cache: Path, done: Forgotten) -> None:
    """All of it goes: a file in it is named by a hash and does not tell what it was made from."""
    kept = cached_files(cache)
    done.cached = len(kept)
    if not done.dry_run:
        for one in kept:
            remove(one)


def _history(log: LogFile, records: frozenset[str], done: Forgotten) -> None:
    text, gone, changed = log.without(records)
    what = f"{number_of(gone, 'line')} removed"
    if changed:
        what += f", references to it removed from {number_of(changed, 'line')}"
    done.removed.append(Entry(log.path, what))
    if not done.dry_run:
        _write(log.path.resolve(), text)


def _prove(
    log: LogFile, target: Target, where: Iterable[Path], passed_over: set[Path], cache: Path, done: Forgotten
) -> None:
    """Search every file that is there now; in a dry run, those that would not be changed."""
    files = size = 0
    places = look(where)
    done.left += [Entry(folder, f"could not be searched ({why})") for folder, why in places.closed.items()]
    for path in _searched(places, cache, dry_run=done.dry_run):
        if path in passed_over:
            continue
        files += 1
        size += path.stat().st_size
        is_log = not done.dry_run and path.resolve() == log.path.resolve()
        if what := left_in(path, target) or ("names it" if is_log and _refers(path, target.ids) else ""):
            done.left.append(Entry(path, what))
    done.searched = files, size


def _refers(path: Path, names: frozenset[str]) -> bool:
    """Whether an event of the history is about one of the records, or refers to one."""
    lines = path.read_text(encoding="utf-8-sig", errors="replace").split("\n")
    return any(refers(json.loads(line), names) for line in lines if line.strip())


def _searched(places: Places, cache: Path, *, dry_run: bool) -> Iterator[Path]:
    going = {path for one in cached_files(cache) for path in (one.path, *one.beside)} if dry_run else set()
    yield from (path for path in places.files if path not in going)
