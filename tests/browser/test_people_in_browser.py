"""Several people at one table, each in a browser of their own."""

from __future__ import annotations

import json
import re
import time

import pytest

from browser.axe import violations
from browser.table_page import (
    PATIENCE_S,
    TURN,
    all_in,
    and_see,
    deal,
    own_cards,
    seat_players,
    two_players,
    wait_for_turn,
)

CARD = re.compile(r'"([2-9TJQKA][cdhs])"')


def test_a_table_is_opened_joined_by_its_link_and_begun(open_page):
    ann = open_page(expected="ERR_FAILED")
    ann.route(
        "**/api/invitation",
        lambda route: route.fulfill(json={"origin": "http://192.0.2.7:8000", "reason": ""}),
    )
    seat_players(ann, "human", "human", "human", seed="6")
    ann.locator("form#setup button.primary").click()
    ann.locator(".form-error", has_text="enter your name").wait_for()
    ann.keyboard.type("Anita")
    ann.keyboard.press("Enter")
    ann.get_by_text("Waiting for people to join").wait_for()
    # Before the start nobody acts, and no cards are seen.
    assert own_cards(ann) == ["", ""]
    assert not ann.locator(".buttons").is_visible()
    assert ann.locator(".seat.turn").count() == 0
    code = ann.get_by_alt_text("QR code of the link to this table")
    ann.wait_for_function("i => i.complete && i.naturalWidth > 0", arg=code.element_handle())
    link = ann.get_by_label("Link to this table").input_value()
    assert link.startswith("http://192.0.2.7:8000/")
    assert violations(ann) == []
    bob = open_page()
    entry = bob.locator(".table-list li", has_text="Anita")
    entry.get_by_text("2 open seats").wait_for()
    entry.get_by_role("link").click()
    bob.get_by_role("button", name="Take seat").click()
    assert bob.locator(".seat.mine").count() == 0  # not without a name
    assert violations(bob) == []
    bob.get_by_label("Your name").fill("Bob")
    bob.keyboard.press("Enter")
    bob.locator(".seat.mine .name", has_text="Bob").wait_for()
    ann.locator(".seat .name", has_text="Bob").wait_for()
    ann.get_by_role("button", name="Start now").click()
    ann.locator(".seat.mine .card:not([data-card=''])").nth(1).wait_for()
    # The host alone sets the pace, and a guest may give the seat back from the first page.
    ann.get_by_role("button", name="Fastest").click()
    ann.locator(".pace [aria-pressed=true]", has_text="Fastest").wait_for()
    assert not bob.get_by_role("button", name="Fastest").is_visible()
    bob.locator(".brand").click()
    bob.get_by_role("button", name="Leave the table of").click()
    entry.get_by_text("2 open seats").wait_for()


def test_two_people_play_talk_and_see_only_their_own_cards(open_page):
    ann, bob = two_players(open_page)
    frames: list[str] = []
    bob.on("websocket", lambda ws: ws.on("framereceived", lambda frame: frames.append(frame)))
    bob.reload()
    cards = own_cards(ann)
    assert len({*cards, *own_cards(bob)}) == 4
    ann.get_by_role("tab", name="Chat").click()
    ann.get_by_label("Message").fill("good luck <b>Bob</b>")
    ann.keyboard.press("Enter")
    bob.get_by_role("tab", name=re.compile("Chat *1 *new")).click()
    bob.get_by_role("listitem").get_by_text("good luck <b>Bob</b>").wait_for()
    bob.get_by_role("tab", name="Chat", exact=True).wait_for()
    assert violations(bob) == []
    for page in (ann, bob):
        page.locator("#page").focus()
    end = time.monotonic() + PATIENCE_S
    while not ann.get_by_role("button", name="Next hand").is_visible():
        assert time.monotonic() < end
        for page in (ann, bob):
            if page.locator(TURN).is_visible():
                and_see(page, lambda page=page: page.keyboard.press("c"))
        ann.wait_for_timeout(30)
    secret = [json.loads(frame) for frame in frames if '"over": true' not in frame]
    assert len(secret) > 4
    for message in secret:
        assert not set(CARD.findall(json.dumps(message))) & set(cards)
    bob.locator(".seat:not(.mine) .card:not([data-card=''])").nth(1).wait_for()
    shown = bob.locator(".seat:not(.mine) .card").evaluate_all("c => c.map(e => e.dataset.card)")
    assert shown == cards
    bob.reload()
    bob.get_by_role("tab", name="Chat").click()
    bob.get_by_role("listitem").get_by_text("good luck <b>Bob</b>").wait_for()


def test_actions_are_chosen_in_advance_and_who_is_away_is_marked(open_page):
    first, second = two_players(open_page)
    second.get_by_role("button", name="Call any").click()
    second.locator("button[aria-pressed=true]", has_text="Call any").wait_for()
    wait_for_turn(first)
    assert not first.get_by_role("button", name="Call any").is_visible()
    all_in(first)
    for page in (first, second):
        page.locator(".log p", has_text=re.compile("calls? [0-9,]+, all-in")).wait_for()
    third, fourth = two_players(open_page)
    wait_for_turn(third)
    third.goto("about:blank")
    fourth.locator(".turn-line").get_by_text("is to act but is away").wait_for()
    fourth.locator(".seat .act", has_text="to act, away").wait_for()


NOTE_THE_CLOCK = """() => {
  window.noted = new Set();
  new MutationObserver(() => {
    for (const text of ["Your time: ", "Your time ran out"]) {
      if (document.body.textContent.includes(text)) noted.add(text);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
PLACES_OF_SIT_OUT = """async () => {
  const places = new Set();
  const hand = () => document.querySelector(".status").textContent;
  const button = [...document.querySelectorAll("button")].find((b) => b.textContent === "Sit out");
  for (let hands = 0, last = hand(); hands < 4;) {
    await new Promise(requestAnimationFrame);
    const { x, y, width, height } = button.getBoundingClientRect();
    places.add([x, y, width, height].map(Math.round).join(" "));
    if (hand() !== last) hands += 1;
    last = hand();
  }
  return [...places];
}"""


@pytest.mark.parametrize("width", [1280, 390])
def test_who_sits_out_is_not_waited_for(open_page, width):
    page = open_page(size={"width": width, "height": 780})
    seat_players(page, "human", "raiser", seed="3", starting_stack="500", clock="2")
    page.get_by_text("Cash game", exact=True).click()
    page.locator("#field-stacks").select_option("carried")
    page.evaluate(NOTE_THE_CLOCK)  # a machine with other work may look too late
    deal(page)
    page.wait_for_function("() => noted.size === 2")
    page.get_by_role("button", name="Rebuy to 500").click()
    page.get_by_role("button", name="Sit out").click()
    page.locator(".seat.mine").get_by_text("sitting out").wait_for()
    page.evaluate("[...document.querySelectorAll('.pace button')].at(2).click()")
    places = page.evaluate(PLACES_OF_SIT_OUT)
    assert len(places) == 1, places
    page.get_by_role("tab", name="Players").click()
    bought = page.locator(".player-card").first.get_by_text(re.compile("Total buy-in: [0-9,]+"))
    bought.wait_for(state="attached")
    assert "500 chips" not in bought.text_content()
    page.get_by_role("button", name="Sit out").click()
    page.locator(".buttons:visible, [data-space]:visible").first.wait_for()
