"""An evaluator and a proposer that need no history, for tests of the study itself."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from designsearch.dsl.design import Design
from designsearch.dsl.validate import load_design
from designsearch.runtime.operators import load_all
from designsearch.search.contracts import Failure, GoldRecord, Part
from designsearch.search.events import Event
from designsearch.search.outcome import Outcome
from designsearch.search.proposers.base import Proposal, ProposalState
from designsearch.search.results import Key, QuestionResult
from designsearch.search.splits import Split
from designsearch.search.study import Study
from designsearch.search.study_file import parse_study

BASE = """\
# yaml-language-server: $schema=../dsl/design.schema.json
version: 1
name: base   # a comment that must survive
retrieval:
  - {op: bm25, k: 100}
"""

STUDY = """\
version: 1
study: demo
data: [{history: history.jsonl}]
base: base.yaml
objective: evidence_recall
"""

PARTS: Mapping[Part, int] = {"train": 20, "validation": 40, "confirm": 20, "locked": 30}


def chance(*parts: object) -> float:
    """A number in [0, 1) that only its parts decide."""
    digest = hashlib.sha256("/".join(map(str, parts)).encode()).hexdigest()
    return int(digest[:12], 16) / 16**12


def default_quality(design: Design) -> float:
    """Better with each stage and view, and with luck."""
    parts = len(design.retrieval) + sum(len(store.views) for store in design.stores.values())
    return 0.2 + 0.05 * min(parts, 8) + 0.3 * chance("quality", design.hash)


class FakeEvaluator:
    """Each question is right with a chance that is the design's quality, decided by the design's identity."""

    def __init__(self, quality: Callable[[Design], float] = default_quality, seconds: float = 0.0) -> None:
        self.fingerprints = {"history": "h1", "questions": "q1", "models": "offline", "counter": "bundled"}
        self.quality = quality
        self.seconds = seconds
        self.evaluated: list[tuple[str, Part]] = []
        self.diagnosed: list[str] = []

    def evaluate(self, design: Design, part: Part) -> list[QuestionResult]:
        self.evaluated.append((design.hash, part))
        time.sleep(self.seconds)
        good = self.quality(design)
        return [
            QuestionResult(
                design.hash,
                f"{part}-{i}",
                f"user{i % 2}",
                f"question {i}?",
                context="shown",
                context_tokens=1000 + i,
                evidence_recall=float(chance(part, i) < good),
                answer_recall=0.5,
                seconds=0.01,
            )
            for i in range(PARTS[part])
        ]

    def diagnose(self, design: Design, part: Part) -> list[Failure]:
        self.diagnosed.append(design.hash)
        return [
            Failure(
                f"{part}-{i}", "user0", f"question {i}?", "42", "retrieval", "not_retrieved", "retrieval[0]", None,
                (GoldRecord(f"r{i}", "the answer is 42", "user", kind="not_retrieved"),),
            )
            for i in range(PARTS[part]) if chance(part, i) >= self.quality(design)
        ]  # fmt: skip


class StepProposer:
    """Proposes another k each time."""

    name = "steps"

    def __init__(self, texts: list[str] | None = None) -> None:
        self.texts = texts
        self.states: list[ProposalState] = []

    def propose(self, state: ProposalState) -> Proposal | None:
        self.states.append(state)
        if self.texts is not None:
            if state.ordinal >= len(self.texts):
                return None
            return Proposal(self.texts[state.ordinal], proposer=self.name)
        k = state.random("k").randint(1, 10_000)
        text = BASE.replace("k: 100", f"k: {k}")
        return Proposal(text, ({"set": "retrieval[0].k", "value": k},), f"try {k}", "more", self.name, {"k": k})


def make_study(
    folder: Path,
    extra: str = "",
    evaluator: FakeEvaluator | None = None,
    proposer: object | None = None,
    events: list[Event] | None = None,
) -> Study:
    (folder / "history.jsonl").touch()
    (folder / "base.yaml").write_text(BASE, encoding="utf-8")
    evaluator = evaluator or FakeEvaluator()
    part_of = {Key(f"user{i % 2}", f"{part}-{i}"): part for part, size in PARTS.items() for i in range(size)}
    return Study(
        file=parse_study(STUDY + extra, folder / "study.yaml"),
        base=load_design(BASE, "base.yaml", load_all(), folder),
        evaluator=evaluator,
        split=Split("question", part_of),
        registry=load_all(),
        proposer=proposer or StepProposer(),  # type: ignore[arg-type]
        listen=(events.append if events is not None else lambda _: None),
    )


def run(folder: Path, extra: str = "", **kwargs: object) -> Outcome:
    return make_study(folder, extra, **kwargs).run()  # type: ignore[arg-type]
