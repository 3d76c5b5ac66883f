"""Actions of people at the table in the browser, as functions for tests."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

PATIENCE_S = 240
"""For what takes many steps, each of which a machine with other work may take its time for."""


OPEN = """async (game) => {
  const answer = await fetch("/api/games", { method: "POST", body: JSON.stringify(game) });
  location.hash = `#/game/${(await answer.json()).game}`;
}"""
"""Opens a game by its description, as pages send it."""


def seat_players(page: Any, *names: str, **fields: str) -> None:
    """Fill in the first page. The cards are the same each time, unless fields name a seed."""
    page.get_by_role("button", name="Heads-up").click()
    for _ in names[2:]:
        page.get_by_role("button", name="+ Add seat").click()
    page.locator(".more-options").evaluate("details => { details.open = true; }")
    for seat, name in enumerate(names, 1):
        page.get_by_label(f"Seat {seat}", exact=True).select_option(name)
    for label, value in {"seed": "1", **fields}.items():
        page.locator(f"#field-{label}").fill(value)


def deal(page: Any) -> None:
    page.locator("form#setup button.primary").click()
    page.locator(".seat").first.wait_for()


def fastest(page: Any) -> None:
    page.get_by_role("button", name="Fastest").click()


TURN = ".buttons:not(.fresh, .sent)"
"""The actions, once they can be taken."""


def wait_for_turn(page: Any) -> None:
    page.locator(TURN).wait_for(state="visible")


def scrolls_sideways(page: Any) -> bool:
    return page.evaluate("document.documentElement.scrollWidth > innerWidth")


def own_cards(page: Any) -> list[str]:
    page.locator(".seat.mine .card").nth(1).wait_for()
    return page.locator(".seat.mine .card").evaluate_all("cards => cards.map(c => c.dataset.card)")


def and_see(page: Any, act: Callable[[], Any]) -> None:
    """Do something that moves the hand on, and wait until the page shows what has come of it.

    Until then it shows the state before: another look would find the same turn again.
    """
    before = page.locator(".log").text_content()
    act()
    page.wait_for_function(
        "before => document.querySelector('.log').textContent !== before", arg=before
    )


def at_turns(page: Any, act: Callable[[], Any], *, until: Any) -> int:
    """Act at each of one's turns until something is seen; the number of turns."""
    turns, end = 0, time.monotonic() + PATIENCE_S
    while not until.is_visible():
        assert time.monotonic() < end, "it never came to that"
        if page.locator(TURN).is_visible():
            and_see(page, act)
            turns += 1
        else:
            page.wait_for_timeout(30)
    return turns


def fastest_or_turn(page: Any) -> None:
    """Wait for one's turn, with the others as fast as they can."""
    page.wait_for_function(
        """() => {
          if (document.querySelector(".buttons:not(.fresh)")?.checkVisibility()) return true;
          const pace = [...document.querySelectorAll(".pace button")].at(-1);
          if (pace?.getAttribute("aria-pressed") === "false") pace.click();
          return false;
        }"""
    )


def turn_after_the_flop(page: Any) -> None:
    """Call until it is one's turn with three cards or more on the board."""
    page.wait_for_function(
        """() => {
          const turn = document.querySelector(".buttons:not(.fresh)")?.checkVisibility();
          const board = document.querySelectorAll(".board .card").length;
          const at = document.querySelector(".turn-line").textContent;
          if (turn && board >= 3) return true;
          if (turn && window.called !== at) {
            window.called = at;
            document.querySelector(".act-button.call").click();
          }
          return false;
        }"""
    )


def all_in(page: Any) -> None:
    """Put in everything, or call it."""
    if page.locator(".act-button.raise").is_enabled():
        page.keyboard.press("a")
        page.keyboard.press("r")
    else:
        page.keyboard.press("c")


def two_players(open_page: Callable[..., Any]) -> tuple[Any, Any]:
    """Ann and Bob heads-up; the one to act first comes first."""
    ann = open_page()
    seat_players(ann, "human", "human", name="Ann", seed="6")
    deal(ann)
    bob = open_page(path=ann.get_by_label("Link to this table").input_value())
    bob.get_by_label("Your name").fill("Bob")
    bob.keyboard.press("Enter")
    bob.locator(".seat.mine").wait_for()
    ann.get_by_text("Waiting for people to join").wait_for(state="detached")
    ann.locator(".seat.turn").wait_for()
    return (ann, bob) if ann.locator(".seat.mine.turn").count() else (bob, ann)
