"""A small history with questions, a study about it, and a server that plays every role, for tests with models."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from model_stub import Answer, Stub, refused

DESIGN = "version: 1\nretrieval: [{op: bm25, k: 1}]\n"

COUNT = 40


def write_world(folder: Path, count: int = COUNT) -> None:
    """``history.jsonl``, ``questions.jsonl`` and ``base.yaml``."""
    records = [
        {
            "id": f"m{i}",
            "text": f"The apple of tree {i} lies on shelf {i * 7}, beside the pear of tree {count - i}.",
            "time": f"2024-03-{i % 28 + 1:02d}",
            "session": f"s{i // 4}",
        }
        for i in range(count)
    ]
    questions = [
        {
            "question": f"On which shelf does the apple of tree {i} lie?",
            "answer": f"shelf {i * 7}",
            "evidence": [{"record": f"m{i}"}],
        }
        for i in range(count)
    ]
    for name, lines in (("history", records), ("questions", questions)):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    (folder / "base.yaml").write_text(DESIGN, encoding="utf-8")


def study_text(url: str, extra: str = "", models: str = "", trials: int = 3, proposer: str = "sampler") -> str:
    """A study whose models answer at an address."""
    models = models or f'  default: {{model: stub, base_url: "{url}", concurrency: 4, retries: 1}}\n'
    return (
        "version: 1\nstudy: demo\ndata: [{history: history.jsonl, questions: questions.jsonl}]\nbase: base.yaml\n"
        f"context_budget: 60\nobjective: accuracy\nproposer: {{op: {proposer}}}\nmodels:\n{models}"
        + (f"budget: {{trials: {trials}}}\n" if "budget:" not in extra else "")
        + extra
    )


class Roles:
    """Plays answerer, judge and proposer by the words of their prompts; counts what it was asked.

    Args:
        quota: chat calls after which the quota is used up.
    """

    def __init__(self, quota: int | None = None) -> None:
        self.quota = quota
        self.calls: Counter[str] = Counter()

    @property
    def chats(self) -> int:
        return sum(self.calls.values())

    def __call__(self, path: str, body: Any, number: int) -> Any:
        if path != "/chat/completions":
            return None
        text = "\n".join(message["content"] for message in body["messages"])
        role = _role(text)
        if self.quota is not None and self.chats >= self.quota:
            return refused(429, "You exceeded your current quota", code="insufficient_quota")
        self.calls[role] += 1
        return getattr(self, role)(text)

    def answerer(self, text: str) -> str:
        tree = re.findall(r"does the apple of tree (\d+) lie", text)[-1]
        found = re.search(rf"apple of tree {tree} lies on (shelf \d+)", text)
        return found[1] if found else "NO ANSWER"

    def judge(self, text: str) -> str:
        return json.dumps({"reason": "they differ", "verdict": "incorrect"})

    def proposer(self, text: str) -> str:
        k = 1 + self.calls["proposer"]
        edits = [{"op": "set", "path": "retrieval[0].k", "value": str(k), "to": None}]
        return json.dumps({"rationale": "more", "expected": "more", "edits": edits})


def _role(text: str) -> str:
    if "You grade answers" in text:
        return "judge"
    return "answerer" if "You answer questions" in text else "proposer"


__all__ = ["COUNT", "DESIGN", "Answer", "Roles", "Stub", "study_text", "write_world"]
