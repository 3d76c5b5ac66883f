"""The five static players, which ignore cards and opponents.

Source: Nicolai, MSc thesis (University of Regina, 2008), section 5.1.1. An illegal fold becomes a
check, an illegal raise a call; raise sizes are equally likely.
"""

from __future__ import annotations

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import Kind, register_kind, row
from agents.policy.view import Parameters, View, offer_legal
from nlhe_env.jit.array_types import F32
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces.actions import CALL_ID, FIRST_RAISE_ID, FOLD_ID
from nlhe_env.spaces.bet_sizing import LARGE, MEDIUM, SMALL

_THIRD = 1.0 / 3.0


@kernel
def static_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer fold, call and raise with fixed integer weights."""
    fold, call, rises = parameters.weights[0], parameters.weights[1], parameters.weights[2]
    offer_legal(view, FOLD_ID, fold)
    offer_legal(view, CALL_ID, call)
    offer_legal(view, FIRST_RAISE_ID + SMALL, rises * _THIRD)
    offer_legal(view, FIRST_RAISE_ID + MEDIUM, rises * _THIRD)
    offer_legal(view, FIRST_RAISE_ID + LARGE, fold + call + rises - view.choices.total)


STATIC = register_kind(Kind("static", static_policy, n_weights=3))


def random_player() -> CompiledPlayer:
    """Folds, calls or raises with probability 1/3 each."""
    return CompiledPlayer("random", STATIC, row(1, 1, 1))


def folder() -> CompiledPlayer:
    """Folds to any bet, checks when checking is free."""
    return CompiledPlayer("folder", STATIC, row(1, 0, 0))


def caller() -> CompiledPlayer:
    """Always calls or checks."""
    return CompiledPlayer("caller", STATIC, row(0, 1, 0))


def raiser() -> CompiledPlayer:
    """Always raises; calls when it may not raise."""
    return CompiledPlayer("raiser", STATIC, row(0, 0, 1))


def call_or_raise() -> CompiledPlayer:
    """Calls or raises with probability 1/2 each."""
    return CompiledPlayer("call-or-raise", STATIC, row(0, 1, 1))
