"""Match kernels, for the whole batch in numbered units and for lineups in their blocks."""

from __future__ import annotations

from agents.match.unit_results import Results
from agents.policy.dispatch import play_out
from agents.policy.player_batch import PlayerArrays, Seated, copy_player
from nlhe_env.game import tournament
from nlhe_env.game.description import GameArrays
from nlhe_env.game.scoring import game_points
from nlhe_env.game.style_counts import add_style_counts
from nlhe_env.game.tournament import DRAWN
from nlhe_env.jit.array_types import I64, Int, Truth
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.function_pointers import NO_FUNCTION

HANDS_WON, CHIPS_WON, SHOWDOWNS_LOST, CHIPS_LOST = range(4)  # in the order of `units.GAINS`


@kernel
def play_field(
    arrays: GameArrays, first: Int, rotations: Int, drawn: Truth, seated: Seated, results: Results
) -> None:
    """Play consecutive units with the whole player batch.

    Args:
        arrays: Arrays of a game.
        first: Number of the first unit.
        rotations: Games per unit: 1 for tournaments, the number of players for blocks.
        drawn: Whether the seating order is random instead of the batch's order.
        seated: The players, with the work arrays of this thread.
        results: Results of the units, added to.
    """
    for i in range(len(results.units.points)):
        for shift in range(rotations):
            _play_game(arrays, first + i, rotations, shift, drawn, seated, results, i)
            for player in range(arrays.game[0].players):
                add_style_counts(arrays.players[player], results.style_counts[player])


@kernel
def play_lineups(
    arrays: GameArrays,
    lineups: I64,
    blocks: I64,
    batch: PlayerArrays,
    seated: Seated,
    results: Results,
) -> None:
    """Play one block with every lineup, in random seating orders.

    Args:
        arrays: Arrays of a game at one table.
        lineups: ``(n_units, n)`` player numbers in the batch.
        blocks: ``(n_units,)`` block number of each lineup.
        batch: The whole player batch.
        seated: Arrays for n players, and the work arrays of this thread.
        results: Results of the units, added to.
    """
    n = arrays.game[0].players
    for i in range(len(lineups)):
        _seat(lineups[i], lineups[i - 1], i == 0, batch, seated.batch)
        for shift in range(n):
            _play_game(arrays, blocks[i], n, shift, True, seated, results, i)
            for seat in range(n):
                add_style_counts(arrays.players[seat], results.style_counts[lineups[i, seat]])


@kernel
def _seat(
    lineup: I64, before: I64, all_new: Truth, batch: PlayerArrays, seated: PlayerArrays
) -> None:
    """Copy the players of a lineup that differ from the previous one from the batch."""
    for seat in range(len(lineup)):
        player = lineup[seat]
        if all_new or player != before[seat]:
            copy_player(batch, player, seated, seat)


@kernel
def _play_game(
    arrays: GameArrays,
    number: Int,
    rotations: Int,
    shift: Int,
    drawn: Truth,
    seated: Seated,
    results: Results,
    i: Int,
) -> None:
    """Play one game of unit ``i``, with players shifted by ``shift`` seats."""
    game, tables, players, levels = arrays.game[0], arrays.tables, arrays.players, arrays.levels
    units, estimator = results.units, results.estimator
    game.tournament = number
    game.decision_tournament = number * rotations + shift
    tournament.start_game(game, tables, players, levels, DRAWN - shift if drawn else shift)
    units.chips[:] = 0
    estimator.sums[:] = 0
    play_out(arrays, seated, units.chips, estimator)
    for player in range(game.players):
        record = players[player]
        points = game_points(results.score, units.chips[player], record.place)
        units.points[i, player] += points
        if estimator.kernel != NO_FUNCTION:
            units.adjusted[i, player] += estimator.sums[player]
        units.gains[i, HANDS_WON, player] += record.hands_won
        units.gains[i, CHIPS_WON, player] += record.chips_won
        units.gains[i, SHOWDOWNS_LOST, player] += record.showdowns_lost
        units.gains[i, CHIPS_LOST, player] += record.chips_lost
    add_style_counts(players[0], units.first_style[i])
    units.counts[i, 0] += game.hands
    units.counts[i, 1] += game.decisions
