"""A room under people who behave, and under people who send anything at all."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from web_tables import cards_in, chips_in, in_room, look, may_know, text_of_hands, until

from agents.web.catalogue import Catalogue
from agents.web.table import action_probabilities
from agents.web.table.game import GAME_OVER, HAND_OVER, HUMAN_TO_ACT
from agents.web.table.participants import Connection, Refused
from nlhe_env.hand_history import read_hands

SEATS = ("human", "old-best", "human", "loose-aggressive")
SESSIONS = ("creator", "second", "watcher")

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)
KINDS = (
    *("act", "sit", "leave", "chance", "next", "pace", "pause", "step"),
    *("skip", "auto", "start", "again"),
    *("sit out", "beforehand", "buy", "say"),
)
wishes = st.fixed_dictionaries(
    {"type": st.sampled_from(KINDS) | st.text(max_size=5)},
    optional={
        "turn": st.integers(-3, 60) | json_values,
        "action": st.sampled_from(["fold", "call", "raise"]) | json_values,
        "to": st.integers(-10, 3000) | json_values,
        "pace": st.sampled_from(["max", "slow"]) | json_values,
        "on": json_values,
        "name": json_values,
        "seat": json_values,
    },
)
actions = st.builds(
    lambda action, to: {"type": "act", "turn": "now", "action": action, "to": to},
    st.sampled_from(["fold", "call", "raise"]),
    st.integers(0, 2000),
)


@pytest.fixture(autouse=True)
def _short_counts(monkeypatch):
    monkeypatch.setattr(action_probabilities, "_SECONDS", 0.01)


def check(room):
    """Nobody knows too much, and no chip is lost."""
    snapshot = room.state.snapshot
    for session in SESSIONS:
        view = room.view(session)
        known = may_know(
            snapshot.table,
            room.seat_of(session),
            over=snapshot.over,
            open_cards=snapshot.open_cards,
        )
        assert cards_in(view) <= known
        assert chips_in(view) == 4000


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.tuples(st.sampled_from(SESSIONS), json_values | wishes | actions | actions),
        max_size=40,
    )
)
def test_no_message_breaks_a_game_or_shows_hidden_cards(messages):
    async def play(room):
        for session in SESSIONS[:2]:
            room.sit(session, session)
        lines = {session: await look(room, session) for session in SESSIONS}
        await room.handle(lines["creator"], {"type": "pace", "pace": "max"})
        await room.handle(lines["creator"], {"type": "next"})
        for session, message in messages:
            if isinstance(message, dict) and message.get("turn") == "now":
                message = {**message, "turn": room.state.turn}
            before = room.state.snapshot.table.tobytes()
            moved = room.state.turn
            try:
                await room.handle(lines[session], message)
            except ValueError:
                if room.state.turn == moved:
                    assert room.state.snapshot.table.tobytes() == before
            check(room)
            await asyncio.sleep(0)
        assert not room.state.error
        check(room)

    in_room(play, *SEATS, hands_per_level=2)


def test_two_people_play_a_tournament():
    async def play(room):
        lines = {}
        for session in SESSIONS[:2]:
            room.sit(session, session)
        for session in SESSIONS:
            lines[session] = await look(room, session)
        await room.handle(lines["creator"], {"type": "pace", "pace": "max"})
        while room.state.phase != GAME_OVER:
            await until(room, lambda s: s.phase in (HUMAN_TO_ACT, HAND_OVER, GAME_OVER))
            state = room.state
            if state.phase == HAND_OVER:
                await room.handle(lines["creator"], {"type": "next"})
                await until(room, lambda s, turn=state.turn: s.turn != turn)
            elif state.phase == HUMAN_TO_ACT:
                actor = int(state.snapshot.table["actor"])
                session = next(s for s in SESSIONS if room.seat_of(s) == actor)
                assert "options" in room.view(session)
                others = [s for s in SESSIONS if s != session]
                assert not any("options" in room.view(other) for other in others)
                most = state.options["max_raise_to"]
                wish = {"type": "act", "turn": state.turn, "action": "raise", "to": most}
                if not most:
                    wish["action"] = "call"
                await room.handle(lines[session], wish)
            check(room)
        assert len(room.state.places) == 4
        view = room.view("watcher")
        assert "seed" in view
        for row, player in zip(view["styles"], room.state.snapshot.players, strict=True):
            told = {entry["label"]: entry["value"] for entry in row}
            assert told["Decisions"] == str(player["decisions"])
            assert re.fullmatch(r"\d+%|\N{EN DASH}", told["VPIP"])
        hands = read_hands(text_of_hands(room, "creator"))
        assert len(hands) == room.state.hands_played
        await room.handle(lines["second"], {"type": "again"})
        assert room.state.hands_played == 0

    in_room(play, *SEATS, hands_per_level=1)


def test_the_next_game_does_not_follow_from_the_seed_that_is_shown():
    async def play(room):
        line = await look(room, "creator")
        seeds = []
        for _ in range(3):
            await room.handle(line, {"type": "pace", "pace": "max"})
            await until(room, lambda state: state.phase == GAME_OVER)
            seeds.append(int(room.view("creator")["seed"]))
            assert room.view("creator")["setup"]["seed_chosen"] == (len(seeds) == 1)
            await room.handle(line, {"type": "again"})
        assert seeds[0] == 7  # which the host has chosen
        assert len({*seeds[1:]} - set(range(1000))) == 2

    in_room(play, "caller", "folder", mode="cash", hands=2, seed=7)


def test_messages_that_nobody_fetches_do_not_pile_up():
    line = Connection("slow")
    for number in range(1000):
        line.send({"number": number})
    assert [message["number"] for message in line.messages] == list(range(800, 1000))


def test_a_room_waits_for_all_people_or_for_the_start():
    async def play(room):
        room.sit("creator", "Ann")
        line = await look(room, "creator")
        assert room.view("creator")["waits"]
        with pytest.raises(Refused, match="seats are still open"):
            await room.handle(line, {"type": "act", "turn": 0, "action": "call"})
        stranger = await look(room, "stranger")
        for kind in ("start", "pace", "next", "again", "pause"):
            with pytest.raises(Refused, match="only those who play"):
                await room.handle(stranger, {"type": kind})
        await room.handle(stranger, {"type": "sit", "name": "Bob"})
        assert not room.view("creator")["waits"]
        assert room.view("stranger")["names"][2] == "Bob"
        with pytest.raises(Refused, match="already"):
            await room.handle(stranger, {"type": "sit"})
        with pytest.raises(Refused, match="no open seat"):
            room.sit("third")

    in_room(play, *SEATS)


def test_who_leaves_may_not_look_at_other_cards():
    async def play(room):
        room.sit("creator", "Ann")
        line = await look(room, "creator")
        await room.handle(line, {"type": "start"})
        await room.handle(line, {"type": "leave"})
        assert room.seat_of("creator") is None
        room.sit("other", "Bob")  # takes the first seat
        with pytest.raises(Refused, match="no open seat for you"):
            room.sit("creator")

    in_room(play, *SEATS)


def test_the_seat_of_somebody_absent_checks_and_folds():
    async def play(room):
        room.sit("creator", "Ann")
        line = await look(room, "creator")
        await room.handle(line, {"type": "pace", "pace": "max"})
        await room.handle(line, {"type": "start"})
        await room.handle(line, {"type": "leave"})
        await until(room, lambda state: state.phase == GAME_OVER)
        assert room.state.net[0] < 0

    in_room(play, "human", "caller", "human", hands_per_level=1)


def test_a_win_chance_is_told_to_its_player_alone():
    async def play(room):
        room.sit("creator", "Ann")
        line = await look(room, "creator")
        watcher = await look(room, "watcher")
        await room.handle(line, {"type": "pace", "pace": "max"})
        await until(room, lambda state: state.phase == HUMAN_TO_ACT)
        with pytest.raises(Refused, match="do not sit"):
            await room.handle(watcher, {"type": "chance"})
        await room.handle(line, {"type": "chance"})
        async with asyncio.timeout(120):
            while not line.messages:
                await asyncio.sleep(0.01)
        (answer,) = line.messages
        assert answer["opponents"] == 1
        assert answer["exact"]
        assert 0.2 < answer["equity"] < 0.9
        assert not watcher.messages

    in_room(play, "human", "caller")


def test_watching_can_be_paused_and_stepped():
    async def play(room):
        line = await look(room, "creator")
        await room.handle(line, {"type": "pause", "on": True})
        turn = room.state.turn
        await asyncio.sleep(0.05)
        assert room.state.turn == turn
        await room.handle(line, {"type": "step"})
        await until(room, lambda state: state.turn == turn + 1)
        assert cards_in(room.view("creator"))  # only players play: all cards are open

    in_room(play, "caller", "old-best", "raiser")


def test_programs_that_play_along_are_ended_with_the_table():
    command = f"process:{sys.executable} {Path(__file__).parents[3] / 'examples/bots/bot.py'}"
    seen = []

    async def play(room):
        line = await look(room, "creator")
        await room.handle(line, {"type": "pace", "pace": "max"})
        await until(room, lambda state: state.hands_played >= 3)
        seen.append(room._game._players[0])
        assert seen[0].pid is not None
        assert seen[0].report.failed == 0

    in_room(play, command, "caller", catalogue=Catalogue([command]), mode="cash")
    assert seen[0].pid is None


def test_a_heads_up_player_is_refused_at_a_larger_table():
    async def play(room):
        raise AssertionError("the room must not open")

    with pytest.raises(ValueError, match="nlbot-1 plays heads-up only"):
        in_room(play, "human", "nlbot-1", "caller")
