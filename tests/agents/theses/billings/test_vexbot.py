"""Vexbot: Billings, PhD thesis (University of Alberta, 2006), chapter 4."""

import math

import numpy as np
import pytest

import agents
import nlhe_env
from agents.policy.spots import class_sizes
from agents.theses.billings.pseudo_optimal.book import MOST_BETS
from agents.theses.billings.pseudo_optimal.player import code_of_street
from agents.theses.billings.vexbot import betting_sequences
from agents.theses.billings.vexbot.build_book import learn
from agents.theses.billings.vexbot.opponent_model import (
    DecisionPoint,
    add_defaults,
    mix_coarse,
    mix_level,
    observe,
    observe_hand,
    write_chances,
    write_wins,
)
from agents.theses.billings.vexbot.records import (
    BLIND,
    BUTTON,
    CALLS,
    FOLDS,
    MEMORY,
    N_CELLS,
    PRIOR,
    RAISES,
    add_to_points,
)
from agents.theses.billings.vexbot.search import (
    SEARCH,
    look_ahead,
    search_street,
    weigh_ends,
    weigh_showdowns,
    write_opponent,
    write_options,
    write_showdowns,
)
from nlhe_env.game.table import PREFLOP, RIVER

LIMIT = nlhe_env.Game.cash(betting="fixed-limit", num_hands=2000)
ALWAYS_CALL, ALWAYS_RAISE = "caller", "hothead-maniac"
CEILINGS = {ALWAYS_CALL: 1.163475762, ALWAYS_RAISE: 3.697692897}
LOG_MIXING = math.log(0.95)


def records():
    return np.zeros(1, MEMORY)[0], np.zeros(1, PRIOR)[0], np.zeros(1, SEARCH)[0]


# --- the worked example of figure 4.1 ------------------------------------------------------------

RAISED, RAISED_AGAIN = 2, 3  # codes of the river: bet and raise, bet and two raises


def figure_4_1():
    """The last street, two small bets each in the pot, the first player has bet and is raised."""
    memory, _, search = records()
    hands = {RAISED: [1, 1, 0, 0, 0, 0, 0, 4, 4, 0], RAISED_AGAIN: [0] * 7 + [5, 5, 0]}
    for code, cells in hands.items():
        memory["ranks_0"][BLIND, code - 1] = np.repeat(cells, 2) * 1e4
        memory["shown"][BLIND, code - 1] = 1e5
    memory["wins"] = 0.5
    memory["chances"] = (0, 1, 0)
    node = betting_sequences.node_number(RIVER, 0, RAISED_AGAIN)
    memory["actions_0"][node] = (2e4, 8e4, 0)
    return memory, search


@pytest.mark.parametrize(
    ("strength", "fold", "call", "rise"),
    [
        (0.10, -4.0, -4.8, -5.2),
        (1 / 6, -4.0, -4.0, -5.2),
        (0.50, -4.0, -3.6, -5.2),
        (0.70, -4.0, -3.6, -5.2),
        (0.75, -4.0, -1.2, -2.0),
        (0.80, -4.0, 1.2, 1.2),
        (0.85, -4.0, 3.6, 4.4),
        (0.90, -4.0, 6.0, 7.6),
        (0.95, -4.0, 6.0, 7.6),
    ],
)
def test_figure_4_1_is_reproduced(strength, fold, call, rise):
    memory, search = figure_4_1()
    write_opponent(memory, search, RIVER, 0, BLIND, 0, 0, LOG_MIXING)
    write_showdowns(memory, search, 0, BLIND, 0, 0, 2.0, LOG_MIXING)
    add_to_points(search["points"], strength, 1.0)
    weigh_showdowns(search)
    search_street(search, RIVER, BLIND, 2.0, 0.5, 0.0, 1)
    write_options(search, RIVER, RAISED, 2.0, 0.5)
    np.testing.assert_allclose(search["options"], (fold, call, rise), atol=1e-5)
    assert search["values"][RAISED, 0] == max(search["options"])


def test_miximix_mixes_actions_with_close_values():
    memory, search = figure_4_1()
    write_opponent(memory, search, RIVER, 0, BLIND, 0, 0, LOG_MIXING)
    write_showdowns(memory, search, 0, BLIND, 0, 0, 2.0, LOG_MIXING)
    add_to_points(search["points"], 0.85, 1.0)  # the value of a raise is 4.4, of a call 3.6
    weigh_showdowns(search)
    search_street(search, RIVER, BLIND, 2.0, 0.5, 1.6, 1)
    assert search["values"][RAISED, 0] == pytest.approx((4.4 + 0.5 * 3.6) / 1.5, abs=1e-5)


# --- data ----------------------------------------------------------------------------------------


def test_the_last_twenty_hands_hold_64_percent_of_decayed_data():
    counts = np.zeros(2, np.float32)
    for i in range(400):
        observe(counts, 1 if i >= 380 else 0, np.float32(0.95))
    assert counts[1] / counts.sum() == pytest.approx(0.6415, abs=5e-5)


def test_abstraction_levels_mix_as_in_the_worked_example():
    left, shares = np.float32(1.0), []
    for seen in (5, 20, 75):
        mixed, counts = np.zeros(3, np.float32), np.array([seen, 0, 0], np.float32)
        left = mix_level(counts, np.float32(LOG_MIXING), left, mixed)
        shares.append(mixed[0])
    np.testing.assert_allclose([*shares, left], (0.2262, 0.4964, 0.2715, 0.0059), atol=5e-5)


def test_a_shown_hand_counts_at_every_level():
    memory, _, _ = records()
    observe_hand(memory, BUTTON, 6560, 3, 5, 0.52, np.float32(1.0))
    for level in range(5):
        counts = memory[f"ranks_{level}"]
        assert counts.sum() == 1
        assert np.nonzero(counts)[-1] == [10]
    wins = np.zeros(N_CELLS + 1, np.float32)
    cells = np.zeros(N_CELLS, np.float32)
    write_wins(memory, BUTTON, 6560, 3, 5, np.float32(math.log(0.01)), cells, wins)
    assert wins[:11].max() == 0
    assert wins[11:].min() > 0.99


def test_a_session_starts_with_default_data():
    memory, book, _ = records()
    book["ranks_3"][2] = 0.05
    book["actions_4"][1] = (0.2, 0.5, 0.3)
    add_defaults(memory, book, np.float32(5))
    assert memory["ranks_3"][2].sum() == pytest.approx(5)
    np.testing.assert_allclose(memory["actions_4"][1], (1, 2.5, 1.5))
    assert memory["ranks_0"].sum() == memory["actions_0"].sum() == 0


def test_shipped_default_data_are_shares():
    book = agents.make("vexbot").book.view(PRIOR)[0]
    for name in PRIOR.names:
        sums = book[name].sum(axis=1)
        assert set(np.round(sums, 3)) <= ({1.0} if name.startswith("to_") else {0.0, 1.0})


# --- lines against the rules ---------------------------------------------------------------------


def test_betting_sequences_match_the_game():
    env = nlhe_env.raw_env(
        2,
        mode="cash",
        betting="fixed-limit",
        starting_stack=10_000,
        blinds=(50, 100),
        num_hands=400,
        actions="chips",
    )
    env.reset(seed=4)
    dice = np.random.default_rng(4)
    seen = set()
    while not all(env.terminations.values()):
        table = env.unwrapped.table
        street = int(table["street"])
        code = code_of_street(table, street, MOST_BETS)
        beginning = betting_sequences.beginning_of(table, street)
        actor, big_blind = int(table["actor"]), int(table["big_blind"])
        stake = betting_sequences.stake_before(table, street)
        assert betting_sequences.is_code(street, code)
        assert betting_sequences.button_acts(street, code) == (actor == table["button"])
        assert betting_sequences.owes(street, code) == (
            table["current_bet"] > table["street_bet"][actor]
        )
        assert stake * big_blind == (table["hand_bet"] - table["street_bet"])[actor]
        for by_button in (False, True):
            seat = int(table["button"]) if by_button else 1 - int(table["button"])
            before = betting_sequences.raises_before(table, street, by_button)
            assert before == table["raises"][:street, seat].sum()
            now = betting_sequences.raises_of_button(street, code) if by_button else None
            assert now in (None, table["raises"][street, seat])
        seen.add((street, beginning, code))
        mask = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        rises = [a for a in mask if a > 1]
        assert bool(rises) == (code % betting_sequences.CHECKED < MOST_BETS)
        choices = [1, *rises, *rises] + (
            [0] if betting_sequences.owes(street, code) and dice.random() < 0.3 else []
        )
        env.step(int(dice.choice(choices)))
    nodes = {int(betting_sequences.node_number(*place)) for place in seen}
    assert len(nodes) == len(seen) > 300
    assert max(nodes) < betting_sequences.N_NODES


def test_the_number_of_betting_sequences_matches_the_thesis():
    ends = [code for code in range(10) if betting_sequences.can_end(RIVER, code)]
    places = [code for code in range(10) if betting_sequences.is_code(RIVER, code)]
    assert (len(ends), len(places), betting_sequences.N_LINES) == (9, 10, 6561)
    folds = sum(bool(betting_sequences.owes(RIVER, code)) for code in places)
    assert folds + len(ends) == 17
    assert sum(betting_sequences.can_end(PREFLOP, code) for code in range(10)) == 7


# --- the plan ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("opponent", "action"), [(ALWAYS_CALL, CALLS), (ALWAYS_RAISE, RAISES)])
def test_the_plan_against_a_card_blind_player_has_the_best_response_value(opponent, action):
    memory, _, search = records()
    book = agents.make("vexbot").book.view(PRIOR)[0]
    for level in range(1, 5):
        memory[f"ranks_{level}"] = 1e4
        memory[f"actions_{level}"][:, action] = 1e6
    line_values = []
    for seat in (BLIND, BUTTON):
        look_ahead(memory, book, search, seat, LOG_MIXING, 0.0)
        write_opponent(memory, search, PREFLOP, 0, seat, 0, 0, LOG_MIXING)
        for row in book["to_flop"]:
            search["points"] = row
            weigh_ends(memory["flops"][seat], 0, search)
            search_street(search, PREFLOP, seat, 0.0, 0.5, 0.0, 1)
            line_values.append(search["values"][betting_sequences.first_code(PREFLOP), 0])
    mean = np.average(line_values, weights=np.tile(class_sizes(), 2))
    assert mean == pytest.approx(CEILINGS[opponent], rel=0.03)


# --- playing -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("opponent", "share"), [(ALWAYS_CALL, 0.85), (ALWAYS_RAISE, 0.75)])
def test_vexbot_learns_to_win_most_of_the_best_response_value(opponent, share):
    players = [agents.make("vexbot"), agents.make(opponent)]
    tally = agents.play(players, agents.Blocks(1), LIMIT, seed=3)
    won = tally.totals[0] / tally.hands / LIMIT.big_blind
    assert won > share * CEILINGS[opponent]


def test_vexbot_estimates_the_opponents_action_frequencies():
    game = nlhe_env.Game.cash(betting="fixed-limit", num_hands=300)
    known = learn(agents.make("vexbot"), agents.make(ALWAYS_CALL), game, seed=1)
    assert known["hands"] == 300
    assert known["actions_0"][:, FOLDS].sum() == known["actions_0"][:, RAISES].sum() == 0
    assert known["actions_0"][:, CALLS].sum() > 600
    assert known["ranks_0"].sum() == known["shown"].sum() == 300


def test_opponents_made_against_poki_are_learned_slowly():
    """The expected fold frequency to a raise, after 300 hands against a player that never folds."""
    game = nlhe_env.Game.cash(betting="fixed-limit", num_hands=300)
    folds = {}
    for name in ("vexbot", "anti-poki", "hobbybot"):
        player = agents.make(name)
        memory = learn(player, agents.make(ALWAYS_CALL), game, seed=1)
        log_mixing, chances = player.weights[1], np.zeros(3, np.float32)
        mix_coarse(memory, log_mixing, np.zeros(2 * N_CELLS, np.float32))
        point = DecisionPoint(PREFLOP, 0, RAISED, BUTTON, 0, 0)
        write_chances(memory, point, log_mixing, chances)
        folds[name] = chances[FOLDS]
    assert folds["vexbot"] < 0.02
    assert folds["hobbybot"] > 2 * folds["vexbot"]
    assert folds["anti-poki"] > folds["hobbybot"]


def test_both_backends_play_the_same():
    game = nlhe_env.Game.cash(betting="fixed-limit", num_hands=30)
    players = [agents.make("vexbot:width=0.5,decay=0.9"), agents.make("formula")]
    compiled = agents.play(players, agents.Blocks(2), game, seed=8)
    through_env = agents.play(players, agents.Blocks(2), game, seed=8, record=[].append)
    np.testing.assert_array_equal(compiled.totals, through_env.totals)
    assert compiled.totals[0] != 0


@pytest.mark.parametrize(
    "game",
    [
        nlhe_env.Game.cash(betting="fixed-limit", starting_stack=350),
        nlhe_env.Game.cash(betting="fixed-limit", max_bets=None),
        nlhe_env.Game.tournament(betting="fixed-limit", starting_stack=2000),
    ],
)
def test_vexbot_plays_short_stacks_and_uncapped_betting(game):
    players = [agents.make("vexbot:width=1"), agents.make("call-or-raise")]
    tally = agents.play(players, agents.Blocks(10), game, seed=8)
    assert tally.hands > 0
    assert np.isfinite(tally.totals).all()


def test_options_are_checked():
    with pytest.raises(ValueError, match="mixing must be"):
        agents.make("vexbot:mixing=1")
