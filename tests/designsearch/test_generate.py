import pytest

from designsearch import generate


def test_the_generated_files_are_fresh():
    assert generate.stale() == []


def test_a_stale_file_is_named_and_written_anew(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    monkeypatch.setattr(generate, "GENERATED", {"a.json": lambda: "{}\n"})
    assert generate.main(["--check"]) == 1
    assert "a.json is out of date" in capsys.readouterr().err
    assert generate.main([]) == 0
    assert (tmp_path / "a.json").read_text() == "{}\n"
    assert generate.main(["--check"]) == 0
    assert generate.main([]) == 0
    assert capsys.readouterr().out == "a.json: written\n"


@pytest.mark.parametrize("arguments", [["--chek"], ["--check", "x"]])
def test_usage(arguments, capsys):
    assert generate.main(arguments) == 2
    assert "usage" in capsys.readouterr().err
