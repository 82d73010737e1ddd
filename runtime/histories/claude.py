"""Histories of Claude: the ``conversations.json`` of a data export, as a file, in a folder or a ZIP.

A message of the person or the assistant is one record, its conversation is its session, the name of that its section.
What a tool was asked or answered is nobody's speech, not even where it stands in a message of the person: such blocks,
thoughts and blocks of unknown types are counted and left out. The text that the export holds of an attached file is a
record of source ``attachment`` that refers to its message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from designsearch.runtime.histories.base import Dataset, loader
from designsearch.runtime.histories.branches import branch_to
from designsearch.runtime.histories.claude_content import Attachment, attachments, words
from designsearch.runtime.histories.conversation_files import Conversation, ConversationFormat, read_conversations
from designsearch.runtime.histories.export_values import items, label, made_id, stated_time
from designsearch.runtime.histories.images import files_named
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.records import Record

_FORM = ConversationFormat(
    "Claude", "chat_messages", frozenset({"mapping", "haystack_sessions"}), ("uuid", "id"), "name"
)
_ROLES = {"human": "user", "user": "user", "assistant": "assistant"}


@loader(
    "claude", about="Claude: `conversations.json` of a data export, or its folder or ZIP", recognises=_FORM.recognises
)
def read_claude(path: Path) -> dict[str, Callable[[], Dataset]]:
    """The one history of an export, named after its file or folder."""
    name = path.resolve().name if path.is_dir() else path.stem
    return {name: partial(read_conversations, path, name, _FORM, _messages)}


def _messages(talk: Conversation, report: LoadReport) -> list[Record]:
    """The messages of one conversation, each followed by what is attached to it."""
    records, before = list[Record](), ""
    for own_id, message in _on_branch(_named(talk, report), talk, report).items():
        found = list(_records(message, own_id, talk, before, report))
        before = found[0].id if found else before
        records += found
    return records


def _named(talk: Conversation, report: LoadReport) -> dict[str, Mapping[str, Any]]:
    """The messages by id; one without an id, or with that of another, is named by its place."""
    found = dict[str, Mapping[str, Any]]()
    for number, message in enumerate(items(talk.value.get("chat_messages")), start=1):
        place = f"{talk.id}:{number}"
        own_id = label(message.get("uuid")) or label(message.get("id")) if isinstance(message, dict) else ""
        if not isinstance(message, dict):
            report.note("messages that are no objects, left out", place)
            continue
        if not own_id or own_id in found:
            report.note("messages without an id of their own, named by their place", place)
            own_id = place
        found[own_id] = message
    return found


def _on_branch(
    messages: dict[str, Mapping[str, Any]], talk: Conversation, report: LoadReport
) -> dict[str, Mapping[str, Any]]:
    """The messages that lead to the current one; all of them where the export names none."""
    leaf = label(talk.value.get("current_leaf_message_uuid"))
    if leaf not in messages:
        return messages
    known = {own_id: label(message.get("parent_message_uuid")) for own_id, message in messages.items()}
    parents = {own_id: parent if parent in messages else "" for own_id, parent in known.items()}
    branch = branch_to(leaf, parents, talk.title or talk.id, report)
    if len(branch) < len(messages):
        report.note("messages on other branches, left out", talk.title or talk.id, len(messages) - len(branch))
    return {own_id: messages[own_id] for own_id in branch}


def _records(
    message: Mapping[str, Any], own_id: str, talk: Conversation, before: str, report: LoadReport
) -> Iterator[Record]:
    """One message and what is attached to it; nothing where it is nobody's, or says and brings nothing."""
    sender = label(message.get("sender")) or label(message.get("role"))
    role = _ROLES.get(sender.lower(), "")
    if not role:
        report.note("messages of neither the person nor the assistant, left out", f"{own_id}: {sender[:20]}")
        return
    attached = attachments(message, own_id, report)
    text = words(message, own_id, report)
    if not text.strip():
        text = files_named([(one.name, one.is_image) for one in attached])
    if not text:
        report.note("messages without words, left out", own_id)
        return
    time = stated_time(message.get("created_at"), own_id, report)
    names = [one.name for one in attached if one.name]
    yield Record(
        id=own_id, text=text, time=time, author=role, role=role, session=talk.id, source="conversation",
        section=talk.title, reply_to=before, meta={"files": names} if names else {},
    )  # fmt: skip
    for one in attached:
        if one.text.strip():
            yield _attached(one, own_id, time, role, talk)


def _attached(one: Attachment, own_id: str, time: str | None, author: str, talk: Conversation) -> Record:
    """The text of an attached file."""
    return Record(
        id=f"{own_id}/{one.name or made_id(one.text)}",
        text=one.text,
        time=time,
        author=author,
        session=talk.id,
        source="attachment",
        section=one.name,
        refs=(own_id,),
        meta={"file": one.name} if one.name else {},
    )
