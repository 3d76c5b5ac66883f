"""Chat players: what they send, what they make of every answer, and what stops them."""

import json
import pickle
import re
import time
import traceback

import pytest
from chat_server import Raw, chat_server, completion
from helpers import deal

import agents
import nlhe_env
from agents.external import http_post
from agents.external.chat import BudgetError, ChatError
from agents.external.chat.answers import AnswerError, read_answer, response_format
from agents.external.chips import describe_turn

KEY = "NLHE_ENV_TEST_KEY"
SECRET = "sk-very-secret-0123456789"
GAME = nlhe_env.Game.cash(num_hands=4)
FIRST = describe_turn(deal([2000, 2000, 2000]), [])
FREE = {**FIRST, "to_call": 0}
NO_RAISE = {**FIRST, "min_raise_to": 0, "max_raise_to": 0}


@pytest.fixture
def naps(monkeypatch):
    """Seconds that would be slept."""
    slept: list[float] = []
    monkeypatch.setattr("agents.external.chat.client.time.sleep", slept.append)
    return slept


def by_rule(request):
    """A model that opens the betting before the flop, and calls after that."""
    text = request["messages"][1]["content"]
    least = re.search("- raise to any whole number from ([0-9]+)", text)
    amounts = [int(least[1]), int(least[1]) + 10] if least and "none yet\n\nYou" in text else []
    passive = "call" if "- call" in text else "check"
    if "chances" in request["messages"][0]["content"]:
        raises = [{"to": amount, "chance": 0.25} for amount in amounts]
        return json.dumps({passive: 0.5, "raises": raises})
    raises = {"action": "raise", "to": amounts[0] if amounts else 0}
    return json.dumps(raises if amounts else {"action": passive})


def decide(url, turn=FIRST, **options):
    player = agents.ChatPlayer("m", url=url, **options)
    return player.decide(turn), player


# --- answers --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ('{"action": "fold"}', agents.FOLD),
        ('{"action": "call", "to": 0}', agents.CHECK_OR_CALL),
        ('{"action": "raise", "to": 40}', 40),
        ('{"action": "raise",\n "to": 2000}', 2000),
        ('I hold {"nothing"}.\n\n{"reasoning": "why", "action": "raise", "to": 77}\n', 77),
    ],
)
def test_good_answers_are_played(answer, action):
    with chat_server(answer) as server:
        played, player = decide(server.url)
    assert played == action
    assert (player.report.illegal, player.report.requests, player.report.decisions) == (0, 1, 1)
    assert server.paths == ["/v1/chat/completions"]
    (request,) = server.requests
    assert request["model"] == "m"
    assert [message["role"] for message in request["messages"]] == ["system", "user"]
    assert request["messages"][1]["content"] == agents.turn_text(FIRST)
    assert "Authorization" not in server.headers[0]


BAD = [
    '{"action": "raise", "to": 2001}',
    '{"action": "raise", "to": true}',
    '{"action": "raise", "to": "40"}',
    '{"action": "raise"}',
    '{"action": ["fold"]}',
    "[" * 100_000,
    '{"action": "raise", "to": ' + "9" * 5_000 + "}",
    '"fold"',
]


@pytest.mark.parametrize("answer", BAD)
def test_bad_answers_get_one_correction(answer):
    with chat_server(answer, '{"action": "call"}') as server:
        played, player = decide(server.url)
    assert played == agents.CHECK_OR_CALL
    assert (player.report.illegal, player.report.failed, player.report.requests) == (1, 0, 2)
    roles = [message["role"] for message in server.requests[1]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert len(server.requests[1]["messages"][2]["content"]) <= 2_000


@pytest.mark.parametrize(("turn", "action"), [(FIRST, agents.FOLD), (FREE, agents.CHECK_OR_CALL)])
def test_after_two_bad_answers_it_checks_or_folds(turn, action):
    with chat_server("rubbish") as server:
        played, player = decide(server.url, turn)
    assert played == action
    assert (player.report.illegal, player.report.failed, player.report.requests) == (2, 1, 2)


def test_a_model_without_content_has_given_a_bad_answer():
    with chat_server(completion(None)) as server:
        _, player = decide(server.url)
    assert player.report.failed == 1


@pytest.mark.parametrize(
    ("answer", "distribution"),
    [
        ({"fold": 1}, {0: 1.0}),
        ({"fold": 0.25, "call": 0.75, "raises": []}, {0: 0.25, 1: 0.75}),
        ({"call": 0.2, "raises": [{"to": 40, "chance": 0.2}] * 2}, {1: 1 / 3, 40: 2 / 3}),
        ({"check": 0, "call": 0.5, "raises": [{"to": 1, "chance": 0}]}, {1: 1.0}),
    ],
)
def test_distributions_are_read(answer, distribution):
    read = read_answer(json.dumps(answer), FIRST, "distribution")
    assert read == pytest.approx(distribution)


@pytest.mark.parametrize(
    "answer",
    [
        '{"check": 1}',
        "{}",
        '{"call": 0}',
        '{"call": -0.5, "fold": 1}',
        '{"call": NaN}',
        '{"call": 1e999}',
        '{"call": true}',
        '{"call": 40}',
        '{"bet": 1}',
        '{"raises": {"to": 40, "chance": 1}}',
        '{"raises": [{"to": 40}]}',
        '{"raises": [{"to": 39, "chance": 1}]}',
        '{"raises": [40]}',
        json.dumps({"raises": [{"to": 40, "chance": 0.1}] * 9}),
    ],
)
def test_bad_distributions_are_refused(answer):
    with pytest.raises(AnswerError):
        read_answer(answer, FIRST, "distribution")


def test_fold_where_checking_is_free_and_raises_that_are_not_legal_are_refused():
    for turn, action in ((FREE, "fold"), (FREE, "call"), (NO_RAISE, "raise")):
        with pytest.raises(AnswerError, match="one of"):
            read_answer(json.dumps({"action": action, "to": 40}), turn, "action")
    with pytest.raises(AnswerError, match="not legal"):
        read_answer('{"raises": [{"to": 40, "chance": 1}]}', NO_RAISE, "distribution")


def test_schemas_name_the_legal_actions_only():
    schema = response_format(FREE, "action", reasoning=True)["json_schema"]["schema"]
    assert schema["properties"]["action"]["enum"] == ["check", "raise"]
    assert schema["required"] == ["reasoning", "action", "to"]
    schema = response_format(NO_RAISE, "distribution", reasoning=False)["json_schema"]["schema"]
    assert list(schema["properties"]) == ["fold", "call"]


# --- servers --------------------------------------------------------------------------------------


def refusal(status, text="no", **headers):
    return Raw(status, json.dumps({"error": {"message": text}}).encode(), headers)


CALL = '{"action": "call"}'


@pytest.mark.parametrize(
    "fault",
    [
        refusal(500),
        refusal(503),
        refusal(429),
        Raw(body=b"not JSON"),
        Raw(body=b'{"choices": []}'),
        Raw(body=b'{"choices": [{"message": {"content": ["fold"]}}]}'),
        Raw(body=b"[" * 100_000),
        Raw(body=b"\xff\xfe"),
        Raw(body=completion(CALL).body, length=10_000),  # cut off
        Raw(body=b"x" * (http_post.MOST_BYTES + 1)),
        Raw(body=completion("x" * http_post.MOST_BYTES).body),
    ],
    ids=lambda raw: f"{raw.status} {raw.body[:12]!r}",
)
def test_servers_at_fault_are_asked_again(fault, naps):
    with chat_server(fault, fault, CALL) as server:
        played, player = decide(server.url)
    assert played == agents.CHECK_OR_CALL
    assert naps == [1.0, 2.0]
    assert (player.report.failures, player.report.requests, player.report.illegal) == (2, 1, 0)


def test_retry_after_is_honoured(naps):
    later = "Wed, 21 Oct 2015 07:28:00 GMT"
    faults = [refusal(429, **{"Retry-After": value}) for value in ("7", later, "soon")]
    with chat_server(*faults, CALL) as server:
        decide(server.url)
    assert naps == [7.0, 2.0, 4.0]
    with (
        chat_server(refusal(429, **{"Retry-After": "86400"})) as server,
        pytest.raises(ChatError, match="wait for 86400 seconds"),
    ):
        decide(server.url)


def test_slow_answers_are_not_waited_for(naps):
    trickle = Raw(body=completion(CALL).body, pause=0.02)
    start = time.monotonic()
    with (
        chat_server(trickle) as server,
        pytest.raises(ChatError, match=r"2 requests in a row.* within 0\.3 seconds"),
    ):
        decide(server.url, timeout=0.3, retries=1)
    assert time.monotonic() - start < 60


def test_a_server_that_is_not_there_stops_the_match(naps):
    with chat_server(CALL) as server:
        pass
    with pytest.raises(ChatError, match=r"3 requests in a row.*refused"):
        decide(server.url, retries=2)
    assert naps == [1.0, 2.0]


@pytest.mark.parametrize("status", [401, 403, 404])
def test_refusals_stop_the_match(status, monkeypatch):
    monkeypatch.setenv(KEY, SECRET)
    with (
        chat_server(refusal(status, f"wrong key {SECRET}\x1b[2J")) as server,
        pytest.raises(ChatError, match=rf"status {status}.*wrong key") as caught,
    ):
        decide(server.url, key=KEY)
    assert SECRET not in str(caught.value)
    assert "\x1b" not in str(caught.value)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_refused_and_gets_no_key(status, monkeypatch, tmp_path):
    monkeypatch.setenv(KEY, SECRET)
    log = tmp_path / "log.jsonl"
    with chat_server(CALL) as thief:
        redirect = Raw(status, b"", {"Location": f"{thief.url}/chat/completions"})
        with chat_server(redirect) as server, pytest.raises(ChatError, match="another address"):
            decide(server.url, key=KEY, log=str(log))
        assert server.headers[0]["Authorization"] == f"Bearer {SECRET}"
        assert thief.requests == []
    assert SECRET not in log.read_text()


def test_the_key_is_sent_and_kept_nowhere(monkeypatch, tmp_path):
    monkeypatch.setenv(KEY, f"{SECRET}\n")
    monkeypatch.setenv("OPENAI_API_KEY", "another secret")
    log = tmp_path / "log.jsonl"
    with chat_server(lambda request: completion(f"your key is {SECRET}"), CALL) as server:
        _, player = decide(server.url, key=KEY, log=str(log))
        assert server.headers[0]["Authorization"] == f"Bearer {SECRET}"
        assert SECRET not in json.dumps(server.requests)
        decide(server.url)
        assert "Authorization" not in server.headers[-1]
    kept = f"{player!r} {player.report} {player.identity} {vars(player)}".encode()
    assert SECRET.encode() not in kept + pickle.dumps(player) + log.read_bytes()


def test_a_key_that_the_server_repeats_with_escapes_is_not_kept(monkeypatch, tmp_path):
    monkeypatch.setenv(KEY, SECRET)
    log = tmp_path / "log.jsonl"
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in SECRET)
    body = completion("no").body.replace(b'"no"', f'"your key is {escaped}"'.encode())
    with chat_server(Raw(body=body), CALL) as server:
        decide(server.url, key=KEY, log=str(log))
    assert "your key is [key]" in log.read_text()
    assert SECRET not in log.read_text()


@pytest.mark.parametrize("value", [f"{SECRET}\nsecond line", f"{SECRET}\u2026"])
def test_what_cannot_be_a_key_is_refused_unshown(value, monkeypatch):
    monkeypatch.setenv(KEY, value)
    player = agents.ChatPlayer("m", url="http://127.0.0.1:9", key=KEY, retries=0)
    for ask in (player.take_seat, lambda: player.decide(FIRST)):
        with pytest.raises(ChatError, match="a single line of ASCII") as caught:
            ask()
        assert SECRET not in "".join(traceback.format_exception(caught.value))


def test_a_key_goes_by_https_only_and_must_be_there(monkeypatch):
    monkeypatch.delenv(KEY, raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ValueError, match="https only"):
        agents.ChatPlayer("m", url="http://example.org", key=KEY)
    for player in (
        agents.ChatPlayer("m"),
        agents.ChatPlayer("m", url="https://example.org", key=KEY),
    ):
        with pytest.raises(ChatError, match="environment variable"):
            player.take_seat()
    agents.ChatPlayer("m", url="http://example.org").take_seat()


@pytest.mark.parametrize(
    ("messages", "fields"),
    [
        (["response_format is not supported"], {"max_tokens", "json_object"}),
        (["response_format is not supported"] * 2, {"max_tokens"}),
        (
            ["Use 'max_completion_tokens' instead", "Unsupported: response_format"],
            {"max_completion_tokens", "json_object"},
        ),
        (["Use 'max_completion_tokens' instead"], {"max_completion_tokens", "json_schema"}),
        ([f"{'x' * 1000} Use 'max_completion_tokens'"], {"max_completion_tokens", "json_schema"}),
    ],
)
def test_options_that_a_server_does_not_know_are_left_out(messages, fields):
    faults = [refusal(400, message) for message in messages]
    with chat_server(*faults, CALL) as server:
        _, player = decide(server.url)
        player.decide(FREE)
    last = server.requests[-1]
    kept = {"max_tokens", "max_completion_tokens"} & set(last)
    if "response_format" in last:
        kept.add(last["response_format"]["type"])
    assert kept == fields
    assert len(server.requests) == len(messages) + 3  # a call is not legal the second time
    assert player.report.requests == len(server.requests)


def test_a_request_that_is_refused_for_good_stops_the_match():
    with (
        chat_server(refusal(400, "context is too long")) as server,
        pytest.raises(ChatError, match="context is too long"),
    ):
        decide(server.url)
    assert len(server.requests) == 1


# --- budgets --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "requests"),
    [
        ({"max_requests": 3}, 3),
        ({"max_tokens": 330}, 3),
        ({"max_tokens": 331}, 4),
        ({"budget": 0.0005, "price_in": 1.0, "price_out": 10.0}, 3),
    ],
)
def test_a_budget_stops_the_match(options, requests):
    with chat_server(by_rule) as server:
        player = agents.ChatPlayer("m", url=server.url, **options)
        with pytest.raises(BudgetError, match="spent its budget"):
            agents.play([player, "caller"], agents.Blocks(3), GAME, seed=1)
    assert len(server.requests) == player.report.requests == requests
    assert (player.report.tokens_in, player.report.tokens_out) == (100 * requests, 10 * requests)
    assert f"{requests} requests" in str(player.report)


def test_tokens_are_estimated_where_the_server_does_not_count_them():
    for usage in (None, (-1, True), ("1", 2.5)):
        with chat_server(completion(CALL, usage)) as server:
            _, player = decide(server.url)
        characters = sum(len(message["content"]) for message in server.requests[0]["messages"])
        assert player.report.tokens_in == -(-characters // 3)
        assert player.report.tokens_out == -(-len(CALL) // 3)


# --- options --------------------------------------------------------------------------------------


def test_options_are_read_by_name(tmp_path):
    (tmp_path / "extra.json").write_text('{"top_p": 0.5}')
    (tmp_path / "advice.txt").write_text("Be brave.\n")
    name = (
        f"chat:model=m,url=%s,answer=action,temperature=0,answer_tokens=9,"
        f"extra={tmp_path}/extra.json,advice={tmp_path}/advice.txt,reasoning=yes"
    )
    with chat_server('{"reasoning": "", "action": "call"}') as server:
        player = agents.make(name % server.url)
        player.decide(FIRST)
    options = [each for each in name.split(",") if not each.startswith("url=")]
    assert player.name == player.report.name == ",".join(options)
    (request,) = server.requests
    assert {key: request[key] for key in ("temperature", "max_tokens", "top_p")} == {
        "temperature": 0.0,
        "max_tokens": 9,
        "top_p": 0.5,
    }
    assert "Be brave." in request["messages"][0]["content"]
    assert "chat" not in agents.names()
    assert agents.options("chat")["answer"] == "action"
    assert agents.describe("chat")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("", "needs the option model"),
        ("model=", "name of a model"),
        ("model=m,answer=words", "answer must be one of"),
        ("model=m,memory=all", "memory must be one of"),
        ("model=m,url=ftp://example.org", "http"),
        ("model=m,url=https://user:pass@example.org", "must not contain a user"),
        ("model=m,url=https://example.org?key=1", "must not contain ?"),
        ("model=m,temperature=hot", "temperature must be a finite number"),
        ("model=m,timeout=0", "timeout must be"),
        ("model=m,retries=-1", "retries must be"),
        ("model=m,max_requests=0", "max_requests must be"),
        ("model=m,budget=5", "needs price_in"),
        ("model=m,extra=nowhere.json", "cannot be read"),
        ("model=m,advice=nowhere.txt", "cannot be read"),
        ("model=m,replay=nowhere.jsonl", "cannot be read"),
        ("model=m,log=no/where.jsonl", "cannot be written"),
    ],
)
def test_impossible_options_are_refused(options, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=message):
        agents.make(f"chat:{options}" if options else "chat")


@pytest.mark.parametrize("text", ["[]", '{"messages": []}', "{"])
def test_further_fields_must_be_an_object_without_our_own(text, tmp_path):
    file = tmp_path / "extra.json"
    file.write_text(text)
    with pytest.raises(ValueError, match="extra="):
        agents.ChatPlayer("m", extra=str(file))


def test_pages_cannot_make_chat_players():
    from agents.web.catalogue import Catalogue

    with pytest.raises(ValueError, match="there is no player"):
        Catalogue().make("chat:model=m,url=http://127.0.0.1:1")


# --- what is shown of secrets ---------------------------------------------------------------------


def decision(url, **options):
    return agents.ChatPlayer("m", url=url, **options).decide(FIRST)


@pytest.mark.parametrize(
    "options",
    [
        f"url=https://user:{SECRET}@example.org/v1",
        f"url=https://{SECRET}@example.org/v1,retries=2",
        f"url=https://example.org/v1?key={SECRET}",
        f"url=https://example.org/v1#{SECRET}",
        f"url=http://example.org/{SECRET}/v1,key={KEY}",
        f"key={SECRET}",
        f"key={SECRET.replace('-', '_')}",
    ],
)
def test_a_secret_among_the_options_is_not_shown(options):
    with pytest.raises((ValueError, ChatError)) as caught:
        agents.make(f"chat:model=m,{options}").take_seat()
    if "/v1,key" not in options:  # a name shows the path, messages of the server do not
        assert SECRET not in str(caught.value)
        assert SECRET.replace("-", "_") not in str(caught.value)


def test_the_path_of_an_address_is_in_no_message_or_log(naps, tmp_path):
    log = tmp_path / "log.jsonl"
    with chat_server(Raw(500), Raw(401)) as server:
        url = f"{server.url.removesuffix('/v1')}/{SECRET}"
        for retries in (0, 0):
            with pytest.raises(ChatError) as caught:
                decision(url, retries=retries, log=str(log))
            assert SECRET not in str(caught.value)
    assert SECRET not in log.read_text()
    assert log.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("host", [SECRET, SECRET.upper()])
def test_a_key_in_a_redirect_is_not_shown(host, monkeypatch, tmp_path):
    monkeypatch.setenv(KEY, SECRET)
    log = tmp_path / "log.jsonl"
    redirect = Raw(302, f"go to {host}".encode(), {"Location": f"http://{host}.example/"})
    with chat_server(redirect) as server, pytest.raises(ChatError) as caught:
        decision(server.url, key=KEY, log=str(log))
    for text in (str(caught.value), log.read_text()):
        assert SECRET not in text.lower()


@pytest.mark.parametrize("count", ["1" + "0" * 400, "1e999", "1" + "0" * 200, "-1", '"5"', "[[]]"])
def test_impossible_counts_of_tokens_do_not_stop_a_match_otherwise_than_by_an_error(count, naps):
    body = completion('{"action": "call"}').body
    body = body.replace(b'"choices"', f'"usage": {{"prompt_tokens": {count}}}, "choices"'.encode())
    with chat_server(Raw(body=body)) as server:
        player = agents.ChatPlayer("m", url=server.url, retries=0, price_in=1.0)
        try:
            player.decide(FIRST)
        except ChatError:
            assert len(count) > 400
    assert player.report.cost < 1.0
