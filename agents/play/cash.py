"""Cash games of compiled players at duplicate tables: the same cards for everybody in turn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.compiled import dispatch as choice
from agents.compiled.players import Field, WorkArrays
from nlhe_env.equity import StrengthTables
from nlhe_env.game import tournament
from nlhe_env.game.description import Game
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.style_counts import N_STYLE_COUNTS, add_style_counts
from nlhe_env.game.table import MAX_SEATS
from nlhe_env.game.tournament import DRAWN
from nlhe_env.machine.array_types import I64
from nlhe_env.machine.compilation import kernel


class CashResults(NamedTuple):
    """What some duplicate blocks came to."""

    chips: I64
    """``(n_blocks, n_players)`` chips won (lost, below 0) in all hands of a block; rows sum to
    0."""
    hands: int
    """Hands dealt, all blocks together; every player took part in all of them."""
    decisions: int
    style_counts: I64
    """``(n_players, N_STYLE_COUNTS)``: what ``agents.play.style`` makes measures of, all blocks
    together."""


@kernel
def _play_blocks(
    game,
    tables,
    players,
    levels,
    first,
    field,
    strength_tables,
    work,
    chips,
    style_counts,
    counts,
):
    for i in range(len(chips)):
        play_block(
            game[0],
            tables,
            players,
            levels,
            first + i,
            field,
            strength_tables,
            work,
            chips[i],
            style_counts,
            counts,
        )


@kernel
def play_block(
    game,
    tables,
    players,
    levels,
    number,
    field,
    strength_tables,
    work,
    chips,
    style_counts,
    counts,
):
    """Play one duplicate block: a session for every seat that the players can sit in.

    Args:
        game: The record of a cash game that is set up.
        tables: Its table.
        players: Its players' records.
        levels: Its blinds.
        number: Of the block.
        field: ``FieldArrays``: who plays.
        strength_tables: ``StrengthTables``.
        work: ``WorkArrays``, scratch of this thread.
        chips: ``(n_players,)`` what they win is added to.
        style_counts: ``(n_players, N_STYLE_COUNTS)`` what they do is added to.
        counts: ``(2,)`` hands and decisions are added to.
    """
    n = game.players
    for shift in range(n):
        game.tournament = number
        game.decision_tournament = number * n + shift
        tournament.start_game(game, tables, players, levels, DRAWN - shift)
        _play_session(game, tables, players, levels, field, strength_tables, work, chips)
        for player in range(n):
            add_style_counts(players[player], style_counts[player])
        counts[0] += game.hands
        counts[1] += game.decisions


@kernel
def _play_session(game, tables, players, levels, field, strength_tables, work, chips):
    """Play a cash game that has been started to its end, and add up what everybody wins."""
    while True:
        event = tournament.advance(game, tables, players, levels)
        if event == tournament.DECISION:
            _, action = choice.decide(game, tables, players, field, strength_tables, work)
            tournament.take_action(game, tables, players, action)
        elif event == tournament.HAND_OVER:
            table = tables[game.table]
            for seat in range(table.seats):
                chips[table.player[seat]] += table.won[seat] - table.hand_bet[seat]
        else:
            return


def play_cash(
    field: Field,
    *,
    game: Game | None = None,
    seed: int,
    first: int = 0,
    count: int,
    tables: StrengthTables | None = None,
) -> CashResults:
    """Play the duplicate blocks ``first`` to ``first + count - 1`` of a seed.

    In a block a session is played once for every player: the same hand numbers bring the same cards
    to the same seats with the same buttons, while the players move on by one seat from session to
    session. So everybody holds every seat's cards once, and players who decide alike win exactly 0.
    The order around the table is drawn anew for every block. The players' own randomness differs
    from session to session. Sessions of a block share their cards; blocks are independent of each
    other, so that standard errors must count blocks.

    Each block depends on (seed, its number) and the field alone: blocks can be played in any chunks
    and on any threads; the whole work is done without the GIL.

    Args:
        field: 2 to 10 players.
        game: Stacks, blinds and length of a session.
        seed: Of cards, seats, buttons and the players' own randomness.
        first: Number of the first block.
        count: How many.
        tables: ``load_tables()``, loaded if needed when not given.

    Raises:
        ValueError: More players than fit at a table, or a game or seed that is not possible.

    >>> import agents
    >>> field = agents.pack([agents.make("caller")] * 3)
    >>> played = agents.play_cash(field, seed=1, count=2)
    >>> played.chips, played.hands, played.decisions
    (array([[0, 0, 0],
           [0, 0, 0]]), 120, 1440)
    """
    if len(field) > MAX_SEATS:
        raise ValueError(
            f"duplicate tables seat 2 to {MAX_SEATS} players at one table; got {len(field)}"
        )
    arrays = (game or Game.cash()).arrays(len(field))
    arrays.game["seed"] = arrays.game["decision_seed"] = make_seed(seed)
    chips = np.zeros((count, len(field)), np.int64)
    style_counts = np.zeros((len(field), N_STYLE_COUNTS), np.int64)
    counts = np.zeros(2, np.int64)
    strength_tables = field.strength_tables() if tables is None else tables
    work = WorkArrays.new(field.widest_layer())
    _play_blocks(*arrays, first, field.arrays, strength_tables, work, chips, style_counts, counts)
    return CashResults(
        chips, hands=int(counts[0]), decisions=int(counts[1]), style_counts=style_counts
    )
