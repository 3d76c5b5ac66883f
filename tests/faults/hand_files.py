"""Hand files of strangers: what a reader must refuse, at no cost to speak of."""

from __future__ import annotations

import random
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

from agents.acpc import read_log
from nlhe_env.hand_history import read_hands

HAND = """\
[1]
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [1000, 3000, 450]
actions = ["d dh p1 AsKd", "d dh p2 QhQc", "d dh p3 7c7d", "p3 cbr 450", "p1 cbr 1000", "p2 cc",
  "p1 sm AsKd", "p2 sm QhQc", "p3 sm 7c7d", "d db 2s7h9d", "d db Qd", "d db 3c"]
"""
LOG = """\
# name/game/hands/seed match holdem.nolimit.2p.reverse_blinds.20000.50-100 2 1
STATE:0:r200c/cc/cc/cc:AsKd|QhQc/2s7h9d/Jd/3c:-200|200:ann|bob
STATE:1:f:QhQc|AsKd:50|-50:bob|ann
"""
MOST_S, MOST_BYTES = 0.5, 20 * 2**20  # for 100 KB, while memory is traced


def hostile_files(size: int) -> dict[str, str]:
    """Files of about so many letters, each against another weakness."""
    dotted = ".".join("a" * (size // 2))
    return {
        "blanks in an open bracket": HAND + f'x = """\n[{" " * size}\n"""\nvariant = 3\n',
        "a key of many parts": f"{dotted} = 1",
        "a header of many parts": f"[{dotted}]",
        "quoted parts": ".".join(['"\\""'] * (size // 5)) + " = 1",
        "many headers": "".join(f"[a{i}]\n" for i in range(size // 8)),
        "many fields": "".join(f"a{i} = {{}}\n" for i in range(size // 11)),
        "nested lists": "a = " + "[" * size,
        "a huge exponent": HAND.replace("[1000,", "[1e999999999,"),
        "a tiny exponent": HAND.replace("[1000,", "[1e-999999999,"),
        "many digits": HAND.replace("[1000,", f"[{'9' * size},"),
        "hexadecimal digits": HAND.replace("[1000,", f"[0x{'f' * size},"),
        "an amount far away": HAND.replace("cbr 450", f"cbr {' ' * size}450x"),
    }


def hostile(generator: random.Random, number: int, folder: Path) -> Iterator[tuple[str, str]]:
    """Time and memory until each is refused."""
    read_hands(HAND)  # compiled code is loaded
    for size in (1000, 20_000, 100_000):
        for name, text in hostile_files(size).items():
            tracemalloc.start()
            start = time.process_time()
            try:
                read_hands(text)
                difference = "it was read"
            except ValueError:
                difference = ""
            seconds, (_, most) = time.process_time() - start, tracemalloc.get_traced_memory()
            tracemalloc.stop()
            if seconds > MOST_S or most > MOST_BYTES:
                difference = f"{seconds:.1f} s, {most / 2**20:.0f} MiB"
            yield f"{name}, {size}", difference


def damaged(generator: random.Random, number: int, folder: Path) -> Iterator[tuple[str, str]]:
    """Letters changed, left out or put in: read, or refused with a line."""
    letters = "0123456789.,[]{}\"'#=-_ \n|:/crfAsKp\x00é"
    for text, read in ((HAND, read_hands), (LOG, read_log)):
        for i in range(400):
            damaged = list(text)
            for _ in range(generator.randint(1, 4)):
                at = generator.randrange(len(damaged))
                damaged[at : at + generator.randint(0, 2)] = generator.choice(letters)
            try:
                read("".join(damaged))
                difference = ""
            except ValueError as error:
                difference = "" if "line " in str(error) else f"no line: {error}"
            except Exception as error:
                difference = f"{type(error).__name__}: {error}"
            yield f"{read.__name__} {i}", difference
