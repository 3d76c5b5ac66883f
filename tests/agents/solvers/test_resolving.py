"""The player that solves the river: as the blueprint before it, better on it."""

from dataclasses import replace

import numpy as np
import pytest
from river_play import mixed, strategy_of

import agents
import nlhe_env
from agents.external.chips import describe_turn, is_legal
from agents.policy.hand_replay import HandReplay
from agents.solvers import RiverSolver, Solver, TurnSolver
from agents.solvers.resolving import hands_at
from agents.solvers.subgame_from_hand import find_street
from agents.solvers.turn_to_hand import hand_from_turn
from agents.solvers.walk import BEST
from nlhe_env import BlindSchedule, Game
from nlhe_env.equity.calculator.spot import HOLES
from nlhe_env.game.table import CHECK_OR_CALL as CHECK
from nlhe_env.game.table import FLOP, RIVER, TURN
from nlhe_env.hand_history.record import CALL as CALLS
from nlhe_env.hand_history.record import RAISE, Action

BLUEPRINTS = {"no-limit": "equilibrium-nolimit", "fixed-limit": "equilibrium-limit"}
CALL = 1
BLOCKS = agents.Blocks(12)


class Listening(RiverSolver):
    """Keeps every turn and its answer, and that the answer is possible."""

    def __init__(self, blueprint, **options):
        super().__init__(blueprint, **options)
        self.log = []

    def decide(self, turn):
        action_probabilities = self.chances(turn)
        assert sum(action_probabilities.values()) == pytest.approx(1)
        assert all(is_legal(turn, action) for action in action_probabilities)
        action = super().decide(turn)
        assert action_probabilities[action] > 0
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


@pytest.mark.slow
def test_resolving_is_reproducible(played):
    _, game, blueprint, player, tally = played
    again = Listening(blueprint, iterations=50)
    other = agents.play([again, blueprint], BLOCKS, game, seed=4, rows=True)
    np.testing.assert_array_equal(tally.row_scores, other.row_scores)
    assert again.log == player.log


@pytest.mark.slow
def test_before_the_river_the_blueprint_is_played(played):
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


def test_ranges_follow_the_blueprint_strategy(played):
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
    turn = describe_turn(env, history)
    observed_hand = HandReplay(blueprint, hand_from_turn(turn, betting))
    free = ~np.isin(nlhe_env.Range.parse("*").combos, nlhe_env.parse_cards(turn["board"])).any(1)
    for place, seat in enumerate(((turn["button"] + 1) % 2, turn["button"])):
        reach = observed_hand.reach(place, RIVER)
        np.testing.assert_allclose(reach[free], expected[env.possible_agents[seat]][free])
        assert (observed_hand.reach(place, FLOP) >= reach).all()
        assert observed_hand.reach(place, RIVER, tremble=0.5).min() > 0


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
        observed_hand = HandReplay(blueprint, hand)
        ranges = [hands_at(observed_hand.reach(seat, RIVER, 0.02)) for seat in street.seats]
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


def test_the_nuts_never_fold_and_hopeless_hands_never_call():
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


def test_a_resolving_player_is_made_by_name_and_needs_the_history():
    player = agents.make("equilibrium-nolimit:resolve=river")
    assert isinstance(player, RiverSolver)
    assert player.name == "equilibrium-nolimit:resolve=river"
    assert isinstance(agents.make("equilibrium-limit:resolve=turn"), TurnSolver)
    with pytest.raises(ValueError, match=r'resolve must be one of "none", "river", "turn"'):
        agents.make("equilibrium-limit:resolve=flop")
    with pytest.raises(ValueError, match="seat the player with play_episode"):
        player.decide({**river_after_all_in("AcKc"), "history": None})
    with pytest.raises(ValueError, match="blueprint must be a player such as"):
        RiverSolver(agents.make("caller"))


def short_hands(number):
    """A solver that has played, with stacks that are soon all-in, and the scores of its blocks."""
    player = ListeningOnTurn(agents.make(BLUEPRINTS["no-limit"]), turn_iterations=5, iterations=20)
    game = game_of("no-limit", 12)
    played = agents.play([player, player.opponent], agents.Blocks(number), game, seed=5, rows=True)
    return player, played.row_scores


class ListeningOnTurn(Listening, TurnSolver):
    """Keeps every turn."""

    opponent = agents.make("pot-odds")


@pytest.fixture(scope="module")
def turns():
    player, scores = short_hands(12)
    return player, scores, [turn for turn, _ in player.log]


@pytest.mark.slow
def test_the_turn_is_solved_and_the_river_follows_from_it(turns):
    player, scores, seen = turns
    again, others = short_hands(4)
    np.testing.assert_array_equal(scores[: len(others)], others)
    assert again.log == player.log[: len(again.log)]
    assert {turn["street"] for turn, _ in again.log} >= {"turn", "river"}
    solved = [player._looked(turn) for turn in seen if turn["street"] in ("turn", "river")]
    assert {turn["street"] for turn in seen} >= {"turn", "river"}
    assert sum(looked.decision is not None for looked in solved) > 0.9 * len(solved) > 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", [RiverSolver, TurnSolver])
def test_chances_of_all_hands_are_those_with_each(turns, kind):
    player, _, seen = turns
    solver = kind(player._blueprint, iterations=20)
    for street in ("preflop", "flop", "turn", "river"):
        turn = next(turn for turn in seen if turn["street"] == street)
        by_hand = solver.chances_of_hands(turn)
        board = nlhe_env.parse_cards(turn["board"])
        free = ~np.isin(nlhe_env.Range.parse("*").combos, board).any(axis=1)
        np.testing.assert_allclose(sum(by_hand.values())[free], 1, atol=1e-5)
        generator = np.random.default_rng(0)
        for number in generator.choice(np.flatnonzero(free), 5):
            cards = nlhe_env.format_cards(HOLES[number].tolist())
            chances = solver.chances({**turn, "hole_cards": cards})
            found = {action: row[number] for action, row in by_hand.items() if row[number] > 0}
            assert found == pytest.approx(chances, abs=1e-5)


def test_a_size_of_the_menu_that_was_bet_is_not_added():
    turn = river_after_all_in("AcKc")
    hand = hand_from_turn(turn, "no-limit")
    street = find_street(hand, "river")
    assert street.spot(hand, ("*", "*"), "50%, all-in").line == ()
    assert street.spot(hand, ("*", "*"), "50%").line == (0, 19_900)
    assert street.actions == (0, 19_900)


@pytest.mark.slow
def test_a_size_off_the_menu_is_answered_from_the_solution_before_and_no_worse(turns):
    player, _, seen = turns
    solver = TurnSolver(player._blueprint, turn_iterations=40)
    start = next(
        turn
        for turn in seen
        if turn["street"] == "turn" and turn["history"][-1]["street"] != "turn"
    )
    hand = hand_from_turn(start, "no-limit")
    street = find_street(hand, "turn")
    size = int(start["big_blind"] * 1.3)
    bet = [Action(street.seats[0], CALLS, 0, 4), Action(street.seats[1], RAISE, size, 4)]
    after_bet = replace(hand, actions=(*hand.actions, *bet))
    replay = HandReplay(player._blueprint, hand)
    ranges = tuple(hands_at(replay.reach(seat, TURN, 0.02)) for seat in street.seats)
    before = solver._solve_turn(hand, street, ranges, 0)
    after = solver._solve_turn(after_bet, find_street(after_bet, "turn"), ranges, 0)
    assert before.after((CHECK, size)) is None
    assert after.after((CHECK, size)) is not None
    assert after.steps == (CHECK,)
    # With every hand, the other player wins hardly more than from the solution before.
    checked = before.after((CHECK,))
    reaches = solver._reaches(before.solution, checked, 0)
    won = []
    for found, node in ((before, checked), (after, 0)):
        game, strategy = found.solution.game, found.solution.strategy
        rest = game.subgame(node, reaches)
        won.append(rest.values(strategy[game.rows_below(node)], 1, BEST))
    assert np.maximum(won[1] - won[0], 0).mean() < 0.02 * np.abs(won[0]).mean()


def test_three_player_games_follow_the_blueprint():
    game = nlhe_env.Game.cash(num_hands=1, starting_stack=20_000, blinds=(50, 100))
    blueprint = agents.make("equilibrium-nolimit")
    others = [agents.make("caller"), agents.make("pot-odds")]
    tallies = [
        agents.play([player, *others], agents.Blocks(4), game, seed=2, rows=True)
        for player in (RiverSolver(blueprint), blueprint)
    ]
    np.testing.assert_array_equal(tallies[0].row_scores, tallies[1].row_scores)


# --- the hand that leads to a turn ----------------------------------------------------------------


BLINDS = (50, 100)
BIG_BLIND_ANTE = BlindSchedule(((*BLINDS, 50),), ante_by="big blind")


def game_with(**options):
    options = {"starting_stack": 20_000, "blinds": BLINDS, **options}
    return Game.cash(num_hands=2, **options)


GAMES = [
    (2, game_with(blinds=(*BLINDS, 50))),
    (2, game_with(blinds=BIG_BLIND_ANTE)),
    (2, Game.tournament(starting_stack=330, blinds=BIG_BLIND_ANTE)),
    (3, Game.tournament(starting_stack=430, blinds=(*BLINDS, 50), straddle="button")),
    (3, game_with(blinds=BIG_BLIND_ANTE)),
    (3, game_with(straddle="under the gun")),
    (3, game_with(straddle="button")),
    (4, game_with(straddle="button", blinds=BIG_BLIND_ANTE)),
    (4, game_with(straddle="under the gun", blinds=(*BLINDS, 50))),
    (2, game_with(betting="fixed-limit", max_bets=None)),
    (3, game_with(betting="fixed-limit", max_bets=6)),
]


class Reconstructing(RiverSolver):
    """Keeps what it solves, and every turn with the hand behind it."""

    def __init__(self, blueprint):
        super().__init__(blueprint, iterations=2)
        self.spots = []
        self.hands = []

    def decide(self, turn):
        self.hands.append((turn, hand_from_turn(turn, self._betting)))
        return super().decide(turn)

    def _decision(self, spot, street):
        self.spots.append((self.hands[-1][0], spot))
        return super()._decision(spot, street)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "game"), GAMES)
def test_the_reconstructed_hand_reaches_the_turn_table(n, game):
    limit = game.betting == "fixed-limit"
    blueprint = agents.make("equilibrium-limit" if limit else "equilibrium-nolimit")
    others = [agents.make("raiser" if limit else "call-or-raise")] * (n - 1)
    blocks = agents.Blocks(12)
    player = Reconstructing(blueprint)
    tally = agents.play([player, *others], blocks, game, seed=4, rows=True)
    assert len(player.hands) > 10
    for turn, hand in player.hands:
        table = HandReplay(blueprint, hand).table
        assert (table["pot"], sum(hand.stacks)) == (turn["pot"], n * game.starting_stack)
    for turn, spot in player.spots:
        held = [seat for seat in turn["seats"] if seat and seat["state"] != "out"]
        assert spot.pot == turn["pot"] - sum(seat["bet"] for seat in held)
        stacks = [seat["stack"] + seat["bet"] for seat in held]
        assert sorted(spot.stacks) == sorted(stacks)
    if n == 2:
        assert player.spots
    elif game.is_cash:  # with more than two players it does what the blueprint does
        plain = agents.play([blueprint, *others], blocks, game, seed=4, rows=True)
        np.testing.assert_array_equal(tally.row_scores, plain.row_scores)


@pytest.mark.parametrize("straddle", ["under the gun", "button"])
@pytest.mark.parametrize("n", [3, 4])
@pytest.mark.parametrize("ante_by", ["everyone", "big blind"])
def test_straddles_and_antes_are_found_before_the_first_action(n, straddle, ante_by):
    blinds = BlindSchedule(((*BLINDS, 50),), ante_by=ante_by)
    env = nlhe_env.env(
        n, game=game_with(straddle=straddle, blinds=blinds), actions="chips"
    ).unwrapped
    env.reset(seed=2)
    hand = hand_from_turn(describe_turn(env, []), "no-limit")
    straddler = 2 if straddle == "under the gun" else n - 1
    posted = (50, 100, *(200 if place == straddler else 0 for place in range(2, n)))
    paid = (0, (0, 50, *[0] * (n - 2))) if ante_by == "big blind" else (50, ())
    assert (hand.posted, hand.ante, hand.dead) == (posted, *paid)


@pytest.mark.parametrize(("chips", "ante"), [(160, 50), (130, 30), (100, 0), (80, 0)])
def test_the_big_blind_is_posted_before_its_ante(chips, ante):
    game = Game.tournament(starting_stack=chips, blinds=BIG_BLIND_ANTE)
    env = nlhe_env.env(2, game=game, actions="chips").unwrapped
    env.reset(seed=2)
    turn = describe_turn(env, [])
    hand = hand_from_turn(turn, "no-limit")
    assert (hand.stacks, sum(hand.dead)) == ((chips, chips), ante)
    assert HandReplay(agents.make("caller"), hand).table["pot"] == turn["pot"]


def test_a_short_stack_does_not_straddle():
    game = Game.tournament(starting_stack=240, blinds=(*BLINDS, 50), straddle="button")
    env = nlhe_env.env(3, game=game, actions="chips").unwrapped
    env.reset(seed=2)
    hand = hand_from_turn(describe_turn(env, []), "no-limit")
    assert hand.posted == (*BLINDS, 0)


def test_two_call_games_are_refused_with_a_reason():
    game = game_with(betting="fixed-limit", two_calls=True)
    player = agents.make("equilibrium-limit:resolve=river")
    with pytest.raises(ValueError, match="no two_calls"):
        agents.play([player, agents.make("caller")], agents.Blocks(4), game, seed=3)
