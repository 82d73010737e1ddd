"""Ask one question and keep what every stage did: what ``designsearch ask`` shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

from designsearch.dsl.design import Design
from designsearch.dsl.needs import asks_to_search
from designsearch.dsl.problems import UserError
from designsearch.episode_trace import EpisodeStep, EpisodeTrace, episode_steps
from designsearch.runtime.answers import answer_all
from designsearch.runtime.compile import compile_design
from designsearch.runtime.excerpts import Excerpt, excerpts_of, source_of
from designsearch.runtime.histories.base import Dataset
from designsearch.runtime.histories.times import BadTimeError, Moment, parse_time
from designsearch.runtime.memory import Memory
from designsearch.runtime.models.base import Answerer, Ask
from designsearch.runtime.pipeline import Step
from designsearch.runtime.records import NO_TIME, Answer, Context, Queries
from designsearch.runtime.services import Services
from designsearch.search.results import finite

TOP = 3
"""Best hits of a stage that are shown."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A unit that a stage ranked high.

    Attributes:
        unit: its global id.
        records: ids of its source records; of what a policy noted by then, those that its notes cite.
        score: its score after the stage.
        text: what it says; likewise what the notes cite.
    """

    unit: int
    records: tuple[str, ...]
    score: float | None
    text: str


@dataclass(frozen=True, slots=True)
class StageTrace:
    """What one stage did for the question.

    Attributes:
        path: where it stands in the design.
        op: its operator.
        kept: units that it added or left; ``None`` for a query stage.
        seconds: how long it took.
        top: the best of what it kept.
        queries: what is searched for after it, where it changed that.
        episode: what a memory policy did, step by step; empty for other stages.
        nested: what memory policies inside the stage did.
    """

    path: str
    op: str
    kept: int | None
    seconds: float
    top: tuple[Hit, ...]
    queries: tuple[str, ...]
    episode: tuple[EpisodeStep, ...] = ()
    nested: tuple[EpisodeTrace, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its answer and all that led to it.

    Attributes:
        question: its words.
        as_of: when it was asked; ``None`` where that was not said.
        records, units: what was there to search.
        stages: the cascade.
        context: what the answerer read.
        context_seconds: how long building it took.
        answer: the answer.
        answerer: who gave it.
        opening_seconds: how long storing and indexing took, which a memory in use does once.
        notes: what there is to know about the history.
    """

    question: str
    as_of: str | None
    records: int
    units: int
    stages: tuple[StageTrace, ...]
    context: Context
    context_seconds: float
    answer: Answer
    answerer: str
    opening_seconds: float
    notes: Sequence[str]

    def to_json(self) -> Mapping[str, Any]:
        """Plain JSON."""
        shown = asdict(self)
        shown["context"]["units"] = [asdict(unit) | {"score": finite(unit.score)} for unit in self.context.units]
        return shown


def ask(
    design: Design,
    dataset: Dataset,
    question: str,
    *,
    budget: int,
    answers: Answerer,
    services: Services,
    as_of: str | None = None,
) -> Asked:
    """Ask a question.

    Args:
        design: the design.
        dataset: the history.
        question: in the user's words.
        budget: the most tokens of context.
        answers: who answers.
        services: cache, counter, embedder and helper.
        as_of: when it is asked; nothing known later is used then.

    Raises:
        UserError: the question is empty, or ``as_of`` is no time.
    """
    if not question.strip():
        raise UserError("the question is empty: write what you want to know, in quotes")
    moment = _moment(as_of)
    history = dataset.history(moment)
    pipeline = compile_design(design, budget, services)
    asked = NO_TIME if moment is None else moment.local + moment.length - 1
    began = perf_counter()
    memory = pipeline.open(history)
    if not asks_to_search(design):
        # the same words under another cache key: what is built once is built here, and the trace times searching alone;
        # not where a model would be asked, and paid, for both
        pipeline.search(memory, Queries.of([f"{question} "], [asked]))
    opened = perf_counter()
    queries = Queries.of([question], [asked])
    run = pipeline.search(memory, queries)
    searched = perf_counter()
    context = pipeline.contexts(memory, run, queries)[0]
    built = perf_counter()
    ask_it = Ask(question, context, moment.text if moment else None, design.answer.max_output_tokens)
    answer = answer_all(design, answers, services, [ask_it])[0]
    return Asked(
        question=question,
        as_of=moment.text if moment else None,
        records=len(history),
        units=memory.size,
        stages=tuple(_stages(run.steps, memory, queries)),
        context=context,
        context_seconds=built - searched,
        answer=answer,
        answerer=answers.name,
        opening_seconds=opened - began,
        notes=tuple(str(oddity) for oddity in dataset.report.oddities),
    )


def _stages(steps: Sequence[Step], memory: Memory, asked: Queries) -> Iterator[StageTrace]:
    before = asked.questions
    for number, step in enumerate(steps, 1):
        queries = tuple(query.text for query in step.queries.queries[0])
        changed = queries != before
        before = queries
        if step.ranking is None:
            searched = queries if changed else ()
            yield StageTrace(step.path, step.op, None, step.seconds, (), searched, *_episodes(step, memory))
            continue
        ids, scores = step.ranking.of_question(0)
        best = zip(ids[:TOP].tolist(), scores[:TOP].tolist(), strict=True)
        (excerpts,) = excerpts_of(steps[:number], asked, memory)
        top = tuple(_hit(memory, unit, score, excerpts.get(unit)) for unit, score in best)
        yield StageTrace(step.path, step.op, len(ids), step.seconds, top, (), *_episodes(step, memory))


def _hit(memory: Memory, unit: int, score: float, excerpt: Excerpt | None) -> Hit:
    text = memory.text(unit) if excerpt is None else excerpt.text(memory.history)
    return Hit(unit, source_of(memory, unit, excerpt)[1], finite(score), text)


def _episodes(step: Step, memory: Memory) -> tuple[tuple[EpisodeStep, ...], tuple[EpisodeTrace, ...]]:
    """What the stage's own policy did, and what those inside it did."""
    own = step.episodes[0] if step.episodes else None
    played = [EpisodeTrace(path, op, episode_steps(one, memory)) for path, op, one in step.played(0)]
    return (played[0].episode, tuple(played[1:])) if own is not None else ((), tuple(played))


def _moment(as_of: str | None) -> Moment | None:
    try:
        return None if as_of is None else parse_time(as_of)
    except BadTimeError as error:
        raise UserError(f"--as-of: {error}") from None
