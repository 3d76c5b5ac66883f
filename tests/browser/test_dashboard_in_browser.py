"""A run as people watch it: curves that grow by themselves, by mouse, by keys and on a phone."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from interrupts import interruptible

from browser.axe import violations
from browser.table_page import PATIENCE_S, scrolls_sideways

ROOT = Path(__file__).parents[2]
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
COMPILING_S = 1200
"""What is compiled for the first time may take so long beside other work."""
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
TRAIN = (
    "train --name watched --generations 50000 --population 20 --elites 4 --tournaments 4"
    " --hall-of-fame 6 --progress-tournaments 0 --inputs features_scaled --workers 1"
)
SEARCH = (
    "train --preset heads-up --name searched --population 8 --blocks 3 --generations 6 --hands 0"
    " --test-every 2 --test-blocks 8 --named-share 0.5 --pool-share 0.5 --workers 1"
)


@interruptible()
def evolve(*arguments: str, cwd: Path, **options: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "evolve", *arguments]
    return subprocess.Popen(command, cwd=cwd, env=ENVIRONMENT, text=True, **options)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a search that is finished and a training that goes on."""
    path = tmp_path_factory.mktemp("watched")
    finished = evolve(*SEARCH.split(), cwd=path, stdout=subprocess.DEVNULL)
    assert finished.wait(timeout=COMPILING_S) == 0
    running = evolve(*TRAIN.split(), cwd=path, stdout=subprocess.DEVNULL)
    try:
        end = time.monotonic() + COMPILING_S
        while not list(path.glob("runs/watched-*/metrics.jsonl")):
            assert running.poll() is None
            assert time.monotonic() < end
            time.sleep(0.1)
        yield path
    finally:
        running.terminate()
        running.wait(timeout=PATIENCE_S)


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """``nlhe serve runs``; yields its address, then ends it by Ctrl-C."""
    pytest.importorskip("aiohttp")
    arguments = ("serve", "runs", "--no-browser", "--port", "0")
    process = evolve(*arguments, cwd=folder, stdout=subprocess.PIPE)
    assert process.stdout is not None
    found = None
    for line in process.stdout:
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        if found:
            break
    assert found, "the server did not start"
    yield found[0]
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, rest


@pytest.fixture
def open_run(chromium: Any, address: str, folder: Path) -> Iterator[Callable[..., Any]]:
    """Opens pages of runs; at the end nothing may have gone wrong."""
    contexts = []
    problems: list[str] = []

    def open_one(run: str = "", *, size: dict[str, int] = DESKTOP, missing: bool = False) -> Any:
        context = chromium.new_context(viewport=size, reduced_motion="reduce")
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE_S)
        page.on("pageerror", lambda error: problems.append(f"page error: {error}"))
        page.on("request", on_request)
        # The browser itself reports an answer 404, which is what a run that is gone gives.
        page.on("console", lambda message: None if missing else on_message(message))
        fragment = f"#/run/{name_of(folder, run)}" if run else ""
        page.goto(f"{address}/learning{fragment}")
        return page

    def on_request(request: Any) -> None:
        if not request.url.startswith((address, address.replace("http", "ws", 1), "blob:")):
            problems.append(f"request to another host: {request.url}")

    def on_message(message: Any) -> None:
        if message.type in ("error", "warning"):
            problems.append(f"console: {message.text}")

    yield open_one
    for context in contexts:
        context.close()
    assert problems == []


def name_of(folder: Path, run: str) -> str:
    return next(path.name for path in (folder / "runs").iterdir() if path.name.startswith(run))


def generation(page: Any) -> int:
    text = page.locator(".run-progress").inner_text()
    return int(re.match(r"generation ([\d,]+)", text)[1].replace(",", ""))


def wait_for_generation(page: Any, least: int) -> None:
    page.wait_for_function(
        "least => Number(document.querySelector('.run-progress')?.textContent"
        ".match(/generation ([\\d,]+)/)[1].replace(',', '')) >= least",
        arg=least,
    )


def figure(page: Any, title: str) -> Any:
    return page.locator("figure").filter(has=page.get_by_role("heading", name=title, exact=True))


def test_a_run_that_goes_on_is_followed_without_a_reload(open_run):
    page = open_run("watched")
    wait_for_generation(page, 1)
    page.get_by_role("heading", name="Hall of fame").wait_for()
    for title in ("Elite overlap", "Speed", "Aggression", "Ages of the members"):
        assert figure(page, title).locator("svg").last.is_visible()
    page.locator(".tile").first.get_by_text("not measured in this run").wait_for()
    page.evaluate("window.notReloaded = true")
    chart = figure(page, "Tournament places per generation")
    before, path = generation(page), chart.locator("path.line.s1").get_attribute("d")
    wait_for_generation(page, before + 3)
    chart.locator(f"path.line.s1:not([d='{path}'])").wait_for(state="attached")
    assert page.evaluate("window.notReloaded")
    assert page.locator(".badge").inner_text().endswith("running")
    assert "left" in page.locator(".run-progress").inner_text()
    another = open_run()
    another.get_by_role("link").filter(has_text="watched").click()
    wait_for_generation(another, before + 3)


def test_a_finished_run_is_read_by_mouse_and_keys_and_downloaded(open_run):
    page = open_run("searched")
    tile = page.locator(".tile").first
    tile.get_by_text("Against fixed players").wait_for()
    assert "initially" in tile.inner_text()
    page.get_by_role("heading", name="Opponents").wait_for()
    figure(page, "Map of styles").locator(".point.champion").first.wait_for()
    figure(page, "Map of styles").get_by_text("loose-passive").first.wait_for()
    assert page.locator(".config").first.get_by_text("cma-es").is_visible()
    chart = figure(page, "Tests of the recommended player")
    slider = chart.get_by_role("slider")
    slider.focus()
    page.keyboard.press("Home")
    page.keyboard.press("Home")
    assert slider.get_attribute("aria-valuetext").startswith("generation 0: score")
    page.keyboard.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext").startswith("generation 2: score")
    assert chart.locator(".tip").is_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    rows = chart.locator(".numbers-table tbody tr")
    assert rows.locator("th").all_inner_texts() == ["6", "4", "2", "0"]
    assert "±" in rows.first.inner_text()
    noise = figure(page, "Signal and noise").locator(".axis-label").all_text_contents()
    assert any(label.startswith("standard deviation") for label in noise)
    chart = figure(page, "Candidates per generation")
    chart.get_by_role("button", name="best candidate").click()
    assert chart.locator("path.line").count() == 1
    assert chart.locator(".axis-label").first.text_content() == "generation"
    page.get_by_role("button", name="Hands", exact=True).click()
    assert chart.locator(".axis-label").first.text_content() == "hands"
    with page.expect_download() as download:
        page.get_by_role("link", name="tests", exact=True).click()
    lines = Path(download.value.path()).read_text().splitlines()
    assert lines[0].startswith("generation,hands,score,error")
    assert [line.split(",")[0] for line in lines[1:]] == ["0", "2", "4", "6"]


def test_a_champion_can_be_watched_at_the_table(open_run):
    page = open_run("searched")
    page.get_by_label("Champion of generation").select_option("4")
    page.get_by_role("button", name="Watch", exact=True).click()
    page.locator(".seat").first.wait_for()
    page.get_by_text("generation 4").first.wait_for()
    page.get_by_role("tab", name="Explain").click()
    page.locator(".explanation .bars").first.wait_for()
    page.get_by_text("inputs").first.wait_for()


@pytest.mark.parametrize(("run", "opponents"), [("searched", 1), ("watched", 5)])
def test_one_click_plays_the_champion_and_one_leads_back(open_run, run, opponents):
    """The one run is finished, and the other goes on."""
    page = open_run(run)
    page.locator(".tile").first.wait_for()
    here = page.url
    page.get_by_role("button", name="Play against the champion").click()
    page.locator(".seat.mine").wait_for()
    assert page.locator(".seat").count() == 1 + opponents
    page.locator(".seat").get_by_text(re.compile("generation \\d+")).first.wait_for()
    page.reload()
    page.locator(".seat.mine").wait_for()
    page.get_by_role("link", name="Back to run", exact=True).click()
    page.locator(".tile").first.wait_for()
    assert page.url == here


def test_runs_are_listed_beside_the_table_and_shown_side_by_side(open_run, address, folder):
    page = open_run()
    page.get_by_role("link", name="Poker table").click()
    seat = page.get_by_label("Seat 2", exact=True)
    seat.select_option(f"champion of {name_of(folder, 'searched')}")
    page.get_by_role("link", name="Training runs").click()
    page.locator(".run-card .spark").first.get_by_text("tests: ").wait_for()
    assert page.url.startswith(f"{address}/learning")
    assert page.get_by_role("button", name="Compare runs").is_disabled()
    for run in ("searched", "watched"):
        page.get_by_label(f"Compare {name_of(folder, run)}").check()
    page.get_by_role("button", name="Compare runs").click()
    page.get_by_role("heading", name="Run comparison").wait_for()
    page.get_by_role("heading", name=re.compile("Learning curves: tests")).wait_for()
    rows = page.locator("table").first.locator("tbody tr")
    assert rows.count() == 2
    assert "no results yet" in rows.nth(1).inner_text()
    differing = page.locator("table.config tbody th").all_inner_texts()
    assert "optimizer" in differing
    assert "betting" not in differing
    assert violations(page) == []


@pytest.fixture
def copy_of_a_run(folder: Path) -> Iterator[Path]:
    """A copy that may be deleted; it is gone afterwards."""
    original = folder / "runs" / name_of(folder, "searched")
    copy = original.with_name(f"copied-{original.name}")
    shutil.copytree(original, copy)
    yield copy
    shutil.rmtree(copy, ignore_errors=True)


def test_the_list_of_runs_draws_every_change_and_keeps_the_focus(open_run):
    page = open_run()
    page.locator(".run-card").first.wait_for()
    silent, name = 31, "first"

    def answer(route: Any) -> None:
        listed = route.fetch().json()
        for run in listed["runs"]:
            run["name"], run["status"]["stage"], run["status"]["silent_s"] = name, "quiet", silent
        route.fulfill(json=listed)

    page.route("**/learning/api/runs", answer)
    page.get_by_text("no update for 31 s").first.wait_for()
    choice = page.get_by_label("Compare searched")
    choice.focus()
    silent = 7200
    page.get_by_text("no update for 2.0 h").first.wait_for()
    assert choice.evaluate("element => element === document.activeElement")
    name = "second"
    page.get_by_text("second").first.wait_for()
    page.unroute_all(behavior="wait")


def test_a_run_that_is_deleted_or_missing_is_reported(open_run, address, folder, copy_of_a_run):
    page = open_run("copied", missing=True)
    page.locator(".tile").first.wait_for()
    shutil.rmtree(copy_of_a_run)
    page.get_by_text("The folder of this run is gone").wait_for()
    assert page.locator(".badge").inner_text().endswith("gone")
    assert figure(page, "Weights").locator("path.line").count() == 2  # what was read stays
    shutil.copytree(folder / "runs" / name_of(folder, "searched"), copy_of_a_run)
    page.get_by_text("The folder of this run is gone").wait_for(state="detached")
    page.goto(f"{address}/learning#/run/..%2Fnothing")
    page.get_by_role("heading", name="Run not found").wait_for()


@pytest.mark.parametrize(
    ("theme", "size"), [("light", DESKTOP), ("dark", DESKTOP), ("dark", PHONE)]
)
def test_pages_of_runs_fit_and_axe_finds_no_violations(open_run, theme, size):
    for run in ("", "searched", "watched"):
        page = open_run(run, size=size)
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.locator(".run-card, .tile").first.wait_for()
        assert violations(page) == []
        assert not scrolls_sideways(page)
