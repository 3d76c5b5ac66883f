"""Hands recorded from every kind of environment."""

import copy
import pickle
import resource
import tomllib
from dataclasses import replace

import gymnasium
import numpy as np
import pytest
from helpers import steps

import agents
import nlhe_env
from nlhe_env.hand_history import Hand, HandFile, play_hand, read_hands, stream_hands, write_hands

GAME = {"num_hands": 6, "mode": "cash", "starting_stack": 500, "blinds": (5, 10)}


def play(env: nlhe_env.raw_env, seed: int, *, episodes: int = 1) -> float:
    """Random legal actions; what the player with number 2 wins."""
    generator = np.random.default_rng(seed)
    won = 0.0
    for episode in range(episodes):
        env.reset(seed=seed if episode == 0 else None)
        for agent in steps(env, generator):
            won += env.last()[1] * (agent == "player_2")
    return won


def check_replays(hands: list[Hand]) -> None:
    """Played again by the rules, they end with the chips recorded."""
    for hand in hands:
        *_, last = play_hand(hand)
        assert tuple(last.table["stack"][: len(hand.stacks)].tolist()) == hand.finishing_stacks


@pytest.mark.parametrize("make", [nlhe_env.env, nlhe_env.raw_env])
@pytest.mark.parametrize("actions", [(0.5, 1.0), "chips", "sized"])
def test_every_hand_is_recorded_and_can_be_replayed(make, actions):
    hands: list[Hand] = []
    env = make(4, actions=actions, record=hands, **GAME)
    won = play(env, 3)
    assert [hand.number for hand in hands] == [1, 2, 3, 4, 5, 6]
    check_replays(hands)
    assert all(sorted(hand.players) == env.possible_agents for hand in hands)
    assert won == sum(
        dict(zip(hand.players, hand.finishing_stacks, strict=True))["player_2"] - 500
        for hand in hands
    )


def test_tournaments_are_recorded_at_all_tables():
    hands: list[Hand] = []
    env = nlhe_env.raw_env(9, table_size=3, record=hands.append)
    play(env, 5)
    assert len(hands) == int(env.game_record["hands"][0])
    assert max(max(hand.finishing_stacks) for hand in hands) == 9000


def test_files_grow_by_whole_hands(tmp_path):
    path = tmp_path / "played.phhs"
    play(nlhe_env.raw_env(3, record=path, **GAME), 1)
    play(nlhe_env.raw_env(3, record=str(path), **GAME), 2)
    hands = read_hands(path.read_text())
    assert len(hands) == 12
    path.write_text(path.read_text()[:-40])  # stopped in the middle of a write
    play(nlhe_env.raw_env(3, record=path, **GAME), 3)
    found = list(stream_hands(path))
    assert [isinstance(hand, Hand) for hand in found] == [True] * 11 + [False] + [True] * 6


def test_environments_that_share_a_file_number_its_hands_in_order(tmp_path):
    path = tmp_path / "played.phhs"
    files = HandFile(path), HandFile(path)
    hands: list[Hand] = []
    play(nlhe_env.raw_env(2, record=hands, **GAME), 1)
    for file in (*files, *files):
        file(hands[0])
    assert list(tomllib.loads(path.read_text())) == ["1", "2", "3", "4"]


def test_a_hand_without_space_is_an_error_and_leaves_whole_hands(tmp_path):
    path = tmp_path / "played.phhs"
    hands: list[Hand] = []
    play(nlhe_env.raw_env(2, record=hands, **GAME), 1)
    file = HandFile(path)
    file(hands[0])
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 100, limits[1]))
    try:
        with pytest.raises(OSError, match=r"played\.phhs"):
            file(hands[1])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    file(hands[1])
    assert read_hands(path.read_text()) == hands[:2]
    assert list(tomllib.loads(path.read_text())) == ["1", "2"]


def test_names_that_cannot_be_read_are_not_written():
    hands: list[Hand] = []
    play(nlhe_env.raw_env(2, record=hands, **GAME), 1)
    longest = replace(hands[0], players=("a" * 100, "b"))
    assert read_hands(write_hands([longest])) == [longest]
    for name in ("a" * 101, 7):
        wrong = replace(hands[0], players=(name, "b"))
        with pytest.raises(ValueError, match="players must be names of at most 100 characters; go"):
            write_hands([wrong])
    with pytest.raises(ValueError, match="players must be names of at most 100 characters; got"):
        read_hands(write_hands([longest]).replace("a" * 100, "a" * 101))


def test_recording_does_not_change_the_game():
    hands: list[Hand] = []
    recorded = nlhe_env.raw_env(3, record=hands, **GAME)
    plain = nlhe_env.raw_env(3, **GAME)
    for env in (recorded, plain):
        play(env, 11, episodes=3)
    assert len(hands) == 18
    assert recorded.players.tobytes() == plain.players.tobytes()


def test_illegal_actions_are_not_recorded():
    hands: list[Hand] = []
    env = nlhe_env.raw_env(2, mode="cash", actions="chips", record=hands)
    env.reset(seed=0)
    with pytest.raises(nlhe_env.IllegalActionError):
        env.step(3)
    env.step(0)
    assert [[action.kind for action in hand.actions] for hand in hands] == [["f"]]


def test_a_restored_game_is_recorded_as_it_continued():
    hands: list[Hand] = []
    env = nlhe_env.raw_env(2, mode="cash", actions="chips", num_hands=2, record=hands)
    env.reset(seed=0)
    env.step(1)
    saved = env.save()
    env.step(60)
    env.restore(saved)
    env.step(40)
    env.step(0)
    assert [[action.to for action in hand.actions] for hand in hands] == [[0, 40, 0]]
    table = env.table.copy()
    env.set_table(table)  # what led to it is not known
    env.step(0)
    assert len(hands) == 1


def test_copies_record_too():
    env = nlhe_env.raw_env(2, mode="cash", record=[], infos="full")
    env.reset(seed=0)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        other.step(0)
        assert other.infos["player_0"]["last_hand"]


@pytest.mark.parametrize("actions", [(0.5, 1.0), "chips", "sized"])
def test_a_batch_records_what_the_environment_does(actions):
    options = {"mode": "tournament", "actions": actions, "starting_stack": 600}
    batch_hands: list[Hand] = []
    batch = nlhe_env.BatchEnv(1, 3, record=batch_hands, **options)
    hands: list[Hand] = []
    env = nlhe_env.raw_env(3, record=hands, **options)
    turns = batch.reset(seed=9)
    env.reset(seed=9)
    generator = np.random.default_rng(0)
    while env.agents:
        if env.terminations[env.agent_selection]:
            env.step(None)
            continue
        ids = batch.sample_actions(generator)
        turns = batch.step(ids)
        env.step(int(ids[0]))
    assert turns.over.all()
    decided = [hand for hand in hands if hand.actions]
    assert batch_hands == decided
    assert len(decided) > 1


def test_the_hands_of_many_tables_are_recorded():
    hands: list[Hand] = []
    batch = nlhe_env.BatchEnv(8, 6, mode="cash", record=hands)
    batch.reset(seed=1)
    generator = np.random.default_rng(1)
    n_hands = 0
    for _ in range(40):
        n_hands += int(batch.step(batch.sample_actions(generator)).hands.sum())
    assert len(hands) == n_hands > 20
    check_replays(hands)


def test_the_single_environment_records_its_opponents_too():
    hands: list[Hand] = []
    env = gymnasium.make(
        "nlhe/NoLimitHoldem-v0", opponents=["caller", "raiser"], record=hands, num_hands=4
    )
    env.reset(seed=4)
    over = False
    while not over:
        _, _, terminated, truncated, _ = env.step(1)
        over = terminated or truncated
    assert len(hands) == 4
    assert {action.kind for hand in hands for action in hand.actions} == {"cc", "cbr"}


def test_play_takes_a_file_or_a_list(tmp_path):
    players = [agents.make(name) for name in ("caller", "raiser")]
    game = nlhe_env.Game.cash(num_hands=1)
    hands: list[Hand] = []
    agents.play(players, agents.Blocks(2), game, seed=1, record=hands)
    agents.play(players, agents.Blocks(2), game, seed=1, record=tmp_path / "hands.phhs")
    assert read_hands((tmp_path / "hands.phhs").read_text()) == hands
    assert len(hands) == 4


@pytest.mark.parametrize("make", [nlhe_env.raw_env, lambda n, **o: nlhe_env.BatchEnv(1, n, **o)])
def test_unsupported_record_targets_are_reported(make, tmp_path):
    with pytest.raises(ValueError, match="record must be the path"):
        make(2, record=3)
    with pytest.raises(ValueError, match="record must be in a folder that exists"):
        make(2, record=tmp_path / "nowhere" / "hands.phhs")
    with pytest.raises(ValueError, match="record must be a file, not a folder; got"):
        make(2, record=str(tmp_path))


def play_capped(make, n_players: int, max_bets: int | None) -> list[Hand]:
    """Hands of fixed-limit in which players raise most of the time."""
    hands: list[Hand] = []
    options = {"mode": "cash", "num_hands": 4, "betting": "fixed-limit", "max_bets": max_bets}
    generator = np.random.default_rng(2)
    if make is nlhe_env.BatchEnv:
        batch = nlhe_env.BatchEnv(1, n_players, record=hands, **options)
        turns = batch.reset(seed=4)
        while len(hands) < 4:
            last = 4 - np.argmax(turns.action_mask[0, ::-1])
            turns = batch.step(np.array([last if generator.random() < 0.9 else 1]))
        return hands
    env = nlhe_env.raw_env(n_players, record=hands, **options)
    env.reset(seed=4)
    while env.agents:
        observation, _, terminated, truncated, _ = env.last()
        last = np.flatnonzero(observation["action_mask"])[-1:]
        action = int(last[0]) if last.size and generator.random() < 0.9 else 1
        env.step(None if terminated or truncated else action)
    return hands


def most_bets(hand: Hand) -> int:
    """Bets and raises on the street that has most of them, the big blind included."""
    streets = [action.board_cards for action in hand.actions if action.kind == "cbr"]
    return max(streets.count(cards) + (cards == 0) for cards in (0, 3, 4, 5))


@pytest.mark.parametrize("make", [nlhe_env.raw_env, nlhe_env.BatchEnv])
@pytest.mark.parametrize(
    ("n_players", "max_bets", "most", "held"),
    [(3, 6, 6, 6), (2, 6, 6, 6), (4, 2, 2, 2), (3, 4, 4, 0), (3, None, 4, 0)],
)
def test_hands_with_any_bet_cap_can_be_replayed(make, n_players, max_bets, most, held):
    hands = play_capped(make, n_players, max_bets)
    assert max(map(most_bets, hands)) == most
    assert {hand.max_bets for hand in hands} == {held}
    text = write_hands(hands)
    assert ("_max_bets" in text) == (held > 0)
    assert read_hands(text) == hands
    assert list(stream_hands(text.splitlines(keepends=True))) == hands
    check_replays(hands)


@pytest.mark.parametrize("make", [nlhe_env.raw_env, lambda n, **o: nlhe_env.BatchEnv(1, n, **o)])
@pytest.mark.parametrize(
    ("missing", "options"),
    [
        ("boards=2", {"boards": 2}),
        ("max_bets=6", {"betting": "fixed-limit", "max_bets": 6}),
        ("max_bets=3", {"betting": "fixed-limit", "max_bets": 3}),
    ],
)
def test_games_that_pokerstars_text_cannot_express_are_refused_early(
    make, missing, options, tmp_path
):
    path = tmp_path / "hands.txt"
    for record in (path, str(path), HandFile(tmp_path / "hands.TXT")):
        with pytest.raises(ValueError, match=rf"cannot show hands of .* {missing}: .* \.phhs file"):
            make(3, record=record, **options)
    make(3, record=tmp_path / "hands.phhs", **options)
    make(3, record=path, betting="fixed-limit", max_bets=None)
    make(3, record=path, max_bets=6)  # means nothing in no-limit
