"""Play a schedule of compiled players, and count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np

from agents.compiled.fields import Field, empty_arrays
from agents.play.kernels import UnitArrays, play_field, play_line_ups
from agents.play.schedules import Blocks, LineUps, Schedule, Tournaments
from agents.play.tally import Rows, Tally
from nlhe_env.equity import StrengthTables
from nlhe_env.game.description import Game
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.style_counts import N_STYLE_COUNTS
from nlhe_env.game.table import MAX_SEATS
from nlhe_env.machine.array_types import I64

_AT_ONCE = 2**20
"""Numbers of points that a call of a kernel gives; longer schedules are played in parts."""


def play(
    field: Field,
    schedule: Schedule,
    game: Game,
    *,
    seed: int,
    rows: bool = False,
    tables: StrengthTables | None = None,
) -> Tally:
    """Play a schedule and count what everybody comes to.

    Each unit of the schedule depends on (seed, its number), the game and its players alone: it can
    be played in any parts and on any threads, and the tallies of the parts add up to that of the
    whole. The work is done without the GIL.

    Args:
        field: At least two players.
        schedule: ``Tournaments``, ``Blocks`` or ``LineUps``.
        game: What is played; blocks take no notice of its table size.
        seed: Of cards, seats, buttons and the players' own randomness.
        rows: Whether to keep what every unit came to.
        tables: ``nlhe_env.load_tables()``, loaded if needed when not given.

    Raises:
        ValueError: The schedule does not fit the field or a table, or the game or the seed is not
            possible.

    >>> import agents, nlhe_env
    >>> field = agents.pack([agents.make(name) for name in ("caller", "folder", "raiser")])
    >>> tally = agents.play(field, agents.Blocks(100), nlhe_env.Game.cash(), seed=1)
    >>> tally.scores.sum(), tally.hands
    (np.float64(0.0), 6000)
    """
    if isinstance(schedule, Blocks) and schedule.players is not None:
        field = _part(field, np.array(schedule.players, np.int64))
    n = _seats(field, schedule)
    play_units = _player_of_units(field, schedule, game, n, seed, tables)
    step = max(1, _AT_ONCE // n)
    parts = []
    for first in range(0, max(len(schedule), 1), step):
        tally = play_units(schedule.part(first, min(step, len(schedule) - first)))
        parts.append(tally if rows else tally.without_rows())
    return reduce(Tally.__add__, parts)


def _player_of_units(
    field: Field,
    schedule: Schedule,
    game: Game,
    n: int,
    seed: int,
    tables: StrengthTables | None,
) -> Callable[[Schedule], Tally]:
    """A function that plays parts of a schedule."""
    if not isinstance(schedule, Tournaments):
        game = replace(game, table_size=MAX_SEATS)
    by_place = game.score == "place"
    rotations = 1 if isinstance(schedule, Tournaments) else n
    arrays = game.arrays(n)
    arrays.game["seed"] = arrays.game["decision_seed"] = make_seed(seed)
    strength_tables = field.strength_tables() if tables is None else tables
    work = field.work_arrays(n)
    seated = empty_arrays(field.arrays, n) if isinstance(schedule, LineUps) else None

    def play_units(part: Schedule) -> Tally:
        units = _new_units(len(part), n)
        styles = np.zeros((len(field), N_STYLE_COUNTS), np.int64)
        rest: list[Any] = [strength_tables, work, units, styles]
        if isinstance(part, LineUps):
            rest = [part.line_ups, part.blocks, by_place, field.arrays, seated, *rest]
            play_line_ups(*arrays, *rest)
        else:
            drawn = isinstance(part, Tournaments) or part.circle == "drawn"
            rest = [part.first, rotations, drawn, by_place, field.arrays, *rest]
            play_field(*arrays, *rest)
        sums: dict[str, Any] = {
            "unit": unit_of(game, rotations),
            "lower_is_better": game.lower_is_better,
            "hands": int(units.counts[:, 0].sum()),
            "decisions": int(units.counts[:, 1].sum()),
            "style_counts": styles,
        }
        if isinstance(part, LineUps):
            tally = Tally.of_line_ups(units.points, part.line_ups, **sums)
        else:
            tally = Tally.of_points(units.points, pairs=n <= MAX_SEATS, **sums)
        return replace(tally, rows=_rows(units))

    return play_units


def unit_of(game: Game, rotations: int) -> Fraction:
    """Score of one point: a half of a place in the mean of the rotations, or a chip."""
    if game.score == "place":
        return Fraction(1, 2 * rotations)
    return Fraction(1, game.big_blind if game.score == "big_blinds" else 1)


def _new_units(n_units: int, n: int) -> UnitArrays:
    return UnitArrays(
        points=np.zeros((n_units, n), np.int64),
        gains=np.zeros((n_units, 4, n), np.int64),
        counts=np.zeros((n_units, 2), np.int64),
        first_style=np.zeros((n_units, N_STYLE_COUNTS), np.int64),
        chips=np.zeros(n, np.int64),
    )


def _rows(units: UnitArrays) -> Rows:
    gains = {name: units.gains[:, i] for i, name in enumerate(_GAINS)}
    hands, decisions = units.counts.T
    return Rows(
        units.points, hands=hands, decisions=decisions, first_style=units.first_style, **gains
    )


_GAINS = ("hands_won", "chips_won", "showdowns_lost", "chips_lost")


def _part(field: Field, members: I64) -> Field:
    """A field of some players of another."""
    _check_members("players", members, len(field))
    return field.take(members)


def _seats(field: Field, schedule: Schedule) -> int:
    """Players in a unit.

    Raises:
        ValueError: The schedule does not fit the field or a table.
    """
    if isinstance(schedule, Tournaments):
        return len(field)
    if isinstance(schedule, Blocks):
        if len(field) > MAX_SEATS:
            raise ValueError(
                f"duplicate tables seat 2 to {MAX_SEATS} players at one table; got {len(field)}"
            )
        return len(field)
    line_ups = schedule.line_ups
    if not 2 <= line_ups.shape[1] <= MAX_SEATS:
        raise ValueError(
            f"line_ups must be (n, seats) with 2 to {MAX_SEATS} seats; got shape {line_ups.shape}"
        )
    _check_members("line_ups", line_ups, len(field))
    return int(line_ups.shape[1])


def _check_members(name: str, members: I64, n_players: int) -> None:
    if members.size and (members.min() < 0 or members.max() >= n_players):
        raise ValueError(
            f"{name} must hold numbers of players, 0..{n_players - 1}; got "
            f"{members.min()}..{members.max()}"
        )
