"""A memory in use: a design over a growing history that answers questions.

from designsearch import Memory

memory = Memory.open("design.yaml", "history.jsonl")
memory.add({"text": "We fly to Lisbon on 3 May.", "time": "2025-04-01", "author": "Ana"})
answer = memory.ask("When do we fly to Lisbon?")
print(answer.text, [hit.text for hit in answer.units])
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from threading import RLock
from time import perf_counter
from typing import Any

from designsearch.arguments import moment, question_of, record_id, records_of, wanted, whole_number
from designsearch.crew import Models, Named, crew_of, read_models
from designsearch.dsl.design import Design
from designsearch.dsl.problems import CannotContinueError, OutOfBudgetError, UserError, nearest
from designsearch.hits import Answer, Hit, hit_of
from designsearch.inputs import open_design, open_one_history, roles_for
from designsearch.runtime.answers import answer_all
from designsearch.runtime.cache import Cache
from designsearch.runtime.compile import DEFAULT_BUDGET, Pipeline, compile_design
from designsearch.runtime.excerpts import excerpts_of
from designsearch.runtime.histories.base import Dataset, keep_sources
from designsearch.runtime.histories.fold import EventLog
from designsearch.runtime.histories.times import Moment
from designsearch.runtime.indexes.kept_vectors import KeptVectors
from designsearch.runtime.memory import Memory as Stores
from designsearch.runtime.models.base import Ask
from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.books.inherited_calls import InheritedCalls
from designsearch.runtime.models.books.spending import Caps, Spending
from designsearch.runtime.named_files import NamedFiles
from designsearch.runtime.pipeline import Run
from designsearch.runtime.records import NO_TIME, Context, Queries, Record
from designsearch.runtime.services import Services

Records = Record | Mapping[str, Any] | Iterable[Record | Mapping[str, Any]]
"""One record or several, as objects or as plain values with the keys of a history file."""


class Memory:
    """A design over a history, open for questions and for new records. Make one with :meth:`open`.

    Threads may share one: what one of them asks or adds waits for what another does.
    """

    def __init__(self, design: Design, log: EventLog, name: str, budget: int, models: Named) -> None:
        self.design = design
        self.name = name
        self._log = log
        self._named = models
        self._lock = RLock()
        self._files = NamedFiles()
        self._begin(budget, Spending(), CallStore(None))

    def _begin(self, budget: int, spent: Spending, calls: CallStore) -> None:
        """Open the models, with nothing known of any text but what these calls hold."""
        usd, most = self._named.budget.usd, self._named.budget.llm_calls
        caps = Caps(None if usd is None else usd - spent.usd, None if most is None else most - spent.calls)
        self._spent = spent
        self._crew = crew_of(self._named, roles_for([self.design], "answerer"), calls, _log, caps)
        self._answers = self._crew.answerer()
        self._vectors = KeptVectors(self._crew.team.embedder())
        self._pipeline = self._fresh(budget)
        self._opened: tuple[str, Stores] | None = None

    @classmethod
    def open(
        cls,
        design: Design | str | Path,
        history: Dataset | str | Path | Records = (),
        *,
        format: str = "auto",  # noqa: A002  the word of the study file and of the option
        sources: Sequence[str] | None = None,
        budget: int = DEFAULT_BUDGET,
        answerer: Mapping[str, Any] | str | None = None,
        models: Models | None = None,
    ) -> Memory:
        """Open a memory.

        Args:
            design: a file, ``STUDY@best``, the YAML itself, or a loaded design.
            history: a file or folder, ``PATH#NAME``, a loaded data set, or records; nothing for an empty memory.
            format: the format of a file; ``auto`` finds out.
            sources: keep only records from these sources.
            budget: the most tokens that a context may have.
            answerer: who answers: a name or a mapping as in a study's ``models.answerer``; rules where not given.
            models: who answers, helps and embeds: a file of models, a study file, or a mapping as a study's
                ``models``; its budget holds for one memory. Replies are kept in memory only.

        Raises:
            UserError: the design, the history or a model cannot be used; the message says why.
        """
        if not isinstance(design, Design | str | Path):
            raise wanted("design", "a file, STUDY@best, YAML as a text, or a loaded design", design)
        loaded = open_design(design)
        if answerer is not None and models is not None:
            raise UserError("name the answerer in models, or alone with answerer")
        named = read_models(models if answerer is None else {"answerer": answerer})
        if isinstance(history, str | Path):
            found = open_one_history(history, format, sources)
        else:
            found = history if isinstance(history, Dataset) else Dataset("memory", tuple(records_of(history)))
            found = keep_sources(found.name, [found], sources)[0] if sources else found
        return cls(loaded, EventLog(found.events), found.name, whole_number("budget", budget), named)

    def close(self) -> None:
        """Stop models that run on this machine and close connections; also done at exit."""
        self._crew.team.close()

    def __len__(self) -> int:
        """Number of records."""
        with self._lock:
            return len(self._log.snapshot(self.name))

    def ask(self, question: str, as_of: str | date | None = None) -> Answer:
        """Answer a question.

        Args:
            question: in the user's words.
            as_of: when it is asked; relative dates count from it and nothing known later is used. Where not given,
                everything is used and relative dates have no meaning.

        Raises:
            UserError: ``as_of`` is no time.
        """
        began = perf_counter()
        when = moment(as_of)
        with self._lock:
            stores, run, queries = self._search(question_of(question), when)
            context = self._pipeline.contexts(stores, run, queries)[0]
            services = self._pipeline.services
        asked = when.text if when else None
        ask = Ask(question, context, asked, self.design.answer.max_output_tokens)
        made = answer_all(self.design, self._answers, services, [ask])[0]
        (excerpts,) = excerpts_of(run.steps, queries, stores)
        shown = tuple(hit_of(stores, one.id, one.rank, one.score, excerpts.get(one.id)) for one in context.units)
        return Answer(made.text, made.abstained, context, shown, perf_counter() - began, made.failure)

    def search(self, question: str, k: int = 10, as_of: str | date | None = None) -> list[Hit]:
        """The best memories for a question, best first; fewer than ``k`` where fewer were found."""
        k = whole_number("k", k)
        with self._lock:
            stores, run, queries = self._search(question_of(question), moment(as_of))
        ids, scores = run.ranking.of_question(0)
        (excerpts,) = excerpts_of(run.steps, queries, stores)
        found = zip(ids[:k].tolist(), scores[:k].tolist(), strict=True)
        return [
            hit_of(stores, unit, rank, score, excerpts.get(unit)) for rank, (unit, score) in enumerate(found, start=1)
        ]

    def context(self, question: str, budget: int | None = None, as_of: str | date | None = None) -> Context:
        """What an answerer should read for a question, within a budget of tokens."""
        with self._lock:
            stores, run, queries = self._search(question_of(question), moment(as_of))
            pipeline = self._pipeline
            if budget is not None:
                pipeline = replace(pipeline, budget=whole_number("budget", budget))
            return pipeline.contexts(stores, run, queries)[0]

    def add(self, records: Records) -> list[str]:
        """Append records; retrieval is then as if they had been there from the start.

        Args:
            records: one record or several. One with ``event: edit`` or ``event: delete`` changes an earlier record.

        Returns:
            The ids of the records, made unique.

        Raises:
            UserError: a record has a mistake; none of them is added.
        """
        events = records_of(records)
        with self._lock:
            ids = self._log.append(events)
            self._changed()
        return ids

    def forget(self, record: str | int) -> None:
        """Remove a record for good: no text of it is left in the log, the stores, the indexes or the caches.

        What models wrote is forgotten with it, but for what they wrote from other records alone; they are asked anew
        about what stood beside it. Where they cannot be, the record is forgotten all the same.

        To let it be deleted from now on, yet seen by questions about the time before, add an event ``delete`` instead.

        Raises:
            UserError: there is no such record.
        """
        name = record_id(record)
        with self._lock:
            if not self._log.forget(name):
                hint = nearest(name, self._log.snapshot(self.name).ids)
                raise UserError(f"the memory holds no record {name!r}" + (f" ({hint})" if hint else ""))
            if self._crew.models:
                self._begin_without_it()
                return
            self._changed()
            self._search("", None)  # embeds what is left, so that the vectors of everything else can go
            self._vectors.drop_old()

    def _begin_without_it(self) -> None:
        """Open the models anew, with the replies that storing what is left asks for again and no others."""
        before = self._crew
        calls = InheritedCalls(before.calls)
        self._begin(self._pipeline.budget, self._spent + before.team.spent, calls)
        try:
            # what could not be asked now is asked, and its failure told, when it is needed
            with suppress(OutOfBudgetError, CannotContinueError):
                self._search("", None)
        finally:
            calls.part()
            before.team.close()

    def _changed(self) -> None:
        """Forget what was computed from the records as they were."""
        self._vectors.age()
        self._pipeline = self._fresh(self._pipeline.budget)
        self._opened = None

    def _fresh(self, budget: int) -> Pipeline:
        """The pipeline with nothing computed yet."""
        helper = self._crew.team.model("helper")
        services = Services(cache=Cache(), embedder=self._vectors, helper=helper, files=self._files)
        return compile_design(self.design, budget, services)

    def _search(self, question: str, as_of: Moment | None) -> tuple[Stores, Run, Queries]:
        history = self._log.snapshot(self.name, as_of)
        if self._opened is None or self._opened[0] != history.fingerprint:
            self._opened = history.fingerprint, self._pipeline.open(history)
        stores = self._opened[1]
        asked = NO_TIME if as_of is None else as_of.local + as_of.length - 1
        queries = Queries.of([question], [asked])
        return stores, self._pipeline.search(stores, queries), queries


def _log(line: str) -> None:
    """What was found out about a server, for whoever listens to the package's log."""
    logging.getLogger("designsearch").info(line)
