from pathlib import Path

from designsearch.runtime.models.offline.rules_hash import rules_hash


def test_it_is_of_the_source_texts_and_what_else_counts(tmp_path, monkeypatch):
    package = tmp_path / "rules_of_a_test"
    (package / "inner").mkdir(parents=True)
    for name in ("__init__", "one", "two", "inner/__init__", "inner/three"):
        Path(package / f"{name}.py").write_text(f"NAME = {name!r}\n")
    monkeypatch.syspath_prepend(tmp_path)

    def made(*modules, others=()):
        rules_hash.cache_clear()
        return rules_hash("rules_of_a_test", modules, *others)

    known = made("one", "inner.three")
    assert made("one", "inner.three") == known
    assert len({known, made("one"), made("one", "two"), made("one", "inner.three", others=("x",))}) == 4
    (package / "two.py").write_text("NAME = 2\n")
    assert made("one", "inner.three") == known
    (package / "inner/three.py").write_text("NAME = 3\n")
    assert made("one", "inner.three") != known
