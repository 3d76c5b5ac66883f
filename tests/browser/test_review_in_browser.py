"""The hand afterwards as people look at it: stepped through, explained, coached, linked to."""

from __future__ import annotations

from pathlib import Path

import pytest
from hand_texts import HEADS_UP, THREE_ALL_IN

import agents
from agents.web.hands.coached import coach_some
from agents.web.hands.explaining import advise, explain
from agents.web.hands.grids import player_range
from agents.web.hands.sessions import session
from agents.web.hands.solving import solve_street
from browser.axe import violations
from browser.table_page import scrolls_sideways
from nlhe_env.hand_history import read_hands, review_hand, write_pokerstars

SIZES = [(1280, 800), (820, 1180), (844, 390), (390, 844), (320, 568)]
FILE = f"[1]\n{THREE_ALL_IN}\n[2]\n{HEADS_UP}"
PACKED_AT = "#/hand/"


@pytest.fixture(scope="module", autouse=True)
def _compiled():
    """What is not compiled yet may take longer than a page may wait."""
    hands = read_hands(FILE)
    explain(hands[1])
    session(hands)
    advise(hands[1], agents.make("formula"))
    player_range(hands[1], agents.make("caller"), 6)
    coach_some(hands, "ann", agents.make("caller"), 0)
    solve_street(hands[1], "turn")


@pytest.fixture
def replay(open_page, tmp_path: Path):
    """Opens the file in a page, at a view of the second hand."""

    def open_replay(view: str = "2/6?tab=explain", text: str = FILE, **options):
        file = tmp_path / "hands.phhs"
        file.write_text(text)
        page = open_page(**options)
        page.locator("input[type=file]").set_input_files(file)
        page.locator(".replay-bar").wait_for()
        name = page.evaluate("location.hash").split("/")[2]
        page.evaluate(f"location.hash = '#/replay/{name}/{view}'")
        page.get_by_text(f"Hand {view[0]} ({view[0]} of 2)").wait_for()
        return page

    return open_replay


def figures(page) -> dict[str, str]:
    """What stands in the list of figures of the decision."""
    page.get_by_role("heading", name="to act").wait_for()
    texts = page.locator(".explain dl > *").all_inner_texts()
    return dict(zip(texts[::2], texts[1::2], strict=True))


def test_a_replay_steps_forwards_and_backwards_by_keys_whatever_has_the_focus(replay):
    page = replay("1/0")
    seen = []

    def look(step: int) -> tuple[str, str]:
        page.locator(".replay-bar output", has_text=f"{step} of 3").wait_for()
        return page.locator(".turn-line").inner_text(), page.locator(".pot").inner_text()

    for tab, step in zip(["Hand", "Session", "Coach", "Hands"], range(4), strict=True):
        seen.append(look(step))
        page.get_by_role("tab", name=tab, exact=True).click()
        page.keyboard.press("ArrowRight")
    assert "bob wins 2,450 with three of a kind, queens" in seen[-1][0]
    assert "Side pot" in seen[-1][1]
    assert page.locator(".board .card").count() == 5
    for step in (2, 1, 0):
        page.keyboard.press("ArrowLeft")
        assert look(step) == seen[step]
    page.keyboard.press("End")
    look(3)
    # The share of each player is of the pots that it plays for.
    shares = review_hand(read_hands(THREE_ALL_IN)[0]).streets[1].equities
    log = page.locator(".log").text_content()
    assert "All-in equity in the pots played for" in log
    assert any(f"flop {100 * share:.1f}%, turn " in log for share in shares)
    for _ in range(3):  # quick presses are not lost
        page.keyboard.press("PageUp")
        page.keyboard.press("PageDown")
    page.get_by_text("Hand 2 (2 of 2)").wait_for()
    page.get_by_role("button", name="Next step").click()
    page.locator(".replay-bar output", has_text="1 of 10").wait_for()


def test_a_decision_is_explained_and_players_are_asked(replay):
    """Ann has to call 130 into 330 with a hand that is beaten: 130 of 460 is 28.3 %."""
    page = replay()
    shown = figures(page)
    assert (shown["Pot"], shown["To call"]) == ("330", "130")
    assert shown["Pot odds (equity needed to call)"] == "28.3%"
    assert shown["Equity against the known hands"] == "0.0%"
    values = page.locator(".explain table").first.inner_text()
    assert "fold\t\N{MINUS SIGN}100" in values
    assert "call (played)\t\N{MINUS SIGN}230" in values
    page.get_by_text("Folding was worth 130 chips more than calling").wait_for()
    for caption in ("Equity against the known hands", "Chips gained or lost", "Winnings, raw"):
        page.get_by_role("group", name=caption).wait_for()
    page.locator("#ask-player").select_option("caller")
    page.get_by_role("button", name="Ask", exact=True).click()
    said = page.locator(".explanation", has=page.get_by_role("heading", name="caller"))
    said.get_by_text("call \N{CHECK MARK}").wait_for()
    assert "100%" in said.inner_text()
    said.get_by_text("The range of ann, by caller").click()
    grid = page.get_by_role("grid", name="Range of ann by caller")
    grid.get_by_role("gridcell", name="AA: call 100%").hover()
    said.get_by_role("status").get_by_text("100% of its holdings are in the range").wait_for()
    assert grid.get_by_role("gridcell").count() == 169
    assert page.locator("#ask-player option[value=vexbot]").count() == 0  # of fixed-limit alone
    address = page.url
    assert "ask=caller" in address
    page.reload()
    page.get_by_role("heading", name="ann to act").wait_for()
    page.get_by_role("heading", name="caller").wait_for()
    assert page.url == address
    page.get_by_role("button", name="Remove caller").click()
    page.wait_for_function("() => document.activeElement.id === 'ask-player'")
    page.get_by_role("button", name="Solve the turn").click()
    page.get_by_role("heading", name="any two cards").first.wait_for()
    page.locator("#page").press("ArrowRight")
    page.get_by_role("heading", name="ann to act").wait_for()  # the river has come
    assert "To call" not in figures(page)


def test_a_link_holds_the_hand_itself(replay, open_page, server):
    """It is opened in another browser, at a server that knows nothing of the file."""
    page = replay()
    figures(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Link copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    other = open_page(path=link)
    assert figures(other)["To call"] == "130"
    assert PACKED_AT in other.url
    damaged = open_page(path=f"{server}{PACKED_AT}nonsense/3", expected="400")
    damaged.get_by_text("The hand in this link cannot be read").wait_for()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_tab_fits_and_axe_finds_no_violation(replay, width, height):
    theme = "light" if width in (1280, 390) else "dark"
    page = replay("2/6?tab=explain&ask=formula", size={"width": width, "height": height})
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.locator(".explain .explanation .bars").first.wait_for()
    page.get_by_text("The range of ann, by formula").click()
    page.get_by_role("grid").wait_for()
    tops = {round(tab.bounding_box()["y"]) for tab in page.get_by_role("tab").all()}
    assert len(tops) == 1
    for tab in page.get_by_role("tab").all():
        tab.click()
        page.wait_for_load_state("networkidle")
        assert violations(page) == []
        assert not scrolls_sideways(page)
    page.get_by_role("link", name="Play from here").click()
    page.get_by_role("heading", name="Set up a hand").wait_for()
    assert violations(page) == []
    assert not scrolls_sideways(page)


def test_the_session_and_the_list_of_hands_are_of_each_player(replay):
    page = replay("2/0?tab=session")
    picture = page.get_by_role("img", name="ann, hand by hand")
    picture.wait_for()
    assert "Won: \N{MINUS SIGN}1,230" in picture.get_attribute("aria-label")
    assert "-" not in picture.text_content()  # true minus signs, and no negative zero
    assert "\N{MINUS SIGN}0" not in picture.locator("text").all_text_contents()
    rows = page.locator(".session tbody tr").all_inner_texts()
    assert rows[0].startswith("ann\t\N{MINUS SIGN}1,230")
    assert len(picture.locator("path.line").all()) == 3
    page.locator("#session-player").select_option(label="bob")
    page.get_by_role("img", name="bob, hand by hand").wait_for()
    rates = page.get_by_role("group", name="Big blinds per 100 hands, with 95% intervals")
    assert rates.get_by_role("cell").first.inner_text().count(" \N{PLUS-MINUS SIGN} ") == 1
    page.get_by_role("tab", name="Hands", exact=True).click()
    rows = page.locator(".hands button")
    player = page.get_by_role("tabpanel", name="Hands").get_by_label("Player")
    player.select_option("bob")
    assert "+230" in rows.last.inner_text().replace(",", "")
    assert "BTN" in rows.last.inner_text()
    page.get_by_label("Order", exact=True).select_option("pot")
    assert "pot 2,450" in rows.first.inner_text()
    page.get_by_label("Filter", exact=True).select_option("lost")
    page.get_by_text("No matching hands").wait_for()
    player.select_option("ann")
    rows.last.click()
    page.get_by_text("Hand 2 (2 of 2)").wait_for()


def test_the_coach_leads_to_the_most_expensive_decision_and_marks_its_hand(replay):
    page = replay("1/0?tab=coach", text=write_pokerstars(read_hands(FILE)))
    page.locator("#coach-player").select_option(label="ann")
    page.get_by_label("Model").select_option(label="caller")
    page.get_by_text("by caller").click()
    page.get_by_role("grid").wait_for()
    page.get_by_role("button", name="Find mistakes").click()
    page.locator(".coach").get_by_text("decisions, total cost").wait_for()
    rows = page.locator(".coach .figures-table tbody tr")
    rows.first.wait_for()
    costs = [float(row.split("\t")[1].split()[0]) for row in rows.all_inner_texts()]
    assert costs == sorted(costs, reverse=True)
    assert costs[0] > 0
    hand = rows.first.locator("th").inner_text().split()[0]
    rows.first.get_by_role("button").click()
    page.get_by_text(f"({hand} of 2)").wait_for()
    page.get_by_role("button", name="Find mistakes").wait_for()  # the list stays
    page.get_by_role("tab", name="Hands", exact=True).click()
    page.locator(".hands button[aria-current]", has_text="mistakes").wait_for()
