"""The two kernels that play: the whole field in numbered units, and line-ups in their blocks."""

from __future__ import annotations

from agents.policy.dispatch import play_out
from agents.policy.player_batch import copy_player
from nlhe_env.game import tournament
from nlhe_env.game.style_counts import add_style_counts
from nlhe_env.game.tournament import DRAWN
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.function_pointers import NO_FUNCTION

HANDS_WON, CHIPS_WON, SHOWDOWNS_LOST, CHIPS_LOST = range(4)  # in the order of `units.GAINS`


@kernel
def play_field(
    game,
    tables,
    players,
    levels,
    first,
    rotations,
    drawn,
    by_place,
    field,
    strength_tables,
    work,
    estimator,
    units,
    style_counts,
):
    """Play units of the whole field that follow each other.

    Args:
        game: ``(1,)`` record of a game that is set up.
        tables: Its tables.
        players: Its players' records.
        levels: Its blinds.
        first: Number of the first unit.
        rotations: Games of a unit: 1 for a tournament, as many as there are players for a block.
        drawn: Whether the order around the table is drawn, or that of the field.
        by_place: Whether points are halves of places, else chips won.
        field: ``PlayerArrays`` of the players.
        strength_tables: ``StrengthTables``.
        work: ``WorkArrays``, scratch of this thread.
        estimator: ``Estimator`` of the results of hands.
        units: ``UnitArrays``.
        style_counts: ``(n_players, N_STYLE_COUNTS)`` what they do is added to.
    """
    record = game[0]
    for i in range(len(units.points)):
        for shift in range(rotations):
            _play_game(
                record,
                tables,
                players,
                levels,
                first + i,
                rotations,
                shift,
                drawn,
                by_place,
                field,
                strength_tables,
                work,
                estimator,
                units,
                i,
            )
            for player in range(record.players):
                add_style_counts(players[player], style_counts[player])


@kernel
def play_line_ups(
    game,
    tables,
    players,
    levels,
    line_ups,
    blocks,
    by_place,
    field,
    seated,
    strength_tables,
    work,
    estimator,
    units,
    style_counts,
):
    """Play one block with every line-up, the order around the table drawn.

    Args:
        game: ``(1,)`` record of a game at one table that is set up.
        tables: Its table.
        players: Its players' records.
        levels: Its blinds.
        line_ups: ``(n_units, n)`` numbers in the field.
        blocks: ``(n_units,)`` number of the block of each.
        by_place: Whether points are halves of places, else chips won.
        field: ``PlayerArrays`` of the whole field.
        seated: ``PlayerArrays`` of n players, scratch.
        strength_tables: ``StrengthTables``.
        work: ``WorkArrays``, scratch of this thread.
        estimator: ``Estimator`` of the results of hands.
        units: ``UnitArrays``.
        style_counts: ``(n_players, N_STYLE_COUNTS)`` what they do is added to.
    """
    record = game[0]
    for i in range(len(line_ups)):
        _seat(line_ups[i], line_ups[i - 1], i == 0, field, seated)
        for shift in range(record.players):
            _play_game(
                record,
                tables,
                players,
                levels,
                blocks[i],
                record.players,
                shift,
                True,
                by_place,
                seated,
                strength_tables,
                work,
                estimator,
                units,
                i,
            )
            for seat in range(record.players):
                add_style_counts(players[seat], style_counts[line_ups[i, seat]])


@kernel
def _seat(line_up, before, all_new, field, seated):
    """Copy the players of a line-up that were not in the one before out of the field."""
    for seat in range(len(line_up)):
        player = line_up[seat]
        if all_new or player != before[seat]:
            copy_player(field, player, seated, seat)


@kernel
def _play_game(
    game,
    tables,
    players,
    levels,
    number,
    rotations,
    shift,
    drawn,
    by_place,
    field,
    strength_tables,
    work,
    estimator,
    units,
    i,
):
    """Play one game of the unit ``i``, each player ``shift`` seats beyond the first game's."""
    game.tournament = number
    game.decision_tournament = number * rotations + shift
    tournament.start_game(game, tables, players, levels, DRAWN - shift if drawn else shift)
    units.chips[:] = 0
    estimator.sums[:] = 0
    play_out(game, tables, players, levels, field, strength_tables, work, units.chips, estimator)
    for player in range(game.players):
        record = players[player]
        points = record.place * 2.0 if by_place else units.chips[player]
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
