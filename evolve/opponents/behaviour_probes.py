"""Behaviour vectors of networks from their decisions in common situations, without games.

Weights do not show whether two networks play alike: hidden units can be permuted, and most weight
changes do not affect decisions. Networks are therefore compared by their decisions in common probe
situations, as in J. Parker-Holder et al. ("Effective Diversity in Population Based Reinforcement
Learning", NeurIPS 2020, section 4).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.policy.action_probabilities import policy_of_inputs
from evolve.genomes.base import Genomes
from nlhe_env import BatchEnv, Game
from nlhe_env.jit.array_types import F32, F64, I8
from nlhe_env.spaces.observations import find_observation

CARD_PARTS = ("win_chance", "edge", "surplus")
"""Parts of observations that depend mainly on a player's cards."""
_STEPS = 24
"""Decisions before the situations are drawn: several hands, to cover all streets."""


@dataclass(frozen=True, eq=False)
class BehaviourProbes:
    """Game situations, as observations of the player to act.

    Attributes:
        observations: ``(n, n_inputs)`` observations of the player to act.
        masks: ``(n, 5)`` 1 where an action is legal: fold, call, small, medium, large raise.
    """

    observations: F32
    masks: I8

    @classmethod
    def draw(
        cls, inputs: str, generator: np.random.Generator, *, count: int = 64, players: int = 2
    ) -> BehaviourProbes:
        """Draw situations from hands with random legal actions.

        Args:
            inputs: Observation name, as in ``agents.NetworkPlayer``.
            generator: Random generator for cards and actions.
            count: Number of situations, each from its own table.
            players: Players per table, 2 to 10.

        Raises:
            ValueError: An argument is out of range.
        """
        batch = BatchEnv(
            count,
            players,
            mode="cash",
            blinds=(10, 20),
            starting_stack=2000,
            actions="sized",
            observation=inputs,
        )
        turns = batch.reset(seed=int(generator.integers(2**63)))
        observations, masks = turns.observation.copy(), turns.action_mask.copy()
        for step in range(1, _STEPS):
            turns = batch.step(batch.sample_actions(generator))
            # Every table gives one situation, each after a different number of decisions.
            observations[step::_STEPS] = turns.observation[step::_STEPS]
            masks[step::_STEPS] = turns.action_mask[step::_STEPS]
        return cls(observations, masks)

    def behaviour(self, genomes: Genomes) -> F64:
        """Action probabilities in all situations.

        Args:
            genomes: Players with this observation.

        Returns:
            ``(n_genomes, 5 * n)``; the five probabilities of a situation sum to 1. Divided by the
            square root of ``2 * n``, the Euclidean distance of two rows is in 0..1.
        """
        if not len(genomes):
            return np.empty((0, self.masks.size))
        chances = policy_of_inputs(genomes.pack(), self.observations, self.masks)
        return chances.reshape(len(genomes), self.masks.size)

    def moved_by_cards(self, genomes: Genomes, inputs: str) -> F64:
        """Effect of the cards on players' decisions.

        Every situation is repeated with the cards of another one, half of the list further on,
        which needs no random numbers.

        Args:
            genomes: Players with this observation.
            inputs: Name of their observation.

        Returns:
            ``(n_genomes,)`` mean total variation, 0 to 1, between the action probabilities with
            both cards. 0 is a player blind to its cards.

        Raises:
            ValueError: No part of the inputs depends on the cards alone.
        """
        # Parts do not depend on the game.
        parts = {part.name: part for part in find_observation(inputs).parts(Game(), 2)}
        part = next((parts[name] for name in CARD_PARTS if name in parts), None)
        if part is None:
            raise ValueError(
                f"inputs {inputs!r} have no part {' or '.join(map(repr, CARD_PARTS))} to exchange"
            )
        changed = self.observations.copy()
        cards = changed[:, part.start : part.stop]
        changed[:, part.start : part.stop] = np.roll(cards, len(changed) // 2, axis=0)
        # One call: for a few players, finding the compiled kernel takes as long as its work.
        both = np.concatenate([self.observations, changed])
        chances = policy_of_inputs(genomes.pack(), both, np.tile(self.masks, (2, 1)))
        usual, moved = np.split(chances, 2, axis=1)
        distances: F64 = 0.5 * np.abs(moved - usual).sum(axis=2).mean(axis=1)
        return distances
