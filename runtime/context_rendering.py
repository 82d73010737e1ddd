"""How the templates of a context become text."""

from __future__ import annotations

from typing import Any

from designsearch.dsl.templates import CUTTER, Template
from designsearch.runtime.context_variables import QuestionVariable, note_variable, unit_variables
from designsearch.runtime.excerpts import Excerpt
from designsearch.runtime.memory import Memory


def item_text(
    template: Template, memory: Memory, unit: int, question: QuestionVariable | None, excerpt: Excerpt | None = None
) -> str:
    """A unit, or an excerpt of it, as the template shows it."""
    shown, note = unit_variables(memory, unit, template, excerpt), note_variable(excerpt)
    return render(template, memory, unit=shown, question=question, note=note)


def render(template: Template, memory: Memory, **variables: Any) -> str:
    """A template's text with the study's token counter behind ``truncate_tokens``."""
    return template.render(**variables, **{CUTTER: memory.services.counter.truncate})
