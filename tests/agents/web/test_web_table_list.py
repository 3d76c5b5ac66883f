"""The list of running tables, who is in it by which name, and when a game may begin anew."""

from __future__ import annotations

import pytest
from web_tables import at_table, look, text_of_hands, until

from agents.web.hub import running_tables
from agents.web.table.game import GAME_OVER, HAND_OVER, HUMAN_TO_ACT
from agents.web.table.participants import Refused
from nlhe_env.hand_history import read_hands


def test_a_table_for_one_person_is_in_the_list_of_its_creator_alone():
    async def play(table):
        table.sit("creator", "You")
        (own,) = running_tables([table], "creator")
        assert (own["own"], own["open_seats"], own["names"][0]) == (True, 0, "You")
        assert (own["stack"], own["place"]) == (980, None)
        assert own["opened_s"] >= 0
        assert running_tables([table], "stranger") == []

    at_table(play, "human", "caller")


def test_a_multi_person_table_is_listed_for_all():
    async def play(table):
        table.sit("creator", "Ann")
        (seen,) = running_tables([table], "stranger")
        assert (seen["own"], seen["open_seats"], seen["waits"]) == (False, 1, True)
        assert seen["names"] == ["Ann", "caller", "Open seat 2"]
        table.sit("stranger", "Bob")
        (seen,) = running_tables([table], "third")
        assert (seen["open_seats"], seen["waits"]) == (0, False)

    at_table(play, "human", "caller", "human")


def test_no_player_is_you_to_others():
    async def play(table):
        table.sit("creator", "You")
        assert table.view("creator")["names"] == ["You", "caller"]
        stranger = table.view("stranger")
        assert stranger["names"] == ["Player 1", "caller"]
        assert stranger["table"]["seats"][0]["name"] == "Player 1"
        line = await look(table, "creator")
        while table.state.phase != HAND_OVER:
            await until(table, lambda state: state.phase in (HUMAN_TO_ACT, HAND_OVER))
            if table.state.phase == HUMAN_TO_ACT:
                request = {"type": "act", "turn": table.state.turn, "action": "call"}
                await table.handle(line, request)
        (winner,) = table.view("stranger")["summaries"][0]["winners"]
        assert winner["won"] == table.state.snapshot.table["won"][winner["seat"]]
        (own,), (seen,) = (read_hands(text_of_hands(table, who)) for who in ("creator", "stranger"))
        assert sorted(own.players) == ["Hero", "caller"]
        assert sorted(seen.players) == ["Player 1", "caller"]

    at_table(play, "human", "caller")


def test_a_new_game_may_start_once_no_person_is_left_in_the_old_one():
    async def play(table):
        table.sit("creator", "Ann")
        line = await look(table, "creator")
        with pytest.raises(Refused, match="others are still playing"):
            await table.handle(line, {"type": "new game"})
        # The programs call everything, so that Ann is out or has won before long.
        while not table.view("creator")["can_restart"]:
            await until(table, lambda state: state.phase in (HUMAN_TO_ACT, HAND_OVER, GAME_OVER))
            state = table.state
            if state.phase == HUMAN_TO_ACT:
                most = state.options["max_raise_to"]
                request = {"type": "act", "turn": state.turn, "action": "raise" if most else "call"}
                await table.handle(line, request | ({"to": most} if most else {}))
            elif state.phase == HAND_OVER:
                await table.handle(line, {"type": "next hand"})
                await until(table, lambda new, turn=state.turn: new.turn != turn)
        # The result stays until somebody watches on, or begins again.
        assert table.view("creator")["paused"]
        await table.handle(line, {"type": "new game"})
        assert table.state.hands_played == 0
        assert not table.view("creator")["paused"]
        assert table.seat_of("creator") == 0

    at_table(
        play, "human", "caller", "caller", starting_stack=200, blinds="50/100", hands_per_level=1
    )
