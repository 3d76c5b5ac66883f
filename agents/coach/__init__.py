"""A coach: the cost of each of a player's decisions, by play-outs of its alternatives."""

from agents.coach.coaching import (
    ActionValue,
    CoachedDecision,
    EquilibriumCheck,
    EquilibriumValue,
    coach,
    estimate_rake,
    known_players,
)

__all__ = [
    "ActionValue",
    "CoachedDecision",
    "EquilibriumCheck",
    "EquilibriumValue",
    "coach",
    "estimate_rake",
    "known_players",
]
