"""Planted faults are caught, and sound questions mostly are not refused; see ``benchmarks/planted_faults.py``."""

from __future__ import annotations

import pytest
from planted_faults import CHECKS, Outcome, run


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Outcome]:
    return run()


def test_there_are_enough_of_each_kind(outcomes):
    assert len(outcomes["sound"].plants) >= 40
    assert all(len(one.plants) >= 20 for one in outcomes.values())
    assert len(outcomes) == 17


def test_sound_questions_pass_the_program_and_mostly_all_else(outcomes):
    sound = outcomes["sound"]
    assert sound.share("program") == 0
    assert sound.share("audit") <= 0.05
    assert sound.share("recovery") <= 0.12
    assert sound.share("necessity") <= 0.05
    assert sound.share("uniqueness") <= 0.08
    assert sound.share(*CHECKS) <= 0.15


def test_sound_facts_in_other_words_mostly_pass(outcomes):
    assert outcomes["sound, reworded"].share(*CHECKS) <= 0.15


@pytest.mark.parametrize(
    ("kind", "check", "least"),
    [
        ("wrong span", "program", 0.9),
        ("unsupported fact", "audit", 0.9),
        ("one word of a fact", "audit", 0.95),
        ("word of another record", "audit", 0.85),
        ("opposite word", "audit", 0.95),
        ("another number", "audit", 0.95),
        ("another name", "audit", 0.95),
        ("names exchanged", "audit", 0.95),
        ("a day off", "program", 0.7),
        ("a day off", "audit", 0.95),
        ("denial dropped", "audit", 0.95),
        ("ambiguous question", "audit", 0.8),
        ("ambiguous question", "recovery", 0.6),
        ("leaked answer", "program", 0.95),
        ("not standalone", "program", 0.8),
        ("not standalone", "audit", 0.9),
        ("unnecessary evidence", "audit", 0.9),
        ("unnecessary evidence", "recovery", 0.9),
        ("unnecessary evidence", "necessity", 0.9),
        ("second valid answer", "uniqueness", 0.85),
    ],
)
def test_each_kind_is_caught_by_the_check_that_is_there_for_it(outcomes, kind, check, least):
    assert outcomes[kind].share(check) >= least


def test_hardly_anything_slips_through_all_of_them(outcomes):
    for kind, one in outcomes.items():
        if not kind.startswith("sound"):
            assert one.share(*CHECKS) >= 0.9, kind
