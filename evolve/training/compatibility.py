"""Whether optimizer, genomes, opponents and schedule of a configuration can work together.

Impossible combinations fail when the configuration is created, not in the middle of a run. Values
without effect are refused too, so that no comparison relies on them by mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agents.match.dealt import (
    CATEGORIES,
    RULES,
    BettingRule,
    match_game,
)
from evolve.genomes import GENOMES, GenomeKind, Genomes
from evolve.genomes.neat import NeatKind
from evolve.genomes.network_kind import NetworkKind
from evolve.opponents import OpponentSettings
from evolve.opponents.pooled import PoolSettings
from evolve.opponents.self_play import SelfPlaySettings
from evolve.optimizers import OPTIMIZERS, OptimizerSettings
from evolve.optimizers.neat import NeatSettings
from evolve.training.fitness import FitnessSettings
from nlhe_env import Game
from nlhe_env.arguments import whole_number

_OF_MATCHES = {"optimizer": "symbiosis", "opponents": "points", "schedule": "matches"}
_OF_DRAWN_SEATS = ("priority", "pool_priority", "random_share")
"""Values that affect only the draw of opponents; other shares also decide which opponents exist."""


def check_breeding(
    optimizer: OptimizerSettings, genomes: GenomeKind, fitness: FitnessSettings
) -> None:
    """Check values that depend on the optimizer's breeding.

    Raises:
        ValueError: A value is incompatible with the optimizer, or has no effect.
    """
    if isinstance(optimizer, NeatSettings) and not isinstance(genomes, NeatKind):
        raise ValueError('optimizer "neat" needs genomes "neat"')
    if isinstance(genomes, NeatKind) and optimizer.n_sub_populations > 1:
        raise ValueError(
            'sub_populations must be 1 with genomes "neat", whose innovation numbers have one '
            f"history; got {optimizer.n_sub_populations}"
        )
    step = getattr(optimizer, "champion_step", 1.0)
    if step < 1 and type(genomes.none()).towards is Genomes.towards:
        raise ValueError(
            f'champion_step must be 1 with genomes "{_name(genomes, GENOMES)}", which cannot move '
            f"towards each other; got {step}"
        )
    if optimizer.breeds:
        return
    name = _name(optimizer, OPTIMIZERS)
    if fitness.phantom:
        raise ValueError(
            f'phantom must be false with optimizer "{name}", which has no parents to choose'
        )
    if fitness.champion_criterion != "fitness":
        raise ValueError(
            f'champion_criterion must be "fitness" with optimizer "{name}", whose player is not a '
            f"candidate of the last generation; got {fitness.champion_criterion!r}"
        )


def check_matches(values: Mapping[str, Any], game: Game) -> None:
    """Check that the parts for predealt matches are either all used or none.

    Args:
        values: All values of the configuration.
        game: Game that is played.

    Raises:
        ValueError: A part is missing or of another kind.
    """
    missing = [key for key, kind in _OF_MATCHES.items() if values[key] != kind]
    if len(missing) == len(_OF_MATCHES):
        return
    if missing or values["genomes"] != "limit-teams":
        parts = " and ".join(f'{key} "{kind}"' for key, kind in _OF_MATCHES.items())
        raise ValueError(f'{parts} need each other and genomes "limit-teams"')
    rule: BettingRule = "two-calls" if game.two_calls else "standard"
    if game != replace(match_game(rule, num_hands=game.num_hands or 1), table_size=2):
        raise ValueError(
            'schedule "matches" needs game "cash" for two players with betting "fixed-limit", '
            'blinds "5/10" and a starting_stack of 1000'
        )
    for key in ("validation_points", "champion_points"):
        whole_number(key, values[key], least=CATEGORIES * (len(RULES) + values["bayesian"]))
    if 0 < values["generations"] <= values["layer_after"]:
        raise ValueError(
            f"layer_after must leave some of the {values['generations']} generations to the second "
            f"layer; got {values['layer_after']}"
        )


def check_opponents(
    opponents: OpponentSettings,
    optimizer: OptimizerSettings,
    genomes: GenomeKind,
    *,
    all_sit: bool,
) -> None:
    """Check that there is always an opponent, and that values of the draw have an effect.

    Args:
        opponents: Opponents that candidates meet.
        optimizer: Optimizer that makes the candidates.
        genomes: Kind of genome of the candidates.
        all_sit: Whether all opponents play in every game, without a draw.

    Raises:
        ValueError: A value is impossible or has no effect.
    """
    if isinstance(opponents, PoolSettings) and optimizer.breeds and not opponents.named_share:
        raise ValueError(
            f'named_share must be above 0 with optimizer "{_name(optimizer, OPTIMIZERS)}": it '
            "starts from no player, so candidates of the first generation can only meet named "
            "players"
        )
    if isinstance(opponents, SelfPlaySettings):
        _check_self_play(opponents, optimizer, genomes)
    if all_sit and not opponents.ranked:
        usual = type(opponents)()
        for key in _OF_DRAWN_SEATS:
            value, default = getattr(opponents, key, None), getattr(usual, key, None)
            if value != default:
                raise ValueError(
                    f'{key} has no effect with schedule "tournaments", where all opponents play '
                    f"every tournament: leave it at {default!r}; got {value!r}"
                )


def _check_self_play(
    opponents: SelfPlaySettings, optimizer: OptimizerSettings, genomes: GenomeKind
) -> None:
    if not isinstance(genomes, NetworkKind):
        networks = [name for name, kind in GENOMES.items() if issubclass(kind, NetworkKind)]
        raise ValueError(
            f'opponents "self-play" need genomes {" or ".join(map(repr, networks))}: they draw '
            "random networks and measure how much their choices depend on the cards; got "
            f"{_name(genomes, GENOMES)!r}"
        )
    past_is_there = opponents.card_sensitivity_gate > 0.0 and opponents.pool_every == 1
    if not optimizer.breeds or past_is_there:
        return
    if not opponents.random_share or opponents.biased_share:
        raise ValueError(
            f'optimizer "{_name(optimizer, OPTIMIZERS)}" starts from no player, so the pool may '
            "still be empty when opponents take part: random_share must be above 0 and "
            f"biased_share 0; got {opponents.random_share} and {opponents.biased_share}"
        )


def _name(part: Any, kinds: dict[str, Any]) -> str:
    return next(name for name, kind in reversed(kinds.items()) if kind is type(part))
