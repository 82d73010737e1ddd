from small_episodes import judged, memory, note, search

from designsearch.runtime.episodes.states import Add, Skip, Stop
from designsearch.search.training.reward_model.categorical_judge import CategoricalJudge
from designsearch.search.training.reward_model.categorical_reward import CategoricalReward
from designsearch.search.training.reward_model.step_features import StepFeatures


def test_it_scores_every_step_as_its_model_does(held):
    model = CategoricalReward.untrained(seed=3, spread=1.0)
    one = judged(held, search("ferry", 0, 1), Add((note(held, 0),)), search("dog", 2), Skip(), Stop())
    (opinion,) = CategoricalJudge(model).judge([one])
    expected = model.scores(StepFeatures(held).of(one.trajectory))
    assert [(step.step_type, step.score) for step in opinion.steps] == [(kind, int(s + 0.5)) for kind, s in expected]
    assert len({step.score for step in opinion.steps}) > 1


def test_episodes_of_several_memories_are_measured_in_their_own():
    held, other = memory(), memory(("No boat here.", "Nor there.", "Dogs bark.", "Cats purr.", "Birds sing."))
    model = CategoricalReward.untrained(seed=3, spread=1.0)
    episodes = [judged(m, search("ferry", 0, 1), Add((note(m, 0),)), Stop()) for m in (held, other)]
    together = CategoricalJudge(model).judge(episodes)
    assert together == [CategoricalJudge(model).judge([one])[0] for one in episodes]
    assert together[0] != together[1]


def test_its_fingerprint_is_that_of_the_weights():
    one, same, other = (CategoricalJudge(CategoricalReward.untrained(seed)) for seed in (1, 1, 2))
    assert one.fingerprint == same.fingerprint != other.fingerprint
    assert one.told() == ""
