"""Do harm to everything that comes from outside, and see what it does.

    python tests/faults/run.py [PART ...] [--seed 1] [--scale 1]

A try is survived when the harm is refused with a sentence that names what is wrong, or makes no
difference. For every part the number of tries is printed, how many were survived, and what
differed; the exit code is 1 if anything did. Some parts need Linux, and say so elsewhere.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import array_files
import hand_files
import hand_lines
import metrics_bits
import processes
import runs
import solver_arrays
import web_names
import web_server

Try = tuple[str, str]
"""What was tried, and what differed: empty if it was survived."""
Part = Callable[[random.Random, int, Path], Iterator[Try]]

PARTS: dict[str, tuple[str, Part]] = {
    "hands": ("hand files that nest, backtrack and count without end", hand_files.hostile),
    "damaged hands": ("hand files and logs with random letters changed", hand_files.damaged),
    "hand lines": ("a hostile number or piece of text in every line of a hand", hand_lines.hostile),
    "impossible hands": ("hands that cannot have been, as text and values", hand_lines.impossible),
    "solvers": ("arrays that are no strategies, to the solvers", solver_arrays.strategies),
    "arrays": ("players, checkpoints and strength tables with flipped bits", array_files.flipped),
    "runs": ("files of a run changed, cut and emptied, then read by commands", runs.damaged),
    "kills": ("runs killed at random moments, then resumed", runs.killed),
    "metrics bits": (
        "a run watched and resumed with a bit of its metrics flipped",
        metrics_bits.flipped,
    ),
    "second resume": ("a run resumed while it is trained", runs.resumed_twice),
    "interrupts": ("two Ctrl-C at random moments of a run", runs.interrupted_twice),
    "shared memory": ("processes with a full shared-memory disk", processes.full_shared_memory),
    "uploads": ("hostile files sent to the table in the browser", web_server.uploads),
    "web names": ("pipes and folders as files of runs, and long names", web_names.asked),
    "connections": ("more connections than a server takes, and silent ones", web_server.flood),
    "hanging bots": ("games with bots that never answer, beside others", web_server.hanging_bots),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", type=int, default=1, help="how many times the usual tries")
    given = parser.parse_args()
    unknown = set(given.parts) - set(PARTS)
    if unknown:
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    differed = False
    print(f"{'part':<16}{'tried':>8}{'survived':>10}{'seconds':>9}  what is done")
    for name in given.parts or PARTS:
        words, part = PARTS[name]
        start, tries = time.monotonic(), []
        with tempfile.TemporaryDirectory() as folder:
            for number in range(given.scale):
                where = Path(folder, str(number))
                where.mkdir()
                tries += part(random.Random(f"{name} {given.seed} {number}"), number, where)
        wrong = [(what, difference) for what, difference in tries if difference]
        seconds = time.monotonic() - start
        print(
            f"{name:<16}{len(tries):>8}{len(tries) - len(wrong):>10}{seconds:>9.1f}  {words}",
            flush=True,
        )
        for what, difference in wrong[:20]:
            print(f"    {what}: {difference}")
        differed |= bool(wrong)
    return int(differed)


if __name__ == "__main__":  # processes that are spawned import this file
    sys.exit(main())
