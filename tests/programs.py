"""Teams of programs, and programs by plain arithmetic."""

import math
from collections.abc import Iterable

import numpy as np

from agents.theses.bonson.programs.instructions import (
    FIRST_INPUT,
    N_REGISTERS,
    OPERATORS,
    Instruction,
)
from agents.theses.bonson.programs.team_players import TeamPlayer
from evolve.theses.bonson.teams import TeamVariation
from nlhe_env.jit.array_types import F32


def random_team(seed: int, n: int = 4) -> TeamPlayer:
    """A team of random programs."""
    generator = np.random.default_rng(seed)
    variation = TeamVariation()
    return TeamPlayer(variation.new_program(k % 5, 35, generator) for k in range(n))


def plain_program(code: Iterable[Instruction], seen: F32) -> F32:
    """The registers after a program, by float32 arithmetic of NumPy and functions of ``math``."""
    registers = np.zeros(N_REGISTERS, np.float32)
    guards = True
    with np.errstate(all="ignore"):
        for each in code:
            name, x = OPERATORS[each.operator], registers[each.target]
            first = FIRST_INPUT
            y = registers[each.source] if each.source < first else seen[each.source - first]
            if name in ("if<", "if>="):
                guards = guards and ((x < y) if name == "if<" else (x >= y))
                continue
            runs, guards = guards, True
            if not runs:
                continue
            if name.startswith("negate"):
                if (x < y) == (name == "negate<"):
                    registers[each.target] = -x
                continue
            if name in "+-*/":
                value = {"+": x + y, "-": x - y, "*": x * y, "/": np.divide(x, y)}[name]
            else:
                try:
                    value = np.float32(getattr(math, "log" if name == "ln" else name)(float(x)))
                except (ValueError, OverflowError):
                    continue
            if np.isfinite(value):
                registers[each.target] = value
    return registers
