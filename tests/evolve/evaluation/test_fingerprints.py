"""What tells players apart in stored results, also those that version 0.1 stored."""

from __future__ import annotations

import numpy as np
import pytest

import agents
from evolve.evaluation.leagues.fingerprints import fingerprint, fingerprint_of_0_1
from evolve.evaluation.leagues.league_store import LeagueStore

OF_0_1 = {
    "caller": "4102f310746d6e20",
    "call-or-raise": "aaf3d9b91e35153b",
    "old-start": "13c06ba0eef5a975",
    "tight-passive": "fd27b379bca702bb",
    "scared-limper": "0bc0758ebdab0cde",
    "hothead-maniac": "26047d52c2663ea5",
    "pot-odds": "1e6b6540e9f949d2",
}
"""As version 0.1.0 computed them: the beginnings."""


@pytest.mark.parametrize("name", OF_0_1)
def test_players_of_the_first_version_are_known_again(name):
    assert fingerprint_of_0_1(agents.make(name)).startswith(OF_0_1[name])


def test_networks_of_the_first_version_are_known_again():
    rng = np.random.default_rng(0)
    published = agents.NetworkPlayer(rng.normal(0, 1, 825))
    shaped = agents.NetworkPlayer(rng.normal(0, 1, 35 * 4 + 4 + 4 * 5 + 5), hidden=(4,))
    assert fingerprint_of_0_1(published).startswith("d4dc68d2f10c97fd")
    assert fingerprint_of_0_1(shaped).startswith("e402405702986e42")


def test_every_player_has_a_fingerprint_of_its_own():
    names = agents.names()
    assert len({fingerprint(agents.make(name)) for name in names}) == len(names)
    assert fingerprint(agents.make("lstm")) != fingerprint(agents.make("lstm:seed=1"))


def test_a_store_takes_the_fingerprints_of_either_version(tmp_path):
    ann, other = agents.make("caller"), agents.make("folder")
    with LeagueStore.open(tmp_path / "league.db") as store:
        store.admit({"Ann": fingerprint_of_0_1(ann)})
        store.admit({"Ann": fingerprint(ann)}, before={"Ann": fingerprint_of_0_1(ann)})
        with pytest.raises(ValueError, match="is another player"):
            store.admit({"Ann": fingerprint(other)}, before={"Ann": fingerprint_of_0_1(other)})
