"""Parameters that are sets of names: neither order nor repetition makes another design."""

import pytest
from runtime_fakes import design_of


@pytest.mark.parametrize(
    "stage",
    [
        "units: {{op: records, sources: {}}}",
        "units: {{op: days, sources: {}}}",
        "units: {{op: turns, roles: {}}}",
        "units: {{op: turns, sources: {}}}",
        "units: {{op: notes, roles: {}}}",
        "units: {{op: notes, sources: {}}}",
        "views: {{talk: {{op: roles, roles: {}}}}}",
    ],
)
def test_sets_of_names(stage):
    def hash_of(names):
        return design_of(f"storage: {{{stage.format(names)}}}").hash

    assert hash_of("[user, email]") == hash_of("[email, user]") == hash_of("[user, email, user]")
    assert len({hash_of("[user]"), hash_of("[email]"), hash_of("[email, user]")}) == 3


def test_the_actions_of_a_policy():
    def hash_of(actions):
        policy = f"{{op: policy, policy: llm, actions: {actions}, search: [{{op: bm25}}]}}"
        return design_of(f"retrieval: [{policy}]").hash

    assert hash_of("[add, add]") == hash_of("[add]")
    assert hash_of("[skip, add, search]") == hash_of("[search, add, skip, add]")
    assert hash_of("[add]") != hash_of("[add, skip]")
    assert (
        hash_of("[stop, skip, add, search]")
        == design_of("retrieval: [{op: policy, policy: llm, search: [{op: bm25}]}]").hash
    )


def test_what_is_shown_in_order_keeps_it():
    views = "storage: {{views: {{m: {{op: metadata, fields: {}}}}}}}"
    assert design_of(views.format("[time, author]")).hash != design_of(views.format("[author, time]")).hash
