"""Bots and all that they have started end with their player, and with its process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from bot_processes import BOTS, PYTHON, ROOT, faulty, is_there, noted_pids, vanishes
from interrupts import interruptible

import agents
import nlhe_env

pytestmark = pytest.mark.skipif(os.name != "posix", reason="looks at processes as POSIX does")


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
