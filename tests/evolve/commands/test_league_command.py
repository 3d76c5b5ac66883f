"""``nlhe league``."""

import csv
import json
import re
import sys

import numpy as np
import pytest
from chat_server import chat_server

import agents
import nlhe_env
from agents.measure.leagues.league import play_league
from agents.measure.leagues.league_matches import LeagueSettings
from agents.measure.leagues.league_store import LeagueStore
from evolve.commands import league
from evolve.commands.league import find_players
from evolve.commands.main import main


def test_players_are_found_by_name_file_and_alias(tmp_path):
    weights = np.zeros(825, np.float32)
    for run in ("one", "two"):
        (tmp_path / run).mkdir()
        agents.save_player(tmp_path / run / "champion.npz", agents.NetworkPlayer(weights))
    files = [str(tmp_path / run / "champion.npz") for run in ("one", "two")]
    assert list(find_players(["caller", files[0]])) == ["caller", "champion"]
    assert list(find_players(files)) == files
    assert list(find_players([f"old={files[0]}", f"new={files[1]}"])) == ["old", "new"]
    with pytest.raises(ValueError, match="two players are called 'caller'"):
        find_players(["caller", "caller"])
    with pytest.raises(ValueError, match="did you mean"):
        find_players(["callr"])


def test_the_command_prints_writes_and_resumes(tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    names, store = ["random", "raiser", "folder"], ["--store", "league.sqlite"]
    assert main(["league", *names, *store, "--games", "1200", "--out", "out"]) == 0
    said = capsys.readouterr().out
    assert "1,200 hands in" in said
    assert "bb/100" in said
    assert (tmp_path / "out" / "league.png").stat().st_size > 10_000
    with (tmp_path / "out" / "league.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert sum(float(row["bb_per_100"]) for row in rows) == pytest.approx(0.0, abs=1e-9)
    assert {row["hands"] for row in rows} == {"800"}
    with (tmp_path / "out" / "league-pairs.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 3
    assert main(["league", *names, *store, "--games", "1200"]) == 0
    assert "Nothing to play" in capsys.readouterr().out
    assert main(["league", "random=caller", *names[1:], *store, "--games", "1200"]) == 2
    assert "results of a different player named 'random'" in capsys.readouterr().err
    assert main(["league", *store]) == 0
    assert "3 players, 1,200 hands" in capsys.readouterr().out
    assert main(["league", *names, "caller", *store, "--games", "2400"]) == 0
    assert "1,200 hands in" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "a league needs players"),
        (["caller"], "at least 2 players; got 1"),
        (["caller", "nobody"], "there is no player 'nobody'"),
        (["caller", "folder", "--games", "0"], "hands must be at least 1"),
        (["caller", "folder", "--workers", "0"], "threads must be at least 1"),
        (["caller", "folder", "--sd", "9"], "--sd is for --plan"),
    ],
)
def test_invalid_arguments_give_a_one_line_error(arguments, message, capsys):
    assert main(["league", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_bot_that_does_not_start_is_refused_before_play(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("raise SystemExit('no weights found')")
    command = ["league", f"mine=process:{sys.executable} bot.py", "caller", "folder"]
    assert main([*command, "--store", "league.sqlite", "--games", "120"]) == 1
    said = capsys.readouterr()
    assert "bot.py' failed to start: ended with code 1" in said.err
    assert "no weights found" in said.err
    assert "bb/100" not in said.out
    with LeagueStore.open(tmp_path / "league.sqlite", LeagueSettings.of) as store:
        assert store.names() == []


STUMBLING = """
import json, sys
for n, line in enumerate(sys.stdin):
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready", "name": "Stumbling"}', flush=True)
    elif message["type"] == "act":
        if n > 400:
            raise RuntimeError("I did not think of this")
        action = "bet" if n % 3 == 0 else "call"
        print(json.dumps({"type": "action", "id": message["id"], "action": action}), flush=True)
"""


def test_the_command_reports_strikes_and_error_output_of_bots(tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(STUMBLING)
    mine = f"mine=process:{sys.executable} bot.py"
    again = ["league", mine, "caller", "--store", "league.sqlite"]
    assert main([*again, "--games", "2000", "--out", "out"]) == 1  # the forfeit stops the league
    captured = capsys.readouterr()
    assert "has forfeited, which stops the match; its last fault: gone" in captured.err
    said = captured.out
    assert "Stopped; this much is finished and is stored:" in said
    reports = (tmp_path / "out" / "bots.txt").read_text()
    assert reports in said
    assert reports.startswith("mine: ")
    assert "forfeited" in reports
    assert "illegal: " in reports
    assert "decisions (" in reports.partition("WARNING: ")[2]
    assert '"action" must be fold, check, call or raise' in reports
    with LeagueStore.open(tmp_path / "league.sqlite", LeagueSettings.of) as store:
        assert store.names() == ["caller", "mine"]


FAILING = """
class Crash:
    name, observation, asked = "crash", "cards", 0

    def act(self, observation, info):
        self.asked += 1
        return 1 if self.asked < 600 else self.fail()

    def fail(self):
        return {}["missing"]

class Odd(Crash):
    def fail(self):
        raise ValueError("cannot decide")

class Illegal(Crash):
    def fail(self):
        return -7
"""


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("Crash", r"crash has failed: KeyError: 'missing' \(.*bot\.py, line 10: "),
        ("Odd", r"crash has failed: ValueError: cannot decide \(.*bot\.py, line 14: "),
        ("Illegal", "action must be a legal id for player_.*; got -7"),
    ],
)
def test_a_players_own_error_is_named_and_finished_games_are_shown(tmp_path, capsys, kind, words):
    (tmp_path / "bot.py").write_text(FAILING)
    assert main(["league", f"{tmp_path / 'bot.py'}:{kind}", "caller", "--games", "1000"]) == 1
    said = capsys.readouterr()
    assert re.search(words, said.err)
    assert "Traceback" not in said.err
    assert "Stopped; this much is finished:" in said.out


def test_an_invalid_command_creates_no_store(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for wrong in (["caller"], ["caller", "folder", "--games", "0"]):
        assert main(["league", *wrong, "--store", "league.sqlite"]) == 2
    assert not (tmp_path / "league.sqlite").exists()


def test_the_command_shows_the_results_of_an_interrupted_league(tmp_path, monkeypatch, capsys):
    def interrupted(who, store, **arguments):
        play_league(who, store, **(arguments | {"games": 400}))
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("evolve.commands.league.play_league", interrupted)
    assert main(["league", "caller", "raiser", "--store", "league.sqlite"]) == 130
    said = capsys.readouterr().out
    assert "this much is finished and is stored" in said
    assert "2 players, 400 hands" in said


def test_a_league_uses_one_value_function(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    game = nlhe_env.Game.cash(num_hands=1, score="big_blinds")
    pair = [agents.make("random"), agents.make("caller")]
    for seed, name in enumerate(("before", "other")):
        agents.fit_value_function(pair, game, hands=1000, seed=seed, name=name).save(f"{name}.npz")
    value = agents.load_value_function("before.npz")
    league = ["league", "random", "caller", "raiser", "--store", "league.sqlite", "--until-sure"]
    known = [*league, "--variance-reduction", "aivat:value=before.npz"]
    assert main([*known, "--games", "2400", "--out", "out"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert f'variance reduced by "aivat", values of before.npz ({value.digest})' in said
    assert "anytime-valid interval" in said
    with (tmp_path / "out" / "league-pairs.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            low, pair_score, high = (float(row[key]) for key in ("sure_low", "pair", "sure_high"))
            assert low < pair_score < high
            assert low < float(row["pair_low"])
    (tmp_path / "before.npz").rename(tmp_path / "moved.npz")
    assert main([*league, "--games", "4800"]) == 2
    assert "before.npz does not exist" in capsys.readouterr().err
    assert main([*league, "--games", "4800", "--variance-reduction", "aivat:value=moved.npz"]) == 0
    capsys.readouterr()
    (tmp_path / "other.npz").rename(tmp_path / "before.npz")
    assert main([*league, "--games", "4800"]) == 2
    assert f"this league uses one with hash {value.digest}" in capsys.readouterr().err
    assert main([*league, "--games", "4800", "--variance-reduction", "aivat:value=before.npz"]) == 2
    assert "use another store" in capsys.readouterr().err
    method = "all-in:value=moved.npz"
    assert main(["league", "random", "caller", "--variance-reduction", method]) == 2
    assert "only as aivat:value=FILE" in capsys.readouterr().err


SLOW_BOT = """
import json, sys, time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "act":
        time.sleep(0.05)
        print(json.dumps({"type": "action", "id": message["id"], "action": "call"}), flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the command is split as a shell does")
def test_a_league_with_a_slow_bot_reports_progress_and_names_the_bot(tmp_path, monkeypatch, capsys):
    (tmp_path / "slow.py").write_text(SLOW_BOT)
    monkeypatch.setattr(league, "_FIRST_LINE_S", 0.3)
    bot = f"slow=process:{sys.executable} {tmp_path / 'slow.py'}"
    game = ["--games", "10", "--num-hands", "5", "--workers", "1"]
    assert main(["league", bot, "caller", *game]) == 0
    said = capsys.readouterr().out.splitlines()
    lines = [line for line in said if re.match(r"\d+ of 20 hands, ", line)]
    assert lines, said
    assert any("about" in line and " s left" in line for line in lines)
    assert any(re.search(r"waiting for slow \([\d,]+ ms a decision\)$", line) for line in lines)
    assert any(0 < int(line.split()[0]) < 20 for line in lines)


def test_games_of_a_running_chunk_count_once():
    bot = agents.ProcessPlayer([sys.executable])
    progress = league._LeagueProgress("hands", 100, {"bot": bot, "caller": None})
    assert progress.done == 0
    bot.report.hands = 30
    assert progress.done == 30
    progress.advance(30, 30)
    assert progress.done == 30
    bot.report.hands = 200
    assert progress.done == 100


@pytest.mark.slow
def test_a_chat_league_is_replayed_whatever_the_options_beside_play(tmp_path, capsys):
    first, again = tmp_path / "first.jsonl", tmp_path / "again.jsonl"
    games = ["pot-odds", "caller", "--games", "60", "--seed", "1"]

    def passive(request):
        can_call = "- call" in request["messages"][-1]["content"]
        return json.dumps({"action": "call" if can_call else "check"})

    def table(*options, name=""):
        player = ",".join([f"{name}chat:model=m", *options])
        assert main(["league", player, *games]) == 0
        said = capsys.readouterr().out
        return said[said.index("cash league") : said.index("bb/100: ")]

    for name in ("", "mine="):
        with chat_server(passive) as server:
            expected = table(f"url={server.url}", f"log={first}", "retries=1", name=name)
            asked = len(server.requests)
            options = f"log={again}", f"replay={first}", f"url={server.url}"
            assert table(*options, name=name) == expected
            assert asked == len(server.requests) > 0
        limits = ("max_requests=99999", "price_in=1", "price_out=2", "budget=9", "timeout=3")
        assert table(f"replay={first}", *limits, "url=http://127.0.0.1:1", name=name) == expected
        first.unlink()
        again.unlink()
