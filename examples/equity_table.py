"""Print a table of equities: hands against ranges, on any board, exact or sampled.

Usage: python examples/equity_table.py [--hands AsAh AsKs] [--ranges 22+ "AT+, KQ"] [--board Kd7s2c]
"""

from __future__ import annotations

import argparse

from nlhe_env import equities

HANDS = ("AsAh", "AsKs", "JhTh", "7c7d", "7h2s")
RANGES = ("QQ+, AK", "22+", "A2s+", "*")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", nargs="+", default=HANDS)
    parser.add_argument("--ranges", nargs="+", default=RANGES)
    parser.add_argument("--board", default="")
    parser.add_argument("--samples", type=int, help="deals to draw; default: all are counted")
    options = parser.parse_args()

    print(f"pot share of the hand in percent, board: {options.board or 'none yet'}")
    print("".join(["        ", *(f"{text:>18}" for text in options.ranges)]))
    for hand in options.hands:
        cells = []
        for text in options.ranges:
            result = equities([hand, text], options.board, samples=options.samples)
            share, error = result.equity[0], result.standard_error[0]
            cells.append(f"{100 * share:.2f}" + ("" if result.exact else f" ± {196 * error:.2f}"))
        print("".join([f"{hand:8}", *(f"{cell:>18}" for cell in cells)]))


if __name__ == "__main__":
    main()
