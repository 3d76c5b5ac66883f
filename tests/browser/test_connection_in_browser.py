"""Connections cut, delayed or silent at every moment of a game, and servers that start anew."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from browser.conftest import Server, serving
from browser.cuts import CUTTABLE
from browser.random_cuts import play_with_cuts
from browser.table_page import (
    PATIENCE_S,
    all_in,
    and_see,
    at_turns,
    deal,
    fastest_or_turn,
    own_cards,
    seat_players,
    wait_for_turn,
)


@pytest.fixture
def cuttable(open_page: Callable[..., Any]) -> Callable[..., Any]:
    """Opens pages whose connection can be cut."""

    def open_cuttable(**options: Any) -> Any:
        page = open_page(**options)
        page.add_init_script(CUTTABLE)
        page.reload()
        return page

    return open_cuttable


# Ways to every moment of a game of one hand each; a person against one who calls.


def at_the_start(page: Any) -> None:
    """The other seat is still open."""
    seat_players(page, "human", "human", name="Ann", seed="2")
    deal(page)
    page.get_by_role("button", name="Start now").wait_for()


def at_the_own_turn(page: Any) -> None:
    seat_players(page, "human", "caller", seed="2", num_hands="2", starting_stack="200")
    page.get_by_text("Cash game", exact=True).click()
    deal(page)
    fastest_or_turn(page)


def after_a_click(page: Any) -> None:
    """The decision is on its way."""
    at_the_own_turn(page)
    page.evaluate("wire.mute()")
    page.keyboard.press("c")


def after_an_unanswered_click(page: Any) -> None:
    """The decision has arrived, and nothing of that has come back."""
    at_the_own_turn(page)
    page.evaluate("wire.deafen()")
    page.keyboard.press("c")
    page.wait_for_timeout(300)


def in_the_run_out(page: Any) -> None:
    """Both are all-in: the board comes card by card."""
    page.emulate_media(reduced_motion="no-preference")
    at_the_own_turn(page)
    all_in(page)
    page.locator(".board .card").nth(4).wait_for(state="attached")


def at_the_end_of_a_hand(page: Any) -> None:
    at_the_own_turn(page)
    all_in(page)
    page.get_by_role("button", name="Next hand").wait_for()


def at_the_end_of_the_game(page: Any) -> None:
    at_the_end_of_a_hand(page)
    page.keyboard.press(" ")
    fastest_or_turn(page)
    all_in(page)
    page.get_by_role("button", name="Next game").wait_for()


MOMENTS = [
    at_the_start,
    at_the_own_turn,
    after_a_click,
    after_an_unanswered_click,
    in_the_run_out,
    at_the_end_of_a_hand,
    at_the_end_of_the_game,
]


def play_on(page: Any) -> None:
    """Whatever the page offers leads to the next decision of the person."""
    fastest_or_next_turn(page)
    and_see(page, lambda: page.keyboard.press("c"))


def fastest_or_next_turn(page: Any) -> None:
    """Press what there is until it is one's turn."""
    page.wait_for_function(
        """() => {
          if (document.querySelector(".buttons:not(.sent, .fresh)")?.checkVisibility()) return true;
          // Start now, Next hand, Next game or New game.
          const main = [...document.querySelectorAll(".game-controls .primary")];
          main.find((button) => button.checkVisibility())?.click();
          const pace = [...document.querySelectorAll(".pace button[aria-pressed=false]")].at(-1);
          if (pace?.checkVisibility() && pace.textContent === "Fastest") pace.click();
          return false;
        }""",
        polling=100,
    )


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment.__name__)
def test_a_cut_connection_leads_back_into_the_game(cuttable, moment):
    page = cuttable()
    moment(page)
    opened = page.evaluate("wire.opened")
    page.evaluate("wire.cut()")
    page.wait_for_function("before => wire.opened > before", arg=opened)
    page.get_by_text("Connection lost").wait_for(state="detached")
    if moment in (after_a_click, after_an_unanswered_click):
        page.locator(".log p", has_text=re.compile("^You ?(call|check)")).first.wait_for()
    play_on(page)


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment.__name__)
def test_a_slow_connection_leads_back_into_the_game(cuttable, moment):
    page = cuttable()
    moment(page)
    page.evaluate("wire.hold()")
    page.keyboard.press("c")
    page.keyboard.press(" ")
    page.keyboard.press("c")
    page.wait_for_timeout(500)
    page.evaluate("wire.release()")
    play_on(page)


def test_a_dead_connection_is_noticed_and_replaced(cuttable):
    page = cuttable()
    at_the_own_turn(page)
    page.evaluate("wire.mute()")
    page.keyboard.press("c")
    page.locator(".log p", has_text=re.compile("^You ?(call|check)")).first.wait_for()


def test_a_closed_table_says_so_and_leads_on(open_page):
    ann = open_page()
    seat_players(ann, "human", "human", name="Ann", seed="6")
    deal(ann)
    bob = open_page(path=ann.get_by_label("Link to this table").input_value())
    bob.get_by_role("button", name="Take seat").wait_for()
    ann.evaluate("fetch(`/api/games/${location.hash.split('/')[2]}`, { method: 'DELETE' })")
    bob.get_by_text("The host has closed this table").wait_for()
    assert not bob.locator(".controls").get_by_role("button").count()
    ann.get_by_role("button", name="Same game again").click()
    ann.get_by_role("button", name="Start now").wait_for()
    bob.get_by_role("link", name="All tables", exact=True).click()
    bob.get_by_role("button", name="Deal me in").or_(
        bob.get_by_role("button", name="Open table")
    ).wait_for()


def test_a_server_that_is_started_anew_leads_on_from_every_moment(chromium, tmp_path):
    with serving(tmp_path) as server:
        pages = [new_page(chromium, server) for _ in MOMENTS]
        for page, moment in zip(pages, MOMENTS, strict=True):
            moment(page)
        server.stop()
        for page in pages:
            page.get_by_text(re.compile("The server has stopped|Connection lost")).first.wait_for()
        server.start()
        for page in pages:
            page.get_by_role("button", name="Same game again").click()
            play_on(page)
        reloaded = new_page(chromium, server, path="#/game/unknown")
        reloaded.get_by_text("This table no longer exists").wait_for()
        reloaded.get_by_role("link", name="All tables", exact=True).click()
        deal(reloaded)


def test_a_saved_table_goes_on_after_a_server_is_started_anew(chromium, tmp_path):
    with serving(tmp_path, "--save", "tables") as server:
        page = new_page(chromium, server)
        seat_players(page, "human", "caller", seed="2")
        deal(page)
        fastest_or_turn(page)
        at_turns(
            page,
            page.locator(".act-button.call").click,
            until=page.get_by_role("button", name="Next hand"),
        )
        page.get_by_role("button", name="Next hand").click()
        wait_for_turn(page)
        cards = own_cards(page)
        server.stop()
        page.get_by_text(re.compile("The server has stopped|Connection lost")).first.wait_for()
        server.start()
        page.get_by_text("The server has restarted").wait_for()
        page.get_by_role("button", name="Next hand").click()
        wait_for_turn(page)
        assert own_cards(page) != cards  # whose board may be known by now
        page.locator(".act-button.call").click()


def new_page(browser: Any, server: Server, path: str = "") -> Any:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    page.add_init_script(CUTTABLE)
    page.set_default_timeout(1000 * PATIENCE_S)
    page.goto(server.address + path)
    return page


TABLES = """async () => {
  const { CONNECTION, DECISION } = await import("/static/js/connection.js");
  return { CONNECTION, DECISION };
}"""


def test_every_state_leads_on_or_is_final(open_page):
    tables = open_page().evaluate(TABLES)
    for table in tables.values():
        assert {following for events in table.values() for following in events.values()} <= set(
            table
        )
    connection = tables["CONNECTION"]
    assert {state for state in connection if not connection[state]} == {
        "closed",
        "gone",
        "stranger",
    }
    for state in ("opening", "lost", "stopped"):
        assert connection[state]["state"] == "open"
    assert set(tables["DECISION"]["sent"].values()) == {"none", "offered"}


def test_hands_with_random_cuts_strand_nobody(chromium, server):
    found = play_with_cuts(chromium, server, hands=8, seed=1)
    assert found.hands >= 8
