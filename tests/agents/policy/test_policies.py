"""The contract of compiled players: probabilities, all hands, memory, files, both backends."""

import math
import pickle

import gymnasium
import numpy as np
import pytest
from helpers import CALL, genome
from programs import random_team

import agents
import nlhe_env
from agents.policy.action_probabilities import policy_of_hands
from agents.policy.likelihood import Candidates, Likelihoods, write_chances_of_action
from agents.policy.session import Session
from nlhe_env import Game
from nlhe_env.cards import format_cards
from nlhe_env.equity.calculator.spot import HOLES
from nlhe_env.game import tournament
from nlhe_env.game.betting import legal_raise
from nlhe_env.game.table import CHECK_OR_CALL, FOLD

PLAYERS = {name: name for name in agents.names(compiled=True)} | {
    "poki": "poki",
    "lstm": "lstm:game_blocks=3,game_cell=4,opponent_cell=6,hidden=8,spread=1.5",
    "lstm that sees cards": "lstm:game_blocks=2,game_cell=5,opponent_cell=3,hidden=4,sees_cards=1",
}
NAMES = [*PLAYERS, "network", "shaped network", "team"]
N = 400


def make(name):
    """A player of a kind."""
    if name == "network":
        return agents.NetworkPlayer(genome(1))
    if name == "shaped network":
        return agents.NetworkPlayer(genome(2, 0.5, 35 * 6 + 6 + 6 * 5 + 5), hidden=(6,))
    if name == "team":
        return random_team(5)
    return agents.make(PLAYERS[name])


def lineup(env, name):
    """The player in every seat."""
    return agents.Lineup(env, {agent: make(name) for agent in env.possible_agents})


def spots(env, seats, seed, count):
    """Plays the environment, and stops at some decisions that differ."""
    env.reset(seed=seed)
    stopped = decisions = 0
    while stopped < count:
        if env.terminations[env.agent_selection]:
            env.reset()
        decisions += 1
        if decisions % 3 == 1:
            stopped += 1
            yield
        env.step(seats.action())


@pytest.mark.parametrize("name", NAMES)
def test_probabilities_sum_to_one_and_match_the_actions(name):
    env = nlhe_env.raw_env(3, starting_stack=900, actions="sized", mode="cash", num_hands=50)
    seats = lineup(env, name)
    for _ in spots(env, seats, 11, 3):
        chances = seats.policy()
        assert chances.sum() == pytest.approx(1.0, abs=1e-12)
        assert (chances[env.observe(env.agent_selection)["action_mask"] == 0] == 0).all()
        seed, counts = env.game_record["decision_seed"].copy(), np.zeros(5)
        for other in range(N):
            env.game_record["decision_seed"] = other
            counts[seats.action()] += 1
        env.game_record["decision_seed"] = seed
        for share, chance in zip(counts / N, chances, strict=True):
            assert abs(share - chance) <= 4.5 * math.sqrt(chance * (1 - chance) / N) + 1e-9


@pytest.mark.parametrize("name", NAMES)
def test_all_hands_at_once_equal_each_hand_separately(name):
    env = nlhe_env.raw_env(2, actions="sized", mode="cash", num_hands=50)
    seats = lineup(env, name)
    rng = np.random.default_rng(3)
    for _ in spots(env, seats, 5, 4):
        table = env.table
        seat, first = int(table["actor"]), 2 * int(table["seats"])
        own = table["cards"][2 * seat : 2 * seat + 2].copy()
        board = table["cards"][first : first + int(table["board_cards"])].tolist()
        dead = int(rng.choice([card for card in range(52) if card not in board]))
        chances = seats.policy_of_hands(format_cards([dead]))
        assert chances.shape == (1326, 5)
        possible = 51 - len(board)
        assert (chances.sum(axis=1) > 0).sum() == possible * (possible - 1) // 2
        for _ in range(12):
            high, low = sorted(rng.choice(52, 2, replace=False).tolist(), reverse=True)
            found = chances[high * (high - 1) // 2 + low]
            if {high, low} & {dead, *board}:
                assert not found.any()
                continue
            table["cards"][2 * seat : 2 * seat + 2] = high, low
            table["strength_key"][seat] = 0
            np.testing.assert_array_equal(found, seats.policy())
        table["cards"][2 * seat : 2 * seat + 2] = own
        table["strength_key"][seat] = 0


@pytest.mark.parametrize("name", NAMES)
def test_hidden_cards_of_opponents_do_not_matter(name):
    seen = []
    for other in ("7c7d", "9h2c"):
        env = nlhe_env.raw_env(2, actions="chips", blinds=(10, 20), mode="cash", num_hands=3)
        seats = lineup(env, name)
        cards = {"player_0": "AsJd", "player_1": other}
        env.reset(seed=1, options={"button": 0, "hole_cards": cards, "board": "QsJsTs2h3d"})
        chances = []
        for action in (60, CALL, 60, 180, CALL, CALL, CALL):
            if env.agent_selection == "player_0":
                chances.append(seats.policy())
            env.step(action)
        seen.append(chances)
    assert len(seen[0]) == 3
    np.testing.assert_array_equal(*seen)


@pytest.mark.parametrize("name", NAMES)
def test_players_round_trip_through_files_and_pickles(name, tmp_path):
    players = [make(name), make(name), agents.make("old-best")]
    agents.save_player(tmp_path / "player.npz", players[0])
    loaded = agents.load_player(tmp_path / "player.npz")
    assert (type(loaded.kind), loaded.kind, loaded.name) == (
        type(players[0].kind),
        players[0].kind,
        players[0].name,
    )
    game, schedule = nlhe_env.Game.tournament(), agents.Tournaments(3)
    batch = agents.pack_players(players)
    expected = agents.play(batch, schedule, game, seed=4)
    again = agents.pack_players([loaded, pickle.loads(pickle.dumps(players[1])), players[2]])
    for same in (
        again,
        pickle.loads(pickle.dumps(batch)),
        agents.concat(again, batch).take([0, 1, 5]),
    ):
        played = agents.play(same, schedule, game, seed=4)
        assert played.totals.tolist() == expected.totals.tolist()
        assert played.decisions == expected.decisions


@pytest.mark.parametrize("name", ["lstm", "opponent-frequency", "old-best"])
def test_copies_and_saved_games_keep_player_memory(name):
    env = nlhe_env.raw_env(3, actions="sized", mode="cash", num_hands=20)
    players = {agent: make(name) for agent in env.possible_agents}
    seats = agents.Lineup(env, players)
    env.reset(seed=2)
    for _ in range(25):
        env.step(seats.action())

    def rest(env):
        seats, trail = agents.Lineup(env, players), []
        while not env.terminations[env.agent_selection]:
            trail.append((seats.action(), seats.policy().tolist()))
            env.step(trail[-1][0])
        return trail

    copy, saved = pickle.loads(pickle.dumps(env)), env.save()
    expected = rest(env)
    assert len(expected) > 20
    assert rest(copy) == expected
    env.restore(saved)
    assert rest(env) == expected


def test_opponents_with_memory_observe_the_learners_actions():
    trails = []
    for _ in range(2):
        opponents = ["opponent-frequency", "lstm"]
        env = gymnasium.make(
            "nlhe/NoLimitHoldem-v0", opponents=opponents, mode="cash", num_hands=30
        ).unwrapped
        env.reset(seed=3)
        done, trail = False, []
        while not done:
            _, reward, terminated, truncated, _ = env.step(1)
            done = terminated or truncated
            trail.append(reward)
        trails.append((trail, env.aec_env.listener.work.memory.copy()))
    assert trails[0][0] == trails[1][0]
    np.testing.assert_array_equal(trails[0][1], trails[1][1])
    assert trails[0][1].any(axis=1).sum() == 2


def test_players_with_memory_state_what_they_need():
    env = nlhe_env.raw_env(2, actions="sized", observation="cards")
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"remembers what happens: call its follow\(env, agent\)"):
        make("lstm").act(env.observe(env.agent_selection), env.infos[env.agent_selection])


def test_kinds_are_registered_by_name():
    player = agents.CompiledPlayer("mine", "static", np.array([0, 1, 0], np.float32))
    assert player.kind is agents.make("caller").kind
    with pytest.raises(ValueError, match=r"a kind of player must be one of .*static"):
        agents.CompiledPlayer("mine", "statics")
    with pytest.raises(ValueError, match=r"weights must be 3 numbers for the kind 'static'"):
        agents.CompiledPlayer("mine", "static", np.zeros(4, np.float32))


# --- chances of actions that other players see ----------------------------------------------------


GAME = Game.cash(starting_stack=60, blinds=(1, 2))
HANDS = np.arange(0, 1326, 53)
LINES = {
    "first": (),
    "facing a raise": (6,),
    "the flop": (CHECK_OR_CALL, CHECK_OR_CALL),
    "facing a bet": (CHECK_OR_CALL, CHECK_OR_CALL, 3),
    "facing nearly all": (CHECK_OR_CALL, CHECK_OR_CALL, 40),
}
LIKELY = [
    "old-best",
    "random",
    "hothead-maniac",
    "ashe-loose-aggressive",
    "candid-statistician",
    "loose-passive",
]


def at(line):
    """A table after some actions, with the players' records."""
    arrays = GAME.arrays(2)
    record = arrays.game[0]
    record["seed"] = 3
    tournament.start_game(record, arrays.tables, arrays.players, arrays.levels, 0)
    for action in (*line, None):
        tournament.advance(record, arrays.tables, arrays.players, arrays.levels)
        if action is not None:
            tournament.take_action(record, arrays.tables, arrays.players, action)
    return arrays.tables, arrays.players


def chances_of(player, tables, players, action):
    batch = agents.pack_players([player, player])
    found = np.zeros(len(HANDS))
    who = int(tables[0]["player"][tables[0]["actor"]])
    write_chances_of_action(
        who,
        tables.copy()[0],
        players,
        action,
        Candidates(HOLES, HANDS),
        batch.seated(batch.work_arrays()),
        Likelihoods.new(),
        found,
    )
    return found


def all_players():
    players = [agents.make(name) for name in LIKELY]
    printed = agents.make("random")
    printed.interpretation = agents.ActionInterpretation(raise_sizes="verbatim")
    return [*players, printed]


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_action_probabilities_sum_to_one(line):
    tables, players = at(line)
    least, most = legal_raise(tables[0])
    actions = [FOLD, CHECK_OR_CALL, *range(least, most + 1)] if most else [FOLD, CHECK_OR_CALL]
    for player in all_players():
        total = sum(chances_of(player, tables, players, action) for action in actions)
        assert total == pytest.approx(np.ones(len(HANDS)), abs=1e-9), player.name


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_fold_and_call_probabilities_match_the_policy(line):
    tables, players = at(line)
    who = int(tables[0]["player"][tables[0]["actor"]])
    for player in all_players():
        batch = agents.pack_players([player, player])
        known = policy_of_hands(batch, who, tables[0], players, batch.work_arrays())[HANDS]
        possible = known.sum(axis=1) > 0
        for action, action_id in ((FOLD, 0), (CHECK_OR_CALL, 1)):
            found = chances_of(player, tables, players, action)
            assert found[possible] == pytest.approx(known[possible, action_id]), player.name


def test_size_distributions_are_split_by_rounding():
    """Half a pot to a pot over a limped pot of 4: bets of 2 to 4, the ends half as often."""
    player = agents.make("ashe-loose-aggressive:bet_from=0,bet_chance=1")
    tables, players = at(LINES["the flop"])
    found = {bet: chances_of(player, tables, players, bet)[0] for bet in (2, 3, 4, 5)}
    assert found == pytest.approx({2: 0.25, 3: 0.5, 4: 0.25, 5: 0.0})


# --- sessions with a memory -----------------------------------------------------------------------


SESSION_GAME = nlhe_env.Game.cash(starting_stack=2000, num_hands=8)
SEATED = [agents.make_compiled(name) for name in ("ashe-1.0", "random")]


def test_sessions_are_the_games_of_blocks():
    blocks = agents.Blocks(3, seating_order="fixed")
    tally = agents.play(SEATED, blocks, SESSION_GAME, seed=5, rows=True)
    for number, points in enumerate(tally.rows.points):
        won = [
            Session(SEATED, SESSION_GAME, seed=5, number=number, seat=seat).play(8)
            for seat in (0, 1)
        ]
        assert sum(chips[:, 0].sum() for chips in won) == points[0]
        assert all((chips.sum(axis=1) == 0).all() for chips in won)


def test_a_held_memory_is_that_of_the_beginning_in_every_hand():
    before = Session(SEATED, SESSION_GAME, seed=5)
    before.play(8)
    learned = before.memory[0].copy()

    def later():
        session = Session(SEATED, SESSION_GAME, seed=6)
        session.memory[0] = learned
        return session

    held, free = later(), later()
    np.testing.assert_array_equal(later().play(8)[:3], later().play(3))
    won = held.play(8, holds_memory=True)
    np.testing.assert_array_equal(held.memory[0], learned)
    assert won[0].tolist() == free.play(1)[0].tolist()
    assert (free.memory[0] != learned).any()
