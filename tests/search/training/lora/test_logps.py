import pytest


def test_several_together_are_what_each_is_alone(tiny):
    import torch

    from designsearch.search.training.lora.logps import frozen_logps, token_logps

    model, given = tiny.model(), tiny.utterances(7)
    together = token_logps(model, given)
    parcels = frozen_logps(model, given, 12)
    for one, mine, other in zip(given, together, parcels, strict=True):
        assert mine.shape == (len(one.said),)
        torch.testing.assert_close(mine, token_logps(model, [one])[0], rtol=0, atol=1e-12)
        torch.testing.assert_close(mine.detach(), other, rtol=0, atol=1e-12)
        assert mine.requires_grad
        assert not other.requires_grad


def test_they_are_the_softmax_of_the_whole_sequence(tiny):
    import torch

    from designsearch.search.training.lora.logps import token_logps

    model, (one,) = tiny.model(), tiny.utterances(1, seed=3)
    ids = torch.tensor([one.prompt + one.said])
    logits = model(input_ids=ids).logits[0]
    for temperature in (1.0, 0.6):
        whole = torch.log_softmax(logits / temperature, -1)
        wanted = [float(whole[len(one.prompt) + i - 1, token].detach()) for i, token in enumerate(one.said)]
        assert token_logps(model, [one], temperature)[0].tolist() == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("temperature", [1.0, 0.7])
def test_sampled_tokens_have_the_probability_that_they_are_trained_with(tiny, temperature):
    from designsearch.search.training.lora.logps import token_logps
    from designsearch.search.training.lora.sampling import Sampler

    model, ends = tiny.model(), tiny.chat().ends
    prompts = [one.prompt for one in tiny.utterances(9, seed=2)]
    limits = [6, 6, 6, 3, 1, 0, 9, 9, 9]
    said = Sampler(model, ends, seed=4, at_once=4).sampled(prompts, limits, temperature)
    assert [one.prompt for one in said] == prompts
    assert said[5].said == ()
    for one, limit in zip(said, limits, strict=True):
        assert len(one.said) == len(one.logps) <= limit
        assert one.ended == (one.said[-1:] == tuple(ends))
        assert not ends & set(one.said[:-1]), "nothing follows the end"
        assert one.ended or len(one.said) == limit
    spoken = [one for one in said if one.said]
    for one, logps in zip(spoken, token_logps(model, spoken, temperature), strict=True):
        assert list(one.logps) == pytest.approx(logps.tolist(), abs=1e-9)
    again = Sampler(model, ends, seed=4, at_once=4).sampled(prompts, limits, temperature)
    assert again == said
    assert Sampler(model, ends, seed=5, at_once=4).sampled(prompts, limits, temperature) != said


def test_without_temperature_the_likeliest_token_is_taken(tiny):
    import torch

    from designsearch.search.training.lora.sampling import Sampler

    model = tiny.model()
    prompt = tiny.utterances(1, seed=5)[0].prompt
    (one,) = Sampler(model, tiny.chat().ends).sampled([prompt], [3], 0.0)
    first = model(input_ids=torch.tensor([prompt])).logits[0, -1]
    assert one.said[0] == int(first.argmax())
