"""The loop delivers what is asked for, or says why not, and is the same however it was run."""

import itertools
import json
import re

import pytest
from supervision_fakes import ScriptedGenerator, cast_of, lively_history

from designsearch.dsl.problems import CannotContinueError, OutOfBudgetError, UserError
from designsearch.runtime.histories.question_file import read_question_file
from designsearch.runtime.histories.times import parse_time
from designsearch.runtime.lexical_tokens import words
from designsearch.search.supervision.generate import SHARES, generate_questions
from designsearch.search.supervision.record_parts import split_records
from designsearch.search.supervision.settings import SupervisionSettings

HISTORY = lively_history()


def generate(folder, cast=None, history=HISTORY, shares=None, **more):
    given = {"count": 60, "seed": 3, "verify": True} | {
        key: more.pop(key) for key in list(more) if key in SupervisionSettings.model_fields
    }
    kwargs = {"shares": shares} if shares else {}
    return generate_questions(history, SupervisionSettings(**given), cast or cast_of(), folder, **kwargs, **more)


def items_of(folder):
    return (folder / "items.jsonl").read_text()


def jaccard(one, two):
    one, two = set(words(one)), set(words(two))
    return len(one & two) / len(one | two)


def test_delivers_what_is_asked_for_in_proportion(tmp_path):
    made = generate(tmp_path)
    assert {part: len(own) for part, own in made.parts.items()} == {"train": 30, "validation": 18, "locked": 12}
    assert made.why == ()
    for part, own in made.parts.items():
        read = read_question_file(tmp_path / f"{part}.jsonl").questions
        assert read == own
    report = json.loads((tmp_path / "funnel.json").read_text())
    assert report["finished"]
    assert report["steps"]["kept"] == 60
    numbers = list(report["steps"].values())
    assert numbers == sorted(numbers, reverse=True)


def test_same_questions_with_one_worker_and_two(tmp_path):
    generate(tmp_path / "one")
    generate(tmp_path / "two", jobs=2)
    assert items_of(tmp_path / "one") == items_of(tmp_path / "two")
    for part in ("train", "validation", "locked", "rejected"):
        assert (tmp_path / f"one/{part}.jsonl").read_text() == (tmp_path / f"two/{part}.jsonl").read_text()


def test_nothing_that_processes_read_is_left(tmp_path):
    (tmp_path / "workers-of-a-killed-run").write_text("text of the history")
    generate(tmp_path, jobs=2)
    assert not list(tmp_path.glob("workers-*"))


def test_another_seed_gives_other_questions(tmp_path):
    one, two = (generate(tmp_path / str(seed), seed=seed).questions for seed in (1, 2))
    assert {q.id for q in one} != {q.id for q in two}


def test_no_two_questions_are_alike_and_no_record_is_worn_or_in_two_parts(tmp_path):
    history = lively_history(1200)
    made = generate(tmp_path, count=100, history=history)
    assert len(made.questions) == 100
    assert all(jaccard(a.question, b.question) < 0.8 for a, b in itertools.combinations(made.questions, 2))
    uses = [one.record for q in made.questions for one in q.evidence]
    assert max(map(uses.count, uses)) <= 3
    parts = [{one.record for q in own for one in q.evidence} for own in made.parts.values()]
    assert not any(a & b for a, b in itertools.combinations(parts, 2))
    division = split_records(history, SHARES, seed=3)
    for code, own in enumerate(parts):
        assert {int(division.codes[history.row[record]]) for record in own} == {code}


def test_ids_are_unique_and_keyed_by_part(tmp_path):
    made = generate(tmp_path)
    assert len({q.id for q in made.questions}) == 60
    whole = generate(tmp_path / "whole", shares={"all": 1.0})
    assert [path.name for path in sorted((tmp_path / "whole").glob("*.jsonl"))] == [
        "all.jsonl", "items.jsonl", "rejected.jsonl",
    ]  # fmt: skip
    assert not {q.id for q in whole.questions} & {q.id for q in made.questions}


def test_only_roles_that_are_not_the_assistant_are_asked_about(tmp_path):
    made = generate(tmp_path)
    roles = {HISTORY.roles[HISTORY.row[one.record]] for q in made.questions for one in q.evidence}
    assert roles == {"user"}
    named = generate(tmp_path / "named", roles=("assistant",))
    roles = {HISTORY.roles[HISTORY.row[one.record]] for q in named.questions for one in q.evidence}
    assert roles == {"assistant"}


def test_an_unknown_role_is_named(tmp_path):
    with pytest.raises(UserError) as caught:
        generate(tmp_path, roles=("asistant",))
    assert str(caught.value) == (
        "roles: history 'h' has no role 'asistant'; did you mean assistant? (it has: user, assistant)"
    )


def test_questions_are_asked_after_their_evidence(tmp_path):
    for question in generate(tmp_path).questions:
        asked = parse_time(question.as_of)
        for one in question.evidence:
            time = parse_time(HISTORY.time_texts[HISTORY.row[one.record]])
            assert time.known_by(asked)
        if question.evidence:
            last = max(HISTORY.time_texts[HISTORY.row[one.record]] for one in question.evidence)
            days = (asked.local - parse_time(last).local) / 86_400
            assert 4 <= days <= 91
    ended = generate(tmp_path / "end", asked="end")
    assert {q.as_of for q in ended.questions} == {None}


def test_share_of_unanswerable_questions_is_kept(tmp_path):
    made = generate(tmp_path, cast_of(ScriptedGenerator(unanswerable=0.5)), unanswerable=0.2, updated=0)
    assert sum(not q.answerable for q in made.questions) == 12
    none = generate(tmp_path / "none", unanswerable=0)
    assert all(q.answerable for q in none.questions)


def test_one_kind_alone_still_delivers(tmp_path):
    made = generate(tmp_path, cast_of(ScriptedGenerator(kinds=("lookup",), unanswerable=0)))
    assert len(made.questions) == 60
    assert made.report["spread"]["kinds"] == {"lookup": 60}


def test_kinds_are_balanced_where_there_are_several(tmp_path):
    made = generate(tmp_path, cast_of(ScriptedGenerator(kinds=("lookup",) * 9 + ("count",))))
    kinds = made.report["spread"]["kinds"]
    assert kinds["lookup"] < 0.85 * 60
    assert len(made.questions) == 60


def test_a_short_history_is_used_up_and_says_so(tmp_path):
    made = generate(tmp_path, history=lively_history(40))
    assert 0 < len(made.questions) < 60
    assert all(re.fullmatch(r"\w+: \d+ of \d+ questions: the history is used up after \d+ bundles of records", line)
               for line in made.why)  # fmt: skip
    assert len(made.why) >= 1


def test_hopeless_bundles_are_given_up(tmp_path):
    made = generate(tmp_path, cast_of(ScriptedGenerator(words="What is it?")), history=lively_history(2000))
    assert len(made.questions) == 1
    assert made.why[1] == (
        "validation: 0 of 18 questions: given up after 200 bundles in a row without a question (200 in all)"
    )
    assert made.report["near_duplicates"] > 100


def test_questions_like_official_ones_are_dropped(tmp_path):
    first = generate(tmp_path / "first")
    again = generate(tmp_path / "again", official=[q.question for q in first.questions[:20]])
    assert again.report["like_official"] >= 1
    for question in again.questions:
        assert all(jaccard(question.question, one.question) < 0.5 for one in first.questions[:20])


def test_an_official_question_in_other_settings_is_another_origin(tmp_path):
    generate(tmp_path)
    with pytest.raises(CannotContinueError) as caught:
        generate(tmp_path, seed=4, count=61, cast=cast_of(ScriptedGenerator(fingerprint="scripted 2")))
    assert str(caught.value).split("\n")[1:] == [
        "  settings.count: was 60, is 61",
        "  settings.seed: was 3, is 4",
        "  generator: has changed (scripted 1 -> scripted 2)",
        "put it back as it was, or name another folder",
    ]


def test_a_finished_folder_asks_nobody_again(tmp_path):
    made = generate(tmp_path)

    class Nobody(ScriptedGenerator):
        def draft(self, materials):
            raise AssertionError

    again = generate(tmp_path, cast_of(Nobody()))
    assert again.questions == made.questions
    assert again.report == made.report


def test_a_cap_keeps_what_was_made_and_the_rest_follows(tmp_path):
    whole = generate(tmp_path / "whole")

    class Capped(ScriptedGenerator):
        batches = 0

        def draft(self, materials):
            self.batches += 1
            if self.batches > 2:
                raise OutOfBudgetError("all 2 calls are used")
            return super().draft(materials)

    with pytest.raises(OutOfBudgetError):
        generate(tmp_path / "capped", cast_of(Capped()))
    some = read_question_file(tmp_path / "capped/train.jsonl").questions
    assert 0 < len(some) < 60
    assert not json.loads((tmp_path / "capped/funnel.json").read_text())["finished"]
    assert generate(tmp_path / "capped").questions == whole.questions
    assert items_of(tmp_path / "capped") == items_of(tmp_path / "whole")


def test_smaller_batches_of_models_give_the_same(tmp_path):
    generate(tmp_path / "rules")
    generate(tmp_path / "models", cast_of(offline=False))
    assert items_of(tmp_path / "models") == items_of(tmp_path / "rules")


def test_a_model_that_fails_every_time_ends_it(tmp_path):
    with pytest.raises(CannotContinueError, match=r"^of the last 32 bundles a model could make nothing: bundle 31; "):
        generate(tmp_path, cast_of(ScriptedGenerator(lost=1.0, failed=True), offline=False))
    assert len(items_of(tmp_path).splitlines()) == 32


def test_fewer_questions_than_parts_are_refused(tmp_path):
    with pytest.raises(UserError) as caught:
        generate(tmp_path, count=2)
    assert str(caught.value) == (
        "count: 2 questions cannot be divided into 3 parts (train, validation, locked); ask for 3 or more"
    )
    assert len(generate(tmp_path, count=3).questions) == 3


def test_a_folder_with_other_questions_is_refused(tmp_path):
    (tmp_path / "train.jsonl").write_text("{}\n")
    with pytest.raises(UserError, match=r"train\.jsonl: exists already and is not overwritten; name another folder"):
        generate(tmp_path)


def test_a_torn_line_is_cut_off_and_the_rest_is_the_same(tmp_path):
    generate(tmp_path / "whole")
    text = items_of(tmp_path / "whole")
    torn = tmp_path / "torn"
    torn.mkdir()
    (torn / "manifest.json").write_text((tmp_path / "whole/manifest.json").read_text())
    (torn / "items.jsonl").write_text(text[: len(text) // 2])
    said = []
    generate(torn, say=said.append)
    assert items_of(torn) == text
    [line] = said
    assert line.endswith("items.jsonl: the last line was torn; it was cut off, and the file as it was is kept as "
                         "items.jsonl.torn")  # fmt: skip


def test_damage_elsewhere_is_refused(tmp_path):
    generate(tmp_path)
    lines = items_of(tmp_path).splitlines(keepends=True)
    (tmp_path / "items.jsonl").write_text("".join([lines[0], lines[1][:30] + "\n", *lines[2:]]))
    with pytest.raises(CannotContinueError, match=r"items\.jsonl: is damaged \(line 2: "):
        generate(tmp_path)
