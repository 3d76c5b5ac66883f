"""Actions of a player on every street against an opponent, as in table 4-3 of ASHE.

Source: X. Li (PhD thesis, University of Texas at Austin, 2018), section 4.3.2. Frequencies are
relative to opportunities: decisions in which a raise was legal, and decisions after a bet or raise
of the opponent on the street for folds. The size of a raise is the raiser's total in the hand minus
the opponent's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import agents
import nlhe_env
from nlhe_env import Game
from nlhe_env.game.table import STREET_NAMES
from nlhe_env.jit.array_types import F64, I64
from nlhe_env.spaces.actions import CALL_ID


@dataclass(frozen=True, eq=False)
class ActionStatistics:
    """Actions of a player in some hands.

    Attributes:
        hands: Number of hands.
        raises: ``(4,)`` raises on every street.
        could_raise: ``(4,)`` decisions with a legal raise on every street.
        raised: ``(4,)`` sums of the sizes of the raises, in big blinds.
        folds: Folds after bets or raises of the opponent.
        faced: Decisions after bets or raises of the opponent.
        opponent_raises: Bets and raises of the opponent.
    """

    hands: int
    raises: I64
    could_raise: I64
    raised: F64
    folds: int
    faced: int
    opponent_raises: int

    @property
    def raise_frequency(self) -> F64:
        """``(4,)`` raises per opportunity on every street; nan without one."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.raises / self.could_raise)

    @property
    def mean_raise(self) -> F64:
        """``(4,)`` mean size of a raise in big blinds; nan without one."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.raised / self.raises)

    @property
    def fold_frequency(self) -> float:
        """Folds per bet or raise faced; nan without one."""
        return self.folds / self.faced if self.faced else float("nan")


def measure_actions(
    player: agents.Player, opponent: agents.Player, game: Game, *, seed: int = 1
) -> ActionStatistics:
    """Actions of a player against an opponent in one session.

    Args:
        player: Player whose actions are counted.
        opponent: Its opponent.
        game: A heads-up cash game of ``num_hands`` hands.
        seed: Seed of cards and the players' own randomness.

    Raises:
        ValueError: The game is not a cash game.
    """
    if not game.is_cash:
        raise ValueError(f"actions are counted in cash games only; got {game!r}")
    env = nlhe_env.raw_env(game=game, num_players=2, actions="chips", infos="full")
    me, other = env.possible_agents
    seats = agents.Lineup(env, {me: player, other: opponent})
    env.reset(seed=seed)
    raises, could = np.zeros(4, np.int64), np.zeros(4, np.int64)
    raised = np.zeros(4)
    folds = faced = opponent_raises = 0
    while env.agents and not _is_over(env):
        agent, table = env.agent_selection, env.tables[0]
        info, action = env.infos[agent], seats.action()
        street = STREET_NAMES.index(info["street"])
        if agent == other:
            opponent_raises += action > CALL_ID
        else:
            could[street] += info["max_raise_to"] > 0
            raises[street] += action > CALL_ID
            if action > CALL_ID:
                raised[street] += (action - int(table["current_bet"])) / game.big_blind
            if table["raises"][street].sum() > table["raises"][street][table["actor"]]:
                faced += 1
                folds += action == 0
        env.step(action)
    return ActionStatistics(
        game.num_hands or 1, raises, could, raised, folds, faced, opponent_raises
    )


def _is_over(env: nlhe_env.raw_env) -> bool:
    agent = env.agent_selection
    return bool(env.terminations[agent] or env.truncations[agent])
