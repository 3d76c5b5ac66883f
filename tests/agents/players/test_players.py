"""Compiled players: what they choose, and that both backends give the same game."""

import math
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from typing import NamedTuple

import numpy as np
import pytest
from helpers import assert_equal, deal, genome, play_as
from test_networks import plain_forward

import agents
import nlhe_env
from agents import Blocks, Tournaments
from agents.players.networks import network, pack_networks
from agents.policy import dispatch
from agents.policy.player_batch import Seated
from agents.policy.view import CHOICES, offer_weights
from nlhe_env.envs import step_kernels as kernels
from nlhe_env.equity import load_tables
from nlhe_env.equity.tables.store import blank_tables
from nlhe_env.game import random_stream as rng
from nlhe_env.game.description import Game
from nlhe_env.game.table import TABLE
from nlhe_env.game.tournament import DRAWN, IN_ORDER
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces import actions
from nlhe_env.spaces.features import FEATURE_VECTORS

FEATURES = [observation.name for observation in FEATURE_VECTORS]

TOURNAMENT = Game.tournament()
ALL = np.ones(5, np.int8)
NO_FOLD = np.array([0, 1, 1, 1, 1], np.int8)
NO_RAISE = np.array([1, 1, 0, 0, 0], np.int8)
CHECK_ONLY = np.array([0, 1, 0, 0, 0], np.int8)

COMPILED = agents.names(compiled=True)
N = 60_000


@kernel
def choose_often(seen, inputs, mask, seated, counts):
    choices = seated.work.choices[0]
    for i in range(N):
        word, _ = rng.draw(8, rng.DECISIONS, 0, i, 0, 0)
        for k in range(5):
            choices.mask[k] = mask[k]
        dispatch.call_policy(0, seen[0], inputs, seated)
        counts[dispatch.drawn_id(choices, rng.unit(word))] += 1


def frequencies(player, mask, inputs=None):
    batch = agents.pack_players([player])
    work, counts = batch.work_arrays(), np.zeros(5, np.int64)
    inputs = work.inputs if inputs is None else inputs
    seated = Seated(batch.arrays, blank_tables(), work)
    choose_often(np.zeros(1, TABLE), inputs, mask, seated, counts)
    return counts / N


T, S = 1 / 3, 1 / 9


@pytest.mark.parametrize(
    ("name", "mask", "expected"),
    [
        ("random", ALL, (T, T, S, S, S)),
        ("random", NO_FOLD, (0, 2 * T, S, S, S)),
        ("random", NO_RAISE, (T, 2 * T, 0, 0, 0)),
        ("random", CHECK_ONLY, (0, 1, 0, 0, 0)),
        ("folder", ALL, (1, 0, 0, 0, 0)),
        ("folder", NO_FOLD, (0, 1, 0, 0, 0)),
        ("caller", ALL, (0, 1, 0, 0, 0)),
        ("caller", NO_FOLD, (0, 1, 0, 0, 0)),
        ("raiser", ALL, (0, 0, T, T, T)),
        ("raiser", NO_RAISE, (0, 1, 0, 0, 0)),
        ("call-or-raise", ALL, (0, 0.5, T / 2, T / 2, T / 2)),
        ("call-or-raise", NO_RAISE, (0, 1, 0, 0, 0)),
    ],
)
def test_static_players_follow_their_rules(name, mask, expected):
    found = frequencies(agents.make(name), mask)
    for share, wanted in zip(found, expected, strict=True):
        assert abs(share - wanted) <= 4.5 * math.sqrt(wanted * (1 - wanted) / N)


# --- networks ------------------------------------------------------------------------------------


def test_batches_concatenate_players_of_different_shapes_and_kinds():
    shapes = {"features": (3,), "features_scaled": (20,), "features_opponents": (8, 4)}
    players = []
    for i, (inputs, hidden) in enumerate(shapes.items()):
        length = network.count_weights(network.count_inputs(inputs), hidden)
        weights = genome(i, 0.01 if inputs == "features" else 0.5, length)
        players.append(agents.NetworkPlayer(weights, inputs=inputs, hidden=hidden))
    networks = [pack_networks(p.weights[np.newaxis], p.inputs, p.hidden) for p in players]
    others = [agents.make(name) for name in ("old-start", "caller")]
    joined = agents.concat(*networks, agents.pack_players(others))
    packed = agents.pack_players([*players, *others])
    for of_one, of_other in zip(joined.arrays, packed.arrays, strict=True):
        np.testing.assert_array_equal(of_one, of_other)
    env = nlhe_env.env(num_players=len(players), actions="sized", reward="place")
    rewards = agents.play_episode(env, dict(zip(env.possible_agents, players, strict=True)), seed=3)
    _, places = Trajectory(players, 3, 0).play(100_000)
    assert [2 - reward for reward in rewards.values()] == places


@pytest.mark.parametrize("hidden", [(), (0,), (20, -1), (1, 2, 3, 4, 5)])
def test_invalid_shapes_are_refused(hidden):
    with pytest.raises(ValueError, match="one to 4 hidden layers"):
        agents.NetworkPlayer(genome(0), hidden=hidden)


def test_short_genomes_are_refused():
    with pytest.raises(
        ValueError, match=r"weights must be \(3, n_weights\) with n_weights of at least 1645; got"
    ):
        pack_networks(np.zeros((3, 825), np.float32), hidden=[(20,), (40,), (1,)])


@pytest.mark.parametrize("mask", [ALL, NO_FOLD, NO_RAISE, CHECK_ONLY])
def test_network_chooses_legal_actions_in_proportion_to_its_outputs(mask):
    player = agents.NetworkPlayer(genome(3))
    inputs = np.random.default_rng(3).random(35).astype(np.float32)
    outputs = plain_forward(player.weights, inputs) * mask
    expected = outputs / outputs.sum()
    found = frequencies(player, mask, inputs)
    assert (found[mask == 0] == 0).all()
    errors = np.sqrt(expected * (1 - expected) / N)
    assert (np.abs(found - expected) <= 4.5 * errors + 1e-6).all()


class Seen(NamedTuple):
    """The part of a view that networks write to."""

    choices: np.void


@kernel
def offer_and_draw(choices, outputs, u, found):
    offer_weights(Seen(choices[0]), outputs)
    found[0] = dispatch.drawn_id(choices[0], u)


@pytest.mark.parametrize("u", [0.0, 0.5, 1.0 - 2.0**-53])
def test_sampling_checks_when_no_legal_action_has_weight(u):
    choices = np.zeros(1, CHOICES)
    outputs = np.zeros(8, np.float32)

    def drawn(mask):
        choices["mask"][0, :5] = mask
        offer_and_draw(choices, outputs, u, found)
        return found[0]

    found = np.zeros(1, np.int64)
    assert drawn(ALL) == 1
    outputs[2] = 1.0
    assert drawn(CHECK_ONLY) == 1
    assert drawn(ALL) == 2


@pytest.mark.parametrize("weights", [np.zeros(824), np.full(825, np.nan), np.zeros((5, 165))])
def test_invalid_weights_are_refused(weights):
    with pytest.raises(ValueError, match="weights must be 825 finite numbers"):
        agents.NetworkPlayer(weights)


# --- both backends -------------------------------------------------------------------------------


def sized(player):
    """Whether a player chooses among sizes, not amounts."""
    return player.kind.answers == "sizes"


def lineup(name, n):
    """n players of a kind and the observation that they need."""
    if name in FEATURES:
        scale = 0.01 if name == "features" else 0.5
        length = network.count_weights(network.count_inputs(name), network.PUBLISHED)
        players = [agents.NetworkPlayer(genome(i, scale, length), inputs=name) for i in range(n)]
        return players, name
    players = [agents.make(name) for _ in range(n)]
    return players, players[0].inputs if players[0].sees_inputs else "cards"


class Trajectory:
    """A compiled game at the seats of an environment, decision by decision."""

    def __init__(self, players, seed, episode):
        self.arrays = Game().arrays(len(players))
        batch = agents.pack_players(players)
        self.seated = Seated(batch.arrays, load_tables(), batch.work_arrays())
        seating = DRAWN if len(self.arrays.tables) > 1 else IN_ORDER
        kernels.start_game(*self.arrays, np.uint64(seed), episode, episode, seating)

    def play(self, most, encoding=actions.SIZED):
        trail = np.zeros((most, 12), np.int64)
        n = follow(*self.arrays, self.seated, encoding, trail)
        assert n < most
        return trail[:n].tolist(), self.arrays.players["place"].tolist()


@kernel
def follow(game, tables, players, levels, seated, encoding, trail):
    n = 0
    dispatch.begin_session(tables, seated)
    while n < len(trail):
        event = dispatch.tournament.advance(game[0], tables, players, levels)
        table = tables[game[0].table]
        if event == dispatch.tournament.DECISION:
            dispatch.begin_hand(table, seated)
            action_id, action = dispatch.decide(game[0], tables, players, seated)
            trail[n, 0] = table.player[table.actor]
            trail[n, 1] = action_id
            if encoding == actions.CHIPS:
                trail[n, 1] = actions.nearest_id(table, encoding, seated.work.no_fractions, action)
            for seat in range(table.seats):
                trail[n, 2 + seat] = table.stack[seat]
            n += 1
            dispatch.act_and_notify(game[0], tables, players, action, seated, True)
        elif event == dispatch.tournament.HAND_OVER:
            dispatch.end_hand(table, seated)
        elif event == dispatch.tournament.GAME_OVER:
            break
    return n


def play_through_the_environment(players, observation, seed, episodes, encoding="sized"):
    """(trail, places) of each episode, by `act` in an environment.

    With chips to name, only rule players play by `act`.
    """
    env = nlhe_env.raw_env(len(players), actions=encoding, observation=observation)
    for agent, player in zip(env.possible_agents, players, strict=True):
        if player.kind.on_event is not None or (player.sees_inputs and not sized(player)):
            player.follow(env, agent)
    for episode in range(episodes):
        env.reset(seed=seed if episode == 0 else None)
        for number, player in enumerate(players):
            player.begin(seed, number, episode)
        trail, places = [], {}
        compiled = agents.Lineup(env, dict(zip(env.possible_agents, players, strict=True)))
        while env.agents:
            agent = env.agent_selection
            if env.terminations[agent]:
                places[agent] = env.infos[agent]["place"]
                env.step(None)
                continue
            number = int(agent.removeprefix("player_"))
            if encoding == "sized" or not sized(players[number]):
                action = players[number].act(env.observe(agent), env.infos[agent])
            else:
                action = compiled.action()
            chips = env.table["stack"].tolist()
            trail.append([number, action, *chips])
            env.step(action)
        yield trail, [places[agent] for agent in env.possible_agents]


@pytest.mark.parametrize("n", [2, 6])
@pytest.mark.parametrize("name", [*COMPILED, *FEATURES])
def test_both_backends_give_the_same_game(name, n):
    players, observation = lineup(name, n)
    episodes = 2 if n == 2 else 1
    names_chips = not sized(players[0])
    encoding = "chips" if names_chips else "sized"
    games = play_through_the_environment(players, observation, 31, episodes, encoding)
    for episode, (trail, places) in enumerate(games):
        compiled_trail, compiled_places = Trajectory(players, 31, episode).play(
            100_000, actions.CHIPS if names_chips else actions.SIZED
        )
        assert trail == compiled_trail
        assert places == compiled_places


def test_both_backends_give_the_same_game_with_all_kinds_of_players():
    players = [
        *(
            one
            for one in map(agents.make, COMPILED)
            if sized(one) and one.inputs != "features_core"
        ),
        agents.NetworkPlayer(genome(1)),
    ]
    for trail, places in play_through_the_environment(players, "features_scaled", 5, 1):
        assert (trail, places) == Trajectory(players, 5, 0).play(100_000)


@pytest.mark.parametrize("first", [0, 9])
def test_both_backends_give_the_same_game_with_all_rule_players(first):
    rules = [player for player in map(agents.make, COMPILED) if not sized(player)]
    players = [*rules[first : first + 9], agents.NetworkPlayer(genome(1))]
    game = next(play_through_the_environment(players, "cards", 5, 1, "chips"))
    assert game == Trajectory(players, 5, 0).play(100_000, actions.CHIPS)


def test_pot_odds_give_the_same_game_with_raw_and_scaled_inputs():
    players = [agents.make("pot-odds") for _ in range(9)]
    raw, scaled = (
        next(play_through_the_environment(players, observation, 9, 1))
        for observation in ("features", "features_scaled")
    )
    assert raw == scaled


@pytest.mark.parametrize("observation", FEATURES)
def test_randomly_seated_network_tournaments_match_over_several_tables(observation):
    players, _ = lineup(observation, 13)
    tally = agents.play(players, Tournaments(2), TOURNAMENT, seed=2, rows=True)
    games = play_through_the_environment(players, observation, 2, 2)
    assert [places for _, places in games] == tally.row_scores.tolist()


def test_play_episode_plays_the_same_game_in_every_observation():
    players, _ = lineup("features_scaled", 4)
    totals = []
    for observation in ("cards", "features", "features_scaled"):
        env = nlhe_env.env(num_players=4, actions="sized", observation=observation)
        named = dict(zip(env.possible_agents, players, strict=True))
        totals.append(agents.play_episode(env, named, seed=12))
    assert totals[0] == totals[1] == totals[2]
    assert sum(totals[0].values()) == 0


@pytest.mark.parametrize("encoding", ["chips", (0.5, 1.0), (0.1, 0.2, 0.4, 0.8)])
def test_compiled_players_play_in_every_action_space(encoding):
    env = nlhe_env.env(num_players=4, actions=encoding)
    names = ("raiser", "random", "loose-aggressive")
    players = [*map(agents.make, names), agents.NetworkPlayer(genome(1))]
    named = dict(zip(env.possible_agents, players, strict=True))
    assert sum(agents.play_episode(env, named, seed=3).values()) == 0


def test_chips_actions_give_the_same_game_as_sized_actions():
    totals = []
    for encoding in ("sized", "chips"):
        env = nlhe_env.env(num_players=3, actions=encoding)
        players = [agents.make(name) for name in ("raiser", "random", "call-or-raise")]
        named = dict(zip(env.possible_agents, players, strict=True))
        totals.append(agents.play_episode(env, named, seed=3))
    assert totals[0] == totals[1]


def test_players_state_which_environment_they_need():
    env = deal([1000] * 2)
    player = agents.NetworkPlayer(genome(1))
    with pytest.raises(ValueError, match=r'use actions="sized".*got 2001 actions'):
        player.act(env.observe("player_0"), env.infos["player_0"])
    env = nlhe_env.raw_env(2, actions="sized")
    env.reset(seed=1)
    agent = env.agent_selection
    with pytest.raises(ValueError, match='needs observation="features_scaled"'):
        player.act(env.observe(agent), env.infos[agent])


# --- tournaments in chunks and threads -----------------------------------------------------------


def test_results_do_not_depend_on_chunks_or_threads():
    batch = agents.concat(
        agents.pack_players([agents.make(name) for name in COMPILED]),
        pack_networks(np.stack([genome(i) for i in range(8)])),
    )
    tables = load_tables()

    def play(first, count):
        tournaments = Tournaments(count, first)
        return agents.play(batch, tournaments, TOURNAMENT, seed=6, rows=True, tables=tables)

    whole = play(0, 12)
    with ThreadPoolExecutor(4) as threads:
        parts = list(threads.map(lambda first: play(first, 2), range(0, 12, 2)))
    assert_equal(reduce(agents.Tally.__add__, parts), whole)


def test_blocks_are_fair_to_equal_players():
    # Deterministic players, one after the other in every seat.
    equal = agents.play([agents.make("caller")] * 9, Blocks(4), TOURNAMENT, seed=1, rows=True)
    np.testing.assert_allclose(equal.row_scores, 5.0)
    players = [agents.make(COMPILED[i % 5]) for i in range(9)]
    tally = agents.play(players, Blocks(6), TOURNAMENT, seed=1, rows=True)
    np.testing.assert_allclose(tally.row_scores.mean(axis=1), 5.0)


def test_the_seating_order_of_a_block_is_random_or_fixed():
    batch = agents.pack_players([agents.make(name) for name in COMPILED[:6]])
    drawn, given = (
        agents.play(
            batch, Blocks(3, seating_order=seating_order), TOURNAMENT, seed=1, rows=True
        ).row_scores
        for seating_order in ("random", "fixed")
    )
    assert (drawn != given).any(axis=1).all()


def test_folder_does_best_among_static_players():
    # As published: the Folder far ahead of the four others.
    names = COMPILED[:8]
    players = [agents.make(name) for name in names]
    tally = agents.play(players, Tournaments(3000), TOURNAMENT, seed=3)
    means = dict(zip(names, tally.scores, strict=True))
    assert min(means, key=means.get) == "folder"


def test_players_see_the_amounts_they_sample():
    # A large raise of a sized environment is drawn with the randomness of the decision.
    env = nlhe_env.raw_env(2, actions="sized", mode="cash")
    bets = set()
    for seed in range(30):
        env.reset(seed=seed, options={"button": 0})
        play_as(env, (0, 4))
        bets.add(int(env.tables[0]["street_bet"][0]))
    assert len(bets) > 15
