"""Tables of values fitted to self-play: the numbers of a cell, and the hands that are played."""

from __future__ import annotations

import numpy as np
import pytest

import agents
import nlhe_env
from agents.match import fitting
from nlhe_env.assessment.estimators.aivat_values import N_CELLS

GAME = nlhe_env.Game.cash(starting_stack=2000, num_hands=4)


def test_a_cell_with_as_many_events_as_prior_ones_has_half_of_what_it_saw():
    fields = ("counts", "squares", "products")
    record = np.zeros(1, [(name, np.float64, (N_CELLS,)) for name in fields])[0]
    record["counts"][:3] = 50, 100, 50
    record["squares"][:3] = 4.0, 4.0, 9.0
    record["products"][:3] = 4.0, -6.0, 0.0
    found = fitting._numbers_of(record)
    assert found[:3].tolist() == [0.5, -1.0, 0.0]
    assert not found[3:].any()


def test_the_hands_asked_for_are_played_in_passes_that_do_not_share_cards(monkeypatch):
    played = []

    def play(players, schedule, game, **arguments):
        played.append(range(schedule.first, schedule.first + schedule.count))
        return agents.play(players, schedule, game, **arguments)

    monkeypatch.setattr(fitting, "play", play)
    table = agents.fit_value_function(["caller", "raiser"], GAME, hands=1200, seed=5)
    assert len(played) == fitting.PASSES
    assert sum(len(games) for games in played) * 4 == 1200
    assert len({number for games in played for number in games}) * 4 == 1200
    assert table.numbers.any()
    with pytest.raises(ValueError, match="hands must be at least 1000; got 999"):
        agents.fit_value_function(["caller", "raiser"], GAME, hands=999)
