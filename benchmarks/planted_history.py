"""An invented history: the log book of a lighthouse on an island that does not exist, and sound questions about it.

Every kind of entry is made by a template from lists of things, so that each has many others like it; a question says
what its entry says in other words where there are some.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from designsearch.runtime.histories.fold import fold
from designsearch.runtime.records import AnswerType, History, Record, Value
from designsearch.search.supervision.contracts import Draft, Material, Source
from designsearch.search.supervision.plans import Citation, Contribution, Fact, Operation, Plan

START = date(2024, 1, 3)
AS_OF = "2025-01-31T12:00"

PEOPLE = (
    "Ulwen Brisa Tarrop Odile Fenwick Marrow Isolde Quill Harbin Sunniva Calder Petra Rusk Linnet Osric Maude Jory "
    "Tamsin Elspet Wystan Corvin Hesper Dunstan Orla Bexley"
).split()
THINGS = {
    "bicycle": "bike",
    "couch": "sofa",
    "carpet": "rug",
    "lantern": "lamp",
    "shovel": "spade",
    "jacket": "coat",
    "violin": "fiddle",
    "barrel": "cask",
    "axe": "hatchet",
    "television": "TV set",
    "camera": "camera",
    "ladder": "ladder",
    "telescope": "telescope",
    "mirror": "mirror",
    "kettle": "kettle",
    "typewriter": "typewriter",
    "accordion": "accordion",
    "hammock": "hammock",
}
ANIMALS = {
    "kitten": "cat",
    "puppy": "dog",
    "pony": "horse",
    "goat": "goat",
    "parrot": "parrot",
    "tortoise": "turtle",
    "lamb": "sheep",
    "ferret": "ferret",
    "donkey": "donkey",
    "rooster": "rooster",
}
PETS = "Momo Biscuit Zorro Pickle Tansy Quince Bramble Juno Nutmeg Sorrel".split()
WORKPLACES = "bakery|library|hospital|school|brewery|shipyard|post office|museum|pharmacy|theatre".split("|")
TITLES = (
    "The Tin Orchard|A Ladder of Salt|Nine Quiet Rooms|The Heron Clock|Maps for the Sleepless|Winter in Vell"
    "|Glass Harvest|The Ferryman's Ledger|Small Loud Gods|Paper Moons of Ostra|The Unlit Stair|Halfway to Brill"
).split("|")
ISLETS = "Grennel Skarrow Tollin Pebmarsh Ostrel Vinnet".split()
BOATS = "Kestrel Marigold Undine Pelican Wavelet Barnacle Hyacinth Cormorant".split()
GOODS = "apples onions candles bricks wool salt flour lemons".split()
GEAR = "rope|lamp oil|biscuits|charcoal|blankets|matches|soap|twine|canvas|needles|tea|vinegar".split("|")
JOBS = {
    "repainted the boathouse": "the painting of the boathouse",
    "planted the pear tree": "the planting of the pear tree",
    "repaired the chimney": "the repair of the chimney",
    "cleaned the cistern": "the cleaning of the cistern",
    "replaced the foghorn": "the replacement of the foghorn",
    "sold the old piano": "the sale of the old piano",
    "dug the new well": "the digging of the new well",
    "tested the siren": "the test of the siren",
    "opened the chapel": "the opening of the chapel",
    "built the henhouse": "the building of the henhouse",
    "buried the anchor": "the burial of the anchor",
    "insulated the attic": "the insulation of the attic",
    "tiled the kitchen": "the tiling of the kitchen",
    "burned the driftwood": "the burning of the driftwood",
    "welded the railing": "the welding of the railing",
    "sharpened the scythe": "the sharpening of the scythe",
}
CHATTER = (
    "Grey sky again, and the kettle took forever.",
    "Wind from the west all night; slept badly.",
    "Nothing to report but gulls.",
    "Fog until noon, then a pale sun.",
    "Wrote three letters and burnt two of them.",
    "The supply list is on the door, as ever.",
)


AskedFact = tuple[str, str, str, Value, str]


@dataclass
class World:
    """The history and what is asked about it.

    Attributes:
        records: the entries, in order of time.
        drafts: sound questions, each with its plan and bundle.
    """

    records: list[Record]
    history: History
    drafts: list[Draft]


@dataclass(frozen=True)
class Asked:
    """A question before it is given a bundle; its facts as (record, quote, statement, value, about)."""

    question: str
    wanted: AnswerType
    answer: Value
    intent: str
    facts: tuple[AskedFact, ...]
    op: str
    how: str = ""


class Log:
    """Writes entries, each a day or two after the one before."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.pending: list[tuple[str, str, str]] = []

    def add(self, key: str, text: str, author: str = "Keeper") -> None:
        """One entry."""
        self.pending.append((key, text, author))

    def records(self) -> list[Record]:
        """All entries in an order by chance, dated."""
        self._chance.shuffle(self.pending)
        day, made = START, []
        for number, (key, text, author) in enumerate(self.pending):
            day += timedelta(days=1 if number % 4 else 2)
            time = f"{day.isoformat()}T{6 + number % 12:02d}:15"
            made.append(
                Record(
                    id=key, text=text, time=time, author=author, role="user", session=f"s{number // 8}", source="log"
                )
            )
        return made


def build(seed: int = 0) -> World:
    """The invented history with its sound questions."""
    chance = random.Random(seed)
    log = Log(chance)
    asked = [make(log) for make in (_purchases, _pets_and_work, _loans, _packing, _rowing, _cargo)]
    every = [one for made in asked for one in made]
    jobs = _jobs(log)
    for number in range(150):
        log.add(f"x{number:03d}", CHATTER[number % len(CHATTER)])
    records = log.records()
    history = fold(records, "lighthouse")
    days = {record.id: date.fromisoformat((record.time or "")[:10]) for record in records}
    every += jobs(days)
    return World(records, history, [draft(one, history, n, chance) for n, one in enumerate(every)])


def draft(one: Asked, history: History, ordinal: int, chance: random.Random) -> Draft:
    """A question with its plan, in a bundle with two or three entries more."""
    row = history.row
    evidence = list(dict.fromkeys(record for record, *_ in one.facts))
    others = [key for key in history.ids if key not in evidence]
    fillers = chance.sample(others, 2 + ordinal % 2)
    sources = tuple(source(history, row[key]) for key in [*evidence, *fillers])
    plan = plan_of(one, {key: history.texts[row[key]] for key in evidence})
    return Draft(Material(ordinal, sources, (), 1000 + ordinal), plan, one.question, AS_OF)


def source(history: History, row: int) -> Source:
    """An entry as the roles see it."""
    return Source(
        history.ids[row], row, history.texts[row], history.time_texts[row], history.authors[row], history.roles[row]
    )


def plan_of(one: Asked, texts: dict[str, str]) -> Plan:
    """A sound plan: one operation over all facts."""
    facts = tuple(
        Fact(f"f{n}", statement, (cite(record, texts[record], quote),), value, about)
        for n, (record, quote, statement, value, about) in enumerate(one.facts, start=1)
    )
    evidence = tuple(dict.fromkeys(record for record, *_ in one.facts))
    operation = Operation(one.op, tuple(f.id for f in facts), "answer", one.answer, one.how)  # type: ignore[arg-type]
    contributions = tuple(Contribution(record, "says a part of the answer") for record in evidence)
    return Plan(one.intent, one.wanted, one.answer, facts, contributions, (operation,), one.op)


def cite(record: str, text: str, quote: str) -> Citation:
    """Where a quote stands."""
    start = text.index(quote)
    return Citation(record, start, start + len(quote), quote)


def _purchases(log: Log) -> Iterator[Asked]:
    for n, (thing, other) in enumerate(THINGS.items()):
        buyer, seller, price = PEOPLE[n % 25], PEOPLE[(n + 7) % 25], 13 + 7 * n
        key, text = f"buy-{n:02d}", f"{buyer} bought a {thing} from {seller} for {price} euros."
        log.add(key, text)
        said = (f"{buyer} bought a {thing} from {seller} for {price} euros.",)
        if n % 2:
            yield Asked(
                f"How much did {buyer} pay for the {other}?",
                "number",
                f"{price} eur",
                f"the price of the {thing}",
                ((key, text, said[0], f"{price} euros", f"the {thing}"),),
                "lookup",
            )
        else:
            yield Asked(
                f"Who sold {buyer} the {other}?",
                "text",
                seller,
                f"the seller of the {thing}",
                ((key, text, said[0], seller, f"the {thing}"),),
                "lookup",
            )


def _pets_and_work(log: Log) -> Iterator[Asked]:
    for n, ((animal, other), pet, workplace) in enumerate(zip(ANIMALS.items(), PETS, WORKPLACES, strict=True)):
        owner, place = PEOPLE[24 - n], ISLETS[n % len(ISLETS)]
        one, two = f"pet-{n:02d}", f"job-{n:02d}"
        first = f"{owner} has adopted a {animal} called {pet}."
        second = f"{owner} now works in the {workplace} on {place}."
        log.add(one, first)
        log.add(two, second)
        facts = (
            (one, first, f"{owner} adopted a {animal}.", owner, owner),
            (two, second, f"{owner} works on {place}.", place, owner),
        )
        question = f"On which islet is the workplace of whoever adopted a {other}?"
        yield Asked(question, "text", place, "where somebody with a pet works", facts, "bridge")


def _loans(log: Log) -> Iterator[Asked]:
    for n, title in enumerate(TITLES):
        lender = PEOPLE[(3 * n + 1) % 25]
        key, text = f"loan-{n:02d}", f'{lender} lent me "{title}" and wants it back soon.'
        log.add(key, text)
        if n < 8:
            yield Asked(
                f"Which book did I borrow from {lender}?",
                "text",
                title,
                f"the book that {lender} lent",
                ((key, text, f'{lender} lent the keeper "{title}".', title, lender),),
                "lookup",
            )


def _packing(log: Log) -> Iterator[Asked]:
    for n in range(6):
        a, b = PEOPLE[n], PEOPLE[n + 12]
        packed = [[GEAR[(2 * n + step) % 12] for step in steps] for steps in ((0, 1, 2), (0, 5, 7))]
        facts = []
        for who, things, letter in zip((a, b), packed, "ab", strict=True):
            text = f"{who} packed {things[0]}, {things[1]} and {things[2]} for the crossing."
            log.add(f"pack-{n:02d}{letter}", text)
            facts.append((f"pack-{n:02d}{letter}", text, text, things, who))
        question = f"What did both {a} and {b} pack for their crossings?"
        yield Asked(question, "list", [packed[0][0]], f"what {a} and {b} both took", tuple(facts), "intersect")


def _rowing(log: Log) -> Iterator[Asked]:
    for n, islet in enumerate(ISLETS):
        facts = []
        for i, how in enumerate(("before breakfast", "in heavy swell", "with the mail", "at dusk")[: 2 + n % 3]):
            text = f"Rowed out to {islet} {how}."
            log.add(f"row-{n}{i}", text)
            facts.append((f"row-{n}{i}", text, f"The keeper rowed to {islet}.", None, f"trip {i}"))
        question = f"How many times did I row to {islet}?"
        yield Asked(question, "number", len(facts), f"trips to {islet}", tuple(facts), "count")


def _cargo(log: Log) -> Iterator[Asked]:
    for n, boat in enumerate(BOATS):
        amounts, goods = (12 + 5 * n, 40 - 3 * n), (GOODS[n], GOODS[(n + 3) % 8])
        facts = []
        for amount, good, letter in zip(amounts, goods, "ab", strict=True):
            text = f"The {boat} landed {amount} kg of {good}."
            log.add(f"cargo-{n}{letter}", text)
            facts.append((f"cargo-{n}{letter}", text, text, f"{amount} kg", good))
        if n % 2:
            question, answer, op = f"How many kilos did the {boat} land in total?", sum(amounts), "sum"
        else:
            both = f"the {goods[0]} and the {goods[1]} that the {boat} landed"
            question, op = f"What is the difference between {both}, in kilos?", "difference"
            answer = abs(amounts[0] - amounts[1])
        yield Asked(question, "number", f"{answer} kg", f"the cargo of the {boat}", tuple(facts), op)


def _jobs(log: Log) -> Callable[[Mapping[str, date]], Iterator[Asked]]:
    """Adds the entries now; the questions need to know the days on which they come to stand."""
    done = list(JOBS.items())
    texts = [f"Today we {did}." if n % 3 else f"Yesterday we {did}." for n, (did, _) in enumerate(done)]
    for n, text in enumerate(texts):
        log.add(f"work-{n:02d}", text)

    def event(days: Mapping[str, date], n: int) -> AskedFact:
        did, about = done[n]
        day = days[f"work-{n:02d}"] - timedelta(days=0 if n % 3 else 1)
        return f"work-{n:02d}", texts[n], f"We {did}.", day.isoformat(), about

    def asked(days: Mapping[str, date]) -> Iterator[Asked]:
        events = [event(days, n) for n in range(len(done))]
        for a, b in zip(events[:12:2], events[1:12:2], strict=True):
            apart = abs((date.fromisoformat(str(a[3])) - date.fromisoformat(str(b[3]))).days)
            question = f"How many days lay between {a[4]} and {b[4]}?"
            yield Asked(question, "number", f"{apart} days", f"days between {a[4]} and {b[4]}", (a, b), "difference")
        for a, b in zip(events[1:15:2], events[2:16:2], strict=True):
            first = min((a, b), key=lambda one: str(one[3]))[4]
            question = f"Which came first, {a[4]} or {b[4]}?"
            yield Asked(question, "text", first, f"the earlier of {a[4]} and {b[4]}", (a, b), "compare", "first")
        for one in events[6:]:
            yield Asked(f"On what date was {one[4]}?", "date", one[3], f"the day of {one[4]}", (one,), "lookup")

    return asked
