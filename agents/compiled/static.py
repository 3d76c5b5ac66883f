"""The five static players: they look at neither cards nor opponents.

Source: Nicolai, MSc thesis (University of Regina, 2008), section 5.1.1.
"""

from __future__ import annotations

from agents.compiled import dispatch as choice
from agents.compiled.players import CompiledPlayer


def random_player() -> CompiledPlayer:
    """Folds, calls or raises with probability 1/3 each, every size equally likely."""
    return CompiledPlayer("Random", choice.RANDOM)


def folder() -> CompiledPlayer:
    """Folds to any bet, checks when checking is free."""
    return CompiledPlayer("Folder", choice.FOLDER)


def caller() -> CompiledPlayer:
    """Always calls or checks."""
    return CompiledPlayer("Caller", choice.CALLER)


def raiser() -> CompiledPlayer:
    """Always raises, every size equally likely; calls when it may not raise."""
    return CompiledPlayer("Raiser", choice.RAISER)


def call_or_raise() -> CompiledPlayer:
    """Calls or raises with probability 1/2 each, every size equally likely."""
    return CompiledPlayer("CallOrRaise", choice.CALL_OR_RAISE)
