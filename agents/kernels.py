"""Kernels for custom compiled players, in addition to ``nlhe_env.kernels``.

A policy answers by the ``offer`` kernels; an event kernel compares ``event.what`` with the names of
events, a value function of AIVAT ``spot.event`` and ``spot.action_kind`` with theirs.
"""

from __future__ import annotations

from agents.policy.events import ACTED, EVENT, HAND_BEGINS, HAND_ENDS, SESSION_BEGINS, SHOWN
from agents.policy.kinds import LISTENER, POLICY
from agents.policy.spots import raise_by
from agents.policy.view import (
    Parameters,
    View,
    offer,
    offer_either,
    offer_legal,
    offer_raises,
    offer_weights,
)
from nlhe_env.assessment.estimators.aivat_values import (
    AFTER_ACTION,
    BEFORE_CARDS,
    BEFORE_HANDS,
    CHECKS_OR_CALLS,
    ENDS_STREET,
    RAISES,
    RAISES_LITTLE,
    RAISES_MUCH,
    SPOT,
    VALUE_KERNEL,
    value_by_equity,
)

__all__ = [
    "ACTED",
    "AFTER_ACTION",
    "BEFORE_CARDS",
    "BEFORE_HANDS",
    "CHECKS_OR_CALLS",
    "ENDS_STREET",
    "EVENT",
    "HAND_BEGINS",
    "HAND_ENDS",
    "LISTENER",
    "POLICY",
    "RAISES",
    "RAISES_LITTLE",
    "RAISES_MUCH",
    "SESSION_BEGINS",
    "SHOWN",
    "SPOT",
    "VALUE_KERNEL",
    "Parameters",
    "View",
    "offer",
    "offer_either",
    "offer_legal",
    "offer_raises",
    "offer_weights",
    "raise_by",
    "value_by_equity",
]
