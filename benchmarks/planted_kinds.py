"""Seven kinds of faults, each planted into sound questions in several ways."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

from planted_history import PEOPLE, World, cite, source

from designsearch.runtime.histories.fold import fold
from designsearch.runtime.records import History, Record
from designsearch.search.metrics.typed import as_text
from designsearch.search.supervision.contracts import Draft, Material
from designsearch.search.supervision.plans import Contribution, Fact, Operation, Plan

Plant = Callable[[World, Sequence[Draft]], tuple[list[Draft], "World | None"]]
"""From the history and sound questions the faulty ones, and the history that they are about if it is another."""

VAGUE = {
    ("buy", "number"): "How much did the purchase cost?",
    ("buy", "text"): "Who sold something?",
    ("pet", "text"): "On which islet is the workplace of whoever adopted an animal?",
    ("loan", "text"): "Which book did I borrow?",
    ("row", "number"): "How many times did I go somewhere?",
    ("cargo", "number"): "How many kilos did the boat land in total?",
    ("work", "date"): "On what date was the work done?",
    ("work", "number"): "How many days lay between the one job and the other?",
    ("work", "text"): "Which came first, the one job or the other job?",
    ("pack", "list"): "What did both of them pack for their crossings?",
}
POINTING = (
    "{stem} in the record above?",
    "{stem}, according to this message?",
    "{stem}, as mentioned above?",
    "{stem} in the given text?",
    "Based on the passage, {low}?",
)


def wrong_span(_: World, sound: Sequence[Draft]) -> tuple[list[Draft], None]:
    """A quote beside its place, one that is changed, or one of a record that says something else."""
    return [_with_citation(draft, n % 3) for n, draft in enumerate(sound)], None


def unsupported_fact(_: World, sound: Sequence[Draft]) -> tuple[list[Draft], None]:
    """A statement with another name, with a denial, with something added, or with another number and answer."""
    made = [_with_statement(draft, n % 4) for n, draft in enumerate(sound)]
    return [one for one in made if one is not None], None


def one_word(_: World, sound: Sequence[Draft]) -> tuple[list[Draft], None]:
    """A statement in which one word that is no name is another; the hardest for rules, as all the rest agrees."""
    made = []
    for draft in sound:
        first, *rest = draft.plan.facts
        words = sorted(re.findall(r"\b[a-z]{4,}\b", first.statement), key=len)
        if words:
            changed = re.sub(rf"\b{words[-1]}\b", "kayak", first.statement, count=1)
            made.append(_with_facts(draft, [replace(first, statement=changed), *rest]))
    return made, None


def ambiguous(_: World, sound: Sequence[Draft]) -> tuple[list[Draft], None]:
    """A question without what tells its record from others like it."""
    return [replace(draft, question=VAGUE[_kind(draft), draft.plan.answer_type]) for draft in sound], None


def leaked_answer(_: World, sound: Sequence[Draft]) -> tuple[list[Draft], None]:
    """The answer within the question."""
    open_ones = [draft for draft in sound if draft.plan.operations[-1].op != "compare"]
    told = [f"{draft.question[:-1]}, given that it was {_answer(draft, n % 2)}?" for n, draft in enumerate(open_ones)]
    return [replace(draft, question=question) for draft, question in zip(open_ones, told, strict=True)], None


def not_standalone(_: World, sound: Sequence[Draft]) -> tuple[list[Draft], None]:
    """A question that points at what only the one who made it has seen, or has pronouns for its names."""
    made = []
    for n, draft in enumerate(sound):
        stem = draft.question[:-1]
        names = [name for name in PEOPLE if re.search(rf"\b{name}\b", stem)]
        if names and n % 2:
            question = re.sub(rf"\b(?:{'|'.join(names)})\b", "she", stem, count=1) + "?"
            question = re.sub(r"\bthe [a-z]+(?: set)?\?$", "it?", question)
        else:
            question = POINTING[n % len(POINTING)].format(stem=stem, low=stem[0].lower() + stem[1:])
        made.append(replace(draft, question=question))
    return made, None


def unnecessary(world: World, sound: Sequence[Draft]) -> tuple[list[Draft], None]:
    """One record more among the evidence, about somebody or something that the evidence names, too."""
    made = [_with_more(world, draft) for draft in sound if draft.plan.operations[-1].op in ("lookup", "bridge")]
    return [one for one in made if one is not None], None


def second_answer(world: World, sound: Sequence[Draft]) -> tuple[list[Draft], World]:
    """A record elsewhere in the history that answers the same question otherwise."""
    added: list[Record] = []
    kept: list[Draft] = []
    for n, draft in enumerate(sound):
        text = _rival(draft, n)
        if text:
            time = f"2025-01-{1 + n % 28:02d}T09:00"
            added.append(
                Record(id=f"rival-{n:02d}", text=text, time=time, author="Keeper", role="user", session="late")
            )
            kept.append(draft)
    history = fold([*world.records, *added], "lighthouse")
    moved = [replace(draft, material=_moved(draft.material, history)) for draft in kept]
    return moved, World([*world.records, *added], history, moved)


PLANTS: dict[str, Plant] = {
    "wrong span": wrong_span,
    "unsupported fact": unsupported_fact,
    "one word of a fact": one_word,
    "ambiguous question": ambiguous,
    "leaked answer": leaked_answer,
    "not standalone": not_standalone,
    "unnecessary evidence": unnecessary,
    "second valid answer": second_answer,
}


def _moved(material: Material, history: History) -> Material:
    """The same bundle in a longer history."""
    return replace(material, sources=tuple(source(history, history.row[s.record]) for s in material.sources))


def _kind(draft: Draft) -> str:
    return draft.plan.evidence[0].record.partition("-")[0]


def _with_facts(draft: Draft, facts: Sequence[Fact], **changes: object) -> Draft:
    return replace(draft, plan=replace(draft.plan, facts=tuple(facts), **changes))  # type: ignore[arg-type]


def _with_citation(draft: Draft, way: int) -> Draft:
    first, *rest = draft.plan.facts
    old = first.citations[0]
    if way == 0:
        wrong = replace(old, start=old.start + 2, end=old.end + 2)
    elif way == 1:
        wrong = replace(old, quote=old.quote.replace(" the ", " that ", 1) + ".")
    else:
        other = next(s for s in draft.material.sources if s.record not in draft.plan.records)
        wrong = cite(other.record, other.text, other.text)
    facts = [replace(first, citations=(wrong,)), *rest]
    records = dict.fromkeys(citation.record for fact in facts for citation in fact.citations)
    evidence = tuple(Contribution(record, "says a part of the answer") for record in records)
    return _with_facts(draft, facts, evidence=evidence)


def _with_statement(draft: Draft, way: int) -> Draft | None:
    first, *rest = draft.plan.facts
    said = first.statement
    if way == 0:
        names = [name for name in PEOPLE if name in said]
        shown = said + " ".join(source.text for source in draft.material.sources)
        other = next(name for name in PEOPLE if name not in shown)
        changed = said.replace(names[0], other) if names else f"{other} said that {said[0].lower()}{said[1:]}"
    elif way == 1:
        changed = f"It is not true that {said[0].lower()}{said[1:]}"
    elif way == 2:
        changed = f"{said.rstrip('.')}, which pleased the harbour committee and angered the whole village."
    else:
        return _with_value(draft)
    return _with_facts(draft, [replace(first, statement=changed), *rest])


def _with_value(draft: Draft) -> Draft | None:
    """Another value, and with it another answer, none of which the source says."""
    plan = draft.plan
    first, *rest = plan.facts
    if plan.operations[-1].op != "lookup":
        return None
    wrong = {"number": "977 euros", "date": "2023-11-05", "text": "Zebulon"}[plan.answer_type]
    old = as_text(first.value)
    said = first.statement.replace(old, wrong) if old in first.statement else f"It was {wrong}."
    operation = replace(plan.operations[-1], value=wrong)
    return _with_facts(
        draft, [replace(first, statement=said, value=wrong), *rest], answer=wrong, operations=(operation,)
    )


def _answer(draft: Draft, way: int) -> str:
    answer = as_text(draft.plan.answer)
    if draft.plan.answer_type == "date" and way:
        day = date.fromisoformat(answer)
        return f"{day:%B} {day.day}, {day.year}"
    return answer.upper() if draft.plan.answer_type == "text" and way else answer


def _with_more(world: World, draft: Draft) -> Draft | None:
    """A further fact of another record that shares a name or a word, in front of the others."""
    plan, history = draft.plan, world.history
    words = {word for fact in plan.facts for word in re.findall(r"[A-Za-z]{5,}", fact.citations[0].quote)}
    words -= {"Today", "Yesterday"}
    others = [record for record in world.records if record.id not in plan.records]
    unasked = sorted(word for word in words if word not in draft.question)
    other = _about(unasked, others) or _about(sorted(words), others)
    if other is None:
        return None
    extra = Fact("f0", other.text, (cite(other.id, other.text, other.text),), None, "")
    sources = (*draft.material.sources, source(history, history.row[other.id]))
    sources = tuple({s.record: s for s in sources}.values())
    operation = Operation("bridge", ("f0", *(f.id for f in plan.facts)), "answer", plan.answer)
    made: Plan = replace(
        plan,
        facts=(extra, *plan.facts),
        evidence=(Contribution(other.id, "leads to the rest"), *plan.evidence),
        operations=(operation,),
    )
    material: Material = replace(draft.material, sources=sources)
    return replace(draft, plan=made, material=material)


def _about(words: Sequence[str], records: Sequence[Record]) -> Record | None:
    """The first record that has one of some words."""
    return next((r for r in records if any(re.search(rf"\b{word}\b", r.text) for word in words)), None)


def _rival(draft: Draft, n: int) -> str:
    """A text that answers the draft's question otherwise, in the words of the first or in others."""
    text = draft.plan.facts[-1].citations[0].quote
    kind, wanted = _kind(draft), draft.plan.answer_type
    if kind == "buy" and n % 3 == 0:  # in other words
        buyer, thing = text.split()[0], draft.question.rstrip("?").split(" the ")[-1]
        return f"{buyer} got a {thing} off Zebulon, purchased for {500 + n} euros."
    if kind == "buy":
        return re.sub(r"\d+ euros", f"{500 + n} euros", re.sub(r"from \w+", "from Zebulon", text))
    if kind == "pet":
        return re.sub(r"on \w+\.$", "on Hollin.", text)
    if kind == "loan":
        return re.sub(r'".*"', f'"Rain on Slate {chr(65 + n % 26)}"', text)
    if kind == "row":
        return re.sub(r" (?:before|in|with|at) .*$", " in the new dinghy.", text)
    if kind == "work" and wanted in ("date", "number"):
        return re.sub(r"^(?:Today|Yesterday) we", "This morning we", text)
    if kind == "cargo":
        return re.sub(r"\d+ kg", f"{700 + n} kg", text)
    return ""
