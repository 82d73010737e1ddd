"""Questions that were made from what is forgotten and stand elsewhere without their evidence."""

import json
from pathlib import Path

from small_world import write_lines

MADE = "Under which flower pot did I leave the spare key of the workshop?"
OTHER = "Under which flower pot did I leave the spare key of the house?"


def test_pairs_of_a_question_and_an_answer_go_with_the_question(world, command):
    write_lines(
        "talk.jsonl",
        [
            {"id": "k1", "text": "The workshop's key? The third, the blue one."},
            {"id": "k2", "text": "And at home: red"},
        ],
    )
    questions = [
        {"id": "a", "question": MADE, "answer": "blue", "evidence": [{"record": "k1"}]},
        {"id": "b", "question": OTHER, "answer": "red", "evidence": [{"record": "k2"}]},
    ]
    write_lines("train.jsonl", questions)
    write_lines("pairs.jsonl", [{"question": one["question"], "answer": one["answer"]} for one in questions])
    done = command("forget", "k1", "--history", "talk.jsonl", "--in", "train.jsonl", "pairs.jsonl")
    assert done.status == 0
    for name in ("train.jsonl", "pairs.jsonl"):
        lines = Path(name).read_text(encoding="utf-8").splitlines()
        assert [json.loads(line)["question"] for line in lines] == [OTHER]
