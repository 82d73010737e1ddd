from math import log1p

import numpy as np
import pytest
from small_episodes import episode, note, search

from designsearch.runtime.episodes.states import ACTION_TYPES, Add, Skip, Stop
from designsearch.search.training.reward_model.step_features import StepFeatures, feature_names


@pytest.fixture
def features(held):
    return StepFeatures(held)


def named(features, trajectory):
    """Type and features by name of each step."""
    return [(kind, dict(zip(feature_names(kind), row.tolist(), strict=True))) for kind, row in features.of(trajectory)]


def test_every_step_of_an_episode(held, features):
    taken = episode(
        search("ferry leave", 0, 1),
        Add((note(held, 0),)),
        search("ferry leave", 4),
        Skip(),
        Stop(),
    )
    (_, first), (_, add), (_, second), (_, skip), (_, stop) = named(features, taken)
    assert [kind for kind, _ in features.of(taken)] == ["search", "add", "search", "skip", "stop"]
    assert (first["covered"], first["notes"], first["shown"]) == (0.0, 0.0, log1p(2))
    assert (first["repeated"], first["query_new"]) == (0.0, 1.0)
    assert first["shown_new"] == first["shown_covered"] > 0
    assert add["written"] == log1p(1)
    assert (add["written_share"], add["written_rank"], add["written_again"]) == (0.5, 1.0, 0.0)
    assert add["written_new"] == add["written_covered"] == add["shown_covered"] > 0
    assert add["written_margin"] > 0, "the note is closer to the question than what was left"
    assert (second["repeated"], second["query_new"], second["progress"]) == (1.0, 0.0, 1 / 8)
    assert second["covered"] == add["written_new"]
    assert second["shown_new"] > 0
    assert skip["closest_fresh"] == skip["closest_shown"]
    assert (stop["shown"], stop["notes"], stop["forced"], stop["last"]) == (0.0, log1p(1), 0.0, 0.0)


def test_a_note_written_again_is_seen(held, features):
    taken = episode(search("a", 0), Add((note(held, 0),)), search("b", 0), Add((note(held, 0),)), Stop())
    again = named(features, taken)[3][1]
    assert (again["written_again"], again["written_new"], again["shown_fresh"]) == (1.0, 0.0, 0.0)


def test_a_forced_stop_while_extracting_and_the_last_step(held, features):
    forced = named(features, episode(search("a", 0), Stop(forced="no tokens left")))[1][1]
    assert (forced["forced"], forced["last"], forced["shown"]) == (1.0, 0.0, log1p(1))
    assert named(features, episode(search("a", 0), Skip(), Stop(), max_steps=2))[2][1]["last"] == 1.0


def test_a_question_without_words_and_a_search_in_vain(held, features):
    found = features.of(episode(search("", *()), Skip(), Stop(), question="?"))
    assert all(np.isfinite(row).all() for _, row in found)


def test_each_type_has_names_of_its_own():
    for kind in ACTION_TYPES:
        names = feature_names(kind)
        assert len(set(names)) == len(names)
