"""How long it takes to make verified questions by rules out of a long history, phase by phase.

The synthetic history is talk of one person with a vocabulary of its own, so that questions can be made of it. Where
``DESIGNSEARCH_DATA`` names the folder of data sets, the personas of RHELM as one history are taken too.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import resource
import tempfile
from dataclasses import replace
from pathlib import Path
from random import Random
from time import perf_counter

from joblib.externals.loky import get_reusable_executor
from synthetic import vocabulary

from designsearch.runtime.histories.base import load
from designsearch.runtime.histories.fold import fold
from designsearch.runtime.records import History, Record
from designsearch.search.purse import Purse
from designsearch.search.supervision.funnel import Funnel
from designsearch.search.supervision.generate import generate_questions
from designsearch.search.supervision.roles import make_cast
from designsearch.search.supervision.settings import SupervisionSettings

NOUNS = (
    "kiln boiler roof shed greenhouse badge proposal museum boat piano bicycle filter panel library starter choir tax "
    "printer bookshelf telescope garden kitchen harbour lamp engine blanket violin ladder window carpet"
).split()
ADJECTIVES = "old blue broken heavy leaky wooden noisy narrow crooked shiny bitter frozen hollow dusty gentle".split()
VERBS = "ordered repaired cancelled postponed inspected painted sold returned borrowed measured".split()
PEOPLE = ("Dr. Linda Padilla", "Mr. Hughes", "Teresa", "Ivan", "Mina Kowalska", "Otto", "Pia Lund", "Soraya", "Viggo")
PLACES = "Lisbon Oslo Graz Dublin Porto Bergen Turin Izmir Quito Leeds".split()
SESSION = 20


def talk(count: int, seed: int = 5) -> History:
    """Records of a few sentences each: things, people, places, sums and spans of time."""
    chance, own = Random(seed), vocabulary()

    def thing() -> str:
        return f"{chance.choice(ADJECTIVES)} {chance.choice(own)} {chance.choice(NOUNS)}"

    def text() -> str:
        said = [
            f"The {thing()} was {chance.choice(VERBS)} by {chance.choice(PEOPLE)}.",
            f"We went to {chance.choice(PLACES)} because of the {thing()} and the {thing()}.",
            f"It costs {chance.randint(20, 9000)} dollars with the {thing()}.",
            f"My {thing()} will need {chance.randint(2, 50)} {chance.choice(('days', 'weeks', 'months'))}.",
        ]
        return " ".join(chance.sample(said, chance.randint(1, 3)))

    records = [
        Record(
            id=f"r{row}",
            text=text(),
            time=f"{2020 + row // 20_000:04d}-{1 + row // 1_700 % 12:02d}-{1 + row // 60 % 28:02d}T09:00",
            author="ana",
            role="user",
            session=f"s{row // SESSION}",
            source="chat",
        )
        for row in range(count)
    ]
    return fold(records, "talk")


def personas(folder: Path) -> History:
    """All personas of RHELM as one history."""
    records = []
    for dataset in load(folder / "rhelm"):
        history = dataset.history()
        own = (history.record(row) for row in range(len(history)))
        records += [
            replace(one, id=f"{dataset.name}/{one.id}", session=f"{dataset.name}/{one.session}", reply_to="", refs=())
            for one in own
        ]
    return fold(records, "personas")


def measure(history: History, count: int, jobs: int) -> None:
    """Print the seconds of each phase."""
    began, busy = perf_counter(), _processor_seconds()
    settings = SupervisionSettings(count=count)
    cast = make_cast(history, settings, Purse())
    marks = [perf_counter()]
    rounds: list[Funnel] = []

    def progress(funnel: Funnel) -> None:
        marks.append(perf_counter())
        rounds.append(funnel)

    with tempfile.TemporaryDirectory() as folder:
        made = generate_questions(history, settings, cast, Path(folder), progress=progress, jobs=jobs)
    ended = perf_counter()
    get_reusable_executor().shutdown(wait=True)  # what its processes took is known when they are gone
    kept = sum(len(questions) for questions in made.parts.values())
    print(f"{history.name}: {len(history):,} records, {jobs} processes, {kept} of {count} questions kept")
    for name, seconds in (
        ("words and vectors", marks[0] - began),
        ("graph and bundles", marks[1] - marks[0]),
        ("first rounds", (marks[2] if len(marks) > 2 else ended) - marks[1]),
        ("other rounds", ended - marks[2] if len(marks) > 2 else 0.0),
        ("together", ended - began),
    ):
        print(f"  {name:<18} {seconds:7.2f} s")
    print(f"  of the processors  {_processor_seconds() - busy:7.2f} s")


def _processor_seconds() -> float:
    """What this process and those that it has ended took."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def main() -> None:
    """Print how long each history takes."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--records", type=int, default=20_000)
    options.add_argument("--count", type=int, default=200, help="questions wanted")
    options.add_argument("--jobs", type=int, default=2)
    given = options.parse_args()
    measure(talk(given.records), given.count, given.jobs)
    data = os.environ.get("DESIGNSEARCH_DATA")
    if data:
        measure(personas(Path(data)), given.count, given.jobs)


if __name__ == "__main__":
    main()
