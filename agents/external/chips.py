"""Players that get the complete public table and bet amounts in chips.

They play in environments with actions in chips or pot fractions, where a raise becomes the nearest
legal amount.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlhe_env.arguments import action_id, shown
from nlhe_env.envs.aec import raw_env
from nlhe_env.envs.step_kernels import action_of
from nlhe_env.errors import IllegalActionError
from nlhe_env.game import table as game_table
from nlhe_env.game.table import ACTIVE, ALL_IN, FOLDED, NO_PLAYER, TableRecords
from nlhe_env.jit.array_types import F64, Int, Records
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces import actions
from nlhe_env.spaces.actions import ILLEGAL

__all__ = [
    "CHECK_OR_CALL",
    "FOLD",
    "ChipPlayer",
    "Turn",
    "describe_turn",
    "is_legal",
    "plain_facts",
]

FOLD, CHECK_OR_CALL = 0, 1
"""Action ids with ``actions="chips"``, and in every other encoding."""

Turn = dict[str, Any]
"""A decision in plain values, see ``describe_turn``."""

_STATES = {ACTIVE: "in", ALL_IN: "all-in", FOLDED: "folded"}
_NOT_OF_THE_TURN = ("last_hand", "place")
_MOST_CHIPS = np.iinfo(np.int64).max


class ChipPlayer(ABC):
    """Base class of players that bet in chips; implement ``decide``.

    ``agents.play_episode`` and ``agents.Lineup`` call ``decide`` with the result of
    ``describe_turn``. ``act`` is for custom loops over an environment with ``actions="chips"``;
    there the turn contains only the info.
    """

    @abstractmethod
    def decide(self, turn: Turn) -> int:
        """Choose an action id as with ``actions="chips"``.

        The result is ``FOLD`` (0), ``CHECK_OR_CALL`` (1) or n >= 2 for a raise to n chips on this
        street; 2 is also the all-in with a single chip.
        """

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """Id of the chosen action in an environment with ``actions="chips"``.

        Raises:
            ValueError: The environment has another action encoding.
            IllegalActionError: The result of ``decide`` is not an action.
        """
        check_full(info)
        n_actions = len(observation["action_mask"])
        if n_actions <= info["max_raise_to"]:
            raise ValueError(
                'a player that returns chips needs actions="chips", or agents.play_episode; got '
                f"{n_actions} actions"
            )
        name = getattr(self, "name", type(self).__name__)
        return checked_answer(self.decide(plain_facts(info)), name)


def plain_facts(info: Mapping[str, Any]) -> Turn:
    """Entries of an info about the current decision, without the result of an earlier hand."""
    return {name: value for name, value in info.items() if name not in _NOT_OF_THE_TURN}


def check_full(info: Mapping[str, Any]) -> None:
    """Check that an info contains the cards.

    Raises:
        ValueError: The info is from an environment with reduced infos.
    """
    if "hole_cards" not in info:
        raise ValueError(
            'the info of a turn must be full: make the environment with infos="full", give '
            "env.unwrapped.full_info(), or seat the player by agents.play_episode"
        )


def checked_answer(answer: Any, name: str) -> int:
    """Checked answer of ``decide``, an id in chips; it need not be legal now.

    Integers of NumPy are whole chips; floats and truth values are not.

    Args:
        answer: Any object.
        name: Name of the player.

    Raises:
        IllegalActionError: The answer is not an action.
    """
    action = whole_or_illegal(answer)
    if not FOLD <= action <= _MOST_CHIPS:
        raise IllegalActionError(
            f"{name} returned {shown(answer)}; expected agents.FOLD, agents.CHECK_OR_CALL or a "
            "whole number of chips to raise to"
        )
    return action


def whole_or_illegal(value: Any) -> int:
    """The value if ``env.step`` accepts its type as an action, otherwise ``ILLEGAL``."""
    try:
        return action_id(value)
    except TypeError:
        return ILLEGAL


def whole_id(answer: Any, name: str) -> int:
    """Action id answered by a player; it need not be legal now.

    Raises:
        IllegalActionError: The answer is not an action id.
    """
    try:
        return action_id(answer)
    except TypeError:
        raise IllegalActionError(
            f"{name} returned {shown(answer)}; expected the id of an action, a whole number"
        ) from None


def meaning_of(env: raw_env, action_id: Any) -> int:
    """Game action for an id, which may be any object; ``ILLEGAL`` if there is none."""
    number = whole_or_illegal(action_id)
    if not 0 <= number <= _MOST_CHIPS:
        return ILLEGAL
    return int(action_of(env.game_record, env.tables, env.encoding.kind, env.fractions, number))


def is_legal(turn: Turn, action_id: int) -> bool:
    """Whether an id in chips is legal for the player to act."""
    if action_id == FOLD:
        return bool(turn["to_call"] > 0)
    if action_id == CHECK_OR_CALL:
        return True
    least, most = turn["min_raise_to"], turn["max_raise_to"]
    return bool(least > 0 and chips_id_of(least) <= action_id <= chips_id_of(most))


def raise_of(turn: Turn, action_id: int) -> int:
    """Amount raised to by an id in chips of 2 or more; 2 may be an all-in with one chip."""
    return 1 if action_id == 2 and turn["max_raise_to"] == 1 else action_id


def game_action_of(turn: Turn, action_id: int) -> int:
    """Game action for an id in chips."""
    known = {FOLD: game_table.FOLD, CHECK_OR_CALL: game_table.CHECK_OR_CALL}
    return known[action_id] if action_id in known else raise_of(turn, action_id)


def describe_turn(env: raw_env, history: Sequence[Mapping[str, Any]] | None) -> Turn:
    """All information available to the player to act, as plain values.

    Args:
        env: An environment with a player to act.
        history: Earlier actions of the hand, if recorded.

    Returns:
        The info of the turn; ``seat``, ``small_blind`` and ``ante``; ``seats``, for each seat
        ``None`` or ``{"player", "stack", "bet", "in_pot", "state"}`` with chips behind, put in on
        this street and put in during the hand, and the state ``"in"``, ``"all-in"``,
        ``"folded"`` or ``"out"`` (not dealt in); and ``history``.
    """
    table = env.table
    names = env.possible_agents
    columns = [table[field].tolist() for field in ("stack", "street_bet", "hand_bet", "status")]
    players = table["player"].tolist()[: int(table["seats"])]
    seats = [
        None
        if player == NO_PLAYER
        else {
            "player": names[player],
            "stack": stack,
            "bet": bet,
            "in_pot": in_pot,
            "state": _STATES.get(status, "out"),
        }
        for player, stack, bet, in_pot, status in zip(players, *columns, strict=False)
    ]
    return {
        **plain_facts(env.full_info()),
        "seat": int(table["actor"]),
        "small_blind": int(table["small_blind"]),
        "ante": int(table["ante"]),
        "seats": seats,
        "history": None if history is None else list(history),
    }


def chips_id_of(action: int) -> int:
    """Id with ``actions="chips"`` for a game action."""
    known = {game_table.FOLD: FOLD, game_table.CHECK_OR_CALL: CHECK_OR_CALL}
    return known.get(action, max(action, 2))  # 2 also stands for the last chip


@kernel
def id_of(game: Records, tables: TableRecords, encoding: Int, fractions: F64, action: Int) -> Int:
    """Id of an action in chips or pot fractions; a raise becomes the nearest legal one."""
    return actions.nearest_id(tables[game[0].table], encoding, fractions, action)
