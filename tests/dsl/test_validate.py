import pytest

from designsearch.dsl.edit import Edit
from designsearch.dsl.problems import InvalidFileError, UserError
from designsearch.dsl.source import scan
from designsearch.dsl.validate import load_design, load_design_file, validate

FLAT = """\
version: 1
name: hybrid
about: One paragraph.
notes: {anything: [goes, here]}
x-tool: 5
storage:
  units: {op: turns, roles: [user]}
  views:
    window: {op: window, before: 1, after: 1}
retrieval:
  - {op: bm25, view: raw, k: 200}
  - {op: dense, view: window, k: 200}
  - {op: rrf, kappa: 60}
  - {op: neighbors, before: 1, after: 1}
  - {op: take, k: 60}
context:
  item: "[{{ unit.time | day }}] {{ unit.author }}: {{ unit.text }}"
  order: chronological
  group_by: session
answer:
  max_output_tokens: 4000
"""

TEN_MISTAKES = """\
version: 1
name: ten mistakes
storage:
  units: {op: truns}
  views:
    window: {op: window, before: 99}
retreival: []
retrieval:
  - {op: bm25, view: wndow, k: 0}
  - {op: dense, topk: 5}
  - {op: rrf, kappa: 1}
  - {op: take, k: five}
rerank: {op: rerank}
context:
  item: |
    {{ unit.time | day }}
    {{ unit.txt }}
  order: newest
"""

MISTAKES_OF_MANY_KINDS = """\
version: 2
name: 5
storage:
  stores:
    facts: {from: turns, units: {op: turns}}
    turns: {from: facts, units: turns, views: {text: {op: window}, 2nd: {op: windw}}}
  write: {op: append}
retrieval:
  - bm25: {k: 5}
  - dense
  - {kind: dense}
  - {op: dense, store: fact, k: "50"}
  - {op: bm25, k: true, b: 1.5, variant: lucen}
  - {op: window}
  - op: branch
    branches: {one: [{op: dense, store: turns, view: window}], two: []}
    fuse: {op: take, k: 1}
  - {op: best, when: question.has_date}
  - {op: min_score, value: null, when: ranking.sise < 3}
  - {op: take, k: 010}
context:
  item: "{{ unit.text }}"
  sections:
    - {from: tunrs, share: 0, header: "{{ unit.text }}"}
    - {share: 0.6, group: "{{ group.nam }}"}
    - {share: 0.6}
answer: {max_output_tokens: 0, check: true}
item: x
"""


def test_the_flat_form(load):
    design = load(FLAT)
    assert design.name == "hybrid"
    assert list(design.stores) == ["main"]
    assert design.stores["main"].units.params.roles == ("user",)
    assert [stage.op for stage in design.retrieval] == ["bm25", "dense", "rrf", "neighbors", "take"]
    assert design.context.sections[0].group_by == "session"
    assert design.answer.max_output_tokens == 4000
    assert design.text == FLAT
    assert design.file == "d.yaml"


def test_only_version_and_retrieval_are_needed(load):
    design = load("version: 1\nretrieval: [{op: bm25}]\n")
    assert design.stores["main"].units.op == "records"
    assert design.context.sections[0].item == "{{ unit.text }}"


def test_ten_mistakes_are_ten_problems(registry, golden):
    problems = validate(scan(TEN_MISTAKES, "design.yaml"), registry)
    golden("ten_mistakes", "\n".join(map(str, problems)))
    assert len(problems) == 10


def test_mistakes_of_many_kinds(registry, golden):
    problems = validate(scan(MISTAKES_OF_MANY_KINDS, "design.yaml"), registry)
    golden("many_kinds", "\n".join(map(str, problems)))
    assert all(problem.line and problem.column for problem in problems)


def test_a_design_without_mistakes_has_no_problems(registry):
    assert validate(scan(FLAT), registry) == []


def test_a_typo_is_reported_about_its_own_operator_only(complaints):
    assert complaints("version: 1\nretrieval: [{op: bm25, vew: raw}]\n") == [
        "2:24: retrieval[0].vew: bm25 has no parameter vew (did you mean view?)"
    ]


@pytest.mark.parametrize("written", ["5", "5.0", "5e0", "0.5e1"])
def test_a_whole_number_may_be_written_as_a_float(load, written):
    k = load(f"version: 1\nretrieval: [{{op: bm25, k: {written}}}]\n").retrieval[0].params.k
    assert (k, type(k)) == (5, int)


@pytest.mark.parametrize("written", ["5.5", "true", "'5'", "[5]", "null", ".inf", ".nan"])
def test_what_is_no_whole_number_is_refused(complaints, written):
    assert len(complaints(f"version: 1\nretrieval: [{{op: bm25, k: {written}}}]\n")) == 1


def test_exponents_reach_the_parameters(load):
    params = load("version: 1\nretrieval: [{op: bm25, k: 2e3, b: 1e-3}]").retrieval[0].params
    assert (params.k, params.b) == (2000, 0.001)


def test_problems_of_yaml_and_of_the_design_come_together_and_once(complaints):
    assert complaints("version: 1\nretrieval: [{op: bm25, k: 010, b: 2}, {op: rerank, op: bm25}]\nname: ~\n") == [
        "2:27: retrieval[0].k: 010 starts with a zero (quote it, or write 10)",
        "2:35: retrieval[0].b: must be at least 0 and at most 1; got 2",
        "2:52: retrieval[1].op: duplicate key op, first on line 2 (remove one of the two)",
        "3:7: name: ~ may mean null or a text (quote it, or write null)",
    ]


def test_the_first_of_two_equal_keys_is_checked_too(complaints):
    assert complaints("version: 1\nretrieval: [{op: bm25, k: 0}]\nretrieval: []\n") == [
        "2:27: retrieval[0].k: must be at least 1 and at most 10000; got 0",
        "3:1: retrieval: duplicate key retrieval, first on line 2 (remove one of the two)",
    ]


def test_a_mistake_inside_an_anchor_is_shown_where_it_is_written(complaints):
    text = "version: 1\nx-base: &b {op: bm25, k: 0}\nretrieval:\n  - *b\n"
    assert complaints(text) == ["2:26: retrieval[0].k: must be at least 1 and at most 10000; got 0"]


def test_a_block_that_starts_at_line_14_has_its_third_line_at_17(complaints):
    text = (
        "version: 1\nretrieval: [{op: bm25}]\n"
        + "#\n" * 10
        + "context:\n  item: |\n    Facts\n    {{ unit.text }}\n    {{ unit.text }\n"
    )
    assert complaints(text) == ["17:5: context.item: template: the {{ is not closed by }} (write }})"]


def test_overrides_are_made_before_the_check(load):
    edit = Edit("set", ("retrieval", 0, "k"), 7)
    assert load(FLAT, overrides=[edit]).retrieval[0].params.k == 7
    with pytest.raises(InvalidFileError, match="must be at least 1"):
        load(FLAT, overrides=[Edit("set", ("retrieval", 0, "k"), 0)])
    with pytest.raises(UserError, match="retrieval has 5 entries"):
        load(FLAT, overrides=[Edit("set", ("retrieval", 9, "k"), 0)])


def test_a_file_knows_the_folder_its_paths_are_relative_to(tmp_path, registry):
    (tmp_path / "d.yaml").write_text(FLAT, encoding="utf-8")
    design = load_design_file(tmp_path / "d.yaml", registry)
    assert design.base_dir == tmp_path
    assert design.file == str(tmp_path / "d.yaml")
    with pytest.raises(InvalidFileError, match="there is no such design file"):
        load_design_file(tmp_path / "none.yaml", registry)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("roles: user", 'roles: wants a list; got the text "user" (write [user])'),
        ("roles: {a: 1}", "roles: wants a list; got the mapping {\"a\": 1} (start each entry with '- ')"),
        ("roles: [1]", "roles[0]: wants a text; got 1 (quote it)"),
        ("Roles: [a]", "Roles: turns has no parameter Roles (did you mean roles?)"),
    ],
)
def test_hints_for_wrong_kinds_of_values(complaints, written, said):
    found = complaints(f"version: 1\nstorage: {{units: {{op: turns, {written}}}}}\nretrieval: [{{op: bm25}}]")
    assert [line.split(": storage.units.")[1] for line in found] == [said]


def test_names_of_other_tools_for_the_same_thing(complaints):
    assert complaints("version: 1\nretrieval: [{op: bm25, Top_K: 5}, {type: bm25}]\nstages: []\n") == [
        "2:24: retrieval[0].Top_K: bm25 has no parameter Top_K (did you mean k?)",
        "2:35: retrieval[1]: op is missing: a stage names its operator (write op: bm25 instead of type: bm25)",
        "3:1: stages: unknown key stages (did you mean retrieval?)",
    ]


def test_the_first_of_very_many_problems_are_shown(complaints):
    keys = "".join(f"key{i}: 1\n" for i in range(3000))
    found = complaints(f"version: 1\nretrieval: [{{op: bm25}}]\n{keys}")
    assert len(found) == 201
    assert found[0] == " more than 200 problems: the first ones are shown"
    assert found[1].startswith("3:1: key0: unknown key key0")
    assert len(complaints(f"version: 1\nname: [{'~, ' * 20000}]\nretrieval: [{{op: bm25}}]\n")) == 201


@pytest.mark.parametrize("version", ["1.0", "1"])
def test_versions_that_are_read(load, version):
    assert load(f"version: {version}\nretrieval: [{{op: bm25}}]")


@pytest.mark.parametrize("version", ["2", "true", "'1'", "null", "1.5"])
def test_versions_that_are_not(complaints, version):
    assert len(complaints(f"version: {version}\nretrieval: [{{op: bm25}}]")) == 1


def test_a_text_that_is_no_mapping_is_one_problem(registry):
    with pytest.raises(InvalidFileError) as error:
        load_design("- op: bm25\n", registry=registry)
    assert len(error.value.problems) == 1
