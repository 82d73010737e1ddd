"""How far a record came in an episode."""

import pytest
from policy_fakes import SKIP, STOP, Scripted, add, search
from runtime_fakes import ask, memory_of

from designsearch.runtime.episodes.fates import fate
from designsearch.runtime.policies.rollout import World, rollout

M = memory_of(["red kayak", "green kayak and much more about it", "blue kayak", "tea"], "retrieval: [{op: bm25, k: 3}]")


def episode(script, **settings):
    (made,) = rollout(World(M, ask("q"), M.design.retrieval, **settings), Scripted(M, script))
    return made


@pytest.mark.parametrize(
    ("script", "settings", "units", "expected"),
    [
        ([STOP], {}, [3], ("stop", None)),
        ([search("kayak"), SKIP, STOP], {"max_steps": 2}, [3], ("search", None)),
        ([search("kayak"), SKIP, STOP], {}, [3], ("stop", None)),
        ([search("kayak"), add(0), STOP], {}, [1], ("extract", 3)),
        ([search("kayak"), add(0), STOP], {}, [1, 2], ("extract", 2)),
        ([search("kayak"), SKIP, search("green kayak"), SKIP, STOP], {}, [1], ("extract", 1)),
        ([search("kayak"), add(0), STOP], {"observation_tokens": 1}, [2], ("observation_tokens", 2)),
        ([search("kayak"), add(0), STOP], {}, [0], ("store", 1)),
    ],
)
def test_how_far_it_came(script, settings, units, expected):
    assert fate(episode(script, **settings), units[0], units) == expected
