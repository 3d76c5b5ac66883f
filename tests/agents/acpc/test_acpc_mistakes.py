"""Errors when a match is started: one line, the right exit code, and no data lost."""

import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import agents
from agents.acpc import CLIENT, Dealer, MatchError, MatchReplay, TimeLimits, competition_game
from agents.acpc.protocol import parse_match_state
from agents.commands.main import main

BOTS = """\
class Illegal:
    def act(self, observation, info):
        return 99999999

class ReturnsText:
    def act(self, observation, info):
        return "call"

class AsksTooMuch:
    actions = (-1.0,)
    def act(self, observation, info):
        return 1

class Fails:
    def act(self, observation, info):
        raise ValueError("no weights for this spot")
"""
VEXBOT = "Vexbot plays heads-up fixed-limit only"
NLBOT = "nlbot-1 plays heads-up only"


@pytest.fixture
def bots(tmp_path: Path) -> str:
    """A file of players with one fault each."""
    (tmp_path / "bots.py").write_text(BOTS)
    return str(tmp_path / "bots.py")


def said(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on standard error."""
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1, lines
    return lines[0]


@pytest.mark.parametrize("rest", [["caller"], []], ids=["against ours", "against a client"])
@pytest.mark.parametrize(
    ("players", "message"),
    [
        (["vexbot"], VEXBOT),
        (["nlbot-1", "client", "client"], NLBOT),
        (["BOTS:AsksTooMuch"], "actions must be"),
        (["--hands", str(10**30), "caller"], "num_hands"),
    ],
)
@pytest.mark.usefixtures("impatient")
def test_players_are_checked_against_the_game_before_waiting_for_clients(
    players: list[str], message: str, rest: list[str], bots: str, capsys: pytest.CaptureFixture[str]
) -> None:
    players = [text.replace("BOTS", bots) for text in players]
    assert main(["acpc", "dealer", *players, *rest]) == 2
    assert message in said(capsys)  # and no "Waiting for clients"


def test_games_that_players_support_are_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["acpc", "dealer", "--hands", "2", "nlbot-1", "caller"]) == 0
    limit = ["--betting", "fixed-limit", "--hands", "2"]
    assert main(["acpc", "dealer", *limit, "vexbot", "caller"]) == 0
    assert main(["acpc", "dealer", *limit, "nlbot-1", "raiser"]) == 0
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        (
            "Illegal",
            "error: Illegal (seat 1) in hand 1: an action must be one of 0 (fold), 1 (call), "
            "200 .. 20000 (raise to); got 99999999",
        ),
        ("ReturnsText", "; got 'call'"),
        ("Fails", "no weights for this spot"),
    ],
)
def test_a_failing_player_in_a_local_match_gives_a_one_line_error(
    bot: str, message: str, bots: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["acpc", "dealer", "--hands", "3", f"{bots}:{bot}", "folder"]) == 2
    assert message in said(capsys)


# --- clients --------------------------------------------------------------------------------------


def test_a_client_with_an_unsupported_game_does_not_connect(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        assert main(["acpc", "client", "127.0.0.1", port, "vexbot"]) == 2
        listener.settimeout(0.05)
        with pytest.raises(TimeoutError):
            listener.accept()
    assert VEXBOT in said(capsys)


def test_a_client_refuses_a_table_with_too_many_players() -> None:
    state = parse_match_state("MATCHSTATE:0:0::AsAd||")
    with pytest.raises(ValueError, match=NLBOT):
        MatchReplay(agents.make("nlbot-1"), competition_game()).take_in(state)
    limit = competition_game(betting="fixed-limit")
    with pytest.raises(ValueError, match=VEXBOT):
        MatchReplay(agents.make("vexbot"), limit).take_in(state)


def test_an_illegal_action_of_a_client_gives_a_one_line_error(
    bots: str, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = [CLIENT, agents.make("caller")]
    with Dealer(competition_game(), 2, seats) as dealer, ThreadPoolExecutor(1) as pool:
        match = pool.submit(dealer.play)
        arguments = ["127.0.0.1", str(dealer.ports[0]), f"{bots}:Illegal"]
        assert main(["acpc", "client", *arguments]) == 2
        assert isinstance(match.exception(300), MatchError)
    line = said(capsys)
    assert "error: our player after MATCHSTATE:" in line
    assert line.endswith("; got 99999999")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ConnectionRefusedError(111, "Connection refused"), "Connection refused"),
        (socket.gaierror(-2, "Name or service not known"), "Name or service not known"),
        (TimeoutError("timed out"), "timed out"),
    ],
)
def test_an_unresponsive_dealer_is_named(
    error: OSError, reason: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: Any) -> None:
        raise error

    monkeypatch.setattr(socket, "create_connection", refuse)
    assert main(["acpc", "client", "some.where", "4711", "caller"]) == 1
    assert said(capsys) == f"error: some.where port 4711: no dealer answers ({reason})"


# --- logs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["caller", "caller", "--hands", "0"], 2),
        (["a=caller", "a=caller"], 2),
        (["caller", "--port", "0,0"], 2),
        (["caller", "--port", "0,70000"], 2),
        (["caller", "--port", "TAKEN"], 1),
        (["vexbot", "caller"], 2),
        (["caller"], 1),  # no client connects
    ],
)
@pytest.mark.usefixtures("impatient")
def test_a_match_that_does_not_start_keeps_the_older_log(
    arguments: list[str], code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "match.log"
    log.write_text("precious\n")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        taken = str(listener.getsockname()[1])
        arguments = [text.replace("TAKEN", taken) for text in arguments]
        assert main(["acpc", "dealer", *arguments, "--log", str(log)]) == code
    assert log.read_text() == "precious\n"
    if "--port" in arguments and code == 1:
        assert said(capsys).startswith(f"error: 127.0.0.1 port {taken}: another program listens")


def test_a_match_that_starts_overwrites_its_log(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    log.write_text("old\n" * 1000)
    assert main(["acpc", "dealer", "caller", "folder", "--hands", "2", "--log", str(log)]) == 0
    lines = log.read_text().splitlines()
    assert lines[0].startswith("# name/game/hands/seed match ")
    assert lines[-1].startswith("SCORE:")
    assert "old" not in lines
    assert main(["acpc", "dealer", "caller", "folder", "--hands", "2", "--log", "/dev/null"]) == 0


@pytest.mark.usefixtures("impatient")
def test_an_unwritable_log_is_refused_before_waiting_for_clients(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "nowhere" / "match.log"
    assert main(["acpc", "dealer", "caller", "--log", str(log)]) == 1
    assert said(capsys) == f"error: {log}: there is no such file or folder"


def test_a_dealer_that_fails_to_start_leaves_no_port_open(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []
    create = socket.create_server

    def note(address: tuple[str, int]) -> socket.socket:
        opened.append(create(address))
        return opened[-1]

    monkeypatch.setattr(socket, "create_server", note)
    with pytest.raises(ValueError, match="port must be in"):
        Dealer(competition_game(), 1, [CLIENT, CLIENT], ports=(0, 70_000), limits=TimeLimits())
    assert [listener.fileno() for listener in opened] == [-1]
