"""Makes the pictures of the pages in the browser that the documentation shows.

    python docs/browser_pictures.py [--out FOLDER] [--only NAME ...] [--run RUN]

Plays at the table with fixed seeds, in the Chromium of the system. The page of a run is made with
``--run``, the folder of a finished one. Needs the extras "web" and "dev".
"""

from __future__ import annotations

import argparse
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

import agents
import nlhe_env

IMAGES = Path(__file__).with_name("images")
SIZE = {"width": 1280, "height": 800}
FIVE = ["tight-aggressive", "loose-aggressive", "formula", "old-best", "pot-odds"]
NETWORKS = ["old-best", "loose-passive", "old-scratch", "old-best", "caller", "formula"]


@contextmanager
def served(*arguments: str, cwd: str) -> Iterator[str]:
    """Starts a command that serves a page, in a folder without runs; yields its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", *arguments, "--no-browser", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=cwd,
    )
    assert process.stdout is not None
    try:
        yield next(
            found[0]
            for line in process.stdout
            if (found := re.search(r"http://127\.0\.0\.1:\d+", line))
        )
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)


def sit(page: Any, address: str, seats: list[str], seed: int) -> None:
    """Opens a table for these seats."""
    page.goto(address)
    page.get_by_role("button", name="Heads-up").click()
    for _ in seats[2:]:
        page.get_by_role("button", name="+ Add seat").click()
    for seat, name in enumerate(seats, 1):
        page.get_by_label(f"Seat {seat}", exact=True).select_option(name)
    page.locator("#field-seed").fill(str(seed))
    page.locator("form#setup button.primary").click()
    if "human" not in seats:
        page.get_by_role("button", name="Fast", exact=True).click()
    page.mouse.move(2, 2)


def play(page: Any, address: str) -> None:
    """A decision on the turn, with the equity."""
    sit(page, address, ["human", *FIVE], 6)
    page.wait_for_function(
        """() => {
          if (!document.querySelector(".buttons")?.checkVisibility()) return false;
          if (document.querySelectorAll(".board .card").length >= 4) return true;
          document.querySelector(".act-button.call").click();
          return false;
        }"""
    )
    page.get_by_role("button", name="½ pot").click()
    page.get_by_role("button", name="Equity (W)").click()
    page.locator(".equity").wait_for()
    page.mouse.move(2, 2)


def explain_network(page: Any, address: str) -> None:
    """Networks on the turn, and what one of them goes by."""
    sit(page, address, NETWORKS, 4)
    page.get_by_role("tab", name="Explain").click()
    stop_when(page, 'document.querySelectorAll(".board .card").length >= 4')


def explain(page: Any, address: str) -> None:
    """Poki's weight table of an opponent whose hands it has seen for a while."""
    sit(page, address, ["poki", "tight-aggressive"], 5)
    page.get_by_role("tab", name="Explain").click()
    left = 'document.querySelector(".side").textContent.match(/(\\d+)% of all hands/)?.[1] ?? 100'
    stop_when(page, f'document.querySelector(".board .card") && Number({left}) < 50')


def replay(page: Any, address: str) -> None:
    """A decision explained, and what others would have done."""
    sit(page, address, NETWORKS, 4)
    stop_when(page, 'document.querySelector(".status").textContent.includes("Hand 2")')
    page.get_by_role("button", name="Replay hands").click()
    page.locator(".replay-bar").wait_for()
    recorded = page.url.partition("#/replay/")[2].partition("/")[0]
    page.goto(f"{address}/#/replay/{recorded}/1/999?tab=explain&ask=formula,old-best")
    page.get_by_role("heading", name="The hand is over").wait_for()
    page.keyboard.press("ArrowLeft")
    page.locator('[data-player="old-best"] .bars').wait_for()
    page.locator(".side .tab-panel:not([hidden])").evaluate("panel => panel.scrollTo(0, 0)")
    page.evaluate("document.activeElement.blur()")


def coach(page: Any, address: str) -> None:
    """The most expensive decisions of a session, as on the page about the coach."""
    players = [agents.make(name) for name in ("pot-odds", "formula", "formula", "poki")]
    hands: list[nlhe_env.hand_history.Hand] = []
    agents.play(players, agents.Blocks(2), nlhe_env.Game.cash(), seed=6, record=hands.append)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "session.phhs"
        file.write_text(nlhe_env.hand_history.write_hands(hands))
        page.goto(address)
        page.locator("input[type=file]").set_input_files(file)
        page.locator(".replay-bar").wait_for()
    page.get_by_role("tab", name="Coach").click()
    page.locator("#coach-player").select_option(label="player_0")
    page.get_by_role("button", name="Find mistakes").click()
    page.get_by_role("button", name="Stop").wait_for()
    page.get_by_role("button", name="Find mistakes").wait_for()
    page.locator(".coach tbody button").first.click()
    page.evaluate("document.activeElement.blur()")


def stop_when(page: Any, condition: str) -> None:
    """Pauses a table of programs as soon as something is seen."""
    page.wait_for_function(
        f"""() => {{
          if (!({condition})) return false;
          [...document.querySelectorAll(".game-controls button")]
            .find(button => button.textContent.includes("Pause"))?.click();
          return true;
        }}""",
        polling=20,
    )
    page.get_by_role("button", name="Resume").wait_for()


def run_page(page: Any, address: str) -> None:
    """The page of a run, with the numbers of one test."""
    page.goto(f"{address}/learning")
    page.locator("a.run-card").click()
    chart = page.locator("figure svg").first
    chart.wait_for()
    box = chart.bounding_box()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.5 * box["height"])


def save(page: Any, file: Path) -> None:
    """A screenshot, packed as well as its format can."""
    page.wait_for_timeout(400)
    page.screenshot(path=file)
    with Image.open(file) as image:
        packed = image.convert("RGB")
    packed.save(file, optimize=True)
    print(file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=IMAGES)
    parser.add_argument("--run", type=Path)
    pages = {
        "table-play": play,
        "table-explanations": explain_network,
        "table-explain": explain,
        "table-replay": replay,
        "table-coach": coach,
    }
    parser.add_argument("--only", nargs="*", default=[], choices=pages)
    wanted = parser.parse_args()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as empty:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("google-chrome"),
            args=["--no-sandbox", "--disable-gpu"],
        )

        def photograph(name: str, draw: Any, address: str) -> None:
            context = browser.new_context(
                viewport=SIZE, color_scheme="dark", reduced_motion="reduce"
            )
            page = context.new_page()
            page.set_default_timeout(300_000)  # what must be compiled takes its time
            draw(page, address)
            save(page, wanted.out / f"{name}.png")
            context.close()

        chosen = [name for name in pages if not wanted.only or name in wanted.only]
        if chosen:
            with served("agents", "play", cwd=empty) as address:
                for name in chosen:
                    photograph(name, pages[name], address)
        if wanted.run:
            with served("evolve", "serve", str(wanted.run.resolve()), cwd=empty) as address:
                photograph("dashboard", run_page, address)
        browser.close()


if __name__ == "__main__":
    main()
