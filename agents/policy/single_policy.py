"""A single compiled player, driven by observations and, with memory, by an environment's events.

In compiled games, rules read the table itself. For ``act``, the ``"cards"`` observation is
converted back to a table record, without hidden cards and the betting history within a street,
which no rule may use.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from agents.policy import dispatch
from agents.policy.env_opponents import EnvOpponents
from agents.policy.player_batch import PlayerArrays, Seated, WorkArrays, pack_players
from nlhe_env.arguments import array
from nlhe_env.cards import N_CARDS
from nlhe_env.equity.tables.lookup import StrengthTablesRecord
from nlhe_env.game.random_stream import decision_units
from nlhe_env.game.table import (
    ACTIVE,
    ALL_IN,
    BY_BIG_BLIND,
    BY_EVERYONE,
    EMPTY,
    FOLDED,
    MAX_SEATS,
    MIN_SEATS,
    NO_PLAYER,
    PREFLOP,
    TABLE,
    TableRecord,
    TableRecords,
)
from nlhe_env.jit.array_types import F32, I8, Float, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces import actions
from nlhe_env.spaces.actions import CALL_ID, FIRST_RAISE_ID, N_SIZED
from nlhe_env.spaces.bet_sizing import is_bet_a_call
from nlhe_env.spaces.cards_observation import cards_parts
from nlhe_env.spaces.observations import find_observation

if TYPE_CHECKING:
    from agents.policy.compiled_player import CompiledPlayer
    from nlhe_env import raw_env


_TWO_DECKS = 2 * N_CARDS


def _length(seats: int) -> int:
    return cards_parts(seats)[-1].stop


SEATS_BY_LENGTH = {_length(seats): seats for seats in range(MIN_SEATS, MAX_SEATS + 1)}
"""Number of seats by length of the ``"cards"`` observation."""


@kernel
def read_table(observation: F32, seats: Int, big_blind: Int, table: TableRecord) -> None:
    """Write a table record from the result of ``observation.write_cards`` for the player to act.

    Args:
        observation: ``(115 + 19 * seats,)`` float32.
        seats: Number of seats at the table.
        big_blind: The big blind in chips.
        table: A table record, written except for hidden cards. The observer is in seat 0 and to
            act.
    """
    table.seats = seats
    table.big_blind = big_blind
    table.actor = 0
    table.board_cards = 0
    table.strength_key[0] = 0  # drop the cache for earlier cards
    for card in range(N_CARDS):
        table.cards[card] = -1
    n_hole = 0
    for card in range(N_CARDS):
        if observation[card] > 0:
            table.cards[n_hole] = card
            n_hole += 1
        if observation[N_CARDS + card] > 0:
            table.cards[2 * seats + table.board_cards] = card
            table.board_cards += 1
    at = _TWO_DECKS
    table.street = 0
    for street in range(4):
        if observation[at + street] > 0:
            table.street = street
    at += 4

    table.players = 0
    table.unfolded = 0
    table.active = 0
    table.current_bet = big_blind if table.street == PREFLOP else 0
    table.bets = np.int64(table.street == PREFLOP)
    table.dead_ante = 0
    table.ante_by = BY_EVERYONE
    antes = np.int64(0)
    payers = 0
    for seat in range(seats):
        seated = observation[at + seats + seat] > 0
        if observation[at + seat] > 0:
            table.button = seat
        table.player[seat] = seat if seated else NO_PLAYER
        table.players += seated
        table.status[seat] = EMPTY
        if observation[at + 2 * seats + seat] > 0:
            all_in = observation[at + 3 * seats + seat] > 0
            table.status[seat] = ALL_IN if all_in else ACTIVE
            table.unfolded += 1
            table.active += not all_in
        elif seated:
            table.status[seat] = FOLDED
        table.stack[seat] = _chips(observation[at + 4 * seats + seat], big_blind)
        table.street_bet[seat] = _chips(observation[at + 5 * seats + seat], big_blind)
        table.hand_bet[seat] = _chips(observation[at + 6 * seats + seat], big_blind)
        table.current_bet = max(table.current_bet, table.street_bet[seat])
        ante = table.hand_bet[seat]
        history = at + 7 * seats + 7 + seat
        for street in range(4):
            chips = _chips(observation[history + street * seats], big_blind)
            table.street_chips[street, seat] = chips
            ante -= chips
            table.raises[street, seat] = np.int8(observation[history + (4 + street) * seats])
            table.calls[street, seat] = np.int8(observation[history + (8 + street) * seats])
        table.bets += table.raises[table.street, seat]
        antes += ante
        payers += ante > 0
    at += 7 * seats
    table.pot = _chips(observation[at], big_blind)
    table.small_blind = _chips(observation[at + 4], big_blind)
    table.ante = _chips(observation[at + 5], big_blind)
    if table.ante > 0 and payers < table.players:  # every player pays at least one chip of an ante
        table.ante_by = BY_BIG_BLIND
        table.dead_ante = antes


@kernel
def _chips(big_blinds: Float, big_blind: Int) -> Int:
    """Integer chips; float32 is accurate enough up to some ten million."""
    return np.int64(np.rint(np.float64(big_blinds) * big_blind))


class _Limits(NamedTuple):
    """Legal raises, and the limit up to which raises count as calls."""

    least: int
    """Minimum legal raise; 0 if none."""
    most: int
    """Maximum legal raise."""
    effective_stack: int
    to_call: int
    """Raises up to this amount count as calls; 0 for none."""


class SinglePolicy:
    """A compiled player with its work arrays, for decisions by observation.

    Args:
        player: The player, whose weights must not change afterwards.
    """

    def __init__(self, player: CompiledPlayer) -> None:
        self._player = player
        batch = pack_players([player])
        self._for_kernels = (batch.arrays, batch.strength_tables, batch.work_arrays())
        self._seen = np.zeros(1, TABLE)
        self._env: raw_env | None = None
        self._seats: EnvOpponents | None = None

    def act(
        self, observation: Mapping[str, Any], info: Mapping[str, Any], stream: tuple[int, int, int]
    ) -> int:
        """Id of the chosen action, see ``CompiledPlayer.act``."""
        mask = array("action_mask", observation["action_mask"], (None,), dtype=np.int8)
        kind = self._player.kind
        sees_bets = kind.answers == "amounts" and kind.wants == "inputs"  # inputs hold no chips
        if kind.on_event is not None or kind.checks is not None or sees_bets:
            return self._act_in_company()
        inputs = np.zeros(0, np.float32)
        if kind.answers == "sizes" and len(mask) != N_SIZED:
            raise ValueError(
                f'{self._player.name} chooses among {N_SIZED} actions: use actions="sized", or '
                f"agents.play_episode for any encoding; got {len(mask)} actions"
            )
        if kind.wants == "inputs":
            inputs = self._inputs(observation["observation"])
        elif kind.wants == "table":
            self._read(observation["observation"], info["big_blind"])
        stakes = (0, 0)
        if self._player.interpretation.raise_sizes == "verbatim" and kind.answers == "sizes":
            stakes = (info["effective_stack"], info["to_call"])
        seed, player, episode = stream
        units = decision_units(
            np.uint64(seed), info["decision"], info["hand_number"], player, episode
        )
        action_id = _choose(
            self._seen,
            inputs,
            mask,
            _Limits(info["min_raise_to"], info["max_raise_to"], *stakes),
            units,
            *self._for_kernels,
        )
        if action_id < 0:
            raise ValueError(
                f'{self._player.name} names amounts: use actions="chips" or "sized", or '
                f"agents.play_episode for any encoding; got {len(mask)} actions"
            )
        return int(action_id)

    def follow(self, env: raw_env, agent: str) -> None:
        """Listen to an environment, in addition to its other listeners."""
        seated = env.listener.players if isinstance(env.listener, EnvOpponents) else {}
        self._env = env
        self._seats = EnvOpponents(env, {**seated, agent: self._player})
        self._seats.sit_down(env)

    def _act_in_company(self) -> int:
        if self._env is None or self._seats is None:
            does = "remembers what happens" if self._player.kind.on_event else "has to see the game"
            raise ValueError(
                f"{self._player.name} {does}: call its follow(env, agent) before the environment "
                "is reset, or use agents.play_episode"
            )
        observer = self._env.listener
        return (observer if isinstance(observer, EnvOpponents) else self._seats).action(self._env)

    def _inputs(self, vector: F32) -> F32:
        wanted = self._player.inputs
        size = find_observation(wanted).size
        if np.shape(vector) != (size,):
            raise ValueError(
                f'{self._player.name} needs observation="{wanted}" or FeaturesWrapper; '
                f"got a vector of shape {np.shape(vector)}"
            )
        return array("observation", vector, (size,), dtype=np.float32)

    def _read(self, cards: F32, big_blind: int) -> None:
        seats = SEATS_BY_LENGTH.get(len(cards))
        if seats is None:
            raise ValueError(
                f'{self._player.name} needs observation="cards", or agents.play_episode for any '
                f"observation; got a vector of shape {np.shape(cards)}"
            )
        cards = array("observation", cards, (len(cards),), dtype=np.float32)
        own, board = cards[:N_CARDS] > 0, cards[N_CARDS : 2 * N_CARDS] > 0
        if own.sum() != 2 or board.sum() not in (0, 3, 4, 5) or (own & board).any():
            raise ValueError(
                "observation must show two hole cards, and 0 or 3 to 5 board cards; got "
                f"{own.sum()} and {board.sum()}"
            )
        read_table(cards, seats, big_blind, self._seen[0])


@kernel
def _choose(
    seen: TableRecords,
    inputs: F32,
    mask: I8,
    limits: _Limits,
    units: tuple[Float, Float, Float],
    batch: PlayerArrays,
    strength_tables: StrengthTablesRecord,
    work: WorkArrays,
) -> Int:
    """Action id of the only player of a batch.

    A player that answers with amounts chooses the nearest id of the sized encoding if the mask
    belongs to it, otherwise the id in ``"chips"``; -1 if the mask belongs to neither.
    """
    table, choices = seen[0], work.choices[0]
    seated = Seated(batch, strength_tables, work)
    u, part, place = units
    choices.least = limits.least
    choices.most = limits.most
    if not batch.traits[0].names_amounts:
        for k in range(actions.N_SIZED):
            choices.mask[k] = mask[k]
        dispatch.call_policy(0, table, inputs, seated)
        action_id = dispatch.drawn_id(choices, u)
        if action_id > CALL_ID and is_bet_a_call(
            limits.effective_stack, limits.to_call, action_id - FIRST_RAISE_ID, part, place
        ):
            action_id = np.int64(CALL_ID)
        return action_id
    dispatch.call_policy(0, table, inputs, seated)
    action = dispatch.drawn_amount(choices, table, u, part)
    if len(mask) == actions.N_SIZED:
        action_id = dispatch.nearest_size(table, action, limits.most)
        return action_id if mask[action_id] else np.int64(FIRST_RAISE_ID)
    chips = table.pot
    for seat in range(table.seats):
        chips += table.stack[seat]
    if len(mask) <= chips:
        return np.int64(-1)
    return actions.nearest_id(table, actions.CHIPS, work.no_fractions, action)
