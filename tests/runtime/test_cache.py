import json

import numpy as np
import pytest

from designsearch.runtime.cache import Aside, Cache, content_key, default_folder, write_whole

KEY = content_key("x")


class Made:
    """Counts how often a value had to be made."""

    def __init__(self, value):
        self.value = value
        self.times = 0

    def __call__(self):
        self.times += 1
        return self.value


@pytest.fixture
def stored(tmp_path):
    """A folder with one entry, and the file that holds it."""
    Cache(tmp_path).arrays(KEY, lambda: {"a": np.arange(5.0), "b": np.array([[1, 2]])})
    (file,) = tmp_path.rglob("*.npz")
    return tmp_path, file


def read(folder):
    make = Made({"a": np.zeros(1)})
    return Cache(folder).arrays(KEY, make), make.times


def test_what_is_missing_of_several_keys_is_made_together_and_once():
    cache, asked = Cache(), []

    def make(rows):
        asked.append(rows)
        return [f"made {row}" for row in rows]

    cache.get("b", lambda: "known")
    assert cache.get_all(["a", "b", "c", "a"], make, keep=lambda value: value != "made 2") == [
        "made 0",
        "known",
        "made 2",
        "made 0",
    ]
    assert cache.get_all(["a", "c"], make, keep=lambda _: True) == ["made 0", "made 1"]
    assert cache.get_all(["a", "c"], make, keep=lambda _: True) == ["made 0", "made 1"]
    assert cache.get_all([], make, keep=lambda _: True) == []
    assert asked == [[0, 2], [1]]


def test_values_are_made_once():
    cache, make = Cache(), Made("value")
    assert [cache.get("k", make), cache.get("k", make)] == ["value", "value"]
    assert make.times == 1
    assert cache.knows("k")
    assert not cache.knows("other")


def test_keys_tell_parts_apart():
    keys = [content_key(*parts) for parts in (("a", "b"), ("ab",), ("a", ["b"]), ("a", "b", None), ("é",), ("\ud800",))]
    assert len(set(keys)) == len(keys)
    assert content_key({"a": 1, "b": 2}) == content_key({"b": 2, "a": 1})


def test_arrays_survive_the_process(stored):
    found, made = read(stored[0])
    assert made == 0
    assert found["a"].tolist() == [0, 1, 2, 3, 4]
    assert found["b"].tolist() == [[1, 2]]


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: b"",
        lambda raw: raw[: len(raw) // 2],
        lambda raw: raw[:-1] + bytes([raw[-1] ^ 1]),
        lambda raw: b"\xff\xfe\n" + raw,
        lambda raw: b"null\n",
        lambda raw: raw.replace(b"designsearch-cache-1", b"designsearch-cache-0"),
        lambda raw: raw.replace(KEY.encode(), content_key("y").encode()),
    ],
    ids=["empty", "truncated", "flipped", "not text", "no header", "other format", "other key"],
)
def test_a_file_that_is_not_what_it_promises_is_made_again(stored, damage):
    folder, file = stored
    file.write_bytes(damage(file.read_bytes()))
    found, made = read(folder)
    assert (found["a"].tolist(), made) == ([0.0], 1)
    assert read(folder)[1] == 0, "the repaired file is read"


def test_the_header_names_what_the_file_holds(stored):
    header = json.loads(stored[1].read_bytes().partition(b"\n")[0])
    assert header.keys() == {"format", "key", "check"}
    assert header["key"] == KEY


def test_a_folder_that_cannot_be_written_costs_the_cache_only(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    found, made = read(blocked)
    assert (found["a"].tolist(), made) == ([0.0], 1)


def test_writing_is_all_or_nothing(tmp_path, monkeypatch):
    target = tmp_path / "f"
    write_whole(target, b"old")
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(OSError("no space")))
    with pytest.raises(OSError, match="no space"):
        write_whole(target, b"new")
    assert target.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["f"]


def test_least_recently_used_goes_first():
    cache = Cache(limit=250)
    for key in "abc":
        if key == "c":
            cache.get("a", Made(None))
        cache.get(key, lambda: np.zeros(100, np.int8))
    assert [key for key in "abc" if cache.knows(key)] == ["a", "c"]


def test_a_value_above_the_limit_is_still_given():
    cache, make = Cache(limit=10), Made(np.zeros(100, np.int8))
    assert cache.get("big", make) is make.value
    assert cache.knows("big")
    cache.get("small", lambda: np.zeros(1, np.int8))
    assert not cache.knows("big")


def test_texts_count_by_their_length():
    cache = Cache(limit=100_000)
    cache.get("short", lambda: ("a", "b"))
    cache.get("long", lambda: ("x" * 60_000, "y" * 60_000))
    assert not cache.knows("short")
    again = Cache(limit=100_000)
    again.get("short", lambda: ("a", "b"))
    text = "x" * 60_000
    again.get("shared", lambda: (text, text, text))
    assert again.knows("short"), "a text that stands many times is held once"


def test_where_the_folder_is(monkeypatch, tmp_path):
    monkeypatch.setenv("DESIGNSEARCH_CACHE", str(tmp_path / "own"))
    assert default_folder() == tmp_path / "own"
    monkeypatch.delenv("DESIGNSEARCH_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "designsearch"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_folder() == tmp_path / ".cache" / "designsearch"


def test_a_cache_aside_reads_the_other_and_adds_nothing_to_it():
    other = Cache()
    known, new = Made("old"), Made("new")
    other.get("a", known)
    aside = Aside(other)
    assert [aside.get("a", new), aside.get("b", new), aside.get("b", new)] == ["old", "new", "new"]
    assert (known.times, new.times) == (1, 1)
    assert not other.knows("b")
    assert Aside(other).get("b", new) == "new"
    assert new.times == 2
