"""A design's text for another folder."""

from pathlib import Path

import pytest

from designsearch.dsl.diff import diff
from designsearch.dsl.edit import Edit, apply
from designsearch.dsl.problems import InvalidFileError
from designsearch.dsl.relocate import moved, named_files, relocated
from designsearch.dsl.validate import load_design, load_design_file
from designsearch.runtime.operators import load_all

DESIGN = """\
version: 1
retrieval:
  - op: branch
    branches:
      one: [{op: policy, policy: learned, weights: %s, search: [{op: bm25}]}]  # mine
      two: [{op: bm25}]
    fuse: {op: rrf}
"""


def design_in(folder, written):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "design.yaml").write_text(DESIGN % written, encoding="utf-8")
    return load_design_file(folder / "design.yaml", load_all())


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "w.json").write_text("{}", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("target", "seen"), [("a", "../w.json"), ("a/b/c", "../../../w.json"), (".", "./w.json")])
def test_a_path_is_seen_from_the_new_folder_and_means_the_same(home, target, seen):
    design = design_in(home / "a", "../w.json")
    folder = home / target
    folder.mkdir(parents=True, exist_ok=True)
    text = relocated(design, folder)
    there = load_design(text, registry=load_all(), base_dir=folder)
    assert [stage.params.weights for _, stage in there.retrieval[0].inner() if stage.op == "policy"] == [seen]
    assert there.hash == design.hash
    assert diff(design, there) == []
    assert "# mine" in text
    assert [file.resolve() for file in named_files(there)] == [home / "w.json"]


def test_a_folder_that_is_a_link_is_left_as_the_system_leaves_it(home):
    design = design_in(home / "a", "../w.json")
    (home / "far" / "off").mkdir(parents=True)
    (home / "link").symlink_to(home / "far" / "off")
    assert "weights: ../../w.json" in relocated(design, home / "link").replace('"', "")


def test_a_path_from_the_root_or_from_home_stays(home):
    for written in (str(home / "w.json"), "~/w.json"):
        design = design_in(home / "a", written)
        assert relocated(design, home / "b") == design.text


def test_a_model_in_a_folder_is_a_path_and_one_at_the_hub_is_none(home):
    (home / "a" / "encoder").mkdir(parents=True)
    (home / "a" / "encoder" / "config.json").write_text("{}", encoding="utf-8")
    text = "version: 1\nretrieval: [{op: bm25}, {op: rerank, by: cross_encoder, model: %s}]\n"
    local = load_design(text % "./encoder", registry=load_all(), base_dir=home / "a")
    assert named_files(local) == [home / "a" / "encoder"]
    there = moved(local, home / "b", load_all())
    assert there.retrieval[1].params.model == "../a/encoder"
    assert there.hash == local.hash
    assert moved(there, home / "a", load_all()).retrieval[1].params.model == "./encoder"
    (home / "a" / "encoder" / "config.json").write_text("[]", encoding="utf-8")
    assert load_design(text % "./encoder", registry=load_all(), base_dir=home / "a").hash != local.hash
    hub = load_design(text % "encoder/of-a-hub", registry=load_all(), base_dir=home / "a")
    assert (named_files(hub), moved(hub, home / "b", load_all()).text) == ([], hub.text)


def test_a_folder_need_not_be_there_yet(home):
    design = moved(design_in(home / "a", "../w.json"), home / "runs" / "new" / "trials", load_all())
    assert not (home / "runs").exists()
    assert [file.resolve() for file in named_files(design)] == [home / "w.json"]


def test_a_text_that_was_changed_elsewhere_keeps_its_change(home):
    design = design_in(home / "a", "../w.json")
    text = apply(design.text, Edit("set", ("name",), "new"))
    assert load_design(relocated(design, home, text), registry=load_all(), base_dir=home).name == "new"


def test_a_design_that_names_no_file_stays():
    design = load_design("version: 1\nretrieval: [{op: bm25}]", registry=load_all())
    assert relocated(design, Path("/nowhere")) == design.text
    assert named_files(design) == []


@pytest.mark.parametrize("written", ["~nobody-of-this-name/w.json", "none.json"])
def test_a_file_that_is_not_there_is_told(home, written):
    with pytest.raises(
        InvalidFileError, match=r"retrieval\[0\]\.branches\.one\[0\]\.weights: there is no file or folder"
    ):
        design_in(home / "a", written)


def test_a_difference_names_the_files(home):
    (home / "v.json").write_text("[]", encoding="utf-8")
    (change,) = diff(design_in(home / "a", "../w.json"), design_in(home / "b", "../v.json"))
    assert str(change) == 'retrieval[0].branches.one[0].weights: "../w.json (92bf89c7)" -> "../v.json (99528f2f)"'
