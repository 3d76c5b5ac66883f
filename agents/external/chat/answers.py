"""Answer formats of chat models: instructions, schemas and parsing.

An answer is a JSON object anywhere in the text that follows the model's thoughts. It counts if the
text states exactly one decision: different objects, and anything but a legal action or a
distribution over legal actions, are rejected with a reason. Prose is never interpreted.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, Literal, get_args

from agents.external.chips import CHECK_OR_CALL, FOLD, Turn, chips_id_of
from agents.external.turn_text import legal_actions

AnswerKind = Literal["action", "distribution"]
ANSWER_KINDS: tuple[AnswerKind, ...] = get_args(AnswerKind)

Distribution = dict[int, float]
"""Probability of every possible action, by id in chips."""

MOST_RAISES = 8
"""Maximum number of amounts in a distribution."""

_IDS = {"fold": FOLD, "check": CHECK_OR_CALL, "call": CHECK_OR_CALL}
_FORMS = {
    "action": (
        "Answer with a JSON object: "
        '{"action": "fold"}, {"action": "check"}, {"action": "call"} or {"action": "raise", '
        '"to": N}, where N is the whole number of chips to raise to. A bet is a raise too. Only '
        "what the list of the turn allows is legal. "
    ),
    "distribution": (
        "Answer with the chances of your actions, from which one is drawn, as a JSON object: "
        'the keys are "fold", "check" or "call" with their chances, and "raises" with a list of '
        'amounts to raise to and their chances, such as {"fold": 0.25, "call": 0.5, "raises": '
        '[{"to": N, "chance": 0.25}]}. A bet is a raise too. Only what the list of the turn '
        f"allows is legal; chances add up to 1; at most {MOST_RAISES} amounts. "
    ),
}
_REASONING = 'The first key is "reasoning", your thoughts in a few words. '
_LAST_LINE = (
    "The object must be on a single line, the last line of your answer, with nothing after it."
)


EMPTY = "empty"
CUT_OFF = "cut off"
NO_OBJECT = "no object"
TWO_DECISIONS = "two decisions"
ILLEGAL = "illegal"
"""Reasons why an answer does not count."""

_UNFINISHED = {
    "length": ("it was cut off at the limit of its length, before a whole object", CUT_OFF),
    "max_tokens": ("it was cut off at the limit of its length, before a whole object", CUT_OFF),
    "content_filter": ("the content filter of the server withheld it", EMPTY),
    "json_validate_failed": ("the server found no JSON of the requested form in it", NO_OBJECT),
}
"""Why a text with this ``finish_reason`` has no whole object."""

_THOUGHTS = re.compile(
    r"(?P<end></(?:think|thinking|thoughts?|reasoning)>|\[/THINK\]|◁/think▷"
    r"|<\|channel\|>final<\|message\|>)"
    r"|<(?:think|thinking|thoughts?|reasoning)>|\[THINK\]|◁think▷",
    re.IGNORECASE,
)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_OBJECT = re.compile(rf"\{{\s*(?:{_STRING.pattern}\s*:|\}})", re.DOTALL)
"""Beginning of a JSON object; other braces are prose."""
_TOKEN = re.compile(rf"{_STRING.pattern}|[{{}}]", re.DOTALL)
_PLACEHOLDER = re.compile(r":\s*(?:[A-Z]\b|<|\.\.\.|…)")
"""Value of an object that quotes the instructions."""
_MOST_OBJECTS = 1_000
"""JSON objects of an answer; more of them take seconds to compare."""
_MOST_DIGITS = 30
"""Digits of a number that may be an amount of chips; longer ones count as infinite."""


class AnswerError(ValueError):
    """An answer is unreadable or illegal; the message explains it to the model.

    Args:
        message: Explanation, as a clause.
        reason: One of the constants above.
    """

    def __init__(self, message: str, reason: str = ILLEGAL) -> None:
        super().__init__(message)
        self.reason = reason


def instructions(kind: AnswerKind, *, reasoning: bool) -> str:
    """Instructions for the model's answer.

    Args:
        kind: Kind of answer.
        reasoning: Whether the answer begins with reasoning.
    """
    return _FORMS[kind] + (_REASONING if reasoning else "") + _LAST_LINE


def response_format(turn: Turn, kind: AnswerKind, *, reasoning: bool) -> dict[str, Any]:
    """JSON schema of an answer, in the form of the protocol.

    Args:
        turn: The turn, which determines the legal actions.
        kind: Kind of answer.
        reasoning: Whether the answer begins with reasoning.
    """
    legal = legal_actions(turn)
    amount = {"type": "integer", "minimum": 0, "maximum": max(turn["max_raise_to"], 0)}
    chance = {"type": "number", "minimum": 0, "maximum": 1}
    properties: dict[str, Any] = {"reasoning": {"type": "string"}} if reasoning else {}
    if kind == "action":
        properties["action"] = {"type": "string", "enum": list(legal)}
        if "raise" in legal:
            properties["to"] = amount
    else:
        properties |= {action: chance for action in legal if action != "raise"}
        if "raise" in legal:
            one = _object({"to": amount, "chance": chance})
            properties["raises"] = {"type": "array", "items": one, "maxItems": MOST_RAISES}
    return {
        "type": "json_schema",
        "json_schema": {"name": "answer", "strict": True, "schema": _object(properties)},
    }


def read_answer(
    text: str, turn: Turn, kind: AnswerKind = "action", *, finish_reason: str = ""
) -> Distribution:
    r"""Distribution of an answer; a single action has probability 1.

    Args:
        text: The model's text.
        turn: The turn, which determines the legal actions.
        kind: Kind of answer.
        finish_reason: Why the model stopped, in the words of the protocol.

    Raises:
        AnswerError: The text does not state exactly one decision, or it is illegal.

    >>> turn = {"to_call": 10, "min_raise_to": 40, "max_raise_to": 2000}
    >>> read_answer('I call.\n```json\n{\n  "action": "call"\n}\n```', turn, "action")
    {1: 1.0}
    """
    try:
        return _only_decision(text, turn, kind)
    except AnswerError as error:
        unfinished = _UNFINISHED.get(finish_reason.lower())
        if unfinished is None or error.reason in (ILLEGAL, TWO_DECISIONS):
            raise
        raise AnswerError(*unfinished) from None


def _only_decision(text: str, turn: Turn, kind: AnswerKind) -> Distribution:
    read = _action if kind == "action" else _distribution
    keys = ("action",) if kind == "action" else (*_IDS, "raises")
    objects = _objects(text)
    # Objects about something else do not matter beside one that states a decision.
    deciding = [found for found in objects if any(key in found for key in keys)] or objects
    decisions: list[Distribution] = []
    problems: dict[str, AnswerError] = {}
    for found in deciding:
        try:
            decision = read(found, turn)
        except AnswerError as error:
            problems[str(error)] = error
        else:
            if decision not in decisions:
                decisions.append(decision)
    if len(decisions) + len(problems) > 1:
        raise AnswerError(
            "it has several JSON objects with different decisions; give one", TWO_DECISIONS
        )
    for problem in problems.values():
        raise problem
    if not decisions:
        raise _why_no_object(text)
    return decisions[0]


def _why_no_object(text: str) -> AnswerError:
    if not text.strip():
        return AnswerError("it is empty", EMPTY)
    if not _final_text(text).strip():
        return AnswerError("it has only thoughts, and no answer after them", EMPTY)
    return AnswerError("it has no JSON object", NO_OBJECT)


def _final_text(text: str) -> str:
    """The text without the model's thoughts."""
    kept: list[str] = []
    begin, thinks = 0, False
    for tag in _THOUGHTS.finditer(text):
        if not tag["end"]:
            if not thinks:
                kept.append(text[begin : tag.start()])
            thinks = True
        else:
            if not thinks:  # the template of the prompt began them
                kept.clear()
            begin, thinks = tag.end(), False
    if not thinks:
        kept.append(text[begin:])
    return "\n".join(kept)


def _objects(text: str) -> list[dict[str, Any]]:
    """JSON objects in the text after the thoughts, without those inside other objects."""
    text = _final_text(text)
    objects: list[dict[str, Any]] = []
    quotation: AnswerError | None = None
    position = count = 0
    while begin := _OBJECT.search(text, position):
        count += 1
        if count > _MOST_OBJECTS:
            raise AnswerError(f"it has more than {_MOST_OBJECTS:,} JSON objects", TWO_DECISIONS)
        try:
            found, position = _DECODER.raw_decode(text, begin.start())
            objects.append(found)
        except (ValueError, RecursionError) as error:
            position = _end_of_braces(text, begin.start())
            # The words of the library differ between versions of Python, and replays must not.
            words = str(error) if type(error) is ValueError else "it cannot be parsed"
            problem = AnswerError(f"its object is not valid JSON: {words}", NO_OBJECT)
            # A quotation of the instructions decides nothing, but another object that cannot be
            # read may contradict those that can.
            if not _PLACEHOLDER.search(_STRING.sub('""', text[begin.start() : position])):
                raise problem from None
            quotation = problem
    if quotation is not None and not objects:
        raise quotation
    return objects


def _end_of_braces(text: str, begin: int) -> int:
    """Position after the brace that closes the one at the beginning."""
    depth = 0
    for token in _TOKEN.finditer(text, begin):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return token.end()
    raise AnswerError("its JSON object is cut off", CUT_OFF)


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _action(answer: dict[str, Any], turn: Turn) -> Distribution:
    action = answer.get("action")
    if action not in legal_actions(turn):
        raise AnswerError(f'"action" must be one of {_listed(turn)}')
    return {_raise_id(answer.get("to"), turn) if action == "raise" else _IDS[action]: 1.0}


def _distribution(answer: dict[str, Any], turn: Turn) -> Distribution:
    weights: Distribution = {}
    for key, value in answer.items():
        if key in _IDS:
            if (weight := _weight(value)) > 0:
                if key not in legal_actions(turn):
                    raise AnswerError(f'"{key}" is not legal here: legal are {_listed(turn)}')
                weights[_IDS[key]] = weight
        elif key not in ("raises", "reasoning"):
            raise AnswerError('the keys must be "fold", "check", "call" and "raises"')
    raises = answer.get("raises", [])
    if not isinstance(raises, list) or len(raises) > MOST_RAISES:
        raise AnswerError(f'"raises" must be a list of at most {MOST_RAISES} amounts')
    for each in raises:
        if not isinstance(each, dict) or set(each) != {"to", "chance"}:
            raise AnswerError('each item of "raises" must be {"to": N, "chance": P}')
        if (weight := _weight(each["chance"])) > 0:
            raise_id = _raise_id(each["to"], turn)
            weights[raise_id] = weights.get(raise_id, 0.0) + weight
    total = math.fsum(weights.values())
    if not 0 < total < math.inf:
        raise AnswerError("the chances must add up to 1")
    return {action: weight / total for action, weight in weights.items()}


def _weight(value: Any) -> float:
    """A probability; probabilities that do not sum to 1 are normalised."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not 0 <= value <= 1:
        raise AnswerError("a chance must be a number from 0 to 1")
    return float(value)


def _raise_id(amount: Any, turn: Turn) -> int:
    least, most = turn["min_raise_to"], turn["max_raise_to"]
    if least <= 0:
        raise AnswerError(f'"raise" is not legal here: legal are {_listed(turn)}')
    if isinstance(amount, float) and amount.is_integer():  # JSON's integers include 200.0
        amount = int(amount)
    is_whole = isinstance(amount, int) and not isinstance(amount, bool)
    if not is_whole or not least <= amount <= most:
        raise AnswerError(f'"to" must be a whole number from {least} to {most}')
    return chips_id_of(amount)


def _listed(turn: Turn) -> str:
    return ", ".join(f'"{action}"' for action in legal_actions(turn))


def _whole(digits: str) -> float:
    return int(digits) if len(digits) <= _MOST_DIGITS else math.inf


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is repeated")
    return found


_DECODER = json.JSONDecoder(parse_int=_whole, object_pairs_hook=_without_repetition)
