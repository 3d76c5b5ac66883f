"""Requests that come twice or late, games that stand still, and the progress of a first start."""

from __future__ import annotations

import asyncio
import threading

import pytest
from web_tables import at_table, look

from agents.web.hub import Preparation
from agents.web.table.game import HAND_OVER
from agents.web.table.live_table import ReceivedRequests
from agents.web.table.participants import Refused


def test_a_request_is_new_once():
    received = ReceivedRequests()
    assert received.is_new("session", "page", 1)
    assert received.is_new("session", "page", 3)
    assert not received.is_new("session", "page", 3)
    assert not received.is_new("session", "page", 2)
    assert received.is_new("session", "other page", 1)
    assert received.is_new("other session", "page", 1)


@pytest.mark.parametrize(("page", "number"), [(5, 1), ("x" * 41, 1), ("x", 0), ("x", "many")])
def test_requests_with_impossible_numbers_are_refused(page, number):
    with pytest.raises(ValueError, match=r"must be|is text"):
        ReceivedRequests().is_new("session", page, number)


def test_nobody_pauses_a_game_of_people_and_the_host_alone_sets_its_pace():
    async def play(table):
        table.sit("creator", "Ann")
        table.sit("guest", "Bob")
        line, host = await look(table, "guest"), await look(table, "creator")
        for kind in ("pause", "step"):
            with pytest.raises(Refused, match="cannot be paused"):
                await table.handle(line, {"type": kind, "on": True})
        assert not table.view("guest")["paused"]
        for request in ({"type": "pace", "pace": "max"}, {"type": "auto deal", "on": True}):
            with pytest.raises(Refused, match="only the host"):
                await table.handle(line, request)
        assert [table.view(who)["sets_pace"] for who in ("guest", "creator")] == [False, True]
        table.leave(host)  # the guest is not left with a pace that nobody can change
        await table.handle(line, {"type": "pace", "pace": "max"})
        assert table.view("guest")["pace"] == "max"

    at_table(play, "human", "human", "caller")


def test_a_new_game_is_not_paused_and_numbers_its_turns_on():
    async def play(table):
        line = await look(table, "creator")
        await table.handle(line, {"type": "pace", "pace": "max"})
        async with asyncio.timeout(120):
            while table.state.phase != "game over":
                await asyncio.sleep(0.002)
        await table.handle(line, {"type": "pause", "on": True})
        turn = table.state.turn
        await table.handle(line, {"type": "new game", "turn": turn - 1})
        assert table.state.phase == "game over"  # it was of another game
        await table.handle(line, {"type": "new game", "turn": turn})
        assert table.state.turn > turn
        assert not table.view("creator")["paused"]

    at_table(play, "caller", "folder", mode="cash", num_hands=2)


def test_a_late_request_for_the_next_hand_deals_no_other():
    async def play(table):
        table.sit("creator", "Ann")
        line = await look(table, "creator")
        request = {"type": "act", "turn": table.state.turn, "action": "fold"}
        await table.handle(line, request)
        assert table.state.phase == HAND_OVER
        await table.handle(line, {"type": "next hand", "turn": table.state.turn - 1})
        await asyncio.sleep(0.05)
        assert table.state.phase == HAND_OVER

    at_table(play, "human", "caller", mode="cash", seed=6)


def test_the_progress_of_a_first_start_is_seen_by_others():
    begun, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        go_on.wait(60)

    preparation = Preparation([("cards", wait), ("chips", lambda: None)])
    assert preparation.view() == {"ready": True}
    preparation.wait()  # it has not begun
    thread = threading.Thread(target=preparation.run)
    thread.start()
    assert begun.wait(60)
    view = preparation.view()
    assert (view["ready"], view["done"], view["stages"], view["doing"]) == (False, 0, 2, "cards")
    go_on.set()
    preparation.wait()
    thread.join()
    assert preparation.view() == {"ready": True}
