import pytest
from rule_worlds import WORLD

from designsearch.search.supervision.materials import source_of
from designsearch.search.supervision.offline.phrases import phrases_in
from designsearch.search.supervision.offline.sketch import cited, listed, planned
from designsearch.search.supervision.plans import Citation, Fact, Operation


@pytest.mark.parametrize(("phrases", "text"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")])
def test_listed(phrases, text):
    assert listed(phrases) == text


def test_each_sentence_once_and_what_lies_in_none():
    source = source_of(WORLD, 3)
    phrases = phrases_in(source.text)
    assert [c.quote for c in cited(source, phrases, (4, 10))] == [source.text]
    assert [c.quote for c in cited(source, (), (4, 10), (4, 18))] == ["walnut harvest"]


def test_evidence_is_what_the_facts_cite():
    facts = (Fact("f1", "one", (Citation("r1", 0, 1, "x"),)), Fact("f2", "two", (Citation("r0", 0, 1, "x"),)))
    plan = planned("bridge", "what", ("text", "x"), facts, Operation("bridge", ("f1", "f2"), "answer", "x"))
    assert [(one.record, one.contribution) for one in plan.evidence] == [("r1", "one"), ("r0", "two")]
