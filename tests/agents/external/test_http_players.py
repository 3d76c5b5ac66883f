"""Players behind an address: what they are sent, and every way in which they can fail."""

import copy
import json
import pickle
import shutil
import socket
import subprocess
import threading
import tracemalloc
from pathlib import Path

import pytest
from chat_server import Raw, chat_server
from helpers import deal

import agents
import nlhe_env
from agents import registry
from agents.external.chips import describe_turn

KEY = "NLHE_ENV_TEST_HTTP_KEY"
SECRET = "sk-very-secret-0123456789"
FIRST = describe_turn(deal([2000, 2000, 2000]), [])
GAME = nlhe_env.Game.cash(num_hands=5)
NODE_BOT = Path(__file__).parents[3] / "examples/bots/bot_http.js"


def raw(value, **more):
    return Raw(body=value if isinstance(value, bytes) else json.dumps(value).encode(), **more)


READY = raw({"type": "ready", "name": "Far away", "seats": [2, 3]})
CALL = raw({"action": "call"})


def bot(action=CALL):
    """Answers of a server that is ready."""
    return lambda message: READY if message["type"] == "hello" else action


def test_every_decision_is_one_request_with_the_message_of_programs():
    with chat_server(bot(raw({"type": "action", "id": 1, "action": "raise", "to": 60}))) as server:
        player = agents.make(server.url)
        assert player.name == server.url.removesuffix("/v1")
        player.take_seat()
        player.take_seat()
        assert player.decide(FIRST) == 60
    hello, act = server.requests
    assert hello == {"type": "hello", "protocol": 1, "seconds_per_decision": 2.0}
    assert act == {"type": "act", "id": 1, **json.loads(json.dumps(FIRST))}
    assert list(act) == ["type", "id", *FIRST]
    assert server.paths == ["/v1", "/v1"]
    assert player.name == "Far away"
    assert player.identity == server.url
    assert player.known_seats == [2, 3]
    assert (player.report.decisions, player.report.failed, player.report.strikes) == (1, 0, {})


def test_matches_are_those_of_the_same_bot_in_this_process():
    with chat_server(bot()) as server:
        far = agents.play([server.url, "pot-odds"], agents.Blocks(3), GAME, seed=2)
    assert (
        far.scores == agents.play(["caller", "pot-odds"], agents.Blocks(3), GAME, seed=2).scores
    ).all()


@pytest.mark.parametrize(
    ("answer", "reason", "detail"),
    [
        (raw(b"call"), "unreadable", "not JSON"),
        (raw([1]), "unreadable", "not a JSON object"),
        (raw({"action": "check"}), "illegal", "check facing a bet of 20"),
        (raw({"action": "raise", "to": 5}), "illegal", "raise to 5; allowed is 40..2000"),
        (raw({}), "illegal", '"action" must be fold, check, call or raise; got None'),
        (raw({"action": "call"}, status=500), "unreadable", "status 500: '{\"action\""),
        (raw(b"", status=302, headers={"Location": "http://127.0.0.1:9/"}), "unreadable",
         "a redirect to another address (127.0.0.1), which is refused"),
        (raw(b"{}", pause=0.5), "late", "no answer within 0.2 seconds"),
        (raw(b"{}", length=9), "gone", "an answer that ends before its length"),
        (raw(b" " * 2**21), "gone", "an answer of more than 1048576 bytes"),
    ],
)  # fmt: skip
def test_without_a_valid_answer_it_checks_or_folds_and_the_fault_is_counted(answer, reason, detail):
    with chat_server(bot(answer)) as server:
        player = agents.HttpPlayer(server.url, seconds_per_decision=0.2 if reason == "late" else 60)
        player.take_seat()
        assert player.decide(FIRST) == agents.FOLD
        assert player.decide({**FIRST, "to_call": 0}) in (agents.CHECK_OR_CALL, 5)
    assert list(player.report.strikes) == [reason]
    assert player.report.invalid.counts[reason] == player.report.failed
    assert player.report.last_strikes[0].detail.startswith(detail)


@pytest.mark.parametrize("length", [b"-1", b"-5"])
def test_a_chunk_of_negative_length_is_a_fault_and_fills_no_memory(length):
    chunk = raw(length + b"\r\n" + b" " * 2**26, headers={"Transfer-Encoding": "chunked"})
    with chat_server(bot(chunk)) as server:
        player = agents.make(f"{server.url},seconds_per_decision=60")
        player.take_seat()
        tracemalloc.start()
        try:
            assert player.decide(FIRST) == agents.FOLD
            assert tracemalloc.get_traced_memory()[1] < 2**24
        finally:
            tracemalloc.stop()
    assert list(player.report.strikes) == ["gone"]


def test_control_characters_of_a_server_become_blanks():
    def answer():
        connection = listener.accept()[0]
        with connection:
            connection.sendall(b"\x1b[2JHELLO\r\n")
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(4096):
                pass

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=answer)
        thread.start()
        player = agents.make(f"http://127.0.0.1:{listener.getsockname()[1]}")
        with pytest.raises(RuntimeError, match=r"BadStatusLine:  \[2JHELLO  ; expected"):
            player.take_seat()
        thread.join()


def test_half_of_a_surrogate_pair_in_an_answer_is_no_fault():
    with chat_server(bot(raw({"action": "call", "note": "\ud83d"}))) as server:
        player = agents.make(server.url)
        player.take_seat()
        player.decide(FIRST)
    assert (player.report.decisions, player.report.failed) == (1, 0)


def test_a_server_that_never_answers_forfeits_and_is_no_longer_asked():
    with chat_server(bot(raw(b"?"))) as server:
        player = agents.HttpPlayer(server.url, forfeit_after=3)
        player.take_seat()
        assert [player.decide(FIRST) for _ in range(5)] == [agents.FOLD] * 5
        assert len(server.requests) == 4
        with pytest.raises(RuntimeError, match="has forfeited, which stops the match; its last"):
            agents.play([server.url + ",forfeit_after=2", "caller"], agents.Blocks(9), GAME, seed=1)
    assert player.report.forfeited
    assert player.report.invalid.counts == {"unreadable": 3, "forfeited": 2}
    with pytest.raises(RuntimeError, match="has forfeited: make a new player"):
        player.take_seat()


def test_the_bench_stops_without_valid_answers(tmp_path):
    words = r"no valid answer in 10 decisions in a row.*dance"
    with (
        chat_server(bot(raw({"action": "dance"}))) as server,
        pytest.raises(RuntimeError, match=words),
    ):
        agents.bench(server.url, hands=40, seed=1, bound=False, out=tmp_path)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (raw({"action": "call"}), 'expected a "ready" message'),
        (raw(b"", status=404), "status 404"),
        (raw(b"", status=307, headers={"Location": "http://x.example/"}), "redirect to another"),
    ],
)
def test_a_server_without_a_player_gets_no_seat(answer, words):
    with chat_server(answer) as server:
        player = agents.make(f"{server.url},seconds_to_start=60")
        with pytest.raises(RuntimeError, match=r"has no player: .*expected the answer") as caught:
            player.take_seat()
    assert words in str(caught.value)
    with pytest.raises(RuntimeError, match="has no player: ConnectionRefusedError"):
        player.take_seat()


def test_keys_are_from_the_environment_and_are_shown_nowhere(monkeypatch):
    with chat_server(bot(raw({"action": SECRET}))) as server:
        player = agents.make(f"{server.url},key={KEY},header=X-Key={KEY}")
        with pytest.raises(RuntimeError, match=f"environment variable {KEY} must hold the key"):
            player.take_seat()
        monkeypatch.setenv(KEY, SECRET)
        player.take_seat()
        player.decide(FIRST)
    for headers in server.headers:
        assert headers["Authorization"] == f"Bearer {SECRET}"
        assert headers["X-Key"] == SECRET
    assert SECRET not in f"{player!r} {player.report} {vars(player)} {player.identity}"
    assert "[key]" in str(player.report)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (f"http://user:{SECRET}@example.org/act", "must not contain a user"),
        (f"https://example.org/act?key={SECRET}", "must not contain a secret"),
        (f"https://example.org/act#{SECRET}", "must not contain a secret"),
        (f"http://example.org/act,key={KEY}", "over https only"),
        (f"https://example.org/act,key={SECRET}", "must be the name of an environment variable"),
        ("https://example.org/act,header=Host=X", "header must be NAME=VARIABLE"),
        ("http:///act", "must be an address"),
        ("http://a..b/act", "must be an address"),
        ("http://example.org/ä", "a path in ASCII"),
        ("http://example.org/act,seconds_per_decision=0", "seconds_per_decision must be"),
        ("http://example.org/act,forfeit_after=0", "forfeit_after must be"),
        ("http://example.org/act,sped=1", "an option must be one of"),
        ("http:", "options must be"),
    ],
)
def test_addresses_and_options_are_checked(name, words):
    with pytest.raises(ValueError, match=words) as caught:
        agents.make(name)
    assert SECRET not in str(caught.value)


def test_names_of_addresses():
    address = "https://example.org/bots/champion.npz"
    assert agents.make(address).identity == address
    assert registry.name_of_play(f"{address},key={KEY},seconds_per_decision=60") == address
    assert registry.short_name(f"{address},key={KEY}") == address
    assert registry.split_name(f"mine={address}") == ("mine", address)
    assert list(agents.options("http"))[:2] == ["url", "key"]


def test_a_player_can_be_copied_and_sent_to_another_process():
    player = agents.HttpPlayer("http://127.0.0.1:9/act")
    for other in (copy.deepcopy(player), pickle.loads(pickle.dumps(player))):
        assert other.identity == player.identity


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_the_example_in_another_language_plays():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ["node", str(NODE_BOT), str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        try:
            assert program.stdout is not None
            assert program.stdout.readline().strip() == str(port)
            player = agents.make(f"http://127.0.0.1:{port}/act")
            agents.play([player, "pot-odds", "random"], agents.Tournaments(3), GAME, seed=1)
        finally:
            program.terminate()
    assert player.name == "Node"
    assert player.report.decisions > 10
    assert player.report.strikes == {}
