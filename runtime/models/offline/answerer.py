"""The offline answerer: reads an answer out of the context by rules. No model, no network, the same answer every time.

What it does: finds the sentences that hold most of the question's rarer words, looks in them for a span of the type
asked for (a date resolved against the record's own day, a number, a name, a listed item, a reason) or for the phrase
next to the question's words, and abstains where no sentence supports an answer. What it does not do: understand. It
knows English; other languages get the words that match.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from time import perf_counter

from designsearch.runtime.models.base import Ask
from designsearch.runtime.models.offline.abstain import is_supported
from designsearch.runtime.models.offline.compose import compose
from designsearch.runtime.models.offline.dates import dates_in
from designsearch.runtime.models.offline.question import read_question
from designsearch.runtime.models.offline.reading import read_context
from designsearch.runtime.models.offline.rules_hash import rules_hash
from designsearch.runtime.models.offline.support import ranked_support
from designsearch.runtime.models.offline.words import plain
from designsearch.runtime.records import Answer

RULES = tuple(
    "absolute_dates abstain amounts answer_amount answer_name answer_time answerer calendar_words compose date_rule "
    "dates items names nearby phrase question question_kinds reading relative_dates rules_hash sentences spans support "
    "words".split()
)
"""The modules that an answer depends on."""

_HERE = __name__.rpartition(".")[0]


class OfflineAnswerer:
    """Answers from a context by rules; see the module's docstring."""

    @property
    def name(self) -> str:
        """``offline``."""
        return "offline"

    @property
    def fingerprint(self) -> str:
        """Hash of the rules' own source text."""
        return f"offline-{rules_hash(_HERE, RULES)}"

    @property
    def replicates(self) -> int:
        """1: the same answer each time."""
        return 1

    def answer_all(self, asks: Sequence[Ask]) -> list[Answer]:
        """See :class:`~designsearch.runtime.models.base.Answerer`; a token is counted as a word."""
        return [_answered(ask) for ask in asks]


def _answered(ask: Ask) -> Answer:
    started = perf_counter()
    text = _answer(plain(ask.question), plain(ask.context.text), _day(ask.as_of))
    if ask.max_output_tokens is not None:
        text = " ".join(text.split()[: max(0, ask.max_output_tokens)])
    return Answer(text=text, abstained=not text, seconds=perf_counter() - started)


def _answer(question: str, context: str, as_of: date | None) -> str:
    asked = read_question(question, as_of)
    sentences = read_context(context)
    if not sentences or not asked.terms:
        return ""
    ranked = ranked_support(asked, sentences)
    return compose(asked, ranked) if is_supported(asked, ranked) else ""


def _day(as_of: str | None) -> date | None:
    found = dates_in(as_of[:10], None) if as_of else []
    return found[0].first if found and found[0].precision == "day" else None
