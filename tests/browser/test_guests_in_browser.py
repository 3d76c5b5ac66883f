"""Several people at one table: joining, leaving and returning."""

from __future__ import annotations

import re

from browser.table_page import (
    and_see,
    at_turns,
    deal,
    fastest_or_turn,
    own_cards,
    seat_players,
    wait_for_turn,
)


def test_a_guest_enters_a_name_and_reads_it_at_the_seat(open_page):
    ann = open_page()
    seat_players(ann, "human", "human", name="Ann", seed="6")
    deal(ann)
    link = ann.get_by_label("Link to this table").input_value()
    ann.get_by_text("Only browsers on this machine can open this link.").wait_for()
    bob = open_page(path=link)
    bob.get_by_role("button", name="Take seat").click()
    assert bob.locator(".seat.mine").count() == 0  # not without a name
    bob.get_by_label("Your name").fill("Bob")
    bob.keyboard.press("Enter")
    bob.locator(".seat.mine .name", has_text="Bob").wait_for()
    ann.locator(".seat .name", has_text="Bob").wait_for()
    assert not bob.get_by_label("Your name").is_visible()


def test_an_address_in_the_network_is_also_shown_as_a_qr_code(open_page):
    page = open_page()
    page.route(
        "**/api/invitation",
        lambda route: route.fulfill(json={"origin": "http://192.0.2.7:8000", "reason": ""}),
    )
    seat_players(page, "human", "human", name="Ann", seed="6")
    deal(page)
    code = page.get_by_alt_text("QR code of the link to this table")
    code.wait_for()
    page.wait_for_function(
        "image => image.complete && image.naturalWidth > 0", arg=code.element_handle()
    )
    assert (
        page.get_by_label("Link to this table").input_value().startswith("http://192.0.2.7:8000/")
    )


def test_several_people_need_names(open_page):
    page = open_page()
    seat_players(page, "human", "human")
    page.locator("form#setup button.primary").click()
    page.locator(".form-error", has_text="enter your name").wait_for()
    page.keyboard.type("Ann")
    page.keyboard.press("Enter")
    page.locator(".seat.mine .name", has_text="Ann").wait_for()


def test_a_guest_can_return_to_the_game_from_the_first_page(open_page):
    page = open_page()
    seat_players(page, "human", "caller", seed="4")
    deal(page)
    fastest_or_turn(page)
    before = own_cards(page)
    page.locator(".brand").click()
    page.get_by_role("link", name="Back to your game").click()
    wait_for_turn(page)
    assert own_cards(page) == before


def test_tables_with_open_seats_are_listed_and_private_ones_are_not(open_page):
    ann = open_page()
    seat_players(ann, "human", "human", name="Anita", seed="6")
    deal(ann)
    cid = open_page()
    seat_players(cid, "human", "caller", name="Cidney")
    deal(cid)
    bob = open_page()
    entry = bob.locator(".table-list li", has_text="Anita")
    entry.get_by_text("one open seat").wait_for()
    assert bob.locator(".table-list li", has_text="Cidney").count() == 0
    entry.get_by_role("link").click()
    bob.get_by_role("button", name="Take seat").wait_for()


def test_an_eliminated_player_may_start_a_new_game(open_page):
    page = open_page()
    # All-in in every hand against two who call: one is out soon, and the person at some time.
    seat_players(page, "human", "caller", "caller", starting_stack="300", blinds="20/40", seed="3")
    deal(page)
    fastest_or_turn(page)
    anew = page.get_by_role("button", name=re.compile("New game|Next game"))
    following = page.locator("[data-space='next hand']")

    def all_in_or_call() -> None:
        for key in "arc":
            page.keyboard.press(key)

    while not anew.is_visible():
        at_turns(page, all_in_or_call, until=following.or_(anew).first)
        if following.is_visible():  # else Space begins the new game
            and_see(page, lambda: page.keyboard.press("Space"))
    anew.click()
    page.locator(".status").get_by_text("Hand 1", exact=True).wait_for()
    wait_for_turn(page)
