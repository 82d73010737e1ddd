"""An embedder of sentence-transformers, really loaded: a tiny one with random weights, made here."""

from __future__ import annotations

import pytest

from designsearch import Memory
from designsearch.runtime.models.settings import ModelSettings
from designsearch.runtime.models.team import Team

pytest.importorskip("sentence_transformers", reason="needs pip install 'designsearch[st]'")

DESIGN = "version: 1\nstorage: {units: {op: records}}\nretrieval: [{op: dense, k: 2}]\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    from sentence_transformers import SentenceTransformer, models
    from transformers import BertConfig, BertModel, BertTokenizerFast

    made = tmp_path_factory.mktemp("encoders")
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters)]
    made.joinpath("vocab.txt").write_text("\n".join(words))
    BertTokenizerFast(str(made / "vocab.txt")).save_pretrained(str(made / "bert"))
    shape = BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    BertModel(shape).save_pretrained(str(made / "bert"))
    words = models.Transformer(str(made / "bert"), max_seq_length=64)
    SentenceTransformer(modules=[words, models.Pooling(32)]).save(str(made / "tiny"))
    return made


def test_a_folder_beside_the_file_gives_unit_vectors(folder):
    settings = ModelSettings(model="sentence-transformers/./tiny").beside(folder)
    team = Team.open({"embedder": settings})
    made = team.embedder().embed(["bees", "", "long " * 200])
    assert made.shape == (3, 32)
    assert (made**2).sum(axis=1).round(4).tolist() == [1, 0, 1]
    assert str(folder) not in team.fingerprints["embedder"]
    team.close()


def test_a_memory_searches_by_it(folder):
    models = {"embedder": {"model": f"sentence-transformers/{folder / 'tiny'}"}}
    memory = Memory.open(DESIGN, [{"text": "bees"}, {"text": "a kayak"}], models=models)
    assert memory.search("bees")[0].text == "bees"
