"""The hand afterwards as people look at it: explained, linked to, played on, set up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hand_texts import HEADS_UP, THREE_ALL_IN

import agents
from agents.web.hands.explaining import advise, explain
from agents.web.hands.sessions import session
from agents.web.hands.solving import solve_street
from browser.axe import violations
from nlhe_env.hand_history import read_hands

SIZES = [
    {"width": 1280, "height": 800},
    {"width": 844, "height": 390},
    {"width": 390, "height": 844},
    {"width": 320, "height": 640},
]
FILE = f"[1]\n{THREE_ALL_IN}\n[2]\n{HEADS_UP}"
PACKED_AT = "#/hand/"


@pytest.fixture(scope="module", autouse=True)
def _compiled():
    """What is not compiled yet may take longer than a page may wait."""
    hands = read_hands(FILE)
    explain(hands[1])
    session(hands)
    advise(hands[1], agents.make("formula"))
    solve_street(hands[1], "turn")


@pytest.fixture
def replay(open_page, tmp_path: Path):
    """Opens the file in a page, at a view of the second hand."""

    def open_replay(view: str = "2/6?tab=explain", **options):
        file = tmp_path / "hands.phhs"
        file.write_text(FILE)
        page = open_page(**options)
        page.locator("input[type=file]").set_input_files(file)
        page.locator(".replay-bar").wait_for()
        name = page.evaluate("location.hash").split("/")[2]
        page.evaluate(f"location.hash = '#/replay/{name}/{view}'")
        page.get_by_text("Hand 2 (2 of 2)").wait_for()
        return page

    return open_replay


def figures(page) -> dict[str, str]:
    """What stands in the list of figures of the decision."""
    page.get_by_role("heading", name="to act").wait_for()
    texts = page.locator(".explain dl > *").all_inner_texts()
    return dict(zip(texts[::2], texts[1::2], strict=True))


def test_a_decision_is_explained(replay):
    """Ann has to call 130 into 330 with a hand that is beaten: 130 of 460 is 28.3 %."""
    page = replay()
    shown = figures(page)
    assert shown["Pot"] == "330"
    assert shown["To call"] == "130"
    assert shown["Pot odds (equity needed to call)"] == "28.3%"
    assert shown["Equity against the known hands"] == "0.0%"
    values = page.locator(".explain table").first.inner_text()
    assert "fold\t\N{MINUS SIGN}100" in values
    assert "call (played)\t\N{MINUS SIGN}230" in values
    page.get_by_text("Folding was worth 130 chips more than calling").wait_for()
    for caption in ("Equity against the known hands", "Chips gained or lost", "Winnings, raw"):
        page.get_by_role("group", name=caption).wait_for()
    page.locator("#page").press("ArrowRight")
    page.get_by_role("heading", name="ann to act").wait_for()  # the river has come
    assert "To call" not in figures(page)
    assert "(2 of 2)" in page.locator("#status").inner_text()


def test_players_can_be_asked_for_their_action(replay):
    page = replay()
    page.locator("#ask-player").select_option("caller")
    page.get_by_role("button", name="Ask", exact=True).click()
    said = page.locator(".explanation", has=page.get_by_role("heading", name="caller"))
    said.get_by_text("call \N{CHECK MARK}").wait_for()
    assert "100%" in said.inner_text()
    assert "ask=caller" in page.evaluate("location.hash")
    assert page.locator("#ask-player option[value='ashe-2.0']").count() == 1
    assert page.locator("#ask-player option[value=vexbot]").count() == 0  # of fixed-limit alone
    assert page.locator("#ask-player option[value=nlbot-1]").count() == 0  # written in Python
    page.get_by_role("button", name="Remove caller").click()
    page.wait_for_function("document.activeElement.id === 'ask-player'")
    page.get_by_role("button", name="Solve the turn").click()
    page.get_by_role("heading", name="any two cards").first.wait_for(timeout=60_000)


def test_an_address_reopens_the_view(replay, open_page, server):
    page = replay()
    figures(page)
    page.locator("#ask-player").select_option("folder")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_role("heading", name="folder").wait_for()
    page.locator("#page").press("ArrowLeft")
    page.get_by_role("heading", name="bob to act").wait_for()
    address = page.url
    page.reload()
    page.get_by_role("heading", name="bob to act").wait_for()
    page.get_by_role("heading", name="folder").wait_for()
    assert page.url == address
    assert page.locator(".replay-bar output").inner_text() == "5 of 10"


def test_a_link_holds_the_hand_itself(replay, open_page, server):
    """It is opened in another browser, at a server that knows nothing of the file."""
    page = replay()
    figures(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Link copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert PACKED_AT in link
    other = open_page(path=link)
    assert figures(other)["To call"] == "130"
    assert PACKED_AT in other.url
    other.reload()
    assert figures(other)["To call"] == "130"
    damaged = open_page(path=f"{server}{PACKED_AT}nonsense/3", expected="400")
    damaged.get_by_text("The hand in this link cannot be read").wait_for()


def test_the_session_has_a_graph_and_a_table(replay):
    page = replay("2/0?tab=session")
    picture = page.get_by_role("img", name="ann, hand by hand")
    picture.wait_for()
    assert "Won: \N{MINUS SIGN}1,230" in picture.get_attribute("aria-label")
    rows = page.locator(".session tbody tr").all_inner_texts()
    assert rows[0].startswith("ann\t\N{MINUS SIGN}1,230")
    assert len(picture.locator("path.line").all()) == 3
    page.locator("#session-player").select_option(label="bob")
    page.get_by_role("img", name="bob, hand by hand").wait_for()


def test_a_recorded_hand_can_be_continued(replay):
    page = replay("2/5")
    page.get_by_role("link", name="Play from here").click()
    page.get_by_role("heading", name="Set up a hand").wait_for()
    assert page.get_by_label("Cards of seat 1").input_value() == "AsKd"
    assert page.locator("#spot-played").input_value() == "call, check, check, check, check"
    page.get_by_label("Player of seat 1").select_option("caller")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("Your turn.").wait_for()
    cards = page.locator(".seat.mine .card").evaluate_all("cards => cards.map(c => c.dataset.card)")
    assert cards == ["Qh", "Qc"]
    assert page.locator(".board .card").count() == 4


def test_a_hand_can_be_set_up_by_keyboard_alone(open_page):
    page = open_page(expected="400")
    page.get_by_role("link", name="Set up a hand").press("Enter")
    page.get_by_role("heading", name="Set up a hand").wait_for()
    page.get_by_label("Cards of seat 1").focus()
    page.keyboard.type("AsAs")
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


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
@pytest.mark.parametrize("view", ["2/6?tab=explain&ask=formula", "2/6?tab=session"])
def test_no_width_needs_horizontal_scrolling(replay, size, view):
    page = replay(view, size=size)
    page.locator(".figures-table").first.wait_for()
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.get_by_role("link", name="Play from here").click()
    page.get_by_role("heading", name="Set up a hand").wait_for()
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    unnamed = "input:not([type=file]), select"
    names = page.locator(f".spot :is({unnamed})").evaluate_all(
        "fields => fields.map(f => f.ariaLabel || [...f.labels ?? []].map(l => l.innerText).join())"
    )
    assert all(names)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
def test_a_weight_table_is_shown_as_a_hand_grid(open_page, size):
    page = open_page(size=size)
    page.get_by_role("button", name="Heads-up").click()
    page.get_by_label("Seat 1", exact=True).select_option("poki")
    page.get_by_label("Seat 2", exact=True).select_option("formula")
    page.locator("form#setup button.primary").click()
    page.get_by_role("tab", name="Explain").click()
    page.get_by_text(re.compile("poki.s range for formula")).first.wait_for()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("heading", name="Opponent models").wait_for()
    table = page.get_by_role("table", name="Range of formula; fuller cells are more likely")
    if table.count():
        assert table.first.get_by_role("cell").count() == 169
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_violations(replay, theme):
    page = replay("2/6?tab=explain&ask=formula")
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.locator(".explain .explanation .bars").first.wait_for()
    assert violations(page) == []
    page.get_by_role("tab", name="Session").click()
    page.locator(".graph").wait_for()
    rates = page.get_by_role("group", name="Big blinds per 100 hands, with 95% intervals")
    assert rates.get_by_role("cell").first.inner_text().count(" \N{PLUS-MINUS SIGN} ") == 1
    assert violations(page) == []
    page.get_by_role("link", name="Play from here").click()
    page.get_by_role("heading", name="Set up a hand").wait_for()
    assert violations(page) == []
    page.goto(page.url.split("#")[0])
    page.get_by_role("button", name="Heads-up").click()
    page.get_by_label("Seat 1", exact=True).select_option("poki")
    page.get_by_label("Seat 2", exact=True).select_option("formula")
    page.locator("form#setup button.primary").click()
    page.get_by_role("tab", name="Explain").click()
    page.locator(".range").first.wait_for()
    page.get_by_role("button", name="Pause").click()
    assert violations(page) == []
