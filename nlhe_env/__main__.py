"""The command line of the game: ``python -m nlhe_env tables``, ``equity``, ``income-rates``."""

from __future__ import annotations

import argparse
import sys
import time

import nlhe_env.equity
from nlhe_env.cards import RANKS


def _tables(arguments: argparse.Namespace) -> None:
    """Build the exact strength tables, or verify those on disk."""
    started = time.perf_counter()
    if arguments.rebuild:
        nlhe_env.equity.rebuild_tables()
    else:
        nlhe_env.equity.load_tables()
    elapsed_s = time.perf_counter() - started
    path = nlhe_env.equity.tables_file()
    size = f"{path.stat().st_size / 1e6:.1f} MB" if path.exists() else "in memory only"
    print(f"{path}  {size}  ready after {elapsed_s:.2f} s")


def _equity(arguments: argparse.Namespace) -> None:
    """Print the share of the pot that hands or ranges win at showdown."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    started = time.perf_counter()
    try:
        result = nlhe_env.equity.equities(
            arguments.hands,
            arguments.board,
            arguments.dead,
            samples=arguments.samples,
            precision=arguments.precision,
            seconds=arguments.seconds,
            seed=arguments.seed,
        )
    except ValueError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    elapsed_s = time.perf_counter() - started

    table = Table(box=box.SIMPLE)
    table.add_column("hand or range")
    for title in "equity %", "win %", "tie %":
        table.add_column(title, justify="right")
    if not result.exact:
        table.add_column("± standard error", justify="right")
    shares = zip(result.equity, result.win, result.tie, result.standard_error, strict=True)
    for hand, numbers in zip(arguments.hands, shares, strict=True):
        shown = numbers[:3] if result.exact else numbers
        table.add_row(hand, *(f"{100 * number:.3f}" for number in shown))
    Console(highlight=False).print(table)
    how = "exact, all" if result.exact else "sampled,"
    print(f"{how} {result.n_deals:,} deals, {elapsed_s:.2f} s")


def _income_rates(arguments: argparse.Namespace) -> None:
    """Print what hole cards win if all players call one bet, in thousandths of it."""
    try:
        found = nlhe_env.income_rates(
            arguments.players, n_games=arguments.games, seed=arguments.seed
        )
    except ValueError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    print("  " + "".join(f"{rank:>6}" for rank in reversed(RANKS)))
    # From the ace down: the class 13 * high + low of suited cards comes above the diagonal.
    for rank, row in zip(reversed(RANKS), found.rates.reshape(13, 13)[::-1, ::-1], strict=True):
        print(f"{rank:<2}" + "".join(f"{rate:+6.0f}" for rate in row))
    print(f"suited above the diagonal; standard error at most {found.standard_errors.max():.1f}")


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(prog="python -m nlhe_env", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")
    tables = commands.add_parser("tables", help=_tables.__doc__, description=_tables.__doc__)
    tables.add_argument("--rebuild", action="store_true", help="build anew whatever is on disk")
    tables.set_defaults(run=_tables)
    equity = commands.add_parser("equity", help=_equity.__doc__, description=_equity.__doc__)
    equity.add_argument("hands", nargs="+", help='"AhKh" or "TT+, AQs+", 2 to 10 of them')
    equity.add_argument("--board", default="", help='no, three, four or five cards, "Qs7h2h"')
    equity.add_argument("--dead", default="", help="cards that nobody can have")
    equity.add_argument("--precision", type=float, help="draw deals to this standard error")
    equity.add_argument("--samples", type=int, help="draw this many deals, count none")
    equity.add_argument("--seconds", type=float, help="draw deals for this long")
    equity.add_argument("--seed", type=int, default=0, help="of the deals drawn (0)")
    equity.set_defaults(run=_equity)
    rates = commands.add_parser(
        "income-rates", help=_income_rates.__doc__, description=_income_rates.__doc__
    )
    rates.add_argument("players", type=int, help="2 to 10")
    rates.add_argument("--games", type=int, default=2_000_000, help="to draw (2,000,000)")
    rates.add_argument("--seed", type=int, default=0, help="of the deals drawn (0)")
    rates.set_defaults(run=_income_rates)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
