from __future__ import annotations

from collections import Counter
from dataclasses import replace

from planned_move import MATERIAL, SOURCES

from designsearch.search.supervision.contracts import Material, Source
from designsearch.search.supervision.models.scenarios import LENGTHS, STYLES, scenario_of


def scenarios(material, many=400):
    return [scenario_of(replace(material, seed=seed)) for seed in range(many)]


def test_two_records_are_taken_for_what_they_share_and_one_for_its_own_words():
    made = scenarios(MATERIAL)
    two = [one for one in made if len(one.sources) == 2]
    assert 0.4 < len(two) / len(made) < 0.6
    assert {one.theme for one in two} == {"mill", "lane"}
    assert {one.sources for one in two} == {SOURCES[:2]}
    assert {one.theme for one in made if one.sources == SOURCES[2:]} == {"soup", "again", "lunch"} - {"again"}


def test_styles_lengths_and_askers_all_come_up():
    made = scenarios(MATERIAL)
    assert set(Counter(one.style for one in made)) == set(STYLES)
    assert set(Counter(one.length for one in made)) == set(LENGTHS)
    assert {one.asker for one in made if one.sources == SOURCES[2:]} == {""}
    assert {one.asker for one in made if len(one.sources) == 2} == {"Ana", "Ben"}


def test_a_bundle_has_one_scenario():
    assert scenario_of(MATERIAL) == scenario_of(MATERIAL)


def test_a_record_without_words_has_no_theme():
    made = scenario_of(Material(0, (Source("a", 0, "12 !"),), (), 5))
    assert (made.theme, made.asker, len(made.sources)) == ("", "", 1)
