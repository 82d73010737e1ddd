"""Files that designs name, looked at without running anything."""

from runtime_fakes import design_of

from designsearch.dsl.validate import load_design
from designsearch.runtime.named_file_checks import named_file_problems
from designsearch.runtime.operators import load_all
from designsearch.runtime.policies.weights import Weights

BRANCHES = """\
version: 1
storage:
  stores:
    one: {units: {op: events}, views: {window: {op: window}}}
    two: {units: {op: records}}
retrieval:
  - op: branch
    branches:
      a: [{op: policy, policy: learned, weights: good.json, search: [{op: bm25, store: one}]}]
      b: [{op: policy, policy: learned, weights: bad.json, search: [{op: bm25, store: one}]}]
    fuse: {op: rrf}
  - {op: rerank, by: cross_encoder, model: ./encoder}
"""


def test_files_are_looked_for_in_stages_inside_others_and_views_in_the_first_store(tmp_path):
    good = Weights(50, {"bm25": 1.0, "cosine.window": 1.0, "bm25.phrase": 1.0, "rank": 1.0})
    (tmp_path / "good.json").write_text(good.text(), encoding="utf-8")
    (tmp_path / "bad.json").write_text(Weights(50, {"bm25": 1.0}, {"bm25.roles": 1.0}).text(), encoding="utf-8")
    (tmp_path / "encoder").mkdir()
    (tmp_path / "encoder" / "vocab.txt").write_text("a", encoding="utf-8")
    design = load_design(BRANCHES, "d.yaml", load_all(), tmp_path)
    found = named_file_problems(design)
    assert [(one.line, one.path) for one in found] == [
        (10, "retrieval[0].branches.b[0].weights"),
        (12, "retrieval[1].model"),
    ]
    assert found[0].message == (
        f"{tmp_path / 'bad.json'}: the weights use the feature bm25.roles, but the store has no view roles (it has raw,"
        " summary, anchors, phrase, window); add the view to storage, or train a policy for this design"
    )
    assert found[1].message == (
        f"rerank: the folder {tmp_path / 'encoder'} holds no cross-encoder: it has no config.json (model: ./encoder)"
    )
    (tmp_path / "encoder" / "config.json").write_text("{}", encoding="utf-8")
    (tmp_path / "bad.json").write_text(good.text(), encoding="utf-8")
    assert named_file_problems(load_design(BRANCHES, "d.yaml", load_all(), tmp_path)) == []


def test_a_mistake_in_a_file_is_told_in_one_line(tmp_path):
    (tmp_path / "good.json").write_text('{"format"\n  1}', encoding="utf-8")
    (tmp_path / "bad.json").write_text(Weights(50, {"bm25": 1.0}).text(), encoding="utf-8")
    (tmp_path / "encoder").mkdir()
    (tmp_path / "encoder" / "config.json").write_text("{}", encoding="utf-8")
    (only,) = named_file_problems(load_design(BRANCHES, "d.yaml", load_all(), tmp_path))
    assert only.message == f"{tmp_path / 'good.json'}:2:3: not JSON: expecting ':' delimiter"


def test_designs_that_name_no_file_have_no_problem():
    assert named_file_problems(design_of("storage: {units: {op: events}}")) == []
