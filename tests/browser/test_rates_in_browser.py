"""Big blinds in 100 hands, in the players' statistics at the table."""

from __future__ import annotations

from typing import Any

from browser.table_page import OPEN, and_see, fastest, fastest_or_turn

CASH = {"mode": "cash", "blinds": "10/20", "starting_stack": 1000, "seed": 5}


def figures(page: Any, seat: int) -> dict[str, str]:
    """The figures of a player, by name; with those of the rates once they have been counted."""
    player = page.locator(f".player-card[data-seat='{seat}']")
    player.locator("dt", has_text="bb/100").first.wait_for(state="attached")
    labels, values = (player.locator(tag).all_text_contents() for tag in ("dt", "dd"))
    return dict(zip(labels, values, strict=True))


def test_a_person_sees_rates_without_what_hidden_cards_would_tell(open_page):
    page = open_page()
    small_blind = {"button": 0, "stacks": [1000, 1000]}
    game = {"seats": ["human", "caller"], "num_hands": 9, "position": small_blind, **CASH}
    page.evaluate(OPEN, game)
    page.get_by_role("tab", name="Players").click()
    fastest_or_turn(page)
    assert page.get_by_text("bb/100").count() == 0  # no hand is over
    and_see(page, lambda: page.keyboard.press("f"))
    page.locator("[data-space='next hand']").wait_for()
    lost = figures(page, 0)["bb/100"]
    assert lost == "\N{MINUS SIGN}50"
    assert figures(page, 1)["bb/100"] == "+50"
    assert figures(page, 0)["bb/100, all-in EV"] == lost
    assert "bb/100, variance-reduced" not in figures(page, 0)


def test_watched_players_have_rates_with_intervals_and_less_variance(open_page):
    page = open_page()
    page.evaluate(OPEN, {"seats": ["loose-passive", "raiser"], "num_hands": 12, **CASH})
    page.get_by_role("tab", name="Players").click()
    fastest(page)
    page.get_by_text("The game is over.").wait_for()
    meaning = page.locator(".player-card[data-seat='0'] dt[title*='over 12 hands']")
    meaning.first.wait_for(state="attached")
    first, second = figures(page, 0), figures(page, 1)
    for name in ("bb/100", "bb/100, all-in EV", "bb/100, variance-reduced"):
        (mean, half), (other, same) = (
            row[name].split(" \N{PLUS-MINUS SIGN} ") for row in (first, second)
        )
        assert half == same
        assert {mean[0], other[0]} == {"+", "\N{MINUS SIGN}"}
        assert mean[1:] == other[1:]
