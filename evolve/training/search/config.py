"""The configuration of a search: what an optimizer trains, at which game and against whom."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

import agents
import nlhe_env
from agents.compiled.network import N_INPUTS_OF, count_weights
from evolve import seeds
from evolve.genomes import variation as population
from evolve.opponents.line_ups import OpponentMix
from evolve.opponents.pool import PoolLimits, Priority
from evolve.optimizers import Optimizer, make_optimizer, option_names
from evolve.training.config import Inputs
from evolve.training.config_checks import LARGEST_SEED, Checked, blind_schedule
from nlhe_env.game.table import MAX_SEATS
from nlhe_env.machine.array_types import F32, I64

GameMode = Literal["cash", "tournament"]
OptimizerName = Literal[
    "cma-es", "cma-es-diagonal", "openai-es", "genetic", "mutation", "map-elites"
]
Betting = Literal["no-limit", "pot-limit", "fixed-limit"]

OPTIONS = (
    "elites",
    "parents",
    "parents_mean",
    "likelihood",
    "initial_deviation",
    "novelty",
    "learning_rate",
    "weight_decay",
    "mean_learning_rate",
)
"""Values that only some optimizers have, and that are theirs to choose where they are not given."""

STARTS = ("zeros", "normal", "uniform")


@dataclass(frozen=True, kw_only=True)
class SearchConfig(Checked):
    """Everything that decides the result of a search.

    Raises:
        ValueError: A value is impossible; the message names it and what is allowed.
    """

    name: str = "custom"
    """Name of the experiment; run folders begin with it."""

    seed: int = 1
    """Seed of everything random; the same configuration gives the same result."""

    optimizer: OptimizerName = "cma-es"
    """Who proposes the candidates."""

    population: int = 64
    """Candidates of a generation."""

    step: float = 0.1
    """Size of the first steps: the standard deviation of the noise on every weight."""

    elites: int | None = None
    """Genetic and mutation: candidates that survive; default: a tenth (mutation: a twentieth)."""

    parents: int | None = None
    """Mutation: candidates that breed; default: a tenth."""

    parents_mean: float | None = None
    """Genetic: a child has 1 + round(X) parents, X exponential with this mean; default: 1.5."""

    likelihood: float | None = None
    """Genetic: chance of each weight of a child to change; default: 0.1."""

    initial_deviation: float | None = None
    """Genetic, mutation and MAP-Elites: noise on every weight of the first generation; default:
    0.5, mutation: the step."""

    novelty: bool = False
    """Genetic and mutation: choose who breeds by fitness and by novelty of behaviour; who survives
    and who is deployed, by fitness alone."""

    learning_rate: float | None = None
    """OpenAI-ES: how far one step moves each weight; default: half of the step."""

    weight_decay: float | None = None
    """OpenAI-ES: share of the weights that goes at each step, times the learning rate; default:
    0."""

    mean_learning_rate: float | None = None
    """CMA-ES: how far the mean goes to that of the best, up to 1; default: 1."""

    hands: int = 10_000_000
    """Hands of training: the search ends with the generation that reaches them; 0 for no limit."""

    generations: int = 0
    """Most generations; 0 for no limit."""

    game: GameMode = "cash"
    """Stacks put back before every hand, or tournaments of one table."""

    seats: int = 2
    """Players at the table, 2 to 10."""

    starting_stack: int = 10_000
    """Chips of a player at the start of every hand, or of the tournament."""

    blinds: str = "50/100"
    """Fixed blinds SB/BB or SB/BB/ANTE, or in tournaments the rising "pokerstars"."""

    session: int = 20
    """Hands that players of a cash game stay together and may learn about each other."""

    betting: Betting = "no-limit"
    """Betting structure."""

    blocks: int = 100
    """Duplicate blocks that every candidate plays in a generation: in each it has every seat once,
    with the cards that all other candidates have there."""

    racing_rounds: int = 0
    """Times that candidates whom selection cannot separate yet play as many blocks again."""

    racing_errors: float = 2.0
    """Standard errors of the difference to the border of selection that count as separated."""

    pool_share: float = 0.0
    """Share of the seats for the pool: players that this search has deployed earlier."""

    population_share: float = 0.0
    """Share of the seats for the best candidates of the generation before."""

    named_share: float = 1.0
    """Share of the seats for the players in "named"."""

    named: tuple[str, ...] = ("caller",)
    """Opponents by name: built-in players and player files (.npz)."""

    rivals: int = 8
    """Best candidates of a generation that are opponents in the next one."""

    priority: Priority = "uniform"
    """Who is met most often among pool and named players: whom candidates do not beat ("hard"),
    whom they beat half of the time ("even"), or all alike."""

    priority_power: float = 2.0
    """How strongly "hard" prefers."""

    priority_uniform: float = 0.1
    """Share of the seats without priority."""

    pool_capacity: int = 50
    """Most players in the pool; beyond it, of the two most alike the older one leaves."""

    pool_max_age: int = 0
    """Generations after which a player leaves the pool; 0 for never."""

    pool_every: int = 10
    """The present player enters the pool every so many generations."""

    inputs: Inputs = "features_scaled"
    """What the networks see, see "train"."""

    hidden: tuple[int, ...] = (20,)
    """Units of the hidden layers."""

    start: str = "zeros"
    """Where the search starts: all weights "zeros", "normal" (deviation 0.5) or "uniform" (-1..1);
    or a network by name or file (.npz)."""

    test_every: int = 10
    """The deployable player is tested every so many generations, besides the first and the last;
    this is not counted in the hands. 0 for the first and the last only."""

    test_blocks: int = 500
    """Duplicate blocks of a test, always the same ones, with cards that training never sees."""

    test_players: tuple[str, ...] = ()
    """Opponents of the test; default: those in "named"."""

    def __post_init__(self) -> None:
        self._check_name(self.name)
        self._whole("seed", 0, LARGEST_SEED)
        self._one_of("optimizer", OptimizerName)
        self._whole("population", 2)
        self._number("step", 0.0)
        self._whole("hands", 0)
        self._whole("generations", 0)
        if not self.hands and not self.generations:
            raise ValueError("hands or generations must be above 0, or the search never ends")
        self._check_game()
        self._check_opponents()
        self._one_of("inputs", Inputs)
        self._check_hidden()
        self._yes_or_no("novelty")
        self._whole("test_every", 0)
        self._whole("test_blocks", 2)
        self._whole("racing_rounds", 0)
        self._number("racing_errors", 0.0)
        if self.racing_rounds and self.optimizer in ("openai-es", "map-elites"):
            raise ValueError(
                f"racing_rounds must be 0 with optimizer {self.optimizer!r}: it has no border of "
                "selection that candidates could be separated by"
            )
        self._options()
        self._check_start()

    def _check_game(self) -> None:
        self._one_of("game", GameMode)
        self._whole("seats", 2, MAX_SEATS)
        self._whole("starting_stack", 1)
        self._whole("session", 1)
        self._one_of("betting", Betting)
        self._whole("blocks", 2)
        self.make_game()  # checks the blinds, and that the stack can be played with

    def _check_opponents(self) -> None:
        for key in ("named", "test_players"):
            names = getattr(self, key)
            if isinstance(names, str) or not all(isinstance(name, str) for name in names):
                raise ValueError(f"{key} must be a list of names; got {names!r}")
            object.__setattr__(self, key, tuple(names))
            for name in names:
                agents.make_compiled(name)
            if len(set(names)) < len(names):
                raise ValueError(f"{key} must name every player once; got {names!r}")
        self._whole("rivals", 1)
        self._whole("pool_every", 1)
        self._whole("pool_max_age", 0)
        for key in ("pool_share", "population_share", "named_share"):
            self._number(key, 0.0)
        self._one_of("priority", Priority)
        self.mix()
        self.limits()
        if self.named_share and not self.named:
            raise ValueError("named must not be empty while named_share is above 0")
        if not self.tested_against:
            raise ValueError("test_players must not be empty where named is: whom to test against?")

    @property
    def is_cash(self) -> bool:
        """Whether cash games are played."""
        return self.game == "cash"

    @property
    def unit(self) -> str:
        """What a score is: big blinds won in 100 hands, or the mean place."""
        return "bb/100" if self.is_cash else "place"

    @property
    def per_block(self) -> float:
        """What turns the result of a duplicate block, in chips or places, into a score."""
        game = self.make_game()
        if not game.is_cash:
            return 1.0
        return 100.0 / (game.big_blind * self.session * self.seats)

    @property
    def sign(self) -> float:
        """What makes a score larger where it is better."""
        return 1.0 if self.is_cash else -1.0

    @property
    def tested_against(self) -> tuple[str, ...]:
        """Opponents of the test."""
        return self.test_players or self.named

    @property
    def n_selected(self) -> int:
        """Candidates that selection sets apart from the others; what racing tries to find out."""
        if self.optimizer == "genetic":
            return self.elites or max(1, self.population // 10)
        if self.optimizer == "mutation":
            parents = self.parents or max(1, self.population // 10)
            # With novelty, fitness alone decides only who survives.
            return self.elites or max(1, parents // 2) if self.novelty else parents
        return self.population // 2

    def make_game(self) -> nlhe_env.Game:
        """The game that is played."""
        blinds = blind_schedule(self.blinds)
        if self.is_cash:
            return nlhe_env.Game.cash(
                starting_stack=self.starting_stack,
                blinds=blinds,
                num_hands=self.session,
                betting=self.betting,
            )
        return nlhe_env.Game.tournament(
            starting_stack=self.starting_stack, blinds=blinds, betting=self.betting
        )

    def mix(self) -> OpponentMix:
        """Where opponents come from."""
        return OpponentMix(
            pool=self.pool_share,
            population=self.population_share,
            named=self.named_share,
            priority=self.priority,
            power=self.priority_power,
            uniform=self.priority_uniform,
        )

    def limits(self) -> PoolLimits:
        """Who may stay in the pool."""
        return PoolLimits(capacity=self.pool_capacity, max_age=self.pool_max_age or None)

    def make_optimizer(self) -> Optimizer:
        """The optimizer before the first generation.

        Raises:
            ValueError: One of its options is out of its range.
        """
        return make_optimizer(
            self.optimizer,
            self.start_weights(),
            population=self.population,
            step=self.step,
            seed=self.seed,
            **self._options(),
        )

    def _options(self) -> dict[str, Any]:
        """The options of the optimizer that are given."""
        values = {key: getattr(self, key) for key in OPTIONS}
        given = {
            key: value for key, value in values.items() if value is not None and value is not False
        }
        known = option_names(self.optimizer)
        for key in given:
            if key not in known:
                own = ", ".join(option for option in OPTIONS if option in known)
                raise ValueError(
                    f"{key} is no option of the optimizer {self.optimizer!r}, which has {own}"
                )
        return given

    def start_weights(self) -> F32:
        """``(n_weights,)`` where the search starts."""
        n_weights = count_weights(N_INPUTS_OF[self.inputs], self.hidden)
        if self.start in STARTS:
            rng = seeds.generator(self.seed, seeds.SEARCH_START)
            start = population.initial_population(1, n_weights, initialisation=self.start, rng=rng)
            return start.ravel()
        weights: F32 = self._check_start()[:n_weights].astype(np.float32)
        return weights

    def _check_start(self) -> F32:
        """The weights of the player to start from; none where it is no player."""
        if self.start in STARTS:
            return np.empty(0, np.float32)
        try:
            player = agents.make_compiled(self.start)
        except ValueError as error:
            raise ValueError(f"start must be {', '.join(STARTS)} or a network: {error}") from error
        units = [int(n) for n in player.sizes if n > 0][1:-1]
        if (
            not isinstance(player, agents.NetworkPlayer)
            or player.inputs != self.inputs
            or units != list(self.hidden)
        ):
            raise ValueError(
                f"start must be a network with inputs {self.inputs!r} and hidden layers "
                f"{list(self.hidden)}; {self.start!r} is another player"
            )
        return player.weights

    def trial_is_due(self, generation: int, hands: int, tested: I64) -> bool:
        """Whether the player is to be tested after so many generations and hands.

        Args:
            generation: Generations finished.
            hands: Hands played.
            tested: Generations after which it has been tested.
        """
        if len(tested) and tested[-1] == generation:
            return False
        regular = self.test_every and generation % self.test_every == 0
        return bool(regular) or generation == 0 or not self.goes_on(generation, hands)

    def goes_on(self, generation: int, hands: int) -> bool:
        """Whether another generation follows after so many generations and hands."""
        return hands < (self.hands or math.inf) and generation < (self.generations or math.inf)
