"""Builds the book of the anti-Poki Vexbots.

``python -m agents.theses.billings.vexbot.counter FOLDER`` rebuilds the package's file in three
minutes. Its prior counts are learned by a Vexbot without a prior, exploring widely against Poki
instead of a near-equilibrium player.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.player_io import load_player, save_player
from agents.theses.billings.poki.players import alberta_player
from agents.theses.billings.vexbot import VexbotPlayer
from agents.theses.billings.vexbot.build_book import LEVELS, fill_defaults
from agents.theses.billings.vexbot.records import PRIOR
from nlhe_env.jit.array_types import Records

_HANDS = 30_000
_DATA = Path(__file__).parents[1] / "data"


def make_counter_prior(teacher: CompiledPlayer, hands: int = _HANDS) -> Records:
    """Book, ``(1,)`` of dtype ``PRIOR``, of a Vexbot against a given player.

    Args:
        teacher: The opponent.
        hands: Number of hands for the prior counts.
    """
    usual = load_player(_DATA / "vexbot.npz").book
    assert usual is not None
    book = usual.view(PRIOR).copy()
    for level in LEVELS:
        book[level] = np.float32(0.0)
    fill_defaults(book, teacher, hands)
    return book


def main(folder: str) -> None:
    """Write ``anti-poki.npz`` into a folder."""
    book = make_counter_prior(alberta_player("poki"))
    origin = {"hands": _HANDS, "teacher": "poki"}
    save_player(Path(folder) / "anti-poki.npz", VexbotPlayer(book.view(np.uint8), origin=origin))


if __name__ == "__main__":
    main(*sys.argv[1:])
