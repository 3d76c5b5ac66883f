"""Training opponents of fixed-limit teams: rules on hand strength, and a Bayesian player.

Source: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie
University, 2016), sections 4.2.4 and 5.1, tables 4.3 to 4.5. A rule has one strength threshold for
calling and one for raising; weaker hands check, or fold to a bet. The Bayesian player infers which
of four static opponents it faces and plays the rule that wins the most against it.

As for teams, weights begin with the metrics of hole cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import numpy as np

from agents.exploitability.hand_metrics import preflop_metrics
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.events import ACTED, SESSION_BEGINS, EventRecord
from agents.policy.kinds import Kind, register_kind, row
from agents.policy.view import Parameters, View, offer, offer_legal
from agents.theses.bonson.programs.limit_teams import (
    SCRATCH_NUMBERS,
    TABLE,
    check_deal,
    check_tables,
    own_metrics,
)
from nlhe_env.arguments import one_of
from nlhe_env.game.betting import CALLS, FOLDS, RAISES, action_kind_of, amount_to_call
from nlhe_env.jit.array_types import F32, Int
from nlhe_env.jit.compilation import kernel

RULES = {"LA": (0.2, 0.4), "LP": (0.2, 0.8), "TA": (0.8, 0.85), "TP": (0.8, 0.95)}
"""The static opponents: thresholds for playing and raising (table 4.3)."""

Hands = Literal["balanced", "unbalanced"]

ANTI_PLAYERS: Mapping[Hands, Mapping[str, tuple[float, float]]] = {
    "balanced": {"LA": (0.5, 0.5), "LP": (0.6, 0.6), "TA": (0.2, 0.2), "TP": (0.2, 0.2)},
    "unbalanced": {"LA": (0.4, 0.4), "LP": (0.4, 0.5), "TA": (0.0, 0.0), "TP": (0.0, 0.0)},
}
"""The rules of this form that win the most against each static opponent (table 4.5)."""

_ACTION_SHARES = (
    (0.053, 0.430, 0.517),
    (0.047, 0.728, 0.225),
    (0.373, 0.357, 0.270),
    (0.355, 0.559, 0.086),
)
"""Shares of folds, calls and raises of each static opponent (table 4.4, three decimals)."""

_N_STYLES = len(RULES)
_NEVER_RESET = TABLE
_ANTI = _NEVER_RESET + 1
_SHARES = _ANTI + 2 * _N_STYLES


@kernel
def _offer_by_rule(parameters: Parameters, at: Int, view: View) -> None:
    """Offer the action of the rule whose two thresholds start at this offset in the weights."""
    play, rise = parameters.weights[at], parameters.weights[at + 1]
    strength = np.float32(own_metrics(parameters, view)[0])
    action = FOLDS
    if strength >= play:
        action = RAISES if strength >= rise else CALLS
    elif amount_to_call(view.table) == 0:
        action = CALLS
    offer_legal(view, action, 1.0)


@kernel
def rule_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the action of the rule."""
    _offer_by_rule(parameters, TABLE, view)


@kernel
def bayesian_on_event(parameters: Parameters, memory: F32, view: View, event: EventRecord) -> None:
    """Event handler: update the belief about the opponent by Bayes' rule.

    A session begins with a uniform belief, unless the player never forgets and has a belief.
    """
    weights = parameters.weights
    if event.what == SESSION_BEGINS:
        known = memory[0] + memory[1] + memory[2] + memory[3]
        if weights[_NEVER_RESET] == 0.0 or known == 0.0:
            memory[:_N_STYLES] = np.float32(1.0 / _N_STYLES)
    elif event.what == ACTED and event.seat != view.seat:
        total, action = np.float32(0.0), action_kind_of(event.action)
        for style in range(_N_STYLES):
            memory[style] *= weights[_SHARES + 3 * style + action]
            total += memory[style]
        for style in range(_N_STYLES):
            memory[style] /= total


@kernel
def bayesian_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the action of the anti-player for the likeliest style, the first of equals."""
    style = 0
    for other in range(1, _N_STYLES):
        if memory[other] > memory[style]:
            style = other
    _offer_by_rule(parameters, _ANTI + 2 * style, view)


@kernel
def even_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the legal ones of fold, call and raise with equal probabilities."""
    for action in range(RAISES + 1):
        if view.choices.mask[action]:
            offer(view, action, 1.0)


def rule_player(play: float, rise: float, name: str = "rule") -> CompiledPlayer:
    """A rule of two thresholds on hand strength.

    It calls from strength ``play`` on and raises from ``rise`` on if it may; weaker hands check, or
    fold to a bet.
    """
    return CompiledPlayer(name, STRENGTH_RULE, _with_metrics(play, rise))


def bayesian_player(
    hands: Hands = "unbalanced", *, forgets: bool = True, name: str = "B"
) -> CompiledPlayer:
    """A player that infers which static opponent it faces and plays the best rule against it.

    Args:
        hands: Name of the set of anti-players.
        forgets: Whether the belief is reset with every session. The thesis results suggest a player
            that never reset it and so was frozen on one style.
        name: Name for tables and plots.
    """
    anti = ANTI_PLAYERS[one_of("hands", hands, get_args(Hands))]
    thresholds = [number for style in RULES for number in anti[style]]
    shares = [share for style in _ACTION_SHARES for share in style]
    return CompiledPlayer(name, BAYESIAN_RULE, _with_metrics(not forgets, *thresholds, *shares))


def even_player(name: str = "random") -> CompiledPlayer:
    """A player that folds, calls and raises with equal probabilities, if legal."""
    return CompiledPlayer(name, EVEN_CHANCES)


def _with_metrics(*numbers: float) -> F32:
    return np.concatenate([preflop_metrics().ravel(), row(*numbers)])


STRENGTH_RULE = register_kind(
    Kind(
        "strength-rule",
        rule_policy,
        wants="table",
        scratch=SCRATCH_NUMBERS,
        n_weights=TABLE + 2,
        checks=check_tables,
        checks_player=check_deal,
        two_calls=True,
    )
)
BAYESIAN_RULE = register_kind(
    Kind(
        "bayesian-rule",
        bayesian_policy,
        wants="table",
        on_event=bayesian_on_event,
        memory=_N_STYLES,
        scratch=SCRATCH_NUMBERS,
        n_weights=_SHARES + 3 * _N_STYLES,
        checks=check_tables,
        checks_player=check_deal,
        two_calls=True,
    )
)
EVEN_CHANCES = register_kind(Kind("even-chances", even_policy, n_weights=0, two_calls=True))
