"""Matches of a player that solves while it plays, block by block: they take hours.

    python tests/benchmarks/bench_solving_player.py match OPPONENT [BLOCKS] [--into FILE]
    python tests/benchmarks/bench_solving_player.py response MENU [BLOCKS] [--into FILE]

``match``: the player and its blueprint against the same opponent on the same cards, by AIVAT.
``response``: the local best response to the player with a menu such as ``fcpa`` or ``fold-call``;
before the turn it checks and calls. A file keeps a line of JSON for each duplicate block of two
hands: a run that broke off goes on where it was. All in thousandths of a big blind a hand.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

import agents
import nlhe_env
from agents.exploitability import LocalBestResponse, Menu

GAME = nlhe_env.Game.cash(num_hands=1, starting_stack=20_000, blinds=(50, 100), score="big_blinds")
HANDS = 2
WAITS = ("preflop", "flop")


def won(tally, player):
    """Thousandths of a big blind a hand that a player has won in a block."""
    return float(1000 * tally.row_scores[0, player] / HANDS)


def match(args, block):
    """What the player and its blueprint win in a block."""
    found = {}
    for what, name in (("solving", args.name), ("blueprint", args.name.partition(":")[0])):
        players = [agents.make(name), agents.make(args.against)]
        tally = agents.play(players, block, GAME, seed=1, variance_reduction="aivat", rows=True)
        found[what] = won(tally, 0)
    found["difference"] = found["solving"] - found["blueprint"]
    return found


def response(args, block):
    """What the local best response wins in a block."""
    to = LocalBestResponse(Menu.of(args.against, WAITS))
    return {args.against: won(to([agents.make(args.name)], block, GAME, seed=1, rows=True), 1)}


def main():
    """Play blocks, and report all that a file has."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("match", "response"))
    parser.add_argument("against")
    parser.add_argument("blocks", type=int, nargs="?", default=100)
    parser.add_argument("--name", default="equilibrium-nolimit:resolve=turn")
    parser.add_argument("--into", type=Path)
    args = parser.parse_args()
    rows = []
    if args.into is not None and args.into.exists():
        rows = [json.loads(line) for line in args.into.read_text().splitlines()]
    play = match if args.what == "match" else response
    while len(rows) < args.blocks:
        began = time.process_time()
        rows.append(play(args, agents.Blocks(1, first=len(rows))))
        rows[-1]["CPU s"] = time.process_time() - began
        if args.into is not None:
            with args.into.open("a") as file:
                file.write(json.dumps(rows[-1]) + "\n")
    print(f"{args.name}, {args.what} {args.against}: {len(rows)} blocks")
    for what in rows[0]:
        values = np.array([row[what] for row in rows])
        error = values.std(ddof=1) / len(values) ** 0.5
        print(f"{what}: {values.mean():,.1f} ± {error:,.1f}")


if __name__ == "__main__":
    main()
