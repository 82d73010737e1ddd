import pytest

from designsearch.dsl.edit import Edit, apply, apply_value, parse_override
from designsearch.dsl.problems import InvalidFileError, UserError
from designsearch.dsl.source import read

TEXT = """\
# header
version: 1   # one
x-base: &base {before: 1, after: 1}
storage:
  # what one memory is
  units: {op: turns}
  views:            # further texts
    window: {op: window, <<: *base}   # w
retrieval:
  # lexical first
  - {op: bm25, k: 200}
  # then dense
  - op: dense   # d
    # inside
    k: 5
  - {op: rrf}

context:
  item: |   # shown
    hello
    world
  'header': "x"
  extra: *base
"""


def edited(text, op, path, value=None, to=None):
    """The changed lines as ``-old`` and ``+new``; checks that text and tree agree."""
    plain = {"op": op, "path": path}
    plain |= {"value": value} if op in ("set", "insert") else {"to": to} if op == "move" else {}
    edit = Edit.from_json(plain)
    new = apply(text, edit)
    assert read(new).value == apply_value(read(text).value, edit)
    old_lines, new_lines = text.splitlines(), new.splitlines()
    gone = [f"-{line}" for line in old_lines if old_lines.count(line) > new_lines.count(line)]
    return gone + [f"+{line}" for line in new_lines if new_lines.count(line) > old_lines.count(line)]


@pytest.mark.parametrize(
    ("path", "value", "changes"),
    [
        ("version", 2, ["-version: 1   # one", "+version: 2   # one"]),
        ("retrieval[0].k", 7, ["-  - {op: bm25, k: 200}", "+  - {op: bm25, k: 7}"]),
        ("retrieval[-2].k", 7, ["-    k: 5", "+    k: 7"]),
        ("retrieval[1].view", "raw", ["+    view: raw"]),
        ("retrieval[2].kappa", 6.5, ["-  - {op: rrf}", "+  - {op: rrf, kappa: 6.5}"]),
        ("context.header", "{{ question }}", ["-  'header': \"x\"", "+  'header': \"{{ question }}\""]),
        (
            "context.item",
            "one line",
            ["-  item: |   # shown", "-    hello", "-    world", "+  item: one line   # shown"],
        ),
        ("context.item", "hello\nmoon\n", ["-    world", "+    moon"]),
        ("context.header", "a\nb\n", ["-  'header': \"x\"", "+  'header': |", "+    a", "+    b"]),
        ("storage.write.op", "dedupe", ["+  write: {op: dedupe}"]),
        ("storage.views.pair", {"op": "window", "before": 0}, ["+    pair: {op: window, before: 0}"]),
        ("answer.max_output_tokens", 9, ["+answer: {max_output_tokens: 9}"]),
        (
            "storage.views",
            {},
            [
                "-  views:            # further texts",
                "-    window: {op: window, <<: *base}   # w",
                "+  views: {}            # further texts",
            ],
        ),
        ("retrieval[3]", {"op": "take", "k": 5}, ["+  - {op: take, k: 5}"]),
        ("context.order", None, ["+  order: null"]),
        ("context.speaker", "no", ['+  speaker: "no"']),
    ],
)
def test_set(path, value, changes):
    assert edited(TEXT, "set", path, value) == changes


def test_setting_what_is_there_already_changes_nothing():
    assert apply(TEXT, Edit("set", ("retrieval", 0, "k"), 200)) == TEXT


@pytest.mark.parametrize(
    ("path", "changes"),
    [
        ("retrieval[2]", ["-  - {op: rrf}"]),
        ("retrieval[1]", ["-  - op: dense   # d", "-    # inside", "-    k: 5"]),
        ("retrieval[1].k", ["-    k: 5"]),
        ("retrieval[1].op", ["-  - op: dense   # d", "-    # inside", "-    k: 5", "+    # inside", "+  - k: 5"]),
        ("retrieval[0].k", ["-  - {op: bm25, k: 200}", "+  - {op: bm25}"]),
        ("storage.units", ["-  units: {op: turns}"]),
        ("context.item", ["-  item: |   # shown", "-    hello", "-    world"]),
    ],
)
def test_remove(path, changes):
    found = edited(TEXT, "remove", path)
    assert found == changes or found == [c for c in changes if c.strip("+-") != "    # inside"]


def test_the_last_entry_leaves_an_empty_collection():
    assert edited("a:\n  - 1  # c\nb: {c: 1}\n", "remove", "a[0]") == ["-a:", "-  - 1  # c", "+a: []"]
    assert edited("a:\n  b: {c: 1}\n", "remove", "a.b.c") == ["-  b: {c: 1}", "+  b: {}"]
    assert apply("a: 1\n", Edit("remove", ("a",))) == "{}\n"


@pytest.mark.parametrize(
    ("path", "changes"),
    [
        ("retrieval[0]", ["+  - {op: x}"]),
        ("retrieval[2]", ["+  - op: x"]),
        ("retrieval[3]", ["+  - {op: x}"]),
        ("storage.views.more", ["+    more: {op: x}"]),
    ],
)
def test_insert(path, changes):
    assert edited(TEXT, "insert", path, {"op": "x"}) == changes


def test_an_entry_is_inserted_above_the_comment_of_the_one_it_pushes_down():
    assert "\n  - {op: x}\n  # then dense\n" in apply(TEXT, Edit("insert", ("retrieval", 1), {"op": "x"}))
    assert "retrieval:\n  - {op: x}\n  # lexical first\n" in apply(TEXT, Edit("insert", ("retrieval", 0), {"op": "x"}))


def test_a_moved_entry_takes_its_comments_along():
    text = apply(TEXT, Edit("move", ("retrieval", 1), to=("retrieval", 0)))
    assert "retrieval:\n  # then dense\n  - op: dense   # d\n    # inside\n    k: 5\n  # lexical first\n" in text
    text = apply(TEXT, Edit("move", ("retrieval", 0), to=("retrieval", 2)))
    assert "  - {op: rrf}\n  # lexical first\n  - {op: bm25, k: 200}\n\ncontext:" in text


def test_a_renamed_key_stays_where_it_is():
    assert edited(TEXT, "move", "storage.units", to="storage.kinds") == [
        "-  units: {op: turns}",
        "+  kinds: {op: turns}",
    ]


def test_a_move_elsewhere():
    assert edited(TEXT, "move", "retrieval[0]", to="context.stage") == [
        "-  - {op: bm25, k: 200}",
        "+  stage: {op: bm25, k: 200}",
    ]


def test_an_edit_inside_an_alias_writes_it_out():
    assert edited(TEXT, "set", "context.extra.after", 3) == ["-  extra: *base", "+  extra: {before: 1, after: 3}"]


def test_an_edit_of_a_merged_key_overrides_it():
    assert edited(TEXT, "set", "storage.views.window.after", 3) == [
        "-    window: {op: window, <<: *base}   # w",
        "+    window: {op: window, <<: *base, after: 3}   # w",
    ]


def test_the_removal_of_a_merged_key_writes_the_merge_out():
    assert edited(TEXT, "remove", "storage.views.window.after") == [
        "-    window: {op: window, <<: *base}   # w",
        "+    window: {op: window, before: 1}   # w",
    ]
    text = "a: &a {x: 1, y: 2}\nb:\n  <<: *a  # from a\n  z: 3\n"
    assert edited(text, "remove", "b.x") == ["-  <<: *a  # from a", "+  y: 2"]


def test_an_edit_inside_an_anchor_leaves_its_aliases_as_they_were():
    assert edited(TEXT, "set", "x-base.after", 3) == [
        "-x-base: &base {before: 1, after: 1}",
        "-    window: {op: window, <<: *base}   # w",
        "-  extra: *base",
        "+x-base: &base {before: 1, after: 3}",
        "+    window: {op: window, before: 1, after: 1}   # w",
        "+  extra: {before: 1, after: 1}",
    ]


def test_byte_order_mark_and_windows_line_ends_stay():
    text = "\ufeff" + TEXT.replace("\n", "\r\n")
    new = apply(text, Edit("insert", ("retrieval", 1), {"op": "x"}))
    assert new.startswith("\ufeff# header\r\n")
    assert new.replace("\r\n", "\n") == "\ufeff" + apply(TEXT, Edit("insert", ("retrieval", 1), {"op": "x"}))
    assert "\n" not in new.replace("\r\n", "")


def test_a_file_without_a_final_line_break():
    assert apply("a: 1", Edit("set", ("b",), 2)) == "a: 1\nb: 2"
    assert apply("a: 1", Edit("set", ("a",), 2)) == "a: 2"
    assert read(apply("a: |\n  x", Edit("set", ("b",), 2))).value == {"a": "x", "b": 2}
    assert read(apply("a: 1", Edit("set", ("b",), "x\ny\n"))).value == {"a": 1, "b": "x\ny\n"}


def test_indentation_of_the_file_is_kept():
    text = "retrieval:\n- op: a\n- op: b\nviews:\n      w:\n          op: x\n"
    assert edited(text, "insert", "retrieval[1]", {"op": "c"}) == ["+- op: c"]
    assert edited(text, "set", "views.v", {"op": "y"}) == ["+      v:", "+        op: y"]
    assert edited(text, "set", "views.w.k", 1) == ["+          k: 1"]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (Edit("set", (), 1), "cannot set the whole document: name a path"),
        (Edit("set", ("retrieval", "k"), 1), "retrieval is a list, so it has no key k"),
        (Edit("set", ("version", "k"), 1), "version is the value '1', so it has no key k"),
        (Edit("set", ("storage", 0), 1), r"storage is a mapping, so it has no entry \[0\]"),
        (Edit("set", ("retrieval", 4), 1), r"retrieval has 3 entries: there is no \[4\]"),
        (Edit("set", ("retrieval", -4), 1), r"retrieval has 3 entries: there is no \[-4\]"),
        (Edit("set", ("version",), float("nan")), "not a finite number"),
        (Edit("set", ("version",), "\0"), r"holds U\+0000"),
        (Edit("insert", ("retrieval", 4), 1), r"retrieval has 3 entries: cannot insert at \[4\]"),
        (Edit("insert", ("retrieval", -1), 1), r"retrieval has 3 entries: cannot insert at \[-1\]"),
        (Edit("insert", ("version",), 1), "version is there already: set it instead"),
        (Edit("remove", ("retrieval", 0, "kk")), r"there is no retrieval\[0\].kk \(did you mean k\?\)"),
        (Edit("remove", ("retreival",)), r"there is no retreival \(did you mean retrieval\?\)"),
        (Edit("remove", ("retrieval", 3)), r"retrieval has 3 entries: there is no \[3\]"),
        (Edit("move", ("storage",), to=("storage", "units")), "cannot move storage into itself"),
        (Edit("move", ("storage",)), "a move needs the path where it ends"),
        (Edit("move", ("storage",), to=("version",)), "version is there already"),
    ],
)
def test_impossible_edits(edit, message):
    with pytest.raises(UserError, match=message):
        apply(TEXT, edit)


def test_a_text_that_cannot_be_read():
    with pytest.raises(InvalidFileError, match="duplicate key a"):
        apply("a: 1\na: 2\n", Edit("set", ("b",), 1))


def test_edits_as_json():
    for plain in (
        {"op": "set", "path": "retrieval[1].k", "value": None},
        {"op": "insert", "path": 'views["a.b"]', "value": {"op": "x"}},
        {"op": "remove", "path": "a"},
        {"op": "move", "path": "retrieval[2]", "to": "retrieval[0]"},
    ):
        assert Edit.from_json(plain).to_json() == plain


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        ([], "an edit is a mapping"),
        ({"op": "sett", "path": "a"}, r"not 'sett' \(did you mean set\?\)"),
        ({"op": "set", "path": "a"}, "the edit set needs value"),
        ({"op": "move", "path": "a"}, "the edit move needs to"),
        ({"op": "remove", "path": "a", "value": 1}, "the edit remove does not take value"),
        ({"op": "remove", "path": 5}, "an edit's path is a text"),
        ({"op": "remove", "path": "a..b"}, "is not a path"),
    ],
)
def test_what_is_no_edit(plain, message):
    with pytest.raises(UserError, match=message):
        Edit.from_json(plain)


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("retrieval[0].k=5", ("retrieval", 0, "k"), 5),
        ("a=1e-3", ("a",), 0.001),
        ("a=no", ("a",), "no"),
        ("a=", ("a",), None),
        ("a={op: bm25, k: 5}", ("a",), {"op": "bm25", "k": 5}),
        ("a=[1, 2]", ("a",), [1, 2]),
        ("a='5'", ("a",), "5"),
        ("item={{ unit.text }}: x", ("item",), "{{ unit.text }}: x"),
        ("header={% if question %}x{% endif %}", ("header",), "{% if question %}x{% endif %}"),
        ("a=b=c", ("a",), "b=c"),
        ('a["b=c"].d=1', ("a", "b=c", "d"), 1),
    ],
)
def test_overrides(text, path, value):
    assert parse_override(text) == Edit("set", path, value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a", "write path=value"),
        ("=5", "write path=value"),
        ("a=010", r"010 starts with a zero \(quote it, or write 10\)"),
        ("a=[1", "cannot be read"),
        ("a..b=1", "is not a path"),
    ],
)
def test_what_is_no_override(text, message):
    with pytest.raises(UserError, match=message):
        parse_override(text)


def test_a_key_longer_than_yaml_can_read_back_is_refused():
    for path in (("k" * 3000,), ("a", "k" * 3000)):
        with pytest.raises(UserError, match="a key may have 256 characters at most"):
            apply("a: {b: 1}\n", Edit("set", path, 1))
