"""Bits flipped in .npz and .npy files: reported as damage, or harmless."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import agents
from evolve.files.safe import DamagedFileError, read_arrays, write_arrays
from nlhe_env.equity.tables import store
from nlhe_env.errors import TableFileError


def flipped(generator: random.Random, number: int, folder: Path) -> Iterator[tuple[str, str]]:
    """One to three bits at a time, most of them in headers and directories."""
    warnings.simplefilter("ignore")  # NumPy mends some headers, and says so
    state, player, tables = folder / "state.npz", folder / "player.npz", folder / "tables.npy"
    arrays = {"weights": np.arange(40.0), "about": np.array("text")}
    write_arrays(state, arrays)
    agents.save_player(player, agents.make("old-best"))
    np.save(tables, np.zeros(1, store.TABLES))
    with tables.open("r+b") as file:
        file.truncate(4000)

    def read_state() -> str:
        same = all((read_arrays(state)[name] == array).all() for name, array in arrays.items())
        return "" if same else "other numbers were read"

    def read_tables() -> str:
        store.open_tables(tables)
        return "cut tables were opened"

    def read_player() -> str:
        agents.load_player(player)
        return ""

    for path, read, refusal in (
        (state, read_state, DamagedFileError),
        (player, read_player, ValueError),
        (tables, read_tables, TableFileError),
    ):
        whole = path.read_bytes()
        for _ in range(1000):
            content = bytearray(whole)
            for _ in range(generator.randint(1, 3)):
                end = generator.choice((min(300, len(whole)), len(whole)))
                at = generator.randrange(end)
                at = len(whole) - 1 - at if generator.random() < 0.5 else at
                content[at] ^= 1 << generator.randrange(8)
            path.write_bytes(content)
            yield path.name, _difference(read, refusal)


def _difference(read: Callable[[], str], refusal: type[Exception]) -> str:
    try:
        return read()
    except refusal:
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"
