"""Scripted hands, random networks and teams, programs in plain Python, and equal tallies."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

import agents
import nlhe_env
from agents.policy import dispatch
from nlhe_env.game.table import NO_PLAYER, TABLE
from nlhe_env.jit.array_types import F32
from nlhe_env.spaces.observations import find_observation

FOLD = 0
CALL = 1  # or check


def with_constants(kind: Any, **values: Any) -> Any:
    """An instance of a dataclass with other values, those of its constants included."""
    own = {one.name for one in fields(kind)}
    constants = {key: value for key, value in values.items() if key not in own}
    assert all(hasattr(kind, key) for key in constants)
    changed = type(kind.__name__, (kind,), constants)
    return changed(**{key: value for key, value in values.items() if key in own})


def deal(
    stacks: Iterable[int],
    *,
    blinds: tuple[int, ...] = (10, 20),
    button: int = 0,
    hole_cards: Mapping[int, str] | None = None,
    board: str = "",
    second_board: str = "",
    mode: str = "cash",
    seed: int = 1,
    **arguments: Any,
) -> nlhe_env.raw_env:
    """An environment with actions in chips at the first decision of a hand."""
    chips = list(stacks)
    env = nlhe_env.raw_env(
        len(chips),
        starting_stack=chips,
        blinds=blinds,
        mode=mode,
        actions="chips",
        **{"infos": "full", **arguments},
    )
    options: dict[str, Any] = {"button": button}
    if hole_cards:
        options["hole_cards"] = {f"player_{seat}": cards for seat, cards in hole_cards.items()}
    if board:
        options["board"] = board
    if second_board:
        options["second_board"] = second_board
    env.reset(seed=seed, options=options)
    return env


def actor(env: nlhe_env.raw_env) -> int:
    """The seat to act, ``NO_PLAYER`` when the hand is over."""
    return int(last_table(env)["actor"])


def play(env: nlhe_env.raw_env, *actions: int) -> None:
    """Take these actions, each by the player to act."""
    for action in actions:
        env.step(action)


def play_as(env: nlhe_env.raw_env, *actions: tuple[int, int]) -> None:
    """Take these actions, each by the seat that must be to act."""
    for seat, action in actions:
        assert actor(env) == seat, f"seat {seat} should act, but {actor(env)} does"
        env.step(action)


def raises(env: nlhe_env.raw_env) -> tuple[int, int]:
    """Least and most that the actor may raise to, (0, 0) if it may not."""
    info = env.infos[env.agent_selection]
    return info["min_raise_to"], info["max_raise_to"]


def to_call(env: nlhe_env.raw_env) -> int:
    """Chips that the actor needs to call."""
    chips: int = env.infos[env.agent_selection]["to_call"]
    return chips


def last_table(env: nlhe_env.raw_env) -> np.void:
    """The record of the only table, also after the game."""
    return env.tables[0]


def over(env: nlhe_env.raw_env) -> bool:
    """Whether the hand that was dealt has ended (in a game of one hand)."""
    return int(last_table(env)["actor"]) == NO_PLAYER


def stacks(env: nlhe_env.raw_env) -> list[int]:
    """Chips behind of every seat of the only table."""
    table = last_table(env)
    chips: list[int] = table["stack"].tolist()[: int(table["seats"])]
    return chips


def last_hand(env: nlhe_env.raw_env, agent: str = "player_0") -> dict[str, Any]:
    """The public result of the last hand."""
    result: dict[str, Any] = env.full_info(agent)["last_hand"]
    return result


def pots(env: nlhe_env.raw_env) -> list[tuple[int, list[int], list[int]]]:
    """(size, eligible seats, winning seats) of every pot of the last hand."""

    def seats(names: list[str]) -> list[int]:
        return [int(name.removeprefix("player_")) for name in names]

    return [
        (pot["size"], seats(pot["eligible"]), seats(pot["winners"]))
        for pot in last_hand(env)["pots"]
    ]


def legal_ids(env: nlhe_env.raw_env) -> np.ndarray:
    """The ids that are legal for the agent to act."""
    return np.flatnonzero(env.observe(env.agent_selection)["action_mask"])


def steps(
    env: nlhe_env.raw_env, seed: int | np.random.Generator = 0, most: int = 100_000
) -> Iterator[str]:
    """Random legal actions to the end of the episode; who is to step, before every step."""
    generator = np.random.default_rng(seed)
    for _ in range(most):
        if not env.agents:
            return
        agent = env.agent_selection
        yield agent
        leaves = env.terminations[agent] or env.truncations[agent]
        env.step(None if leaves else int(generator.choice(legal_ids(env))))
    raise AssertionError("the episode does not end")


def decisions(env: nlhe_env.raw_env, seed: int | np.random.Generator = 0) -> Iterator[str]:
    """The same; who is to act, before every decision."""
    for agent in steps(env, seed):
        if not (env.terminations[agent] or env.truncations[agent]):
            yield agent


def drive(env: nlhe_env.raw_env, seed: int | np.random.Generator = 0) -> int:
    """The same; returns the number of steps."""
    return sum(1 for _ in steps(env, seed))


def numbers_seen(
    observation: str, features: tuple[Any, ...], env: nlhe_env.raw_env, seat: int
) -> dict[str, list[float]]:
    """The named numbers of a seat in an observation, by name."""
    vector = env.vector(seat, find_observation(observation))
    return {one.name: vector[one.start : one.start + one.size].tolist() for one in features}


def snapshot(env: nlhe_env.raw_env) -> tuple[bytes, ...]:
    """Everything that a game consists of, as bytes."""
    return (env.game_record.tobytes(), env.tables.tobytes(), env.players.tobytes())


def genome(seed: int, scale: float = 0.5, length: int = 825) -> F32:
    """Random weights of a network."""
    return (scale * np.random.default_rng(seed).standard_normal(length)).astype(np.float32)


def choose(player, inputs, mask, u):
    """The id that a player with inputs chooses by a number in [0, 1)."""
    batch = agents.pack_players([player])
    work = batch.work_arrays()
    work.choices["mask"][0, :5] = mask
    dispatch.call_policy(0, np.zeros(1, TABLE)[0], inputs, batch.seated(work))
    return dispatch.drawn_id(work.choices[0], u)


def assert_equal(one: agents.Tally, other: agents.Tally) -> None:
    """Two tallies are equal, rows included."""
    for name, value in vars(one).items():
        if name == "rows":
            for column, others in zip(one.rows or (), other.rows or (), strict=True):
                np.testing.assert_array_equal(column, others)
        else:
            np.testing.assert_array_equal(value, getattr(other, name))
