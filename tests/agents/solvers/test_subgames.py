"""Hold'em from the turn and the river on, against the same games written out hand by hand."""

import time
import tracemalloc

import numpy as np
import pytest

from agents import solvers
from agents.solvers import Subgame, public_tree, runouts
from agents.solvers.cards import written_out
from agents.solvers.public_tree import CHANCE, DECISION, FOLDED, SHOWDOWN, grow
from agents.solvers.walk import AS_IS, BEST, fold_values_in_lanes, showdown_values_in_lanes
from nlhe_env import Rake, Range, evaluator, parse_cards
from nlhe_env.game.table import CHECK_OR_CALL, FOLD
from nlhe_env.numerics.float_lanes import LANES

TAKE = public_tree._take
RIVER = "KsTh7s4d2s"
TURN = "KsTh7s4d"


def written(subgame: solvers.Subgame) -> solvers.PublicGame:
    """A subgame with the chance of every pair of hands and board written out."""
    first = parse_cards(subgame.board)
    rivers = [first] if len(first) == 5 else [(*first, c) for c in range(52) if c not in first]
    hands = sorted({tuple(hand) for player in range(2) for hand in subgame.hands(player).tolist()})
    weights = np.zeros((2, len(hands)))
    for player, text in enumerate(subgame.ranges):
        held = Range.parse(text)
        for hand, weight in zip(held.combos.tolist(), held.weights, strict=True):
            if tuple(hand) in hands:
                weights[player, hands.index(tuple(hand))] = weight
    chances = np.zeros((len(rivers), len(hands), len(hands)))
    strengths = np.zeros((len(rivers), len(hands)), np.int64)
    for b, river in enumerate(rivers):
        for i, own in enumerate(hands):
            if not set(own) & set(river):
                strengths[b, i] = evaluator.evaluate(np.array([[*own, *river]]))[0]
            for j, other in enumerate(hands):
                apart = len({*own, *other, *river}) == 9
                chances[b, i, j] = weights[0, i] * weights[1, j] * apart
    chances /= chances.sum()
    if len(first) == 5:
        return solvers.PublicGame(
            grow(subgame.rules(), lambda board: ()), written_out(chances, strengths), np.float64
        )
    before = chances.sum(axis=0)[np.newaxis]
    cards = written_out(
        np.concatenate([before, chances]),
        np.concatenate([np.zeros((1, len(hands)), np.int64), strengths]),
    )
    tree = grow(subgame.rules(), lambda board: range(1, len(rivers) + 1))
    return solvers.PublicGame(tree, cards, np.float64)


def of_written(subgame, game, strategy):
    """The columns of a strategy of all hands, as the subgame orders its hands."""
    hands = sorted({tuple(hand) for player in range(2) for hand in subgame.hands(player).tolist()})
    taken = np.zeros((game.tree.rows, int(game.cards.n_hands.max())), np.float32)
    for node in np.flatnonzero(game.tree.kind == DECISION):
        player = int(game.tree.actor[node])
        columns = [hands.index(tuple(hand)) for hand in subgame.hands(player).tolist()]
        rows = slice(game.tree.row[node], game.tree.row[node] + game.tree.branches[node])
        taken[rows, : len(columns)] = strategy[rows][:, columns]
    return taken


SPOTS = [
    solvers.Subgame(
        RIVER, ("KK, QTs:0.5, AcKd, 65s", "77, AJo:0.25, Ts9s, 65s"), 100, 250, "pot, all-in"
    ),
    solvers.Subgame(RIVER, ("QQ, 72o", "QQ, A3s, KQs"), 60, (90, 40), "50%", "2.5x, all-in"),
    solvers.Subgame(RIVER, ("AA, 22", "KQo, 54s"), 12, 100, big_blind=2, betting="fixed-limit"),
    solvers.Subgame(TURN, ("KK, QJs, 65s:0.5", "TT, AsJs, QJs"), 40, 100, "pot"),
    solvers.Subgame(
        RIVER, ("KK, 65s, QTs", "77, 65s, QTs"), 100, 250, "pot", rake=Rake(share=0.05, cap=12)
    ),
    solvers.Subgame(
        TURN, ("KK, 65s", "TT, 65s"), 40, 100, "all-in", rake=Rake(share=0.1), line=(0, 7)
    ),
    solvers.Subgame(
        TURN, ("AKo:0.1, 76s", "Ts9s, 76s"), 12, 60, big_blind=2, betting="fixed-limit"
    ),
]


@pytest.mark.parametrize("subgame", [*SPOTS[:-1], pytest.param(SPOTS[-1], marks=pytest.mark.slow)])
def test_strategy_values_match_a_hand_by_hand_evaluation(subgame):
    game, exact = subgame.game(), written(subgame)
    rng = np.random.default_rng(5)
    for _ in range(3):
        strategy = exact.normalised(
            rng.random((exact.tree.rows, int(exact.cards.n_hands.max()))) ** 4
        )
        same = of_written(subgame, game, strategy)
        scale = subgame.pot
        assert game.value(same) == pytest.approx(exact.value(strategy), abs=1e-5 * scale)
        for player in range(2):
            best = exact.best_response(strategy, player)
            assert game.best_response(same, player) == pytest.approx(best, abs=1e-5 * scale)
        exploitable = exact.exploitability(strategy)
        assert game.exploitability(same) == pytest.approx(exploitable, abs=2e-5 * scale)


# The linear program of SPOTS[3] takes 40 times as long.
SHORT_TURN = solvers.Subgame(TURN, ("KK, 65s:0.5", "TT, QJs"), 40, 40, "pot")


@pytest.mark.parametrize("subgame", [SPOTS[0], SPOTS[2], SHORT_TURN])
def test_the_value_matches_the_linear_program(subgame):
    exact = solvers.equilibrium(written(subgame)).value
    found = solvers.solve(subgame.game(), iterations=500)
    assert found.exploitability < 0.002 * subgame.pot
    assert found.value == pytest.approx(exact, abs=2 * found.exploitability + 1e-4)


def test_a_rake_that_all_pots_pay_is_a_smaller_pot():
    """What the winner pays of it is the same everywhere: half of it counts as lost beforehand."""
    ranges = ("KK, QTs, AcKd, 65s", "77, AJo, Ts9s, 65s")
    raked = solvers.Subgame(RIVER, ranges, 100, 250, "all-in", rake=Rake(share=0.5, cap=10))
    exact = solvers.equilibrium(written(solvers.Subgame(RIVER, ranges, 90, 250, "all-in"))).value
    found = solvers.solve(raked.game(), iterations=500)
    assert 0 <= found.exploitability < 0.002 * raked.pot
    assert found.value == pytest.approx(exact - 5, abs=2 * found.exploitability + 1e-4)


def test_linear_programs_refuse_a_rake():
    with pytest.raises(ValueError, match="games without rake"):
        solvers.equilibrium(written(SPOTS[4]))


def test_threads_do_not_change_a_bit():
    one, two = (
        solvers.solve(SPOTS[3].game(), iterations=30, threads=threads).strategy
        for threads in (1, 2)
    )
    np.testing.assert_array_equal(one, two)


def test_published_benchmark_trees_have_their_sizes():
    for bets, decisions, actions, terminals in (
        ("pot, all-in", 12, 32, 21),
        ("50%, pot, all-in", 60, 176, 117),
    ):
        tree = solvers.Subgame(RIVER, ("AA", "KK"), 1000, 9500, bets).game().tree
        kinds = tree.kind == DECISION
        assert (kinds.sum(), tree.rows, (~kinds).sum()) == (decisions, actions, terminals)


@pytest.mark.parametrize("subgame", SPOTS)
def test_the_tree_size_is_known_before_building(subgame):
    size, tree = subgame.size(), subgame.game().tree
    assert (size.nodes, size.actions) == (len(tree.kind), tree.rows)


def test_the_nuts_never_fold_and_impossible_bluffs_never_happen():
    solution = solvers.solve(SPOTS[0].game(), iterations=500)
    facing = solution.at(100)
    names = SPOTS[0].hand_names(1)
    straight_flush = [i for i, name in enumerate(names) if name == "Ts9s"]
    assert facing.actions[0] == "fold"
    assert facing.chances[0, straight_flush] == pytest.approx(0, abs=0.02)
    assert (facing.values[0] == pytest.approx(-50)) or np.isnan(facing.values[0]).any()


def test_action_values_average_to_the_value_of_the_game():
    subgame = SPOTS[3]
    game = subgame.game()
    solution = solvers.solve(game, iterations=200)
    opening = solution.at()
    weights = opening.reach * game.met(0)
    per_hand = (opening.chances * opening.values).sum(axis=0)
    assert weights @ per_hand / weights.sum() == pytest.approx(solution.value, abs=1e-4)
    river = solution.at("check", "check", "2h")
    assert river.player == 0
    assert not np.isfinite(
        river.values[:, [("2h" in name) for name in subgame.hand_names(0)]]
    ).any()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"board": "KsTh"}, "board must be 3, 4 or 5 cards"),
        ({"ranges": ("AA", "KsKh, TT:0")}, r"ranges\[1\] is impossible"),
        ({"ranges": ("AA",)}, "ranges must be two"),
        ({"pot": 0}, "pot must be"),
        ({"pot": None}, "pot must be"),
        ({"ranges": None}, "ranges must be two"),
        ({"stack": 0}, "stack must be"),
        ({"stack": None}, "stack must be"),
        ({"stack": (100, 200, 300)}, r"stack must be one number, or two.*got \(100, 200, 300\)"),
        ({"stack": (100,)}, "stack must be one number, or two"),
        ({"stack": (100, 0)}, "stack must be at least 1"),
        ({"bets": "huge"}, "bets must be"),
        ({"bets": None}, "bets must be text"),
        ({"bets": "0%"}, "bets must be sizes above 0.*got '0%'"),
        ({"bets": "9" * 400 + "%"}, "bets must be sizes above 0 and at most"),
        ({"bets": "2.5x"}, "bets must name at least one size for a first bet"),
        ({"raises": 2.5}, "raises must be text"),
        ({"raises": "0x"}, "raises must be sizes above 0"),
        ({"betting": "spread"}, "betting must be one of"),
        ({"rake": 0.05}, "rake must be a Rake, or None for no rake"),
        ({"line": (0, -1)}, "line must be"),
        ({"bets": ""}, "bets must name at least one size"),
        ({"ranges": ("AsAh", "AsQs")}, "ranges can never meet"),
    ],
)
def test_invalid_arguments_are_named(change, message):
    good = {"board": RIVER, "ranges": ("AA", "QQ"), "pot": 10, "stack": 10}
    with pytest.raises(ValueError, match=message):
        solvers.Subgame(**good | change)


def test_bet_sizes_are_clamped_between_the_minimum_and_all_in():
    subgame = solvers.Subgame(
        RIVER, ("AA", "QQ"), 100, 60, "5%, 7%, 9007199254740992%", "1%, 1.1x", big_blind=10
    )
    solution = solvers.solve(subgame.game(), iterations=1)
    assert solution.at().actions == ("check", "bet 10", "bet 60")
    assert solution.at(10).actions == ("fold", "call", "raise to 20")


def test_stacks_may_be_given_as_a_list():
    one, other = (
        solvers.Subgame(RIVER, ("AA", "QQ"), 10, stack).size() for stack in ((50, 20), [50, 20])
    )
    assert one == other


def test_a_tree_that_is_too_large_reports_its_size():
    with pytest.raises(ValueError, match=r"too large: [\d,]+ nodes.* MiB.*fewer bet sizes"):
        solvers.Subgame("KsTh7s", ("*", "*"), 10, 100, "50%, pot").game()


@pytest.mark.parametrize(("board", "stack"), [("KsTh7s", 1000), (RIVER, 950), (RIVER, 10**12)])
def test_a_far_too_large_tree_is_refused_early(board, stack, monkeypatch):
    taken = []
    monkeypatch.setattr(public_tree, "_take", lambda *step: taken.append(step) or TAKE(*step))
    with pytest.raises(ValueError, match=r"too large: (more than 100,000 nodes|.every. is)"):
        solvers.Subgame(board, ("*", "*"), 10, stack, "every").size()
    assert len(taken) < 20_000


FLOP = solvers.Subgame("KsTh7s", ("AA, KQs", "QQ, JTs"), 100, 250, "all-in")


@pytest.mark.parametrize(
    "subgame",
    [
        solvers.Subgame(RIVER, ("*", "*"), 100, 1000),
        solvers.Subgame(TURN, ("22+, A2s+, K2s+", "22+, A2s+, Q8s+"), 100, 250, "pot, all-in"),
        pytest.param(FLOP, marks=pytest.mark.slow),
    ],
)
def test_the_memory_is_known_before_building(subgame):
    solvers.solve(SHORT_TURN.game(), iterations=1).at()  # compiled
    expected = subgame.size().bytes
    tracemalloc.start()
    try:
        solution = solvers.solve(subgame.game(), iterations=2, target=1e-9)
        assert solution.exploitability > 0
        solution.at()
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 0.75 * expected < most < 1.15 * expected


def test_the_time_estimate_scales_with_machine_speed():
    spots = [
        solvers.Subgame(RIVER, ("*", "*"), 100, 250),
        solvers.Subgame(TURN, ("*", "*"), 100, 250, "all-in"),
        solvers.Subgame(TURN, ("AA, KQs", "QQ, JTs"), 100, 250),
    ]
    all_solvers = [solvers.Solver(spot.game()) for spot in spots]
    took = np.full((len(spots), 6), np.inf)
    for i in range(took.shape[1]):
        for row, spot, solver in zip(took, spots, all_solvers, strict=True):
            count = max(1, round(0.02 / spot.size().seconds))
            before = time.process_time()
            solver.run(count)
            row[i] = (time.process_time() - before) / count / spot.size().seconds
    slower = took.min(axis=1)
    assert slower.max() < 5 * slower.min()


# --- sixteen ends of the betting at once ----------------------------------------------------------


BOARD = "KsTh7s4d2s"


@pytest.fixture(
    scope="module", params=[("*", "*"), ("88+, A2s+, KQ", "33-22, QJs")], ids=["all", "some"]
)
def spot(request):
    return Subgame(BOARD, request.param, 100, 250)


def meetings(spot, player):
    """``(own, other)`` whether two hands share no card, and which of them wins."""
    board = parse_cards(BOARD)
    own, other = spot.hands(player), spot.hands(1 - player)
    apart = ~(own[:, None, :, None] == other[None, :, None, :]).any(axis=(2, 3))
    strengths = [
        evaluator.evaluate(np.column_stack([hands, np.tile(board, (len(hands), 1))]))
        for hands in (own, other)
    ]
    return apart, np.sign(strengths[0][:, None].astype(int) - strengths[1][None])


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("kind", ["met", "showdown"])
def test_batched_terminal_values_match_pairs_of_hands(spot, player, kind):
    game = spot.game()
    space = game.space()
    ends = np.zeros((2 * LANES, space.own.shape[1]), np.float32)
    n_own, n_other = len(spot.hands(player)), len(spot.hands(1 - player))
    reach = np.random.default_rng(7).random((LANES, n_other))
    ends[LANES:, :n_other] = reach
    if kind == "met":
        fold_values_in_lanes(game.cards, player, ends, LANES, space.lanes)
    else:
        showdown_values_in_lanes(game.cards, player, 0, ends, LANES, space.lanes)
    apart, wins = meetings(spot, player)
    expected = reach @ (apart * (wins if kind == "showdown" else 1)).T
    np.testing.assert_allclose(ends[LANES:, :n_own], expected, atol=2e-3)
    assert not ends[:LANES].any()


# --- values under a rake --------------------------------------------------------------------------


RAKE = Rake(share=0.05, cap=12)
SPOT = solvers.Subgame(
    "KsTh7s4d2s", ("KK, 65s, QTs:0.5", "77, 65s, QTs"), 100, 250, "50%, pot", rake=RAKE
)


def played_out(game, strategy):
    """Mean chips of each player and mean rake, by every path of every pair of hands."""
    tree, board = game.tree, parse_cards(SPOT.board)
    hands = [SPOT.hands(player).tolist() for player in range(2)]
    strengths = [[evaluator.evaluate(np.array([[*hand, *board]]))[0] for hand in h] for h in hands]

    def outcome(node, pair, put):
        """Chips of the players and the rake from a node on, and the half pots put in so far."""
        if tree.kind[node] == DECISION:
            actor = tree.actor[node]
            mean = np.zeros(3)
            for i, child in enumerate(tree.children(node)):
                step, paid = tree.step[child], list(put)
                if step == CHECK_OR_CALL:
                    paid[actor] = max(put)
                elif step != FOLD:
                    paid[actor] = SPOT.pot / 2 + step
                chance = strategy[tree.row[node] + i, pair[actor]]
                mean += chance * outcome(child, pair, paid)
            return mean
        rake = RAKE.of(int(2 * min(put)))  # an uncalled bet returns first
        won = -np.full(2, min(put))
        first, second = strengths[0][pair[0]], strengths[1][pair[1]]
        if tree.kind[node] == FOLDED:
            winners = [1 - tree.actor[node]]
        else:
            winners = [0, 1] if first == second else [int(first < second)]
        won[winners] += (2 * min(put) - rake) / len(winners)
        return np.array([*won, rake])

    total, weight = np.zeros(3), 0.0
    weights = game.cards.weights
    for i, own in enumerate(hands[0]):
        for j, other in enumerate(hands[1]):
            if not set(own) & set(other):
                likely = weights[0, i] * weights[1, j]
                total += likely * outcome(0, (i, j), [SPOT.pot / 2] * 2)
                weight += likely
    return total / weight


def test_values_of_both_players_are_those_of_all_hands_played_out():
    game = SPOT.game()
    strategy = game.normalised(np.random.default_rng(3).random(game.shape) ** 3)
    solution = solvers.Solution(game, strategy, 0)
    first, second, rake = played_out(game, solution.strategy.astype(float))
    assert 5 < rake < 12  # some pots pay the cap and some do not
    assert solution.values == pytest.approx((first, second), abs=1e-3)
    assert sum(solution.values) == pytest.approx(-rake, abs=1e-3)
    assert solution.value == solution.values[0] == game.value(strategy)
    assert game.value(strategy, 1) == solution.values[1]


def test_action_values_of_the_second_player_average_to_its_value():
    """Player 0 always checks, so that all of player 1's value comes after the check."""
    game = SPOT.game()
    uniform = game.uniform()
    checks = np.zeros_like(uniform[: game.tree.branches[0]])
    checks[0] = 1
    uniform[: len(checks)] = checks
    solution = solvers.Solution(game, uniform, 0)
    after = solution.at("check")
    per_hand = (after.chances * after.values).sum(axis=0)
    mean = after.weights @ per_hand / after.weights.sum()
    assert mean == pytest.approx(solution.values[1], abs=1e-3)


def test_without_a_rake_values_sum_to_zero():
    game = solvers.Subgame(SPOT.board, SPOT.ranges, 100, 250, "pot").game()
    values = solvers.Solution(game, game.uniform(), 0).values
    assert sum(values) == pytest.approx(0, abs=1e-3)
    assert abs(values[0]) > 0.1


# --- all-in before the river ----------------------------------------------------------------------


RANGES = ("AA, 65s, KQs:0.5, JTs", "QQ, AKs, T9s:0.25, 65s")
TURN_SPOT = solvers.Subgame("KsTh7s4d", RANGES, 100, (250, 180), "pot, all-in")
RAKED = solvers.Subgame("KsTh7s4d", RANGES, 100, 250, "all-in", rake=Rake(share=0.05, cap=15))
FLOP_SPOT = solvers.Subgame("KsTh7s", ("AA, Qs9s", "QQ, 65s"), 10, 10, "all-in")


def without_matrices(spot, monkeypatch):
    monkeypatch.setattr(runouts, "_MOST_BYTES", 0)
    game = spot.game()
    assert (game.runouts.matrix == -1).all()
    assert game.runouts.outcomes.size == 0
    monkeypatch.undo()
    return game


@pytest.mark.slow
@pytest.mark.parametrize("spot", [TURN_SPOT, RAKED, FLOP_SPOT])
def test_values_are_those_of_a_showdown_on_each_river(spot, monkeypatch):
    game, plain = spot.game(), without_matrices(spot, monkeypatch)
    assert (game.runouts.matrix >= 0).any()
    strategy = game.normalised(np.random.default_rng(1).random(game.shape) ** 3)
    scale = float(game.cards.weights.sum()) * spot.pot
    for player in range(2):
        for mode in (AS_IS, BEST):
            np.testing.assert_allclose(
                game.values(strategy, player, mode),
                plain.values(strategy, player, mode),
                atol=1e-6 * scale,
            )
    assert game.exploitability(strategy) == pytest.approx(
        plain.exploitability(strategy), abs=1e-5 * spot.pot
    )


def test_an_all_in_hand_wins_as_often_as_on_the_rivers_one_by_one():
    game = TURN_SPOT.game()
    node = solvers.Solution(game, game.uniform(), 0).node("bet 250", "call")
    assert game.tree.kind[node] == CHANCE
    matrix = game.runouts.outcomes[0, game.runouts.matrix[node]]
    hands = [TURN_SPOT.hand_names(player) for player in range(2)]

    def outcome(own, other):
        return matrix[TURN_SPOT.column(1, other), TURN_SPOT.column(0, own)]

    # Of 44 rivers, the queens win on two.
    assert outcome("AcAd", "QcQd") == pytest.approx((42 - 2) / 44)
    # Both have the same ranks: any of nine spades makes a flush.
    assert outcome("6h5h", "6s5s") == pytest.approx(-9 / 44)
    assert outcome("AcAd", "AdKd") == 0  # they share a card: never met
    np.testing.assert_allclose(
        game.runouts.outcomes[1, 0, : len(hands[0]), : len(hands[1])],
        -game.runouts.outcomes[0, 0, : len(hands[1]), : len(hands[0])].T,
    )


def test_only_nodes_that_showdowns_follow_have_a_matrix():
    game = FLOP_SPOT.game()
    tree, matrix = game.tree, game.runouts.matrix
    for node in np.flatnonzero(tree.kind == CHANCE).tolist():
        children = list(tree.children(node))
        is_last = (tree.kind[children] == SHOWDOWN).all()
        assert (matrix[node] >= 0) == is_last
    assert len(np.unique(matrix[matrix >= 0])) == 49  # one for each turn card


@pytest.mark.slow
@pytest.mark.parametrize("spot", [TURN_SPOT, FLOP_SPOT])
def test_matrices_do_not_change_what_is_found(spot, monkeypatch):
    found = [
        solvers.solve(game, iterations=50)
        for game in (spot.game(), without_matrices(spot, monkeypatch))
    ]
    tolerance = sum(solution.exploitability for solution in found) + 1e-3
    assert max(solution.exploitability for solution in found) < 0.01 * spot.pot
    assert found[0].value == pytest.approx(found[1].value, abs=tolerance)


@pytest.mark.slow
def test_a_subgame_with_nothing_but_an_all_in_is_solved():
    game = TURN_SPOT.game()
    node = solvers.Solution(game, game.uniform(), 0).node("bet 250")
    rest = game.subgame(node, game.reaches(game.uniform(), node))
    solver = solvers.Solver(rest, threads=2)
    solver.run(200)
    assert abs(solver.exploitability()) < 0.5


def test_small_games_have_no_matrices():
    assert (solvers.leduc().runouts.matrix == -1).all()
