"""Programs of a team: an action, and instructions on a few registers that compute its bid.

Source: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie
University, 2016), section 4.1.2, tables 4.1 and 4.6. All registers begin at zero; the final value
of the first is the bid.

There are two kinds of conditionals. ``if<`` and ``if>=`` guard the next other instruction; several
in a row must all hold. ``negate<`` and ``negate>=`` change the sign of their own register.
Operations without a finite result leave their register unchanged.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nlhe_env.arguments import whole_number
from nlhe_env.jit.array_types import F32, Float, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.portable_math import cos64, exp32, log64

N_REGISTERS = 5
OPERATORS = ("+", "-", "*", "/", "ln", "exp", "cos", "if<", "if>=", "negate<", "negate>=")
(
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    LN,
    EXP,
    COS,
    IF_LESS,
    IF_NOT_LESS,
    NEGATE_LESS,
    NEGATE_NOT_LESS,
) = range(len(OPERATORS))
_BINARY = "+-*/"
MOST_INPUTS = 120

# Target, operator and source of an instruction are packed into one integer, exact in float32.
_TARGET, _OPERATOR = 12, 8
FIRST_INPUT = 8
"""Sources from here on are inputs, smaller ones registers."""
_LARGEST = np.float32(np.finfo(np.float32).max)
_LARGEST_EXPONENT = np.float32(87.0)


class Instruction(NamedTuple):
    """An operation on one register."""

    target: int
    """The register, 0 to 4."""
    operator: int
    """Index into ``OPERATORS``."""
    source: int
    """A register 0 to 4, or ``FIRST_INPUT`` plus the number of an input; ignored by ``ln``, ``exp``
    and ``cos``."""

    @property
    def is_guard(self) -> bool:
        """Whether the instruction guards the next one."""
        return self.operator in (IF_LESS, IF_NOT_LESS)

    @property
    def reads(self) -> int | None:
        """The source, or None for operators without one."""
        return None if self.operator in (LN, EXP, COS) else self.source

    @property
    def code(self) -> int:
        """The instruction packed into one integer, for kernels."""
        return self.target << _TARGET | self.operator << _OPERATOR | self.source

    @classmethod
    def of_code(cls, code: int) -> Instruction:
        """Instruction from its ``code``."""
        low = (1 << (_TARGET - _OPERATOR)) - 1
        return cls(code >> _TARGET, code >> _OPERATOR & low, code & ((1 << _OPERATOR) - 1))


@dataclass(frozen=True)
class Program:
    """Instructions that compute a bid for an action.

    Args:
        action: Id of an action: 0 fold, 1 check or call, 2 and more raises.
        instructions: The instructions; the bid of an empty program is 0.

    >>> print(Program.read(1, "r[0] = r[0] + i[2]", "r[1] = ln(r[1])", "r[0] = r[0] / i[9]"))
    bids for 1:
        r[0] = r[0] + i[2]
        r[1] = ln(r[1])
        r[0] = r[0] / i[9]
    """

    action: int
    instructions: tuple[Instruction, ...]

    def __post_init__(self) -> None:
        whole_number("action", self.action, least=0)
        for each in self.instructions:
            _check(each)

    @classmethod
    def read(cls, action: int, *lines: str) -> Program:
        """Program from printed lines; indentation is ignored.

        Raises:
            ValueError: A line is not an instruction.
        """
        found: list[Instruction] = []
        for line in lines:
            text = line.strip()
            negated = _NEGATION.fullmatch(text)
            if negated and found and found[-1].is_guard and found[-1].target == int(negated[1]):
                guard = found.pop()
                operator = guard.operator - IF_LESS + NEGATE_LESS
                found.append(Instruction(guard.target, operator, guard.source))
            else:
                found.append(_read_line(text))
        return cls(action, tuple(found))

    def effective(self) -> tuple[Instruction, ...]:
        """The instructions that the bid depends on; all others are introns.

        One backward pass finds them. As in the original, it ignores that registers may persist, so
        that an intron could matter at a later decision.
        """
        return self._effective

    @functools.cached_property
    def _effective(self) -> tuple[Instruction, ...]:
        live, kept, next_kept = {0}, list[Instruction](), False
        for each in reversed(self.instructions):
            next_kept = next_kept if each.is_guard else each.target in live
            if next_kept:
                live.add(each.target)
                if each.reads is not None and each.reads < FIRST_INPUT:
                    live.add(each.reads)
                kept.append(each)
        return tuple(reversed(kept))

    def inputs(self) -> set[int]:
        """Numbers of the inputs that the bid depends on."""
        reads = [each.reads for each in self.effective()]
        return {read - FIRST_INPUT for read in reads if read is not None and read >= FIRST_INPUT}

    def lines(self, names: Sequence[str] | None = None, *, effective: bool = False) -> list[str]:
        """Instructions as text, with guarded ones indented.

        Args:
            names: Names of the inputs; by default ``i[0]``, ``i[1]``, ...
            effective: Whether to omit introns.
        """
        lines, depth = list[str](), 0
        for each in self.effective() if effective else self.instructions:
            for i, text in enumerate(_text(each, names)):
                lines.append("    " * (depth + i) + text)
            depth = depth + 1 if each.is_guard else 0
        return lines

    def __str__(self) -> str:
        return "\n    ".join([f"bids for {self.action}:", *self.lines()])


_REGISTER = r"r\[(\d+)\]"
_NEGATION = re.compile(rf"{_REGISTER} = -r\[\1\]")
_SOURCE = r"([ri])\[(\d+)\]"
_ARITHMETIC = re.compile(rf"{_REGISTER} = r\[\1\] ([-+*/]) {_SOURCE}")
_FUNCTION = re.compile(rf"{_REGISTER} = (ln|exp|cos)\(r\[\1\]\)")
_GUARD = re.compile(rf"if {_REGISTER} (<|>=) {_SOURCE}:")


def _read_line(text: str) -> Instruction:
    if found := _FUNCTION.fullmatch(text):
        return Instruction(int(found[1]), OPERATORS.index(found[2]), 0)
    guarded = _GUARD.fullmatch(text)
    if found := guarded or _ARITHMETIC.fullmatch(text):
        first = FIRST_INPUT if found[3] == "i" else 0
        operator = OPERATORS.index(f"if{found[2]}" if guarded else found[2])
        return Instruction(int(found[1]), operator, first + int(found[4]))
    raise ValueError(
        f"{text!r} is not an instruction; instructions look like 'r[0] = r[0] + i[2]', "
        "'r[1] = ln(r[1])' or 'if r[3] < r[0]:'"
    )


def _text(each: Instruction, names: Sequence[str] | None) -> list[str]:
    target, name = f"r[{each.target}]", OPERATORS[each.operator]
    if each.source < FIRST_INPUT:
        source = f"r[{each.source}]"
    else:
        i = each.source - FIRST_INPUT
        source = f"i[{i}]" if names is None else names[i]
    if name in _BINARY:
        return [f"{target} = {target} {name} {source}"]
    if each.reads is None:
        return [f"{target} = {name}({target})"]
    condition = f"if {target} {name.removeprefix('if').removeprefix('negate')} {source}:"
    return [condition] if each.is_guard else [condition, f"    {target} = -{target}".strip()]


def _check(each: Instruction) -> None:
    is_register = 0 <= each.source < N_REGISTERS
    is_input = FIRST_INPUT <= each.source < FIRST_INPUT + MOST_INPUTS
    if not (
        0 <= each.target < N_REGISTERS
        and 0 <= each.operator < len(OPERATORS)
        and (is_register or is_input)
    ):
        raise ValueError(
            f"an instruction must have a register in 0 .. {N_REGISTERS - 1}, an operator in 0 .. "
            f"{len(OPERATORS) - 1}, and as its source such a register or an input from "
            f"{FIRST_INPUT} on; got {tuple(each)}"
        )


def random_instruction(n_inputs: int, rng: np.random.Generator) -> Instruction:
    """Uniformly random instruction; its source is a register or an input with equal probability."""
    return Instruction(
        int(rng.integers(N_REGISTERS)),
        int(rng.integers(len(OPERATORS))),
        random_source(bool(rng.integers(2)), n_inputs, rng),
    )


def random_source(is_input: bool, n_inputs: int, rng: np.random.Generator) -> int:
    """Random source among the inputs or among the registers."""
    return FIRST_INPUT + int(rng.integers(n_inputs)) if is_input else int(rng.integers(N_REGISTERS))


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
