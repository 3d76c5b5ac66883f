"""Windows of all sizes: what one needs to decide is there at once, and nothing overlaps."""

from __future__ import annotations

from typing import Any

import pytest

from browser.table_page import (
    deal,
    fastest_or_turn,
    scrolls_sideways,
    seat_players,
    turn_after_the_flop,
)

SIZES = {
    "desktop": (1280, 800),
    "zoomed": (640, 400),  # 1280 x 800 at 200 %
    "on its side": (844, 390),
    "small on its side": (667, 375),
    "upright": (390, 844),
    "narrow": (320, 640),
    "narrowest": (320, 568),
    "small desktop": (1100, 700),
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
    board: boxes("board", ".board > *"),
    own: boxes("own card", ".seat.mine .hole .card"),
    hidden: boxes("card", ".seat:not(.mine) .hole .card"), pot: boxes("pot", ".pot .sum"),
    bets: boxes("bet", ".bet"), dealer: boxes("dealer", ".dealer"),
    buttons: boxes("button", ".act-button"), controls: boxes("controls", ".controls"),
    sizing: boxes("sizing", ".sizing :is(input, button)"), words: boxes("words", ".turn-line > *"),
    pace: boxes("pace", ".pace button, .next-pace"),
  };
}"""


def size(name: str) -> dict[str, int]:
    return dict(zip(("width", "height"), SIZES[name], strict=True))


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


def at_the_turn(open_page, name: str, players: int) -> Any:
    page = open_page(size=size(name))
    seat_players(page, "human", *["loose-passive"] * (players - 1), seed="3")
    deal(page)
    fastest_or_turn(page)
    return page


@pytest.mark.parametrize("players", [2, 6, 10])
@pytest.mark.parametrize("name", SIZES)
def test_cards_board_and_buttons_are_visible_and_do_not_overlap(open_page, name, players):
    page = at_the_turn(open_page, name, players)
    turn_after_the_flop(page)
    seen = boxes(page)
    assert len(seen["own"]) == 2
    assert len(seen["board"]) == 5
    assert len(seen["buttons"]) == 3
    width, height = SIZES[name]
    for box in [*seen["own"], *seen["board"], *seen["buttons"]]:
        assert box["left"] >= 0, box
        assert box["right"] <= width, box
        assert box["top"] >= 0, box
        assert box["bottom"] <= height, box
    assert not overlapping(seen["pods"], seen["pods"] + seen["controls"])
    assert not overlapping(seen["pods"], seen["board"] + seen["pot"])
    assert not overlapping(seen["others"], seen["own"])
    assert not overlapping(seen["own"], seen["board"] + seen["pot"] + seen["controls"])
    assert not overlapping(seen["hidden"], seen["board"] + seen["pot"])
    assert not scrolls_sideways(page)


@pytest.mark.parametrize("name", SIZES)
def test_the_pace_can_be_changed_at_the_turn_and_covers_nothing(open_page, name):
    page = at_the_turn(open_page, name, 6)
    turn_after_the_flop(page)
    seen = boxes(page)
    assert len(seen["pace"]) in (1, 4)
    width, height = SIZES[name]
    for box in seen["pace"]:
        assert box["left"] >= 0, box
        assert box["right"] <= width, box
        assert box["top"] >= 0, box
        assert box["bottom"] <= height, box
    assert not overlapping(seen["pace"], seen["buttons"] + seen["sizing"] + seen["words"])
    assert not overlapping(seen["pace"], seen["pods"] + seen["own"])
    chosen = page.locator(".pace button[aria-pressed=true]")
    assert chosen.text_content() == "Fastest"
    if len(seen["pace"]) == 4:
        page.get_by_role("button", name="Slow").click()
    else:
        page.get_by_role("button", name="Playing speed: Fastest").click()
        page.get_by_role("button", name="Playing speed: Slow").wait_for()
    chosen.filter(has_text="Slow").wait_for(state="attached")
    assert page.locator(".buttons").is_visible()


@pytest.mark.parametrize("players", [6, 10])
@pytest.mark.parametrize("name", ["zoomed", "on its side", "upright", "narrowest"])
def test_bets_and_the_dealer_button_cover_nothing(open_page, name, players):
    page = at_the_turn(open_page, name, players)
    seen = boxes(page)
    assert len(seen["dealer"]) == 1
    assert not overlapping(seen["bets"], seen["bets"] + seen["pods"] + seen["pot"] + seen["board"])
    assert not overlapping(seen["dealer"], seen["bets"] + seen["pot"] + seen["board"])
    # What is not on the felt is written on the seats.
    acts = " ".join(page.locator(".seat .act").all_inner_texts())
    assert seen["bets"] or "posted" in acts


@pytest.mark.parametrize("name", ["desktop", "narrowest", "on its side"])
def test_a_player_description_opens_by_pointer_and_keyboard(open_page, name):
    page = at_the_turn(open_page, name, 6)
    seat = page.locator(".seat:not(.mine)").nth(2)
    tooltip = seat.locator(".tooltip")
    assert not tooltip.is_visible()
    seat.hover()
    tooltip.get_by_text("loose-passive 3").wait_for()
    box = tooltip.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= SIZES[name][0]
    page.mouse.move(2, 2)
    tooltip.wait_for(state="hidden")
    seat.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    tooltip.wait_for()
    assert len(tooltip.inner_text()) > len("loose-passive 3") + 10


def test_the_lobby_describes_each_player(open_page):
    page = open_page()
    page.get_by_label("Seat 2", exact=True).select_option("caller")
    row = page.locator(".seat-row").nth(1)
    row.get_by_text("always calls or checks").wait_for()


def test_an_invalid_field_is_named_by_its_label_and_focused(open_page):
    page = open_page(expected="status of 400")
    page.locator("#field-starting_stack").fill("many")
    page.locator("form#setup button.primary").click()
    page.locator(
        ".form-error", has_text="Starting stack: enter a whole number from 2 to 1,000,000"
    ).wait_for()
    assert page.evaluate("document.activeElement.id") == "field-starting_stack"


def test_hole_cards_show_the_high_card_on_the_left(open_page):
    page = open_page()
    order = "23456789TJQKA"
    for seed in ("1", "2", "3"):
        page.goto(page.url.split("#")[0])
        seat_players(page, "human", "caller", seed=seed)
        deal(page)
        page.locator(".seat.mine .card").nth(1).wait_for()
        cards = page.locator(".seat.mine .card")
        left, right = cards.evaluate_all("cards => cards.map(card => card.dataset.card)")
        assert order.index(left[0]) >= order.index(right[0])
        boxes_ = [card.bounding_box()["x"] for card in cards.all()]
        assert boxes_ == sorted(boxes_)


@pytest.mark.parametrize("system", ["light", "dark"])
def test_the_theme_follows_the_system_until_one_is_chosen(open_page, system):
    page = open_page()
    page.emulate_media(color_scheme=system)
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    page.get_by_role("button", name="Settings").click()
    of_system = page.evaluate(ground)
    other = "Dark" if system == "light" else "Light"
    page.get_by_role("radio", name=other, exact=True).check(force=True)
    chosen = page.evaluate(ground)
    assert chosen != of_system
    page.reload()
    assert page.evaluate(ground) == chosen
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="System").check(force=True)
    assert page.evaluate(ground) == of_system


@pytest.mark.parametrize("name", SIZES)
def test_players_of_one_kind_have_distinct_names(open_page, name):
    page = at_the_turn(open_page, name, 6)
    cut = page.locator(".seat .name > span:not(.base)").evaluate_all(
        "spans => spans.filter(s => s.scrollWidth > s.clientWidth + 1 || !s.clientWidth).length"
    )
    numbers = page.locator(".seat .name > span:not(.base)").all_inner_texts()
    assert [number.strip() for number in numbers] == ["2", "3", "4", "5"]
    assert cut == 0
    ends = page.locator(".seat .name").evaluate_all(
        """names => names.filter(name => {
          const last = name.lastElementChild.getBoundingClientRect();
          return last.right > name.closest(".pod").getBoundingClientRect().right;
        }).length"""
    )
    assert ends == 0
