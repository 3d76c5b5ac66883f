"""Ctrl-C while games are solved: soon, and with whole iterations that can be gone on from."""

import signal

import numpy as np
import pytest
from interrupts import interruptible

from agents import solvers
from agents.solvers import regret_minimisation
from agents.theses.billings.pseudo_optimal.bucket_game import (
    BucketGame,
    BucketSolver,
    BucketWalks,
    Network,
)

RIVER = solvers.Subgame("KsTh7s4d2s", ("AA, 65s", "QQ, KJ"), 100, 250)
TURN = solvers.Subgame("KsTh7s4d", ("AA, 65s", "QQ"), 100, 100, "pot")


@pytest.fixture(autouse=True)
def _ctrl_c():
    """Python's own Ctrl-C, also where the tests run in the background of a shell."""
    with interruptible():
        yield


class Interrupting:
    """Does what a function does; the call of some number comes with a Ctrl-C."""

    def __init__(self, function, call):
        self.function, self.call = function, call
        self.calls = []

    def __call__(self, *arguments):
        self.calls.append(arguments)
        if len(self.calls) == self.call:
            signal.raise_signal(signal.SIGINT)
        return self.function(*arguments)


@pytest.fixture
def uninterrupted():
    def solve(game, iterations):
        solver = solvers.Solver(game)
        solver.run(iterations)
        return solver.strategy

    return solve


def test_an_interrupted_river_keeps_its_finished_iterations(monkeypatch, uninterrupted):
    game = RIVER.game()
    expected = uninterrupted(game, 300)
    learning = Interrupting(regret_minimisation.learn, 3)
    monkeypatch.setattr(regret_minimisation, "learn", learning)
    solver = solvers.Solver(game)
    with pytest.raises(KeyboardInterrupt):
        solver.run(300)
    assert solver.iterations == sum(len(call[1]) for call in learning.calls) < 300
    solver.run(300 - solver.iterations)
    np.testing.assert_array_equal(solver.strategy, expected)


@pytest.mark.parametrize("call", [1, 5, 12, 40])
@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupted_turn_resumes_within_an_iteration(monkeypatch, uninterrupted, call, threads):
    game = TURN.game()
    expected = uninterrupted(game, 10)
    valuing = Interrupting(regret_minimisation._value_outcomes, call)
    monkeypatch.setattr(regret_minimisation, "_value_outcomes", valuing)
    solver = solvers.Solver(game, threads=threads)
    with pytest.raises(KeyboardInterrupt):
        solver.run(10)
    parts = 2 * regret_minimisation._PARTS
    assert solver.iterations == len(valuing.calls) // parts < 10
    assert len(valuing.calls) < call + parts // 2  # the iteration was not waited for
    assert solver.exploitability() > 0
    solver.run(10 - solver.iterations)
    assert len(valuing.calls) == 11 * parts  # no call twice, and those of the exploitability
    np.testing.assert_array_equal(solver.strategy, expected)


def test_an_interrupted_exploitability_can_be_computed_again(monkeypatch):
    solver = solvers.Solver(TURN.game())
    solver.run(3)
    monkeypatch.setattr(
        regret_minimisation, "_value_outcomes", Interrupting(regret_minimisation._value_outcomes, 3)
    )
    with pytest.raises(KeyboardInterrupt):
        solver.exploitability()
    solver.run(3)
    known = solver.game.exploitability(solver.strategy)
    assert solver.exploitability() == pytest.approx(known, rel=1e-4)


def test_calls_between_interrupt_checks_take_the_intended_time(monkeypatch):
    """Ctrl-C waits for a call to end; the clock measures iterations."""
    clock = [0.0]
    counts = []

    def learn(*arguments):
        counts.append(len(arguments[1]))
        clock[0] += 0.001 * counts[-1] * (10 if len(counts) > 10 else 1)

    monkeypatch.setattr(regret_minimisation, "learn", learn)
    monkeypatch.setattr(regret_minimisation.time, "perf_counter", lambda: clock[0])
    solver = solvers.Solver(solvers.kuhn())
    solver.run(2000)
    assert sum(counts) == 2000
    assert counts[0] == 1
    assert 90 < max(counts) <= 100
    assert set(counts[12:-1]) <= {9, 10}  # the machine has become slow


def test_a_bucket_game_stops_after_the_current_iteration(monkeypatch):
    chances = (1 - np.eye(3)) / 6
    wins = np.sign(np.arange(3)[:, np.newaxis] - np.arange(3)).astype(float)
    game = BucketGame(solvers.kuhn().tree, Network(chances, (), wins))
    whole = BucketSolver(game)
    whole.run(20)
    adding = Interrupting(BucketWalks.add_plan, 7)
    monkeypatch.setattr(BucketWalks, "add_plan", lambda *arguments: adding(*arguments))
    solver = BucketSolver(game)
    with pytest.raises(KeyboardInterrupt):
        solver.run(20)
    assert solver.iterations == 4
    solver.run(16)
    np.testing.assert_array_equal(solver.strategies[0], whole.strategies[0])
