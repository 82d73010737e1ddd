"""Archives and compressed files that may hold what is forgotten."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import numpy as np
import pytest

from designsearch.forgetting.packed import UnreadableError, is_packed, unpacked
from designsearch.forgetting.proof import left_in
from designsearch.forgetting.target import target_of
from designsearch.runtime.records import Record

TEXT = "The spare key of the workshop lies under the third blue flower pot"
TARGET = target_of("h", [Record("r1", TEXT)], ["r1"], frozenset({"r1"}))


def zipped(data, name="a"):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(name, data)
    return file.getvalue()


def tarred(data):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as packed:
        entry = tarfile.TarInfo("a")
        entry.size = len(data)
        packed.addfile(entry, io.BytesIO(data))
    return file.getvalue()


def saved(text):
    file = io.BytesIO()
    np.savez_compressed(file, texts=np.array([text, "x"]))
    return file.getvalue()


PLAIN = TEXT.encode()


@pytest.mark.parametrize(
    "data",
    [
        zipped(PLAIN),
        zipped(zipped(PLAIN)),
        zipped(gzip.compress(PLAIN)),
        gzip.compress(zipped(PLAIN)),
        bz2.compress(PLAIN),
        lzma.compress(PLAIN),
        tarred(PLAIN),
        saved(TEXT),
        b"a head of ours\n" + saved(TEXT),
    ],
    ids=["zip", "zip in zip", "gzip in zip", "zip in gzip", "bz2", "xz", "tar", "arrays", "arrays behind a head"],
)
def test_what_is_packed_is_searched(data, tmp_path):
    assert is_packed(data)
    (tmp_path / "a.bin").write_bytes(data)
    assert left_in(tmp_path / "a.bin", TARGET) == "holds text of it"


@pytest.mark.parametrize(
    "data",
    [b"PK\x03\x04 no archive", b"\x1f\x8b\x08 nor this", b"BZh", zipped(PLAIN)[:40]],
    ids=["zip", "gzip", "bz2", "the head of a zip"],
)
def test_what_only_looks_packed_is_passed_over(data, tmp_path):
    (tmp_path / "a.bin").write_bytes(data)
    assert left_in(tmp_path / "a.bin", TARGET) == ""


def test_a_locked_archive_is_told(tmp_path):
    locked = bytearray(zipped(PLAIN))
    for start, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):  # APPNOTE.TXT 4.4.4: bit 0, it is encrypted
        locked[locked.index(start) + flags] |= 1
    (tmp_path / "a.zip").write_bytes(locked)
    assert "could not be searched (" in left_in(tmp_path / "a.zip", TARGET)
    assert "password" in left_in(tmp_path / "a.zip", TARGET)


def test_archives_in_archives_end():
    data = PLAIN
    for _ in range(6):
        data = zipped(data)
    with pytest.raises(UnreadableError, match="archives in archives"):
        list(unpacked(data))
