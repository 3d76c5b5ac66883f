"""Hands that are set up in the browser: cards chosen from a grid, and a hand played again."""

from __future__ import annotations

from typing import Any

import pytest

from browser.axe import violations
from browser.table_page import at_turns, deal, fastest, own_cards, scrolls_sideways, seat_players

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


def test_cards_are_chosen_from_a_grid_and_played(open_page):
    page = open_setup(open_page)
    page.get_by_label("Cards of seat 1").click()
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


def test_the_grid_needs_no_mouse(open_page):
    page = open_setup(open_page)
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


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
def test_the_grid_fits_and_axe_finds_no_violation(open_page, size, theme):
    page = open_setup(open_page, size=size)
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.get_by_label("Cards of seat 2").click()
    card(page, "ace of clubs").click()
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


def test_a_hand_of_the_table_is_played_again(open_page):
    page = open_page()
    seat_players(page, "human", "caller", seed="2", num_hands="2")
    page.get_by_text("Cash game", exact=True).click()
    deal(page)
    cards = own_cards(page)
    fastest(page)
    over = page.locator("[data-space='next hand']")
    at_turns(page, lambda: page.keyboard.press("c"), until=over)
    page.get_by_role("button", name="Play again").click()
    page.get_by_role("heading", name="Set up a hand").wait_for()
    seats = page.locator(".spot-seats select").evaluate_all("all => all.map(s => s.value)")
    assert seats == ["human", "caller"]
    filled = page.get_by_label("Cards of seat 1").input_value()
    assert {filled[:2], filled[2:]} == set(cards)
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("Your turn.").wait_for()
    assert set(own_cards(page)) == set(cards)
    assert page.locator(".board .card").count() == 0
