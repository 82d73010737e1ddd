"""Whether what a model wrote is the reply that was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from designsearch.dsl.problems import nearest
from designsearch.runtime.models.exchange.body import Written
from designsearch.runtime.models.exchange.json_repair import NoJsonError, NotJsonError
from designsearch.runtime.models.exchange.json_text import read_json, reasoning_in, without_reasoning
from designsearch.runtime.models.exchange.one_line import one_line
from designsearch.runtime.models.exchange.tool_calls import read_arguments
from designsearch.runtime.models.requests import Failure, Request

LONGEST_QUOTED = 8000
"""Characters of a reply that are shown to the model that wrote it, where it is asked again."""

_CUT = frozenset({"length", "max_tokens", "max_output_tokens", "model_length", "token_limit"})
_FILTERED = ("content_filter", "safety", "sensitive", "prohibited_content", "recitation")
"""How the reason begins; some servers say behind it which filter it was."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A reply, checked.

    Attributes:
        text: what the model wrote.
        value: the JSON value or tool call, where one was asked for.
        failure: why there is no usable reply, empty where there is one.
        detail: one line about it, for people.
        reason: what was wrong, for the model.
        prose: whether there is no JSON at all where some was asked for.
        again: whether it is worth asking once more: as it was, or with the reason where the reply was invalid.
    """

    text: str = ""
    value: Any = None
    failure: Failure | Literal[""] = ""
    detail: str = ""
    reason: str = ""
    prose: bool = False
    again: bool = False


def check_reply(written: Written, request: Request, native: bool, reasoning_as_answer: bool, limit: int) -> Checked:
    """What a model wrote, as the reply to a request.

    A reply that was cut at the limit of tokens is never accepted, even where it is valid JSON: a list that lacks its
    end looks like a whole one.

    Args:
        written: what the model wrote.
        request: what was asked.
        native: whether the server was told of the request's tools.
        reasoning_as_answer: whether reasoning counts where there is nothing else.
        limit: the most tokens that were asked for.
    """
    if written.finish.lower() in _CUT:
        nothing = "" if written.content.strip() or written.calls else "; there was no answer yet"
        return Checked(failure="truncated", detail=f"truncated at max_tokens={limit}{nothing}", again=True)
    if written.finish.lower().startswith(_FILTERED):
        return Checked(failure="no_answer", detail="content_filter")
    if native and written.calls:
        return _native_call(written, request)
    text = without_reasoning(written.content).strip()
    if not text and written.refusal:
        return Checked(failure="no_answer", detail=f"refusal: {one_line(written.refusal)}")
    reasoning = written.reasoning.strip() or reasoning_in(written.content)
    if not text and reasoning_as_answer:
        text = reasoning
    if not text:
        return Checked(failure="no_answer", detail="empty, only reasoning" if reasoning else "empty", again=True)
    if native:
        return _invalid(text, "no tool was called")
    if request.schema is None and not request.tools:
        return Checked(text=text)
    return _json(text, request)


def wrote_instead(written: Written) -> bool:
    """Whether a model that was to call a tool did something else, beyond doubt: neither did it not get that far."""
    if written.calls or written.refusal or written.finish.lower().startswith(_FILTERED):
        return False
    return written.finish.lower() not in _CUT or bool(without_reasoning(written.content).strip())


def _json(text: str, request: Request) -> Checked:
    try:
        value = read_json(text)
        if request.tools:
            value = _json_call(value, request) if request.most_calls == 1 else _json_calls(value, request)
        elif request.schema is not None:
            _validate(value, request.schema, "")
    except NotJsonError as error:
        return replace(_invalid(text, str(error)), prose=isinstance(error, NoJsonError))
    return Checked(text=text, value=value)


def _native_call(written: Written, request: Request) -> Checked:
    if len(written.calls) > request.most_calls:
        most = "exactly one was" if request.most_calls == 1 else f"at most {request.most_calls} were"
        return _invalid("", f"{len(written.calls)} tools were called, {most} asked for")
    try:
        made = [_told_call(name, arguments, request) for name, arguments in written.calls]
    except NotJsonError as error:
        return _invalid("", str(error))
    return Checked(text=written.content, value=made if request.most_calls > 1 else made[0])


def _told_call(name: str, arguments: Any, request: Request) -> dict[str, Any]:
    """One native call; what is wrong with it is told together with the call."""
    try:
        return _call(name, arguments, request)
    except NotJsonError as error:
        raise NotJsonError(f"{error}; the call was {name}({_shown(arguments)})") from None


def _json_calls(value: Any, request: Request) -> list[dict[str, Any]]:
    """Several calls; a list of them, or a single one, counts without the object around it."""
    if isinstance(value, dict) and value.keys() == {"calls"}:
        value = value["calls"]
    calls = value if isinstance(value, list) else [value]
    if not 1 <= len(calls) <= request.most_calls:
        raise NotJsonError(f"{len(calls)} tools were called, 1 to {request.most_calls} were asked for")
    return [_json_call(call, request) for call in calls]


def _json_call(value: Any, request: Request) -> dict[str, Any]:
    if not isinstance(value, dict) or not value.keys() <= {"tool", "arguments"} or "tool" not in value:
        raise NotJsonError('a tool is called as {"tool": NAME, "arguments": {...}}')
    return _call(value["tool"], value.get("arguments"), request)


def _call(name: Any, arguments: Any, request: Request) -> dict[str, Any]:
    tools = {tool.name: tool for tool in request.tools}
    if not isinstance(name, str) or name not in tools:
        hint = nearest(name, tools) if isinstance(name, str) else ""
        shown = one_line(str(name), 60)
        raise NotJsonError(f"there is no tool {shown!r}, only {', '.join(tools)}" + (f" ({hint})" if hint else ""))
    read = read_arguments(arguments)
    _validate(read, tools[name].parameters, f"arguments of {name}")
    return {"tool": name, "arguments": read}


def _validate(value: Any, schema: Mapping[str, Any], of: str) -> None:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(schema).iter_errors(value))
    if error is not None:
        place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
        where = " ".join(part for part in (of, f"at ${place}") if part)
        raise NotJsonError(f"{where}: {error.message}")


def _invalid(text: str, reason: str) -> Checked:
    return Checked(
        text=text[:LONGEST_QUOTED],
        failure="invalid",
        detail=one_line(reason),
        reason=one_line(reason, 600),
        again=True,
    )


def _shown(arguments: Any) -> str:
    return one_line(arguments if isinstance(arguments, str) else repr(arguments), 80)
