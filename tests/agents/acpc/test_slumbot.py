"""Matches with a server that speaks Slumbot's API, on the loopback."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from chat_server import Raw, Server, chat_server

import agents
from agents.acpc import MatchError, SlumbotResult, competition_game, play_slumbot
from agents.acpc.protocol import ProtocolAction, ProtocolError
from agents.acpc.slumbot import match_state
from agents.acpc.table import Table
from agents.commands import acpc as command
from agents.commands.main import main
from agents.external.episodes import Lineup
from nlhe_env.hand_history import read_hands

HANDS = 60


class Slumbot:
    """The server's side of a session: our own table, in its words."""

    def __init__(self, opponent: str, seed: int, alternates: bool = True) -> None:
        self.table = Table(competition_game(), 2, seed=seed)
        self.alternates = alternates
        self.net = 0
        self.begun = 0
        agent = self.table.env.possible_agents[0]
        self.lineup = Lineup(self.table.env, {agent: agents.make(opponent)})

    def new_hand(self) -> dict[str, Any]:
        if self.begun:
            self.table.next_hand()
            if not self.alternates and self.table.hand_number % 2:
                while self.table.net is None:  # without us
                    self.table.act(ProtocolAction("c"))
                self.table.next_hand()
        self.begun += 1
        self.cards = [self.table.hole_cards(seat) for seat in range(2)]
        return self.answer()

    def act(self, increment: str) -> dict[str, Any]:
        assert self.table.actor == 1
        kind, amount = increment[0], increment[1:]
        assert (kind == "k") == (kind in "kc" and self.table.to_call == 0)
        total = int(amount) + self.table.put_in_earlier() if kind == "b" else None
        self.table.act(ProtocolAction({"k": "c", "b": "r"}.get(kind, kind), total))
        return self.answer()

    def answer(self) -> dict[str, Any]:
        table = self.table
        while table.actor == 0:
            table.act(table.action_of(self.lineup.answer()))
        board = "".join(table.board)
        answer: dict[str, Any] = {
            "token": "a-token",
            "action": self.words(),
            "client_pos": table.position_of(1),
            "hole_cards": [self.cards[1][:2], self.cards[1][2:]],
            "board": [board[i : i + 2] for i in range(0, len(board), 2)],
        }
        if table.net is not None:
            self.net += table.net[1]
            answer |= {"winnings": table.net[1], "baseline_winnings": 0}
            answer["bot_hole_cards"] = [self.cards[0][:2], self.cards[0][2:]]
        return answer

    def words(self) -> str:
        """The betting in Slumbot's words."""
        earlier, streets = 0, []
        for number, street in enumerate(self.table.betting.split("/")):
            highest, facing, words, rest = (0, False, "", street)
            if number == 0:
                highest, facing = 100, True
            actors = 0
            while rest:
                letter, rest = rest[0], rest[1:]
                digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
                rest = rest[len(digits) :]
                if letter == "r":
                    highest, facing = int(digits) - earlier, True
                    words += f"b{highest}"
                elif letter == "f":
                    words += "f"
                else:
                    is_check = not facing or (number == 0 and highest == 100 and actors == 1)
                    words += "k" if is_check else "c"
                actors += 1
            earlier += highest
            streets.append(words)
        return "/".join(streets)


@contextmanager
def server(answer: Any) -> Iterator[tuple[str, Server]]:
    """A server whose answers, an object or a status and bytes, a function makes of requests."""

    def reply(request: dict[str, Any]) -> Raw:
        found = answer(asked.paths[-1], request)
        return Raw(*found) if isinstance(found, tuple) else Raw(200, json.dumps(found).encode())

    with chat_server(reply) as asked:
        yield asked.url.replace("/v1", "/slumbot"), asked


def played_by(slumbot: Slumbot) -> Any:
    def answer(path: str, request: dict[str, Any]) -> Any:
        return slumbot.new_hand() if path.endswith("new_hand") else slumbot.act(request["incr"])

    return answer


@pytest.mark.parametrize("opponent", ["random", "pot-odds", "hothead-maniac"])
@pytest.mark.parametrize("player", ["random", "equilibrium-nolimit", "nlbot-1"])
def test_a_match_counts_the_chips_and_keeps_the_hands(player, opponent, tmp_path):
    slumbot = Slumbot(opponent, seed=5)
    record = tmp_path / "hands.phhs"
    with server(played_by(slumbot)) as (url, asked):
        result = play_slumbot(agents.make(player), HANDS, url=url, seed=1, record=record)
    assert result == SlumbotResult(HANDS, slumbot.net, 0)
    assert result.bb_per_100 == pytest.approx(slumbot.net / HANDS)
    assert (asked.paths[0], asked.requests[0]) == ("/slumbot/api/new_hand", {})
    assert {request["token"] for request in asked.requests[1:]} == {"a-token"}
    hands = read_hands(record.read_text())
    assert len(hands) == HANDS
    assert {name for hand in hands for name in hand.players} == {"Slumbot", player}


def test_a_long_name_is_cut_in_recorded_hands():
    class Named:
        name = "n" * 200

        def act(self, observation, info):
            return 1

    hands = []
    with server(played_by(Slumbot("caller", seed=5))) as (url, _):
        play_slumbot(Named(), 1, url=url, seed=1, record=hands)
    assert set(hands[0].players) == {"Slumbot", "n" * 100}


def test_the_command_plays_and_records(tmp_path, capsys, monkeypatch):
    slumbot = Slumbot("caller", seed=5)
    record = tmp_path / "hands.phhs"
    with server(played_by(slumbot)) as (url, _):
        monkeypatch.setattr(command, "play_slumbot", partial(play_slumbot, url=url))
        assert main(["acpc", "slumbot", "pot-odds", "--hands", "4", "--out", str(record)]) == 0
    assert capsys.readouterr().out.startswith(f"4 hands, {slumbot.net:+d} chips, ")
    assert len(read_hands(record.read_text())) == 4


def test_positions_that_do_not_alternate_begin_another_session():
    slumbot = Slumbot("random", seed=5, alternates=False)
    with server(played_by(slumbot)) as (url, _):
        result = play_slumbot(agents.make("random"), 10, url=url, seed=1)
    assert result.net == slumbot.net


def test_chip_players_see_the_actions_and_the_ends_of_hands():
    class Watcher(agents.ChipPlayer):
        def __init__(self) -> None:
            self.turns, self.ends, self.starts = [], [], []

        def decide(self, turn):
            self.turns.append(agents.turn_text(turn))
            return agents.CHECK_OR_CALL

        def on_hand_start(self, info):
            self.starts.append(info)

        def on_hand_end(self, info):
            self.ends.append(info)

    watcher = Watcher()
    slumbot = Slumbot("hothead-maniac", seed=5)
    with server(played_by(slumbot)) as (url, _):
        play_slumbot(watcher, 20, url=url, seed=1)
    assert len(watcher.starts) == len(watcher.ends) == 20
    assert sum(end["net"]["player_1"] for end in watcher.ends) in (slumbot.net, -slumbot.net)
    assert any("raises to" in turn for turn in watcher.turns)
    assert not any("not known" in turn for turn in watcher.turns)


FLOP = {
    "action": "b200c/",
    "client_pos": 0,
    "hole_cards": ["As", "7s"],
    "board": ["8h", "6d", "2s"],
    "token": "a-token",
}


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (FLOP, "MATCHSTATE:0:3:r200c/:As7s|/8h6d2s"),
        (FLOP | {"action": "b200c/kb100"}, "MATCHSTATE:0:3:r200c/cr300:As7s|/8h6d2s"),
        (FLOP | {"action": "ck/", "client_pos": 1}, "MATCHSTATE:1:3:cc/:|As7s/8h6d2s"),
        (FLOP | {"action": "", "board": [], "client_pos": 1}, "MATCHSTATE:1:3::|As7s"),
        (
            {
                "action": "b200c/kk/kb200c/kk",
                "client_pos": 0,
                "hole_cards": ["Ad", "9s"],
                "board": ["Kc", "4c", "3s", "2s", "2d"],
                "bot_hole_cards": ["As", "Ts"],
                "winnings": -400,
            },
            "MATCHSTATE:0:3:r200c/cc/cr400c/cc:Ad9s|AsTs/Kc4c3s/2s/2d",
        ),
        (
            FLOP
            | {"action": "b20000c", "winnings": 20_000, "bot_hole_cards": ["Kd", "Kh"]}
            | {"board": ["8h", "6d", "2s", "2d", "3d"]},
            "MATCHSTATE:0:3:r20000c///:As7s|KdKh/8h6d2s/2d/3d",
        ),
        (FLOP | {"action": "b200f", "board": [], "winnings": -100}, "MATCHSTATE:0:3:r200f:As7s|"),
    ],
)
def test_answers_are_states_of_the_competition(answer, text):
    assert str(match_state(answer, 3)) == text


@pytest.mark.parametrize(
    "wrong",
    [
        {"action": "x"},
        {"action": "b"},
        {"action": "b" + "9" * 20},
        {"action": 3},
        {"board": ["8h"]},
        {"board": "8h6d2s"},
        {"hole_cards": ["As"]},
        {"hole_cards": ["8h", "8h"]},
        {"hole_cards": None},
        {"action": "b200c/kk/kk/kk/kk/"},
    ],
)
def test_answers_that_make_no_sense_are_refused(wrong):
    with pytest.raises(ProtocolError):
        match_state(FLOP | wrong, 3)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"error_msg": "Illegal bet"}, "Illegal bet"),
        ((500, b"{}"), "500"),
        ((200, b"[]"), "rejected"),
        ((200, b"rubbish\x1b"), "rubbish"),
        ((302, b""), "302"),
        (FLOP | {"client_pos": 2}, "client_pos"),
        (FLOP | {"client_pos": None}, "client_pos"),
        (FLOP | {"action": "b200c/k"}, "not our turn"),
        (FLOP | {"action": "b150c/"}, "does not follow our rules"),
        (FLOP | {"action": "b200f", "board": [], "winnings": 100}, "reports 100 chips"),
        (FLOP | {"winnings": 100}, "reports 100 chips|does not follow our rules"),
    ],
)
def test_a_server_at_fault_stops_the_match(answer, message):
    with (
        server(lambda path, request: answer) as (url, _),
        pytest.raises(MatchError, match=message) as caught,
    ):
        play_slumbot(agents.make("caller"), 1, url=url, seed=1)
    assert "\x1b" not in str(caught.value)


def test_a_busy_server_is_asked_again_and_a_silent_one_is_not(monkeypatch):
    naps: list[float] = []
    monkeypatch.setattr("agents.acpc.slumbot.time.sleep", naps.append)
    slumbot = Slumbot("caller", seed=2)
    play = played_by(slumbot)
    busy = iter([(503, b""), (429, b"")])
    with server(lambda path, request: next(busy, None) or play(path, request)) as (url, _):
        assert play_slumbot(agents.make("caller"), 3, url=url).hands == 3
    assert naps == [1.0, 2.0]
    with pytest.raises(MatchError, match="does not answer"):
        play_slumbot(agents.make("caller"), 3, url=url)


def test_a_server_that_asks_for_a_long_wait_stops_the_match(monkeypatch):
    naps: list[float] = []
    monkeypatch.setattr("agents.acpc.slumbot.time.sleep", naps.append)
    with (
        chat_server(lambda request: Raw(503, b"", {"Retry-After": "86400"})) as asked,
        pytest.raises(MatchError, match="asks to wait for 86400 seconds"),
    ):
        play_slumbot(agents.make("caller"), 1, url=asked.url.replace("/v1", "/slumbot"))
    assert naps == []
