"""Loading the compiled code of a first game at server start, with progress."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from agents.web.catalogue import Catalogue
from agents.web.table.game import GAME_OVER, HUMAN_TO_ACT, LiveGame, name_seats
from agents.web.table.hand_equity import hand_equity
from agents.web.table.setup import GameSetup
from nlhe_env.game.description import Game
from nlhe_env.system.compilation_progress import kernels_compiled

Stage = tuple[str, Callable[[], object]]
"""Display name of a stage, and the function that loads its code."""


class Preparation:
    """Work before a server's first game; other threads may query its progress.

    Args:
        stages: The stages, in order.
    """

    def __init__(self, stages: Sequence[Stage]) -> None:
        self._stages = stages
        self._done = 0
        self._began: float | None = None
        self._kernels_before = 0
        self._finished = threading.Event()

    def run(self) -> None:
        """Do the work; the game repeats a stage that fails."""
        self._kernels_before, self._began = kernels_compiled(), time.monotonic()
        try:
            for _, load in self._stages:
                load()
                self._done += 1
        finally:
            self._finished.set()

    def wait(self) -> None:
        """Wait for the end of the work, if it has started."""
        if self._began is not None:
            self._finished.wait()

    def view(self) -> dict[str, Any]:
        """Plain values for pages.

        Returns:
            ``ready``, and until then ``done`` of ``stages``, ``doing``, the number of compiled
            ``kernels``, and ``seconds`` since the start.
        """
        if self._began is None or self._finished.is_set():
            return {"ready": True}
        return {
            "ready": False,
            "done": self._done,
            "stages": len(self._stages),
            "doing": self._stages[min(self._done, len(self._stages) - 1)][0],
            "kernels": kernels_compiled() - self._kernels_before,
            "seconds": round(time.monotonic() - self._began),
        }


def _play_against(*names: str) -> None:
    """Play a few hands against a person who checks and folds."""
    catalogue = Catalogue()
    seats = ("human", *names)
    players = [None, *map(catalogue.make, names)]
    setup = GameSetup(seats, Game.cash(num_hands=3), seed=1)
    game = LiveGame(setup, players, name_seats(players, seats))
    while game.phase != GAME_OVER:
        if game.phase == HUMAN_TO_ACT:
            game.act_for_absent()
        else:
            game.advance()


def _count_equities() -> None:
    for board in ((), (0, 17, 30)):
        for opponents in (1, 2):
            hand_equity("AsKs", board, opponents)


FIRST_GAME: tuple[Stage, ...] = (
    ("the rules", lambda: _play_against("caller")),
    ("rule players", lambda: _play_against("tight-aggressive")),
    ("formula players", lambda: _play_against("formula")),
    ("networks", lambda: _play_against("old-best")),
    ("equity calculation", _count_equities),
)
"""Stages needed by most first games."""


def warm_up() -> None:
    """Load the compiled code of a first game."""
    Preparation(FIRST_GAME).run()
