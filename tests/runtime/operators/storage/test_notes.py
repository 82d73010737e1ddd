"""Records with notes, and how the views that they bring are searched and shown."""

from __future__ import annotations

import pytest
from model_fakes import RememberingModel, ScriptedModel, failing, quoted_in
from runtime_fakes import REGISTRY, ask, call, design_of, history_of, memory_of, rows_of

from designsearch.dsl.problems import InvalidFileError, OutOfBudgetError
from designsearch.dsl.validate import load_design
from designsearch.runtime.compile import compile_design
from designsearch.runtime.services import Services

DESIGN = "storage: {units: {op: notes}}\n"


def noted(request):
    (text,) = quoted_in(request, "message")
    word = text.split()[-1]
    return {"keywords": [word, f" {word}x ", word, ""], "context": f" On {word}. ", "tags": ["pets"]}


def notes(texts, script=noted, **params):
    model = ScriptedModel(script)
    return call("units", "notes", history_of(texts), Services(helper=model), **params), model


def test_a_note_is_the_record_with_three_views_and_one_that_joins_them():
    units, model = notes(["my cat", "a dog"])
    assert units.texts == ("my cat", "a dog")
    assert not units.written
    assert units.views == {
        "context": ("On cat.", "On dog."),
        "keywords": ("cat, catx", "dog, dogx"),
        "tags": ("pets", "pets"),
        "note": ("my cat\nOn cat.\ncat, catx\npets", "a dog\nOn dog.\ndog, dogx\npets"),
    }
    assert model.batches == [2]


def test_a_failed_note_keeps_the_record():
    units, _ = notes(["my cat", "a dog"], lambda r: failing(r) if "dog" in r.messages[-1].content else noted(r))
    assert units.texts == ("my cat", "a dog")
    assert units.views["keywords"] == ("cat, catx", "")
    assert units.views["note"][1] == "a dog"


def test_roles_and_blank_records():
    entries = [{"text": "a", "role": "user"}, {"text": "b", "role": "assistant"}, {"text": " ", "role": "user"}]
    units, model = notes(entries, roles=("user",))
    assert units.texts == ("a", " ")
    assert units.views["keywords"] == ("a, ax", "")
    assert len(model.requests) == 1


def memory(texts, retrieval, model=None):
    design = f"{DESIGN}retrieval: [{retrieval}]"
    return memory_of(texts, design, Services(helper=model or ScriptedModel(noted)))


@pytest.mark.parametrize("op", ["bm25", "dense"])
def test_the_views_are_searched_as_any_other(op):
    m = memory(["my cat", "a dog", "the house"], f"{{op: {op}, view: keywords}}")
    assert m.store(None).views == ["raw", "context", "keywords", "tags", "note"]
    found = call("cascade", op, ask("dogx?", "pets"), m, view="keywords", k=1)
    assert rows_of(found)[0] == [1]
    assert len(rows_of(call("cascade", op, ask("pets"), m, view="tags"))[0]) == 3


def test_empty_views_are_not_found_and_break_nothing():
    m = memory(["my cat", "a dog"], "{op: recent}", ScriptedModel(failing))
    for op in ("bm25", "dense"):
        assert rows_of(call("cascade", op, ask("cat"), m, view="keywords")) == [[]]
        assert rows_of(call("cascade", op, ask("cat"), m, view="note"))[0][0] == 0


def test_the_views_are_shown_by_templates():
    item = '"{{ unit.keywords }} / {{ unit.text }}"'
    text = f"version: 1\n{DESIGN}retrieval: [{{op: recent}}]\ncontext: {{item: {item}}}"
    pipeline = compile_design(load_design(text, registry=REGISTRY), services=Services(helper=ScriptedModel(noted)))
    m = pipeline.open(history_of(["my cat"]))
    (context,) = pipeline.contexts(m, pipeline.search(m, ask("cat")), ask("cat"))
    assert context.text == "cat, catx / my cat"


def test_features_read_them():
    m = memory(["my cat", "a dog"], "{op: recent}")
    ranking = call("cascade", "recent", ask("dogx"), m)
    scored = call("cascade", "score", ranking, ask("dogx"), m, features={"bm25.keywords": 1.0})
    assert rows_of(scored) == [[1, 0]]


@pytest.mark.parametrize(
    ("design", "message"),
    [
        (f"{DESIGN}retrieval: [{{op: dense, view: keyword}}]", r"no view keyword \(did you mean keywords\?\)"),
        (
            "storage: {units: {op: notes}, views: {tags: {op: window}}}",
            "notes brings a view tags of its own",
        ),
        (f'{DESIGN}context: {{item: "{{{{ unit.keyword }}}}"}}', "unit has no keyword"),
        ("storage: {units: {op: records}}\nretrieval: [{op: bm25, view: keywords}]", "no view keywords"),
    ],
)
def test_a_view_that_is_not_there_is_a_mistake(design, message):
    with pytest.raises(InvalidFileError, match=message):
        design_of(design)


def test_one_more_record_is_one_more_request_and_an_interrupted_run_asks_the_rest():
    model = RememberingModel(ScriptedModel(noted), most=2)
    texts = ["my cat", "a dog", "the house"]
    with pytest.raises(OutOfBudgetError):
        memory(texts, "{op: recent}", model)
    assert len(model.news()) == 2
    memory(texts, "{op: recent}", model)
    (new,) = model.news()
    assert quoted_in(new, "message") == ["the house"]
    memory([*texts, "a bird"], "{op: recent}", model)
    (new,) = model.news()
    assert quoted_in(new, "message") == ["a bird"]
