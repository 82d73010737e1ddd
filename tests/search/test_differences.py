from designsearch.search.differences import differences


def test_a_changed_list_of_choices_is_named():
    old = {"search_space": {"cascade.finder": {"kind": {"tune": True, "enum": ["bm25", "dense"]}}}}
    kind = {"tune": True, "enum": ["bm25", "dense", "hybrid"]}
    new = {"search_space": {"cascade.finder": {"kind": kind}, "cascade.x": {}}}
    assert differences(old, new) == [
        (
            "search space: cascade.finder.kind: was {'tune': True, 'enum': ['bm25', 'dense']}, "
            "is {'tune': True, 'enum': ['bm25', 'dense', 'hybrid']}"
        ),
        "search space: operator cascade.x is new",
    ]


def test_what_is_new_or_gone_is_told():
    assert differences({"seed": 1, "base": "x"}, {"seed": 1, "split": "y"}) == [
        "base: was x, is not there",
        "split: was not there, is y",
    ]
    assert differences({"fingerprints": {"answerer": "a"}}, {"fingerprints": {"answerer": "b"}}) == [
        "answerer: has changed (a -> b)"
    ]


def test_what_results_do_not_depend_on_is_not_compared():
    assert differences({"storage": "journal.log"}, {"storage": "database"}) == []


def test_of_many_operators_the_first_are_named():
    spaces = {f"cascade.o{number}": {} for number in range(11)}
    lines = differences({"search_space": {}}, {"search_space": spaces})
    assert len(lines) == 9
    assert lines[-1] == "search space: and 3 operators more"
