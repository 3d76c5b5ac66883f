"""Options of a Vexbot, in limit and in no-limit, as weights."""

from __future__ import annotations

import math

from agents.policy.kinds import row
from nlhe_env.arguments import number
from nlhe_env.jit.array_types import F32

N_WEIGHTS = 4
DECAY, LOG_MIXING, DEFAULTS, WIDTH = range(N_WEIGHTS)


def weights_of(decay: float, mixing: float, defaults: float, width: float) -> F32:
    """``(4,)`` weights of the options, which the players describe.

    Raises:
        ValueError: A number is outside its range.
    """
    return row(
        number("decay", decay, least=0, most=1),
        math.log(number("mixing", mixing, least=0.01, most=0.9999)),
        number("defaults", defaults, least=0, most=1e6),
        number("width", width, least=0, most=100),
    )
