"""Adaptation of a player within a session, measured by the value of its memory.

Source: X. Li (PhD thesis, University of Texas at Austin, 2018), section 5.3.3 and table 5-7. In one
session the player faces several opponents in sequence. At each change of opponent its memory is
copied, and the winnings with this frozen memory are measured against reference players in separate
hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import agents
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import count
from agents.policy.session import Session
from nlhe_env import Game
from nlhe_env.arguments import whole_number
from nlhe_env.jit.array_types import F64, I64


@dataclass(frozen=True, eq=False)
class Adaptation:
    """Winnings of a player with copies of its memory from several times.

    Attributes:
        after: ``(n,)`` session hands before each copy of the memory; the first is 0.
        scores: ``(n, n_judges)`` big blinds per hand with that memory.
        errors: ``(n, n_judges)`` standard errors of the scores; a column shares its cards.
        session: ``(n - 1,)`` big blinds per hand in each part of the session itself.
    """

    after: I64
    scores: F64
    errors: F64
    session: F64


def measure_adaptation(
    player: agents.CompiledPlayer | str,
    met: Sequence[agents.CompiledPlayer | str],
    reference_players: Sequence[agents.CompiledPlayer | str],
    game: Game,
    *,
    every: int = 50,
    hands: int = 4000,
    seed: int = 1,
) -> Adaptation:
    """Copy a player's memory at intervals during a session, and measure its value.

    Args:
        player: Player with memory, which adapts.
        met: Opponents in the session, in order.
        reference_players: Opponents for measuring the copies.
        game: A heads-up cash game; its number of hands is ignored.
        every: Hands against each of ``met``.
        hands: Hands per measurement; the same cards are replayed with exchanged seats.
        seed: Seed of cards and the players' own randomness.

    Raises:
        ValueError: The player has no memory, or a player does not support the game.

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
    n = count(one.kind.memory, one.sizes)
    if n == 0:
        raise ValueError(f"the player must have a memory; {one.name!r} has none")
    blank = Session([one, _compiled(reference_players[0])], game, seed=seed)
    memories, parts = [blank.memory[0, :n]], []
    for i, opponent in enumerate(met, start=1):  # 0 is for the cards that measure all copies
        session = Session([one, _compiled(opponent)], game, seed=seed, number=i)
        session.memory[0, :n] = memories[-1]
        won = session.play(every)[:, 0]
        memories.append(session.memory[0, :n])
        parts.append(won.mean() / game.big_blind)
    scores = np.empty((len(memories), len(reference_players)))
    errors = np.empty_like(scores)
    for i, known in enumerate(memories):
        for j, reference in enumerate(map(_compiled, reference_players)):
            pair = []
            for seat in (0, 1):
                session = Session([one, reference], game, seed=seed, seat=seat)
                session.memory[0, :n] = known
                pair.append(session.play(hands, holds_memory=True)[:, 0])
            both = np.mean(pair, axis=0) / game.big_blind
            scores[i, j] = both.mean()
            errors[i, j] = both.std(ddof=1) / len(both) ** 0.5
    return Adaptation(every * np.arange(len(memories)), scores, errors, np.array(parts))


def _compiled(player: agents.CompiledPlayer | str) -> CompiledPlayer:
    return agents.make_compiled(player) if isinstance(player, str) else player
