from types import SimpleNamespace

import pytest

from designsearch.dsl.templates import Moment, TemplateError, compile_template, environment, render

WHEN = Moment(1709631000, "2024-03-05T09:30")


class Question(str):
    """A question's text that knows when it was asked."""

    __slots__ = ()
    as_of = Moment(None, "2024-03-20")


def unit(**more):
    return SimpleNamespace(
        **{"text": "hello", "time": WHEN, "author": "Bo", "meta": {"title": "T"}, "summary": "s", **more}
    )


def rendered(source, **more):
    return compile_template(source).render(unit=unit(), question=Question("when?"), **more)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("[{{ unit.time | day }}] {{ unit.author }}: {{ unit.text }}", "[2024-03-05] Bo: hello"),
        ("{{ unit.time }} {{ unit.time | time }}", "2024-03-05T09:30 09:30"),
        ("{{ unit.time | ago }}", "2 weeks ago"),
        ("{{ unit.time | ago(question.as_of) }}", "2 weeks ago"),
        ("{{ unit.meta.title }}{{ unit['summary'] }} {{ question }}", "Ts when?"),
        ("{{ unit.text | upper | truncate(3, True, '', 0) }}", "HEL"),
        ("{% if unit.author.startswith('B') %}yes{% endif %}", "yes"),
        ("{% if unit.nickname is defined %}{{ unit.nickname }}{% endif %}-", "-"),
        ("{{ unit.nickname | default('none') }}", "none"),
        ("{{ 2 * 3 }} {{ 7 % 4 }} {{ 2 ** 5 }}", "6 3 32"),
    ],
)
def test_rendering(source, text):
    assert rendered(source) == text


def test_whitespace_is_fixed():
    source = "Facts:\n  {% for word in unit.text.split('l') %}\n- {{ word }}\n  {% endfor %}\n\nQ: {{ question }}\n\n"
    assert rendered(source) == "Facts:\n- he\n- \n- o\n\nQ: when?\n\n"
    assert rendered(source.replace("\n", "\r\n")) == rendered(source)


@pytest.mark.parametrize(
    "text",
    ["total {{ 6*7 }} and {{ question }}", "{% for x in y %}", "{name} %s {0}", "</context>", "<b>&amp;", "{# x #}"],
)
def test_what_a_value_holds_is_never_a_template(text):
    assert compile_template("{{ unit.text }}").render(unit=unit(text=text)) == text
    assert compile_template("a {{ unit.text | trim }} b").render(unit=unit(text=text)) == f"a {text} b"


def test_ago_without_a_question_gives_the_date():
    template = compile_template("{{ unit.time | ago }}")
    assert template.render(unit=unit(), question=None) == "2024-03-05"
    assert template.render(unit=unit()) == "2024-03-05"


def test_variables_say_what_a_text_depends_on():
    assert compile_template("{{ unit.text }}").variables == {"unit"}
    assert compile_template("{{ unit.time | ago }}").variables == {"unit", "question"}
    assert compile_template("{{ unit.time | ago(unit.meta.now) }}").variables == {"unit"}
    assert compile_template("plain").variables == frozenset()


def test_truncate_tokens_uses_the_function_given():
    cut = {"truncate_tokens": lambda text, count: " ".join(text.split()[:count])}
    template = compile_template("{{ unit.text | truncate_tokens(2) }}")
    assert render(template, {"unit": unit(text="one two three"), **cut}) == "one two"
    with pytest.raises(RuntimeError, match="render needs truncate_tokens"):
        template.render(unit=unit())
    with pytest.raises(TemplateError, match="whole number of tokens, not 'x'"):
        compile_template("{{ unit.text | truncate_tokens('x') }}").render(unit=unit(), **cut)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("{{ unit.nickname }}", "has no attribute 'nickname'"),
        ("{{ missing }}", "'missing' is undefined"),
        ("{{ unit.text | day | length | day }}", "work on times, not on int"),
        ("{{ unit.text * 1000000000 }}", "works on numbers only"),
        ("{{ '%9999999d' % 1 }}", "works on numbers only"),
        ("{{ 9 ** 9 ** 9 }}", "too large"),
        ("{{ unit.text.__class__ }}", "unsafe"),
        ("{{ unit.text.format(1) }}", "unsafe"),
        ("{{ unit.text.ljust(1000000000) }}", "unsafe"),
        ("{{ [unit.text] | map(attribute='__class__') | first }}", "unsafe"),
        ("{{ unit.meta.pop('title') }}", "unsafe"),
        ("{{ unit.meta.title + 1 }}", "can only concatenate str"),
        ("{{ 1 / 0 }}", "division by zero"),
    ],
)
def test_what_cannot_be_rendered_is_a_users_mistake(source, message):
    with pytest.raises(TemplateError, match=message):
        rendered(source)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("a\n{{ b }", "template line 2: unexpected '}'"),
        ("{{ a | nosuch }}", "template line 1: No filter named 'nosuch'"),
        ("{{ " + "(" * 5000, "nested too deeply"),
        ("{% for a in b %}" * 40 + "{% endfor %}" * 40, "nested too deeply"),
    ],
)
def test_what_cannot_be_compiled_is_a_users_mistake(source, message):
    with pytest.raises(TemplateError, match=message):
        compile_template(source)


def test_there_are_no_globals_no_loader_and_few_filters():
    assert environment.globals == {}
    assert environment.loader is None
    assert not {"attr", "format", "safe", "pprint", "random", "indent", "center"} & set(environment.filters)


def test_a_template_is_compiled_once():
    assert compile_template("{{ unit.text }}!") is compile_template("{{ unit.text }}!")
