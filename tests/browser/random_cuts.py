"""Scripted hands in a browser whose connection is cut at random.

``python tests/browser/random_cuts.py --hands 1000`` plays them and prints what happened. A hand
that does not go on for some minutes is an error.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from browser.cuts import CUTTABLE
from browser.table_page import PATIENCE_S, deal, seat_players

_TABLES = (("human", "caller"), ("human", "formula", "loose-aggressive"), ("human", "raiser"))

PLAYER = """(seed) => {
  let state = seed;
  const random = () => {
    state = (1103515245 * state + 12345) % 2147483648;
    return state / 2147483648;
  };
  window.tally = { cuts: 0, clicks: 0, hands: 0 };
  let hand = "";
  const seen = (element) => element?.checkVisibility() && !element.disabled;
  const step = () => {
    const roll = random();
    if (roll < 0.02) { wire.cut(); tally.cuts += 1; }
    else if (roll < 0.03) wire.mute();
    else if (roll < 0.04) wire.deafen();
    else if (roll < 0.06) wire.hold();
    else if (roll < 0.12) wire.release();
    if ((wire.muted || wire.deaf) && random() < 0.2) { wire.cut(); tally.cuts += 1; }
    const next = document.querySelector("[data-space]");
    const now = document.querySelector(".status")?.textContent;
    if (now && now !== hand && !seen(next)) {
      hand = now;
      tally.hands += 1;
    }
    const pace = [...document.querySelectorAll(".pace button")].at(-1);
    const choices = [...document.querySelectorAll(".act-button")].filter(seen);
    const anew = [...document.querySelectorAll(".game-controls .primary")].find(seen);
    if (choices.length && document.querySelector(".buttons:not(.sent, .fresh)")) {
      choices[Math.floor(random() * choices.length)].click();
      tally.clicks += 1;
      if (random() < 0.1) { wire.cut(); tally.cuts += 1; } // just after the click
    } else if (seen(next)) next.click();
    else if (anew) anew.click();
    if (seen(pace) && pace.getAttribute("aria-pressed") === "false") pace.click();
    setTimeout(step, 5 + 40 * random());
  };
  step();
}"""


@dataclass(frozen=True)
class Played:
    """What was played."""

    hands: int
    clicks: int
    cuts: int
    seconds: float


def play_with_cuts(
    browser: Any, address: str, *, hands: int, seed: int, seats: tuple[str, ...] = _TABLES[0]
) -> Played:
    """Play hands of a tournament, game after game, while the connection is cut at random.

    Args:
        browser: A Chromium.
        address: Address of the server.
        hands: Hands to play.
        seed: Seed of the choices and cuts.
        seats: Players; one of them a person.

    Raises:
        AssertionError: Nothing has gone on for some minutes.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    page.add_init_script(CUTTABLE)
    page.set_default_timeout(1000 * PATIENCE_S)
    page.goto(address)
    seat_players(page, *seats, seed=str(seed))
    deal(page)
    page.evaluate(PLAYER, seed)
    begin = moved = time.monotonic()
    last: dict[str, int] = {}
    while last.get("hands", 0) < hands or not last["cuts"]:
        page.wait_for_timeout(500)
        tally = page.evaluate("({...tally})")
        if (tally["hands"], tally["clicks"]) != (last.get("hands"), last.get("clicks")):
            moved = time.monotonic()
        last = tally
        stands = page.locator(".controls").inner_text()
        assert time.monotonic() - moved < PATIENCE_S, f"stranded after {tally}: {stands}"
    context.close()
    return Played(last["hands"], last["clicks"], last["cuts"], time.monotonic() - begin)


def main() -> None:
    """Play as many hands as asked for, at several tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    import tempfile

    from playwright.sync_api import sync_playwright

    from browser.conftest import ARGUMENTS, chromium_path, serving

    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        left, table = options.hands, 0
        while left > 0:
            seats = _TABLES[table % len(_TABLES)]
            played = play_with_cuts(
                browser,
                server.address,
                hands=min(left, 100),
                seed=options.seed + table,
                seats=seats,
            )
            print(f"{' '.join(seats)}: {played}", flush=True)
            left -= played.hands
            table += 1
        browser.close()
    print(f"{options.hands - left} hands, none stranded")


if __name__ == "__main__":
    main()
