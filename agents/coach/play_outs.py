"""Play-outs of a decision: winnings of the player after each of several actions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.policy.dispatch import act_and_notify, any_has_memory, play_on
from agents.policy.hand_replay import Snapshot
from agents.policy.player_batch import Seated
from nlhe_env.assessment.estimators.estimator import Estimator
from nlhe_env.game import tournament
from nlhe_env.game.description import GameArrays
from nlhe_env.game.table import TableRecord
from nlhe_env.jit.array_types import F64, I64, Int
from nlhe_env.jit.compilation import kernel


class Deals(NamedTuple):
    """Possible hidden cards."""

    seats: I64
    """``(k,)`` seats of the opponents still in the hand."""
    holes: I64
    """``(n, k, 2)`` hole cards of these opponents."""
    boards: I64
    """``(n, 10)`` board cards, the last five for a second board."""


@kernel
def play_actions(
    decision: Snapshot,
    deals: Deals,
    actions: I64,
    arrays: GameArrays,
    seated: Seated,
    no_estimator: Estimator,
    won: F64,
) -> None:
    """Play out each action with each deal.

    For each deal, all actions share the cards and the players' random numbers.

    Args:
        decision: The decision.
        deals: The hidden cards.
        actions: ``(a,)`` legal actions of the game.
        arrays: Arrays of a game for this number of players, overwritten.
        seated: The players.
        no_estimator: Of ``no_estimator``.
        won: ``(n, a)`` chips won in the whole hand by the player to act, written.
    """
    game, tables, players, _ = arrays
    notifies = any_has_memory(seated.batch)
    seat = decision.table[0].actor
    for i in range(len(deals.holes)):
        for a in range(len(actions)):
            tables[0] = decision.table[0]
            for j in range(len(players)):
                players[j] = decision.players[j]
            _deal(tables[0], deals, i)
            for j in range(decision.memory.shape[0]):
                for k in range(decision.memory.shape[1]):
                    seated.work.memory[j, k] = decision.memory[j, k]
            seated.work.event[0].hand_runs = 1
            game[0].decision_tournament = i
            tournament.resume(game[0], tables)
            act_and_notify(game[0], tables, players, actions[a], seated, notifies)
            play_on(arrays, seated, notifies, no_estimator)
            won[i, a] = np.float64(tables[0].won[seat] - tables[0].hand_bet[seat])


@kernel
def _deal(table: TableRecord, deals: Deals, i: Int) -> None:
    """Put the cards of a deal on the table."""
    for k in range(len(deals.seats)):
        for c in range(2):
            table.cards[2 * deals.seats[k] + c] = deals.holes[i, k, c]
    for c in range(deals.boards.shape[1]):
        table.cards[2 * table.seats + c] = deals.boards[i, c]
    table.strength_key[:] = 0  # drop the cache for other cards
