"""What a server's body says: a reply or an error, in whatever form that server writes it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from designsearch.runtime.models.exchange.nesting import too_deep
from designsearch.runtime.models.exchange.one_line import one_line
from designsearch.runtime.models.exchange.surrogates import without_halves
from designsearch.runtime.models.exchange.waiting import duration, wait_in_words


class OddBodyError(Exception):
    """A body that is not what was asked for; says what is wrong with it."""


MOST_TOKENS = 10**8
"""Beyond it a server's count of tokens is not believed."""

_BROKEN_OFF = frozenset(
    "error abort aborted cancelled canceled timeout time_limit network_error insufficient_system_resource".split()
)
"""What servers say why a reply ended that the model had not ended; it may be any part of one."""

_CHARSET = re.compile(r"charset=[\"']?([\w.:-]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Problem:
    """An error as a server tells it.

    Attributes:
        message: its words.
        marks: all else that names the error (code, type, parameter), with spaces between.
        status: the HTTP status that the body itself gives, 0 where it gives none.
        told_wait: seconds to wait as a field of the error gives them, ``None`` where none does.
    """

    message: str
    marks: str = ""
    status: int = 0
    told_wait: float | None = None

    @property
    def wait(self) -> float | None:
        """Seconds after which the call may be repeated, by a field or by the words; ``None`` where they do not say."""
        return self.told_wait if self.told_wait is not None else wait_in_words(self.message)

    @property
    def words(self) -> str:
        """Everything in small letters, to look for words in."""
        return f"{self.message} {self.marks}".lower()


@dataclass(frozen=True, slots=True)
class Written:
    """What a model wrote.

    Attributes:
        content: its text, parts joined; empty where there is none.
        reasoning: what it wrote to itself.
        finish: why it stopped, as the server says.
        refusal: its words where it refused.
        calls: name and arguments, as they came, of each tool call.
    """

    content: str = ""
    reasoning: str = ""
    finish: str = ""
    refusal: str = ""
    calls: tuple[tuple[str, Any], ...] = ()


def read_body(raw: bytes, content_type: str = "") -> Any:
    """The JSON of a body.

    Args:
        raw: UTF-8, UTF-16 or UTF-32 as JSON is, or what the content type says.
        content_type: the header of that name.

    Raises:
        OddBodyError: it is none, or nested too deep.
    """
    if not raw.strip():
        raise OddBodyError("an empty body")
    try:
        body = _loaded(raw, content_type)
    except (ValueError, RecursionError, LookupError):
        raise OddBodyError("a body that is no JSON") from None
    if too_deep(body):
        raise OddBodyError("a body that is nested too deep")
    return body


def _loaded(raw: bytes, content_type: str) -> Any:
    try:
        return json.loads(raw)
    except UnicodeDecodeError:
        charset = _CHARSET.search(content_type)
        if charset is None:
            raise
        return json.loads(raw.decode(charset[1]))


def is_web_page(raw: bytes, content_type: str) -> bool:
    """Whether a body is made for a browser."""
    start = raw[:200].lstrip().lower()
    return "text/html" in content_type.lower() or start.startswith((b"<!doctype html", b"<html"))


def problem_in(body: Any) -> Problem | None:
    """The error that a body tells, ``None`` where it tells none."""
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, Mapping):
        return None
    error = body.get("error")
    if isinstance(error, str) and error:
        return Problem(error, _marks(body))
    if isinstance(error, Mapping) and error:
        return Problem(_message(error), _marks(error), _status(error.get("code")), _told_wait(error))
    if body.get("object") == "error" or ("detail" in body and "choices" not in body):
        return Problem(_message(body), _marks(body), _status(body.get("code")))
    return None


def read_written(body: Any) -> Written:
    """What the model wrote, out of the first choice.

    Raises:
        OddBodyError: there is no choice with a message, or the server says that it failed on the way.
    """
    choices = body.get("choices") if isinstance(body, Mapping) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(choice, Mapping) or not isinstance(message, Mapping):
        raise OddBodyError("a body without choices")
    finish = _text(choice.get("finish_reason"))
    if finish.lower() in _BROKEN_OFF or choice.get("error"):
        raise OddBodyError(f"a reply that broke off ({one_line(_cause(choice) or finish, 120)})")
    return Written(
        content=_text(message.get("content")),
        reasoning=_text(message.get("reasoning_content")) or _text(message.get("reasoning")),
        finish=finish,
        refusal=_text(message.get("refusal")),
        calls=tuple(_calls(message)),
    )


def usage_in(body: Any) -> tuple[int | None, int | None]:
    """Tokens read and written as the server counted; ``None`` for what it does not say."""
    usage = body.get("usage") if isinstance(body, Mapping) else None
    if not isinstance(usage, Mapping):
        return None, None
    return _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))


def listed_models(body: Any) -> list[str]:
    """The names in a list of models, in its order; empty where it is none."""
    data = body.get("data") if isinstance(body, Mapping) else body
    names = [item.get("id") for item in data if isinstance(item, Mapping)] if isinstance(data, list) else []
    return [name for name in names if isinstance(name, str)]


def _cause(choice: Mapping[str, Any]) -> str:
    problem = problem_in(choice)
    return problem.message if problem else ""


def _text(value: Any) -> str:
    """A text, or that of a part, or those of a list of parts; without halves of surrogates, which no file can hold."""
    if isinstance(value, Mapping):
        value = [value]
    if isinstance(value, list):
        parts = [part.get("text", "") if isinstance(part, Mapping) and _shown(part) else part for part in value]
        value = "".join(part for part in parts if isinstance(part, str))
    return without_halves(value) if isinstance(value, str) else ""


def _shown(part: Mapping[str, Any]) -> bool:
    return part.get("type", "text") in {"text", "output_text"}


def _calls(message: Mapping[str, Any]) -> list[tuple[str, Any]]:
    calls = message.get("tool_calls")
    functions = [c.get("function") for c in calls if isinstance(c, Mapping)] if isinstance(calls, list) else []
    if not functions and isinstance(message.get("function_call"), Mapping):
        functions = [message["function_call"]]
    return [(_text(f.get("name")), f.get("arguments")) for f in functions if isinstance(f, Mapping)]


def _count(value: Any) -> int | None:
    """A number of tokens; none where it is no number, or none that a call can take."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_TOKENS:
        return None
    return int(value) if value == int(value) else None


def _status(code: Any) -> int:
    found = int(code) if isinstance(code, str) and re.fullmatch("[45][0-9]{2}", code) else code
    return found if isinstance(found, int) and 400 <= found < 600 else 0


def _told_wait(error: Mapping[str, Any]) -> float | None:
    """Google's ``retryDelay``, as in ``"17s"``, among the details of an error."""
    details = error.get("details")
    told = (
        [item.get("retryDelay") for item in details if isinstance(item, Mapping)] if isinstance(details, list) else []
    )
    return next((wait for text in told if isinstance(text, str) and (wait := duration(text)) is not None), None)


def _marks(error: Mapping[str, Any]) -> str:
    return " ".join(str(error[key]) for key in ("code", "type", "param", "status") if error.get(key) is not None)


def _message(error: Mapping[str, Any]) -> str:
    """The words of an error; those of a list of complaints, each with its place, without what they quote."""
    told = next((error[key] for key in ("message", "detail", "msg") if error.get(key)), "")
    if isinstance(told, list):
        return "; ".join(_complaint(item) for item in told[:3])
    return told if isinstance(told, str) else json.dumps(told, default=str)[:400]


def _complaint(item: Any) -> str:
    if not isinstance(item, Mapping):
        return str(item)[:200]
    place = item.get("loc")
    place = ".".join(str(part) for part in place) if isinstance(place, list) else ""
    return ": ".join(part for part in (place, str(item.get("msg", ""))) if part)
