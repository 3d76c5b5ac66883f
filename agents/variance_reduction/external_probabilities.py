"""Lineups that report every decision to an estimator, including those of external players."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from agents.external.chips import ChipPlayer, Turn, describe_turn, is_legal, meaning_of, raise_of
from agents.external.episodes import Lineup
from agents.external.hand_chances import HandChances
from agents.policy.compiled_player import Player
from agents.policy.dispatch import notify_estimator
from agents.policy.player_batch import Seated
from agents.variance_reduction.aivat import record_of
from agents.variance_reduction.aivat_recorder import record_probabilities
from nlhe_env.assessment.estimators.estimator import Estimator
from nlhe_env.envs.aec import raw_env
from nlhe_env.game.player import PlayerRecords
from nlhe_env.game.table import TableRecords
from nlhe_env.jit.array_types import F64, I64, Int, Records
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces.actions import ILLEGAL

_ENOUGH = 1e-6
"""Tolerance for the sum of probabilities."""


class ObservedLineup(Lineup):
    """A lineup that reports every decision to an estimator.

    An external player may report its action probabilities by a method ``chances(turn)``: ``turn``
    is the argument of a ``ChipPlayer``, and the result maps every possible action to its
    probability, ``{FOLD: 0.2, CHECK_OR_CALL: 0.5, 300: 0.3}``. It is called before the decision. A
    player whose results are averaged over other hole cards must also be a ``HandChances``.
    """

    def __init__(self, env: raw_env, players: Mapping[str, Player], estimator: Estimator) -> None:
        super().__init__(env, players)
        self._estimator = estimator

    def action(self) -> int:
        """Action id chosen by the player to act."""
        env, agent = self._env, self._env.agent_selection
        explained_by = (
            None if agent in self.compiled else getattr(self.players[agent], "chances", None)
        )
        probabilities = by_hand = None
        if explained_by is not None:
            player = self.players[agent]
            turn = describe_turn(
                self._env, self.history if isinstance(player, ChipPlayer) else None
            )
            name = getattr(player, "name", agent)
            probabilities = three_classes(explained_by(turn), turn, name)
            is_imagined = env.possible_agents.index(agent) == self._imagined
            if is_imagined and isinstance(player, HandChances):
                by_hand = player.chances_of_hands(turn)
        action_id = super().action()
        action = meaning_of(env, action_id)
        if action == ILLEGAL:  # the environment reports it
            return action_id
        remaining = action, self._seats.for_kernels, self._estimator
        _notify(env.game_record, env.tables, env.players, *remaining)
        if probabilities is not None:
            held, chips = probabilities
            chances = held[np.newaxis]
            if by_hand is not None:
                hands = self._imagined_hands()
                chances, chips = _classes_of_hands(by_hand, hands, turn, name)
                chances[0] = held
            _note(env.game_record, env.tables, action, chances, chips, self._estimator.state)
        return action_id

    @property
    def _imagined(self) -> int:
        """Number of the player averaged over other hole cards, if any."""
        return int(record_of(self._estimator.state)["imagined"])

    def _imagined_hands(self) -> I64:
        """``(n,)`` numbers of that player's possible hands, the actual one first."""
        record = record_of(self._estimator.state)
        hands = np.sort(record["hands"][: int(record["n_hands"])], axis=1)
        numbers: I64 = hands[:, 1] * (hands[:, 1] - 1) // 2 + hands[:, 0]
        return numbers


def _classes_of_hands(
    by_hand: Mapping[int, F64], hands: I64, turn: Turn, name: str
) -> tuple[F64, F64]:
    """``three_classes`` for each of some hands; chips are the mean over hands that raise."""
    found, amounts = [], []
    for number in hands.tolist():
        chances = {action: float(row[number]) for action, row in by_hand.items()}
        total = math.fsum(chances.values()) or 1.0
        classes, chips = three_classes(
            {action: chance / total for action, chance in chances.items()}, turn, name
        )
        found.append(classes)
        if classes[2] > 0:
            amounts.append(chips[2])
    return np.array(found), np.array([0.0, 0.0, np.mean(amounts) if amounts else 0.0])


def three_classes(probabilities: Mapping[int, float], turn: Turn, name: str) -> tuple[F64, F64]:
    """Fold, call and raise probabilities, and the mean chips put in by a raise.

    Args:
        probabilities: Probability of every action.
        turn: The decision.
        name: Name of the player.

    Raises:
        ValueError: They are not a distribution over legal actions.
    """
    values = list(probabilities.values())
    wrong = [action for action in probabilities if not is_legal(turn, action)]
    if (
        wrong
        or any(not 0 <= value <= 1 + _ENOUGH for value in values)
        or abs(math.fsum(values) - 1) > _ENOUGH
    ):
        raise ValueError(
            f"the probabilities of {name} must be for legal actions and sum to 1; got "
            f"{dict(probabilities)}" + (f", where {wrong} are not legal" if wrong else "")
        )
    chances, amount = np.zeros(3), 0.0
    bet = turn["seats"][turn["seat"]]["bet"]
    for action, chance in probabilities.items():
        chances[min(action, 2)] += chance
        if action >= 2:
            amount += chance * (raise_of(turn, action) - bet)
    chips = np.zeros(3)
    if chances[2] > 0:
        chips[2] = amount / chances[2]
    return chances / chances.sum(), chips


@kernel
def _notify(
    game: Records,
    tables: TableRecords,
    players: PlayerRecords,
    action: Int,
    seated: Seated,
    estimator: Estimator,
) -> None:
    notify_estimator(game[0], tables, players, action, seated, estimator)


@kernel
def _note(
    game: Records, tables: TableRecords, action: Int, chances: F64, chips: F64, state: I64
) -> None:
    record_probabilities(tables[game[0].table], action, chances, chips, state)
