"""Replay of a hand from elsewhere through compiled players: memories and action probabilities."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.dispatch import ask, begin_hand, begin_session, notify_table
from agents.policy.events import ACTED
from agents.policy.likelihood import Likelihoods, write_chances_of_action
from agents.policy.player_batch import pack_players
from nlhe_env.equity.calculator.spot import HOLES
from nlhe_env.equity.tables.suits import N_HOLES
from nlhe_env.game.betting import amount_to_call
from nlhe_env.game.player import PLAYER
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, TABLE
from nlhe_env.game.tournament import note_action
from nlhe_env.hand_history import Hand, play_hand
from nlhe_env.jit.array_types import F32, F64, Records
from nlhe_env.jit.compilation import kernel

_WORDS = {"fold": FOLD, "check": CHECK_OR_CALL, "call": CHECK_OR_CALL}


class _Decision(NamedTuple):
    """A decision that has fallen."""

    table: Records
    """``(1,)`` before it."""
    memory: F32
    """Memory of all players."""
    action: int


class HandReplay:
    """The hand up to now, with the same player in every place.

    Args:
        player: The player. What it remembers of earlier hands is not known here.
        hand: Broken off where a player is to act.
        number: Number of the hand in its session.
        before_action: Called wherever a player is to act, before players learn of the action.

    Raises:
        HandError: The hand is not possible.
    """

    def __init__(
        self,
        player: CompiledPlayer,
        hand: Hand,
        *,
        number: int = 0,
        before_action: Callable[[HandReplay], None] | None = None,
    ) -> None:
        n = len(hand.stacks)
        self._field = pack_players([player] * n)
        self._tables = self._field.strength_tables()
        self._work = self._field.work_arrays()
        self._asking = Likelihoods.new()
        self._players = np.zeros(n, PLAYER)
        self._moments: list[_Decision] = []
        remaining = self._field.arrays, self._tables, self._work
        self._now = np.zeros(1, TABLE)
        for step in play_hand(hand):
            before, table = self._now, np.array([step.table])
            table["hand"] = number
            if step.event is None:
                begin_session(table, *remaining)
                _begin_hand(table, *remaining)
            else:
                if before_action is not None:
                    before_action(self)
                action = int(step.event.get("to", _WORDS.get(step.event["action"], FOLD)))
                self._moments.append(_Decision(before, self._work.memory.copy(), action))
                _notify_action(before, table, action, self._players, *remaining)
            self._now = table

    @property
    def table(self) -> np.void:
        """The record of the table where a player is to act."""
        record: np.void = self._now[0]
        return record

    def choices(self) -> list[tuple[int, float]]:
        """Actions and weights that the player to act chooses from; for one that names amounts."""
        offered = self.offered()
        n = int(offered["n"])
        pairs = zip(offered["action"][:n].tolist(), offered["chance"][:n].tolist(), strict=True)
        return list(pairs) or [(CHECK_OR_CALL, 1.0)]

    def offered(self) -> np.void:
        """The list of choices of the player to act, a record of dtype ``CHOICES``."""
        player = int(self.table["actor"])
        _ask(self._field.arrays, player, self._now, self._players, self._tables, self._work)
        record: np.void = self._work.choices[0]
        return record

    def chances(self, action: int) -> F64:
        """``(1326,)``: with which chance the player to act takes an action with each hand."""
        now = self._now.copy()
        return self._chances(_Decision(now, self._work.memory.copy(), action))

    def reach(self, place: int, street: int, tremble: float = 0.0) -> F64:
        """Reach probability of each hand of a player at a street, by its own actions.

        Args:
            place: Place of the player in the hand.
            street: Only decisions on earlier streets count.
            tremble: In so many cases the player does what was seen whatever it holds.

        Returns:
            ``(1326,)``, the hand of cards a > b at C(a, 2) + b.
        """
        reach = np.ones(N_HOLES)
        for moment in self._moments:
            table = moment.table[0]
            if table["actor"] == place and table["street"] < street:
                reach *= tremble + (1.0 - tremble) * self._chances(moment)
        return reach

    def _chances(self, moment: _Decision) -> F64:
        """``(1326,)`` of the action of a moment."""
        now = self._work.memory.copy()
        self._work.memory[:] = moment.memory
        chances = np.zeros(N_HOLES)
        _write_chances(
            self._field.arrays,
            int(moment.table[0]["actor"]),
            moment.table.copy(),
            self._players,
            moment.action,
            HOLES,
            np.arange(N_HOLES),
            self._tables,
            self._work,
            self._asking,
            chances,
        )
        self._work.memory[:] = now
        return chances


@kernel
def _begin_hand(tables, field, strength_tables, work):
    begin_hand(tables[0], field, strength_tables, work)


@kernel
def _notify_action(before, after, action, players, field, strength_tables, work):
    """Notify of an action between two moments of a table."""
    table, event = before[0], work.event[0]
    note_action(table, players, action)
    event.seat = table.actor
    event.street = table.street
    event.action = action
    event.pot = table.pot
    event.to_call = amount_to_call(table)
    event.chips = table.stack[table.actor] - after[0].stack[table.actor]
    notify_table(ACTED, after[0], field, strength_tables, work)


@kernel
def _ask(field, player, tables, players, strength_tables, work):
    ask(field, player, tables[0], players, strength_tables, work)


@kernel
def _write_chances(
    field,
    player,
    tables,
    players,
    action,
    holes,
    numbers,
    strength_tables,
    work,
    likelihoods,
    chances,
):
    write_chances_of_action(
        field,
        player,
        tables[0],
        players,
        action,
        holes,
        numbers,
        strength_tables,
        work,
        likelihoods,
        chances,
    )
