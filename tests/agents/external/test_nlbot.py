"""NLBots: legal in every encoding, and what they remember changes what they do."""

import math

import numpy as np
import pytest
from helpers import CALL, FOLD, deal
from hypothesis import given, settings
from hypothesis import strategies as st

import agents
import nlhe_env
from agents.external.nlbot import (
    FREQUENCIES,
    NOTHING,
    VERSIONS,
    NLBot,
    NLBotSettings,
    Notes,
    read_turn,
)
from agents.player_records import PLAYERS
from nlhe_env.equity import hand_equity
from nlhe_env.equity.calculator.many_hands import hand_equities
from nlhe_env.equity.tables.suits import hole_pairs

ENCODINGS = ("chips", "sized", (0.5, 1.0), (0.1, 0.3, 0.8, 2.0))
NAMES = [f"nlbot-{version}" for version in VERSIONS]
BEFORE, AFTER = 0, 1
PASSIVE, AGGRESSIVE = 0, 1


def turn_of(env):
    agent = env.agent_selection
    return read_turn(env.observe(agent), env.infos[agent])


def ask(player, env):
    agent = env.agent_selection
    return player.act(env.observe(agent), env.infos[agent])


def log_odds(share):
    return math.log(share / (1 - share))


def facing_a_bet(*, hole="QhJd", board="Qs8d3c2h7s", bet=60):
    """The button checks down to the river, where it faces a bet of one pot or so."""
    env = deal([1000, 1000], hole_cards={0: hole}, board=board)
    for action in (CALL, CALL, CALL, CALL, CALL, CALL, bet):
        env.step(action)
    assert env.full_info("player_0")["street"] == "river"
    return env


def remembering(turn, *, hole, board, times, manner=AGGRESSIVE, **changes):
    """A player that has been shown a hand many times, always played the same way."""
    player = NLBot(settings=NLBotSettings(**changes))
    streets = (None, None, None, manner)
    last = turn._replace(hole="2c2d", acts=streets)
    for _ in range(times):
        player.notes.note_hand(last, CALL, {"player_0": "2c2d", "player_1": hole}, board)
    return player


# --- the table ------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    version=st.sampled_from(sorted(VERSIONS)),
    actions=st.sampled_from(ENCODINGS),
    stacks=st.tuples(st.integers(1, 400), st.integers(1, 400)),
    blinds=st.sampled_from([(1, 2), (10, 20), (10, 20, 5)]),
)
def test_every_action_is_legal(seed, version, actions, stacks, blinds):
    env = nlhe_env.raw_env(
        2, infos="full", starting_stack=list(stacks), blinds=blinds, actions=actions, num_hands=30
    )
    player = NLBot(version, actions=actions)
    player.begin(seed, 0)
    generator = np.random.default_rng(seed)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            env.step(None)
        elif agent == "player_0":
            env.step(player.act(observation, info))  # raw_env raises if it is not legal
        else:
            env.step(generator.choice(np.flatnonzero(observation["action_mask"])))


@pytest.mark.parametrize("actions", ["chips", "sized", (0.5, 1.0)])
def test_default_players_play_whole_matches(actions):
    env = nlhe_env.raw_env(2, infos="full", actions=actions, reward="place")
    for seed, name in enumerate(NAMES):
        players = {"player_0": agents.make(name), "player_1": agents.make("random")}
        assert sum(agents.play_episode(env, players, seed=seed).values()) == 0


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_turn_is_read_from_the_table(seed):
    env = nlhe_env.raw_env(
        2, infos="full", starting_stack=[700, 1300], blinds=(7, 15, 3), num_hands=5
    )
    env.reset(seed=seed)
    generator = np.random.default_rng(seed)
    while env.agents:
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            env.step(None)
            continue
        turn, table = turn_of(env), env.table
        me = int(table["actor"])
        seats = [me, 1 - me]
        assert turn.hand_bets == tuple(table["hand_bet"][seats])
        assert turn.stacks == tuple(table["stack"][seats])
        assert turn.street_bet == table["street_bet"][me]
        assert turn.street == table["street"]
        for street, act in enumerate(turn.acts):
            raised = table["raises"][street, 1 - me] > 0
            called = table["calls"][street, 1 - me] > 0
            assert act == (AGGRESSIVE if raised else PASSIVE if called else None)
        env.step(generator.choice(np.flatnonzero(env.observe(agent)["action_mask"])))


def test_the_pot_is_the_winnable_amount():
    env = deal([100, 1000])
    env.step(CALL)
    env.step(1000)  # all in for more than the button has
    turn = turn_of(env)
    assert turn.to_call == 80
    assert turn.pot == 20 + 100  # of the other 900 nothing can be called
    assert turn.at_stake == 100
    assert turn.last_act == (BEFORE, AGGRESSIVE)


def test_nlbot_sees_the_cards_with_any_observation():
    totals = []
    for observation in ("cards", "features"):
        env = nlhe_env.raw_env(
            2, infos="full", mode="cash", num_hands=20, observation=observation, actions="chips"
        )
        players = {"player_0": NLBot(1), "player_1": agents.make("raiser")}
        totals.append(agents.play_episode(env, players, seed=4))
    assert totals[0] == totals[1]


def test_unsupported_tables_are_refused():
    env = nlhe_env.raw_env(3, infos="full")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="plays heads-up and needs num_players=2"):
        ask(NLBot(), env)
    env = nlhe_env.raw_env(2, infos="full", observation="features")
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"numbers; got a vector of shape \(35,\)"):
        ask(NLBot(), env)


# --- bets -----------------------------------------------------------------------------------------


def test_kelly_sizes_a_raise_up_to_the_pot():
    # A set of aces on the river, nothing known of the opponent but a check: the cap is the pot.
    env = deal([1000, 1000], hole_cards={0: "AhAd"}, board="As8d3c2h7s")
    for action in (CALL, CALL, CALL, CALL, CALL, CALL, CALL):
        env.step(action)
    assert ask(NLBot(settings=NLBotSettings(most_pots=1.0)), env) == 40
    assert ask(NLBot(settings=NLBotSettings(most_pots=0.1)), env) == 20  # the least there is
    # A small multiple of Kelly's: 0.1 * (2 p - 1) * 1000, less the 20 that are in the pot.
    player = NLBot(settings=NLBotSettings(kelly=0.1))
    share = player.win_share(turn_of(env))
    wanted = 100 * (2 * share - 1) - 20
    assert 20 <= wanted < 80
    assert ask(NLBot(settings=NLBotSettings(kelly=0.1, most_pots=9)), env) == round(wanted)


@pytest.mark.parametrize(
    ("actions", "wanted", "expected"),
    [
        # Pot 40, nothing to call, least raise 20, all-in 980.
        ("chips", 33, 33),
        ((0.5, 1.0), 28, 2),  # half the pot
        ((0.5, 1.0), 33, 3),  # the pot
        ((0.5, 1.0), 800, 4),  # all-in
        ((5.0, 9.0), 60, 1),  # a check is nearer than five pots
        ("sized", 50, 2),  # 4.3 percent of 980 are 42
        ("sized", 150, 3),  # 16.7 percent 164
        ("sized", 500, 4),  # 57.3 percent 562
    ],
)
def test_a_raise_is_clamped_to_the_nearest_legal_amount(actions, wanted, expected):
    env = nlhe_env.raw_env(
        2, infos="full", starting_stack=1000, blinds=(10, 20), mode="cash", actions=actions
    )
    env.reset(seed=1, options={"button": 0})
    env.step(CALL)
    env.step(CALL)
    mask = env.observe(env.agent_selection)["action_mask"]
    player = NLBot(actions=actions)
    assert player._nearest(turn_of(env), wanted, mask) == expected


def test_unknown_ids_are_explained():
    env = nlhe_env.raw_env(2, infos="full", actions=(0.2, 0.4, 0.6), mode="cash")
    env.reset(seed=1, options={"hole_cards": {"player_0": "AhAd", "player_1": "AsAc"}})
    with pytest.raises(ValueError, match="expects 5 action ids; got 6: give it the actions"):
        ask(NLBot(), env)
    assert ask(NLBot(actions=(0.2, 0.4, 0.6)), env) >= 2


# --- memory ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.8])
def test_strength_at_a_rate_is_the_mean_over_the_best_hands(rate):
    shares = (np.arange(2_000_000) + 0.5) / 2_000_000
    odds = np.log(shares / (1 - shares))
    notes = Notes(NLBotSettings(remembers=NOTHING, sharpness=1.0, prior_rate=rate))
    first = round((1 - rate) * len(odds))
    assert notes.strength(AFTER, AGGRESSIVE) == pytest.approx(odds[first:].mean(), abs=1e-3)
    assert notes.strength(AFTER, PASSIVE) == pytest.approx(odds[:first].mean(), abs=1e-3)


def test_starting_hand_strengths_differ_less():
    notes = Notes(NLBotSettings(remembers=NOTHING))
    shares = hand_equities(hole_pairs().astype(np.int64))
    spread = np.log(shares / (1 - shares)).std() / (math.pi / math.sqrt(3))
    found = notes.strength(BEFORE, AGGRESSIVE) / notes.strength(AFTER, AGGRESSIVE)
    assert found == pytest.approx(spread, abs=0.005)


def test_shown_hands_are_stored_with_the_board_at_that_time():
    notes = Notes(NLBotSettings(prior_weight=2.0))
    prior = notes.strength(AFTER, AGGRESSIVE)
    assert prior == pytest.approx(math.log(2))  # half of H(1/2) / (1/2) = 2 log 2
    last = turn_of(facing_a_bet())._replace(acts=(PASSIVE, AGGRESSIVE, None, AGGRESSIVE))
    board = "Ac7s2h9dJc"
    notes.note_hand(last, CALL, {"player_1": "7d6d", "player_0": last.hole}, board)
    flop = log_odds(hand_equity("7d6d", board[:6]))
    river = log_odds(hand_equity("7d6d", board))
    assert notes.hands.tolist() == [[1, 0], [0, 2]]
    assert notes.acts.tolist() == [[1, 0], [0, 2]]
    assert notes.log_odds[BEFORE, PASSIVE] == pytest.approx(log_odds(hand_equity("7d6d")))
    assert notes.log_odds[AFTER, AGGRESSIVE] == pytest.approx(flop + river)
    assert notes.strength(AFTER, AGGRESSIVE) == pytest.approx((2 * prior + flop + river) / 4)


def test_actions_after_the_last_turn_count_as_passive_or_fold():
    notes = Notes(NLBotSettings())
    last = turn_of(facing_a_bet())._replace(acts=(PASSIVE, PASSIVE, None, None), street=2)
    notes.note_hand(last, 40, {})  # it folded to a raise on the turn
    assert (notes.folds, notes.acts.tolist()) == (1, [[1, 0], [2, 0]])
    notes.note_hand(last, FOLD, {})  # this time it was us
    assert (notes.folds, notes.acts.tolist()) == (1, [[2, 0], [3, 0]])
    assert not notes.hands.any()


def test_a_showdown_in_the_environment_is_remembered():
    env = deal([1000, 1000], hole_cards={0: "AhAd", 1: "7d2c"}, board="As8d3c2h7s", num_hands=2)
    player = NLBot()
    action = ask(player, env)
    assert action > CALL  # aces raise
    env.step(action)
    env.step(1000)  # seven-deuce moves in
    env.step(ask(player, env))
    assert env.full_info("player_0")["last_hand"]["shown"] == {
        "player_0": "AhAd",
        "player_1": "7d2c",
    }
    if env.agent_selection == "player_1":
        env.step(CALL)
    before = player.notes.strength(BEFORE, AGGRESSIVE)
    ask(player, env)
    assert player.notes.hands.tolist() == [[0, 1], [0, 0]]
    assert player.notes.log_odds[BEFORE, AGGRESSIVE] == pytest.approx(log_odds(hand_equity("7d2c")))
    assert player.notes.strength(BEFORE, AGGRESSIVE) < before


def test_shown_bluffs_cause_calls_and_shown_strong_hands_cause_folds():
    env = facing_a_bet(hole="9h9d")
    turn = turn_of(env)
    bluffs = remembering(turn, hole="5d4c", board="AsKd8h7s2h", times=20)
    values = remembering(turn, hole="AhAc", board="AsKd8h7s2h", times=20)
    assert bluffs.win_share(turn) > 0.9 > 0.2 > values.win_share(turn)
    assert ask(bluffs, env) != FOLD
    assert ask(values, env) == FOLD
    # Without memory for shown hands both are the same.
    for remembers in (NOTHING, FREQUENCIES):
        same = [
            remembering(turn, hole=hole, board="AsKd8h7s2h", times=20, remembers=remembers)
            for hole in ("5d4c", "AhAc")
        ]
        assert same[0].win_share(turn) == same[1].win_share(turn)


def test_the_third_version_respects_a_rare_bet():
    turn = turn_of(facing_a_bet())
    shares = []
    for manner in (PASSIVE, AGGRESSIVE):
        player = NLBot(3)
        for _ in range(20):
            player.notes.note_hand(turn._replace(acts=(None, None, None, manner)), FOLD, {})
        shares.append(player.win_share(turn))
    rare, frequent = shares
    assert rare < NLBot(3).win_share(turn) < frequent < hand_equity(turn.hole, turn.board)


def test_only_the_fourth_version_bluffs_and_only_when_profitable():
    env = deal([1000, 1000], hole_cards={0: "5d4c"}, board="AsKd8h7s2h")
    for action in (CALL, CALL, CALL):
        env.step(action)

    def bets(player, folds):
        found = 0
        for seed in range(40):
            player.begin(seed, 0)
            player.notes.raises, player.notes.folds = 30, folds
            found += ask(player, env) > CALL
        return found

    assert bets(NLBot(1), folds=30) == 0
    assert bets(NLBot(4), folds=0) == 0
    assert 8 <= bets(NLBot(4), folds=30) <= 32  # half of the chances
    assert bets(NLBot(settings=NLBotSettings(bluffs=True, bluff_rate=1.0)), folds=30) == 40


def test_a_second_query_changes_nothing():
    env = deal([1000, 1000], hole_cards={0: "AhAd"})
    player = NLBot()
    assert ask(player, env) == ask(player, env)
    assert player.notes.raises == 1


def test_a_new_match_starts_without_memory_unless_kept():
    for keeps, raises in ((False, 1), (True, 2)):
        player = NLBot(settings=NLBotSettings(keeps_memory=keeps))
        for hole in ("AhAd", "KhKd"):
            ask(player, deal([1000, 1000], hole_cards={0: hole}))
        assert player.notes.raises == raises
        player.begin(1, 0)
        assert player.notes.raises == 0


# --- matches --------------------------------------------------------------------------------------


def play(name, opponent, count, seed=1, **options):
    """The rewards of a player in so many matches."""
    env = nlhe_env.raw_env(2, infos="full", actions="chips", **options)
    players = {"player_0": agents.make(name), "player_1": agents.make(opponent)}
    rewards = []
    for i in range(count):
        for number, player in enumerate(players.values()):
            player.begin(seed, number, i)
        totals = agents.play_episode(env, players, seed=seed if i == 0 else None)
        rewards.append(totals["player_0"])
    return rewards


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("opponent", ["random", "caller"])
def test_nlbot_beats_simple_players(name, opponent):
    # Measured 0.8 and more; 30 matches have a standard error of 0.07.
    assert np.mean(np.array(play(name, opponent, 30, reward="place")) > 0) > 0.6


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_repeats_a_match(name):
    short = {"mode": "cash", "num_hands": 10}
    first = play(name, "nlbot-4", 2, **short)
    assert play(name, "nlbot-4", 2, **short) == first
    assert play(name, "nlbot-4", 2, seed=2, **short) != first


# --- names and settings ---------------------------------------------------------------------------


def test_nlbot_players_are_not_compiled():
    assert [name for name, record in PLAYERS.items() if not record.compiled] == list(NAMES)
    assert [agents.make(name).name for name in NAMES] == list(NAMES)
    with pytest.raises(ValueError, match="'nlbot-1' decides in Python"):
        agents.make_compiled("nlbot-1")
    with pytest.raises(ValueError, match="needs compiled players; got"):
        agents.pack_players([agents.make("nlbot-1")])


def test_nlbot_plays_against_one_learner():
    env = nlhe_env.NoLimitHoldemEnv(["nlbot-1"], num_hands=5, infos="full")
    _, info = env.reset(seed=3)
    done = False
    while not done:
        _, _, terminated, truncated, info = env.step(CALL)
        done = terminated or truncated
    assert info["last_hand"]["hand_number"] == 4


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"remembers": "everything"}, "remembers must be one of"),
        ({"caution": -0.1}, r"caution must be in 0\.\.1; got -0\.1"),
        ({"prior_rate": 1.0}, "prior_rate must be between 0 and 1"),
        ({"kelly": 0}, "kelly must be above 0; got 0"),
    ],
)
def test_invalid_settings_are_refused(arguments, problem):
    with pytest.raises(ValueError, match=problem):
        NLBotSettings(**arguments)


def test_unknown_versions_are_refused():
    with pytest.raises(ValueError, match="version must be one of 1, 2, 3, 4; got 5"):
        NLBot(5)
