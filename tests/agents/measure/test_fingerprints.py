"""Fingerprints of players in stored results."""

from __future__ import annotations

import agents
from agents.measure.leagues.league import fingerprint


def test_every_player_has_a_different_fingerprint():
    names = agents.names()
    assert len({fingerprint(agents.make(name)) for name in names}) == len(names)
    assert fingerprint(agents.make("lstm")) != fingerprint(agents.make("lstm:seed=1"))


def test_a_player_may_move_to_another_address():
    here, there = (agents.HttpPlayer(f"http://127.0.0.1:{port}") for port in (8001, 8002))
    assert fingerprint(here) == fingerprint(there)
    assert fingerprint(here) != fingerprint(agents.make("caller"))
