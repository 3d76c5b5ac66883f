"""Best responses in heads-up limit to three players who ignore their cards, to the last digit.

Usage: python tests/benchmarks/bench_card_blind_best_response.py ["always call" ...]

All 22,100 flops with all turns and rivers, in some minutes on one thread. The digits are those of
the same computation by a program of its own; rounded they are the ones that Johanson, Waugh,
Bowling and Zinkevich print (IJCAI 2011).
"""

from __future__ import annotations

import sys
import time

from agents.exploitability import card_blind_best_response

KNOWN = {
    "always call": ((0, 1, 0), 1.163475762, 1.163475762, 1.163475762),
    "always raise": ((0, 0, 1), 3.697692897, 3.697692897, 3.697692897),
    "call or raise": ((0, 0.5, 0.5), 2.406550907, 2.598112353, 2.214989462),
}
"""Chances to fold, call and raise; small bets a game of both seats, on the button, in the big
blind."""


def main() -> None:
    """Compute them, and stop at the first digit that differs."""
    for name in sys.argv[1:] or KNOWN:
        chances, *known = KNOWN[name]
        start = time.process_time()
        found = card_blind_best_response(chances)
        seconds = time.process_time() - start
        digits = [f"{x:.9f}" for x in (found.value, found.on_button, found.in_big_blind)]
        agrees = digits == [f"{x:.9f}" for x in known]
        print(f"{name}: {found.describe()}, {seconds:.0f} CPU s", flush=True)
        if not agrees:
            raise SystemExit(f"{name}: expected {known}")


if __name__ == "__main__":
    main()
