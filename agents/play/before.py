"""The ways to play of version 0.1.0 in terms of ``play``, until nothing calls them any more."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.compiled.fields import Field
from agents.play.playing import play
from agents.play.schedules import Blocks, Circle, LineUps, Schedule, Tournaments
from nlhe_env.equity import StrengthTables
from nlhe_env.game.description import Game
from nlhe_env.machine.array_types import F64, I64


class TournamentResults(NamedTuple):
    """Rows of tournaments, or blocks of them, and sums over all of them."""

    places: F64
    hands: int
    decisions: int
    hands_won: I64
    chips_won: I64
    showdowns_lost: I64
    chips_lost: I64
    style_counts: I64


class CashResults(NamedTuple):
    """Rows of blocks of a cash game, and sums over all of them."""

    chips: I64
    hands: int
    decisions: int
    style_counts: I64


class MatchResults(NamedTuple):
    """Rows of line-ups."""

    scores: F64
    hands: I64
    decisions: I64
    style_counts: I64


def play_tournaments(
    field: Field,
    *,
    game: Game,
    seed: int,
    first: int = 0,
    count: int,
    tables: StrengthTables | None = None,
) -> TournamentResults:
    """Tournaments of the whole field."""
    return _results(field, Tournaments(count, int(first)), game, seed, tables)


def play_revolutions(
    field: Field,
    *,
    game: Game,
    seed: int,
    first: int = 0,
    count: int,
    circle: Circle = "drawn",
    tables: StrengthTables | None = None,
) -> TournamentResults:
    """Blocks of tournaments."""
    return _results(field, Blocks(count, int(first), circle), game, seed, tables)


def _results(
    field: Field, schedule: Schedule, game: Game, seed: int, tables: StrengthTables | None
) -> TournamentResults:
    tally = play(field, schedule, game, seed=seed, rows=True, tables=tables)
    assert tally.rows is not None
    rows = tally.rows
    return TournamentResults(
        tally.row_scores,
        tally.hands,
        tally.decisions,
        rows.hands_won,
        rows.chips_won,
        rows.showdowns_lost,
        rows.chips_lost,
        tally.style_counts,
    )


def play_cash(
    field: Field,
    *,
    game: Game | None = None,
    seed: int,
    first: int = 0,
    count: int,
    tables: StrengthTables | None = None,
) -> CashResults:
    """Blocks of a cash game."""
    schedule, game = Blocks(count, int(first)), game or Game.cash()
    tally = play(field, schedule, game, seed=seed, rows=True, tables=tables)
    assert tally.rows is not None
    return CashResults(tally.rows.points, tally.hands, tally.decisions, tally.style_counts)


def play_matches(
    field: Field,
    line_ups: I64,
    blocks: I64,
    *,
    game: Game,
    seed: int,
    tables: StrengthTables | None = None,
) -> MatchResults:
    """Line-ups in their blocks."""
    tally = play(field, LineUps(line_ups, blocks), game, seed=seed, rows=True, tables=tables)
    rows = tally.rows
    assert rows is not None
    scores = np.asarray(tally.row_scores, np.float64)
    return MatchResults(scores, rows.hands, rows.decisions, rows.first_style)
