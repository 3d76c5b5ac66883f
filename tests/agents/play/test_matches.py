"""Matches of many line-ups on the same cards."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from helpers import genome

import agents
import nlhe_env
from nlhe_env.equity import load_tables

LINE_UPS = np.array([[0, 4, 5], [1, 4, 5], [2, 5, 3], [4, 4, 4], [0, 4, 5], [0, 3, 5]])
BLOCKS = np.array([4, 4, 4, 0, 6, 123_456_789_012])
CASH = nlhe_env.Game.cash(num_hands=7)
TOURNAMENT = nlhe_env.Game.tournament(starting_stack=600)


@pytest.fixture(scope="module")
def tables():
    return load_tables()


@pytest.fixture(scope="module")
def players():
    networks = [agents.NetworkPlayer(genome(seed), inputs="features_scaled") for seed in (1, 2)]
    wide = genome(3, length=agents.compiled.network.count_weights(35, (8, 6)))
    shaped = agents.NetworkPlayer(wide, inputs="features", hidden=(8, 6))
    rules = [agents.make_compiled(name) for name in ("old-best", "caller", "raiser")]
    return [*networks, shaped, *rules]


@pytest.mark.parametrize("game", [CASH, TOURNAMENT], ids=["cash", "tournament"])
def test_line_ups_play_blocks_of_duplicate_tables(tables, players, game):
    results = agents.play_matches(
        agents.pack(players), LINE_UPS, BLOCKS, game=game, seed=5, tables=tables
    )
    for i, line_up in enumerate(LINE_UPS):
        seated = agents.pack([players[who] for who in line_up])
        arguments = {"seed": 5, "first": BLOCKS[i], "count": 1, "tables": tables}
        if game is CASH:
            single = agents.play_cash(seated, game=CASH, **arguments)
            np.testing.assert_array_equal(results.scores[i], single.chips[0])
        else:
            single = agents.play_revolutions(seated, game=TOURNAMENT, **arguments)
            np.testing.assert_array_equal(results.scores[i], single.places[0])
        assert results.hands[i] == single.hands
        assert results.decisions[i] == single.decisions
        np.testing.assert_array_equal(results.style_counts[i], single.style_counts[0])
    assert len(np.unique(results.scores)) > 3


@pytest.mark.parametrize("game", [CASH, TOURNAMENT], ids=["cash", "tournament"])
def test_any_cutting_gives_the_same(tables, players, game):
    field = agents.pack(players)
    arguments = {"game": game, "seed": 2, "tables": tables}
    whole = agents.play_matches(field, LINE_UPS, BLOCKS, **arguments)
    for cuts in ([0, 6], [0, 1, 2, 5, 6], [0, 3, 6]):
        parts = [
            agents.play_matches(field, LINE_UPS[a:b], BLOCKS[a:b], **arguments)
            for a, b in itertools.pairwise(cuts)
        ]
        for column, pieces in zip(whole, zip(*parts, strict=True), strict=True):
            np.testing.assert_array_equal(column, np.concatenate(pieces))


def test_who_else_is_in_the_field_does_not_matter(tables, players):
    arguments = {"game": CASH, "seed": 2, "tables": tables}
    pair = agents.pack([players[4], players[1]])
    first = agents.play_matches(
        agents.pack(players), np.array([[1, 4]]), np.array([3]), **arguments
    )
    second = agents.play_matches(pair, np.array([[1, 0]]), np.array([3]), **arguments)
    np.testing.assert_array_equal(first.scores, second.scores)


def test_equal_candidates_score_equally_on_the_same_cards(tables, players):
    field = agents.pack([players[0], players[0], *players[3:]])
    line_ups = np.tile([[0, 3, 4], [1, 3, 4]], (10, 1))
    scores = agents.play_matches(
        field, line_ups, np.arange(10).repeat(2), game=CASH, seed=2, tables=tables
    ).scores
    np.testing.assert_array_equal(scores[::2], scores[1::2])
    assert len(np.unique(scores[:, 0])) > 5


def test_nothing_to_play_is_nothing(players):
    results = agents.play_matches(agents.pack(players), LINE_UPS[:0], BLOCKS[:0], game=CASH, seed=1)
    assert results.scores.shape == (0, 3)


@pytest.mark.parametrize(
    ("line_ups", "arguments", "message"),
    [
        ([[0, 6]], {}, r"numbers of players, 0\.\.5; got 0\.\.6"),
        ([[0, -1]], {}, r"numbers of players, 0\.\.5; got -1\.\.0"),
        ([[0]], {}, r"2 to 10 seats; got shape \(1, 1\)"),
        ([[0] * 11], {}, r"2 to 10 seats; got shape \(1, 11\)"),
        ([0, 1], {}, r"2 to 10 seats; got shape \(2,\)"),
        ([[0, 1]], {"blocks": np.array([0, 1])}, r"one number of at least 0 .* shape \(2,\)"),
        ([[0, 1]], {"blocks": np.array([-1])}, "least -1"),
        ([[0, 1]], {"seed": -1}, "seed"),
    ],
)
def test_impossible_matches_are_refused(players, line_ups, arguments, message):
    arguments = {"blocks": np.array([0]), "game": CASH, "seed": 1, **arguments}
    with pytest.raises(ValueError, match=message):
        agents.play_matches(agents.pack(players), np.array(line_ups), **arguments)
