"""Builds the book of the no-limit Vexbot: transitions of strength, and its prior counts.

``python -m agents.books.vexbot.nolimit agents/data`` rebuilds the package's file. Transitions of
strength are those of the limit book. The prior counts are learned by a Vexbot without a prior,
exploring widely against a near-equilibrium player.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from agents.books.vexbot.build_book import keep_shares, learn
from agents.players.vexbot import NOLIMIT, VexbotPlayer
from agents.players.vexbot.limit_records import PRIOR as LIMIT_PRIOR
from agents.players.vexbot.nolimit_records import PRIOR
from agents.players.vexbot.player import NOLIMIT_SETTINGS
from agents.players.vexbot.records import MOVES
from agents.policy.player_io import load_player, save_player
from nlhe_env.game.description import Game
from nlhe_env.jit.array_types import Records

_HANDS = 200_000
_WIDTH = 4.0
"""Width of miximix in pots for exploration: all but clear mistakes are played."""
_DATA = Path(__file__).parents[2] / "data"
_SEED = 2006


def make_prior(hands: int = _HANDS) -> Records:
    """Book, ``(1,)`` of dtype ``PRIOR``.

    Args:
        hands: Number of hands for the prior counts, with stacks of 100 big blinds.
    """
    book = np.zeros(1, PRIOR)
    limit = load_player(_DATA / "vexbot.npz").book
    assert limit is not None
    for moves, *_ in MOVES:
        book[moves] = limit.view(LIMIT_PRIOR)[moves]
    book["flop_to_river"] = book["to_turn"] @ book["to_river"]
    teacher = load_player(_DATA / "equilibrium-nolimit.npz")
    pupil = VexbotPlayer(book.view(np.uint8), NOLIMIT, defaults=0.0, width=_WIDTH)
    game = Game.cash(num_hands=hands)
    keep_shares(learn(pupil, teacher, game, seed=_SEED), book)
    return book


def main(folder: str) -> None:
    """Write ``vexbot-nolimit.npz`` into a folder."""
    book = make_prior()
    origin = {"hands": _HANDS, "teacher": "equilibrium-nolimit"}
    player = VexbotPlayer(
        book.view(np.uint8), NOLIMIT, defaults=NOLIMIT_SETTINGS["defaults"], origin=origin
    )
    save_player(Path(folder) / "vexbot-nolimit.npz", player)


if __name__ == "__main__":
    main(*sys.argv[1:])
