"""Ways in which a text may be written."""

import json
import quopri
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designsearch.forgetting.proof import left_in, readings, unescaped
from designsearch.forgetting.target import target_of
from designsearch.runtime.records import Record

TEXT = "Zoë's spare key of the workshop lies under the third blue flower pot"
TARGET = target_of("h", [Record("r1", TEXT)], ["r1"], frozenset({"r1"}))


@given(st.text(max_size=40))
def test_json_in_json_in_json_is_read(text):
    packed = text
    for _ in range(3):
        packed = json.dumps(packed)
    wanted = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert any(wanted in reading for reading in readings(packed.encode()))


def test_pairs_of_escapes_are_one_letter():
    assert unescaped(r"\ud83d\ude00\n\"\u00e9") == '😀\n"é'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-32-le"])
def test_encodings(encoding, tmp_path):
    (tmp_path / "a.bin").write_bytes(b"\x01\x02" * 2 + TEXT.encode(encoding) + b"\x00\xff")
    assert left_in(tmp_path / "a.bin", TARGET) == "holds text of it"


@pytest.mark.parametrize(
    "written",
    [
        TEXT.encode("latin-1"),
        quote_plus(TEXT).encode(),
        quote(TEXT).encode(),
        quopri.encodestring(TEXT.replace(" ", "\u00a0").encode()),
        TEXT.replace(" ", "\n> ").upper().encode(),
    ],
)
def test_other_ways_to_write_it(written, tmp_path):
    (tmp_path / "a.txt").write_bytes(written)
    assert left_in(tmp_path / "a.txt", TARGET) == "holds text of it"


def test_a_text_across_two_pieces_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr("designsearch.forgetting.proof.PIECE", 1000)
    monkeypatch.setattr("designsearch.forgetting.proof.OVERLAP", 200)
    (tmp_path / "a.txt").write_bytes(b"x " * 480 + TEXT.encode() + b" y" * 2000)
    assert left_in(tmp_path / "a.txt", TARGET) == "holds text of it"


def test_its_id_is_told_where_it_stands_as_an_id(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"evidence": [{"record": "r1"}]}\n')
    (tmp_path / "b.jsonl").write_text('{"note": "r1"}\nnot json\n')
    assert left_in(tmp_path / "a.jsonl", TARGET) == "names it"
    assert left_in(tmp_path / "b.jsonl", TARGET) == ""
