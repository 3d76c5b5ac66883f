"""Players that think in chips: told the whole public table, they answer with an amount.

They play in environments with actions in chips or in pot fractions, where a raise goes to the
nearest legal amount.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from nlhe_env.envs.aec import raw_env
from nlhe_env.game.table import ACTIVE, ALL_IN, CHECK_OR_CALL, FOLD, FOLDED, NOBODY
from nlhe_env.machine.compilation import kernel
from nlhe_env.spaces import actions

__all__ = [
    "CHECK_OR_CALL",
    "FOLD",
    "ChipPlayer",
    "Turn",
    "describe_turn",
    "is_legal",
    "plain_facts",
]

Turn = dict[str, Any]
"""A decision in plain values, see ``describe_turn``."""

_STATES = {ACTIVE: "in", ALL_IN: "all-in", FOLDED: "folded"}
_NOT_OF_THE_TURN = ("last_hand", "place")


class ChipPlayer(ABC):
    """A player that answers in chips; subclass it and write ``decide``.

    ``agents.play_episode`` and ``agents.Lineup`` ask ``decide``, with all of ``describe_turn``.
    ``act`` serves loops of your own over an environment with ``actions="chips"``; there the turn
    has the info alone.
    """

    @abstractmethod
    def decide(self, turn: Turn) -> int:
        """``FOLD``, ``CHECK_OR_CALL`` or n >= 1: raise to n, the chips put in on this street."""

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """The id of the chosen action, in an environment with ``actions="chips"``.

        Raises:
            ValueError: The environment has another action encoding.
        """
        check_full(info)
        n_actions = len(observation["action_mask"])
        if n_actions <= info["max_raise_to"]:
            raise ValueError(
                'a player that answers in chips needs actions="chips", or agents.play_episode; '
                f"got {n_actions} actions"
            )
        return chips_id_of(self.decide(plain_facts(info)))


def plain_facts(info: Mapping[str, Any]) -> Turn:
    """What an info says about the decision at hand, without the result of an earlier hand."""
    return {name: value for name, value in info.items() if name not in _NOT_OF_THE_TURN}


def check_full(info: Mapping[str, Any]) -> None:
    """Make sure that an info tells the cards.

    Raises:
        ValueError: It is that of an environment whose infos say less.
    """
    if "hole_cards" not in info:
        raise ValueError(
            'the info of a turn must be full: make the environment with infos="full", give '
            "env.unwrapped.full_info(), or seat the player by agents.play_episode"
        )


def is_legal(turn: Turn, action: int) -> bool:
    """Whether the player to act may do this."""
    if action == FOLD:
        return bool(turn["to_call"] > 0)
    if action == CHECK_OR_CALL:
        return True
    return bool(0 < turn["min_raise_to"] <= action <= turn["max_raise_to"])


def describe_turn(env: raw_env, history: Sequence[Mapping[str, Any]] | None) -> Turn:
    """All that the player to act may know, in plain values.

    Args:
        env: In which somebody is to act.
        history: The actions of the hand so far, where somebody has followed them.

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
        if player == NOBODY
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
    """The id with ``actions="chips"`` of an action of the game."""
    return {FOLD: 0, CHECK_OR_CALL: 1}.get(action, max(action, 2))  # 2: the last chip, too


@kernel
def id_of(game, tables, encoding, fractions, action):
    """The id, in chips or pot fractions, of an action; of a raise the nearest that is legal."""
    return actions.nearest_id(tables[game[0].table], encoding, fractions, action)
