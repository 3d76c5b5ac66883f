"""Programs at a table in the browser: refused when dead, and told about when they do wrong."""

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
from agents.web.table.bots import note_of
from agents.web.table.game import GAME_OVER, HAND_OVER, HUMAN_TO_ACT, LiveGame
from agents.web.table.room import Room
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
    (tmp_path / "dead.py").write_text("raise SystemExit('no weights found')")
    (tmp_path / "chatty.py").write_text(BOT % 1000)
    (tmp_path / "crashing.py").write_text(BOT % 0)
    return tmp_path


def in_room(seats, play) -> None:
    """A room with these seats, named on the command line."""

    async def run() -> None:
        named = [f"process:{sys.executable} {seat}" for seat in seats if seat.endswith(".py")]
        labels = iter(named)
        names = [next(labels) if seat.endswith(".py") else seat for seat in seats]
        setup = GameSetup(tuple(names), nlhe_env.Game.cash(num_hands=30), seed=3)
        pool = ThreadPoolExecutor(1)
        room = Room("room", setup, Catalogue(named), creator="ann", pool=pool)
        try:
            await room.open()
            room.sit("ann", "Ann")
            await play(room)
        finally:
            await room.close()
            pool.shutdown()

    asyncio.run(run())


def test_a_bot_that_does_not_start_is_no_player_of_a_game(folder):
    with pytest.raises(RuntimeError, match=r"(?s)does not play.*no weights found"):
        in_room(["human", "caller", "dead.py"], None)


def test_a_bot_sits_under_the_name_that_it_gives_itself(folder):
    async def play(room):
        assert room.state.names == ("Ann", "Chatty")
        assert room.view("ann")["bots"]["1"]["strikes"] == {}

    in_room(["human", "chatty.py"], play)


def play_to(game: LiveGame, until) -> None:
    for _ in range(2000):
        if until(game):
            return
        if game.phase == HUMAN_TO_ACT:
            game.act_for_absent()
        else:
            game.advance()
    raise AssertionError("it never came to that")


def test_strikes_are_for_everybody_and_words_for_those_who_cannot_profit(folder):
    async def play(room):
        game = room._game
        # What it writes to standard error may come in later than its answer, and word by word.
        play_to(
            game,
            lambda game: (
                game.phase == HUMAN_TO_ACT
                and game.state().bots[1].error_output.startswith("I hold ")
            ),
        )
        room.state = game.state()
        note = room.state.bots[1]
        for viewer in ("ann", "somebody else"):
            bot = room.view(viewer)["bots"]["1"]
            assert bot["strikes"] == {"illegal": note.failed}
            assert "I hold" not in json.dumps(room.view(viewer))
            assert "error_output" not in bot
        play_to(game, lambda game: game.phase == GAME_OVER)
        room.state = game.state()
        bot = room.view("ann")["bots"]["1"]
        assert bot["error_output"].startswith("I hold ")
        assert bot["last"].startswith('illegal: "action" must be fold, check, call or raise')

    in_room(["human", "chatty.py"], play)


def test_the_last_words_of_a_bot_that_has_forfeited_are_told_once_its_cards_do_not_matter(folder):
    async def play(room):
        game = room._game
        play_to(game, lambda game: game.state().bots[1].forfeited)
        for phase in (HUMAN_TO_ACT, HAND_OVER):
            play_to(game, lambda game: game.phase == phase)  # noqa: B023
            room.state = game.state()
            bot = room.view("ann")["bots"]["1"]
            assert bot["forfeited"]
            in_hand = room.view("ann")["table"]["seats"][1]["state"] == "in"
            hidden = phase == HUMAN_TO_ACT and in_hand
            assert ("error_output" in bot) != hidden
        assert "I did not think of this" in bot["error_output"]

    in_room(["human", "crashing.py"], play)


def test_where_only_programs_play_everything_is_told(folder):
    setup = GameSetup(("caller", "chatty"), nlhe_env.Game.cash(num_hands=2), seed=3)
    bot = agents.make(f"process:{sys.executable} chatty.py")
    game = LiveGame(setup, [agents.make("caller"), bot], ["Caller", "Chatty"])
    play_to(game, lambda game: game.state().bots.get(1) and game.state().bots[1].strikes)
    game.close()
    assert note_of(agents.make("caller")) is None
    assert note_of(bot).strikes == {"illegal": 1}
