"""Ancestors of a champion, read from a log of parents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Ancestor(NamedTuple):
    """A candidate in the tree of ancestors."""

    generation: int
    rank: int
    """Rank in its generation; 0 is the best."""


Edge = tuple[Ancestor, Ancestor]
"""A parent, and its child in the next generation; a survivor is its own child."""


def ancestors(lines: Sequence[Mapping[str, Any]], group: int = 0) -> list[Edge]:
    """Edges of the tree of ancestors of the best candidate of the last generation.

    Args:
        lines: Lines of a log of parents, generation by generation.
        group: Number of the sub-population, from 0.

    Returns:
        The edges, from the last generation back; parents in the hall of fame are left out.

    Raises:
        ValueError: A generation is missing between two others.

    >>> first = {"generation": 1, "groups": [{"parents": [[], []], "ranks": [1, 0]}]}
    >>> second = {"generation": 2, "groups": [{"parents": [[0], [0, 1]], "ranks": [1, 0]}]}
    >>> [(parent.rank, child.rank) for parent, child in ancestors([first, second])]
    [(0, 0), (1, 0)]
    """
    if not lines:
        return []
    edges: list[Edge] = []
    wanted = {0}
    for line, before in zip(reversed(lines), [*reversed(lines[:-1]), None], strict=True):
        parents, ranks = line["groups"][group]["parents"], line["groups"][group]["ranks"]
        generation = line["generation"]
        if before is not None and before["generation"] != generation - 1:
            raise ValueError(f"generation {generation - 1} is missing from the log of parents")
        if before is None:
            break
        found = set[int]()
        by_rank = dict(zip(ranks, parents, strict=True))
        for rank in sorted(wanted):
            child = Ancestor(generation, rank)
            known = [parent for parent in by_rank[rank] if parent >= 0]
            edges += [(Ancestor(generation - 1, parent), child) for parent in sorted(known)]
            found.update(known)
        wanted = found
    return edges
