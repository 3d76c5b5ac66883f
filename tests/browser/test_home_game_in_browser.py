"""The customs of a game at home, on the page: the rules of them are tested without a browser."""

from __future__ import annotations

import re
from typing import Any

import pytest

from browser.table_page import deal, fastest_or_turn, seat_players, wait_for_turn


def two_players(open_page) -> tuple[Any, Any]:
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


def test_advance_actions_are_taken_at_the_turn(open_page):
    first, second = two_players(open_page)
    button = second.get_by_role("button", name="Call any")
    button.click()
    second.locator("button[aria-pressed=true]", has_text="Call any").wait_for()
    wait_for_turn(first)
    assert not first.get_by_role("button", name="Call any").is_visible()
    first.keyboard.press("a")
    first.keyboard.press("r")
    for page in (first, second):
        page.locator(".log p", has_text=re.compile("calls? [0-9,]+, all-in")).wait_for()


BOXES_OF_SIT_OUT = """async () => {
  const boxes = new Set();
  const hand = () => document.querySelector(".status").textContent;
  const button = [...document.querySelectorAll("button")].find((b) => b.textContent === "Sit out");
  for (let hands = 0, last = hand(); hands < 4;) {
    await new Promise(requestAnimationFrame);
    const { x, y, width, height } = button.getBoundingClientRect();
    boxes.add([x, y, width, height].map(Math.round).join(" "));
    if (hand() !== last) hands += 1;
    last = hand();
  }
  return [...boxes];
}"""


@pytest.mark.parametrize("small", [False, True], ids=["desktop", "phone"])
def test_a_player_sitting_out_is_marked_and_not_waited_for(open_page, small):
    page = open_page()
    if small:
        page.set_viewport_size({"width": 390, "height": 780})
    seat_players(page, "human", "caller", seed="2")
    page.get_by_text("Cash game", exact=True).click()
    deal(page)
    fastest_or_turn(page)
    if small:
        page.keyboard.press("a")  # there is no room for it while one decides
        page.keyboard.press("r")
    page.get_by_role("button", name="Sit out").click()
    page.locator(".seat.mine").get_by_text("sitting out").wait_for()
    page.get_by_role("button", name="Fast", exact=True).click()
    # The hands fly by, and the way back stays where it is.
    boxes = page.evaluate(BOXES_OF_SIT_OUT)
    assert len(boxes) == 1, boxes
    page.get_by_role("button", name="Sit out").click()
    page.locator(".buttons:visible, [data-space]:visible").first.wait_for()


def test_people_chat_with_each_other(open_page):
    ann, bob = two_players(open_page)
    ann.get_by_role("tab", name="Chat").click()
    ann.get_by_label("Message").fill("good luck <b>Bob</b>")
    ann.keyboard.press("Enter")
    bob.get_by_role("tab", name="Chat").click()
    bob.get_by_role("listitem").get_by_text("good luck <b>Bob</b>").wait_for()
    bob.reload()
    bob.get_by_role("tab", name="Chat").click()
    bob.get_by_role("listitem").get_by_text("good luck <b>Bob</b>").wait_for()


def test_a_visible_clock_takes_the_turn_when_it_runs_out(open_page):
    page = open_page()
    seat_players(page, "human", "caller", seed="2", clock="5", time_bank="1")
    deal(page)
    fastest_or_turn(page)
    page.get_by_role("timer").get_by_text("Your time").wait_for()
    log = page.locator(".log p", has=page.get_by_text("You", exact=True))
    log.get_by_text(re.compile("check|fold")).first.wait_for()


def test_amounts_are_shown_in_big_blinds(open_page):
    page = open_page()
    seat_players(page, "human", "caller", seed="2")
    deal(page)
    fastest_or_turn(page)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Amounts in big blinds").check()
    page.keyboard.press("Escape")
    page.locator(".seat.mine .stack", has_text=re.compile(r"^(49(\.5)?|50) bb$")).wait_for()
    assert "bb" in page.locator(".pot").inner_text()
    assert "bb" in page.locator(".act-button.raise").inner_text()
    page.reload()
    page.locator(".seat.mine .stack", has_text="bb").wait_for()


def test_stacks_carry_over_and_can_be_topped_up(open_page):
    page = open_page()
    seat_players(page, "human", "raiser", seed="3", starting_stack="500")
    page.get_by_text("Cash game", exact=True).click()
    page.locator("#field-stacks").select_option("carried")
    deal(page)
    fastest_or_turn(page)
    rebuy = page.get_by_role("button", name="Rebuy to 500")
    rebuy.wait_for()  # a blind has been put in
    rebuy.click()
    page.keyboard.press("f")
    page.get_by_role("tab", name="Players").click()
    page.get_by_role("button", name="Next hand").click()
    page.locator(".player-card summary").first.click()
    page.locator(".player-card").first.get_by_text(
        re.compile(r"Total buy-in: 5[0-9]+ chips")
    ).wait_for()
