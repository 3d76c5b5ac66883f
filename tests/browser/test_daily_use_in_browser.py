"""What people read and press every day: results, replays, the list of tables, chat, the clock."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hand_texts import HEADS_UP, THREE_ALL_IN

from browser.table_page import OPEN, deal, fastest_or_turn, own_cards, seat_players, wait_for_turn
from browser.test_home_game_in_browser import two_players
from nlhe_env.hand_history import read_hands, write_pokerstars

FOUR_ACES = {
    "button": 0,
    "stacks": [500, 500, 500, 500],
    "hole_cards": ["AsAd", "2c7d", "3c8d", "4c9d"],
    "board": "AhAcKsKdJs",
    "street": "preflop",
    "betting": "",
    "actor": 0,
}


def put_all_in(page: Any) -> None:
    page.keyboard.press("a")
    page.keyboard.press("r")


def test_players_who_go_out_together_share_their_places(open_page):
    page = open_page()
    seats = ["human", "caller", "caller", "caller"]
    page.evaluate(OPEN, {"seats": seats, "blinds": "5/10", "position": FOUR_ACES, "name": "You"})
    fastest_or_turn(page)
    put_all_in(page)
    page.get_by_role("heading", name="Result").wait_for()
    rows = page.locator(".standings tbody tr").all_inner_texts()
    assert rows[0].startswith("1st")
    assert all(row.startswith("2nd\N{EN DASH}4th") for row in rows[1:])


STACK_IN_RUN_OUT = """() => {
  window.seen = null;
  new MutationObserver(() => {
    const dealt = document.querySelectorAll(".board .card").length === 5;
    const stack = document.querySelector(".seat:not(.mine) .stack").textContent;
    if (dealt && !document.querySelector(".banner").textContent) window.seen ??= stack;
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


def test_the_stack_of_a_caller_is_right_while_the_board_runs_out(open_page):
    page = open_page()
    page.emulate_media(reduced_motion="no-preference")
    seat_players(page, "human", "caller", seed="2", starting_stack="300")
    deal(page)
    fastest_or_turn(page)
    page.evaluate(STACK_IN_RUN_OUT)
    put_all_in(page)
    page.wait_for_function("() => window.seen !== null")
    assert page.evaluate("seen") == "0"


def test_a_player_who_is_away_is_marked_at_the_turn(open_page):
    first, second = two_players(open_page)
    wait_for_turn(first)
    first.goto("about:blank")
    second.locator(".turn-line").get_by_text("is to act but is away").wait_for()
    second.locator(".seat .act", has_text="to act, away").wait_for()


def test_cards_are_shown_when_the_game_has_started(open_page):
    page = open_page()
    seat_players(page, "human", "human", name="Ann", seed="6")
    deal(page)
    page.get_by_role("button", name="Start now").wait_for()
    assert own_cards(page) == ["", ""]
    page.get_by_role("button", name="Start now").click()
    page.locator(".seat.mine .card:not([data-card=''])").nth(1).wait_for()


def test_presets_say_everything(open_page):
    page = open_page()
    page.get_by_role("button", name="Turbo").click()
    assert page.locator("#field-hands_per_level").input_value() == "4"
    page.locator("#field-starting_stack").fill("77")
    page.get_by_role("button", name="Six players").click()
    assert page.locator("#field-hands_per_level").input_value() == "15"
    assert page.locator("#field-starting_stack").input_value() == "1000"


def test_players_are_found_by_words(open_page):
    page = open_page()
    seat = page.get_by_label("Seat 2", exact=True)
    seat.wait_for()
    before = seat.locator("option").count()
    page.get_by_label("Search players").fill("always calls")
    assert 1 < seat.locator("option").count() < before
    assert seat.locator("option[value=caller]").count() == 1
    assert seat.input_value() == "tight-aggressive"


def test_a_table_can_be_closed_from_the_first_page(open_page):
    page = open_page()
    seat_players(page, "human", "caller")
    deal(page)
    page.locator(".brand").click()
    page.get_by_role("link", name="Back to your game").wait_for()
    page.get_by_role("button", name="Close the table of").click()
    page.get_by_role("link", name="Back to your game").wait_for(state="detached")


def test_unread_chat_is_counted(open_page):
    ann, bob = two_players(open_page)
    ann.get_by_role("tab", name="Chat").click()
    ann.get_by_label("Message").fill("hello")
    ann.keyboard.press("Enter")
    bob.get_by_role("tab", name=re.compile("Chat *1 *new")).click()
    bob.get_by_role("tab", name="Chat", exact=True).wait_for()


def test_fixed_limit_has_one_size(open_page):
    page = open_page()
    seat_players(page, "human", "caller", seed="2")
    page.locator("#field-betting").select_option("fixed-limit")
    deal(page)
    fastest_or_turn(page)
    assert page.locator(".act-button.raise").is_enabled()
    assert not page.get_by_label("Amount", exact=True).is_visible()
    assert not page.get_by_role("button", name="All-in").is_visible()


def test_amounts_are_typed_in_big_blinds_where_they_are_shown_so(open_page):
    page = open_page()
    seat_players(page, "human", "caller", seed="2")
    deal(page)
    fastest_or_turn(page)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Amounts in big blinds").check()
    page.keyboard.press("Escape")
    page.get_by_label("Raise to (big blinds)").fill("7.5")
    assert "7.5 bb" in page.locator(".act-button.raise").inner_text()
    page.locator(".act-button.raise").click()
    page.locator(".log").get_by_text("raise to 7.5 bb").wait_for()


def test_who_has_run_out_of_time_is_told(open_page):
    page = open_page()
    seat_players(page, "human", "caller", seed="2", clock="2")
    deal(page)
    fastest_or_turn(page)
    page.get_by_text("Your time ran out").first.wait_for()


def test_the_hands_of_a_game_open_at_the_last_and_lead_back(open_page):
    page = open_page()
    seat_players(page, "human", "caller", seed="2", starting_stack="200")
    page.get_by_text("Cash game", exact=True).click()
    deal(page)
    for _ in range(2):
        fastest_or_turn(page)
        put_all_in(page)
        page.get_by_role("button", name="Next hand").wait_for()
        page.keyboard.press("Space")
        page.get_by_role("button", name="Next hand").wait_for(state="hidden")
    page.get_by_role("button", name="Replay hands").click()
    page.get_by_text("Hand 2 (2 of 2)").wait_for()
    page.get_by_role("link", name="Back to the table").click()
    wait_for_turn(page)


def test_the_list_of_hands_is_sorted_and_filtered(open_page, tmp_path: Path):
    page = open_page()
    hands = read_hands(f"[1]\n{HEADS_UP}\n[2]\n{THREE_ALL_IN}")
    file = tmp_path / "room.txt"
    file.write_text(write_pokerstars(hands))
    page.get_by_label("Hand history").set_input_files(file)
    page.get_by_role("tab", name="2 hands").click()
    rows = page.locator(".hands button")
    assert rows.count() == 2
    page.get_by_label("Player", exact=True).select_option("bob")
    assert "+230" in rows.first.inner_text().replace(",", "")
    page.get_by_label("Order", exact=True).select_option("pot")
    first = rows.first.inner_text()
    assert "pot 2,450" in first
    assert re.search("Q.Q", first.replace(" ", ""))
    page.get_by_label("Filter", exact=True).select_option("lost")
    page.get_by_text("No matching hands").wait_for()
    page.get_by_label("Player", exact=True).select_option("ann")
    rows.last.click()
    page.get_by_text(re.compile(r"\(\d of 2\)")).wait_for()
