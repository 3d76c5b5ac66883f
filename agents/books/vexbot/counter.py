"""Makes the book of the Vexbots that are made against Poki.

``python -m agents.books.vexbot.counter agents/data`` writes the file of the package again, in
three minutes. Its default data are not those of a player near equilibrium: they are what a Vexbot
without any learns of Poki, while it tries nearly everything itself.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from agents.books.vexbot.build_book import LEVELS, fill_defaults
from agents.players.poki.players import alberta_player
from agents.players.vexbot import VexbotPlayer
from agents.players.vexbot.limit_records import PRIOR
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.player_io import load_player, save_player
from nlhe_env.jit.array_types import Records

_HANDS = 30_000
_DATA = Path(__file__).parents[2] / "data"


def make_counter_prior(teacher: CompiledPlayer, hands: int = _HANDS) -> Records:
    """The book, ``(1,)`` of dtype ``PRIOR``, of a player made against another.

    Args:
        teacher: Player that it is made against.
        hands: From which the default data are learnt.
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
