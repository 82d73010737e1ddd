"""The benchmark of how generated questions order designs."""

import pytest
import rank_agreement

from designsearch.dsl.needs import model_needs


def test_the_designs_differ_and_need_no_model():
    found = rank_agreement.designs()
    assert len({design.hash for design in found}) == len(found) == 43
    assert not any(model_needs(design) for design in found)


def test_halves_that_always_say_the_same_agree_wholly():
    official = {"none": [0.0] * 10, "all": [1.0] * 10}
    assert rank_agreement.between_halves(official) == pytest.approx(1.0)


def test_the_table_has_a_line_a_row(capsys):
    row = rank_agreement.Row("plan", True, "after")
    sets = {"official": {"a": [0.0, 0.0], "b": [1.0, 1.0]}, row.name: {"a": [0.0, 1.0], "b": [1.0, 1.0]}}
    rank_agreement.table([row], {"one": sets})
    heading, line, halves = capsys.readouterr().out.splitlines()
    assert heading.split() == ["questions", "one", "mean"]
    assert line.split() == ["plan,", "verified", "1.000", "[1.00,", "1.00]", "(2)", "1.000"]
    assert halves.endswith("1.000")
