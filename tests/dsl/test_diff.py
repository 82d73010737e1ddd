import json

import pytest

from designsearch.dsl.diff import NO_CHANGE, diff, render_diff

BASE = """\
version: 1
name: demo
storage:
  units: {op: turns}
  views: {w: {op: window}}
retrieval:
  - {op: bm25, k: 50}
  - {op: dense}
  - {op: rrf}
  - {op: neighbors}
  - {op: take, k: 60}
context:
  item: |
    Known facts:
    {{ unit.text }}
"""

REFORMATTED = """\
# the same design, written by somebody else
context: {"item": "Known facts:\\n{{ unit.text }}\\n", order: relevance}
x-base: &n {before: 1.0}
retrieval: [{k: 5.0e1, op: bm25}, {op: 'dense', k: 100}, {op: rrf, kappa: 60.0},
  {op: neighbors, <<: *n}, {op: take, k: 6e1}]
storage:
  stores:
    main:
      write: {op: append}
      views: {w: {after: 1, op: window}}
      units: {op: turns, roles: []}
name: other
version: 1
"""


@pytest.fixture
def changes(load):
    return lambda old, new: render_diff(diff(load(old), load(new))).split("\n")


def test_reformatting_is_no_change(changes):
    assert changes(BASE, REFORMATTED) == [NO_CHANGE]


def test_a_change_is_one_line_a_path(changes):
    assert changes(BASE, BASE.replace("k: 50", "k: 200")) == ["retrieval[0].k: 50 -> 200"]
    assert changes(BASE, REFORMATTED.replace("5.0e1", "6")) == ["retrieval[0].k: 50 -> 6"]


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("  - {op: neighbors}\n", "", ["retrieval[3]: removed {op: neighbors}"]),
        ("  - {op: rrf}\n", "  - {op: rrf}\n  - {op: rerank}\n", ["retrieval[3]: added {op: rerank}"]),
        (
            "  - {op: neighbors}\n  - {op: take, k: 60}\n",
            "  - {op: take, k: 50}\n  - {op: neighbors, before: 3}\n",
            [
                "retrieval[4] -> retrieval[3]: moved {op: take, k: 50}",
                "retrieval[3].k: 60 -> 50",
                "retrieval[4].before: 1 -> 3",
            ],
        ),
        ("{op: turns}", "{op: records}", ["storage.units: {op: turns} -> {op: records}"]),
        ("{w: {op: window}}", "{}", ["storage.views.w: removed {op: window}"]),
        ("{op: dense}", "{op: dense, when: question.has_date}", ["retrieval[1].when: added question.has_date"]),
        (
            "  - {op: bm25, k: 50}\n",
            "  - {op: prf, feedback: [{op: bm25, k: 9}]}\n  - {op: bm25, k: 50}\n",
            ["retrieval[0]: added {op: prf, feedback: [{op: bm25, k: 9}]}"],
        ),
        ("  item: |\n", "  order: edges\n  item: |\n", ["context.order: relevance -> edges"]),
        ("version: 1\n", "version: 1\nanswer: {max_output_tokens: 9}\n", ["answer.max_output_tokens: null -> 9"]),
        (
            "storage:\n  units: {op: turns}\n  views: {w: {op: window}}\n",
            "storage: {stores: {main: {units: {op: turns}, views: {w: {op: window}}}, facts: {from: main}}}\n",
            ["storage.stores.facts: added {units: {op: records}, from: main}"],
        ),
    ],
)
def test_kinds_of_changes(changes, old, new, lines):
    written = BASE.replace(old, new)
    if "facts" in new:
        base = BASE.replace("{op: bm25, k: 50}", "{op: bm25, k: 50, store: main}").replace(
            "{op: dense}", "{op: dense, store: main}"
        )
        assert changes(base, base.replace(old, new)) == lines
    else:
        assert sorted(changes(BASE, written)) == sorted(lines)


def test_inner_cascades_are_compared_stage_by_stage(changes):
    base = "version: 1\nretrieval:\n  - {op: branch, branches: {a: [{op: bm25}, {op: take, k: 5}]}}\n"
    assert changes(base, base.replace("k: 5", "k: 6")) == ["retrieval[0].branches.a[1].k: 5 -> 6"]
    assert changes(base, base.replace("{a: [", "{b: [")) == [
        "retrieval[0].branches.a: removed [{op: bm25}, {op: take, k: 5}]",
        "retrieval[0].branches.b: added [{op: bm25}, {op: take, k: 5}]",
    ]


def test_of_long_texts_only_the_difference_is_shown(changes):
    about = "a" * 100
    old = BASE.replace("Known facts:", f"{about} one {about}")
    assert changes(old, old.replace(" one ", " two ")) == [
        f"context.item: ...{'a' * 15} one {'a' * 15}... -> ...{'a' * 15} two {'a' * 15}..."
    ]


def test_sections_are_named_by_their_store(changes):
    base = "version: 1\nretrieval: [{op: bm25}]\ncontext: {sections: [{from: main, share: 0.5}, {share: 0.5}]}\n"
    assert changes(base, base.replace("{share: 0.5}", "{share: 0.25}")) == ["context.sections[1].share: 0.5 -> 0.25"]
    assert changes(base, base.replace("{from: main, share: 0.5}, ", "")) == [
        "context.sections[0]: removed {from: main, share: 0.5}"
    ]


def test_as_json(load):
    change = diff(load(BASE), load(BASE.replace("k: 50", "k: 200")))[0]
    assert json.loads(json.dumps(change.to_json())) == {
        "kind": "changed", "path": "retrieval[0].k", "before": 50, "after": 200
    }  # fmt: skip


def test_long_values_are_cut_short_or_shown_whole(load):
    features = {"bm25": 0.4, **{f"{name}.w": 0.25 for name in ("cosine", "coverage", "rarest", "soft_terms", "names")}}
    scored = BASE.replace("  - {op: neighbors}\n", f"  - {{op: score, features: {json.dumps(features)}}}\n")
    changes = diff(load(BASE), load(scored))
    assert "soft_terms" not in render_diff(changes)
    assert "..." in render_diff(changes)
    assert "soft_terms.w: 0.25" in render_diff(changes, whole=True)
    assert "..." not in render_diff(changes, whole=True)
