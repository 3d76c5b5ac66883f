"""Many line-ups of compiled players on the same cards, as evaluating candidates needs them.

A line-up names who sits at a table. It plays a numbered duplicate block: cards, seats, buttons and
the randomness of the players are those of ``play_cash`` and ``play_revolutions``, so that two
line-ups that differ in one player, in the same block, differ in that player's decisions only.
Everything runs in one kernel call, so that short matches cost no time between them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from agents.compiled.players import Field, FieldArrays, WorkArrays
from agents.play.cash import play_block
from agents.play.tournaments import play_revolution
from nlhe_env.equity import StrengthTables
from nlhe_env.game.description import Game
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.style_counts import N_STYLE_COUNTS
from nlhe_env.game.table import MAX_SEATS
from nlhe_env.machine.array_types import F64, I64
from nlhe_env.machine.compilation import kernel


class MatchResults(NamedTuple):
    """What the players of some line-ups came to, each line-up in its block."""

    scores: F64
    """``(n, seats)`` chips won in all hands of the block (below 0 for lost), or the mean place of
    the revolution; in the order of the line-up."""
    hands: I64
    """``(n,)`` hands dealt, those of all rotations together."""
    decisions: I64
    """``(n,)`` decisions of everybody at the table."""
    style_counts: I64
    """``(n, N_STYLE_COUNTS)`` what the first player of each line-up did."""


@kernel
def _seat(line_up, before, all_new, field, seated):
    """Copy those players of a line-up out of the field who were not in the one before."""
    for seat in range(len(line_up)):
        who = line_up[seat]
        if all_new or who != before[seat]:
            seated.kinds[seat] = field.kinds[who]
            seated.inputs[seat] = field.inputs[who]
            for i in range(field.layers.shape[1]):
                seated.layers[seat, i] = field.layers[who, i]
            for i in range(field.weights.shape[1]):
                seated.weights[seat, i] = field.weights[who, i]


@kernel
def _play_line_ups(
    game,
    tables,
    players,
    levels,
    line_ups,
    blocks,
    field,
    seated,
    strength_tables,
    work,
    chips,
    tallies,
    style_counts,
    scores,
    first_counts,
    counts,
):
    record = game[0]
    for i in range(len(line_ups)):
        style_counts[:] = 0
        _seat(line_ups[i], line_ups[i - 1], i == 0, field, seated)
        if record.cash:
            chips[:] = 0
            play_block(
                record,
                tables,
                players,
                levels,
                blocks[i],
                seated,
                strength_tables,
                work,
                chips,
                style_counts,
                counts[i],
            )
            for seat in range(len(chips)):
                scores[i, seat] = chips[seat]
        else:
            play_revolution(
                record,
                tables,
                players,
                levels,
                True,
                blocks[i],
                seated,
                strength_tables,
                work,
                scores[i],
                tallies,
                style_counts,
                counts[i],
            )
        for k in range(style_counts.shape[1]):
            first_counts[i, k] = style_counts[0, k]


def play_matches(
    field: Field,
    line_ups: I64,
    blocks: I64,
    *,
    game: Game,
    seed: int,
    tables: StrengthTables | None = None,
) -> MatchResults:
    """Play one duplicate block with every line-up.

    A line-up comes to what ``play_cash`` or ``play_revolutions`` (order around the table drawn)
    of its players make of the block of its number, and depends on nothing else: the line-ups can be
    played in any order, in any chunks and on any threads. The whole work is done without the GIL.

    Args:
        field: Candidates and opponents.
        line_ups: ``(n, seats)`` who sits at the table, as numbers in the field. The same player may
            sit there more than once.
        blocks: ``(n,)`` number of the block that each line-up plays; line-ups with the same
            number have the same cards.
        game: A cash game, or the form of tournaments at a single table.
        seed: Of cards, seats, buttons and the players' own randomness.
        tables: ``load_tables()``, loaded if needed when not given.

    Raises:
        ValueError: A line-up does not fit the field or a table, there is not one block for each,
            or the game or the seed is not possible.

    >>> import agents
    >>> import nlhe_env
    >>> field = agents.pack([agents.make(name) for name in ("caller", "folder", "raiser")])
    >>> line_ups, blocks = np.array([[0, 2], [1, 2]]), np.array([7, 7])
    >>> play_matches(field, line_ups, blocks, game=nlhe_env.Game.cash(), seed=1).scores[1]
    array([-3000.,  3000.])
    """
    line_ups = np.ascontiguousarray(line_ups, np.int64)
    blocks = np.ascontiguousarray(blocks, np.int64)
    seats = _check(field, line_ups, blocks)
    if not game.is_cash:
        game = replace(game, table_size=MAX_SEATS)
    arrays = game.arrays(seats)
    arrays.game["seed"] = arrays.game["decision_seed"] = make_seed(seed)
    seated = FieldArrays(
        *(np.zeros((seats, *array.shape[1:]), array.dtype) for array in field.arrays)
    )
    scores = np.zeros(line_ups.shape)
    first_counts = np.zeros((len(line_ups), N_STYLE_COUNTS), np.int64)
    counts = np.zeros((len(line_ups), 2), np.int64)
    _play_line_ups(
        *arrays,
        line_ups,
        blocks,
        field.arrays,
        seated,
        field.strength_tables() if tables is None else tables,
        WorkArrays.new(field.widest_layer()),
        np.zeros(seats, np.int64),
        np.zeros((4, seats), np.int64),
        np.zeros((seats, N_STYLE_COUNTS), np.int64),
        scores,
        first_counts,
        counts,
    )
    return MatchResults(
        scores,
        hands=counts[:, 0].copy(),
        decisions=counts[:, 1].copy(),
        style_counts=first_counts,
    )


def _check(field: Field, line_ups: I64, blocks: I64) -> int:
    """Check who plays what; returns the seats of a table."""
    if line_ups.ndim != 2 or not 2 <= line_ups.shape[1] <= MAX_SEATS:
        raise ValueError(
            f"line_ups must be (n, seats) with 2 to {MAX_SEATS} seats; got shape {line_ups.shape}"
        )
    if line_ups.size and (line_ups.min() < 0 or line_ups.max() >= len(field)):
        raise ValueError(
            f"line_ups must hold numbers of players, 0..{len(field) - 1}; got "
            f"{line_ups.min()}..{line_ups.max()}"
        )
    if blocks.shape != (len(line_ups),) or (blocks < 0).any():
        raise ValueError(
            f"blocks must be one number of at least 0 for each of {len(line_ups)} line-ups; got "
            f"shape {blocks.shape}, least {blocks.min(initial=0)}"
        )
    return int(line_ups.shape[1])
