"""The style counts recomputed from the events of every hand, without the game's own counts."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from helpers import CALL, FOLD

import agents
import nlhe_env
from nlhe_env.game.style_counts import MOST_POTS, POT_UNITS, STYLE_COUNTS


class Event(NamedTuple):
    """What a player did: "fold", "check", "call" or "raise", the last with its size in pots."""

    player: str
    street: str
    word: str
    size: Fraction


class Recount:
    """Follows an environment with actions in chips; ``act`` takes every step."""

    def __init__(self, env: nlhe_env.raw_env) -> None:
        self.env = env
        self.counts = {agent: Counter[str]() for agent in env.possible_agents}
        self._events: list[Event] = []
        self._bet, self._street = 0, ""
        self._end_hands()

    def act(self, action: int) -> None:
        env = self.env
        player = env.agent_selection
        info = env.full_info()
        street, to_call = info["street"], info["to_call"]
        if not self._events or street != self._street:
            self._street, self._bet = street, info["big_blind"] * (street == "preflop")
        word, size = "raise", Fraction(0)
        if action == FOLD:
            word = "fold"
        elif action == CALL:
            word = "call" if to_call else "check"
        else:
            size = Fraction(action - self._bet, info["pot"] + to_call)
            self._bet = action
        self._events.append(Event(player, street, word, size))
        env.step(action)
        self._end_hands()

    def _end_hands(self) -> None:
        for result in self.env.hands_over:
            for player in result["net"]:
                self.counts[player].update(tell(player, self._events, result))
            self._events = []

    def array(self) -> np.ndarray:
        """The counts in the order of the game's."""
        rows = [[float(count[name]) for name in STYLE_COUNTS] for count in self.counts.values()]
        return np.array(rows)


def tell(player: str, events: list[Event], result: Mapping[str, Any]) -> Counter[str]:
    """What one player did in one hand."""
    count = Counter(hands=1)
    preflop = {e.word for e in events if e.player == player and e.street == "preflop"}
    count["preflop_hands"] = bool(preflop)
    count["entered"] = bool(preflop & {"call", "raise"})
    count["raised_preflop"] = "raise" in preflop
    count["flops"] = bool(result["board"]) and "fold" not in preflop
    count["showdowns"] = player in result["shown"]
    for i, event in enumerate(events):
        if event.player != player:
            continue
        after_flop = event.street != "preflop"
        count["bets"] += after_flop and event.word == "raise"
        count["calls"] += after_flop and event.word == "call"
        if any(e.street == event.street and e.word == "raise" for e in events[:i]):
            count["faced"] += 1
            count["folds_faced"] += event.word == "fold"
        if event.word == "raise":
            count["sized"] += 1
            count["bet_over_pot"] += min(event.size, MOST_POTS) * POT_UNITS
    return count


def recount_episode(
    env: nlhe_env.raw_env, players: Mapping[str, agents.Player], seed: int
) -> Recount:
    """Play an episode and recount it."""
    lineup = agents.Lineup(env, players)
    env.reset(seed=seed)
    recount = Recount(env)
    while env.agents:
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            env.step(None)
        else:
            recount.act(lineup.action())
    return recount


def check_counts(counted: np.ndarray, recount: Recount) -> None:
    """The game's counts equal the recount; sizes to half a unit for every bet."""
    recounted = recount.array()
    np.testing.assert_array_equal(counted[:, :-1], recounted[:, :-1])
    assert (np.abs(counted[:, -1] - recounted[:, -1]) <= 0.5 * recounted[:, -2] + 1e-3).all()
