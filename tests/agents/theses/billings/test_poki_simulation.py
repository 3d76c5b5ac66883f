"""Betting by simulation: sampled cards, action values, and when it stops."""

import numpy as np
import pytest
from helpers import CALL

import agents
import nlhe_env
from agents.theses.billings.poki.action_frequencies import write_specific
from agents.theses.billings.poki.holdings import cell_of
from agents.theses.billings.poki.records import MEMORY, N_MEMORY, N_SCRATCH, WORK
from agents.theses.billings.poki.simulation import (
    deal_rest,
    draw_holding,
    prepare,
    simulate,
    write_options,
    write_running_sums,
)
from agents.theses.billings.poki.triples import forbid, write_triple
from nlhe_env.assessment.potential_kernels import hand_strength
from nlhe_env.cards import parse_cards
from nlhe_env.equity.calculator.spot import HOLE_SETS
from nlhe_env.equity.tables.cells import hole_number
from nlhe_env.evaluator import rank_cards
from nlhe_env.game.table import CHECK_OR_CALL, FOLD

ALL_IN = 4


class Decision:
    """A simulation of the decision that an environment waits for, taken apart."""

    def __init__(self, env, seats, trials=500):
        self.table = env.table
        who = int(self.table["actor"])
        self.memory = seats.work.memory[who][:N_MEMORY].view(MEMORY)[0]
        self.weights = agents.make(f"loki-2:trials={trials}").weights
        self.scratch = np.zeros(N_SCRATCH, np.float32)
        self.work = self.scratch.view(WORK)[0]

    def run(self, least=0, most=0):
        """Mean value of every option, and the number of deals."""
        n = write_options(self.table, least, most, self.work)
        prepare(self.weights, self.table, self.memory, self.work)
        done = simulate(self.weights, self.table, self.memory, n, self.work)
        return self.work["values"][:n] / done, done


def facing_all_in(cards, board, streets):
    """Heads-up no-limit: the opponent checks down some streets and then goes all-in."""
    env = nlhe_env.raw_env(2, blinds=(10, 20), starting_stack=400, actions="sized", mode="cash")
    seats = agents.Lineup(env, {agent: agents.make("loki-2") for agent in env.possible_agents})
    env.reset(seed=1, options={"button": 1, "hole_cards": {"player_0": cards}, "board": board})
    env.step(CALL)
    env.step(CALL)
    for _ in range(streets - 1):
        env.step(CALL)
        env.step(CALL)
    env.step(CALL)
    env.step(ALL_IN)
    assert env.agent_selection == "player_0"
    return env, seats


def test_holdings_are_sampled_by_weight_without_known_cards():
    rng = np.random.default_rng(2)
    weights, sums = rng.uniform(0, 1, 1326).astype(np.float32), np.zeros(1326)
    weights[rng.uniform(size=1326) < 0.5] = 0
    known = int(HOLE_SETS[5] | HOLE_SETS[1000])
    write_running_sums(weights, known, HOLE_SETS, sums)
    drawn = np.bincount([draw_holding(sums, u) for u in rng.uniform(size=40_000)], minlength=1326)
    expected = np.where(HOLE_SETS & known == 0, weights, 0)
    expected = 40_000 * expected / expected.sum()
    assert (drawn[expected == 0] == 0).all()
    seen = expected > 0
    chi_square = ((drawn - expected)[seen] ** 2 / expected[seen]).sum()
    assert chi_square < seen.sum() + 5 * np.sqrt(2 * seen.sum())
    write_running_sums(np.zeros(1326, np.float32), known, HOLE_SETS, sums)
    assert sums[-1] == (HOLE_SETS & known == 0).sum()  # no idea is better than none


def test_ten_players_never_share_a_card():
    env = nlhe_env.raw_env(10, betting="fixed-limit", actions="sized", mode="cash")
    seats = agents.Lineup(env, {agent: agents.make("loki-2") for agent in env.possible_agents})
    env.reset(seed=3)
    for _ in range(10):
        env.step(CALL)
    decision = Decision(env, seats)
    prepare(decision.weights, decision.table, decision.memory, decision.work)
    boards = set()
    for _ in range(300):
        assert deal_rest(decision.table, decision.work)
        dealt = decision.work["dealt"]
        assert len(set(dealt.tolist())) == 25
        own = 2 * int(decision.table["actor"])
        assert dealt[own : own + 2].tolist() == decision.table["cards"][own : own + 2].tolist()
        assert dealt[20:23].tolist() == decision.table["cards"][20:23].tolist()
        boards.add(tuple(dealt[23:].tolist()))
    assert len(boards) > 200


@pytest.mark.parametrize("cards", ["AdKd", "9c9h", "7h2c"])
def test_the_value_of_calling_an_all_in_is_its_equity_of_the_pot(cards):
    env, seats = facing_all_in(cards, "Ks8h5d3cJc", 3)
    decision = Decision(env, seats, trials=20_000)
    held = decision.memory["weights"][1]
    assert len(np.unique(held)) > 4
    strength = hand_strength(*parse_cards(cards), np.array(parse_cards("Ks8h5d3cJc")), 5, held)
    pot, to_call = int(decision.table["pot"]), 380
    assert pot == 420
    (fold, call), done = decision.run()
    error = 5 * (pot + to_call) * 0.5 / np.sqrt(done)
    assert fold == 0
    assert call == pytest.approx(strength * (pot + to_call) - to_call, abs=error)


class River:
    """The river of heads-up fixed-limit without raises before, worked out for every holding.

    The table and habits are read from a decision; each actor samples by the rank that its holding
    had when the street began.
    """

    BET, MOST = 40, 4

    def __init__(self, decision):
        work, memory = decision.work, decision.memory
        self.pot, self.own = int(decision.table["pot"]), int(decision.table["actor"])
        self.shares, self.strength = work["shares"], work["strength"]
        self.habits = {}
        for seat in range(2):
            for context in (9, 10):
                habit, counts = np.zeros(3), memory["counts"][seat, context]
                write_specific(decision.weights, counts, context, habit)
                self.habits[seat, context] = habit

    def triple(self, seat, holding, owed, can_raise):
        """The action probabilities of a holding."""
        place = self.shares[seat, cell_of(self.strength[holding])]
        habit, triple = self.habits[seat, 10 if owed else 9], np.zeros(3)
        write_triple(place, habit[0], habit[2], triple)
        forbid(triple, owed, can_raise)
        return triple

    def value(self, mine, theirs, share, seat, bets, put, acted):
        """Chips that the player wins from here on, both having put in ``put``."""
        other = 1 - seat
        showdown = share * (self.pot + sum(put.values())) - put[self.own]
        owed = put[other] - put[seat]
        fold, call, rise = self.triple(
            seat, mine if seat == self.own else theirs, owed, bets < self.MOST
        )
        folded = -put[self.own] if seat == self.own else self.pot + put[other]
        called = showdown
        if not owed and not acted:
            called = self.value(mine, theirs, share, other, bets, put, True)
        raised = 0.0
        if rise > 0:
            more = {**put, seat: put[other] + self.BET}
            raised = self.value(mine, theirs, share, other, bets + 1, more, True)
        return fold * folded + call * called + rise * raised


def test_river_values_match_an_enumeration_of_holdings_and_lines():
    env = nlhe_env.raw_env(2, blinds=(10, 20), betting="fixed-limit", actions="sized", mode="cash")
    seats = agents.Lineup(env, {agent: agents.make("loki-2") for agent in env.possible_agents})
    text = "Ks8h5d3cJc"
    board = parse_cards(text)
    env.reset(seed=1, options={"button": 1, "hole_cards": {"player_0": "9c9h"}, "board": text})
    for _ in range(6):
        env.step(CALL)
    assert env.agent_selection == "player_0"
    decision = Decision(env, seats, trials=20_000)
    decision.memory["counts"][1, 10] = 30, 20, 10  # folds often, and raises
    (_, check, bet), done = decision.run(40, 40)
    river, held = River(decision), decision.memory["weights"][1]
    own, mine = river.own, hole_number(*parse_cards("9c9h"))
    rank = rank_cards(np.array([*parse_cards("9c9h"), *board]))
    taken = {*parse_cards("9c9h"), *board}
    checks, bets, total = 0.0, 0.0, 0.0
    for high in range(1, 52):
        for low in range(high):
            number = hole_number(high, low)
            if held[number] == 0 or taken & {high, low}:
                continue
            other = rank_cards(np.array([high, low, *board]))
            share = 0.5 if other == rank else float(rank > other)
            line = (mine, number, share, 1 - own)
            checks += held[number] * river.value(*line, 0, {0: 0, 1: 0}, True)
            bets += held[number] * river.value(*line, 1, {own: 40, 1 - own: 0}, True)
            total += held[number]
    assert abs(checks - bets) / total > 1  # they differ
    error = 4 * 80 / np.sqrt(done)  # of a pot with two bets in it
    assert check == pytest.approx(checks / total, abs=error)
    assert bet == pytest.approx(bets / total, abs=error)


def test_obvious_actions_need_few_simulations():
    env, seats = facing_all_in("AsKs", "QsJsTs2h3d", 3)
    (_, call), done = Decision(env, seats).run()
    assert (call, done) == (420, 50)  # a royal flush
    env, seats = facing_all_in("9c9h", "Ks8h5d3cJc", 3)
    assert Decision(env, seats, trials=200).run()[1] > 50


def test_the_best_option_is_chosen():
    for cards, action in (("AsKs", 1), ("7h2c", 0)):
        _, seats = facing_all_in(cards, "QsJsTs2h3d", 3)
        assert seats.policy()[action] == 1
        before = seats.policy()
        np.testing.assert_array_equal(seats.policy(), before)  # of the same thing the same


def test_options_are_fold_call_and_the_raises_that_differ():
    work = np.zeros(1, WORK)[0]
    env = nlhe_env.raw_env(2, blinds=(10, 20), starting_stack=400, actions="sized", mode="cash")
    env.reset(seed=1)
    n = write_options(env.table, 40, 400, work)
    assert work["options"][:n].tolist() == [FOLD, CHECK_OR_CALL, 40, 60, 400]
    assert write_options(env.table, 0, 0, work) == 2
    env = nlhe_env.raw_env(2, blinds=(10, 20), betting="fixed-limit", actions="sized", mode="cash")
    env.reset(seed=1)
    n = write_options(env.table, 40, 40, work)
    assert work["options"][:n].tolist() == [FOLD, CHECK_OR_CALL, 40]


@pytest.mark.slow
def test_simulation_beats_always_call_and_always_raise():
    game = nlhe_env.Game.cash(num_hands=200, betting="fixed-limit")
    for opponent, least in (("caller", 0.5), ("hothead-maniac", 0.3)):
        players = [agents.make("loki-2:trials=100"), agents.make(opponent)]
        tally = agents.play(players, agents.Blocks(4), game, seed=2)
        assert tally.totals[0] / tally.hands / game.big_blind > least


@pytest.mark.slow
def test_with_the_best_predictors_simulation_beats_the_formula():
    """As among the programs of 1998 (Billings 2006, 2.7.2), with 100 big blinds."""
    game = nlhe_env.Game.cash(num_hands=500, betting="fixed-limit")
    tally = agents.play(
        [agents.make("poki-sim"), agents.make("poki")], agents.Blocks(8), game, seed=1000
    )
    assert tally.totals[0] / tally.hands / game.big_blind > 0
