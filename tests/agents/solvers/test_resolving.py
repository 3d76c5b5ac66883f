"""The player that solves the river: as the blueprint before it, better on it."""

from __future__ import annotations

import numpy as np
import pytest
from river_play import mixed, strategy_of

import agents
import nlhe_env
from agents.external.chips import is_legal
from agents.policy.hand_replay import HandReplay
from agents.solvers import RiverSolver, Solver
from agents.solvers.resolving import hands_at
from agents.solvers.subgame_from_hand import find_street
from agents.solvers.turn_to_hand import hand_from_turn
from nlhe_env.game.table import FLOP, RIVER

BLUEPRINTS = {"no-limit": "equilibrium-nolimit", "fixed-limit": "equilibrium-limit"}
CALL = 1
BLOCKS = agents.Blocks(12)


class Listening(RiverSolver):
    """Keeps every turn and its answer, and that the answer is possible."""

    def __init__(self, blueprint, **options):
        super().__init__(blueprint, **options)
        self.log = []

    def decide(self, turn):
        told = self.chances(turn)
        assert sum(told.values()) == pytest.approx(1)
        assert all(is_legal(turn, action) for action in told)
        action = super().decide(turn)
        assert told[action] > 0
        self.log.append((turn, action))
        return action


def game_of(betting, stack=200):
    return nlhe_env.Game.cash(
        num_hands=1, starting_stack=100 * stack, blinds=(50, 100), betting=betting
    )


@pytest.fixture(scope="module", params=BLUEPRINTS)
def played(request):
    """Some hands against the blueprint itself."""
    game = game_of(request.param)
    blueprint = agents.make(BLUEPRINTS[request.param])
    player = Listening(blueprint, iterations=50)
    tally = agents.play([player, blueprint], BLOCKS, game, seed=4, rows=True)
    return request.param, game, blueprint, player, tally


def test_it_does_the_same_again(played):
    _, game, blueprint, player, tally = played
    again = Listening(blueprint, iterations=50)
    other = agents.play([again, blueprint], BLOCKS, game, seed=4, rows=True)
    np.testing.assert_array_equal(tally.row_scores, other.row_scores)
    assert again.log == player.log


def test_before_the_river_it_plays_as_the_blueprint(played):
    """Action by action, with the same dice."""
    _, game, blueprint, player, _ = played
    seen = {turn["street"] for turn, _ in player.log}
    assert seen == {"preflop", "flop", "turn", "river"}

    def before_the_river(first):
        hands = []
        agents.play([first, blueprint], BLOCKS, game, seed=4, record=hands.append)
        return [[action for action in hand.actions if action.board_cards < 5] for hand in hands]

    plain = before_the_river(blueprint)
    assert len(plain) == 2 * len(BLOCKS)
    assert before_the_river(RiverSolver(blueprint, iterations=1)) == plain


def test_ranges_are_what_the_blueprint_would_have_done(played):
    """Asked hand by hand in an environment in which it has followed the same actions."""
    betting, game, blueprint, _, _ = played
    env = nlhe_env.env(2, game=game, actions="chips").unwrapped
    lineup = agents.Lineup(env, dict.fromkeys(env.possible_agents, blueprint))
    lineup.sit_down()
    env.reset(seed=8)
    expected = {agent: np.ones(1326) for agent in env.possible_agents}
    history = []
    while env.full_info()["street"] in ("preflop", "flop"):
        agent = env.agent_selection
        info = env.full_info()
        history.append({"seat": int(env.table["actor"]), "player": agent})
        history[-1].update(street=info["street"], action="call" if info["to_call"] else "check")
        chances = lineup.policy_of_hands()[:, CALL]
        expected[agent] *= chances
        env.step(CALL)
    agent = env.agent_selection
    turn = agents.external.chips.describe_turn(env, history)
    heard = HandReplay(blueprint, hand_from_turn(turn, betting))
    free = ~np.isin(nlhe_env.Range.parse("*").combos, nlhe_env.parse_cards(turn["board"])).any(1)
    for place, seat in enumerate(((turn["button"] + 1) % 2, turn["button"])):
        reach = heard.reach(place, RIVER)
        np.testing.assert_allclose(reach[free], expected[env.possible_agents[seat]][free])
        assert (heard.reach(place, FLOP) >= reach).all()
        assert heard.reach(place, RIVER, tremble=0.5).min() > 0


def test_the_solution_is_harder_to_exploit_and_wins_against_the_blueprint(played):
    betting, _, blueprint, player, _ = played
    rivers = [
        turn
        for turn, _ in player.log
        if turn["street"] == "river" and turn["history"][-1]["street"] != "river"
    ]
    won = []
    for turn in rivers[:2]:
        hand = hand_from_turn(turn, betting)
        street = find_street(hand, "river")
        heard = HandReplay(blueprint, hand)
        ranges = [hands_at(heard.reach(seat, RIVER, 0.02)) for seat in street.seats]
        spot = street.spot(hand, tuple(ranges), "50%, pot, all-in", max_bets=4)
        game, plain = strategy_of(blueprint, hand, street, spot)
        solver = Solver(game)
        solver.run(player.iterations)
        assert game.exploitability(solver.strategy) < 0.2 * game.exploitability(plain)
        value = game.value(plain)
        won += [game.value(mixed(game, solver.strategy, plain)) - value]
        won += [value - game.value(mixed(game, plain, solver.strategy))]
    assert len(won) >= 4
    assert np.mean(won) > 0


def test_the_nuts_are_not_folded_and_nothing_is_not_called():
    blueprint = agents.make(BLUEPRINTS["no-limit"])
    chances = {}
    for cards in ("AcKc", "4d3d"):
        turn = river_after_all_in(cards)
        chances[cards] = RiverSolver(blueprint).chances(turn).get(CALL, 0.0)
    assert chances["AcKc"] == pytest.approx(1)
    assert chances["4d3d"] < 0.02


def river_after_all_in(cards):
    """The button has bet all-in on a river with three clubs."""
    history = [
        {"seat": seat, "player": f"player_{seat}", "street": street, "action": action}
        for street, moves in (
            ("preflop", [(0, "call"), (1, "check")]),
            ("flop", [(1, "check"), (0, "check")]),
            ("turn", [(1, "check"), (0, "check")]),
            ("river", [(1, "check"), (0, "raise")]),
        )
        for seat, action in moves
    ]
    history[-1]["to"] = 19_900
    seats = [
        {"player": "player_0", "stack": 0, "bet": 19_900, "in_pot": 20_000, "state": "all-in"},
        {"player": "player_1", "stack": 19_900, "bet": 0, "in_pot": 100, "state": "in"},
    ]
    return {
        "street": "river",
        "pot": 20_100,
        "to_call": 19_900,
        "min_raise_to": 0,
        "max_raise_to": 0,
        "hand_number": 0,
        "decision": 4,
        "button": 0,
        "big_blind": 100,
        "small_blind": 50,
        "ante": 0,
        "board": "Qc9c2c7d5h",
        "hole_cards": cards,
        "seat": 1,
        "seats": seats,
        "history": history,
    }


def test_it_is_made_by_name_and_needs_to_know_what_was_done():
    player = agents.make("equilibrium-nolimit:resolve=river")
    assert isinstance(player, RiverSolver)
    assert player.name == "EquilibriumNoLimit(resolve=river)"
    with pytest.raises(ValueError, match=r'resolve must be one of "none", "river"'):
        agents.make("equilibrium-limit:resolve=turn")
    with pytest.raises(ValueError, match="seat the player by play_episode"):
        player.decide({**river_after_all_in("AcKc"), "history": None})
    with pytest.raises(ValueError, match="blueprint must be a player such as"):
        RiverSolver(agents.make("caller"))


def test_three_players_get_what_the_blueprint_says():
    game = nlhe_env.Game.cash(num_hands=1, starting_stack=20_000, blinds=(50, 100))
    blueprint = agents.make("equilibrium-nolimit")
    others = [agents.make("caller"), agents.make("pot-odds")]
    tallies = [
        agents.play([player, *others], agents.Blocks(4), game, seed=2, rows=True)
        for player in (RiverSolver(blueprint), blueprint)
    ]
    np.testing.assert_array_equal(tallies[0].row_scores, tallies[1].row_scores)
