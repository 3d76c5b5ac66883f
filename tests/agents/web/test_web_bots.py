"""The faults of programs at a table in the browser, as viewers may know them."""

from __future__ import annotations

import asyncio
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import agents
import nlhe_env
from agents.web.catalogue import Catalogue
from agents.web.table.bots import report_of
from agents.web.table.game import GAME_OVER, HAND_OVER, HUMAN_TO_ACT, LiveGame
from agents.web.table.live_table import LiveTable
from agents.web.table.setup import GameSetup

BOT = """
import json, sys
asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready", "name": "Chatty"}', flush=True)
    elif message["type"] == "hand_start":
        print("I hold", message["hole_cards"], file=sys.stderr, flush=True)
    elif message["type"] == "act":
        asked += 1
        if asked > %d:
            raise RuntimeError("I did not think of this")
        print(json.dumps({"type": "action", "id": message["id"], "action": "bet"}), flush=True)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chatty.py").write_text(BOT % 1000)
    (tmp_path / "crashing.py").write_text(BOT % 0)
    return tmp_path


def at_table(seats, play) -> None:
    """A table with these seats, named on the command line."""

    async def run() -> None:
        named = [f"process:{sys.executable} {seat}" for seat in seats if seat.endswith(".py")]
        labels = iter(named)
        names = [next(labels) if seat.endswith(".py") else seat for seat in seats]
        setup = GameSetup(tuple(names), nlhe_env.Game.cash(num_hands=30), seed=3)
        pool = ThreadPoolExecutor(1)
        table = LiveTable("table", setup, Catalogue(named), creator="ann", pool=pool)
        try:
            await table.open()
            table.sit("ann", "Ann")
            await play(table)
        finally:
            await table.close()
            pool.shutdown()

    asyncio.run(run())


def play_to(game: LiveGame, until) -> None:
    for _ in range(2000):
        if until(game):
            return
        if game.phase == HUMAN_TO_ACT:
            game.act_for_absent()
        else:
            game.advance()
    raise AssertionError("it never came to that")


def test_all_viewers_see_strikes_and_those_who_cannot_profit_see_words(folder):
    async def play(table):
        game = table._game
        # What it writes to standard error may come in later than its answer, and word by word.
        play_to(
            game,
            lambda game: (
                game.phase == HUMAN_TO_ACT
                and game.state().bots[1].error_output.startswith("I hold ")
            ),
        )
        table.state = game.state()
        report = table.state.bots[1]
        for viewer in ("ann", "another viewer"):
            bot = table.view(viewer)["bots"]["1"]
            assert bot["strikes"] == {"illegal": report.failed}
            assert "I hold" not in json.dumps(table.view(viewer))
            assert "error_output" not in bot
        play_to(game, lambda game: game.phase == GAME_OVER)
        table.state = game.state()
        bot = table.view("ann")["bots"]["1"]
        assert bot["error_output"].startswith("I hold ")
        assert bot["last"].startswith('illegal: "action" must be fold, check, call or raise')

    at_table(["human", "chatty.py"], play)


def test_the_last_words_of_a_bot_that_has_forfeited_are_shown_once_its_cards_do_not_matter(folder):
    async def play(table):
        game = table._game
        play_to(game, lambda game: game.state().bots[1].forfeited)
        for phase in (HUMAN_TO_ACT, HAND_OVER):
            play_to(game, lambda game: game.phase == phase)  # noqa: B023
            table.state = game.state()
            bot = table.view("ann")["bots"]["1"]
            assert bot["forfeited"]
            in_hand = table.view("ann")["table"]["seats"][1]["state"] == "in"
            hidden = phase == HUMAN_TO_ACT and in_hand
            assert ("error_output" in bot) != hidden
        assert "I did not think of this" in bot["error_output"]

    at_table(["human", "crashing.py"], play)


def test_where_only_programs_play_everything_is_reported(folder):
    setup = GameSetup(("caller", "chatty"), nlhe_env.Game.cash(num_hands=2), seed=3)
    bot = agents.make(f"process:{sys.executable} chatty.py")
    game = LiveGame(setup, [agents.make("caller"), bot], ["Caller", "Chatty"])
    play_to(game, lambda game: game.state().bots.get(1) and game.state().bots[1].strikes)
    game.close()
    assert report_of(agents.make("caller")) is None
    assert report_of(bot).strikes == {"illegal": 1}


def test_illegal_answers_of_chat_models_are_strikes():
    player = agents.ChatPlayer("m", url="http://127.0.0.1:9")
    assert report_of(player).strikes == {}
    player.report.decisions, player.report.illegal = 4, 3
    player.report.invalid.add("illegal amount", "raise to 3")
    report = report_of(player)
    assert (report.decisions, report.failed, report.strikes) == (4, 1, {"illegal": 3})
    assert not report.forfeited
