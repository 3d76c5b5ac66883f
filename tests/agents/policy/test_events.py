"""Events that players with memory receive, in both backends."""

import numpy as np
import pytest
from helpers import CALL, FOLD, deal

import agents
import nlhe_env
from agents.policy import dispatch
from agents.policy.events import ACTED, HAND_BEGINS, HAND_ENDS, SESSION_BEGINS, SHOWN
from agents.policy.kinds import Kind, register_kind
from agents.policy.view import offer_legal
from nlhe_env.assessment.estimators.estimator import no_estimator
from nlhe_env.envs import step_kernels
from nlhe_env.game.tournament import IN_ORDER
from nlhe_env.jit.compilation import kernel

FIELDS = 8
MOST = 60
LENGTH = 1 + MOST * FIELDS


@kernel
def diary_policy(parameters, memory, view):
    """Anything with equal probabilities; received events decide nothing."""
    for action_id in range(5):
        offer_legal(view, action_id, 1.0)


@kernel
def diary_on_event(parameters, memory, view, event):
    """Write every event down; a sum of all stays when the diary is full."""
    n = np.int64(memory[0])
    memory[0] += np.float32(1.0)
    at = 1 + (n % MOST) * FIELDS
    memory[at] = event.what
    if event.what == ACTED:
        memory[at + 1] = event.seat
        memory[at + 2] = event.street
        memory[at + 3] = event.action
        memory[at + 4] = event.chips
        memory[at + 5] = event.pot
        memory[at + 6] = event.to_call
    elif event.what == SHOWN:
        memory[at + 1] = event.seat
    elif event.what == HAND_ENDS:
        memory[at + 1] = view.table.won[view.seat]
    memory[at + 7] = view.table.board_cards


DIARY = register_kind(Kind("diary", diary_policy, on_event=diary_on_event, memory=LENGTH))


def diary():
    return agents.CompiledPlayer("Diary", DIARY)


def read(seats, who):
    memory = seats.work.memory[who]
    rows = memory[1:].reshape(MOST, FIELDS)[: int(memory[0])].astype(int).tolist()
    return [tuple(row) for row in rows]


def test_events_of_a_hand_arrive_in_order():
    env = nlhe_env.raw_env(3, actions="chips", blinds=(10, 20), mode="cash", num_hands=2)
    seats = agents.Lineup(env, {"player_2": diary()})
    cards = {"player_0": "AsAd", "player_1": "7c8h", "player_2": "KsKd"}
    env.reset(seed=1, options={"button": 0, "hole_cards": cards, "board": "QhJsTs2h3d"})
    for action in (60, FOLD, CALL, CALL, 100, 300, CALL, CALL, CALL, CALL, CALL):
        env.step(action)
    assert read(seats, 2) == [
        (SESSION_BEGINS, 0, 0, 0, 0, 0, 0, 0),
        (HAND_BEGINS, 0, 0, 0, 0, 0, 0, 0),
        (ACTED, 0, 0, 60, 60, 30, 20, 0),
        (ACTED, 1, 0, -1, 0, 90, 50, 0),
        (ACTED, 2, 0, 0, 40, 90, 40, 3),
        (ACTED, 2, 1, 0, 0, 130, 0, 3),
        (ACTED, 0, 1, 100, 100, 130, 0, 3),
        (ACTED, 2, 1, 300, 300, 230, 100, 3),
        (ACTED, 0, 1, 0, 200, 530, 200, 4),
        (ACTED, 2, 2, 0, 0, 730, 0, 4),
        (ACTED, 0, 2, 0, 0, 730, 0, 5),
        (ACTED, 2, 3, 0, 0, 730, 0, 5),
        (ACTED, 0, 3, 0, 0, 730, 0, 5),
        (SHOWN, 0, 0, 0, 0, 0, 0, 5),
        (SHOWN, 2, 0, 0, 0, 0, 0, 5),
        (HAND_ENDS, 0, 0, 0, 0, 0, 0, 5),
        (HAND_BEGINS, 0, 0, 0, 0, 0, 0, 0),
    ]


def test_hands_without_decisions_send_events_too():
    env = deal([500, 5, 500], blinds=(10, 20), mode="tournament", num_hands=3)
    seats = agents.Lineup(env, {"player_0": diary()})
    env.reset(seed=1, options={"stacks": [990, 5, 5], "button": 0})
    env.step(CALL)
    event_kinds = [event[0] for event in read(seats, 0)]
    assert event_kinds[:2] == [SESSION_BEGINS, HAND_BEGINS]
    assert event_kinds.count(HAND_ENDS) >= 1
    assert event_kinds.count(HAND_BEGINS) >= event_kinds.count(HAND_ENDS)


@pytest.mark.parametrize("mode", ["cash", "tournament"])
def test_both_backends_send_the_same_events(mode):
    players = [diary(), agents.make("random"), diary()]
    game = nlhe_env.Game.cash(num_hands=25)
    if mode == "tournament":
        game = nlhe_env.Game.tournament()
    batch = agents.pack_players(players)
    memories = []
    arrays, work = game.arrays(3), batch.work_arrays()
    step_kernels.start_game(*arrays, np.uint64(7), 0, 0, IN_ORDER)
    rest = (batch.seated(work), np.zeros(3, np.int64), no_estimator(3))
    dispatch.play_out(arrays, *rest)
    memories.append(work.memory)
    env = nlhe_env.raw_env(game=game, num_players=3, actions="sized")
    named = dict(zip(env.possible_agents, players, strict=True))
    agents.play_episode(env, named, seed=7)
    memories.append(env.listener.work.memory)
    np.testing.assert_array_equal(*memories)
    assert memories[0][0, 0] > MOST
    assert not memories[0][1].any()


def test_every_rotation_of_a_block_starts_a_session():
    players = [diary(), diary()]
    game = nlhe_env.Game.cash(num_hands=1)
    batch = agents.pack_players(players)
    arrays, work = game.arrays(2), batch.work_arrays()
    for rotation in range(2):
        step_kernels.start_game(*arrays, np.uint64(7), 0, rotation, IN_ORDER)
        rest = (batch.seated(work), np.zeros(2, np.int64), no_estimator(2))
        dispatch.play_out(arrays, *rest)
        events = work.memory[0, 1:].reshape(MOST, FIELDS)[:, 0][: int(work.memory[0, 0])]
        assert (events == SESSION_BEGINS).sum() == 1
    one = nlhe_env.raw_env(game=game, num_players=2, actions="sized")
    seats = agents.Lineup(one, dict(zip(one.possible_agents, players, strict=True)))
    for seed in (1, 2):
        one.reset(seed=seed)
        assert [event[0] for event in read(seats, 0)] == [SESSION_BEGINS, HAND_BEGINS]
