"""An edit on the text and the same edit on the tree give the same document."""

from __future__ import annotations

from typing import Any

import pytest
from documents import KEYS, documents, values
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from designsearch.dsl.edit import Edit, apply, apply_value, same
from designsearch.dsl.problems import InvalidFileError, UserError
from designsearch.dsl.source import read

RELAXED = settings(
    max_examples=500, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)


def paths_of(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [path, *(p for step, child in inner for p in paths_of(child, (*path, step)))]


@st.composite
def edits(draw: st.DrawFn, tree: Any) -> Edit:
    known = paths_of(tree)
    path = draw(st.sampled_from(known))
    if draw(st.booleans()):
        extra = st.one_of(st.sampled_from(KEYS), st.integers(-1, 3))
        path = (*path, *draw(st.lists(extra, min_size=1, max_size=2)))
    op = draw(st.sampled_from(["set", "insert", "remove", "move"]))
    if op == "move":
        siblings = [p for p in known if p[:-1] == path[:-1]] or known
        return Edit(op, path, to=draw(st.sampled_from(siblings + known)))
    return Edit(op, path, draw(values) if op in ("set", "insert") else None)


@RELAXED
@given(st.data())
def test_text_and_tree_agree(data: st.DataObject) -> None:
    text = data.draw(documents())
    try:
        tree = read(text).value
    except InvalidFileError:
        assume(False)
    edit = data.draw(edits(tree))
    try:
        expected = apply_value(tree, edit)
    except UserError:
        with pytest.raises(UserError):
            apply(text, edit)
        return
    assert same(read(apply(text, edit)).value, expected)


@settings(RELAXED, max_examples=200)
@given(st.data())
def test_lines_that_an_edit_does_not_name_stay(data: st.DataObject) -> None:
    """A new value for one scalar of a document without aliases changes the lines of that scalar alone."""
    text = data.draw(documents())
    assume("&" not in text)
    try:
        tree = read(text).value
    except InvalidFileError:
        assume(False)
    scalars_of = [p for p in paths_of(tree) if p and not isinstance(value_at(tree, p), dict | list)]
    assume(scalars_of)
    path = data.draw(st.sampled_from(scalars_of))
    new = apply(text, Edit("set", path, "another word"))
    old_lines, new_lines = text.splitlines(), new.splitlines()
    start = next((i for i, (a, b) in enumerate(zip(old_lines, new_lines, strict=False)) if a != b), len(new_lines))
    rest = len(new_lines) - start - 1
    assert new_lines[:start] == old_lines[:start]
    assert rest <= 0 or new_lines[-rest:] == old_lines[-rest:]


def value_at(tree: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        tree = tree[step]
    return tree
