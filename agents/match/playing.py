"""The function ``agents.play``, which plays a schedule and returns its tally."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import reduce

import numpy as np

from agents.external.player_lifecycle import as_players
from agents.match.environment import play_in_environment
from agents.match.kernels import play_field, play_lineups
from agents.match.schedules import (
    Blocks,
    LineupBlocks,
    Schedule,
    Tournaments,
    count_seats,
    one_table,
)
from agents.match.tally import Tally
from agents.match.unit_results import Results, UnitArrays, count_up
from agents.policy.compiled_player import CompiledPlayer, Player
from agents.policy.player_batch import PlayerBatch, Seated, empty_arrays, pack_players
from agents.variance_reduction.aivat import Aivat
from agents.variance_reduction.divat import Divat
from agents.variance_reduction.methods import VarianceReduction, estimator_of
from nlhe_env.equity import StrengthTables
from nlhe_env.game.description import Game
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.scoring import SCORES
from nlhe_env.game.style_counts import N_STYLE_COUNTS
from nlhe_env.hand_history import Record

_AT_ONCE = 2**17
"""Maximum number of results per kernel call; longer schedules are played in parts."""


def play(
    players: PlayerBatch | Sequence[Player | str | os.PathLike[str]],
    schedule: Schedule,
    game: Game,
    *,
    seed: int | None,
    rows: bool = False,
    variance_reduction: VarianceReduction | Aivat | Divat = "none",
    record: Record | None = None,
    tables: StrengthTables | None = None,
) -> Tally:
    """Play a schedule and return its tally.

    Each unit of the schedule depends only on the seed, its number, the game and its players. It can
    be played in any parts on any threads, and the tallies of the parts add up exactly. Kernels play
    compiled players without the GIL. With a Python player or recorded hands, the environment plays
    instead, with the same cards and results, but about twenty times slower.

    Args:
        players: At least two players, as objects, as names for ``make``, or packed.
        schedule: ``Tournaments``, ``Blocks`` or ``LineupBlocks``.
        game: The game; blocks ignore its table size.
        seed: Seed of cards, seats, buttons and players' random numbers; ``None`` is a random seed.
        rows: Keep the results of every unit.
        variance_reduction: ``"none"``; ``"all-in"``: pots with complete betting before the river
            are paid at their exact expected value, with known folded cards; ``"divat"`` (heads-up
            fixed-limit): results minus the DIVAT baseline; ``"divat-roe"``: DIVAT by roll-outs,
            unbiased and slower; or ``"aivat"`` (one table): a value function removes the effect of
            cards and of random choices with known probabilities, see ``Aivat``. Cards and decisions
            are unchanged, and ``Tally.plain`` has the plain results.
        record: Destination of finished hands: the path of a ``.phhs`` file (appended), a function,
            or a list; players are named by their numbers in the player batch.
        tables: ``nlhe_env.load_tables()``; loaded if needed.

    Raises:
        ValueError: The schedule does not fit the players or a table, the game or the seed is
            invalid, an object is not a player, a player does not support the game, hands of a
            packed field are recorded, or the variance reduction does not fit the game.

    >>> import agents, nlhe_env
    >>> players = ["caller", "folder", "raiser"]
    >>> tally = agents.play(players, agents.Blocks(100), nlhe_env.Game.cash(), seed=1)
    >>> tally.scores.sum(), tally.hands
    (np.float64(0.0), 6000)
    """
    if isinstance(players, PlayerBatch):
        if record is not None:
            raise ValueError("to record hands, give the players themselves, not a packed batch")
        batch = players
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
        batch = pack_players(seated)
    n = count_seats(schedule, len(batch))
    if isinstance(schedule, Blocks) and schedule.players is not None:
        batch = batch.take(np.array(schedule.players, np.int64))
    play_units = _player_of_units(batch, schedule, game, n, seed, variance_reduction, tables)
    step = max(1, _AT_ONCE // n)
    parts = []
    for first in range(0, max(len(schedule), 1), step):
        tally = play_units(schedule.part(first, min(step, len(schedule) - first)))
        parts.append(tally if rows else tally.without_rows())
    return reduce(Tally.__add__, parts)


def _player_of_units(
    batch: PlayerBatch,
    schedule: Schedule,
    game: Game,
    n: int,
    seed: int | None,
    variance_reduction: VarianceReduction | Aivat | Divat,
    tables: StrengthTables | None,
) -> Callable[[Schedule], Tally]:
    """Function that plays parts of a schedule."""
    arrays = one_table(game, schedule).arrays(n)
    batch.check(arrays.tables)
    arrays.game["seed"] = arrays.game["decision_seed"] = make_seed(seed)
    score = SCORES.index(game.score)
    strength_tables = batch.strength_tables() if tables is None else tables
    work = batch.work_arrays(n)
    if isinstance(variance_reduction, Aivat):
        variance_reduction.check_batch(batch, is_one_table=not isinstance(schedule, LineupBlocks))
    estimator = estimator_of(variance_reduction, game, n)
    at_table = empty_arrays(batch.arrays, n) if isinstance(schedule, LineupBlocks) else batch.arrays
    seated = Seated(at_table, strength_tables, work)

    def play_units(part: Schedule) -> Tally:
        units = UnitArrays.new(len(part), n, is_adjusted=variance_reduction != "none")
        styles = np.zeros((len(batch), N_STYLE_COUNTS), np.int64)
        results = Results(units, styles, score, estimator)
        if isinstance(part, LineupBlocks):
            play_lineups(arrays, part.lineups, part.blocks, batch.arrays, seated, results)
        else:
            drawn = isinstance(part, Tournaments) or part.seating_order == "random"
            play_field(arrays, part.first, part.rotations(n), drawn, seated, results)
        return count_up(units, styles, part, game)

    return play_units
