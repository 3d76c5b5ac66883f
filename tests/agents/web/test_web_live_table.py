"""A table under people who behave, and under people who send anything at all."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from web_tables import at_table, cards_in, chips_in, look, may_know, text_of_hands, until

from agents.web.catalogue import Catalogue
from agents.web.table import hand_equity, live_table, participants
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
    *("act", "sit", "leave", "equity", "next hand", "pace", "pause", "step"),
    *("skip", "auto deal", "start", "new game"),
    *("sit out", "auto action", "rebuy", "show", "chat"),
)
requests = st.fixed_dictionaries(
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
    monkeypatch.setattr(hand_equity, "_SECONDS", 0.01)


def check(table):
    """No viewer knows too much, and no chip is lost."""
    snapshot = table.state.snapshot
    for session in SESSIONS:
        view = table.view(session)
        known = may_know(
            snapshot.table,
            table.seat_of(session),
            over=snapshot.over,
            open_cards=snapshot.open_cards,
        )
        assert cards_in(view) <= known
        assert chips_in(view) == 4000


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.tuples(st.sampled_from(SESSIONS), json_values | requests | actions | actions),
        max_size=40,
    )
)
def test_no_message_breaks_a_game_or_shows_hidden_cards(messages):
    async def play(table):
        for session in SESSIONS[:2]:
            table.sit(session, session)
        lines = {session: await look(table, session) for session in SESSIONS}
        await table.handle(lines["creator"], {"type": "pace", "pace": "max"})
        await table.handle(lines["creator"], {"type": "next hand"})
        for session, message in messages:
            if isinstance(message, dict) and message.get("turn") == "now":
                message = {**message, "turn": table.state.turn}
            before = table.state.snapshot.table.tobytes()
            moved = table.state.turn
            try:
                await table.handle(lines[session], message)
            except ValueError:
                if table.state.turn == moved:
                    assert table.state.snapshot.table.tobytes() == before
            check(table)
            await asyncio.sleep(0)
        assert not table.state.error
        check(table)

    at_table(play, *SEATS, hands_per_level=2)


def test_two_people_play_a_tournament():
    async def play(table):
        lines = {}
        for session in SESSIONS[:2]:
            table.sit(session, session)
        for session in SESSIONS:
            lines[session] = await look(table, session)
        await table.handle(lines["creator"], {"type": "pace", "pace": "max"})
        while table.state.phase != GAME_OVER:
            await until(table, lambda s: s.phase in (HUMAN_TO_ACT, HAND_OVER, GAME_OVER))
            state = table.state
            if state.phase == HAND_OVER:
                await table.handle(lines["creator"], {"type": "next hand"})
                await until(table, lambda s, turn=state.turn: s.turn != turn)
            elif state.phase == HUMAN_TO_ACT:
                actor = int(state.snapshot.table["actor"])
                session = next(s for s in SESSIONS if table.seat_of(s) == actor)
                assert "options" in table.view(session)
                others = [s for s in SESSIONS if s != session]
                assert not any("options" in table.view(other) for other in others)
                most = state.options["max_raise_to"]
                request = {"type": "act", "turn": state.turn, "action": "raise", "to": most}
                if not most:
                    request["action"] = "call"
                await table.handle(lines[session], request)
            check(table)
        assert len(table.state.places) == 4
        view = table.view("watcher")
        assert "seed" in view
        for row, player in zip(view["styles"], table.state.snapshot.players, strict=True):
            values = {entry["label"]: entry["value"] for entry in row}
            assert values["Decisions"] == str(player["decisions"])
            assert re.fullmatch(r"\d+%|\N{EN DASH}", values["VPIP"])
        hands = read_hands(text_of_hands(table, "creator"))
        assert len(hands) == table.state.hands_played
        await table.handle(lines["second"], {"type": "new game"})
        assert table.state.hands_played == 0

    at_table(play, *SEATS, hands_per_level=1)


def test_the_next_game_is_not_predictable_from_the_shown_seed():
    async def play(table):
        line = await look(table, "creator")
        seeds = []
        for _ in range(3):
            await table.handle(line, {"type": "pace", "pace": "max"})
            await until(table, lambda state: state.phase == GAME_OVER)
            seeds.append(int(table.view("creator")["seed"]))
            assert table.view("creator")["setup"]["seed_chosen"] == (len(seeds) == 1)
            await table.handle(line, {"type": "new game"})
        assert seeds[0] == 7  # which the host has chosen
        assert len({*seeds[1:]} - set(range(1000))) == 2

    at_table(play, "caller", "folder", mode="cash", num_hands=2, seed=7)


def test_two_people_who_press_new_game_start_one_game():
    async def play(table):
        lines = []
        for session in SESSIONS[:2]:
            table.sit(session, session)
            lines.append(await look(table, session))
        turn, actor = table.state.turn, int(table.state.snapshot.table["actor"])
        await table.handle(lines[actor], {"type": "act", "turn": turn, "action": "fold"})
        assert table.state.phase == GAME_OVER
        make, games = table._make_game, []

        def count(saved):
            games.append(make(saved))
            return games[-1]

        table._make_game = count
        request = {"type": "new game", "turn": table.state.turn}
        await asyncio.gather(*(table.handle(line, request) for line in lines))
        assert games == [table._game]

    at_table(play, "human", "human", mode="cash", num_hands=1)


def test_messages_that_are_not_fetched_do_not_pile_up():
    line = Connection("slow")
    for number in range(1000):
        line.send({"number": number})
    assert [message["number"] for message in line.messages] == list(range(800, 1000))


def test_a_table_waits_for_all_people_or_for_the_start():
    async def play(table):
        table.sit("creator", "Ann")
        line = await look(table, "creator")
        view = table.view("creator")
        assert view["waits"]
        assert not cards_in(view)
        assert "options" not in view  # nobody can act yet
        assert view["table"]["actor"] is None
        for request in ({"type": "act", "turn": 0, "action": "call"}, {"type": "equity"}):
            with pytest.raises(Refused, match="seats are still open"):
                await table.handle(line, request)
        stranger = await look(table, "stranger")
        for kind in ("start", "pace", "next hand", "new game", "pause"):
            with pytest.raises(Refused, match="only seated players"):
                await table.handle(stranger, {"type": kind})
        await table.handle(stranger, {"type": "sit", "name": "Bob"})
        assert not table.view("creator")["waits"]
        assert len(cards_in(table.view("creator"))) == 2
        assert table.view("stranger")["names"][2] == "Bob"
        with pytest.raises(Refused, match="already"):
            await table.handle(stranger, {"type": "sit"})
        with pytest.raises(Refused, match="no open seat"):
            table.sit("third")

    at_table(play, *SEATS)


def test_a_leaving_participant_cannot_see_other_cards():
    async def play(table):
        table.sit("creator", "Ann")
        line = await look(table, "creator")
        await table.handle(line, {"type": "start"})
        await table.handle(line, {"type": "leave"})
        assert table.seat_of("creator") is None
        table.sit("other", "Bob")  # takes the first seat
        with pytest.raises(Refused, match="no open seat for you"):
            table.sit("creator")

    at_table(play, *SEATS)


def test_the_seat_of_an_absent_person_checks_and_folds():
    async def play(table):
        table.sit("creator", "Ann")
        line = await look(table, "creator")
        await table.handle(line, {"type": "pace", "pace": "max"})
        await table.handle(line, {"type": "start"})
        await table.handle(line, {"type": "leave"})
        await until(table, lambda state: state.phase == GAME_OVER)
        assert table.state.net[0] < 0

    at_table(play, "human", "caller", "human", hands_per_level=1)


def test_an_equity_is_sent_to_its_player_alone():
    async def play(table):
        table.sit("creator", "Ann")
        line = await look(table, "creator")
        watcher = await look(table, "watcher")
        await table.handle(line, {"type": "pace", "pace": "max"})
        await until(table, lambda state: state.phase == HUMAN_TO_ACT)
        with pytest.raises(Refused, match="not seated"):
            await table.handle(watcher, {"type": "equity"})
        await table.handle(line, {"type": "equity"})
        async with asyncio.timeout(120):
            while not line.messages:
                await asyncio.sleep(0.01)
        (answer,) = line.messages
        assert answer["opponents"] == 1
        assert answer["exact"]
        assert 0.2 < answer["equity"] < 0.9
        assert not watcher.messages

    at_table(play, "human", "caller")


async def rests(table):
    """Wait until nothing has happened for a while; a step may be under way before."""
    turn = None
    async with asyncio.timeout(120):
        while table.state.turn != turn:
            turn = table.state.turn
            await asyncio.sleep(0.5)


def test_a_table_that_nobody_watches_rests_but_clocks_of_people_run(monkeypatch):
    async def play(table):
        line = await look(table, "creator")
        if table.setup.humans:
            table.sit("creator", "Ann")
            await table.handle(line, {"type": "auto deal", "on": True})
        await table.handle(line, {"type": "pace", "pace": "max"})
        await until(table, lambda state: state.hands_played >= 2)
        monkeypatch.setattr(participants, "_AWAY_S", 0.0)
        table.leave(line)
        await until(table, lambda state: state.phase != HUMAN_TO_ACT)  # Ann's time runs out
        await rests(table)
        turn = table.state.turn
        await look(table, "watcher")
        await until(table, lambda state: state.turn > turn)

    at_table(play, "caller", "folder", mode="cash")
    monkeypatch.undo()
    monkeypatch.setattr(live_table, "_AUTO_DEAL_S", 0.0)
    at_table(play, "human", "caller", mode="cash", clock=1, stacks="carried")


def test_watching_can_be_paused_and_stepped():
    async def play(table):
        line = await look(table, "creator")
        await table.handle(line, {"type": "pace", "pace": "max"})
        await table.handle(line, {"type": "pause", "on": True})
        await rests(table)
        turn = table.state.turn
        await table.handle(line, {"type": "step"})
        await until(table, lambda state: state.turn == turn + 1)
        assert cards_in(table.view("creator"))  # only players play: all cards are open

    at_table(play, "caller", "old-best", "raiser", mode="cash")


def test_bot_programs_end_with_the_table():
    command = f"process:{sys.executable} {Path(__file__).parents[3] / 'examples/bots/bot.py'}"
    seen = []

    async def play(table):
        line = await look(table, "creator")
        await table.handle(line, {"type": "pace", "pace": "max"})
        await until(table, lambda state: state.hands_played >= 3)
        seen.append(table._game._players[0])
        assert seen[0].pid is not None
        assert seen[0].report.failed == 0

    at_table(play, command, "caller", catalogue=Catalogue([command]), mode="cash")
    assert seen[0].pid is None
