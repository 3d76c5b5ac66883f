"""Tables of the browser without a browser: games, people at them, and cards they may see."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from agents.web.catalogue import Catalogue
from agents.web.table.game import GameSnapshot, LiveGame, name_seats
from agents.web.table.live_table import LiveTable
from agents.web.table.participants import Connection
from agents.web.table.setup import GameSetup
from nlhe_env.cards import CARD_NAMES
from nlhe_env.game.table import EMPTY
from nlhe_env.hand_history import write_hands

CARD = re.compile(r'"([2-9TJQKA][cdhs])"')


def new_game(*seats: str, **values: Any) -> LiveGame:
    """A game at its first decision."""
    setup = GameSetup.read({"seats": list(seats), "seed": 1, **values})
    catalogue = Catalogue()
    players = [None if seat == "human" else catalogue.make(seat) for seat in seats]
    return LiveGame(setup, players, name_seats(players, seats))


def at_table(
    play: Callable[[LiveTable], Awaitable[None]],
    *seats: str,
    catalogue: Catalogue | None = None,
    **values: Any,
) -> None:
    """Open a table, play in it, and close it."""

    async def run() -> None:
        setup = GameSetup.read({"seats": list(seats), "seed": 1, **values})
        with ThreadPoolExecutor(2) as pool:
            table = LiveTable(
                "table", setup, catalogue or Catalogue(), creator="creator", pool=pool
            )
            await table.open()
            try:
                await play(table)
            finally:
                await table.close()

    asyncio.run(run())


async def until(
    table: LiveTable, happened: Callable[[GameSnapshot], bool], seconds: float = 120.0
) -> None:
    """Wait until the game has come to something."""
    async with asyncio.timeout(seconds):
        while not happened(table.state):
            await asyncio.sleep(0.002)


def text_of_hands(table: LiveTable, session: str) -> str:
    """The hands of a table as a ``.phhs`` file, with the cards that a person has seen."""
    return write_hands(table.hands_seen_by(session))


async def look(table: LiveTable, session: str) -> Connection:
    """A browser that looks at the table."""
    connection = Connection(session)
    table.enter(connection)
    return connection


def may_know(table: np.void, seat: int | None, *, over: bool, open_cards: bool) -> set[str]:
    """The cards that a viewer may know, from the rules of the game alone."""
    deck = table["cards"].tolist()
    n = int(table["seats"])
    known = set(deck[2 * n : 2 * n + int(table["board_cards"])])
    if over:
        known |= set(deck[2 * n + 5 + int(table["shared_cards"]) : 2 * n + 10])  # a second board
    for other in range(n):
        if table["status"][other] == EMPTY:
            continue
        if other == seat or open_cards or (over and table["shown"][other]):
            known |= set(deck[2 * other : 2 * other + 2])
    return {CARD_NAMES[card] for card in known}


def cards_in(message: Any) -> set[str]:
    """All cards that a message names."""
    return set(CARD.findall(json.dumps(message)))


def chips_in(view: dict[str, Any]) -> int:
    """All chips of a view: behind, and in the pot while the hand lasts."""
    table = view["table"]
    return sum(seat.get("stack", 0) for seat in table["seats"]) + table["pot"]
