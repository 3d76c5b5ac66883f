"""Single deep CFR on Kuhn's poker and Leduc hold'em, in one file.

Networks predict the regrets of all actions from sampled traversals of the game (N. Brown et al.,
"Deep Counterfactual Regret Minimization", ICML 2019): one player tries all actions, the other
samples one. The average strategy weights all networks so far by their iteration (E. Steinberger,
"Single Deep Counterfactual Regret Minimization", 2019), and is computed exactly here. Players take
turns, each against the other's newest network. All traversals of an iteration advance through the
game together, step by step. Needs PyTorch.

    python examples/deep_cfr.py --game leduc --iterations 100
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import tyro

from agents.solvers import GameTables, PublicGame, kuhn, leduc, no_limit_leduc

try:
    import torch
    from torch import nn
except ModuleNotFoundError as error:
    raise SystemExit(f"this example needs {error.name}: pip install '.[rl]'") from None

FREE = {"iterations", "reports", "device", "out", "track"}
"""Options that may change when a run continues."""


@dataclass
class Args:
    """Options of the command line."""

    game: Literal["kuhn", "leduc", "no-limit-leduc"] = "leduc"
    iterations: int = 100
    walks: int = 1500
    """Traversals for each player in an iteration."""
    steps: int = 500
    """Gradient steps for each player in an iteration, from new weights."""
    batch_size: int = 1024
    hidden: tuple[int, ...] = (64, 64)
    learning_rate: float = 3e-3
    memory: int = 1_000_000
    """Size of each player's memory, a uniform sample of all regrets so far."""
    reports: int = 10
    """Number of exploitability measurements during the run."""
    seed: int = 1
    device: str = "cpu"
    """Device of the networks, such as ``cuda``; the tables stay on the processor."""
    out: Path | None = None
    """Folder of the checkpoint; an existing run continues."""
    track: Path | None = None
    """Folder for TensorBoard."""


class Regrets(NamedTuple):
    """Sampled regrets at decisions: observations, masks, regrets of actions, iteration."""

    seen: np.ndarray
    masks: np.ndarray
    regrets: np.ndarray
    iteration: np.ndarray


class Level(NamedTuple):
    """States of the traversals after the same number of steps, and the actions that led there."""

    nodes: np.ndarray
    hands: np.ndarray
    parent: np.ndarray  # indices in the previous level
    action: np.ndarray
    chances: np.ndarray  # of the player to act; all 0 at the end of a hand


def network(n_in: int, hidden: tuple[int, ...], n_out: int) -> nn.Sequential:
    """Layers of ReLUs; the last one is normalised, as in the paper."""
    sizes, layers = (n_in, *hidden, n_out), list[nn.Module]()
    for before, after in pairwise(sizes):
        layers += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*layers[:-2], nn.LayerNorm(sizes[-2]), layers[-2])


@torch.no_grad()
def regret_matching(net: nn.Module | None, seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Probabilities in proportion to positive regrets; the best action if there are none."""
    if net is None:  # before the first iteration
        return masks / masks.sum(axis=1, keepdims=True)
    found = net(torch.tensor(seen)).double().cpu().numpy()
    positive = np.maximum(found, 0) * masks
    best = np.eye(masks.shape[1])[np.where(masks == 1, found, -np.inf).argmax(axis=1)]
    total = positive.sum(axis=1, keepdims=True)
    return np.where(total > 0, positive / np.maximum(total, 1e-12), best)


def draw(chances: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    bounds = chances.cumsum(axis=1)
    return (bounds <= rng.random((len(bounds), 1)) * bounds[:, -1:]).sum(axis=1)


def walk(
    tables: GameTables, player: int, nets: list[nn.Module | None], args: Args, iteration: int,
    rng: np.random.Generator,
) -> Regrets:  # fmt: skip
    """Sampled regrets of a player, which tries all its actions against sampled ones."""
    levels = []
    nodes, hands = tables.deal(args.walks, rng)
    parent, action = np.zeros(len(nodes), np.int64), np.zeros(len(nodes), np.int64)
    while len(nodes):
        masks, actors = tables.masks(nodes), tables.actors(nodes)
        chances = np.zeros(masks.shape)
        follows = masks.astype(bool)  # actions that lead to the next level
        for p in range(2):
            (here,) = np.nonzero(~tables.over(nodes) & (actors == p))
            if len(here):
                seen = tables.observations(nodes[here], hands[here, p])
                chances[here] = regret_matching(nets[p], seen, masks[here])
                if p != player:
                    follows[here] = False
                    follows[here, draw(chances[here], rng)] = True
        levels.append(Level(nodes, hands, parent, action, chances))
        parent, action = np.nonzero(follows)
        hands = hands[parent]
        nodes = tables.after(nodes[parent], hands, action, rng)
    # From the ends back to the start.
    found = []
    later = np.zeros((0, 0))
    for i in reversed(range(len(levels))):
        level = levels[i]
        masks, actors = tables.masks(level.nodes), tables.actors(level.nodes)
        worth = np.zeros(masks.shape)  # of every tried action
        if i + 1 < len(levels):
            worth[levels[i + 1].parent, levels[i + 1].action] = later
        own = ~tables.over(level.nodes) & (actors == player)
        means = (level.chances * worth).sum(axis=1)
        ends = tables.winnings(level.nodes, level.hands)[:, player]
        # The other's action was sampled, so its value counts fully.
        later = np.where(own, means, worth.sum(axis=1)) + ends
        if own.any():
            seen = tables.observations(level.nodes[own], level.hands[own, player])
            regrets = (worth[own] - means[own, np.newaxis]) * masks[own]
            turn = np.full(own.sum(), iteration)
            found.append(Regrets(seen, masks[own], regrets.astype(np.float32), turn))
    return Regrets(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


class Memory:
    """Uniform sample of all regrets so far (a reservoir)."""

    def __init__(self, size: int) -> None:
        self.size, self.seen = size, 0
        self.columns: list[np.ndarray] = []

    def add(self, rows: Regrets, rng: np.random.Generator) -> None:
        n = len(rows.seen)
        if not self.columns:
            self.columns = [np.zeros((self.size, *row.shape[1:]), row.dtype) for row in rows]
        order = np.arange(self.seen, self.seen + n)
        places = np.where(order < self.size, order, (rng.random(n) * (order + 1)).astype(np.int64))
        kept = places < self.size
        for column, row in zip(self.columns, rows, strict=True):
            column[places[kept]] = row[kept]
        self.seen += n

    def sample(self, n: int, rng: np.random.Generator) -> list[torch.Tensor]:
        chosen = rng.integers(min(self.seen, self.size), size=n)
        return [torch.tensor(column[chosen]) for column in self.columns]


def fit(memory: Memory, args: Args, iteration: int, rng: np.random.Generator) -> nn.Module:
    """A new network fitted to the regrets so far, with more weight on later iterations."""
    width, n_actions = memory.columns[0].shape[1], memory.columns[1].shape[1]
    net = network(width, args.hidden, n_actions)
    optimizer = torch.optim.Adam(net.parameters(), lr=args.learning_rate)
    for step in range(args.steps):
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - step / args.steps)
        seen, masks, regrets, turn = memory.sample(args.batch_size, rng)
        weights = turn / iteration
        loss = (weights[:, None] * masks * (net(seen) - regrets).square()).mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
    return net


class Average:
    """Average strategy: each strategy counts by its weight and its reach probability."""

    def __init__(self, game: PublicGame) -> None:
        self.game, self.total = game, np.zeros(game.shape)

    def add(self, strategy: np.ndarray, weight: float) -> None:
        tree, (_, n_hands) = self.game.tree, self.game.shape
        reach = np.ones((len(tree.kind), 2, n_hands))
        for node in range(len(tree.kind)):
            for i, child in enumerate(tree.children(node)):
                reach[child] = reach[node]
                if tree.row[node] >= 0:
                    row, player = tree.row[node] + i, tree.actor[node]
                    self.total[row] += weight * reach[node, player] * strategy[row]
                    reach[child, player] = reach[node, player] * strategy[row]

    def exploitability(self) -> float:
        return self.game.exploitability(self.game.normalised(self.total))


def main(args: Args) -> float:
    """Runs the solver, and returns the exploitability of the average strategy."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    if args.device != "cpu":
        torch.set_default_device(args.device)
    rng = np.random.default_rng(args.seed)
    games = {"kuhn": kuhn, "leduc": leduc, "no-limit-leduc": lambda: no_limit_leduc(9, 1)}
    tables = GameTables(games[args.game]())
    memories = [Memory(args.memory) for _ in range(2)]
    nets: list[nn.Module | None] = [None, None]
    average, first, hands = Average(tables.game), 1, 0
    checkpoint = args.out / "checkpoint.pt" if args.out else None
    if checkpoint and checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=False)
        for name, value in asdict(args).items():
            if name not in FREE and value != (then := saved["args"][name]):
                raise SystemExit(f"{checkpoint} is of a run with {name} {then}; got {value}")
        memories, nets, average.total = saved["memories"], saved["nets"], saved["average"]
        first, hands, rng = saved["iteration"] + 1, saved["hands"], saved["rng"]
        torch.set_rng_state(saved["random"])
        print(f"goes on after iteration {first - 1}")
    writer = None
    if args.track:
        from torch.utils.tensorboard import SummaryWriter

        writer = SummaryWriter(str(args.track))

    def strategy_of(player_nets: list[nn.Module | None]) -> Any:
        def policy(seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
            # The first two numbers after the hand are the player to act.
            own = seen[:, tables.observation_size - tables.public_size] == 1
            chances = [regret_matching(net, seen, masks) for net in player_nets]
            return np.where(own[:, np.newaxis], chances[0], chances[1])

        return tables.strategy(policy)

    start, found = time.perf_counter(), float("nan")
    for iteration in range(first, args.iterations + 1):
        average.add(strategy_of(nets), iteration)
        for player in range(2):
            memories[player].add(walk(tables, player, nets, args, iteration, rng), rng)
            nets[player] = fit(memories[player], args, iteration, rng)
            hands += args.walks
        if iteration == 1 or iteration % max(1, args.iterations // args.reports) == 0:
            found = average.exploitability()
            seconds = time.perf_counter() - start
            print(
                f"iteration {iteration:>4}, {hands:>9,} walks, {seconds:6.1f} s: exploitability "
                f"{found:.4f} chips a hand"
            )
            if writer:
                writer.add_scalar("exploitability", found, iteration)
            if checkpoint and args.out:
                args.out.mkdir(parents=True, exist_ok=True)
                parts = {"memories": memories, "nets": nets, "average": average.total}
                parts |= {"iteration": iteration, "hands": hands, "rng": rng, "args": asdict(args)}
                # An interruption leaves the old checkpoint.
                torch.save({**parts, "random": torch.get_rng_state()}, args.out / "new.pt")
                (args.out / "new.pt").replace(checkpoint)
    if writer:
        writer.close()
    return found


if __name__ == "__main__":
    main(tyro.cli(Args))
