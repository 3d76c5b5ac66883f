"""The two kernels that play: the whole field in numbered units, and lineups in their blocks."""

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
    """Play units of the whole player batch that follow each other.

    Args:
        arrays: A game that is set up.
        first: Number of the first unit.
        rotations: Games of a unit: 1 for a tournament, as many as there are players for a block.
        drawn: Whether the order around the table is drawn, or that of the field.
        seated: The players, with the work arrays of this thread.
        results: Results of the units, which are added up.
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
    """Play one block with every lineup, the order around the table drawn.

    Args:
        arrays: A game at one table that is set up.
        lineups: ``(n_units, n)`` numbers in the player batch.
        blocks: ``(n_units,)`` number of the block of each.
        batch: The whole player batch.
        seated: Room for n players, and the work arrays of this thread.
        results: Results of the units, which are added up.
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
    """Copy the players of a lineup that were not in the one before out of the field."""
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
    """Play one game of the unit ``i``, each player ``shift`` seats beyond the first game's."""
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
