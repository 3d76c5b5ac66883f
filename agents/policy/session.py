"""Sessions: consecutive hands of the same players, who may learn about each other.

A player's memory can be copied between hands, restored in any session, or frozen. This separates
the value of what an adaptive player has learned from its further learning.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.dispatch import add_winnings, any_has_memory, begin_session, play_on
from agents.policy.player_batch import Seated, pack_players
from nlhe_env.assessment.estimators.estimator import Estimator, no_estimator
from nlhe_env.cards import N_CARDS
from nlhe_env.game import tournament
from nlhe_env.game.description import Game, GameArrays
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.table import TableRecord
from nlhe_env.jit.array_types import F32, I64, Int
from nlhe_env.jit.compilation import kernel

_NO_BOARDS = np.zeros((0, 5), np.int64)


class Session:
    """Session of compiled players at one table.

    Args:
        players: The players.
        game: A cash game; its number of hands is ignored.
        seed: Seed of cards and the players' random numbers.
        number: Session number under that seed, which selects the cards.
        seat: Seat of the first player, counted from the first seat, for the same cards.
        decisions: Number of the players' random streams under that seed; default: separate streams
            for every seat of every session.

    Attributes:
        memory: ``(n_players, n)`` memories of the players, with rows of the largest length; they
            may be written between hands.

    Raises:
        ValueError: A player does not support the game, or the number of players is invalid.
    """

    def __init__(
        self,
        players: Sequence[CompiledPlayer],
        game: Game,
        *,
        seed: int,
        number: int = 0,
        seat: int = 0,
        decisions: int | None = None,
    ) -> None:
        n_players = len(players)
        batch, self._arrays = pack_players(players), game.arrays(n_players)
        batch.check(self._arrays.tables)
        record = self._arrays.game
        record["seed"] = record["decision_seed"] = make_seed(seed)
        record["tournament"] = number
        record["decision_tournament"] = (
            n_players * number + seat if decisions is None else decisions
        )
        record["max_hands"] = 0
        self._seated = batch.seated(batch.work_arrays())
        self._no_estimator = no_estimator(n_players)
        self.memory = self._seated.work.memory
        _begin(self._arrays, seat, self._seated)

    def play(self, hands: int, *, holds_memory: bool = False) -> I64:
        """Play a number of hands.

        Args:
            hands: Number of hands.
            holds_memory: Restore the first player's memory after every hand.

        Returns:
            ``(hands, n_players)`` chips won by the players.
        """
        return self._play(hands, _NO_BOARDS, holds_memory)

    def play_boards(self, boards: I64) -> I64:
        """Play one hand on each of the given boards.

        Args:
            boards: ``(n, 5)`` card codes; hole cards come from the remaining deck.

        Returns:
            ``(n, n_players)`` chips won by the players.
        """
        return self._play(len(boards), boards, holds_memory=False)

    def _play(self, hands: int, boards: I64, holds_memory: bool) -> I64:
        won = np.zeros((hands, len(self.memory)), np.int64)
        held = self.memory[0, : None if holds_memory else 0].copy()
        _play_hands(self._arrays, boards, held, won, self._seated, self._no_estimator)
        return won


@kernel
def _begin(arrays: GameArrays, seat: Int, seated: Seated) -> None:
    """Seat the players, with empty memories."""
    game, tables, players, levels = arrays
    tournament.start_game(game[0], tables, players, levels, seat)
    begin_session(tables, seated)


@kernel
def _play_hands(
    arrays: GameArrays, boards: I64, held: F32, won: I64, seated: Seated, no_estimator: Estimator
) -> None:
    """Play hands, restoring the held memory of player 0 after each."""
    table, notifies = arrays.tables[0], any_has_memory(seated.batch)
    for i in range(len(won)):
        if i < len(boards):
            _preset(table, boards[i])
        play_on(arrays, seated, notifies, no_estimator)
        add_winnings(table, won[i])
        for j in range(len(held)):  # Numba would copy a slice first, in case of overlap
            seated.work.memory[0, j] = held[j]


@kernel
def _preset(table: TableRecord, board: I64) -> None:
    """Set the board of the next hand."""
    for i in range(N_CARDS):
        table.cards[i] = -1
    for i in range(5):
        table.cards[2 * table.seats + i] = board[i]
    table.preset_cards = 1
