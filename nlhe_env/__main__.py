"""The command line of the game: ``python -m nlhe_env tables``."""

from __future__ import annotations

import argparse
import time

import nlhe_env.equity


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


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(prog="python -m nlhe_env", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")
    tables = commands.add_parser("tables", help=_tables.__doc__, description=_tables.__doc__)
    tables.add_argument("--rebuild", action="store_true", help="build anew whatever is on disk")
    tables.set_defaults(run=_tables)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
