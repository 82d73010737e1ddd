import pytest

from designsearch.dsl.template_check import GROUP, NOTE, QUESTION, check_template, unit_attributes

SCOPE = {"unit": unit_attributes(frozenset({"raw", "window"})), "question": QUESTION, "group": GROUP, "note": NOTE}


def check(text):
    """Each mistake as (line, what stands there, message)."""
    found = check_template(text, SCOPE)
    return [
        (text.count("\n", 0, m.offset) + 1, text[m.offset : m.offset + len(m.fragment)], m.message.split("; ")[0])
        for m in found
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no code { } {",
        "{{ unit.text }} {{ unit.window }} {{ unit['author'] }} {{ unit.meta.any.thing }}",
        "{{ unit.time | ago(question.as_of) }} {{ group.time | day }} {{ group | upper }}",
        "{% if profile is defined %}{{ profile }}{% endif %}",
        "{{ unit.summary | default(unit.text) }}",
        "{% if note.content %}{{ note.content | upper }}{% endif %}",
        "{% for word in unit.text.split() if word %}{{ word }}{{ loop.index }}{% endfor %}",
        "{% set x = unit.text %}{{ x | title }}",
        "{% set note = unit.author %}{{ note }}",
        "{% with a = 1 %}{{ a }}{% endwith %}",
        "{# {{ nothing }} #}{% raw %}{{ nothing }}{% endraw %}",
        "{{ unit.time is defined and unit.author in ['a', 'b'] }}",
    ],
)
def test_what_is_right_passes(text):
    assert check(text) == []


@pytest.mark.parametrize(
    ("text", "mistakes"),
    [
        ("Q: {{ question }} M: {{ memmories }}", [(1, "memmories", "unknown variable memmories")]),
        ("{% for m in memorys %}- {{ m.text }}\n{% endfor %}", [(1, "memorys", "unknown variable memorys")]),
        ("a\n{{ memorys | length }} notes", [(2, "memorys", "unknown variable memorys")]),
        (
            "unit {{ unit.txt }}\n{{ unit['windw'] }}",
            [(1, "txt", "unit has no txt"), (2, "windw", "unit has no windw")],
        ),
        ("{{ unit.time.year }}", [(1, "year", "unit.time has no year")]),
        ("{{ unit.text.encode() }}", [(1, "encode", "unit.text has no encode")]),
        ("{{ question.answer }}", [(1, "answer", "question has no answer")]),
        ("{{ unit }}", [(1, "unit", "unit is not a text")]),
        ("{{ note }}", [(1, "note", "note is not a text")]),
        ("{{ note.text }}", [(1, "text", "note has no text")]),
        ("{{ unit.text | tokcount }}", [(1, "tokcount", "unknown filter tokcount")]),
        ("{{ unit.text is tall }}", [(1, "tall", "unknown test tall")]),
        ("{{ range(9) }}", [(1, "range", "unknown variable range")]),
        ("{{ self }}", [(1, "self", "unknown variable self")]),
        ("{{ raw }} {{ raw }}", [(1, "raw", "unknown variable raw"), (1, "raw", "unknown variable raw")]),
        ("{% include '/etc/hostname' %}", [(1, "include", "include is not allowed in a template")]),
        ("{% import 'x' as y %}", [(1, "import", "import is not allowed in a template")]),
        ("{% from 'x' import y %}", [(1, "from", "from is not allowed in a template")]),
        ("{% extends 'x' %}", [(1, "extends", "extends is not allowed in a template")]),
        ("{% block x %}{% endblock %}", [(1, "block", "block is not allowed in a template")]),
        ("{% macro m() %}{% endmacro %}", [(1, "macro", "macro is not allowed in a template")]),
        ("a\nb\n{{ unit.text }", [(3, "", "template: the {{ is not closed by }}")]),
        ("a\n{% foo %}", [(2, "", "template: encountered unknown tag 'foo'")]),
        ("{{ " + "(" * 5000, [(1, "", "the template is nested too deeply")]),
        ("x" * 20_001, [(1, "", "the template has 20001 characters")]),
        ("{% for a in unit.text %}" * 40 + "{% endfor %}" * 40, [(1, "", "the template is nested too deeply")]),
    ],
)
def test_mistakes_and_their_places(text, mistakes):
    assert check(text) == mistakes


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ("{{ ''.__class__.__mro__ }}", {"__class__", "__mro__"}),
        ("{{ cycler.__init__.__globals__ }}", {"cycler", "__init__", "__globals__"}),
        ("{{ unit['__dict__'] }}", {"__dict__"}),
        ("{{ unit.text | attr('__class__') }}", {"attr"}),
    ],
)
def test_ways_to_pythons_internals_are_named(text, fragments):
    assert {fragment for _, fragment, _ in check(text)} == fragments


def test_hints():
    def hint(text):
        return check_template(text, SCOPE)[0].hint

    assert hint("{{ qestion }}") == "did you mean question?"
    assert hint("{{ unit.windw }}") == "did you mean window?"
    assert hint("{{ unit.time.year }}") == "use the filters day, time or ago"
    assert hint("{% include 'x' %}") == "a template cannot read files"
    assert hint("{{ unit.text | da }}") == "did you mean day?"


def test_available_names_and_known_filters_are_listed():
    assert check_template("{{ x }}", SCOPE)[0].message == "unknown variable x; available: unit, question, group, note"
    message = check_template("{{ question | tokcount }}", SCOPE)[0].message
    assert all(name in message for name in ("ago", "day", "time", "truncate_tokens"))


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ("{{ '{0.__class__}'.format(unit) }}", {"format"}),
        ("{{ unit.text.strip().join('ab') }}", {"join"}),
        ("{{ [unit] | map('attr', 'text') | list }}", {"attr"}),
        ("{{ [unit] | map(attribute='__class__') | list }}", {"__class__"}),
        ("{{ [unit] | sort(attribute='meta.__class__') }}", {"__class__"}),
        ("{{ 'a' * 9 }}", {"*"}),
        ("{{ unit.text * 9 }}", {"*"}),
        ("{{ [1] * 9 }}", {"*"}),
        ("{{ '%9d' % 1 }}", {"%"}),
        ("{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}", {"recursive"}),
        ("{% autoescape true %}x{% endautoescape %}", {"autoescape"}),
        ("{{ unit.text | truncate_tokens(-1) }}", {"truncate_tokens"}),
        ("{{ unit.text | truncate_tokens('9') }}", {"truncate_tokens"}),
        ("{{ unit.text | truncate_tokens }}", {"truncate_tokens"}),
    ],
)
def test_what_every_rendering_would_refuse(text, fragments):
    assert {fragment for _, fragment, _ in check(text)} == fragments


@pytest.mark.parametrize(
    "text",
    [
        "{{ unit.meta.n * 2 }}",
        "{{ 7 % 4 }}",
        "{{ unit.text.strip().split(',') | map('upper') | join }}",
        "{{ [1, 2] | select('odd') | list }}",
        "{{ [unit] | selectattr('meta.title') | list }}",
        "{{ unit.text | truncate_tokens(unit.meta.n) }}",
        "{{ unit.text | truncate_tokens(count=9) }}",
    ],
)
def test_what_may_be_right_is_left(text):
    assert check(text) == []
