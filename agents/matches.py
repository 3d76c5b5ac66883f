"""Many line-ups of compiled players on the same cards, as evaluating candidates needs them.

A line-up names who sits at a table. All line-ups play the same numbered duplicate blocks: cards,
seats, buttons and the randomness of the players are those of ``play_cash`` and
``play_revolutions``, so that the judged players of two line-ups differ in their decisions only.
Everything runs in one kernel call, so that short matches cost no time between them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from agents.cash import CashGame, play_block
from agents.players import Field, FieldArrays, WorkArrays
from agents.tournaments import Structure, play_revolution
from nlhe_env._jit import kernel
from nlhe_env._types import F64, I64
from nlhe_env.equity import StrengthTables
from nlhe_env.rng import make_seed
from nlhe_env.table import MAX_SEATS


class MatchResults(NamedTuple):
    """What the judged players, the first of every line-up, came to in some units.

    A unit is one line-up in one block.
    """

    scores: F64
    """``(n_units,)`` chips won in all hands of the block (below 0 for lost), or the mean place of
    the revolution."""
    hands: I64
    """``(n_units,)`` hands dealt, those of all rotations together."""
    decisions: I64
    """``(n_units,)`` decisions of everybody at the table."""


@kernel
def _seat(line_up, field, seated):
    """Copy the players of a line-up out of the field."""
    length = field.weights.shape[1]
    for seat in range(len(line_up)):
        who = line_up[seat]
        seated.kinds[seat] = field.kinds[who]
        seated.inputs[seat] = field.inputs[who]
        for i in range(field.layers.shape[1]):
            seated.layers[seat, i] = field.layers[who, i]
        for i in range(length):
            seated.weights[seat, i] = field.weights[who, i]


@kernel
def _play_units(
    game,
    tables,
    players,
    levels,
    line_ups,
    blocks,
    first_block,
    first,
    field,
    seated,
    strength_tables,
    work,
    chips,
    places,
    tallies,
    scores,
    counts,
):
    record = game[0]
    for i in range(len(scores)):
        unit = first + i
        if i == 0 or unit % blocks == 0:
            _seat(line_ups[unit // blocks], field, seated)
        number = first_block + unit % blocks
        if record.cash:
            chips[:] = 0
            play_block(
                record,
                tables,
                players,
                levels,
                number,
                seated,
                strength_tables,
                work,
                chips,
                counts[i],
            )
            scores[i] = chips[0]
        else:
            play_revolution(
                record,
                tables,
                players,
                levels,
                True,
                number,
                seated,
                strength_tables,
                work,
                places,
                tallies,
                counts[i],
            )
            scores[i] = places[0]


def play_matches(
    field: Field,
    line_ups: I64,
    *,
    game: CashGame | Structure,
    seed: int,
    blocks: int,
    first_block: int = 0,
    first: int = 0,
    count: int | None = None,
    tables: StrengthTables | None = None,
) -> MatchResults:
    """Play duplicate blocks of many line-ups, the same blocks with the same cards for all of them.

    Unit ``k`` is the block ``first_block + k % blocks`` of line-up ``k // blocks``. It comes to
    what ``play_cash`` or ``play_revolutions`` (order around the table drawn) of the line-up's
    players make of the block of this number, and depends on nothing else: units can be played in
    any chunks and on any threads; the whole work is done without the GIL.

    Args:
        field: Candidates and opponents.
        line_ups: ``(n, seats)`` who sits at the table, as numbers in the field, the player to be
            judged first. The same player may sit there more than once.
        game: A cash game, or the form of tournaments at a single table.
        seed: Of cards, seats, buttons and the players' own randomness.
        blocks: Blocks that every line-up plays.
        first_block: Number of the first of these blocks.
        first: Number of the first unit to play.
        count: How many; all from there on when not given.
        tables: ``load_tables()``, loaded if needed when not given.

    Raises:
        ValueError: A line-up does not fit the field or a table, there are no such units, or the
            game or the seed is not possible.

    >>> import agents
    >>> field = agents.pack([agents.make(name) for name in ("caller", "folder", "raiser")])
    >>> line_ups = np.array([[0, 2], [1, 2]])
    >>> play_matches(field, line_ups, game=CashGame(), seed=1, blocks=2).scores[2:]
    array([-3000., -3000.])
    """
    seats = _check(field, line_ups, blocks)
    units = len(line_ups) * blocks
    count = units - first if count is None else count
    if not (first >= 0 and count >= 0 and first + count <= units):
        raise ValueError(
            f"{len(line_ups)} line-ups of {blocks} blocks are the units 0..{units - 1}; got first "
            f"= {first}, count = {count}"
        )
    if isinstance(game, Structure):
        game = replace(game, table_size=MAX_SEATS)
    arrays = game.config(seats).arrays()
    arrays.game["seed"] = arrays.game["decision_seed"] = make_seed(seed)
    seated = FieldArrays(
        *(np.zeros((seats, *array.shape[1:]), array.dtype) for array in field.arrays)
    )
    scores = np.zeros(count)
    counts = np.zeros((count, 2), np.int64)
    _play_units(
        *arrays,
        np.ascontiguousarray(line_ups, np.int64),
        blocks,
        first_block,
        first,
        field.arrays,
        seated,
        field.strength_tables() if tables is None else tables,
        WorkArrays.new(field.widest_layer()),
        np.zeros(seats, np.int64),
        np.zeros(seats),
        np.zeros((4, seats), np.int64),
        scores,
        counts,
    )
    return MatchResults(scores, hands=counts[:, 0].copy(), decisions=counts[:, 1].copy())


def _check(field: Field, line_ups: I64, blocks: int) -> int:
    """Check who plays; returns the seats of a table."""
    if line_ups.ndim != 2 or not 2 <= line_ups.shape[1] <= MAX_SEATS:
        raise ValueError(
            f"line_ups must be (n, seats) with 2 to {MAX_SEATS} seats; got shape {line_ups.shape}"
        )
    if line_ups.size and not (line_ups.min() >= 0 and line_ups.max() < len(field)):
        raise ValueError(
            f"line_ups must hold numbers of players, 0..{len(field) - 1}; got "
            f"{line_ups.min()}..{line_ups.max()}"
        )
    if blocks < 1:
        raise ValueError(f"blocks must be at least 1; got {blocks}")
    return int(line_ups.shape[1])
