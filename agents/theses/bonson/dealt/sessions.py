"""Sessions of matches on workers: many players play the same matches in parallel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from agents.match.workers.base import Workers
from agents.match.workers.chunks import run_chunks
from agents.policy.compiled_player import CompiledPlayer
from agents.theses.bonson.dealt import (
    BettingRule,
    Matches,
    MatchLibrary,
    play_matches,
)
from agents.theses.bonson.programs.opponent_model import N_INPUTS
from nlhe_env.jit.array_types import F32, I64, AnyArray, Records


class Session(NamedTuple):
    """Matches that all play against one opponent."""

    opponent: CompiledPlayer
    matches: I64


@dataclass(frozen=True, eq=False)
class SessionResults:
    """Results of a player's sessions, concatenated.

    Attributes:
        outcomes: ``(n,)`` records of all matches.
        letters: Behaviour as text, one letter per decision.
        samples: ``(n_samples, 14)`` sampled inputs.
        active: ``(64,)`` True for the player's programs that have won a bid.
    """

    outcomes: Records
    letters: bytes
    samples: F32
    active: AnyArray


@dataclass(frozen=True, eq=False)
class _Task:
    library: MatchLibrary
    players: tuple[CompiledPlayer, ...]
    sessions: tuple[Session, ...]
    betting: BettingRule
    seed: int
    wants_letters: bool
    sample_chance: float

    def __call__(self, first: int, count: int) -> list[SessionResults]:
        return [self._play(player) for player in self.players[first : first + count]]

    def _play(self, player: CompiledPlayer) -> SessionResults:
        parts: list[Matches] = [
            play_matches(
                self.library,
                session.matches,
                player,
                session.opponent,
                betting=self.betting,
                seed=self.seed,
                wants_letters=self.wants_letters,
                sample_chance=self.sample_chance,
            )
            for session in self.sessions
        ]
        return SessionResults(
            np.concatenate([part.outcomes for part in parts]),
            b"".join(part.letters for part in parts),
            np.concatenate([part.samples for part in parts]).reshape(-1, N_INPUTS),
            np.any([part.active for part in parts], axis=0),
        )


def play_sessions(
    library: MatchLibrary,
    players: Sequence[CompiledPlayer],
    sessions: Sequence[Session],
    *,
    workers: Workers,
    betting: BettingRule = "two-calls",
    seed: int = 0,
    wants_letters: bool = False,
    sample_chance: float = 0.0,
    on_progress: Callable[[int], None] | None = None,
) -> list[SessionResults]:
    """Plays all sessions with all players; the arguments are those of ``play_matches``.

    Progress counts the players that have finished all sessions.
    """
    task = _Task(
        library,
        tuple(players),
        tuple(sessions),
        betting,
        seed,
        wants_letters,
        sample_chance,
    )
    chunks = run_chunks(task, len(players), workers=workers, on_progress=on_progress)
    return [played for chunk in chunks for played in chunk]
