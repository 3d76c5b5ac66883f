"""What the kernels of compiled players of one's own may call, beside ``nlhe_env.kernels``.

A policy answers by the ``offer`` kernels; an event kernel compares ``event.what`` with the names of
events.
"""

from __future__ import annotations

from agents.compiled.events import ACTED, EVENT, HAND_BEGINS, HAND_ENDS, SESSION_BEGINS, SHOWN
from agents.compiled.kinds import LISTENER, POLICY
from agents.compiled.rules.spots import raise_by
from agents.compiled.view import (
    Parameters,
    View,
    offer,
    offer_either,
    offer_legal,
    offer_raises,
    offer_weights,
)

__all__ = [
    "ACTED",
    "EVENT",
    "HAND_BEGINS",
    "HAND_ENDS",
    "LISTENER",
    "POLICY",
    "SESSION_BEGINS",
    "SHOWN",
    "Parameters",
    "View",
    "offer",
    "offer_either",
    "offer_legal",
    "offer_raises",
    "offer_weights",
    "raise_by",
]
