from __future__ import annotations

from dataclasses import replace

import pytest
from model_fakes import ScriptedModel, failing, quoted_in
from planned_move import MATERIAL, QUESTION, SOURCES, whole_text

from designsearch.dsl.problems import UserError
from designsearch.search.supervision.contracts import Draft, Rejection
from designsearch.search.supervision.models.generators import GENERATORS, make_generator
from designsearch.search.supervision.models.numbered import Numbered
from designsearch.search.supervision.settings import GeneratorName

DIRECT_REPLY = {
    "quote": "The rent for Mill Lane is 1,250 euros",
    "question": QUESTION,
    "answer_type": "number",
    "answer": "1,250 euros",
}
RENT_FIRST = replace(MATERIAL, sources=(SOURCES[1], SOURCES[0]))
UPDATED_SOURCES = (
    replace(SOURCES[0], text="We moved the party to Friday.", time="2024-03-05"),
    replace(SOURCES[1], text="The party is on Thursday, at six.", time="2024-03-02"),
)
CHANGED = replace(MATERIAL, sources=UPDATED_SOURCES)
UPDATED_REPLY = {
    "subject": "day of the party",
    "earlier": {"record": 2, "quote": "on Thursday", "value": "Thursday"},
    "current": {"record": 1, "quote": "moved the party to Friday", "value": "Friday"},
    "answer_type": "text",
    "question": "On which weekday does the celebration take place?",
}
OPEN_REPLY = {
    "intent": "Which floor Ana's flat is on",
    "missing": "the floor",
    "answer_type": "text",
    "question": "On which floor is Ana's flat on Mill Lane?",
}


def one(name, reply, material=MATERIAL, **shares):
    model = ScriptedModel(reply if callable(reply) else lambda request: reply)
    [made] = make_generator(name, model, **shares).draft([material])
    return made, model


def test_the_names_are_those_of_the_setting():
    assert GENERATORS == GeneratorName.__args__ == ("plan", "plan-one-response", "direct", "corpus")
    assert [make_generator(name, ScriptedModel(failing)).name for name in GENERATORS] == list(GENERATORS)
    assert len({make_generator(name, ScriptedModel(failing)).fingerprint for name in GENERATORS}) == 4


def test_a_name_that_is_none():
    with pytest.raises(UserError, match="no generator corps; did you mean corpus"):
        make_generator("corps", ScriptedModel(failing))


@pytest.mark.parametrize("name", GENERATORS)
def test_a_failure_is_told_from_a_finding(name):
    made, _ = one(name, failing)
    assert made.failed
    assert made.reason == "no usable reply"


def test_direct_sees_one_record_and_makes_a_lookup():
    made, model = one("direct", DIRECT_REPLY, RENT_FIRST)
    assert isinstance(made, Draft)
    assert (made.question, made.plan.kind, made.plan.records) == (QUESTION, "lookup", ("mail-17",))
    assert quoted_in(model.requests[0], "record") == Numbered(SOURCES[1:2]).texts
    assert SOURCES[0].text not in whole_text(model.requests[0])


def test_direct_with_words_of_its_own_is_lost():
    made, _ = one("direct", DIRECT_REPLY | {"quote": "a monthly rent of 1,250"}, RENT_FIRST)
    assert made.reason == "quote not in the record"
    made, _ = one("direct", DIRECT_REPLY | {"answer": None}, RENT_FIRST)
    assert made == Rejection("question", "nothing worth asking")
    made, _ = one("direct", DIRECT_REPLY | {"answer": "1,300 euros"}, RENT_FIRST)
    assert made.reason == "value not in its quotes"


def test_corpus_asks_by_a_scenario_and_makes_a_bridge():
    reply = DIRECT_REPLY | {
        "quotes": [{"record": 1, "quote": "signed the lease"}, {"record": 2, "quote": DIRECT_REPLY["quote"]}]
    }
    reply.pop("quote")
    two = next(seed for seed in range(50) if len(_shown(seed)) == 2)
    made, model = one("corpus", reply, replace(MATERIAL, seed=two))
    assert isinstance(made, Draft)
    assert (made.plan.kind, made.plan.records) == ("bridge", ("msg-81", "mail-17"))
    assert quoted_in(model.requests[0], "theme")[0] in ("mill", "lane")
    assert quoted_in(model.requests[0], "asker")[0] in ("Ana", "Ben")
    made, _ = one("corpus", reply | {"answer": None})
    assert made == Rejection("question", "nothing worth asking")


def _shown(seed):
    _, model = one("corpus", failing, replace(MATERIAL, seed=seed))
    return quoted_in(model.requests[0], "record")


def test_what_no_record_answers():
    made, model = one("direct", OPEN_REPLY, unanswerable=0.999999)
    assert isinstance(made, Draft)
    assert not made.plan.answerable
    assert made.plan.answer is None
    assert (made.plan.kind, made.plan.evidence) == ("unanswerable", ())
    assert quoted_in(model.requests[0], "record") == Numbered(SOURCES).texts


def test_what_changed_rests_on_the_record_with_the_current_value():
    made, _ = one("plan", UPDATED_REPLY, CHANGED, updated=0.999999)
    assert isinstance(made, Draft)
    assert (made.plan.kind, made.plan.records, made.plan.answer) == ("updated", ("msg-81",), "Friday")
    assert not [source for source in UPDATED_SOURCES if source.record in str(made.plan.evidence[0].contribution)]


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"earlier": UPDATED_REPLY["current"], "current": UPDATED_REPLY["earlier"]}, "the value did not change"),
        ({"earlier": UPDATED_REPLY["earlier"] | {"value": "friday"}}, "the value did not change"),
        ({"earlier": UPDATED_REPLY["earlier"] | {"quote": "on Monday"}}, "quote not in the record"),
        ({"earlier": UPDATED_REPLY["earlier"] | {"record": 5}}, "record not in the bundle"),
        ({"earlier": UPDATED_REPLY["earlier"] | {"value": None}}, "nothing worth asking"),
        ({"question": "Is the party on Friday?"}, "answer in the question"),
    ],
)
def test_what_did_not_change_is_lost(more, reason):
    made, _ = one("plan", UPDATED_REPLY | more, CHANGED, updated=0.999999)
    assert made.reason == reason


def test_without_times_the_later_row_is_the_later_one():
    untimed = replace(CHANGED, sources=tuple(replace(source, time="") for source in UPDATED_SOURCES))
    made, _ = one("plan", UPDATED_REPLY, untimed, updated=0.999999)
    assert made.reason == "the value did not change"  # record 1 stands before record 2 in the history
