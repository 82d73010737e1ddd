"""What happened: stretches of talk about one thing, each with three more texts to find it by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from designsearch.dsl.operators import Params, Tune, operator, param
from designsearch.runtime.helper import ask_helper
from designsearch.runtime.models.prompted import object_of, prompted
from designsearch.runtime.models.requests import Reply
from designsearch.runtime.operators.storage.event_boundaries import begins_by_helper
from designsearch.runtime.operators.storage.event_views.by_rules import EventViews, views_by_rules
from designsearch.runtime.operators.storage.spans import JOIN, joined_records
from designsearch.runtime.operators.storage.topics import groups_of, topic_begins
from designsearch.runtime.record_messages import messages
from designsearch.runtime.records import History, Units
from designsearch.runtime.services import Services

PROMPT = "memory/events"

VIEWS = ("summary", "anchors", "phrase")


class EventsParams(Params):
    """Parameters of ``events``."""

    threshold: float = param(
        0.2,
        ge=-1,
        le=1,
        about="an event ends where the cosine between what was said before and after is lower",
        tune=Tune(0.0, 0.6),
    )
    window: int = param(3, ge=1, le=20, about="how many records on each side are compared", tune=Tune(1, 4))
    tokens: int = param(512, ge=16, le=100_000, about="the most tokens of an event", tune=Tune(128, 1024, log=True))
    boundaries: Literal["rules", "helper"] = param(
        "rules", about="who says where an event ends: that cosine, or the study's helper; tokens limits both"
    )
    by: Literal["rules", "helper"] = param("rules", about="who writes the views: rules, or the study's helper")
    words: int = param(60, ge=5, le=1000, about="the most words of a summary", tune=Tune(20, 200, log=True))
    questions: int = param(8, ge=1, le=50, about="the most questions of an event", tune=Tune(2, 16))

    def calls_model(self) -> bool:
        """Rules need no helper."""
        return "helper" in (self.by, self.boundaries)


@operator("events", "units", EventsParams, needs_model=True, needs_services=True, views=VIEWS)
def events(params: EventsParams, history: History, services: Services) -> Units:
    """Topics of a session, each with the views summary, anchors (questions that it answers) and phrase (a label).

    Where an event ends is decided as in ``topics``, or by the helper, which reads a session in parts of about 20
    records; where it fails, as in ``topics``. An event's text is that of its records and is never rewritten. Rules take
    its most central sentences for the summary, ask about its dates, amounts, names and titles, and name who spoke,
    when, and its most telling phrases; they read nothing but the event itself. The helper writes all three in one
    request an event; where one failed or a view came back empty, the rules' stands in its place. After the event bank
    of AiO-Mem (Wang et al. 2026), where a model does both.
    """
    begins = topic_begins(history, services, params.threshold, params.window)
    if params.boundaries == "helper":
        begins = begins_by_helper(history, services, begins)
    groups = groups_of(history, services, begins, params.tokens)
    groups.sort(key=lambda group: group[0])
    written = _by_helper if params.by == "helper" else _by_rules
    made = written(params, history, groups, services)
    return replace(
        joined_records(history, groups), views={name: tuple(getattr(own, name) for own in made) for name in VIEWS}
    )


def _by_rules(params: EventsParams, history: History, groups: list[list[int]], _: Services) -> list[EventViews]:
    return views_by_rules(history, groups, params.words, params.questions)


def _by_helper(params: EventsParams, history: History, groups: list[list[int]], services: Services) -> list[EventViews]:
    asked = [e for e, rows in enumerate(groups) if any(history.texts[row].strip() for row in rows)]
    # twice as many are let pass, so that one too many does not cost the others
    questions = {"type": "array", "items": {"type": "string"}, "maxItems": 2 * params.questions}
    schema = object_of(summary={"type": "string"}, questions=questions, phrase={"type": "string"})
    replies = ask_helper(
        services,
        [
            prompted(PROMPT, schema, messages=messages(history, groups[e]), words=params.words, count=params.questions)
            for e in asked
        ],
    )
    made = {e: _read(reply, params.questions) for e, reply in zip(asked, replies, strict=True)}
    wanting = [e for e in asked if not all(getattr(made[e], name) for name in VIEWS)]
    ruled = dict(zip(wanting, _by_rules(params, history, [groups[e] for e in wanting], services), strict=True))
    return [_filled(made[e], ruled.get(e)) if e in made else EventViews("", "", "") for e in range(len(groups))]


def _read(reply: Reply, most: int) -> EventViews:
    if not reply.ok:
        return EventViews("", "", "")
    value = reply.value
    return EventViews(value["summary"].strip(), _lines(value["questions"][:most]), " ".join(value["phrase"].split()))


def _lines(texts: Sequence[str]) -> str:
    return JOIN.join(dict.fromkeys(filter(None, (" ".join(text.split()) for text in texts))))


def _filled(written: EventViews, ruled: EventViews | None) -> EventViews:
    if ruled is None:
        return written
    return EventViews(*(getattr(written, name) or getattr(ruled, name) for name in VIEWS))
