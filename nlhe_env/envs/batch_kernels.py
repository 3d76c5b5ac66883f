"""Kernels of ``BatchEnv``: one call steps many single-table games."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlhe_env.envs.decision_facts import MAX_RAISE_TO, MIN_RAISE_TO, PLAYER, TO_CALL, write_facts
from nlhe_env.equity import StrengthTables
from nlhe_env.game import tournament
from nlhe_env.game.player import PlayerRecords
from nlhe_env.game.scoring import hand_reward, place_reward
from nlhe_env.game.table import ACTION_BYTES, TableRecord, TableRecords
from nlhe_env.game.tournament import DECISION, GAME_OVER, HAND_OVER, IN_ORDER, GameRecord
from nlhe_env.jit.array_types import F32, F64, I8, I64, Bool, Float, Int, Records, Truth
from nlhe_env.jit.atomics import fetch_add
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.function_pointers import NO_FUNCTION
from nlhe_env.numerics.prefetch import prefetch, prefetch_start
from nlhe_env.spaces.actions import CHIPS, ILLEGAL, chips_id, decode, write_mask
from nlhe_env.spaces.observation import WRITER

call_observation = WRITER.call

NONE = -1  # instead of a table

# Episodes without a decision to skip before a table counts as stuck.
_MOST_PASSED_OVER = 1000


class BatchSettings(NamedTuple):
    """Settings shared by all kernels of a batch."""

    levels: I64
    """``(n_levels, 3)`` blinds and antes."""
    encoding: int
    """Kind of action encoding."""
    fractions: F64
    """Pot fractions of the raises, for that encoding."""
    masks: bool
    """Whether masks are written."""
    observation: int
    """Address of the kernel that writes the observation; ``NO_FUNCTION`` for none."""
    reward: int
    """Number of the score, see ``scoring``."""


class Outputs(NamedTuple):
    """Output arrays of a step, one row per table; see ``batch.Turns``.

    The game relies on ``facts`` and ``masks``, so that callers get copies of them.
    """

    facts: I64
    observations: F32
    masks: I8
    rewards: F64
    since_action: F64
    places: F64
    hands: I64
    terminated: Bool
    truncated: Bool
    episodes: I64


@kernel
def begin(
    games: Records,
    tables: TableRecords,
    players: PlayerRecords,
    settings: BatchSettings,
    out: Outputs,
    stride: Int,
    strength_tables: StrengthTables,
) -> Int:
    """Begin the next episode of every game.

    Returns:
        The first table without decisions, or ``NONE``.
    """
    for i in range(len(games)):
        out.rewards[i] = 0.0
        out.since_action[i] = 0.0
        out.hands[i] = 0
        out.terminated[i] = False
        out.truncated[i] = False
        next_episode(games[i], tables[i : i + 1], players[i], settings.levels, stride, IN_ORDER)
        if not _follow(i, games[i], tables[i : i + 1], players[i], settings, out, stride):
            return i
        _show_episode(i, games[i], players[i], out)
        _show_decision(i, tables[i], players[i], settings, out, strength_tables)
    return NONE


@kernel
def first_illegal(
    games: Records, tables: TableRecords, settings: BatchSettings, masks: I8, action_ids: I64
) -> Int:
    """The first table with an illegal id, or ``NONE``."""
    encoding = settings.encoding
    n_actions = masks.shape[1]
    for i in range(len(games)):
        action_id = action_ids[i]
        if encoding == CHIPS:
            action = decode(games[i], tables[i], encoding, settings.fractions, action_id)
            legal = action != ILLEGAL
        else:
            legal = 0 <= action_id < n_actions and masks[i, action_id] == 1
        if not legal:
            return i
    return NONE


@kernel
def decode_all(
    games: Records, tables: TableRecords, settings: BatchSettings, action_ids: I64, actions: I64
) -> None:
    """Decode the legal id of every table into ``actions``."""
    for i in range(len(games)):
        actions[i] = decode(
            games[i], tables[i], settings.encoding, settings.fractions, action_ids[i]
        )


@kernel
def step(
    games: Records,
    tables: TableRecords,
    players: PlayerRecords,
    settings: BatchSettings,
    out: Outputs,
    stride: Int,
    action_ids: I64,
    strength_tables: StrengthTables,
) -> Int:
    """Execute a legal id at every table and advance each to its next decision.

    Each table is finished, including its observation, before the next, because a large batch does
    not fit into the inner caches.

    Returns:
        The first table without further decisions, or ``NONE``.
    """
    n = len(games)
    for i in range(n):
        game = games[i]
        ahead = min(i + 1, n - 1)
        player = out.facts[ahead, PLAYER]
        prefetch(games[ahead : ahead + 1])
        prefetch_start(tables[ahead : ahead + 1], ACTION_BYTES)
        prefetch(players[ahead, player : player + 1])
        prefetch(out.observations[ahead])
        if out.terminated[i] or out.truncated[i]:
            out.terminated[i] = False
            out.truncated[i] = False
            out.since_action[i] = 0.0
            _show_episode(i, game, players[i], out)
        if out.hands[i] > 0:
            out.hands[i] = 0
            out.rewards[i] = 0.0
        out.since_action[i, out.facts[i, PLAYER]] = 0.0
        action = decode(game, tables[i], settings.encoding, settings.fractions, action_ids[i])
        tournament.take_action(game, tables[i : i + 1], players[i], action)
        if not _follow(i, game, tables[i : i + 1], players[i], settings, out, stride):
            return i
        if out.hands[i] > 0:
            for player in range(game.players):
                out.since_action[i, player] += out.rewards[i, player]
        _show_decision(i, tables[i], players[i], settings, out, strength_tables)
    return NONE


@kernel
def step_shared(
    counter: I64,
    span: Int,
    games: Records,
    tables: TableRecords,
    players: PlayerRecords,
    settings: BatchSettings,
    out: Outputs,
    facts: I64,
    masks: I8,
    stride: Int,
    action_ids: I64,
    strength_tables: StrengthTables,
) -> Int:
    """``step`` for the tables that this thread takes from a counter, ``span`` at a time.

    The caller's copies of the facts and masks are written, too. The counter, of one element, is the
    number of tables that all threads have taken.
    """
    n = len(games)
    stuck: Int = np.int64(NONE)
    while True:
        a = fetch_add(counter, span)
        if a >= n:
            return stuck
        b = min(a + span, n)
        part = Outputs(
            out.facts[a:b],
            out.observations[a:b],
            out.masks[a:b],
            out.rewards[a:b],
            out.since_action[a:b],
            out.places[a:b],
            out.hands[a:b],
            out.terminated[a:b],
            out.truncated[a:b],
            out.episodes[a:b],
        )
        wrong = step(
            games[a:b],
            tables[a:b],
            players[a:b],
            settings,
            part,
            stride,
            action_ids[a:b],
            strength_tables,
        )
        if wrong != NONE:
            stuck = a + wrong
        for i in range(a, b):
            for k in range(facts.shape[1]):
                facts[i, k] = out.facts[i, k]
            for k in range(masks.shape[1]):
                masks[i, k] = out.masks[i, k]


@kernel
def next_episode(
    game: GameRecord,
    tables: TableRecords,
    players: PlayerRecords,
    levels: I64,
    stride: Int,
    seating: Int,
) -> None:
    """Start the episode ``stride`` after the last one."""
    game.tournament += stride
    game.decision_tournament = game.tournament
    tournament.start_game(game, tables, players, levels, seating)


@kernel
def _follow(
    i: Int,
    game: GameRecord,
    tables: TableRecords,
    players: PlayerRecords,
    settings: BatchSettings,
    out: Outputs,
    stride: Int,
) -> Truth:
    """Advance to the next decision, possibly in a later episode; False if there is none.

    Hands of an episode before its first decision give no reward.
    """
    passed_over = 0
    while True:
        event = tournament.advance(game, tables, players, settings.levels)
        if event == DECISION:
            return True
        if event == HAND_OVER:
            if game.decisions > 0:
                pay_hand(i, tables[0], settings.reward, out)
            continue
        if game.decisions > 0 and not game.cash:
            give_places(i, game, players, settings.reward, out)
        if event == GAME_OVER:
            if game.decisions > 0:
                out.truncated[i] = not game.cash and game.live > 1
                out.terminated[i] = not out.truncated[i]
            else:
                passed_over += 1
                if passed_over > _MOST_PASSED_OVER:
                    return False
            next_episode(game, tables, players, settings.levels, stride, IN_ORDER)


@kernel
def pay_hand(i: Int, table: TableRecord, reward: Int, out: Outputs) -> None:
    """Add every player's net result of a paid hand to the rewards of game i."""
    out.hands[i] += 1
    for seat in range(table.seats):
        player = table.player[seat]
        if player >= 0:
            net = table.stack[seat] - table.starting_stack[seat]
            out.rewards[i, player] += hand_reward(reward, net, table.big_blind)


@kernel
def give_places(
    i: Int, game: GameRecord, players: PlayerRecords, reward: Int, out: Outputs
) -> None:
    """Write, and reward, the new places of game i."""
    n = game.players
    for player in range(n):
        place = players[player].place
        if place > 0.0 and out.places[i, player] == 0.0:
            out.places[i, player] = place
            out.rewards[i, player] += place_reward(reward, place, n)


@kernel
def _show_episode(i: Int, game: GameRecord, players: PlayerRecords, out: Outputs) -> None:
    out.episodes[i] = game.tournament
    for player in range(game.players):
        out.places[i, player] = players[player].place


@kernel
def _show_decision(
    i: Int,
    table: TableRecord,
    players: PlayerRecords,
    settings: BatchSettings,
    out: Outputs,
    strength_tables: StrengthTables,
) -> None:
    write_facts(table, out.facts[i])
    if settings.masks:
        write_mask(table, settings.encoding, settings.fractions, out.masks[i])
    if settings.observation != NO_FUNCTION:
        call_observation(
            settings.observation,
            table,
            players,
            table.actor,
            strength_tables,
            out.observations[i],
        )


@kernel
def sample(encoding: Int, facts: I64, masks: I8, units: F64, actions: I64) -> None:
    """Sample uniformly from the legal ids of every table.

    Args:
        encoding: Kind of action encoding.
        facts: ``(n, N_FACTS)``.
        masks: ``(n, n_actions)``; not used with actions in chips.
        units: ``(n,)`` float64 uniform random numbers in [0, 1).
        actions: ``(n,)`` int64, filled with the chosen ids.
    """
    for i in range(len(actions)):
        if encoding == CHIPS:
            actions[i] = _sample_chips(facts[i], units[i])
        else:
            actions[i] = _sample_mask(masks[i], units[i])


@kernel
def _sample_chips(facts: I64, u: Float) -> Int:
    folds = np.int64(facts[TO_CALL] > 0)
    least = chips_id(facts[MIN_RAISE_TO])
    raises: Int = np.int64(0)
    if facts[MAX_RAISE_TO] > 0:
        raises = chips_id(facts[MAX_RAISE_TO]) - least + 1
    choice = np.int64(u * (folds + 1 + raises))
    if choice < folds:
        return np.int64(0)
    if choice == folds:
        return np.int64(1)
    return least + choice - folds - 1


@kernel
def _sample_mask(mask: I8, u: Float) -> Int:
    legal = np.int64(0)
    for k in range(len(mask)):
        legal += mask[k]
    # Count the legal ids before each id, because branches would be unpredictable.
    sought = np.int64(u * legal)
    action_id = np.int64(0)
    legal = np.int64(0)
    for k in range(len(mask)):
        legal += mask[k]
        action_id += legal <= sought
    return action_id
