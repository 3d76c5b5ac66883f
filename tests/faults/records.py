"""Records of tables: put back, asked what if, saved and pickled, with one number changed."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from helpers import drive

import nlhe_env
from nlhe_env import what_if
from nlhe_env.game.table import TABLE

GAMES = (
    (2, {"mode": "cash", "num_hands": 9}),
    (4, {"starting_stack": 400, "blinds": (5, 10, 1)}),
    (6, {"betting": "fixed-limit"}),
    (9, {"table_size": 3, "starting_stack": 200}),
)
ASKED = (what_if.redeal, what_if.run_out, what_if.showdown, what_if.side_pots)


def _games(generator: random.Random) -> Iterator[nlhe_env.raw_env]:
    for players, arguments in GAMES:
        env = nlhe_env.raw_env(players, actions="chips", **arguments)
        env.reset(seed=generator.randrange(10**6))
        for _ in range(generator.randint(0, 6)):
            env.step(1)
        yield env


def damaged(generator: random.Random, number: int, folder: Path) -> Iterator[tuple[str, str]]:
    """Refused, or the game ends with as many chips as it began."""
    for env in _games(generator):
        start, chips = env.save(), int(env.tables["stack"].sum() + env.tables["pot"].sum())
        for name in TABLE.names or ():
            for change in (1, -1, generator.randrange(2, 2**60), -generator.randrange(2, 2**60)):
                record = env.table.copy()
                numbers = np.atleast_1d(record[name])
                if numbers.dtype.kind != "i":
                    continue
                at = tuple(generator.randrange(size) for size in numbers.shape)
                limits = np.iinfo(numbers.dtype)
                wrong = int(numbers[at]) + change
                numbers[at] = min(max(wrong, limits.min), limits.max)
                record[name] = numbers if record[name].shape else numbers[0]
                yield f"{name} {change:+}", _tried(env, record, chips, generator)
                env.restore(start)


def _tried(env: nlhe_env.raw_env, record: np.void, chips: int, generator: random.Random) -> str:
    for ask in ASKED:
        try:
            ask(record)
        except ValueError:
            continue
    try:
        env.set_table(record)
    except ValueError:
        return ""
    drive(env, np.random.default_rng(generator.randrange(10**6)))
    after = int(env.tables["stack"].sum() + env.tables["pot"].sum())
    return "" if after == chips else f"{chips} chips became {after}"


def kept(generator: random.Random, number: int, folder: Path) -> Iterator[tuple[str, str]]:
    """Refused, or byte for byte the same game."""
    for env in _games(generator):
        saved = env.save()
        for array in saved.arrays:
            at = generator.randrange(array.size)
            array.reshape(-1)[at] ^= 1
            try:
                env.restore(saved)
                yield "restore", "a changed game was put back"
            except ValueError:
                yield "restore", ""
            array.reshape(-1)[at] ^= 1
        whole = pickle.dumps(env)
        for part in (env.tables.tobytes(), env.players.tobytes(), env.game_record.tobytes()):
            content = bytearray(whole)
            content[whole.index(part) + generator.randrange(len(part))] ^= 1
            try:
                pickle.loads(content)
                yield "pickle", "a changed game was read"
            except ValueError:
                yield "pickle", ""
