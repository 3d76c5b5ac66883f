"""The first page: players by strength, and hand files that are read soon."""

from __future__ import annotations

from typing import Any

from agents.benchmark.rating import measured_ratings
from agents.benchmark.suites import SUITES
from browser.axe import violations

HAND = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [1000, 1000]
actions = ["d dh p1 AsKd", "d dh p2 QhQc", "p2 f"]
"""


def options(page: Any, group: str) -> list[str]:
    """Texts of a group of players for the first seat, in their order."""
    seat = page.get_by_label("Seat 1", exact=True)
    found: list[str] = seat.locator(f"optgroup[label='{group}'] option").all_inner_texts()
    return found


def rated(suite: str, name: str) -> str:
    return f"{name} ({measured_ratings(SUITES[suite])[name].value:.0f})".replace("-0)", "0)")


def test_players_are_sorted_by_their_ratings_for_the_game_that_is_set_up(open_page):
    page = open_page()
    page.get_by_role("button", name="Heads-up").click()
    note = page.locator(".rating-note")
    note.get_by_text("suite heads-up (heads-up no-limit cash game").wait_for()
    found = options(page, "Any table size")
    assert found.index(rated("heads-up", "half-a-pro")) < found.index(rated("heads-up", "formula"))
    assert found.index(rated("heads-up", "formula")) < found.index(rated("heads-up", "random"))
    best = options(page, "Heads-up no-limit only")
    assert options(page, "Heads-up fixed-limit only")[0] == "anti-poki"  # none can play: by name
    assert all("(" in text for text in best[:1])
    page.get_by_label("Betting", exact=True).select_option("fixed-limit")
    note.get_by_text("suite limit (").wait_for()
    assert rated("limit", "formula") in options(page, "Any table size")
    assert options(page, "Heads-up fixed-limit only")[0].endswith(")")
    page.get_by_label("Betting", exact=True).select_option("pot-limit")
    note.get_by_text("the bench has no suite for it").wait_for()
    names = options(page, "Any table size")
    assert names == sorted(names)


def test_more_players_and_cash_games_have_suites_of_their_own(open_page):
    page = open_page()
    page.get_by_role("button", name="Six players").click()
    note = page.locator(".rating-note")
    note.get_by_text("suite tournament (").wait_for()
    assert page.get_by_label("Seat 4", exact=True).input_value() == "formula"
    description = page.locator("#description-3")
    rating = measured_ratings(SUITES["tournament"])["formula"].value
    assert f"Bench rating {rating:.0f} ±" in description.inner_text()
    page.get_by_label("Cash game", exact=True).check()
    note.get_by_text("suite six-max (").wait_for()
    assert rated("six-max", "formula") in options(page, "Any table size")
    assert violations(page) == []


def test_a_hand_that_is_set_up_shows_the_ratings_too(open_page):
    page = open_page()
    page.get_by_role("link", name="Set up a hand").click()
    seat = page.get_by_label("Player of seat 2")
    seat.locator("option", has_text=rated("heads-up", "formula")).first.wait_for(state="attached")
    assert seat.input_value() == "formula"
    page.get_by_label("Betting", exact=True).select_option("fixed-limit")
    seat.locator("option", has_text=rated("limit", "formula")).first.wait_for(state="attached")


def test_the_reader_of_files_starts_while_a_file_is_chosen(open_page, tmp_path):
    file = tmp_path / "one.phh"
    file.write_text(HAND)
    page = open_page()
    with (
        page.expect_response("**/api/replays/preparation") as answer,
        page.expect_file_chooser() as chooser,
    ):
        page.get_by_label("Hand history").click()
    assert answer.value.ok
    chooser.value.set_files(file)
    page.locator(".replay-bar").wait_for()
