"""A player's actions on a river with every hand, as a strategy of the solved game."""

import dataclasses

import numpy as np

from agents.policy.hand_replay import HandReplay
from agents.solvers.public_tree import DECISION
from nlhe_env.game.table import CHECK_OR_CALL, FOLD
from nlhe_env.hand_history.record import CALL, RAISE, Action
from nlhe_env.hand_history.record import FOLD as FOLDS

_KINDS = {FOLD: FOLDS, CHECK_OR_CALL: CALL}


def strategy_of(player, hand, street, spot):
    """``(rows, H)`` chances of a compiled player's actions in ``spot.game()``.

    Args:
        player: A compiled one.
        hand: Broken off at the first decision of the river.
        street: ``find_street(hand, "river")``.
        spot: ``street.spot(...)``.
    """
    game = spot.game()
    tree = game.tree
    columns = []
    for i in range(2):
        cards = np.sort(spot.hands(i), axis=1)
        columns.append(cards[:, 1] * (cards[:, 1] - 1) // 2 + cards[:, 0])
    strategy = np.zeros((tree.rows, int(game.cards.n_hands.max())), np.float32)

    def go(node, hand):
        if tree.kind[node] != DECISION:
            return
        seat = street.seats[int(tree.actor[node])]
        replay = HandReplay(player, hand)
        assert int(replay.table["actor"]) == seat
        for i, child in enumerate(tree.children(node)):
            step = int(tree.step[child])
            chances = replay.chances(step)[columns[int(tree.actor[node])]]
            strategy[int(tree.row[node]) + i, : len(chances)] = chances
            kind = _KINDS.get(step, RAISE)
            action = Action(seat, kind, step if kind == RAISE else 0, 5)
            go(child, dataclasses.replace(hand, actions=(*hand.actions, action)))

    go(0, hand)
    return game, game.normalised(strategy)


def mixed(game, first, second):
    """The strategies of player 0 from one array, of player 1 from another."""
    chosen = np.array(first)
    for node in np.flatnonzero((game.tree.kind == DECISION) & (game.tree.actor == 1)):
        start = int(game.tree.row[node])
        rows = slice(start, start + int(game.tree.branches[node]))
        chosen[rows] = second[rows]
    return chosen
