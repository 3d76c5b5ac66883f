"""Configurations whose parts cannot work together, or of which a value would change nothing."""

from __future__ import annotations

import pytest

from evolve.training.config import Config

BRED = Config().with_values(
    population=8, elites=2, game="cash", schedule="blocks", opponents="pool", hidden=(2,)
)
SELF_PLAY = BRED.with_values(opponents="self-play", card_sensitivity_gate=0.0)
TOURNAMENTS = Config().with_values(population=8, elites=2)
NUMBERS = Config().with_values(optimizer="cma-es-diagonal")


@pytest.mark.parametrize("genomes", ["teams", "topographies", "ashe"])
def test_only_networks_move_towards_each_other(genomes):
    step = {"elites": 1, "champion_step": 0.5}
    with pytest.raises(ValueError, match=f'must be 1 with genomes "{genomes}", which cannot move'):
        TOURNAMENTS.with_values(genomes=genomes, **step)
    for networks in ("networks", "argmax-networks", "pot-sized-networks"):
        TOURNAMENTS.with_values(genomes=networks, **step)


@pytest.mark.parametrize("share", ["population_share", "pool_share"])
def test_without_initial_opponents_a_named_player_is_required(share):
    alone = {share: 1.0, "named_share": 0.0}
    with pytest.raises(ValueError, match='named_share must be above 0 with optimizer "elitist"'):
        BRED.with_values(**alone)
    BRED.with_values(optimizer="cma-es", **alone)  # the start is there to meet


@pytest.mark.parametrize("values", [{"random_share": 0.0}, {"biased_share": 0.2}])
def test_without_initial_opponents_the_pool_may_be_empty(values):
    with pytest.raises(ValueError, match="the pool may still be empty"):
        SELF_PLAY.with_values(**values)
    SELF_PLAY.with_values(optimizer="cma-es", **values)
    tables = {"schedule": "tables", "card_sensitivity_gate": 0.05, "table_size": 4, **values}
    with pytest.raises(ValueError, match="the pool may still be empty"):
        SELF_PLAY.with_values(pool_every=2, **tables)
    SELF_PLAY.with_values(pool_every=1, **tables)  # it has a member before the gate opens


@pytest.mark.parametrize("genomes", ["teams", "topographies", "ashe", "ashe-2"])
def test_self_play_needs_networks(genomes):
    with pytest.raises(ValueError, match=rf"need genomes 'networks' or .*; got '{genomes}'"):
        SELF_PLAY.with_values(genomes=genomes, progress_tournaments=0)


@pytest.mark.parametrize("values", [{"phantom": True}, {"champion_criterion": "hands"}])
def test_only_optimizers_that_breed_have_parents_and_champions(values):
    with pytest.raises(ValueError, match=f'{next(iter(values))} .* with optimizer "cma-es-diag'):
        NUMBERS.with_values(**values)
    TOURNAMENTS.with_values(**values)


@pytest.mark.parametrize(
    "values",
    [
        {"opponents": "pool", "priority": "hard"},
        {"opponents": "self-play", "pool_priority": "even"},
        {"opponents": "self-play", "random_share": 0.3},
    ],
)
def test_no_opponent_is_sampled_when_all_play_every_tournament(values):
    key = list(values)[1]
    with pytest.raises(ValueError, match=f'{key} has no effect with schedule "tournaments"'):
        TOURNAMENTS.with_values(**values)
    TOURNAMENTS.with_values(opponents=values["opponents"])
