"""Rule players: what they do at worked spots, their tables, and players by name with options."""

import numpy as np
import pytest
from helpers import CALL, FOLD, choose, deal, play
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_spots import answer, facing_a_bet, hole

import agents
import nlhe_env
from agents.books import push_fold_equilibrium
from agents.players.networks import RecurrentPlayer
from agents.players.rules import push_or_fold
from agents.players.rules.opponent_frequency import frequencies
from agents.players.rules.rule_players import RulePlayer
from agents.policy import dispatch, spots
from agents.policy.single_policy import SEATS_BY_LENGTH, read_table
from agents.registry import options
from nlhe_env.assessment import class_names, hand_strength, potential
from nlhe_env.equity import equities, hand_equity
from nlhe_env.game.table import TABLE

RULES = [name for name in agents.names(compiled=True) if isinstance(agents.make(name), RulePlayer)]
OBSERVERS = [name for name in RULES if agents.make(name).kind.on_event is None]
CLASSES = class_names()


# --- what rules see ------------------------------------------------------------------------------

VISIBLE = (
    *("seats", "players", "street", "board_cards", "current_bet", "bets", "pot", "unfolded"),
    *("active", "small_blind", "big_blind", "ante"),
)
VISIBLE_OF_SEATS = ("stack", "street_bet", "hand_bet", "status")
VISIBLE_OF_STREETS = ("street_chips", "raises", "calls")


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), seats=st.integers(2, 10))
def test_the_table_is_restored_from_the_cards_observation(seed, seats):
    env = nlhe_env.raw_env(
        seats, starting_stack=700, blinds=(10, 20, 3), mode="cash", actions="sized"
    )
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    seen = np.zeros(1, TABLE)
    while env.agents and not env.terminations[env.agent_selection]:
        observation, table = env.observe(env.agent_selection), env.tables[0]
        vector = observation["observation"]
        read_table(vector, SEATS_BY_LENGTH[len(vector)], int(table["big_blind"]), seen[0])
        for name in VISIBLE:
            assert seen[0][name] == table[name], name
        own = int(table["actor"])
        for name in VISIBLE_OF_SEATS:
            expected = np.roll(table[name][:seats], -own)
            np.testing.assert_array_equal(seen[0][name][:seats], expected, name)
        for name in VISIBLE_OF_STREETS:
            expected = np.roll(table[name][:, :seats], -own, axis=1)
            np.testing.assert_array_equal(seen[0][name][:, :seats], expected, name)
        assert set(seen[0]["cards"][:2]) == set(table["cards"][2 * own : 2 * own + 2])
        board = slice(2 * seats, 2 * seats + int(table["board_cards"]))
        assert set(seen[0]["cards"][board]) == set(table["cards"][board])
        assert (int(seen[0]["button"]) + own) % seats == table["button"]
        env.step(rng.choice(np.flatnonzero(observation["action_mask"])))


def test_percentiles_are_shares_of_weaker_holdings():
    table = spots.percentiles()
    assert table[CLASSES.index("AA")] == pytest.approx(1 - 3 / 1326)
    np.testing.assert_allclose(spots.class_sizes() @ table / 1326, 0.5, atol=1e-6)
    assert table[CLASSES.index("72o"), 8] < table[CLASSES.index("76s"), 8]


@pytest.mark.parametrize("name", OBSERVERS)
def test_rule_players_state_which_environment_they_need(name):
    player = agents.make(name)
    env = nlhe_env.raw_env(2, actions="sized", observation="features")
    env.reset(seed=1)
    with pytest.raises(ValueError, match='needs observation="cards"'):
        player.act(env.observe("player_0"), env.infos[env.agent_selection])
    env = nlhe_env.raw_env(2, actions=(0.3, 0.5, 1.0))
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r'use actions="chips" or "sized".*got 6 actions'):
        player.act(env.observe(env.agent_selection), env.infos[env.agent_selection])


@pytest.mark.parametrize("betting", ["no-limit", "fixed-limit", "pot-limit"])
@pytest.mark.parametrize("first", range(0, len(RULES), 5))
def test_rule_players_play_sized_actions_in_every_betting_structure(betting, first):
    env = nlhe_env.env(5, actions="sized", betting=betting, num_hands=30)
    names = (RULES * 2)[first : first + 5]
    players = dict(zip(env.possible_agents, map(agents.make, names), strict=True))
    for agent, player in players.items():
        if player.kind.on_event is not None:
            player.follow(env, agent)
    env.reset(seed=3)
    while env.agents:
        observation, _, ended, cut, info = env.last()
        # The environment refuses illegal actions.
        env.step(None if ended or cut else players[env.agent_selection].act(observation, info))


# --- styles --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("threshold", "share"), [(0.8, 0.2), (0.2, 0.8)])
def test_styles_play_their_share_of_hands(threshold, share):
    player = agents.make(f"tight-passive:threshold={threshold},all_in_margin=0")
    played = 0
    for name, size in zip(CLASSES, spots.class_sizes(), strict=True):
        env = deal([4000] * 4, hole_cards={3: hole(name)})
        played += size * (answer(player, env) != FOLD)
    assert played / 1326 == pytest.approx(share, abs=0.01)


@pytest.mark.parametrize("style", ["tight-passive", "loose-aggressive"])
@pytest.mark.parametrize("cards", ["AsAd", "JdTc", "KsJd", "Ac4c", "Tc9d", "Qs9h", "Ad2d", "3c2d"])
def test_styles_follow_their_thresholds_after_the_flop(style, cards):
    strength = hand_strength(cards, "JsTd4h")
    found = options(style)
    risk = found["all_in_margin"] * 40 / 3980
    plays = strength >= found["threshold"] + (1 - found["threshold"]) * risk
    rises = strength >= found["raise_threshold"] + (1 - found["raise_threshold"]) * risk
    expected = 40 + 0.75 * 120 if rises else CALL if plays else FOLD
    assert answer(style, facing_a_bet(cards)) == expected


def test_all_in_margin_raises_the_threshold_for_all_in_calls():
    # King-ten is among the best 20% of hands, not among the best 10%; aces are.
    assert 0.8 < spots.percentiles()[CLASSES.index("KTo"), 0] < 0.9
    for cards, careless, careful in (("KsTh", CALL, FOLD), ("AsAh", CALL, CALL)):
        env = deal([1000] * 2, hole_cards={1: cards})
        play(env, 1000)
        assert answer("tight-passive:all_in_margin=0", env) == careless
        assert answer("tight-passive", env) == careful


# --- pot odds ------------------------------------------------------------------------------------


@given(
    chance=st.floats(0, 1),
    opponents=st.integers(1, 9),
    call=st.integers(0, 500),
    pot=st.integers(1, 3000),
    big_blind=st.sampled_from([2, 20, 300]),
)
def test_pot_odds_follow_the_formula_with_raw_and_scaled_inputs(
    chance, opponents, call, pot, big_blind
):
    chance = float(np.float32(chance))
    raw, scaled = np.zeros((2, 35), np.float32)
    raw[:4] = pot, call, opponents, chance
    scaled[:4] = pot / (10 * big_blind), call / (10 * big_blind), opponents / 10, chance
    price = call / (call + pot)
    fair = 1 / (opponents + 1)
    needed = max(fair, price) + 0.2 * (1 - max(fair, price))
    cuts = (price, *(needed + (1 - needed) * third / 3 for third in range(3)))
    if min(abs(chance - cut) for cut in cuts) < 1e-5:
        return
    expected = 1 if price == 0 or chance > price else 0
    if chance > needed:
        expected = 2 + int(3 * (chance - needed) / (1 - needed))
    mask = np.ones(5, np.int8)
    for inputs in (raw, scaled):
        assert choose(agents.make("pot-odds"), inputs, mask, 0.5) == min(expected, 4)


# --- the formula player --------------------------------------------------------------------------


@pytest.mark.parametrize("cards", ["AsAd", "Jd9c", "KsQd", "Ac4c", "Qs9h", "8d7d", "3c2d", "5s4c"])
def test_the_formula_player_bets_by_strength_and_calls_by_pot_odds(cards):
    found = potential(cards, "JsTd4h", n_cards=1)
    effective = found.hand_strength + (1 - found.hand_strength) * found.positive
    assert effective == found.effective_hand_strength
    player = "formula:ramp=0"
    for bet in (20, 40, 400):
        calls = effective >= bet / (40 + bet) or found.positive >= bet / (40 + 2 * bet)
        expected = CALL if calls else FOLD
        if effective >= 0.65:
            expected = bet + round(0.75 * (40 + 2 * bet))
        assert answer(player, facing_a_bet(cards, bet=bet)) == expected


@pytest.mark.parametrize("cards", ["AsAd", "8d7d", "3c2d", "Qs9h", "6s5s", "KcQc"])
def test_the_formula_player_bluffs_on_the_river_with_the_weakest_hands(cards):
    board = "JsTd4hJc2h"
    env = deal([4000, 4000], hole_cards={1: cards}, board=board)
    play(env, CALL, CALL, CALL, CALL, CALL, CALL)
    strength = hand_strength(cards, board)
    bluffs = 0.75 / 2.5
    share = 0.5 * bluffs / (1 - bluffs)  # of the hands: bluffs beside half that bet for value
    expected = 40 * 0.75 if strength >= 0.5 or strength < share else CALL
    assert answer("formula:ramp=0", env) == expected
    assert answer("formula:ramp=0,bluff=0", env) == (40 * 0.75 if strength >= 0.5 else CALL)


def test_a_ramp_mixes_around_the_threshold():
    env = deal([4000, 4000], hole_cards={1: "Qs9h"}, board="JsTd4hJc2h")
    play(env, CALL, CALL, CALL, CALL, CALL, CALL)
    strength = hand_strength("Qs9h", "JsTd4hJc2h")
    player = agents.make(f"formula:bet_threshold={strength},ramp=0.2,bluff=0")
    lineup = agents.Lineup(env, dict.fromkeys(env.possible_agents, player))
    size = int(dispatch.nearest_size(env.tables[0], 30, 3980))
    expected = np.zeros(5)
    expected[[1, size]] = 0.5
    np.testing.assert_allclose(lineup.policy(), expected, atol=1e-6)


# --- push or fold --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def match_ups():
    return push_fold_equilibrium.MatchUps.load()


@pytest.fixture(scope="module")
def solution():
    with np.load(push_or_fold.FILE) as file:
        return dict(file)


@pytest.mark.parametrize(("first", "second"), [("AA", "72o"), ("AKs", "22"), ("JTs", "AKo")])
def test_push_or_fold_equities_match_ranges(match_ups, first, second):
    found = match_ups.equities[CLASSES.index(first), CLASSES.index(second)]
    assert found == pytest.approx(equities([first, second]).equity[0], abs=1e-12)


def test_equities_and_probabilities_are_consistent(match_ups):
    np.testing.assert_allclose(match_ups.equities + match_ups.equities.T, 1.0)
    np.testing.assert_allclose(
        match_ups.chances.sum(axis=1), spots.class_sizes() / 1326, atol=1e-15
    )
    # Against a random hand every class has its pot share.
    shares = (match_ups.equities * match_ups.chances).sum(axis=1) / match_ups.chances.sum(axis=1)
    expected = [hand_equity(hole(name)) for name in CLASSES]
    np.testing.assert_allclose(shares, expected, atol=1e-12)


@pytest.mark.parametrize("stack", range(1, push_or_fold.MOST_BIG_BLINDS + 1))
def test_no_deviation_gains_against_the_equilibrium(match_ups, solution, stack):
    push, call = (solution[name][stack - 1].astype(np.float64) for name in ("push", "call"))
    assert -1e-9 < push_fold_equilibrium.exploitability(match_ups, stack, push, call) < 1e-3
    looser = np.ones_like(call)
    assert push_fold_equilibrium.exploitability(match_ups, stack + 2, push, looser) > 1e-3


def test_the_equilibrium_for_ten_big_blinds_matches_the_known_one(match_ups, solution):
    assert solution["pushed"][9] == pytest.approx(0.583, abs=0.002)
    assert solution["called"][9] == pytest.approx(0.374, abs=0.002)
    solved = push_fold_equilibrium.solve(match_ups, 10)
    np.testing.assert_array_equal(solved.push.astype(np.float32), solution["push"][9])


def test_short_stacks_play_the_equilibrium_heads_up(solution):
    player = agents.make("push-or-fold")
    for i, name in enumerate(CLASSES):
        push = deal([200, 200], hole_cards={0: hole(name)})
        call = deal([200, 200], hole_cards={1: hole(name)})
        play(call, 200)
        for env, chance, action in (
            (push, solution["push"][9, i], 200),
            (call, solution["call"][9, i], CALL),
        ):
            if chance in (0, 1):
                assert answer(player, env) == (action if chance else FOLD), name


@pytest.mark.slow
@pytest.mark.parametrize(("n", "seat"), [(3, 0), (6, 3), (6, 5)])
def test_fewer_hands_are_pushed_with_more_players_behind(n, seat, solution):
    pushed = 0
    for name, size in zip(CLASSES, spots.class_sizes(), strict=True):
        env = deal([200] * n, hole_cards={seat: hole(name)})
        behind = n - 1
        while int(env.tables[0]["actor"]) != seat:
            play(env, FOLD)
            behind -= 1
        pushed += size * (answer("push-or-fold", env) == 200)
    assert pushed / 1326 == pytest.approx(solution["pushed"][9] / behind**0.8, abs=0.01)


def test_antes_make_stacks_shorter():
    env = deal([200] * 2, blinds=(10, 20), hole_cards={0: "3s2s"})
    assert push_or_fold.effective_stack(env.tables[0]) == 10.0
    env = deal([200] * 2, blinds=(10, 20, 15), hole_cards={0: "3s2s"})
    assert push_or_fold.effective_stack(env.tables[0]) == 5.0


def test_deep_stacks_play_tight_aggressive():
    for name in ("AA", "KQs", "72o"):
        env = deal([1000] * 3, hole_cards={0: hole(name)})
        assert answer("push-or-fold", env) == answer("tight-aggressive", env)


def test_short_stacks_only_bet_all_in():
    env = nlhe_env.raw_env(
        4, starting_stack=200, actions="chips", blinds=(10, 20), mode="cash", infos="full"
    )
    player = agents.make("push-or-fold")
    seen = set()
    for seed in range(400):
        env.reset(seed=seed)
        while not env.terminations[env.agent_selection]:
            observation, _, _, _, info = env.last()
            action = CALL
            if env.agent_selection == "player_0":
                action = player.act(observation, info)
                free = info["to_call"] == 0
                all_in = info["max_raise_to"] or CALL
                assert action in (all_in, CALL if free else FOLD)
                seen.add((action == all_in, free, info["street"]))
            env.step(action)
    assert {(True, True, "flop"), (False, True, "flop"), (True, False, "preflop")} < seen


# --- players by name and options -----------------------------------------------------------------


OF_PARAMETERS = [
    name
    for name in agents.names(compiled=True)
    if any(isinstance(value, (int, float)) for value in options(name).values())
    and not isinstance(agents.make(name), RecurrentPlayer)
]


@pytest.mark.parametrize("name", OF_PARAMETERS)
def test_options_change_the_parameter_of_their_name(name):
    usual = agents.make(name)
    for i, (key, value) in enumerate(options(name).items()):
        same = agents.make(f"{name}:{key}={value!r}")
        np.testing.assert_array_equal(same.weights, usual.weights)
        step = {"sizing": 1 if value < 2 else -1, "threshold": -0.0625, "power": 1, "every": 1}.get(
            key, 0.0625 if value < 0.9 else -0.0625
        )
        other = agents.make(f"{name}:{key}={value + step}")
        (changed,) = np.flatnonzero(other.weights != usual.weights)
        if isinstance(usual, RulePlayer):
            assert list(usual.parameters)[changed] == key
        else:
            assert changed == i


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tigth-aggressive", 'did you mean "tight-aggressive"'),
        ("tight-aggressive:treshold=0.6", 'an option must be one of "threshold", "raise_thresh'),
        ("tight-aggressive:treshold=0.6", 'did you mean "threshold"'),
        ("tight-aggressive:threshold=much", "threshold must be a number; got 'much'"),
        ("tight-aggressive:threshold=1.5", "threshold must be in 0 .. 1; got 1.5"),
        ("tight-aggressive:threshold=nan", "threshold must be in 0 .. 1; got nan"),
        ("tight-aggressive:threshold=0.9", "threshold must be at most raise_threshold, 0.85"),
        ("tight-aggressive:threshold=0.6,threshold=0.7", "threshold is given twice"),
        ("tight-aggressive:threshold", 'must be "option=value,option=value"; got .threshold'),
        ("tight-aggressive:", 'must be "option=value,option=value"; got ..'),
        ("push-or-fold:below=40", "below must be in 0 .. 20; got 40"),
        ("ashe-tight-passive:call_from=9", "call_from must be in 0 .. 2; got 9"),
        ("hothead-maniac:sizing=0.5", "sizing must be 0, 1 or 2; got 0.5"),
        ("caller:threshold=0.6", "this player has no options"),
        ("scared-limper:p=1", "this player has no options"),
    ],
)
def test_invalid_names_and_options_are_explained(name, message):
    with pytest.raises(ValueError, match=message):
        agents.make(name)


def test_options_appear_in_the_name():
    assert agents.make("formula:size=1,ramp=0").name == "formula:size=1,ramp=0"


def test_every_name_makes_a_different_player():
    made = [agents.make(name).name for name in agents.names(compiled=True)]
    assert len(set(made)) == len(made)
    assert made == list(agents.names(compiled=True))


# --- the player that counts its opponents ---------------------------------------------------------


def heads_up(opponent, hands):
    """An environment after some hands against an opponent, and the seats."""
    env = nlhe_env.raw_env(2, actions="sized", mode="cash", num_hands=hands)
    players = (agents.make("opponent-frequency"), agents.make(opponent))
    seats = agents.Lineup(env, dict(zip(env.possible_agents, players, strict=True)))
    env.reset(seed=1)
    while not all(env.terminations.values()):
        env.step(seats.action())
    return seats.work.memory[0]


@pytest.mark.parametrize(
    ("opponent", "folds", "bets"),
    [
        ("folder", (0.8, 1), (0, 0.3)),
        ("caller", (0, 0.05), (0, 0.05)),
        ("raiser", (0, 0.05), (0.9, 1)),
    ],
)
def test_opponents_fold_and_bet_frequencies_are_learned(opponent, folds, bets):
    found = frequencies(heads_up(opponent, 80), 0)
    assert folds[0] <= found[0] <= folds[1]
    assert bets[0] <= found[1] <= bets[1]
    middling = frequencies(np.zeros(20, np.float32), 0)
    assert middling == (pytest.approx(0.4), pytest.approx(1.5 / 4.0))


@pytest.mark.parametrize("opponent", ["folder", "tight-passive", "candid-statistician"])
def test_learning_opponents_frequencies_pays(opponent):
    game = nlhe_env.Game.cash(num_hands=300)

    def won(trust):
        players = [agents.make(f"opponent-frequency:trust={trust}"), agents.make(opponent)]
        tally = agents.play(agents.pack_players(players), agents.Blocks(10), game, seed=5)
        return tally.totals[0] / tally.hands

    assert won(1) > won(0) + 20  # chips a hand: a fifth of a big blind
