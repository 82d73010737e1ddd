"""What makes the results of a study comparable."""

from evaluate_fakes import task_of
from model_fakes import ScriptedModel

from designsearch.runtime.models.answering import ModelAnswerer
from designsearch.runtime.models.offline.answerer import OfflineAnswerer
from designsearch.search.evaluate import Runner
from designsearch.search.judge import Judge
from designsearch.search.splits import Split
from designsearch.search.study_evaluator import StudyEvaluator

SPLIT = Split("question", {})


def models(answerer=None, judge=None):
    runner = Runner(answerer=answerer, judge=judge)
    return StudyEvaluator(runner, [task_of()], SPLIT, "accuracy").fingerprints["models"]


def test_whoever_answers_and_judges_and_how_often_is_part_of_a_study():
    model, other = ScriptedModel(str), ScriptedModel(str, "other")
    made = [
        models(),
        models(OfflineAnswerer()),
        models(ModelAnswerer(model)),
        models(ModelAnswerer(other)),
        models(ModelAnswerer(model, 3)),
        models(ModelAnswerer(model), Judge(model)),
        models(ModelAnswerer(model), Judge(other)),
        models(ModelAnswerer(model), Judge(model, 3)),
    ]
    assert len(set(made)) == len(made)
    assert made[:2] == ["none", OfflineAnswerer().fingerprint]
