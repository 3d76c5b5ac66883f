"""Variance reduction of recorded hands: the measures, the command, and what it refuses."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import agents
import evolve
import nlhe_env
from agents.measure.recorded_hands import MEASURES, PlayerResults
from agents.variance_reduction.aivat_logs import AivatEvaluator
from evolve import reduce_variance
from evolve.commands.main import main
from nlhe_env.hand_history import (
    Action,
    Hand,
    HandHistoryError,
    read_hands,
    stream_hands,
    write_hands,
)

LIMIT = nlhe_env.Game.cash(betting="fixed-limit", blinds=(5, 10), num_hands=3, score="big_blinds")


SHORT = nlhe_env.Game.cash(starting_stack=1000, num_hands=3)


def example() -> Hand:
    """Alfred with AcKc against Betty with 7h6h (Billings, PhD thesis, 2006, section 5.2.1)."""
    moves = [
        [(1, 20), (0, 30), (1, 0)],
        [(0, 0), (1, 10), (0, 20), (1, 0)],
        [(0, 20), (1, 0)],
        [(0, 20), (1, 40), (0, 0)],
    ]
    cards = (0, 3, 4, 5)
    actions = [
        Action(place, "cbr" if to else "cc", to, cards[street])
        for street, acts in enumerate(moves)
        for place, to in acts
    ]
    return Hand(
        stacks=(1000, 1000),
        hole_cards=("AcKc", "7h6h"),
        board="Ks5h3dTc4h",
        actions=tuple(actions),
        small_blind=5,
        big_blind=10,
        betting="fixed-limit",
        shown=(True, True),
        players=("Alfred", "Betty"),
        seats=(1, 0),
        seat_count=2,
    )


def recorded(*names: str, game: nlhe_env.Game = LIMIT, blocks: int = 10) -> list[Hand]:
    hands: list[Hand] = []
    players = [agents.make(name) for name in names]
    agents.play(players, agents.Blocks(blocks), game, seed=1, record=hands.append)
    return hands


def test_the_thesis_example_is_reproduced():
    alfred, betty = reduce_variance([example()])
    assert alfred.values["money"] == [-11.0]
    assert alfred.values["all-in equity"] == [-11.0]
    assert alfred.values["DIVAT"][0] == pytest.approx(1.462, abs=5e-4)
    assert alfred.streets[0] == pytest.approx([0.2073, 0.5273, 0.7273, 0.0], abs=5e-5)
    assert alfred.values["luck of the cards"][0] == pytest.approx(-10.1054, abs=1e-4)
    assert alfred.values["money - baseline"] == [-13.0]
    assert betty.values["DIVAT"][0] == -alfred.values["DIVAT"][0]


def test_hindsight_counts_the_value_with_open_cards():
    """Worked by hand from the shares of table 5.2: 0.6036, 0.7636, 0.9091 and 0."""
    alfred, betty = reduce_variance([example()])
    # Alfred checks a flop he is ahead on, and bets and calls on the river, where he is beaten.
    of_alfred = 0.5273 + 2 + 2
    # Betty raises before the flop, bets the flop and calls the turn, always behind.
    of_betty = 0.2073 + 0.5273 + 0.7273
    assert alfred.values["hindsight"][0] == pytest.approx(of_betty - of_alfred, abs=2e-4)
    assert betty.values["hindsight"][0] == -alfred.values["hindsight"][0]


def test_differences_by_street_add_up():
    for player in reduce_variance(recorded("pot-odds", "call-or-raise")):
        totals = [sum(row) for row in player.streets]
        assert player.values["DIVAT"] == pytest.approx(totals)
        rows = {row["measure"]: row for row in player.rows()}
        assert rows["DIVAT"]["deviation"] < rows["money"]["deviation"]
        assert rows["money"]["hands_needed"] == 1.0


def test_no_limit_hands_have_all_in_equity():
    players = reduce_variance(
        recorded("push-or-fold", "hothead-maniac", "caller", game=SHORT, blocks=4)
    )
    assert sum(sum(player.values["all-in equity"]) for player in players) == pytest.approx(0)
    measures = {row["measure"] for player in players for row in player.rows()}
    assert measures == {"money", "all-in equity"}
    with pytest.raises(ValueError, match="hand 1: DIVAT is for heads-up fixed-limit; this is no-"):
        reduce_variance(recorded("caller", "raiser", game=SHORT, blocks=1), divat=True)


def test_hidden_cards_are_refused_where_they_are_needed():
    hidden = replace(example(), hole_cards=("AcKc", ""), shown=(True, False))
    folded = replace(hidden, actions=(Action(1, "f", 0, 0),), board="", hole_cards=("AcKc", ""))
    assert reduce_variance([folded])[0].values["money"] == [0.5]
    with pytest.raises(ValueError, match=r"hand 2: DIVAT needs all hole cards.*of Betty"):
        reduce_variance([example(), folded], divat=True)


def test_hands_without_their_cards_give_no_biased_mean(tmp_path, capsys):
    hands = recorded("old-best", "caller", blocks=30)
    shown = [
        hand if all(hand.shown) else replace(hand, hole_cards=("", ""), shown=(False, False))
        for hand in hands
    ]
    missing = sum(not hand.hole_cards[0] for hand in shown)
    assert 0 < missing < len(hands)
    file = tmp_path / "match.phhs"
    file.write_text(write_hands(shown))
    assert main(["evaluate", "hands", str(file)]) == 0
    said = capsys.readouterr().out
    assert "DIVAT is not shown: hole cards are missing in" in said
    assert f" {missing} of {len(hands)} heads-up fixed-limit hands" in said
    assert not any(f"player_0: {measure}" in said for measure in MEASURES[3:])


def test_shares_of_hands_compare_the_same_hands():
    player = PlayerResults("ann")
    player.values["money"] = [1.0, -1.0, 100.0]
    player.values["DIVAT"] = [0.5, -0.5, math.nan]
    assert player.rows(["DIVAT"])[0]["hands_needed"] == pytest.approx(0.25)


def test_streams_give_the_same_estimates_as_their_hands():
    """Those of a stream are not played again; good hands among bad ones are."""
    hands = recorded("pot-odds", "call-or-raise", blocks=60)
    hands += recorded("push-or-fold", "hothead-maniac", "caller", game=SHORT, blocks=4)
    lines = write_hands(hands).splitlines(keepends=True)
    expected = reduce_variance(hands)
    assert same(reduce_variance(stream_hands(lines)), expected)
    at = next(i for i, line in enumerate(lines) if "cbr 20" in line)
    number = sum(line.startswith("[") for line in lines[:at]) - 1
    lines[at] = lines[at].replace("cbr 20", "cbr 9999", 1)
    problems: list[HandHistoryError] = []
    found = reduce_variance(stream_hands(lines), on_problem=problems.append)
    assert [problem.line for problem in problems] == [at + 1]
    assert same(found, reduce_variance(hands[:number] + hands[number + 1 :]))
    assert same(found, reduce_variance(list(stream_hands(lines)), on_problem=problems.append))
    assert len(problems) == 2
    with pytest.raises(HandHistoryError, match=f"line {at + 1}: a raise must be"):
        reduce_variance(stream_hands(lines))


def test_streams_of_logs_are_estimated_by_aivat():
    hands = [hand for hand in stream_hands(LOG.splitlines()) if isinstance(hand, Hand)]
    evaluate = AivatEvaluator(players={"Alfred": agents.make("call-or-raise")})
    found = reduce_variance(stream_hands(LOG.splitlines()[:2]), aivat=evaluate)
    assert same(found, reduce_variance(hands[:1], aivat=evaluate))
    assert found[0].values["AIVAT"][0] != found[0].values["money"][0]


def same(found: list[PlayerResults], expected: list[PlayerResults]) -> bool:
    return [player.name for player in found] == [player.name for player in expected] and all(
        one.streets == other.streets
        and all(np.array_equal(one.values[m], other.values[m], equal_nan=True) for m in MEASURES)
        for one, other in zip(found, expected, strict=True)
    )


def test_the_command_prints_tables(tmp_path, capsys):
    file = tmp_path / "match.phhs"
    file.write_text(write_hands(recorded("pot-odds", "call-or-raise", blocks=3)))
    assert main(["evaluate", "hands", str(file)]) == 0
    said = capsys.readouterr().out
    assert "DIVAT" in said
    assert "luck of the cards" in said
    assert "river" in said
    assert read_hands(file.read_text())


def test_the_command_prints_the_requested_measures(tmp_path, capsys):
    folder = tmp_path / "hands"
    folder.mkdir()
    for k, hand in enumerate(recorded("pot-odds", "call-or-raise", blocks=2)):
        (folder / f"{k}.phh").write_text(write_hands([hand]))
    expected_measures = {
        "none": {"money"},
        "all-in": {"money", "all-in equity"},
        "aivat": {"money", "all-in equity", "AIVAT"},
        "divat": set(MEASURES) - {"AIVAT"},
    }
    for variance_reduction, measures in expected_measures.items():
        assert (
            main(["evaluate", "hands", str(folder), "--variance-reduction", variance_reduction])
            == 0
        )
        said = capsys.readouterr().out
        assert {measure for measure in MEASURES if f"player_0: {measure} " in said} == measures
    assert main(["evaluate", "hands", str(folder / "0.phh")]) == 0
    assert "nan" not in capsys.readouterr().out


def test_invalid_value_function_files_give_a_one_sentence_error(tmp_path, capsys):
    log = tmp_path / "match.log"
    log.write_text(LOG)
    text, player = tmp_path / "text.npz", tmp_path / "player.npz"
    text.write_text("no archive")
    agents.save_player(player, agents.make("old-best"))
    rest = 'a value function is "equity", or a .npz file written by ValueFunction.save'
    for path, what in (
        (text, "is not a value function"),
        (player, "is not a value function"),
        (tmp_path / "none.npz", "does not exist"),
    ):
        assert (
            main(
                [
                    "evaluate",
                    "hands",
                    str(log),
                    "--variance-reduction",
                    f"aivat:value={path}",
                ]
            )
            == 2
        )
        said = capsys.readouterr().err
        assert " ".join(said.split()) == f"error: {path} {what}: {rest}"


def test_the_command_reports_unsupported_requests(tmp_path, capsys):
    file = tmp_path / "match.phhs"
    game = nlhe_env.Game.cash(num_hands=2)
    file.write_text(write_hands(recorded("caller", "raiser", game=game, blocks=1)))
    assert main(["evaluate", "hands", str(file), "--variance-reduction", "divat"]) == 2
    assert "DIVAT is for heads-up fixed-limit; this is no-limit" in capsys.readouterr().err
    assert main(["evaluate", "hands", str(tmp_path / "nothing.phh")]) == 1


def test_the_command_computes_aivat(tmp_path, capsys):
    file, values = tmp_path / "match.phhs", tmp_path / "before.npz"
    game = nlhe_env.Game.cash(num_hands=1, score="big_blinds")
    file.write_text(write_hands(recorded("push-or-fold", "caller", game=game, blocks=20)))
    pair = [agents.make("push-or-fold"), agents.make("caller")]
    value = agents.fit_value_function(pair, game, hands=1000, seed=9, name="before")
    value.save(values)
    command, method = ["evaluate", "hands", str(file)], f"aivat:value={values}"
    whose = ["--players", "player_0=push-or-fold"]
    assert main([*command, "--variance-reduction", method, *whose]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert f"AIVAT with the value function {value}, for cards and the dice of player_0" in said
    assert "player_1: AIVAT 40" in said
    assert main([*command, *whose]) == 2
    assert "--players needs --variance-reduction aivat" in capsys.readouterr().err
    for player, message in (
        ("push-or-fold", "--players must be NAME=PLAYER"),
        ("player_0=old-best", "player_0 depends on earlier hands"),
        ("player_0=nlbot-1", "player_0 must be a compiled player"),
        ("nobody=caller", "no hand has a player nobody"),
    ):
        assert (
            main(
                [
                    "evaluate",
                    "hands",
                    str(file),
                    "--variance-reduction",
                    "aivat",
                    "--players",
                    player,
                ]
            )
            == 2
        )
        assert message in " ".join(capsys.readouterr().err.split())


def test_the_command_takes_logs_and_skips_unreadable_hands(tmp_path, capsys):
    file = tmp_path / "match.log"
    file.write_text(LOG)
    assert main(["evaluate", "hands", str(file), "--variance-reduction", "divat-roe"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "skipped 1 hand; the first: line 3: the hand is incomplete" in said
    assert "Alfred: DIVAT 2" in said
    file.write_text("".join(LOG.splitlines(keepends=True)[:1] + LOG.splitlines(keepends=True)[2:3]))
    assert main(["evaluate", "hands", str(file)]) == 2
    assert "has no hand that can be evaluated: line 2: the hand is incomplete" in " ".join(
        capsys.readouterr().err.split()
    )


LOG = """\
# a/holdem.limit.2p.reverse_blinds.5-10/3/1
STATE:0:rrc/crrc/rc/rrc:AcKc|7h6h/Ks5h3d/Tc/4h:-110|110:Alfred|Betty
STATE:1:rrc/cr:AcKc|7h6h/Ks5h3d:-30|30:Betty|Alfred
STATE:2:f:AcKc|7h6h:5|-5:Alfred|Betty
"""


def test_the_thesis_example_by_roll_outs():
    """Flop and turn as the thesis prints them; before the flop boards are drawn."""
    alfred, betty = reduce_variance([example()], form="roe")
    assert alfred.streets[0][1:] == pytest.approx([0.5232, 0.6364, 0.0], abs=5e-5)
    assert alfred.streets[0][0] == pytest.approx(0.2020, abs=1.0)
    assert betty.values["DIVAT"][0] == -alfred.values["DIVAT"][0]


def test_evaluations_use_variance_reduction():
    game = nlhe_env.Game.cash(num_hands=2, score="big_blinds")
    players = [agents.make(name) for name in ("push-or-fold", "old-best")]
    with evolve.thread_workers(1) as workers:
        evaluation = evolve.evaluate(
            players,
            ["a", "b"],
            game=game,
            blocks=300,
            seed=1,
            workers=workers,
            variance_reduction="all-in",
        )
    for row in evaluation.rows():
        assert row["hands_needed"] == pytest.approx(
            (row["deviation"] / row["plain_deviation"]) ** 2
        )
        assert row["hands_needed"] < 0.8
        assert row["plain_mean_big_blinds"] != row["mean_big_blinds"]


def test_leagues_use_variance_reduction(tmp_path):
    players = {name: agents.make(name) for name in ("caller", "raiser", "call-or-raise")}
    intervals = {}
    for variance_reduction in ("none", "divat"):
        settings = evolve.LeagueSettings.of(
            betting="fixed-limit", variance_reduction=variance_reduction, num_hands=1, blinds="5/10"
        )
        with (
            evolve.LeagueStore.open(
                tmp_path / f"{variance_reduction}.db", lambda _, s=settings: s
            ) as store,
            evolve.thread_workers(1) as workers,
        ):
            evolve.play_league(players, store, games=3000, workers=workers)
            row = evolve.LeagueTable.of(list(players), store).rows()[0]
            intervals[variance_reduction] = row["high"] - row["low"]
    assert intervals["divat"] < 0.9 * intervals["none"]
    with pytest.raises(ValueError, match="this one is scored by places"):
        evolve.LeagueSettings.of(mode="tournament", variance_reduction="all-in")
