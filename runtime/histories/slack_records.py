"""The messages of one Slack channel as records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from designsearch.runtime.histories.export_values import items, label, made_id, mapping, stated_time, string
from designsearch.runtime.histories.images import files_named
from designsearch.runtime.histories.report import LoadReport
from designsearch.runtime.histories.slack_messages import Message
from designsearch.runtime.histories.slack_people import Workspace, name_of
from designsearch.runtime.histories.slack_text import readable
from designsearch.runtime.records import Record

_OF_PEOPLE = ("", "me_message", "thread_broadcast", "reply_broadcast", "file_share", "file_mention", "file_comment")
_OF_BOTS = ("bot_message", "slackbot_response")
_OF_PROGRAM = ("channel_", "group_", "mpim_", "bot_add", "bot_remove", "bot_enable", "bot_disable", "pinned_item",
               "unpinned_item", "reminder_", "sh_room_", "huddle_", "joiner_", "app_conversation_", "ekm_", "document_",
               "canvas_", "list_", "tabbed_")  # fmt: skip
"""How the kinds of messages begin that nobody wrote."""


class Channel:
    """Turns the messages of one channel into records."""

    def __init__(self, name: str, workspace: Workspace, messages: Sequence[Message], report: LoadReport) -> None:
        self._name = name
        self._title = workspace.channels.get(name, name)
        self._workspace = workspace
        self._messages = messages
        self._threads = {message.thread for message in messages if message.thread}
        self._report = report

    def records(self) -> list[Record]:
        """The records of all messages that say something."""
        known = {message.ts for message in self._messages}
        for message in self._messages:
            if message.thread and message.thread not in known:
                self._report.note("replies to messages that are not there", f"{self._name}:{message.ts}")
        return [record for message in self._messages if (record := self._record(message)) is not None]

    def _record(self, message: Message) -> Record | None:
        """One message; ``None`` where it says nothing."""
        own_id = f"{self._name}:{message.ts or made_id(*message.key)}"
        role = self._role(message, own_id)
        files = self._files(message, own_id)
        text = self._text(message, role) or files_named(files)
        if not text.strip():
            self._report.note("messages without words, left out", own_id)
            return None
        time = stated_time(message.ts, own_id, self._report)
        thread = message.thread or (message.ts if message.ts in self._threads else "")
        day = f"{self._name} {time[:10]}" if time else self._name
        self._report.count({"system": "lines of the program", "bot": "bot messages"}.get(role, "messages"))
        return Record(
            id=own_id,
            text=text,
            time=time,
            author="" if role == "system" else self._author(message, own_id),
            role=role,
            session=f"{self._name}:{thread}" if thread else day,
            source="conversation",
            section=self._title,
            reply_to=f"{self._name}:{message.thread}" if message.thread not in ("", message.ts) else "",
            meta=self._meta(message, role, [name for name, _ in files if name]),
        )

    def _role(self, message: Message, own_id: str) -> str:
        """``user`` for people, ``bot``, or ``system`` for what nobody wrote."""
        kind = message.subtype
        if kind.startswith(_OF_PROGRAM):
            return "system"
        is_bot = kind in _OF_BOTS or (label(message.value.get("bot_id")) and not label(message.value.get("user")))
        if kind not in (*_OF_PEOPLE, *_OF_BOTS):
            self._report.note("messages of unknown kinds, read as usual ones", f"{own_id}: {kind[:40]}")
        return "bot" if is_bot else "user"

    def _author(self, message: Message, own_id: str) -> str:
        """Who wrote a message: a name, else the name of a bot, else an id."""
        value, people = message.value, self._workspace.people
        user, bot = label(value.get("user")), label(value.get("bot_id"))
        if known := people.get(user):
            return known
        named = name_of({"profile": value.get("user_profile")}) or label(value.get("username"))
        named = named or label(mapping(value.get("bot_profile")).get("name")) or people.get(bot, "")
        if not named:
            what = "speakers that nobody names, shown by their id" if user or bot else "messages of nobody"
            self._report.note(what, user or bot or own_id)
        return named or user or bot

    def _text(self, message: Message, role: str) -> str:
        """What a message says; of a bot that says nothing itself, what is in its boxes."""
        text = string(message.value.get("text"))
        if not text.strip() and role == "bot":
            boxes = [box for box in items(message.value.get("attachments")) if isinstance(box, dict)]
            text = "\n".join(filter(None, map(_box, boxes)))
        return readable(text, self._workspace.people, self._workspace.channels)

    def _files(self, message: Message, own_id: str) -> list[tuple[str, bool]]:
        """The names of the files of a message, each with whether it is a picture."""
        listed = items(message.value.get("files")) or [message.value.get("file")]
        found = []
        for file in listed:
            if not isinstance(file, dict):
                continue
            name = next((got for key in ("title", "name", "id") if (got := label(file.get(key)))), "")
            if label(file.get("mode")) in ("tombstone", "hidden_by_limit"):
                self._report.note("files that are no longer there", f"{own_id}: {name}")
            found.append((name, label(file.get("mimetype")).startswith("image/")))
        return found

    def _meta(self, message: Message, role: str, files: list[str]) -> dict[str, Any]:
        """What else a message says of itself."""
        for reaction in items(message.value.get("reactions")):
            self._report.count("reactions passed over", max(1, len(items(mapping(reaction).get("users")))))
        edited = mapping(message.value.get("edited"))
        if edited:
            self._report.count("edited messages")
        meta = {
            "system": message.subtype if role == "system" else "",
            "files": files,
            "edited": stated_time(edited.get("ts"), f"{self._name}:{message.ts}", self._report) or True
            if edited
            else "",
        }
        return {key: value for key, value in meta.items() if value}


def _box(box: Mapping[str, Any]) -> str:
    """What a box of a bot's message says."""
    said = [string(box.get(key)) for key in ("pretext", "title", "text")]
    return "\n".join(filter(None, said)) or string(box.get("fallback"))


def _edited(edited: Mapping[str, Any], place: str, report: LoadReport) -> str | bool:
    """When a message was edited, as far as that is known."""
    return ("ts" in edited and stated_time(edited["ts"], place, report)) or True
