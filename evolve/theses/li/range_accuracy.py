"""Accuracy of ASHE 2.3 in finding the range of its opponent's hand.

Source: X. Li (PhD thesis, University of Texas at Austin, 2018), section 8.3.2: a prediction is
correct if the likeliest of the nine ranges contains the opponent's hand. Our reading: it predicts
at each of its own decisions on the river, with the ranges of that board.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import agents
import nlhe_env
from agents.policy.explanations import Explanation
from agents.theses.li.ashe2 import ModelPlayer
from agents.theses.li.boards import N_RANGES, ranges_on
from nlhe_env import Game
from nlhe_env.equity.tables.suits import hole_numbers
from nlhe_env.game.table import RIVER
from nlhe_env.jit.array_types import F32, I64


@dataclass(frozen=True, eq=False)
class RangeAccuracy:
    """Predictions of a session.

    Attributes:
        hands: ``(n,)`` hand number of each prediction, from 0.
        predicted: ``(n,)`` the likeliest range, 0 to 8.
        actual: ``(n,)`` the range of the opponent's hand.
    """

    hands: I64
    predicted: I64
    actual: I64

    def right(self, first_hand: int = 0) -> float:
        """Share of correct predictions from a hand on; nan without predictions."""
        selected = self.hands >= first_hand
        hits = (self.predicted == self.actual)[selected]
        return float(hits.mean()) if len(hits) else float("nan")

    def most_frequent(self, first_hand: int = 0) -> float:
        """Accuracy of always predicting the most frequent range."""
        selected = self.actual[self.hands >= first_hand]
        counts = np.bincount(selected, minlength=N_RANGES)
        return float(counts.max() / len(selected)) if len(selected) else float("nan")


def measure_ranges(
    player: ModelPlayer, opponent: agents.Player, game: Game, *, seed: int = 1
) -> RangeAccuracy:
    """Predictions of a player in a session, and the opponent's actual ranges.

    Args:
        player: ASHE 2.3.
        opponent: Its opponent.
        game: A heads-up cash game of ``num_hands`` hands.
        seed: Seed of cards and the players' own randomness.

    Raises:
        ValueError: The player is not ASHE 2.3, or the game is not a cash game.
    """
    if getattr(player, "version", "") != "2.3":
        raise ValueError(f"only ASHE 2.3 estimates ranges; got {player!r}")
    if not game.is_cash:
        raise ValueError(f"ranges are counted in cash games only; got {game!r}")
    env = nlhe_env.raw_env(game=game, num_players=2, actions="chips")
    me, other = env.possible_agents
    seats = agents.Lineup(env, {me: player, other: opponent})
    env.reset(seed=seed)
    found = []
    while env.agents and not (env.terminations[me] or env.truncations[me]):
        agent, table = env.agent_selection, env.tables[0]
        action = seats.action()
        if agent == me and table["street"] == RIVER:
            own, theirs, board = _cards(table)
            ranges, weights = ranges_on(own, board), _weights(seats.explanation())
            chances = np.bincount(ranges[ranges >= 0], weights[ranges >= 0], N_RANGES)
            low, high = sorted(theirs)
            actual = ranges[hole_numbers(high, low)]
            found.append((int(env.game_record["hands"][0]), int(chances.argmax()), int(actual)))
        env.step(action)
    columns = np.array(found, np.int64).reshape(-1, 3).T
    return RangeAccuracy(*columns)


def _weights(explanation: Explanation | None) -> F32:
    """Weights of the opponent's holdings."""
    if explanation is None:
        raise RuntimeError("a player with ranges explains nothing")
    return next(iter(explanation.ranges.values()))


def _cards(table: np.void) -> tuple[list[int], list[int], list[int]]:
    """Card codes of the player to act, the opponent and the board."""
    cards, seat, seats = table["cards"], int(table["actor"]), int(table["seats"])
    other = next(i for i in range(seats) if i != seat and table["player"][i] >= 0)
    own, theirs = (cards[2 * i : 2 * i + 2].tolist() for i in (seat, other))
    return own, theirs, cards[2 * seats : 2 * seats + 5].tolist()
