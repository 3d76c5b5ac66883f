"""Known players on the map of styles."""

from __future__ import annotations

import dataclasses

import pytest

import nlhe_env
from evolve.dashboard.pages import PLAYERS, measure_landmarks


@pytest.mark.parametrize(
    "game",
    [
        nlhe_env.Game.tournament(),
        dataclasses.replace(nlhe_env.Game.cash(num_hands=5), table_size=2),
    ],
)
def test_landmarks_match_their_names(game):
    styles = measure_landmarks(game)
    assert set(styles) == set(PLAYERS)
    entered = {name: style["voluntarily_in_pot"] for name, style in styles.items()}
    assert entered["tight-passive"] < 0.4 < entered["loose-passive"]
    assert styles["caller"]["aggression"] == 0.0
    assert styles["loose-aggressive"]["aggression"] > styles["loose-passive"]["aggression"]


def test_landmarks_leave_out_players_that_do_not_know_the_game():
    game = nlhe_env.Game.cash(betting="fixed-limit", num_hands=2, two_calls=True)
    styles = measure_landmarks(dataclasses.replace(game, table_size=2))
    assert set(PLAYERS) - set(styles) == {"formula"}
    assert styles["caller"]["aggression"] == 0.0 < styles["raiser"]["aggression"]
