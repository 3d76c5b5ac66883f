"""The page on where behaviours are decided names functions that exist."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/where.md").read_text(encoding="utf-8")


def test_functions_are_where_the_page_says() -> None:
    rows = [line.split(" | ")[1:] for line in PAGE.splitlines() if line.startswith("| ")][2:]
    assert len(rows) >= 20
    for file, function in rows:
        tree = ast.parse((ROOT / file.strip("`")).read_text(encoding="utf-8"))
        names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert function.strip("` |") in names, (file, function)
