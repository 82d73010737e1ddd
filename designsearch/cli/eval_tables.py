"""How ``designsearch eval`` shows what it measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from designsearch import figures
from designsearch.cli.tables import Table, table

if TYPE_CHECKING:
    from designsearch.cli.output import Output
    from designsearch.evaluation import Measured
    from designsearch.search.judge_agreement import Agreement
    from designsearch.search.report import Group, MetricSummary, Report

METRICS = {
    "evidence_coverage": "coverage",
    "evidence_recall": "evidence recall",
    "answer_recall": "answer recall",
    "accuracy": "accuracy",
    "f1": "F1",
}
"""The metrics of the headline with their headings, in order."""

SHOWN_IDS = 5
"""Ids of unmeasured questions that are named."""


def as_json(rows: Sequence[Measured], setting: Mapping[str, Any], judge: Agreement | None) -> dict[str, Any]:
    """The whole evaluation as plain JSON."""
    from dataclasses import asdict

    from designsearch.evaluation import differences

    designs = [row for row in rows if row.kind == "design"]
    return {
        "setting": dict(setting),
        "rows": [row.to_json() for row in rows],
        "judge": judge.to_json() if judge else None,
        "differences": [
            {
                "base": designs[0].label,
                "design": row.label,
                "metrics": {metric: asdict(found) for metric, found in differences(designs[0], row).items()},
            }
            for row in designs[1:]
        ],
    }


def show(rows: Sequence[Measured], setting: Mapping[str, Any], judge: Agreement | None, out: Output) -> None:
    """Headline, intervals, differences, kinds of questions, histories, and what must be known to read them."""
    designs = [row for row in rows if row.kind == "design"]
    out.heading(_sentence(setting))
    out.gap()
    out.table(headline(rows))
    if out.quiet:
        return
    for row in designs if len(designs) == 1 or out.verbose else ():
        out.gap()
        out.table(intervals(row, several_users=len(setting["histories"]) > 1))
    if len(designs) > 1:
        out.gap()
        out.table(paired(designs))
    if any(row.played for row in designs):
        out.gap()
        out.table(policies(designs))
    for title, groups in (("by type of question", "by_type"), ("by history", "by_history")):
        for part in _breakdowns(designs, groups, title, everything=out.verbose):
            out.gap()
            out.table(part)
    notes = [*_notes(rows, everything=out.verbose), *([_judge(judge)] if judge else [])]
    if notes:
        out.gap()
        for note in notes:
            out.line(note)


def _sentence(setting: Mapping[str, Any]) -> str:
    histories = setting["histories"]
    records = sum(one["records"] for one in histories.values())
    whose = next(iter(histories)) if len(histories) == 1 else f"{len(histories)} histories"
    questions = figures.number_of(setting["questions"], "question")
    return (
        f"{questions} about {whose} ({figures.number_of(records, 'record')}), "
        f"{figures.count(setting['context_budget'])} tokens of context, history view {setting['history_view']}, "
        f"{_answers(setting)}"
    )


def _answers(setting: Mapping[str, Any]) -> str:
    if not setting["answerer"]:
        return "without answers"
    times = setting["replicates"]
    return f"answers by {setting['answerer']}" + (f", {times} to each question" if times > 1 else "")


def headline(rows: Sequence[Measured]) -> Table:
    """One row a design and reference."""
    measured = [m for m in METRICS if any(m in row.report.metrics for row in rows)]
    cells = []
    for row in rows:
        found = row.report
        cells.append(
            (
                row.label,
                *(_headline_figure(found, metric) for metric in measured),
                figures.count(found.mean_context_tokens),
                figures.seconds(row.latency.p50) if row.latency else figures.NONE,
                figures.seconds(row.latency.p95) if row.latency else figures.NONE,
            )
        )
    titles = [f">{METRICS[metric]}" for metric in measured]
    made = table("design", *titles, ">tokens", ">search p50", ">p95", rows=cells)
    first = next((i for i, row in enumerate(rows) if row.kind == "reference"), None)
    return made if first is None else Table(made.columns, made.rows, gaps=frozenset({first}))


def _headline_figure(found: Report, metric: str) -> str:
    """A mean, with the number of questions behind it where others should have been measured too."""
    summary = found.metrics.get(metric)
    if summary is None:
        return figures.NONE
    return figures.share(summary.mean) + (f" ({summary.count})" if summary.unmeasured else "")


def intervals(row: Measured, *, several_users: bool) -> Table:
    """Every metric of a design with its interval and counts."""
    cells = [_interval_row(name, found, several_users) for name, found in row.report.metrics.items()]
    users = [">users like these"] if several_users else []
    columns = ["metric", ">mean", ">95 % interval", *users, ">measured", ">unmeasured", ">does not apply"]
    return table(*columns, rows=cells, title=row.label)


def _interval_row(name: str, found: MetricSummary, several_users: bool) -> list[str]:
    users = [figures.between(found.users_interval)] if several_users else []
    counts = (found.count, len(found.unmeasured), found.not_applicable)
    return [name, figures.share(found.mean), figures.between(found.interval), *users, *map(figures.count, counts)]


def paired(designs: Sequence[Measured]) -> Table:
    """Each design against the first, question by question."""
    from designsearch.evaluation import differences

    cells = [
        (
            row.label,
            metric,
            figures.NONE if found.problem else figures.gain(found.gain),
            figures.NONE if found.problem else figures.between(found.interval, signed=True),
            str(found.gains),
            str(found.losses),
            figures.count(found.count),
            "too few pairs" if found.problem else figures.p_value(found.p),
        )
        for row in designs[1:]
        for metric, found in differences(designs[0], row).items()
    ]
    title = f"against {designs[0].label}, on the same questions (p: chance of such a gain if there were none)"
    columns = ("design", "metric", ">gain", ">95 % interval", ">better", ">worse", ">questions", ">p")
    return table(*columns, rows=cells, title=title)


def policies(designs: Sequence[Measured]) -> Table:
    """What memory policies did a question, and the share of the evidence that came through each of their steps."""
    cells = []
    for row in designs:
        further = [row.report.metrics.get(metric) for metric in ("evidence_recall", "accuracy")]
        means = [summary.mean if summary else None for summary in further]
        for found in row.policies:
            actions = [f"{found.actions[kind]:.2f}" for kind in found.actions]
            came = [figures.share(share) for share in (found.found, found.noted, *means)]
            counts = (f"{found.notes:.1f}", figures.count(found.observed), figures.count(found.forced))
            cells.append((row.label, found.stage, *actions, *counts, *came))
    columns = (">search", ">add", ">skip", ">stop", ">notes", ">read", ">forced")
    evidence = (">found", ">noted", ">in context", ">answered")
    title = "memory policies: actions, notes and tokens read a question; share of the evidence found, noted and shown"
    return table("design", "stage", *columns, *evidence, rows=cells, title=title)


def _breakdowns(designs: Sequence[Measured], groups: str, title: str, *, everything: bool) -> Iterator[Table]:
    """One design with all its metrics, or one metric of all designs; with ``everything`` each design in full."""
    names = sorted({name for row in designs for m in row.report.metrics.values() for name in getattr(m, groups)})
    if len(names) < 2:
        return
    if len(designs) == 1 or everything:
        for row in designs:
            yield _one_design(row, groups, names, f"{title}: {row.label}" if len(designs) > 1 else title)
        return
    metric = next(m for m in METRICS if any(m in row.report.metrics for row in designs))
    cells = []
    for name in names:
        found = [_group(row.report, metric, groups, name) for row in designs]
        count = max((group.count for group in found if group), default=0)
        cells.append((name, str(count), *(figures.share(group.mean if group else None) for group in found)))
    columns = ["", ">questions", *(f">{row.label}" for row in designs)]
    yield table(*columns, rows=cells, title=f"{title}: {METRICS[metric]}")


def _one_design(row: Measured, groups: str, names: Sequence[str], title: str) -> Table:
    measured = [m for m in METRICS if m in row.report.metrics]
    key = "type" if groups == "by_type" else "history"
    asked = [getattr(result, key) for result in row.results if result.replicate == 0]
    cells = []
    for name in names:
        found = [_group(row.report, metric, groups, name) for metric in measured]
        means = [figures.share(group.mean if group else None) for group in found]
        cells.append((name, str(asked.count(name)), *means))
    return table("", ">questions", *(f">{METRICS[metric]}" for metric in measured), rows=cells, title=title)


def _group(found: Report, metric: str, groups: str, name: str) -> Group | None:
    summary = found.metrics.get(metric)
    return getattr(summary, groups).get(name) if summary else None


def _notes(rows: Sequence[Measured], *, everything: bool) -> Iterator[str]:
    """What must be known to read the figures."""
    designs = [row for row in rows if row.kind == "design"]
    for i, row in enumerate(designs):
        same = next((other for other in designs[:i] if _hash(other) == _hash(row)), None)
        if same is not None:
            yield f"{row.label} is the same design as {same.label}"
    for row in rows:
        if row.kind != "design":
            continue
        found = row.report.metrics.get("accuracy")
        if found is not None and found.unmeasured:
            yield _unmeasured(row, found, everything=everything)
        if row.report.calls:
            price = f", ${row.report.cost:.4f}" if row.report.cost else ""
            calls = figures.number_of(row.report.calls, "model call")
            yield f"{row.label}: its answers took {calls}{price}, kept ones included"
        if row.report.errors:
            first = next(result.error for result in row.results if result.error)
            yield f"{row.label}: {figures.number_of(row.report.errors, 'answer')} could not be measured ({first})"


def _hash(row: Measured) -> str:
    return row.design.hash if row.design else ""


def _unmeasured(row: Measured, found: MetricSummary, *, everything: bool) -> str:
    failed = {result.key for result in row.results if result.error}
    ids = [str(key) for key in found.unmeasured if key not in failed]
    said = (
        f"{row.label}: accuracy is measured on {found.count} of "
        f"{figures.count(found.count + len(found.unmeasured))} questions"
    )
    if not ids:
        return said
    shown = ids if everything else ids[:SHOWN_IDS]
    more = "" if len(shown) == len(ids) else ", ..."
    others = "the answers to the others" if len(ids) == len(found.unmeasured) else f"{len(ids)} answers"
    return f"{said}; {others} need a judge ({', '.join(shown)}{more})"


def _judge(found: Agreement) -> str:
    parts = [figures.number_of(found.verdicts, "verdict") + f", {found.unmeasured} not measured"]
    if found.known:
        parts.append(f"agrees with typed equality on {found.agreed} of {found.known}")
    if found.replicates is not None:
        parts.append(f"replicates agree on {found.replicates:.2f}")
    return f"judge {found.judge}: {'; '.join(parts)}"
