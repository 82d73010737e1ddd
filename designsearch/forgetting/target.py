"""What is to be forgotten, and how it is recognised in values of JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from designsearch.forgetting.wording import FORGOTTEN, Run, Runs, by_length, runs, said, says
from designsearch.runtime.records import Record

_ID_KEYS = frozenset({"record", "records", "record_id", "reply_to", "refs", "evidence", "examples"})
"""Keys behind which the id of a record may stand, alone or in a list."""

_NUMBER_KEYS = _ID_KEYS - {"records", "examples"}
"""Those behind which a number is an id and no count."""

_OTHER_ID = frozenset({"question", "records", "statement"})
"""Keys that tell that the ``id`` beside them is that of a question, a unit or a fact."""

_LEAST_META = 4
"""Words of a text in ``meta`` that is forgotten with its record; fewer are a label."""


@dataclass(frozen=True)
class Target:
    """Records to be forgotten.

    Attributes:
        ids: of the records.
        history: name of their history.
        texts: of the records, whole.
        runs: runs of words that only these records say.
        also_said: for each record, the others that say a part of it; that part is not searched for.
        too_short: records of which no text can be searched for.
    """

    ids: frozenset[str]
    history: str
    texts: frozenset[str] = field(default=frozenset(), repr=False)
    runs: Runs = field(default_factory=dict, repr=False)
    also_said: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    too_short: tuple[str, ...] = ()

    def also(self, derived: Iterable[str], others: Iterable[str]) -> Target:
        """With texts that were derived from the records; what stands in ``others`` too is not searched for."""
        more = {run for text in derived for run in runs(text)}
        known = by_length(more)
        more -= {run for text in others for run in said(text, known)}
        return replace(self, runs=by_length({run for some in self.runs.values() for run in some} | more))

    def says(self, text: str) -> bool:
        """Whether a text holds what only the records say."""
        return says(text, self.runs)

    def names(self, value: Any, key: str = "") -> bool:
        """Whether one of the ids stands in a value as the id of a record of this history."""
        if isinstance(value, dict):
            if self._elsewhere(value) or (self.is_event(value) and not self.is_forgotten(value)):
                return False
            return any(self.names(item, self._key(name, value)) for name, item in value.items())
        if isinstance(value, list):
            return any(self.names(item, key) for item in value)
        return self.is_id(value, key)

    def is_id(self, value: Any, key: str) -> bool:
        """Whether a plain value behind a key is one of the ids."""
        if isinstance(value, int) and not isinstance(value, bool) and key in _NUMBER_KEYS:
            return str(value) in self.ids
        return isinstance(value, str) and value in self.ids and (key in _ID_KEYS or key == "id")

    @staticmethod
    def is_event(value: Any) -> bool:
        """Whether a value is an event of some history: its ids are those of that history."""
        return isinstance(value, dict) and "id" in value and "text" in value and "question" not in value

    def is_forgotten(self, event: dict[str, Any]) -> bool:
        """Whether an event is one of the records, by id and text."""
        text = event["text"]
        return str(event["id"]) in self.ids and isinstance(text, str) and (text in self.texts or self.says(text))

    def holds(self, value: Any) -> bool:
        """Whether any text in a value holds what only the records say."""
        if isinstance(value, dict):
            return any(self.says(str(name)) or self.holds(item) for name, item in value.items())
        if isinstance(value, list):
            return any(map(self.holds, value))
        return isinstance(value, str) and self.says(value)

    def marks(self, value: Any) -> bool:
        """Whether a value has to do with the records."""
        return self.names(value) or self.holds(value)

    def scrubbed(self, value: Any, key: str = "") -> Any:
        """The value without them: entries of lists that have to do with them are left out, other texts blanked."""
        if isinstance(value, dict):
            return {
                FORGOTTEN if self.says(str(name)) else name: self.scrubbed(item, self._key(name, value))
                for name, item in value.items()
            }
        if isinstance(value, list):
            return [self.scrubbed(item, key) for item in value if not self._leaves(item, key)]
        return FORGOTTEN if self.is_id(value, key) or (isinstance(value, str) and self.says(value)) else value

    def _leaves(self, item: Any, key: str) -> bool:
        """Whether an entry of a list goes as a whole."""
        return self.marks(item) if isinstance(item, dict) else self.is_id(item, key)

    def _elsewhere(self, value: dict[str, Any]) -> bool:
        """Whether an object says that it is about another history."""
        named = value.get("history")
        return isinstance(named, str) and "question" in value and named not in ("", self.history)

    @staticmethod
    def _key(name: str, value: dict[str, Any]) -> str:
        """The key of an entry; empty for an ``id`` that is not a record's."""
        return "" if name == "id" and value.keys() & _OTHER_ID else str(name)


def target_of(history: str, events: Sequence[Record], ids: Sequence[str], forgotten: frozenset[str]) -> Target:
    """What is to be forgotten of a log.

    Args:
        history: its name.
        events: the log.
        ids: the record that each event acts on.
        forgotten: ids of the records.
    """
    own: dict[str, set[Run]] = {name: set() for name in sorted(forgotten)}
    for event, name in zip(events, ids, strict=True):
        if name in forgotten:
            own[name].update(*map(runs, _texts(event)))
    wanted = by_length(set().union(*own.values()))
    shared: set[Run] = set()
    also: dict[str, dict[str, None]] = {name: {} for name in own}
    for event, other in zip(events, ids, strict=True):
        if other in forgotten:
            continue
        common = {run for text in _texts(event) for run in said(text, wanted)}
        shared |= common
        for name, some in own.items():
            if not some.isdisjoint(common):
                also[name][other] = None
    return Target(
        ids=forgotten,
        history=history,
        texts=frozenset(e.text for e, name in zip(events, ids, strict=True) if name in forgotten and e.text),
        runs=by_length(set().union(*own.values()) - shared),
        also_said={name: tuple(others) for name, others in also.items() if others},
        too_short=tuple(name for name, some in own.items() if not some),
    )


def _texts(event: Record) -> list[str]:
    """The texts of an event, those in ``meta`` too."""
    return [event.text, *(text for text in _strings(event.meta) if len(text.split()) >= _LEAST_META)]


def _strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for item in value.values() for text in _strings(item)]
    if isinstance(value, list):
        return [text for item in value for text in _strings(item)]
    return [value] if isinstance(value, str) else []
