import pytest
from jsonschema import ValidationError
from model_fakes import ScriptedModel, failing, quoted_in
from small_episodes import QUESTION, judged, note, search

from designsearch.runtime.episodes.states import Add, Cited, Note, Skip, Stop
from designsearch.runtime.models.requests import Reply
from designsearch.search.training.judging.generative_reward import GenerativeReward
from designsearch.search.training.judging.quality import judgement


@pytest.fixture
def one(held):
    """An episode with every type of step."""
    part = Note(4, (Cited(4, 0, 17),), content="The rent is 840.")
    actions = [search("ferry", 0, 1), Add((note(held, 0),)), search("rent", 4), Add((part,))]
    return judged(held, *actions, search("dog", 2), Skip(), Stop())


def entries(*scores):
    return {"step_scores": [{"step_index": i, **score} for i, score in enumerate(scores, 1)]}


def entry(kind, level, score):
    return {"step_type": kind, "quality_level": level, "score": score}


RIGHT = [
    entry("search", "excellent", 95),
    entry("add", "good", 80),
    entry("search", "partial", 60),
    entry("add", "weak", 40),
    entry("search", "bad", 20),
    entry("skip", "excellent", 90),
    entry("stop", "good", 71),
]


def test_what_the_model_is_asked(one):
    model = ScriptedModel(lambda _: entries(*RIGHT))
    opinion = GenerativeReward(model).judge([one])[0]
    assert opinion.ok
    assert opinion.steps == judgement([(e["step_type"], e["score"]) for e in RIGHT])
    request = model.requests[0]
    assert request.purpose == "policy/reward"
    assert quoted_in(request, "question") == [QUESTION.question]
    assert quoted_in(request, "reference_answer") == ["at 9:30; 840 euros\nor: half past nine"]
    assert quoted_in(request, "evidence") == [
        "[2025-03-01 Ida] The ferry to Texel leaves at 9:30.",
        "[2025-03-05 Ida] Rent is 840 euros",
    ]
    assert quoted_in(request, "unit") == [
        "[2025-03-01] The ferry to Texel leaves at 9:30.",
        "[2025-03-02] I will remind you of the ferry.",
        "[2025-03-05] Rent is 840 euros from May on.",
        "[2025-03-03] Our dog is called Miso.",
    ]
    assert quoted_in(request, "query") == ["ferry", "rent", "dog"]
    assert quoted_in(request, "cited") == ["Rent is 840 euros"]
    assert quoted_in(request, "note") == ["The rent is 840."]
    asked = request.messages[1].content
    assert "showed units 1, 2, best first." in asked
    assert "- of unit 1, citing the whole of it" in asked
    assert "- of unit 3, citing this part" in asked
    assert "- step_index 7, step_type stop" in asked
    scores = request.schema["properties"]["step_scores"]
    assert (scores["minItems"], scores["maxItems"]) == (7, 7)


def test_a_reply_of_another_length_does_not_meet_the_schema(one):
    model = ScriptedModel(lambda _: entries(*RIGHT[:-1]))
    with pytest.raises(ValidationError):
        GenerativeReward(model).judge([one])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({0: {"step_index": 2}}, "invalid: step 2 stands where step 1 belongs"),
        ({1: {"step_type": "skip"}}, "invalid: step 2 is called skip, and is add"),
        ({6: {"quality_level": "excellent"}}, "invalid: step 7 is called excellent, and its score of 71 is good"),
    ],
)
def test_scores_that_do_not_fit_the_steps_are_no_judgement(one, change, told):
    said = entries(*RIGHT)
    for place, fields in change.items():
        said["step_scores"][place] |= fields
    reward = GenerativeReward(ScriptedModel(lambda _: said))
    opinion = reward.judge([one])[0]
    assert (opinion.steps, opinion.failure) == ((), told)
    assert reward.failures == {"invalid": 1}


def test_a_short_reply_that_passed_all_the_same_is_no_judgement(one):
    model = ScriptedModel(lambda _: Reply(value=entries(*RIGHT[:-1]), calls=1))
    assert GenerativeReward(model).judge([one])[0].failure == "invalid: 6 steps are scored, not 7"


def test_failures_are_counted_and_told(one):
    replies = iter([failing, lambda _: entries(*RIGHT), lambda _: Reply(failure="too_long", detail="9,000 tokens")])
    reward = GenerativeReward(ScriptedModel(lambda request: next(replies)(request)))
    opinions = reward.judge([one, one, one])
    assert [opinion.ok for opinion in opinions] == [False, True, False]
    assert opinions[0].steps == ()
    assert opinions[0].failure == "invalid: no JSON in the reply"
    assert reward.told() == "2 of 3 episodes have no judgement of the model: 1 invalid, 1 too_long"


def test_nothing_is_asked_about_no_episode():
    model = ScriptedModel(failing)
    reward = GenerativeReward(model)
    assert reward.judge([]) == []
    assert model.batches == []
    assert reward.told() == ""
    assert "policy/reward@1-" in reward.fingerprint
