"""What a model lets new memories do to those that are like them."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model_fakes import RememberingModel, ScriptedModel, failing, quoted_in
from runtime_fakes import call, history_of, memory_of

from designsearch.dsl.problems import OutOfBudgetError
from designsearch.runtime.histories.times import parse_time
from designsearch.runtime.indexes.static_embeddings import StaticEmbedder
from designsearch.runtime.operators.storage.consolidation import LONG_AGO
from designsearch.runtime.records import NO_TIME
from designsearch.runtime.services import Services

EMBEDDER = StaticEmbedder()
CITY, MOVED, FIGS = "Ana lives in Porto", "Ana lives in Lisbon", "the price of figs rose"


def deciding(action, target=1, text=""):
    return lambda request: {"action": action, "target": target, "text": text}


def consolidated(texts, script, times=None, **params):
    model = ScriptedModel(script)
    entries = [{"text": t} | ({"time": times[i]} if times else {}) for i, t in enumerate(texts)]
    history = history_of(entries)
    units = call("units", "records", history)
    made = call("write", "consolidate", units, history, Services(helper=model, embedder=EMBEDDER), **params)
    return made, model


def sources(units):
    return [units.records[units.offsets[u] : units.offsets[u + 1]].tolist() for u in range(len(units))]


def test_what_is_like_nothing_is_added_without_a_request():
    made, model = consolidated([CITY, FIGS], failing)
    assert (made.texts, model.requests, made.written) == ((CITY, FIGS), [], False)
    assert made.valid_until is None


def test_the_new_one_and_the_memories_like_it_are_shown():
    _, model = consolidated([CITY, FIGS, MOVED], deciding("add", None), ["2024-01-01", "2024-01-02", "2024-01-03"])
    (request,) = model.requests
    assert quoted_in(request, "statement") == [f"Wednesday 2024-01-03: {MOVED}"]
    assert quoted_in(request, "memory") == [f"Monday 2024-01-01: {CITY}"]


def test_add():
    made, _ = consolidated([CITY, MOVED], deciding("add", None))
    assert (made.texts, sources(made), made.written) == ((CITY, MOVED), [[0], [1]], False)


def test_update_rewrites_and_has_the_sources_of_both_the_new_one_first():
    made, _ = consolidated([CITY, MOVED], deciding("update", 1, " Ana lived in Porto, then in Lisbon "))
    assert made.texts == ("Ana lived in Porto, then in Lisbon",)
    assert sources(made) == [[1, 0]]
    assert made.earlier == {0: (CITY,)}
    assert made.written


def test_delete_puts_the_new_one_in_the_place_of_the_old():
    made, _ = consolidated([CITY, MOVED], deciding("delete"))
    assert (made.texts, sources(made), made.earlier) == ((MOVED,), [[1, 0]], {0: (CITY,)})


@pytest.mark.parametrize(
    ("times", "until"),
    [
        (["2024-01-01", "2024-02-01"], "2024-02-01"),
        (["2024-01-01", None], "2024-01-01"),
        ([None, None], None),
    ],
)
def test_delete_with_validity_keeps_it_with_the_time_until_which_it_held(times, until):
    made, _ = consolidated([CITY, MOVED], deciding("delete"), times, validity=True)
    city = made.texts.index(CITY)
    assert sorted(made.texts) == [MOVED, CITY]
    assert made.valid_until[1 - city] == NO_TIME
    expected = {None: LONG_AGO} if until is None else {until: parse_time(until).local}
    if city == 0:  # a record without a time may stand first
        assert made.valid_until[city] == expected[until]


def test_what_was_superseded_is_met_no_more():
    made, model = consolidated([CITY, MOVED, CITY], deciding("delete"), validity=True)
    assert made.texts == (CITY, MOVED, CITY)
    assert quoted_in(model.requests[-1], "memory") == [MOVED]


def test_none_drops_it_but_not_its_source():
    made, _ = consolidated([CITY, CITY], deciding("none"))
    assert (made.texts, sources(made), made.earlier) == ((CITY,), [[0, 1]], {})


@pytest.mark.parametrize(
    "script",
    [
        failing,
        deciding("delete", 2),
        deciding("delete", 0),
        deciding("none", None),
        deciding("update", 1, "  "),
        deciding("update", -1, "x"),
    ],
)
def test_nonsense_and_failures_add(script):
    made, _ = consolidated([CITY, MOVED], script)
    assert (made.texts, sources(made)) == ((CITY, MOVED), [[0], [1]])


def test_a_rewritten_text_is_met_by_what_it_says_now():
    made, model = consolidated([CITY, MOVED, FIGS, FIGS], deciding("update", 1, FIGS))
    assert len(made) == 1
    assert [quoted_in(r, "memory") for r in model.requests] == [[CITY], [FIGS], [FIGS]]


def test_views_come_along():
    script = deciding("update", 1, "both")

    def answer(request):
        if request.purpose == "memory/note":
            (text,) = quoted_in(request, "message")
            return {"keywords": [text.split()[-1]], "context": "", "tags": ["home"]}
        return script(request)

    history = history_of([CITY, MOVED, FIGS])
    services = Services(helper=ScriptedModel(answer), embedder=EMBEDDER)
    made = call("write", "consolidate", call("units", "notes", history, services), history, services)
    assert made.texts == ("both", FIGS)
    assert made.views["keywords"] == ("Porto\nLisbon", "rose")
    assert made.views["tags"] == ("home", "home")


def test_strangers_are_asked_about_together():
    pairs = [CITY, FIGS, "my dog barks at night"]
    made, model = consolidated([*pairs, *(f"{text} again" for text in pairs)], deciding("none"))
    assert made.texts == tuple(pairs)
    assert model.batches == [3]


# --- one after the other, written down as plainly as possible


def one_after_the_other(history, units, script, neighbors, threshold, validity):
    """The store after each unit entered in turn: (text, sources, earlier, valid until)."""
    store = []
    for u, text in enumerate(units.texts):
        own = units.records[units.offsets[u] : units.offsets[u + 1]].tolist()
        time = int(history.times[own[0]])
        alive = [m for m in store if m["until"] == NO_TIME]
        vector = EMBEDDER.embed([text])[0].astype(np.float64)
        likeness = [np.float32(EMBEDDER.embed([m["text"]])[0].astype(np.float64) @ vector) for m in alive]
        order = sorted(range(len(alive)), key=lambda i: (-likeness[i], i))
        near = [alive[i] for i in order if likeness[i] >= np.float32(threshold)][:neighbors]
        new = {"text": text, "rows": own, "earlier": (), "until": NO_TIME, "time": time}
        value = script(text, [m["text"] for m in near]) if near else {"action": "add", "target": None, "text": ""}
        action, target = value["action"], value["target"]
        known = isinstance(target, int) and 1 <= target <= len(near)
        if action == "add" or not known or (action == "update" and not value["text"].strip()):
            store.append(new)
            continue
        old = near[target - 1]
        if action == "none":
            old["rows"] = list(dict.fromkeys(old["rows"] + own))
        elif action == "update":
            old["earlier"] += (old["text"],)
            old["text"], old["rows"] = value["text"].strip(), list(dict.fromkeys(own + old["rows"]))
        elif validity:
            old["until"] = time if time != NO_TIME else old["time"] if old["time"] != NO_TIME else LONG_AGO
            store.append(new)
        else:
            new["rows"], new["earlier"] = list(dict.fromkeys(own + old["rows"])), (*old["earlier"], old["text"])
            store = [m for m in store if m is not old] + [new]
    return [(m["text"], m["rows"], m["earlier"], m["until"]) for m in store]


def by_chance(seed):
    """Decides from the texts alone, nonsense included."""

    def script(new, memories):
        digest = hashlib.blake2b(repr((seed, new, memories)).encode(), digest_size=4).digest()
        action = ("add", "update", "delete", "none")[digest[0] % 4]
        target = None if digest[1] % 8 == 0 else digest[1] % (len(memories) + 2)
        text = "" if digest[2] % 8 == 0 else f"{new.split()[digest[2] % 3]} {WORDS[digest[3] % len(WORDS)]} {new}"
        return {"action": action, "target": target, "text": " ".join(text.split()[:3])}

    return script


def said(text):
    return text.rpartition(": ")[2]


WORDS = "cat dog Porto Lisbon figs house".split()
TEXTS = st.lists(st.tuples(*[st.sampled_from(WORDS)] * 3).map(" ".join), max_size=14)


@settings(max_examples=150, deadline=None)
@given(
    texts=TEXTS,
    seed=st.integers(0, 99),
    neighbors=st.integers(1, 3),
    threshold=st.sampled_from([0.3, 0.6, 0.9]),
    validity=st.booleans(),
    dated=st.booleans(),
)
def test_waves_give_what_one_after_the_other_gives(texts, seed, neighbors, threshold, validity, dated):
    script = by_chance(seed)

    def answer(request):
        (new,) = quoted_in(request, "statement")
        return script(said(new), [said(text) for text in quoted_in(request, "memory")])

    times = [f"2024-01-{i + 1:02d}" for i in range(len(texts))] if dated else None
    params = {"neighbors": neighbors, "threshold": threshold, "validity": validity}
    made, _ = consolidated(texts, answer, times, **params)
    history = history_of([{"text": t} | ({"time": times[i]} if times else {}) for i, t in enumerate(texts)])
    units = call("units", "records", history)
    expected = one_after_the_other(history, units, script, neighbors, threshold, validity)
    until = made.valid_until.tolist() if validity else [NO_TIME] * len(made)
    earlier = [made.earlier.get(u, ()) for u in range(len(made))]
    assert list(zip(made.texts, sources(made), earlier, until, strict=True)) == expected


REPLY = st.fixed_dictionaries(
    {
        "action": st.sampled_from(["add", "update", "delete", "none"]),
        "target": st.none() | st.integers(-1, 4),
        "text": st.sampled_from(["", " ", "cat", "dog house"]),
    }
)


@settings(deadline=None)
@given(texts=TEXTS, replies=st.lists(REPLY | st.none(), min_size=1, max_size=8), validity=st.booleans())
def test_whatever_a_model_replies_no_source_is_lost(texts, replies, validity):
    turn = iter(range(10**6))

    def answer(request):
        reply = replies[next(turn) % len(replies)]
        return failing(request) if reply is None else reply

    made, _ = consolidated(texts, answer, threshold=0.2, validity=validity)
    assert sorted({row for rows in sources(made) for row in rows}) == list(range(len(texts)))
    assert all(rows for rows in sources(made))


def test_a_longer_history_and_an_interrupted_run_ask_the_rest():
    texts = [f"{a} {b} {c}" for a in WORDS for b in WORDS[:3] for c in WORDS[3:]]
    script = by_chance(7)

    def answer(request):
        (new,) = quoted_in(request, "statement")
        return script(said(new), [said(text) for text in quoted_in(request, "memory")])

    def units(own, model):
        design = "storage: {write: {op: consolidate, threshold: 0.7}}"
        return memory_of(own, design, Services(helper=model, embedder=EMBEDDER)).store(None).units

    whole = RememberingModel(ScriptedModel(answer))
    expected = units(texts, whole)
    all_asked = len(whole.news())
    assert all_asked > 20
    units([*texts, "cat cat figs"], whole)
    (new,) = whole.news()
    assert quoted_in(new, "statement") == ["cat cat figs"]
    broken = RememberingModel(ScriptedModel(answer), most=10)
    with pytest.raises(OutOfBudgetError):
        units(texts, broken)
    broken.news()
    broken.most = None
    assert units(texts, broken).fingerprint == expected.fingerprint
    assert len(broken.news()) == all_asked - 10
