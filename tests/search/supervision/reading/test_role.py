"""What a role by rules finds is kept under every rule that it depends on."""

import ast
from importlib.resources import files

import pytest

from designsearch.search.supervision.reading.reader import OfflineReader
from designsearch.search.supervision.review.reviewer import OfflineReviewer

PACKAGE = "designsearch.search.supervision"
SHAPES = {"contracts", "plans", "checks.faults"}
"""Modules of what passes between the rules; they hold none themselves."""


def depended_on(module):
    seen, todo = set(), [module]
    while todo:
        module = todo.pop()
        if module in seen | SHAPES:
            continue
        seen.add(module)
        text = files(PACKAGE).joinpath(f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
        imports = [node.module for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
        todo += [name.removeprefix(f"{PACKAGE}.") for name in imports if name.startswith(PACKAGE)]
    return seen


@pytest.mark.parametrize("role", [OfflineReader, OfflineReviewer])
def test_the_fingerprint_covers_every_rule_that_a_finding_depends_on(role):
    assert depended_on(role.__module__.removeprefix(f"{PACKAGE}.")) == set(role.rules)


def test_each_role_has_a_fingerprint_of_its_own():
    assert OfflineReader().fingerprint == OfflineReader().fingerprint
    assert OfflineReader().fingerprint.startswith("offline-")
    assert OfflineReader().fingerprint != OfflineReviewer().fingerprint
