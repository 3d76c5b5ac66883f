"""The coach of a replay: from its list to the decision itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from hand_texts import HEADS_UP, THREE_ALL_IN

import agents
from agents.web.hands.coached import coach_some
from browser.axe import violations
from nlhe_env.hand_history import read_hands

FILE = f"[1]\n{THREE_ALL_IN}\n[2]\n{HEADS_UP}"


@pytest.fixture(scope="module", autouse=True)
def _compiled():
    """What is not compiled yet may take longer than a page may wait."""
    coach_some(read_hands(FILE), "ann", agents.make("caller"), 0)


@pytest.mark.parametrize("width", [1280, 390])
def test_the_coach_leads_to_the_most_expensive_decision(open_page, tmp_path: Path, width):
    file = tmp_path / "hands.phhs"
    file.write_text(FILE)
    page = open_page(size={"width": width, "height": 800})
    page.locator("input[type=file]").set_input_files(file)
    page.locator(".replay-bar").wait_for()
    page.get_by_role("tab", name="Coach").click()
    page.locator("#coach-player").select_option(label="ann")
    page.get_by_label("Model").select_option(label="caller")
    page.get_by_role("button", name="Find mistakes").click()
    page.locator(".coach").get_by_text("decisions, total cost").wait_for()
    rows = page.locator(".coach tbody tr")
    rows.first.wait_for()
    costs = [float(row.split("\t")[1].split()[0]) for row in rows.all_inner_texts()]
    assert costs == sorted(costs, reverse=True)
    assert costs[0] > 0
    hand = rows.first.locator("th").inner_text().split()[0]
    rows.first.get_by_role("button").click()
    page.get_by_text(f"Hand {hand} ({hand} of 2)").wait_for()
    page.get_by_role("button", name="Find mistakes").wait_for()  # the list stays
    assert violations(page) == []
