"""Golden playthroughs: short scripted games with all output of the environment along the way.

Each game becomes one text file in ``tests/golden`` that can be read against the rules of poker. A
change of behaviour shows as a difference of these texts. To write them anew:

    python -m pytest tests/nlhe_env/envs/test_golden.py --update-golden
"""

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import nlhe_env
from nlhe_env.game.table import STREET_NAMES

FOLDER = Path(__file__).with_name("golden")
WIDTH = 100

FOLD, CALL, HALF_POT, POT, ALL_IN = range(5)  # the default actions; call is also check
SMALL, MEDIUM, LARGE = 2, 3, 4  # actions="sized"


@dataclass(frozen=True)
class Playthrough:
    """A game and the action ids that are taken in it, one for each decision."""

    name: str
    about: str
    arguments: Mapping[str, Any]
    actions: tuple[int, ...]
    seed: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)


PLAYTHROUGHS = (
    Playthrough(
        "heads_up",
        "Heads-up over three hands: the button moves, posts the small blind, acts first before "
        "the flop and last after it. A tournament cut short ranks the players by chips.",
        {"num_players": 2, "blinds": (10, 20), "num_hands": 3},
        (HALF_POT, CALL, CALL, HALF_POT, FOLD, CALL, CALL, POT, FOLD, POT, FOLD),
        options={"button": 0},
    ),
    Playthrough(
        "side_pots",
        "An all-in and three calls for less: a main pot and two side pots, each won by another "
        "hand; the 400 that nobody could match return. The tournament is cut short after this "
        "hand, and equal chips share the mean place.",
        {
            "num_players": 4,
            "starting_stack": (600, 300, 100, 1000),
            "blinds": (10, 20),
            "num_hands": 1,
        },
        (ALL_IN, CALL, CALL, CALL),
        options={
            "button": 0,
            "hole_cards": {
                "player_0": "QsQh",
                "player_1": "KsKh",
                "player_2": "AsAh",
                "player_3": "7s7h",
            },
            "board": "2c5d9hJs3c",
        },
    ),
    Playthrough(
        "short_all_ins",
        "Actions in chips. First hand: all-ins to 85 and 110 over a raise to 60, each short of the "
        "40 of a full raise, add up to 50, so that player_3 may raise again. Second hand: 85 over "
        "60 is short and alone, so that player_0 may not.",
        {
            "num_players": 4,
            "starting_stack": (1000, 85, 110, 1000),
            "blinds": (10, 20),
            "mode": "cash",
            "num_hands": 2,
            "actions": "chips",
        },
        (60, CALL, 85, 110, 200, FOLD, 60, 85, FOLD, CALL, FOLD),
        options={"button": 0},
    ),
    Playthrough(
        "antes_and_short_big_blind",
        "The big blind has 12: the ante takes 5 and 7 are left for the blind. The call is still "
        "20. player_0 folds on the flop, player_1 takes the side pot, the main pot is shown down.",
        {
            "num_players": 3,
            "starting_stack": (1000, 1000, 12),
            "blinds": (10, 20, 5),
            "mode": "cash",
        },
        (CALL, CALL, POT, FOLD),
        options={
            "button": 0,
            "hole_cards": {"player_1": "KsKh", "player_2": "AsAh"},
            "board": "2c7d9hJs3c",
        },
    ),
    Playthrough(
        "odd_chips",
        "Three players play the board and split 311 chips: 103 each, and the two odd chips go to "
        "the first winners left of the button, player_3 and player_0.",
        {"num_players": 4, "starting_stack": 100, "blinds": (10, 20, 1), "mode": "cash"},
        (ALL_IN, CALL, FOLD, CALL),
        options={
            "button": 1,
            "hole_cards": {
                "player_0": "2s3d",
                "player_1": "2h3h",
                "player_2": "4s5d",
                "player_3": "2d3s",
            },
            "board": "AhKdQsJcTd",
        },
    ),
    Playthrough(
        "two_tables",
        "Five players at two tables of three seats. One is out at each table in the first round; "
        "the rest fit at one table, so that the smaller one is broken. Rewards by place.",
        {
            "num_players": 5,
            "table_size": 3,
            "starting_stack": (500, 400, 300, 200, 100),
            "blinds": (10, 20),
            "reward": "place",
        },
        (ALL_IN, CALL, CALL, ALL_IN, CALL, ALL_IN, CALL, CALL),
        seed=4,
    ),
    Playthrough(
        "sized_raises_and_features",
        "Sized actions: the amounts of the raises are drawn from the environment's own stream. The "
        "observation is that of the 35 published inputs.",
        {
            "num_players": 3,
            "starting_stack": 1000,
            "blinds": (10, 20),
            "mode": "cash",
            "actions": "sized",
            "observation": "features",
            "reward": "big_blinds",
        },
        (SMALL, MEDIUM, FOLD, CALL, LARGE, CALL, CALL, SMALL, FOLD),
        options={
            "button": 0,
            "hole_cards": {"player_0": "AsKd", "player_1": "QhQd", "player_2": "8c3h"},
            "board": "Qs7d2cKh",
        },
    ),
)


def record(playthrough: Playthrough) -> str:
    """Play a game and write down all output of the environment."""
    return "\n".join(_lines(playthrough)) + "\n"


def _lines(playthrough: Playthrough) -> Iterator[str]:
    yield from textwrap.wrap(playthrough.about, WIDTH)
    yield ""
    arguments = ", ".join(f"{name}={value!r}" for name, value in playthrough.arguments.items())
    yield from _wrapped("raw_env", f"({arguments})", "")
    env = nlhe_env.raw_env(**playthrough.arguments, infos="full", render_mode="ansi")
    options = ", ".join(f"{name}={value!r}" for name, value in playthrough.options.items())
    yield from _wrapped("reset", f"(seed={playthrough.seed}, options: {options or 'none'})", "")
    env.reset(seed=playthrough.seed, options=dict(playthrough.options))

    actions = iter(playthrough.actions)
    written_hands: set[tuple[int, int]] = set()  # hands whose result has been written
    while env.agents:
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            yield from _farewell(env, agent)
            env.step(None)
            continue
        action = next(actions, None)
        if action is None:
            raise ValueError(f"{playthrough.name}: the script ends before the game")
        yield from _decision(env, agent, action)
        env.step(action)
        rewards = {name: reward for name, reward in env.rewards.items() if reward}
        yield from _results(env, written_hands)
        if rewards:
            yield from _wrapped("rewards", _pairs(rewards))
    if next(actions, None) is not None:
        raise ValueError(f"{playthrough.name}: the game ends before the script")


def _decision(env: nlhe_env.raw_env, agent: str, action: int) -> Iterator[str]:
    observation = env.observe(agent)
    info = {name: value for name, value in env.infos[agent].items() if name != "last_hand"}
    yield ""
    yield "-" * WIDTH
    yield env.render() or ""
    yield from _wrapped("info", _pairs(info))
    yield from _wrapped("sees", "; ".join(_seen(env, observation["observation"])))
    yield from _wrapped("legal", _legal_ids(env, np.flatnonzero(observation["action_mask"])))
    yield f"{agent} does {action}: {env.encoding.describe(action)}"


def _legal_ids(env: nlhe_env.raw_env, ids: np.ndarray) -> str:
    """Every legal id with its meaning; raises in chips as a range."""
    if env.encoding.fractions or len(ids) <= 5:
        return ", ".join(f"{i} {env.encoding.describe(int(i))}" for i in ids)
    small = [int(i) for i in ids if i < 2]
    large = [int(i) for i in ids if i >= 2]
    assert large == list(range(large[0], large[-1] + 1))
    words = [f"{i} {env.encoding.describe(i)}" for i in small]
    return ", ".join([*words, f"{large[0]}..{large[-1]} raise to n"])


def _seen(env: nlhe_env.raw_env, vector: np.ndarray) -> Iterator[str]:
    """The fields of an observation that are not all zero, in words where possible."""
    seats = env.game.seats(env.num_players)
    for part in env.parts:
        values = vector[part.start : part.stop]
        if not values.any():
            continue
        if part.name in {"hole_cards", "board"}:
            yield f"{part.name} {nlhe_env.format_cards(np.flatnonzero(values))}"
        elif part.name == "street":
            yield f"street {STREET_NAMES[int(np.flatnonzero(values)[0])]}"
        elif part.name.endswith("_by_street"):
            by_street = zip(STREET_NAMES, values.reshape(4, seats), strict=True)
            streets = [f"{street} {_numbers(row)}" for street, row in by_street if row.any()]
            yield f"{part.name} {', '.join(streets)}"
        else:
            yield f"{part.name} {_numbers(values)}"


def _numbers(values: np.ndarray) -> str:
    return " ".join(f"{value:.5g}" for value in values)


def _results(env: nlhe_env.raw_env, written_hands: set[tuple[int, int]]) -> Iterator[str]:
    """The public results of the hands that have ended since the last time."""
    for info in env.infos.values():
        hand = info.get("last_hand")
        if hand is None or (hand["hand_number"], hand["table"]) in written_hands:
            continue
        written_hands.add((hand["hand_number"], hand["table"]))
        yield ""
        yield f"=== hand {hand['hand_number']} at table {hand['table']} is over"
        yield f"board {hand['board'] or '(none)'}; shown: {_pairs(hand['shown']) or 'nothing'}"
        for pot in hand["pots"]:
            eligible, winners = ", ".join(pot["eligible"]), ", ".join(pot["winners"])
            yield f"pot of {pot['size']} for {eligible}: won by {winners}"
        yield f"net: {_pairs(hand['net'])}"


def _farewell(env: nlhe_env.raw_env, agent: str) -> Iterator[str]:
    _, reward, terminated, truncated, info = env.last()
    how = "terminated" if terminated else "truncated"
    place = f", place {info['place']:g}" if "place" in info else ""
    yield f"{agent} leaves: {how}{place}, reward since its last turn {reward:g}"
    assert terminated != truncated


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"
        for name, value in values.items()
    )


def _wrapped(head: str, text: str, space: str = "  ") -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=f"{head}{space}",
        subsequent_indent=" " * (len(head) + len(space)),
        break_long_words=False,
    )
