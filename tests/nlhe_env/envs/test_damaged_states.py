"""Records, saved games and pickles with a wrong number: refused before a kernel sees them."""

import copy
import pickle

import numpy as np
import pytest
from helpers import deal, drive

import agents
import nlhe_env
from nlhe_env.envs import checksums
from nlhe_env.game import what_if
from nlhe_env.game.table import NO_PLAYER, TABLE

NO_CONSEQUENCE = ("strength", "strength_key", "pot_size", "pot_eligible", "pot_winners", "hand")
WAYS_IN = {
    "raise_range": what_if.raise_range,
    "redeal": what_if.redeal,
    "run_out": what_if.run_out,
    "showdown": what_if.showdown,
    "side_pots": what_if.side_pots,
}


def some_decisions(players=4, **arguments):
    env = nlhe_env.raw_env(players, actions="chips", starting_stack=400, **arguments)
    env.reset(seed=3)
    for _ in range(9):
        yield env, env.table.copy()
        env.step(1)


def damages(record):
    """The record with one number out of range or out of step, field by field."""
    for name in TABLE.names:
        if name in NO_CONSEQUENCE:
            continue
        limits = np.iinfo(record[name].dtype)
        for change in (1, -1, 100, 2**40, -(2**40)):
            if not limits.min <= change <= limits.max:
                continue
            damaged = record.copy()
            if damaged[name].shape:
                damaged[name].flat[0] += change
            else:
                damaged[name] += change
            yield name, change, damaged


def test_a_damaged_record_is_refused_everywhere_or_harmless():
    tried = 0
    for env, record in some_decisions():
        saved = env.save()
        for name, change, damaged in damages(record):
            tried += 1
            for way_in in WAYS_IN.values():
                try:
                    way_in(damaged)
                except ValueError:
                    continue
            try:
                env.set_table(damaged)
            except ValueError:
                assert env.table.tobytes() == record.tobytes()
                continue
            drive(env, np.random.default_rng(tried))
            assert env.tables["stack"].sum() == 1600, (name, change)
            env.restore(saved)
    assert tried > 1000


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"betting": "pot-limit"}, "must be of the same game"),
        ({"betting": "fixed-limit", "max_bets": 3}, "must be of the same game"),
        ({"starting_stack": 500}, "must hold the chips of this table"),
    ],
)
def test_a_record_of_another_game_is_refused(change, problem):
    env = nlhe_env.raw_env(3)
    env.reset(seed=1)
    other = nlhe_env.raw_env(3, **change)
    other.reset(seed=1)
    with pytest.raises(ValueError, match=problem):
        env.set_table(other.table)
    cash, deep = deal([1000] * 3), deal([1001] * 3)
    with pytest.raises(ValueError, match="must hold the chips of this table"):
        cash.set_table(deep.table)


def test_what_is_no_record_of_a_player_to_act_is_refused_everywhere():
    env = deal([1000] * 3)
    record = env.table.copy()
    ended, others = record.copy(), record.copy()
    ended["actor"] = NO_PLAYER
    others["player"][0] = 7
    for way_in in (*WAYS_IN.values(), env.set_table):
        for wrong in (None, 1, "table", env.tables, np.zeros(1)[0], np.zeros(1, TABLE)):
            with pytest.raises(ValueError, match="record must be a copy of a table"):
                way_in(wrong)
        if way_in is not what_if.side_pots:
            with pytest.raises(ValueError, match="a player is to act"):
                way_in(ended)
    with pytest.raises(ValueError, match="same players"):
        env.set_table(others)
    assert env.table == record


def test_a_modified_saved_game_is_refused():
    env = nlhe_env.raw_env(3)
    env.reset(seed=1)
    saved = env.save()
    before = env.tables.tobytes()
    for array in saved.arrays:
        array[len(array) // 2] ^= 1
        with pytest.raises(ValueError, match="changed since it was saved"):
            env.restore(saved)
        array[len(array) // 2] ^= 1
    env.restore(saved)
    assert env.tables.tobytes() == before


def test_a_game_saved_before_players_with_memories_sat_down_is_not_half_restored():
    env = nlhe_env.raw_env(2, mode="cash", num_hands=5)
    env.reset(seed=1)
    saved = env.save()
    lineup = agents.Lineup(env, {"player_0": "lstm", "player_1": "caller"})
    for _ in range(4):
        env.step(lineup.action())
    before = env.tables.tobytes()
    with pytest.raises(ValueError, match="players with other memories have been seated"):
        env.restore(saved)
    assert env.tables.tobytes() == before
    saved = env.save()
    agents.Lineup(env, {"player_0": "lstm", "player_1": "caller"})  # the same players
    env.restore(saved)
    agents.Lineup(env, {"player_0": "caller", "player_1": "lstm"})
    with pytest.raises(ValueError, match="players with other memories have been seated"):
        env.restore(saved)


@pytest.mark.parametrize("batch", [False, True])
def test_a_damaged_pickle_is_refused(batch, monkeypatch):
    def new():
        env = nlhe_env.BatchEnv(4, num_players=3) if batch else nlhe_env.raw_env(3)
        env.reset(seed=1)
        return env

    env = new()
    pickled = pickle.dumps(env)
    assert pickle.loads(pickled).tables.tobytes() == env.tables.tobytes()
    at = pickled.index(env.tables.tobytes()) + TABLE.fields["pot"][1]
    damaged = bytearray(pickled)
    damaged[at] ^= 4
    with pytest.raises(ValueError, match="this pickled game is damaged"):
        pickle.loads(damaged)
    monkeypatch.setattr(checksums, "_layout", lambda dtypes: 1)
    with pytest.raises(ValueError, match="pickled by another version"):
        pickle.loads(pickled)
    monkeypatch.undo()
    assert copy.deepcopy(env).tables.tobytes() == env.tables.tobytes()
