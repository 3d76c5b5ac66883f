"""Bots in separate programs: the protocol, and all their possible faults."""

import copy
import json
import os
import pickle
import runpy
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest
from bot_processes import BOTS, PYTHON, ROOT, faulty, is_there, noted_pids, vanishes
from helpers import deal
from interrupts import interruptible

import agents
import nlhe_env
from agents.acpc import CLIENT, Dealer, competition_game
from agents.external.chips import describe_turn

pytestmark = pytest.mark.skipif(os.name != "posix", reason="looks at processes as POSIX does")


def play_hands(player: agents.Player, hands: int = 12, **arguments: Any) -> dict[str, float]:
    """A cash game against two compiled players; chips are conserved in every hand."""
    arguments = {"mode": "cash", "num_hands": hands, "blinds": (10, 20), **arguments}
    env = nlhe_env.raw_env(3, **{"actions": "chips", **arguments})
    players = {
        "player_0": player,
        "player_1": agents.make("caller"),
        "player_2": agents.make("random"),
    }
    totals = agents.play_episode(env, players, seed=11)
    assert sum(totals.values()) == 0
    assert env.tables["stack"].sum() == sum(env.stacks)
    assert env.game_record["round"][0] == hands
    return totals


# --- what goes well -------------------------------------------------------------------------------


@pytest.fixture
def reference() -> list[str]:
    return [*PYTHON, str(BOTS / "bot.py")]


def test_a_bot_plays_a_tournament_and_exits(reference):
    env = nlhe_env.env(4, actions="chips")
    with agents.ProcessPlayer(reference) as player:
        assert player.pid is None
        players = dict.fromkeys(env.possible_agents, player)  # one program in all seats
        totals = agents.play_episode(env, players, seed=3)
        pid = player.pid
        assert is_there(pid)
    assert not is_there(pid)
    assert sum(totals.values()) == 0
    assert player.name == "Counter"
    assert player.report.decisions > 20
    assert player.report.failed == 0
    assert player.report.strikes == {}


def test_the_same_seed_gives_the_same_game(reference):
    totals = []
    for _ in range(2):
        with agents.ProcessPlayer(reference) as player:
            totals.append(play_hands(player))
    assert totals[0] == totals[1]


@pytest.mark.parametrize("actions", ["chips", (0.5, 1.0), (0.1, 0.2, 0.4, 0.8)])
@pytest.mark.parametrize("betting", ["no-limit", "pot-limit", "fixed-limit"])
def test_bots_play_in_action_spaces_with_amounts(reference, actions, betting):
    with agents.ProcessPlayer(reference) as player:
        play_hands(player, actions=actions, betting=betting)
        assert player.report.strikes == {}


def test_sized_actions_are_refused_before_play(reference):
    with pytest.raises(ValueError, match=r'player_0 returns chips: use actions="chips"'):
        play_hands(agents.ProcessPlayer(reference), actions="sized")


def test_a_bot_plays_in_a_custom_loop(reference):
    env = deal([1000] * 2, num_hands=5)
    with agents.make("process:" + " ".join(reference)) as player:
        while env.agents:
            observation, _, termination, truncation, info = env.last()
            env.step(None if termination or truncation else player.act(observation, info))
        assert player.report.decisions > 5
        assert player.report.strikes == {}
    env = nlhe_env.raw_env(2, infos="full")
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r'needs actions="chips".*got 5 actions'):
        player.act(env.observe(env.agent_selection), env.infos[env.agent_selection])


def test_a_bot_is_an_opponent_in_gymnasium(reference):
    with agents.ProcessPlayer(reference) as player:
        env = nlhe_env.NoLimitHoldemEnv([player, "caller"], actions="chips", num_hands=5)
        env.reset(seed=5)
        done = False
        while not done:
            _, _, terminated, truncated, _ = env.step(1)
            done = terminated or truncated
        assert player.report.decisions > 3
        assert player.report.strikes == {}


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_the_c_bot_plays(tmp_path):
    program = str(tmp_path / "bot")
    warnings = ["-Wall", "-Wextra", "-Werror", "-O1"]
    subprocess.run(["cc", *warnings, "-o", program, str(BOTS / "bot.c")], check=True)
    with agents.ProcessPlayer([program]) as player:
        play_hands(player, hands=30)
        assert player.name == "Cee"
        assert player.report.strikes == {}


def test_the_reference_bot_is_short():
    assert len((BOTS / "bot.py").read_text().splitlines()) < 100


def test_copies_start_their_own_programs(reference):
    with agents.ProcessPlayer(reference) as player:
        player.start()
        for twin in (copy.deepcopy(player), pickle.loads(pickle.dumps(player))):
            assert twin.pid is None
            twin.start()
            assert twin.pid not in (None, player.pid)
            twin.close()
        assert is_there(player.pid)


def test_a_garbage_collected_player_leaves_no_process(reference):
    player = agents.ProcessPlayer(reference)
    player.start()
    pid = player.pid
    del player
    assert vanishes(pid)


def test_a_closed_player_starts_again(reference):
    player = agents.ProcessPlayer(reference)
    for _ in range(2):
        play_hands(player, hands=2)
        player.close()
    assert player.report.restarts == 0
    assert player.report.strikes == {}


# --- the protocol ---------------------------------------------------------------------------------


def test_the_documented_session_is_a_real_one():
    script = runpy.run_path(str(ROOT / "docs" / "external_session.py"))
    page = (ROOT / "docs" / "external-bots.md").read_text()
    assert page == script["with_session"](page)


def test_every_field_is_documented(tmp_path):
    log = tmp_path / "log"
    bot = ["sh", "-c", f"tee {log} | {' '.join(PYTHON)} {BOTS / 'bot.py'}"]
    with agents.ProcessPlayer(bot) as player:
        play_hands(player, hands=3, mode="tournament", num_hands=3)
    page = (ROOT / "docs" / "external-bots.md").read_text()
    messages = [json.loads(line) for line in log.read_text().splitlines()]
    kinds = {message["type"] for message in messages}
    assert kinds == {
        "hello", "episode_start", "hand_start", "act", "hand_end", "episode_end", "bye"
    }  # fmt: skip
    for message in messages:
        for name in message:
            assert f"`{name}`" in page, name


def test_a_turn_message_matches_the_table():
    env = deal([1000, 500, 2000], blinds=(10, 20, 5), button=0, hole_cards={0: "AsKd"})
    turn = describe_turn(env, [])
    assert turn["seat"] == turn["button"] == 0
    assert (turn["small_blind"], turn["big_blind"], turn["ante"]) == (10, 20, 5)
    assert turn["hole_cards"] == "AsKd"
    assert turn["seats"] == [
        {"player": "player_0", "stack": 995, "bet": 0, "in_pot": 5, "state": "in"},
        {"player": "player_1", "stack": 485, "bet": 10, "in_pot": 15, "state": "in"},
        {"player": "player_2", "stack": 1975, "bet": 20, "in_pot": 25, "state": "in"},
    ]
    env.step(0)
    env.step(495)
    states = [seat["state"] for seat in describe_turn(env, None)["seats"]]
    assert states == ["folded", "all-in", "in"]


@pytest.mark.parametrize("name", ["", "process:", "process:   "])
def test_a_command_must_name_a_program(name):
    if name:
        with pytest.raises(ValueError, match="must name a program"):
            agents.make(name)
    else:
        with pytest.raises(ValueError, match="must name a program"):
            agents.ProcessPlayer([])


def test_an_unparsable_command_is_named():
    with pytest.raises(ValueError, match=r"got 'python \"x': No closing quotation"):
        agents.make('process:python "x')


def test_a_missing_program_is_refused(tmp_path):
    with pytest.raises(ValueError, match="there is no program 'no-such-bot'"):
        agents.make("process:no-such-bot --fast")
    with pytest.raises(ValueError, match="there is no program"):
        agents.ProcessPlayer("./bot", cwd=tmp_path)
    with pytest.raises(ValueError, match="forfeit_after must be at least 1; got 0"):
        agents.ProcessPlayer("sh", forfeit_after=0)
    for wrong in (float("nan"), 0.0, "2"):
        with pytest.raises(ValueError, match="seconds_per_decision must be"):
            agents.ProcessPlayer("sh", seconds_per_decision=wrong)
    with pytest.raises(ValueError, match="max_restarts must be a whole number"):
        agents.ProcessPlayer("sh", max_restarts=0.5)


# --- taking a seat --------------------------------------------------------------------------------


def test_a_bot_that_does_not_start_is_refused_with_its_error_output(tmp_path):
    player = faulty("crash-at-start", tmp_path)
    refused = r"faulty_bot.*failed to start: ended with code 1: 'no weights found'; expected"
    for seat in (player.start, player.take_seat, lambda: play_hands(player)):
        with pytest.raises(RuntimeError, match=refused):
            seat()
    assert player.report.decisions == 0
    assert not player.report.forfeited
    assert not any(map(is_there, noted_pids(tmp_path)))


def test_a_silent_bot_is_refused(tmp_path):
    player = faulty("hang-at-start", tmp_path, seconds_to_start=0.2)
    with pytest.raises(RuntimeError, match=r'failed to start: no "ready" within 0\.2 seconds'):
        play_hands(player)
    assert not any(map(is_there, noted_pids(tmp_path)))


def test_a_bot_that_has_played_is_not_refused_later(tmp_path):
    with faulty("cannot-start-again", tmp_path, seconds_per_decision=60) as player:
        play_hands(player)
        assert player.report.strikes == {"gone": 1, "no start": 3}
        play_hands(player)
    with pytest.raises(RuntimeError, match="has forfeited: make a new player"):
        player.take_seat()  # it was closed: this is a new beginning
    with pytest.raises(RuntimeError, match="no weights left"):
        faulty("cannot-start-again", tmp_path).take_seat()


def test_any_player_may_decline_its_seat():
    class Shy:
        def take_seat(self):
            raise RuntimeError("not today")

        def act(self, observation, info):
            return 1

    with pytest.raises(RuntimeError, match="not today"):
        play_hands(Shy())


def test_a_dealer_refuses_a_bot_before_it_waits_for_clients(tmp_path):
    seats = [CLIENT, faulty("crash-at-start", tmp_path)]
    with (
        Dealer(competition_game(), 3, seats) as dealer,
        pytest.raises(RuntimeError, match="no weights found"),
    ):
        dealer.play()


# --- what goes wrong ------------------------------------------------------------------------------

# Fault -> the reason that is reported and whether the bot forfeits in a game of 12 hands.
FAULTS = {
    "hang": ("late", True),
    "crash": ("gone", True),
    "crash-at-third": ("gone", True),
    "garbage": ("unreadable", True),
    "list": ("unreadable", True),
    "nested": ("unreadable", True),
    "garbage-first": ("unreadable", True),
    "action-is-a-list": ("unreadable", True),
    "wrong-number": ("out of turn", False),
    "twice": ("out of turn", False),
    "out-of-turn": ("out of turn", False),
    "flood-lines": ("flood", True),
    "flood-one-line": ("flood", True),
    "flood-errors": (None, False),
    "close-input": ("gone", True),
    "close-output": ("gone", True),
    "illegal-word": ("illegal", True),
    "illegal-amount": ("illegal", True),
    "illegal-number": ("illegal", True),
    "illegal-truth": ("illegal", True),
    "illegal-check": ("illegal", True),
    "stubborn": (None, False),
    "child": (None, False),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_game_survives_a_faulty_bot(fault, tmp_path):
    reason, forfeits = FAULTS[fault]
    patient = 60.0 if reason != "late" else 0.05
    with faulty(fault, tmp_path, seconds_per_decision=patient) as player:
        play_hands(player)
        report = player.report
    strikes = set(report.strikes)
    if fault == "flood-lines":  # it may die of the output that is closed behind it
        strikes -= {"unreadable", "gone"}
    assert strikes == ({reason} if reason else set())
    assert report.forfeited == forfeits
    assert report.decisions >= 12
    assert bool(report.failed) == forfeits
    assert all(reason in str(report) for reason in report.strikes)
    assert noted_pids(tmp_path)
    for pid in noted_pids(tmp_path):
        assert vanishes(pid)


@pytest.mark.parametrize(("size", "strikes"), [(65_536, {"out of turn"}), (65_537, {"flood"})])
def test_a_line_may_be_as_long_as_documented_and_no_longer(size, strikes, tmp_path):
    with faulty(f"line-of-{size}", tmp_path, seconds_per_decision=60) as player:
        play_hands(player)
        assert player.report.strikes.keys() == strikes
    assert "a line of more than 64 KiB" in (ROOT / "docs" / "external-bots.md").read_text()


def test_the_first_strike_of_a_kind_and_the_forfeit_are_logged(tmp_path, caplog):
    with faulty("garbage", tmp_path, seconds_per_decision=60, forfeit_after=3) as player:
        play_hands(player)
    assert player.report.strikes == {"unreadable": 3}
    first, forfeit = (record.getMessage() for record in caplog.records)
    assert first.startswith("bot garbage: unreadable: not JSON: ")
    assert forfeit.startswith("bot garbage forfeits: 3 decisions in a row")


def test_a_silent_restart_does_not_hide_the_previous_crash_reason(tmp_path):
    with faulty("crash-once", tmp_path, seconds_per_decision=60) as player:
        play_hands(player)
        assert player.report.last_words == "out of ideas\n"
    assert player.report.last_words == "out of ideas\n"
    assert player.report.restarts == 1


def test_a_report_ends_with_sanitised_error_output(tmp_path):
    with faulty("crash", tmp_path, seconds_per_decision=60, max_restarts=0) as player:
        play_hands(player)
    assert str(player.report).endswith("the end of its error output:\n    out of ideas")
    player.report.last_words = "".join(f"line {i} \x1b[2J\n" for i in range(40))
    lines = player.report.error_output().splitlines()
    assert (len(lines), lines[-1]) == (12, "line 39  [2J")


def test_a_late_answer_is_not_used_for_the_next_turn(tmp_path):
    with faulty("late", tmp_path, seconds_per_decision=0.1, forfeit_after=100) as player:
        play_hands(player, hands=3)
        report = player.report
        assert report.strikes.keys() == {"late"}  # each counted once
        assert report.failed == report.strikes["late"]
        assert report.restarts == 0


def test_a_crashed_bot_is_restarted_and_continues(tmp_path):
    with faulty("crash-at-third", tmp_path, seconds_per_decision=60, max_restarts=100) as player:
        play_hands(player)
        report = player.report
    assert report.restarts == report.strikes["gone"] == report.failed == report.decisions // 3
    assert not report.forfeited
    assert "SIGSEGV" in report.last_strikes[0].detail


def test_a_bot_that_crashes_too_often_is_not_restarted(tmp_path):
    with faulty(
        "crash", tmp_path, seconds_per_decision=60, max_restarts=2, forfeit_after=99
    ) as player:
        play_hands(player)
        report = player.report
    assert report.restarts == 2
    assert report.strikes == {"gone": 3}
    assert len(noted_pids(tmp_path)) == 3
    assert report.last_strikes[0].detail == "ended with code 3: 'out of ideas'"
    assert report.last_words == "out of ideas\n"


def test_a_bot_that_forfeits_is_not_asked_again(tmp_path):
    with faulty("hang", tmp_path, forfeit_after=3) as player:
        start = time.monotonic()
        play_hands(player)
        wall_s = time.monotonic() - start
        report = player.report
        assert player.pid is None
    assert report.strikes == {"late": 3}
    assert report.failed == report.decisions > 3
    assert 0.15 <= report.seconds < wall_s


def test_a_bot_that_does_not_read_its_input_does_not_block_the_game(tmp_path):
    with faulty("never-read", tmp_path, max_restarts=0, forfeit_after=10_000) as player:
        player.start()
        for _ in range(400):
            player.on_hand_start({"text": "x" * 1000})
            player.decide({"to_call": 20, "min_raise_to": 40, "max_raise_to": 100})
            if player.report.forfeited:
                break
            player.seconds_per_decision = 0.001
        assert player.report.strikes["not reading"] == 1
    assert not any(map(is_there, noted_pids(tmp_path)))


# --- the ends of bots -----------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["stubborn", "hang"])
def test_a_bot_that_ignores_termination_is_killed(fault, tmp_path):
    player = faulty(fault, tmp_path)
    env = nlhe_env.raw_env(2, mode="cash", actions="chips")
    agents.play_episode(env, {"player_0": player, "player_1": "caller"}, seed=11)
    start = time.monotonic()
    player.close()
    assert time.monotonic() - start < 60.0  # by itself it would not end at all
    assert not any(map(is_there, noted_pids(tmp_path)))


def test_a_program_in_the_current_folder_is_found_as_in_a_shell(tmp_path, monkeypatch):
    bot = tmp_path / "my-bot"
    bot.write_text(f"#!{sys.executable}\n{(BOTS / 'bot.py').read_text()}")
    bot.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    with agents.make("process:./my-bot") as player:
        player.start()
        assert player.identity == "./my-bot"
    with pytest.raises(ValueError, match=r"there is no program '\./other'"):
        agents.make("process:./other")


HOST = """
    import sys, time
    import agents
    command, how = sys.argv[2:], sys.argv[1]
    player = agents.ProcessPlayer(command, seconds_to_stop=0.05)
    player.start()
    print(player.pid, flush=True)
    if how != "exit":
        time.sleep(600)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks into /proc")
@pytest.mark.parametrize("how", ["session", "daemon"])
@pytest.mark.parametrize("end", ["close", "host dies"])
def test_no_child_process_of_a_bot_outlives_it(how, end, tmp_path):
    bot = [*PYTHON, str(ROOT / "tests" / "faulty_bot.py"), f"child-{how}", str(tmp_path)]
    if end == "close":
        with agents.ProcessPlayer(bot) as player:
            player.start()
            pids = noted_pids(tmp_path)
            assert len(pids) == 2
            assert all(map(is_there, pids))
    else:
        command = [sys.executable, "-c", textwrap.dedent(HOST), "SIGKILL", *bot]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as host:
            host.stdout.readline()
            pids = noted_pids(tmp_path)
            assert len(pids) == 2
            host.kill()
    assert all(map(vanishes, pids))


@pytest.mark.parametrize("how", ["exit", "SIGKILL", "SIGINT"])
@interruptible()
def test_no_bot_outlives_its_host(how, tmp_path):
    bot = [*PYTHON, str(ROOT / "tests" / "faulty_bot.py"), "stubborn", str(tmp_path)]
    host = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(HOST), how, *bot],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd=ROOT,
    )
    with host:
        pid = int(host.stdout.readline())
        if how != "exit":
            os.killpg(host.pid, getattr(signal, how))  # as Ctrl-C does: the whole group
    assert vanishes(pid)
