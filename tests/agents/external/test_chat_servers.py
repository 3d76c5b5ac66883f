"""What servers refuse and count: schemas, system messages, prompts, texts, headers, tokens."""

import json

import pytest
from chat_server import Raw, chat_server, completion
from test_chat_matches import BLOCKS, GAME, play
from test_chat_player import CALL, FIRST, SECRET, by_rule, decide, refusal

import agents
from agents.external.chat import BudgetError, ChatError
from agents.external.chat.client import _tokens

AZURE = "NLHE_ENV_TEST_AZURE"


def forms(server):
    """Kinds of ``response_format`` of the requests."""
    return [request.get("response_format", {}).get("type") for request in server.requests]


def refuses(is_refused, body, status=400):
    """A server that refuses some requests with this body, and calls in reply to others."""
    raw = Raw(status, body if isinstance(body, bytes) else json.dumps(body).encode())
    return lambda request: raw if is_refused(request) else CALL


@pytest.mark.parametrize(
    ("is_refused", "body"),
    [
        (lambda request: "response_format" in request, b"This response_format type is unavailable"),
        (lambda r: "response_format" in r, [{"error": {"message": "no structured outputs"}}]),
    ],
)
def test_a_refused_schema_becomes_json_mode_and_then_no_format(is_refused, body):
    for status in (400, 422):
        with chat_server(refuses(is_refused, body, status)) as server:
            _, player = decide(server.url)
            player.decide({**FIRST, "hand_number": 1})
        assert forms(server) == ["json_schema", "json_object", None, None]


@pytest.mark.parametrize(
    "message",
    [
        "For 'integer' type, properties maximum, minimum are not supported",
        'Unknown name "additionalProperties" at generation_config',
        f"{'x' * 2_000} failed to parse grammar",
    ],
)
def test_a_refused_part_of_the_schema_becomes_json_mode(message):
    def refused(request):
        return "minimum" in json.dumps(request.get("response_format", ""))

    with chat_server(refuses(refused, {"error": {"message": message}})) as server:
        decide(server.url)
    assert forms(server) == ["json_schema", "json_object"]


@pytest.mark.parametrize(
    "message",
    [
        "The response was filtered: content management policy, see response_format",
        "content_filter: json_schema",
        "This model's maximum context length is 4096 tokens",
        "Unsupported value: 'temperature' does not support 0 with this model",
        "no credit",
        "",
    ],
)
def test_another_refusal_keeps_the_schema_and_stops_the_match(message):
    with chat_server(refusal(400, message)) as server, pytest.raises(ChatError):
        decide(server.url)
    assert forms(server) == ["json_schema"]


@pytest.mark.parametrize(("text", "illegal"), [(CALL, 0), ("I call.", 1), (None, 1)])
def test_a_text_that_failed_validation_is_an_answer_and_keeps_the_schema(text, illegal):
    error = {"message": "Generated JSON does not match the expected schema"}
    error |= {"code": "json_validate_failed", "failed_generation": text}
    body = json.dumps({"error": error}).encode()
    with chat_server(Raw(400, body), CALL) as server:
        played, player = decide(server.url)
    assert played == agents.CHECK_OR_CALL
    assert player.report.illegal == illegal
    assert set(forms(server)) == {"json_schema"}


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "System role not supported"),
        (500, "Jinja Exception: System role not supported"),
        (400, "Conversation roles must alternate user/assistant/user/assistant/..."),
        (400, "Developer instruction is not enabled for models/gemma-3-27b-it"),
    ],
)
def test_a_model_without_a_system_role_gets_the_rules_from_the_user(status, message):
    def answer(request):
        roles = [each["role"] for each in request["messages"]]
        if "system" in roles:
            return refusal(status, message)
        assert roles == ["user", "assistant", "user"][: len(roles)]
        return "?" if len(roles) == 1 else CALL

    with chat_server(answer) as server:
        _, player = decide(server.url)
    first, second, _ = (request["messages"] for request in server.requests)
    assert second[0]["content"] == f"{first[0]['content']}\n\n{first[1]['content']}"
    assert player.report.requests == 3
    assert set(forms(server)) == {"json_schema"}


def test_a_resumed_match_gets_past_a_prompt_that_was_refused(tmp_path):
    log = str(tmp_path / "log.jsonl")
    with chat_server(by_rule) as server:
        _, hands = play(agents.ChatPlayer("m", url=server.url), tmp_path, "whole")
    answers = [refusal(400, "response_format: no"), *[by_rule] * 5]
    with chat_server(*answers, refusal(400, "content_filter"), by_rule) as server:
        player = agents.ChatPlayer("m", url=server.url, log=log, replay=log)
        with pytest.raises(ChatError, match="content_filter"):
            agents.play([player, "pot-odds"], BLOCKS, GAME, seed=3)
        asked = len(server.requests)
        resumed = agents.ChatPlayer("m", url=server.url, log=log, replay=log)
        assert play(resumed, tmp_path, "resumed")[1] == hands
    assert resumed.report.replayed == 6
    assert "response_format" in server.requests[0]
    assert set(forms(server)[asked:]) == {"json_object"}


def test_an_address_may_have_a_query_and_a_request_a_header(monkeypatch, tmp_path):
    monkeypatch.setenv(AZURE, SECRET)
    log = tmp_path / "log.jsonl"
    query = "/chat/completions?api-version=2024-10-21"
    with chat_server(lambda request: completion(f"I know {SECRET}"), CALL) as server:
        options = {"header": f"api-key={AZURE}", "log": str(log)}
        _, player = decide(f"{server.url}{query}", **options)
    assert server.paths == [f"/v1{query}"] * 2
    assert {headers["api-key"] for headers in server.headers} == {SECRET}
    assert "Authorization" not in server.headers[0]
    assert SECRET not in log.read_text() + json.dumps(server.requests) + str(vars(player))
    monkeypatch.delenv(AZURE)
    with pytest.raises(ChatError, match=f"environment variable {AZURE} must hold"):
        player.take_seat()
    with pytest.raises(ValueError, match="https only"):
        agents.ChatPlayer("m", url="http://example.org", header=f"api-key={AZURE}")


@pytest.mark.parametrize(
    "header", ["api-key", "api-key=", "=A", "Host=A", "a b=A", "x=a-b", "x:=A"]
)
def test_a_header_that_is_no_name_and_variable_is_refused(header):
    with pytest.raises(ValueError, match="header must be NAME=VARIABLE"):
        agents.ChatPlayer("m", url="http://127.0.0.1:1", header=header)


@pytest.mark.parametrize("query", ["?api-key=1", "?sig=x", "?a=1&access_token=2", "?code=3"])
def test_a_secret_in_the_address_is_refused_unshown(query):
    with pytest.raises(ValueError, match="must not contain a secret") as caught:
        agents.ChatPlayer("m", url=f"https://example.org/v1{query}{SECRET}")
    assert SECRET not in str(caught.value)


# --- tokens ---------------------------------------------------------------------------------------

PROMPT, ANSWER = "p" * 300, "a" * 30


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        ({"prompt_tokens": 1000, "completion_tokens": 10}, (1000, 10, 0)),
        ({"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 1010}, (1000, 10, 0)),
        # Reasoning beside the completion, as xAI and Gemini count it.
        ({"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 3010}, (1000, 2010, 0)),
        ({"prompt_tokens": 1000, "total_tokens": 1200}, (1000, 200, 0)),
        ({"prompt_tokens": 1000.0, "completion_tokens": 10, "total_tokens": 0}, (1000, 10, 0)),
        ({"completion_tokens": 10, "total_tokens": 500}, (100, 400, 0)),
        ({"total_tokens": 500}, (100, 400, 0)),
        ({"total_tokens": 50}, (50, 0, 0)),
        ({"total_tokens": -5}, (100, 10, 0)),
        (None, (100, 10, 0)),
        ({"prompt_tokens": 200, "prompt_tokens_details": {"cached_tokens": 150}}, (200, 10, 150)),
        ({"prompt_tokens": 200, "prompt_tokens_details": {"cached_tokens": 999}}, (200, 10, 200)),
        ({"prompt_tokens": 200, "prompt_tokens_details": None}, (200, 10, 0)),
        ({"prompt_tokens": 200, "prompt_cache_hit_tokens": 128}, (200, 10, 128)),
    ],
)
def test_all_tokens_are_counted(usage, counts):
    assert _tokens(usage, PROMPT, ANSWER) == counts


@pytest.mark.parametrize(
    ("options", "requests"),
    [
        ({"budget": 0.06, "price_in": 1.0, "price_out": 10.0}, 3),  # 0.0211 each
        ({"budget": 0.06, "price_in": 1.0, "price_out": 10.0, "price_cached": 0.0}, 3),  # 0.0202
        ({"budget": 0.003, "price_in": 1.0, "price_out": 0.01, "price_cached": 0.5}, 6),
        ({"max_tokens": 6_100}, 3),
    ],
)
def test_limits_stop_in_time_with_reasoning_and_cached_tokens(options, requests):
    usage = {"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 3010}
    usage["prompt_tokens_details"] = {"cached_tokens": 900}

    def answer(request):
        message = {"message": {"content": by_rule(request)}}
        return Raw(body=json.dumps({"choices": [message], "usage": usage}).encode())

    with chat_server(answer) as server:
        player = agents.ChatPlayer("m", url=server.url, **options)
        with pytest.raises(BudgetError, match=r"log=FILE and replay=FILE"):
            agents.play([player, "caller"], agents.Blocks(9), GAME, seed=1)
    assert len(server.requests) == requests
    report = player.report
    assert (report.tokens_out, report.tokens_cached) == (2010 * requests, 900 * requests)
    price = {"price_in": 0.0, "price_out": 0.0, **options}
    cached = price.get("price_cached", price["price_in"])
    cost = (100 * price["price_in"] + 900 * cached + 2010 * price["price_out"]) * requests / 1e6
    assert report.cost == pytest.approx(cost)


# --- players that never decide --------------------------------------------------------------------


def test_ten_decisions_in_a_row_without_an_answer_stop_the_match(tmp_path):
    with chat_server(*[by_rule] * 7, "Hmm.") as server:
        player = agents.ChatPlayer("m", url=server.url)
        with pytest.raises(ChatError, match=r"10 decisions in a row.*no object: .*'Hmm\.'"):
            agents.play([player, "caller"], agents.Blocks(9), GAME, seed=1)
    assert len(server.requests) == 7 + 2 * 10
    report = player.report
    assert (report.decisions, report.failed, report.illegal) == (17, 10, 20)
    assert report.invalid.counts == {"no object": 10}
    assert "WARNING: 10 of 17 decisions (58.8 %) were not the player's own" in str(report)


def test_one_valid_answer_begins_the_count_anew():
    with chat_server(*([*["?"] * 18, CALL] * 3)) as server:
        player = agents.ChatPlayer("m", url=server.url)
        for number in range(30):
            player.decide({**FIRST, "hand_number": number})
    assert (player.report.failed, len(server.requests)) == (27, 57)
