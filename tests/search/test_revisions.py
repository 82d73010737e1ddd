from pathlib import Path

from designsearch.search.revisions import revision_text, with_schema

DESIGN = "# yaml-language-server: $schema=../../x.json\r\n# mine\r\nversion: 1\r\n"


def test_lineage_replaces_the_old_way_to_the_schema_and_keeps_line_ends(tmp_path):
    text = revision_text(DESIGN, ["a\nb  c", "x" * 300], tmp_path)
    lines = text.split("\r\n")
    assert lines[1] == "# a b c"
    assert len(lines[2]) == 120
    assert lines[3:] == ["# mine", "version: 1", ""]
    assert text.count("yaml-language-server") == 1


def test_the_schema_is_found_from_the_folder(tmp_path):
    head = with_schema("version: 1\n", tmp_path).splitlines()[0]
    schema = Path(tmp_path / head.partition("$schema=")[2]).resolve()
    assert schema.name == "design.schema.json"
    assert schema.parent.name == "dsl"
    assert with_schema(with_schema("version: 1\n", tmp_path), tmp_path).count("yaml-language-server") == 1
