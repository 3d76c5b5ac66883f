"""Keys, secrets in addresses and impossible answers: what a chat player shows of them."""

from __future__ import annotations

import pytest
from chat_server import Raw, chat_server, completion
from helpers import deal

import agents
from agents.external.chat import ChatError
from agents.external.chips import describe_turn

KEY = "NLHE_ENV_TEST_KEY"
SECRET = "sk-very-secret-0123456789"
FIRST = describe_turn(deal([2000, 2000, 2000]), [])


@pytest.fixture
def naps(monkeypatch):
    """Seconds that would be slept."""
    slept: list[float] = []
    monkeypatch.setattr("agents.external.chat.client.time.sleep", slept.append)
    return slept


def decide(url, **options):
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
                decide(url, retries=retries, log=str(log))
            assert SECRET not in str(caught.value)
    assert SECRET not in log.read_text()
    assert log.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("host", [SECRET, SECRET.upper()])
def test_a_key_in_a_redirect_is_not_shown(host, monkeypatch, tmp_path):
    monkeypatch.setenv(KEY, SECRET)
    log = tmp_path / "log.jsonl"
    redirect = Raw(302, f"go to {host}".encode(), {"Location": f"http://{host}.example/"})
    with chat_server(redirect) as server, pytest.raises(ChatError) as caught:
        decide(server.url, key=KEY, log=str(log))
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
