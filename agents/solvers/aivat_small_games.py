"""AIVAT in small games, exactly: the variance that is left when every hand is gone through.

N. Burch, M. Schmid, M. Moravcik, D. Morrill, M. Bowling, "AIVAT: A New Variance Reduction Technique
for Agent Evaluation in Imperfect Information Games", AAAI 2018. A value function says what every
state is worth; at each step whose chances are known, the change of value that it brought is
subtracted, and the mean of that (nothing, since the chances are known) is not. No card
is drawn here and no action: the mean and the deviation are those of the game itself.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np

from agents.solvers.public_game import PublicGame
from agents.solvers.public_tree import CHANCE, DECISION, FOLDED
from nlhe_env.arguments import array
from nlhe_env.jit.array_types import F64, AnyArray


@dataclass(frozen=True)
class Spread:
    """A result of player 0 in chips a hand.

    Attributes:
        mean: Mean of the estimate.
        deviation: Standard deviation of a hand.
    """

    mean: float
    deviation: float


def state_values(game: PublicGame, strategy: AnyArray) -> F64:
    """Exact value function of a small game: the value of every state to player 0.

    Args:
        game: Game of a few hands, such as ``leduc()``.
        strategy: Strategies of both players, see ``PublicGame``.

    Returns:
        ``(nodes, H, H)`` chips by the node, the hand of player 0 and that of player 1; 0 where
        they cannot meet.

    Raises:
        ValueError: The game is hold'em, whose states are too many, or the strategy is none.
    """
    _check_small(game)
    strategy = game.checked(strategy)
    tree, met = game.tree, game.cards.meetings[0]
    values = np.zeros((len(tree.kind), *met.shape[1:]))
    for node in reversed(range(len(tree.kind))):
        kind = tree.kind[node]
        if kind == DECISION:
            chances = _chances(game, strategy, node)
            values[node] = _sum(
                chance * values[child]
                for chance, child in zip(chances, tree.children(node), strict=True)
            )
        elif kind == CHANCE:
            values[node] = _mean_of_cards(game, node, values)
        elif kind == FOLDED:
            stake = tree.stake[node] if tree.actor[node] == 1 else -tree.stake[node]
            values[node] = np.where(met[tree.board[node]] > 0, stake, 0.0)
        else:
            board = tree.board[node]
            values[node] = tree.stake[node] * _divide(game.cards.outcomes[0, board], met[board])
    return values


def small_game_aivat(
    game: PublicGame,
    strategy: AnyArray,
    *,
    values: F64 | None = None,
    cards: bool = True,
    known: Collection[int] = (0, 1),
    imagined: int | None = None,
) -> Spread:
    """Mean and deviation of a hand of a small game by AIVAT, without any sampling.

    Args:
        game: Game of a few hands, such as ``leduc()``.
        strategy: Strategies of both players.
        values: The value function, as ``state_values`` gives it, the default.
        cards: Whether chance events are corrected for.
        known: Players whose actions are corrected for; the others' probabilities are not used.
        imagined: A known player whose hand is averaged over all that it could hold, each as likely
            as its own actions say (imaginary observations).

    Raises:
        ValueError: The game is hold'em, a hand is imagined of a player who is not known, or an
            array is none of this game.

    >>> from agents.solvers import kuhn
    >>> game = kuhn()
    >>> result = small_game_aivat(game, game.uniform())
    >>> round(result.mean, 3), round(result.deviation, 3)
    (0.125, 0.0)
    """
    _check_small(game)
    if imagined is not None and imagined not in known:
        raise ValueError(
            f"imagined must be one of the known players, {sorted(known)}; got {imagined}"
        )
    truth = state_values(game, strategy)
    wanted = truth if values is None else array("values", values, truth.shape)
    strategy = game.checked(strategy)
    tree, met = game.tree, game.cards.meetings[0]
    likely = np.zeros_like(wanted)  # how likely hands are to reach a node, by known chances
    reaches = np.zeros_like(wanted)
    likely[0] = reaches[0] = met[tree.board[0]]
    corrections = np.zeros_like(wanted)

    def seen(node: int, of_hands: F64) -> F64:
        """Numbers of a node, averaged over the hands of the imagined player, if there is one."""
        if imagined is None:
            return of_hands
        weights = likely[node].sum(axis=imagined, keepdims=True)
        return _divide((likely[node] * of_hands).sum(axis=imagined, keepdims=True), weights)

    if cards:
        corrections[0] = seen(0, wanted[0]) - (likely[0] * wanted[0]).sum() / likely[0].sum()
    for node in np.flatnonzero((tree.kind == DECISION) | (tree.kind == CHANCE)).tolist():
        children = tree.children(node)
        if tree.kind[node] == DECISION:
            player = int(tree.actor[node])
            chances = _chances(game, strategy, node)
            counts = player in known
            mean = _sum(chance * wanted[i] for chance, i in zip(chances, children, strict=True))
            for chance, child in zip(chances, children, strict=True):
                reaches[child] = reaches[node] * chance
                likely[child] = likely[node] * (chance if player == imagined else 1.0)
        else:
            counts = cards
            mean = _mean_of_cards(game, node, wanted)
            for child in children:
                new = _divide(met[tree.board[child]], met[tree.board[node]])
                reaches[child], likely[child] = reaches[node] * new, likely[node] * new
        for child in children:
            corrections[child] = corrections[node]
            if counts:
                corrections[child] += seen(child, wanted[child]) - seen(node, mean)
    total, squares = 0.0, 0.0
    for node in np.flatnonzero((tree.kind != DECISION) & (tree.kind != CHANCE)).tolist():
        found = seen(node, truth[node]) - corrections[node]
        total += float((reaches[node] * found).sum())
        squares += float((reaches[node] * found**2).sum())
    return Spread(total, math.sqrt(max(0.0, squares - total**2)))


def _check_small(game: PublicGame) -> None:
    if not game.cards.meetings.shape[1]:
        raise ValueError(
            "exact values are for small games such as leduc(); in hold'em use "
            'agents.play(..., variance_reduction="aivat")'
        )


def _chances(game: PublicGame, strategy: AnyArray, node: int) -> list[F64]:
    """For every action a chance for each pair of hands, as an array that broadcasts."""
    tree = game.tree
    first = int(tree.row[node])
    rows = strategy[first : first + int(tree.branches[node])]
    if tree.actor[node] == 0:
        return [row[:, np.newaxis] for row in rows]
    return [row[np.newaxis, :] for row in rows]


def _mean_of_cards(game: PublicGame, node: int, values: F64) -> F64:
    """``(H, H)`` what a state before a card is worth, by the values of those after it."""
    tree, met = game.tree, game.cards.meetings[0]
    weighted = _sum(met[tree.board[child]] * values[child] for child in tree.children(node))
    return _divide(weighted, met[tree.board[node]])


def _sum(arrays: Iterable[F64]) -> F64:
    total: F64 = np.sum(list(arrays), axis=0)
    return total


def _divide(numerator: F64, denominator: F64) -> F64:
    """The quotient, 0 where both are nothing."""
    found: F64 = np.divide(
        numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0
    )
    return found
