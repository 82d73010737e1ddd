"""What a response means: the kind of trouble it tells, by its status and its words."""

from __future__ import annotations

import json
import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Literal

from designsearch.runtime.models.exchange.body import OddBodyError, Problem, is_web_page, problem_in, read_body
from designsearch.runtime.models.exchange.endpoint import Response
from designsearch.runtime.models.exchange.one_line import one_line
from designsearch.runtime.models.exchange.secret import Secret

Kind = Literal[
    "",
    "timeout",
    "unreachable",
    "broken",
    "too_large",
    "odd",
    "busy",
    "server",
    "quota",
    "key",
    "model",
    "path",
    "web_page",
    "too_long",
    "filtered",
    "format",
    "tools",
    "limit",
    "seed",
    "temperature",
    "parallel",
    "bad",
]
"""What came of a call; empty where it went well.

``timeout``, ``unreachable``, ``broken``, ``too_large``: no whole response; ``odd``: one that makes no sense; ``busy``:
too many calls; ``server``: it failed; ``quota``: used up; ``key``: refused; ``model``: unknown; ``path``, ``web_page``:
something else answers there; ``too_long``: longer than the model reads; ``filtered``: a text that the server's filter
holds back; ``format``, ``tools``, ``limit``, ``seed``, ``temperature``, ``parallel``: a field that this server
does not take; ``bad``: refused for another reason.
"""

LOST_ON_THE_WAY = frozenset({408, 502, 504, 520, 522, 524})
"""Statuses of servers in between: the one behind may have done the work."""

_BUSY = frozenset({429, 503, 529})
_REFUSING = frozenset({400, 404, 415, 422, 500, 501})
"""Statuses with which servers refuse a field that they do not know."""

_QUOTA_MARKS = re.compile(r"insufficient_quota|billing_hard_limit_reached|billing_not_active|insufficient_balance")
_QUOTA_WORDS = re.compile(
    r"exceeded your current quota|insufficient (?:quota|balance|credits?|funds)|credit balance is too low"
    r"|balance is (?:insufficient|not enough)|out of credits|used all (?:available|of your|your)[^.]{0,20}credits"
    r"|billing hard limit|spending limit|check your plan and billing|key limit exceeded|account is in good standing"
    r"|余额不足|欠费"
)
_KEY_WORDS = re.compile(
    r"api[ _-]?key (?:not valid|not found|expired|is (?:invalid|missing|required))|api_key_invalid"
    r"|(?:invalid|incorrect|missing|wrong|no)[ _](?:or invalid )?(?:api[ _-]?key|authorization|authentication)"
)
_TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|context (?:length|size|window)|maximum context|max_model_len"
    r"|(?:prompt|input|request|messages?) (?:is|are) too (?:long|large)|too many (?:input )?tokens"
    r"|reduce the length|exceeds? the (?:available|maximum|model)[^.]{0,40}(?:context|length|tokens)"
)
_FILTERED = re.compile(r"content_filter|content_policy|content management policy|responsibleaipolicy")
_FORMAT = re.compile(r"response_format|json_schema|json_object|json schema|grammar|structured.outputs?|guided")
_TOOLS = re.compile(r"\btools?\b|tool_choice|tool-call|function.?call")
_NO_MODEL = re.compile(
    r"model_not_found|model_not_available|deploymentnotfound|model_decommissioned|endpoint_not_found"
    r"|\b(?:models?|deployment)\b.{0,120}?(?:not[ _]found|not exist|doesn't exist|been decommissioned)"
    r"|unable to access model|no endpoints found for|模型不存在"
)
_NO_MODEL_PERHAPS = re.compile(
    r"\bmodel\b.{0,120}?(?:not (?:available|loaded|deployed)|identifier is invalid)|no models? (?:is )?loaded"
    r"|\bmodel[_ ](?:\S+ )?(?:is )?not[_ ]supported"
    r"|(?:unknown|no such|invalid|unsupported|not a valid)[ _]model"
)
_WRONG_PATH = re.compile(r"unexpected endpoint|unknown (?:endpoint|route|path)|invalid url")


NO_SECRET = Secret(None)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A response, understood.

    Attributes:
        kind: the trouble, empty where there is none.
        body: the JSON of the body, where there is some.
        detail: the trouble on one line, beginning with the status where there was one.
        status: HTTP status, or the one that an error inside a body gives.
        wait: seconds after which the body says that a call may be repeated, ``None`` where it does not say so.
    """

    kind: Kind
    body: Any = None
    detail: str = ""
    status: int = 0
    wait: float | None = None


def understood(response: Response, sent: AbstractSet[str], secret: Secret = NO_SECRET) -> Outcome:
    """What a response means.

    Args:
        response: what came.
        sent: the names of the fields that had been sent.
        secret: the key, which is in nothing that is returned.
    """
    if response.trouble:
        return Outcome(response.trouble, detail=secret.hide(response.detail))
    try:
        body = secret.hide_within(read_body(response.body, response.headers.get("content-type", "")))
    except OddBodyError as error:
        return _without_json(response, str(error), sent, secret)
    problem = problem_in(body)
    if response.status < 300 and problem is None:
        return Outcome("", body, status=response.status)
    if 300 <= response.status < 400:
        return _without_json(response, "", sent, secret)
    status = response.status if response.status >= 300 else (problem.status if problem else 0) or 500
    problem = problem or Problem(json.dumps(body, ensure_ascii=False)[:400])
    detail = f"{status}: {one_line(secret.hide(problem.message)) or 'no words'}"
    return Outcome(_kind(status, problem, sent), body, detail, status, problem.wait)


def _without_json(response: Response, wrong: str, sent: AbstractSet[str], secret: Secret) -> Outcome:
    status = response.status
    page = is_web_page(response.body, response.headers.get("content-type", ""))
    if status < 300:
        return Outcome("web_page" if page else "odd", detail=wrong, status=status)
    words = "" if page else response.body.decode(errors="replace")
    if 300 <= status < 400:
        words = f"redirects to {response.headers.get('location', 'another place')}"
    words = secret.hide(words)[:400]  # hidden first: a key that is cut is not found
    kind = _kind(status, Problem(words), sent)
    return Outcome(kind, detail=f"{status}: {one_line(words)}" if words else str(status), status=status)


def _kind(status: int, problem: Problem, sent: AbstractSet[str]) -> Kind:
    words = problem.words
    if status == 402 or _QUOTA_MARKS.search(words) or (status in {400, 403, 429} and _QUOTA_WORDS.search(words)):
        # some say the same of a minute's quota, and then when it is there again
        return "busy" if status == 429 and problem.wait is not None else "quota"
    if status in _BUSY:
        return "busy"
    if status in {400, 401, 403, 404, 422}:
        about = _refused_for_good(status, words)
        if about:
            return about
    field = _field(words, sent) if status in _REFUSING else ""
    if field:
        return field
    if status == 413:
        return "too_long"
    if status in {400, 404} and _NO_MODEL_PERHAPS.search(words):
        return "model"
    if status in {404, 405} or 300 <= status < 400 or _WRONG_PATH.search(words):
        return "path"
    return "server" if (status >= 500 and status != 501) or status in {408, 409, 425} else "bad"


def _refused_for_good(status: int, words: str) -> Kind:
    """Whether it is the model, the text or the key that is refused, not a field."""
    if status != 401 and _NO_MODEL.search(words):
        return "model"
    if status in {400, 403} and _FILTERED.search(words):
        return "filtered"
    return "key" if status in {401, 403} or (status != 404 and _KEY_WORDS.search(words)) else ""


def _field(words: str, sent: AbstractSet[str]) -> Kind:
    """Which part of the call the words complain about."""
    if _TOO_LONG.search(words):
        return "too_long"
    if "response_format" in sent and _FORMAT.search(words):
        return "format"
    if "parallel_tool_calls" in sent and "parallel_tool_calls" in words:
        return "parallel"
    if "tools" in sent and _TOOLS.search(words):
        return "tools"
    if "max_tokens" in sent and "max_completion_tokens" in words:
        return "limit"
    if "seed" in sent and re.search(r"\bseed\b", words):
        return "seed"
    if "temperature" in sent and re.search(r"\btemperature\b", words):
        return "temperature"
    return ""
