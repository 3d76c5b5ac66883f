"""Tournaments: seating, blinds by rounds, breaking tables, places, and the two backends."""

import itertools

import numpy as np
import pytest
from helpers import CALL, FOLD, actor, deal, drive, play, play_as, stacks

import agents
import nlhe_env
from nlhe_env.envs import step_kernels as kernels
from nlhe_env.envs.decision_facts import N_ALL_FACTS
from nlhe_env.game.blinds import BlindSchedule
from nlhe_env.game.description import Game
from nlhe_env.game.tournament import DECISION, DRAWN, GAME_OVER, HAND_OVER, IN_ORDER, ROUND_OVER
from nlhe_env.spaces.actions import SIZED

STATIC = ("random", "folder", "caller", "raiser", "call-or-raise")
TRIPS = "AdKh9s8s3c"


def tally_of(players, count, *, seed, first=0) -> agents.Tally:
    tournaments = agents.Tournaments(count, first)
    return agents.play(players, tournaments, Game.tournament(), seed=seed, rows=True)


def field(n, names=STATIC):
    return agents.pack_players([agents.make(names[i % len(names)]) for i in range(n)])


class Played:
    """A game on its bare arrays, event by event."""

    def __init__(self, n, *, seed=1, tournament=0, seating=DRAWN, **arguments):
        self.arrays = Game(**arguments).arrays(n)
        self.game, self.tables, self.players, self.levels = self.arrays
        self.mask = np.zeros(5, np.int8)
        self.facts = np.zeros(N_ALL_FACTS, np.int64)
        self.rest = (SIZED, np.zeros(0), self.mask, self.facts)
        kernels.start_game(*self.arrays, np.uint64(seed), tournament, tournament, seating)

    def advance(self):
        return kernels.advance(self.arrays, *self.rest)

    def step(self, action):
        return kernels.step(self.arrays, *self.rest[:2], action, *self.rest[2:])

    def random_action(self, generator):
        return int(generator.choice(np.flatnonzero(self.mask)))

    def play_round(self, choose):
        """Play to the end of the round; returns the tables that played, and the event."""
        played = []
        event = self.advance()
        while event not in (ROUND_OVER, GAME_OVER):
            if event == DECISION:
                event = self.step(choose(self))
                continue
            played.append(self.tables[int(self.game["table"][0])].copy())
            event = self.advance()
        return played, event

    def sizes(self):
        return self.tables["players"].tolist()

    def chips(self):
        return int((self.tables["stack"] * (self.tables["player"] >= 0)).sum())


def call(_):
    return 1


def fold_or_check(game):
    return 0 if game.mask[0] else 1


@pytest.mark.parametrize("n", [2, 9, 10, 11, 21, 60, 97])
def test_tables_are_balanced_at_the_start(n):
    game = Played(n)
    sizes = game.sizes()
    assert len(sizes) == -(-n // 10)
    assert sum(sizes) == n
    assert max(sizes) - min(sizes) <= 1
    seated = [who for row in game.tables["player"].tolist() for who in row if who >= 0]
    assert sorted(seated) == list(range(n))
    for table in game.tables:
        assert table["player"][table["button"]] >= 0


_SET_AT_THE_START = {"players", "button", "small_blind", "big_blind", "ante", "player", "stack"}


def test_before_the_first_hand_a_table_holds_players_with_chips_and_no_more():
    game = Played(9, table_size=5, blinds=(10, 20, 3))
    fresh = Game(table_size=5).arrays(9).tables
    for name in fresh.dtype.names:
        if name not in _SET_AT_THE_START:
            np.testing.assert_array_equal(game.tables[name], fresh[name], err_msg=name)
    blinds = [game.tables[name].tolist() for name in ("small_blind", "big_blind", "ante")]
    assert blinds == [[10, 10], [20, 20], [3, 3]]
    assert game.tables["players"].tolist() == [5, 4]
    assert (game.tables["stack"] == 1000 * (game.tables["player"] >= 0)).all()


def test_nothing_is_left_of_the_game_before():
    game = Played(9, table_size=5, blinds=(10, 20, 3), starting_stack=200)
    before = [array.copy() for array in game.arrays]
    generator = np.random.default_rng(1)
    for _ in range(20):
        game.play_round(lambda played: played.random_action(generator))
    kernels.start_game(*game.arrays, np.uint64(1), 0, 0, DRAWN)
    # What a kernel writes before it reads may hold anything.
    scratch = {"ranks", "scratch", "chips", "strength", "bet_when_acted", "strength_key"}
    scratch |= {"pot_size", "pot_eligible", "pot_winners", "second_winners"}
    for now, then in zip(game.arrays, before, strict=True):
        for name in now.dtype.names or ():
            if name not in scratch:
                np.testing.assert_array_equal(now[name], then[name], err_msg=name)


def test_seats_are_redrawn_for_every_tournament():
    orders = {tuple(Played(6, tournament=i).tables["player"][0, :6].tolist()) for i in range(200)}
    assert len(orders) > 150
    assert {order[0] for order in orders} == set(range(6))


def test_players_sit_in_order_when_asked():
    assert Played(6, seating=IN_ORDER).tables["player"][0, :6].tolist() == [0, 1, 2, 3, 4, 5]
    assert Played(6, seating=2).tables["player"][0, :6].tolist() == [4, 5, 0, 1, 2, 3]


def around_the_table(seating, tournament=0):
    game = Played(9, tournament=tournament, seating=seating, table_size=9)
    return game.tables[0]["player"][:9].tolist()


def test_drawn_players_rotate_without_changing_neighbours():
    drawn = around_the_table(DRAWN)
    for k in range(9):
        assert around_the_table(DRAWN - k) == drawn[-k:] + drawn[:-k]
    assert around_the_table(DRAWN, tournament=1) != drawn


def test_twenty_one_players_consolidate_to_two_tables_after_one_bust():
    n_busts = 0
    for seed in range(40):
        # Player 20 is all-in with its ante; the others fold or check.
        game = Played(21, seed=seed, starting_stack=[1000] * 20 + [3], blinds=(10, 20, 3))
        assert game.sizes() == [7, 7, 7]
        at = int(game.players["table"][20])
        game.play_round(fold_or_check)
        assert game.chips() == 20003
        if game.game["live"][0] == 21:
            assert game.sizes() == [7, 7, 7]
            continue
        n_busts += 1
        assert game.players["place"][20] == 21
        assert game.game["open_tables"][0] == 2
        assert sorted(game.sizes()) == [0, 10, 10]
        assert game.sizes()[at] == 0  # the smallest table was broken
    assert n_busts > 10


def test_moved_players_keep_their_chips_and_their_records():
    game = Played(
        21, seed=3, starting_stack=[900 + i for i in range(20)] + [12], blinds=(10, 20, 3)
    )
    generator = np.random.default_rng(0)
    while game.game["open_tables"][0] == 3:
        places = game.players[["table", "seat"]].copy()
        played, _ = game.play_round(lambda game: game.random_action(generator))
        after_hands = {int(table["number"]): table for table in played}
    moved = 0
    for who, (t, seat) in enumerate(places.tolist()):
        if game.players["place"][who]:
            continue
        new_t, new_seat = int(game.players["table"][who]), int(game.players["seat"][who])
        assert game.tables[new_t]["player"][new_seat] == who
        assert game.tables[new_t]["stack"][new_seat] == after_hands[t]["stack"][seat]
        moved += new_t != t
    assert moved > 0


def test_lone_table_skips_the_round():
    # 30 players at three tables; all but one of a table go out, and the others stay full.
    game = Played(22, seed=1, starting_stack=[10] * 22, table_size=10, blinds=(2, 4))
    tables = game.tables
    # Set up by hand: tables of 10, 10 and 1 players with 21 live.
    lone = 2
    who = tables[lone]["player"].tolist()
    keep = who[0]
    spare = [player for player in who[1:] if player >= 0]
    for t in (0, 1):
        for seat in range(10):
            if tables[t]["player"][seat] < 0 and spare:
                player = spare.pop()
                tables[t]["player"][seat] = player
                tables[t]["stack"][seat] = 10
                tables[t]["players"] += 1
                game.players["table"][player] = t
                game.players["seat"][player] = seat
    tables[lone]["player"][1:] = -1
    tables[lone]["stack"][1:] = 0
    tables[lone]["players"] = 1
    gone = spare  # one player too many
    assert len(gone) == 1
    game.players["place"][gone[0]] = 22
    game.game["live"] = 21
    assert game.sizes() == [10, 10, 1]

    before = tables[lone].copy()
    played, event = game.play_round(fold_or_check)
    assert event == ROUND_OVER
    assert [int(table["number"]) for table in played] == [0, 1]
    assert tables[lone] == before
    assert tables[lone]["stack"][0] == 10
    assert tables[lone]["player"][0] == keep
    assert game.game["round"][0] == 1


def test_blinds_rise_by_rounds_not_by_hands():
    game = Played(21, blinds=BlindSchedule(((1, 2), (2, 4), (3, 6, 1)), 2), starting_stack=10_000)
    for number in range(8):
        played, event = game.play_round(call)
        assert event == ROUND_OVER
        assert len(played) == 3
        level = [(1, 2, 0), (2, 4, 0), (3, 6, 1)][min(number // 2, 2)]
        for table in played:
            assert (table["small_blind"], table["big_blind"], table["ante"]) == level
            assert table["hand"] == number


def test_chips_are_conserved_after_every_hand():
    for n in (2, 7, 21, 43):
        generator = np.random.default_rng(n)
        game = Played(n, seed=n)
        event = game.advance()
        while event != GAME_OVER:
            if event == DECISION:
                event = game.step(game.random_action(generator))
                continue
            assert game.chips() == 1000 * n
            assert (game.tables["stack"] >= 0).all()
            assert max(game.sizes()) <= 10
            if event == ROUND_OVER:
                live = int(game.game["live"][0])
                assert sum(game.sizes()) == live
                # One player alone may be left in a game that is decided.
                assert game.game["open_tables"][0] == max(1, -(-live // 10))
            event = game.advance()
        assert game.players["place"].min() == 1


@pytest.mark.parametrize("n", [2, 3, 6, 10, 11, 19, 20, 21, 35, 60])
def test_places_have_the_expected_sum(n):
    count = 3000 // n
    places = tally_of(field(n), count, seed=n).row_scores
    assert places.shape == (count, n)
    np.testing.assert_array_equal(places.sum(axis=1), n * (n + 1) / 2)
    assert ((places >= 1) & (places <= n)).all()
    assert ((places == 1).sum(axis=1) == 1).all()
    assert (places * 2 % 1 == 0).all()


@pytest.mark.parametrize(
    ("chips", "places"),
    [
        ([500, 200, 1000], [2, 3, 1]),  # the example of the thesis
        ([200, 500, 1000], [3, 2, 1]),
        ([300, 300, 1000], [2.5, 2.5, 1]),
    ],
)
def test_players_out_in_one_hand_rank_by_their_starting_chips(chips, places):
    env = deal(
        chips,
        mode="tournament",
        button=0,
        hole_cards={0: "2c7d", 1: "2d7h", 2: "AsAh"},
        board=TRIPS,
    )
    play_as(env, (0, chips[0]), (1, chips[1] if chips[1] > chips[0] else CALL), (2, CALL))
    assert [env.infos[f"player_{i}"]["place"] for i in range(3)] == places
    assert all(env.terminations.values())


def test_five_players_out_at_once_with_ties_share_the_mean_places():
    chips = [300, 300, 300, 100, 700, 3000]
    env = deal(
        chips,
        mode="tournament",
        reward="place",
        button=2,
        hole_cards={0: "2c7d", 1: "2d7h", 2: "2h7s", 3: "4c5d", 4: "4d5h", 5: "AsAh"},
        board=TRIPS,
    )
    play_as(env, (5, 3000))
    while actor(env) >= 0:
        play(env, CALL)
    assert [env.infos[f"player_{i}"]["place"] for i in range(6)] == [4, 4, 4, 6, 2, 1]
    assert sum(env.rewards.values()) == pytest.approx(0)
    assert env.rewards["player_5"] == 1
    assert env.rewards["player_3"] == -1


def test_players_out_at_different_tables_in_one_round_rank_by_chips_too():
    # All players are all-in from the ante, so every table leaves one player (or some in a tie).
    chips = [10 + 7 * (i % 5) for i in range(30)]
    seen_ties_between_tables = False
    for seed in range(20):
        game = Played(30, seed=seed, starting_stack=chips, blinds=(1, 2, 1000))
        places = game.players[["table"]].copy()["table"]
        game.play_round(call)
        out = np.flatnonzero(game.players["place"] > 0)
        live = int(game.game["live"][0])
        assert len(out) + live == 30
        for who in out:
            better = sum(chips[other] > chips[who] for other in out)
            equals = [other for other in out if chips[other] == chips[who]]
            assert game.players["place"][who] == live + better + (len(equals) + 1) / 2
            seen_ties_between_tables |= len({int(places[other]) for other in equals}) > 1
    assert seen_ties_between_tables


def test_a_tournament_cut_short_ranks_survivors_by_chips_and_truncates():
    env = nlhe_env.raw_env(
        4,
        starting_stack=[100, 300, 200, 300],
        blinds=(10, 20),
        num_hands=1,
        reward="place",
        actions="chips",
    )
    env.reset(seed=1, options={"button": 3})
    play_as(env, (2, FOLD), (3, FOLD), (0, FOLD))
    assert stacks(env) == [90, 310, 200, 300]
    assert env.truncations == dict.fromkeys(env.possible_agents, True)
    assert env.terminations == dict.fromkeys(env.possible_agents, False)
    assert [env.infos[f"player_{i}"]["place"] for i in range(4)] == [4, 1, 3, 2]
    assert sum(env.rewards.values()) == pytest.approx(0)


def decks(n, choose, **arguments):
    """(table, hand) -> the cards, in a game played in one way."""
    game = Played(n, **arguments)
    found = {}
    event = ROUND_OVER
    while event != GAME_OVER and game.game["round"][0] < 30:
        played, event = game.play_round(choose)
        for table in played:
            found[int(table["number"]), int(table["hand"])] = table["cards"].tolist()
    return found


def test_every_second_round_goes_back_through_the_tables():
    game = Played(30)
    orders = [[int(table["number"]) for table in game.play_round(fold_or_check)[0]] for _ in "123"]
    assert orders == [[0, 1, 2], [2, 1, 0], [0, 1, 2]]


def test_cards_do_not_depend_on_decisions():
    generator = np.random.default_rng(11)
    ways = [
        decks(23, choose, seed=9)
        for choose in (
            call,
            fold_or_check,
            lambda game: game.random_action(generator),
        )
    ]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        common = ways[a].keys() & ways[b].keys()
        assert len(common) > 20
        assert all(ways[a][key] == ways[b][key] for key in common)
    # Nor on the seated players, and hardly any two deals are the same.
    other = decks(29, call, seed=9)
    common = other.keys() & ways[0].keys()
    assert all(other[key] == ways[0][key] for key in common)
    assert len({tuple(cards[:25]) for cards in ways[1].values()}) == len(ways[1])


@pytest.mark.parametrize(("seed", "tournament"), [(10, 0), (9, 1)])
def test_cards_depend_on_seed_and_tournament(seed, tournament):
    first = decks(12, call, seed=9)
    second = decks(12, call, seed=seed, tournament=tournament)
    common = first.keys() & second.keys()
    assert not any(first[key] == second[key] for key in common)


def test_the_same_seed_gives_the_same_game_and_episodes_differ():
    env = nlhe_env.raw_env(12, actions="sized")
    records = []
    for seed in (4, None, 4, None, 5):
        env.reset(seed=seed)
        drive(env, seed=0)
        records.append((env.tables.tobytes(), env.players.tobytes()))
    assert records[0] == records[2]
    assert records[1] == records[3]
    assert len(set(records)) == 3


@pytest.mark.parametrize("n", [2, 7, 23])
def test_records_count_hands_won_and_showdowns_lost(n):
    generator = np.random.default_rng(n)
    game = Played(n, seed=n)
    counted = np.zeros((4, n), np.int64)
    event = game.advance()
    while event != GAME_OVER:
        if event == DECISION:
            event = game.step(game.random_action(generator))
            continue
        if event == HAND_OVER:
            table = game.tables[int(game.game["table"][0])]
            winners = np.bitwise_or.reduce(table["pot_winners"][: table["pots"]])
            for seat in np.flatnonzero(table["status"]):
                who = table["player"][seat]
                net = table["stack"][seat] - table["starting_stack"][seat]
                if winners >> seat & 1:
                    counted[:2, who] += 1, max(0, net)
                elif table["shown"][seat]:
                    counted[2:, who] += 1, -net
        event = game.advance()
    assert (counted.sum(axis=1) > 0).all()
    names = ("hands_won", "chips_won", "showdowns_lost", "chips_lost")
    for name, expected in zip(names, counted, strict=True):
        np.testing.assert_array_equal(game.players[name], expected)


def test_tournament_results_match_the_records():
    lineup = field(6)
    rows = tally_of(lineup, 4, seed=3).rows
    assert (rows.hands_won.sum(axis=1) >= 1).all()
    again = tally_of(lineup, 1, seed=3, first=2).rows
    for column, whole in zip(again, rows, strict=True):
        np.testing.assert_array_equal(column[0], whole[2])
    # Heads-up chips only change hands: what one gains in hands won, the other loses.
    duel = field(2, ("caller",))
    rows = tally_of(duel, 5, seed=3).rows
    np.testing.assert_array_equal(rows.chips_won, rows.chips_lost[:, ::-1])


@pytest.mark.parametrize("n", [11, 21, 33])
def test_multi_table_environment_gives_the_compiled_tournament(n):
    lineup = field(n, ("random", "raiser", "call-or-raise", "caller"))
    players = [
        agents.make(("random", "raiser", "call-or-raise", "caller")[i % 4]) for i in range(n)
    ]
    tally = tally_of(lineup, 3, seed=17)
    env = nlhe_env.raw_env(n, actions="sized")
    hands = decisions = 0
    for episode in range(3):
        env.reset(seed=17 if episode == 0 else None)
        for number, player in enumerate(players):
            player.begin(17, number, episode)
        places = {}
        while env.agents:
            agent = env.agent_selection
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                places[agent] = info["place"]
                env.step(None)
                continue
            env.step(players[int(agent[7:])].act(observation, info))
        assert [places[agent] for agent in env.possible_agents] == tally.row_scores[
            episode
        ].tolist()
        assert env.players["hands_won"].tolist() == tally.rows.hands_won[episode].tolist()
        assert env.players["chips_lost"].tolist() == tally.rows.chips_lost[episode].tolist()
        hands += int(env.game_record["hands"][0])
        decisions += int(env.game_record["decisions"][0])
    assert (hands, decisions) == (tally.hands, tally.decisions)


def test_every_event_arrives_once():
    game = Played(12, seed=2, blinds=(10, 20))
    events = []
    event = game.advance()
    for _ in range(400):
        events.append(event)
        event = game.step(1) if event == DECISION else game.advance()
    assert events.count(HAND_OVER) == int(game.game["hands"][0])
    assert events.count(ROUND_OVER) == int(game.game["round"][0])
    for first, second in itertools.pairwise(events):
        assert not (first == second == ROUND_OVER)
    game = Played(2, seed=2, blinds=(10, 20, 2000))
    assert [game.advance() for _ in range(2)] == [HAND_OVER, ROUND_OVER]
    while (event := game.advance()) != GAME_OVER:
        assert event in (HAND_OVER, ROUND_OVER)
    assert game.advance() == GAME_OVER
