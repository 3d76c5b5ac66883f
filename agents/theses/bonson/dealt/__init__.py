"""Predealt heads-up limit hold'em: a library of matches, and their players.

Source: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie
University, 2016), chapter 4. A match is one hand with precomputed inputs for rules and programs. It
takes microseconds, and all players can play the same matches.
"""

from __future__ import annotations

from agents.theses.bonson.dealt.betting import BettingRule, match_game
from agents.theses.bonson.dealt.library import (
    CATEGORIES,
    SMALLEST_CATEGORY,
    MatchLibrary,
    load_matches,
    make_deals,
    make_matches,
)
from agents.theses.bonson.dealt.playing import (
    OUTCOME,
    Matches,
    bid_profile,
    ceilings,
    play_matches,
    scores_of,
)
from agents.theses.bonson.programs.strength_rules import (
    ANTI_PLAYERS,
    RULES,
    bayesian_player,
    even_player,
    rule_player,
)

__all__ = [
    "ANTI_PLAYERS",
    "CATEGORIES",
    "OUTCOME",
    "RULES",
    "SMALLEST_CATEGORY",
    "BettingRule",
    "MatchLibrary",
    "Matches",
    "bayesian_player",
    "bid_profile",
    "ceilings",
    "even_player",
    "load_matches",
    "make_deals",
    "make_matches",
    "match_game",
    "play_matches",
    "rule_player",
    "scores_of",
]
