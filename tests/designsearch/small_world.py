"""A design, a history and questions that several test files share."""

from __future__ import annotations

import json
from pathlib import Path

DESIGN = """\
version: 1
name: words
storage:
  units: {op: records}
retrieval:
  - {op: bm25, k: 50}
  - {op: take, k: 20}
context:
  item: "[{{ unit.time | day }}] {{ unit.author }}: {{ unit.text }}"
  order: chronological
"""

HISTORY = [
    {"id": "m1", "text": "The ferry to Texel leaves at 9:30.", "time": "2025-03-01", "author": "Ida", "role": "user"},
    {"id": "m2", "text": "I will remind you of the ferry.", "time": "2025-03-01", "author": "bot", "role": "assistant"},
    {"id": "m3", "text": "Our dog is called Miso.", "time": "2025-03-04", "author": "Ida", "role": "user"},
    {"id": "m4", "text": "Miso ate 3 socks today.", "time": "2025-03-09", "author": "Ida", "role": "user"},
    {"id": "m5", "text": "Rent is 840 euros from May on.", "time": "2025-04-20", "author": "Ida", "role": "user"},
]

QUESTIONS = [
    {
        "id": "q1",
        "question": "When does the ferry leave?",
        "answer": "9:30",
        "type": "fact",
        "evidence": [{"record": "m1"}],
    },
    {
        "id": "q2",
        "question": "How many socks did Miso eat?",
        "answer": 3,
        "answer_type": "number",
        "type": "count",
        "evidence": [{"record": "m4"}],
    },
    {"id": "q3", "question": "What is the cat called?", "answerable": False, "type": "abstain"},
]


def write_lines(path: str | Path, lines) -> None:
    """JSON lines."""
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    Path(path).write_text(text, encoding="utf-8")
