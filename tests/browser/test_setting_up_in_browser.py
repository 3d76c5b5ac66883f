"""Hands that are set up in the browser: cards chosen from a grid, and a hand played again."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hand_texts import HEADS_UP

from browser.axe import violations
from browser.table_page import OPEN, and_see, own_cards, scrolls_sideways

SIZES = [
    {"width": 1280, "height": 800},
    {"width": 390, "height": 844},
    {"width": 320, "height": 568},
]


def open_setup(open_page: Any, **options: Any) -> Any:
    page = open_page(**options)
    page.get_by_role("link", name="Set up a hand").press("Enter")
    page.get_by_role("heading", name="Set up a hand").wait_for()
    return page


def card(page: Any, name: str) -> Any:
    return page.get_by_role("group", name="Card picker").get_by_role("button", name=name)


def test_a_hand_is_set_up_by_keyboard_alone(open_page):
    page = open_setup(open_page, expected="400")
    field = page.get_by_label("Cards of seat 2", exact=True)
    field.focus()
    page.keyboard.type("10h")
    assert card(page, "ten of hearts").get_attribute("aria-pressed") == "true"
    page.get_by_label("Cards of seat 1", exact=True).focus()
    page.keyboard.press("Tab")  # from the field to the first card that is free
    for key in (
        "Enter",
        "ArrowRight",
        "ArrowDown",
        "ArrowRight",
        "ArrowRight",
        "ArrowRight",
        "Enter",
    ):
        page.keyboard.press(key)
    # Ace, king of spades, king of hearts, queen, jack; the ten is taken, so the nine.
    assert page.get_by_label("Cards of seat 1", exact=True).input_value() == "As 9h"
    assert page.evaluate("document.activeElement.ariaLabel") == "Cards of seat 1"
    assert page.locator(".card-picker").count() == 0
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.code") == "As"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.ariaLabel") == "Cards of seat 1"
    assert page.locator(".card-picker").count() == 0
    page.get_by_label("Cards of seat 1").fill("AsAs")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("As is used twice for seat 1").first.wait_for()
    page.get_by_label("Cards of seat 1").fill("AsAd")
    page.get_by_label("Cards of seat 2").fill("10s 9s")
    page.locator("#spot-board").fill("2s 7h Ah")
    page.locator("#spot-actor").select_option("seat 1")
    page.get_by_label("Player of seat 2").select_option("caller")
    page.get_by_label("Cards of seat 2").press("Enter")
    page.get_by_text("You have three of a kind").wait_for()
    page.get_by_text("Your turn.").wait_for()


def test_marks_stay_with_their_players_when_a_seat_is_removed(open_page):
    page = open_setup(open_page)
    for _ in range(2):
        page.get_by_role("button", name="+ Add seat").click()
    page.get_by_label("Button at seat 3").check()
    page.locator("#spot-actor").select_option("seat 2")
    page.get_by_label("Remove seat 1").click()
    assert page.get_by_label("Button at seat 2").is_checked()
    assert page.locator("#spot-actor").input_value() == "0"
    page.get_by_label("Remove seat 1").click()  # the player to act
    assert page.get_by_label("Button at seat 1").is_checked()
    assert page.locator("#spot-actor").input_value() == ""


@pytest.mark.parametrize(
    ("size", "theme"),
    list(zip(SIZES, ["light", "dark", "light"], strict=True)),
    ids=["1280", "390", "320"],
)
def test_cards_are_chosen_from_a_grid_that_fits_and_played(open_page, size, theme):
    page = open_setup(open_page, size=size)
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.get_by_label("Cards of seat 1").click()
    box = page.locator(".card-picker").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    sizes = page.locator(".card-picker button").evaluate_all(
        "all => all.map(b => Math.min(b.offsetWidth, b.offsetHeight))"
    )
    assert len(sizes) == 52
    assert min(sizes) >= 24
    assert not scrolls_sideways(page)
    assert violations(page) == []
    card(page, "ace of spades").click()
    card(page, "king of diamonds").click()
    assert page.get_by_label("Cards of seat 1", exact=True).input_value() == "As Kd"
    assert page.locator(".card-picker").count() == 0  # two cards are a hand: other fields are free
    page.get_by_label("Cards of seat 2").click()
    assert card(page, "ace of spades").is_disabled()
    page.get_by_label("Cards of seat 1").click()
    assert card(page, "queen of hearts").is_disabled()
    page.get_by_label("Board (").click()
    assert card(page, "ace of spades").is_disabled()
    for name in ("deuce of clubs", "seven of hearts", "nine of diamonds"):
        card(page, name).click()
    card(page, "seven of hearts").click()  # once more takes it back
    card(page, "seven of spades").click()
    assert page.get_by_label("Board (").input_value() == "2c 9d 7s"
    page.get_by_role("heading", name="Starting position").click()
    assert page.locator(".card-picker").count() == 0
    page.locator("#spot-actor").select_option("seat 1")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("Your turn.").wait_for()
    assert own_cards(page) == ["As", "Kd"]
    board = page.locator(".board .card")
    assert board.evaluate_all("all => all.map(c => c.dataset.card)") == ["2c", "9d", "7s"]


def test_a_recorded_hand_is_continued(open_page, tmp_path):
    file = tmp_path / "hand.phh"
    file.write_text(HEADS_UP)
    page = open_page()
    page.locator("input[type=file]").set_input_files(file)
    page.locator(".replay-bar output", has_text="0 of").wait_for()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.locator(".replay-bar output", has_text="5 of").wait_for()
    page.get_by_role("link", name="Play from here").click()
    page.get_by_role("heading", name="Set up a hand").wait_for()
    assert page.get_by_label("Cards of seat 1").input_value() == "AsKd"
    assert page.locator("#spot-played").input_value() == "call, check, check, check, check"
    page.get_by_label("Player of seat 1").select_option("caller")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("Your turn.").wait_for()
    assert own_cards(page) == ["Qh", "Qc"]
    assert page.locator(".board .card").count() == 4


def test_a_weight_table_is_shown_as_a_hand_grid(open_page):
    page = open_page(size={"width": 320, "height": 568})
    page.evaluate(OPEN, {"seats": ["poki", "formula"], "seed": 1, "name": "You"})
    page.get_by_role("tab", name="Explain").click()
    page.get_by_role("button", name="Pause").click()
    table = page.get_by_role("table", name="Range of formula; fuller cells are more likely")
    while not table.is_visible():  # the next decision of poki
        and_see(page, page.get_by_role("button", name="Step (N)").click)
    page.get_by_text(re.compile("poki.s range for formula")).wait_for()
    page.get_by_role("heading", name="Opponent models").wait_for()
    assert table.get_by_role("cell").count() == 169
    assert not scrolls_sideways(page)
    assert violations(page) == []
