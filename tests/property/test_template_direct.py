"""The short cut for usual templates gives what Jinja gives."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from designsearch.dsl.moments import Moment
from designsearch.dsl.template_direct import direct
from designsearch.dsl.templates import Template, TemplateError, environment

pieces = st.one_of(
    st.text("ab {}%#\n\r<&", max_size=6),
    st.sampled_from(
        [
            *("{{ unit.text }}", "{{ unit.time | day }}", "{{unit.time|time}}", "{{- unit.author -}}"),
            *("{{ unit.meta }}", "{{ unit.none }}", "{{ question.as_of | day }}", "{{ unit.text | upper }}"),
            *("{% if unit.text %}x{% endif %}\n", "{{ unit.missing }}", "{{ unit.time | day | upper }}"),
            *("{{ question.upper }}", "{{ unit.text | day }}", "{{ unit.meta | day }}", "{{ question }}"),
            *("{# note #}", "{{ missing }}"),
        ]
    ),
)


class Question(str):
    __slots__ = ()
    as_of = Moment(None, "2024-03")


VARIABLES: dict[str, Any] = {
    "unit": SimpleNamespace(
        text="a {{ b }} <c>", time=Moment(0, "2024-03-05T09:30"), author="é", meta={"k": [1]}, none=None
    ),
    "question": Question("who?"),
}


def outcome(render: Any) -> str:
    try:
        return str(render())
    except TemplateError as error:
        return f"error {error}"


@settings(max_examples=400, deadline=None)
@given(st.lists(pieces, max_size=6).map("".join))
def test_the_same_text_or_the_same_error(source: str) -> None:
    try:
        template, plain = Template(source), Template(source)
    except TemplateError:
        return
    plain._direct = None
    assert outcome(lambda: template.render(**VARIABLES)) == outcome(lambda: plain.render(**VARIABLES))


def test_only_the_usual_is_taken() -> None:
    assert direct(environment.parse("[{{ unit.time | day }}] {{ unit.text }} {{ question }}")) is not None
    for source in (
        "{{ unit.text | upper }}",
        "{% if unit.text %}{% endif %}",
        "{{ unit._x }}",
        "{{ unit.time | ago }}",
    ):
        assert direct(environment.parse(source)) is None
