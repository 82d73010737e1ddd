"""The rules of a context read out slowly: the whole text is counted again for every candidate."""

from __future__ import annotations

from datetime import datetime, timedelta

from designsearch.dsl.templates import CUTTER, Moment, compile_template
from designsearch.runtime.context_variables import unit_variables
from designsearch.runtime.records import NO_TIME


class SlowContext:
    """One context, built candidate by candidate."""

    def __init__(self, plan, memory, ids, question, budget):
        self.plan, self.memory, self.ids, self.question, self.budget = plan, memory, list(ids), question, budget
        self.counter = memory.services.counter
        self.chosen = [[] for _ in plan.sections]

    def count(self, text):
        return int(self.counter.count_all([text])[0])

    def render(self, source, **variables):
        if not source:
            return ""
        template = compile_template(source)
        return template.render(question=self.question, **variables, **{CUTTER: self.counter.truncate})

    def item(self, section, unit):
        return self.render(section.item, unit=unit_variables(self.memory, unit, compile_template(section.item)))

    def group(self, section, unit):
        """What the group is called, and when its first record was."""
        history = self.memory.history
        row = int(self.memory.first_records[unit])
        if section.group_by is None:
            return None
        if section.group_by == "day":
            seconds = int(history.times[row])
            if seconds == NO_TIME:
                return "", Moment(None)
            day = (datetime(1970, 1, 1) + timedelta(seconds=seconds)).date().isoformat()  # noqa: DTZ001
            return day, Moment(seconds // 86_400 * 86_400, day)
        column = {"session": history.sessions, "source": history.sources, "author": history.authors}[section.group_by]
        first = next(r for r in range(len(history)) if column[r] == column[row])
        known = history.times[first] != NO_TIME
        return column[row], Moment(int(history.times[first]) if known else None, history.time_texts[first])

    def title(self, section, unit):
        if section.group_by is None or not section.group:
            return ""
        name, time = self.group(section, unit)
        named = type("Group", (str,), {"time": time})(name)
        return self.render(section.group, group=named)

    def shown(self, section, chosen):
        times = self.memory.times
        if section.order == "chronological":
            chosen = sorted(chosen, key=lambda u: (times[u] == NO_TIME, times[u]))
        elif section.order == "edges":
            chosen = chosen[::2] + chosen[1::2][::-1]
        groups = {}
        for unit in chosen:
            groups.setdefault(self.group(section, unit) and self.group(section, unit)[0], []).append(unit)
        return list(groups.values())

    def blocks(self, section, chosen):
        if not chosen:
            return []
        made = [self.render(section.header)]
        for group in self.shown(section, chosen):
            made += [self.title(section, group[0]), *(self.item(section, unit) for unit in group)]
        return [block for block in [*made, self.render(section.footer)] if block]

    def text(self, chosen):
        parts = [s.separator.join(self.blocks(s, c)) for s, c in zip(self.plan.sections, chosen, strict=True) if c]
        if not parts:
            return ""
        around = [self.render(self.plan.header), *parts, self.render(self.plan.footer)]
        return self.plan.sections[0].separator.join(block for block in around if block)

    def added(self, section, block):
        """What a block adds after another one; its own length where lengths do not add up."""
        if not block:
            return 0
        if not (self.counter.splits_at_newline and all(s.separator.startswith("\n") for s in self.plan.sections)):
            own = self.counter.splits_at_newline and section.separator.startswith("\n")
            if not own:
                return self.count(block)
        return self.count(section.separator + block) - self.count("\n") + 1

    def used(self, section, chosen):
        return sum(self.added(section, block) for block in self.blocks(section, chosen))

    def build(self):
        """The text and the units shown, in order."""
        first = self.plan.sections[0]
        around = sum(self.added(first, self.render(s)) for s in (self.plan.header, self.plan.footer))
        share = 0.0
        for i, section in enumerate(self.plan.sections):
            share += section.share
            before = sum(self.used(s, c) for s, c in zip(self.plan.sections[:i], self.chosen[:i], strict=True))
            alone = len(self.plan.sections) == 1 and section.share >= 1
            allowance = None if alone else int((self.budget - around) * share + 1e-3) - before
            self.fill(i, section, allowance)
        order = [u for s, c in zip(self.plan.sections, self.chosen, strict=True) for g in self.shown(s, c) for u in g]
        return self.text(self.chosen), order

    def fill(self, i, section, allowance):
        for unit in self.ids:
            if section.source is not None and self.memory.source_of(unit)[0] != section.source:
                continue
            if section.max_units is not None and len(self.chosen[i]) >= section.max_units:
                return
            if not self.item(section, unit):
                continue
            tried = [*self.chosen[:i], [*self.chosen[i], unit], *self.chosen[i + 1 :]]
            fits = self.count(self.text(tried)) <= self.budget
            if fits and (allowance is None or self.used(section, tried[i]) <= allowance):
                self.chosen = tried
            elif section.fill == "stop":
                return
