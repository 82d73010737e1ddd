"""A record with a note that a model wrote about it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from designsearch.dsl.operators import NameSet, Params, operator, param
from designsearch.runtime.helper import ask_helper
from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.models.requests import Reply
from designsearch.runtime.operators.storage.spans import speaks, whole_records
from designsearch.runtime.record_messages import message
from designsearch.runtime.records import History, Units
from designsearch.runtime.services import Services

PROMPT = "memory/note"

_TEXTS = {"type": "array", "items": {"type": "string"}, "maxItems": 16}
"""Twice as many as are asked for are let pass, so that one too many does not cost the others."""

SCHEMA = object_of(keywords=_TEXTS, context={"type": "string"}, tags=_TEXTS)

VIEWS = ("context", "keywords", "tags", "note")


class NotesParams(Params):
    """Parameters of ``notes``."""

    roles: NameSet | None = param(
        None, about="only records of these roles, as in [user]; all where not given", tune=True
    )
    sources: NameSet | None = param(None, about="only records of these sources; all where not given")


@operator("notes", "units", NotesParams, needs_model=True, views=VIEWS)
def notes(params: NotesParams, history: History, services: Services) -> Units:
    """Each record as it is, with the views context, keywords and tags that a model wrote, and note, which joins all.

    One request a record, which shows that record alone. A record whose request failed has empty views, and its own text
    as note. As in A-Mem (Xu et al. 2025), which embeds what is here the view note.
    """
    units = whole_records(history, speaks(history, np.arange(len(history)), params.roles, params.sources))
    rows = [row for row in units.records.tolist() if history.texts[row].strip()]
    replies = ask_helper(services, [prompted(PROMPT, SCHEMA, message=message(history, row)) for row in rows])
    about = {row: _about(reply) for row, reply in zip(rows, replies, strict=True)}
    written = [about.get(row, ("", "", "")) for row in units.records.tolist()]
    joined = ["\n".join([text, *filter(None, parts)]) for text, parts in zip(units.texts, written, strict=True)]
    views = {name: tuple(parts[i] for parts in written) for i, name in enumerate(VIEWS[:-1])}
    return replace(units, views=views | {VIEWS[-1]: tuple(joined)})


def _about(reply: Reply) -> tuple[str, str, str]:
    """Context, keywords and tags as texts."""
    if not reply.ok:
        return "", "", ""
    made = reply.value
    return made["context"].strip(), _list(made["keywords"]), _list(made["tags"])


def _list(words: list[str]) -> str:
    return ", ".join(dict.fromkeys(word for word in map(str.strip, words) if word))
