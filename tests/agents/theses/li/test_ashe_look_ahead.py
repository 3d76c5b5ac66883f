"""ASHE 2.2 and 2.3: chips and turns ahead, boards, ranges, and values by plain recursion."""

import numpy as np
import pytest
from helpers import CALL, play
from lstm_formulas import PlainNetwork, sigmoid
from test_ashe_model import BOARD, CARDS, STACK, seated, seats_parameters

import agents
import nlhe_env
from agents.policy.kinds import make_sizes
from agents.policy.view import View
from agents.theses.li import tree
from agents.theses.li.ashe2 import ModelPlayer
from agents.theses.li.betting_transitions import (
    BOARD_COMES,
    IMPOSSIBLE,
    LOST,
    OPPONENTS,
    OWN,
    SHOWN_DOWN,
    WON,
    BettingState,
    after_board,
    after_move,
)
from agents.theses.li.boards import BOARD as N_OF_BOARD
from agents.theses.li.boards import (
    INTERVALS,
    LOOK,
    PATH,
    STRENGTH,
    count_boards,
    path_after,
    ranges_on,
    weights_of_holdings,
    win_against_ranges,
    write_boards,
)
from agents.theses.li.look_ahead import write_values
from agents.theses.li.shape import PRIVILEGED, RANGED, RECURSIVE, ModelShape, count_estimator
from nlhe_env.assessment import board_texture
from nlhe_env.cards import CARD_NAMES, parse_cards
from nlhe_env.equity import hand_equity, load_tables
from nlhe_env.evaluator import rank_cards
from nlhe_env.game.betting import legal_raise

SHAPE = ModelShape(2, 3, 4, 0, 4096, RECURSIVE, 0, 12)
WIDTHS = (25, 25, 50, 50, 100, 100, 150, 150, 340)


def player(shape=SHAPE, seed=0, spread=0.7):
    rng = np.random.default_rng(seed)
    return ModelPlayer(rng.normal(0, spread, sum(shape.parts)), shape=shape)


def test_estimators_have_the_published_sizes():
    cells = 500
    assert count_estimator(50, 10, 50, 10, 1) == 68_601 + cells
    assert count_estimator(50, 10, 50, 11, 1) == 70_601 + cells
    assert count_estimator(50, 10, 50, 18, 9) == 85_009 + cells
    assert count_estimator(50, 10, 50, 11, 9) == 71_009 + cells
    # Draws are two numbers here, so that the estimator of actions has an input more.
    assert ModelShape(level=RANGED).parts == (85_009 + 2_000 + cells, 71_009 + cells)


def test_chips_match_the_published_hand():
    """Li (2018), figure 7-3: every pot after an action, the raises being of half a pot or one."""
    chips, pots, on_button = [50.0, 100.0], [], True
    street, acted, turn = 0, 0, OWN
    call, half, pot = 1, 2, 3
    for move in (pot, pot, call, "board", call, half, half, call, "board", call, half):
        if move == "board":
            assert turn == BOARD_COMES
            street, acted, on_button = street + 1, 0, False
            continue
        mine = chips if on_button else chips[::-1]
        after = after_move(BettingState(OWN, street, acted, *mine), move, 20_000.0, 100)
        turn, acted = after.turn, after.acted
        chips = [after.own, after.opponent] if on_button else [after.opponent, after.own]
        on_button = not on_button
        pots.append(sum(chips))
    assert pots == [400, 1200, 1800, 1800, 2700, 5400, 7200, 7200, 10_800]
    assert after_move(BettingState(OPPONENTS, 2, 2, *chips), 0, 20_000.0, 100).turn == WON


def test_opponent_raise_buckets_use_their_midpoints():
    spot = BettingState(OPPONENTS, 1, 0, 300.0, 300.0)
    raised = [after_move(spot, move, 20_000.0, 100).opponent - 300 for move in range(3, 9)]
    # The first bucket, up to 75 chips here, is below the least raise.
    middles = [0.25, 0.5625, 1.0, 1.625, 3.0]
    assert raised == [*(600 * middle for middle in middles), 19_700]
    assert after_move(spot, 2, 20_000.0, 100).turn == IMPOSSIBLE
    assert after_board(spot, on_button=True) == BettingState(OPPONENTS, 2, 0, 300.0, 300.0)
    assert after_board(spot, on_button=False).turn == OWN


def test_hands_end_at_the_right_nodes():
    river = BettingState(OWN, 3, 1, 400.0, 400.0)
    assert after_move(river, 1, 2e4, 100).turn == SHOWN_DOWN
    assert after_move(river, 0, 2e4, 100).turn == IMPOSSIBLE
    assert after_move(river._replace(acted=0), 1, 2e4, 100).turn == OPPONENTS
    all_in = BettingState(OPPONENTS, 0, 3, 2e4, 700.0)
    assert after_move(all_in, 1, 2e4, 100).turn == SHOWN_DOWN
    assert after_move(all_in, 0, 2e4, 100).turn == WON
    assert after_move(all_in, 8, 2e4, 100).turn == IMPOSSIBLE
    facing = BettingState(OWN, 2, 1, 300.0, 900.0)
    assert after_move(facing, 0, 2e4, 100).turn == LOST
    assert after_move(facing, 1, 2e4, 100).turn == BOARD_COMES
    assert after_move(facing, 6, 2e4, 100).own == 2e4
    # The small blind calls: the big blind may still raise.
    assert after_move(BettingState(OWN, 0, 0, 50.0, 100.0), 1, 2e4, 100).turn == OPPONENTS


def ranged(ranges, stronger):
    """The chance to win on one board where so many of 990 holdings are stronger."""
    board = np.zeros(N_OF_BOARD, np.float32)
    board[STRENGTH + 3] = 1 - stronger / 990
    return win_against_ranges(board, 1, 3, 0, np.array(ranges, np.float32))


def test_ranges_give_the_probability_of_winning():
    even, by_width = np.full(9, 1 / 9), np.array(WIDTHS) / 990
    assert ranged(even, 0) == pytest.approx(1)
    assert ranged(even, 990) == pytest.approx(0, abs=1e-6)
    assert ranged(even, 100) == pytest.approx(1 - 3 / 9, abs=1e-5)
    for stronger in (10, 60, 333, 800):
        assert ranged(by_width, stronger) == pytest.approx(1 - stronger / 990, abs=1e-5)


def view_of(env, seats, seat=0):
    work, table = seats.work, env.tables[0]
    work.choices[0]["least"], work.choices[0]["most"] = legal_raise(table)
    return View(table, seat, work.inputs, work.choices[0], load_tables(), work.scratch)


def boards_of(view, shape, book):
    numbers = np.zeros(N_OF_BOARD * max(shape.boards, 46), np.float32)
    n = write_boards(view, make_sizes(*shape), book, numbers, np.zeros(52, np.float32))
    return n, numbers.reshape(-1, N_OF_BOARD)[:n]


def test_turn_look_ahead_covers_every_river():
    env, seats = seated(player(), num_hands=1)
    play(env, *[CALL] * 4)
    play(env, CALL)
    view = view_of(env, seats)
    n, boards = boards_of(view, SHAPE, seats_parameters(seats).traits["book"])
    assert n == 46
    known = {CARDS["player_0"][:2], CARDS["player_0"][2:]} | {
        BOARD[i : i + 2] for i in (0, 2, 4, 6)
    }
    rivers = [BOARD[:8] + name for name in CARD_NAMES if name not in known]
    expected = sorted(hand_equity("AsJd", river) for river in rivers)
    np.testing.assert_allclose(np.sort(boards[:, STRENGTH + 3]), expected, atol=1e-6)
    np.testing.assert_allclose(boards[:, STRENGTH + 2], hand_equity("AsJd", BOARD[:8]), atol=1e-6)
    clusters = sorted(path_after(0, 3, board_texture(river).cluster) for river in rivers)
    assert sorted(boards[:, PATH + 3].tolist()) == clusters
    assert sum(count_boards(boards.ravel(), n, 3, path) for path in set(clusters)) == 46


class Slow:
    """Action values by recursion, with NumPy and one object for everything."""

    def __init__(self, one, memory, default, boards, view):
        self.shape, self.memory, self.default, self.view = one.shape, memory, default, view
        self.boards, self.trust = boards, one.shape.min_node_visits
        first = one.shape.parts[0]
        answers = 9 if one.shape.level >= RANGED else 1
        self.acts = self.network(one.weights[:first], 19, 9)
        self.wins = self.network(one.weights[first : sum(one.shape.parts)], 11, answers)
        self.n_seen = 0
        self.on_button = view.table["actor"] == view.table["button"]

    def network(self, genes, n_inputs, n_answers):
        cells = [self.shape.cell] * self.shape.blocks
        return PlainNetwork(genes, n_inputs, cells, self.shape.hidden, n_answers)

    def states(self):
        n = self.shape.blocks * self.shape.cell
        kept = self.memory[tree.count_numbers(self.shape.nodes) :][: 4 * n].astype(np.float64)
        return tuple(
            [
                (cells, outputs)
                for cells, outputs in zip(
                    kept[begin : begin + n].reshape(-1, self.shape.cell),
                    kept[begin + n : begin + 2 * n].reshape(-1, self.shape.cell),
                    strict=True,
                )
            ]
            for begin in (0, 2 * n)
        )

    def children(self, nodes, at):
        found = {}
        if at is not None:
            child = int(nodes[tree.HEAD + at * tree.NODE + tree.CHILD])
            while child:
                record = nodes[tree.HEAD + child * tree.NODE :]
                found[int(record[tree.LABEL])] = child
                child = int(record[tree.SIBLING])
        return found

    def record(self, nodes, at):
        if at is None:
            return np.zeros(tree.NODE)
        return nodes[tree.HEAD + at * tree.NODE :][: tree.NODE].astype(np.float64)

    def features_by(self, nodes, above, now, trust):
        record, answers = self.record(nodes, above), self.record(nodes, now)
        if record[tree.COUNT] <= trust:
            record = np.zeros(tree.NODE)
        f, showdowns, mean = record[tree.COUNT], record[tree.SHOWDOWNS], record[tree.STRENGTH]
        strength = mean if showdowns > 5 else (0.85 * (5 - showdowns) + mean * showdowns) / 5
        rates = np.zeros(9)
        if answers[tree.COUNT] > trust:
            rates = answers[tree.NEXT :] / answers[tree.COUNT]
        shares = (record[tree.FOLDS] + 1) / (f + 3), (showdowns + 1) / (f + 3)
        return np.array([sigmoid(f / 10), *shares, strength, *rates])

    def tree_features(self, at, street):
        now, above, default, default_above = at
        if self.default is None:
            return self.features_by(self.memory, above, now, self.trust)
        base = self.features_by(self.default, default_above, default, self.trust)
        f = self.record(self.memory, above)[tree.COUNT]
        share = min(1, f / (50, 20, 10, 5)[street])
        return share * self.features_by(self.memory, above, now, 0) + (1 - share) * base

    def go(self, at, label):
        now, above, default, default_above = at
        now = self.children(self.memory, now).get(label)
        nodes = self.memory if self.default is None else self.default
        default = self.children(nodes, default).get(label)
        return (now, above, default, default_above) if label >= 14 else (now, now, default, default)

    def believes(self, at):
        nodes = self.memory if self.default is None else self.default
        counts = self.record(self.memory, at[0]), self.record(nodes, at[2])
        return max(record[tree.COUNT] for record in counts) > self.trust

    def win(self, state, boards):
        if self.shape.level == PRIVILEGED:
            return self.truth
        answers = self.wins.answers(state)
        if self.shape.level < RANGED:
            return sigmoid(answers[0])
        ranges = np.exp(answers) / np.exp(answers).sum()
        edges = np.cumsum((0, *WIDTHS))
        beaten = 0.0
        for board in boards:
            stronger = 990 * (1 - board[STRENGTH + 3])
            parts = np.clip((stronger - edges[:-1]) / np.diff(edges), 0, 1)
            beaten += ranges @ parts / len(boards)
        return 1 - beaten

    def see(self, spot, at, states, boards):
        self.n_seen += 1
        acts, wins = states
        tree_features, street = self.tree_features(at, spot.street), np.eye(4)[spot.street]
        chips = spot.opponent / STACK, spot.own / STACK
        look = boards[:, LOOK + 3 * spot.street :][:, :3].mean(axis=0)
        strength = boards[:, STRENGTH + spot.street].mean()
        return (
            self.acts.after(acts, [tree_features[0], *tree_features[4:], *look, *street, *chips]),
            self.wins.after(wins, [*tree_features[:4], *street, strength, *chips]),
        )

    def chances(self, states, spot):
        answers = np.exp(self.acts.answers(states[0]))
        for move in range(9):
            answers[move] *= after_move(spot, move, STACK, 100).turn != IMPOSSIBLE
        return answers / answers.sum()

    def value_of_node(self, spot, at, states, win, boards):
        """Figure 7-1 of the thesis."""
        if spot.turn == SHOWN_DOWN:
            return (2 * win - 1) * min(spot.own, spot.opponent)
        if spot.turn in (WON, LOST):
            return spot.opponent if spot.turn == WON else -spot.own
        if spot.turn == BOARD_COMES:
            after = after_board(spot, self.on_button)
            total, paths = 0.0, boards[:, PATH + after.street]
            for path in set(paths.tolist()):
                some = boards[paths == path]
                cluster = round(path // 8 ** (after.street - 1)) % 8 - 1
                there = self.go(at, tree.FIRST_BOARD + cluster)
                total += (
                    len(some) / len(boards) * self.value_of_node(after, there, states, win, some)
                )
            return total
        if not self.believes(at):
            return self.at_once(spot, at, states, win, boards)
        seen = self.see(spot, at, states, boards)
        now = self.win(seen[1], boards)
        chances = self.chances(seen, spot)
        values, weights = [], []
        for move in range(9):
            after = after_move(spot, move, STACK, 100)
            if after.turn == IMPOSSIBLE:
                continue
            there = (None, None, None, None)
            if after.turn < SHOWN_DOWN:
                label = move if spot.turn == OWN or move == 1 else tree.FIRST_BUCKET + move - 2
                there = self.go(at, label)
                if there[2] is None:
                    continue
            values.append(self.value_of_node(after, there, seen, now, boards))
            weights.append(chances[move])
        if not values:
            return self.at_once(spot, at, states, win, boards)
        return max(values) if spot.turn == OWN else np.dot(weights, values) / sum(weights)

    def at_once(self, spot, at, states, win, boards):
        shown = (2 * win - 1) * max(spot.own, spot.opponent)
        if spot.turn == OWN:
            return max(shown, -spot.own) if spot.opponent > spot.own else shown
        if spot.own <= spot.opponent:
            return shown
        folds = self.chances(self.see(spot, at, states, boards), spot)[0]
        return folds * spot.opponent + (1 - folds) * (2 * win - 1) * spot.own


def result(own, other, river):
    """1, one half or 0 for a showdown."""
    ranks = [rank_cards(np.array(parse_cards(cards + river))) for cards in (own, other)]
    return 0.5 * (1 + np.sign(ranks[0] - ranks[1]))


def seat_filled(one, hands, seed):
    """A player at a table after this many random hands."""
    env, seats = seated(one, num_hands=hands + 1)
    rng = np.random.default_rng(seed)
    while int(env.tables[0]["hand"]) < hands:
        least, most = legal_raise(env.tables[0])
        bets = [int(least), int(least) * 2] if least and least * 2 < most else []
        env.step([CALL, CALL, CALL, *bets][rng.integers(3 + len(bets))])
    return env, seats


def filled(shape):
    """A player at a table with trees of some hands; with default trees of others, if it has any."""
    alone = shape._replace(default_nodes=0)
    one = player(alone, seed=4, spread=0.5)
    default = None
    if shape.default_nodes:
        _, seats = seat_filled(one, 400, seed=2)
        default = seats.work.memory[0, : tree.count_numbers(shape.nodes)].copy()
        one = ModelPlayer(np.concatenate([one.weights, default]), shape=shape)
    return one, default, *seat_filled(one, 60 if shape.default_nodes else 400, seed=9)


@pytest.mark.slow
@pytest.mark.parametrize("default_nodes", [0, SHAPE.nodes])
@pytest.mark.parametrize("level", [RECURSIVE, RANGED, PRIVILEGED])
def test_look_ahead_values_match_plain_recursion(level, default_nodes):
    shape = SHAPE._replace(level=level, min_node_visits=1, default_nodes=default_nodes)
    one, default, env, seats = filled(shape)
    streets, n_ahead = set(), 0
    while len(streets) < 4:
        table = env.tables[0]
        if int(table["actor"]) != 0:
            env.step(CALL)
            continue
        view, parameters = view_of(env, seats), seats_parameters(seats)
        _, boards = boards_of(view, shape, parameters.traits["book"])
        memory = seats.work.memory[0].copy()
        action_values = np.zeros(7, np.float32)
        write_values(parameters, memory, view, action_values)
        slow = Slow(one, memory, default, boards.astype(np.float64), view)
        names = [CARD_NAMES[card] for card in table["cards"][:9]]
        slow.truth = result("".join(names[:2]), "".join(names[2:4]), "".join(names[4:]))
        street = int(table["street"])
        acted = int(table["calls"][street].sum() + table["raises"][street].sum())
        own, other = float(table["hand_bet"][0]), float(table["hand_bet"][1])
        spot, place = BettingState(OWN, street, acted, own, other), tree.present_place(memory)
        at = place if default_nodes else (*place[:2], *place[:2])
        at = tuple(None if node == tree.UNKNOWN else node for node in at)
        states = slow.states()
        win = slow.win(states[1], slow.boards)
        for move in np.flatnonzero(np.isfinite(action_values)):
            after = after_move(spot, move, STACK, 100)
            there = slow.go(at, move) if after.turn < SHOWN_DOWN else None
            expected = slow.value_of_node(after, there, states, win, slow.boards)
            assert action_values[move] == pytest.approx(expected, rel=2e-3, abs=2.0)
        np.testing.assert_array_equal(memory, seats.work.memory[0])
        streets.add(street)
        n_ahead += slow.n_seen
        env.step(CALL)
    assert n_ahead > 100  # it is the trees that have been compared


@pytest.mark.parametrize("level", [RECURSIVE, RANGED])
def test_both_backends_play_the_same(level):
    game = nlhe_env.Game.cash(starting_stack=STACK, blinds=(50, 100), num_hands=12)
    players = [
        player(SHAPE._replace(level=level, min_node_visits=1)),
        agents.make("ashe-loose-aggressive"),
    ]
    fast = agents.play(players, agents.Blocks(2), game, seed=5)
    slow = agents.play(players, agents.Blocks(2), game, seed=5, record=[])
    assert fast.totals.tolist() == slow.totals.tolist()
    assert fast.totals[0] != 0


# --- the nine ranges of ASHE 2.3 ------------------------------------------------------------------


HOLDING, RIVER_BOARD = "AsKs", "QsJs2h2d9c"


def place(cards):
    low, high = sorted(parse_cards(cards))
    return high * (high - 1) // 2 + low


def test_the_first_range_holds_the_strongest_holdings():
    ranges = ranges_on(parse_cards(HOLDING), parse_cards(RIVER_BOARD))
    assert (ranges >= 0).sum() == 990
    assert ranges[place("AsKd")] == -1  # a card of our own
    # Quads, then the three full houses of a set of each kind: 1 + 3 * 3 and some with a deuce.
    assert ranges[place("2s2c")] == 0
    assert ranges[place("QhQd")] == 0
    assert ranges[place("3h4d")] == 8
    counts = np.bincount(ranges[ranges >= 0], minlength=9)
    # Ties stand together, so that a range may have more or fewer holdings than its width.
    assert counts.sum() == 990
    assert abs(np.cumsum(counts) - INTERVALS[1:]).max() < 100


def test_weights_follow_the_range_probabilities():
    own, board = parse_cards(HOLDING), parse_cards(RIVER_BOARD)
    ranges = ranges_on(own, board)
    chances = np.array([0.5, 0, 0, 0, 0, 0, 0, 0, 0.5])
    weights = weights_of_holdings(own, board, chances)
    assert weights.sum() == pytest.approx(1.0, abs=1e-5)
    assert weights[ranges == 0].sum() == pytest.approx(0.5, abs=1e-5)
    assert weights[(ranges > 0) & (ranges < 8)].sum() == 0.0
    # On the turn, quads of aces can come: a pair of aces may be in the first range.
    early = weights_of_holdings(own, board[:4], chances)
    assert early.sum() == pytest.approx(1.0, abs=1e-4)
    assert early[place("AsAd")] == 0.0
    assert early[place("2s2c")] > early[place("3h4d")]
    np.testing.assert_array_equal(
        weights_of_holdings(own, board[:3], chances), weights_of_holdings(own, board[:3], chances)
    )
