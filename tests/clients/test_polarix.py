"""Ratings of the bench beside those of polarix, from the same tables of results.

pip install polarix
"""

import numpy as np
import pytest
from client_libraries import need

need("polarix")

import polarix

from agents.measure.bench.rating import rate
from agents.measure.bench.suites import SUITES, reference

pytestmark = pytest.mark.filterwarnings("ignore")


def counted_results(suite):
    """``(n, n)`` what the rating counts of each anchor against each."""
    known = reference()["suites"][suite.name]["results"]
    return np.array([[suite.bounded(known[a][b]) for b in suite.anchors] for a in suite.anchors])


@pytest.mark.parametrize("suite", SUITES.values(), ids=SUITES)
def test_ratings_are_the_averages_of_polarix_on_the_scale_of_the_bench(suite):
    game = polarix.agent_vs_task_game(
        agents=np.array(suite.anchors),
        tasks=np.array(suite.anchors),
        agent_vs_task=counted_results(suite),
        normalizer="none",
    )
    averages = np.asarray(polarix.average(game).ratings[game.players.index("agent")])
    known = reference()["suites"][suite.name]["results"]
    ours = [
        rate(suite, {other: (mean, 0.0) for other, mean in known[name].items()}).value
        for name in suite.anchors
    ]
    lowest, highest = averages[0], averages.max()
    assert 100 * (averages - lowest) / (highest - lowest) == pytest.approx(ours, abs=1e-3)


@pytest.mark.parametrize("name", ["heads-up", "limit"])
def test_the_equilibrium_of_the_anchors_is_the_one_rated_100(name):
    """In a meta-game of two the near-equilibrium players lose to none, so that all play them."""
    suite = SUITES[name]
    results = counted_results(suite)
    results = (results - results.T) / 2  # of both matches of two anchors
    labels = np.array(suite.anchors)
    game = polarix.Game(
        payoffs=np.stack([results, results.T]) / 100.0,
        actions=(labels, labels),
        players=("first", "second"),
    )
    solved = polarix.solve(game, polarix.lle, disable_progress_bar=True)
    for marginal in solved.marginals:
        assert suite.anchors[int(np.argmax(marginal))] == suite.anchors[-1]
        assert np.max(marginal) > 0.95
