"""Hand histories: recording, reading, writing and replay by the rules.

The format is Poker Hand History 0.0.2 (Kim, "Recording and Describing Poker Hands", 2023;
https://phh.readthedocs.io), a TOML file of one hand (``.phh``) or many (``.phhs``).

>>> import nlhe_env
>>> env = nlhe_env.raw_env(2, mode="cash", actions="chips")
>>> env.reset(seed=7)
>>> table = env.table.copy()
>>> actions = [action_event(table, 0)]  # the small blind folds
>>> env.step(0)
>>> hand = hand_of(env.tables[0], actions, ["ann", "bob"])
>>> text = write_hands([hand])
>>> read_hands(text)[0] == hand
True
>>> [step.event["action"] for step in play_hand(hand) if step.event]
['fold']
"""

from __future__ import annotations

from nlhe_env.hand_history.errors import MOST_CHIPS, HandHistoryError, refuse_too_many
from nlhe_env.hand_history.phh_reader import read_hands
from nlhe_env.hand_history.phh_writer import write_hands
from nlhe_env.hand_history.record import Action, Hand, action_event, hand_of
from nlhe_env.hand_history.recording import HandFile, Record, hand_sink
from nlhe_env.hand_history.replay import HandError, Step, play_hand
from nlhe_env.hand_history.review import (
    Review,
    ReviewedDecision,
    ReviewStep,
    StreetReview,
    review_hand,
)
from nlhe_env.hand_history.stars_writer import write_pokerstars
from nlhe_env.hand_history.streams import FORMATS, stream_files, stream_hands
from nlhe_env.hand_history.survey import Survey, survey_files

__all__ = [
    "FORMATS",
    "MOST_CHIPS",
    "Action",
    "Hand",
    "HandError",
    "HandFile",
    "HandHistoryError",
    "Record",
    "Review",
    "ReviewStep",
    "ReviewedDecision",
    "Step",
    "StreetReview",
    "Survey",
    "action_event",
    "hand_of",
    "hand_sink",
    "play_hand",
    "read_hands",
    "refuse_too_many",
    "review_hand",
    "stream_files",
    "stream_hands",
    "survey_files",
    "write_hands",
    "write_pokerstars",
]
