"""The bench: what scorecards say of players whose value is known, and what becomes of bad luck."""

from __future__ import annotations

import json
import math
import sys
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chat_server import Raw, chat_server

import agents
from agents.benchmark import suites as suites_module
from agents.benchmark.bounds import NoBoundError, bound_of
from agents.benchmark.game_logs import GameLog
from agents.benchmark.page import as_html, as_markdown, as_text, write_page
from agents.benchmark.rating import rate, scale
from agents.benchmark.scorecard import OpponentResult, Scorecard
from agents.benchmark.suites import SUITES, anchor_hash, find_suite, player_hash, reference
from agents.benchmark.verification import verify
from agents.commands.main import main

HEADS_UP = SUITES["heads-up"]


class Caller(agents.ChipPlayer):
    """Calls, and every tenth time answers what is illegal."""

    name = "own caller"

    def __init__(self):
        self.asked = 0

    def decide(self, turn):
        self.asked += 1
        return -5 if self.asked % 10 == 0 else agents.CHECK_OR_CALL


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


def test_known_values_are_measured():
    card = agents.bench("folder", hands=3000, seed=1, bound=False)
    folder = results_of(card)
    # A caller never bets: what is lost is the small blind, every second hand.
    mean, error = folder["caller"].estimate(HEADS_UP)
    assert abs(mean - -25.0) < 4 * error < 4.0
    card = agents.bench("caller", hands=3000, seed=2, bound=False)
    assert results_of(card)["caller"].estimate(HEADS_UP, plain=True) == (0.0, 0.0)


def test_equal_players_share_the_places_of_tournaments():
    card = agents.bench("folder", ["tournament"], hands=1, seed=1, bound=False)
    result = card.suites["tournament"].results["folder"]
    assert result.estimate(SUITES["tournament"])[0] == 0.0
    assert result.blocks == 1


def test_bounds_of_players_with_known_values():
    """All that a folder loses is the blinds; and nobody wins more than can be put in."""
    options = {"seed": 1, "seconds": 0.3, "seconds_per_decision": 0.0}
    folder = bound_of(agents.make("folder"), HEADS_UP, **options)
    assert folder.value == pytest.approx(75.0)
    raiser = bound_of(agents.make("raiser"), SUITES["limit"], **options)
    assert 0 < raiser.value < 100 * 24
    with pytest.raises(NoBoundError, match="heads-up cash games only"):
        bound_of(agents.make("folder"), SUITES["six-max"], **options)


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


def test_the_twin_of_an_anchor_has_its_rating():
    card = agents.bench("half-a-pro", hands=20_000, seed=3, bound=False)
    result = card.suites["heads-up"]
    low, high = result.results["half-a-pro"].interval(HEADS_UP)
    assert low < 0 < high
    values = suites_module.reference()["suites"]["heads-up"]["results"]["half-a-pro"]
    expected = rate(HEADS_UP, {name: (value, 0.0) for name, value in values.items()})
    assert abs(result.rating.value - expected.value) < 4 * result.rating.error + 10


def test_twins_of_all_anchors_differ_from_them_by_the_stated_errors():
    """In fixed-limit, where results have no heavy tails, so that a thousand hands are enough."""
    suite, known = SUITES["limit"], reference()["suites"]["limit"]
    deviations = []
    for seed, name in enumerate(suite.anchors):
        result = agents.bench(name, ["limit"], hands=1_000, seed=seed, bound=False).suites["limit"]
        means, errors = known["results"][name], known["errors"][name]
        fixed = rate(suite, {each: (means[each], errors[each]) for each in suite.anchors})
        low, high = result.results[name].interval(suite)
        assert low <= 0 <= high
        error = math.hypot(result.rating.error, fixed.error)
        deviations.append((result.rating.value - fixed.value) / error)
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


def test_rating_error_is_that_of_repeated_matches():
    """The spread of the ratings of results with known errors is the stated error."""
    generator = np.random.default_rng(2)
    means = np.array([300.0, 100.0, 20.0, -10.0, -30.0, -60.0])
    errors = np.array([20.0, 10.0, 5.0, 5.0, 5.0, 10.0])

    def rated(row):
        return rate(
            HEADS_UP, dict(zip(HEADS_UP.anchors, zip(row, errors, strict=True), strict=True))
        )

    found = [rated(generator.normal(means, errors)).value for _ in range(4000)]
    assert np.std(found) == pytest.approx(rated(means).error, rel=0.05)


def test_no_rating_without_every_anchor():
    assert rate(HEADS_UP, {"random": (1.0, 1.0)}) is None
    nothing = dict.fromkeys(HEADS_UP.anchors, (1.0, math.nan))
    assert rate(HEADS_UP, nothing) is None


@pytest.mark.parametrize("name", reference()["anchors"])
def test_anchors_play_as_when_they_were_measured(name):
    assert anchor_hash(name) == reference()["anchors"][name]


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
    monkeypatch.setattr(suites_module, "reference", lambda: changed)
    with pytest.raises(RuntimeError, match="formula in the suite heads-up"):
        agents.bench("folder", hands=20, seed=1, bound=False)


def test_a_card_is_the_same_in_one_go_or_in_parts(tmp_path):
    whole = without_times(agents.bench("caller", hands=2000, seed=5, bound=False))
    agents.bench("caller", hands=400, seed=5, out=tmp_path, bound=False)
    agents.bench("caller", hands=2000, out=tmp_path, bound=False)
    assert without_times(Scorecard.load(tmp_path)) == whole


def test_the_card_on_disk_has_what_was_promised(tmp_path):
    agents.bench("random", hands=1000, seed=1, out=tmp_path, bound=False)
    card = json.loads((tmp_path / "scorecard.json").read_text())
    assert {"player", "version", "anchors", "suites"} <= set(card)
    assert card["anchors"] == {name: anchor_hash(name) for name in HEADS_UP.anchors}
    suite = card["suites"]["heads-up"]
    assert {"rating", "rating_error", "illegal", "seconds_per_decision", "results"} <= set(suite)
    for row in suite["results"]:
        keys = {"opponent", "hands", "unit", "mean", "low", "high"}
        assert {*keys, "plain_mean", "plain_error", "bound"} <= set(row)
        assert row["hands"] == 1000
        assert row["low"] < row["mean"] < row["high"]
    assert suite["bound"] is None


def test_until_sure_ends_early_where_it_is_clear():
    card = agents.bench("folder", hands=50_000, until_sure=True, seed=1, bound=False)
    result = card.suites["heads-up"]
    assert all(map(result.is_decided, result.results))
    assert result.results["random"].hands < 50_000


def test_illegal_answers_are_counted_and_the_match_goes_on(tmp_path):
    player = Caller()
    card = agents.bench(player, hands=20, seed=1, out=tmp_path)
    result = card.suites["heads-up"]
    assert result.illegal == player.asked // 10 > 0
    assert result.decisions == player.asked
    assert result.seconds > 0
    assert result.bound is None
    assert agents.bench(Careless(), hands=20, seed=1).suites["heads-up"].illegal == 4


def test_logged_hands_verify_a_card(tmp_path):
    agents.bench(Caller(), hands=60, seed=1, out=tmp_path)
    assert verify(tmp_path) == []
    card = Scorecard.load(tmp_path)
    card.suites["heads-up"].results["random"].plain.total += 100
    card.save(tmp_path)
    assert verify(tmp_path) == ["heads-up, random: the results do not match the hands"]


def test_altered_hands_are_found(tmp_path):
    agents.bench(Caller(), hands=20, seed=1, out=tmp_path)
    path = next((tmp_path / "hands" / "heads-up" / "random").glob("*.phhs"))
    text = path.read_text()
    path.write_text(text.replace("As", "Xx").replace("Ah", "As").replace("Xx", "Ah"))
    assert any("random: the logged hands" in words for words in verify(tmp_path))


def test_a_compiled_player_plays_again_to_verify(tmp_path):
    agents.bench("caller", hands=200, seed=1, out=tmp_path, bound=False)
    assert verify(tmp_path) == []
    with pytest.raises(ValueError, match="the scorecard is for caller"):
        verify(tmp_path, "folder")
    card = Scorecard.load(tmp_path)
    card.suites["heads-up"].results["random"].adjusted.total += 1
    card.save(tmp_path)
    assert verify(tmp_path) == ["heads-up, random: the adjusted results are different"]


def test_a_player_that_fails_leaves_what_was_played(tmp_path):
    class Tired(Caller):
        def decide(self, turn):
            if self.asked > 100:
                raise RuntimeError("the budget is spent")
            return super().decide(turn)

    with pytest.raises(RuntimeError, match="the budget is spent"):
        agents.bench(Tired(), hands=10_000, seed=1, out=tmp_path)
    card = Scorecard.load(tmp_path)
    assert sum(one.blocks for one in results_of(card).values()) > 0
    assert verify(tmp_path) == []


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
    with pytest.raises(ValueError, match=r'(?s)model from another library.*load\("a/model.zip"\)'):
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


def test_logs_of_a_look_that_was_cut_off_are_not_read(tmp_path):
    log = GameLog(tmp_path, "heads-up", "random")
    hands: list[Any] = []
    agents.play(["caller"] * 2, agents.Blocks(2), HEADS_UP.game, seed=1, record=hands)
    log.write(0, hands[:20])
    log.write(1, hands[20:])
    assert len(list(log.read(1))) == 20
    assert len(list(log.read(2))) == 40


def test_few_blocks_have_no_interval():
    one = OpponentResult("random")
    assert one.interval(HEADS_UP) == (-math.inf, math.inf)
    assert math.isnan(one.estimate(HEADS_UP)[0])


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
    assert "rating" in as_text(card.suites["heads-up"])
    table = as_markdown([card, agents.bench("folder", hands=100, seed=1, bound=False)])
    assert table.index("| folder |") != table.index("| <caller> |")
    assert "### tournament" in table


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
    assert main(["bench", "nobody", "--out", out]) == 2


def test_only_known_suites_are_found():
    assert find_suite("limit").game.betting == "fixed-limit"
    with pytest.raises(ValueError, match="a suite must be one of"):
        find_suite("omaha")


def test_a_chat_model_is_counted_and_its_card_verified_without_it(tmp_path):
    with chat_server("no idea") as server:
        player = agents.ChatPlayer("m", url=server.url)
        card = agents.bench(player, hands=20, seed=1, out=tmp_path)
    result = card.suites["heads-up"]
    assert result.illegal == player.report.illegal == 2 * result.decisions > 0
    assert verify(tmp_path) == []


def test_a_spent_budget_keeps_the_card(tmp_path):
    with chat_server('{"action": "call"}') as server:
        player = agents.ChatPlayer("m", url=server.url, max_requests=200)
        with pytest.raises(agents.BudgetError):
            agents.bench(player, hands=200, seed=1, out=tmp_path)
    assert sum(one.blocks for one in results_of(Scorecard.load(tmp_path)).values()) > 0
    assert verify(tmp_path) == []


def test_every_anchor_is_met_however_little_time_there_is():
    card = agents.bench("folder", minutes=0.0, seed=1)
    assert [one.blocks for one in results_of(card).values()] == [1] * len(HEADS_UP.anchors)
    assert card.suites["heads-up"].bound is None


def test_a_key_is_in_no_file_and_no_message_of_the_bench(tmp_path, capsys, monkeypatch):
    secret = "sk-planted-0123456789"
    monkeypatch.setenv("BENCH_KEY", secret)
    refusal = Raw(401, f'{{"error": "{secret} is wrong"}}'.encode())
    asked = iter([json.dumps({"action": "call", "note": secret})] * 200)
    with chat_server(lambda request: next(asked, refusal)) as server:
        player = f"chat:model=m,url={server.url},key=BENCH_KEY,log={tmp_path / 'log.jsonl'}"
        arguments = ["bench", player, "--hands", "200", "--out", str(tmp_path / "card")]
        assert main(arguments) != 0
    shown = capsys.readouterr()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"log.jsonl", "scorecard.json", "scorecard.html"} <= {path.name for path in files}
    assert server.headers[-1]["Authorization"] == f"Bearer {secret}"
    assert "refuses the request" in shown.err
    assert all(secret not in text for text in (shown.out, shown.err, str(sys.argv)))
    assert all(secret.encode() not in path.read_bytes() for path in files)
