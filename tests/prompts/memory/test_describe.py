from __future__ import annotations

import pytest
from prompt_checks import HOSTILE, assert_harmless

from designsearch.runtime.operators.storage.describe_view import TASKS


@pytest.mark.parametrize("aspect", TASKS)
def test_a_hostile_text_changes_nothing(aspect):
    plain = {"text": "Ana: I moved.", "task": TASKS[aspect]}
    assert_harmless("memory/describe", plain, plain | {"text": HOSTILE})
