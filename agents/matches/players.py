"""Players of matches, each a row of numbers: teams of programs, rules, and a Bayesian player.

Source: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie
University, 2016), sections 4.2.4 and 5.1, tables 4.3 to 4.5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from agents.players.programs.instructions import N_REGISTERS, Program
from agents.players.programs.limit_teams import check_team
from agents.players.programs.opponent_model import CALLED, FOLDED, MODEL, RAISED
from agents.players.programs.team_players import MOST_PROGRAMS, to_weights
from nlhe_env.arguments import one_of
from nlhe_env.jit.array_types import F32
from nlhe_env.jit.compilation import kernel

TEAM, LAYERED, RULE, BAYESIAN, RANDOM = range(5)
"""Kinds, first those that are made of programs."""

MEMORY = MODEL + N_REGISTERS * MOST_PROGRAMS
"""Float32 numbers that most players of matches may remember: after the model the registers."""

RULES = {"LA": (0.2, 0.4), "LP": (0.2, 0.8), "TA": (0.8, 0.85), "TP": (0.8, 0.95)}
"""The static opponents: from which strength they play, and raise (table 4.3)."""

Hands = Literal["balanced", "unbalanced"]

ANTI_PLAYERS: Mapping[Hands, Mapping[str, tuple[float, float]]] = {
    "balanced": {"LA": (0.5, 0.5), "LP": (0.6, 0.6), "TA": (0.2, 0.2), "TP": (0.2, 0.2)},
    "unbalanced": {"LA": (0.4, 0.4), "LP": (0.4, 0.5), "TA": (0.0, 0.0), "TP": (0.0, 0.0)},
}
"""The rules of the same form that win most of each static opponent (table 4.5)."""

_ACTION_SHARES = (
    (0.053, 0.430, 0.517),
    (0.047, 0.728, 0.225),
    (0.373, 0.357, 0.270),
    (0.355, 0.559, 0.086),
)
"""Shares of folds, calls and raises of each static opponent (table 4.4, with three decimals)."""

_N_STYLES = len(RULES)
_NEVER_RESET, _ANTI, _SHARES = 1, 2, 2 + 2 * _N_STYLES


@dataclass(frozen=True, eq=False)
class MatchPlayer:
    """A player of matches.

    Attributes:
        name: For tables and plots.
        row: Float32 numbers that define it.
        n_programs: Programs that have registers in its memory.
    """

    name: str
    row: F32
    n_programs: int = MOST_PROGRAMS

    @property
    def memory(self) -> int:
        """Float32 numbers that it may remember."""
        return MODEL + N_REGISTERS * max(self.n_programs, MOST_PROGRAMS)


def team_match_player(programs: Sequence[Program], name: str = "team") -> MatchPlayer:
    """A team whose programs read the 14 inputs and bid to fold (0), call (1) and raise (2).

    Raises:
        ValueError: A program has another action, or reads other inputs.
    """
    check_team(programs)
    return MatchPlayer(name, np.concatenate([_row(TEAM), to_weights(programs)]))


def layered_match_player(
    programs: Sequence[Program], teams: Sequence[Sequence[Program]], name: str = "layered"
) -> MatchPlayer:
    """A team whose programs bid for other teams, of which the one that wins decides.

    Args:
        programs: Their actions are numbers of teams.
        teams: As of ``team_match_player``; registers of each last for a hand.
        name: For tables and plots.

    Raises:
        ValueError: A program has another action, or reads other inputs.
    """
    check_team(programs, len(teams))
    for team in teams:
        check_team(team)
    head, weights = to_weights(programs), [to_weights(team) for team in teams]
    counts = [len(programs), *map(len, teams)]
    directory = 2 + len(head)
    offsets = directory + 2 * len(teams) + np.cumsum([0, *map(len, weights)])[:-1]
    places = np.column_stack([offsets, np.cumsum(counts)[:-1]]).ravel()
    row = np.concatenate([_row(LAYERED, directory), head, _row(*places), *weights])
    return MatchPlayer(name, row, sum(counts))


def rule_match_player(play: float, rise: float, name: str = "rule") -> MatchPlayer:
    """A rule of two thresholds on hand strength.

    From ``play`` on it calls, from ``rise`` on it raises where it may; weaker hands check, or fold
    to a bet.
    """
    return MatchPlayer(name, _row(RULE, play, rise))


def bayesian_match_player(
    hands: Hands = "unbalanced", *, forgets: bool = True, name: str = "B"
) -> MatchPlayer:
    """A player that infers which static opponent it meets, and plays the rule that beats it most.

    Args:
        hands: Set of anti-players that it plays.
        forgets: Whether it begins every session anew. The results of the thesis suggest a player
            that never did, and so was frozen on one style.
        name: For tables and plots.
    """
    anti = ANTI_PLAYERS[one_of("hands", hands, get_args(Hands))]
    thresholds = [number for style in RULES for number in anti[style]]
    shares = [share for style in _ACTION_SHARES for share in style]
    return MatchPlayer(name, _row(BAYESIAN, not forgets, *thresholds, *shares))


def random_match_player(name: str = "random") -> MatchPlayer:
    """A player that folds, calls and raises with equal chances, where it may."""
    return MatchPlayer(name, _row(RANDOM))


def _row(*numbers: float) -> F32:
    return np.array(numbers, np.float32)


def pack_rows(players: Sequence[MatchPlayer]) -> F32:
    """``(n, width)`` rows of players, zeros after them."""
    rows = np.zeros((len(players), max(len(player.row) for player in players)), np.float32)
    for row, player in zip(rows, players, strict=True):
        row[: len(player.row)] = player.row
    return rows


@kernel
def rule_action(play, rise, strength, to_call):
    """Action of a rule; a raise may not be possible."""
    if strength >= play:
        return RAISED if strength >= rise else CALLED
    return CALLED if to_call == 0 else FOLDED


@kernel
def begin_believing(row, memory):
    """Set the belief before a session: all styles are as likely, unless it never forgets."""
    if row[_NEVER_RESET] == 0.0 or memory[0] + memory[1] + memory[2] + memory[3] == 0.0:
        memory[:_N_STYLES] = np.float32(1.0 / _N_STYLES)


@kernel
def believe(row, memory, action):
    """Change the belief by what the adversary did, by Bayes' rule."""
    total = np.float32(0.0)
    for style in range(_N_STYLES):
        memory[style] *= row[_SHARES + 3 * style + action]
        total += memory[style]
    for style in range(_N_STYLES):
        memory[style] /= total


@kernel
def bayesian_action(row, memory, strength, to_call):
    """Action of the anti-player of the likeliest style; of equal ones the first."""
    style = 0
    for other in range(1, _N_STYLES):
        if memory[other] > memory[style]:
            style = other
    at = _ANTI + 2 * style
    return rule_action(row[at], row[at + 1], strength, to_call)
