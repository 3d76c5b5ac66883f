"""Learning curve of a run against fixed opponents, generation by generation.

Places and scores within a run show no progress, because all its players change together. Tests
against fixed players on fixed cards show it, and so do the closing tournaments, in which the
champions of all generations play against players that ignore their cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def learning_curve(
    config: Mapping[str, Any],
    tests: Sequence[Mapping[str, Any]],
    progress: Mapping[str, Any] | None,
) -> dict[str, Any] | None:
    """The curve of a run; None until the first measurement.

    Args:
        config: Configuration of the run.
        tests: Rows of its tests.
        progress: Its closing tournaments; None before they have been played.

    Returns:
        ``measure`` (``"tests"`` or ``"final tournaments"``), ``unit``, ``lower_is_better``, and
        ``generations``, ``values`` and ``errors`` (standard errors) as lists of equal length.
    """
    cash = config.get("game") == "cash"
    if tests:
        return {
            "measure": "tests",
            "unit": "bb/100" if cash else f"place of {config.get('table_size')}",
            "lower_is_better": not cash,
            "generations": [row.get("generation") for row in tests],
            "values": [row.get("score") for row in tests],
            "errors": [row.get("error") for row in tests],
        }
    if progress:
        players = len(progress["generations"]) + len(progress["static_players"])
        return {
            "measure": "final tournaments",
            "unit": f"place of {players}",
            "lower_is_better": True,
            "generations": progress["generations"],
            "values": progress["places"],
            "errors": progress["errors"],
        }
    return None
