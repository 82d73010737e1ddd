"""A template cannot make texts, lists, numbers or loops without end; what honest ones do is unchanged."""

from types import SimpleNamespace

import pytest

from designsearch.dsl.metering import ITEM, size
from designsearch.dsl.templates import TemplateError, compile_template

UNIT = SimpleNamespace(text="One. Two. Three.", author="Bo", meta={"b": 1, "a": 2})
START = "{% set a = 'aaaaaaaaaa' %}"


@pytest.mark.parametrize(
    "step",
    [
        "{% set a = a ~ a %}",
        "{% set a = a + a %}",
        "{% set a %}{{ a }}{{ a }}{% endset %}",
        "{% set a = a.replace('', a) %}",
        "{% set a = a | replace('', a) %}",
        "{% set a = a | join(a) %}",
        "{% set a = [a, a] | join %}",
        "{% set a = [a, a] | map('upper') | join %}",
        "{% set a = (a, a) | string %}",
        "{% set a = [a, a] %}",
        "{% set a = {'x': a, 'y': a} %}",
        "{% set a = a | list + a | list %}",
        "{% set a = [[a], [a]] | sum(start=[]) %}",
    ],
)
def test_doubling_ends(step):
    with pytest.raises(TemplateError, match="the template does too much"):
        compile_template(START + step * 400 + "{{ a }}").render(unit=UNIT)


def test_loops_in_loops_end():
    loops = "".join(f"{{% for x{n} in '{'x' * 200}' %}}" for n in range(6))
    with pytest.raises(TemplateError, match="the template does too much"):
        compile_template(loops + "y" + "{% endfor %}" * 6).render(unit=UNIT)


def test_a_loop_that_calls_itself_ends():
    with pytest.raises(TemplateError, match="it calls itself without end"):
        compile_template("{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}").render(unit=UNIT)


@pytest.mark.parametrize("step", ["{% set a = a * a %}", "{% set a = a + a %}"])
def test_numbers_stay_small(step):
    with pytest.raises(TemplateError, match="a number of the template becomes too large"):
        compile_template("{% set a = 2 %}" + step * 1030).render(unit=UNIT)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{% for s in unit.text.split('. ') %}{{ loop.index }}{{ s }}{{ '' if loop.last else ';' }}{% endfor %}",
         "1One;2Two;3Three."),
        ("{% for k, v in unit.meta | dictsort %}{{ k }}={{ v }} {% endfor %}", "a=2 b=1 "),
        ("{% set a, b = 1, 2 %}{{ a + b * 3 % 4 }}", "3"),
        ("{{ unit.author ~ ':' ~ 1 }}{{ unit.author + '!' }}", "Bo:1Bo!"),
        ("{{ [unit, unit] | join('-', attribute='author') }}", "Bo-Bo"),
        ("{{ [unit] | map(attribute='author') | join }}", "Bo"),
        ("{{ 'aXbX' | replace('X', '-', 1) }}{{ 'aXbX'.replace('X', '') }}", "a-bXab"),
        ("{% filter upper %}x{{ unit.author }}{% endfilter %}", "XBO"),
        ("{% for a in [1, 2, 3] if a > 1 %}{{ a }}{% else %}none{% endfor %}", "23"),
        ("{{ unit.nope | default('d') }}{{ [3, 1] | sort | first }}{{ [1, 2] | sum }}", "d13"),
    ],
)  # fmt: skip
def test_honest_templates_are_as_they_were(text, expected):
    assert compile_template(text).render(unit=UNIT) == expected


def test_a_long_record_is_shown():
    text = "word " * 1_000_000
    template = compile_template("{% if unit.author %}{{ unit.author }}: {% endif %}{{ unit.text | trim }}")
    assert len(template.render(unit=SimpleNamespace(text=text, author="Bo"))) == len(text) + 3


def test_size():
    assert [size("abc"), size(["abc", 1]), size({"a": ("b",)})] == [3, 3 * ITEM + 3, 4 * ITEM + 2]
    endless = [1]
    endless.append(endless)
    assert size(endless, most=100) <= 100 + 2 * ITEM
