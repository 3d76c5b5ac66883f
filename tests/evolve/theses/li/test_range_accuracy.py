"""Range accuracy of a player whose estimate is known."""

from __future__ import annotations

import numpy as np
import pytest

import agents
import nlhe_env
from agents.policy.kinds import make_sizes
from agents.theses.li.ashe2 import ModelPlayer
from agents.theses.li.shape import ModelShape, places_of
from evolve.theses.li.measurements import measure_ranges

GAME = nlhe_env.Game.cash(starting_stack=20_000, blinds=(50, 100), num_hands=30)
SHAPE = ModelShape(2, 3, 4, min_node_visits=0, nodes=64, level=3, boards=3)


@pytest.mark.slow
def test_a_constant_range_guess_has_the_base_rate_accuracy():
    weights = np.zeros(sum(SHAPE.parts), np.float32)
    _, first_cells, _ = places_of(make_sizes(*SHAPE), 1)
    biases = SHAPE.parts[0] + first_cells - 9
    weights[biases] = 5.0  # of the strongest hands: it never bets, and so sees rivers
    found = measure_ranges(ModelPlayer(weights, shape=SHAPE), agents.make("caller"), GAME)
    assert len(found.hands) > 8
    assert set(found.predicted) == {0}
    assert (np.diff(found.hands) >= 0).all()
    assert found.hands.max() < 30
    assert found.right() == pytest.approx((found.actual == 0).mean())
    # The weakest range is that of a third of all holdings, the strongest one of a fortieth.
    assert found.most_frequent() > found.right()
    late = found.actual[found.hands >= 15]
    assert found.right(15) == pytest.approx((late == 0).mean())


def test_players_without_range_estimates_are_refused():
    with pytest.raises(ValueError, match=r"only ASHE 2\.3 estimates ranges"):
        measure_ranges(agents.make("caller"), agents.make("caller"), GAME)
