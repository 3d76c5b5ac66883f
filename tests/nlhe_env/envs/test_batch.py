"""A batch plays the environment's games: same cards, same numbers, whatever the table."""

from __future__ import annotations

import copy
import gc
import pickle
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nlhe_env
from nlhe_env.envs.batch import Turns
from nlhe_env.game.table import STREET_NAMES

ACTIONS = [(0.5, 1.0), (), (0.33, 0.75, 1.0, 2.0), "chips", "sized"]
OBSERVATIONS = ["cards", "features", "features_scaled"]
KINDS = [
    {"mode": "cash", "blinds": (10, 20)},
    {"mode": "cash", "blinds": (5, 20, 3), "num_hands": 7, "starting_stack": "uneven"},
    {"mode": "tournament", "starting_stack": 300},
    {"mode": "tournament", "blinds": (10, 20, 4), "num_hands": 12, "starting_stack": "uneven"},
]


def arguments_of(kind: dict[str, Any], players: int) -> dict[str, Any]:
    uneven = [30 + 170 * (i % 3) for i in range(players)]
    return {k: uneven if v == "uneven" else v for k, v in kind.items()}


class Game:
    """One table of a batch, played by the environment."""

    def __init__(self, env: nlhe_env.raw_env, seed: int, first: int, stride: int) -> None:
        self.env = env
        self.stride = stride
        self.n = len(env.possible_agents)
        self.episode = 0
        env.reset(seed=seed)
        self._go_to(first)
        self._find_decision()

    def _go_to(self, episode: int) -> None:
        while self.episode < episode:
            self.env.reset()
            self.episode += 1

    def _find_decision(self) -> None:
        self._let_leave()
        while not self.env.agents:
            self._go_to(self.episode + self.stride)
            self._let_leave()

    def _let_leave(self) -> None:
        env = self.env
        while env.agents and (
            env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
        ):
            env.step(None)

    def step(self, action: int) -> dict[str, Any]:
        """Act, and return the result of the step."""
        env = self.env
        hands = int(env.game_record["hands"][0])
        env.step(action)
        result = {
            "rewards": [env.rewards.get(agent, 0) for agent in env.possible_agents],
            "since": [env._cumulative_rewards.get(agent) for agent in env.possible_agents],
            "hands": int(env.game_record["hands"][0]) - hands,
            "places": [0.0] * self.n if env.game.is_cash else env.players["place"].tolist(),
            "terminated": all(env.terminations.get(agent, True) for agent in env.agents),
            "truncated": any(env.truncations.values()),
        }
        self._find_decision()
        return result


def check_turn(game: Game, turns: Turns, i: int, n_actions: int) -> None:
    env = game.env
    agent = env.agent_selection
    assert agent == f"player_{turns.player[i]}"
    seen = env.observe(agent)
    if turns.observation.shape[1]:
        np.testing.assert_array_equal(seen["observation"], turns.observation[i])
    mask = seen["action_mask"]
    if turns.action_mask.shape[1]:
        np.testing.assert_array_equal(mask, turns.action_mask[i])
    assert len(mask) == n_actions
    info = env.full_info()
    assert info["street"] == STREET_NAMES[turns.street[i]]
    assert info["hand_number"] == turns.hand[i]
    for name in ("pot", "to_call", "min_raise_to", "max_raise_to", "big_blind"):
        assert info[name] == getattr(turns, name)[i]


def check_result(result: dict[str, Any], turns: Turns, i: int) -> None:
    assert turns.rewards[i].tolist() == result["rewards"]
    for since, expected in zip(turns.rewards_since_action[i], result["since"], strict=True):
        assert expected is None or since == expected
    assert turns.hands[i] == result["hands"]
    assert turns.terminated[i] == result["terminated"]
    assert turns.truncated[i] == result["truncated"]
    assert turns.over[i] == (result["terminated"] or result["truncated"])
    assert turns.places[i].tolist() == result["places"]


def check_against_environment(
    n_tables: int, n_players: int, steps: int, seed: int = 5, **arguments: Any
) -> int:
    """Play the same random actions through both; returns the number of episodes that ended."""
    observation = arguments.pop("observation")
    batch = nlhe_env.BatchEnv(
        n_tables, n_players, observation=observation, chip_masks=seed % 2 == 1, **arguments
    )
    turns = batch.reset(seed=seed)
    envs = [
        nlhe_env.raw_env(n_players, observation=observation or "cards", **arguments)
        for _ in range(n_tables)
    ]
    games = [Game(env, seed, i, n_tables) for i, env in enumerate(envs)]
    rng = np.random.default_rng(seed)
    ended = 0
    for _ in range(steps):
        for i, game in enumerate(games):
            check_turn(game, turns, i, batch.n_actions)
        actions = batch.sample_actions(rng)
        episodes = [game.episode for game in games]
        results = [game.step(int(action)) for game, action in zip(games, actions, strict=True)]
        turns = batch.step(actions)
        for i, result in enumerate(results):
            check_result(result, turns, i)
            next_episode = games[i].episode
            assert turns.episode[i] == (episodes[i] if turns.over[i] else next_episode)
        ended += int(turns.over.sum())
    return ended


@pytest.mark.parametrize("actions", ACTIONS, ids=str)
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_batch_plays_the_games_of_the_environment(kind: dict[str, Any], actions: Any) -> None:
    """Both numbers of players, all observations and both rewards in turn."""
    choice = len(ACTIONS) * KINDS.index(kind) + ACTIONS.index(actions)
    n_players = (2, 6)[choice % 2]
    ended = check_against_environment(
        3,
        n_players,
        250,
        seed=choice,
        actions=actions,
        observation=OBSERVATIONS[choice % 3],
        reward=("chips", "big_blinds")[choice // 2 % 2],
        **arguments_of(kind, n_players),
    )
    assert ended > 3


@pytest.mark.slow
@pytest.mark.parametrize("n_players", [2, 3, 10])
@pytest.mark.parametrize("observation", ["cards", None])
def test_batch_plays_long_runs_of_tournaments(n_players: int, observation: str | None) -> None:
    ended = check_against_environment(
        2,
        n_players,
        1500,
        starting_stack=500,
        reward="place",
        observation=observation,
        actions=(0.5, 1.0),
    )
    assert ended > 10


@pytest.mark.parametrize("betting", ["pot-limit", "fixed-limit"])
@pytest.mark.parametrize("actions", [(0.5, 1.0), "chips", "sized"], ids=str)
def test_batch_plays_other_betting_structures(betting: str, actions: Any) -> None:
    ended = check_against_environment(
        3, 4, 300, mode="cash", betting=betting, max_bets=3, actions=actions, observation="cards"
    )
    assert ended > 10


def test_hands_before_the_first_decision_count_for_no_player() -> None:
    # Both short stacks are all-in by the ante: the first hand never has a decision, and a
    # tournament only has one if a short stack wins it.
    arguments: dict[str, Any] = {"starting_stack": (5, 5, 1000), "blinds": (10, 20, 5)}
    env = nlhe_env.raw_env(3, observation="cards", **arguments)
    env.reset(seed=3)
    assert any(env.rewards.values())
    batch = nlhe_env.BatchEnv(2, 3, **arguments)
    turns = batch.reset(seed=3)
    games = [Game(nlhe_env.raw_env(3, **arguments), 3, i, 2) for i in range(2)]
    rng = np.random.default_rng(1)
    for _ in range(300):
        actions = batch.sample_actions(rng)
        episodes = turns.episode.copy()
        results = [game.step(int(action)) for game, action in zip(games, actions, strict=True)]
        turns = batch.step(actions)
        for i, (game, result) in enumerate(zip(games, results, strict=True)):
            check_turn(game, turns, i, batch.n_actions)
            assert turns.rewards[i].tolist() == result["rewards"]
            assert turns.places[i].tolist() == result["places"]
            if turns.over[i]:
                assert game.episode > episodes[i]
    assert (turns.episode > 50).all()  # many without a decision were passed over


def test_a_game_without_any_decision_is_refused() -> None:
    batch = nlhe_env.BatchEnv(3, 2, starting_stack=10, blinds=(10, 20))
    with pytest.raises(ValueError, match=r"no player ever has a decision.*\(10, 10\)"):
        batch.reset(seed=1)
    with pytest.raises(RuntimeError, match="reset"):
        batch.step([1, 1, 1])


def history(batch: nlhe_env.BatchEnv, tables: list[int], turns: Turns, steps: int) -> list[Any]:
    """Outputs of some tables while all players call, or fold at every seventh step."""
    seen = []
    for k in range(steps):
        turns = batch.step(np.where((turns.to_call > 0) & (k % 7 == 6), 0, 1))
        seen.append([field[tables].tobytes() for field in turns])
    return seen


def test_batches_share_the_episodes_of_a_seed() -> None:
    whole = nlhe_env.BatchEnv(6, 3, mode="cash")
    expected = history(whole, [3, 4, 5], whole.reset(seed=9), 200)
    part = nlhe_env.BatchEnv(3, 3, mode="cash")
    assert history(part, [0, 1, 2], part.reset(seed=9, first=3, stride=6), 200) == expected


def test_threads_do_not_disturb_each_other() -> None:
    def play(k: int) -> list[Any]:
        batch = nlhe_env.BatchEnv(64, 6, starting_stack=400)
        return history(batch, list(range(64)), batch.reset(seed=k % 2), 100)

    with ThreadPoolExecutor(4) as executor:
        runs = list(executor.map(play, range(4)))
    assert runs[0] == runs[2] != runs[1] == runs[3]


def test_reset_without_seed_continues_to_the_next_episodes() -> None:
    batch = nlhe_env.BatchEnv(4, 2, mode="cash")
    assert batch.reset(seed=1).episode.tolist() == [0, 1, 2, 3]
    assert batch.reset().episode.tolist() == [4, 5, 6, 7]
    assert batch.reset(seed=1, first=2, stride=10).episode.tolist() == [2, 3, 4, 5]
    assert batch.reset().episode.tolist() == [12, 13, 14, 15]


def test_reset_clears_all_state() -> None:
    batch = nlhe_env.BatchEnv(8, 4, starting_stack=100)
    first = [np.array(field) for field in batch.reset(seed=2)]
    rng = np.random.default_rng(0)
    for _ in range(300):
        batch.step(batch.sample_actions(rng))
    for before, after in zip(first, batch.reset(seed=2), strict=True):
        np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize(
    "duplicate", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))]
)
@pytest.mark.parametrize(("observation", "threads"), [("cards", 3), ("features", 1)])
def test_copies_play_on_identically(
    observation: str, threads: int, duplicate: Callable[[nlhe_env.BatchEnv], nlhe_env.BatchEnv]
) -> None:
    batch = nlhe_env.BatchEnv(100, 3, observation=observation, threads=threads)
    batch.reset(seed=4)
    batch.step(np.ones(100, int), out=np.zeros_like(batch.turns.observation))
    other = duplicate(batch)
    before = snapshot(batch, batch.turns)
    assert snapshot(other, other.turns) == before
    assert other.threads == threads
    expected = history(other, list(range(100)), other.turns, 60)
    assert snapshot(batch, batch.turns) == before
    assert history(batch, list(range(100)), batch.turns, 60) == expected


def snapshot(batch: nlhe_env.BatchEnv, turns: Turns) -> list[bytes]:
    state = [batch._games, batch.tables, batch.players]
    return [array.tobytes() for array in (*state, *turns)]


@pytest.mark.parametrize(
    ("actions", "illegal", "legal"),
    [
        ((0.5, 1.0), 5, "0 (fold), 1 (check or call), 2 (raise by 0.5 pot)"),
        ((0.5, 1.0), -1, "4 (largest raise)"),
        ("chips", 39, "40..1000 (raise to)"),
        ("chips", 1001, "0 (fold), 1 (check or call)"),
        ("sized", 5, "4 (large raise)"),
        ("sized", 2**63, "player_"),
    ],
)
def test_illegal_action_changes_nothing(actions: Any, illegal: int, legal: str) -> None:
    game = {"mode": "cash", "starting_stack": 1000, "blinds": (10, 20)}
    batch = nlhe_env.BatchEnv(5, 3, actions=actions, **game)
    turns = batch.reset(seed=1)
    before = snapshot(batch, turns)
    dtype = np.uint64 if illegal > 2**62 else np.int64
    ids = np.ones(5, dtype)
    ids[3:] = illegal
    with pytest.raises(nlhe_env.IllegalActionError) as error:
        batch.step(ids)
    message = str(error.value)
    assert f"actions[3] must be a legal id for player_{turns.player[3]} of table 3" in message
    assert f"got {illegal}." in message
    assert legal in message
    assert snapshot(batch, turns) == before


def test_writing_to_outputs_makes_no_action_legal() -> None:
    batch = nlhe_env.BatchEnv(2, 2, mode="cash", blinds=(10, 20))
    turns = batch.reset(seed=1)
    turns = batch.step(np.ones(2, int))  # the big blind may check
    turns.action_mask[:] = 1
    turns.to_call[:] = 10
    with pytest.raises(nlhe_env.IllegalActionError, match=r"legal id .*: 1 \(check or call\), "):
        batch.step(np.zeros(2, int))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_tables": 0}, "num_tables must be at least 1; got 0"),
        ({"num_tables": 2.0}, "num_tables must be a whole number"),
        ({"num_tables": True}, "num_tables must be a whole number"),
        ({"num_players": 11}, r"num_players must be in 2 \.\. 10.*got 11"),
        ({"num_players": 1}, "num_players must be at least 2"),
        ({"starting_stack": (100, 100)}, "starting_stack must be one number or one for each"),
    ],
)
def test_arguments_are_checked(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        nlhe_env.BatchEnv(**{"num_tables": 2, "num_players": 6, **arguments})


def test_reset_arguments_are_checked() -> None:
    batch = nlhe_env.BatchEnv(2, 2)
    with pytest.raises(ValueError, match="seed must be an integer"):
        batch.reset(seed=-1)
    with pytest.raises(ValueError, match="first must be at least 0"):
        batch.reset(seed=1, first=-1)
    with pytest.raises(ValueError, match="stride must be at least 1"):
        batch.reset(seed=1, stride=0)
    batch.reset(seed=1)
    with pytest.raises(ValueError, match="need a seed"):
        batch.reset(first=3)


def test_calls_before_reset_are_refused() -> None:
    batch = nlhe_env.BatchEnv(2, 2)
    with pytest.raises(RuntimeError, match="reset"):
        batch.step([1, 1])
    with pytest.raises(RuntimeError, match="reset"):
        batch.sample_actions(np.random.default_rng(0))


@pytest.mark.parametrize("actions", [(0.5, 1.0), "chips"], ids=str)
def test_sampled_actions_are_uniform_over_the_legal_ones(actions: Any) -> None:
    n = 20_000
    batch = nlhe_env.BatchEnv(
        n, 2, mode="cash", starting_stack=8, blinds=(1, 2), actions=actions, chip_masks=True
    )
    turns = batch.reset(seed=1)
    ids = batch.sample_actions(np.random.default_rng(2))
    assert (turns.action_mask[np.arange(n), ids] == 1).all()
    legal = np.flatnonzero(turns.action_mask[0])  # the same before the flop at every table
    shares = np.bincount(ids, minlength=batch.n_actions)[legal] / n
    np.testing.assert_allclose(shares, 1 / len(legal), atol=0.015)
    np.testing.assert_array_equal(ids, batch.sample_actions(np.random.default_rng(2)))


def test_chips_actions_have_masks_only_on_request() -> None:
    assert nlhe_env.BatchEnv(2, 2, actions="chips").reset(seed=1).action_mask.shape == (2, 0)
    with_masks = nlhe_env.BatchEnv(2, 2, actions="chips", chip_masks=True)
    assert with_masks.reset(seed=1).action_mask.shape == (2, 2001)


def test_a_table_uses_little_memory() -> None:
    batch = nlhe_env.BatchEnv(4096, 6, mode="cash")
    assert batch.nbytes / batch.num_tables < 6000


def play_and_collect(batch, out=None):
    """All that 25 steps return, as bytes."""
    rng, found = np.random.default_rng(1), [batch.reset(seed=3, out=out)]
    for _ in range(25):
        turns = batch.step(batch.sample_actions(rng), out=out)
        assert out is None or turns.observation is out
        found.append(b"".join(array.tobytes() for array in turns))
    return found[1:]


@settings(max_examples=8, deadline=None)
@given(
    threads=st.integers(2, 9),
    num_tables=st.integers(1, 200),
    num_players=st.integers(2, 4),
    observation=st.sampled_from([None, "cards", "features_unit"]),
    actions=st.sampled_from([(0.5, 1.0), "sized", "chips"]),
    mode=st.sampled_from(["cash", "tournament"]),
    has_out=st.booleans(),
)
def test_threads_and_given_arrays_change_no_bit(threads, num_tables, num_players, has_out, **game):
    alone = nlhe_env.BatchEnv(num_tables, num_players, **game)
    shared = nlhe_env.BatchEnv(num_tables, num_players, threads=threads, **game)
    out = np.zeros((num_tables, shared.observation_size), np.float32) if has_out else None
    assert play_and_collect(shared, out) == play_and_collect(alone)


def test_observations_stay_in_the_given_array():
    batch = nlhe_env.BatchEnv(4, 2, mode="cash")
    seen = np.zeros((3, 4, batch.observation_size), np.float32)
    batch.reset(seed=1, out=seen[0])
    batch.step(np.ones(4, int), out=seen[1])
    kept = seen.copy()
    later = batch.step(np.ones(4, int)).observation
    assert (seen == kept).all()
    assert kept[:2].any(axis=2).all()
    assert not np.shares_memory(later, seen)


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros((4, 1), np.float32),
        np.zeros((4, 172)),
        np.zeros((172, 4), np.float32).T,
        np.frombuffer(bytes(4 * 4 * 172), np.float32).reshape(4, 172),
        [[0.0] * 172] * 4,
    ],
)
def test_arrays_that_cannot_take_observations_change_no_table(wrong):
    batch = nlhe_env.BatchEnv(4, 3, mode="cash")
    batch.reset(seed=1)
    before = batch.tables.tobytes()
    with pytest.raises(ValueError, match="out must be a writable float32 array in C order"):
        batch.step(np.ones(4, int), out=wrong)
    assert batch.tables.tobytes() == before


def test_threads_of_a_batch_end_with_it():
    before = set(threading.enumerate())
    batch = nlhe_env.BatchEnv(64, 2, threads=4, mode="cash")
    batch.reset(seed=1)
    batch.step(np.ones(64, int))
    own = set(threading.enumerate()) - before
    assert len(own) == 3
    del batch
    gc.collect()
    for thread in own:
        thread.join(60)
        assert not thread.is_alive()
