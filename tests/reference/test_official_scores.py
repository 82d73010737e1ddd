"""Coverage and recall of whole runs on the official data against a scorer that reads only raw files and final texts.

The scorer shares nothing with the package: it takes the gold records from the raw files, finds them in the final
context by their words, and counts tokens with the tokenizer as it ships.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
import wordllama
from tokenizers import Tokenizer

from designsearch.dsl.validate import load_design
from designsearch.runtime.histories.base import load
from designsearch.runtime.histories.questions import load_questions
from designsearch.runtime.operators import load_all
from designsearch.search.evaluate import Runner, Task

DATA = os.environ.get("DESIGNSEARCH_DATA")
pytestmark = pytest.mark.skipif(not DATA, reason="DESIGNSEARCH_DATA does not name the folder of official data sets")

BUDGET = 2000
DESIGNS = {
    "bm25": "version: 1\nretrieval: [{op: bm25}]\ncontext: {item: '[{{ unit.time }}] {{ unit.text }}'}",
    "hybrid": """
version: 1
storage: {units: {op: turns}, views: {window: {op: window}}}
retrieval:
  - {op: bm25, k: 100}
  - {op: dense, view: window, k: 100}
  - {op: rrf}
context: {order: chronological, group_by: day, group: "{{ group }}", item: "{{ unit.author }}: {{ unit.text }}"}
""",
}


def words(text):
    return re.findall(r"\w+", text.lower())


def present(text, whole):
    """Whether the sentences of a gold text stand in the words of a context."""
    parts = [w for w in (words(x) for x in re.split(r"(?<=[.!?])\s+|\n+", text)) if w]
    there = [f" {' '.join(w)} " in whole for w in parts]
    size = sum(map(len, parts))
    shown = sum(len(w) for w, ok in zip(parts, there, strict=True) if ok)
    figures = all(ok for w, ok in zip(parts, there, strict=True) if any(c.isdigit() for x in w for c in x))
    return size == 0 or (shown >= 0.8 * size and figures)


def rhelm_gold(folder, name):
    """Questions all of whose evidence is single turns, met by the user's message."""
    text, gold = {}, {}
    for file in (folder / "conversations" / name).glob("*.json"):
        talk = json.loads(file.read_text(encoding="utf-8"))
        text |= {f"{talk['date']}:{turn['turn']}": turn["user"] for turn in talk["conversation"]}
    (file,) = (f for f in (folder / "QA_final").iterdir() if f"qa_{name}_all" in f.name)
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        single = [e for e in row["supporting_evidence"] if re.fullmatch(r"\d{4}-\d\d-\d\d:\d+", e)]
        if single and len(single) == len(row["supporting_evidence"]):
            gold[row["question"]] = [text[e] for e in single if e in text]
    return gold


def locomo_gold(folder, name):
    """All questions but those of category 5, met by a turn's words, else by its caption."""
    for sample in json.loads((folder / "locomo5.json").read_text(encoding="utf-8")):
        if sample["sample_id"] != name:
            continue
        talk, gold = sample["conversation"], {}
        turns = [t for key, value in talk.items() if re.fullmatch(r"session_\d+", key) for t in value]
        text = {t["dia_id"]: t.get("text", "") or t.get("blip_caption", "") for t in turns}
        for row in sample["qa"]:
            ids = [e for x in row.get("evidence", []) for e in re.findall(r"D\d+:\d+", x)]
            if row["category"] != 5 and any(i in text for i in ids):
                gold[row["question"]] = [text[i] for i in ids if i in text]
        return gold
    raise LookupError(name)


def cases():
    """A history of each data set with its gold texts and the questions that are scored."""
    root = Path(DATA)
    if (root / "rhelm").is_dir():
        name = sorted(p.name for p in (root / "rhelm" / "conversations").iterdir())[0]
        datasets = load(root / "rhelm", name=name, sources=["conversation"])
        asked = load_questions("official", datasets, {"evidence": "conversation"})[0].questions
        yield Task(datasets[0], tuple(asked)), rhelm_gold(root / "rhelm", name)
    if (root / "locomo").is_dir():
        (dataset, *_) = load(root / "locomo")
        yield Task(dataset, dataset.questions), locomo_gold(root / "locomo", dataset.name)


@pytest.mark.parametrize("design", DESIGNS)
def test_every_question_is_scored_as_by_its_final_text(design):
    tokenizer = Tokenizer.from_file(
        str(Path(wordllama.__file__).parent / "tokenizers" / "l2_supercat_tokenizer_config.json")
    )
    tokenizer.no_padding()
    compared = 0
    for task, gold in cases():
        runner = Runner(budget=BUDGET)
        for result in runner.results(
            load_design(DESIGNS[design], registry=load_all()), task, range(len(task.questions))
        ):
            tokens = len(tokenizer.encode(result.context, add_special_tokens=False).ids)
            assert tokens == result.context_tokens <= BUDGET
            texts = gold.get(result.question)
            if texts is None or result.evidence_recall is None:
                continue
            whole = f" {' '.join(words(result.context))} "
            hits = [present(text, whole) for text in texts]
            if len(hits) == len(result.evidence):
                compared += 1
                assert [e.present for e in result.evidence] == hits
    assert compared > 100
