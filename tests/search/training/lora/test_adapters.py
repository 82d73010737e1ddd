import pytest

from designsearch.dsl.problems import UserError


def test_fresh_adapters_change_nothing_and_alone_learn(tiny):
    import torch

    from designsearch.search.training.lora.logps import token_logps

    said = tiny.utterances(3)
    model = tiny.model(moved=0.0)
    for one, other in zip(token_logps(model, said), token_logps(tiny.base(), said), strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=1e-12)
    names = [name for name, weights in model.named_parameters() if weights.requires_grad]
    assert names
    assert all("lora_" in name for name in names)
    assert not any("lm_head" in name for name in names)
    layers = {name.split(".")[-4] for name in names}
    assert layers == {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"}


def test_what_was_saved_says_the_same_and_goes_on_the_same(tiny, tmp_path):
    import torch

    from designsearch.search.training.lora.adapters import learning, load, save
    from designsearch.search.training.lora.logps import frozen_logps
    from designsearch.search.training.lora.reward_stages import gather_sft

    def step(model, optimiser, batch):
        optimiser.zero_grad()
        gather_sft(model, batch, 4000)
        optimiser.step()

    first, second = tiny.utterances(3, 1), tiny.utterances(3, 2)
    model = tiny.model()
    optimiser = torch.optim.AdamW(learning(model), 0.01)
    step(model, optimiser, first)
    save(model, tmp_path / "c", {"update": 7}, optimiser)
    other = tiny.model(0, moved=0.0)
    again = torch.optim.AdamW(learning(other), 0.01)
    assert load(other, tmp_path / "c", again) == {"update": 7}
    for one, two in zip(frozen_logps(model, first, 99), frozen_logps(other, first, 99), strict=True):
        assert torch.equal(one, two)
    step(model, optimiser, second)
    step(other, again, second)
    for one, two in zip(frozen_logps(model, first, 99), frozen_logps(other, first, 99), strict=True):
        torch.testing.assert_close(one, two, rtol=0, atol=1e-12)


def test_computing_again_gives_the_same_gradients(tiny):
    from designsearch.search.training.lora.adapters import checkpointed
    from designsearch.search.training.lora.reward_stages import gather_sft

    model, said = tiny.model().train(), tiny.utterances(3)
    gather_sft(model, said, 4000)
    wanted = tiny.gradients(model)
    model.zero_grad()
    layers = []
    hook = model.get_base_model().model.layers[0].mlp.register_forward_pre_hook(lambda *_: layers.append(1))
    gather_sft(checkpointed(model), said, 4000)
    hook.remove()
    tiny.assert_same(tiny.gradients(model), wanted)
    assert len(layers) == 2, "forward, and again on the way back"


def test_peft_reads_a_checkpoint(tiny, tmp_path):
    import peft
    import torch

    from designsearch.search.training.lora.adapters import save
    from designsearch.search.training.lora.logps import frozen_logps

    model, said = tiny.model(), tiny.utterances(2)
    save(model, tmp_path, {})
    read = peft.PeftModel.from_pretrained(tiny.base(), str(tmp_path)).to(torch.float64)
    for one, other in zip(frozen_logps(model, said, 99), frozen_logps(read, said, 99), strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=1e-12)


def test_what_is_no_checkpoint_for_a_model(tiny, tmp_path):
    from designsearch.search.training.lora.adapters import adapted, load, load_base, save
    from designsearch.search.training.lora.config import LoraShape

    model = tiny.model()
    with pytest.raises(UserError, match="holds no checkpoint that can be read"):
        load(model, tmp_path / "none")
    save(tiny.model(rank=2), tmp_path / "two", {})
    with pytest.raises(UserError, match="do not fit this model and lora"):
        load(model, tmp_path / "two")
    (tmp_path / "two" / "training.json").write_text('{"format": "other"}')
    with pytest.raises(UserError, match="its format is not 'designsearch lora 1'"):
        load(model, tmp_path / "two")
    with pytest.raises(UserError, match=r"lora\.layers: "):
        adapted(tiny.base(), LoraShape(layers=["no_such_layer"]))
    with pytest.raises(UserError, match=r"the model .*none cannot be loaded: "):
        load_base(str(tmp_path / "none"), "float32", "cpu")
