"""Prints what every way to take luck out of results saves, and what it costs.

Run ``python tests/benchmarks/bench_luck.py [HANDS]``; deviations are of a hand, in big blinds, and
``hands`` is the share of the hands that is needed for the same standard error. Costs are processor
time of one thread, the same hands in turns with and without, medians of several calls. The last
table is about logs: hands a second from the file to the judged numbers.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

import agents
import nlhe_env
from agents.acpc.protocol import FinishedHand
from evolve import judge_hands
from nlhe_env.hand_history import Hand, stream_hands, write_hands
from nlhe_env.hand_history.record import CALL, FOLD

LIMIT = nlhe_env.Game.cash(betting="fixed-limit", num_hands=1, score="big_blinds")
NO_LIMIT = nlhe_env.Game.cash(num_hands=1, score="big_blinds")
SIX = ("old-best", "tight-aggressive", "loose-passive", "pot-odds", "old-start", "push-or-fold")

SETTINGS = [
    (("caller", "hothead-maniac"), LIMIT, ("divat", "divat-roe")),
    (("formula", "formula"), LIMIT, ("divat", "divat-roe")),
    (("pot-odds", "call-or-raise"), LIMIT, ("divat", "divat-roe")),
    (("old-best", "pot-odds"), LIMIT, ("divat", "divat-roe")),
    (("push-or-fold", "old-best"), NO_LIMIT, ("all-in",)),
    (("old-best", "tight-aggressive"), NO_LIMIT, ("all-in",)),
    (SIX, NO_LIMIT, ("all-in",)),
]

TURNS = 5


def play(names, game, luck, schedule):
    """The tally, and processor seconds."""
    players = [agents.make(name) for name in names]
    started = time.thread_time()
    tally = agents.play(players, schedule, game, seed=7, luck=luck)
    return tally, time.thread_time() - started


def in_turns(names, game, lucks, schedule):
    """Tallies by luck, and the median seconds of each."""
    short = schedule.part(0, max(2, len(schedule) // TURNS))
    for luck in lucks:  # compiles
        play(names, game, luck, schedule.part(0, 2))
    seconds = {luck: [] for luck in lucks}
    for _ in range(TURNS):
        for luck in lucks:
            tally, spent = play(names, game, luck, short)
            seconds[luck].append(spent / tally.hands)
    tallies = {luck: play(names, game, luck, schedule)[0] for luck in lucks}
    return tallies, {luck: statistics.median(spent) for luck, spent in seconds.items()}


def bench_playing(n_hands):
    print("| players | table | hands | luck | won | s.d. | hands needed | µs a hand |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for names, game, lucks in SETTINGS:
        for kind, schedule in (
            ("single", agents.Tournaments(n_hands)),
            ("duplicate", agents.Blocks(n_hands // len(names))),
        ):
            tallies, seconds = in_turns(names, game, ("none", *lucks), schedule)
            plain = tallies["none"].deviations[0]
            rotations = schedule.rotations(len(names))
            for luck, tally in tallies.items():
                # The mean of a block's hands, as the thesis has it.
                spread = tally.deviations[0] / rotations
                cells = (
                    ", ".join(names),
                    kind,
                    f"{tally.hands:,}",
                    luck,
                    f"{tally.scores[0] / rotations:+.3f} ± {tally.errors[0] / rotations:.3f}",
                    f"{spread:.3f}",
                    f"{(tally.deviations[0] / plain) ** 2:.0%}",
                    f"{1e6 * seconds[luck]:.1f}",
                )
                print("|", " | ".join(cells), "|", flush=True)


def recorded(names, game, n_hands):
    hands: list[Hand] = []
    players = [agents.make(name) for name in names]
    agents.play(players, agents.Tournaments(n_hands), game, seed=7, record=hands)
    return hands


def acpc_log(hands):
    """The hands as a log of the computer poker competition."""
    first = hands[0]
    kind = "limit" if first.betting == "fixed-limit" else "nolimit"
    stack, blinds = first.stacks[0], f"{first.small_blind}-{first.big_blind}"
    lines = [f"# a/holdem.{kind}.{len(first.stacks)}p.{stack}.{blinds}/1/1"]
    for number, hand in enumerate(hands):
        in_before = dict.fromkeys(range(len(hand.stacks)), 0)
        here = dict(enumerate(hand.posted))
        streets, open_cards = [""], 0
        for action in hand.actions:
            while action.board_cards > open_cards:
                streets.append("")
                open_cards = 3 if open_cards == 0 else open_cards + 1
                for place, chips in here.items():
                    in_before[place] += chips
                here = dict.fromkeys(here, 0)
            if action.kind == FOLD:
                streets[-1] += "f"
            elif action.kind == CALL:
                streets[-1] += "c"
                here[action.position] = min(
                    max(here.values()), hand.stacks[action.position] - in_before[action.position]
                )
            else:
                here[action.position] = action.to
                whole = f"{in_before[action.position] + action.to}"
                streets[-1] += "r" + (whole if kind == "nolimit" else "")
        cards = [hand.board[:6], hand.board[6:8], hand.board[8:]]
        while len([part for part in cards if part]) >= len(streets):
            streets.append("")  # the board was dealt to players all-in
        net = tuple(
            after - before for after, before in zip(hand.finishing_stacks, hand.stacks, strict=True)
        )
        board = tuple(part for part in cards if part)
        finished = FinishedHand(
            number, "/".join(streets), hand.hole_cards, board, net, hand.players
        )
        lines.append(str(finished))
    return "\n".join(lines) + "\n"


def bench_logs(n_hands):
    print("\n| log | read and checked, hands a second | read and judged |")
    print("| --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for names, game in (
            (("old-best", "pot-odds"), LIMIT),
            (("push-or-fold", "old-best"), NO_LIMIT),
            (SIX, NO_LIMIT),
        ):
            hands = recorded(names, game, n_hands)
            for ending, text in ((".phhs", write_hands(hands)), (".log", acpc_log(hands))):
                path = Path(folder) / f"hands{ending}"
                path.write_text(text)
                speeds = []
                for work in (lambda file: list(stream_hands(file)), judged):
                    work(path)
                    spent = []
                    for _ in range(TURNS):
                        started = time.thread_time()
                        work(path)
                        spent.append(time.thread_time() - started)
                    speeds.append(len(hands) / statistics.median(spent))
                what = f"{game.betting}, {len(names)} players, {ending}"
                print("|", what, "|", " | ".join(f"{speed:,.0f}" for speed in speeds), "|")


def judged(path):
    """Judge a file; every hand of it must be readable."""
    return judge_hands(stream_hands(path))


def main():
    n_hands = int(sys.argv[1]) if len(sys.argv) > 1 else 40_000
    bench_playing(n_hands)
    bench_logs(min(n_hands, 4_000))


if __name__ == "__main__":
    main()
