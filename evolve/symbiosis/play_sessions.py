"""Teams at work: all of them play the same matches, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from agents.matches import (
    RULES,
    BettingRule,
    Matches,
    MatchLibrary,
    MatchPlayer,
    bayesian_match_player,
    play_matches,
    rule_match_player,
)
from agents.players.programs.opponent_model import N_INPUTS
from evolve.workers import Workers
from evolve.workers.chunks import run_chunks
from nlhe_env.jit.array_types import F32, I64, AnyArray, Records


class Session(NamedTuple):
    """Matches that all play against one opponent."""

    opponent: MatchPlayer
    matches: I64


@dataclass(frozen=True, eq=False)
class Played:
    """Results of the sessions of a player, one after the other.

    Attributes:
        outcomes: ``(n,)`` records of all matches.
        letters: Behaviour as text.
        samples: ``(n_samples, 14)`` some inputs.
        active: ``(64,)`` which of its programs have won a bid.
    """

    outcomes: Records
    letters: bytes
    samples: F32
    active: AnyArray


@dataclass(frozen=True, eq=False)
class _Task:
    library: MatchLibrary
    players: tuple[MatchPlayer, ...]
    sessions: tuple[Session, ...]
    betting: BettingRule
    seed: int
    wants_letters: bool
    sample_chance: float

    def __call__(self, first: int, count: int) -> list[Played]:
        return [self._play(player) for player in self.players[first : first + count]]

    def _play(self, player: MatchPlayer) -> Played:
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
        return Played(
            np.concatenate([part.outcomes for part in parts]),
            b"".join(part.letters for part in parts),
            np.concatenate([part.samples for part in parts]).reshape(-1, N_INPUTS),
            np.any([part.active for part in parts], axis=0),
        )


def play_sessions(
    library: MatchLibrary,
    players: Sequence[MatchPlayer],
    sessions: Sequence[Session],
    *,
    workers: Workers,
    betting: BettingRule = "two-calls",
    seed: int = 0,
    wants_letters: bool = False,
    sample_chance: float = 0.0,
) -> list[Played]:
    """All players play all sessions; the arguments are those of ``agents.matches.play_matches``."""
    task = _Task(
        library,
        tuple(players),
        tuple(sessions),
        betting,
        seed,
        wants_letters,
        sample_chance,
    )
    chunks = run_chunks(task, len(players), workers=workers)
    return [played for chunk in chunks for played in chunk]


def static_opponents() -> list[MatchPlayer]:
    """LA, LP, TA and TP."""
    return [rule_match_player(*rule, name) for name, rule in RULES.items()]


def training_opponents(bayesian: int) -> list[MatchPlayer]:
    """The static opponents, and so many Bayesian ones for balanced matches."""
    return [*static_opponents(), *[bayesian_match_player("balanced")] * bayesian]
