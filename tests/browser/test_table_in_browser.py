"""The table as people use it: clicks and keys in a real browser."""

from __future__ import annotations

import re
from typing import Any

import pytest

from agents.web.hands.solving import solve_street
from browser.axe import violations
from browser.cuts import CUTTABLE
from browser.table_page import (
    OPEN,
    TURN,
    all_in,
    and_see,
    at_turns,
    deal,
    fastest,
    fastest_or_turn,
    own_cards,
    scrolls_sideways,
    seat_players,
    turn_after_the_flop,
    wait_for_turn,
)
from nlhe_env.hand_history import read_hands

PHONE = {"width": 390, "height": 844}
CHECKED_DOWN = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [1000, 3000]
actions = ["d dh p1 AsKd", "d dh p2 QhQc", "p2 cc", "p1 cc", "d db 2s7h9d", "p1 cc", "p2 cc",
  "d db Qd", "p1 cc", "p2 cc", "d db 3c", "p1 cc", "p2 cc"]
"""
CASH = {"mode": "cash", "blinds": "10/20", "starting_stack": 1000, "seed": 5, "name": "You"}
ON_THE_BUTTON = {"button": 0, "stacks": [1000, 1000, 1000], "street": "preflop"}


def dealt(stacks: list[int], *cards: str, board: str = "AhAcKsKdJs") -> dict[str, Any]:
    """A position before the flop with the person on the button."""
    where = {"button": 0, "actor": 0, "street": "preflop"}
    return {**where, "stacks": stacks, "hole_cards": list(cards), "board": board}


def own_actions(page: Any) -> list[str]:
    return page.locator(".log p", has_text=re.compile("^You ?(fold|c|bet|raise)")).all_inner_texts()


# --- no chip is lost by accident ------------------------------------------------------------------

CLICK_AT_ONCE = """() => new Promise((done) => {
  const actions = () => document.querySelector(".log").textContent;
  new MutationObserver((_, observer) => {
    const buttons = document.querySelector(".buttons");
    if (!buttons.checkVisibility() || !buttons.matches(".fresh")) return;
    observer.disconnect();
    const before = actions();
    for (const key of "cfr") dispatchEvent(new KeyboardEvent("keydown", { key }));
    document.querySelector(".act-button.call").click();
    setTimeout(() => done(before === actions()), 150);
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
  document.querySelector(".act-button.call").click();
})"""


def hold_until_the_next_turn(page: Any, key: str) -> None:
    """Hold a key down, also for a while of the turn that follows."""
    before, held = own_actions(page), 0
    while held < 10:
        page.keyboard.down(key)
        page.wait_for_timeout(30)
        held += len(own_actions(page)) > len(before) and page.locator(TURN).is_visible()
    page.keyboard.up(key)


def test_a_key_acts_once_and_nothing_acts_in_the_moment_of_a_new_turn(open_page):
    page = open_page()
    game = {"seats": ["human", "caller"], "position": dealt([1000, 1000], "9s8d", "QhQc")}
    page.evaluate(OPEN, {**CASH, **game})
    fastest_or_turn(page)
    hold_until_the_next_turn(page, "r")
    assert own_actions(page) == ["You\nraise to 40"]
    page.locator(".act-button.call").focus()
    hold_until_the_next_turn(page, "Enter")
    assert len(own_actions(page)) == 2
    assert page.evaluate(CLICK_AT_ONCE)
    wait_for_turn(page)
    page.keyboard.press("c")
    page.locator("[data-space='next hand']").wait_for()


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, PHONE])
def test_a_second_click_on_an_action_does_nothing(open_page, size):
    page = open_page(size=size)
    page.evaluate(OPEN, {**CASH, "seats": ["human", "caller", "caller"], "position": ON_THE_BUTTON})
    fastest_or_turn(page)
    boxes = [button.bounding_box() for button in page.locator(".act-button").all()]
    page.locator(".act-button.fold").click()
    page.locator("[data-space='next hand']").wait_for()
    before = page.locator(".log").inner_text()
    for box in boxes:
        page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, delay=20)
        page.mouse.dblclick(box["x"] + 5, box["y"] + 5)
    page.wait_for_timeout(200)
    assert page.locator(".log").inner_text() == before
    assert page.locator(".between-turns [aria-pressed=true]").count() == 0


def test_the_page_says_that_it_is_sending_and_that_it_is_offline(open_page):
    page = open_page(expected="ERR_INTERNET_DISCONNECTED")
    page.add_init_script(CUTTABLE)
    page.reload()
    page.evaluate(OPEN, {**CASH, "seats": ["human", "caller"]})
    fastest_or_turn(page)
    page.evaluate("wire.hold()")
    page.keyboard.press("c")
    page.get_by_text("Sending your action").wait_for()
    page.evaluate("wire.release()")
    page.get_by_text("Sending your action").wait_for(state="detached")
    wait_for_turn(page)
    page.context.set_offline(True)
    page.get_by_text("You are offline").wait_for()
    before = len(own_actions(page))
    page.keyboard.press("c")
    page.keyboard.press("c")
    page.get_by_text("Your action will be sent on reconnection").wait_for()
    page.context.set_offline(False)
    wait_for_turn(page)
    assert len(own_actions(page)) == before + 1  # once


# --- a game ---------------------------------------------------------------------------------------


def test_a_tournament_is_played_by_mouse_to_its_end_and_once_more(open_page):
    page = open_page()
    seat_players(
        page, "human", "caller", starting_stack="300", blinds="20/40, 50/100", hands_per_level="2"
    )
    deal(page)
    result = page.get_by_role("heading", name="Result")
    following = page.get_by_role("button", name="Next hand")

    def all_in_or_call() -> None:
        big = page.get_by_role("button", name="All-in")
        if big.is_visible() and page.locator(".act-button.raise").is_enabled():
            big.click()
            page.locator(".act-button.raise").click()
        else:
            page.locator(".act-button.call").click()

    while not result.is_visible():
        at_turns(page, all_in_or_call, until=following.or_(result).first)
        if following.is_visible():
            and_see(page, following.click)
    page.get_by_text(re.compile("You have won the tournament|you took 2nd place")).wait_for()
    rows = page.locator(".standings tbody tr").all_inner_texts()
    assert [rows[0][:3], rows[1][:3]] == ["1st", "2nd"]
    assert "+300" in rows[0]
    assert "\N{MINUS SIGN}300" in rows[1]
    page.get_by_role("button", name="Next game").click()
    page.get_by_text("Hand 1", exact=True).first.wait_for()
    fastest_or_turn(page)  # the turn numbers of the new game are accepted
    and_see(page, lambda: page.keyboard.press("c"))


def test_the_keyboard_alone_suffices_and_keeps_the_focus(open_page):
    page = open_page()
    page.get_by_role("button", name="Heads-up").press("Enter")
    never_folds = page.get_by_label("Seat 2", exact=True)
    never_folds.select_option("caller")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Deal me in":
            break
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    page.locator(".seat").first.wait_for()
    fastest_or_turn(page)
    page.locator(".act-button.call").focus()

    def press_the_focused_element() -> None:
        assert "call" in page.evaluate("document.activeElement.className")
        page.keyboard.press("Enter")

    over = page.locator("[data-space='next hand']")
    at_turns(page, press_the_focused_element, until=over)
    page.wait_for_function("() => document.activeElement.dataset.space === 'next hand'")
    page.locator("#page").focus()
    page.keyboard.press(" ")
    page.locator(".status").get_by_text("Hand 2").wait_for()
    page.keyboard.press("?")
    page.get_by_role("dialog").get_by_text("check or call").wait_for()
    assert violations(page) == []
    page.keyboard.press("Escape")
    assert page.locator("#live").inner_text()


def test_amounts_are_chosen_by_keys_slider_field_and_own_presets(open_page):
    page = open_page()
    seats = ["human", "caller", "caller"]
    page.evaluate(OPEN, {**CASH, "seats": seats, "position": ON_THE_BUTTON})
    fastest_or_turn(page)
    field, raise_to = page.get_by_label("Raise to (chips)"), page.locator(".act-button.raise")
    presets = page.locator(".fractions button").filter(visible=True)
    page.get_by_text("20 to call into a pot of 30, pot odds 40%").wait_for()
    assert presets.all_inner_texts() == ["Min", "2.5x", "3x", "Pot", "All-in"]
    seen = []
    for key in ["1", "2", "3", "4", "5", "1", "ArrowUp", "a"]:
        page.keyboard.press(key)
        seen.append(field.input_value())
    assert seen == ["40", "50", "60", "70", "1000", "40", "60", "1000"]
    assert "1,000 · all-in" in raise_to.inner_text()
    page.get_by_label("Amount", exact=True).fill("70")
    assert "70 · 100% pot" in raise_to.inner_text()
    page.keyboard.press("w")
    page.locator(".equity").get_by_text("against 2 random hands").wait_for()
    # Own amounts are kept, what is no amount is refused, and all can be reset.
    settings = page.get_by_role("button", name="Settings")
    settings.click()
    for text, problem in [
        ("33%, much", "“much” is not min, pot, all-in"),
        ("1x", "“1x” is not"),
        ("1%, 2%, 3%, 4%, 5%, 6%", "got 6."),
        ("4.5X , 33 %", ""),
    ]:
        before = page.get_by_label("Before the flop")
        before.fill(text)
        before.press("Enter")
        assert before.get_attribute("aria-invalid") == ("true" if problem else None)
        page.locator("#presets-error").get_by_text(problem).first.wait_for(state="attached")
    page.keyboard.press("Escape")
    page.reload()
    wait_for_turn(page)
    assert presets.all_inner_texts() == ["4.5x", "33%"]
    assert page.get_by_role("button", name="33%").is_disabled()  # 36 is below the least raise
    page.keyboard.press("1")
    assert field.input_value() == "90"
    settings.click()
    page.get_by_role("button", name="Reset sizes").click()
    # Amounts in big blinds, also those that are typed.
    page.get_by_label("Amounts in big blinds").check()
    page.keyboard.press("Escape")
    page.get_by_label("Raise to (big blinds)").fill("7.5")
    assert "7.5 bb" in raise_to.inner_text()
    raise_to.click()
    page.locator(".log").get_by_text("raise to 7.5 bb").wait_for()
    page.locator(".seat.mine .stack", has_text=re.compile(r"^42\.5 bb$")).wait_for()
    settings.click()
    page.get_by_label("Amounts in big blinds").uncheck()
    page.get_by_label("Stacks in big blinds too").check()
    page.keyboard.press("Escape")
    page.locator(".seat.mine .stack", has_text="850 (42.5 bb)").wait_for()


def test_a_reload_in_the_middle_of_a_hand_changes_nothing(open_page):
    page = open_page()
    seat_players(page, "human", "caller", seed="4")
    page.locator("#field-betting").select_option("fixed-limit")
    deal(page)
    fastest_or_turn(page)
    assert not page.get_by_label("Amount", exact=True).is_visible()  # there is one size
    parts = (".log", ".turn-line", ".seat.mine .pod")
    before = own_cards(page), *(page.locator(part).inner_text() for part in parts)
    page.reload()
    wait_for_turn(page)
    assert before == (own_cards(page), *(page.locator(part).inner_text() for part in parts))
    page.locator(".brand").click()
    page.get_by_role("link", name="Back to your game").click()
    wait_for_turn(page)
    assert own_cards(page) == before[0]


# --- the end of a hand and of a game --------------------------------------------------------------


def test_split_pots_are_called_so(open_page):
    page = open_page()
    seats = ["human", "caller", "caller"]
    position = dealt([300, 300, 100], "7s2d", "7d2c", "3c4d", board="AhAcKsKdQs")
    game = {**CASH, "seats": seats, "position": position, "stacks": "carried", "num_hands": 9}
    page.evaluate(OPEN, game)
    fastest_or_turn(page)
    all_in(page)
    page.locator(".banner", has_text="split pot").wait_for()
    assert page.locator(".banner strong").count() == 3
    and_see(page, lambda: page.keyboard.press(" "))
    fastest_or_turn(page)


def test_two_boards_and_the_rake_are_shown(open_page):
    page = open_page(size=PHONE)
    fields = {"starting_stack": "500", "blinds": "10/20/20", "seed": "4"}
    seat_players(page, "human", "caller", "caller", **fields)
    page.get_by_text("Cash game", exact=True).click()
    page.locator("#field-rake").fill("5%/30")
    for field, value in (("ante_by", "big blind"), ("straddle", "button"), ("boards", "2")):
        page.locator(f"#field-{field}").select_option(value)
    deal(page)
    wait_for_turn(page)
    page.get_by_role("button", name="All-in").click()
    page.locator(".act-button.raise").click()
    page.get_by_role("button", name="Next hand").wait_for()
    for board in ("Board", "Second board"):
        assert page.get_by_label(board, exact=True).locator(".card").count() == 5
    assert "Rake 30" in page.locator(".pot").inner_text()
    assert re.search("on (both|the (first|second)) boards?", page.locator(".banner").inner_text())
    assert "ante 20 (big blind), straddle 40" in page.locator("body").inner_text()
    assert not scrolls_sideways(page)


def test_who_is_out_is_told_and_may_watch_or_begin_again(open_page):
    page = open_page()
    position = dealt([100, 1000, 1000], "2c7d", "AsAd", "3c8d")
    game = {"seats": ["human", "caller", "caller"], "blinds": "5/10", "position": position}
    page.evaluate(OPEN, game)
    wait_for_turn(page)
    page.get_by_role("button", name="Slow").click()
    all_in(page)
    page.locator(".turn-line", has_text="You are out: 3rd place of 3.").wait_for()
    assert not page.get_by_role("button", name="Sit out").is_visible()
    result = page.locator(".log").inner_text()
    page.get_by_role("button", name="Normal").click()  # draws everything once more
    page.locator(".pace [aria-pressed=true]", has_text="Normal").wait_for()
    assert page.locator(".log").inner_text() == result  # which stays until one goes on
    page.locator("#page").focus()
    page.keyboard.press(" ")
    page.get_by_role("button", name="Pause").wait_for()
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="New game").wait_for(state="hidden")
    wait_for_turn(page)


def test_players_who_go_out_together_share_their_places(open_page):
    page = open_page()
    position = dealt([500] * 4, "AsAd", "2c7d", "3c8d", "4c9d")
    seats = ["human", "caller", "caller", "caller"]
    page.evaluate(OPEN, {"seats": seats, "blinds": "5/10", "position": position, "name": "You"})
    fastest_or_turn(page)
    all_in(page)
    page.get_by_role("heading", name="Result").wait_for()
    rows = page.locator(".standings tbody tr").all_inner_texts()
    assert rows[0].startswith("1st")
    assert all(row.startswith("2nd\N{EN DASH}4th") for row in rows[1:])


# --- beside the table -----------------------------------------------------------------------------


def figures(page: Any, seat: int) -> dict[str, str]:
    """The figures of a player, by name; with those of the rates once they have been counted."""
    player = page.locator(f".player-card[data-seat='{seat}']")
    player.locator("dt", has_text="bb/100").first.wait_for(state="attached")
    labels, values = (player.locator(tag).all_text_contents() for tag in ("dt", "dd"))
    return dict(zip(labels, values, strict=True))


def test_the_tabs_tell_what_a_person_may_know_and_lead_to_the_hand_afterwards(open_page):
    solve_street(read_hands(CHECKED_DOWN)[0], "river")  # compiles what is not compiled yet
    page = open_page()
    small_blind = {"button": 0, "stacks": [1000, 1000]}
    page.evaluate(OPEN, {**CASH, "seats": ["human", "caller"], "position": small_blind})
    page.get_by_role("tab", name="Players").click()
    fastest_or_turn(page)
    assert page.get_by_text("bb/100").count() == 0  # no hand is over
    and_see(page, lambda: page.keyboard.press("f"))
    page.locator("[data-space='next hand']").wait_for()
    lost = figures(page, 0)["bb/100"]
    assert (lost, figures(page, 1)["bb/100"]) == ("\N{MINUS SIGN}50", "+50")
    assert figures(page, 0)["bb/100, all-in EV"] == lost
    assert "bb/100, variance-reduced" not in figures(page, 0)  # hidden cards would tell it
    shown = page.get_by_role("button", name="Show cards")
    shown.click()  # nobody has seen them
    shown.wait_for(state="hidden")
    and_see(page, lambda: page.keyboard.press(" "))
    page.get_by_role("tab", name="Solver").click()
    page.get_by_text("The solver is available after").wait_for()
    over = page.get_by_role("button", name="Next hand")
    turn_after_the_flop(page)
    assert page.locator(".log h3", has_text=re.compile("^Flop")).count() == 1  # once it is dealt
    at_turns(page, lambda: page.keyboard.press("c"), until=over)
    page.get_by_role("button", name="Solve the river").click()
    page.get_by_text(re.compile("exploitability at most .* of the pot")).wait_for()
    assert page.get_by_text("check ✓").count() == 2
    page.get_by_text("All hands").first.click()
    cell = page.get_by_role("grid").first.get_by_role("gridcell", name="AA:")
    cell.focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("status").get_by_text("AKs: ").wait_for()
    for tab in page.get_by_role("tab").all():
        if tab.is_visible():
            tab.click()
            assert violations(page) == []
    page.locator("#page").focus()
    for key, tab in (("e", "Explain"), ("m", "Coach")):
        page.keyboard.press(key)
        page.get_by_text("Hand 2 (2 of 2)").wait_for()
        page.get_by_role("tab", name=tab, selected=True).wait_for()
        page.get_by_role("link", name="Back to the table").click()
        page.get_by_role("button", name="Play again").wait_for()
    page.get_by_role("button", name="Play again").click()
    page.get_by_role("heading", name="Set up a hand").wait_for()
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("Your turn.").wait_for()


def test_players_can_be_watched_with_their_reasons_and_rates(open_page):
    page = open_page()
    page.evaluate(OPEN, {**CASH, "seats": ["old-best", "raiser"], "num_hands": 25})
    page.get_by_role("tab", name="Explain").click()
    page.get_by_text("35 inputs").first.wait_for()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Step (N)").wait_for()  # from here on it stands still
    assert page.locator(".bars").first.get_by_text("fold").is_visible()
    assert page.locator(".seat .card:not([data-card=''])").count() >= 4
    before = page.locator(".log").text_content()
    page.locator("#page").focus()
    page.keyboard.press("n")
    page.wait_for_function(
        "text => document.querySelector('.log').textContent !== text", arg=before
    )
    page.get_by_role("button", name="Resume").click()
    page.get_by_role("tab", name="Players").click()
    fastest(page)
    page.get_by_text("The game is over.").wait_for()
    page.locator(".seat .style", has_text=re.compile(r"(BB|BTN) · \d+/\d+ \(25\)")).first.wait_for()
    meaning = page.locator(".player-card[data-seat='0'] dt[title*='over 25 hands']")
    meaning.first.wait_for(state="attached")
    first, second = figures(page, 0), figures(page, 1)
    for name in ("bb/100", "bb/100, all-in EV", "bb/100, variance-reduced"):
        (mean, half), (other, same) = (
            row[name].split(" \N{PLUS-MINUS SIGN} ") for row in (first, second)
        )
        assert half == same
        assert {mean[0], other[0]} == {"+", "\N{MINUS SIGN}"}
        assert mean[1:] == other[1:]


def test_a_program_with_faults_is_marked_at_its_seat_and_described(open_page):
    page = open_page(expected="400 (Bad Request)")
    seat_players(page, "human", "caller", "caller")
    page.get_by_text("Cash game", exact=True).click()  # where no player is ever out
    for seat, name in enumerate(("dead bot", "caller", "crashing bot"), 1):
        option = page.get_by_label(f"Seat {seat}", exact=True).locator("option", has_text=name)
        page.get_by_label(f"Seat {seat}", exact=True).select_option(option.first.text_content())
    page.locator("form#setup button.primary").click()
    page.locator(".form-error", has_text="no weights found").wait_for()
    page.get_by_label("Seat 1", exact=True).select_option("my_bot.py")
    page.get_by_label("Options for seat 1").fill("bet_from=0.6")
    deal(page)
    fastest(page)
    page.locator(".problem", has_text="forfeited").wait_for()
    page.get_by_role("tab", name="Players").click()
    page.locator(".player-card summary", has_text="Crashing").click()
    page.locator(".error-output", has_text="I did not think of this").wait_for()
    assert page.locator(".problem:visible").count() == 1


def test_a_screen_reader_finds_the_table_its_board_and_its_seats(open_page):
    page = open_page()
    page.evaluate(OPEN, {**CASH, "seats": ["human", "caller"]})
    fastest_or_turn(page)
    turn_after_the_flop(page)
    assert page.get_by_role("heading", level=1).all_inner_texts() == ["Table"]
    page.get_by_role("heading", name="Board and pot").wait_for()
    board = page.get_by_role("group", name="Board", exact=True)
    cards = [card.get_attribute("aria-label") for card in board.get_by_role("img").all()]
    assert len(cards) == 3
    assert all(" of " in card for card in cards)
    for name in ("You, you: ", "caller: "):
        assert page.get_by_role("group", name=name).get_by_role("img").count() == 2
    tree = page.get_by_role("main").aria_snapshot()
    for name in ("Fold", "Check", "Bet"):
        assert f'button "{name}' in tree
    assert page.locator(TURN).is_visible()
