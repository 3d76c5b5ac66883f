"""Opponents of pure self-play: networks with random weights, and a checkpoint pool.

A network that plays random opponents too early learns to fold: while they eliminate each other, a
player that waits places well, and one that folds nearly everything stops learning. Against its own
mutants alone the same network learns to use its cards, but never to wait against players that raise
anything. So opponents join through a gate: once the cards sufficiently affect the learner's actions
in random situations. The gate depends on behaviour, not on results, and no outside player takes
part.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

import agents
from evolve import seeds
from evolve.files.safe import part, prefixed
from evolve.genomes import GENOMES
from evolve.genomes.base import GenomeKind
from evolve.genomes.network_kind import NetworkKind
from evolve.opponents.behaviour_probes import BehaviourProbes
from evolve.opponents.opponent_sampling import Opponents
from evolve.opponents.policies import OpponentPolicy, OpponentResults, OpponentSettings
from evolve.opponents.pool import Priority, prioritised_chances, win_rates
from evolve.optimizers.base import Optimizer
from nlhe_env.arguments import number, one_of, share, whole_number
from nlhe_env.jit.array_types import F64, I64, AnyArray

_SITUATIONS = 256
_MEMORY = 0.9  # weight of earlier games against an opponent, per generation


@dataclass(frozen=True, kw_only=True)
class SelfPlaySettings(OpponentSettings):
    """Random networks and the learner's own past, once its play depends on cards."""

    ranked = False
    drawing = ("pool_priority", "random_share")

    card_sensitivity_gate: float = 0.05
    """Only candidates play until cards move the learner's action probabilities by this much (mean
    total variation, 0 to 1); 0 opens the gate at once."""

    random_share: float = 0.5
    """Share of the opponent seats for networks with random weights, new in every generation; the
    rest is for the learner's past. With schedule "tournaments", all opponents play all
    tournaments."""

    random_players: int = 30
    """Number of these networks per generation."""

    pool_every: int = 10
    """Generations between additions of the learner to its checkpoint pool; no member ever
    leaves."""

    pool_priority: Priority = "uniform"
    """Pool members to meet more often: those that candidates do not beat ("hard"), those that they
    beat half of the time ("even"), or none ("uniform"); a tenth of the seats ignores priorities."""

    checkpoint_pools: int = 1
    """Number of checkpoint pools, which the lineages join in turn. Lineages meet only members of
    their own pool, and all pools in champion selection: lineages that share one pool converge to
    one style."""

    pools_joined_after: int = 0
    """Generation after which all lineages meet the members of all pools; 0 for champion selection
    only."""

    biased_share: float = 0.0
    """Share of the opponent seats for biased players: pool members with a bias to fold, call or
    raise for one generation. Not for optimizers that breed, whose pool may be empty."""

    biased_players: int = 60
    """Number of biased players per generation and pool."""

    bias_std: float = 2.0
    """Standard deviation of the biases, in units of the network outputs."""

    def __post_init__(self) -> None:
        one_of("pool_priority", self.pool_priority, get_args(Priority))
        number("card_sensitivity_gate", self.card_sensitivity_gate, least=0.0, most=1.0)
        share("random_share", self.random_share)
        share("biased_share", self.biased_share)
        if self.random_share + self.biased_share > 1.0:
            raise ValueError(
                f"random_share and biased_share must sum to at most 1; got {self.random_share} and "
                f"{self.biased_share}"
            )
        whole_number("biased_players", self.biased_players, least=1)
        number("bias_std", self.bias_std, least=0.0)
        whole_number("random_players", self.random_players, least=1)
        whole_number("pool_every", self.pool_every, least=1)
        whole_number("checkpoint_pools", self.checkpoint_pools, least=1)
        whole_number("pools_joined_after", self.pools_joined_after, least=0)

    def check_partners(self, config: Any) -> None:
        """Check that the genomes are networks, and that there are opponents in every generation."""
        super().check_partners(config)
        if not isinstance(config.genomes, NetworkKind):
            networks = [name for name, kind in GENOMES.items() if issubclass(kind, NetworkKind)]
            raise ValueError(
                f'opponents "self-play" need genomes {" or ".join(map(repr, networks))}: they draw '
                "random networks and measure how much their choices depend on the cards; got "
                f"{config.kind('genomes')!r}"
            )
        if self.card_sensitivity_gate and config.schedule.needs_opponents:
            raise ValueError(
                f'card_sensitivity_gate must be 0 with schedule "{config.kind("schedule")}", where '
                f"candidates never meet each other; got {self.card_sensitivity_gate}"
            )
        self._check_pool(config)
        self._check_checkpoint_pools(config)

    def _check_pool(self, config: Any) -> None:
        """Check that a pool without members is not the only opponent."""
        past_is_there = self.card_sensitivity_gate > 0.0 and self.pool_every == 1
        may_be_empty = config.optimizer.breeds and not past_is_there
        if may_be_empty and (not self.random_share or self.biased_share):
            raise ValueError(
                f'optimizer "{config.kind("optimizer")}" starts from no player, so the pool may '
                "still be empty when opponents take part: random_share must be above 0 and "
                f"biased_share 0; got {self.random_share} and {self.biased_share}"
            )

    def _check_checkpoint_pools(self, config: Any) -> None:
        """Check that lineages can meet different pools."""
        n_pools, lineages = self.checkpoint_pools, config.lineages
        if n_pools == 1:
            return
        if lineages % n_pools:
            raise ValueError(
                f"checkpoint_pools must divide the {lineages} lineages into parts of equal size; "
                f"got {n_pools}"
            )
        if not config.schedule.pools_apart or config.fitness.by_opponent:
            raise ValueError(
                'checkpoint_pools must be 1 unless schedule is "blocks" and fitness is neither '
                f'"normalised" nor "square_root"; got {n_pools}'
            )

    def make(self, kind: GenomeKind, n_groups: int, *, seats: int, seed: int) -> SelfPlayOpponents:
        """Creates the policy with a closed gate."""
        return SelfPlayOpponents(self, kind, n_groups, seats=seats, seed=seed)


class SelfPlayOpponents(OpponentPolicy):
    """No opponents at first, then random networks and the checkpoint pool."""

    def __init__(
        self,
        settings: SelfPlaySettings,
        kind: GenomeKind,
        n_groups: int,
        *,
        seats: int,
        seed: int,
    ) -> None:
        self._settings, self._kind, self._seed = settings, kind, seed
        self._n_groups = n_groups
        self._inputs = getattr(kind, "inputs", "")
        rng = seeds.generator(seed, seeds.SEARCH_PROBES)
        self._probes = BehaviourProbes.draw(self._inputs, rng, count=_SITUATIONS, players=seats)
        self.checkpoints: Any = kind.none()
        self.wins: F64 = np.empty(0)
        """Games that candidates won against each pool member, if the draw has a priority; for the
        first members also those against the starting players, which had their places."""
        self.games: F64 = np.empty(0)
        """Games of candidates against each pool member."""
        self.moved = 0.0
        """Effect of the cards on the learner after the last generation."""
        self.opened = settings.card_sensitivity_gate == 0.0
        """Whether opponents take part."""

    def select(self, candidates: Any, optimizer: Optimizer, generation: int) -> Opponents | None:
        """The opponents of a generation; None while the gate is closed."""
        if not self.opened:
            return None
        checkpoints = self.checkpoints if len(self.checkpoints) else self._starts(optimizer)
        newcomers = self._random_players(generation)
        wild, biased = self._settings.random_share, self._settings.biased_share
        members = self._members(len(checkpoints), generation)
        parts = [checkpoints.pack(), newcomers.pack()]
        chances = [
            (1.0 - wild - biased) * self._checkpoint_probabilities(members, len(checkpoints)),
            np.full((len(members), len(newcomers)), wild / len(newcomers)),
        ]
        if biased:
            n = self._settings.biased_players
            parts.append(self._biased(checkpoints, members, generation))
            chances.append(np.kron(np.eye(len(members)), np.full(n, biased / n)))
        counted = self._settings.pool_priority != "uniform"
        met = np.arange(len(checkpoints)) if counted else np.empty(0, np.int64)
        shares = np.concatenate(chances, axis=1)
        return Opponents(agents.concat(*parts), shares if len(members) > 1 else shares[0], met)

    def _starts(self, optimizer: Optimizer) -> Any:
        """The pool before any player has joined."""
        if self._settings.checkpoint_pools == 1:
            return optimizer.initial_candidate()
        starts = [optimizer.initial_candidate(i) for i in range(self._n_groups)]
        return type(starts[0]).join(*starts)

    def _members(self, n: int, generation: int) -> list[I64]:
        """Indices of the members of each checkpoint pool, or of all; lineages join in turn."""
        checkpoint_pools, joined_after = (
            self._settings.checkpoint_pools,
            self._settings.pools_joined_after,
        )
        if 0 < joined_after < generation:
            checkpoint_pools = 1
        of = np.arange(n) % self._n_groups % checkpoint_pools
        return [np.flatnonzero(of == i) for i in range(checkpoint_pools)]

    def _checkpoint_probabilities(self, members: list[I64], n: int) -> F64:
        """``(len(members), n)`` sampling probabilities in each pool; rows sum to 1."""
        rates = self._win_rates(n)
        chances = np.zeros((len(members), n))
        for row, numbers in zip(chances, members, strict=True):
            row[numbers] = prioritised_chances(
                rates[numbers], priority=self._settings.pool_priority
            )
        return chances

    def _win_rates(self, n: int) -> F64:
        """Win rates of candidates against each pool member; a half for new members."""
        wins, games = np.zeros(n), np.zeros(n)
        known = min(n, len(self.wins))
        wins[:known], games[:known] = self.wins[:known], self.games[:known]
        return win_rates(wins, games)

    def _random_players(self, generation: int) -> Any:
        """Networks that never learn, with weights like the initial ones."""
        streams = [
            seeds.stream_seed(self._seed, seeds.NEWCOMERS, generation, i)
            for i in range(self._settings.random_players)
        ]
        return self._kind.of_numbers(np.stack([self._kind.first_numbers(one) for one in streams]))

    def _biased(self, checkpoints: Any, members: list[I64], generation: int) -> agents.PlayerBatch:
        """Biased players: random members of each pool with random biases, new in every generation.

        As in Pluribus, whose search assumes opponents with its own strategy, unbiased or biased
        towards folding, calling or raising (N. Brown and T. Sandholm, "Superhuman AI for
        multiplayer poker", Science 365, 2019).
        """
        rng = seeds.generator(self._seed, seeds.INCLINATIONS, generation)
        n, strength = self._settings.biased_players, self._settings.bias_std
        return agents.concat(
            *(
                checkpoints[numbers[rng.integers(len(numbers), size=n)]].with_random_bias(
                    strength, rng
                )
                for numbers in members
            )
        )

    def learn(self, results: OpponentResults, optimizer: Optimizer, generation: int) -> None:
        """Adds the learner, or every lineage, to the pool, and checks whether the gate opens."""
        all_players = [optimizer.recommend(i) for i in range(len(optimizer.groups))]
        present = type(all_players[0]).join(*all_players)
        if self._settings.pool_priority != "uniform" and len(results.wins):
            self._count(results.wins, results.games)
        if generation % self._settings.pool_every == 0:
            self.checkpoints = (
                type(present).join(self.checkpoints, present) if len(self.checkpoints) else present
            )
        self.moved = float(self._probes.moved_by_cards(present, self._inputs).mean())
        self.opened = self.opened or self.moved >= self._settings.card_sensitivity_gate

    def _count(self, wins: F64, games: F64) -> None:
        """Adds the games of a generation, and discounts earlier ones."""
        n = len(wins)
        self.wins = np.pad(_MEMORY * self.wins, (0, n - len(self.wins))) + wins
        self.games = np.pad(_MEMORY * self.games, (0, n - len(self.games))) + games

    def describe(self) -> dict[str, Any]:
        """Effect of the cards on the learner, and whether opponents take part from now on."""
        return {
            "moved_by_cards": self.moved,
            "gate_open": self.opened,
            "checkpoints": len(self.checkpoints),
        }

    def state(self) -> dict[str, AnyArray]:
        """Copies of all arrays needed to continue."""
        return {
            "moved_by_cards": np.array(self.moved),
            "gate_open": np.array(self.opened),
            **prefixed("checkpoints", self.checkpoints.to_arrays()),
            **({"wins": self.wins, "games": self.games} if len(self.games) else {}),
        }

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Continues from a state."""
        self.moved = float(state["moved_by_cards"])
        self.opened = bool(state["gate_open"])
        self.checkpoints = self._kind.from_arrays(part("checkpoints", state))
        self.wins = np.array(state.get("wins", ()), np.float64)
        self.games = np.array(state.get("games", ()), np.float64)
