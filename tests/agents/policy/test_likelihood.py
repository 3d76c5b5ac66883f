"""The probability that policies assign to actions that other players see."""

from __future__ import annotations

import numpy as np
import pytest

import agents
from agents.policy.action_probabilities import policy_of_hands
from agents.policy.likelihood import Candidates, Likelihoods, write_chances_of_action
from nlhe_env import Game
from nlhe_env.equity.calculator.spot import HOLES
from nlhe_env.game import tournament
from nlhe_env.game.betting import legal_raise
from nlhe_env.game.table import CHECK_OR_CALL, FOLD

GAME = Game.cash(starting_stack=60, blinds=(1, 2))
HANDS = np.arange(0, 1326, 53)
LINES = {
    "first": (),
    "facing a raise": (6,),
    "the flop": (CHECK_OR_CALL, CHECK_OR_CALL),
    "facing a bet": (CHECK_OR_CALL, CHECK_OR_CALL, 3),
    "facing nearly all": (CHECK_OR_CALL, CHECK_OR_CALL, 40),
}
NAMES = [
    "old-best",
    "random",
    "hothead-maniac",
    "ashe-loose-aggressive",
    "candid-statistician",
    "loose-passive",
]


def at(line):
    """A table after some actions, with the players' records."""
    arrays = GAME.arrays(2)
    record = arrays.game[0]
    record["seed"] = 3
    tournament.start_game(record, arrays.tables, arrays.players, arrays.levels, 0)
    for action in (*line, None):
        tournament.advance(record, arrays.tables, arrays.players, arrays.levels)
        if action is not None:
            tournament.take_action(record, arrays.tables, arrays.players, action)
    return arrays.tables, arrays.players


def chances_of(player, tables, players, action):
    batch = agents.pack_players([player, player])
    found = np.zeros(len(HANDS))
    who = int(tables[0]["player"][tables[0]["actor"]])
    write_chances_of_action(
        who,
        tables.copy()[0],
        players,
        action,
        Candidates(HOLES, HANDS),
        batch.seated(batch.work_arrays()),
        Likelihoods.new(),
        found,
    )
    return found


def all_players():
    players = [agents.make(name) for name in NAMES]
    printed = agents.make("random")
    printed.interpretation = agents.ActionInterpretation(raise_sizes="verbatim")
    return [*players, printed]


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_action_probabilities_sum_to_one(line):
    tables, players = at(line)
    least, most = legal_raise(tables[0])
    actions = [FOLD, CHECK_OR_CALL, *range(least, most + 1)] if most else [FOLD, CHECK_OR_CALL]
    for player in all_players():
        total = sum(chances_of(player, tables, players, action) for action in actions)
        assert total == pytest.approx(np.ones(len(HANDS)), abs=1e-9), player.name


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_fold_and_call_probabilities_match_the_policy(line):
    tables, players = at(line)
    who = int(tables[0]["player"][tables[0]["actor"]])
    for player in all_players():
        batch = agents.pack_players([player, player])
        known = policy_of_hands(batch, who, tables[0], players, batch.work_arrays())[HANDS]
        possible = known.sum(axis=1) > 0
        for action, action_id in ((FOLD, 0), (CHECK_OR_CALL, 1)):
            found = chances_of(player, tables, players, action)
            assert found[possible] == pytest.approx(known[possible, action_id]), player.name


def test_size_distributions_are_split_by_rounding():
    """Half a pot to a pot over a limped pot of 4: bets of 2 to 4, the ends half as often."""
    player = agents.make("ashe-loose-aggressive:bet_from=0,bet_chance=1")
    tables, players = at(LINES["the flop"])
    found = {bet: chances_of(player, tables, players, bet)[0] for bet in (2, 3, 4, 5)}
    assert found == pytest.approx({2: 0.25, 3: 0.5, 4: 0.25, 5: 0.0})
