"""The vector environment: it plays, bit for bit, what as many single environments play."""

import copy
import pickle
import re

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import agents
import nlhe_env
from nlhe_env import IllegalActionError, NoLimitHoldemEnv, NoLimitHoldemVectorEnv

ID = "nlhe/NoLimitHoldem-v0"
N = 5
KEPT = {"action_mask", "illegal_action", "final_obs", "final_info"}  # of infos="none"


def network(seed):
    return agents.NetworkPlayer(0.5 * np.random.default_rng(seed).standard_normal(825))


def recurrent(seed):
    return agents.make(f"lstm:hidden=20,opponent_cell=10,seed={seed}")


def sync(opponents, autoreset, **arguments):
    """The oracle: Gymnasium's own loop over single environments."""
    return SyncVectorEnv(
        [lambda: NoLimitHoldemEnv(opponents, **arguments)] * N, autoreset_mode=autoreset
    )


def choose(masks, rng, *, illegal=0.0):
    """Legal ids at random; now and then any id."""
    legal = (masks * (0.1 + rng.random(masks.shape))).argmax(axis=1)
    anything = rng.integers(masks.shape[1], size=len(masks))
    return np.where(rng.random(len(masks)) < illegal, anything, legal)


def assert_same(given, expected, where=""):
    """Values of the oracle are all there; strings and results of hands are not in arrays."""
    for name, value in expected.items():
        if name.lstrip("_") in ("street", "board", "hole_cards", "last_hand", "final_obs"):
            continue
        if name == "illegal_action":
            value = [text and re.sub(r"np.int64\((\d+)\)", r"\1", text) for text in value]
        if isinstance(value, dict):
            assert_same(given[name], value, f"{where}{name}.")
        else:
            assert np.array_equal(given[name], value), f"{where}{name}"


GAMES = [
    {"opponents": ["caller"]},
    {"opponents": ["caller", "random", "raiser"], "blinds": (10, 20), "reward": "big_blinds"},
    {"opponents": "random", "num_players": 10, "num_hands": 4, "observation": "features_opponents"},
    {
        "opponents": ["tight-aggressive", "caller"],
        "mode": "tournament",
        "starting_stack": (300, 500, 200),
    },
    {"opponents": "call-or-raise", "mode": "tournament", "reward": "place", "num_hands": 9},
    {"opponents": "random", "num_players": 7, "table_size": 4, "mode": "tournament"},
    {"opponents": ["random", "caller"], "learner": "random", "actions": "sized"},
    {"opponents": ["raiser", "caller"], "learner": "player_2", "starting_stack": 60},
    {"opponents": ["raiser", "caller"], "actions": "chips", "betting": "pot-limit"},
    {"opponents": "caller", "num_players": 2, "blinds": (50, 100, 90), "starting_stack": 100},
    {"opponents": "raiser", "betting": "fixed-limit", "num_hands": 3, "observation": "features"},
    {
        "opponents": ["raiser", "caller", "random"],
        "straddle": "under the gun",
        "rake": nlhe_env.Rake(share=0.05, cap=30),
        "boards": 2,
    },
]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_vector_games_match_single_environments(game):
    """With the ways of beginning new episodes in turn."""
    autoreset = list(AutoresetMode)[GAMES.index(game) % len(AutoresetMode)]
    game = dict(game)
    opponents = game.pop("opponents")
    _compare(opponents, autoreset, steps=120, **game)


@pytest.mark.parametrize(
    "opponents",
    [
        [network(1), "caller", network(2)],
        ["opponent-frequency", "random"],
        [recurrent(1), "caller", recurrent(2), "opponent-frequency"],
        ["push-or-fold", "formula"],
    ],
    ids=["networks", "opponent-frequency", "recurrent", "rules"],
)
@pytest.mark.parametrize(
    ("learner", "game"), [("player_1", {"num_hands": 6}), ("random", {"mode": "tournament"})]
)
def test_players_decide_as_in_single_environments(opponents, learner, game):
    _compare(opponents, AutoresetMode.SAME_STEP, steps=80, learner=learner, **game)


@pytest.mark.parametrize("what", ["penalty", "call"])
@pytest.mark.parametrize("autoreset", list(AutoresetMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("reward", ["chips", "big_blinds"])
def test_illegal_actions_cost_the_same_as_in_single_environments(what, autoreset, reward):
    opponents = ["caller", "random"]
    _compare(opponents, autoreset, steps=80, illegal=0.3, illegal_action=what, reward=reward)


def _compare(opponents, autoreset, *, steps, illegal=0.0, **arguments):
    oracle = sync(opponents, autoreset, **arguments)
    envs = NoLimitHoldemVectorEnv(N, opponents, autoreset_mode=autoreset, **arguments)
    assert envs.single_observation_space == oracle.single_observation_space
    assert envs.observation_space == oracle.observation_space
    assert envs.action_space == oracle.action_space
    rng = np.random.default_rng(3)
    seen, infos = envs.reset(seed=11)
    expected_seen, expected = oracle.reset(seed=11)
    ended = 0
    for _ in range(steps):
        assert np.array_equal(seen, expected_seen)
        assert seen.dtype == np.float32
        assert_same(infos, expected)
        actions = choose(infos["action_mask"], rng, illegal=illegal)
        seen, *result, infos = envs.step(actions)
        expected_seen, *expected_result, expected = oracle.step(actions)
        for mine, theirs in zip(result, expected_result, strict=True):
            assert np.array_equal(mine, theirs)
            assert mine.dtype == theirs.dtype
        over = result[1] | result[2]
        ended += over.sum()
        if "final_obs" in expected:
            for i in np.flatnonzero(over):
                assert np.array_equal(infos["final_obs"][i], expected["final_obs"][i])
        if autoreset == AutoresetMode.DISABLED and over.any():
            seen, infos = envs.reset(options={"reset_mask": over})
            expected_seen, _ = oracle.reset(options={"reset_mask": over})
            expected = {}
    assert ended > 0


# --- Gymnasium -----------------------------------------------------------------------------------


def test_make_vec_gives_the_vector_environment():
    envs = gymnasium.make_vec(
        ID,
        num_envs=64,
        vectorization_mode="vector_entry_point",
        opponents=["caller", "random"],
        autoreset_mode="SameStep",
    )
    assert isinstance(envs, NoLimitHoldemVectorEnv)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert isinstance(gymnasium.make_vec(ID, num_envs=2), NoLimitHoldemVectorEnv)
    assert NoLimitHoldemVectorEnv.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    observations, _ = envs.reset(seed=1)
    assert observations in envs.observation_space
    assert "num_envs=64" in repr(envs)
    envs.close()


def test_statistics_of_episodes_sum_all_rewards():
    envs = RecordEpisodeStatistics(NoLimitHoldemVectorEnv(N, ["caller"], num_hands=3))
    rng = np.random.default_rng(0)
    _, infos = envs.reset(seed=4)
    sums = np.zeros(N)
    reported_hands = 0
    for _ in range(100):
        _, rewards, terminated, _, infos = envs.step(choose(infos["action_mask"], rng))
        sums += rewards
        for i in np.flatnonzero(terminated):
            assert infos["episode"]["r"][i] == pytest.approx(sums[i])
            sums[i] = 0
            reported_hands += 1
    assert reported_hands > N


def test_returned_arrays_belong_to_the_caller():
    envs = NoLimitHoldemVectorEnv(N, ["caller"])
    observations, infos = envs.reset(seed=4)
    kept = observations.copy(), infos["action_mask"].copy(), infos["pot"].copy()
    infos["action_mask"][:] = 1  # makes nothing legal
    infos["action_mask"][:] = kept[1]
    envs.step(np.ones(N, int))
    for now, before in zip((observations, infos["action_mask"], infos["pot"]), kept, strict=True):
        assert np.array_equal(now, before)


# --- seeds and copies ----------------------------------------------------------------------------


@pytest.mark.parametrize("autoreset", list(AutoresetMode), ids=lambda mode: mode.value)
def test_observations_are_written_to_the_given_array(autoreset):
    """Resting tables included, whatever the caller made of the array before."""
    envs, twin = (
        NoLimitHoldemVectorEnv(N, ["caller"], autoreset_mode=autoreset, illegal_action="penalty")
        for _ in range(2)
    )
    out = np.full(envs.observation_space.shape, np.nan, np.float32)
    seen, infos = envs.reset(seed=3, out=out)
    assert np.array_equal(seen, twin.reset(seed=3)[0])
    rng = np.random.default_rng(1)
    for _ in range(30):
        assert seen is out
        seen.fill(np.nan)
        actions = choose(infos["action_mask"], rng, illegal=0.1)
        seen, _, terminated, truncated, infos = envs.step(actions, out=out)
        expected, *_ = twin.step(actions)
        assert np.array_equal(seen, expected)
        ended = terminated | truncated
        if autoreset == AutoresetMode.DISABLED and ended.any():
            seen.fill(np.nan)
            options = {"reset_mask": ended}
            seen, infos = envs.reset(options=options, out=out)
            assert np.array_equal(seen, twin.reset(options=options)[0])
    with pytest.raises(ValueError, match="out must be a writable float32 array in C order"):
        envs.step(np.ones(N, int), out=out.astype(np.float64))


def _play(envs, steps, infos, seed=5):
    rng = np.random.default_rng(seed)
    results = []
    for _ in range(steps):
        *result, infos = envs.step(choose(infos["action_mask"], rng))
        results.append(np.concatenate([np.ravel(each) for each in result]))
    return np.array(results)


def test_results_do_not_depend_on_the_number_of_threads():
    opponents = [recurrent(3), "random"]
    results = [
        _play(envs, 40, envs.reset(seed=2)[1])
        for envs in (NoLimitHoldemVectorEnv(7, opponents, threads=n) for n in (1, 3, 20))
    ]
    assert np.array_equal(results[0], results[1])
    assert np.array_equal(results[0], results[2])


@pytest.mark.parametrize(
    "twin", [copy.copy, copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))]
)
def test_copies_play_on_identically(twin):
    opponents = [recurrent(3), "opponent-frequency"]
    envs = NoLimitHoldemVectorEnv(N, opponents, num_hands=5, learner="random", threads=2)
    _, infos = envs.reset(seed=2)
    _play(envs, 10, infos)
    other = twin(envs)
    masks = {"action_mask": envs.action_masks().astype(np.int8)}
    assert np.array_equal(_play(envs, 40, masks), _play(other, 40, masks))


def test_seeds_may_be_a_list_and_continue_without_one():
    envs = NoLimitHoldemVectorEnv(2, ["random"])
    first, _ = envs.reset(seed=[5, 9])
    second, _ = envs.reset()
    third, _ = envs.reset(seed=[None, 9])
    single = NoLimitHoldemEnv(["random"])
    expected = [single.reset(seed=seed)[0] for seed in (5, None, None)]
    assert np.array_equal([first[0], second[0], third[0]], expected)
    assert np.array_equal(third[1], first[1])
    assert not np.array_equal(second[1], first[1])


def test_unseeded_games_differ():
    # Equal first observations happen by chance: two games may deal the same two cards.
    fresh = [NoLimitHoldemVectorEnv(64, ["random"]).reset()[0] for _ in range(2)]
    assert all(len(np.unique(seen, axis=0)) > 32 for seen in fresh)
    assert not np.array_equal(*fresh)


def test_options_set_the_first_hand_of_every_game():
    options = {"hole_cards": {"player_0": "AsAd"}, "button": 1}
    envs = NoLimitHoldemVectorEnv(3, [recurrent(1), "caller"])
    seen, infos = envs.reset(seed=6, options=options)
    for i in range(3):
        single = NoLimitHoldemEnv([recurrent(1), "caller"])
        assert np.array_equal(seen[i], single.reset(seed=6 + i, options=options)[0])
    assert infos["button"].tolist() == [1, 1, 1]


# --- mistakes ------------------------------------------------------------------------------------


class PythonCaller:
    def __repr__(self):
        return "PythonCaller()"

    def act(self, observation, info):
        return 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"opponents": ["caller", PythonCaller()]}, r"PythonCaller\(\) as opponent 1.*\"sync\""),
        ({"num_envs": 0}, "num_envs"),
        ({"threads": 0}, "threads"),
        ({"autoreset_mode": "never"}, "autoreset_mode must be .*SameStep"),
        ({"render_mode": "human"}, "render_mode"),
        ({"infos": "full"}, 'infos must be one of "flat", "none"'),
        ({"record": []}, "record needs a single environment or a BatchEnv"),
    ],
)
def test_arguments_are_checked(arguments, message):
    with pytest.raises(ValueError, match=message):
        NoLimitHoldemVectorEnv(**arguments)


@pytest.mark.parametrize("autoreset", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_with_infos_none_only_masks_remain(autoreset):
    """Keys that Gymnasium and illegal actions need stay; the rest is as with numbers."""
    arguments = {"illegal_action": "call", "autoreset_mode": autoreset}
    quiet = NoLimitHoldemVectorEnv(N, ["random"], infos="none", **arguments)
    reported_hands = NoLimitHoldemVectorEnv(N, ["random"], **arguments)
    rng = np.random.default_rng(2)
    assert quiet.reset(seed=3)[1].keys() == {"action_mask", "_action_mask"}
    reported_hands.reset(seed=3)
    for _ in range(60):
        actions = choose(quiet.action_masks(), rng, illegal=0.2)
        *seen, infos = quiet.step(actions)
        *expected, others = reported_hands.step(actions)
        assert all(map(np.array_equal, seen, expected))
        assert set(infos) == {name for name in others if name.lstrip("_") in KEPT}
        np.testing.assert_array_equal(infos["action_mask"], others["action_mask"])


def test_invalid_calls_change_nothing():
    envs = NoLimitHoldemVectorEnv(3, ["caller"], illegal_action="raise")
    with pytest.raises(RuntimeError, match="reset"):
        envs.step(np.ones(3, int))
    _, infos = envs.reset(seed=1)
    with pytest.raises(IllegalActionError, match=r"in environment 1: .*got 77"):
        envs.step(np.array([1, 77, 1]))
    with pytest.raises(ValueError, match=r"actions must be \(3,\) whole numbers"):
        envs.step(np.ones(4, int))
    with pytest.raises(ValueError, match="seed"):
        envs.reset(seed=-1)
    with pytest.raises(ValueError, match="seed"):
        envs.reset(seed=2**64 - 2)
    with pytest.raises(ValueError, match="reset_mask"):
        envs.reset(options={"reset_mask": np.zeros(3, bool)})
    with pytest.raises(ValueError, match="reset option"):
        envs.reset(seed=3, options={"weather": "fine"})
    other = NoLimitHoldemVectorEnv(3, ["caller"], illegal_action="raise")
    assert np.array_equal(_play(envs, 9, infos), _play(other, 9, other.reset(seed=1)[1]))


def test_without_autoreset_a_finished_episode_refuses_steps():
    envs = NoLimitHoldemVectorEnv(3, ["raiser"], autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(seed=1)
    over = np.zeros(3, bool)
    while not over.any():
        _, _, terminated, truncated, _ = envs.step(np.ones(3, int))
        over = terminated | truncated
    with pytest.raises(RuntimeError, match="episodes are over in the environments"):
        envs.step(np.ones(3, int))


def test_render_shows_every_table():
    envs = NoLimitHoldemVectorEnv(2, ["caller"], render_mode="ansi")
    envs.reset(seed=1)
    pictures = envs.render()
    assert len(pictures) == 2
    assert all("player_0" in picture for picture in pictures)


def test_masks_are_available_by_method():
    envs = NoLimitHoldemVectorEnv(2, ["caller"])
    _, infos = envs.reset(seed=1)
    assert np.array_equal(envs.action_masks(), infos["action_mask"] == 1)
    assert envs.action_masks().dtype == np.bool_


def test_the_learner_may_be_seated_at_random():
    envs = NoLimitHoldemVectorEnv(200, ["caller", "caller"], learner="random")
    envs.reset(seed=1)
    assert set(envs.learners.tolist()) == {0, 1, 2}
    assert nlhe_env.NoLimitHoldemVectorEnv(2, ["caller"]).learners.tolist() == [0, 0]
