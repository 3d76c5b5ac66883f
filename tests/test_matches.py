"""Matches of many line-ups on the same cards."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from helpers import genome

import agents
from nlhe_env.equity import load_tables

LINE_UPS = np.array([[0, 4, 5], [1, 4, 5], [2, 5, 3], [4, 4, 4]])
CASH = agents.CashGame(session=7)
TOURNAMENT = agents.Structure(starting_stack=600)


@pytest.fixture(scope="module")
def tables():
    return load_tables()


@pytest.fixture(scope="module")
def players():
    networks = [agents.NetworkPlayer(genome(seed), inputs="features_scaled") for seed in (1, 2)]
    wide = genome(3, length=agents.network.count_weights(35, (8, 6)))
    shaped = agents.NetworkPlayer(wide, inputs="features", hidden=(8, 6))
    rules = [agents.make_compiled(name) for name in ("old-best", "caller", "raiser")]
    return [*networks, shaped, *rules]


@pytest.mark.parametrize("game", [CASH, TOURNAMENT], ids=["cash", "tournament"])
def test_units_are_blocks_of_duplicate_tables(tables, players, game):
    field = agents.pack(players)
    results = agents.play_matches(
        field, LINE_UPS, game=game, seed=5, blocks=3, first_block=4, tables=tables
    )
    for i, line_up in enumerate(LINE_UPS):
        seated = agents.pack([players[who] for who in line_up])
        for block in range(3):
            arguments = {"seed": 5, "first": 4 + block, "count": 1, "tables": tables}
            if game is CASH:
                single = agents.play_cash(seated, game=CASH, **arguments)
                score = single.chips[0, 0]
            else:
                single = agents.play_revolutions(seated, structure=TOURNAMENT, **arguments)
                score = single.places[0, 0]
            unit = 3 * i + block
            assert results.scores[unit] == score
            assert results.hands[unit] == single.hands
            assert results.decisions[unit] == single.decisions
    assert len(np.unique(results.scores)) > 3


@pytest.mark.parametrize("game", [CASH, TOURNAMENT], ids=["cash", "tournament"])
def test_any_cutting_gives_the_same(tables, players, game):
    field = agents.pack(players)
    arguments = {"game": game, "seed": 2, "blocks": 5, "tables": tables}
    whole = agents.play_matches(field, LINE_UPS, **arguments)
    for cuts in ([0, 20], [0, 1, 2, 13, 20], [0, 3, 7, 11, 19, 20]):
        parts = [
            agents.play_matches(field, LINE_UPS, first=a, count=b - a, **arguments)
            for a, b in itertools.pairwise(cuts)
        ]
        for column, pieces in zip(whole, zip(*parts, strict=True), strict=True):
            np.testing.assert_array_equal(column, np.concatenate(pieces))


def test_who_else_is_in_the_field_does_not_matter(tables, players):
    arguments = {"game": CASH, "seed": 2, "blocks": 4, "tables": tables}
    first = agents.play_matches(agents.pack(players), np.array([[1, 4]]), **arguments)
    second = agents.play_matches(
        agents.pack([players[4], players[1]]), np.array([[1, 0]]), **arguments
    )
    np.testing.assert_array_equal(first.scores, second.scores)


def test_equal_candidates_score_equally(tables, players):
    field = agents.pack([players[0], players[0], *players[3:]])
    line_ups = np.array([[0, 3, 4], [1, 3, 4]])
    scores = agents.play_matches(
        field, line_ups, game=CASH, seed=2, blocks=10, tables=tables
    ).scores.reshape(2, 10)
    np.testing.assert_array_equal(scores[0], scores[1])


@pytest.mark.parametrize(
    ("line_ups", "arguments", "message"),
    [
        ([[0, 6]], {}, r"numbers of players, 0\.\.5; got 0\.\.6"),
        ([[0, -1]], {}, r"numbers of players, 0\.\.5; got -1\.\.0"),
        ([[0]], {}, r"2 to 10 seats; got shape \(1, 1\)"),
        ([[0] * 11], {}, r"2 to 10 seats; got shape \(1, 11\)"),
        ([0, 1], {}, r"2 to 10 seats; got shape \(2,\)"),
        ([[0, 1]], {"blocks": 0}, "blocks must be at least 1; got 0"),
        ([[0, 1]], {"first": 2, "count": 9}, r"units 0\.\.9; got first = 2, count = 9"),
        ([[0, 1]], {"seed": -1}, "seed"),
    ],
)
def test_impossible_matches_are_refused(players, line_ups, arguments, message):
    arguments = {"game": CASH, "seed": 1, "blocks": 10, **arguments}
    with pytest.raises(ValueError, match=message):
        agents.play_matches(agents.pack(players), np.array(line_ups), **arguments)
