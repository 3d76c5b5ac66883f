"""Matches by the protocol of the Annual Computer Poker Competition (ACPC)."""

from __future__ import annotations

from agents.acpc.client import ClientResult, MatchReplay, play_match
from agents.acpc.dealer import CLIENT, Dealer, Log, MatchError, MatchResult, TimeLimits, read_log
from agents.acpc.games import competition_game
from agents.acpc.protocol import (
    FinishedHand,
    MatchState,
    ProtocolAction,
    ProtocolError,
    parse_finished_hand,
    parse_match_state,
)
from agents.acpc.slumbot import SlumbotResult, play_slumbot

__all__ = [
    "CLIENT",
    "ClientResult",
    "Dealer",
    "FinishedHand",
    "Log",
    "MatchError",
    "MatchReplay",
    "MatchResult",
    "MatchState",
    "ProtocolAction",
    "ProtocolError",
    "SlumbotResult",
    "TimeLimits",
    "competition_game",
    "parse_finished_hand",
    "parse_match_state",
    "play_match",
    "play_slumbot",
    "read_log",
]
