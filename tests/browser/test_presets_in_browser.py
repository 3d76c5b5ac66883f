"""The amounts on the buttons beside the slider, which a person may choose."""

from __future__ import annotations

from typing import Any

import pytest

from browser.table_page import OPEN, fastest_or_turn, turn_after_the_flop

GAME = {
    "seats": ["human", "caller", "caller"],
    "mode": "cash",
    "blinds": "10/20",
    "starting_stack": 1000,
    "seed": 5,
}
ON_THE_BUTTON = {"button": 0, "stacks": [1000, 1000, 1000], "street": "preflop"}


def at_the_turn(page: Any) -> None:
    """The first decision: the button has to call a big blind of 20 into a pot of 30."""
    page.evaluate(OPEN, {**GAME, "position": ON_THE_BUTTON})
    fastest_or_turn(page)


def labels(page: Any) -> list[str]:
    return page.locator(".fractions button").filter(visible=True).all_inner_texts()


def amount(page: Any) -> str:
    return page.get_by_label("Raise to (chips)").input_value()


def choose(page: Any, field: str, text: str) -> None:
    page.get_by_role("button", name="Settings").click()
    page.get_by_label(field).fill(text)
    page.get_by_label(field).press("Enter")
    page.keyboard.press("Escape")


def test_the_default_amounts_are_multiples_before_the_flop_and_shares_after_it(open_page):
    page = open_page()
    at_the_turn(page)
    assert labels(page) == ["Min", "2.5x", "3x", "Pot", "All-in"]
    seen = []
    for key in "12345":
        page.keyboard.press(key)
        seen.append(amount(page))
    assert seen == ["40", "50", "60", "70", "1000"]
    turn_after_the_flop(page)
    assert labels(page) == ["Min", "½ pot", "¾ pot", "Pot", "All-in"]
    page.keyboard.press("2")
    assert amount(page) == "30"  # of 60


def test_own_amounts_are_kept_and_can_be_reset(open_page):
    page = open_page()
    at_the_turn(page)
    choose(page, "Before the flop", "4.5X , 33 %")
    assert labels(page) == ["4.5x", "33%"]
    page.keyboard.press("1")
    assert amount(page) == "90"
    assert page.get_by_role("button", name="33%").is_disabled()  # 36 is below the least raise
    page.reload()
    page.locator(".buttons").wait_for(state="visible")
    assert labels(page) == ["4.5x", "33%"]
    choose(page, "After the flop", "33%, 150%, 2x")
    turn_after_the_flop(page)
    assert labels(page) == ["33%", "150%", "2x"]
    assert page.get_by_role("button", name="2x").is_disabled()  # there is no bet
    page.keyboard.press("2")
    assert amount(page) == "90"
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Reset sizes").click()
    assert page.get_by_label("Before the flop").input_value() == "min, 2.5x, 3x, pot, all-in"
    page.keyboard.press("Escape")
    assert labels(page) == ["Min", "½ pot", "¾ pot", "Pot", "All-in"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("33%, much", "After the flop: “much” is not min, pot, all-in"),
        ("0%", "“0%” is not"),
        ("1x", "“1x” is not"),
        ("-50%", "“-50%” is not"),
        ("1%, 2%, 3%, 4%, 5%, 6%", "Enter 1 to 5 sizes, separated by commas; got 6."),
        (" , ", "Enter 1 to 5 sizes, separated by commas; got 0."),
    ],
)
def test_an_invalid_amount_is_refused_with_a_message(open_page, text, problem):
    page = open_page()
    page.get_by_role("button", name="Settings").click()
    field = page.get_by_label("After the flop")
    field.fill(text)
    field.press("Enter")
    page.get_by_role("alert").filter(has_text=problem).wait_for()
    assert field.get_attribute("aria-invalid") == "true"
    assert page.evaluate("localStorage.getItem('nlhe.presets-postflop')") is None
    field.fill("33%")
    field.press("Enter")
    assert field.get_attribute("aria-invalid") is None
    assert page.evaluate("localStorage.getItem('nlhe.presets-postflop')") == '"33%"'
