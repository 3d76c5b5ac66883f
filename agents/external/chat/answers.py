"""Answer formats of chat models: instructions, schemas and parsing.

An answer is a JSON object: the whole text, or its last line. Parsing is strict: anything but a
legal action, or a distribution over legal actions, is rejected with a reason.
"""

from __future__ import annotations

import json
import math
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


class AnswerError(Exception):
    """An answer is unreadable or illegal; the message explains it to the model."""


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


def read_answer(text: str, turn: Turn, kind: AnswerKind) -> Distribution:
    """Distribution of an answer; a single action has probability 1.

    Raises:
        AnswerError: The answer is unreadable or illegal.
    """
    answer = _last_object(text)
    return _action(answer, turn) if kind == "action" else _distribution(answer, turn)


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _last_object(text: str) -> dict[str, Any]:
    """JSON object that forms the text, or its last line."""
    lines = text.strip().splitlines()
    for candidate in (text.strip(), lines[-1] if lines else ""):
        try:
            found = json.loads(
                candidate, parse_constant=_no_number, object_pairs_hook=_without_repetition
            )
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return found
    raise AnswerError("the last line of the answer is not a JSON object")


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
            raise AnswerError('each of "raises" must be {"to": N, "chance": P}')
        if (weight := _weight(each["chance"])) > 0:
            raise_id = _raise_id(each["to"], turn)
            weights[raise_id] = weights.get(raise_id, 0.0) + weight
    total = sum(weights.values())
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
    is_whole = isinstance(amount, int) and not isinstance(amount, bool)
    if not is_whole or not least <= amount <= most:
        raise AnswerError(f'"to" must be a whole number from {least} to {most}')
    return chips_id_of(amount)


def _listed(turn: Turn) -> str:
    return ", ".join(f'"{action}"' for action in legal_actions(turn))


def _no_number(constant: str) -> float:
    raise ValueError(constant)


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is repeated")
    return found
