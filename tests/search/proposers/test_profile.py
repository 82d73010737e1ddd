import pytest

from designsearch.search.contracts import Failure, GoldRecord
from designsearch.search.proposers.profile import Profile


def failure(category="retrieval", kind="cut", lost_at="context", rank=None, evidence=(), roles=None):
    return Failure("q", "h", "?", "a", category, kind, lost_at, rank, tuple(evidence), context_roles=roles or {})


def test_failures_are_added_up():
    lost = GoldRecord("r1", "four words of text", "user", kind="cut")
    found = GoldRecord("r2", "x", "assistant", present=True)
    profile = Profile.of(
        [
            failure(rank=30, evidence=[lost, found], roles={"user": 0.2, "assistant": 0.5, "": 0.3}),
            failure(lost_at="retrieval[2]", rank=50, evidence=[lost]),
            failure(kind="not_retrieved", lost_at="", evidence=[GoldRecord("r3", "two words", "assistant")]),
            failure("storage", "not_stored", ""),
            failure("answering", "", ""),
        ]
    )
    assert profile.total == 5
    assert profile.crowded_out == profile.dropped == profile.not_retrieved == profile.not_stored == 0.2
    assert profile.answering == profile.several == 0.2
    assert profile.missed == pytest.approx(0.6)
    assert profile.rank == 40
    assert (profile.role, profile.role_share) == ("user", pytest.approx(2 / 3))
    assert profile.others_share == pytest.approx(0.1)  # a text without a role is no other's
    assert profile.words == pytest.approx(10 / 3)


def test_what_a_policy_lost_is_told_apart():
    profile = Profile.of(
        [
            failure(kind="stopped_early", lost_at="retrieval[0].stop"),
            failure(kind="not_retrieved", lost_at="retrieval[0].search"),
            failure(kind="not_kept", lost_at="retrieval[0].extract", rank=3),
            failure(lost_at="retrieval[0].observation_tokens", rank=9),
        ]
    )
    assert profile.stopped_early == profile.used_up == profile.not_kept == profile.unshown == 0.25
    assert profile.not_retrieved == profile.dropped == 0.25
    assert profile.missed == 0.75
    assert (profile.crowded_out, profile.rank) == (0, 6)


def test_no_failures_are_nothing():
    profile = Profile.of([])
    assert (profile.total, profile.missed, profile.role, profile.rank, profile.words) == (0, 0, "", 0, 0)
