"""Questions that an event answers, made from its dates, amounts, names, titles and lists by rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from designsearch.runtime.models.offline.spans import Kind, Span, typed_spans
from designsearch.runtime.models.offline.words import INTERJECTIONS, STOP, WORD, base_form, is_verb_form, words_of
from designsearch.runtime.operators.storage.event_views.persons import told_by_others
from designsearch.runtime.operators.storage.event_views.phrase import Phrase
from designsearch.runtime.operators.storage.event_views.sentences import Read, Sentence, best_first

_ASKS: dict[Kind, tuple[str, str]] = {
    "date": ("When", "was it that"), "title": ("Which title", "is it that"), "name": ("Who or what", "is it that"),
    "money": ("How much", "is it that"), "item": ("What", "are all the things that"),
    "duration": ("How long", "is it that"), "number": ("How many", "is it that"),
    "percent": ("What percentage", "is it that"), "time": ("At what time", "was it that"),
}  # fmt: skip
"""How each kind of span is asked for, before a clause of its own; those asked about first stand first."""

MOST_OF_ONE = 2
"""Questions that one sentence makes at most, so that an event's are about several things."""

LEAST_ITEMS = 3
"""Entries that make an enumeration worth asking about: two joined by ``and`` are mostly none."""

JOINT = len(", and ")
"""Characters between two entries at most."""

LEAST_TELLING = 2
"""Words with content that a question must have."""

_OPENING = re.compile(rf"^(?:(?:{'|'.join(sorted(INTERJECTIONS))}|actually|well|so|and|but)[,!.]\s+)+", re.IGNORECASE)
_TENSED = re.compile(r"^(?:also|actually|already|finally|just|recently|really|then)\s+", re.IGNORECASE)
_BEFORE = re.compile(
    r"\s*(?:\b(?:on|in|at|since|for|from|by|until|during|around|about|the|a|an|with|to|of)\s+)*$", re.IGNORECASE
)


def anchors(read: Read, phrases: Sequence[Sequence[Phrase]], most: int) -> list[list[str]]:
    """Questions of each event, the most telling first.

    A typed span makes a question of its sentence, whose answer it is; sentences are taken by how central they are. What
    room is left is filled by questions about the event's key phrases. The idea is that of doc2query (Nogueira et al.
    2019), without a model: a question is more like another question than like its answer.

    Args:
        read: the events, read.
        phrases: the key phrases of each event, best first.
        most: the most questions of an event.
    """
    made: list[dict[str, None]] = [{} for _ in phrases]
    order, _ = best_first(read.owners, read.centrality)
    for i in order.tolist():
        own = made[read.sentences[i].event]
        if len(own) < most and not read.sentences[i].asks:
            own.update(dict.fromkeys(_questions(read.sentences[i])))
    return [
        list(dict.fromkeys([*own, *(_about(phrase) for phrase in said)]))[:most]
        for own, said in zip(made, phrases, strict=True)
    ]


def _about(phrase: Phrase) -> str:
    return f"What did {phrase.who} say about {phrase.text}?" if phrase.who else f"What was said about {phrase.text}?"


def _questions(sentence: Sentence) -> list[str]:
    found: dict[Kind, list[Span]] = {}
    for span in typed_spans(sentence.text, sentence.day):
        if span.kind != "name" or _is_named(sentence, span):
            found.setdefault(span.kind, []).append(span)
    if len(items := _first_list(found.pop("item", []))) >= LEAST_ITEMS:
        found["item"] = [replace(items[0], end=items[-1].end)]
    asked = (_question(sentence, found[kind][0]) for kind in _ASKS if kind in found)
    return [question for question in asked if question][:MOST_OF_ONE]


def _first_list(items: Sequence[Span]) -> Sequence[Span]:
    """The entries up to the first that does not follow right on the one before it."""
    ends = (i for i in range(1, len(items)) if items[i].start - items[i - 1].end > JOINT)
    return items[: next(ends, len(items))]


def _is_named(sentence: Sentence, span: Span) -> bool:
    """Whether a name stands for itself: not who speaks or listens, and no part of a longer phrase (``Lisbon trip``)."""
    if span.text in (sentence.who, sentence.other):
        return False
    after = WORD.match(sentence.text, span.end + 1) if sentence.text[span.end : span.end + 1] == " " else None
    return sentence.text[span.end : span.end + 1] not in ("+", "-") and (
        after is None or after[0].lower().replace("’", "'") in STOP
    )


def _question(sentence: Sentence, span: Span) -> str:
    """The sentence without the span, told by others, as a question about it; empty where too little is left."""
    wh, cleft = _ASKS[span.kind]
    if span.kind == "number" and span.unit:
        wh = f"{wh} {span.unit}s"
    before, after = sentence.text[: span.start], sentence.text[span.end :]
    rest = told_by_others(f"{_BEFORE.sub(' ', before)} {after}", sentence.who, sentence.other)
    rest = _OPENING.sub("", " ".join(rest.split())).strip(" .!?,;:…-–—")
    names = {*words_of(sentence.who), *words_of(sentence.other)}
    if sum(w not in STOP and w not in INTERJECTIONS and w not in names for w in words_of(rest)) < LEAST_TELLING:
        return ""
    return f"{wh} {_did(rest, sentence.who) or f'{cleft} {rest}'}?"


def _did(rest: str, who: str) -> str:
    """``did Ana go there`` of ``Ana went there``; empty for any other clause."""
    if not who or not rest.startswith(f"{who} "):
        return ""
    verb, _, object_ = _TENSED.sub("", rest[len(who) + 1 :], count=1).partition(" ")
    base = base_form(verb.lower())
    fits = base != verb.lower() and base not in ("be", "have") and is_verb_form(verb.lower())
    return f"did {who} {base} {object_}".rstrip() if fits else ""
