HEAD = "version: 1\nretrieval: [{op: take, k: 1}]\n"  # one problem of its own, on line 2, that shows the check went on


def test_flat_and_named_forms_are_one_design(load):
    flat = load("version: 1\nstorage: {units: {op: turns}, views: {w: {op: window}}}\nretrieval: [{op: bm25, view: w}]")
    named = load(
        "version: 1\nstorage: {stores: {main: {views: {w: {op: window}}, units: {op: turns}}}}\n"
        "retrieval: [{op: bm25, view: w}]"
    )
    assert flat.hash == named.hash


def test_several_stores(load):
    design = load(
        "version: 1\nstorage: {stores: {a: {units: {op: turns}}, b: {from: a, write: {op: dedupe}}}}\n"
        "retrieval: [{op: bm25, store: b}]"
    )
    assert list(design.stores) == ["a", "b"]
    assert design.stores["b"].source == "a"
    assert design.stores["b"].write.op == "dedupe"
    assert design.stores["b"].units.op == "records"


def test_the_two_forms_exclude_each_other(complaints):
    text = "version: 1\nstorage: {units: {op: turns}, stores: {a: {}}}\nretrieval: [{op: bm25, store: a}]"
    assert complaints(text) == [
        (
            "2:31: storage.stores: stores stands beside units: a design has one form "
            "(move units into a store, or remove stores)"
        )
    ]


def test_names(complaints):
    text = HEAD + 'storage: {stores: {a-b: {views: {raw: {op: window}, "a.b": {op: window}, _x: {op: window}}}}}'
    assert [c for c in complaints(text) if not c.startswith("2:")] == [
        "3:20: storage.stores.a-b: a store cannot be called 'a-b' (use letters, digits and _, a letter first)",
        "3:34: storage.stores.a-b.views.raw: a view cannot be called raw: every unit has that already (rename it)",
        (
            "3:53: storage.stores.a-b.views[\"a.b\"]: a view cannot be called 'a.b' "
            "(use letters, digits and _, a letter first)"
        ),
        "3:74: storage.stores.a-b.views._x: a view cannot be called '_x' (use letters, digits and _, a letter first)",
    ]


def test_a_store_is_made_from_another_one(complaints):
    text = HEAD + "storage: {stores: {aa: {from: ab}, ab: {from: aa}, ac: {from: bb}}}"
    assert [c for c in complaints(text) if not c.startswith("2:")] == [
        "3:31: storage.stores.aa.from: store aa is made from itself (make one of the stores from the history)",
        "3:47: storage.stores.ab.from: store ab is made from itself (make one of the stores from the history)",
        "3:63: storage.stores.ac.from: there is no store bb (the stores are aa, ab, ac)",
    ]


def test_no_stores_at_all(complaints):
    assert "2:19: storage.stores: a design needs at least one store (name one, or remove stores)" in complaints(
        "version: 1\nstorage: {stores: {}}\nretrieval: [{op: bm25}]"
    )


def test_views_that_units_bring(load, complaints):
    head = "version: 1\nstorage: {units: {op: events}"
    assert load(head + "}\nretrieval: [{op: bm25, view: anchors}]\ncontext: {item: '{{ unit.summary }}'}")
    assert complaints(head + ", views: {summary: {op: window}}}\nretrieval: [{op: bm25}]") == [
        "2:40: storage.views.summary: events brings a view summary of its own (rename it)"
    ]
