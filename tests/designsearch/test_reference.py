from designsearch.cli.app import COMMANDS
from designsearch.dsl.operator_facts import facts_of, in_order, parameters, plain
from designsearch.reference.commands import commands_page
from designsearch.reference.markdown import cell, table
from designsearch.reference.operators import features_page, operators_page
from designsearch.reference.study import study_page
from designsearch.runtime.operators import load_all
from designsearch.search.study_choices import ACCEPTANCE, PROPOSERS
from designsearch.search.study_shape import StudyShape


def test_every_command_is_explained(monkeypatch):
    page = commands_page()
    assert all(f"\n## designsearch {name}\n" in page for name in COMMANDS)
    monkeypatch.setenv("COLUMNS", "40")
    assert commands_page() == page


def test_every_operator_and_feature_is_explained():
    registry = load_all()
    operators, features = operators_page(registry), features_page(registry)
    for op in registry:
        if op.stage == "feature":
            assert f"\n| `{op.name}` |" in features
        else:
            assert f"\n### {op.name}\n" in operators
            assert all(f"\n| `{name}` |" in operators for name in op.params.model_fields)


def test_every_key_of_a_study_is_explained():
    page = study_page()
    assert all(f"\n| `{name}` |" in page for name in StudyShape.model_fields)
    assert all(f"`{name}`:" in page for name in (*PROPOSERS, *ACCEPTANCE))


def test_facts_of_an_operator():
    registry = load_all()
    bm25 = registry.get("cascade", "bm25")
    assert bm25 is not None
    facts = {fact.name: fact for fact in parameters(bm25)}
    assert (facts["k"].type, facts["k"].default, facts["k"].tuned) == (
        "whole number 1 to 100,000",
        "200",
        "20 to 1,000, log scale",
    )
    assert (facts["store"].type, facts["store"].default) == ("text | none", "none")
    branch = registry.get("cascade", "branch")
    assert branch is not None
    assert [(fact.name, fact.required, fact.default) for fact in parameters(branch)] == [
        ("branches", True, "required"),
        ("fuse", True, "required"),
    ]
    assert {title.split(":")[0] for title, _ in in_order(registry)} >= {"storage.units", "feature of the score stage"}


def test_facts_of_every_model_can_be_told():
    for op in load_all():
        for fact in parameters(op):
            assert fact.type
            assert fact.about
            assert fact.default
    assert next(fact for fact in facts_of(StudyShape) if fact.name == "budget").value["trials"] == 30


def test_pieces_of_markdown():
    assert table(["a", "b"], [("x|y", "")]) == "| a | b |\n| --- | --- |\n| x\\|y |   |"
    assert cell("two\nlines") == "two lines"
    assert plain("a ``b``") == "a b"
