"""Histories of ChatGPT: the ``conversations.json`` of a data export, one file or several, in a folder or a ZIP.

A message of the person or the assistant is one record, its conversation is its session, the title its section. A
conversation is a tree, since messages can be edited and answered anew: the branch that ends at its current node is
read, the messages beside it are counted. Messages of the system and of tools, those to tools and hidden ones are
counted and left out. Times are UTC; a message without one has none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from designsearch.runtime.histories.base import Dataset, loader
from designsearch.runtime.histories.branches import branch_to
from designsearch.runtime.histories.chatgpt_content import words
from designsearch.runtime.histories.conversation_files import Conversation, ConversationFormat, read_conversations
from designsearch.runtime.histories.export_values import label, mapping, stated_time
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.records import Record

_FORM = ConversationFormat(
    "ChatGPT", "mapping", frozenset({"chat_messages", "haystack_sessions"}), ("conversation_id", "id"), "title"
)
_ROLES, _OTHER_ROLES = ("user", "assistant"), ("system", "tool", "developer")


@loader(
    "chatgpt",
    about="ChatGPT: `conversations.json` of a data export, or its folder or ZIP",
    recognises=_FORM.recognises,
)
def read_chatgpt(path: Path) -> dict[str, Callable[[], Dataset]]:
    """The one history of an export, named after its file or folder."""
    name = path.resolve().name if path.is_dir() else path.stem
    return {name: partial(read_conversations, path, name, _FORM, _messages)}


def _messages(talk: Conversation, report: LoadReport) -> list[Record]:
    """The messages of one conversation that its reader sees."""
    nodes = {key: node for key, node in mapping(talk.value.get("mapping")).items() if isinstance(node, dict)}
    parents = {key: label(node.get("parent")) for key, node in nodes.items()}
    leaf = _leaf(talk, nodes, parents, report)
    branch = branch_to(leaf, parents, talk.title or talk.id, report)
    on_branch = set(branch)
    beside = sum(isinstance(node.get("message"), dict) for key, node in nodes.items() if key not in on_branch)
    if beside:
        report.note("messages on other branches, left out", talk.title or talk.id, beside)
    records = list[Record]()
    for key in branch:
        message = nodes[key].get("message")
        if isinstance(message, dict):
            record = _record(message, key, talk, records[-1].id if records else "", report)
            if record is not None:
                records.append(record)
        elif message is not None:
            report.note("messages that are no objects, left out", key)
    return records


def _leaf(talk: Conversation, nodes: dict[str, Any], parents: Mapping[str, str], report: LoadReport) -> str:
    """The last node of the branch that is read: the current one, else the last of all that nothing follows."""
    current = label(talk.value.get("current_node"))
    if current in nodes or not nodes:
        return current
    report.note("conversations without a current node, the last branch taken", talk.title or talk.id)
    followed = set(parents.values())
    return next((key for key in reversed(nodes) if key not in followed), next(reversed(nodes)))


def _record(message: Mapping[str, Any], key: str, talk: Conversation, before: str, report: LoadReport) -> Record | None:
    """One message; ``None`` where it is none between the person and the assistant, or has no words."""
    author, meta = mapping(message.get("author")), mapping(message.get("metadata"))
    own_id = label(message.get("id")) or key
    role, recipient = label(author.get("role")), label(message.get("recipient"))
    if role not in _ROLES:
        if role in _OTHER_ROLES:
            report.note(f"messages of the {role}, left out", talk.title or talk.id)
        else:
            report.note("messages of unknown roles, left out", f"{own_id}: {role[:20]}")
    elif meta.get("is_visually_hidden_from_conversation") is True:
        report.note("hidden messages, left out", own_id)
    elif role == "assistant" and recipient not in ("", "all"):
        report.note("messages of the assistant to a tool, left out", recipient[:40])
    elif not (text := words(message.get("content"), own_id, report)).strip():
        report.note("messages without words, left out", own_id)
    else:
        model = label(meta.get("model_slug"))
        return Record(
            id=own_id, text=text, time=stated_time(message.get("create_time"), own_id, report),
            author=label(author.get("name")) or role, role=role, session=talk.id, source="conversation",
            section=talk.title, reply_to=before, meta={"model": model} if model else {},
        )  # fmt: skip
    return None
