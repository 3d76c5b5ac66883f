"""The list of running tables, who is in it by which name, and when a game may begin anew."""

from __future__ import annotations

import pytest
from web_tables import in_room, look, text_of_hands, until

from agents.web.table.game import GAME_OVER, HAND_OVER, HUMAN_TO_ACT
from agents.web.table.game_loop import running_tables
from agents.web.table.participants import Refused
from nlhe_env.hand_history import read_hands


def test_a_table_for_one_person_is_in_the_list_of_who_opened_it_alone():
    async def play(room):
        room.sit("creator", "You")
        (own,) = running_tables([room], "creator")
        assert (own["yours"], own["open_seats"], own["names"][0]) == (True, 0, "You")
        assert running_tables([room], "stranger") == []

    in_room(play, "human", "caller")


def test_a_table_for_several_people_is_in_every_list():
    async def play(room):
        room.sit("creator", "Ann")
        (seen,) = running_tables([room], "stranger")
        assert (seen["yours"], seen["open_seats"], seen["waits"]) == (False, 1, True)
        assert seen["names"] == ["Ann", "Caller", "Open seat 2"]
        room.sit("stranger", "Bob")
        (seen,) = running_tables([room], "third")
        assert (seen["open_seats"], seen["waits"]) == (0, False)

    in_room(play, "human", "caller", "human")


def test_nobody_is_you_to_others():
    async def play(room):
        room.sit("creator", "You")
        assert room.view("creator")["names"] == ["You", "Caller"]
        stranger = room.view("stranger")
        assert stranger["names"] == ["Player 1", "Caller"]
        assert stranger["table"]["seats"][0]["name"] == "Player 1"
        line = await look(room, "creator")
        while room.state.phase != HAND_OVER:
            await until(room, lambda state: state.phase in (HUMAN_TO_ACT, HAND_OVER))
            if room.state.phase == HUMAN_TO_ACT:
                wish = {"type": "act", "turn": room.state.turn, "action": "call"}
                await room.handle(line, wish)
        (winner,) = room.view("stranger")["summaries"][0]["winners"]
        assert winner["won"] == room.state.snapshot.table["won"][winner["seat"]]
        (own,), (seen,) = (read_hands(text_of_hands(room, who)) for who in ("creator", "stranger"))
        assert sorted(own.players) == ["Caller", "Hero"]
        assert sorted(seen.players) == ["Caller", "Player 1"]

    in_room(play, "human", "caller")


def test_a_new_game_may_begin_once_no_person_is_left_in_the_old_one():
    async def play(room):
        room.sit("creator", "Ann")
        line = await look(room, "creator")
        with pytest.raises(Refused, match="others are still playing"):
            await room.handle(line, {"type": "again"})
        # The programs call everything, so that Ann is out or has won before long.
        while not room.view("creator")["may_begin_anew"]:
            await until(room, lambda state: state.phase in (HUMAN_TO_ACT, HAND_OVER, GAME_OVER))
            state = room.state
            if state.phase == HUMAN_TO_ACT:
                most = state.options["max_raise_to"]
                wish = {"type": "act", "turn": state.turn, "action": "raise" if most else "call"}
                await room.handle(line, wish | ({"to": most} if most else {}))
            elif state.phase == HAND_OVER:
                await room.handle(line, {"type": "pause", "on": True})
                await room.handle(line, {"type": "next"})
                await until(room, lambda new, turn=state.turn: new.turn != turn)
                await room.handle(line, {"type": "pause", "on": False})
        await room.handle(line, {"type": "again"})
        assert room.state.hands_played == 0
        assert room.seat_of("creator") == 0

    in_room(play, "human", "caller", "caller", stack=200, blinds="50/100", hands_per_level=1)
