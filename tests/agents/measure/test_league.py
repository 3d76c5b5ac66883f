"""Leagues: matches, going on, players of any kind, tables and ratings."""

from __future__ import annotations

import math
import signal

import numpy as np
import pytest
from interrupts import interruptible
from leagues import NAMES, SETTINGS, contents, play, players, rounds_of, using
from scipy import stats

import agents
from agents.match import playing
from agents.match.workers.base import Workers
from agents.measure.leagues import league
from agents.measure.leagues.league_matches import LeagueSettings, Match, matches_of
from agents.measure.leagues.league_store import LeagueStore
from agents.measure.leagues.league_table import LeagueTable, draw_league
from agents.statistics.estimates import TTest

# --- matches ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "seats"), [(2, 2), (5, 3), (12, 10), (6, 4), (9, 9), (15, 10)])
def test_every_player_plays_equally_often_in_a_round(n, seats):
    names = tuple(sorted(f"player-{i:02}" for i in range(n)))
    match = Match(names, LeagueSettings.of(format="table", table_size=seats))
    for number in range(5):
        tables_of_round = match.seating(number)
        assert tables_of_round.shape == (match.tables, min(n, seats))
        assert all(len(set(members)) == len(members) for members in tables_of_round.tolist())
        counts = np.bincount(tables_of_round.ravel(), minlength=n)
        assert (counts * match.seats * match.settings.num_hands == match.games_of_player).all()
    assert match.games * match.seats == match.games_of_player * n


def test_random_tables_differ_and_mix_all_pairs():
    names = tuple(f"player-{i}" for i in range(6))
    match = Match(names, LeagueSettings.of(format="table", table_size=2, mode="tournament"))
    met = np.zeros((6, 6), int)
    for number in range(300):
        for i, j in match.seating(number):
            met[i, j] += 1
    counts = met[np.triu_indices(6, 1)]
    assert stats.chisquare(counts).pvalue > 0.001


@pytest.mark.parametrize(("given", "games"), SETTINGS)
def test_points_of_every_round_sum_to_zero(given, games):
    settings = LeagueSettings.of(**given)
    for match in matches_of(NAMES, settings):
        tally = rounds_of(match, 0, 4)
        middle = 0 if settings.cash else (match.seats + 1) * match.games_of_player
        assert tally.totals.sum() == 4 * middle * len(match.names)
        # The points of all together are the same in every round: their square has no spread.
        assert tally.products.sum() * 4 == tally.totals.sum() ** 2
        met = tally.ahead + tally.ahead.T
        assert met.sum() == 4 * 2 * match.tables * match.seats * (match.seats - 1)


def test_scores_match_the_rounds():
    settings = LeagueSettings.of(format="table")
    (match,) = matches_of(NAMES, settings)
    tally = rounds_of(match, 0, 30, rows=True)
    chips = tally.rows.points
    with LeagueStore.open(None, using(format="table")) as store:
        play(store, 30 * match.games)
        table = LeagueTable.of(NAMES, store)
    per_100 = chips / (5 * 20) / 100 * 100  # 5 sessions of 20 hands, 100 chips the big blind
    for i, name in enumerate(match.names):
        assert table.names[i] == name
        assert table.score(i).difference == pytest.approx(per_100[:, i].mean())
        assert table.score(i).error == pytest.approx(stats.sem(per_100[:, i]))
    test = stats.ttest_rel(per_100[:, 0], per_100[:, 2])
    assert table.compare(0, 2).p == pytest.approx(test.pvalue)
    better = (chips[:, 0] > chips[:, 2]).mean() + (chips[:, 0] == chips[:, 2]).mean() / 2
    assert table.ahead[0, 2] == pytest.approx(better)


def test_chances_to_be_the_best_are_those_of_a_ranking_of_the_rounds():
    settings = LeagueSettings.of(format="table")
    (match,) = matches_of(NAMES, settings)
    rounds = rounds_of(match, 0, 30, rows=True).scored_in(match.unit).row_scores
    with LeagueStore.open(None, using(format="table")) as store:
        play(store, 30 * match.games)
        table = LeagueTable.of(NAMES, store)
    expected = agents.rank(rounds, match.names)
    assert table.ranking.covariance == pytest.approx(expected.covariance)
    assert table.ranking.first == pytest.approx(expected.first, abs=1e-3)
    assert {row["player"]: row["first"] for row in table.rows()} == dict(
        zip(table.names, table.ranking.first, strict=True)
    )


def test_chances_of_two_players_follow_from_their_test():
    with LeagueStore.open(None, using()) as store:
        play(store, 2000, who={name: agents.make(name) for name in ("old-best", "raiser")})
        table = LeagueTable.of(["old-best", "raiser"], store)
    (pair,) = table.pairs()
    assert table.ranking.first.max() == pytest.approx(1.0 - pair["p"] / 2.0, abs=0.01)
    assert table.ranking.errors == pytest.approx([table.score(i).error for i in (0, 1)])


def test_few_equal_results_give_no_chance_and_no_interval(tmp_path, monkeypatch):
    figures = pytest.importorskip("matplotlib.axes")
    settings = {"mode": "tournament", "format": "table", "table_size": 2, "starting_stack": 200}
    who = {name: agents.make(name) for name in ("caller", "folder")}
    with LeagueStore.open(None, using(**settings)) as store:
        play(store, 6, who=who)
        table = LeagueTable.of(list(who), store)
    assert all(math.isnan(row["first"]) for row in table.rows())
    texts: list[str] = []
    monkeypatch.setattr(figures.Axes, "text", lambda _, x, y, text, **look: texts.append(text))
    draw_league(table, tmp_path / "league.png")
    assert texts == ["-1.00", "+1.00"]


def test_identical_players_win_exactly_zero():
    twins = {f"caller-{i}": agents.make("caller") for i in range(4)}
    for given in ({}, {"format": "table"}, {"format": "table", "table_size": 3}):
        with LeagueStore.open(None, using(**given)) as store:
            play(store, 2000, who=twins)
            table = LeagueTable.of(list(twins), store)
            for row in table.rows():
                assert (row["bb_per_100"], row["standard_error"]) == (0.0, 0.0)
                assert row["rating"] == pytest.approx(1500.0)
            assert not any(row["differ"] for row in table.pairs())


@pytest.mark.parametrize("given", [{}, {"format": "table"}, {"format": "table", "table_size": 3}])
def test_a_variance_reduced_league_reports_raw_results_too(given, tmp_path):
    """The same hands, in both ways, also after the league has gone on."""
    path = tmp_path / "judged.sqlite"
    for games in (1000, 3000):
        with LeagueStore.open(path, using(variance_reduction="all-in", **given)) as store:
            play(store, games)
            evaluated = LeagueTable.of(NAMES, store)
    with LeagueStore.open(None, using(**given)) as store:
        play(store, 3000)
        plain = LeagueTable.of(NAMES, store)
    assert plain.plain is None
    assert evaluated.plain is not None
    ours = [evaluated.score(i) for i in range(len(NAMES))]
    scores = [plain.score(plain.names.index(name)) for name in evaluated.names]
    assert [evaluated.plain.score(i) for i in range(len(NAMES))] == scores
    assert ours != scores
    for row in evaluated.rows():
        money = evaluated.plain.score(evaluated.names.index(row["player"]))
        assert row["plain_bb_per_100"] == money.difference
        if money.error:  # an always-folder loses the same in every round
            assert row["hands_needed"] == pytest.approx((row["standard_error"] / money.error) ** 2)
        else:
            assert np.isnan(row["hands_needed"])
    assert (evaluated.plain.ahead == plain.ahead)[~np.eye(len(NAMES), dtype=bool)].all()


# --- going on ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("given", "games"), SETTINGS)
def test_threads_and_chunks_do_not_change_the_results(given, games, monkeypatch):
    with LeagueStore.open(None, using(**given)) as store:
        play(store, games, threads=3)
        many = contents(store)
    monkeypatch.setattr(Workers, "target_s", 1e-9)
    monkeypatch.setattr(playing, "_AT_ONCE", 20)
    with LeagueStore.open(None, using(**given)) as store:
        play(store, games, threads=1)
        assert contents(store) == many


@pytest.mark.parametrize(("given", "games"), SETTINGS)
def test_an_extended_league_equals_one_played_at_once(given, games, tmp_path):
    path = tmp_path / "league.sqlite"
    for part in (games // 3, games):
        with LeagueStore.open(path, using(**given)) as store:
            assert play(store, part) > 0
    with LeagueStore.open(path) as store, LeagueStore.open(None, using(**given)) as fresh:
        assert play(store, games) == 0
        play(fresh, games)
        assert contents(store) == contents(fresh)
        rows = [LeagueTable.of(NAMES, one).rows() for one in (store, fresh)]
        assert rows[0] == rows[1]
        for match in matches_of(NAMES, store.settings):
            assert len(store.stretches(match)) == 1  # merged


def test_an_interrupted_league_keeps_finished_games_and_resumes(tmp_path, monkeypatch):
    monkeypatch.setattr(playing, "_AT_ONCE", 200)  # a hundred rounds of two players at once
    path = tmp_path / "league.sqlite"
    seen = []

    def interrupt(games: int, _: int) -> None:
        seen.append(games)
        if sum(seen) > 1000:
            raise KeyboardInterrupt

    with LeagueStore.open(path) as store:
        with pytest.raises(KeyboardInterrupt):
            play(store, 12_000, on_progress=interrupt)
        finished = LeagueTable.of(NAMES, store)
        assert 1000 < finished.games < 12_000
    with LeagueStore.open(path) as store, LeagueStore.open(None) as fresh:
        assert play(store, 12_000) == 12_000 - finished.games
        play(fresh, 12_000)
        assert contents(store) == contents(fresh)


@interruptible()
def test_an_interrupt_during_a_write_stores_no_round_twice(tmp_path, monkeypatch):
    def add(self, batches):
        write(self, batches)
        if batches:
            signal.raise_signal(signal.SIGINT)

    write = LeagueStore.add
    monkeypatch.setattr(league, "STORE_EVERY_S", 0.0)
    monkeypatch.setattr(LeagueStore, "add", add)
    with LeagueStore.open(tmp_path / "league.sqlite", using()) as store:
        with pytest.raises(KeyboardInterrupt):
            play(store, 2000)
        monkeypatch.setattr(LeagueStore, "add", write)
        play(store, 2000)
        with LeagueStore.open(None, using()) as whole:
            play(whole, 2000)
            assert contents(store) == contents(whole)


def test_new_players_play_only_missing_games(tmp_path):
    three, four = ("caller", "folder", "raiser"), ("caller", "folder", "raiser", "random")
    with LeagueStore.open(tmp_path / "league.sqlite") as store:
        assert play(store, 3 * 400, who=players(*three)) == 1200
        before = contents(store, three)
        assert play(store, 6 * 400, who=players(*four)) == 1200
        assert contents(store, three) == before
        with LeagueStore.open(None) as fresh:
            play(fresh, 6 * 400, who=players(*reversed(four)))
            assert contents(store, four) == contents(fresh, four)


def test_gaps_are_found_and_filled():
    with LeagueStore.open(None) as store:
        match = matches_of(("caller", "random"), store.settings)[0]
        for first, count in ((3, 2), (8, 4)):
            tally = rounds_of(match, first, count)
            store.add([league.GameBatch(match, first, tally)])
        assert store.missing(match, 10) == [range(3), range(5, 8)]
        assert store.missing(match, 4) == [range(3)]
        assert store.missing(match, 20) == [range(3), range(5, 8), range(12, 20)]
        with pytest.raises(RuntimeError):  # the same rounds twice
            store.add([league.GameBatch(match, 8, tally)])
        assert store.tally(match).count == 6


# --- the environment backend ------------------------------------------------------------------


class Plain:
    """A compiled player that looks like a user's own."""

    def __init__(self, player: agents.CompiledPlayer) -> None:
        self._player = player
        self.observation = player.inputs
        self.actions = "sized"
        self.begin = player.begin

    def act(self, observation, info) -> int:
        return self._player.act(observation, info)


@pytest.mark.slow
@pytest.mark.parametrize(("given", "games"), SETTINGS)
def test_both_backends_give_the_same_results(given, games):
    with LeagueStore.open(None, using(**given)) as store:
        play(store, games // 10)
        compiled = contents(store)
    for mixed in (False, True):
        who = {
            name: player if mixed and name in ("raiser", "old-best") else Plain(player)
            for name, player in players().items()
        }
        with LeagueStore.open(None, using(**given)) as store:
            play(store, games // 10, who=who)
            assert contents(store) == compiled


class Calls:
    """A user's own player, without any attributes."""

    def act(self, observation, info) -> int:
        return 1


@pytest.mark.parametrize(("given", "games"), SETTINGS)
def test_compiled_players_play_the_same_beside_python_players(given, games):
    with LeagueStore.open(None, using(**given)) as store:
        play(store, games // 10)
        compiled = contents(store)
    with LeagueStore.open(None, using(**given)) as store:
        play(store, games // 10, who={**players(), "caller": Calls()})
        assert contents(store) == compiled


# --- tables -----------------------------------------------------------------------------------


def test_heads_up_scores_and_tests_follow_from_the_matches():
    with LeagueStore.open(None) as store:
        play(store, 4000)
        table = LeagueTable.of(NAMES, store)
    n = len(NAMES)
    pairs = [[table.pair(i, j) for j in range(n)] for i in range(n)]
    for i in range(n):
        others = [pairs[i][j] for j in range(n) if j != i]
        score = table.score(i)
        assert score.difference == pytest.approx(np.mean([pair.difference for pair in others]))
        error = math.sqrt(sum(pair.error**2 for pair in others)) / (n - 1)
        assert score.error == pytest.approx(error)
        for j in range(n):
            if i != j:
                assert pairs[i][j].difference == -pairs[j][i].difference
                difference = table.compare(i, j).difference
                assert difference == pytest.approx(score.difference - table.score(j).difference)
    assert sum(table.score(i).difference for i in range(n)) == pytest.approx(0.0, abs=1e-9)
    # The match of the two itself counts twice.
    others = [pairs[k][m].error ** 2 for k in (0, 1) for m in (2, 3, 4)]
    error = math.sqrt(4 * pairs[0][1].error ** 2 + sum(others)) / (n - 1)
    assert table.compare(0, 1).error == pytest.approx(error)


def test_intervals_have_their_nominal_coverage_of_the_score():
    # The intervals of 60 short leagues against the mean of all of them.
    scores = []
    for seed in range(60):
        with LeagueStore.open(None, using(seed=seed, num_hands=2)) as store:
            play(store, 400, who=players("random", "raiser"))
            scores.append(LeagueTable.of(("random", "raiser"), store).score(0))
    mean = np.mean([score.difference for score in scores])
    covered = sum(low <= mean <= high for low, high in map(TTest.interval, scores))
    assert covered >= 50  # expected 57; fewer than 50 has a chance below 0.001


def test_ratings_order_clear_cases_and_fit_two_players():
    with LeagueStore.open(None, using(format="table")) as store:
        play(store, 40_000, who=players("random", "old-best", "folder"))
        table = LeagueTable.of(("random", "old-best", "folder"), store)
    best = table.names[int(table.ratings.argmax())]
    assert best == "old-best"
    assert table.ratings.mean() == pytest.approx(1500.0)
    with LeagueStore.open(None) as store:
        play(store, 4000, who=players("random", "raiser"))
        two = LeagueTable.of(("random", "raiser"), store)
        wins = store.tally(matches_of(two.names, store.settings)[0]).ahead / 2
    # With half a win more for both, the odds are those of the wins.
    odds = (wins[1, 0] + 0.5) / (wins[0, 1] + 0.5)
    assert two.ratings[1] - two.ratings[0] == pytest.approx(400 * math.log10(odds))


def test_a_player_that_always_wins_gets_a_finite_rating():
    with LeagueStore.open(None) as store:
        play(store, 4000, who=players("raiser", "folder"))
        table = LeagueTable.of(("raiser", "folder"), store)
    assert table.ahead[1, 0] == 1.0
    assert np.isfinite(table.ratings).all()
    assert table.ratings[1] > table.ratings[0] + 400


def test_tables_of_unplayed_matches_are_empty():
    with LeagueStore.open(None) as store:
        table = LeagueTable.of(NAMES, store)
        assert table.games == 0
        assert all(math.isnan(row["bb_per_100"]) for row in table.rows())
        assert all(math.isnan(row["p"]) for row in table.pairs())


# --- options of the game --------------------------------------------------------------------------

RAKED = {"rake": "5%/200", "straddle": "button", "boards": 2, "blinds": "50/100/100"}


@pytest.mark.parametrize("form", ["heads-up", "table"])
def test_a_league_with_rake_compares_what_both_players_won(form):
    names = ("caller", "random", "raiser")
    with LeagueStore.open(None, using(format=form, num_hands=5, **RAKED)) as store:
        play(store, 600, who=players(*names))
        table = LeagueTable.of(names, store)
        lost = -sum(int(tally.totals.sum()) for tally in table.results.values())
        assert table.rake == lost > 0
        assert table.rake_bb_per_100 == pytest.approx(lost / table.hands)
        scores = [table.score(i).difference for i in range(3)]
        assert sum(scores) < 0
        for i in range(3):
            for j in range(3):
                if i != j:
                    difference = table.compare(i, j).difference
                    assert difference == pytest.approx(scores[i] - scores[j])


def test_settings_without_options_keep_their_stored_format():
    plain = LeagueSettings.of(format="table")
    assert not {"rake", "straddle", "ante_by", "boards"} & set(plain.as_dict())
    assert LeagueSettings.from_dict(plain.as_dict()) == plain
    settings = LeagueSettings.of(**RAKED, ante_by="big blind")
    assert LeagueSettings.from_dict(settings.as_dict()) == settings
    game = settings.make_game()
    assert (game.rake.cap, game.straddle, game.boards) == (200, "button", 2)
    assert game.blinds.ante_by == "big blind"


@pytest.mark.parametrize(
    "given",
    [{"rake": "five"}, {"rake": "5%", "mode": "tournament"}, {"boards": 3}, {"straddle": "utg"}],
)
def test_invalid_options_are_refused(given):
    with pytest.raises(ValueError, match=r"rake|boards|straddle"):
        LeagueSettings.of(**given)
