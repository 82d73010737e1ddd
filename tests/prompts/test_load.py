from __future__ import annotations

from pathlib import Path

import pytest

from designsearch.prompts.load import prompt, prompt_names

TESTS = Path(__file__).parent


@pytest.mark.parametrize("name", prompt_names())
def test_every_prompt_is_declared_whole_and_has_a_test_of_its_own(name):
    found = prompt(name)
    assert found.about.endswith(".")
    assert found.version >= 1
    assert found.data, "a prompt without text from outside needs no model"
    if found.follows:
        assert found.follows in prompt_names()
    else:
        assert found.messages[0][0] == "system"
    folder, _, file = name.rpartition("/")
    test = TESTS / folder / f"test_{file}.py"
    assert test.is_file(), f"no test that hostile records change nothing: {test}"
    assert "assert_harmless(" in test.read_text(encoding="utf-8")


def test_variables_are_exactly_the_declared_ones():
    found = prompt("answer/answer")
    with pytest.raises(TypeError, match=r"takes .*context.*; see context, extra"):
        found.render(extra=1, **dict.fromkeys((found.data | found.plain) - {"context"}, ""))


def test_a_prompt_that_is_not_there():
    with pytest.raises(LookupError, match="there is no prompt answer/anser"):
        prompt("answer/anser")


def test_the_identity_names_prompt_and_version():
    found = prompt("answer/answer")
    assert found.identity.startswith(f"answer/answer@{found.version}-")
