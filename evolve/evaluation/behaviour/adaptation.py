"""Adaptation of a player in a session: its winnings with what it knew after so many hands.

Source: X. Li (PhD thesis, University of Texas at Austin, 2018), section 5.3.3 and table 5-7. In one
session the player meets some opponents one after the other. Each time that the opponent changes its
memory is copied, and what it wins with that memory, which then stays as it is, is measured against
others in hands of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import agents
from agents.match.sessions import play_session
from agents.policy.compiled_player import CompiledPlayer
from nlhe_env import Game
from nlhe_env.arguments import whole_number
from nlhe_env.jit.array_types import F64, I64


@dataclass(frozen=True, eq=False)
class Adaptation:
    """Winnings of a player with what it knew at several times.

    Attributes:
        after: ``(n,)`` hands of the session before each copy of its memory; the first is 0.
        scores: ``(n, n_judges)`` big blinds it wins a hand with that memory.
        errors: ``(n, n_judges)`` their standard errors; the cards are the same in a column.
        session: ``(n - 1,)`` big blinds a hand that it won in each part of the session itself.
    """

    after: I64
    scores: F64
    errors: F64
    session: F64


def measure_adaptation(
    player: agents.CompiledPlayer | str,
    met: Sequence[agents.CompiledPlayer | str],
    judges: Sequence[agents.CompiledPlayer | str],
    game: Game,
    *,
    every: int = 50,
    hands: int = 4000,
    seed: int = 1,
) -> Adaptation:
    """Copy the memory of a player every few hands of a session, and measure what it is worth.

    Args:
        player: Player with memory, which adapts.
        met: Players that it meets in the session, one after the other.
        judges: Players against which the copies are measured.
        game: A cash game for two; however many hands it has.
        every: Hands with each of ``met``.
        hands: Hands of each measurement; the same cards are played again with the seats exchanged.
        seed: Seed of cards and the players' own randomness.

    Raises:
        ValueError: The player has no memory, or a player does not know the game.

    >>> import agents, nlhe_env
    >>> game = nlhe_env.Game.cash(starting_stack=20_000, blinds=(50, 100))
    >>> found = measure_adaptation(
    ...     "ashe-1.0", ["early-scared-limper"], ["early-scared-limper"], game, every=5, hands=5
    ... )
    >>> found.after.tolist(), found.scores.shape
    ([0, 5], (2, 1))
    """
    whole_number("every", every, least=1)
    whole_number("hands", hands, least=2)
    one = _compiled(player)
    memory = play_session(one, _compiled(judges[0]), game, hands=0, seed=seed)[1]
    memories, session = [memory], []
    for i, opponent in enumerate(met, start=1):  # 0 are the cards that all copies are measured by
        won, memory = play_session(
            one, _compiled(opponent), game, hands=every, seed=seed, session=i, memory=memory
        )
        memories.append(memory)
        session.append(won.mean() / game.big_blind)
    scores = np.empty((len(memories), len(judges)))
    errors = np.empty_like(scores)
    for i, known in enumerate(memories):
        for j, judge in enumerate(map(_compiled, judges)):
            pair = [
                play_session(
                    one, judge, game, hands=hands, seed=seed, seat=seat, memory=known, held=True
                )[0]
                for seat in (0, 1)
            ]
            both = np.mean(pair, axis=0) / game.big_blind
            scores[i, j] = both.mean()
            errors[i, j] = both.std(ddof=1) / len(both) ** 0.5
    return Adaptation(every * np.arange(len(memories)), scores, errors, np.array(session))


def _compiled(player: agents.CompiledPlayer | str) -> CompiledPlayer:
    return agents.make_compiled(player) if isinstance(player, str) else player
