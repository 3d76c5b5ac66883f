"""The kernel that runs programs."""

from __future__ import annotations

import numpy as np

from agents.theses.bonson.programs.instructions import (
    ADD,
    DIVIDE,
    EXP,
    FIRST_INPUT,
    IF_LESS,
    IF_NOT_LESS,
    LN,
    MULTIPLY,
    NEGATE_LESS,
    SUBTRACT,
)
from nlhe_env.jit.array_types import F32, Float, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.portable_math import cos64, exp32, log64

_LARGEST = np.float32(np.finfo(np.float32).max)
_LARGEST_EXPONENT = np.float32(87.0)


@kernel
def run_program(codes: F32, first: Int, n: Int, inputs: F32, registers: F32) -> None:
    """Run the instructions of a program.

    Args:
        codes: Float32 ``Instruction.code`` values of many programs.
        first: Index of the program's first instruction.
        n: Number of instructions of the program.
        inputs: ``(n_inputs,)`` float32.
        registers: ``(5,)`` float32, changed.
    """
    skips = False
    for k in range(first, first + n):
        code = np.int32(codes[k])
        operator = (code >> 8) & 15
        is_guard = operator in (IF_LESS, IF_NOT_LESS)
        if skips:
            skips = is_guard
            continue
        target, source = code >> 12, code & 255
        x = registers[target]
        y = registers[source] if source < FIRST_INPUT else inputs[source - FIRST_INPUT]
        if is_guard:
            skips = (x < y) != (operator == IF_LESS)
        elif operator >= NEGATE_LESS:
            if (x < y) == (operator == NEGATE_LESS):
                registers[target] = -x
        else:
            value = _calculate(operator, x, y)
            if -_LARGEST <= value <= _LARGEST:  # False for nan too
                registers[target] = value


@kernel
def _calculate(operator: Int, x: Float, y: Float) -> Float:
    """Result of an operator; not finite if undefined."""
    if operator == ADD:
        return x + y
    if operator == SUBTRACT:
        return x - y
    if operator == MULTIPLY:
        return x * y
    if operator == DIVIDE:
        return x / y
    if operator == LN:
        return np.float32(log64(np.float64(x))) if x > 0 else np.float32(np.nan)
    if operator == EXP:
        return exp32(x) if x <= _LARGEST_EXPONENT else np.float32(np.inf)
    return np.float32(cos64(x))
