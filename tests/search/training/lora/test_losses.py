"""The losses in torch are those in numpy, with their gradients."""

import numpy as np
import pytest

from designsearch.search.training.objectives.dpo import dpo
from designsearch.search.training.objectives.pa_dapo import Group, Segment, pa_dapo
from designsearch.search.training.objectives.sft import sft

torch = pytest.importorskip("torch", reason="needs the extra designsearch[train]")
losses = pytest.importorskip("designsearch.search.training.lora.losses")


def drawn(seed, questions=3):
    """Groups of episodes with observations among their segments."""
    chance = np.random.default_rng(seed)
    made = []
    for _ in range(questions):
        episodes = [
            [
                Segment(
                    -chance.exponential(size=(size := int(chance.integers(1, 6)))),
                    -chance.exponential(size=size),
                    generated=bool(turn % 2),
                )
                for turn in range(int(chance.integers(2, 6)))
            ]
            for _ in range(int(chance.integers(2, 5)))
        ]
        made.append(Group.of(chance.permutation(len(episodes)) / 7, episodes))
    return made


def in_torch(groups):
    return [
        losses.TokenGroup(
            group.rewards.tolist(),
            torch.tensor(group.owners),
            torch.tensor(group.new, requires_grad=True),
            torch.tensor(group.old),
            torch.tensor(group.generated),
        )
        for group in groups
    ]


@pytest.mark.parametrize("seed", range(8))
def test_pa_dapo(seed):
    groups = drawn(seed)
    there = in_torch(groups)
    loss = losses.pa_dapo_loss(there, 0.2, 0.28)
    loss.backward()
    oracle = pa_dapo(groups, 0.2, 0.28)
    assert float(loss.detach()) == pytest.approx(oracle.loss, abs=1e-12)
    assert oracle.clipped > 0, "a case without a clipped token would not show a wrong bound"
    for mine, theirs in zip(there, oracle.gradient, strict=True):
        np.testing.assert_allclose(mine.new.grad.numpy(), theirs, rtol=0, atol=1e-12)


def test_pa_dapo_of_the_reference_values(vectors):
    case = vectors["pa_dapo"]
    episodes = [[Segment(step["new"], step["old"]) for step in episode["steps"]] for episode in case["group"]]
    group = Group.of([episode["R"] for episode in case["group"]], episodes)
    loss = losses.pa_dapo_loss(in_torch([group]), case["eps_low"], case["eps_high"])
    assert float(loss.detach()) == pytest.approx(case["loss_to_minimise"], abs=1e-9)


def test_observations_have_no_gradient_whatever_stands_in_their_place():
    group = Group.of(
        [0.0, 1.0], [[Segment([np.nan, -1.0], [0.0, np.nan], generated=False), Segment([-1.0], [-1.1])]] * 2
    )
    (there,) = in_torch([group])
    losses.pa_dapo_loss([there]).backward()
    gradient = there.new.grad.numpy()
    assert gradient[~group.generated].tolist() == [0.0] * 4
    np.testing.assert_allclose(gradient, pa_dapo([group]).gradient[0], rtol=0, atol=1e-12)


def test_a_ratio_that_stands_on_a_bound_has_the_gradient_of_the_oracle():
    new = np.log([1.28, 0.8, 1.28, 0.8])
    group = Group.of([0.0, 1.0], [[Segment(new, np.zeros(4))]] * 2)
    (there,) = in_torch([group])
    losses.pa_dapo_loss([there], 0.2, 0.28).backward()
    np.testing.assert_allclose(there.new.grad.numpy(), pa_dapo([group], 0.2, 0.28).gradient[0], rtol=0, atol=1e-12)


def test_sft():
    chance = np.random.default_rng(0)
    examples = [-chance.exponential(size=size) for size in (3, 1, 7)]
    there = [torch.tensor(example, requires_grad=True) for example in examples]
    loss = losses.sft_loss(there)
    loss.backward()
    oracle = sft(examples)
    assert float(loss.detach()) == pytest.approx(oracle.loss, abs=1e-12)
    for mine, theirs in zip(there, oracle.gradient, strict=True):
        np.testing.assert_allclose(mine.grad.numpy(), theirs, rtol=0, atol=1e-15)


def test_dpo():
    chance = np.random.default_rng(1)
    sides = [-10 * chance.exponential(size=5) for _ in range(4)]
    there = [torch.tensor(side, requires_grad=i < 2) for i, side in enumerate(sides)]
    loss = losses.dpo_loss(*there, 0.1)
    loss.backward()
    oracle = dpo(*sides, 0.1)
    assert float(loss.detach()) == pytest.approx(oracle.loss, abs=1e-12)
    np.testing.assert_allclose(there[0].grad.numpy(), oracle.chosen, rtol=0, atol=1e-12)
    np.testing.assert_allclose(there[1].grad.numpy(), oracle.rejected, rtol=0, atol=1e-12)


def test_what_has_no_loss():
    with pytest.raises(ValueError, match="no group of episodes"):
        losses.pa_dapo_loss([])
    with pytest.raises(ValueError, match="without a token that the policy generated"):
        losses.pa_dapo_loss(in_torch([Group.of([0.0, 1.0], [[Segment([-1.0], [-1.0], generated=False)]] * 2)]))
    with pytest.raises(ValueError, match="have no advantages"):
        losses.pa_dapo_loss(in_torch([Group.of([1.0, 1.0], [[Segment([-1.0], [-1.0])]] * 2)]))
    with pytest.raises(ValueError, match="without a target token"):
        losses.sft_loss([torch.zeros(0)])
