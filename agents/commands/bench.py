"""``nlhe bench``: scorecards of players, tables of them, and their verification."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from agents import registry
from agents.measure.bench.page import as_markdown, as_text, write_page
from agents.measure.bench.running import bench
from agents.measure.bench.scorecard import OpponentResult, Scorecard, SuiteResult, has_card
from agents.measure.bench.verification import not_shown, verify
from nlhe_env.jit.compile_ahead import compile_ahead
from nlhe_env.system.command_interrupts import last_words


@dataclass(frozen=True, kw_only=True)
class Bench:
    """Evaluate a player against fixed anchors, and write its scorecard.

    The card is a JSON file with an HTML page. The same command with the same folder continues an
    interrupted evaluation. "bench compare CARD ..." prints a table of cards, and "bench verify
    FOLDER" replays the matches of a card.
    """

    player: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="PLAYER")]
    """Player: a name with options, a player file (.npz), FILE.py:NAME, process:COMMAND,
    http://HOST:PORT/PATH, chat:model=NAME,..., or a run folder."""

    suite: Annotated[tuple[str, ...], tyro.conf.arg(metavar="SUITE ...")] = ("heads-up",)
    """Suites: heads-up, six-max, limit, tournament."""

    hands: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Maximum number of hands against each anchor; default: 10,000 without another budget, and more
    in tournaments."""

    minutes: Annotated[float | None, tyro.conf.arg(metavar="M")] = None
    """Time limit in minutes for all suites together; default: no limit."""

    until_sure: bool = False
    """Stop playing an anchor as soon as the better player is known; the card has no rating then."""

    bound: bool = True
    """Measure a lower bound of exploitability by the best response found, where possible."""

    seed: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Seed of all cards and decisions; default: random, drawn after the player is loaded."""

    out: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Folder for the card; default: bench/PLAYER."""

    def run(self) -> None:
        """Play, and write and print the card."""
        compile_ahead("bench")
        folder = self.out or Path("bench") / _file_name(registry.short_name(self.player))
        words = f"The hands played are saved in {folder}; repeat the command to continue."
        _write(f"{', '.join(self.suite)}: preparing the first hands")
        try:
            with last_words(words):
                card = bench(
                    self.player,
                    self.suite,
                    hands=self.hands,
                    minutes=self.minutes,
                    until_sure=self.until_sure,
                    seed=self.seed,
                    out=folder,
                    bound=self.bound,
                    on_progress=_show,
                )
        except ValueError:  # nothing was played: a card there may be that of another player
            raise
        except BaseException:
            if has_card(folder):
                _print_card(Scorecard.load(folder), folder)
            raise
        _print_card(card, folder)


@dataclass(frozen=True, kw_only=True)
class BenchCompare:
    """Print a table of scorecards for each suite, in Markdown."""

    cards: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="CARD ...")]
    """Scorecards, or folders that contain one each."""

    def run(self) -> None:
        """Print the tables."""
        print(as_markdown([Scorecard.load(path) for path in self.cards]), end="")


@dataclass(frozen=True, kw_only=True)
class BenchVerify:
    """Make a scorecard again from its hands, and report whether all of its values are equal.

    Players that are not compiled are replayed from the logged hands, without new decisions.
    """

    folder: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="FOLDER")]
    """Folder of the card."""

    player: Annotated[str | None, tyro.conf.arg(metavar="PLAYER")] = None
    """The player, if it is compiled and not a built-in one."""

    def run(self) -> None:
        """Verify the card."""
        found = verify(self.folder, self.player, on_progress=_show_match)
        if found:
            raise RuntimeError("\n".join([f"{self.folder} could not be verified:", *found]))
        print(f"{self.folder}: all values of the card follow from its hands")
        print(not_shown(self.folder))


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name).strip("-") or "player"


def _show(result: SuiteResult, one: OpponentResult) -> None:
    words = (
        f"{result.name}, {one.opponent}: {one.hands:,} hands, {one.mean:+z,.1f} {one.unit}, "
        f"standard error {one.error:,.1f}"
    )
    _write(words)


def _show_match(suite: str, opponent: str) -> None:
    _write(f"{suite}, {opponent}")


def _write(words: str) -> None:
    """Show progress in one line that is overwritten on a terminal."""
    if sys.stderr.isatty():
        print(f"\r{words:<79}", end="", file=sys.stderr, flush=True)


def _print_card(card: Scorecard, folder: Path) -> None:
    if sys.stderr.isatty():
        print(f"\r{'':78}\r", end="", file=sys.stderr)
    for result in card.suites.values():
        print(as_text(result), end="\n\n")
    print(*(str(path) for path in [folder / "scorecard.json", *write_page(card, folder)]))
