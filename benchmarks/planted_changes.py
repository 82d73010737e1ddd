"""Facts changed in one small thing, as careless writers of plans change them; and facts soundly reworded."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta

from planted_history import BOATS, ISLETS, PEOPLE, World, cite, source

from designsearch.runtime.histories.fold import fold
from designsearch.search.supervision.contracts import Draft
from designsearch.search.supervision.plans import Fact

Change = Callable[[World, Sequence[Draft]], tuple[list[Draft], "World | None"]]
"""From the history and sound questions the changed ones, and the history that they are about if it is another."""

OPPOSITES = {
    "bought": "sold",
    "lent": "borrowed",
    "adopted": "abandoned",
    "packed": "unpacked",
    "landed": "loaded",
    "to": "from",
    "sold": "bought",
    "opened": "closed",
    "built": "demolished",
    "planted": "uprooted",
    "buried": "unearthed",
    "dug": "filled",
    "old": "new",
}
"""What turns a statement round; the first word of it that is here is changed."""
REWORDED = (
    (r"\bbought\b", "purchased"),
    (r'\blent the keeper (".*")', r"loaned \1 to the author"),
    (r"\badopted\b", "has taken in"),
    (r"\bworks on\b", "has a job on"),
    (r"\bpacked (.*) for the crossing", r"took \1 along on the crossing"),
    (r"\browed to\b", "went to"),
    (r"^The (\w+) landed (.*)\.$", r"\2 were landed by the \1."),
    (r"^We (\w+) (the .*)\.$", r"\2 was \1 by us."),
)
"""The same in other words, as a writer of plans may put it."""
DENIED = (
    (r"\bbought\b", ("never bought", "did not buy", "hasn't bought")),
    (r"\bhas adopted\b", ("has not adopted", "has never adopted", "hasn't adopted")),
    (r"\blent\b", ("never lent", "did not lend", "hasn't lent")),
    (r"\bpacked\b", ("never packed", "did not pack", "hasn't packed")),
    (r"^Rowed\b", ("Never rowed", "Did not row", "Haven't rowed")),
    (r"\blanded\b", ("never landed", "did not land", "hasn't landed")),
    (r"\bwe (\w+)", (r"we never \1", r"we have not \1", r"we haven't \1")),
)


def other_word(world: World, sound: Sequence[Draft]) -> tuple[list[Draft], None]:
    """A word in the place of one of another record, every second time of a record of the same kind."""
    made = []
    for n, draft in enumerate(sound):
        first = draft.plan.facts[0]
        record = first.citations[0].record
        kind = record.partition("-")[0]
        words = sorted(set(re.findall(r"\b[a-z]{4,}\b", first.statement)) - {"from", "with", "keeper"})
        shown = " ".join(source.text for source in draft.material.sources)
        others = [one for one in world.records if one.id != record and (n % 2 or one.id.startswith(kind))]
        for step in range(len(others)):
            one = others[(7 * n + step) % len(others)]
            new = [word for word in re.findall(r"\b[a-z]{4,}\b", one.text) if word not in shown]
            if words and new:
                changed = re.sub(rf"\b{words[n % len(words)]}\b", new[n % len(new)], first.statement, count=1)
                made.append(stated(draft, changed))
                break
    return made, None


def opposite(_: World, sound: Sequence[Draft]) -> tuple[list[Draft], None]:
    """A word turned into its opposite."""
    pattern = re.compile(rf"\b(?:{'|'.join(OPPOSITES)})\b")
    return _changed(sound, lambda said, _: pattern.sub(lambda match: OPPOSITES[match[0]], said, count=1))


def other_number(_: World, sound: Sequence[Draft]) -> tuple[list[Draft], None]:
    """A number one more, ten times as much, or with its digits in the other order."""

    def changed(said: str, n: int) -> str:
        ways: tuple[Callable[[str], str], ...] = (lambda d: str(int(d) + 1), lambda d: f"{d}0", lambda d: d[::-1])
        other = re.sub(r"\d+", lambda match: ways[n % 3](match[0]), said, count=1)
        return other if other != said else re.sub(r"\d+", lambda match: str(int(match[0]) + 1), said, count=1)

    return _changed(sound, changed)


def other_name(_: World, sound: Sequence[Draft]) -> tuple[list[Draft], None]:
    """A name in the place of another one of the history, where there is one of a record that is shown beside it."""
    made = []
    for n, draft in enumerate(sound):
        said = draft.plan.facts[0].statement
        cited = draft.material.source(draft.plan.facts[0].citations[0].record).text
        beside = " ".join(source.text for source in draft.material.sources)
        for names in (PEOPLE, BOATS, ISLETS):
            own = [name for name in names if re.search(rf"\b{name}\b", said)]
            others = [name for name in names if name not in cited]
            near = [name for name in others if name in beside]
            if own:
                new = (near or others)[n % len(near or others)]
                made.append(stated(draft, said.replace(own[n % len(own)], new)))
                break
    return made, None


def exchanged(_: World, sound: Sequence[Draft]) -> tuple[list[Draft], None]:
    """Who did something and to whom in each other's place: every word stands in the record."""

    def changed(said: str, _: int) -> str:
        lent = re.sub(r"^(\w+) lent the keeper", r"The keeper lent \1", said)
        return lent if lent != said else re.sub(r"^(\w+) bought (.*) from (\w+) for", r"\3 bought \2 from \1 for", said)

    return _changed(sound, changed)


def other_day(_: World, sound: Sequence[Draft]) -> tuple[list[Draft], None]:
    """A date a day early or late, in the statement, in the value, and in all that follows from it."""
    made = []
    for n, draft in enumerate(sound):
        plan = draft.plan
        first, *rest = plan.facts
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", str(first.value)):
            continue
        day = (date.fromisoformat(str(first.value)) + timedelta(days=1 if n % 2 else -1)).isoformat()
        answer = plan.answer
        if plan.answer_type == "date":
            answer = day
        elif plan.answer_type == "number":
            answer = f"{abs((date.fromisoformat(day) - date.fromisoformat(str(rest[0].value))).days)} days"
        changed = replace(first, statement=f"{first.statement.rstrip('.')} on {day}.", value=day)
        operations = (replace(plan.operations[-1], value=answer),)
        made.append(replace(draft, plan=replace(plan, facts=(changed, *rest), answer=answer, operations=operations)))
    return made, None


def dropped_denial(world: World, sound: Sequence[Draft]) -> tuple[list[Draft], World]:
    """A record that denies what is stated of it: the same history, in which it did not happen."""
    firsts = list(dict.fromkeys(draft.plan.facts[0].citations[0].record for draft in sound))
    ways = {record: n % 3 for n, record in enumerate(firsts)}
    records = [replace(one, text=_denied(one.text, ways[one.id])) if one.id in ways else one for one in world.records]
    history = fold(records, "lighthouse")
    made = []
    for draft in sound:
        if history.texts[history.row[draft.plan.facts[0].citations[0].record]] in _texts(draft):
            continue  # nothing in it could be denied
        sources = tuple(source(history, history.row[one.record]) for one in draft.material.sources)
        texts = {one.record: one.text for one in sources}
        facts = tuple(_cited(fact, texts) for fact in draft.plan.facts)
        made.append(
            replace(draft, material=replace(draft.material, sources=sources), plan=replace(draft.plan, facts=facts))
        )
    return made, World(records, history, made)


def reworded(_: World, sound: Sequence[Draft]) -> tuple[list[Draft], None]:
    """No fault: the facts in other words that mean the same, as far as a rule of writing can tell."""
    made = []
    for draft in sound:
        facts = [replace(fact, statement=_in_other_words(fact.statement)) for fact in draft.plan.facts]
        made.append(replace(draft, plan=replace(draft.plan, facts=tuple(facts))))
    return made, None


CHANGES: dict[str, Change] = {
    "word of another record": other_word,
    "opposite word": opposite,
    "another number": other_number,
    "another name": other_name,
    "names exchanged": exchanged,
    "a day off": other_day,
    "denial dropped": dropped_denial,
}


def stated(draft: Draft, statement: str) -> Draft:
    """The draft with another statement of its first fact."""
    first, *rest = draft.plan.facts
    return replace(draft, plan=replace(draft.plan, facts=(replace(first, statement=statement), *rest)))


def _changed(sound: Sequence[Draft], change: Callable[[str, int], str]) -> tuple[list[Draft], None]:
    """Those whose first statement a change can be made to."""
    made = [stated(draft, change(draft.plan.facts[0].statement, n)) for n, draft in enumerate(sound)]
    return [new for new, old in zip(made, sound, strict=True) if new != old], None


def _denied(text: str, way: int) -> str:
    for pattern, denials in DENIED:
        if re.search(pattern, text):
            return re.sub(pattern, denials[way], text, count=1)
    return text


def _texts(draft: Draft) -> set[str]:
    return {one.text for one in draft.material.sources}


def _cited(fact: Fact, texts: dict[str, str]) -> Fact:
    """The same fact, quoting its records whole."""
    citations = tuple(cite(one.record, texts[one.record], texts[one.record]) for one in fact.citations)
    return replace(fact, citations=citations)


def _in_other_words(statement: str) -> str:
    for pattern, new in REWORDED:
        other = re.sub(pattern, new, statement)
        if other != statement:
            return other[0].upper() + other[1:]
    return statement
