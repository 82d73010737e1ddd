import os

import pytest

from designsearch.dsl.nodes import MAX_DEPTH, Alias, Scalar
from designsearch.dsl.problems import InvalidFileError
from designsearch.dsl.source import MAX_BYTES, read, read_text, scan

BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 12)
)

BROKEN = {
    "tab_indentation": "retrieval:\n\tk: 5\n",
    "two_documents": "name: first\n---\nname: second\n",
    "empty": "",
    "only_a_comment": "# todo: write the design\n",
    "a_list": "# a list\n- op: bm25\n",
    "a_bare_text": "bm25\n",
    "unquoted_template": "context:\n  item: {{ unit.text }}\n",
    "unquoted_template_with_more": "context:\n  item: {{ unit.time }} {{ unit.text }}\n",
    "unquoted_template_in_flow": "context: {item: {{ unit.text }}}\n",
    "unquoted_tag": "context:\n  header: {% if question %}Known{% endif %}\n",
    "duplicate_keys": "name: x\nretrieval:\n  k: 5\n  # notes\n  k: 50\nretrieval: []\n",
    "lookalikes": "a: Null\nb: ~\nc: TRUE\nd: .nan\ne: -.inf\nf: 010\ng: 0x1F\n",
    "keys_that_are_no_text": "1: a\ntrue: b\n? [x]\n: c\nnull: d\n",
    "colon_in_a_value": "about: Note: this breaks\n",
    "unclosed_quote": 'name: "x\nabout: y\n',
    "unclosed_list": "roles: [a, b\nname: x\n",
    "unclosed_mapping": "units: {op: turns\n",
    "wrong_indentation": "storage:\n  units: {op: turns}\n views: {}\n",
    "at_sign": "name: @home\n",
    "unknown_escape": 'name: "C:\\quest"\n',
    "text_after_quotes": "name: 'a' b\n",
    "unknown_alias": "units: *base\n",
    "alias_in_its_own_anchor": "units: &u [*u]\n",
    "alias_bomb": BOMB,
    "python_tag": "name: !!python/object/apply:os.system ['true']\n",
    "deep": "a: " + "[" * 5000,
    "control_character": "name: a\x00b\n",
    "escaped_control_character": 'name: "a\\0b"\n',
    "half_a_surrogate_pair": 'name: "\\ud83d"\n',
    "merge_of_a_number": "a:\n  <<: 5\n",
    "list_behind_a_key": "retrieval: - op: bm25\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_say_what_is_wrong_in_plain_words(name, golden):
    with pytest.raises(InvalidFileError) as error:
        read(BROKEN[name], "d.yaml")
    golden(f"broken/{name}", str(error.value))
    assert error.value.exit_code == 2
    assert all(p.line >= 1 and p.column >= 1 for p in error.value.problems)


def test_norwegians_and_times_stay_text():
    value = read("language: no\nname: on\ntags: [yes, ok, off]\nat: 12:30\nday: 2024-03-01\n").value
    assert value == {"language": "no", "name": "on", "tags": ["yes", "ok", "off"], "at": "12:30", "day": "2024-03-01"}


def test_exponents_are_numbers():
    assert read("a: 1e-3\nb: 1.5e0\nc: 2e3\nd: 1.0e-3").value == {"a": 0.001, "b": 1.5, "c": 2000.0, "d": 0.001}


def test_byte_order_mark_and_windows_line_ends():
    source = read("\ufeffname: x\r\nretrieval:\r\n  k: 5\r\ntext: |\r\n  a\r\n  b\r\n")
    assert source.value == {"name": "x", "retrieval": {"k": 5}, "text": "a\nb\n"}
    assert source.position(source.places["retrieval", "k"].value) == (3, 6)
    assert source.line_text(3) == "  k: 5"


def test_places_of_keys_and_values():
    source = read("a:\n  b: [1, {c: 2}]\n")
    key, value = source.places["a", "b"].key, source.places["a", "b"].value
    assert (source.position(key), source.position(value)) == ((2, 3), (2, 6))
    assert source.position(source.places["a", "b", 1, "c"].value) == (2, 14)
    assert source.places["a", "b", 0].key is None


def test_a_missing_path_is_shown_at_what_stands_around_it():
    problem = read("a:\n  b: 1\n", "f.yaml").problem(("a", "b", "c", 3), "is missing")
    assert problem.headline() == "f.yaml:2:6: a.b.c[3]: is missing"
    assert problem.source_line == "  b: 1"


def test_aliases_and_merges_are_written_out():
    source = read("base: &b {x: 1, y: {z: 2}}\none: *b\ntwo:\n  <<: *b\n  x: 3\n")
    assert source.value["one"] == {"x": 1, "y": {"z": 2}}
    assert source.value["two"] == {"x": 3, "y": {"z": 2}}
    assert isinstance(source.nodes["one",], Alias)
    assert source.position(source.places["one",].value) == (2, 6)
    assert source.position(source.places["one", "y", "z"].value) == (1, 24)
    assert source.position(source.places["two", "x"].value) == (5, 6)


def test_the_first_of_several_merges_wins_and_merges_nest():
    text = "a: &a {x: 1}\nb: &b {<<: *a, y: 2, x: 5}\nc:\n  <<: [*a, *b]\nd: {<<: *b}\n"
    value = read(text).value
    assert value["c"] == {"x": 1, "y": 2}
    assert value["d"] == {"x": 5, "y": 2}


def test_an_overridden_merge_leaves_no_places_behind():
    source = read("a: &a {x: {y: 1}}\nb: {<<: *a, x: 5}\n")
    assert ("b", "x", "y") not in source.places


def test_all_problems_at_once_and_each_place_once():
    source = scan("a: &x {k: 010}\nb: *x\nc: ~\nc: 1\n")
    assert [(p.line, p.path) for p in source.problems] == [(1, "a.k"), (3, "c"), (4, "c")]


def test_a_problem_in_an_anchor_breaks_every_alias_of_it():
    assert scan("a: &x {k: 010}\nb: *x\n").broken == {("a", "k"), ("b", "k")}


def test_quoted_merge_key_is_an_ordinary_key():
    assert read('a: {"<<": 1}').value == {"a": {"<<": 1}}


def test_the_first_merge_key_counts_and_a_second_is_a_duplicate():
    source = scan("a: &a {x: 1}\nb: {<<: *a, <<: *a}")
    assert [p.message for p in source.problems] == ["duplicate key <<, first on line 2"]


def test_long_lines_are_cut_behind_the_caret():
    problem = scan("name: ~ # " + "x" * 10_000).problems[0]
    assert len(problem.source_line) < 200
    assert "^" in str(problem)
    far = scan("a: [" + "1, " * 200 + "~]").problems[0]
    assert (far.column, far.source_line) == (605, "")


def test_nesting_up_to_the_limit_is_read():
    depth = MAX_DEPTH - 2
    assert read("a: " + "[" * depth + "]" * depth).value["a"] is not None


def test_only_scalars_of_the_same_kind_are_quoted():
    source = read("a: '5'\nb: \"null\"\nc: |\n  true\n")
    assert source.value == {"a": "5", "b": "null", "c": "true\n"}
    assert isinstance(source.nodes["c",], Scalar)


@pytest.mark.parametrize(
    ("content", "place", "byte", "encoding"),
    [
        ("name: café\n".encode("latin-1"), "1:10", "0xe9", "Latin-1"),
        (b"a: 1\r\nb: \xff\n", "2:4", "0xff", "Latin-1"),
        ("name: x\n".encode("utf-16"), "1:1", "0xff", "UTF-16"),
    ],
)
def test_files_that_are_not_utf8(tmp_path, monkeypatch, content, place, byte, encoding):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.yaml").write_bytes(content)
    with pytest.raises(InvalidFileError) as error:
        read_text("f.yaml")
    said = f"f.yaml:{place}: not UTF-8: byte {byte}, as a {encoding} file has (save the file as UTF-8)"
    assert str(error.value) == said


def test_a_file_that_is_too_large(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.yaml").write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(InvalidFileError) as error:
        read_text("f.yaml")
    assert str(error.value) == f"f.yaml: larger than {MAX_BYTES} bytes, so not a design"


def test_paths_that_are_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for path, message in [
        ("none.yaml", "none.yaml: there is no such study file"),
        ("folder", "folder: is a folder, not a study file"),
        ("a\0b", "a\0b: cannot be read: embedded null byte"),
    ]:
        with pytest.raises(InvalidFileError) as error:
            read_text(path, kind="study")
        assert str(error.value) == message


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="a superuser may read everything")
def test_a_file_without_permission(tmp_path):
    path = tmp_path / "f.yaml"
    path.write_text("a: 1")
    path.chmod(0)
    with pytest.raises(InvalidFileError, match="permission denied"):
        read_text(path)


def test_a_byte_order_mark_is_dropped(tmp_path):
    (tmp_path / "f.yaml").write_bytes(b"\xef\xbb\xbfname: x\n")
    assert read_text(tmp_path / "f.yaml") == "name: x\n"


def test_without_libyaml_the_same_values_and_places(monkeypatch):
    text = "# é\na: &x [1, 'b']\nc: |\n  d\n\ne: *x\n"
    fast = read(text)
    monkeypatch.setattr("designsearch.dsl.nodes._LOADERS", (__import__("yaml").SafeLoader,))
    slow = read(text)
    assert (slow.value, slow.places) == (fast.value, fast.places)


@pytest.mark.parametrize(
    "text",
    [
        "version: 1\ncontext:\n  item: {# shown as it is #}{{ unit.text }}\n",
        "version: 1\ncontext: {item: {# shown #}}\n",
        "notes:\n  - {# a #}\n",
    ],
)
def test_an_unquoted_comment_of_a_template_is_told_where_it_begins(text):
    with pytest.raises(InvalidFileError) as caught:
        read(text, "design.yaml")
    (problem,) = caught.value.problems
    assert problem.message == "value starts with {#: quote it or use a | block"
    assert text.split("\n")[problem.line - 1][problem.column - 1 :].startswith("{#")


def test_a_file_that_is_null_is_told_in_the_files_own_word():
    with pytest.raises(InvalidFileError, match="found only the value null"):
        read("null\n", "design.yaml")
