"""The table as people use it: clicks and keys in a real browser."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from hand_texts import THREE_ALL_IN

from agents.web.hands.solving import solve_street
from browser.table_page import (
    PATIENCE_S,
    and_see,
    at_turns,
    deal,
    fastest,
    fastest_or_turn,
    own_cards,
    scrolls_sideways,
    seat_players,
    wait_for_turn,
)
from nlhe_env.hand_history import read_hands

PHONE = {"width": 390, "height": 844}
FILE = f"""\
[1]
{THREE_ALL_IN}
[2]
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [1000, 3000]
actions = ["d dh p1 ????", "d dh p2 QhQc", "p2 f"]
"""
CHECKED_DOWN = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [1000, 3000]
actions = ["d dh p1 AsKd", "d dh p2 QhQc", "p2 cc", "p1 cc", "d db 2s7h9d", "p1 cc", "p2 cc",
  "d db Qd", "p1 cc", "p2 cc", "d db 3c", "p1 cc", "p2 cc"]
"""
BAD_FILE = FILE.replace("p3 cbr 450", "p1 cbr 450")
CARD = re.compile(r'"([2-9TJQKA][cdhs])"')


NOTE_WHEN_READY = """new MutationObserver((_, observer) => {
  if (![...document.querySelectorAll("button")].some(b => b.textContent === "Deal me in")) return;
  window.readyAt = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true })"""


def test_the_page_is_ready_within_a_second(open_page):
    page = open_page()
    page.add_init_script(NOTE_WHEN_READY)
    times = []
    while len(times) < 3 or (min(times) >= 1000 and len(times) < 30):  # others may be at work
        page.reload()
        page.get_by_role("button", name="Deal me in").wait_for()
        times.append(page.evaluate("readyAt"))
    assert min(times) < 1000, times


def test_a_heads_up_tournament_can_be_played_by_clicking(open_page):
    page = open_page()
    seat_players(
        page, "human", "caller", starting_stack="300", blinds="20/40, 50/100", hands_per_level="2"
    )
    deal(page)
    result = page.get_by_role("heading", name="Result")
    following = page.get_by_role("button", name="Next hand")

    def all_in_or_call() -> None:
        all_in = page.get_by_role("button", name="All-in")
        if all_in.is_visible() and page.locator(".act-button.raise").is_enabled():
            all_in.click()
            page.locator(".act-button.raise").click()
        else:
            page.locator(".act-button.call").click()

    while not result.is_visible():
        at_turns(page, all_in_or_call, until=following.or_(result).first)
        if following.is_visible():
            and_see(page, following.click)
    page.get_by_text(re.compile("You have won the tournament|you took 2nd place")).wait_for()
    rows = page.locator(".standings tbody tr").all_inner_texts()
    assert len(rows) == 2
    assert rows[0].startswith("1st")
    assert "+300" in rows[0]
    assert "\N{MINUS SIGN}300" in rows[1]
    assert re.search("You win 600|wins 600", page.locator(".banner").inner_text())
    page.get_by_role("button", name="Next game").click()
    page.get_by_text("Hand 1", exact=True).first.wait_for()


def test_a_new_game_accepts_the_turn_number_of_the_last_game(open_page):
    page = open_page()
    seat_players(page, "human", "caller", seed="6")  # and 7 and 8: one is the first to act
    page.get_by_text("Cash game", exact=True).click()
    page.locator("#field-num_hands").fill("1")
    deal(page)
    again = page.get_by_role("button", name="Next game")

    def all_in() -> None:
        page.keyboard.press("a")
        page.keyboard.press("r")

    for _ in range(3):
        assert at_turns(page, all_in, until=again) == 1
        and_see(page, again.click)


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, PHONE])
def test_two_boards_and_the_rake_are_shown(open_page, size):
    page = open_page(size=size)
    seat_players(
        page,
        "human",
        "caller",
        "caller",
        starting_stack="500",
        blinds="10/20/20",
        rake="5%/30",
        seed="4",
    )
    page.get_by_text("Cash game", exact=True).click()
    for field, value in (("ante_by", "big blind"), ("straddle", "button"), ("boards", "2")):
        page.locator(f"#field-{field}").select_option(value)
    deal(page)
    wait_for_turn(page)
    page.get_by_role("button", name="All-in").click()
    page.locator(".act-button.raise").click()
    page.get_by_role("button", name="Next hand").wait_for()
    page.get_by_text(re.compile("wins? ")).first.wait_for()
    for board in ("Board", "Second board"):
        assert page.get_by_label(board, exact=True).locator(".card").count() == 5
    assert "Rake 30" in page.locator(".pot").inner_text()
    assert re.search("on (both|the (first|second)) boards?", page.locator(".banner").inner_text())
    assert "ante 20 (big blind), straddle 40" in page.locator("body").inner_text()
    assert not scrolls_sideways(page)


def test_the_keyboard_alone_suffices(open_page):
    page = open_page()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Deal me in":
            break
    page.keyboard.press("Enter")
    page.locator(".seat").first.wait_for()
    actions, end = 0, time.monotonic() + PATIENCE_S

    def act() -> None:
        page.keyboard.press("f")  # nothing where there is nothing to call
        page.keyboard.press("c")

    while not page.locator("[data-space]").is_visible():
        assert time.monotonic() < end
        if page.locator(".buttons").is_visible():
            and_see(page, act)
            actions += 1
        elif page.get_by_role("button", name="Fastest").is_visible():
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.textContent") == "Fastest":
                page.keyboard.press("Enter")
        page.wait_for_timeout(40)
    page.locator("#page").focus()
    page.keyboard.press(" ")
    page.locator(".status").get_by_text("Hand 2").wait_for()
    assert actions > 0
    page.keyboard.press("?")
    page.get_by_role("dialog").get_by_text("check or call").wait_for()
    page.keyboard.press("Escape")
    assert page.locator("#live").inner_text()


def test_the_focus_stays_among_the_actions(open_page):
    page = open_page()
    seat_players(page, "human", "caller", seed="2")
    deal(page)
    fastest_or_turn(page)
    page.locator(".act-button.call").focus()

    def press_the_focused_element() -> None:
        assert "call" in page.evaluate("document.activeElement.className")
        page.keyboard.press("Enter")

    turns = at_turns(page, press_the_focused_element, until=page.locator("[data-space]"))
    assert turns >= 3
    page.wait_for_function("document.activeElement.dataset.space === 'next hand'")
    page.keyboard.press("Enter")
    page.locator(".status").get_by_text("Hand 2").wait_for()


def test_the_amount_can_be_set_by_keys_slider_and_field(open_page):
    page = open_page()
    seat_players(page, "human", "caller", seed="2")
    deal(page)
    fastest_or_turn(page)
    field = page.get_by_label("Raise to (chips)")
    least = int(field.input_value())
    page.keyboard.press("ArrowUp")
    assert int(field.input_value()) == least + 20
    page.keyboard.press("a")
    assert field.input_value() == "1000"
    assert "all-in" in page.locator(".act-button.raise").inner_text()
    page.keyboard.press("1")
    assert int(field.input_value()) == least
    page.get_by_label("Amount", exact=True).fill(str(least + 7))
    assert int(field.input_value()) == least + 7
    page.locator("#page").focus()
    page.keyboard.press("w")
    page.locator(".equity").get_by_text("against 1 random hand; exact").wait_for()
    field.fill("300")
    field.press("Enter")
    page.get_by_text("raise to 300").first.wait_for()
    page.locator(".equity").wait_for(state="detached")  # it was of another street


def test_a_reload_in_the_middle_of_a_hand_changes_nothing(open_page):
    page = open_page()
    seat_players(page, "human", "caller", seed="4")
    deal(page)
    fastest_or_turn(page)
    before = (
        own_cards(page),
        page.locator(".log").inner_text(),
        page.locator(".turn-line").inner_text(),
    )
    page.reload()
    wait_for_turn(page)
    assert before == (
        own_cards(page),
        page.locator(".log").inner_text(),
        page.locator(".turn-line").inner_text(),
    )
    page.keyboard.press("c")
    page.locator(".log").get_by_text(re.compile("calls|checks")).first.wait_for()


def test_a_lost_connection_is_reopened_and_nothing_is_lost(open_page):
    page = open_page()
    lines = []

    def connect(route) -> None:
        lines.append(route)
        route.connect_to_server()

    page.route_web_socket(re.compile("/play/"), connect)
    seat_players(page, "human", "caller", seed="4")
    deal(page)
    fastest_or_turn(page)
    before = own_cards(page), page.locator(".log").inner_text()
    lines[0].close(code=3001)
    end = time.monotonic() + PATIENCE_S
    while len(lines) < 2:
        assert time.monotonic() < end, "the connection is not reopened"
        page.wait_for_timeout(50)
    wait_for_turn(page)
    page.locator(".turn-line").get_by_text("Your turn").wait_for()
    assert before == (own_cards(page), page.locator(".log").inner_text())
    page.keyboard.press("c")
    page.locator(".log").get_by_text(re.compile("calls|checks")).first.wait_for()


def test_two_browsers_at_one_table_see_only_their_own_cards(open_page):
    first = open_page()
    seat_players(first, "human", "human", name="Ann", seed="6")
    deal(first)
    first.get_by_text("Waiting for people to join").wait_for()
    link = first.get_by_label("Link to this table").input_value()
    second = open_page(path="about:blank")
    frames: list[str] = []
    second.on("websocket", lambda ws: ws.on("framereceived", lambda frame: frames.append(frame)))
    second.goto(link)
    second.get_by_label("Your name").fill("Bob")
    second.get_by_role("button", name="Take seat").click()
    ann, bob = own_cards(first), own_cards(second)
    assert len({*ann, *bob}) == 4
    end = time.monotonic() + PATIENCE_S
    while not first.get_by_role("button", name="Next hand").is_visible():
        assert time.monotonic() < end
        for page in (first, second):
            if page.locator(".buttons").is_visible():
                and_see(page, lambda page=page: page.keyboard.press("c"))
        first.wait_for_timeout(30)
    secret = [json.loads(frame) for frame in frames if '"over": true' not in frame]
    assert len(secret) > 4
    for message in secret:
        assert not set(CARD.findall(json.dumps(message))) & set(ann)
    second.locator(".seat:not(.mine) .card").nth(1).wait_for()
    shown = second.locator(".seat:not(.mine) .card").evaluate_all("c => c.map(e => e.dataset.card)")
    assert shown == ann


def test_network_internals_can_be_watched(open_page):
    page = open_page()
    page.get_by_role("button", name="Watch networks").click()
    page.get_by_role("button", name="Watch", exact=True).click()
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
    fastest(page)
    page.get_by_role("tab", name="Hand").click()
    page.get_by_role("heading", name="Result").wait_for()


def test_a_replay_steps_forwards_and_backwards(open_page, tmp_path: Path):
    page = open_page()
    file = tmp_path / "hands.phhs"
    file.write_text(FILE)
    page.get_by_label("Hand history").set_input_files(file)
    page.get_by_text("0 of 3").wait_for()
    seen = []

    def look() -> None:
        seen.append((page.locator(".turn-line").inner_text(), page.locator(".pot").inner_text()))

    look()
    for step in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        page.get_by_text(f"{step} of 3").wait_for()
        look()
    assert "bob wins 2,450 with three of a kind, queens" in seen[-1][0]
    assert page.locator(".board .card").count() == 5
    assert "Side pot" in seen[-1][1]
    for step in (2, 1, 0):
        page.keyboard.press("ArrowLeft")
        page.get_by_text(f"{step} of 3").wait_for()
        assert (
            page.locator(".turn-line").inner_text(),
            page.locator(".pot").inner_text(),
        ) == seen[step]
    assert page.locator(".board .card").count() == 0
    page.get_by_role("button", name="End of the hand").click()
    page.get_by_text("3 of 3").wait_for()
    page.keyboard.press("PageDown")
    page.get_by_text("(2 of 2)").wait_for()


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, PHONE])
def test_the_solver_shows_what_it_would_have_done(open_page, size):
    solve_street(read_hands(CHECKED_DOWN)[0], "river")  # compiles what is not compiled yet
    page = open_page(size=size)
    seat_players(page, "human", "caller", seed="6")
    deal(page)
    page.get_by_role("tab", name="Solver").click()
    page.get_by_text("The solver is available after").wait_for()
    call = page.locator(".act-button.call")
    at_turns(page, call.click, until=page.get_by_role("button", name="Next hand"))
    page.get_by_role("button", name="Solve the river").click()
    page.get_by_text(re.compile("exploitability at most .* of the pot")).wait_for()
    assert page.locator(".explanation:visible").count() == 2
    assert page.get_by_text("check ✓").count() == 2
    assert page.get_by_text("Whole range: check").first.is_visible()
    assert not scrolls_sideways(page)


def test_a_bad_file_is_refused_with_its_line(open_page, tmp_path: Path):
    page = open_page(expected="status of 400")
    file = tmp_path / "bad.phhs"
    file.write_text(BAD_FILE)
    page.get_by_label("Hand history").set_input_files(file)
    page.locator(".form-error").get_by_text("bad.phhs: line 8: it is the turn of p3").wait_for()


@pytest.mark.parametrize("players", [2, 6, 10])
def test_a_phone_needs_no_horizontal_scrolling(open_page, players):
    page = open_page(size=PHONE)
    assert not scrolls_sideways(page)
    seat_players(page, "human", *["loose-passive"] * (players - 1), seed="3")
    assert not scrolls_sideways(page)
    deal(page)
    fastest_or_turn(page)
    assert not scrolls_sideways(page)
    for element in page.locator(".seat .pod, .act-button").all():
        box = element.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]


def test_a_program_with_faults_is_marked_at_its_seat_and_described(open_page):
    page = open_page(expected="400 (Bad Request)")
    page.get_by_role("button", name="Heads-up").click()
    page.get_by_role("button", name="+ Add seat").click()
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
    assert not scrolls_sideways(page)
