"""A whole study with the bundled model in every role, really run: killed, resumed, finished, replayed.

What the model says is worth little; that the study ends well all the same is what is tested.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from designsearch.runtime.models.books.tallies import read_spending
from designsearch.runtime.models.serving import extras

pytestmark = [
    pytest.mark.skipif(not extras.installed(extras.LOCAL_LIBRARY), reason=f"needs {extras.LOCAL_INSTALL}"),
    pytest.mark.skipif(extras.bundled_model() is None, reason=f"needs {extras.BUNDLE_INSTALL}"),
]

PEOPLE = {"Mira": "Porto", "Jonah": "Bergen", "Pilar": "Graz", "Oskar": "Lyon"}
CAP = 120
STUDY = f"""version: 1
study: local
data:
  - {{history: history.jsonl, questions: questions.jsonl}}
split: {{train: 0.34, validation: 0.33, locked: 0.33}}
base: base.yaml
context_budget: 60
models:
  default: {{model: local, max_output_tokens: 32, context_tokens: 8192, concurrency: 1}}
  embedder: local
objective: accuracy
proposer: {{op: mixed, of: [llm, rules]}}
accept: {{op: strict}}
budget: {{trials: 1, llm_calls: {CAP}}}
"""
BASE = """version: 1
retrieval:
  - {op: multi_query, n: 1}
  - {op: dense, k: 1}
context: {item: "{{ unit.author }}: {{ unit.text }}"}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    made = tmp_path_factory.mktemp("local")
    records, questions = [], []
    for day, (name, town) in enumerate(PEOPLE.items(), start=1):
        for part, text in enumerate((f"I was born in {town}.", f"My street is {name} Lane."), start=1):
            record = {"id": f"{name}-{part}", "text": text, "author": name, "role": "user", "session": name}
            records.append(record | {"time": f"2024-03-{day:02d}T09:0{part}"})
        evidence = [{"record": f"{name}-1"}]
        questions += [
            {"question": f"In which town was {name} born?", "answer": town, "evidence": evidence},
            {"question": f"Who is {name}'s doctor?", "answerable": False, "answer": None, "evidence": []},
        ]
    for file, rows in (("history", records), ("questions", questions)):
        made.joinpath(f"{file}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    made.joinpath("base.yaml").write_text(BASE)
    made.joinpath("study.yaml").write_text(STUDY)
    return made


def command(folder: Path, *words: str) -> subprocess.Popen[str]:
    env = {**os.environ, "DESIGNSEARCH_CACHE": str(folder / "cache")}
    out = subprocess.PIPE
    line = [sys.executable, "-m", "designsearch", *words]
    return subprocess.Popen(line, cwd=folder, env=env, stdout=out, stderr=out, text=True)


def document(folder: Path, *words: str) -> dict:
    process = command(folder, *words, "--json")
    out, err = process.communicate(timeout=500)
    assert process.returncode == 0, err
    return json.loads(out)


def test_a_study_in_every_role_is_killed_and_resumed_and_replayed(folder):
    calls = folder / "runs" / "local" / "calls.sqlite"
    first = command(folder, "run", "study.yaml")
    end = time.monotonic() + 200
    while not (folder / "runs" / "local" / "trials").is_dir() and time.monotonic() < end:
        assert first.poll() is None, first.communicate()
        time.sleep(0.1)
    first.send_signal(signal.SIGKILL)  # the base is scored, the first proposal asked for or about to be
    first.communicate()
    before = read_spending(calls)
    assert 0 < before.calls < CAP

    outcome = document(folder, "run", "study.yaml")
    assert (outcome["reason"], outcome["scored"]) == ("trials", 1)
    after = read_spending(calls)
    assert before.calls < after.calls <= CAP

    by_role = {row["role"]: row for row in document(folder, "log", "study.yaml", "--costs")["costs"]}
    assert {"answerer", "judge", "proposer", "helper", "embedder"} <= set(by_role)
    for role in ("answerer", "judge", "proposer", "helper", "embedder"):
        assert by_role[role]["calls"] > 0
        assert by_role[role]["input_tokens"] > 0

    again = document(folder, "run", "study.yaml")
    assert again["best_hash"] == outcome["best_hash"]
    replayed = command(folder, "run", "study.yaml", "--replay")
    out, err = replayed.communicate(timeout=300)
    assert replayed.returncode == 0, err
    assert "with 0 calls: the same decisions" in out
    assert read_spending(calls).calls == after.calls
