"""Rankings of recorded sessions and of printed tables, and their commands."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import agents
import nlhe_env
from agents.measure.recorded_hands import load_names, rank_sessions
from agents.statistics.ranking import rank_table
from evolve import reduce_variance
from evolve.commands.main import main
from nlhe_env.hand_history import Hand, read_hands, stream_files, write_hands

PLAYERS = ["tight-aggressive", "old-best", "tight-passive"]
CASH = nlhe_env.Game.cash(num_hands=6, score="big_blinds")
TOURNAMENT = nlhe_env.Game.tournament()


def recorded(game: nlhe_env.Game, count: int) -> list[Hand]:
    """Hands of numbered games as events."""
    hands: list[Hand] = []
    for number in range(count):
        played: list[Hand] = []
        agents.play(PLAYERS, agents.Tournaments(1, number), game, seed=1, record=played)
        hands += [replace(hand, event=f'game "{number}"') for hand in played]
    return hands


def results(game: nlhe_env.Game, count: int, method: str = "none") -> agents.Tally:
    return agents.play(
        PLAYERS,
        agents.Tournaments(count),
        game,
        seed=1,
        rows=True,
        variance_reduction=agents.Aivat(known=()) if method == "aivat" else method,
    )


def by_player(ranking: agents.Ranking) -> Sequence[float]:
    return [float(ranking.means[ranking.names.index(f"player_{i}")]) for i in range(3)]


POKERBATTLE = """\
name,bb_per_100,hands
o3,48.29,3799
Claude,44.28,3799
Grok,37.90,3799
DeepSeek,24.24,3799
Gemini,19.29,3799
Magistral,4.32,3799
Kimi,-18.91,3799
GLM,-28.31,3799
"""


@pytest.fixture(scope="module")
def cash_hands() -> list[Hand]:
    return recorded(CASH, 8)


@pytest.fixture
def cash_file(cash_hands, tmp_path) -> Path:
    file = tmp_path / "games.phhs"
    file.write_text(write_hands(cash_hands))
    return file


def test_sessions_have_the_results_of_the_match(cash_hands, cash_file):
    rankings = rank_sessions(reduce_variance(stream_files([cash_file])))
    expected = results(CASH, 8)
    assert list(rankings) == ["money", "all-in equity"]
    assert by_player(rankings["money"]) == pytest.approx(expected.row_scores.mean(axis=0))
    ours = agents.rank(expected.row_scores)
    names = [f"player_{i}" for i in range(3)]
    chosen = [rankings["money"].names.index(name) for name in names]
    assert rankings["money"].errors[chosen] == pytest.approx(ours.errors)
    all_in = results(CASH, 8, "all-in").row_scores.mean(axis=0)
    assert by_player(rankings["all-in equity"]) == pytest.approx(all_in, abs=1e-3)


def test_sessions_are_estimated_by_aivat(cash_hands):
    evaluator = agents.AivatEvaluator()
    rankings = rank_sessions(reduce_variance(cash_hands, aivat=evaluator))
    expected = results(CASH, 8, "aivat").row_scores.mean(axis=0)
    assert by_player(rankings["AIVAT"]) == pytest.approx(expected, abs=1e-3)
    number = next(k for k, hand in enumerate(cash_hands) if hand.actions[-1].kind == "f")
    some = list(cash_hands)
    some[number] = replace(some[number], hole_cards=("",) * 3, shown=(False,) * 3)
    # The other sessions would be a selection by how their hands ended.
    without = rank_sessions(reduce_variance(some, aivat=evaluator, skip_hidden=True))
    assert list(without) == ["money", "all-in equity"]
    assert (without["money"].means == rankings["money"].means).all()
    with pytest.raises(ValueError, match=f"hand {number + 1}: AIVAT needs all hole cards"):
        reduce_variance(some, aivat=evaluator)


def test_places_are_those_of_the_tournaments():
    hands = recorded(TOURNAMENT, 6)
    rankings = rank_sessions(reduce_variance(hands), places=True)
    places = rankings["place"]
    assert next(iter(rankings)) == "place"
    assert places.lower_is_better
    assert by_player(places) == pytest.approx(results(TOURNAMENT, 6).row_scores.mean(axis=0))


def test_players_out_in_one_hand_rank_by_their_chips_before_it():
    (hand,) = read_hands(
        "variant='NT'\nantes=[0, 0, 0]\nblinds_or_straddles=[5, 10, 0]\nmin_bet=10\n"
        "starting_stacks=[100, 200, 300]\nevent='one'\nplayers=['ann', 'bob', 'cyd']\n"
        "actions=['d dh p1 2c7d', 'd dh p2 3c8d', 'd dh p3 AsAh', 'p3 cbr 300', 'p1 cc', 'p2 cc',"
        "'d db AcKdQh', 'd db Js', 'd db 4c', 'p1 sm 2c7d', 'p2 sm 3c8d', 'p3 sm AsAh']"
    )
    equal = replace(hand, event="two", stacks=(200, 200, 300))
    places = rank_sessions(reduce_variance([hand, equal]), places=True)["place"]
    assert dict(zip(places.names, places.means, strict=True)) == {
        "ann": (3 + 2.5) / 2,
        "bob": (2 + 2.5) / 2,
        "cyd": 1.0,
    }


def test_events_are_kept_by_files(cash_hands, tmp_path):
    assert read_hands(write_hands(cash_hands)) == cash_hands
    for number, hand in enumerate(cash_hands[:2]):
        (tmp_path / f"{number}.phh").write_text(write_hands([replace(hand, event="")]))
    files = sorted(tmp_path.glob("*.phh"))
    assert {hand.event for hand in stream_files(files)} == {""}
    assert [hand.event for hand in stream_files(files, file_as_event=True)] == list(map(str, files))
    assert next(iter(stream_files(files[:1], file_as_event=True))).event == str(files[0])
    old = write_hands(cash_hands[:1]).replace("event = ", "event = 7 # ")
    assert read_hands(old)[0].event == "7"


def test_results_of_common_names_are_added(cash_hands, tmp_path):
    file = tmp_path / "names.csv"
    file.write_text("player_0, model\nplayer_2,model\n")
    rankings = rank_sessions(reduce_variance(cash_hands), load_names(file))
    money = rankings["money"]
    assert set(money.names) == {"model", "player_1"}
    won = results(CASH, 8).row_scores.mean(axis=0)
    assert money.means[money.names.index("model")] == pytest.approx(won[0] + won[2])
    file.write_text("player_0\n")
    with pytest.raises(ValueError, match=r"names.csv, line 1: .* got 1 columns"):
        load_names(file)


def test_sessions_without_an_order_are_named(cash_hands):
    with pytest.raises(ValueError, match="the hands name no event; rank them by file"):
        rank_sessions(reduce_variance([replace(hand, event="") for hand in cash_hands]))
    with pytest.raises(ValueError, match="2 players; the hands have 1 and 3"):
        rank_sessions(reduce_variance(cash_hands[:6]))
    names = {f"player_{i}": "all" for i in range(3)}
    with pytest.raises(ValueError, match="2 players; the hands have 8 and 1"):
        rank_sessions(reduce_variance(cash_hands), names)


@pytest.mark.parametrize(
    ("table_size", "sd", "decided"), [(9, 9.0, 2), (None, 9.0, 4), (9, 12.0, 0)]
)
def test_a_printed_table_has_the_worked_figures(tmp_path, table_size, sd, decided):
    file = tmp_path / "table.csv"
    file.write_text(POKERBATTLE)
    ranking = rank_table(file, sd=sd, table_size=table_size)
    assert (ranking.decided, len(ranking.pairs)) == (decided, 28)
    if (table_size, sd) == (9, 9.0):
        assert ranking.interval(0)[1] - ranking.means[0] == pytest.approx(28.6, abs=0.05)
        first_two = ranking.pairs[0]
        assert first_two["high"] - first_two["difference"] == pytest.approx(42.9, abs=0.05)
        assert first_two["p"] == pytest.approx(0.85, abs=0.01)


def test_printed_errors_replace_the_deviation(tmp_path):
    # The first five of a published table, with errors if "±" means one of them.
    rows = [(-16.0, 3.0), (-14.0, 4.7), (-17.8, 3.7), (-18.2, 3.9), (-20.4, 4.4)]
    lines = [f"model {i},{mean},5000,{error}" for i, (mean, error) in enumerate(rows)]
    file = tmp_path / "table.csv"
    file.write_text("name,bb_per_100,hands,standard_error\n" + "\n".join(lines))
    ranking = rank_table(file, sd=9.0)
    assert (ranking.decided, len(ranking.pairs)) == (0, 10)
    assert ranking.errors.tolist() == pytest.approx([error for _, error in rows])
    assert ranking.compare(1, 4).error == pytest.approx(math.hypot(4.7, 4.4))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,bb_per_100,hands\na,1,100\n", "at least 2 lines"),
        ("name,bb,hands\na,1,100\nb,2,100\n", "the columns name, bb_per_100, hands"),
        ("name,bb_per_100,hands\na,1,100\nb,two,100\n", "table.csv: could not convert .*two"),
        ("name,bb_per_100,hands\na,1,100\nb,nan,100\n", "means must be finite"),
        ("name,bb_per_100,hands\na,1,100\nb,2,0\n", "hands must be finite numbers of at least 1"),
        ("name,bb_per_100,hands\na,1,100\nb,2\n", "table.csv: could not convert"),
    ],
)
def test_wrong_tables_are_named(tmp_path, text, message, capsys):
    file = tmp_path / "table.csv"
    file.write_text(text)
    assert main(["evaluate", "table", str(file)]) == 2
    with pytest.raises(ValueError, match=message):
        rank_table(file, sd=9.0)
    assert "error: " in capsys.readouterr().err


@pytest.mark.parametrize(
    "content",
    ["name,bb_per_100,hands\nJosé,1,100\nb,2,100\n".encode("cp1252"), b'"' + b"a" * 200_000],
)
@pytest.mark.parametrize("read", [load_names, lambda path: rank_table(path, sd=9.0)])
def test_a_file_that_is_not_csv_in_utf_8_is_named(tmp_path, content, read):
    file = tmp_path / "table.csv"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"table\.csv must be CSV in UTF-8: "):
        read(file)


def test_the_command_ranks_sessions_and_writes_files(cash_file, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    out = tmp_path / "out"
    assert main(["evaluate", "hands", str(cash_file), "--by", "event", "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "money" in said
    assert "AIVAT: " in said
    assert "pairs differ at 5%" in said
    content = json.loads((out / "ranking.json").read_text())
    assert list(content) == ["money", "all-in equity", "AIVAT"]
    with (out / "ranking.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 9
    assert float(rows[0]["mean"]) == content["money"]["players"][0]["mean"]
    with (out / "ranking-pairs.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 9
    assert (out / "ranking.png").stat().st_size > 5_000


def test_the_command_says_why_measures_and_chances_are_unknown(cash_hands, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    hidden = [replace(hand, hole_cards=("",) * 3, shown=(False,) * 3) for hand in cash_hands[-2:]]
    twice = [replace(hand, event=event) for event in ("a", "b") for hand in cash_hands[:6]]
    file = tmp_path / "games.phhs"
    for hands, text in (
        ([*cash_hands[:-2], *hidden], "AIVAT is not shown: hole cards are missing in 2 of 48"),
        (twice, "money: 0 of 3 pairs differ at 5%\n"),  # equal sessions
    ):
        file.write_text(write_hands(hands))
        command = ["evaluate", "hands", str(file), "--by", "event", "--out", str(tmp_path)]
        assert main(command) == 0
        said = capsys.readouterr().out
        assert text in said
        assert "nan" not in said


def test_the_command_ranks_files_and_places(tmp_path, capsys):
    folder = tmp_path / "games"
    folder.mkdir()
    for number in range(4):
        hands = [hand for hand in recorded(TOURNAMENT, 4) if hand.event == f'game "{number}"']
        (folder / f"{number}.phhs").write_text(write_hands(hands))
    (tmp_path / "names.csv").write_text("player_0,ann\nplayer_1,bob\n")
    by = f"file:names={tmp_path / 'names.csv'}"
    assert main(["evaluate", "hands", str(folder), "--by", by]) == 0
    said = capsys.readouterr().out
    assert "ann" in said
    assert "player_2" in said
    assert main(["evaluate", "hands", str(folder), "--by", "tournament"]) == 0
    assert "mean place, 1 is the best" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("day", "by must be one of"),
        ("event:file=x", "by has the option names alone"),
        ("event:names=", "by has the option names alone"),
    ],
)
def test_wrong_units_are_named(cash_file, by, message, capsys):
    assert main(["evaluate", "hands", str(cash_file), "--by", by]) == 2
    assert message in capsys.readouterr().err


def test_the_table_command_prints_the_pairs(tmp_path, capsys):
    file = tmp_path / "table.csv"
    file.write_text(POKERBATTLE)
    assert main(["evaluate", "table", str(file), "--sd", "9", "--table-size", "9"]) == 0
    said = capsys.readouterr().out
    assert "2 of 28 pairs differ" in said
    assert "o3 > GLM" in said
    assert main(["evaluate", "table", str(file), "--sd", "0"]) == 2
    assert "sd must be a finite number above 0" in capsys.readouterr().err
    assert main(["evaluate", "table", str(file), "--table-size", "11"]) == 2
    assert "table_size must be in 2 .. 10; got 11" in capsys.readouterr().err


def test_a_league_is_planned_by_simulation_and_by_formula(capsys):
    assert main(["league", "--plan", "--sd", "9", "--table-size", "6"]) == 0
    assert "52,596" in capsys.readouterr().out
    assert main(["league", "--plan", "pokerbattle", "husky", "--sd", "9"]) == 0
    said = capsys.readouterr().out
    assert "PokerBattle.ai" in said
    assert "49,309 hands of each" in said  # at nine seats
    assert "52,596 hands of each" in said  # at six
    assert main(["league", "caller", "folder", "--variance-reduction", "all-in", "--plan"]) == 0
    said = capsys.readouterr().out
    assert "True means as simulated" in said
    assert "all-in: " in said
    assert main(["league", "--plan"]) == 2
    assert "a plan needs players to simulate, or --sd" in capsys.readouterr().err
    assert main(["league", "--plan", "nowhere", "--sd", "9"]) == 2
    assert "an arena must be one of" in capsys.readouterr().err
