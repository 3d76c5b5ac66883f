"""The Gymnasium environment: its contract, and that it plays the same game as the others."""

import copy
import pickle
import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import agents
import nlhe_env
from agents.policy.vector_opponents import VectorOpponents
from nlhe_env import NoLimitHoldemEnv
from nlhe_env.envs import opponents

ID = "nlhe/NoLimitHoldem-v0"
STATIC = ["random", "call-or-raise", "raiser"]


def genome(seed):
    return (0.5 * np.random.default_rng(seed).standard_normal(825)).astype(np.float32)


class Mixer:
    """A player that uses only its observation: the same in every environment."""

    def __repr__(self) -> str:
        return "Mixer()"

    def act(self, observation, info):
        vector = observation["observation"] if isinstance(observation, dict) else observation
        mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
        legal = np.flatnonzero(mask)
        return int(legal[int(1000 * float(vector.sum())) % len(legal)])


class Checker(Mixer):
    """Checks and calls; counts how often it is asked."""

    def __init__(self):
        self.asked = 0

    def act(self, observation, info):
        assert {"observation", "action_mask"} == set(observation)
        assert observation["action_mask"].any()
        self.asked += 1
        return 1


def play(env, policy, **reset):
    """Rewards and infos of one episode, and how it ended."""
    observation, info = env.reset(**reset)
    rewards, infos = [], [info]
    while True:
        action = policy(observation, info)
        observation, reward, terminated, truncated, info = env.step(action)
        rewards.append(reward)
        infos.append(info)
        if terminated or truncated:
            return rewards, infos, (terminated, truncated)


def random_legal(seed):
    generator = np.random.default_rng(seed)
    return lambda _, info: int(generator.choice(np.flatnonzero(info["action_mask"])))


def test_gymnasium_check_env_passes_without_pygame():
    code = """
import sys, warnings
sys.modules["pygame"] = None  # as if it were not installed
warnings.simplefilter("error")
import gymnasium, nlhe_env
from gymnasium.utils.env_checker import check_env
env = gymnasium.make("nlhe/NoLimitHoldem-v0", render_mode="ansi")
check_env(env.unwrapped)
print(env.metadata["render_modes"], nlhe_env.env.metadata["render_modes"])
vector = gymnasium.make_vec("nlhe/NoLimitHoldem-v0", 2, vectorization_mode="vector_entry_point")
print(vector.metadata["render_modes"])
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines() == ["['ansi'] ['ansi']", "['ansi']"]


def call(_, __):
    return 1


# --- Gymnasium -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"opponents": ["caller"], "blinds": (10, 20)},
        {"opponents": [Mixer(), "random"], "observation": "features"},
        {"opponents": "raiser", "mode": "tournament", "actions": "sized"},
        {"opponents": "random", "num_players": 12, "mode": "tournament", "table_size": 5},
        {"mode": "tournament", "num_hands": 5, "reward": "place", "actions": "chips"},
        {"num_hands": 20, "illegal_action": "call", "observation": "features_scaled"},
        {"learner": "random", "reward": "big_blinds", "actions": (0.3, 0.7, 1.5)},
    ],
    ids=str,
)
def test_gymnasium_check_env_passes_without_a_warning(arguments, monkeypatch):
    monkeypatch.setitem(nlhe_env.raw_env.metadata, "render_fps", 10_000)  # without a viewer
    check_env(gymnasium.make(ID, **arguments).unwrapped)


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vector_environments_reset_themselves(mode):
    envs = gymnasium.make_vec(
        ID, num_envs=3, vectorization_mode=mode, opponents=STATIC, blinds=(10, 20)
    )
    observations, infos = envs.reset(seed=5)
    assert observations.shape == (3, *envs.single_observation_space.shape)
    generator = np.random.default_rng(1)
    ended = np.zeros(3, int)
    fresh = np.zeros(3, bool)
    for _ in range(60):
        masks = infos["action_mask"]
        assert masks.shape == (3, 5)
        assert masks.dtype == np.int8
        actions = [int(generator.choice(np.flatnonzero(mask))) for mask in masks]
        observations, rewards, terminated, truncated, infos = envs.step(np.array(actions))
        assert not rewards[fresh].any()  # a reset, whatever the action
        assert "illegal_action" not in infos
        fresh = terminated | truncated
        ended += fresh
    envs.close()
    assert (ended > 3).all()


def test_hundreds_of_masked_random_episodes_run():
    env = gymnasium.make(ID, opponents=[*STATIC, Checker()])
    policy = random_legal(0)
    for episode in range(300):
        rewards, infos, (terminated, truncated) = play(env, policy, seed=3 if not episode else None)
        assert terminated
        assert not truncated
        assert all("illegal_action" not in info for info in infos)
        assert not any(rewards[:-1])
        assert -2000 <= rewards[-1] <= 8000


# --- the same game as elsewhere ------------------------------------------------------------------


OBSERVATIONS = ["cards", "features", "features_scaled"]
ACTIONS = [(0.5, 1.0), "chips", "sized"]
PLAYED = [
    {"mode": "cash", "num_hands": 30},
    {"mode": "cash", "blinds": (10, 20, 5), "reward": "big_blinds", "num_hands": 1},
    {"mode": "tournament", "reward": "place"},
    {"mode": "tournament", "table_size": 3, "num_hands": 12},
    {"mode": "tournament", "starting_stack": [40, 3000, 90, 200, 25, 1000]},
    {"mode": "cash", "num_hands": 9, "betting": "fixed-limit"},
    {"mode": "cash", "num_hands": 9, "betting": "pot-limit"},
]


@pytest.mark.parametrize("observation", OBSERVATIONS)
@pytest.mark.parametrize("game", PLAYED, ids=str)
def test_a_learner_wins_the_same_as_through_pettingzoo(game, observation):
    """Games, observations and kinds of actions: each of one with each of another."""
    number = PLAYED.index(game) + OBSERVATIONS.index(observation)
    actions = ACTIONS[number % len(ACTIONS)]
    opponents = [
        agents.NetworkPlayer(genome(1)),
        "raiser",
        Mixer(),
        "random",
        agents.NetworkPlayer(genome(2), inputs="features"),
    ]
    arguments = {**game, "observation": observation, "actions": actions}
    reference = nlhe_env.raw_env(6, **arguments)
    learner = Mixer()
    for seat in (0, 4):
        name = f"player_{seat}"
        env = gymnasium.make(ID, opponents=opponents, learner=name, **arguments)
        players = list(map(agents.as_player, opponents))
        players.insert(seat, learner)
        named = dict(zip(reference.possible_agents, players, strict=True))
        for episode in range(4):
            seed = 11 if episode == 0 else None
            rewards, infos, _ = play(env, learner_policy(learner), seed=seed)
            totals = agents.play_episode(reference, named, seed=seed)
            assert sum(rewards) == pytest.approx(totals[name], abs=1e-9)
            assert all("illegal_action" not in info for info in infos)


def learner_policy(player):
    return lambda observation, info: player.act(observation, info)


def test_a_tournament_ends_for_the_learner_on_elimination():
    arguments = {"mode": "tournament", "starting_stack": [60, 900, 900], "reward": "place"}
    env = gymnasium.make(ID, opponents=["caller", "caller"], **arguments)
    rewards, infos, ending = play(
        env, lambda _, info: int(np.flatnonzero(info["action_mask"])[-1]), seed=1
    )
    while infos[-1]["place"] == 1:
        rewards, infos, ending = play(env, call)
    assert ending == (True, False)
    assert infos[-1]["place"] in (2, 2.5, 3)
    assert sum(rewards) == pytest.approx(2 - infos[-1]["place"])
    assert infos[-1]["action_mask"].tolist() == [0, 1, 0, 0, 0]
    assert "street" not in infos[-1]
    with pytest.raises(RuntimeError, match="call reset"):
        env.unwrapped.step(1)


def test_the_winner_of_a_tournament_gets_the_first_place():
    env = gymnasium.make(ID, opponents=["caller"], mode="tournament", reward="place")
    env.reset(seed=1)
    endings = [play(env, lambda _, info: 4 if info["action_mask"][4] else 1) for _ in range(30)]
    assert {sum(rewards) for rewards, _, _ in endings} == {-1.0, 1.0}
    assert all(ending == (True, False) for _, _, ending in endings)


def test_a_tournament_is_truncated_at_its_limit_of_hands():
    env = gymnasium.make(
        ID, opponents="caller", num_players=4, mode="tournament", num_hands=3, infos="full"
    )
    _, infos, ending = play(env, call, seed=2)
    assert ending == (False, True)
    assert infos[-1]["last_hand"]["hand_number"] == 2


def test_every_hand_is_reported_once():
    env = gymnasium.make(ID, opponents=["caller", "random"], num_hands=40, infos="full")
    _, infos, _ = play(env, random_legal(4), seed=4)
    hand_numbers = [info["last_hand"]["hand_number"] for info in infos if "last_hand" in info]
    assert hand_numbers == sorted(set(hand_numbers))
    assert hand_numbers[-1] == 39


# --- hands without the learner -------------------------------------------------------------------


def test_an_episode_without_a_learner_decision_has_one_step():
    env = gymnasium.make(ID, opponents=["folder"], blinds=(10, 20), infos="full")
    _, info = env.reset(seed=1, options={"button": 1})
    assert info["action_mask"].tolist() == [0, 1, 0, 0, 0]
    assert info["last_hand"]["net"] == {"player_0": 10, "player_1": -10}
    _, reward, terminated, truncated, info = env.step(4)
    assert (reward, terminated, truncated) == (10, True, False)
    assert "illegal_action" not in info


def test_rewards_before_the_first_action_are_paid_with_it():
    # The folder gives up its small blind; then the learner is the first to act and does so too.
    env = gymnasium.make(ID, opponents=["folder"], blinds=(10, 20), num_hands=2, infos="full")
    _, info = env.reset(seed=1, options={"button": 1})
    assert info["hand_number"] == 1
    assert info["last_hand"]["net"]["player_0"] == 10
    _, reward, terminated, _, _ = env.step(0)
    assert (reward, terminated) == (10 - 10, True)


# --- seeds and copies ----------------------------------------------------------------------------


@pytest.mark.parametrize("learner", ["player_2", "random"])
def test_episodes_repeat_with_their_seed(learner):
    def run(seed):
        env = gymnasium.make(ID, opponents=[*STATIC, Mixer()], learner=learner, num_hands=3)
        policy = random_legal(0)
        seen = [play(env, policy, seed=seed if i == 0 else None) for i in range(20)]
        return repr(seen)

    assert run(5) == run(5)
    assert run(5) != run(6)


def test_a_randomly_seated_learner_takes_every_seat():
    env = gymnasium.make(ID, opponents=[Checker(), "random"], learner="random").unwrapped
    env.reset(seed=0)
    seats = set()
    for _ in range(30):
        play(env, random_legal(1))
        seats.add(env.learner)
    assert seats == {"player_0", "player_1", "player_2"}


@pytest.mark.parametrize(
    "clone", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]
)
def test_copies_play_on_identically(clone):
    env = nlhe_env.NoLimitHoldemEnv([*STATIC, Mixer()], num_hands=5, learner="random")
    env.reset(seed=4)
    env.step(1)
    other = clone(env)
    turns = [[e.step(1)[1:] for _ in range(2)] + [play(e, call)] for e in (env, other)]
    assert repr(turns[0]) == repr(turns[1])


# --- actions -------------------------------------------------------------------------------------


def facing_nothing(**arguments):
    """The learner in the big blind, after a call: folding is illegal."""
    env = nlhe_env.NoLimitHoldemEnv(["caller"], blinds=(10, 20), infos="full", **arguments)
    _, info = env.reset(seed=1, options={"button": 1})
    assert info["to_call"] == 0
    return env


@pytest.mark.parametrize(("reward", "cost"), [("chips", -2000), ("big_blinds", -100)])
def test_an_illegal_action_costs_the_stack_and_ends_the_episode(reward, cost):
    env = facing_nothing(reward=reward)
    _, paid, terminated, truncated, info = env.step(0)
    assert (paid, terminated, truncated) == (cost, True, False)
    assert "must be a legal id for player_0: 1 (check or call)" in info["illegal_action"]
    assert "unchanged" not in info["illegal_action"]


def test_an_illegal_action_can_count_as_a_call():
    env = facing_nothing(illegal_action="call")
    _, paid, terminated, _, info = env.step(0)
    assert (paid, terminated) == (0, False)
    assert info["street"] == "flop"
    assert "illegal_action" in info


@pytest.mark.parametrize("action", [0, 5, -1])
def test_an_illegal_action_can_raise_an_error_and_keep_the_state(action):
    env = facing_nothing(illegal_action="raise")
    before = env.aec_env.tables.tobytes()
    with pytest.raises(nlhe_env.IllegalActionError, match="The state is unchanged"):
        env.step(action)
    assert env.aec_env.tables.tobytes() == before
    assert env.step(np.int64(1))[4]["street"] == "flop"


def test_action_masks_match_the_info():
    env = nlhe_env.NoLimitHoldemEnv("random")
    _, info = env.reset(seed=1)
    assert env.action_masks().dtype == np.bool_
    assert env.action_masks().tolist() == info["action_mask"].astype(bool).tolist()


# --- opponents -----------------------------------------------------------------------------------


def test_players_of_every_form_are_accepted(tmp_path):
    path = tmp_path / "champion.npz"
    agents.save_player(path, agents.NetworkPlayer(genome(1)))
    checker = Checker()
    opponents = ["caller", str(path), path, agents.make("random"), checker]
    env = gymnasium.make(ID, opponents=opponents)
    play(env, call, seed=1)
    seated = env.unwrapped.opponents
    assert [getattr(player, "name", "") for player in seated] == [
        *("caller", "network", "network", "random", ""),
    ]
    assert seated[-1].asked > 0


def test_the_default_game_is_a_cash_game():
    assert nlhe_env.NoLimitHoldemEnv("caller", game=None).aec_env.game.is_cash


@pytest.mark.parametrize("game", [nlhe_env.Game.cash(), nlhe_env.Game.tournament()])
def test_the_mode_of_the_game_may_be_given_with_it(game):
    env = nlhe_env.NoLimitHoldemEnv("caller", game=game, mode=game.mode)
    assert env.aec_env.game is game


def test_one_opponent_fills_all_seats():
    env = nlhe_env.NoLimitHoldemEnv(Checker(), num_players=3)
    play(env, call, seed=1)
    assert env.aec_env.possible_agents == ["player_0", "player_1", "player_2"]
    assert env.opponents[0] is env.opponents[1]
    assert len(nlhe_env.NoLimitHoldemEnv().opponents) == 5


class WantsToFold:
    def act(self, observation, info):
        return 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"opponents": ["caler"]}, "there is no player 'caler'; did you mean \"caller\""),
        ({"opponents": "missing.npz"}, "there is no player file 'missing.npz'"),
        ({"opponents": []}, "at least one player; got an empty list"),
        ({"opponents": ["caller", 3]}, "an object with act.observation, info.; got 3"),
        ({"opponents": {"player_1": "caller"}}, "must be a list, or one player"),
        ({"opponents": [WantsToFold]}, "an object, not a class"),
        ({"opponents": ["caller"], "num_players": 6}, "num_players must be 2, .* got 6"),
        ({"opponents": "caller", "num_players": 1}, "num_players must be at least 2; got 1"),
        ({"opponents": "caller", "num_players": "six"}, "num_players must be a whole number"),
        ({"learner": "player_6"}, "learner must be one of .* got 'player_6'"),
        ({"illegal_action": "Call"}, 'did you mean "call"'),
        (
            {"game": nlhe_env.Game.cash(), "mode": "tournament"},
            "give either game or its options, not both; got game and mode='tournament'",
        ),
        ({"render_mode": "rgb"}, "render_mode must be one of"),
    ],
)
def test_invalid_arguments_are_reported_clearly(arguments, message):
    with pytest.raises(ValueError, match=message):
        nlhe_env.NoLimitHoldemEnv(**arguments)


def test_an_opponents_mistake_is_not_the_learners():
    env = nlhe_env.NoLimitHoldemEnv([WantsToFold()], illegal_action="call")
    env.reset(seed=1, options={"button": 0})
    with pytest.raises(nlhe_env.IllegalActionError, match="legal id for player_1"):
        env.step(1)


def test_no_action_is_accepted_after_an_opponent_has_failed():
    class Failing:
        def act(self, observation, info):
            if info["to_call"] > 100:
                raise TimeoutError("no answer")
            return 1

    env = NoLimitHoldemEnv([Failing()], num_hands=5)
    env.reset(seed=3)
    with pytest.raises(TimeoutError):
        env.step(4)  # all-in
    with pytest.raises(RuntimeError, match="call reset"):
        env.step(0)
    env.reset(seed=3)
    env.step(1)


def test_step_before_reset_is_refused():
    with pytest.raises(RuntimeError, match="call reset"):
        nlhe_env.NoLimitHoldemEnv().step(1)


def test_render_gives_text():
    env = gymnasium.make(ID, opponents="caller", render_mode="ansi")
    env.reset(seed=1)
    assert "> player_0" in env.render()


def test_importing_the_game_does_not_import_the_players():
    code = "import sys, nlhe_env; sys.exit('agents' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_players_come_from_the_package_that_provides_them(monkeypatch):
    monkeypatch.setattr(opponents, "_provider", None)
    monkeypatch.setattr(opponents, "entry_points", lambda group: [])
    with pytest.raises(RuntimeError, match="no package provides opponents: import agents"):
        NoLimitHoldemEnv("caller")

    class Point:
        def load(self):
            found = opponents.Provider(agents.as_player, agents.Lineup, VectorOpponents)
            opponents.provide_opponents(lambda: found)

    monkeypatch.setattr(opponents, "entry_points", lambda group: [Point()])
    assert [player.name for player in NoLimitHoldemEnv(["caller"]).opponents] == ["caller"]
