"""Helpers shared by several commands."""

from __future__ import annotations

from collections.abc import Iterable


def listing(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """Names with a line about each, below a title; empty without rows.

    >>> print(listing("Players", [("caller", "always calls or checks"), ("nobody", "")]))
    Players:
      caller  always calls or checks
      nobody
    """
    rows = list(rows)
    if not rows:
        return ""
    width = max(len(name) for name, _ in rows)
    return "\n".join([f"{title}:", *(f"  {name:{width}}  {line}".rstrip() for name, line in rows)])
