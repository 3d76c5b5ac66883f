"""The kernel that plays matches, and what is noted of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.matches.betting import BLINDS, BettingRule, act, begin, is_second, match_table
from agents.matches.library import MatchLibrary
from agents.matches.players import (
    BAYESIAN,
    LAYERED,
    MEMORY,
    RULE,
    TEAM,
    MatchPlayer,
    bayesian_action,
    begin_believing,
    believe,
    pack_rows,
    rule_action,
)
from agents.players.programs.hand_metrics import is_weak
from agents.players.programs.instructions import N_REGISTERS
from agents.players.programs.interpreter import run_program
from agents.players.programs.opponent_model import (
    CALLED,
    FOLDED,
    MODEL,
    MOST,
    N_INPUTS,
    RAISED,
    begin_hand,
    end_hand,
    note_action,
    note_shown,
    write_inputs,
)
from agents.players.programs.team_players import MOST_PROGRAMS
from nlhe_env.game import random_stream
from nlhe_env.game.betting import amount_to_call, legal_raise
from nlhe_env.game.table import FOLDED as OUT
from nlhe_env.game.table import NO_PLAYER, RIVER
from nlhe_env.jit.array_types import F32, F64, I64, U8, AnyArray, Records
from nlhe_env.jit.compilation import kernel

OUTCOME = np.dtype(
    [
        ("chips", np.int16),  # won
        ("street", np.int8),  # on which the match ended
        ("folder", np.int8),  # 0 the player, 1 its opponent, -1 none: a showdown
        ("folds", np.int8),  # of the player
        ("calls", np.int8),
        ("raises", np.int8),
    ]
)
"""Result of a match."""

MOST_LETTERS = 6 + 3 * 32  # of a match in a behaviour string
_DIGITS = 5
_LOW, _HIGH = 0.33, 0.66

NOTES = np.dtype(
    [
        ("n_letters", np.int64),  # written so far
        ("n_samples", np.int64),
        ("wants_letters", np.int64),
        ("sample_chance", np.float64),
        ("active", np.int8, (MOST_PROGRAMS,)),  # whether a program has won a bid
    ],
    align=True,
)


@kernel
def _bid(row, at, first_program, memory, inputs, may_raise, notes):
    """The action of the highest bid among those that may be taken; calls where there is none."""
    action, winner, highest = CALLED, -1, np.float32(0.0)
    n_programs = np.int64(row[at])
    at += 1
    for i in range(n_programs):
        bids_for, length = np.int64(row[at]), np.int64(row[at + 1])
        at += 2
        if bids_for != RAISED or may_raise:
            first = MODEL + (first_program + i) * N_REGISTERS
            registers = memory[first : first + N_REGISTERS]
            run_program(row, at, length, inputs, registers)
            if winner < 0 or registers[0] > highest:
                winner, action, highest = i, bids_for, registers[0]
        at += length
    if winner >= 0:
        notes.active[winner] = 1
    return action


@kernel
def _bin(value):
    return (value >= _LOW) + (value > _HIGH)


@kernel
def _write(letters, notes, letter):
    letters[notes.n_letters] = letter
    notes.n_letters += 1


@kernel
def _note_decision(deal, side, street, action, inputs, notes, letters, samples, u):
    """Record a decision for diversity measures."""
    if notes.wants_letters:
        _write(letters, notes, 48 + _bin(deal.strength[side, street]))
        _write(letters, notes, 48 + _bin(deal.potential[side, street]))
        _write(letters, notes, 102 if action == FOLDED else 99 if action == CALLED else 114)
    if u < notes.sample_chance and notes.n_samples < len(samples):
        for i in range(N_INPUTS):
            samples[notes.n_samples, i] = inputs[i]
        notes.n_samples += 1


@kernel
def _team_action(row, memory, inputs, may_raise, notes, idle):
    """Action of a team of programs, in one layer or by choosing a team of the layer below."""
    if row[0] == TEAM:
        return _bid(row, 1, 0, memory, inputs, may_raise, notes)
    team = _bid(row, 2, 0, memory, inputs, True, notes)
    place = np.int64(row[1]) + 2 * team
    at, first_program = np.int64(row[place]), np.int64(row[place + 1])
    return _bid(row, at, first_program, memory, inputs, may_raise, idle)


@kernel
def _decide(
    row, memory, deal, side, to_call, pot, is_second, street, may_raise, u, inputs, notes, idle
):
    """Action of the player to act."""
    kind = row[0]
    strength = deal.strength[side, street]
    if kind <= LAYERED:
        potential = deal.potential[side, street]
        write_inputs(memory, strength, potential, to_call, pot, is_second, street, inputs)
        return _team_action(row, memory, inputs, may_raise, notes, idle)
    if kind == RULE:
        action = rule_action(row[1], row[2], strength, to_call)
    elif kind == BAYESIAN:
        action = bayesian_action(row, memory, strength, to_call)
    else:
        return min(np.int64(u * (3 if may_raise else 2)), RAISED)
    return action if action != RAISED or may_raise else CALLED


@kernel
def _notify(row, memory, is_own, action, street):
    """Update a player's memory by an action that it sees."""
    if row[0] <= LAYERED:
        note_action(memory, is_own, action, street)
    elif row[0] == BAYESIAN and not is_own:
        believe(row, memory, action)


@kernel
def _play(
    deal, match, rows, memories, table, blinds, seed, inputs, notes, idle, letters, samples, out
):
    """Play one match between ``rows[0]`` and ``rows[1]``."""
    seat = match & 1  # of the first player: 0 the button
    for player in range(2):
        if rows[player][0] <= LAYERED:
            begin_hand(memories[player])
            memories[player][MODEL:] = np.float32(0.0)
    decision = 0
    out.folds = out.calls = out.raises = 0
    begin(table, blinds)
    while table.actor != NO_PLAYER:
        side, street = table.actor, table.street
        actor = side if seat == 0 else 1 - side
        _, raise_to = legal_raise(table)
        u, _, sampled = random_stream.decision_units(seed, decision, match, actor, 0)
        decision += 1
        action = _decide(
            rows[actor],
            memories[actor],
            deal,
            side,
            amount_to_call(table),
            table.pot,
            is_second(table),
            street,
            raise_to > 0,
            u,
            inputs,
            notes if actor == 0 else idle,
            idle,
        )
        if actor == 0:
            _note_decision(deal, side, street, action, inputs, notes, letters, samples, sampled)
            out.folds += np.int8(action == FOLDED)
            out.calls += np.int8(action == CALLED)
            out.raises += np.int8(action == RAISED)
        for player in range(2):
            _notify(rows[player], memories[player], player == actor, action, street)
        act(table, action, raise_to)
    if table.unfolded == 1:
        folded = np.int64(table.status[1] == OUT)
        chips = table.hand_bet[folded] * (1 if folded != seat else -1)
        out.folder = folded if seat == 0 else 1 - folded
    else:
        chips = table.hand_bet[0] * (deal.result if seat == 0 else -deal.result)
        out.folder = NO_PLAYER
    for player in range(2):
        if rows[player][0] <= LAYERED:
            if out.folder == NO_PLAYER:
                opposing = deal.strength[1 - seat if player == 0 else seat, RIVER]
                note_shown(memories[player], is_weak(opposing))
            end_hand(memories[player], chips if player == 0 else -chips)
    out.chips = chips
    out.street = table.street


@kernel
def _play_session(
    deals, matches, rows, memories, tables, blinds, seed, inputs, notes, letters, samples, outcomes
):
    """Play matches in order, between ``rows[0]`` and ``rows[1]``, with one memory."""
    for player in range(2):
        if rows[player][0] == BAYESIAN:
            begin_believing(rows[player], memories[player])
    for i in range(len(matches)):
        match = matches[i]
        if notes[0].wants_letters:
            power = 10 ** (_DIGITS - 1)
            for _ in range(_DIGITS):
                _write(letters, notes[0], 48 + (match >> 1) // power % 10)
                power //= 10
            _write(letters, notes[0], 48 + (match & 1))
        _play(
            deals[match >> 1],
            match,
            rows,
            memories,
            tables[0],
            blinds,
            seed,
            inputs,
            notes[0],
            notes[1],
            letters,
            samples,
            outcomes[i],
        )


@dataclass(frozen=True, eq=False)
class Matches:
    """Results of a player's matches.

    Attributes:
        outcomes: ``(n,)`` records of dtype ``OUTCOME``.
        letters: The behaviour as text, if asked for: of every match its deal in five digits, the
            seat, and of every decision bins of strength and potential and ``f``, ``c`` or ``r``.
        samples: ``(n_samples, 14)`` inputs of some of its decisions.
        active: ``(64,)`` which programs of a team have won a bid.
    """

    outcomes: Records
    letters: bytes
    samples: F32
    active: AnyArray


def play_matches(
    library: MatchLibrary,
    matches: I64,
    player: MatchPlayer,
    opponent: MatchPlayer,
    *,
    betting: BettingRule = "two-calls",
    seed: int = 0,
    wants_letters: bool = False,
    sample_chance: float = 0.0,
    opponent_memory: F32 | None = None,
) -> Matches:
    """Play a session: some matches in order, in which both may learn about each other.

    Args:
        library: Library of the matches.
        matches: ``(n,)`` their numbers.
        player: The player whose results are noted; its seats are given by the numbers.
        opponent: Its opponent.
        betting: When a round ends.
        seed: Seed of random players.
        wants_letters: Whether behaviour is to be written as text.
        sample_chance: Chance of each team decision to be kept as a sample of inputs, up to four a
            match.
        opponent_memory: ``(MEMORY,)`` what the opponent knows, changed; by default nothing.
    """
    n = len(matches)
    memories = np.zeros((2, max(player.memory, opponent.memory)), np.float32)
    if opponent_memory is not None:
        memories[1, :MEMORY] = opponent_memory
    notes = np.zeros(2, NOTES)
    notes["wants_letters"], notes["sample_chance"] = (wants_letters, False), (sample_chance, 0.0)
    letters: U8 = np.zeros(n * MOST_LETTERS if wants_letters else 1, np.uint8)
    samples = np.zeros((4 * n if sample_chance > 0.0 else 0, N_INPUTS), np.float32)
    outcomes = np.zeros(n, OUTCOME)
    _play_session(
        library.deals,
        np.ascontiguousarray(matches, np.int64),
        pack_rows([player, opponent]),
        memories,
        match_table(betting),
        BLINDS,
        np.uint64(random_stream.make_seed(seed)),
        np.zeros(N_INPUTS, np.float32),
        notes,
        letters,
        samples,
        outcomes,
    )
    if opponent_memory is not None:
        opponent_memory[:] = memories[1, :MEMORY]
    return Matches(
        outcomes,
        letters[: notes["n_letters"][0]].tobytes(),
        samples[: notes["n_samples"][0]],
        notes["active"][0],
    )


@kernel
def _profile(row, samples, memory, notes, actions):
    for i in range(len(samples)):
        memory[MODEL:] = np.float32(0.0)
        actions[i] = _team_action(row, memory, samples[i], True, notes[0], notes[1])


def bid_profile(player: MatchPlayer, samples: F32) -> U8:
    """``(n,)`` what a team does at ``(n, 14)`` inputs, if all actions are legal."""
    actions = np.zeros(len(samples), np.uint8)
    memory = np.zeros(player.memory, np.float32)
    _profile(player.row, samples, memory, np.zeros(2, NOTES), actions)
    return actions


def scores_of(outcomes: Records) -> F64:
    """Scores between 0 (all is lost) and 1, 0.5 being even (before equation 4.1)."""
    return np.asarray((outcomes["chips"] + MOST) / (2.0 * MOST), np.float64)


def chips_of(score: float) -> float:
    """Chips a match that a mean score stands for (equation 4.1).

    >>> round(chips_of(0.6), 9)
    48.0
    """
    return (score - 0.5) * 2.0 * MOST
