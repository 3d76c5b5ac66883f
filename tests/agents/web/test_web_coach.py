"""The coach's answers over HTTP: some hands at a time."""

from __future__ import annotations

import asyncio

import aiohttp
import pytest
from aiohttp.test_utils import TestClient, TestServer
from hand_texts import HEADS_UP, THREE_ALL_IN

from agents.web.catalogue import Catalogue
from agents.web.hands import coached
from agents.web.hub import Hub
from agents.web.server import create_app

FILE = f"[1]\n{THREE_ALL_IN}\n[2]\n{HEADS_UP}"


@pytest.mark.slow
def test_the_coach_answers_some_hands_at_a_time(monkeypatch):
    monkeypatch.setattr(coached, "_SECONDS", 0.0)

    async def ask() -> None:
        app = create_app(Hub(Catalogue()))
        jar = aiohttp.CookieJar(unsafe=True)
        async with TestClient(TestServer(app), cookie_jar=jar) as client:
            await (await client.get("/")).read()
            name = (await (await client.post("/api/replays", data=FILE)).json())["replay"]
            path = f"/api/replays/{name}/coach"
            players = (await (await client.get(f"{path}/players")).json())["players"]
            assert players[0] in ("ann", "bob")
            query = {"player": players[0], "model": "caller"}
            first = await (await client.get(path, params=query)).json()
            assert first["next"] == 1
            last = await (await client.get(path, params={**query, "first": "1"})).json()
            assert last["next"] is None
            assert {one["hand"] for one in last["decisions"]} == {1}
            again = await (await client.get(path, params={**query, "first": "1"})).json()
            assert again == last
            hand = await (await client.get(f"/api/replays/{name}/hands/1")).json()
            for one in last["decisions"]:
                step = hand["steps"][one["step"]]
                assert step["seats"][step["actor"]]["name"] == players[0]
            for wrong in ({"model": "nobody"}, {"player": "carl"}, {"first": "-1"}):
                answer = await client.get(path, params={**query, **wrong})
                assert answer.status == 400, wrong
            assert (await client.get("/api/replays/none/coach", params=query)).status == 404

    asyncio.run(ask())
