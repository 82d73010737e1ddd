"""A generation that is killed at any moment ends as one that was not, and finds its finished items again."""

import json
import random

import pytest
from killing import killings, needs_fork
from supervision_fakes import ScriptedGenerator, cast_of, lively_history

from designsearch.search.supervision.generate import generate_questions
from designsearch.search.supervision.materials import seed_of
from designsearch.search.supervision.settings import SupervisionSettings

HISTORY = lively_history(300)


class Bookkeeper(ScriptedGenerator):
    """Notes the part and number of each bundle that it is paid for, in a file."""

    def __init__(self, path):
        super().__init__(seconds=0.001)
        self.path = path

    def draft(self, materials):
        with self.path.open("a") as file:
            file.writelines(f"{material.seed}\n" for material in materials)
        return super().draft(materials)


def generate(folder, generator=None):
    settings = SupervisionSettings(count=30, seed=5)
    return generate_questions(HISTORY, settings, cast_of(generator, offline=False), folder)


@needs_fork
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("seed", [1, 2])
def test_killed_generation_equals_an_uninterrupted_one(tmp_path, seed):
    whole = generate(tmp_path / "whole")
    expected = (tmp_path / "whole/items.jsonl").read_text()
    folder, books = tmp_path / "broken", tmp_path / "books"
    ledger, before, killed = folder / "items.jsonl", "", 0
    for was_killed in killings(lambda: generate(folder, Bookkeeper(books)), ledger, random.Random(seed), most=4000):
        after = ledger.read_text()
        assert after.startswith(before[: before.rfind("\n") + 1])
        assert expected.startswith(after[: after.rfind("\n") + 1])
        drafted = set(books.read_text().split()) if books.exists() else set()
        assert not drafted & finished_in(before)
        books.unlink(missing_ok=True)
        before, killed = after, killed + was_killed
    assert killed >= 5
    again = generate(folder)
    assert ledger.read_text() == expected
    assert again.questions == whole.questions


def finished_in(text):
    """The seeds of the items whose lines are whole."""
    lines = [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]
    return {str(seed_of(5, line["part"], line["ordinal"])) for line in lines if "ordinal" in line}
