"""What stands above an exported design: the origins of all revisions that led to it, the base first."""

from __future__ import annotations

from pathlib import Path

import pytest

from designsearch.dsl.source import read
from designsearch.search.revisions import found, named, revision_text, with_lineage

BASE = (
    "# yaml-language-server: $schema=x\n# revision 0 of study s: the base, score 0.1000\nversion: 1\nname: b # kept\n"
)
FIRST = "# yaml-language-server: $schema=x\n# revision 1 of study s\n# rules: more\nversion: 1\nname: b # kept\n"
SECOND = "# yaml-language-server: $schema=x\n# revision 2 of study s\nversion: 1\nname: b # kept\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("000-a.yaml", BASE), ("001-b.yaml", FIRST), ("002-c.yaml", SECOND)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_origins_stand_in_order_below_the_way_to_the_schema(folder: Path) -> None:
    lines = with_lineage(folder / "002-c.yaml").splitlines()
    assert lines[:5] == [
        "# yaml-language-server: $schema=x",
        "# revision 0 of study s: the base, score 0.1000",
        "# revision 1 of study s",
        "# rules: more",
        "# revision 2 of study s",
    ]
    assert lines[5] == "version: 1"


def test_an_earlier_revision_knows_nothing_of_later_ones(folder: Path) -> None:
    text = with_lineage(folder / "001-b.yaml")
    assert "revision 1" in text
    assert "revision 2" not in text


def test_the_base_has_its_own_origin_only(folder: Path) -> None:
    assert with_lineage(folder / "000-a.yaml") == BASE


def test_a_new_name_leaves_the_rest_and_its_comments_alone() -> None:
    text = named(BASE, "found")
    assert read(text).value["name"] == "found"
    assert "name: found # kept" in text
    assert text.startswith(BASE[: BASE.index("version")])


def test_what_was_said_of_the_base_is_not_said_of_what_a_search_found() -> None:
    text = found(BASE + "about: >-\n  Plain BM25,\n  the start.\n")
    assert read(text).value == {
        "version": 1,
        "name": "b",
        "about": "Found by a search; the comments at the head of this file say how.",
    }


def test_lineage_of_a_revision_replaces_the_old_way_to_the_schema_and_keeps_line_ends(tmp_path: Path) -> None:
    design = "# yaml-language-server: $schema=../../x.json\r\n# mine\r\nversion: 1\r\n"
    lines = revision_text(design, ["a\nb  c", "x" * 300], tmp_path).split("\r\n")
    schema = (tmp_path / lines[0].partition("$schema=")[2]).resolve()
    assert (schema.parent.name, schema.name) == ("dsl", "design.schema.json")
    assert lines[1] == "# a b c"
    assert len(lines[2]) == 120
    assert lines[3:] == ["# mine", "version: 1", ""]
