"""A player's actions on the last streets with every hand, as a strategy of the solved game."""

import dataclasses

import numpy as np

from agents.players.blueprint.player import OTHER_PLACE, OTHER_SHARE, PLACE, WHICH
from agents.policy.hand_replay import HandReplay
from agents.solvers.public_tree import CHANCE, DECISION
from nlhe_env.cards import format_cards
from nlhe_env.equity.calculator.spot import HOLES
from nlhe_env.game.table import CHECK_OR_CALL, FOLD
from nlhe_env.hand_history.record import CALL, RAISE, Action
from nlhe_env.hand_history.record import FOLD as FOLDS

_KINDS = {FOLD: FOLDS, CHECK_OR_CALL: CALL}


def strategy_of(player, hand, street, spot, *, of=(0, 1), small_raises="equity"):
    """``(rows, H)`` chances of a compiled player's actions in ``spot.game()``.

    Args:
        player: A compiled one.
        hand: Broken off at the first decision of the turn or the river.
        street: ``find_street(hand, "river")``, or of the turn.
        spot: ``street.spot(...)``.
        of: Who plays like this; the rows of the other have all actions equally likely.
        small_raises: What a blueprint does as far as it reads a raise as a call: ``"equity"`` as it
            plays, ``"call"``, ``"raise"`` to read it as the smallest raise that it knows, or
            ``"less folding"`` for the answers to that raise except folds.
    """
    game = spot.game()
    tree = game.tree
    columns = []
    for i in range(2):
        cards = np.sort(spot.hands(i), axis=1)
        columns.append(cards[:, 1] * (cards[:, 1] - 1) // 2 + cards[:, 0])
    strategy = np.zeros((tree.rows, int(game.cards.n_hands.max())), np.float32)
    sections = () if small_raises == "equity" else player.sections

    def go(nodes, hand):
        """The same node on some rivers, of which the hand has the first."""
        node = nodes[0]
        if tree.kind[node] == CHANCE:
            nodes = tree.children(node)
            board = hand.board + format_cards([river(nodes[0])])
            return go(nodes, dataclasses.replace(hand, board=board))
        if tree.kind[node] != DECISION:
            return None
        decider = int(tree.actor[node])
        if decider in of:
            replay = HandReplay(player, hand)
            assert int(replay.table["actor"]) == street.seats[decider]
            for at in nodes:
                if len(nodes) > 1:
                    table = replay.table
                    table["cards"][2 * int(table["seats"]) + 4] = river(at)
                found = _chances(replay, small_raises, sections)
                for i, child in enumerate(tree.children(at)):
                    if int(tree.step[child]) in found:
                        chances = found[int(tree.step[child])][columns[decider]]
                        strategy[int(tree.row[at]) + i, : len(chances)] = chances
        for following in zip(*map(tree.children, nodes), strict=True):
            step = int(tree.step[following[0]])
            kind = _KINDS.get(step, RAISE)
            chips = step if kind == RAISE else 0
            action = Action(street.seats[decider], kind, chips, len(hand.board) // 2)
            go(list(following), dataclasses.replace(hand, actions=(*hand.actions, action)))
        return None

    def river(node):
        return int(game.cards.new_card[tree.board[node]])

    go([0], hand)
    return game, game.normalised(strategy)


def _chances(replay, small_raises, sections):
    """``(1326,)`` chances of every action of the player to act."""
    found = replay.choices_of_hands()
    if small_raises == "equity":
        return found
    actor, street = int(replay.table["actor"]), int(replay.table["street"])
    memory = replay.seated.work.memory[actor]
    nodes = sections[int(memory[WHICH]) - 1].tree.nodes
    first, second = int(memory[PLACE]) - 1, int(memory[OTHER_PLACE]) - 1
    is_call = [
        place >= 0 and (nodes[place]["street"] > street or nodes[place]["count"] == 0)
        for place in (first, second)
    ]
    if second < 0 or is_call[0] == is_call[1]:
        return found
    share = float(memory[OTHER_SHARE])
    if is_call[1]:
        share = 1.0 - share
    kept = memory.copy()
    memory[PLACE], memory[OTHER_PLACE] = (second if is_call[0] else first) + 1, 0
    as_raise = replay.choices_of_hands()
    memory[:] = kept
    if small_raises == "raise":
        return as_raise
    if small_raises == "less folding":
        folds = as_raise.pop(FOLD, np.zeros(len(HOLES)))
        as_raise[CHECK_OR_CALL] = np.where(folds == 1, 1.0, as_raise.get(CHECK_OR_CALL, 0.0))
        scale = (1.0 - share * folds) / np.where(folds == 1, 1.0, 1.0 - folds)
        scale = np.where(folds == 1, 1.0 - share, scale)
        found = {action: scale * chances for action, chances in as_raise.items()}
        return {FOLD: share * folds, **found}
    mixed = {action: share * chances for action, chances in as_raise.items()}
    mixed[CHECK_OR_CALL] = mixed.get(CHECK_OR_CALL, 0.0) + 1.0 - share
    return mixed


def mixed(game, first, second):
    """The strategies of player 0 from one array, of player 1 from another."""
    chosen = np.array(first)
    for node in np.flatnonzero((game.tree.kind == DECISION) & (game.tree.actor == 1)):
        start = int(game.tree.row[node])
        rows = slice(start, start + int(game.tree.branches[node]))
        chosen[rows] = second[rows]
    return chosen
