"""Types of actions: integers and one-element arrays, in every interface of the game."""

from decimal import Decimal

import numpy as np
import pytest

import nlhe_env

WHOLE = [1, np.int8(1), np.uint64(1), np.array(1), np.array([1]), np.array([1], object)]
NOT_WHOLE = [
    1.0,
    True,
    np.True_,
    np.float32(1),
    "1",
    b"1",
    None,
    1 + 0j,
    Decimal(1),
    np.datetime64("2020-01-01"),
    [1],
    (1, 1),
    {"action": 1},
    {1},
    int,
    np.array([1.0]),
    np.array([True]),
    np.array([True], object),
    np.array([1, 1]),
    np.array([[1]]),
    np.array([], int),
]
HUGE = 10**5000
GAME = {"mode": "cash", "num_hands": 3}


def made(kind):
    """An environment in whose first hand a player is to act."""
    if kind == "gymnasium":
        env = nlhe_env.NoLimitHoldemEnv("caller", **GAME)
    else:
        env = {"raw_env": nlhe_env.raw_env, "env": nlhe_env.env}[kind](6, **GAME)
    env.reset(seed=1)
    return env


KINDS = ("raw_env", "env", "gymnasium")


def state_of(env):
    aec = getattr(env, "aec_env", env)
    return [aec.tables.tobytes(), aec.players.tobytes(), aec.agents[:], dict(aec.terminations)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("action", WHOLE, ids=repr)
def test_integers_and_one_element_arrays_are_actions(kind, action):
    env = made(kind)
    other = made(kind)
    env.step(action)
    other.step(1)
    assert state_of(env) == state_of(other)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("action", NOT_WHOLE, ids=repr)
def test_non_integer_actions_are_refused_without_penalty(kind, action):
    env = made(kind)
    before = state_of(env)
    with pytest.raises(TypeError, match="action must be a whole number, or an array of shape"):
        env.step(action)
    assert state_of(env) == before
    env.step(1)


@pytest.mark.parametrize("number", [-1, HUGE, -HUGE, 2**63, -(2**63) - 1], ids=int.bit_length)
def test_huge_integers_are_ordinary_illegal_actions(number):
    env = made("raw_env")
    before = state_of(env)
    with pytest.raises(nlhe_env.IllegalActionError, match="action must be a legal id") as caught:
        env.step(number)
    assert len(str(caught.value)) < 400
    assert state_of(env) == before
    guarded = made("env")
    with pytest.warns(UserWarning, match="illegal action, the episode ends"):
        guarded.step(number)
    single = made("gymnasium")
    _, reward, terminated, _, info = single.step(number)
    assert (reward, terminated) == (-2000, True)
    assert len(info["illegal_action"]) < 400


@pytest.mark.parametrize("kind", ["batch", "vector"])
@pytest.mark.parametrize(
    "actions",
    [
        np.ones(2),
        np.ones(2, bool),
        [True, False],
        ["1", "1"],
        [1, None],
        np.array([1, True], object),
        np.array([1, 1.0], object),
    ],
    ids=repr,
)
def test_tables_refuse_non_integer_actions(kind, actions):
    many = {
        "batch": lambda: nlhe_env.BatchEnv(2, 3, mode="cash"),
        "vector": lambda: nlhe_env.NoLimitHoldemVectorEnv(2, "caller", illegal_action="raise"),
    }[kind]()
    many.reset(seed=1)
    before = many.tables.tobytes()
    with pytest.raises(TypeError, match="must be"):
        many.step(actions)
    for wrong in ([1, 1, 1], [1, [1]], [[1, 1]], 1, None):
        with pytest.raises(ValueError, match=r"actions must be \(2,\) whole numbers"):
            many.step(wrong)
    with pytest.raises(nlhe_env.IllegalActionError, match="got a whole number of 16610 bits"):
        many.step([1, HUGE])
    assert many.tables.tobytes() == before
    for dtype in (np.int8, np.uint8, np.int32, np.uint64):
        many.step(np.ones(4, dtype)[::2])
    many.step(np.array([1, 1], object))


def test_where_no_raise_is_legal_the_error_says_so():
    env = nlhe_env.raw_env(2, mode="cash")
    env.reset(seed=1)
    env.step(4)  # all-in
    with pytest.raises(nlhe_env.IllegalActionError, match="To call: 1980, no raise is legal"):
        env.step(4)


def test_an_episode_that_is_over_needs_a_reset():
    env = nlhe_env.raw_env(2, mode="cash")
    env.reset(seed=1)
    env.step(0)
    while env.agents:
        env.step(None)
    with pytest.raises(RuntimeError, match="the episode is over; call reset"):
        env.step(1)
