"""Which of the questions that passed are taken: no two alike, no record too often, spread over kinds and months.

Questions come one by one, in the order of their bundles, so that the same ones are taken however the work was shared.
One that would tip the balance of kinds or months is set aside as *spare*, and taken at the end where the part would
else have too few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil

from designsearch.runtime.records import Question
from designsearch.search.supervision.contracts import Rejection
from designsearch.search.supervision.items import UNANSWERABLE, Item
from designsearch.search.supervision.ledger import End
from designsearch.search.supervision.near.seen import Seen
from designsearch.search.supervision.settings import SupervisionSettings

ALIKE = 0.8
"""Jaccard index of the words of two questions from which on they are near-duplicates."""

LIKE_OFFICIAL = 0.5
"""Likewise of a generated and an official question."""

OF_A_RECORD = 0.03
"""Share of the questions asked for that may rest on one record, at least one."""

OF_A_KIND = 0.6
"""Share of a part's ordinary questions from which on a kind has enough."""

OF_A_MONTH = 2
"""A month has enough from twice its even share on."""

PATIENCE, LEAST_PATIENCE = 0.25, 8
"""Spare questions in a row, as a share of those wanted, after which a better balance is no longer waited for."""

BARREN = 200
"""Bundles in a row without a question after which a part is given up."""

UPDATED = "updated"
"""The kind of questions about a value that changed later."""

DUPLICATE = "near-duplicate of a question taken before"
OFFICIAL = "too like an official question"
OVERUSED = f"rests on a record that {OF_A_RECORD:.0%} of the questions rest on already"
PLENTY = "enough questions of its kind"

ENOUGH, BALANCED, USED_UP, GIVEN_UP = "enough", "balanced", "used up", "barren"


@dataclass
class _Part:
    """The state of one part."""

    wanted: int
    months: int
    taken: list[Item] = field(default_factory=list)
    spare: list[Item] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    in_month: Counter[str] = field(default_factory=Counter)
    barren: int = 0  # bundles since one gave a question, taken or spare
    idle: int = 0  # spare questions since one was taken
    next: int = 0  # ordinal
    end: End | None = None


class Selection:
    """Takes questions until every part has as many as are wanted, or has no more.

    Args:
        wanted: number of questions by part.
        settings: what shares there are to be.
        month_of: the month of each record, by its id; records without a time are left out.
        months: by part, the number of months that its records are from.
        official: the words of official questions, which no question may be like.
    """

    def __init__(
        self,
        wanted: Mapping[str, int],
        settings: SupervisionSettings,
        month_of: Mapping[str, str],
        months: Mapping[str, int],
        official: Sequence[str] = (),
    ) -> None:
        self._parts = {part: _Part(number, max(1, months.get(part, 1))) for part, number in wanted.items()}
        self._shares = {UNANSWERABLE: settings.unanswerable, UPDATED: settings.updated}
        self._most_of_record = max(1, int(OF_A_RECORD * sum(wanted.values())))
        self._month_of = month_of
        self._seen, self._official = Seen(ALIKE), Seen(LIKE_OFFICIAL)
        self._ids: list[str] = []
        self._uses: Counter[str] = Counter()
        for words in official:
            self._official.add(words)

    def verdict(self, part: str, question: Question) -> Rejection | str:
        """``kept``, ``spare``, or why a question is not taken."""
        why = self._refused(question) or self._too_many(part, question)
        if why is not None:
            return why
        return "kept" if self._balanced(part, question) else "spare"

    def enter(self, item: Item) -> None:
        """Enter what became of the next bundle of a part."""
        own = self._parts[item.part]
        own.next = item.ordinal + 1
        own.barren = 0 if item.outcome != "rejected" else own.barren + 1
        own.idle = 0 if item.outcome == "kept" else own.idle + (item.outcome == "spare")
        if item.outcome == "spare":
            own.spare.append(item)
        elif item.outcome == "kept":
            self._take(own, item)

    def over(self, part: str) -> End | None:
        """Why a part has come to its end; ``None`` where it has not."""
        own = self._parts[part]
        if len(own.taken) >= own.wanted:
            return End(part, ENOUGH)
        if own.barren >= BARREN:
            return End(part, GIVEN_UP, self._spares(own))
        if own.idle >= max(LEAST_PATIENCE, ceil(PATIENCE * own.wanted)):
            spares = self._spares(own)
            if len(own.taken) + len(spares) >= own.wanted:
                return End(part, BALANCED, spares)
        return None

    def used_up(self, part: str) -> End:
        """The end of a part that has no more bundles."""
        return End(part, USED_UP, self._spares(self._parts[part]))

    def close(self, end: End) -> None:
        """Enter the end of a part, with the spare questions that it takes."""
        own = self._parts[end.part]
        own.end = end
        for item in [one for one in own.spare if one.ordinal in set(end.taken)]:
            self._take(own, item)

    def next_of(self, part: str) -> int | None:
        """The ordinal of a part's next bundle; ``None`` where the part has come to its end."""
        own = self._parts[part]
        return own.next if own.end is None else None

    def lacking(self, part: str) -> int:
        """Number of questions that a part still needs."""
        own = self._parts[part]
        return max(0, own.wanted - len(own.taken))

    def taken(self, part: str) -> list[Item]:
        """The questions of a part, in the order in which they were taken."""
        return list(self._parts[part].taken)

    def end(self, part: str) -> End | None:
        """How a part came to its end; ``None`` where it has not."""
        return self._parts[part].end

    def _take(self, own: _Part, item: Item) -> None:
        assert item.question is not None
        own.taken.append(item)
        own.kinds[item.question.type] += 1
        own.in_month[self._month(item.question)] += 1
        self._uses.update({one.record for one in item.question.evidence})
        self._seen.add(item.question.question)
        self._ids.append(item.question.id)

    def _refused(self, question: Question) -> Rejection | None:
        if (near := self._official.closest(question.question)) is not None:
            return Rejection("selection", OFFICIAL, f"Jaccard index {near[1]:.2f}")
        if (near := self._seen.closest(question.question)) is not None:
            return Rejection("selection", DUPLICATE, f"{self._ids[near[0]]}, Jaccard index {near[1]:.2f}")
        worn = [one.record for one in question.evidence if self._uses[one.record] >= self._most_of_record]
        return Rejection("selection", OVERUSED, ", ".join(worn)) if worn else None

    def _too_many(self, part: str, question: Question) -> Rejection | None:
        """Of kinds whose share the user sets."""
        own = self._parts[part]
        share = self._shares.get(question.type)
        if share is None or own.kinds[question.type] < round(share * own.wanted):
            return None
        return Rejection("selection", PLENTY, f"{question.type}: {share:.0%}")

    def _balanced(self, part: str, question: Question) -> bool:
        own = self._parts[part]
        if question.type in self._shares:
            return True
        ordinary = own.wanted - sum(round(share * own.wanted) for share in self._shares.values())
        if sum(own.kinds.values()) - sum(own.kinds[kind] for kind in self._shares) >= ordinary:
            return False  # the rest is for kinds whose share the user sets
        month = self._month(question)
        return own.kinds[question.type] < max(1, ceil(OF_A_KIND * ordinary)) and (
            not month or own.in_month[month] < max(2, ceil(OF_A_MONTH * own.wanted / own.months))
        )

    def _month(self, question: Question) -> str:
        """The month of the latest evidence; empty where no time is known."""
        return max((self._month_of.get(one.record, "") for one in question.evidence), default="")

    def _spares(self, own: _Part) -> tuple[int, ...]:
        """The spare questions that would fill a part as far as they go."""
        seen, uses, found = Seen(ALIKE), self._uses.copy(), list[int]()
        for item in own.spare:
            if len(own.taken) + len(found) >= own.wanted:
                break
            assert item.question is not None
            records = {one.record for one in item.question.evidence}
            worn = any(uses[record] >= self._most_of_record for record in records)
            if worn or self._refused(item.question) or seen.closest(item.question.question) is not None:
                continue
            seen.add(item.question.question)
            uses.update(records)
            found.append(item.ordinal)
        return tuple(found)


def restored(selection: Selection, lines: Iterable[Item | End]) -> Selection:
    """The selection after the lines of a ledger."""
    for line in lines:
        if isinstance(line, End):
            selection.close(line)
        else:
            selection.enter(line)
    return selection
