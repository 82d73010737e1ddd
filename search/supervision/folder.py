"""The folder of generated questions: what they depend on, the ledger, and the files made from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from designsearch.dsl.problems import CannotContinueError, UserError
from designsearch.runtime.histories.file_names import file_stems
from designsearch.runtime.histories.question_file import read_question_file
from designsearch.runtime.histories.writing import question_row, questions_text
from designsearch.runtime.records import Question
from designsearch.search.differences import differences
from designsearch.search.kept_files import damaged, read_json, write_json, write_lines, write_text
from designsearch.search.plain import plain
from designsearch.search.supervision.items import Item
from designsearch.search.supervision.ledger import FILE
from designsearch.search.supervision.part_files import part_file, parts_in

REJECTED = "rejected.jsonl"
FUNNEL = "funnel.json"


@dataclass(frozen=True, slots=True)
class SupervisionFolder:
    """The files of one generation."""

    root: Path

    @property
    def manifest(self) -> Path:
        """What the questions depend on; with it the generation has begun."""
        return self.root / "manifest.json"

    @property
    def funnel(self) -> Path:
        """How many bundles got how far."""
        return self.root / FUNNEL

    @property
    def calls(self) -> Path:
        """Replies of models, where the folder is no study's."""
        return self.root / "calls.sqlite"

    def part(self, name: str) -> Path:
        """The questions of a part."""
        return part_file(self.root, name)

    def begun(self) -> bool:
        """Whether questions were generated here before."""
        return self.manifest.exists()

    def known(self) -> dict[str, Any] | None:
        """What the questions here depend on; ``None`` where none were begun.

        Raises:
            CannotContinueError: it is not as it was written.
        """
        found = read_json(self.manifest)
        if found is not None and not isinstance(found, dict):
            raise damaged(self.manifest, "it is no manifest")
        return found

    def check(self, manifest: Mapping[str, Any]) -> None:
        """Check that what the questions here depend on is as it was, or that there are none yet.

        Raises:
            CannotContinueError: something has changed; all of it is named.
            UserError: the folder holds questions of another origin.
        """
        known = self.known()
        if known is None:
            self._check_free()
        elif changed := differences(known, plain(manifest)):
            raise CannotContinueError(
                f"{self.root}: these questions cannot be gone on with, as they were made with something else:\n"
                + "\n".join(f"  {line}" for line in changed)
                + "\nput it back as it was, or name another folder"
            )

    def begin(self, manifest: Mapping[str, Any]) -> None:
        """Enter what the questions depend on, where that was not done before."""
        if not self.begun():
            write_json(self.manifest, manifest)

    def write(self, parts: Mapping[str, Sequence[Item]], rejected: Sequence[Item], funnel: Mapping[str, Any]) -> None:
        """Write what people read; each file appears whole.

        Raises:
            CannotContinueError: one cannot be written.
        """
        write_lines(self.root / REJECTED, (_rejected(item) for item in rejected))
        for part, items in parts.items():
            write_text(self.part(part), questions_text((item.question, "") for item in items if item.question))
        write_json(self.funnel, funnel)

    def finished(self) -> bool:
        """Whether there is nothing left to generate."""
        found = read_json(self.funnel)
        return isinstance(found, dict) and bool(found.get("finished"))

    def questions(self) -> dict[str, tuple[Question, ...]]:
        """The questions of each part, as the files hold them.

        Raises:
            UserError: a file has a mistake.
        """
        return {part: read_question_file(self.part(part)).questions for part in parts_in(self.root)}

    def _check_free(self) -> None:
        own = (self.root / FILE, self.root / REJECTED, self.funnel, *map(self.part, parts_in(self.root)))
        there = [path for path in own if path.exists()]
        if there:
            raise UserError(f"{there[0]}: exists already and is not overwritten; name another folder")


def questions_about(name: str, root: Path) -> dict[str, tuple[Question, ...]]:
    """The questions of each part about a history, from a folder of its own within a folder, else from that one.

    Raises:
        UserError: a file has a mistake.
    """
    return _folder_about(name, root).questions()


def made_into(root: Path, name: str) -> bool:
    """Whether the questions about a history that a folder holds were generated, not put there by somebody."""
    return _folder_about(name, root).begun()


def is_part(file: Path) -> bool:
    """Whether a file of questions is one of those of a folder that questions were generated into."""
    folder = SupervisionFolder(file.parent)
    return folder.begun() and file in map(folder.part, parts_in(file.parent))


def _folder_about(name: str, root: Path) -> SupervisionFolder:
    own = root / file_stems([name])[name]
    return SupervisionFolder(own if parts_in(own) else root)


def _rejected(item: Item) -> dict[str, Any]:
    """A line of the file of rejections: where and why, and the question where there was one."""
    assert item.lost is not None
    line = {
        "part": item.part,
        "ordinal": item.ordinal,
        "stage": item.lost.stage,
        "reason": item.lost.reason,
        "detail": item.lost.detail,
        "records": list(item.records),
    }
    return line | (question_row(item.question) if item.question is not None else {})
