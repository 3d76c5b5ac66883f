"""Decisions by the 169 classes of hole cards, as numbers and as a picture."""

import dataclasses

import numpy as np
import pytest

from agents.solvers import HandGrid, SolvedDecision, Subgame, draw_hand_grid, solve
from agents.solvers.hand_grids import action_colours


@pytest.fixture(scope="module")
def spot():
    return Subgame("KsTh7s4d2s", ("AA, AKs, 76o:0.5", "QQ, KJs"), 100, 250, "pot, all-in")


@pytest.fixture(scope="module")
def decision(spot):
    return solve(spot.game(), iterations=200).at()


@pytest.fixture(scope="module")
def grid(spot, decision):
    return HandGrid.of(decision, spot.hands(0))


def test_hand_classes_have_their_usual_grid_cells(grid):
    there = {HandGrid.name(*at): grid.weights[tuple(at)] for at in np.argwhere(grid.weights > 0)}
    # The king of spades lies on the board, and a seven: AsKs and a quarter of 76o are not possible.
    assert there == {"AA": 6, "AKs": 3, "76o": 0.5 * (12 - 3)}
    assert {HandGrid.name(0, 1), HandGrid.name(1, 0)} == {"AKs", "AKo"}


def test_a_class_averages_its_holdings(spot, decision, grid):
    names = np.array(spot.hand_names(0))
    for name, at in (("AA", (0, 0)), ("76o", (8, 7))):
        those = [i for i, hand in enumerate(names) if {hand[0], hand[2]} == set(name[:2])]
        met = decision.met[those]
        np.testing.assert_allclose(
            grid.chances[:, *at], decision.chances[:, those] @ met / met.sum(), rtol=1e-6
        )
        expected_values = (decision.chances * decision.values)[:, those].sum(axis=0)
        assert grid.values[at] == pytest.approx(expected_values @ met / met.sum(), rel=1e-6)
    np.testing.assert_allclose(grid.frequencies, decision.frequencies, rtol=1e-6)


def test_frequencies_are_weighted_by_pairs_of_hands():
    """Aces meet few hands with an ace."""
    spot = Subgame("AsKd7c2h9s", ("AA:0.9, 88-66", "AK:0.7, AQ, AJ"), 100, 100)
    solution = solve(spot.game(), iterations=200)
    first, second = solution.at(), solution.at("check")
    reaches = [first.reach, second.reach]
    for decision in (first, second):
        own, other = spot.hands(decision.player), spot.hands(1 - decision.player)
        reach = reaches[1 - decision.player]
        if decision is second:
            reach = reach * first.chances[first.actions.index("check")]
        counts = np.zeros(len(decision.actions))
        pairs = 0
        for i, hand in enumerate(own):
            apart = ~np.isin(other, hand).any(axis=1)
            counts += decision.reach[i] * reach[apart].sum() * decision.chances[:, i]
            pairs += int(apart.sum())
        assert pairs == 528
        expected = counts / counts.sum()
        np.testing.assert_allclose(decision.frequencies, expected, rtol=1e-5)
        grid = HandGrid.of(decision, own)
        np.testing.assert_allclose(grid.frequencies, expected, rtol=1e-5)


def test_mean_hand_values_equal_the_value_of_the_game():
    ranges = ("22+, A2s+, KTs+, AJo+", "TT+, AKs, AKo")
    spot = Subgame("AsKd7c2h9s", ranges, 100, 100)
    solution = solve(spot.game(), iterations=100)
    decision = solution.at()
    expected_values = np.nansum(decision.chances * decision.values, axis=0)
    mean = expected_values @ decision.weights / decision.weights.sum()
    assert mean == pytest.approx(solution.value, rel=1e-4)
    grid = HandGrid.of(decision, spot.hands(0))
    mean = np.nansum(grid.values * grid.meetings) / grid.meetings.sum()
    assert mean == pytest.approx(solution.value, rel=1e-4)


def test_hands_without_compatible_opponent_hands_do_not_count():
    # Sums of these chances less those of one card leave 1e-17, not 0.
    others = "AhKh:0.1, AcKc:0.7, AhQh:0.3, AcQc:0.2, AhJh:0.6"
    for other in ("AhKh", others):
        spot = Subgame("KsTd7c4d2s", ("AhAc, QsQd", other), 100, 100)
        decision = solve(spot.game(), iterations=200).at()
        grid = HandGrid.of(decision, spot.hands(0))
        aces = spot.column(0, "AhAc")
        assert (decision.met > 0).sum() == 1
        assert decision.met[aces] == 0
        assert np.isnan(decision.values[:, aces]).all()
        np.testing.assert_allclose(decision.frequencies, decision.chances[:, 1 - aces], rtol=1e-6)
        np.testing.assert_allclose(grid.frequencies, decision.frequencies, rtol=1e-6)
        assert grid.weights[0, 0] == 0


def test_an_unreached_decision_has_frequencies():
    chances, nothing = np.array([[0.25, 0.75], [0.75, 0.25]]), np.zeros(2)
    decision = SolvedDecision(
        0, ("check", "bet 1"), chances, np.full((2, 2), np.nan), nothing, nothing
    )
    np.testing.assert_allclose(decision.frequencies, 0.5)


def test_the_other_players_hands_are_refused(spot, decision):
    with pytest.raises(ValueError, match="hands must be the 18 holdings of player 0"):
        HandGrid.of(decision, spot.hands(1))


def test_grid_picture_cells_have_the_colours_of_actions(grid, tmp_path):
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


def test_a_grid_is_shown_in_notebooks():
    spot = Subgame("KsTh7s4d2s", ("AA, QJs", "99"), 100, 250, "pot")
    decision = solve(spot.game(), iterations=20).at()
    shown = HandGrid.of(decision, spot.hands(0))._repr_html_()
    assert shown.count("<td") == 169
    assert shown.count("never held") == 167
    assert 'title="AA: check' in shown
    assert "bet 100" in shown
