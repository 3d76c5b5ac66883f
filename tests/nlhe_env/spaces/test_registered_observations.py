"""Observations by name."""

import numpy as np
import pytest

import nlhe_env
from nlhe_env.kernels import kernel
from nlhe_env.spaces import observations
from nlhe_env.spaces.observations import find_observation, observation_names


@kernel
def write_button(table, players, seat, strength_tables, out):
    out[0] = table.button == seat


def test_built_in_observations_are_registered_like_others():
    features = ("features", "features_scaled", "features_opponents", "features_unit")
    built_in = ("cards", *features)
    assert observation_names()[:5] == built_in
    assert observation_names(of_fixed_size=True)[:4] == features
    for name in built_in:
        observation = find_observation(name)
        env = nlhe_env.raw_env(5, observation=name)
        lowest, highest = observation.bounds(env.game, 5)
        assert len(lowest) == len(highest) == observation.size_in(env.game, 5) == env.parts[-1].stop
        starts = [part.start for part in env.parts]
        assert starts == [0, *(part.stop for part in env.parts[:-1])]


def test_a_name_belongs_to_one_module():
    with pytest.raises(ValueError, match="an observation 'cards' already exists, in nlhe_env"):
        nlhe_env.register_observation("cards", write_button, [("button", 1, 1, "has it")])
    with pytest.raises(ValueError, match="needs at least one part"):
        nlhe_env.register_observation("button", write_button, [])
    assert "button" not in observation_names()


def test_kernels_of_another_signature_are_refused(monkeypatch):
    # Other tests read how many observations there are.
    monkeypatch.setattr(observations, "_observations", dict(observations._observations))

    @kernel
    def write_nothing(table, out):
        out[0] = np.float32(table.street)

    nlhe_env.register_observation("wrong", write_nothing, [("street", 1, 3, "its number")])
    env = nlhe_env.raw_env(2, observation="wrong")
    env.reset(seed=1)
    with pytest.raises(TypeError, match="an observation takes"):
        env.last()


def test_wrappers_support_any_observation():
    env = nlhe_env.FeaturesWrapper(nlhe_env.env(3), inputs="cards")
    plain = nlhe_env.env(3)
    for each in (env, plain):
        each.reset(seed=3)
    np.testing.assert_array_equal(env.last()[0]["observation"], plain.last()[0]["observation"])


@pytest.mark.parametrize("name", ["cards", "features_scaled"])
def test_wrappers_show_eliminated_agents_their_last_observation(name):
    """By then another player may sit in their seat, whose cards they must not see."""
    last_looks = 0
    for seed in range(10):
        wrapped = nlhe_env.FeaturesWrapper(nlhe_env.raw_env(9, table_size=3), inputs=name)
        plain = nlhe_env.raw_env(9, table_size=3, observation=name)
        for each in (wrapped, plain):
            each.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while plain.agents:
            seen, _, terminated, truncated, _ = plain.last()
            shown = wrapped.last()[0]
            np.testing.assert_array_equal(shown["observation"], seen["observation"])
            legal = np.flatnonzero(seen["action_mask"])
            action = None if terminated or truncated else int(rng.choice([*legal, legal[-1]]))
            last_looks += action is None
            for each in (wrapped, plain):
                each.step(action)
    assert last_looks == 90


@pytest.mark.parametrize("part", [("x", 1), ("x", 0, 1.0, "nothing")])
def test_parts_have_a_size_and_a_meaning(part):
    with pytest.raises(ValueError, match=r"a part must be \(name, size, maximum, meaning\)"):
        nlhe_env.register_observation("test_parts", lambda *_: None, [part])
