"""A table in mid-hand: copied, continued differently and restored; whole environments copied.

Two environments play the same game. One of them strays before every decision: it keeps the table,
plays something else and puts the table back. Nothing of that may ever show. (Rewards that an agent
has not collected are no part of a table: they go with the step that strays.)
"""

import copy
import pickle
from itertools import islice

import numpy as np
import pytest
from helpers import decisions, drive, legal_ids, snapshot

import nlhe_env
from nlhe_env.cards import parse_cards
from nlhe_env.game.table import ALL_IN, NO_PLAYER, RIVER

GAMES = {
    "heads-up": {"num_players": 2, "starting_stack": (300, 200)},
    "three players": {"num_players": 3, "starting_stack": 200},
    "six unequal stacks": {
        "num_players": 6,
        "starting_stack": (30, 90, 200, 55, 400, 120),
        "actions": "chips",
    },
    "ten players, antes": {
        "num_players": 10,
        "starting_stack": 150,
        "blinds": (5, 10, 2),
        "actions": "sized",
    },
    "cash": {"num_players": 4, "starting_stack": 300, "mode": "cash", "num_hands": 30},
    "three tables": {"num_players": 8, "table_size": 3, "starting_stack": 150},
    "pot-limit": {"num_players": 4, "starting_stack": 200, "betting": "pot-limit"},
    "fixed-limit": {"num_players": 4, "starting_stack": 200, "betting": "fixed-limit"},
    "options": {
        "num_players": 4,
        "mode": "cash",
        "num_hands": 9,
        "blinds": nlhe_env.BlindSchedule(((5, 10, 10),), ante_by="big blind"),
        "straddle": "under the gun",
        "rake": nlhe_env.Rake(share=0.05, cap=40),
        "boards": 2,
    },
}
CLONED = {
    **GAMES,  # without what a table does not tell, such as how often players have raised
    "wrapped": {"num_players": 3, "starting_stack": 200, "observation": "features"},
}

CLONES = {
    "copy": copy.copy,
    "deep copy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


def start(game: str, seed: int) -> nlhe_env.raw_env:
    make = nlhe_env.env if game == "wrapped" else nlhe_env.raw_env
    env = make(**{"blinds": (5, 10), "infos": "full", **CLONED[game]})
    env.reset(seed=seed)
    return env


def may_end_the_hand(env: nlhe_env.raw_env) -> bool:
    """Whether a call or fold could be the last action of the hand; a raise never is."""
    return bool(env.table["street"] == RIVER or env.table["active"] < 3)


def stray(env: nlhe_env.raw_env, generator: np.random.Generator) -> None:
    """Keep the table, play up to six random actions of the same hand, and put the table back."""
    record = env.table.copy()
    for _ in range(int(generator.integers(1, 7))):
        legal = legal_ids(env)
        if may_end_the_hand(env):
            legal = legal[legal >= 2]
        if len(legal) == 0:
            break
        env.step(int(generator.choice(legal)))
    env.set_table(record)


def all_outputs(env: nlhe_env.raw_env) -> tuple:
    """All that an environment reveals now."""
    vectors = {agent: env.observe(agent) for agent in env.agents}
    return (
        env.agent_selection,
        {agent: seen["observation"].tobytes() for agent, seen in vectors.items()},
        {agent: seen["action_mask"].tobytes() for agent, seen in vectors.items()},
        env.infos,
        env.terminations,
        env.truncations,
        env.tables.tobytes(),
        env.table.tobytes(),
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", GAMES)
def test_a_restored_table_plays_on_as_before(game: str, seed: int):
    plain, strayed = start(game, seed), start(game, seed)
    generator = np.random.default_rng(seed)
    choices = np.random.default_rng(seed + 100)
    for _ in range(400):
        if not plain.agents:
            break
        agent = plain.agent_selection
        done = plain.terminations[agent] or plain.truncations[agent]
        if not done:
            stray(strayed, generator)
        assert all_outputs(strayed) == all_outputs(plain)
        action = None if done else int(choices.choice(legal_ids(plain)))
        plain.step(action)
        strayed.step(action)
        assert strayed.rewards == plain.rewards


def test_random_detours_cover_every_betting_situation():
    """Situations that the test above plays through: all streets, with and without bets, all-ins."""
    met = set()
    for game in GAMES:
        for seed in range(3):
            env = start(game, seed)
            for agent in islice(decisions(env, seed + 100), 350):
                info = env.infos[agent]
                met.add(info["street"])
                met.add("facing a bet" if info["to_call"] else "free to check")
                if info["to_call"] and not info["max_raise_to"]:
                    met.add("may not raise")
                if info["table"] > 0:
                    met.add("another table")
                if (env.table["status"] == ALL_IN).any():
                    met.add("somebody all-in")
                if info["decision"] > 1:
                    met.add("several decisions")
    assert met == {
        *("preflop", "flop", "turn", "river"),
        *("facing a bet", "free to check", "may not raise"),
        *("another table", "somebody all-in", "several decisions"),
    }


def test_a_saved_record_does_not_change_during_play():
    env = start("six unequal stacks", 1)
    record = env.table.copy()
    before = record.tobytes()
    drive(env)
    assert record.tobytes() == before
    assert env.tables[0]["actor"] == NO_PLAYER


def test_restoring_the_current_table_changes_nothing():
    env = start("three tables", 2)
    state, seen = snapshot(env), all_outputs(env)
    env.set_table(env.table.copy())
    assert snapshot(env) == state
    assert all_outputs(env) == seen


def test_other_cards_have_their_own_win_chance():
    env = nlhe_env.raw_env(2, mode="cash", observation="features_scaled")
    cards = {"player_0": "7c2d", "player_1": "KsQd"}
    env.reset(seed=7, options={"button": 0, "hole_cards": cards})
    assert env.observe("player_0")["observation"][3] == pytest.approx(0.3746, abs=1e-4)
    record = env.table.copy()
    deck = record["cards"]
    for place, card in enumerate(parse_cards("AsAh")):
        other = int(np.flatnonzero(deck == card)[0])
        deck[[place, other]] = deck[[other, place]]
    env.set_table(record)
    assert env.observe("player_0")["observation"][3] == pytest.approx(0.8548, abs=1e-4)


def test_one_record_can_be_restored_many_times():
    """As a search does: every legal action is tried from the same decision."""
    env = start("six unequal stacks", 3)
    record = env.table.copy()
    legal = legal_ids(env)
    pots = []
    for action in legal:
        env.set_table(record)
        assert env.table == record
        env.step(int(action))
        pots.append(int(env.table["pot"]))
    raised_to = legal[legal >= 2]
    assert pots == [15, 25, *(15 + raised_to)]


def test_restoring_a_table_pays_no_reward_twice():
    env = nlhe_env.raw_env(2, mode="cash", num_hands=100, blinds=(10, 20))
    env.reset(seed=3, options={"button": 0})
    env.step(0)  # the next hand has begun: what the first has brought waits for both
    start_of_hand, owed = env.table.copy(), env.last()[1]
    assert owed == 10
    for _ in range(3):
        env.set_table(start_of_hand)
        assert env.last()[1] == owed
    env.step(0)
    assert env.last()[1] == 0  # the small blinds of both


def test_a_restored_game_keeps_the_hands_its_last_action_ended():
    env = start("cash", 1)
    saved = env.save()
    assert env.hands_over == []
    while not env.hands_over:
        env.step(1)
    env.restore(saved)
    assert env.hands_over == []


@pytest.mark.parametrize("clone", CLONES.values(), ids=CLONES)
@pytest.mark.parametrize("game", CLONED)
def test_a_cloned_environment_gives_the_same_results_to_the_end(game: str, clone):
    env = start(game, 5)
    choices = np.random.default_rng(5)
    for step in range(300):
        if step % 20 == 7:
            twin = clone(env)
        if not env.agents:
            break
        if step > 7:
            assert all_outputs(twin) == all_outputs(env)
            assert twin.rewards == env.rewards
            assert twin.last(observe=False) == env.last(observe=False)
        agent = env.agent_selection
        done = env.terminations[agent] or env.truncations[agent]
        action = None if done else int(choices.choice(legal_ids(env)))
        env.step(action)
        if step >= 7:
            twin.step(action)


@pytest.mark.parametrize("clone", CLONES.values(), ids=CLONES)
def test_a_cloned_environment_shares_nothing_with_its_original(clone):
    env = start("three tables", 6)
    twin = clone(env)
    state, seen = snapshot(env), copy.deepcopy(all_outputs(env))
    drive(twin)
    assert snapshot(env) == state
    assert all_outputs(env) == seen


@pytest.mark.parametrize("clone", CLONES.values(), ids=CLONES)
def test_a_clone_and_its_original_share_the_next_episode(clone):
    env = start("three players", 7)
    drive(env)
    twin = clone(env)
    env.reset()
    twin.reset()
    assert all_outputs(twin) == all_outputs(env)
