from designsearch.dsl.operators import Operator, Stage

TEXT = "version: 1\nname: a\nretrieval:\n  - {op: bm25, k: 50}\n  - {op: take, k: 5}\n"


def test_cosmetics_do_not_change_the_identity(load):
    other = load(
        "# c\nx-y: 1\nversion: 1\nabout: b\nretrieval: [{k: 5e1, op: bm25, k1: 1.2}, {op: take, k: 5.0}]\nnotes: z\n"
    )
    assert load(TEXT).hash == other.hash
    assert load(TEXT) != other  # the names differ
    assert len(other.hash) == 16


def test_every_setting_changes_it(load):
    hashes = {
        load(TEXT).hash,
        load(TEXT.replace("50", "51")).hash,
        load(TEXT.replace("{op: take", "{when: question.has_date, op: take")).hash,
        load(TEXT + "storage: {units: {op: turns}}").hash,
        load(TEXT + "storage: {views: {w: {op: window}}}").hash,
        load(TEXT + "storage: {write: {op: dedupe}}").hash,
        load(TEXT + "context: {order: edges}").hash,
        load(TEXT + "context: {header: x}").hash,
        load(TEXT + "answer: {max_output_tokens: 5}").hash,
    }
    assert len(hashes) == 9


def test_prefixes_share_their_hash_up_to_the_first_difference(load):
    one, other = load(TEXT), load(TEXT.replace("k: 5}", "k: 6}") + "context: {order: edges}\n")
    assert one.prefix_hash(0) == other.prefix_hash(0)
    assert one.prefix_hash(1) == other.prefix_hash(1)
    assert one.prefix_hash(2) != other.prefix_hash(2)
    assert load(TEXT + "storage: {units: {op: turns}}").prefix_hash(0) != one.prefix_hash(0)


def test_the_canonical_form_fills_in_defaults(load):
    canonical = load(TEXT).canonical()
    assert canonical["retrieval"][0] == {
        "op": "bm25", "b": 0.75, "k": 50, "k1": 1.2, "store": None, "variant": "lucene", "view": "raw"
    }  # fmt: skip
    assert canonical["storage"]["main"] == {
        "units": {"op": "records"},
        "views": {},
        "write": {"op": "append"},
        "from": None,
    }


def test_a_whole_float_is_a_whole_number_in_the_canonical_form(registry):
    rrf = registry.get("cascade", "rrf")
    assert isinstance(rrf, Operator)
    assert str(Stage(rrf, rrf.params(kappa=60.0)).canonical()["kappa"]) == "60"
    assert str(Stage(rrf, rrf.params(kappa=60.5)).canonical()["kappa"]) == "60.5"
