"""The equity of a hand against unknown hands."""

from __future__ import annotations

import asyncio
import functools
from concurrent.futures import Executor
from typing import Any

import numpy as np

from agents.web.table.participants import Connection
from agents.web.table.view import hole_cards
from nlhe_env.cards import format_cards
from nlhe_env.equity import equities

_SECONDS = 0.4  # for sampling
_ANY_HAND = "*"


@functools.lru_cache(256)
def hand_equity(hole: str, board: tuple[int, ...], opponents: int) -> dict[str, Any]:
    """Equity of a hand against random hands, if all players stay until the showdown.

    It is exact against one opponent after the flop, and otherwise sampled for 0.4 seconds.

    Args:
        hole: Codes of the two hole cards.
        board: Codes of the board cards.
        opponents: Number of opponents, 1 to 9.

    Returns:
        ``win``, ``tie`` and ``equity`` as shares, ``exact``, ``error`` (standard error of the
        equity) and ``opponents``.
    """
    result = equities(
        [hole, *[_ANY_HAND] * opponents],
        format_cards(board),
        seconds=_SECONDS,
        threads=1,
    )
    return {
        "win": result.win[0],
        "tie": result.tie[0],
        "equity": result.equity[0],
        "error": result.standard_error[0],
        "exact": result.exact,
        "opponents": opponents,
    }


async def send_equity(connection: Connection, table: np.void, seat: int, pool: Executor) -> None:
    """Compute the current equity of a seat's hand and send it to one connection."""
    first = 2 * int(table["seats"])
    board = table["cards"][first : first + int(table["board_cards"])].tolist()
    own, opponents = "".join(hole_cards(table, seat)), max(1, int(table["unfolded"]) - 1)
    try:
        loop = asyncio.get_running_loop()
        answer = await loop.run_in_executor(pool, hand_equity, own, tuple(board), opponents)
    finally:
        connection.equity_pending = False
    connection.send({"type": "equity", "hand": int(table["hand"]), "cards": len(board), **answer})
