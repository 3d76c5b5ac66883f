"""Loki and Poki: what they know of holdings, what they remember, how they bet."""

import itertools

import numpy as np
import pytest

import agents
import nlhe_env
from agents.theses.billings.poki.action_frequencies import (
    GENERIC,
    context_of,
    count_action,
    share_of_size,
    size_class,
)
from agents.theses.billings.poki.holdings import quick_potential, write_shares, write_strength
from agents.theses.billings.poki.players import PLAYERS, load_income_rates, make_income_rates
from agents.theses.billings.poki.predictors import begin_network, learn, write_predicted
from agents.theses.billings.poki.records import MEMORY, N_HIDDEN, N_INPUTS, N_MEMORY, N_NETWORK
from agents.theses.billings.poki.triples import forbid, place_after, write_triple
from nlhe_env.assessment.income_rates import class_names
from nlhe_env.assessment.potential_kernels import SCRATCH, board_set, potential
from nlhe_env.cards import parse_cards
from nlhe_env.equity.tables.cells import hole_number
from nlhe_env.evaluator import rank_cards
from nlhe_env.game.betting import CALLS, FOLDS, RAISES
from nlhe_env.game.table import FIXED_LIMIT, NO_LIMIT


def limit_game(hands):
    """Ten-twenty fixed-limit with deep stacks."""
    return nlhe_env.Game.cash(
        num_hands=hands, betting="fixed-limit", blinds=(10, 20), starting_stack=2_000
    )


def number_of(text):
    return hole_number(*parse_cards(text))


def remembered(seats, who):
    return seats.work.memory[who][:N_MEMORY].view(MEMORY)[0]


# --- holdings ------------------------------------------------------------------------------------


def test_the_fast_outs_estimate_is_mostly_right():
    """Billings 2006, 2.5.2.2: within 5% of the true PPot about 95% of the time."""
    rng = np.random.default_rng(7)
    scratch = np.zeros((), SCRATCH)[()]
    for n_board, least in ((3, 0.93), (4, 0.85)):
        errors = []
        for _ in range(2_000):
            cards = rng.permutation(52)[: 2 + n_board]
            board = cards[2:]
            _, exact, _ = potential(cards[0], cards[1], board, n_board, 1, None, scratch)
            quick = quick_potential(cards[0], cards[1], board_set(board, n_board), n_board)
            errors.append(abs(quick - exact))
        assert np.mean(np.array(errors) < 0.05) > least
    assert quick_potential(0, 1, board_set(board, 4), 5) == 0


def test_strength_is_the_share_of_holdings_beaten():
    board = np.array(parse_cards("Ks8h5d3cJc"))
    strength = np.zeros(1326, np.float32)
    write_strength(board, 5, np.zeros(1326, np.int64), strength)
    ranks = {
        hole_number(a, b): rank_cards(np.array([a, b, *board]))
        for a, b in itertools.combinations(set(range(52)) - set(board.tolist()), 2)
    }
    values = np.array(list(ranks.values()))
    for number, rank in ranks.items():
        share = np.mean(values < rank) + 0.5 * np.mean(values == rank)
        assert strength[number] == pytest.approx(share, abs=1e-6)
    assert (np.delete(strength, list(ranks)) == 0).all()
    assert strength[number_of("JhJs")] < strength[number_of("KhKd")]


def test_draws_count_before_the_river_only():
    flop, river = np.array(parse_cards("Qs7h2s")), np.array(parse_cards("Qs7h2s3d9c"))
    strength = np.zeros((2, 1326), np.float32)
    for row, board in zip(strength, (flop, river), strict=True):
        write_strength(board, len(board), np.zeros(1326, np.int64), row)
    draw, nothing = number_of("6s5s"), number_of("6d5c")
    assert strength[0, draw] > strength[0, nothing] + 0.1
    assert strength[1, draw] == strength[1, nothing]


def test_shares_follow_the_weights():
    strength = np.linspace(0, 0.999, 1326).astype(np.float32)
    weights = np.zeros(1326, np.float32)
    weights[663:] = 1.0  # only the better half
    shares = np.zeros(128)
    write_shares(weights, strength, shares)
    assert shares[:63].max() == 0
    assert shares[96] == pytest.approx(0.5, abs=0.01)
    assert (np.diff(shares) >= 0).all()


# --- triples and predictors ----------------------------------------------------------------------


@pytest.mark.parametrize("habit", [*GENERIC, (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.02, 0.95, 0.03)])
def test_action_triples_average_to_the_observed_frequencies(habit):
    places = (np.arange(20_000) + 0.5) / 20_000
    triples = np.zeros((len(places), 3))
    for place, triple in zip(places, triples, strict=True):
        write_triple(place, habit[FOLDS], habit[RAISES], triple)
    assert triples.sum(axis=1) == pytest.approx(1)
    assert (triples >= 0).all()
    np.testing.assert_allclose(triples.mean(axis=0), habit, atol=2e-3)
    assert (np.diff(triples[:, RAISES]) >= -1e-12).all()
    assert (np.diff(triples[:, FOLDS]) <= 1e-12).all()


@pytest.mark.parametrize("habit", GENERIC)
@pytest.mark.parametrize("to_call", [0, 10])
@pytest.mark.parametrize("can_raise", [False, True])
def test_ranks_after_an_action_are_among_holdings_with_that_action(habit, to_call, can_raise):
    places = (np.arange(5_000) + 0.5) / 5_000
    triple, chances = np.zeros(3), np.zeros((len(places), 3))
    folds, raises = habit[FOLDS], habit[RAISES]
    for place, chance in zip(places, chances, strict=True):
        write_triple(place, folds, raises, triple)
        forbid(triple, to_call, can_raise)
        chance[:] = triple
    for action_kind in (CALLS, RAISES) if can_raise else (CALLS,):
        weaker = np.cumsum(chances[:, action_kind]) - chances[:, action_kind] / 2
        after = [place_after(at, folds, raises, action_kind, to_call, can_raise) for at in places]
        np.testing.assert_allclose(after, weaker / chances[:, action_kind].sum(), atol=5e-3)


def test_contexts_count_bets_in_limit_and_sizes_in_no_limit():
    def context(betting, street, to_call, pot):
        return context_of(betting, street, to_call, pot, 20)

    assert [context(FIXED_LIMIT, 1, chips, 100) for chips in (0, 20, 40)] == [3, 4, 5]
    assert [context(FIXED_LIMIT, 2, chips, 100) for chips in (0, 40, 80)] == [6, 7, 8]
    assert [context(NO_LIMIT, 0, chips, 100) for chips in (10, 20, 40)] == [1, 1, 2]
    assert [context(NO_LIMIT, 3, chips, 150) for chips in (0, 50, 51)] == [9, 10, 11]


def test_large_raises_mean_few_holdings_unless_they_are_habitual():
    sizes = [size_class(chips, 20, 80, False) for chips in (50, 80, 130, 200)]
    assert [*sizes, size_class(30, 20, 80, True)] == [0, 1, 2, 3, 4]
    counts = np.zeros(5, np.float32)
    shares = [share_of_size(counts, k) for k in range(5)]
    assert shares == pytest.approx([1, 0.85, 0.45, 0.2, 0.1])
    for _ in range(500):
        count_action(counts, 4)
    assert share_of_size(counts, 4) > 0.95


def test_the_network_follows_the_gradient():
    weights = agents.make("poki").weights
    rng = np.random.default_rng(1)
    network = rng.normal(0, 0.4, N_NETWORK).astype(np.float32)
    inputs = rng.uniform(0, 1, N_INPUTS).astype(np.float32)
    hidden, habit = np.zeros(N_HIDDEN), np.zeros(3)

    def surprise(net):
        write_predicted(net, weights, 4, inputs, hidden, habit)
        return -np.log(habit[CALLS])

    surprise(network)
    taught = network.copy()
    learn(taught, inputs, hidden, habit, CALLS)
    for k in rng.choice(N_NETWORK, 25, replace=False):
        step = np.zeros(N_NETWORK, np.float32)
        step[k] = 1e-2
        slope = (surprise(network + step) - surprise(network - step)) / 2e-2
        assert taught[k] - network[k] == pytest.approx(-0.05 * slope, abs=3e-4)


def test_an_untrained_network_predicts_the_generic_frequencies():
    network, habit = np.zeros(N_NETWORK, np.float32), np.zeros(3)
    begin_network(network)
    assert len(np.unique(network)) > N_INPUTS * N_HIDDEN
    weights, inputs = agents.make("poki").weights, np.ones(N_INPUTS, np.float32)
    for context, generic in enumerate(GENERIC):
        write_predicted(network, weights, context, inputs, np.zeros(N_HIDDEN), habit)
        assert habit == pytest.approx(generic, abs=1e-6)


# --- before the flop -----------------------------------------------------------------------------


def test_income_rates_match_300_million_games():
    """Rates of classes by number of players; the largest standard errors are 4 and 11.5."""
    rates, names = load_income_rates(), class_names()
    known = {
        10: {"AA": 2106, "KK": 1609, "QQ": 1224, "JJ": 931, "TT": 715, "AKs": 1068, "AKo": 722},
        6: {"AA": 1951, "AKs": 867, "JTs": 499, "22": -73, "72o": -486, "32o": -462},
        2: {"AA": 704, "AKo": 307, "ATo": 255, "22": 7, "54s": -170, "32o": -353},
    }
    for n, column in known.items():
        for name, rate in column.items():
            assert rates[names.index(name), n - 2] == pytest.approx(rate, abs=25)
    assert np.argmin(rates[:, 8]) in (names.index("72o"), names.index("82o"))
    assert abs(np.sum(rates[:, 8] > 0) - 94) <= 2


def test_the_file_of_income_rates_can_be_rebuilt():
    again = make_income_rates(hands=400_000, seed=5)
    found = (again["rates"] - load_income_rates()) / again["standard_errors"]
    assert np.abs(found).max() < 5
    assert np.std(found) == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("name", list(PLAYERS))
def test_preflop_good_hands_raise_and_bad_hands_fold(name):
    env = nlhe_env.raw_env(10, betting="fixed-limit", actions="sized", mode="cash")
    seats = agents.Lineup(env, {agent: agents.make(name) for agent in env.possible_agents})
    found = {}
    for cards in ("AhAs", "Qd9s", "7d2c"):
        env.reset(seed=1, options={"button": 0, "hole_cards": {"player_3": cards}})
        assert env.agent_selection == "player_3"
        found[cards] = seats.policy()
    assert found["AhAs"][2:].sum() == 1
    assert found["7d2c"][0] == 1
    assert found["Qd9s"][0] > 0.9  # first of ten to act


# --- weight tables -------------------------------------------------------------------------------


def test_opponents_actions_move_their_weights():
    env = nlhe_env.raw_env(2, betting="fixed-limit", actions="sized", mode="cash", num_hands=9)
    seats = agents.Lineup(env, {agent: agents.make("loki-1") for agent in env.possible_agents})
    cards = {"player_0": "AhAd", "player_1": "7c6c"}
    env.reset(seed=1, options={"button": 1, "hole_cards": cards, "board": "QsJd8hAc8c"})
    memory = remembered(seats, 0)
    assert (memory["weights"][1] == 1).sum() == 50 * 49 / 2  # all but those with the player's aces
    env.step(2)  # the opponent raises
    weights = memory["weights"][1]
    assert weights[number_of("KsKd")] == 1
    assert weights[number_of("KsKd")] > 3 * weights[number_of("Ts9d")]
    assert weights[number_of("7s2d")] < 0.15
    env.step(1)
    env.step(1)
    env.step(2)  # and bets the flop
    weights = memory["weights"][1]
    assert not any(weights[number_of(seen)] for seen in ("QsKd", "Jd2c", "AsAh", "8h7c"))
    assert weights[number_of("QdQh")] == 1
    assert weights[number_of("Ts9s")] > weights[number_of("Ts2s")]  # a draw bets too
    assert 0 < weights[weights > 0].min() >= 0.01
    own = memory["weights"][0]
    assert own[number_of("AhAd")] > 0  # what the other may believe


@pytest.mark.parametrize("betting", ["fixed-limit", "no-limit"])
def test_memory_stays_small_and_finite(betting):
    env = nlhe_env.raw_env(4, betting=betting, actions="sized", mode="cash", num_hands=150)
    names = ("poki", "hothead-maniac", "loki-1", "random")
    players = dict(zip(env.possible_agents, map(agents.make, names), strict=True))
    seats = agents.Lineup(env, players)
    env.reset(seed=4)
    while not all(env.terminations.values()):
        env.step(seats.action())
    for who in (0, 2):
        memory = remembered(seats, who)
        for name in MEMORY.names:
            assert np.isfinite(memory[name]).all()
        assert memory["weights"].min() >= 0
        assert memory["weights"].max() <= 1
        assert memory["counts"].sum(axis=-1).max() <= 200  # 1 / (1 - 0.995)
        assert memory["counts"][1].sum() > 0
    assert seats.work.memory.shape[1] < 20_000


# --- how they play -------------------------------------------------------------------------------


def won(names, hands, blocks, seed=3):
    """Small bets a game that the first of them wins."""
    batch = agents.pack_players([agents.make(name) for name in names])
    tally = agents.play(batch, agents.Blocks(blocks), limit_game(hands), seed=seed)
    return tally.totals[0] / tally.hands / 20


@pytest.mark.slow
def test_poki_adapts_where_loki_does_not():
    """Exact best responses win 1.163 of Always Call and 3.698 of Always Raise."""
    assert won(("poki", "caller"), 500, 4) > 0.85
    assert won(("poki", "hothead-maniac"), 500, 4) > 2.3
    assert won(("loki-1", "hothead-maniac"), 500, 4) < 1.5
    assert won(("loki-1", "folder"), 200, 2) > 0.6


def test_settings_are_checked():
    with pytest.raises(ValueError, match=r"model must be one of .*best"):
        agents.make("poki:model=bset")
    with pytest.raises(ValueError, match=r"bluff must be in 0 \.\. 1; got 2"):
        agents.make("loki-1:bluff=2")
    tight, loose = (agents.make(f"loki-1:style={style}") for style in ("tight", "loose"))
    assert tight.weights[0] > loose.weights[0]


def test_traps_are_set_with_the_best_hands_against_few_opponents():
    def raises(cards, trap, seats=2, street=1):
        env = nlhe_env.raw_env(seats, betting="fixed-limit", actions="sized", mode="cash")
        players = {agent: agents.make(f"poki:trap={trap}") for agent in env.possible_agents}
        lineup = agents.Lineup(env, players)
        cards = dict.fromkeys(env.possible_agents[1:2], cards)
        env.reset(seed=1, options={"button": 0, "hole_cards": cards, "board": "AcAdKs7h2c"})
        while env.agent_selection != "player_1" or env.table["street"] < street:
            env.step(1)
        return lineup.policy()[2:].sum()

    plain, trapping = (raises("AhAs", trap) for trap in (0.0, 0.6))
    assert plain == 1
    assert trapping == pytest.approx(0.4, abs=0.01)
    assert trapping < raises("AhAs", 0.6, seats=3) < plain
    assert raises("AhAs", 0.6, street=3) == plain  # a trap on the river wins nothing
    assert raises("QhQd", 0.6) > trapping


def test_post_flop_poki_calls_before_the_flop():
    env = nlhe_env.raw_env(2, betting="fixed-limit", actions="sized", mode="cash")
    players = {agent: agents.make("poki:preflop=call") for agent in env.possible_agents}
    lineup = agents.Lineup(env, players)
    for cards in ("AhAs", "7d2c"):
        env.reset(seed=1, options={"button": 0, "hole_cards": {"player_0": cards}})
        assert lineup.policy()[1] == 1
