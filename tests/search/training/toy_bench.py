"""A history in which what answers tells and what asks does not: the difference that a policy can learn."""

from __future__ import annotations

from designsearch.dsl.validate import load_design
from designsearch.runtime.compile import compile_design
from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.operators import load_all
from designsearch.runtime.policies.rollout import World
from designsearch.runtime.records import Evidence, Question, Record
from designsearch.search.evaluate import Task
from designsearch.search.training.learned.bench import Bench
from designsearch.search.training.policy_stage import policy_of

DESIGN = """
version: 1
storage: {units: {op: records}}
retrieval:
  - {op: policy, policy: rules, max_steps: 3, search: [{op: bm25, k: 4}]}
"""
TOPICS = (
    "ferry", "kayak", "violin", "garden", "bakery", "museum", "bicycle", "teapot", "orchid", "harbour", "ladder",
    "blanket", "compass", "lantern", "saddle", "quarry", "cinema", "pottery", "canyon", "glacier",
)  # fmt: skip
FEATURES = ("question_mark", "bm25")


def task():
    """Four records a topic: three that ask about it, then one that tells."""
    records, questions = [], []
    for i, topic in enumerate(TOPICS):
        texts = [
            f"Is the {topic} nice?",
            f"Do we like the {topic}?",
            f"Was the {topic} old?",
            f"Yes the {topic} is red.",
        ]
        records += [
            Record(id=f"{topic}-{j}", text=text, time=f"2025-03-{i + 1:02}T10:0{j}:00", author="Ida", role="user")
            for j, text in enumerate(texts)
        ]
        questions.append(Question(topic, f"What of the {topic}?", "red", evidence=(Evidence(f"{topic}-3"),)))
    return Task(Dataset("toy", tuple(records), (), LoadReport()), tuple(questions))


def bench():
    """The history, ready for episodes."""
    design = load_design(DESIGN, registry=load_all())
    memory = compile_design(design).open(task().full)
    _, params = policy_of(design)
    return Bench(
        task(), memory, lambda queries, search: World(memory, queries, search, 3, 1000), params.search, FEATURES
    )
