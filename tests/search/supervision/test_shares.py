import pytest
from supervision_histories import make_history

from designsearch.dsl.problems import UserError
from designsearch.search.supervision.shares import askable


@pytest.mark.parametrize(
    ("roles", "named", "asked"),
    [
        (["user", "assistant", "system", "bot"], None, [True, False, False, True]),
        (["user", "assistant", "system", "bot"], ("assistant", "bot"), [False, True, False, True]),
        (["system", "assistant"], None, [True, True]),
        ([None, "system"], None, [True, False]),
    ],
)
def test_neither_an_assistant_nor_a_program_is_asked_about_unless_named(roles, named, asked):
    history = make_history(*({"text": f"n{i}"} | ({"role": role} if role else {}) for i, role in enumerate(roles)))
    assert askable(history, named).tolist() == asked


def test_a_role_that_the_history_has_not_is_refused():
    with pytest.raises(UserError, match="has no role 'usr'; did you mean user"):
        askable(make_history({"text": "x", "role": "user"}), ("usr",))
