"""A generation that is killed at any moment ends as one that was not, and finds its finished items again."""

import json
import os
import random
import signal
import sys
import time

import pytest
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


def start(folder, generator):
    pid = os.fork()
    if pid == 0:
        try:
            generate(folder, generator)
        finally:
            os._exit(0)
    return pid


def kill_when_grown(pid, ledger, size):
    """Kill the process once the ledger has reached a size; whether it was still running."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return False
        if ledger.exists() and ledger.stat().st_size >= size:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return True
        time.sleep(0.0003)
    pytest.fail("the generation did not get on")


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("seed", [1, 2])
def test_killed_generation_equals_an_uninterrupted_one(tmp_path, seed):
    whole = generate(tmp_path / "whole")
    expected = (tmp_path / "whole/items.jsonl").read_text()
    folder, books = tmp_path / "broken", tmp_path / "books"
    draw, ledger, killed = random.Random(seed), folder / "items.jsonl", 0
    while True:
        before = ledger.read_text() if ledger.exists() else ""
        pid = start(folder, Bookkeeper(books))
        running = kill_when_grown(pid, ledger, len(before.encode()) + draw.randint(1, 4000))
        after = ledger.read_text()
        assert after.startswith(before[: before.rfind("\n") + 1])
        assert expected.startswith(after[: after.rfind("\n") + 1])
        drafted = set(books.read_text().split()) if books.exists() else set()
        assert not drafted & finished_in(before)
        books.unlink(missing_ok=True)
        if not running:
            break
        killed += 1
    assert killed >= 5
    again = generate(folder)
    assert ledger.read_text() == expected
    assert again.questions == whole.questions


def finished_in(text):
    """The seeds of the items whose lines are whole."""
    lines = [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]
    return {str(seed_of(5, line["part"], line["ordinal"])) for line in lines if "ordinal" in line}
