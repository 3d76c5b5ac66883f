"""Decisions by the 169 classes of hole cards, as numbers and as a picture."""

import dataclasses

import numpy as np
import pytest

from agents.solvers import HandGrid, Subgame, draw_hand_grid, solve
from agents.solvers.pictures import action_colours


@pytest.fixture(scope="module")
def spot():
    return Subgame("KsTh7s4d2s", ("AA, AKs, 76o:0.5", "QQ, KJs"), 100, 250, "pot, all-in")


@pytest.fixture(scope="module")
def decision(spot):
    return solve(spot.game(), iterations=200).at()


@pytest.fixture(scope="module")
def grid(spot, decision):
    return HandGrid.of(decision, spot.hands(0))


def test_classes_stand_where_players_expect_them(grid):
    there = {HandGrid.name(*at): grid.weights[tuple(at)] for at in np.argwhere(grid.weights > 0)}
    # The king of spades lies on the board, and a seven: AsKs and a quarter of 76o are not possible.
    assert there == {"AA": 6, "AKs": 3, "76o": 0.5 * (12 - 3)}
    assert {HandGrid.name(0, 1), HandGrid.name(1, 0)} == {"AKs", "AKo"}


def test_a_class_does_what_its_holdings_do_on_average(spot, decision, grid):
    names = np.array(spot.hand_names(0))
    for name, at in (("AA", (0, 0)), ("76o", (8, 7))):
        those = [i for i, hand in enumerate(names) if {hand[0], hand[2]} == set(name[:2])]
        np.testing.assert_allclose(
            grid.chances[:, *at], decision.chances[:, those].mean(axis=1), rtol=1e-6
        )
        worth = (decision.chances * decision.values)[:, those].sum(axis=0)
        assert grid.values[at] == pytest.approx(worth.mean(), rel=1e-6)
    np.testing.assert_allclose(grid.frequencies, decision.frequencies, rtol=1e-6)


def test_hands_of_the_other_player_are_refused(spot, decision):
    with pytest.raises(ValueError, match="hands must be the 18 holdings of player 0"):
        HandGrid.of(decision, spot.hands(1))


def test_cells_of_the_picture_are_filled_with_the_colours_of_actions(grid, tmp_path):
    pytest.importorskip("matplotlib")
    from matplotlib.image import imread

    always = np.zeros_like(grid.chances)
    always[0] = 1
    path = draw_hand_grid(dataclasses.replace(grid, chances=always), tmp_path / "grid.png")
    picture = (imread(path)[..., :3] * 255).astype(int)
    colour = [int(action_colours(grid.actions)[0][i : i + 2], 16) for i in (1, 3, 5)]
    share = (picture == colour).all(axis=2).mean()
    # One whole cell (AA), most of AKs and part of 76o, of 169 that fill the picture but for the
    # legend; names stand in them.
    assert 1.5 / 169 < share < 3 / 169
