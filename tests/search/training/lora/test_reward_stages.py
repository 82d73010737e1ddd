import math

import pytest

from designsearch.search.training.objectives.dpo import dpo
from designsearch.search.training.objectives.sft import sft


def test_the_gradient_of_sft_is_the_oracles_through_the_model(tiny):
    import torch

    from designsearch.search.training.lora.logps import token_logps
    from designsearch.search.training.lora.reward_stages import gather_sft

    model, batch = tiny.model(), tiny.utterances(5)
    logps = [token_logps(model, [one])[0] for one in batch]
    oracle = sft([own.detach().numpy() for own in logps])
    for own, gradient in zip(logps, oracle.gradient, strict=True):
        (own * torch.tensor(gradient)).sum().backward()
    wanted = tiny.gradients(model)
    for most in (8, 4000):
        model.zero_grad()
        assert gather_sft(model, batch, most) == pytest.approx(oracle.loss, abs=1e-9)
        tiny.assert_same(tiny.gradients(model), wanted)


def pairs(tiny, count=4):
    from designsearch.search.training.lora.reward_stages import Preferred
    from designsearch.search.training.lora.utterances import Utterance

    said = tiny.utterances(2 * count, seed=9)
    return [Preferred(one, Utterance(one.prompt, other.said)) for one, other in zip(said[::2], said[1::2], strict=True)]


def test_the_gradient_of_dpo_is_the_oracles_through_the_model(tiny):
    import torch

    from designsearch.search.training.lora.logps import frozen_logps, token_logps
    from designsearch.search.training.lora.reward_stages import gather_dpo

    model, reference, batch = tiny.model(1), tiny.model(2), pairs(tiny)
    sides = [[pair.chosen for pair in batch], [pair.rejected for pair in batch]]
    frozen = [torch.stack([own.sum() for own in frozen_logps(reference, side, 4000)]) for side in sides]
    sums = [torch.stack([token_logps(model, [one])[0].sum() for one in side]) for side in sides]
    oracle = dpo(*(own.detach().numpy() for own in sums), *(own.numpy() for own in frozen), 0.3)
    (sums[0] * torch.tensor(oracle.chosen) + sums[1] * torch.tensor(oracle.rejected)).sum().backward()
    wanted = tiny.gradients(model)
    for most in (8, 4000):
        model.zero_grad()
        assert gather_dpo(model, batch, *frozen, 0.3, most) == pytest.approx(oracle.loss, abs=1e-9)
        tiny.assert_same(tiny.gradients(model), wanted)


def test_both_stages_learn(tiny):
    import torch

    from designsearch.search.training.lora.config import DpoShape, SftShape
    from designsearch.search.training.lora.logps import frozen_logps
    from designsearch.search.training.lora.reward_stages import train_dpo, train_sft

    model, given = tiny.model(moved=0.0, dropout=0.05), pairs(tiny)
    learnt = train_sft(model, [pair.rejected for pair in given], SftShape(epochs=15, rate=0.02, batch=4), 4000)
    assert len(learnt) == 15
    assert learnt[-1] < learnt[0] - 0.2

    def margin():
        sides = [frozen_logps(model, [getattr(pair, side) for pair in given], 4000) for side in ("chosen", "rejected")]
        return sum(float(one.sum() - other.sum()) for one, other in zip(*sides, strict=True))

    before = margin()
    aligned = train_dpo(model, given, DpoShape(epochs=4, rate=0.003, batch=4), 4000)
    assert aligned[0] == pytest.approx(math.log(2), abs=1e-9), "the model is its own reference, without dropout"
    assert aligned[-1] < aligned[0]
    assert margin() > before
    assert {layer.p for layer in model.modules() if isinstance(layer, torch.nn.Dropout)} == {0.05}
    assert train_dpo(model, [], DpoShape(), 4000) == []
