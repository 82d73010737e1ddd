import sys
from dataclasses import replace
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from runtime_fakes import ask, call, design_of, history_of, memory_of, ranked

from designsearch.dsl.problems import UserError
from designsearch.runtime.memory import Memory
from designsearch.runtime.services import Services

TEXTS = ["tea", "a red kayak", "my kayak and my tent"]
QUESTION = "kayak tent"


class FakeEncoder:
    """Logit: words that a pair shares, less 1."""

    loaded: list = []  # noqa: RUF012

    def __init__(self, name, **options):
        if name == "org/missing":
            raise OSError("org/missing is not a local folder\nand more")
        FakeEncoder.loaded.append((name, options))
        self.width = 3 if name == "org/classifier" else 1

    def predict(self, pairs, *, batch_size, show_progress_bar, activation_fn):
        assert not show_progress_bar
        logits = np.array([len(set(a.split()) & set(b.split())) - 1.0 for a, b in pairs], np.float32)
        scores = activation_fn(logits)
        return scores if self.width == 1 else np.stack([scores] * self.width, axis=1)


@pytest.fixture
def library(monkeypatch):
    """Both packages, as far as they are used."""
    FakeEncoder.loaded = []
    torch, encoders = ModuleType("torch"), ModuleType("sentence_transformers")
    torch.nn = SimpleNamespace(Sigmoid=lambda: lambda x: 1 / (1 + np.exp(-x)))
    encoders.CrossEncoder = FakeEncoder
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "sentence_transformers", encoders)
    return FakeEncoder


def reranked(model, m=None, rankings=None, **params):
    m = m or memory_of(TEXTS)
    rankings = rankings or ranked([0, 1, 2])
    return call(
        "cascade", "rerank", rankings, ask(*[QUESTION] * len(rankings)), m, by="cross_encoder", model=model, **params
    )


def test_scores_are_the_sigmoid_of_the_logit(library):
    made = reranked("org/name")
    assert made.ids.tolist() == [2, 1, 0]
    assert made.scores == pytest.approx([1 / (1 + np.exp(-1)), 0.5, 1 / (1 + np.exp(1))], abs=1e-6)
    assert library.loaded == [("org/name", {})]


def test_the_model_is_loaded_once_for_a_study(library):
    m = memory_of(TEXTS)
    reranked("org/name", m)
    reranked("org/name", m, ranked([1], [0]))
    assert len(library.loaded) == 1


def test_only_the_first_k_are_read(library):
    assert reranked("org/name", k=2).ids.tolist() == [1, 0, 2]


def test_nothing_to_read_loads_nothing(library):
    assert reranked("org/name", rankings=ranked([])).ids.tolist() == []
    assert library.loaded == []


def test_a_folder_is_seen_from_the_design_and_read_from_this_machine_alone(library, tmp_path):
    folder = tmp_path / "encoder"
    folder.mkdir()
    (folder / "config.json").write_text("{}", encoding="utf-8")
    design = replace(design_of("storage: {units: {op: records}}"), base_dir=tmp_path)
    reranked("./encoder", Memory(design, history_of(TEXTS), Services()))
    assert library.loaded == [(str(folder.resolve()), {"local_files_only": True})]


def test_a_folder_that_is_not_there(library):
    with pytest.raises(UserError, match=r"there is no folder .*nowhere with a cross-encoder \(model: ./nowhere\)"):
        reranked("./nowhere")


def test_a_folder_without_a_model(library, tmp_path):
    design = replace(design_of("storage: {units: {op: records}}"), base_dir=tmp_path.parent)
    with pytest.raises(UserError, match=r"the folder .* holds no cross-encoder: it has no config.json \(model: \./"):
        reranked(f"./{tmp_path.name}", Memory(design, history_of(TEXTS), Services()))
    assert library.loaded == []


def test_a_model_that_cannot_be_loaded(library):
    with pytest.raises(
        UserError, match=r"cannot load the cross-encoder org/missing: org/missing is not a local folder$"
    ):
        reranked("org/missing")


def test_a_model_that_is_no_reranker(library):
    with pytest.raises(UserError, match="org/classifier gives 3 numbers a pair; a reranker gives one"):
        reranked("org/classifier")


def test_without_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(UserError, match=r"pip install 'designsearch\[st\]'"):
        reranked("org/name")


def test_a_real_cross_encoder_from_a_folder(tmp_path):
    """A tiny BERT with random weights: its scores are those of its own logits, whatever activation it would use."""
    encoders = pytest.importorskip("sentence_transformers", reason="needs the extra designsearch[st]")
    transformers = pytest.importorskip("transformers", reason="needs the extra designsearch[st]")
    torch = pytest.importorskip("torch", reason="needs the extra designsearch[st]")
    torch.manual_seed(0)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "red", "kayak", "my", "and", "tent", "tea"]
    (tmp_path / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    transformers.BertTokenizerFast(vocab_file=str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        num_labels=1,
    )
    transformers.BertForSequenceClassification(config).save_pretrained(tmp_path)
    made = reranked(str(tmp_path))
    encoder = encoders.CrossEncoder(str(tmp_path), local_files_only=True)
    logits = encoder.predict([(QUESTION, TEXTS[unit]) for unit in made.ids], activation_fn=torch.nn.Identity())
    assert made.scores == pytest.approx(1 / (1 + np.exp(-np.asarray(logits, np.float64))), abs=1e-6)
    assert (np.diff(made.scores) <= 0).all()
