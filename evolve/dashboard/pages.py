"""Dashboard pages and their JSON responses, for the web application of ``agents.web``."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from aiohttp import web

import agents
from agents.match.style import Style
from agents.web.server import ExtraPage, send_page
from evolve import seeds
from evolve.compatibility import can_play
from evolve.dashboard.root import Root
from evolve.training.folder import RunFolder
from nlhe_env.equity import load_tables
from nlhe_env.game.description import Game
from nlhe_env.game.style_counts import N_STYLE_COUNTS
from nlhe_env.system.json_text import as_json
from nlhe_env.system.threads import Threads

STATIC = Path(__file__).parent / "static"
PATH = "/learning"
"""Folder of the static files."""

_LONGEST_CURSOR = 200

_Value = TypeVar("_Value")


def runs_page(root: Root) -> ExtraPage:
    """Application of the dashboard for the runs of a root.

    Args:
        root: Folder of the runs; no others can be requested.
    """
    return ExtraPage("Training runs", PATH, _Pages(root).add_routes)


class _Pages:
    def __init__(self, root: Root) -> None:
        self._root = root
        self._landmarks = Landmarks()
        # An unresponsive disk or a long measurement must not keep the server from exiting.
        self._reading = Threads(4)
        self._measuring = Threads(1)

    def add_routes(self, app: web.Application) -> None:
        app.add_routes(
            [
                web.get(PATH, self._page),
                web.get(f"{PATH}/api/runs", self._list),
                web.get(f"{PATH}/api/runs/{{run}}", self._updates),
                web.get(f"{PATH}/api/runs/{{run}}/landmarks", self._known_players),
                web.get(f"{PATH}/api/runs/{{run}}/comparison", self._comparison),
                web.get(f"{PATH}/api/runs/{{run}}/{{table}}.csv", self._table_csv),
                web.static(f"{PATH}/static", STATIC),
            ]
        )

    async def _page(self, request: web.Request) -> web.StreamResponse:
        return send_page(request, STATIC / "index.html")

    async def _list(self, request: web.Request) -> web.StreamResponse:
        return await _answer(self._root.summaries, self._reading)

    async def _updates(self, request: web.Request) -> web.StreamResponse:
        name, cursor = request.match_info["run"], request.query.get("cursor", "")
        return await _answer(
            lambda: self._root.run(name).updates(cursor[:_LONGEST_CURSOR]), self._reading
        )

    async def _comparison(self, request: web.Request) -> web.Response:
        name = request.match_info["run"]
        return await _answer(lambda: self._root.run(name).comparison(), self._reading)

    async def _table_csv(self, request: web.Request) -> web.Response:
        name, table = request.match_info["run"], request.match_info["table"]
        work = self._reading.submit(lambda: self._root.run(name).table_csv(table))
        text = await asyncio.wrap_future(work)
        response = web.Response(text=text, content_type="text/csv")
        response.headers["Content-Disposition"] = f'attachment; filename="{table}.csv"'
        response.enable_compression()
        return response

    async def _known_players(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["run"]
        return await _answer(lambda: self._measure(name), self._measuring)

    def _measure(self, name: str) -> Any:
        config = RunFolder.open(self._root.folders()[name]).load_config()
        return self._landmarks.of(config.make_game())


async def _answer(make: Callable[[], Mapping[str, Any]], threads: Threads) -> web.Response:
    """JSON response with the result of a function, which may be slow."""
    text = await asyncio.wrap_future(threads.submit(lambda: as_json(make())))
    response = web.json_response(text=text)
    response.enable_compression()
    return response


PLAYERS = (
    "tight-passive",
    "tight-aggressive",
    "loose-passive",
    "loose-aggressive",
    "formula",
    "pot-odds",
    "old-best",
    "caller",
    "raiser",
    "random",
)
"""Players to measure in the games that they support."""

_GAMES = 20
_TOURNAMENTS = 4


class Landmarks:
    """Styles of built-in players against each other, measured once per game."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, Any]] = {}
        self._lock = threading.Lock()

    def of(self, game: Game) -> Mapping[str, Any]:
        """Style of every player that supports a game, as from ``measure_landmarks``."""
        with self._lock:
            if repr(game) not in self._known:
                self._known[repr(game)] = measure_landmarks(game)
            return self._known[repr(game)]


def measure_landmarks(game: Game) -> dict[str, Any]:
    """Styles of the players at tables that are drawn anew in every round.

    Args:
        game: Game to play; players that do not support it are left out.

    Returns:
        Result of ``Style.as_dict`` for each of the players, by name.
    """
    seats = game.seats(len(PLAYERS))
    players = {name: agents.make_compiled(name) for name in PLAYERS}
    names = [name for name in PLAYERS if can_play(players[name], game, seats=seats)]
    rng = seeds.generator(1, seeds.EVALUATION)
    tables = load_tables()
    counts = np.zeros((len(names), N_STYLE_COUNTS), np.int64)
    schedule = agents.Blocks(1) if game.is_cash else agents.Tournaments(_TOURNAMENTS)
    for number in range(_GAMES):
        order = rng.permutation(len(names))
        for first in range(0, len(order) - seats + 1, seats):
            chosen = order[first : first + seats]
            lineup = [players[names[i]] for i in chosen]
            tally = agents.play(lineup, schedule, game, seed=number, tables=tables)
            counts[chosen] += tally.style_counts
    return {name: Style.of(row).as_dict() for name, row in zip(names, counts, strict=True)}
