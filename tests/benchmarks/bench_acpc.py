"""Prints how many hands a second a dealer plays over localhost, every client in its own process.

Run ``python tests/benchmarks/bench_acpc.py``. The number of lines matters most: a client gets one
for every decision of any player at the table, and one at the end of the hand.
"""

from __future__ import annotations

import io
import subprocess
import sys
import time

import agents
from agents.acpc import CLIENT, Dealer, competition_game
from agents.acpc.protocol import parse_betting, parse_finished_hand

PLAYER = "random"
CASES = ((2, 0, 4000), (2, 1, 3000), (2, 2, 3000), (6, 1, 1000), (6, 6, 500), (10, 10, 300))


class TimedLog(io.StringIO):
    """A log that notes the times of its first and last hand."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[tuple[float, float]] = []
        self.decisions: list[int] = []

    def write(self, text: str) -> int:
        """Take in a line."""
        if text.startswith("STATE"):
            self.times.append((time.perf_counter(), time.process_time()))
            betting = parse_finished_hand(text).betting
            self.decisions.append(sum(map(len, parse_betting(betting))))
        return len(text)


def bench(n_players: int, n_clients: int, hands: int) -> None:
    """Play one match and print its line."""
    log = TimedLog()
    seats = [CLIENT] * n_clients + [agents.make(PLAYER)] * (n_players - n_clients)
    with Dealer(competition_game(), hands, seats, seed=1, log=log) as dealer:
        clients = [
            subprocess.Popen(
                [sys.executable, "-m", "agents", "acpc", "client", "127.0.0.1", str(port), PLAYER],
                stdout=subprocess.DEVNULL,
            )
            for port in dealer.ports * n_clients
        ]
        dealer.play()
    for client in clients:
        client.wait()
    # The first tenth warms up.
    first = hands // 10
    wall, cpu = (end - begin for begin, end in zip(log.times[first], log.times[-1], strict=True))
    hands -= first + 1
    decisions = sum(log.decisions[first + 1 :])
    print(
        f"{n_players:>2} players, {n_clients:>2} clients {hands / wall:>8,.0f} hands/s"
        f"{decisions / wall:>9,.0f} decisions/s{decisions / hands:>7.1f} decisions a hand"
        f"{1e6 * cpu / decisions:>8.0f} us of the dealer's processor a decision",
        flush=True,
    )


if __name__ == "__main__":
    for case in CASES:
        bench(*case)
