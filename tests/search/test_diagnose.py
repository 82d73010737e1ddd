"""Diagnosis with answers that vary."""

import pytest
from evaluate_fakes import design_of, record, task_of
from model_fakes import ScriptedModel, failing

from designsearch.runtime.models.answering import ModelAnswerer
from designsearch.runtime.models.requests import Reply
from designsearch.runtime.records import Evidence, Question
from designsearch.runtime.services import Services
from designsearch.search.counterfactual import repair
from designsearch.search.diagnose import diagnose
from designsearch.search.evaluate import Runner
from designsearch.search.judge import Judge

DESIGN = design_of("retrieval: [{op: bm25, k: 4}]")
PRICE = Question("q2", "How much is a tram ticket?", 4, "number", evidence=(Evidence("r2"),))


def diagnosed(script, replicates=3):
    runner = Runner(answerer=ModelAnswerer(ScriptedModel(script), replicates))
    return diagnose(runner, DESIGN, task_of(questions=[PRICE]), [0], "accuracy")


def test_one_wrong_answer_of_several_is_a_failure_and_stands_for_it():
    (failure,) = diagnosed(lambda request: ("4", "9", "8")[request.replicate])
    assert (failure.question_id, failure.answer, failure.category) == ("q2", "9", "answering")


def by_policy(text, gold, around="%s", **settings):
    given = "".join(f", {name}: {value}" for name, value in settings.items())
    design = design_of(f"retrieval: [{around % f'{{op: policy, search: [{{op: bm25, k: 20}}]{given}}}'}]")
    question = Question("q", text, "x", evidence=(Evidence(gold),))
    (failure,) = diagnose(Runner(), design, task_of(KAYAKS, [question]), [0], "evidence_coverage")
    return failure.category, failure.kind, failure.lost_at, failure.rank


KAYAKS = [
    record(1, "A kayak trip to Lisbon with Zoe in the rain."),
    *(record(day, f"kayak {day} to Lisbon with Zoe") for day in range(2, 9)),
    record(10, "a kayak, among many other words that nobody asked about and that say nothing at all of it"),
    record(11, "tea"),
]
LONG = "kayak trip to Lisbon with Zoe in the rain"


@pytest.mark.parametrize(
    ("text", "gold", "settings", "expected"),
    [
        (LONG, "r10", {}, ("retrieval", "not_kept", "retrieval[0].extract", 9)),
        ("kayak", "r11", {}, ("retrieval", "stopped_early", "retrieval[0].stop", None)),
        ("kayak", "r11", {"max_steps": 2}, ("retrieval", "not_retrieved", "retrieval[0].search", None)),
        (LONG, "r10", {"observation_tokens": 50}, ("retrieval", "cut", "retrieval[0].observation_tokens", 9)),
    ],
)
def test_what_a_policy_lost_is_blamed_on_the_part_that_lost_it(text, gold, settings, expected):
    assert by_policy(text, gold, **settings) == expected


@pytest.mark.parametrize(
    ("text", "gold", "settings", "expected"),
    [
        (LONG, "r10", {}, ("retrieval", "not_kept", "extract", 9)),
        ("kayak", "r11", {}, ("retrieval", "stopped_early", "stop", None)),
        ("kayak", "r11", {"max_steps": 2}, ("retrieval", "not_retrieved", "search", None)),
        (LONG, "r10", {"observation_tokens": 50}, ("retrieval", "cut", "observation_tokens", 9)),
    ],
)
def test_a_policy_inside_a_branch_is_blamed_as_well(text, gold, settings, expected):
    branch = "{op: branch, branches: {near: [%s], best: [{op: bm25, k: 1}]}, fuse: {op: rrf}}"
    category, kind, part, rank = expected
    found = by_policy(text, gold, branch, **settings)
    assert found == (category, kind, f"retrieval[0].branches.near[0].{part}", rank)


def test_right_and_failed_answers_are_none():
    assert diagnosed(lambda request: "4") == []
    assert diagnosed(failing) == []
    assert diagnosed(lambda request: Reply(failure="timeout") if request.replicate else "4") == []


def test_a_diagnosis_does_not_ask_what_the_evaluation_asked():
    model = ScriptedModel(lambda request: "9")
    runner, task = Runner(answerer=ModelAnswerer(model)), task_of(questions=[PRICE])
    runner.results(DESIGN, task, [0])
    assert len(diagnose(runner, DESIGN, task, [0], "accuracy")) == 1
    assert model.batches == [1]


def test_repairs_of_all_questions_are_asked_together_and_judged_together():
    questions = [Question(f"q{n}", f"Is tram ticket {n} cheap?", "it is", evidence=(Evidence("r2"),)) for n in range(4)]
    model = ScriptedModel(lambda request: "indeed")
    judge = ScriptedModel(lambda request: {"reason": "", "verdict": "correct"})
    runner = Runner(judge=Judge(judge))
    made = repair(runner, ModelAnswerer(model), DESIGN, task_of(questions=questions), range(4))
    assert [one.outcome["evidence_alone"] for one in made] == [True] * 4
    assert len(model.batches) == len(judge.batches) == 1
    assert model.batches[0] >= 8


def test_a_repair_counts_where_most_answers_are_right():
    def outcome(*answers):
        model = ScriptedModel(lambda request: answers[request.replicate])
        (made,) = repair(Runner(), ModelAnswerer(model, len(answers)), DESIGN, task_of(questions=[PRICE]), [0])
        return made.outcome["evidence_alone"]

    assert outcome("4", "4", "9") is True
    assert outcome("4", "9", "9") is False
    assert outcome("4", "9") is None


WRITTEN = "storage: {units: {op: facts, batch: record}}\nretrieval: [{op: dense, k: 1}]"


@pytest.mark.parametrize(
    ("fact", "category", "kind"),
    [
        ("A ticket of the tram costs 4 euros on weekdays.", "retrieval", "not_retrieved"),
        ("A ticket of the tram costs euros on weekdays.", "storage", "not_stored"),
        ("Somebody goes by tram for 4 euros.", "storage", "not_stored"),
    ],
)
def test_what_a_model_wrote_can_be_recovered_where_it_holds_words_and_numbers(fact, category, kind):
    source = "My tram ticket costs 4 euros on weekdays"
    history = [record(1, source), record(2, "How much is a tram ticket? Tell me how much the ticket is")]

    def script(request):
        text = fact if source in request.messages[-1].content else "How much is a tram ticket?"
        return {"facts": [{"text": text, "from": [1]}]}

    question = Question("q", "How much is a tram ticket?", 4, "number", evidence=(Evidence("r1"),))
    runner = Runner(services=Services(helper=ScriptedModel(script)))
    found = diagnose(runner, design_of(WRITTEN), task_of(history, [question]), [0], "evidence_recall")
    assert [(one.category, one.kind) for one in found] == [(category, kind)]


TALKS = [
    record(1, "I adopted a kitten called Miso."),
    record(2, "The tram ticket costs 3 euros."),
    record(3, "Green tea is what I drink."),
]
"""One session."""

NOTED = """
storage: {units: {op: sessions}}
retrieval: [{op: policy, policy: llm, search: [{op: bm25, k: 3}]}]
"""


def notes_turn(number):
    """A script of a helper: search, note one turn of what was found, stop."""

    def script(request):
        tools = [tool.name for tool in request.tools]
        if "add_note" in tools:
            arguments = {"event_id": "E0", "datetime": "", "content": "c", "evidence_turns": [number]}
            return [{"tool": "add_note", "arguments": arguments}]
        noted = any("Your notes:" in message.content for message in request.messages)
        tool, arguments = ("answer_from_notes", {}) if noted else ("search_memory_units", {"query": "kitten tram"})
        return {"tool": tool, "arguments": arguments}

    return script


def test_evidence_is_counted_over_what_a_note_cites_of_a_unit():
    runner = Runner(services=Services(helper=ScriptedModel(notes_turn(2))))
    questions = [Question(f"q{day}", f"What of day {day}?", "x", evidence=(Evidence(f"r{day}"),)) for day in (1, 2)]
    design, task = design_of(NOTED), task_of(TALKS, questions)
    kitten, tram = runner.results(design, task, [0, 1])
    assert (kitten.evidence_recall, tram.evidence_recall) == (0, 1)
    assert [unit["records"] for unit in tram.to_json()["units"]] == [["r2"]]
    (failure,) = diagnose(runner, design, task, [0, 1], "evidence_recall")
    found = failure.category, failure.kind, failure.lost_at, failure.rank
    assert found == ("retrieval", "not_kept", "retrieval[0].extract", 1)


def test_evidence_of_a_record_that_the_history_lacks_was_lost_nowhere():
    question = Question("q", "What is gone?", "x", evidence=(Evidence("gone"),))
    (result,) = Runner().results(DESIGN, task_of(questions=[question]), [0])
    assert [(one.present, one.lost_at, one.rank) for one in result.evidence] == [(False, None, None)]


def test_a_repair_shows_what_the_policy_left_out():
    runner = Runner(services=Services(helper=ScriptedModel(notes_turn(1))))
    seen = []

    def answer(request):
        seen.append(request.messages[-1].content)
        return "4"

    repair(runner, ModelAnswerer(ScriptedModel(answer)), design_of(NOTED), task_of(TALKS, [PRICE]), [0])
    assert all("The tram ticket costs 3 euros." in one for one in seen)
