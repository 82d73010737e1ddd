"""The messages of one Slack channel as an export has them: once each, in their last state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from typing import Any

from designsearch.runtime.histories.export_values import label, string
from designsearch.runtime.histories.report import LoadReport

_BROADCASTS = ("thread_broadcast", "reply_broadcast")
_GONE = ("message_deleted", "tombstone")


@dataclass(frozen=True, slots=True)
class Message:
    """One message.

    Attributes:
        ts: its time stamp, which is its id within a channel; empty where it has none.
        thread: the time stamp of the message that its thread began with; empty outside threads.
        value: the object itself.
    """

    ts: str
    thread: str
    value: dict[str, Any]

    @property
    def subtype(self) -> str:
        """What kind of message it is; empty for the usual one."""
        return label(self.value.get("subtype"))

    @property
    def key(self) -> tuple[str, ...]:
        """What two copies of it have in common."""
        return self.ts, label(self.value.get("user")) or label(self.value.get("bot_id")), string(self.value.get("text"))


def settled(values: Iterable[Any], channel: str, report: LoadReport) -> list[Message]:
    """The messages of a channel without copies and without those that were deleted.

    Args:
        values: what stands in its files, in order.
        channel: its name, for the report.
        report: gets what is left out.
    """
    found, deleted, changed = list[Message](), set[str](), dict[str, Message]()
    for value in values:
        if not isinstance(value, dict):
            report.note("messages that are no objects, left out", channel)
            continue
        message = _message(value)
        inner = value.get("message")
        if message.subtype in _GONE:
            report.note("deleted messages, left out", f"{channel}:{message.ts}")
            deleted.add(_stamp(value.get("deleted_ts")) or message.ts)
        elif message.subtype == "message_changed" and isinstance(inner, dict):
            changed[_stamp(inner.get("ts"))] = _message({"edited": {"ts": value.get("ts")}, **inner})
        else:
            found.append(message)
    known = {message.ts for message in found}
    found = [changed.get(message.ts, message) if message.ts else message for message in found]
    found += [message for ts, message in changed.items() if ts not in known]
    return _once([message for message in found if not message.ts or message.ts not in deleted], channel, report)


def _once(messages: Iterable[Message], channel: str, report: LoadReport) -> list[Message]:
    """Each message once: a reply that was shown to its channel too stands there as a second one."""
    messages = list(messages)
    replies = dict[tuple[str, ...], set[str]]()
    for message in messages:
        if message.subtype not in _BROADCASTS:
            replies.setdefault((*message.key[1:], message.thread), set()).add(message.ts)
    kept, seen = list[Message](), dict[tuple[str, ...], str]()
    for message in messages:
        is_shown = message.subtype in _BROADCASTS
        stamps = replies.get((*message.key[1:], message.thread), set()) if is_shown and message.thread else set()
        if (message.ts and message.key in seen) or (stamps and message.ts not in stamps):
            is_shown = is_shown or seen.get(message.key) in _BROADCASTS
            what = "replies that were shown to their channel too" if is_shown else "messages that are there twice"
            report.note(f"{what}, the copies left out", f"{channel}:{message.ts}")
        else:
            kept.append(message)
            seen[message.key] = message.subtype
    return kept


def _message(value: dict[str, Any]) -> Message:
    ts, thread = _stamp(value.get("ts")), _stamp(value.get("thread_ts"))
    return Message(ts, thread, value)


def _stamp(value: Any) -> str:
    """A time stamp as a string; empty where there is none."""
    if isinstance(value, float):
        return f"{value:.6f}" if isfinite(value) else ""
    return label(value)
