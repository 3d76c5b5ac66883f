"""Tables that outlive the server: what is written, and games that go on from it."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from web_tables import look, new_game, text_of_hands, until

from agents.web.catalogue import Catalogue
from agents.web.hub import Hub
from agents.web.table.game import GAME_OVER, HAND_OVER, HUMAN_TO_ACT, LiveGame
from agents.web.table.live_table import LiveTable
from agents.web.table.participants import Refused
from agents.web.table.played_hands import PlayedHands
from agents.web.table.saving import SavedTable, TableFolder

CARRIED = {"mode": "cash", "blinds": "5/10", "stacks": "carried", "seed": 3}
TOURNAMENT = {"mode": "tournament", "starting_stack": 300, "blinds": "10/20, 20/40", "seed": 3}


def recorded_game(*seats: str, **values: Any) -> LiveGame:
    game = new_game(*seats, **values)
    game.record = PlayedHands()
    return game


def play(game: LiveGame, hands: int) -> None:
    """Play until so many hands are over; the person calls everything."""
    while game.hands_played < hands and game.phase != GAME_OVER:
        assert not game.error
        if game.phase == HUMAN_TO_ACT:
            game.call_for_absent()
        else:
            game.advance()


def seen(game: LiveGame) -> tuple[Any, ...]:
    state = game.state()
    cards = state.snapshot.table["cards"].tolist()
    stacks = state.snapshot.table["stack"].tolist()
    return cards, stacks, state.places, state.net, state.hands_played, state.bought, state.phase


@pytest.mark.parametrize(
    ("seats", "values"),
    [
        (("human", "raiser", "caller"), CARRIED),
        (("human", "raiser", "raiser", "caller"), TOURNAMENT),
        (("human", "raiser"), {**CARRIED, "boards": 2, "rake": "5%/30", "straddle": "button"}),
    ],
)
def test_a_game_goes_on_from_its_betting_as_if_nothing_had_happened(seats, values):
    game = recorded_game(*seats, **values)
    for hands in range(1, 12):
        play(game, hands)
        again = recorded_game(*seats, **values)
        again.catch_up(PlayedHands(game.record.betting, game.record.rebuys))
        assert seen(again) == seen(game)
        assert again.record.betting == game.record.betting
        assert [hand for hand, _ in again.hands] == [hand for hand, _ in game.hands]
        if game.phase == GAME_OVER:
            break
    else:
        play(game, 15)
        play(again, 15)
        assert seen(again) == seen(game)


def test_rebuys_are_bought_again():
    game = recorded_game("human", "caller", **{**CARRIED, "starting_stack": 500})
    for hands in range(1, 8):
        play(game, hands)
        game.stacks.rebuys.update((0, 1))
    assert game.record.rebuys
    assert sum(game.state().bought) > 1000
    again = recorded_game("human", "caller", **{**CARRIED, "starting_stack": 500})
    again.catch_up(PlayedHands(game.record.betting, game.record.rebuys))
    assert again.state().bought == game.state().bought


def test_a_hand_that_began_in_a_position_is_played_again():
    spot = {"button": 1, "stacks": [500, 500], "board": "2s7h9d", "betting": "call, check"}
    values = {"mode": "cash", "blinds": "5/10", "seed": 3, "position": spot}
    game = recorded_game("human", "caller", **values)
    play(game, 3)
    again = recorded_game("human", "caller", **values)
    again.catch_up(PlayedHands(game.record.betting))
    assert seen(again) == seen(game)


@pytest.mark.parametrize("betting", [["x"], [7], ["r"], ["r60ff"], ["fff"], ["c"], ["f", "r5"]])
def test_betting_of_no_such_hands_is_refused(betting):
    game = recorded_game("human", "caller", **CARRIED)
    with pytest.raises(ValueError):  # noqa: PT011  (the rules say why)
        game.catch_up(PlayedHands(betting))


def with_hub(folder: Path, act: Callable[[Hub], Awaitable[Any]]) -> Any:
    """Do something at a hub of the folder whose tables are there again, and close it."""

    async def run() -> Any:
        hub = Hub(Catalogue(), folder=TableFolder(folder))
        await hub.restore_tables()
        try:
            return await act(hub)
        finally:
            await hub.close()

    return asyncio.run(run())


async def play_hands(table: LiveTable, session: str, hands: int) -> None:
    """Call until so many hands are over, and see the last result."""
    connection = await look(table, session)
    await table.handle(connection, {"type": "pace", "pace": "max"})
    while table.state.hands_played < hands:
        turn = table.state.turn
        if table.state.phase == HAND_OVER:
            await table.handle(connection, {"type": "next hand"})
        elif table.view(session).get("options"):
            await table.handle(connection, {"type": "act", "action": "call", "turn": turn})
        await until(table, lambda state, turn=turn: state.turn != turn)
    table.leave(connection)


def test_a_table_comes_back_after_its_last_whole_hand(tmp_path):
    async def begin(hub: Hub) -> tuple[str, list[int], str]:
        description = {"seats": ["human", "caller", "caller"], **CARRIED, "name": "Ann"}
        table = await hub.open_table(description, "ann")
        await play_hands(table, "ann", 3)
        stacks = table.state.snapshot.table["stack"].tolist()
        text = text_of_hands(table, "ann")
        connection = await look(table, "ann")
        await table.handle(connection, {"type": "next hand"})
        await until(table, lambda state: state.phase == HUMAN_TO_ACT)
        turn = table.state.turn
        await table.handle(connection, {"type": "act", "action": "call", "turn": turn})
        return table.name, stacks, text

    async def go_on(hub: Hub) -> None:
        table = hub.tables[name]
        assert table.seat_of("ann") == 0
        assert table.seat_of("bob") is None
        view = table.view("ann")
        assert (view["phase"], view["hands_played"], view["restored"]) == (HAND_OVER, 3, True)
        assert table.state.snapshot.table["stack"].tolist() == stacks
        assert view["names"] == ["Ann", "caller", "caller 2"]
        assert text_of_hands(table, "ann") == text
        await play_hands(table, "ann", 5)
        assert not table.view("ann")["restored"]

    name, stacks, text = with_hub(tmp_path, begin)
    with_hub(tmp_path, go_on)

    async def look_again(hub: Hub) -> int:
        return hub.tables[name].state.hands_played

    assert with_hub(tmp_path, look_again) == 5


def test_only_people_have_their_seats_and_see_their_hands_again(tmp_path):
    async def begin(hub: Hub) -> str:
        description = {"seats": ["human", "human"], **CARRIED, "name": "Ann"}
        table = await hub.open_table(description, "ann")
        await table.handle(await look(table, "ann"), {"type": "start"})
        table._course.pace = "max"
        await until(table, lambda state: state.phase == HUMAN_TO_ACT and state.hands_played == 0)
        await play_hands(table, "ann", 1)
        table.sit("bob", "Bob")
        return table.name

    async def look_on(hub: Hub) -> str:
        table = hub.tables[name]
        assert [table.seat_of(who) for who in ("ann", "bob", "eve")] == [0, 1, None]
        assert not table.waits
        return text_of_hands(table, "bob")

    name = with_hub(tmp_path, begin)
    saved = SavedTable.read(tmp_path / f"{name}.json")
    assert [(who["session"], who["since"]) for who in saved.people] == [("ann", 0), ("bob", 1)]
    # Bob sat down after the first hand: what the seat held then stays hidden, twice over.
    assert with_hub(tmp_path, look_on) == with_hub(tmp_path, look_on)


def test_tables_that_are_closed_or_without_people_leave_nothing(tmp_path):
    async def act(hub: Hub) -> None:
        await hub.open_table({"seats": ["caller", "caller"], "num_hands": 2}, "ann")
        table = await hub.open_table({"seats": ["human", "human"], "name": "Ann"}, "ann")
        table.sit("bob", "Bob")
        await hub.leave_table(table.name, "bob")  # a guest gives the seat back
        assert table.seat_of("bob") is None
        with pytest.raises(Refused, match="only the person who opened a table"):
            await hub.leave_table(table.name, "bob")
        await hub.leave_table(table.name, "ann")

    with_hub(tmp_path, act)
    assert list(tmp_path.iterdir()) == []


async def play_two_hands(hub: Hub) -> str:
    table = await hub.open_table({"seats": ["human", "caller"], **CARRIED}, "ann")
    await play_hands(table, "ann", 2)
    return table.name


async def names(hub: Hub) -> list[str]:
    return list(hub.tables)


def test_files_that_cannot_be_read_are_named_and_left_alone(tmp_path, caplog):
    name = with_hub(tmp_path, play_two_hands)
    file = tmp_path / f"{name}.json"
    good = json.loads(file.read_text())
    assert (good["format"], good["version"], good["stacks"]) == ("nlhe table", 1, good["stacks"])
    bad = [
        {**good, "version": 2},
        {**good, "stacks": [1, 1999]},
        {**good, "betting": ["fold"]},
        {**good, "name": "../../somewhere"},
        {**good, "people": [{}]},
        {**good, "rebuys": []},
        {**good, "betting": None},
        {**good, "seed": "7"},
        {**good, "seed": 10**299},
        {**good, "restarts": 5},
        {**good, "people": [{**good["people"][0], "seat": [1]}]},
        {**good, "game": {**good["game"], "seats": ["human", "nobody-knows"]}},
        [],
    ]
    for values in bad:
        file.write_text(json.dumps(values))
        caplog.clear()
        assert with_hub(tmp_path, names) == []
        assert str(file) in caplog.text
        assert json.loads(file.read_text()) == values
    file.write_text(json.dumps(good))
    assert with_hub(tmp_path, names) == [name]


def test_a_damaged_table_hides_no_other(tmp_path, caplog):
    name = with_hub(tmp_path, play_two_hands)
    (tmp_path / f"{'A' * 16}.json").symlink_to(tmp_path / f"{name}.json")
    for letter, text in zip("BCDE", ("[" * 200_000, "{", '{"format": 5}', ""), strict=True):
        file = tmp_path / f"{letter * 16}.json"
        file.write_text(text)
        os.utime(file, (1, 1))  # read first
    assert with_hub(tmp_path, names) == [name]
    for letter in "ABCDE":
        assert letter * 16 in caplog.text


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
def test_a_folder_of_tables_becomes_private(tmp_path):
    folder = tmp_path / "tables"
    folder.mkdir(mode=0o755)
    old = folder / "old.json"
    old.write_text("{}")
    old.chmod(0o644)

    async def begin(hub: Hub) -> str:
        return (await hub.open_table({"seats": ["human", "caller"], **CARRIED}, "ann")).name

    name = with_hub(folder, begin)
    modes = [path.stat().st_mode & 0o777 for path in (folder, old, folder / f"{name}.json")]
    assert modes == [0o700, 0o600, 0o600]


def test_after_a_restart_the_next_hand_has_other_cards_every_time(tmp_path):
    dealt = []

    async def begin(hub: Hub) -> str:
        table = await hub.open_table({"seats": ["human", "caller"], **CARRIED}, "ann")
        await play_hands(table, "ann", 2)
        return table.name

    async def deal(hub: Hub) -> list[int]:
        table = hub.tables[name]
        connection = await look(table, "ann")
        await table.handle(connection, {"type": "next hand"})
        await until(table, lambda state: state.phase == HUMAN_TO_ACT)
        return table.state.snapshot.table["cards"].tolist()

    name = with_hub(tmp_path, begin)
    dealt = [tuple(with_hub(tmp_path, deal)) for _ in range(4)]
    game = recorded_game("human", "caller", **CARRIED)
    play(game, 2)
    game.advance()
    dealt.append(tuple(seen(game)[0]))  # as without a restart
    assert len(set(dealt)) == 5

    async def go_on(hub: Hub) -> tuple[int, str]:
        table = hub.tables[name]
        await play_hands(table, "ann", 4)
        return text_of_hands(table, "ann")

    async def look_on(hub: Hub) -> str:
        assert hub.tables[name].state.hands_played == 4
        return text_of_hands(hub.tables[name], "ann")

    assert with_hub(tmp_path, go_on) == with_hub(tmp_path, look_on)


def test_the_cards_of_an_unfinished_first_hand_are_not_dealt_again(tmp_path):
    async def begin(hub: Hub) -> tuple[str, list[int]]:
        table = await hub.open_table({"seats": ["human", "caller"], **CARRIED}, "ann")
        return table.name, table.state.snapshot.table["cards"].tolist()

    async def look_again(hub: Hub) -> list[int]:
        return hub.tables[name].state.snapshot.table["cards"].tolist()

    name, cards = with_hub(tmp_path, begin)
    assert with_hub(tmp_path, look_again) != cards
