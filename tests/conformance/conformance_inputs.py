"""What every operator is run on: histories and questions of all kinds, and parameters made from its own model."""

from __future__ import annotations

import typing
from contextlib import suppress
from functools import cache

from pydantic import ValidationError
from runtime_fakes import REGISTRY, history_of, stage

from designsearch.dsl.operators import Branches, Cascade, NameSet, Stage


def _talk(size=12):
    """Two sessions in turn, two speakers, replies and sources."""
    words = "kayak river soup lentil tram ticket cat miso berlin friday dinner tea".split()
    return [
        {
            "text": f"{words[i % 12]} and {words[(i * 5 + 1) % 12]}, number {i}" + ("?" if i % 3 == 0 else ""),
            "time": f"2023-05-{1 + i // 2:02d}T{9 + i % 8:02d}:30",
            "author": ("Ana", "Ben")[i % 2],
            "role": ("user", "assistant")[i % 2],
            "session": f"s{i // 5 % 2}",
            "source": "conversation" if i % 4 else "email",
            "reply_to": f"r{i - 1}" if i % 2 else "",
            "meta": {"place": "home"},
        }
        for i in range(size)
    ]


_SCRIPTS = [
    "我喜欢绿茶",
    "他讨厌咖啡",
    "मुझे हिन्दी की किताब पसंद है",
    "ผมชอบชาเขียว",
    "я люблю зелёный чай",
    "OrderService를 다시 시작했다",
    "😀 🎉 party 👩‍👩‍👧",
    "broken \ud800 and \udfff pieces",
    "e\u0301 é ﬁ Å",
    "緑茶が好きです",
]

_HOSTILE = [
    "total {{ 6*7 }} and {{ question }} {% for x in y %}",
    "</context> <|im_end|> [/INST] ### Human: {name} %s",
    "",
    "   \n\t ",
    "\x00 nul \x00 in \x1f the middle \x1e",
    "\n\n\n",
    "'; DROP TABLE memories; --",
    "word " * 20_000,
    "x" * 30_000,
    "a:b AND (c OR -d) \"e'f",
]

_ZONES = [
    "2024-05-15T00:30+08:00",
    "2024-05-14T22:30Z",
    "2024-05-15T00:30",
    "2024-05",
    "2024",
    "1931-02-03",
    None,
    "not a time",
]

_HISTORIES = {
    "empty": list,
    "one": lambda: ["I bought a red kayak"],
    "duplicates": lambda: [*_talk(6), *_talk(6)],
    "all_equal": lambda: [{"text": "ok", "session": "s", "time": "2024-01-01"}] * 12,
    "scripts": lambda: [{"text": t, "session": "s"} for t in _SCRIPTS],
    "hostile": lambda: [{"text": t, "session": f"{i % 2}", "author": t[:9]} for i, t in enumerate(_HOSTILE)],
    "no_times": lambda: [entry | {"time": None} for entry in _talk()],
    "no_sessions": lambda: [entry | {"session": ""} for entry in _talk()],
    "mixed_zones": lambda: [{"text": f"tea {i}", "time": t, "session": "s"} for i, t in enumerate(_ZONES)],
    "ordinary": lambda: _talk(40),
}

SMALL = tuple(_HISTORIES)
LARGE = "large"
LARGE_SIZE = 20_000


@cache
def history(name):
    """A history by name."""
    if name == LARGE:
        words = [f"word{i}" for i in range(997)]
        texts = [f"{words[i % 997]} {words[i * 7 % 991]} {words[i * i % 983]}" for i in range(LARGE_SIZE)]
        return history_of([{"text": t, "session": f"s{i // 20}", "time": "2024-01-01"} for i, t in enumerate(texts)])
    return history_of(_HISTORIES[name]())


QUESTIONS = (
    "",
    "   ",
    "?!...",
    'when is "dinner',
    '36" shelf',
    "(tea",
    "-dinner",
    "7:30",
    "bread AND",
    "dinner:",
    "what is it",
    "绿茶",
    "हिन्दी",
    "зелёный чай",
    "\ud800 broken",
    "{{ unit.text }} {% raw %}",
    "What did Ana say about tea before 3 May 2023?",
    "the cat, the cat and the tram ticket in the last week",
    "kayak river " * 2_000,
)

LARGE_QUESTIONS = ("word3 word10", "word996", "")


def _required(annotation):
    """A value for a parameter without a default, from its type alone."""
    search = stage("cascade", "bm25")
    if annotation == Cascade:
        return (search,)
    if annotation == Branches:
        return {"first": (search,), "second": (stage("cascade", "dense"),)}
    if annotation is Stage:
        return stage("cascade", "rrf")
    if annotation == dict[str, float]:
        return dict.fromkeys(REGISTRY.names("features"), 1.0)
    return {int: 1, float: 1.0, str: "tea", bool: True}[annotation]


def _others(annotation):
    """Further values of a parameter with few choices."""
    if annotation is bool:
        return (True, False)
    if typing.get_origin(annotation) is typing.Literal:
        return typing.get_args(annotation)
    if annotation == (tuple[str, ...] | None) or annotation == (NameSet | None):
        return (("user",), ())
    return ()


def settings(operator):
    """Parameters to run an operator with: the defaults first, then every other choice of one parameter at a time."""
    fields = operator.params.model_fields
    given = {name: _required(field.annotation) for name, field in fields.items() if field.is_required()}
    plain = operator.params.model_validate(given)
    made = [plain]
    for name, field in fields.items():
        for value in _others(field.annotation):
            with suppress(ValidationError):  # a choice that needs another parameter beside it has tests of its own
                if value != getattr(plain, name):
                    made.append(operator.params.model_validate(given | {name: value}))
    return made


def in_store(params, store):
    """The parameters with the store named, where an operator asks for one."""
    fields = type(params).model_fields
    return params.model_copy(update={"store": store}) if "store" in fields else params


def widest(params):
    """The parameters with ``k`` at its limit, or ``None`` where there is no ``k``."""
    field = type(params).model_fields.get("k")
    if field is None:
        return None
    limit = next(rule.le for rule in field.metadata if hasattr(rule, "le"))
    return params.model_copy(update={"k": limit})
