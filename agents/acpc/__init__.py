"""Matches with programs that speak the protocol of the Annual Computer Poker Competition."""

from __future__ import annotations

from agents.acpc.client import Replay, Session, play_match
from agents.acpc.dealer import CLIENT, Dealer, Log, MatchError, MatchResult, TimeLimits
from agents.acpc.games import competition_game
from agents.acpc.log import read_log
from agents.acpc.protocol import (
    Action,
    FinishedHand,
    MatchState,
    ProtocolError,
    parse_finished_hand,
    parse_match_state,
)

__all__ = [
    "CLIENT",
    "Action",
    "Dealer",
    "FinishedHand",
    "Log",
    "MatchError",
    "MatchResult",
    "MatchState",
    "ProtocolError",
    "Replay",
    "Session",
    "TimeLimits",
    "competition_game",
    "parse_finished_hand",
    "parse_match_state",
    "play_match",
    "read_log",
]
