"""Records with one wrong number: refused, or harmless."""

from itertools import islice

import numba
import numpy as np
import pytest

import nlhe_env
from nlhe_env.game import holdem
from nlhe_env.game.table import FOLDED, TABLE
from nlhe_env.game.validity import check_pots, check_table
from nlhe_env.jit.compilation import kernel

# What has no bearing on how a hand goes on.
_OF_NO_CONSEQUENCE = ("strength", "strength_key", "pot_size", "pot_eligible", "pot_winners")

EVERY = 12 if numba.config.DISABLE_JIT else 1  # decision: plain Python takes its time


@kernel
def _play_on(tables, ranks, raise_first):
    """Call to the end of the hand, maybe after a raise all-in; False if it has no end."""
    table = tables[0]
    for i in range(300):
        if table.actor < 0:
            holdem.settle(table, ranks)
            return True
        seat = table.actor
        all_in = table.street_bet[seat] + table.stack[seat]
        holdem.act(table, all_in if i == 0 and raise_first and all_in > table.current_bet else 0)
    return False


def decisions(n_players, seed, **arguments):
    """Records of a game, one at every decision."""
    env = nlhe_env.raw_env(n_players, actions="chips", **arguments)
    generator = np.random.default_rng(seed)
    env.reset(seed=seed)
    while env.agents and len(env.agents) > 1:
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            env.step(None)
            continue
        yield env.table.copy()
        info = env.infos[agent]
        legal = [1, 1] + [0] * (info["to_call"] > 0)
        if info["max_raise_to"]:
            legal += [info["min_raise_to"], (info["min_raise_to"] + info["max_raise_to"]) // 2]
        env.step(int(generator.choice(legal)))


GAMES = {
    "heads-up": (2, {"mode": "cash", "num_hands": 6}),
    "six with antes": (6, {"mode": "cash", "num_hands": 4, "blinds": (10, 20, 5)}),
    "two tables": (14, {"num_hands": 3}),
    "short stacks": (4, {"starting_stack": [30, 90, 200, 1000], "num_hands": 12}),
    "fixed-limit": (3, {"betting": "fixed-limit", "mode": "cash", "num_hands": 4}),
}


@pytest.mark.parametrize(("players", "arguments"), GAMES.values(), ids=GAMES)
def test_one_wrong_number_is_refused_or_harmless(players, arguments):
    generator = np.random.default_rng(players)
    ranks = np.zeros(10, np.int64)
    tried = refused = 0
    for record in islice(decisions(players, 3, **arguments), None, None, EVERY):
        check_table(record)
        for name in TABLE.names:
            if name in _OF_NO_CONSEQUENCE:
                continue
            dtype, shape = record[name].dtype, record[name].shape
            for change in (1, -1, 2**6, -(2**6), 2**40, -(2**62), 2**62):
                if not np.iinfo(dtype).min <= change <= np.iinfo(dtype).max:
                    continue
                damaged = np.atleast_1d(record).copy()
                place = tuple(generator.integers(size) for size in shape)
                with np.errstate(over="ignore"):
                    damaged[name][(0, *place)] += dtype.type(change)
                tried += 1
                try:
                    check_table(damaged[0])
                except ValueError:
                    refused += 1
                    continue
                before = int(damaged["starting_stack"][0][damaged["player"][0] >= 0].sum())
                assert _play_on(damaged, ranks, bool(generator.integers(2))), (name, place, change)
                after = int(damaged["stack"][0][damaged["player"][0] >= 0].sum())
                assert after == before, (name, place, change)
    assert refused > 0.5 * tried > 1000 / EVERY


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("seats", 11, "seats must be 2 to 10"),
        ("button", 3, "button must be the seat of a player"),
        ("actor", 1, "actor must be the seat whose turn it is"),
        ("actor", 2**40, "actor must be the seat whose turn it is"),
        ("pot", 31, "pot must be all that has been put in"),
        ("street", 1, "street must be 0 to 3"),
        ("stack", [1, 990, 980, 0, 0, 0, 0, 0, 0, 0], "chips must be what a seat began with"),
        ("status", [3, 1, 1, 0, 0, 0, 0, 0, 0, 0], "unfolded and active"),
        ("current_bet", 25, "current_bet and full_raise"),
        ("unfolded", 2, "unfolded and active"),
        ("won", [5, 0, 0, 0, 0, 0, 0, 0, 0, 0], "nothing can be shown or won"),
        ("cards", [0] * 52, "cards must be a deck"),
        ("cards", [-1, *range(51)], "cards must be a deck"),
        ("cards", [*range(51), 52], "cards must be a deck"),
        ("small_blind", 21, "blinds and ante"),
        ("player", [0, 1, 1, -1, -1, -1, -1, -1, -1, -1], "players must be different"),
        ("bets", 2, "bets, raises and calls"),
        ("hand", -1, "hand, hands_dealt and number"),
        ("hands_dealt", 0, "hand, hands_dealt and number"),
        ("betting", 3, "betting and max_bets"),
    ],
)
def test_the_message_names_the_error(name, value, problem):
    env = nlhe_env.raw_env(3, mode="cash", blinds=(10, 20))
    env.reset(seed=1, options={"button": 0})
    record = env.table.copy()
    check_table(record)
    record[name] = value
    with pytest.raises(ValueError, match=problem):
        check_table(record)


def test_the_ante_of_the_big_blind_is_no_bet_that_others_matched():
    blinds = nlhe_env.BlindSchedule(((10, 20, 30),), ante_by="big blind")
    env = nlhe_env.raw_env(3, mode="cash", blinds=blinds)
    env.reset(seed=1, options={"button": 0})
    for action in (1, 1, 1, 1, 2, 2, 0):  # on the flop the small blind folds to a raise
        env.step(action)
    record = env.table.copy()
    check_pots(record)
    folded = int(np.flatnonzero(record["status"] == FOLDED)[0])
    record["hand_bet"][folded] += 25
    record["stack"][folded] -= 25
    record["pot"] += 25
    with pytest.raises(ValueError, match="pot must be all that has been put in"):
        check_pots(record)
