"""Sessions with a memory that a player brings along, or that stays as it is while it plays.

What an adaptive player has learned from some opponents can so be measured apart from what it goes
on to learn: it plays on with the memory that it had, put back before every hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.dispatch import act_and_notify, begin_hand, begin_session, decide, end_hand
from agents.policy.kinds import count
from agents.policy.player_batch import pack_players
from nlhe_env.game import tournament
from nlhe_env.game.description import Game
from nlhe_env.jit.array_types import F32, I64
from nlhe_env.jit.compilation import kernel


def play_session(
    player: CompiledPlayer,
    opponent: CompiledPlayer,
    game: Game,
    *,
    hands: int,
    seed: int,
    session: int = 0,
    seat: int = 0,
    memory: F32 | None = None,
    held: bool = False,
) -> tuple[I64, F32]:
    """A session of two players, in which one brings a memory along.

    Args:
        player: The player with the memory.
        opponent: Its opponent, which begins without memory.
        game: A cash game for two; however many hands it has.
        hands: To play.
        seed: Seed of cards and the players' own randomness.
        session: Its number: other cards.
        seat: 0, or 1 for the same cards with the seats exchanged.
        memory: Memory that the player brings along; None for none.
        held: Whether the memory is put back before every hand.

    Returns:
        ``(hands,)`` chips that it won in each, and its memory in the end.

    Raises:
        ValueError: It has no memory, or a player does not know the game.
    """
    n = count(player.kind.memory, player.sizes)
    if n == 0:
        raise ValueError(f"the player must have a memory; {player.name!r} has none")
    field, arrays = pack_players([player, opponent]), game.arrays(2)
    field.check(arrays.tables)
    arrays.game["seed"] = arrays.game["decision_seed"] = seed
    arrays.game["tournament"] = session
    arrays.game["decision_tournament"] = 2 * session + seat
    arrays.game["max_hands"] = 0
    work, won = field.work_arrays(), np.zeros(hands, np.int64)
    remaining: Any = field.arrays, field.strength_tables(), work
    _begin(*arrays, seat, *remaining)
    if memory is not None:
        work.memory[0, :n] = memory
    kept = work.memory[0, : n if held else 0].copy()
    _play_hands(*arrays, kept, won, *remaining)
    return won, work.memory[0, :n].copy()


@kernel
def _begin(game, tables, players, levels, seat, field, strength_tables, work):
    """Seat both, and begin a session."""
    tournament.start_game(game[0], tables, players, levels, seat)
    begin_session(tables, field, strength_tables, work)


@kernel
def _play_hands(game, tables, players, levels, kept, won, field, strength_tables, work):
    """Play hands, before each of which the kept memory of player 0 is put back."""
    record, table, done = game[0], tables[0], 0
    while done < len(won):
        event = tournament.advance(record, tables, players, levels)
        if event == tournament.DECISION:
            begin_hand(table, field, strength_tables, work)
            _, action = decide(record, tables, players, field, strength_tables, work)
            act_and_notify(record, tables, players, action, field, strength_tables, work, True)
        elif event == tournament.HAND_OVER:
            for seat in range(table.seats):
                if table.player[seat] == 0:
                    won[done] = table.won[seat] - table.hand_bet[seat]
            end_hand(table, field, strength_tables, work)
            for j in range(len(kept)):  # Numba would copy a slice first, in case they overlap
                work.memory[0, j] = kept[j]
            done += 1
