"""The match kernel: units of a schedule, taken by threads from a shared counter."""

from __future__ import annotations

from typing import NamedTuple

from agents.match.unit_results import Results
from agents.policy.dispatch import play_out
from agents.policy.player_batch import PlayerArrays, Seated, copy_player
from nlhe_env.game import tournament
from nlhe_env.game.description import GameArrays
from nlhe_env.game.scoring import game_points
from nlhe_env.game.style_counts import add_style_counts
from nlhe_env.game.tournament import DRAWN
from nlhe_env.jit.array_types import I64, Int
from nlhe_env.jit.atomics import fetch_add
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.function_pointers import NO_FUNCTION

HANDS_WON, CHIPS_WON, SHOWDOWNS_LOST, CHIPS_LOST = range(4)  # in the order of `units.GAINS`


class Units(NamedTuple):
    """Units of a schedule for kernels."""

    numbers: I64
    """``(n_units,)`` number of the tournament or block of each unit."""
    lineups: I64
    """``(n_units, n)`` player numbers in the batch; ``(0, n)``: always the whole batch."""
    rotations: int
    """Games per unit: 1 for tournaments, the number of players for blocks."""
    drawn: bool
    """Whether the seating order is random instead of the batch's order."""


@kernel
def play_units(
    arrays: GameArrays,
    units: Units,
    batch: PlayerArrays,
    seated: Seated,
    results: Results,
    counter: I64,
    begin: Int,
    number: Int,
) -> Int:
    """Play units until the shared counter has passed the last one.

    Args:
        arrays: Arrays of a game.
        units: The units of a match.
        batch: The whole player batch.
        seated: The players of a game, with the work arrays of this thread; for lineups, arrays to
            be filled.
        results: Results of the units, added to.
        counter: ``(1,)`` the next number that no thread has taken yet.
        begin: Number of the first of these units.
        number: The first number to play, taken by the caller.

    Returns:
        The first number taken that is beyond these units.
    """
    n = arrays.game[0].players
    by_lineup = len(units.lineups) > 0
    before = -1
    i = number - begin
    while i < len(units.numbers):
        if by_lineup:
            _seat(units.lineups, i, before, batch, seated.batch)
            before = i
        for shift in range(units.rotations):
            _play_game(arrays, units, i, shift, seated, results)
            for seat in range(n):
                player = units.lineups[i, seat] if by_lineup else seat
                add_style_counts(arrays.players[seat], results.style_counts[player])
        i = fetch_add(counter, 1) - begin
    return i + begin


@kernel
def _seat(lineups: I64, i: Int, before: Int, batch: PlayerArrays, seated: PlayerArrays) -> None:
    """Copy the players of lineup ``i`` that differ from lineup ``before`` (-1: none)."""
    for seat in range(lineups.shape[1]):
        player = lineups[i, seat]
        if before < 0 or player != lineups[before, seat]:
            copy_player(batch, player, seated, seat)


@kernel
def _play_game(
    arrays: GameArrays, units: Units, i: Int, shift: Int, seated: Seated, results: Results
) -> None:
    """Play one game of unit ``i``, with players shifted by ``shift`` seats."""
    game, tables, players, levels = arrays.game[0], arrays.tables, arrays.players, arrays.levels
    rows, estimator = results.units, results.estimator
    game.tournament = units.numbers[i]
    game.decision_tournament = units.numbers[i] * units.rotations + shift
    tournament.start_game(game, tables, players, levels, DRAWN - shift if units.drawn else shift)
    rows.chips.fill(0)
    estimator.sums.fill(0)
    play_out(arrays, seated, rows.chips, estimator)
    for player in range(game.players):
        record = players[player]
        points = game_points(results.score, rows.chips[player], record.place)
        rows.points[i, player] += points
        if estimator.kernel != NO_FUNCTION:
            rows.adjusted[i, player] += estimator.sums[player]
        rows.gains[i, HANDS_WON, player] += record.hands_won
        rows.gains[i, CHIPS_WON, player] += record.chips_won
        rows.gains[i, SHOWDOWNS_LOST, player] += record.showdowns_lost
        rows.gains[i, CHIPS_LOST, player] += record.chips_lost
    add_style_counts(players[0], rows.first_style[i])
    rows.counts[i, 0] += game.hands
    rows.counts[i, 1] += game.decisions
