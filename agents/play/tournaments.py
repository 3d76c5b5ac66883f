"""Whole tournaments of compiled players, and duplicate tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np

from agents.compiled import dispatch as choice
from agents.compiled.players import Field, WorkArrays
from nlhe_env.arguments import one_of
from nlhe_env.equity import StrengthTables
from nlhe_env.game import tournament
from nlhe_env.game.description import Game
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.style_counts import N_STYLE_COUNTS, add_style_counts
from nlhe_env.game.table import MAX_SEATS
from nlhe_env.game.tournament import DRAWN
from nlhe_env.machine.array_types import F64, I64
from nlhe_env.machine.compilation import kernel

Circle = Literal["drawn", "given"]
"""Order of the players around a duplicate table: drawn for every revolution, or as given."""


class TournamentResults(NamedTuple):
    """What some tournaments, or revolutions of duplicate tables, came to."""

    places: F64
    """``(n, n_players)``: 1 is best, ties share the mean; for revolutions the mean place."""
    hands: int
    decisions: int
    hands_won: I64
    """``(n, n_players)``: hands in which a player got a share of a pot; the same for all below."""
    chips_won: I64
    """Net gains of these hands."""
    showdowns_lost: I64
    """Hands that the player showed down without a share of a pot."""
    chips_lost: I64
    """Chips that the player put into those."""
    style_counts: I64
    """``(n_players, N_STYLE_COUNTS)``: what ``agents.play.style`` makes measures of, all games
    together."""


HANDS_WON, CHIPS_WON, SHOWDOWNS_LOST, CHIPS_LOST = range(4)


@kernel
def _tally(players, n, tallies, style_counts):
    """Add what the records of the players count."""
    for player in range(n):
        record = players[player]
        tallies[HANDS_WON, player] += record.hands_won
        tallies[CHIPS_WON, player] += record.chips_won
        tallies[SHOWDOWNS_LOST, player] += record.showdowns_lost
        tallies[CHIPS_LOST, player] += record.chips_lost
        add_style_counts(record, style_counts[player])


@kernel
def _play_tournaments(
    game,
    tables,
    players,
    levels,
    first,
    field,
    strength_tables,
    work,
    places,
    tallies,
    style_counts,
    counts,
):
    record = game[0]
    for i in range(len(places)):
        record.tournament = first + i
        record.decision_tournament = first + i
        tournament.start_game(record, tables, players, levels, DRAWN)
        choice.play_out(record, tables, players, levels, field, strength_tables, work)
        for player in range(record.players):
            places[i, player] = players[player].place
        _tally(players, record.players, tallies[i], style_counts)
        counts[0] += record.hands
        counts[1] += record.decisions


@kernel
def _play_revolutions(
    game,
    tables,
    players,
    levels,
    drawn,
    first,
    field,
    strength_tables,
    work,
    places,
    tallies,
    style_counts,
    counts,
):
    for i in range(len(places)):
        play_revolution(
            game[0],
            tables,
            players,
            levels,
            drawn,
            first + i,
            field,
            strength_tables,
            work,
            places[i],
            tallies[i],
            style_counts,
            counts,
        )


@kernel
def play_revolution(
    game,
    tables,
    players,
    levels,
    drawn,
    number,
    field,
    strength_tables,
    work,
    places,
    tallies,
    style_counts,
    counts,
):
    """Play one revolution: a tournament for every seat that the players can sit in.

    Args:
        game: The record of a tournament of one table that is set up.
        tables: Its table.
        players: Its players' records.
        levels: Its blinds.
        drawn: Whether the order around the table is drawn, or that of the field.
        number: Of the revolution.
        field: ``FieldArrays``: who plays.
        strength_tables: ``StrengthTables``.
        work: ``WorkArrays``, scratch of this thread.
        places: ``(n_players,)`` gets the mean places.
        tallies: ``(4, n_players)`` hands and chips that they win and lose are added to.
        style_counts: ``(n_players, N_STYLE_COUNTS)`` what they do is added to.
        counts: ``(2,)`` hands and decisions are added to.
    """
    n = game.players
    for player in range(n):
        places[player] = 0.0
    for shift in range(n):
        game.tournament = number
        game.decision_tournament = number * n + shift
        seating = DRAWN - shift if drawn else shift
        tournament.start_game(game, tables, players, levels, seating)
        choice.play_out(game, tables, players, levels, field, strength_tables, work)
        for player in range(n):
            places[player] += players[player].place
        _tally(players, n, tallies, style_counts)
        counts[0] += game.hands
        counts[1] += game.decisions
    for player in range(n):
        places[player] /= n


def play_tournaments(
    field: Field,
    *,
    game: Game,
    seed: int,
    first: int = 0,
    count: int,
    tables: StrengthTables | None = None,
) -> TournamentResults:
    """Play the tournaments ``first`` to ``first + count - 1`` of a seed.

    Seats are drawn anew for every tournament. Each tournament depends on (seed, its number) and the
    field alone, so that they can be played in any chunks and on any threads; the whole work is done
    without the GIL.

    Args:
        field: At least two players.
        game: Form of the tournament.
        seed: Of cards, seats and the players' own randomness.
        first: Number of the first tournament.
        count: How many.
        tables: ``load_tables()``, loaded if needed when not given.
    """
    return _play(_play_tournaments, field, game, seed, first, count, tables)


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
    """Play revolutions of duplicate tables: one table, every player in every seat once.

    In each revolution the same hand numbers bring the same cards to the same seats, and the button
    begins in the same seat, while the players move on by one seat from one tournament to the next.
    The players' own randomness differs from tournament to tournament.

    Who sits next to whom matters: behind a raiser a player does otherwise than in front of one. So
    the order around the table is drawn anew for every revolution, unless ``circle`` says otherwise.

    Source: Nicolai, MSc thesis (University of Regina, 2008), section 4.3.

    Args:
        field: 2 to 10 players.
        game: Form of the single tournaments; its table size does not matter.
        seed: Of cards, buttons and the players' own randomness.
        first: Number of the first revolution.
        count: How many.
        circle: The order of the players around the table: ``"drawn"`` for every revolution, or
            ``"given"`` by the field in all of them, as published.
        tables: ``load_tables()``, loaded if needed when not given.

    Raises:
        ValueError: More players than fit at a table, or no such circle.
    """
    if len(field) > MAX_SEATS:
        raise ValueError(
            f"duplicate tables seat 2 to {MAX_SEATS} players at one table; got {len(field)}"
        )
    one_table = replace(game, table_size=MAX_SEATS)
    drawn = one_of("circle", circle, ("drawn", "given")) == "drawn"
    return _play(_play_revolutions, field, one_table, seed, first, count, tables, drawn)


def _play(
    play: Any,
    field: Field,
    game: Game,
    seed: int,
    first: int,
    count: int,
    tables: StrengthTables | None,
    *options: bool,
) -> TournamentResults:
    arrays = game.arrays(len(field))
    arrays.game["seed"] = arrays.game["decision_seed"] = make_seed(seed)
    places = np.zeros((count, len(field)))
    tallies = np.zeros((count, 4, len(field)), np.int64)
    style_counts = np.zeros((len(field), N_STYLE_COUNTS), np.int64)
    counts = np.zeros(2, np.int64)
    strength_tables = field.strength_tables() if tables is None else tables
    work = WorkArrays.new(field.widest_layer())
    play(
        *arrays,
        *options,
        first,
        field.arrays,
        strength_tables,
        work,
        places,
        tallies,
        style_counts,
        counts,
    )
    return TournamentResults(
        places,
        hands=int(counts[0]),
        decisions=int(counts[1]),
        hands_won=tallies[:, HANDS_WON],
        chips_won=tallies[:, CHIPS_WON],
        showdowns_lost=tallies[:, SHOWDOWNS_LOST],
        chips_lost=tallies[:, CHIPS_LOST],
        style_counts=style_counts,
    )
