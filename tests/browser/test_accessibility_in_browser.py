"""Every page of the table, light and dark, before axe; and what a screen reader reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser.axe import violations
from browser.table_page import at_turns, deal, fastest_or_turn, seat_players, turn_after_the_flop
from browser.test_table_in_browser import FILE

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_axe_finds_no_violations(open_page, tmp_path: Path, size, theme):
    page = open_page(size=size)
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.get_by_role("button", name="Deal me in").wait_for()
    assert violations(page) == []
    page.get_by_role("button", name="Settings").click()
    assert violations(page) == []
    page.keyboard.press("Escape")
    file = tmp_path / "hands.phhs"
    file.write_text(FILE)
    page.get_by_label("Hand history").set_input_files(file)
    page.get_by_text("0 of 3").wait_for()
    page.keyboard.press("End")
    assert violations(page) == []
    page.locator(".brand").click()
    seat_players(page, "human", "caller", "formula", seed="2")
    deal(page)
    fastest_or_turn(page)
    for tab in page.get_by_role("tab").all():
        tab.click()
        assert violations(page) == []
    page.keyboard.press("?")
    assert violations(page) == []
    page.keyboard.press("Escape")
    at_turns(page, lambda: page.keyboard.press("c"), until=page.locator("[data-space='next hand']"))
    assert violations(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_violations_after_the_hand_and_in_the_setup(open_page, tmp_path: Path, theme):
    page = open_page()
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    file = tmp_path / "hands.phhs"
    file.write_text(FILE)
    page.get_by_label("Hand history").set_input_files(file)
    page.get_by_text("0 of 3").wait_for()
    page.keyboard.press("ArrowRight")
    for tab in page.get_by_role("tab").all():
        tab.click()
        page.wait_for_load_state("networkidle")
        assert violations(page) == []
    page.evaluate("location.hash = '#/setup'")
    page.get_by_role("heading", level=1).filter(visible=True).first.wait_for()
    page.wait_for_load_state("networkidle")
    assert violations(page) == []


def test_axe_finds_no_violations_on_the_guest_page(open_page):
    ann = open_page()
    seat_players(ann, "human", "human", name="Ann", seed="6")
    deal(ann)
    assert violations(ann) == []
    bob = open_page(path=ann.get_by_label("Link to this table").input_value())
    bob.get_by_role("button", name="Take seat").wait_for()
    assert violations(bob) == []


def test_a_screen_reader_finds_the_table_its_board_and_its_seats(open_page):
    page = open_page()
    seat_players(page, "human", "caller", seed="2")
    deal(page)
    fastest_or_turn(page)
    turn_after_the_flop(page)
    assert page.get_by_role("heading", level=1).all_inner_texts() == ["Table"]
    page.get_by_role("heading", name="Board and pot").wait_for()
    board = page.get_by_role("group", name="Board", exact=True)
    cards = [card.get_attribute("aria-label") for card in board.get_by_role("img").all()]
    assert len(cards) == 3
    assert all(" of " in card for card in cards)
    me = page.get_by_role("group", name="You, you: ")
    assert me.get_by_role("img").count() == 2
    assert page.get_by_role("group", name="caller: ").get_by_role("img").count() == 2
    tree = page.get_by_role("main").aria_snapshot()
    for name in ("Fold", "Check", "Bet"):
        assert f'button "{name}' in tree
