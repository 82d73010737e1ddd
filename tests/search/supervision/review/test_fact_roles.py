"""Names that change places between a statement and its quote."""

from __future__ import annotations

import pytest

from designsearch.search.supervision.contracts import Source
from designsearch.search.supervision.review.fact_roles import SPEAKER, exchanged
from designsearch.search.supervision.review.quoted import Quoted


def swapped(statement: str, text: str) -> tuple[str, str] | None:
    return exchanged(statement, Quoted((Source("r", 0, text, "", "Pia Lund"),), ((text, ""),)))


@pytest.mark.parametrize(
    ("statement", "text", "names"),
    [
        ("Otto bought a boat from Ulla.", "Ulla bought a boat from Otto.", ("otto", "ulla")),
        ("Pia lent Otto a boat.", "Otto lent me a boat.", (SPEAKER, "otto")),
        ("The user phoned Otto.", "It rained. Otto phoned me.", (SPEAKER, "otto")),
        ("Otto gave the boat to Ulla.", "Ulla gave the boat to Otto.", ("otto", "ulla")),
    ],
)
def test_who_and_whom_the_other_way_round_is_found(statement, text, names):
    assert swapped(statement, text) == names


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("Ulla bought a boat from Otto.", "Ulla bought a boat from Otto."),
        ("A boat was bought from Otto by Ulla.", "Ulla bought a boat from Otto."),
        ("Otto borrowed a boat from Ulla.", "Ulla lent Otto a boat."),
        ("Otto was phoned by Ulla.", "Ulla phoned Otto."),
        ("Otto met Ulla.", "Ulla met Otto."),
        ("Otto and Ulla went home.", "Ulla and Otto went home."),
        ("Pia mentioned Otto when speaking of a boat.", "Otto lent me a boat."),
        ("Pia got a boat.", "Otto lent me a boat."),
    ],
)
def test_other_words_for_the_same_are_no_exchange(statement, text):
    assert swapped(statement, text) is None
