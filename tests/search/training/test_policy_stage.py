import pytest
from small_episodes import QUESTION, TEXTS

from designsearch.dsl.problems import UserError
from designsearch.dsl.validate import load_design
from designsearch.runtime.compile import compile_design
from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.operators import load_all
from designsearch.runtime.records import Record
from designsearch.search.evaluate import Task
from designsearch.search.training.policy_stage import policy_of, reaching_policy


def test_questions_reach_the_policy_as_the_stages_before_it_leave_them():
    events = tuple(Record(id=f"r{i}", text=text) for i, text in enumerate(TEXTS))
    task = Task(Dataset("h", events), (QUESTION,))
    text = "version: 1\nretrieval:\n  - {op: prf, feedback: [{op: bm25, k: 1}]}\n  - {op: policy, search: [{op: bm25}]}"
    held = compile_design(load_design(text, registry=load_all())).open(task.full)
    asked = task.queries([0])
    reached = reaching_policy(held, asked)
    assert reached.questions == asked.questions
    assert reached.queries != asked.queries
    assert len(reaching_policy(held, task.queries([]))) == 0


def test_of_several_policies_none_is_taken_for_the_design():
    two = "{op: policy, search: [{op: bm25}]}, {op: policy, search: [{op: dense}]}, {op: rrf}"
    with pytest.raises(UserError) as told:
        policy_of(load_design(f"version: 1\nretrieval: [{two}]", "two.yaml", load_all()))
    assert str(told.value) == (
        "two.yaml: retrieval has 2 stages op: policy (retrieval[0], retrieval[1]), and episodes are those of one; "
        "leave one of them"
    )
