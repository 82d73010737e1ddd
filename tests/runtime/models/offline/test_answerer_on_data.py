"""Floors on a real data set with its evidence shown. They guard against a rule that breaks; they claim nothing."""

import json
import os
import pathlib
import re
from datetime import datetime

import pytest

from designsearch.runtime.models.base import Ask
from designsearch.runtime.models.offline.answerer import OfflineAnswerer
from designsearch.runtime.models.offline.dates import dates_in
from designsearch.runtime.records import Context

DATA = os.environ.get("DESIGNSEARCH_DATA")
pytestmark = pytest.mark.skipif(not DATA, reason="needs the data sets: set DESIGNSEARCH_DATA to their folder")
TEMPORAL, UNANSWERABLE = 2, 5


def lines_of(conversation):
    lines = {}
    for name, turns in conversation.items():
        if re.fullmatch(r"session_\d+", name):
            day = datetime.strptime(conversation[f"{name}_date_time"].strip(), "%I:%M %p on %d %B, %Y").date()  # noqa: DTZ007
            for turn in turns:
                text = turn.get("text") or turn.get("blip_caption", "")
                lines[turn["dia_id"]] = f"[{day}] {turn['speaker']}: {text}"
    return lines


def asked(category):
    for sample in json.loads(pathlib.Path(DATA, "locomo", "locomo5.json").read_text(encoding="utf-8")):
        lines = lines_of(sample["conversation"])
        for question in sample["qa"]:
            ids = [i for e in question["evidence"] for i in re.findall(r"D\d+:\d+", e) if i in lines]
            if question["category"] == category and ids:
                context = Context("\n".join(lines[i] for i in ids), 0, ())
                yield question, OfflineAnswerer().answer_all([Ask(question["question"], context)])[0]


def days(text):
    found = dates_in(str(text), None)
    return [(d.first, d.last) for d in found]


def test_dates_resolve_against_the_day_of_the_record():
    results = [days(q["answer"]) == days(a.text) for q, a in asked(TEMPORAL) if days(q["answer"])]
    assert len(results) > 100
    assert sum(results) / len(results) > 0.6


def test_about_half_of_the_questions_about_the_wrong_person_are_refused():
    results = [a.abstained for _, a in asked(UNANSWERABLE)]
    assert len(results) > 200
    assert sum(results) / len(results) > 0.4
