"""Forms of chat models' answers: an object in any wrapping, at any place, among any words."""

import json
from itertools import product

import pytest
from chat_server import Raw, chat_server
from test_chat_player import FIRST, FREE, decide

import agents
from agents.external.chat.answers import AnswerError, read_answer

OBJECTS = [
    ("action", {"action": "fold"}, {0: 1.0}),
    ("action", {"action": "call", "to": None}, {1: 1.0}),
    ("action", {"reasoning": 'A {pair}, or a "draw": so [40].', "action": "raise", "to": 40}, None),
    ("action", {"action": "raise", "to": 40.0}, None),
    ("distribution", {"fold": 0.25, "call": 0.75}, {0: 0.25, 1: 0.75}),
    ("distribution", {"fold": 0.5, "raises": [{"to": 40.0, "chance": 0.5}]}, {0: 0.5, 40: 0.5}),
]
WRAPPINGS = [
    json.dumps,
    lambda found: json.dumps(found, indent=2),
    lambda found: json.dumps(found, separators=(",", ":")),
    lambda found: f"```json\n{json.dumps(found)}\n```",
    lambda found: f"```json\n{json.dumps(found, indent=4)}\n```",
    lambda found: f"```\n{json.dumps(found, indent=1)}\n```",
    lambda found: f"`{json.dumps(found)}`",
    lambda found: f"<answer>{json.dumps(found)}</answer>",
    lambda found: f"[{json.dumps(found)}]",
    lambda found: json.dumps(found, indent=2).replace("\n", "\r\n"),
]
THOUGHTS = [
    "",
    '<think>I could {"action": "raise", "to": 77} or {"fold": 1}.\n</think>\n',
    'The prompt began them. {"action": "check"}</think>',
    '[THINK]{"check": 1}[/THINK]',
    "<think></think>\n\n",
    '<think>A <think> in it</think> and {"action": </think>',
]
BEFORE = [
    "",
    'I have a {draw} here, "good" odds.\n\n',
    'The form is {"action": "raise", "to": N}: ',
]
BEHIND = ["", "\n", " That is my {final} answer.", '\n\nPot odds: {"odds": 0.3}.', "\n{}"]
FORMS = list(product(OBJECTS, WRAPPINGS, THOUGHTS, BEFORE, BEHIND))


def test_one_decision_is_read_in_every_form():
    assert len(FORMS) == 5_400
    for (kind, found, expected), wrap, thoughts, before, behind in FORMS:
        text = f"{thoughts}{before}{wrap(found)}{behind}"
        assert read_answer(text, FIRST, kind) == (expected or {40: 1.0}), text


def test_two_different_decisions_are_none_in_every_form():
    others = {
        "action": ({"action": "call", "to": 1}, {"action": "raise", "to": 999_999}),
        "distribution": ({"call": 1}, {"call": 2}),
    }
    for (kind, found, expected), wrap, thoughts, before, behind in FORMS:
        once = f"{thoughts}{before}{wrap(found)}{behind} "
        decision = expected or {40: 1.0}
        assert read_answer(once + wrap(found), FIRST, kind) == decision  # the same one twice
        for other in others[kind]:
            if decision == {1: 1.0} and other["action"] == "call":
                continue  # another object, but the same decision
            with pytest.raises(AnswerError) as caught:
                read_answer(once + wrap(other), FIRST, kind)
            assert caught.value.reason == "two decisions", once


@pytest.mark.parametrize("thoughts", THOUGHTS)
@pytest.mark.parametrize("before", BEFORE)
def test_an_illegal_object_is_never_replaced_by_words(thoughts, before):
    for illegal in ('{"action": "raise", "to": 999999}', '{"action": "check"}', '{"action": null}'):
        with pytest.raises(AnswerError) as caught:
            read_answer(f"{thoughts}{before}{illegal} So I fold. Call.", FIRST, "action")
        assert caught.value.reason == "illegal"


@pytest.mark.parametrize(
    ("text", "finish_reason", "reason", "words"),
    [
        ("", "", "empty", "it is empty"),
        (" \n", "stop", "empty", "it is empty"),
        ("<think>so much", "", "empty", "only thoughts"),
        ("", "length", "cut off", "limit of its length"),
        ('{"action": "ca', "length", "cut off", "limit of its length"),
        ('{"action": "call", "reasoning": {"a": 1}', "", "cut off", "cut off"),
        ('{"action": "fold"} or {"action": "ca', "length", "cut off", "cut off"),
        ("I call.", "stop", "no object", "no JSON object"),
        ("I call.", "content_filter", "empty", "content filter"),
        ('{"action": call}', "", "no object", "not valid JSON"),
        ('{"action": "raise", "to": N}', "", "no object", "not valid JSON"),
        ('{"action": "fold",} {"action": "call"}', "", "no object", "not valid JSON"),
        ('{"action": "fold", "action": "call"}', "", "no object", "a key is repeated"),
        ('{"action": "fold"}\n{"action": "call"}', "length", "two decisions", "several JSON"),
        ('{"action": "call"}\n' * 1001, "", "two decisions", "more than 1,000 JSON objects"),
        ('{"action": "raise", "to": N}' * 1001, "", "two decisions", "more than 1,000 JSON"),
        ('{"action": "raise", "to": 39}', "", "illegal", "whole number from 40 to 2000"),
        ('{"action": "raise", "to": 40.5}', "", "illegal", "whole number from 40 to 2000"),
        ('{"action": "raise", "to": 1e400}', "", "illegal", "whole number from 40 to 2000"),
        ('{"act": "fold"}', "", "illegal", '"action" must be one of "fold", "call", "raise"'),
    ],
)
def test_the_reason_told_back_is_true(text, finish_reason, reason, words):
    with pytest.raises(AnswerError, match=words) as caught:
        read_answer(text, FIRST, "action", finish_reason=finish_reason)
    assert caught.value.reason == reason
    response = {"choices": [{"message": {"content": text}, "finish_reason": finish_reason}]}
    with chat_server(Raw(body=json.dumps(response).encode()), '{"action": "call"}') as server:
        played, player = decide(server.url)
    assert played == agents.CHECK_OR_CALL
    assert words in server.requests[1]["messages"][-1]["content"]
    assert player.report.cut_off == (reason == "cut off")


@pytest.mark.parametrize(
    "text", ["{" * 10**5, '{"a":' * 10**5, '{"a"' * 10**5, "<think>" * 10**5, '{"a": "}' * 10**5]
)
def test_a_flood_of_braces_is_refused_in_time(text):
    with pytest.raises(AnswerError):
        read_answer(text, FREE, "action")


CALL = '{"action": "call"}'
THINKING = {"type": "thinking", "thinking": [{"type": "text", "text": '{"action": "fold"}'}]}


@pytest.mark.parametrize(
    ("message", "illegal"),
    [
        ({"content": [THINKING, {"type": "text", "text": CALL}]}, 0),
        ({"content": [{"type": "text", "text": CALL[:9]}, {"type": "text", "text": CALL[9:]}]}, 0),
        ({"content": [{"type": "output_text", "text": CALL}]}, 0),
        ({"content": []}, 1),
        ({"content": [THINKING]}, 1),
        ({"content": None, "reasoning": CALL}, 1),
        ({"role": "assistant"}, 1),
    ],
)
def test_messages_of_every_shape_are_read(message, illegal):
    first = Raw(body=json.dumps({"choices": [{"message": message}]}).encode())
    with chat_server(first, CALL) as server:
        played, player = decide(server.url)
    assert played == agents.CHECK_OR_CALL
    assert (player.report.illegal, player.report.failures) == (illegal, 0)
    quoted = [message["content"] for request in server.requests for message in request["messages"]]
    assert all(quoted)  # some servers refuse empty messages
