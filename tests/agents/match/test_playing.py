"""Schedules of compiled players: what is played, and how parts of it add up."""

import math
import os
import pickle
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import reduce
from itertools import pairwise

import numpy as np
import pytest
from helpers import assert_equal, genome
from interrupts import interruptible

import agents
import nlhe_env
from agents import Blocks, LineupBlocks, Tally, Tournaments
from agents.match import fitting, playing
from agents.match.compiled_match import CompiledMatch, SharedUnits
from agents.match.planning import ARENAS, load_arena
from agents.match.playing import PlayTask, _Plays, play_all
from agents.match.workers.base import thread_workers
from agents.players.networks import count_weights
from nlhe_env import Game
from nlhe_env.assessment.estimators.aivat_values import N_CELLS
from nlhe_env.equity import load_tables
from nlhe_env.jit.atomics import fetch_add

CASH = Game.cash(num_hands=7)
TOURNAMENT = Game.tournament(starting_stack=600)
GAMES = pytest.mark.parametrize("game", [CASH, TOURNAMENT], ids=["cash", "tournament"])

LINEUPS = LineupBlocks(
    np.array([[0, 4, 5], [1, 4, 5], [2, 5, 3], [4, 4, 4], [0, 4, 5], [0, 3, 5]]),
    np.array([4, 4, 4, 0, 6, 123_456_789_012]),
)
SCHEDULES = pytest.mark.parametrize(
    "schedule",
    [Tournaments(6, first=3), Blocks(6, first=2), Blocks(6, players=(5, 0, 2)), LINEUPS],
    ids=["tournaments", "blocks", "some players", "lineups"],
)


@pytest.fixture(scope="module")
def tables():
    return load_tables()


@pytest.fixture(scope="module")
def players():
    networks = [agents.NetworkPlayer(genome(seed), inputs="features_scaled") for seed in (1, 2)]
    wide = genome(3, length=count_weights(35, (8, 6)))
    shaped = agents.NetworkPlayer(wide, inputs="features", hidden=(8, 6))
    rules = [agents.make_compiled(name) for name in ("old-best", "caller", "raiser")]
    return [*networks, shaped, *rules]


@pytest.fixture(scope="module")
def batch(players):
    return agents.pack_players(players)


def named(*names: str) -> agents.PlayerBatch:
    return agents.pack_players([agents.make(name) for name in names])


# Parts.


@SCHEDULES
@GAMES
def test_results_do_not_depend_on_how_blocks_are_split(tables, batch, schedule, game):
    arguments = {"seed": 2, "rows": True, "tables": tables}
    whole = agents.play(batch, schedule, game, **arguments)
    assert whole.count == len(schedule) == 6
    for cuts in ([0, 1, 2, 5, 6], [0, 0, 3, 6]):
        parts = [
            agents.play(batch, schedule.part(a, b - a), game, **arguments)
            for a, b in pairwise(cuts)
        ]
        assert_equal(reduce(Tally.__add__, parts), whole)


def test_long_schedules_are_played_in_parts(tables, batch, monkeypatch):
    whole = agents.play(batch, Blocks(7), CASH, seed=2, rows=True, tables=tables)
    monkeypatch.setattr(playing, "_AT_ONCE", 12)  # two blocks of six players
    assert_equal(agents.play(batch, Blocks(7), CASH, seed=2, rows=True, tables=tables), whole)


@pytest.mark.parametrize("threads", [1, 2])
def test_workers_play_the_same(tables, batch, threads):
    plays = [
        PlayTask(batch, Blocks(9), CASH, 5),
        PlayTask(batch, Blocks(0), CASH, 5),
        PlayTask(batch, Tournaments(5), TOURNAMENT, 6),
        PlayTask(batch, LINEUPS, CASH, 7),
    ]
    seen, units = [], []
    with thread_workers(threads) as workers:
        found = play_all(workers, plays, rows=True, on_parts=seen.extend, on_progress=units.append)
        alone = agents.play(batch, Blocks(9), CASH, seed=5, workers=workers)
    for one, tally in zip(plays, found, strict=True):
        arguments = {"seed": one.seed, "rows": True, "tables": tables}
        assert_equal(tally, agents.play(one.players, one.schedule, one.game, **arguments))
    assert_equal(alone, found[0].without_rows())
    assert sum(units) == sum(part.tally.count for part in seen) == 20
    assert {(part.number, part.first) for part in seen} >= {(0, 0), (2, 0), (3, 0)}


def test_plays_can_be_sent_to_other_processes(batch):
    plays = (PlayTask(batch, Blocks(4), CASH, 5), PlayTask(batch, LINEUPS, CASH, 7))
    task = _Plays((0, 1), plays, rows=True, threads_share=True)
    there = pickle.loads(pickle.dumps(task))
    assert [(part.number, part.first, part.tally.count) for part in task(3, 4)] == [
        (0, 3, 1),
        (1, 0, 3),
    ]
    for one, other in zip(task(3, 4), there(3, 4), strict=True):
        assert_equal(one.tally, other.tally)


def test_an_empty_schedule_plays_nothing(batch):
    for schedule in (Tournaments(0), Blocks(0), LINEUPS.part(0, 0)):
        tally = agents.play(batch, schedule, CASH, seed=1, rows=True)
        assert tally.count == tally.hands == 0
        assert tally.rows.points.shape[0] == 0
        assert np.isnan(tally.scores).all()
        some = agents.play(batch, Blocks(1), CASH, seed=1, rows=True)
        if not isinstance(schedule, LineupBlocks):
            assert (tally + some).count == 1  # evaluations begin with nothing


# Lineups.


@GAMES
def test_lineups_play_the_blocks_of_their_players(tables, players, batch, game):
    arguments = {"seed": 5, "rows": True, "tables": tables}
    tally = agents.play(batch, LINEUPS, game, **arguments)
    for i, lineup in enumerate(LINEUPS.lineups):
        seated = agents.pack_players([players[who] for who in lineup])
        single = agents.play(seated, Blocks(1, first=LINEUPS.blocks[i]), game, **arguments)
        for column, others in zip(tally.rows, single.rows, strict=True):
            np.testing.assert_array_equal(column[i], others[0])
    assert len(np.unique(tally.row_scores)) > 3
    assert tally.counts.tolist() == [3, 1, 1, 2, 6, 5]
    assert tally.style_counts[:, 0].tolist() != [0] * 6


def test_other_players_in_the_batch_do_not_change_results(tables, players, batch):
    pair = agents.pack_players([players[4], players[1]])
    arguments = {"seed": 2, "rows": True, "tables": tables}
    first = agents.play(batch, LineupBlocks([[1, 4]], [3]), CASH, **arguments)
    second = agents.play(pair, LineupBlocks([[1, 0]], [3]), CASH, **arguments)
    third = agents.play(batch, Blocks(1, first=3, players=(1, 4)), CASH, **arguments)
    np.testing.assert_array_equal(first.rows.points, second.rows.points)
    np.testing.assert_array_equal(first.rows.points, third.rows.points)


def test_equal_candidates_score_equally_on_the_same_cards(tables, players):
    batch = agents.pack_players([players[0], players[0], *players[3:]])
    schedule = LineupBlocks(np.tile([[0, 3, 4], [1, 3, 4]], (10, 1)), np.arange(10).repeat(2))
    points = agents.play(batch, schedule, CASH, seed=2, rows=True, tables=tables).rows.points
    np.testing.assert_array_equal(points[::2], points[1::2])
    assert len(np.unique(points[:, 0])) > 5


def test_scores_follow_the_scoring_of_the_game(tables, batch):
    def played(game: Game) -> Tally:
        return agents.play(batch, Blocks(3), game, seed=1, rows=True, tables=tables)

    chips = played(CASH).row_scores
    np.testing.assert_array_equal(chips / 100, played(replace(CASH, score="big_blinds")).row_scores)
    short = replace(TOURNAMENT, num_hands=5)
    won = played(replace(short, score="chips")).row_scores
    assert won.any()
    assert not won.sum(axis=1).any()
    places = played(short)
    assert places.lower_is_better
    assert (places.rows.points.sum(axis=1) == 2 * 6 * 21).all()  # all places, in six games


# Reference numbers: the results of version 0.1.0 for the same seeds.


CHIPS = [
    [-107844, 49105, -21150, 79889],
    [-19227, 3434, -1050, 16843],
    [-48923, 33558, 18950, -3585],
]
HALF_PLACES = [[25, 22, 10, 23], [21, 19, 18, 22], [28, 18, 12, 22]]
PLACES = [[3.0, 4.0, 1.0, 2.0], [3.0, 1.0, 2.0, 4.0], [3.0, 1.0, 2.0, 4.0], [3.0, 4.0, 2.0, 1.0]]


def test_results_match_the_first_version(tables):
    batch = named("random", "raiser", "old-best", "caller")
    blocks = agents.play(batch, Blocks(3, first=3), CASH, seed=5, rows=True, tables=tables)
    assert blocks.rows.points.tolist() == CHIPS
    turned = agents.play(batch, Blocks(3), TOURNAMENT, seed=5, rows=True, tables=tables)
    assert turned.rows.points.tolist() == HALF_PLACES
    played = agents.play(batch, Tournaments(4), TOURNAMENT, seed=9, rows=True, tables=tables)
    assert played.row_scores.tolist() == PLACES


# Refused.


@pytest.mark.parametrize(
    ("lineups", "arguments", "message"),
    [
        ([[0, 6]], {}, r"numbers of players, 0\.\.5; got 0\.\.6"),
        ([[0, -1]], {}, r"numbers of players, 0\.\.5; got -1\.\.0"),
        ([[0]], {}, r"2 to 10 seats; got shape \(1, 1\)"),
        ([[0] * 11], {}, r"2 to 10 seats; got shape \(1, 11\)"),
        ([0, 1], {}, r"lineups must be .* \(any, any\); got shape \(2,\)"),
        ([[0, 1]], {"blocks": [0, 1]}, r"blocks must be .* \(1,\); got shape \(2,\)"),
        ([[0, 1]], {"blocks": [-1]}, r"got -1 at blocks\[0\]"),
        ([[0, 1]], {"seed": -1}, "seed"),
    ],
)
def test_invalid_lineups_are_refused(batch, lineups, arguments, message):
    arguments = {"blocks": [0], "seed": 1, **arguments}
    with pytest.raises(ValueError, match=message):
        agents.play(batch, LineupBlocks(lineups, arguments["blocks"]), CASH, seed=arguments["seed"])


def test_invalid_schedules_are_refused(batch):
    with pytest.raises(ValueError, match="2 to 10 players; got 11"):
        agents.play(named(*["caller"] * 11), Blocks(1), CASH, seed=1)
    with pytest.raises(ValueError, match=r"players must hold numbers of players, 0\.\.5"):
        agents.play(batch, Blocks(1, players=(0, 6)), CASH, seed=1)
    with pytest.raises(ValueError, match='seating_order must be one of "random", "fixed"'):
        Blocks(1, seating_order="dawn")
    with pytest.raises(ValueError, match="count must be at least 0; got -1"):
        Tournaments(-1)
    with pytest.raises(ValueError, match=r"schedule must be Tournaments, Blocks or .* got 100"):
        agents.play(batch, 100, CASH, seed=1)
    with pytest.raises(ValueError, match=r"game must be a Game, such as .* got 'cash'"):
        agents.play(batch, Blocks(1), "cash", seed=1)
    with pytest.raises(ValueError, match="players must be a list of players; got 'caller'"):
        agents.play("caller", Blocks(1), CASH, seed=1)


@pytest.mark.parametrize("record", [None, [].append])
def test_big_blinds_of_several_sizes_are_not_summed(record):
    game = Game.tournament(score="big_blinds")
    message = r'score="big_blinds" needs constant blinds .* got \d+ levels: use "chips"'
    for schedule in (Tournaments(1), Blocks(1)):
        with pytest.raises(ValueError, match=message):
            agents.play(["caller", "folder"], schedule, game, seed=1, record=record)


# Units shared by threads.


def test_a_counter_gives_every_number_once_to_many_threads():
    counter, threads, each = np.zeros(1, np.int64), 4, 5000
    with ThreadPoolExecutor(threads) as executor:
        taken = executor.map(lambda _: [fetch_add(counter, 1) for _ in range(each)], range(threads))
    assert sorted(number for numbers in taken for number in numbers) == list(range(threads * each))
    assert fetch_add(counter, 0) == threads * each


@pytest.mark.parametrize("threads", [1, 3])
def test_stopped_threads_have_finished_the_first_units(batch, threads):
    plays = [PlayTask(batch, Blocks(5), CASH, 5), PlayTask(batch, Blocks(100_000, 7), CASH, 5)]
    units = SharedUnits([one.prepared(0, len(one)) for one in plays])
    with ThreadPoolExecutor(threads) as executor:
        playing = [executor.submit(units.play) for _ in range(threads)]
        while units.taken < 30:
            time.sleep(0.001)
        units.stop()
        for future in playing:
            future.result()
    assert 30 <= units.played < units.total
    first, second = units.tallies(rows=True)
    for tally, one in ((first, plays[0]), (second, plays[1])):
        assert tally is not None
        assert_equal(tally, one.part(0, tally.count, rows=True))
    assert first.count == 5
    assert first.count + second.count == units.played


def test_an_interruption_gives_the_first_units_at_once(batch):
    plays = [PlayTask(batch, Blocks(5), CASH, 5), PlayTask(batch, Blocks(100_000), CASH, 6)]
    seen = []

    def interrupt(count: int) -> None:
        raise KeyboardInterrupt

    with thread_workers(2) as workers, pytest.raises(KeyboardInterrupt):
        play_all(workers, plays, on_parts=seen.extend, on_progress=interrupt)
    assert [(part.number, part.first) for part in seen] == [(0, 0), (1, 0)]
    assert seen[1].tally.count < 50_000  # a block takes milliseconds, all take minutes
    for part in seen:
        assert_equal(part.tally, plays[part.number].part(0, part.tally.count))


class Interrupting:
    """Presses Ctrl-C in the second block, after four decisions in every hand."""

    observation = "cards"
    decisions = 0

    def act(self, observation, info):
        self.decisions += 1
        if self.decisions == 12:
            signal.raise_signal(signal.SIGINT)
        return 1


@interruptible()
def test_an_interruption_stops_a_player_in_python_at_once():
    player = Interrupting()
    play, seen = PlayTask([player, agents.make("caller")], Blocks(3), Game.cash(num_hands=1), 1), []
    with thread_workers(2) as workers, pytest.raises(KeyboardInterrupt):
        play_all(workers, [play], on_parts=seen.extend)
    assert player.decisions == 12
    assert [part.first for part in seen] == [0]


def test_finished_parts_come_in_while_others_are_played(batch, monkeypatch):
    monkeypatch.setattr(playing, "_PART_S", 0.0)
    monkeypatch.setattr(playing, "_POLL_S", 0.001)
    play, seen = PlayTask(batch, Blocks(300), CASH, 5), []
    with thread_workers(2) as workers:
        (whole,) = play_all(workers, [play], rows=True, on_parts=seen.extend)
    assert len(seen) > 1
    ends = np.cumsum([0, *(part.tally.count for part in seen)]).tolist()
    assert [part.first for part in seen] == ends[:-1]
    assert ends[-1] == 300
    assert_equal(whole, play.part(0, 300, rows=True))


def test_a_failing_thread_stops_all_and_gives_no_part(batch, monkeypatch):
    plays = [PlayTask(batch, Blocks(100_000), CASH, 5)]

    def fail(*_: object) -> int:
        raise MemoryError("no table")

    monkeypatch.setattr(CompiledMatch, "play", fail)
    seen = []
    with thread_workers(2) as workers, pytest.raises(MemoryError, match="no table"):
        play_all(workers, plays, on_parts=seen.extend)
    assert not seen


def test_hands_played_by_workers_cannot_be_recorded(players):
    with (
        thread_workers(1) as workers,
        pytest.raises(ValueError, match="to record hands, leave out workers"),
    ):
        agents.play(players, Blocks(1), CASH, seed=1, record=[], workers=workers)


# --- kernels as plain Python ----------------------------------------------------------------------


SCRIPT = """
import numpy as np
import agents, nlhe_env

weights = np.random.default_rng(0).normal(0, 0.5, (3, 825)).astype(np.float32)
names = ("caller", "folder", "random", "tight-aggressive")
players = [agents.NetworkPlayer(genome) for genome in weights] + [agents.make(n) for n in names]
batch, game = agents.pack_players(players), nlhe_env.Game.tournament()
tally = agents.play(batch, agents.Tournaments(1), game, seed=3)
print(tally.scores.tolist(), tally.hands, tally.decisions, tally.style_counts.tolist())
"""


def played(**variables: str) -> str:
    command = [sys.executable, "-c", SCRIPT]
    environment = {**os.environ, **variables}
    return subprocess.run(
        command, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


@pytest.mark.slow
def test_plain_python_plays_the_same_games():
    assert played(NUMBA_DISABLE_JIT="1") == played(NUMBA_DISABLE_JIT="0")


# --- tables of values fitted to self-play ---------------------------------------------------------


GAME = nlhe_env.Game.cash(starting_stack=2000, num_hands=4)


def test_a_cell_with_as_many_events_as_prior_ones_has_half_of_what_it_saw():
    fields = ("counts", "squares", "products")
    record = np.zeros(1, [(name, np.float64, (N_CELLS,)) for name in fields])[0]
    record["counts"][:3] = 50, 100, 50
    record["squares"][:3] = 4.0, 4.0, 9.0
    record["products"][:3] = 4.0, -6.0, 0.0
    found = fitting._numbers_of([record])
    assert found[:3].tolist() == [0.5, -1.0, 0.0]
    assert not found[3:].any()


def test_the_hands_asked_for_are_played_in_passes_that_do_not_share_cards(monkeypatch):
    played = []

    def play(players, schedule, game, **arguments):
        played.append(range(schedule.first, schedule.first + schedule.count))
        return agents.play(players, schedule, game, **arguments)

    monkeypatch.setattr(fitting, "play", play)
    table = agents.fit_value_function(["caller", "raiser"], GAME, hands=1200, seed=5)
    assert len(played) == fitting.PASSES
    assert sum(len(games) for games in played) * 4 == 1200
    assert len({number for games in played for number in games}) * 4 == 1200
    assert table.numbers.any()
    with pytest.raises(ValueError, match="hands must be at least 1000; got 999"):
        agents.fit_value_function(["caller", "raiser"], GAME, hands=999)


def test_all_hands_of_a_long_play_are_fitted(monkeypatch):
    whole = agents.fit_value_function(["caller", "raiser"], GAME, hands=1200, seed=5)
    monkeypatch.setattr(playing, "_AT_ONCE", 20)
    parts = agents.fit_value_function(["caller", "raiser"], GAME, hands=1200, seed=5)
    np.testing.assert_allclose(parts.numbers, whole.numbers)


# --- plans ----------------------------------------------------------------------------------------


PLANNED = nlhe_env.Game.cash(num_hands=10)


def test_a_plan_says_how_often_the_best_comes_first():
    players = ["tight-aggressive", "old-best"]
    found = agents.plan(players, PLANNED, 40, method="all-in", hands=40_000)
    assert list(found.rankings) == ["plain", "duplicate", "all-in"]
    tally = agents.play(players, agents.Tournaments(20_000), score_in_bb(), seed=2, rows=True)
    means = tally.row_scores.reshape(500, 40, 2).mean(axis=1)
    best = found.rankings["plain"].order[0]
    share = (means.argmax(axis=1) == best).mean()
    assert found.rankings["plain"].first[best] == pytest.approx(share, abs=0.06)
    spread = means[:, 0].std(ddof=1) * 10.0
    assert found.rankings["plain"].errors[0] == pytest.approx(spread, rel=0.12)
    reduced = found.rankings["all-in"].errors
    assert (reduced < found.rankings["plain"].errors).all()


def score_in_bb() -> nlhe_env.Game:
    return nlhe_env.Game.cash(num_hands=10, score="big_blinds")


def test_duplicate_blocks_have_the_error_of_equally_many_hands():
    players = ["tight-passive", "caller", "old-best"]
    found = agents.plan(players, PLANNED, 30, method="none", hands=20_000)
    blocks = agents.play(players, agents.Blocks(6_000), score_in_bb(), seed=3, rows=True)
    scores = blocks.row_scores * 100.0 / 30  # bb/100 of a block of three sessions
    errors = scores.std(axis=0, ddof=1) / math.sqrt(10)
    assert found.rankings["duplicate"].errors == pytest.approx(errors, rel=0.1)
    assert (found.rankings["duplicate"].counts == 300).all()
    assert found.simulated.errors.max() < errors.max() / 10


def test_tournaments_are_planned_by_places():
    game = nlhe_env.Game.tournament()
    found = agents.plan({"one": "caller", "two": "folder", "three": "raiser"}, game, 50)
    plain = found.rankings["plain"]
    assert plain.names == ("one", "two", "three")
    assert plain.lower_is_better
    assert plain.means.mean() == pytest.approx(2.0)
    assert (plain.counts == 50).all()


def test_a_plan_does_not_depend_on_the_workers():
    with thread_workers(2) as workers:
        one = agents.plan(["caller", "raiser"], PLANNED, 10, hands=4000, workers=workers)
    other = agents.plan(["caller", "raiser"], PLANNED, 10, hands=4000)
    np.testing.assert_array_equal(
        one.rankings["aivat"].covariance, other.rankings["aivat"].covariance
    )


def test_wrong_plans_are_named():
    with pytest.raises(ValueError, match=r"one table of 2 to 10; got 1 players"):
        agents.plan(["caller"], PLANNED, 10)
    with pytest.raises(ValueError, match="sessions must be at least 1"):
        agents.plan(["caller", "folder"], PLANNED, 0)
    with pytest.raises(ValueError, match="place"):
        agents.plan(["caller", "folder"], nlhe_env.Game.tournament(), 10, method="aivat")


def test_players_need_names_of_their_own():
    with pytest.raises(ValueError, match="names must be 3 different names"):
        agents.plan(["caller", "caller", "folder"], PLANNED, 10, method="none", hands=1000)


@pytest.mark.parametrize("name", sorted(path.stem for path in ARENAS.glob("*.toml")))
def test_formats_of_arenas_are_games(name):
    arena = load_arena(name)
    assert arena["source"].startswith("https://")
    assert arena["hands"] > 0
    options = dict(arena["game"])
    game = nlhe_env.Game.read(options.pop("mode"), **options)
    assert game.seats(arena["players"]) == min(arena["players"], options["table_size"])


def test_unknown_arenas_are_named():
    with pytest.raises(ValueError, match=r"an arena must be one of .*pokerbattle"):
        load_arena("../data")
