"""Variation of NEAT genomes: crossover by innovation numbers, new weights, links and nodes.

Source: K. O. Stanley and R. Miikkulainen, "Evolving Neural Networks through Augmenting Topologies"
(Evolutionary Computation 10, 2002), sections 3.1, 3.2 and 4.1, whose rates are the defaults.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from evolve.genomes.base import Parents, Variation
from evolve.genomes.neat_genes import Genes, InnovationLog, cross, leads_to, with_gene
from nlhe_env.arguments import share

_TRIES = 20
"""Random pairs of nodes to try for a new link."""


@dataclass(frozen=True, kw_only=True)
class NeatVariation(Variation):
    """Crossover by innovation numbers, and mutation of weights and structure."""

    crossover: ClassVar[float] = 0.75
    """Probability that a child has two parents; other children are mutated copies of one."""

    stay_disabled: ClassVar[float] = 0.75
    """Probability that a gene that is disabled in a parent is disabled in the child."""

    mutate_weights: ClassVar[float] = 0.8
    """Probability that a child's weights are mutated."""

    replace_weight: ClassVar[float] = 0.1
    """Probability that a mutated weight is redrawn; otherwise it moves."""

    weight_step: ClassVar[float] = 0.5
    """Maximum move of a weight, up or down, uniformly distributed."""

    weight_deviation: ClassVar[float] = 0.5
    """Standard deviation of redrawn and initial weights."""

    add_node: float = 0.03
    """Probability that a child gains a node, in the middle of a link."""

    add_link: float = 0.05
    """Probability that a child gains a link between two nodes; 0.3 in large populations."""

    def __post_init__(self) -> None:
        share("add_node", self.add_node)
        share("add_link", self.add_link)

    def children(self, parents: Parents[Any], n: int, *, rng: np.random.Generator) -> Any:
        """Children of one or two parents each; their genomes share all innovations so far."""
        genomes = parents.genomes
        log = InnovationLog(genomes.innovations, genomes.n_outputs)
        bred = tuple(self._child(parents, log, rng) for _ in range(n))
        return replace(genomes, genes=bred, innovations=log.innovations())

    def _child(self, parents: Parents[Any], log: InnovationLog, rng: np.random.Generator) -> Genes:
        child = self._crossed(parents, rng)
        if rng.random() < self.mutate_weights:
            child = self._with_mutated_weights(child, rng)
        if rng.random() < self.add_node:
            child = self._with_node(child, log, rng)
        if rng.random() < self.add_link:
            child = self._with_link(child, log, parents.genomes, rng)
        return child

    def _crossed(self, parents: Parents[Any], rng: np.random.Generator) -> Genes:
        genes, hall = parents.genomes.genes, parents.hall
        place = parents.draw_place(rng)
        if rng.random() >= self.crossover:
            parents.drawn.append((place,))
            return genes[place]
        if hall is not None and len(hall) and rng.random() < parents.hall_chance:
            member = int(rng.integers(len(hall)))
            parents.drawn.append((place, -1 - member))
            fitter, mate = genes[place], hall.genes[member]
        else:  # parents are sorted, best first
            pair = sorted((place, parents.draw_place(rng)))
            parents.drawn.append(tuple(dict.fromkeys(pair)))
            fitter, mate = (genes[i] for i in pair)
        return cross(fitter, mate, stay_disabled=self.stay_disabled, rng=rng)

    def _with_mutated_weights(self, genes: Genes, rng: np.random.Generator) -> Genes:
        n = len(genes.weights)
        moved = genes.weights + rng.uniform(-self.weight_step, self.weight_step, n)
        drawn = rng.normal(0.0, self.weight_deviation, n)
        weights = np.where(rng.random(n) < self.replace_weight, drawn, moved)
        return genes._replace(weights=weights.astype(np.float32))

    def _with_node(self, genes: Genes, log: InnovationLog, rng: np.random.Generator) -> Genes:
        """Splits a link by a new node (section 3.1, figure 3).

        The first new link has weight 1, the second that of the old link, which is disabled.
        """
        possible = np.flatnonzero(genes.enabled)
        if not len(possible):
            return genes
        at = int(rng.choice(possible))
        split, weight = int(genes.innovations[at]), float(genes.weights[at])
        source, target = log.pairs[split]
        taken = {log.pairs[i][1] for i in genes.innovations.tolist()}
        node = log.node_in(split, taken)
        enabled = genes.enabled.copy()
        enabled[at] = False
        genes = with_gene(genes._replace(enabled=enabled), log.link(source, node), 1.0)
        return with_gene(genes, log.link(node, target), weight)

    def _with_link(
        self, genes: Genes, log: InnovationLog, genomes: Any, rng: np.random.Generator
    ) -> Genes:
        """Adds a link between unlinked nodes, if it makes no cycle."""
        pairs = [log.pairs[i] for i in genes.innovations.tolist()]
        hidden = sorted({target for _, target in pairs if target >= genomes.n_outputs})
        sources = [-1 - i for i in range(genomes.n_inputs + 1)] + hidden
        targets = [*range(genomes.n_outputs), *hidden]
        for _ in range(_TRIES):
            source = sources[int(rng.integers(len(sources)))]
            target = targets[int(rng.integers(len(targets)))]
            if (source, target) not in pairs and not leads_to(pairs, target, source):
                weight = float(rng.normal(0.0, self.weight_deviation))
                return with_gene(genes, log.link(source, target), weight)
        return genes

    def describe(self, genomes: Any) -> dict[str, float]:
        """Mean numbers of hidden nodes and enabled links of a network."""
        return {
            "hidden_nodes": float(np.mean([genomes.n_hidden(i) for i in range(len(genomes))])),
            "links": float(np.mean([genes.enabled.sum() for genes in genomes.genes])),
        }
