from dataclasses import replace

import numpy as np
import pytest

from designsearch.search.training.objectives.pa_dapo import Group, Segment, pa_dapo


def groups(tiny, actor, rewards=((0.1, 0.9, 0.4), (0.5, 0.2)), forced=False):
    """Episodes of a few replies of random tokens, with the log-probabilities of the policy that acted."""
    from designsearch.search.training.lora.logps import frozen_logps
    from designsearch.search.training.lora.utterances import Played, Turn

    made, seed = [], 0
    for of in rewards:
        group = []
        for reward in of:
            seed += 1
            said = tiny.utterances(3, seed)
            logps = frozen_logps(actor, said, 64)
            turns = [Turn(replace(one, logps=tuple(own.tolist()))) for one, own in zip(said, logps, strict=True)]
            if forced:
                turns[-1] = replace(turns[-1], generated=False)
            group.append(Played(reward, tuple(turns)))
        made.append(group)
    return made


def in_numpy(model, made):
    """The same groups for the oracle, and the log-probabilities that a gradient goes through, group by group."""
    from designsearch.search.training.lora.logps import token_logps

    found, news = [], []
    for group in made:
        own = [[token_logps(model, [turn.utterance])[0] for turn in one.turns] for one in group]
        episodes = [
            [
                Segment(new.detach().numpy(), turn.utterance.logps, turn.generated)
                for new, turn in zip(part, one.turns, strict=True)
            ]
            for part, one in zip(own, group, strict=True)
        ]
        found.append(Group.of([one.reward for one in group], episodes))
        news.append([new for part in own for new in part])
    return found, news


@pytest.mark.parametrize("forced", [False, True])
def test_the_gradient_is_the_oracles_through_the_model(tiny, forced):
    import torch

    from designsearch.search.training.lora.config import UpdateShape
    from designsearch.search.training.lora.policy_update import gather, weighted

    actor, model = tiny.model(1), tiny.model(1, moved=0.7)
    made = groups(tiny, actor, forced=forced)
    oracle_groups, news = in_numpy(model, made)
    oracle = pa_dapo(oracle_groups)
    assert oracle.clipped > 0
    for own, gradient in zip(news, oracle.gradient, strict=True):
        (torch.cat(own) * torch.tensor(gradient)).sum().backward()
    wanted = tiny.gradients(model)
    for most in (8, 40, 4000):
        model.zero_grad()
        found = gather(model, weighted(made), UpdateShape(tokens_at_once=most))
        tiny.assert_same(tiny.gradients(model), wanted)
        assert found.loss == pytest.approx(oracle.loss, abs=1e-9)
        assert (found.tokens, round(found.clipped * found.tokens)) == (oracle.tokens, oracle.clipped)
        drift = np.concatenate([(group.old - group.new)[group.generated] for group in oracle_groups]).mean()
        assert found.drift == pytest.approx(drift, abs=1e-9)


def test_the_loss_falls_and_good_episodes_become_likelier(tiny):
    import torch

    from designsearch.search.training.lora.adapters import learning
    from designsearch.search.training.lora.config import UpdateShape
    from designsearch.search.training.lora.logps import frozen_logps
    from designsearch.search.training.lora.policy_update import update

    model = tiny.model(2)
    made = groups(tiny, model, rewards=((0.0, 1.0),))
    optimiser = torch.optim.AdamW(learning(model), 3e-3, weight_decay=0.0)
    how = UpdateShape(rate=3e-3)

    def likelihood(played):
        return sum(float(own.sum()) for own in frozen_logps(model, [turn.utterance for turn in played.turns], 64))

    before = [likelihood(one) for one in made[0]]
    seen = [update(model, optimiser, made, how) for _ in range(6)]
    # advantages have mean 0 over episodes, not over tokens, so the loss does not start at 0
    assert seen[0].drift == pytest.approx(0, abs=1e-12)
    assert seen[0].clipped == 0
    assert seen[0].gradient > 0
    assert seen[-1].loss < seen[0].loss - 0.01
    after = [likelihood(one) for one in made[0]]
    assert after[0] < before[0]
    assert after[1] > before[1]


def test_what_does_not_vary_teaches_nothing(tiny):
    import torch

    from designsearch.search.training.lora.adapters import learning
    from designsearch.search.training.lora.config import UpdateShape
    from designsearch.search.training.lora.policy_update import Update, update, weighted

    model = tiny.model(3)
    made = groups(tiny, model, rewards=((0.5, 0.5), (0.2, 0.8)))
    assert weighted(made) == weighted(made[1:])
    before = {name: weights.clone() for name, weights in model.named_parameters()}
    optimiser = torch.optim.AdamW(learning(model), 1.0)
    assert update(model, optimiser, made[:1], UpdateShape()) == Update()
    assert all(torch.equal(before[name], weights) for name, weights in model.named_parameters())
    assert update(model, optimiser, made, UpdateShape()).groups == 1
    frozen = [name for name, weights in model.named_parameters() if not weights.requires_grad]
    assert all(torch.equal(before[name], dict(model.named_parameters())[name]) for name in frozen)
