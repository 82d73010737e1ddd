"""Vectors from servers and from sentence-transformers."""

import sys
from types import ModuleType
from typing import ClassVar

import numpy as np
import pytest
from model_stub import Answer, Stub, vector

from designsearch.dsl.problems import CannotContinueError, OutOfBudgetError, UserError
from designsearch.runtime.indexes.static_embeddings import token_ids
from designsearch.runtime.models.books.calls import CallStore
from designsearch.runtime.models.books.spending import Caps
from designsearch.runtime.models.serving import embedders, extras
from designsearch.runtime.models.settings import ModelSettings, Price
from designsearch.runtime.models.team import Team


@pytest.fixture
def opened():
    teams = []

    def make(settings, *args, **more):
        teams.append(Team.open({"embedder": settings}, *args, **more))
        return teams[-1].embedder()

    yield make
    for team in teams:
        team.close()


def at(stub, **more):
    return ModelSettings(**({"model": "stub", "base_url": stub.url} | more))


def unit(text):
    made = np.array(vector(text), np.float32)
    return made / np.linalg.norm(made)


def sent(stub):
    return [text for body in stub.bodies("/embeddings") for text in body["input"]]


def test_vectors_have_unit_length_and_the_order_of_the_texts(opened):
    with Stub() as stub:
        embedder = opened(at(stub))
        texts = ["one", "", "three", "one", " \n", "ɛ̃ 三 😀"]
        made = embedder.embed(texts)
        assert made.dtype == np.float32
        assert made.shape == (6, 8)
        for row, text in zip(made, texts, strict=True):
            np.testing.assert_allclose(row, unit(text) if text.strip() else np.zeros(8), atol=1e-6)
        assert sorted(sent(stub)) == sorted({"one", "three", "ɛ̃ 三 😀"})
        assert embedder.dimensions == 8
        assert embedder.name == f"stub at {stub.url}"


def test_the_books_say_how_long_a_batch_took(opened):
    with Stub() as stub:
        store = CallStore(None)
        opened(at(stub), store).embed(["one", "two"])
        [tally] = store.tallies()
        assert (tally.purpose, tally.replies, tally.spent.calls) == ("embed", 1, 1)
        assert tally.seconds > 0


def test_one_more_text_costs_one_more_text(opened, tmp_path):
    with Stub() as stub:
        embedder = opened(at(stub), CallStore(tmp_path / "calls.sqlite"))
        texts = [f"text {i}" for i in range(150)]
        before = embedder.embed(texts)
        asked = len(stub.asked)
        after = embedder.embed([*texts, "a new one"])
        np.testing.assert_array_equal(after[:150], before)
        assert stub.bodies("/embeddings")[asked:] == [{"model": "stub", "input": ["a new one"]}]


def test_a_later_run_embeds_nothing_again(opened, tmp_path):
    with Stub() as stub:
        store = CallStore(tmp_path / "calls.sqlite")
        first = opened(at(stub), store).embed(["a", "b"])
        store.close()
        later = opened(at(stub), CallStore(tmp_path / "calls.sqlite", replay=True))
        np.testing.assert_array_equal(later.embed(["b", "a"]), first[::-1])
        assert later.dimensions == 8
        assert len(stub.asked) == 1
        with pytest.raises(CannotContinueError, match="replay needs a call that was never made: embedder, embed"):
            later.embed(["c"])


def test_texts_go_in_batches_that_are_neither_too_many_nor_too_long(opened):
    with Stub() as stub:
        opened(at(stub)).embed([f"{i} " + "x" * (i * 40) for i in range(200)])
        batches = [body["input"] for body in stub.bodies("/embeddings")]
        assert sum(map(len, batches)) == 200
        assert max(map(len, batches)) <= 64
        assert all(sum(len(text) for text in batch) <= embedders.BATCH_BYTES for batch in batches)
        assert len(batches) < 20


def test_a_text_longer_than_the_model_reads_is_embedded_in_parts(opened):
    with Stub() as stub:
        embedder = opened(at(stub, context_tokens=256))
        long = " ".join(f"word{i}" for i in range(400)) + " 三" * 50
        made = embedder.embed([long, "short"])
        parts = [text for text in sent(stub) if text != "short"]
        assert "".join(sorted(parts, key=long.index)) == long
        assert max(len(ids) for ids in token_ids(parts)) <= 256
        mean = sum(unit(part) * len(part) for part in parts)
        np.testing.assert_allclose(made[0], mean / np.linalg.norm(mean), atol=1e-5)


def test_without_texts_the_length_is_still_known(opened):
    with Stub() as stub:
        embedder = opened(at(stub))
        assert embedder.embed([]).shape == (0, 8)
        assert embedder.embed([""]).tolist() == [[0.0] * 8]
        assert sent(stub) == [embedders.PROBE]


def test_the_length_can_be_asked_for(opened):
    with Stub() as stub:
        opened(at(stub, dimensions=4)).embed(["a"])
        assert stub.bodies("/embeddings")[0]["dimensions"] == 4
        assert opened(at(stub, dimensions=4)).fingerprint != opened(at(stub)).fingerprint


def test_calls_count_against_the_caps(opened, tmp_path):
    with Stub() as stub:
        settings = at(stub, price=Price(input=1.0), concurrency=1)
        embedder = opened(settings, CallStore(tmp_path / "calls.sqlite"), Caps(calls=2))
        texts = [f"text {i:04}" for i in range(64 * 3)]
        with pytest.raises(OutOfBudgetError, match="llm_calls 2 is reached"):
            embedder.embed(texts)
        assert len(stub.asked) == 2
        more = opened(settings, CallStore(None, also_read=[tmp_path / "calls.sqlite"]))
        more.embed(texts)
        assert len(stub.asked) == 3  # what came before the cap was kept


def test_a_server_that_makes_no_vectors_is_told(opened):
    with (
        Stub(lambda path, body, number: {"data": [{"index": 0, "embedding": ["x"]}]}) as stub,
        pytest.raises(CannotContinueError, match=r"models\.embedder"),
    ):
        opened(at(stub, retries=0)).embed(["a"])


class FakeTransformer:
    """What of sentence_transformers.SentenceTransformer is used."""

    loaded: ClassVar = []
    max_seq_length = 40

    def __init__(self, name, *, device, local_files_only, truncate_dim):
        self.loaded.append((name, device, local_files_only, truncate_dim))
        if "missing" in name:
            raise OSError("missing is not a local folder and is not a valid model\nand more")

    def encode(self, texts, *, batch_size, show_progress_bar, convert_to_numpy):
        assert not show_progress_bar
        return np.array([vector(text) for text in texts], np.float32)


@pytest.fixture
def library(monkeypatch):
    module = ModuleType("sentence_transformers")
    module.SentenceTransformer = FakeTransformer
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    monkeypatch.setattr(extras, "installed", lambda _: True)
    monkeypatch.setattr(FakeTransformer, "loaded", [])
    return FakeTransformer.loaded


def test_a_model_of_sentence_transformers(opened, library, tmp_path):
    store = CallStore(tmp_path / "calls.sqlite")
    embedder = opened(ModelSettings(model="sentence-transformers/all-MiniLM-L6-v2"), store)
    assert library == []  # not before it is needed
    made = embedder.embed(["one", "", "word " * 200])
    np.testing.assert_allclose(made[0], unit("one"), atol=1e-6)
    assert not made[1].any()
    np.testing.assert_allclose(np.linalg.norm(made[2]), 1.0, atol=1e-6)
    assert library == [("all-MiniLM-L6-v2", "cpu", False, None)]
    again = opened(ModelSettings(model="sentence-transformers/all-MiniLM-L6-v2"), store)
    np.testing.assert_array_equal(again.embed(["one"])[0], made[0])
    assert len(library) == 1  # its vector was kept


def test_a_folder_is_read_from_the_disk_alone(opened, library, tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    settings = ModelSettings(model=f"sentence-transformers/{folder}", dimensions=64)
    first = opened(settings)
    first.embed(["a"])
    assert library == [(str(folder), "cpu", True, 64)]
    (folder / "config.json").write_text("{ }")
    assert opened(settings).fingerprint != first.fingerprint


def test_what_sentence_transformers_lacks_is_one_line(opened, library, monkeypatch):
    with pytest.raises(UserError, match="names a folder that is not there: nowhere"):
        opened(ModelSettings(model="sentence-transformers/./nowhere"))
    with pytest.raises(UserError) as error:
        opened(ModelSettings(model="sentence-transformers/missing")).embed(["a"])
    assert str(error.value) == (
        "models.embedder: missing cannot be loaded (missing is not a local folder and is not a valid model)"
    )
    monkeypatch.setattr(extras, "installed", lambda _: False)
    with pytest.raises(UserError) as error:
        opened(ModelSettings(model="sentence-transformers/m"))
    assert str(error.value) == (
        "models.embedder: sentence-transformers/m needs a library that is not installed: pip install 'designsearch[st]'"
    )


def of_length(length):
    """A server whose vectors have that length at a call."""

    def script(path, body, number):
        if path != "/embeddings":
            return None
        rows = [{"index": i, "embedding": [1.0] * length(number)} for i in range(len(body["input"]))]
        return Answer(200, {"data": rows})

    return script


def test_vectors_of_another_length_are_refused(opened, tmp_path):
    with Stub(of_length(lambda number: 8 - number)) as stub:
        store = CallStore(tmp_path / "calls.sqlite")
        embedder = opened(at(stub), store)
        embedder.embed(["a"])
        with pytest.raises(CannotContinueError, match="gives vectors of 7 and 8 numbers"):
            embedder.embed(["b"])
        store.close()
        with pytest.raises(CannotContinueError, match="numbers, which cannot be compared"):
            opened(at(stub), CallStore(tmp_path / "calls.sqlite")).embed(["a", "b", "c"])


def test_parts_of_a_text_with_vectors_of_another_length_are_refused(opened, monkeypatch):
    monkeypatch.setattr(embedders, "BATCH", 1)
    with Stub(of_length(lambda number: 8 - number % 2)) as stub:
        embedder = opened(at(stub, context_tokens=256))
        with pytest.raises(CannotContinueError, match="gives vectors of 7 and 8 numbers"):
            embedder.embed(["word " * 400])


@pytest.mark.parametrize("size", [1e20, 1e-20, 1e-300])
def test_vectors_of_any_size_are_scaled(opened, size):
    rows = [{"embedding": [size, -size]}]
    with Stub(lambda path, body, number: Answer(200, {"data": rows}) if path == "/embeddings" else None) as stub:
        made = opened(at(stub)).embed(["a"])
    np.testing.assert_allclose(made, [[0.5**0.5, -(0.5**0.5)]], rtol=1e-6)


def test_vectors_of_zeros_are_refused(opened):
    rows = [{"embedding": [0.0, 0.0]}]
    script = lambda path, body, number: Answer(200, {"data": rows}) if path == "/embeddings" else None  # noqa: E731
    with Stub(script) as stub, pytest.raises(CannotContinueError, match="the server gives vectors of zeros"):
        opened(at(stub)).embed(["a"])
