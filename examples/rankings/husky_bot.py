"""Seat the public bots of Husky Hold'em (github.com/NousResearch/huskyholdem-bench).

This runs the code of the file: use a container for files that you have not read. The arena's own
client is not public here; what a bot gets follows the definitions and logs in its repository: two
hole cards as texts, the big blind as the blind, the chips to add as the amount of a raise. An
exception or an illegal action is a fold. A bot is notified of a street when it first has to act.

Usage: nlhe league "gpt-5=husky_bot.py:HuskyBot:path=.../player.py" caller --starting-stack 1000
       python husky_bot.py .../generated/bot --tables 600  # all bots at random tables of six
"""

from __future__ import annotations

import argparse
import enum
import random
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np

import agents
import nlhe_env

PokerAction = enum.Enum("PokerAction", "FOLD CHECK CALL RAISE ALL_IN")
STREETS = ("preflop", "flop", "turn", "river")


class Bot:
    """Base class of the bots."""

    def __init__(self) -> None:
        self.id: int | None = None

    def set_id(self, player_id: int) -> None:
        self.id = player_id


class RoundStateClient(types.SimpleNamespace):
    """What a bot sees of a street."""


def load(path: Path) -> Any:
    """A new bot of a file, with the modules that it imports."""
    known: dict[str, dict[str, Any]] = {"bot": {"Bot": Bot}, "type": {}}
    known["type.poker_action"] = {"PokerAction": PokerAction}
    known["type.round_state"] = {"RoundStateClient": RoundStateClient}
    for name, content in known.items():
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(content)
    module = types.ModuleType(path.parent.name)
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), vars(module))
    return module.SimplePlayer()


class HuskyBot(agents.ChipPlayer):
    """A bot of the arena as a player."""

    def __init__(self, path: str) -> None:
        self.name = Path(path).parent.name
        self.decisions = self.failures = self.illegal = 0
        self._bot = load(Path(path))
        self._street = ""

    def on_hand_start(self, info: dict[str, Any]) -> None:
        """Tell the bot its cards, the blinds and the players, by their seats."""
        seats = [seat for seat, one in enumerate(info["seats"]) if one is not None]
        button = seats.index(info["button"])
        order = seats[button + 1 :] + seats[: button + 1]
        small, big = (order[-1], order[0]) if len(seats) == 2 else order[:2]
        own = info["seats"][info["seat"]]["stack"]
        cards = [info["hole_cards"][:2], info["hole_cards"][2:]]
        self._street = ""
        self._bot.set_id(info["seat"])
        self._call("on_start", own, cards, info["big_blind"], big, small, seats)

    def decide(self, turn: dict[str, Any]) -> int:
        """The bot's action; a fold if it fails or its action is illegal."""
        own = turn["seats"][turn["seat"]]
        state = self._state(turn, own)
        if turn["street"] != self._street:
            self._street = turn["street"]
            self._call("on_round_start", state, own["stack"])
        self.decisions += 1
        answer = self._call("get_action", state, own["stack"])
        action = self._action(answer, turn, own)
        if action is None:
            self.illegal += answer is not None
            action = agents.FOLD
        free = turn["to_call"] == 0
        return agents.CHECK_OR_CALL if action == agents.FOLD and free else action

    def _state(self, turn: dict[str, Any], own: dict[str, Any]) -> RoundStateClient:
        seats = {seat: one for seat, one in enumerate(turn["seats"]) if one is not None}
        actions = {str(one["seat"]): one["action"].title() for one in turn["history"]
                   if one["street"] == turn["street"]}  # fmt: skip
        return RoundStateClient(
            round_num=STREETS.index(turn["street"]),
            round=turn["street"].title(),
            community_cards=[turn["board"][i : i + 2] for i in range(0, len(turn["board"]), 2)],
            pot=turn["pot"],
            current_player=[seat for seat, one in seats.items() if one["state"] != "folded"],
            current_bet=max(one["bet"] for one in seats.values()),
            min_raise=max(turn["min_raise_to"] - own["bet"], 0),
            max_raise=own["stack"],
            player_bets={str(seat): one["bet"] for seat, one in seats.items()},
            player_actions=actions,
            side_pots=[],
        )

    def _action(self, answer: Any, turn: dict[str, Any], own: dict[str, Any]) -> int | None:
        """Id in chips of an answer; None if it is illegal."""
        try:
            kind, amount = answer[0].name, int(answer[1] or 0)
        except (TypeError, ValueError, AttributeError, IndexError):
            return None
        if kind in ("FOLD", "CALL"):
            return agents.FOLD if kind == "FOLD" else agents.CHECK_OR_CALL
        if kind == "CHECK":
            return agents.CHECK_OR_CALL if turn["to_call"] == 0 else None
        to = own["bet"] + (own["stack"] if kind == "ALL_IN" else amount)
        if turn["max_raise_to"] == 0:  # no raise is possible: the rest of the chips is a call
            return agents.CHECK_OR_CALL if kind == "ALL_IN" or amount > 0 else None
        if kind == "RAISE" and to < min(turn["min_raise_to"], own["bet"] + own["stack"]):
            return None
        return int(min(to, turn["max_raise_to"]))

    def _call(self, method: str, *values: Any) -> Any:
        try:
            return getattr(self._bot, method)(*values)
        except Exception:
            self.failures += 1
            return None


def replay(folder: Path, tables: int, seed: int, hands: int = 200) -> None:
    """Play all bots of a folder at random tables of six with 100 big blinds, and rank them."""
    paths = sorted(folder.glob("*/player.py"))
    game = nlhe_env.Game.cash(num_hands=hands, blinds=(5, 10), starting_stack=1000)
    rng, results = np.random.default_rng(seed), np.full((tables, len(paths)), np.nan)
    counts = np.zeros((len(paths), 3), np.int64)
    random.seed(seed)  # of the bots
    for k in range(tables):
        seated = rng.choice(len(paths), 6, replace=False)
        bots = [HuskyBot(str(paths[i])) for i in seated]
        tally = agents.play(bots, agents.Tournaments(1), game, seed=int(rng.integers(2**31)))
        results[k, seated] = tally.scores / 10 / hands * 100
        counts[seated] += [(bot.decisions, bot.failures, bot.illegal) for bot in bots]
    ranking = agents.rank(results, [path.parent.name for path in paths])
    print(f"{ranking.decided} of {len(ranking.pairs)} orders; {tables * hands:,} hands\n")
    print("| bot | tables | bb/100 | best | failures | illegal |\n| --- |" + " ---: |" * 5)
    for i in ranking.order:
        low, high = ranking.interval(i)
        shares = " | ".join(f"{part / counts[i, 0]:.0%}" for part in counts[i, 1:])
        print(
            f"| {ranking.names[i]} | {ranking.counts[i]:.0f} | {ranking.means[i]:+z.0f} ± "
            f"{(high - low) / 2:.0f} | {ranking.first[i]:.0%} | {shares} |"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Play the bots of a folder against each other.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tables", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    replay(given.folder, given.tables, given.seed)
