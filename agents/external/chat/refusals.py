"""Refusals of servers that name the part of a request that they do not accept.

Only a part that is named is replaced: other refusals concern the prompt, the account or the server.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal

Part = Literal["token limit", "system message", "schema", "JSON mode"]
"""Part of a request that can be replaced."""

_REFUSED = (400, 422)
_FAILED = 500
"""Status of local servers whose prompt template fails."""

# The model's text was rejected, not the request.
_INVALID_TEXT = re.compile(r"json_validate_failed|failed_generation", re.IGNORECASE)
_FILTER = re.compile(
    r"content[ _-]?(?:filter|management|policy)|responsible[ _-]?ai|moderation", re.IGNORECASE
)
_TOKEN_LIMIT = re.compile("max_completion_tokens")
_SYSTEM = re.compile(
    r"system[ _](?:role|message|prompt|instruction)s?\b[^.]{0,40}(?:\bnot\b|n't|\bun)"
    r"|(?:does not|doesn't|not) (?:support|allow|accept)[^.]{0,20}\bsystem\b"
    r"|role\W{0,3}system\W{0,3}[^.\"]{0,40}(?:\bnot\b|n't|\bun|invalid)"
    r"|developer instruction is not enabled|only user and assistant roles"
    r"|roles must alternate",
    re.IGNORECASE,
)
_SCHEMA = re.compile(
    r"schema|response_?format|structured[ _-]?output|json[ _]?(?:object|mode)|guided|grammar"
    r"|(?:minimum|maximum(?! (?:context|length|number|tokens))|maxitems|additionalproperties|enum)"
    r"\b[^.]{0,60}"
    r"(?:not supported|unsupported|not permitted|not allowed|unknown)"
    r"|(?:not support|unsupported|unknown|unrecognized)[^.]{0,60}"
    r"\b(?:minimum|maximum|maxitems|additionalproperties|enum)\b",
    re.IGNORECASE,
)


def refused_part(status: int, response: Any, request: dict[str, Any]) -> Part | None:
    """Part of the request that a refusal names; None if it names none.

    Args:
        status: HTTP status.
        response: Body of the response, as JSON or text; it is searched in full.
        request: Body of the request.

    >>> request = {"messages": [{"role": "user"}], "response_format": {"type": "json_object"}}
    >>> refused_part(400, "response_format is unavailable", request)
    'JSON mode'
    """
    text = _words(response)
    is_refused = status in _REFUSED
    if not is_refused and status != _FAILED:
        return None
    if request["messages"][0]["role"] == "system" and _SYSTEM.search(text):
        return "system message"
    if not is_refused or _INVALID_TEXT.search(text) or _FILTER.search(text):
        return None
    if "max_tokens" in request and _TOKEN_LIMIT.search(text):
        return "token limit"
    if "response_format" in request and _SCHEMA.search(text):
        is_schema = request["response_format"]["type"] == "json_schema"
        return "schema" if is_schema else "JSON mode"
    return None


def invalid_text(status: int, response: Any) -> str | None:
    """The model's text that a server found invalid; None if the server refused the request.

    >>> invalid_text(400, {"error": {"code": "json_validate_failed", "failed_generation": "no"}})
    'no'
    """
    if status not in _REFUSED or not _INVALID_TEXT.search(_words(response)):
        return None
    error = response.get("error") if isinstance(response, dict) else None
    text = error.get("failed_generation") if isinstance(error, dict) else None
    return text if isinstance(text, str) else ""


def may_continue(status: int, response: Any, request: dict[str, Any]) -> bool:
    """Whether a match can go on after a refusal."""
    return (
        refused_part(status, response, request) is not None
        or invalid_text(status, response) is not None
    )


def _words(response: Any) -> str:
    return response if isinstance(response, str) else json.dumps(response)
