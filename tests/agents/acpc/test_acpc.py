"""Matches in the protocol of the Annual Computer Poker Competition."""

import io
import math
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import agents
import nlhe_env
from agents.acpc import (
    CLIENT,
    Dealer,
    MatchError,
    MatchReplay,
    ProtocolAction,
    TimeLimits,
    competition_game,
    parse_finished_hand,
    parse_match_state,
    play_match,
)
from agents.acpc.dealer import match_state, seat_names
from agents.acpc.protocol import parse_betting
from agents.acpc.table import Table
from agents.commands.main import main
from nlhe_env.errors import IllegalActionError

CALL = ProtocolAction("c")
PATIENT = TimeLimits(per_hand=600.0)  # a client that starts cold compiles its player meanwhile


# --- matches over localhost -----------------------------------------------------------------------


@contextmanager
def in_threads(*calls: Callable[[], Any]) -> Iterator[list[Any]]:
    """Run calls in threads; their results or exceptions are there when the block is left."""
    results: list[Any] = [None] * len(calls)

    def run(i: int) -> None:
        try:
            results[i] = calls[i]()
        except Exception as error:
            results[i] = error

    threads = [threading.Thread(target=run, args=(i,), daemon=True) for i in range(len(calls))]
    for thread in threads:
        thread.start()
    try:
        yield results
    finally:
        for thread in threads:
            thread.join(300)
    assert not any(thread.is_alive() for thread in threads)


def match(
    game: nlhe_env.Game,
    hands: int,
    names: Sequence[str],
    clients: Sequence[int] = (),
    seed: int = 5,
) -> tuple[Any, str, list[Any]]:
    """A match of built-in players, some of them as clients: result, log, sessions."""
    log = io.StringIO()
    players = [CLIENT if i in clients else agents.make(name) for i, name in enumerate(names)]
    labels = [f"p{i}" for i in range(len(names))]
    ports = (0,) * max(len(clients), 1)
    options: dict[str, Any] = {"names": labels, "seed": seed, "ports": ports, "log": log}
    with Dealer(game, hands, players, limits=PATIENT, **options) as dealer:
        calls = [
            lambda port=port, seat=seat: play_match(
                agents.make(names[seat]), "127.0.0.1", port, game, seed=seed, patience_s=300
            )
            for port, seat in zip(dealer.ports, clients, strict=True)
        ]
        with in_threads(*calls) as sessions:
            result = dealer.play()
    return result, log.getvalue(), sessions


def pokerkit_payoffs(game: nlhe_env.Game, log: str) -> list[list[int]]:
    """Chips won by position in every hand of a log, by PokerKit's rules."""
    pokerkit = pytest.importorskip("pokerkit")
    blinds = game.blinds.levels[0][:2]
    if game.betting == "fixed-limit":
        rules = pokerkit.FixedLimitTexasHoldem(
            (), True, 0, blinds, game.big_blind, 2 * game.big_blind
        )
    else:
        rules = pokerkit.NoLimitTexasHoldem((), True, 0, blinds, game.big_blind)
    payoffs = []
    for history in pokerkit.HandHistory.from_acpc_protocol(
        rules, game.starting_stack, log, error_status=True
    ):
        *_, last = history
        assert not last.status
        payoffs.append([int(chips) for chips in last.payoffs])
    return payoffs


FIELDS = {
    2: ["random", "old-best"],
    3: ["random", "raiser", "old-start"],
    6: ["random", "call-or-raise", "caller", "raiser", "old-best", "folder"],
    10: ["random", "caller", "old-best", "raiser", "random", "call-or-raise"] + ["random"] * 4,
}
CLIENTS = {2: [0, 1], 3: [0, 2], 6: [1, 3, 4], 10: list(range(10))}


# Bets that pots of two to ten winners divide: of odd chips PokerKit gives all to the first winner,
# we give one each (tested in test_rules.py). In no-limit two winners share at most one odd chip.
LIMIT = {"betting": "fixed-limit", "starting_stack": 200_000, "blinds": (2520, 5040)}


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({}, id="no-limit"),
        pytest.param(LIMIT, id="fixed-limit", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("n", FIELDS)
def test_a_match_over_tcp_equals_a_local_match(n: int, options: dict[str, Any]) -> None:
    game = competition_game(**options)
    hands = 2 * n + 4
    result, log, sessions = match(game, hands, FIELDS[n], CLIENTS[n])
    # The same players at the dealer's own table take the very same decisions: clients see exactly
    # what they would see there.
    alone, log_alone, _ = match(game, hands, FIELDS[n])
    assert log == log_alone
    assert result.totals == alone.totals
    assert result.changed_actions == (0,) * n
    assert sum(result.totals) == 0
    assert [(session.hands, session.net) for session in sessions] == [
        (hands, result.totals[seat]) for seat in CLIENTS[n]
    ]

    lines = [parse_finished_hand(line) for line in log.splitlines() if line.startswith("STATE")]
    assert [line.hand_number for line in lines] == list(range(hands))
    for seat in range(n):
        mine = [line.net[line.names.index(f"p{seat}")] for line in lines]
        assert sum(mine) == result.totals[seat]
    assert log.splitlines()[-1] == (
        f"SCORE:{'|'.join(map(str, result.totals))}:{'|'.join(f'p{i}' for i in range(n))}"
    )
    assert pokerkit_payoffs(game, log) == [list(line.net) for line in lines]


@pytest.mark.oracle
def test_match_states_agree_with_pokerkit() -> None:
    pokerkit = pytest.importorskip("pokerkit")
    game = competition_game()
    _, log, _ = match(game, 12, FIELDS[3])
    rules = pokerkit.NoLimitTexasHoldem((), True, 0, (50, 100), 100)
    histories = pokerkit.HandHistory.from_acpc_protocol(rules, 20_000, log)
    table = Table(game, 3, seed=5)
    compared = 0
    for history in histories:
        server_lines = [
            line.strip() for sender, line in history.to_acpc_protocol(1) if sender == "S->"
        ]
        ours = []
        betting = parse_finished_hand(log.splitlines()[4 + table.hand_number]).betting
        for action in (action for street in parse_betting(betting) for action in street):
            ours.append(str(match_state(table, table.seat_at(1))))
            table.act(action)
        assert server_lines[: len(ours)] == ours
        compared += len(ours)
        table.next_hand()
    assert compared > 50


def test_duplicate_matches_have_the_same_cards() -> None:
    game = competition_game()
    _, log, _ = match(game, 20, ["raiser", "caller"])
    _, swapped, _ = match(game, 20, ["caller", "raiser"])

    def cards(text: str) -> list[tuple[str, ...]]:
        lines = [parse_finished_hand(line) for line in text.splitlines() if "STATE" in line]
        return [line.hole_cards for line in lines]

    assert cards(log) == cards(swapped)
    assert log != swapped
    assert match(game, 20, ["raiser", "caller"])[1] == log
    assert cards(match(game, 20, ["raiser", "caller"], seed=6)[1]) != cards(log)


class Watcher:
    """Calls, and remembers what it was shown."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str]] = []

    def act(self, observation: Any, info: Any) -> int:
        assert observation["action_mask"][1]
        self.seen.append((info["hole_cards"], info["board"]))
        return 1


def test_uncompiled_players_see_the_dealers_cards() -> None:
    watchers = [Watcher(), Watcher()]
    for seed, watcher in zip((8, 9), watchers, strict=True):  # the client's own seed does not count
        seats = [CLIENT, agents.make("call-or-raise")]
        with Dealer(competition_game(), 6, seats, seed=5, limits=PATIENT) as dealer:
            port = dealer.ports[0]
            with in_threads(
                lambda watcher=watcher, port=port, seed=seed: play_match(
                    watcher, "127.0.0.1", port, competition_game(), seed=seed
                )
            ) as sessions:
                dealer.play()
        assert sessions[0].hands == 6
    assert watchers[0].seen == watchers[1].seen
    own = Watcher()
    with Dealer(competition_game(), 6, [own, agents.make("call-or-raise")], seed=5) as dealer:
        dealer.play()
    assert own.seen == watchers[0].seen


# --- faults ---------------------------------------------------------------------------------------


def by_hand(port: int, answer: Callable[[str], str | None], version: str = "VERSION:2.0.0") -> int:
    """A client that answers every state where it is to act; None disconnects. Lines received."""
    count = 0
    with socket.create_connection(("127.0.0.1", port), 300) as connection:
        connection.sendall(version.encode() + b"\r\n")
        with connection.makefile("r", newline="\n") as lines:
            for line in lines:
                count += 1
                reply = answer(line.strip())
                if reply is None:
                    break
                connection.sendall(reply.encode())
    return count


def against_caller(
    answer: Callable[[str], str | None],
    *,
    hands: int = 2,
    limits: TimeLimits = PATIENT,
    version: str = "VERSION:2.0.0",
) -> tuple[Any, list[str]]:
    """A scripted client in seat 1 against a caller in seat 2: result and warnings."""
    warnings: list[str] = []
    seats = [CLIENT, agents.make("caller")]
    with Dealer(
        competition_game(), hands, seats, seed=1, limits=limits, on_warning=warnings.append
    ) as dealer:
        port = dealer.ports[0]
        with in_threads(lambda: by_hand(port, answer, version)):
            return dealer.play(), warnings


def always(action: str, before: str = "") -> Callable[[str], str]:
    """Answer every state, asked or not; what was not asked is ignored by the dealer."""
    return lambda line: f"{before}{line}:{action}\r\n"


def test_unrequested_and_garbled_responses_are_ignored() -> None:
    noise = "# a comment\r\n\r\nhello\r\nMATCHSTATE:0:99::AsKd|:c\r\nMATCHSTATE:0:0:zz:AsKd|:c\r\n"
    result, warnings = against_caller(always("c", noise))
    plain, fewer = against_caller(always("c"))
    assert result.totals == plain.totals
    assert result.changed_actions == (0, 0)
    assert any("'hello'" in text for text in warnings)
    assert any("not for the state" in text for text in warnings)
    assert len(warnings) > len(fewer)


@pytest.mark.parametrize("action", ["x", "", "r", "r-5", "c7", "raise"])
def test_a_garbled_action_is_a_call(action: str) -> None:
    result, warnings = against_caller(always(action))
    assert result.changed_actions[0] > 0
    assert any("changed to" in text for text in warnings)
    assert result.totals == against_caller(always("c"))[0].totals


def test_an_illegal_raise_becomes_the_nearest_legal_one() -> None:
    result, warnings = against_caller(always("r99999"), hands=1)
    assert abs(result.totals[0]) in (0, 20_000)
    assert any("r99999 is not legal; changed to r20000" in text for text in warnings)


def test_a_late_client_ends_the_match() -> None:
    begun = time.monotonic()
    with pytest.raises(MatchError, match=r"client \(seat 1\) in hand 0: ran out of time"):
        against_caller(lambda line: "# thinking\r\n", limits=TimeLimits(response=0.1))
    # A cold start compiles the game meanwhile. Without a limit it would take 600 s.
    assert time.monotonic() - begun < 300


def test_the_total_time_of_a_match_is_limited() -> None:
    def slowly(line: str) -> str:
        time.sleep(0.03)
        return f"{line}:c\r\n"

    with pytest.raises(MatchError, match="ran out of time"):
        against_caller(slowly, hands=20, limits=TimeLimits(per_hand=0.005))
    with pytest.raises(MatchError, match="in hand 0: ran out of time"):
        against_caller(slowly, hands=20, limits=TimeLimits(hand=0.05))


def test_a_client_that_disconnects_ends_the_match() -> None:
    with pytest.raises(MatchError, match=r"client \(seat 1\) in hand \d+: .*connection"):
        against_caller(lambda line: None)
    with pytest.raises(MatchError, match="a line of more than"):
        against_caller(lambda line: "x" * 200_000)


@pytest.mark.parametrize(
    ("version", "message"),
    [("hello", "first line must be VERSION:2.0.0"), ("VERSION:1.0.0", "only version 2.0")],
)
def test_an_unsupported_protocol_version_is_refused(version: str, message: str) -> None:
    with pytest.raises(MatchError, match=message):
        against_caller(always("c"), version=version)


def test_a_missing_client_ends_the_match() -> None:
    limits = TimeLimits(start=0.05)
    with (
        Dealer(competition_game(), 1, [CLIENT, agents.make("caller")], limits=limits) as dealer,
        pytest.raises(MatchError, match=r"no client connected for client \(seat 1\) within 0.05"),
    ):
        dealer.play()


def dealer_says(*lines: str, patience_s: float = 300.0) -> Any:
    """The error of a client whose dealer sends these lines and disconnects."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with in_threads(
            lambda: play_match(
                agents.make("caller"), "127.0.0.1", port, competition_game(), patience_s=patience_s
            )
        ) as results:
            connection, _ = listener.accept()
            with connection:
                connection.recv(100)
                connection.sendall("".join(line + "\r\n" for line in lines).encode())
                if patience_s >= 1:
                    connection.shutdown(socket.SHUT_WR)
                while connection.recv(1000):  # until the client hangs up, however slow it is
                    pass
    return results[0]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["MATCHSTATE:0:0::AsKd|"], "closed the connection before the hand was over"),
        ([], "closed the connection before"),
        (["good evening"], "must have the form MATCHSTATE"),
        (["MATCHSTATE:0:0:r150:AsKd|"], "plays a different game from holdem.nolimit.2p"),
        (["MATCHSTATE:0:0:r:AsKd|"], "plays a different game"),
        (["MATCHSTATE:0:0:cc:AsKd|"], "the betting would be cc/ now"),
        (["MATCHSTATE:0:0:ff:AsKd|"], "comes after the end of the hand"),
        (["MATCHSTATE:0:0:c:AsKd|", "MATCHSTATE:0:0:f:AsKd|"], "does not follow from"),
        (["MATCHSTATE:0:0::AsKd|", "MATCHSTATE:0:1::AsKd|"], "expected hand 0 to continue"),
        (["MATCHSTATE:0:0:f:AsKd|", "MATCHSTATE:0:1::AsKd|"], "seats must rotate"),
        (["MATCHSTATE:0:0::AsKd|", "MATCHSTATE:0:0:c:AsKd||"], "number of players"),
    ],
)
def test_a_client_reports_protocol_errors_of_the_dealer(lines: list[str], message: str) -> None:
    error = dealer_says(*lines)
    assert isinstance(error, MatchError)
    assert message in str(error)


def test_a_client_waits_no_longer_than_its_time_limit() -> None:
    error = dealer_says("MATCHSTATE:0:0::AsKd|", patience_s=0.1)
    assert isinstance(error, MatchError)
    assert "sent nothing for 0.1 seconds" in str(error)


def test_a_client_may_join_a_match_in_progress() -> None:
    server_lines = ["MATCHSTATE:1:7::|AsKd", "MATCHSTATE:1:7:f:|AsKd", "MATCHSTATE:0:8::2c2d|"]
    session = dealer_says("# welcome", *server_lines, "MATCHSTATE:0:8:f:2c2d|")
    assert (session.hands, session.net) == (2, -50 + 50)


def test_a_replay_counts_the_chips_won_at_showdown() -> None:
    replay = MatchReplay(agents.make("caller"), competition_game())
    assert replay.take_in(parse_match_state("MATCHSTATE:0:0::AsAd|")) is None
    assert replay.take_in(parse_match_state("MATCHSTATE:0:0:r20000:AsAd|")) == CALL
    assert replay.in_hand
    final = "MATCHSTATE:0:0:r20000c///:AsAd|KsKd/2c3d4h/5s/9c"
    assert replay.take_in(parse_match_state(final)) is None
    assert (replay.hands, replay.net, replay.in_hand) == (1, 20_000, False)


@pytest.mark.parametrize("betting", ["no-limit", "fixed-limit"])
@pytest.mark.parametrize("action_id", [0, -3, 150, 10**6, 1.5, "call", None])
def test_built_in_players_must_choose_legal_actions(action_id: Any, betting: Any) -> None:
    class Stubborn:
        def act(self, observation: Any, info: Any) -> Any:
            return action_id

    game = competition_game(betting=betting)
    raises = "200" if betting == "fixed-limit" else "20000"
    answer = f"1 (check), 200 .. {raises} (raise to); got {action_id!r}"
    with pytest.raises(IllegalActionError) as caught:
        MatchReplay(Stubborn(), game).take_in(parse_match_state("MATCHSTATE:0:0:c:AsAd|"))
    assert str(caught.value).startswith("our player after MATCHSTATE:0:0:c:AsAd|: ")
    assert str(caught.value).endswith(answer)
    with pytest.raises(IllegalActionError) as caught:
        Dealer(game, 1, [Stubborn(), agents.make("caller")]).play()
    assert str(caught.value).startswith("Stubborn (seat 1) in hand 0: ")
    assert str(caught.value).endswith(answer)


# --- arguments ------------------------------------------------------------------------------------


def test_invalid_matches_are_refused() -> None:
    caller = agents.make("caller")
    for seats, options, message in [
        ([caller], {}, "the number of seats must be in 2 .. 10; got 1"),
        ([caller, caller], {"names": ["a", "a"]}, "2 different names"),
        ([caller, caller], {"names": ["a", "b|c"]}, "a name must not"),
        ([CLIENT, CLIENT], {"ports": (0, 0, 0)}, "one port, or one for each of the 2"),
        ([CLIENT, caller], {"ports": (70_000,)}, "port must be in"),
    ]:
        with pytest.raises(ValueError, match=message):
            Dealer(competition_game(), 1, seats, **options)  # type: ignore[arg-type]
    for seconds in (0.0, math.inf, math.nan):
        with pytest.raises(ValueError, match="time limit hand must be a finite number in"):
            TimeLimits(hand=seconds)


def test_seats_have_different_names() -> None:
    caller = agents.make("caller")
    names = seat_names([caller, CLIENT, CLIENT, caller, Watcher()])
    assert " ".join(names) == "caller client client-2 caller-2 Watcher"


# --- command line ---------------------------------------------------------------------------------


def test_the_dealer_runs_from_the_command_line(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "match.log"
    options = "--hands 4 --seed 7 --starting-stack 5000"
    arguments = ["acpc", "dealer", *options.split()]
    assert main([*arguments, "--log", str(log), "raiser", "bob=caller", "random"]) == 0
    text = log.read_text()
    assert text.startswith("# name/game/hands/seed match holdem.nolimit.3p.5000.50-100 4 7\n")
    assert text.splitlines()[-1].endswith(":raiser|bob|random")
    assert "bob: " in capsys.readouterr().err
    assert main([*arguments, "raiser", "bob=caller", "random"]) == 0
    assert capsys.readouterr().out == text


def test_a_program_keeps_its_name_and_is_refused_if_it_does_not_start(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = Path(__file__).parents[3] / "examples" / "bots" / "bot.py"
    command = ["acpc", "dealer", "--hands", "3", "--seed", "7", "caller"]
    assert main([*command, f"process:{sys.executable} {bot}"]) == 0
    said = capsys.readouterr()
    assert said.out.endswith(":caller|Counter\n")
    assert "Counter: " in said.err.splitlines()[-1]
    (tmp_path / "dead.py").write_text("raise SystemExit('no weights found')")
    assert main([*command, f"process:{sys.executable} {tmp_path / 'dead.py'}"]) == 1
    said = capsys.readouterr()
    assert "failed to start: ended with code 1: 'no weights found'" in said.err
    assert said.out == ""


def test_the_client_runs_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    seats = [CLIENT, agents.make("caller")]
    with Dealer(competition_game(), 3, seats, seed=1, limits=PATIENT) as dealer:
        port = str(dealer.ports[0])
        with in_threads(lambda: main(["acpc", "client", "127.0.0.1", port, "raiser"])) as codes:
            result = dealer.play()
    assert codes == [0]
    assert f"3 hands, {result.totals[0]:+} chips" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        (["acpc", "dealer", "--blinds", "50"], "SB/BB/ANTE", 2),
        (["acpc", "dealer", "nobody"], "there is no player 'nobody'", 2),
        (["acpc", "dealer", *["caller"] * 11], "seats must be in 2 .. 10", 2),
        (["acpc", "dealer", "--port", "x"], "port must be one number", 2),
        (["acpc", "dealer"], "no client connected", 1),
        (["acpc", "client", "127.0.0.1", "0", "caller"], "port must be in", 2),
        (["acpc", "client", "127.0.0.1", "1", "caller"], "error: 127.0.0.1 port 1: no dealer", 1),
    ],
)
@pytest.mark.usefixtures("impatient")
def test_wrong_command_line_arguments_are_reported(
    arguments: list[str], message: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == code
    assert message in capsys.readouterr().err
