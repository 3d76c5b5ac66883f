"""The bench: what scorecards say of players whose value is known, and what becomes of bad luck."""

from __future__ import annotations

import json
import math
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bot_processes import Caller
from chat_server import Raw, chat_server

import agents
from agents.commands.main import main
from agents.external.chat import BudgetError
from agents.external.invalid_decisions import InvalidDecisions
from agents.measure.bench import bounds
from agents.measure.bench import suites as suites_module
from agents.measure.bench.bounds import NoBoundError, bound_again, bound_of
from agents.measure.bench.game_logs import GameLog
from agents.measure.bench.page import as_html, as_markdown, as_text, write_page
from agents.measure.bench.rating import rate, scale
from agents.measure.bench.running import AnchorMatch
from agents.measure.bench.scorecard import OpponentResult, Scorecard
from agents.measure.bench.suites import (
    SUITES,
    VERSION,
    VERSIONS,
    anchor_hash,
    find_anchor,
    find_suite,
    player_hash,
    reference,
)
from agents.measure.bench.verification import verify
from agents.statistics.stop_rules import excludes_0
from nlhe_env.system.folder_lock import LOCK_FILE, FolderInUseError

HEADS_UP = SUITES["heads-up"]
FIRST = VERSIONS[1]["heads-up"]
CHECK, CALL = '{"action": "check"}', '{"action": "call"}'


class Careless:
    """Answers ids of actions, some of them illegal or none at all."""

    observation, actions = "features_unit", (1.0,)

    def __init__(self):
        self.answers = iter([7, "raise", None, 2.5, *[1] * 10**6])

    def act(self, observation, info):
        return next(self.answers)


def results_of(card, suite="heads-up"):
    return card.suites[suite].results


def without_times(card):
    for result in card.suites.values():
        result.seconds, result.decisions = 0.0, 0
    return card


@pytest.mark.slow
def test_known_values_are_measured():
    card = agents.bench("folder", hands=3000, seed=1, bound=False)
    folder = results_of(card)
    # A caller never bets: what is lost is the small blind, every second hand.
    assert abs(folder["caller"].mean - -25.0) < 4 * folder["caller"].error < 4.0
    card = agents.bench("caller", hands=3000, seed=2, bound=False)
    against_caller = results_of(card)["caller"]
    assert (against_caller.plain_mean, against_caller.plain_error) == (0.0, 0.0)


@pytest.mark.parametrize("seed", [2**53 + 1, 2**64 - 1])
def test_seeds_as_large_as_drawn_ones_can_be_given(seed):
    assert agents.bench("folder", ["heads-up"], hands=20, seed=seed, bound=False).seed == seed


@pytest.mark.parametrize("version", VERSIONS)
def test_equal_players_share_the_places_and_the_prizes_of_tournaments(version):
    card = agents.bench(
        "push-or-fold", ["tournament"], hands=1, seed=1, bound=False, version=version
    )
    result = card.suites["tournament"].results["push-or-fold"]
    assert result.mean == 0.0
    assert result.blocks == 1


def test_patience_alone_wins_no_tournament():
    """A player that folds every hand is not the last of ten, but never wins its buy-in back."""
    found = [
        agents.bench("folder", ["tournament"], hands=3000, seed=1, bound=False, version=version)
        for version in VERSIONS
    ]
    places, prizes = (results_of(card, "tournament")["half-a-pro"] for card in found)
    assert (places.unit, prizes.unit) == ("places", "% ROI")
    assert places.mean > 2
    assert prizes.mean == -100


def test_bounds_of_players_with_known_values():
    """All that a folder loses is the blinds; and nobody wins more than can be put in."""
    options = {"seed": 1, "seconds": 0.3, "seconds_per_decision": 0.0}
    folder = bound_of(agents.make("folder"), HEADS_UP, **options)
    assert folder.value == pytest.approx(75.0)
    raiser = bound_of(agents.make("raiser"), SUITES["limit"], **options)
    assert 0 < raiser.value < 100 * 24
    with pytest.raises(NoBoundError, match="heads-up cash games only"):
        bound_of(agents.make("folder"), SUITES["six-max"], **options)


def test_a_bound_is_from_the_best_response_chosen_on_other_cards(monkeypatch):
    """A caller loses nothing to a response that only folds and calls, but much to anchors."""
    played = []

    def play(player, suite, by, blocks, *rest):
        played.append((by, blocks.first))
        return play_once(player, suite, by, blocks, *rest)

    play_once = bounds._play
    monkeypatch.setattr(bounds, "USUAL_MENUS", bounds.USUAL_MENUS[:1])
    monkeypatch.setattr(bounds, "_play", play)
    caller = agents.make("caller")
    found = bound_of(caller, HEADS_UP, seed=1, seconds=0.3, seconds_per_decision=0.0)
    assert found.by in ("formula", "half-a-pro")
    assert found.value > 300
    chosen = [by for by, first in played if first >= bounds._OTHER_CARDS]
    assert set(chosen) == {"fold-call", *HEADS_UP.anchors}
    assert {by for by, first in played if first < bounds._OTHER_CARDS} == {found.by}
    assert bound_again(caller, HEADS_UP, found, seed=1) == found


@pytest.mark.parametrize("name", ["heads-up", "limit"])
def test_caller_and_random_meet_as_known(name):
    """Caller wins the half big blind that random folds on the button in a third of its hands.

    Neither looks at its cards, so all else is as likely won as lost.
    """
    one = OpponentResult("random", SUITES[name])
    one.add(
        AnchorMatch(agents.make("caller"), agents.make("random"), SUITES[name], 62).play(0, 2_000)
    )
    assert abs(one.mean - 100 / 12) < 3 * one.error
    assert abs(one.plain_mean - 100 / 12) < 3 * one.plain_error
    assert one.error < one.plain_error


def test_slow_players_are_asked_less_and_the_slowest_not_at_all():
    folder = agents.make("folder")
    found = [
        bound_of(folder, HEADS_UP, seed=1, seconds=0.5, seconds_per_decision=each)
        for each in (1e-8, 2e-7, 1e-6, 3e-4)
    ]
    assert [bound.asked for bound in found] == [1326, 300, 60, 20]
    assert [bound.session for bound in found] == [10, 10, 10, 1]
    # Of every folder the blinds are won, whatever it is asked.
    assert [bound.value for bound in found] == pytest.approx([75.0] * 4)
    with pytest.raises(NoBoundError, match=r"at least \d+ minutes; only 1\.0 seconds"):
        bound_of(folder, HEADS_UP, seed=1, seconds=1.0, seconds_per_decision=1.0)


class Wary(agents.ChipPlayer):
    """Folds to every bet, and says so: to a question about one hand, or about all."""

    name = "wary"

    def chances(self, turn):
        return {agents.FOLD if turn["to_call"] > 0 else agents.CHECK_OR_CALL: 1.0}

    def decide(self, turn):
        (action,) = self.chances(turn)
        return action


class WaryOfAllHands(Wary):
    def chances_of_hands(self, turn):
        return {action: np.full(1326, chance) for action, chance in self.chances(turn).items()}


@pytest.mark.parametrize("player", [Wary(), WaryOfAllHands()], ids=["one", "all"])
def test_players_in_python_that_give_their_chances_have_bounds(player):
    options = {"seed": 1, "seconds": 1.0, "seconds_per_decision": 2e-5}
    assert bound_of(player, HEADS_UP, **options).value == pytest.approx(75.0)


def test_a_card_says_why_it_has_no_bound(tmp_path):
    card = agents.bench(Caller(), hands=20, seed=1, out=tmp_path)
    result = card.suites["heads-up"]
    assert "does not report action probabilities" in result.no_bound
    assert "does not report action probabilities" in as_text(result)
    assert "does not report action probabilities" in as_html(card, b"")
    assert Scorecard.load(tmp_path) == card


@pytest.mark.slow
def test_the_twin_of_an_anchor_has_its_rating():
    card = agents.bench("half-a-pro", hands=10_000, seed=3, bound=False)
    result = card.suites["heads-up"]
    assert result.results["half-a-pro"].low < 0 < result.results["half-a-pro"].high
    values = suites_module.reference()["suites"]["heads-up"]["results"]["half-a-pro"]
    expected = rate(HEADS_UP, {name: (value, 0.0) for name, value in values.items()})
    assert abs(result.rating - expected.value) < 4 * result.rating_error + 10


@pytest.mark.slow
def test_twins_of_all_anchors_differ_from_them_by_the_stated_errors():
    """In fixed-limit, where results have no heavy tails, so that a few hundred hands are enough."""
    suite, known = SUITES["limit"], reference()["suites"]["limit"]
    deviations = []
    for seed, name in enumerate(suite.anchors):
        result = agents.bench(name, ["limit"], hands=600, seed=seed, bound=False).suites["limit"]
        means, errors = known["results"][name], known["errors"][name]
        fixed = rate(suite, {each: (means[each], errors[each]) for each in suite.anchors})
        twin = result.results[name]
        assert abs(twin.mean) <= 3 * twin.error  # both are 0 for the caller
        error = math.hypot(result.rating_error, fixed.error)
        deviations.append((result.rating - fixed.value) / error)
    assert np.max(np.abs(deviations)) < 3.0
    assert np.mean(np.square(deviations)) < 2.5  # 1 is expected


@pytest.mark.parametrize("suite", SUITES.values(), ids=SUITES)
def test_random_has_0_and_the_best_anchor_100(suite):
    known = reference()["suites"][suite.name]["results"]
    ratings = {
        name: rate(suite, {other: (mean, 0.0) for other, mean in results.items()}).value
        for name, results in known.items()
    }
    assert ratings["random"] == pytest.approx(0.0)
    assert max(ratings.values()) == pytest.approx(100.0)
    assert scale(suite)[0] < scale(suite)[1]


@pytest.mark.parametrize("suite", SUITES.values(), ids=SUITES)
def test_who_does_better_against_each_is_rated_higher(suite):
    generator = np.random.default_rng(1)
    for _ in range(50):
        means = generator.normal(0.0, 200.0, len(suite.anchors))
        better = means + generator.exponential(10.0, len(suite.anchors))
        low, high = (
            rate(suite, {name: (x, 1.0) for name, x in zip(suite.anchors, row, strict=True)})
            for row in (means, better)
        )
        assert low.value < high.value


@pytest.mark.slow
def test_rating_error_is_that_of_repeated_matches():
    """The spread of the ratings of results with known errors is about the stated error."""
    generator = np.random.default_rng(2)
    means = np.array([300.0, 100.0, 20.0, -10.0, -30.0, -60.0])
    errors = np.array([20.0, 10.0, 5.0, 5.0, 5.0, 10.0])

    def rated(row):
        return rate(
            HEADS_UP, dict(zip(HEADS_UP.anchors, zip(row, errors, strict=True), strict=True))
        )

    found = [rated(generator.normal(means, errors)).value for _ in range(500)]
    assert np.std(found) == pytest.approx(rated(means).error, rel=0.08)


@pytest.mark.parametrize(
    ("means", "share"),
    [([40.0, 10.0, 5.0, -10.0, 0.0, 20.0], 0.3), ([200.0, 90.0, -60.0, -150.0, -40.0, 30.0], 0.4)],
    ids=["nearly linear", "near saturation"],
)
def test_rating_and_error_cover_the_true_rating_of_matches_with_the_same_cards(means, share):
    """Also with few blocks, and for results that by luck lie where the scale is flat."""
    generator = np.random.default_rng(5)
    n, blocks, deviation = len(means), 40, 300.0

    def rated(row, errors, **known):
        pairs = zip(map(float, row), map(float, errors), strict=True)
        return rate(HEADS_UP, dict(zip(HEADS_UP.anchors, pairs, strict=True)), **known)

    true = rated(means, [0.0] * n).value
    covered = 0
    for _ in range(300):
        cards = generator.normal(0.0, deviation * math.sqrt(share), (blocks, 1))
        rows = means + cards + generator.normal(0.0, deviation * math.sqrt(1 - share), (blocks, n))
        errors = rows.std(axis=0, ddof=1) / math.sqrt(blocks)
        found = rated(
            rows.mean(axis=0), errors, correlations=np.corrcoef(rows.T), degrees=blocks - 1
        )
        covered += abs(found.value - true) <= 1.96 * found.error
    assert covered / 300 > 0.925  # two standard errors below 0.95


def test_a_card_counts_that_its_anchors_are_given_the_same_cards(tmp_path):
    """Covariances are exact, also when matches differ in length, and survive the file."""
    card = agents.bench("tight-passive", hands=800, seed=1, out=tmp_path, bound=False, version=1)
    result = card.suites["heads-up"]
    assert Scorecard.load(tmp_path).suites["heads-up"].rating_error == result.rating_error
    estimates = {name: (one.mean, one.error) for name, one in result.results.items()}
    independent = rate(FIRST, estimates, degrees=39).error
    assert result.rating_error > 1.1 * independent
    # The same number from the rows of the matches.
    rows = [play_anchors("tight-passive", name, 40).rows.points[:, 0] for name in FIRST.anchors]
    with np.errstate(invalid="ignore", divide="ignore"):  # against itself there is no spread
        correlations = np.corrcoef(rows)
    exact = rate(
        FIRST,
        estimates,
        correlations=np.nan_to_num(correlations) + np.diag(np.std(rows, axis=1) == 0),
        degrees=39,
    )
    assert result.rating_error == pytest.approx(exact.error)
    # More blocks against one anchor: only the common ones vary together.
    one = result.results["random"]
    one.add(play_anchors("tight-passive", "random", 120, first=40))
    found = result._correlations()
    assert found[0, 1] == pytest.approx(correlations[0, 1] * math.sqrt(40 / 160))


def test_anchors_are_given_different_cards(tmp_path):
    """So that errors are independent, and the same against an anchor whatever else is played."""
    seeds = {HEADS_UP.seed_against(name, 7) for name in HEADS_UP.anchors}
    assert len(seeds) == len(HEADS_UP.anchors)
    assert all(0 <= seed < 2**62 for seed in seeds)
    assert {FIRST.seed_against(name, 7) for name in FIRST.anchors} == {7}
    result = agents.bench("tight-passive", hands=800, seed=1, bound=False).suites["heads-up"]
    estimates = {name: (one.mean, one.error) for name, one in result.results.items()}
    assert result.rating_error == rate(HEADS_UP, estimates, degrees=39).error


def test_cards_without_points_are_read_and_rated_with_caution(tmp_path):
    card = agents.bench("caller", hands=200, seed=1, out=tmp_path, bound=False, version=1)
    path = tmp_path / "scorecard.json"
    about = json.loads(path.read_text())
    for row in about["suites"]["heads-up"]["results"]:
        del row["sums"]["points"], row["until_sure"]
    path.write_text(json.dumps(about))
    old = Scorecard.load(tmp_path).suites["heads-up"]
    assert old.rating == card.suites["heads-up"].rating
    assert old.rating_error > card.suites["heads-up"].rating_error


def test_names_in_the_file_are_attributes(tmp_path):
    card = agents.bench("caller", hands=60, seed=1, out=tmp_path, bound=False)
    about = json.loads((tmp_path / "scorecard.json").read_text())

    def check(value, attribute):
        if isinstance(value, dict) and not isinstance(attribute, dict):
            for name, each in value.items():
                check(each, getattr(attribute, name))
        elif isinstance(value, float):
            assert attribute == value

    check(about, card)
    suite = card.suites["heads-up"]
    check(about["suites"]["heads-up"], suite)
    for row in about["suites"]["heads-up"]["results"]:
        check(row, suite.results[row["opponent"]])


def test_no_rating_without_every_anchor():
    assert rate(HEADS_UP, {"random": (1.0, 1.0)}) is None
    nothing = dict.fromkeys(HEADS_UP.anchors, (1.0, math.nan))
    assert rate(HEADS_UP, nothing) is None


@pytest.mark.parametrize(
    ("version", "name"), [(each, name) for each in VERSIONS for name in reference(each)["anchors"]]
)
def test_anchors_play_as_when_they_were_measured(version, name):
    assert anchor_hash(name, version) == reference(version)["anchors"][name]


def test_the_hash_of_a_player_ignores_its_name_and_sees_its_weights():
    player = agents.make("half-a-pro")
    renamed = copy(player)
    renamed.name = "another"
    assert player_hash(player, [HEADS_UP]) == player_hash(renamed, [HEADS_UP])
    different = agents.make("tight-aggressive")
    assert player_hash(player, [HEADS_UP]) != player_hash(different, [HEADS_UP])


def test_a_changed_anchor_is_refused(monkeypatch):
    known = reference()
    changed = {**known, "anchors": {**known["anchors"], "formula": "0123"}}
    monkeypatch.setattr(suites_module, "reference", lambda version: changed)
    with pytest.raises(RuntimeError, match="formula in the suite heads-up"):
        agents.bench("folder", hands=20, seed=1, bound=False)


def test_a_card_is_the_same_in_one_go_or_in_parts(tmp_path):
    whole = without_times(agents.bench("caller", hands=2000, seed=5, bound=False))
    agents.bench("caller", hands=400, seed=5, out=tmp_path, bound=False)
    agents.bench("caller", hands=2000, out=tmp_path, bound=False)
    assert without_times(Scorecard.load(tmp_path)) == whole


def test_two_processes_do_not_write_one_card(tmp_path):
    def begin_another(*_):
        # Locks belong to a thread, so another thread stands for another process.
        with ThreadPoolExecutor(1) as thread, pytest.raises(FolderInUseError, match="is in use by"):
            thread.submit(agents.bench, "folder", ["limit"], hands=20, out=tmp_path).result()

    agents.bench("folder", hands=20, out=tmp_path, bound=False, on_progress=begin_another)
    assert list(Scorecard.load(tmp_path).suites) == ["heads-up"]
    assert not (tmp_path / LOCK_FILE).exists()


def test_the_card_on_disk_has_what_was_promised(tmp_path):
    agents.bench("random", hands=2000, seed=1, out=tmp_path, bound=False)
    card = json.loads((tmp_path / "scorecard.json").read_text())
    assert {"player", "version", "anchors", "suites"} <= set(card)
    assert card["anchors"] == {name: anchor_hash(name) for name in HEADS_UP.anchors}
    suite = card["suites"]["heads-up"]
    assert {"rating", "rating_error", "illegal", "seconds_per_decision", "results"} <= set(suite)
    for row in suite["results"]:
        keys = {"opponent", "hands", "unit", "mean", "low", "high"}
        assert {*keys, "plain_mean", "plain_error", "error", "sums"} <= set(row)
        assert row["hands"] == 2000
        assert row["low"] < row["mean"] < row["high"]
    assert suite["bound"] is None


def test_until_sure_ends_early_where_it_is_clear():
    card = agents.bench("folder", hands=50_000, until_sure=True, seed=1, bound=False)
    result = card.suites["heads-up"]
    assert all(excludes_0((one.low, one.high)) for one in result.results.values())
    assert 2_000 <= result.results["random"].hands < 50_000
    assert (result.until_sure, result.rating, result.rating_error) == (True, None, None)
    for shown in (as_text(result), as_html(card, b"")):
        assert "not rated (played until sure: the signs are reliable, but the sizes" in shown
    assert "| until sure |" in as_markdown([card])


def test_illegal_answers_are_counted_and_the_match_goes_on(tmp_path):
    player = Caller()
    card = agents.bench(player, hands=20, seed=1, out=tmp_path)
    result = card.suites["heads-up"]
    assert result.illegal == player.asked // 10 > 0
    assert result.decisions == player.asked
    assert result.seconds > 0
    assert result.bound is None
    assert result.invalid.counts == {"illegal": result.illegal}
    words = as_text(result)
    assert f"WARNING: {result.illegal:,} of {result.decisions:,} decisions" in words
    assert "it returned -5; expected agents." in words
    assert Scorecard.load(tmp_path).suites["heads-up"].invalid.as_dict() == result.invalid.as_dict()
    assert result.is_own_play
    assert agents.bench(Careless(), hands=20, seed=1).suites["heads-up"].illegal == 4


class Word(Caller):
    """Begins well, and then answers a word."""

    name = "word"

    def decide(self, turn):
        self.asked += 1
        return "call" if self.asked > 500 else agents.CHECK_OR_CALL


def test_ten_decisions_in_a_row_without_a_valid_answer_stop_the_bench(tmp_path):
    player = Word()
    with pytest.raises(RuntimeError, match=r"word has given no valid .* 10 .*returned 'call'; exp"):
        agents.bench(player, hands=400, seed=1, out=tmp_path)
    assert player.asked == 510
    assert sum(one.hands for one in results_of(Scorecard.load(tmp_path)).values()) > 0
    assert verify(tmp_path) == []


def test_a_player_that_fails_leaves_what_was_played(tmp_path):
    class Tired(Caller):
        def decide(self, turn):
            if self.asked > 100:
                raise RuntimeError("the budget is spent")
            return super().decide(turn)

    with pytest.raises(RuntimeError, match="the budget is spent"):
        agents.bench(Tired(), hands=10_000, seed=1, out=tmp_path)
    card = Scorecard.load(tmp_path)
    blocks = {name: one.blocks for name, one in results_of(card).items()}
    assert sum(blocks.values()) > 0
    unplayed = [name for name, count in blocks.items() if not count]
    assert verify(tmp_path) == [f"heads-up: there are no hands against {name}" for name in unplayed]


def test_the_author_of_a_player_that_fails_learns_where():
    class Faulty(Caller):
        def decide(self, turn):
            return turn["no such key"]

    with pytest.raises(
        RuntimeError, match=r"own caller has failed: KeyError.*test_bench\.py, line"
    ):
        agents.bench(Faulty(), hands=20, seed=1)


def test_wrong_arguments_are_named(tmp_path):
    for arguments, words in (
        ({"suites": ["headsup"]}, "a suite must be one of"),
        ({"suites": []}, "suites must name at least one of"),
        ({"hands": 0}, "hands must be at least 1"),
        ({"minutes": -1}, "minutes must be a finite number of at least 0"),
    ):
        with pytest.raises(ValueError, match=words):
            agents.bench("caller", **{"hands": 20, **arguments})
    with pytest.raises(ValueError, match="limit-team cannot play the suite heads-up"):
        agents.bench("limit-team", hands=20)
    with pytest.raises(ValueError, match=r"it has no champion\.npz"):
        agents.bench(tmp_path, hands=20)
    with pytest.raises(
        ValueError, match=r"(?s)model from another library.*load\('a/model.zip', device"
    ):
        agents.bench("a/model.zip", hands=20)
    agents.bench("caller", hands=20, seed=1, out=tmp_path, bound=False)
    with pytest.raises(ValueError, match="the scorecard of caller, another player"):
        agents.bench("folder", hands=20, out=tmp_path, bound=False)
    with pytest.raises(ValueError, match="started with seed 1; got 2"):
        agents.bench("caller", hands=20, seed=2, out=tmp_path, bound=False)


def test_the_champion_of_a_run_folder_plays(tmp_path):
    agents.save_player(tmp_path / "champion.npz", agents.make("old-best"))
    assert agents.bench(tmp_path, hands=20, seed=1, bound=False).player == "old-best"


@pytest.mark.parametrize("content", ["", "[]", '{"version": 99}', '{"version": 1, "suites": {}}'])
def test_a_file_that_is_no_card_is_refused(tmp_path, content):
    path = tmp_path / "scorecard.json"
    path.write_text(content)
    with pytest.raises(ValueError, match=r"scorecard\.json"):
        Scorecard.load(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_or_device_in_place_of_a_card_is_not_opened(tmp_path):
    for name, make in (("pipe", os.mkfifo), ("zeros", lambda path: path.symlink_to("/dev/zero"))):
        (tmp_path / name).mkdir()
        make(tmp_path / name / "scorecard.json")
        with pytest.raises(ValueError, match="it is not a regular file"):
            Scorecard.load(tmp_path / name)


@pytest.mark.parametrize("found", [0, 3, 1.0, True, "1", None, [1]])
def test_a_card_of_an_unknown_version_is_refused(tmp_path, found):
    path = tmp_path / "scorecard.json"
    path.write_text(json.dumps({"version": found, "suites": {}}))
    with pytest.raises(ValueError, match="the version of a scorecard must be 1 or 2; got"):
        Scorecard.load(path)


def test_a_card_of_version_1_is_read_and_verified_but_not_mixed_with_others(tmp_path, capsys):
    """As nlhe-env 1.0 made it: the same results, the same rating, the same hash of the player."""
    first = agents.bench("folder", hands=400, seed=5, out=tmp_path, bound=False, version=1)
    assert (first.version, first.player_hash) == (1, "b18d3380b0bf917d")
    result = first.suites["heads-up"]
    assert list(result.results) == list(FIRST.anchors)
    assert result.rating == pytest.approx(23.011819, abs=1e-5)
    assert result.rating_error == pytest.approx(5.608103, abs=1e-5)
    assert Scorecard.load(tmp_path) == first
    assert verify(tmp_path) == []
    with pytest.raises(ValueError, match="contains a scorecard of version 1 of the suites, and"):
        agents.bench("folder", hands=400, out=tmp_path, bound=False)
    card = agents.bench("folder", hands=40, seed=5, out=tmp_path / "new", bound=False)
    assert card.version == VERSION == 2
    assert main(["bench", "compare", str(tmp_path), str(tmp_path / "new")]) == 2
    said = capsys.readouterr().err
    assert "of different versions of the suites are not comparable: folder has 1, folder has 2" in (
        said
    )


def test_logs_of_a_look_that_was_cut_off_are_not_read(tmp_path):
    log = GameLog(tmp_path, "heads-up", "random")
    hands: list[Any] = []
    agents.play(["caller"] * 2, agents.Blocks(2), HEADS_UP.game, seed=1, record=hands)
    log.write(0, hands[:20], 1, InvalidDecisions({"late": 1}, {"late": "after 2 s"}))
    log.write(1, hands[20:], 2, InvalidDecisions())
    assert (log.illegal(1), log.illegal(2)) == (1, 3)
    assert log.invalid(2).counts == {"late": 1}
    assert len(list(log.read(1))) == 20
    assert len(list(log.read(2))) == 40


def test_few_blocks_have_no_interval():
    one = OpponentResult("random", HEADS_UP)
    assert (one.low, one.high) == (-math.inf, math.inf)
    assert math.isnan(one.mean)
    one.add(play_anchors("caller", "random", 99))
    assert (one.low, one.high) == (-math.inf, math.inf)
    one.add(play_anchors("caller", "random", 1, first=99))
    assert one.low < one.mean < one.high


def play_anchors(player, anchor, blocks, first=0):
    return AnchorMatch(find_anchor(player), find_anchor(anchor), HEADS_UP, 1).play(first, blocks)


def test_pages_and_tables_show_the_card(tmp_path):
    card = agents.bench(
        "caller", ["heads-up", "tournament"], hands=100, seed=1, out=tmp_path, bound=False
    )
    card.player = "<caller>"
    pages = write_page(card, tmp_path)
    page = (tmp_path / "scorecard.html").read_text()
    assert "&lt;caller&gt;" in page
    assert "<caller>" not in page
    assert (tmp_path / "scorecard.png") in pages
    text = as_text(card.suites["heads-up"])
    assert "rating" in text
    table = as_markdown([card, agents.bench("folder", hands=100, seed=1, bound=False)])
    assert table.index("| folder |") != table.index("| <caller> |")
    assert "### tournament" in table
    assert all("± is one standard error" in shown for shown in (page, text, table))
    card.player = "\x1b[2JAnn|Bob\n# Best"
    assert "|  [2JAnn\\|Bob # Best |" in as_markdown([card])


def test_the_command_writes_continues_compares_and_verifies(tmp_path, capsys):
    out = str(tmp_path / "card")
    arguments = ["bench", "caller", "--suite", "heads-up", "--hands", "100", "--no-bound"]
    assert main([*arguments, "--seed", "1", "--out", out]) == 0
    printed = capsys.readouterr().out
    assert "rating" in printed
    assert str(Path(out) / "scorecard.json") in printed
    assert main([*arguments, "--out", out]) == 0
    capsys.readouterr()
    assert main(["bench", "compare", out, out]) == 0
    assert capsys.readouterr().out.count("\n| caller |") == 2
    assert main(["bench", "verify", out]) == 0
    assert main(["bench", "verify", str(tmp_path)]) == 2
    capsys.readouterr()
    assert main(["bench", "raiser", "--out", out]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "another player or an earlier version of it" in printed.err
    assert main(["bench", "nobody", "--out", out]) == 2


def test_only_known_suites_are_found():
    assert find_suite("limit").game.betting == "fixed-limit"
    with pytest.raises(ValueError, match="a suite must be one of"):
        find_suite("omaha")
    with pytest.raises(ValueError, match="the version of the suites must be 1 or 2; got 3"):
        find_suite("limit", 3)


def test_a_chat_model_is_counted_and_its_card_verified_without_it(tmp_path):
    with chat_server(*["no idea", CHECK, CALL, "{}"] * 1000) as server:
        player = agents.ChatPlayer("m", url=server.url)
        card = agents.bench(player, hands=20, seed=1, out=tmp_path)
    result = card.suites["heads-up"]
    assert result.illegal == player.report.illegal > 0
    assert result.invalid.counts == player.report.invalid.counts
    assert 0.2 < result.invalid_share == player.report.failed / player.report.decisions
    assert not result.is_own_play
    assert result.rating is None
    assert "not rated, since" in as_text(result)
    assert verify(tmp_path) == []


def test_a_spent_budget_keeps_the_card(tmp_path):
    with chat_server(*[CHECK, CALL] * 200) as server:
        player = agents.ChatPlayer("m", url=server.url, max_requests=200)
        with pytest.raises(BudgetError):
            agents.bench(player, hands=200, seed=1, out=tmp_path)
    played = results_of(Scorecard.load(tmp_path))
    assert sum(one.blocks for one in played.values()) > 0
    unplayed = [name for name, one in played.items() if not one.blocks]
    assert verify(tmp_path) == [f"heads-up: there are no hands against {name}" for name in unplayed]


def test_every_anchor_is_met_however_little_time_there_is():
    card = agents.bench("folder", minutes=0.0, seed=1)
    assert [one.blocks for one in results_of(card).values()] == [1] * len(HEADS_UP.anchors)
    assert card.suites["heads-up"].bound is None


def test_a_key_is_in_no_file_and_no_message_of_the_bench(tmp_path, capsys, monkeypatch):
    secret = "sk-planted-0123456789"
    monkeypatch.setenv("BENCH_KEY", secret)
    refusal = Raw(401, f'{{"error": "{secret} is wrong"}}'.encode())
    asked = iter([f"{secret} {CHECK}", f"{secret} {CALL}"] * 100)
    with chat_server(lambda request: next(asked, refusal)) as server:
        player = f"chat:model=m,url={server.url},key=BENCH_KEY,log={tmp_path / 'log.jsonl'}"
        arguments = ["bench", player, "--hands", "200", "--seed", "1"]
        assert main([*arguments, "--out", str(tmp_path / "card")]) != 0
    shown = capsys.readouterr()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"log.jsonl", "scorecard.json", "scorecard.html"} <= {path.name for path in files}
    assert server.headers[-1]["Authorization"] == f"Bearer {secret}"
    assert "refuses the request" in shown.err
    assert all(secret not in text for text in (shown.out, shown.err, str(sys.argv)))
    assert all(secret.encode() not in path.read_bytes() for path in files)
