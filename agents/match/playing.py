"""Play a schedule, and count."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from agents.external.player_lifecycle import as_players
from agents.match.environment import play_in_environment
from agents.match.kernels import play_field, play_line_ups
from agents.match.schedules import (
    Blocks,
    LineupBlocks,
    Schedule,
    Tournaments,
    count_seats,
    one_table,
)
from agents.match.tally import Tally
from agents.match.unit_results import UnitArrays, count_up
from agents.policy.compiled_player import CompiledPlayer, Player
from agents.policy.player_batch import PlayerBatch, empty_arrays, pack_players
from agents.variance_reduction.aivat import Aivat
from agents.variance_reduction.methods import VarianceReduction, estimator_of
from nlhe_env.equity import StrengthTables
from nlhe_env.game.description import Game
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.style_counts import N_STYLE_COUNTS
from nlhe_env.hand_history import Record

_AT_ONCE = 2**17
"""Numbers of points that a call of a kernel gives; longer schedules are played in parts."""


def play(
    players: PlayerBatch | Sequence[Player | str | os.PathLike[str]],
    schedule: Schedule,
    game: Game,
    *,
    seed: int | None,
    rows: bool = False,
    variance_reduction: VarianceReduction | Aivat = "none",
    record: Record | None = None,
    tables: StrengthTables | None = None,
) -> Tally:
    """Play a schedule and count the results.

    Each unit of the schedule depends on (seed, its number), the game and its players alone: it can
    be played in any parts and on any threads, and the tallies of the parts add up to that of the
    whole. Compiled players are played by kernels without the GIL. If a player decides in Python, or
    hands are recorded, all are played through the environment instead, with the same cards and
    results, which takes some twenty times as long.

    Args:
        players: At least two, as objects, by names as ``make`` takes them, or packed.
        schedule: ``Tournaments``, ``Blocks`` or ``LineupBlocks``.
        game: The game; blocks ignore its table size.
        seed: Seed of cards, seats, buttons and players' randomness; ``None`` draws one.
        rows: Whether to keep the results of every unit.
        variance_reduction: Method of variance reduction: ``"none"``, or ``"all-in"``: pots
            whose betting is over before the river are paid by their exact expectation, folded
            cards being known; or ``"divat"``, heads-up with fixed limits, where the baseline of
            DIVAT is subtracted; or ``"divat-roe"``, the same by roll-outs, without bias and
            slower; or ``"aivat"``, at one table: the effect of cards and of random choices whose
            chances players give is subtracted, by a value function; ``Aivat`` has its settings.
            The cards and decisions are the same; ``Tally.plain`` holds the results as they fell.
        record: Destination of finished hands: path of a ``.phhs`` file to append to, a function, or
            a list; players are named by their numbers in the field.
        tables: ``nlhe_env.load_tables()``, loaded if needed when not given.

    Raises:
        ValueError: The schedule does not fit the players or a table, or the game or the seed is not
            possible, something is no player, a player does not know the game, hands of a packed
            field are to be recorded, or the variance reduction does not fit the game.

    >>> import agents, nlhe_env
    >>> players = ["caller", "folder", "raiser"]
    >>> tally = agents.play(players, agents.Blocks(100), nlhe_env.Game.cash(), seed=1)
    >>> tally.scores.sum(), tally.hands
    (np.float64(0.0), 6000)
    """
    if isinstance(players, PlayerBatch):
        if record is not None:
            raise ValueError("to record hands, give the players themselves, not a packed field")
        field = players
    else:
        seated = as_players(players)
        if record is not None or not all(isinstance(each, CompiledPlayer) for each in seated):
            return play_in_environment(
                seated,
                schedule,
                game,
                seed=seed,
                rows=rows,
                variance_reduction=variance_reduction,
                record=record,
            )
        field = pack_players(seated)
    n = count_seats(schedule, len(field))
    if isinstance(schedule, Blocks) and schedule.players is not None:
        field = field.take(np.array(schedule.players, np.int64))
    play_units = _player_of_units(field, schedule, game, n, seed, variance_reduction, tables)
    step = max(1, _AT_ONCE // n)
    parts = []
    for first in range(0, max(len(schedule), 1), step):
        tally = play_units(schedule.part(first, min(step, len(schedule) - first)))
        parts.append(tally if rows else tally.without_rows())
    return reduce(Tally.__add__, parts)


def _player_of_units(
    field: PlayerBatch,
    schedule: Schedule,
    game: Game,
    n: int,
    seed: int | None,
    variance_reduction: VarianceReduction | Aivat,
    tables: StrengthTables | None,
) -> Callable[[Schedule], Tally]:
    """A function that plays parts of a schedule."""
    arrays = one_table(game, schedule).arrays(n)
    field.check(arrays.tables)
    arrays.game["seed"] = arrays.game["decision_seed"] = make_seed(seed)
    by_place = game.score == "place"
    strength_tables = field.strength_tables() if tables is None else tables
    work = field.work_arrays(n)
    if isinstance(variance_reduction, Aivat):
        variance_reduction.check_field(field, is_one_table=not isinstance(schedule, LineupBlocks))
    estimator = estimator_of(variance_reduction, game, n)
    seated = empty_arrays(field.arrays, n) if isinstance(schedule, LineupBlocks) else None

    def play_units(part: Schedule) -> Tally:
        units = UnitArrays.new(len(part), n, judged=variance_reduction != "none")
        styles = np.zeros((len(field), N_STYLE_COUNTS), np.int64)
        remaining: list[Any] = [strength_tables, work, estimator, units, styles]
        if isinstance(part, LineupBlocks):
            remaining = [part.line_ups, part.blocks, by_place, field.arrays, seated, *remaining]
            play_line_ups(*arrays, *remaining)
        else:
            drawn = isinstance(part, Tournaments) or part.seating_order == "random"
            remaining = [part.first, part.rotations(n), drawn, by_place, field.arrays, *remaining]
            play_field(*arrays, *remaining)
        return count_up(units, styles, part, game)

    return play_units
