import json
import os
from pathlib import Path

import numpy as np
import pytest

from designsearch.dsl.problems import UserError
from designsearch.search.training.reward_model.categorical_reward import CategoricalReward
from designsearch.search.training.reward_model.reward_file import load_reward, reward_text
from designsearch.search.training.reward_model.step_features import feature_names

GOLDEN = Path(__file__).parents[3] / "golden" / "search" / "reward_file.txt"


def test_a_model_comes_back_as_it_was_written(tmp_path):
    model, path = CategoricalReward.untrained(3), tmp_path / "reward.json"
    path.write_text(reward_text(model), encoding="utf-8")
    found = load_reward(path)
    steps = [(kind, np.linspace(-1, 1, len(feature_names(kind)))) for kind in model.heads]
    for (kind, score), (other, again) in zip(model.scores(steps), found.scores(steps), strict=True):
        assert kind == other
        assert again == pytest.approx(score, abs=1e-3)
    assert reward_text(found) == path.read_text(encoding="utf-8")


def test_the_file_can_be_read_by_people():
    text = reward_text(CategoricalReward.untrained(3))
    read = json.loads(text)
    assert read["format"] == "designsearch reward model 1"
    assert read["heads"]["stop"]["features"][4] == "covered"
    assert max(map(len, text.split("\n"))) < 420
    assert len(text) < 40_000


def broken(**changes):
    """The JSON of a model with changes along dotted paths."""
    read = json.loads(reward_text(CategoricalReward.untrained(3)))
    for path, value in changes.items():
        *where, last = path.split("__")
        place = read
        for key in where:
            place = place[key]
        place[last] = value
    return json.dumps(read)


CASES = {
    "not JSON": "weights: 3",
    "a key twice": reward_text(CategoricalReward.untrained(3)).replace('"bins":', '"bins": [], "bins":'),
    "another file": '{"weights": []}',
    "a list": "[1, 2]",
    "other bins": broken(bins=[[1, 100]]),
    "no heads": broken(heads=None),
    "other features": broken(heads__add__features=["progress"]),
    "a head is missing": broken(heads__stop=None),
    "too few figures": broken(heads__search__mean=[0.0]),
    "words for figures": broken(heads__skip__weights="none"),
    "not finite": broken(heads__search__scale=[float("nan")] * len(feature_names("search"))),
    "not above 0": broken(heads__search__scale=[0.0] * len(feature_names("search"))),
}


def test_what_is_wrong_with_a_file_is_said(tmp_path):
    told = []
    for name, text in CASES.items():
        path = tmp_path / "reward.json"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(UserError) as error:
            load_reward(path)
        told.append(f"{name}\n  {str(error.value).replace(str(tmp_path), 'FOLDER')}\n")
    with pytest.raises(UserError) as error:
        load_reward(tmp_path / "none.json")
    told.append(f"no file\n  {str(error.value).replace(str(tmp_path), 'FOLDER')}\n")
    text = "".join(told)
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")
