"""Kernels of the PettingZoo environment: one call per step and one per observation.

Numba takes several times as long to unpack the arrays of a game as to play a step, so the calls of
each step take one address instead: that of the ``LOCATIONS`` record from ``locate``.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.envs.decision_facts import N_ALL_FACTS, write_all_facts
from nlhe_env.equity.tables.lookup import TABLES
from nlhe_env.game import tournament
from nlhe_env.game.description import GameArrays
from nlhe_env.game.hand_result import N_NUMBERS, write_hand
from nlhe_env.game.player import PLAYER, PlayerRecords
from nlhe_env.game.table import TABLE, TableRecord, TableRecords
from nlhe_env.game.tournament import DECISION, GAME, HAND_OVER, ROUND_OVER
from nlhe_env.jit.array_types import F32, F64, I8, I64, Int, Records, Truth
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.record_pointers import array_pointer, record_pointer
from nlhe_env.spaces.actions import ILLEGAL, decode, write_mask
from nlhe_env.spaces.observation import WRITER

call_observation = WRITER.call
strength_tables_at = record_pointer(TABLES)

NO_ACTION = -1
"""Id for ``move`` without an action."""

LOCATIONS = np.dtype(
    [
        ("game", np.int64),  # address of the record of the game
        ("tables", np.int64),  # address of its tables
        ("n_tables", np.int64),
        ("players", np.int64),  # address of its players
        ("n_players", np.int64),
        ("levels", np.int64),  # address of the blinds and antes
        ("n_levels", np.int64),
        ("encoding", np.int64),  # kind of the action encoding
        ("fractions", np.int64),  # address of its pot fractions
        ("n_fractions", np.int64),
        ("mask", np.int64),  # address of the mask of legal actions
        ("n_masked", np.int64),
        ("facts", np.int64),  # address of the facts of the decision
        ("hand", np.int64),  # address of the numbers of the last paid hand
    ],
    align=True,
)
locations_at = record_pointer(LOCATIONS)
games_at, tables_at, players_at = map(array_pointer, (GAME, TABLE, PLAYER))
integers_at, numbers_at, mask_at = map(array_pointer, (np.int64, np.float64, np.int8))


def locate(
    arrays: GameArrays, encoding: int, fractions: F64, mask: I8, facts: I64, hand: I64
) -> Records:
    """``(1,)`` of dtype ``LOCATIONS``: addresses of a game's arrays, for ``move`` and ``observe``.

    Its address is valid as long as it and the arrays are kept.

    Args:
        arrays: Arrays of the game.
        encoding: Kind of the action encoding.
        fractions: Its pot fractions.
        mask: Mask of legal actions, to be written at decisions.
        facts: Facts, to be written at decisions.
        hand: Numbers, to be written by ``write_hand`` when a hand has been paid.
    """
    found = np.zeros(1, LOCATIONS)
    for name, array in {
        **arrays._asdict(),
        "fractions": fractions,
        "mask": mask,
        "facts": facts,
        "hand": hand,
    }.items():
        found[name] = array.ctypes.data
    found["n_tables"], found["n_players"] = len(arrays.tables), len(arrays.players)
    found["n_levels"], found["n_fractions"] = len(arrays.levels), len(fractions)
    found["n_masked"], found["encoding"] = len(mask), encoding
    return found


@kernel
def start_game(
    game: Records,
    tables: TableRecords,
    players: PlayerRecords,
    levels: I64,
    seed: Int,
    episode: Int,
    decisions: Int,
    seating: Int,
) -> None:
    """``tournament.start_game`` for an episode of a seed, with the record in an array of one.

    Args:
        game: ``(1,)`` record of the game.
        tables: Records of its tables.
        players: Records of its players.
        levels: Blinds and antes.
        seed: Seed of the cards and of the players' own randomness.
        episode: Number of the cards, seats and buttons under that seed.
        decisions: Number of the players' own randomness under that seed.
        seating: See ``tournament.start_game``.
    """
    record = game[0]
    record.seed = seed
    record.tournament = episode
    record.decision_seed = seed
    record.decision_tournament = decisions
    tournament.start_game(record, tables, players, levels, seating)


@kernel
def advance(
    arrays: GameArrays,
    kind: Int,
    fractions: F64,
    mask: I8,
    facts: I64,
) -> Int:
    """Advance to the next event; for a decision, fill mask and facts."""
    game, tables, players, levels = arrays
    event = tournament.advance(game[0], tables, players, levels)
    if event == DECISION:
        show_decision(tables[game[0].table], kind, fractions, mask, facts)
    return event


@kernel
def show_decision(table: TableRecord, kind: Int, fractions: F64, mask: I8, facts: I64) -> None:
    """Fill mask and facts of the player to act."""
    write_mask(table, kind, fractions, mask)
    write_all_facts(table, facts)


@kernel
def step(
    arrays: GameArrays,
    kind: Int,
    fractions: F64,
    action_id: Int,
    mask: I8,
    facts: I64,
) -> Int:
    """Execute an action by its id and advance; ``ILLEGAL`` if it is illegal.

    With ``NO_ACTION`` it equals ``advance``, which then need not be compiled separately.
    """
    if action_id != NO_ACTION:
        game, tables, players, _ = arrays
        action = decode(game[0], tables[game[0].table], kind, fractions, action_id)
        if action == ILLEGAL:
            return ILLEGAL
        tournament.take_action(game[0], tables, players, action)
    return advance(arrays, kind, fractions, mask, facts)


@kernel
def move(address: Int, action_id: Int) -> Int:
    """Execute an action by its id, or ``NO_ACTION``, and advance to the next event.

    Rounds without eliminations are not events here.

    Args:
        address: Address of the ``LOCATIONS`` of the game.
        action_id: Number of the action; ``ILLEGAL`` is returned if it is not legal.
    """
    at = locations_at(address)
    game = games_at(at.game, (1,))
    tables = tables_at(at.tables, (at.n_tables,))
    players = players_at(at.players, (at.n_players,))
    arrays = GameArrays(game, tables, players, integers_at(at.levels, (at.n_levels, 3)))
    fractions = numbers_at(at.fractions, (at.n_fractions,))
    mask = mask_at(at.mask, (at.n_masked,))
    facts = integers_at(at.facts, (N_ALL_FACTS,))
    kind = at.encoding
    live = game[0].live
    event = step(arrays, kind, fractions, action_id, mask, facts)
    while event == ROUND_OVER and game[0].live == live:
        event = step(arrays, kind, fractions, NO_ACTION, mask, facts)
    if event == HAND_OVER:
        write_hand(game, tables, integers_at(at.hand, (N_NUMBERS,)))
    return event


@kernel
def action_of(
    game: Records, tables: TableRecords, kind: Int, fractions: F64, action_id: Int
) -> Int:
    """Game action of an id at this decision, or ``ILLEGAL``."""
    return decode(game[0], tables[game[0].table], kind, fractions, action_id)


@kernel
def replace_table(game: Records, tables: TableRecords, record: TableRecords) -> Truth:
    """Replace the current table's record and continue from it; False if no table is active."""
    if not tournament.can_resume(game[0]):
        return False
    tables[game[0].table] = record[0]
    tables[game[0].table].strength_key.fill(0)  # drop the cache for other cards
    tournament.resume(game[0], tables)
    return True


@kernel
def observe(address: Int, player: Int, writer: int, strength_tables: Int, out: F32) -> None:
    """Write a player's observation.

    Args:
        address: Address of the ``LOCATIONS`` of the game.
        player: Number of the player.
        writer: Address of the kernel that writes the observation.
        strength_tables: Address of the ``StrengthTables`` that it reads.
        out: float32, with the size of the observation.
    """
    at = locations_at(address)
    tables = tables_at(at.tables, (at.n_tables,))
    players = players_at(at.players, (at.n_players,))
    table = tables[players[player].table]
    seat = players[player].seat
    call_observation(writer, table, players, seat, strength_tables_at(strength_tables), out)
