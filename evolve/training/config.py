"""The configuration of a run: its values and what they may be.

The defaults are those of the published baseline.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import nlhe_env
from evolve.training.config_checks import LARGEST_SEED, Checked, blind_schedule

Inputs = Literal["features", "features_scaled", "features_opponents"]
Initialisation = Literal["normal", "uniform", "zeros"]
HallReplacement = Literal["block", "worst_first"]
FitnessName = Literal["place", "hands_won", "mean_money", "sharing"]
ControlPick = Literal["fitness", "hands"]


@dataclass(frozen=True, kw_only=True)
class RunConfig(Checked):
    """Everything that decides the result of a run.

    Raises:
        ValueError: A value is impossible; the message names it and what is allowed.
    """

    name: str = "custom"
    """Name of the experiment; run folders begin with it."""

    seed: int = 1
    """Seed of everything random; the same configuration gives the same result."""

    generations: int = 500
    """Number of generations."""

    population: int = 1000
    """Networks of all sub-populations together."""

    elites: int = 100
    """Best networks, which survive unchanged and are the parents of the next generation; of all
    sub-populations together."""

    sub_populations: int = 1
    """Parts of the population that meet in the same tournaments but breed apart."""

    tournaments: int = 500
    """Tournaments of a generation; everyone plays in all of them."""

    table_size: int = 10
    """Seats at a table, 2 to 10."""

    starting_stack: int = 1000
    """Chips of a player at the start of a tournament."""

    blinds: str = "pokerstars"
    """The published rising schedule ("pokerstars"), or fixed blinds SB/BB or SB/BB/ANTE."""

    fitness: FitnessName = "place"
    """What ranks the networks: the mean place; that mixed with the place by hands won (eq. 4.13);
    money won a hand minus money lost a showdown (eq. 4.14); or beating whom few others beat."""

    hands_won_weight: float = 0.5
    """Weight of the place by hands won in the fitness "hands_won", 0 to 1."""

    control_pick: ControlPick = "fitness"
    """Champion of a generation: the best by fitness, or the one that won most hands."""

    inputs: Inputs = "features"
    """The 35 inputs of a network: raw chips as published, or the same numbers scaled; or these and
    how often each opponent folds, calls and raises (75 inputs)."""

    hidden: tuple[int, ...] = (20,)
    """Units of the hidden layers."""

    initialisation: Initialisation = "normal"
    """First weights: normal with deviation 0.5 (the thesis), uniform in -1..1 (the paper), or all
    zero."""

    parents_mean: float = 1.5
    """A child has 1 + round(X) parents, X exponential with this mean."""

    phantom: bool = False
    """Choose parents among all networks, by the share of opponents they beat, with a phantom
    parasite that beats whoever beats everybody."""

    hall_parents: float = 0.0
    """Chance of each parent to come from the hall of fame instead."""

    champion_step: float = 1.0
    """With one elite: how far the champion moves towards a challenger that beats it; at 1 the
    challenger takes its place."""

    mutation_likelihood: float = 0.1
    """Chance of each weight of a child to change."""

    mutation_deviation: float = 0.1
    """Standard deviation of such a change."""

    grow_likelihood: float = 0.0
    """Chance of each child to gain a hidden unit."""

    shrink_likelihood: float = 0.0
    """Chance of each child to lose a hidden unit."""

    brood: int = 1
    """Children made for each place; if several, those that do best at single tables are kept."""

    brood_tournaments: int = 10
    """Single tables that each child of a brood plays."""

    hall_of_fame: int = 0
    """Most members of the halls of fame of all sub-populations together; 0 for none."""

    hof_replace: HallReplacement = "block"
    """Replacement in a full hall: worst block against the elites (the paper) or worst member first
    (the thesis)."""

    hof_unique: bool = False
    """Leave out an elite whose network is in the hall already."""

    rollback: int = 0
    """After so many generations in a row in which the best of the hall are ahead of the elites,
    go back to the generation whose elites were furthest ahead of the hall; 0 for never."""

    progress_champions: int = 50
    """Champions, evenly spread over the generations, that meet after the last generation."""

    progress_tournaments: int = 1000
    """Tournaments of that meeting, which measures the progress; 0 leaves it out."""

    def __post_init__(self) -> None:
        self._check_name(self.name)
        self._whole("seed", 0, LARGEST_SEED)
        self._whole("generations", 1)
        self._check_sizes()
        self._whole("tournaments", 1)
        self._whole("table_size", 2, 10)
        self._whole("starting_stack", 1)
        self.make_game()  # checks the blinds, and that the stack can be played with
        self._one_of("fitness", FitnessName)
        self._number("hands_won_weight", 0.0, 1.0)
        self._one_of("control_pick", ControlPick)
        self._check_networks()
        self._check_breeding()
        self._one_of("hof_replace", HallReplacement)
        self._yes_or_no("hof_unique")
        self._whole("rollback", 0)
        self._needs_hall("rollback", self.rollback > 0)
        self._whole("progress_champions", 2)
        self._whole("progress_tournaments", 0)

    @property
    def population_each(self) -> int:
        """Networks of one sub-population."""
        return self.population // self.sub_populations

    @property
    def elites_each(self) -> int:
        """Elites of one sub-population."""
        return self.elites // self.sub_populations

    @property
    def hall_each(self) -> int:
        """Most members of the hall of one sub-population."""
        return self.hall_of_fame // self.sub_populations

    def make_game(self) -> nlhe_env.Game:
        """The form of the tournaments."""
        return nlhe_env.Game.tournament(
            table_size=self.table_size,
            starting_stack=self.starting_stack,
            blinds=blind_schedule(self.blinds),
        )

    def scaled(self, factor: float) -> RunConfig:
        """The same with population, elites and hall of fame multiplied.

        Raises:
            ValueError: The factor is not positive, or no such sizes are possible.

        >>> RunConfig(hall_of_fame=1000).scaled(0.12).population
        120
        """
        if not isinstance(factor, (int, float)) or not 0 < factor < math.inf:
            raise ValueError(f"scale must be a number above 0; got {factor!r}")

        def scale(total: int) -> int:
            # The sub-populations stay equal.
            each = max(1, round(total * factor / self.sub_populations))
            return each * self.sub_populations if total else 0

        return replace(
            self,
            population=scale(self.population),
            elites=scale(self.elites),
            hall_of_fame=scale(self.hall_of_fame),
        )

    def _check_sizes(self) -> None:
        self._whole("population", 2)
        self._whole("elites", 1)
        self._whole("sub_populations", 1)
        self._whole("hall_of_fame", 0)
        if self.elites > self.population:
            raise ValueError(
                f"elites must not exceed the population ({self.population}); got {self.elites} "
                "(--scale changes population, elites and hall of fame together)"
            )
        if 0 < self.hall_of_fame < self.elites:
            raise ValueError(
                f"hall_of_fame must be 0 (none) or have room for the elites ({self.elites}); "
                f"got {self.hall_of_fame}"
            )
        for key in ("population", "elites", "hall_of_fame"):
            if getattr(self, key) % self.sub_populations:
                raise ValueError(
                    f"{key} must be a multiple of sub_populations ({self.sub_populations}), which "
                    f"share it equally; got {getattr(self, key)}"
                )

    def _check_networks(self) -> None:
        self._one_of("inputs", Inputs)
        self._check_hidden()
        self._one_of("initialisation", Initialisation)

    def _check_breeding(self) -> None:
        self._number("parents_mean", 0.0)
        self._number("mutation_likelihood", 0.0, 1.0)
        self._number("mutation_deviation", 0.0)
        self._number("grow_likelihood", 0.0, 1.0)
        self._number("shrink_likelihood", 0.0, 1.0)
        self._yes_or_no("phantom")
        self._number("hall_parents", 0.0, 1.0)
        self._needs_hall("hall_parents", self.hall_parents > 0)
        self._number("champion_step", 0.0, 1.0)
        if self.champion_step == 0:
            raise ValueError("champion_step must be above 0, or the champion never changes; got 0")
        if self.champion_step < 1 and self.elites_each > 1:
            raise ValueError(
                "champion_step below 1 needs one elite in each sub-population; got "
                f"{self.elites_each}"
            )
        if self.champion_step < 1 and (self.grow_likelihood or self.shrink_likelihood):
            raise ValueError(
                "champion_step below 1 needs networks of one shape: grow_likelihood and "
                "shrink_likelihood must be 0"
            )
        self._whole("brood", 1)
        self._whole("brood_tournaments", 1)

    def _needs_hall(self, key: str, used: bool) -> None:
        if used and not self.hall_of_fame:
            raise ValueError(
                f"{key} needs a hall of fame; got {key} = {getattr(self, key)} and hall_of_fame = 0"
            )
