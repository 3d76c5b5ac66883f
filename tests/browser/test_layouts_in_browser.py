"""Windows of all sizes: what one needs is there at once, nothing overlaps, is cut or jumps."""

from __future__ import annotations

from typing import Any

import pytest

from browser.axe import violations
from browser.table_page import (
    OPEN,
    and_see,
    at_turns,
    fastest_or_turn,
    scrolls_sideways,
    turn_after_the_flop,
)

SIZES = {
    "desktop": (1280, 800),
    "small desktop": (1100, 700),
    "tablet": (820, 1180),
    "zoomed": (640, 400),  # 1280 x 800 at 200 %
    "on its side": (844, 390),
    "small on its side": (667, 375),
    "upright": (390, 844),
    "narrowest": (320, 568),
}
BOXES = """() => {
  const boxes = (name, selector) => [...document.querySelectorAll(selector)]
    .filter((element) => element.checkVisibility())
    .map((element, i) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      return { name: `${name} ${i}`, left, top, right, bottom };
    });
  return {
    pods: boxes("seat", ".pod"), others: boxes("other", ".seat:not(.mine) .pod"),
    board: boxes("board", ".board > *"), own: boxes("own card", ".seat.mine .hole .card"),
    hidden: boxes("card", ".seat:not(.mine) .hole .card"), pot: boxes("pot", ".pot .sum"),
    bets: boxes("bet", ".bet"), dealer: boxes("dealer", ".dealer"),
    buttons: boxes("button", ".act-button"), controls: boxes("controls", ".controls"),
    sizing: boxes("sizing", ".sizing :is(input, button)"), words: boxes("words", ".turn-line > *"),
    pace: boxes("pace", ".pace button, .next-pace"), tip: boxes("tip", ".tooltip"),
    open: boxes("open card", ".card:not([data-card=''])"),
  };
}"""
CUT = """() => [...document.querySelectorAll(".name > span, .stack, .act, .front, "
  + ".act-button, .act-button small, .turn-line, .status > span")]
  .filter((e) => e.checkVisibility() && e.clientWidth && (e.scrollWidth > e.clientWidth + 1
    || (e.matches(".turn-line") && e.scrollHeight > e.clientHeight + 1)
    || (e.matches(".base") && e.scrollHeight > e.clientHeight + 4)
    || (e.closest(".status") && e.getBoundingClientRect().bottom
      > e.parentElement.getBoundingClientRect().bottom + 1)))
  .map((e) => `${e.className}: ${e.textContent}`)"""
WATCH = """() => {
  window.places = new Map();
  const look = () => {
    for (const e of document.querySelectorAll(".stage, .board, .controls, .controls button")) {
      if (!e.checkVisibility() || e.closest(".fractions")) continue;
      const { x, y, width, height } = e.getBoundingClientRect();
      if (!places.has(e)) places.set(e, new Set());
      places.get(e).add([x, y, e.matches("button") ? 0 : width, height].map(Math.round).join(" "));
    }
    requestAnimationFrame(look);
  };
  look();
}"""
NOTE_WAIT = """(seat) => {
  const tip = seat.querySelector(".tooltip");
  const enter = ({ timeStamp }) => { window.entered = timeStamp; };
  seat.addEventListener("pointerenter", enter, { once: true });
  new MutationObserver((_, observer) => {
    if (tip.hidden) return;
    window.waited = performance.now() - entered;
    observer.disconnect();
  }).observe(tip, { attributes: true });
}"""
MOVED = """() => [...places].filter(([, places]) => places.size > 1)
  .map(([e, places]) => `${e.className} ${e.textContent.slice(0, 20)}: ${[...places]}`)"""


def boxes(page: Any) -> dict[str, list[dict[str, Any]]]:
    return page.evaluate(BOXES)


def overlapping(some: list[dict], others: list[dict]) -> list[tuple[str, str]]:
    """Pairs that share more than their edges."""
    return [
        (a["name"], b["name"])
        for a in some
        for b in others
        if a["name"] != b["name"]
        and min(a["right"], b["right"]) - max(a["left"], b["left"]) > 1.5
        and min(a["bottom"], b["bottom"]) - max(a["top"], b["top"]) > 1.5
    ]


@pytest.mark.parametrize("players", [2, 6, 10])
@pytest.mark.parametrize("name", SIZES)
def test_a_hand_fits_into_the_window(open_page, name, players):
    width, height = SIZES[name]
    page = open_page(size={"width": width, "height": height})
    theme = "dark" if players == 6 else "light"
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    seats = ["human", *["loose-passive"] * (players - 1)]
    game = {"seats": seats, "mode": "cash", "blinds": "5000/10000", "starting_stack": 999_999}
    page.evaluate(OPEN, {**game, "seed": 3, "name": "You"})
    fastest_or_turn(page)
    seen = boxes(page)  # with the blinds on the table, wherever there is room for them
    assert len(seen["dealer"]) == 1
    assert not overlapping(seen["bets"], [*seen["bets"], *seen["pods"], *seen["pot"]])
    assert not overlapping(seen["bets"] + seen["dealer"], seen["board"])
    assert not overlapping(seen["dealer"], seen["bets"] + seen["pot"])
    assert seen["bets"] or page.locator(".front", has_text="10k").count()
    assert page.evaluate(CUT) == []
    turn_after_the_flop(page)
    seen = boxes(page)
    for box in [*seen["own"], *seen["board"], *seen["buttons"], *seen["pace"]]:
        assert box["left"] >= 0, box
        assert box["right"] <= width, box
        assert box["top"] >= 0, box
        assert box["bottom"] <= height, box
    assert [len(seen[part]) for part in ("own", "board", "buttons")] == [2, 5, 3]
    assert not overlapping(seen["pods"], seen["pods"] + seen["controls"])
    assert not overlapping(seen["pods"], seen["board"] + seen["pot"])
    assert not overlapping(seen["others"], seen["own"])
    assert not overlapping(seen["own"], seen["board"] + seen["pot"] + seen["controls"])
    assert not overlapping(seen["hidden"], seen["board"] + seen["pot"])
    assert not overlapping(seen["pace"], seen["buttons"] + seen["sizing"] + seen["words"])
    assert not scrolls_sideways(page)
    numbers = page.locator(".seat .name > span:not(.base)").all_inner_texts()
    assert [number.strip() for number in numbers] == [str(i) for i in range(2, players)]
    if width <= 860 or height <= 560:
        sizes = [box["bottom"] - box["top"] for box in [*seen["sizing"], *seen["buttons"]]]
        assert min(sizes) >= (34 if name == "narrowest" else 40)
    # A description opens by the pointer, after a moment, and by the Tab key, and covers no cards.
    seat = page.locator(".seat:not(.mine)").nth(players // 2 - 1)
    seat.evaluate(NOTE_WAIT)
    seat.hover()
    seat.locator(".tooltip").get_by_text("loose-passive").wait_for()
    assert page.evaluate("waited") >= 500
    seen = boxes(page)
    assert not overlapping(seen["tip"], seen["open"])
    page.mouse.move(2, 2)
    seat.locator(".tooltip").wait_for(state="hidden")
    seat.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    seat.locator(".tooltip").wait_for()
    page.locator("#page").focus()
    if players == 6:
        assert violations(page) == []
    page.evaluate("scrollTo(0, 0)")
    page.evaluate(WATCH)
    over = page.locator("[data-space='next hand']")
    at_turns(page, lambda: page.keyboard.press("c"), until=over)
    assert page.evaluate(CUT) == []
    and_see(page, lambda: page.keyboard.press(" "))
    fastest_or_turn(page)
    assert page.evaluate(MOVED) == []
