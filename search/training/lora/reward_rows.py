"""The training data of a reward model, as ``designsearch policy pairs`` writes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from designsearch.dsl.problems import UserError
from designsearch.runtime.exact_json import read_exact_lines
from designsearch.search.training.lora.config import TrainingFile

SFT, PREFERENCES = "sft.jsonl", "preferences.jsonl"

Rows = list[dict[str, Any]]


def read_rows(config: TrainingFile) -> tuple[Rows, Rows]:
    """The rows of both stages.

    Raises:
        UserError: the configuration names no folder, it does not hold both files, or a line of them is no such row.
    """
    reward = config.shape.reward
    if reward is None or reward.data is None:
        raise UserError(
            f"{config.file}: reward.data: is missing; name the folder that designsearch policy pairs wrote, "
            "or leave reward out and let the rule reward the steps"
        )
    folder = config.file.parent / Path(reward.data).expanduser()
    return _rows(folder / SFT, ("prompt", "completion")), _rows(folder / PREFERENCES, ("prompt", "chosen", "rejected"))


def _rows(path: Path, keys: tuple[str, ...]) -> Rows:
    if not path.exists():
        raise UserError(f"{path}: there is no such file; designsearch policy pairs writes it")
    rows = []
    for number, row in read_exact_lines(path):
        if not isinstance(row, dict) or not all(_is_conversation(row.get(key)) for key in keys):
            raise UserError(f"{path}:{number}: is no row with {', '.join(keys)} as lists of messages")
        rows.append(row)
    return rows


def _is_conversation(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(
            isinstance(message, dict)
            and message.get("role") in ("system", "user", "assistant")
            and isinstance(message.get("content"), str)
            for message in value
        )
    )
