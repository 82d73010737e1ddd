"""The folder of a training: its curve, the best checkpoint by held-out recall, and the last one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from designsearch.search.training.lora.adapters import save

CURVE, BEST, LAST = "curve.jsonl", "best", "last"


class Keeper:
    """Writes down how training goes and keeps what is best.

    Args:
        folder: is made where it is missing; a curve in it is begun anew.
        model: with adapters, as it is whenever something is kept.
        say: gets a line an entry.
    """

    def __init__(self, folder: Path, model: Any, say: Callable[[str], None]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / CURVE).write_text("", encoding="utf-8")
        self._folder, self._model, self._say = folder, model, say
        self._recall = -1.0

    @property
    def best(self) -> Path:
        """The folder of the best checkpoint."""
        return self._folder / BEST

    def updated(self, number: int, figures: Mapping[str, Any]) -> None:
        """Note an update."""
        self._write({"update": number, **figures})
        reward = f"reward {figures['reward']:.3f}" if "reward" in figures else "no episode was judged"
        self._say(f"update {number}: {reward}, {figures['groups']} questions teach")

    def looked(self, number: int, held_out: Mapping[str, Any]) -> None:
        """Note a look at the held-out questions; the checkpoint is kept where recall is above all before."""
        self._write({"update": number, "held_out": dict(held_out)})
        recall = held_out["kept"]
        self._say(f"update {number}: {recall:.3f} of the held-out evidence is kept")
        if recall > self._recall:
            self._recall = recall
            save(self._model, self.best, {"update": number, "held_out": dict(held_out)})

    def ended(self, number: int, optimiser: Any) -> None:
        """Keep where training ended, to go on from."""
        save(self._model, self._folder / LAST, {"update": number}, optimiser)

    def _write(self, row: Mapping[str, Any]) -> None:
        with (self._folder / CURVE).open("a", encoding="utf-8") as curve:
            curve.write(json.dumps(row) + "\n")
