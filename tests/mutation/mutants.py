"""Mutants of a source file: copies with one small fault, such as ``<`` in the place of ``<=``.

Names, annotations, docstrings and messages are left alone. A kernel keeps its line numbers where
the replaced text stands on one line.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMPARISONS: dict[type, type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type, type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.MatMult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_UNTOUCHED = (ast.JoinedStr, ast.arg)


@dataclass(frozen=True)
class Mutant:
    """One fault in one file.

    Attributes:
        file: The file, below the root of the repository.
        line: Line at which the replaced text begins, from 1.
        column: Bytes before it on this line.
        kind: What kind of fault it is.
        before: The text that is replaced.
        after: The text in its place.
        start: Number of the bytes before the replaced text.
    """

    file: str
    line: int
    column: int
    kind: str
    before: str
    after: str
    start: int

    @property
    def name(self) -> str:
        """The name of the mutant in the results."""
        place = f"{self.file}:{self.line}:{self.column}"
        return f"{place}: {self.kind}: {self.before!r} -> {self.after!r}"

    def applied_to(self, source: bytes) -> bytes:
        """The source with the fault."""
        before = self.before.encode()
        end = self.start + len(before)
        if source[self.start : end] != before:
            raise ValueError(f"{self.file} is not the file that the mutant was made of")
        return source[: self.start] + self.after.encode() + source[end:]


def mutants_of(file: str, root: Path) -> list[Mutant]:
    """All mutants of a file, in the order of its text."""
    source = (root / file).read_bytes()
    starts = [0]
    for row in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(row))
    found = []
    for node, kind, after in _faults(ast.parse(source)):
        first = starts[node.lineno - 1] + node.col_offset
        last = starts[node.end_lineno - 1] + node.end_col_offset
        before = source[first:last].decode()
        found.append(Mutant(file, node.lineno, node.col_offset, kind, before, after, first))
    return sorted(set(found), key=lambda one: (one.start, one.kind, one.before, one.after))


def _faults(tree: ast.Module) -> Iterator[tuple[Any, str, str]]:
    """Every node to replace, the kind of the fault, and the text in the place of the node."""
    for node in _code(tree):
        if isinstance(node, ast.FunctionDef):
            yield from _other_returns(node)
        elif isinstance(node, ast.Compare):
            for i, operator in enumerate(node.ops):
                changed = copy.deepcopy(node)
                changed.ops[i] = COMPARISONS[type(operator)]()
                yield node, "comparison", f"({ast.unparse(changed)})"
        elif isinstance(node, (ast.BinOp, ast.AugAssign)):
            other = copy.deepcopy(node)
            other.op = ARITHMETIC[type(node.op)]()
            text = ast.unparse(other)
            yield node, "arithmetic", f"({text})" if isinstance(node, ast.BinOp) else text
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            yield node, "constant", repr(node.value + 1)
        elif isinstance(node, ast.BoolOp):
            swapped = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield node, "and/or", f"({ast.unparse(ast.BoolOp(swapped, node.values))})"
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node, "not", f"({ast.unparse(node.operand)})"
        elif isinstance(node, (ast.Break, ast.Continue)):
            yield node, "loop", "continue" if isinstance(node, ast.Break) else "break"
        if _has_effect(node):
            yield node, "deleted", "pass"


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all below it, but for annotations and texts."""
    yield node
    for name, field in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.AST) and not isinstance(child, _UNTOUCHED):
                yield from _code(child)


def _has_effect(node: ast.AST) -> bool:
    """Whether a statement can be left out and all names are still defined."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    if isinstance(node, ast.Assign):
        return not any(isinstance(target, (ast.Name, ast.Tuple)) for target in node.targets)
    if isinstance(node, ast.AnnAssign):
        return node.value is not None and not isinstance(node.target, ast.Name)
    return isinstance(node, ast.AugAssign)


def _other_returns(function: ast.FunctionDef) -> Iterator[tuple[Any, str, str]]:
    """Every value that a function returns, with the value of its next other return."""
    returns = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    texts = [ast.unparse(value) for value in returns if value is not None]
    for i, value in enumerate(value for value in returns if value is not None):
        others = [text for text in texts[i + 1 :] + texts[:i] if text != texts[i]]
        if others:
            yield value, "return", others[0]
