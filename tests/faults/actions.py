"""Actions that are none, at every way into a game."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from children import can_fork, in_child

import nlhe_env

REFUSED = (ValueError, TypeError)  # IllegalActionError is a ValueError

WRONG: dict[str, Any] = {
    "a text": "1",
    "bytes": b"1",
    "a float": 1.5,
    "a whole float": 1.0,
    "NaN": float("nan"),
    "infinity": float("inf"),
    "complex": 1 + 0j,
    "a decimal": Decimal(1),
    "a list": [1],
    "a tuple": (1, 1),
    "a dict": {"action": 1},
    "a set": {1},
    "an array of two": np.array([1, 1]),
    "an array of floats": np.array([1.0]),
    "no elements": np.array([]),
    "an object": object(),
    "a function": len,
    "a type": int,
    "-1": -1,
    "past the last": 2**40,
    "above int64": 2**63,
    "far above": 2**70,
    "far below": -(2**70),
    "the largest uint64": np.uint64(2**64 - 1),
    "a date": np.datetime64("2020-01-01"),
}
ENCODINGS: dict[str, Any] = {"fractions": (0.5, 1.0), "chips": "chips", "sized": "sized"}


def wrong(generator: random.Random, number: int, folder: Path) -> Iterator[tuple[str, str]]:
    """Refused, and the state is as before; ``env`` may end the episode instead."""
    if not can_fork():
        return
    for encoding, actions in ENCODINGS.items():
        for way, tried in WAYS.items():
            for what, action in {**WRONG, "nothing": None}.items():
                work = lambda t=tried, e=actions, a=action: t(e, a)  # noqa: E731
                yield f"{way}, {encoding}: {what}", in_child(work)


def _refuses(step: Callable[[], Any], state: Callable[[], Any]) -> str:
    before = state()
    try:
        step()
    except REFUSED:
        return "" if state() == before else "the state has changed"
    return "it was taken"


def _raw(actions: Any, action: Any) -> str:
    env = nlhe_env.raw_env(3, actions=actions)
    env.reset(seed=1)
    return _refuses(lambda: env.step(action), lambda: pickle.dumps(env.save().arrays))


def _guarded(actions: Any, action: Any) -> str:
    env = nlhe_env.env(3, actions=actions)
    env.reset(seed=1)
    before, offender = env.table.copy(), env.agent_selection
    try:
        env.step(action)
    except REFUSED:
        return "" if env.table == before else "the table has changed"
    ended = all(env.terminations.values()) and env.rewards.get(offender, -1) < 0
    return "" if ended else "it was taken"


def _gymnasium(actions: Any, action: Any) -> str:
    env = gymnasium.make(
        "nlhe/NoLimitHoldem-v0",
        opponents=["caller"],
        actions=actions,
        illegal_action="raise",
        disable_env_checker=True,
    )
    env.reset(seed=1)
    game: Any = env.unwrapped
    return _refuses(lambda: env.step(action), game.aec_env.tables.tobytes)


def _vector(actions: Any, action: Any) -> str:
    env = nlhe_env.NoLimitHoldemVectorEnv(2, ["caller"], actions=actions, illegal_action="raise")
    observation, _ = env.reset(seed=1)
    return _refuses(lambda: env.step([1, action]), lambda: pickle.dumps(observation))


def _batch(actions: Any, action: Any) -> str:
    env = nlhe_env.BatchEnv(2, num_players=2, actions=actions)
    env.reset(seed=1)
    return _refuses(lambda: env.step([1, action]), lambda: pickle.dumps(env))


WAYS: dict[str, Callable[[Any, Any], str]] = {
    "raw_env": _raw,
    "env": _guarded,
    "Gymnasium": _gymnasium,
    "vectors": _vector,
    "batches": _batch,
}
