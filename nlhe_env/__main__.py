"""The command line of ``python -m nlhe_env``, and the part of ``nlhe`` about cards and hands.

Exit codes: 0 done, 1 failed on the way, 2 bad arguments, 130 interrupted, 143 terminated.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

import nlhe_env
from nlhe_env import hand_history
from nlhe_env.arguments import printable
from nlhe_env.cards import RANKS
from nlhe_env.hand_history.streams import hand_files
from nlhe_env.system.command_help import run_command
from nlhe_env.system.command_interrupts import run_program


@dataclass(frozen=True)
class BuildTablesCommand:
    """Build the exact strength tables, or verify those on disk."""

    def run(self) -> None:
        """Prints the path of the tables and the time taken."""
        started = time.perf_counter()
        nlhe_env.load_tables()
        elapsed_s = time.perf_counter() - started
        path = nlhe_env.tables_file()
        size = f"{path.stat().st_size / 1e6:.1f} MB" if path.exists() else "in memory only"
        print(f"{path}  {size}  ready after {elapsed_s:.2f} s")


@dataclass(frozen=True)
class Equity:
    """Print the share of the pot that hands or ranges win at showdown."""

    hands: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="HAND ...")]
    """2 to 10 hands or ranges, such as "AhKh" or "TT+, AQs+"."""

    board: Annotated[str, tyro.conf.arg(metavar="CARDS")] = ""
    """Three, four or five cards of the board, such as "Qs7h2h"."""

    dead: Annotated[str, tyro.conf.arg(metavar="CARDS")] = ""
    """Cards that are out of play."""

    seconds: float | None = None
    """If not all deals can be dealt in a few seconds, sample deals for this time."""

    seed: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Seed of the sampled deals."""

    def run(self) -> None:
        """Prints a table."""
        from rich import box
        from rich.console import Console
        from rich.table import Table

        started = time.perf_counter()
        result = nlhe_env.equities(
            self.hands,
            self.board,
            self.dead,
            seconds=self.seconds,
            seed=self.seed,
        )
        elapsed_s = time.perf_counter() - started

        table = Table(box=box.SIMPLE)
        table.add_column("hand or range")
        for title in "equity %", "win %", "tie %":
            table.add_column(title, justify="right")
        if not result.exact:
            table.add_column("± standard error", justify="right")
        shares = zip(result.equity, result.win, result.tie, result.standard_error, strict=True)
        for hand, numbers in zip(self.hands, shares, strict=True):
            shown = numbers[:3] if result.exact else numbers
            table.add_row(hand, *(f"{100 * number:.3f}" for number in shown))
        Console(highlight=False).print(table)
        how = "exact, all" if result.exact else "sampled,"
        print(f"{how} {result.n_deals:,} deals, {elapsed_s:.2f} s")


@dataclass(frozen=True)
class IncomeRatesCommand:
    """Print what hole cards win if all players call one bet, in thousandths of it."""

    players: Annotated[int, tyro.conf.Positional, tyro.conf.arg(metavar="PLAYERS")]
    """Number of players, 2 to 10."""

    games: Annotated[int, tyro.conf.arg(metavar="N")] = 2_000_000
    """Number of sampled games."""

    def run(self) -> None:
        """Prints all 169 classes, from the ace down."""
        found = nlhe_env.income_rates(self.players, n_games=self.games)
        print("  " + "".join(f"{rank:>6}" for rank in reversed(RANKS)))
        # The class 13 * high + low of suited cards comes above the diagonal.
        rates = found.rates.reshape(13, 13)[::-1, ::-1]
        for rank, row in zip(reversed(RANKS), rates, strict=True):
            print(f"{rank:<2}" + "".join(f"{rate:+z6.0f}" for rate in row))
        worst = found.standard_errors.max()
        print(f"suited above the diagonal; standard error at most {worst:.1f}")


@dataclass(frozen=True)
class Hands:
    """Count, check and convert recorded hands, and say why some cannot be read."""

    files: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="FILE ...")]
    """Hand histories, or folders of them: PHH, PokerStars or GGPoker text, or ACPC logs."""

    starting_stack: Annotated[int | None, tyro.conf.arg(metavar="CHIPS")] = None
    """Starting stack in chips, for an ACPC log that does not name its game."""

    blinds: Annotated[str, tyro.conf.arg(metavar="SB/BB")] = "50/100"
    """Small and big blind in chips, with --starting-stack."""

    out: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Append the hands to this .phhs file, or, in PokerStars format, to this .txt file."""

    def run(self) -> None:
        """Prints how many hands were read, and the reasons for the rest."""
        game = None
        if self.starting_stack is not None:
            game = nlhe_env.Game.read(
                "cash", starting_stack=self.starting_stack, blinds=self.blinds
            )
        files = list(hand_files(self.files))  # before --out may add a file to a folder
        if self.out is not None and any(_is_same_file(self.out, file) for file in files):
            raise ValueError(f"--out must not be one of the files that are read; got {self.out}")
        started = time.perf_counter()
        survey = hand_history.survey_files(
            files,
            game=game,
            sink=None if self.out is None else hand_history.hand_sink(self.out),
        )
        elapsed_s = time.perf_counter() - started
        share = survey.read / max(survey.hands, 1)
        unit = "hand" if survey.hands == 1 else "hands"
        print(
            f"{survey.hands:,} {unit}, {survey.read:,} read ({share:.2%}), "
            f"{survey.hands / elapsed_s:,.0f} hands/s"
        )
        for reason, count in survey.reasons.most_common():
            print(printable(f"{count:>8,}  {reason}  ({survey.examples[reason]})"))


def _is_same_file(a: Path, b: Path) -> bool:
    """Whether two paths lead to one file, which need not exist yet."""
    return a.resolve() == b.resolve() or (a.exists() and b.exists() and a.samefile(b))


COMMANDS = {
    "equity": Equity,
    "equity income-rates": IncomeRatesCommand,
    "equity tables": BuildTablesCommand,
    "hands": Hands,
}


def main(arguments: Sequence[str] | None = None, *, prog: str = "python -m nlhe_env") -> int:
    """Runs the command line and returns the exit code."""
    return run_command(
        COMMANDS,
        arguments,
        prog=prog,
        description="Hand strength in Texas Hold'em, and recorded hands.",
    )


if __name__ == "__main__":
    run_program(main)
