"""A file that begins as a database and is none."""

from pathlib import Path

from small_world import write_lines


def test_a_damaged_database_is_named(world, command):
    write_lines("talk.jsonl", [{"id": "k1", "text": "The spare key lies under the third blue flower pot"}])
    before = Path("talk.jsonl").read_bytes()
    Path("out").mkdir()
    Path("out/manifest.json").write_text("{}")
    Path("out/calls.sqlite").write_bytes(b"SQLite format 3\x00" + b"x" * 200)
    done = command("forget", "k1", "--history", "talk.jsonl", "--in", "out")
    assert done.status == 4
    assert done.err == (
        "out/calls.sqlite: cannot be read as a database (file is not a database); stop what uses it, or move it away, "
        "and forget again\n"
    )
    assert Path("talk.jsonl").read_bytes() == before
