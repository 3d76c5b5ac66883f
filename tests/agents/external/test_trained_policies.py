"""Policies of other libraries as players."""

import pickle

import gymnasium
import numpy as np
import pytest

import agents
import nlhe_env

GAME = nlhe_env.Game.cash(num_hands=5, score="big_blinds")


def scores(player, seed=1):
    return agents.play([player, "pot-odds"], agents.Blocks(5), GAME, seed=seed).scores.tolist()


class Model:
    """What is used of a model of Stable-Baselines3."""

    def __init__(self, size):
        self.observation_space = gymnasium.spaces.Box(-1.0, 1.0, (size,), np.float32)
        self.seen = []

    def predict(self, observation, deterministic=False):
        self.seen.append((observation.copy(), deterministic))
        return np.int64(1), None


class MaskedModel(Model):
    """A model that takes masks, and chooses the highest legal id."""

    def predict(self, observation, deterministic=False, action_masks=None):
        return np.int64(np.flatnonzero(action_masks)[-1]), None


def test_functions_models_and_modules_that_call_play_as_the_caller():
    expected = scores("caller")
    assert scores(agents.from_policy(lambda observation, mask: 1)) == expected
    model = Model(35)
    assert scores(agents.from_sb3(model, deterministic=True)) == expected
    observation, deterministic = model.seen[0]
    assert observation.shape == (35,)
    assert observation.dtype == np.float32
    assert deterministic


def test_masks_reach_the_models_that_know_them():
    def highest(observation, mask):
        return int(np.flatnonzero(mask)[-1])

    player = agents.from_sb3(MaskedModel(35))
    assert scores(player) == scores(agents.from_policy(highest)) != scores("caller")


def test_a_player_has_the_spaces_it_names():
    seen = []

    def policy(observation, mask):
        seen.append((len(observation), len(mask)))
        return 1

    scores(agents.from_policy(policy, observation="features_core", actions=(0.25, 0.5, 1.0)))
    size = nlhe_env.env(2, observation="features_core").unwrapped.observation.size
    assert set(seen) == {(size, 6)}


class RecurrentModel(Model):
    """A recurrent model: its state is the number of decisions since the start of an episode."""

    def predict(self, observation, state=None, episode_start=None, deterministic=False):
        before = 0 if state is None or episode_start[0] else state
        self.seen.append((state, bool(episode_start[0])))
        return np.array([1]), before + 1


def test_a_model_trained_with_other_actions_is_refused():
    model = Model(35)
    model.action_space = gymnasium.spaces.Discrete(4)
    assert scores(agents.from_sb3(model, actions=(1.0,))) == scores("caller")
    with pytest.raises(ValueError, match=r"4 actions; actions=\(0.5, 1.0\) has 5"):
        agents.from_sb3(model)
    other = Model(35)
    other.observation_space = gymnasium.spaces.Dict({"obs": model.observation_space})
    with pytest.raises(ValueError, match='"observation" and "action_mask"; got \'obs\''):
        agents.from_sb3(other)


def test_players_of_models_can_be_copied():
    player = pickle.loads(pickle.dumps(agents.from_sb3(Model(35))))
    assert scores(player) == scores("caller")


def test_the_state_of_a_recurrent_model_lasts_for_a_session_or_a_hand():
    model = RecurrentModel(35)
    assert scores(agents.from_sb3(model)) == scores("caller")
    starts = [number for number, (_, begins) in enumerate(model.seen) if begins]
    assert len(starts) == 10  # five blocks of two sessions
    states = [state for state, _ in model.seen]
    for first, last in zip(starts, [*starts[1:], len(states)], strict=True):
        assert states[first:last] == [None, *range(1, last - first)]
    by_hand = RecurrentModel(35)
    scores(agents.from_sb3(by_hand, memory="hand"))
    assert sum(begins for _, begins in by_hand.seen) > 10
    with pytest.raises(ValueError, match='memory must be one of "session", "hand"'):
        agents.from_sb3(model, memory="episode")


def test_a_recurrent_model_in_a_custom_loop_starts_anew_with_the_numbers_of_hands():
    model = RecurrentModel(35)
    player = agents.from_sb3(model)
    seen = {"observation": np.zeros(35, np.float32), "action_mask": np.ones(5, np.int8)}
    turns = [(0, 0), (0, 1), (2, 0), (0, 0), (1, 0), (1, 0)]
    for hand, decision in turns:
        player.act(seen, {"hand_number": hand, "decision": decision, "hole_cards": "AsKs"})
    assert [begins for _, begins in model.seen] == [True, False, False, True, False, True]
    with pytest.raises(ValueError, match='infos="full"'):
        player.act(seen, {})


class Halves:
    """What is used of ``VecNormalize``."""

    def normalize_obs(self, observation):
        return observation / 2


def test_statistics_of_the_training_normalise_observations():
    plain, given, own = Model(35), Model(35), Model(35)
    own.get_vec_normalize_env = Halves
    scores(agents.from_sb3(plain))
    scores(agents.from_sb3(given, vec_normalize=Halves()))
    scores(agents.from_sb3(own))
    halves = [observation / 2 for observation, _ in plain.seen]
    for model in (given, own):
        np.testing.assert_array_equal([observation for observation, _ in model.seen], halves)
    with pytest.raises(ValueError, match="vec_normalize must be a VecNormalize; got 'stats"):
        agents.from_sb3(plain, vec_normalize="stats.pkl")


@pytest.mark.parametrize("answer", [np.array([1]), np.array(1), np.int32(1)])
def test_what_is_one_whole_number_is_an_id(answer):
    assert scores(agents.from_policy(lambda *_: answer)) == scores("caller")


def test_torch_modules_draw_from_the_softmax_of_legal_actions():
    torch = pytest.importorskip("torch")

    class Fixed(torch.nn.Module):
        def __init__(self, values):
            super().__init__()
            self.values = torch.tensor([values])

        def forward(self, observation):
            assert observation.shape == (1, 35)
            return self.values

    player = agents.from_torch(Fixed([9.0, 0.0, 0.0, np.log(3.0), 9.0]), seed=2)
    seen = {"observation": np.zeros(35, np.float32), "action_mask": np.int8([0, 1, 0, 1, 0])}
    drawn = [player.act(seen, {}) for _ in range(4000)]
    assert set(drawn) == {1, 3}
    assert np.mean(np.equal(drawn, 3)) == pytest.approx(0.75, abs=0.03)
    likeliest = agents.from_torch(Fixed([9.0, 0.0, 0.0, 1.0, 9.0]), deterministic=True)
    assert likeliest.act(seen, {}) == 3


def test_what_does_not_fit_is_named():
    with pytest.raises(ValueError, match="a policy must be a function"):
        agents.from_policy("caller")
    with pytest.raises(ValueError, match="observation must be"):
        agents.from_policy(lambda *_: 1, observation="feature")
    with pytest.raises(ValueError, match="must have predict"):
        agents.from_sb3(object())
    with pytest.raises(ValueError, match=r"shape \(7,\); 'features_scaled' has \(35,\)"):
        agents.from_sb3(Model(7))
