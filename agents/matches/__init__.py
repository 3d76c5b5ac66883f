"""Heads-up limit hold'em dealt beforehand: a library of matches, and their players.

Source: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie
University, 2016), chapter 4. A match is one hand of cards with all that rules and programs ask
about them, worked out once; so a match costs microseconds, and all players can meet the same ones.
"""

from __future__ import annotations

from agents.matches.betting import BettingRule, match_game
from agents.matches.library import (
    CATEGORIES,
    DEAL,
    MatchLibrary,
    load_matches,
    make_deals,
    make_matches,
)
from agents.matches.measuring import Tuned, action_shares, ceilings, tune_rule
from agents.matches.players import (
    ANTI_PLAYERS,
    RULES,
    MatchPlayer,
    bayesian_match_player,
    layered_match_player,
    random_match_player,
    rule_match_player,
    team_match_player,
)
from agents.matches.playing import (
    OUTCOME,
    Matches,
    bid_profile,
    chips_of,
    play_matches,
    scores_of,
)

__all__ = [
    "ANTI_PLAYERS",
    "CATEGORIES",
    "DEAL",
    "OUTCOME",
    "RULES",
    "BettingRule",
    "MatchLibrary",
    "MatchPlayer",
    "Matches",
    "Tuned",
    "action_shares",
    "bayesian_match_player",
    "bid_profile",
    "ceilings",
    "chips_of",
    "layered_match_player",
    "load_matches",
    "make_deals",
    "make_matches",
    "match_game",
    "play_matches",
    "random_match_player",
    "rule_match_player",
    "scores_of",
    "team_match_player",
    "tune_rule",
]
