"""What a generation came to: the questions, how they were won, and why there are not more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from designsearch.runtime.records import History, Question
from designsearch.search.costs import Costs, summed
from designsearch.search.kept_files import read_json
from designsearch.search.supervision.cast import Cast
from designsearch.search.supervision.folder import SupervisionFolder
from designsearch.search.supervision.funnel import Funnel
from designsearch.search.supervision.items import Item
from designsearch.search.supervision.ledger import End, ItemLedger
from designsearch.search.supervision.select import BARREN, DUPLICATE, GIVEN_UP, OFFICIAL, USED_UP, Selection
from designsearch.search.supervision.spread import spread


@dataclass(frozen=True)
class Supervision:
    """Generated questions.

    Attributes:
        folder: where they are.
        items: by part, what was taken, in order; with plan and quotes.
        why: why there are fewer than asked for, one line a part; empty where there are not.
        report: the funnel, the spread, the costs, as they are kept in ``funnel.json``.
        costs: what models took, over all runs.
    """

    folder: Path
    items: Mapping[str, tuple[Item, ...]]
    why: tuple[str, ...]
    report: Mapping[str, Any]
    costs: Costs

    @property
    def parts(self) -> dict[str, tuple[Question, ...]]:
        """The questions by part."""
        return {part: tuple(i.question for i in items if i.question is not None) for part, items in self.items.items()}

    @property
    def questions(self) -> tuple[Question, ...]:
        """All of them."""
        return tuple(question for own in self.parts.values() for question in own)


def outcome_of(
    history: History,
    files: SupervisionFolder,
    selection: Selection,
    wanted: Mapping[str, int],
    funnel: Funnel,
    ledger: ItemLedger,
    cast: Cast,
    notes: Sequence[str],
) -> Supervision:
    """Write the files of a generation as far as it came, and say what it came to.

    Raises:
        CannotContinueError: they cannot be written.
    """
    items = {part: tuple(selection.taken(part)) for part in wanted}
    costs = cast.costs()
    made = Supervision(files.root, items, tuple(_why(selection, wanted, ledger)), {}, costs)
    report = {
        **funnel.document(),
        "finished": all(selection.end(part) is not None for part in wanted),
        "parts": {part: {"wanted": number, "kept": len(items[part])} for part, number in wanted.items()},
        "why": list(made.why),
        "notes": list(notes) or _notes_of(files),
        "near_duplicates": funnel.reasons["selection", DUPLICATE],
        "like_official": funnel.reasons["selection", OFFICIAL],
        "spread": spread(history, made.questions),
        "costs": _costs(costs, len(made.questions)),
    }
    rejected = [line for line in ledger.lines if isinstance(line, Item) and line.lost is not None]
    files.write(items, rejected, report)
    return Supervision(files.root, items, made.why, report, costs)


def _why(selection: Selection, wanted: Mapping[str, int], ledger: ItemLedger) -> list[str]:
    """Why parts have fewer questions than they should."""
    lines = []
    for part, number in wanted.items():
        end, has = selection.end(part), len(selection.taken(part))
        if has >= number or end is None:
            continue
        lines.append(f"{part}: {has} of {number} questions: {_reason(end, _bundles(ledger, part))}")
    return lines


def _reason(end: End, bundles: int) -> str:
    noun = "bundle" if bundles == 1 else "bundles"
    if end.why == USED_UP:
        return f"the history is used up after {bundles:,} {noun} of records"
    assert end.why == GIVEN_UP
    return f"given up after {BARREN} bundles in a row without a question ({bundles:,} in all)"


def _bundles(ledger: ItemLedger, part: str) -> int:
    return sum(isinstance(line, Item) and line.part == part for line in ledger.lines)


def _notes_of(files: SupervisionFolder) -> list[str]:
    """The notes of an earlier run."""
    found = read_json(files.funnel)
    return list(found.get("notes", [])) if isinstance(found, dict) else []


def _costs(costs: Costs, kept: int) -> dict[str, Any]:
    """What models took, in all and for each question."""
    total = summed(costs)
    each = max(1, kept)
    return {
        "roles": {role: one.to_json() for role, one in costs.items()},
        "calls_per_question": total.calls / each,
        "tokens_per_question": (total.input_tokens + total.output_tokens) / each,
        "usd_per_question": total.usd / each,
    }
