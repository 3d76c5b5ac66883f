"""Self-play by PPO with a pull towards a magnet policy, in one file.

The update of PPO (J. Schulman et al., 2017) also keeps the policy near a magnet, an average of its
past policies: magnetic mirror descent (S. Sokota et al., "A Unified Approach to Reinforcement
Learning, Quantal Response Equilibria, and Two-Player Zero-Sum Games", ICLR 2023). Without it,
self-play is cyclic. M. Rudolph et al. ("Reevaluating Policy Gradient Methods for
Imperfect-Information Games", 2025) find such methods as good as specialised ones.

One network plays all seats of Kuhn's poker, Leduc hold'em (``--game leduc``) or no-limit hold'em
with 100 big blinds. In small games exploitability is exact; heads-up in hold'em a local best
response gives a lower bound. Larger tables (``--players 6``) measure winnings from a rule player.
The policy is saved as a compiled player. One half of the tables is played in a thread while the
network works on the other. Needs PyTorch.

    python examples/self_play_ppo.py --game leduc --hands 4000000
    python examples/self_play_ppo.py --game holdem --hands 3000000 --out runs/ppo
"""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import tyro

import agents
import evolve
import nlhe_env
from agents.exploitability import Menu
from agents.players.networks import MixedPotSizedNetworkPlayer
from agents.solvers import GameTables, kuhn, leduc

try:
    import torch
    from torch import nn
    from torch.nn.functional import logsigmoid
except ModuleNotFoundError as error:
    raise SystemExit(f"this example needs {error.name}: pip install '.[rl]'") from None

HOLDEM = {"mode": "cash", "blinds": (50, 100), "starting_stack": 10_000}
INPUTS = "features_cash"
OPPONENT = "tight-aggressive"
"""Player in the other seats of evaluations at larger tables."""
FREE = {"hands", "reports", "lbr_blocks", "device", "threads", "out", "track"}
"""Options that may change when a run continues."""


@dataclass
class Args:
    """Options of the command line."""

    game: Literal["kuhn", "leduc", "holdem"] = "leduc"
    hands: int = 4_000_000
    """Training hands."""
    players: int = 2
    """Players at a table of hold'em."""
    num_tables: int = 1024
    rollout: int = 16
    """Decisions at each table between updates."""
    minibatches: int = 4
    epochs: int = 2
    hidden: tuple[int, ...] = (64, 64)
    learning_rate: float = 1e-3
    """Initial learning rate, which falls to 0 over the run."""
    clip: float = 0.2
    temperature: float = 1.0
    """Weight of the divergence from the magnet."""
    magnet_rate: float = 0.05
    """Step of the magnet towards the policy at every update; 0 for a uniform magnet."""
    value_weight: float = 0.5
    max_grad_norm: float = 0.5
    reports: int = 10
    """Number of evaluations during the run."""
    lbr_blocks: int = 500
    """Duplicate blocks of an evaluation in hold'em."""
    seed: int = 1
    device: str = "cpu"
    """Device of the networks, such as ``cuda``; the tables stay on the processor."""
    threads: int = 1
    """Threads that play each half of the tables."""
    out: Path | None = None
    """Folder of the checkpoint and the player; an existing run continues."""
    track: Path | None = None
    """Folder for TensorBoard."""


def upload(array: np.ndarray) -> torch.Tensor:
    """Copy on the device; from pinned memory, the copy to a GPU runs beside other work."""
    device = torch.get_default_device()
    copied = torch.tensor(array, device="cpu", pin_memory=device.type == "cuda")
    return copied.to(device, non_blocking=True)


class Agent(nn.Module):
    """Policy by normalised sigmoid outputs, and a value."""

    def __init__(self, n_inputs: int, n_actions: int, hidden: tuple[int, ...]) -> None:
        super().__init__()

        def network(n_out: int) -> nn.Sequential:
            sizes = (n_inputs, *hidden, n_out)
            layers: list[nn.Module] = []
            for n_in, n in pairwise(sizes):
                layers += [nn.Linear(n_in, n), nn.Tanh()]
            return nn.Sequential(*layers[:-1])

        self.actor, self.critic = network(n_actions), network(1)

    def log_policy(self, seen: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Log probabilities, -1e8 or less for illegal actions."""
        return logsigmoid(self.actor(seen)).masked_fill(~masks, -1e8).log_softmax(dim=-1)

    def value(self, seen: torch.Tensor) -> torch.Tensor:
        return self.critic(seen).squeeze(-1)


def compiled_player(agent: Agent, hidden: tuple[int, ...]) -> agents.CompiledPlayer:
    """The policy as an equivalent compiled player: tanh(x) is 2 sigmoid(2x) - 1."""
    linears = [layer for layer in agent.actor if isinstance(layer, nn.Linear)]
    rows = []
    for i, linear in enumerate(linears):
        weights, bias = linear.weight.detach().cpu().T, linear.bias.detach().cpu()
        if i > 0:  # inputs are 2 sigmoid - 1
            bias, weights = bias - weights.sum(dim=0), 2 * weights
        if i + 1 < len(linears):
            bias, weights = 2 * bias, 2 * weights
        rows += [weights.flatten().numpy(), bias.numpy()]
    return MixedPotSizedNetworkPlayer(
        np.concatenate(rows), inputs=INPUTS, hidden=hidden, name="ppo"
    )


class Experience(NamedTuple):
    """Decisions, with the result of the hand for the acting player."""

    seen: torch.Tensor
    masks: torch.Tensor
    actions: torch.Tensor
    log_probs: torch.Tensor
    returns: torch.Tensor


class Collector:
    """Plays at half of the tables; decisions of unfinished hands wait for the next update."""

    def __init__(self, args: Args, half: int) -> None:
        tables = make_tables(args)
        self.tables, self.rollout = tables, args.rollout
        # One big blind of hold'em is small relative to a stack; rewards are scaled to about 1.
        self.scale = 0.05 if args.game == "holdem" else 0.25
        self.hands = 0
        self.waited = 0.0  # seconds without work until the game went on
        self.waiting: list[torch.Tensor] = []
        self.turns = tables.reset(seed=args.seed + 2**32 * half)

    @torch.no_grad()
    def play(self, agent: Agent, pool: ThreadPoolExecutor) -> Iterator[Experience | None]:
        """Yields None while a thread plays, and finally the decisions of finished hands."""
        turns, n = self.turns, self.tables.num_tables
        rows = np.arange(n)
        hand = np.zeros(n, np.int64)  # hand number at each table since the last update
        won = np.zeros((self.rollout + 1, *turns.rewards.shape))
        steps = []
        for _ in range(self.rollout):
            seen, masks = upload(turns.observation), upload(turns.action_mask) == 1
            log_policy = agent.log_policy(seen, masks)
            actions = torch.multinomial(log_policy.exp(), 1)
            chosen = log_policy.gather(1, actions)[:, 0]
            where = upload(np.stack([rows, hand, turns.player], axis=1))
            steps.append((seen, masks, actions[:, 0], chosen, where))
            played = pool.submit(self.tables.step, actions[:, 0].cpu().numpy())
            yield None
            before = time.perf_counter()
            turns = played.result()
            self.waited += time.perf_counter() - before
            won[hand, rows] += turns.rewards
            hand += turns.terminated
        self.turns = turns
        self.hands += int(hand.sum())
        joined = [torch.cat(parts) for parts in zip(*steps, strict=True)]
        if self.waiting:
            joined = [torch.cat(parts) for parts in zip(self.waiting, joined, strict=True)]
        *decisions, where = joined
        table, number, player = where.T.cpu().numpy()
        over = upload(number < hand[table])
        returns = upload((self.scale * won[number, table, player]).astype(np.float32))
        later = where[~over].clone()
        later[:, 1] = 0  # the unfinished hand is the first of the next update
        self.waiting = [*(part[~over] for part in decisions), later]
        yield Experience(*(part[over] for part in decisions), returns[over])


def collect(collectors: list[Collector], agent: Agent) -> Experience:
    """Decisions at both halves of the tables, which play in turn."""
    with ThreadPoolExecutor(2) as pool:
        *_, found = zip(*(each.play(agent, pool) for each in collectors), strict=True)
    return Experience(*map(torch.cat, zip(*found, strict=True)))


def update(
    agent: Agent, magnet: Agent | None, optimizer: torch.optim.Optimizer, batch: Experience,
    args: Args,
) -> dict[str, float]:  # fmt: skip
    """One PPO update with a divergence from the magnet; returns the mean losses."""
    with torch.no_grad():
        gains = batch.returns - agent.value(batch.seen)
        gains = (gains - gains.mean()) / (gains.std() + 1e-8)
        legal = batch.masks.float()
        pull = (legal / legal.sum(dim=1, keepdim=True)).clamp(min=1e-8).log()
        if magnet is not None:
            pull = magnet.log_policy(batch.seen, batch.masks)
    sums = {"divergence": 0.0, "value_loss": 0.0}
    for _ in range(args.epochs):
        for chosen in torch.randperm(len(gains)).chunk(args.minibatches):
            seen, masks, actions, old, returns = (part[chosen] for part in batch)
            log_policy = agent.log_policy(seen, masks)
            ratio = (log_policy.gather(1, actions[:, None])[:, 0] - old).exp()
            clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
            loss = -torch.minimum(ratio * gains[chosen], clipped * gains[chosen]).mean()
            chances = log_policy.exp()
            divergence = (chances * (log_policy - pull[chosen]) * masks).sum(dim=1).mean()
            value_loss = (agent.value(seen) - returns).square().mean()
            loss = loss + args.temperature * divergence + args.value_weight * value_loss
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
            optimizer.step()
            sums["divergence"] += divergence.item() / (args.epochs * args.minibatches)
            sums["value_loss"] += value_loss.item() / (args.epochs * args.minibatches)
    if magnet is not None:
        for kept, new in zip(magnet.parameters(), agent.parameters(), strict=True):
            kept.data.lerp_(new.data, args.magnet_rate)
    return sums


@torch.no_grad()
def evaluate(agent: Agent, tables: Any, args: Args) -> tuple[str, float]:
    """Exploitability, exact or a lower bound, or winnings at larger tables, as text and number."""
    if isinstance(tables, GameTables):

        def policy(seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
            return agent.log_policy(upload(seen), upload(masks) == 1).exp().cpu().numpy()

        found = tables.game.exploitability(tables.strategy(policy))
        return f"exploitability {found:.4f} chips a hand", found
    player = compiled_player(agent, args.hidden)
    game = nlhe_env.Game.cash(
        table_size=args.players, blinds=(50, 100), starting_stack=10_000, num_hands=1,
        score="big_blinds",
    )  # fmt: skip
    with evolve.thread_workers() as workers:
        if args.players > 2:
            seated = [player, *[OPPONENT] * (args.players - 1)]
            blocks = agents.Blocks(args.lbr_blocks)
            tally = agents.play(seated, blocks, game, seed=7, workers=workers)
            won, per_100 = tally.estimate(0), 100 * tally.count / tally.hands
            margin = won.half_width() * per_100
            text = f"wins {won.mean * per_100:.0f} ± {margin:.0f} bb/100 from {OPPONENT}"
            return text, won.mean * per_100
        (bound,) = evolve.local_exploitability(
            player, game, [Menu.of("fcpa")], blocks=args.lbr_blocks, seed=7, workers=workers
        )
    text = f"exploitability {bound.value:.0f} ± {bound.value - bound.interval()[0]:.0f} mbb a hand"
    return f"{text}, at least", bound.value


def make_tables(args: Args) -> Any:
    n = args.num_tables // 2
    if args.game == "holdem":
        return nlhe_env.BatchEnv(
            n, args.players, **HOLDEM, actions=(0.5, 1.0), observation=INPUTS, reward="big_blinds",
            threads=args.threads,
        )  # fmt: skip
    return GameTables(kuhn() if args.game == "kuhn" else leduc(), n)


def main(args: Args) -> float:
    """Trains the network, and returns the last evaluation."""
    if args.game != "holdem" and args.players != 2:
        raise SystemExit(f"--players: {args.game} is a game for 2; got {args.players}")
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # small networks are not faster with more threads
    if args.device != "cpu":
        torch.set_default_device(args.device)
    collectors, done = [Collector(args, half) for half in range(2)], 0
    tables = collectors[0].tables
    agent = Agent(tables.observation_size, tables.n_actions, args.hidden)
    magnet = copy.deepcopy(agent) if args.magnet_rate else None
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate)
    checkpoint = args.out / "checkpoint.pt" if args.out else None
    if checkpoint and checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=False)
        for name, value in asdict(args).items():
            if name not in FREE and value != (then := saved["args"][name]):
                raise SystemExit(f"{checkpoint} is of a run with {name} {then}; got {value}")
        agent.load_state_dict(saved["agent"])
        if magnet is not None:
            magnet.load_state_dict(saved["magnet"])
        optimizer.load_state_dict(saved["optimizer"])
        collectors, done = saved["collectors"], saved["reports"]
        tables = collectors[0].tables
        torch.set_rng_state(saved["random"])
        print(f"goes on after {sum(each.hands for each in collectors):,} hands")
    writer = None
    if args.track:
        from torch.utils.tensorboard import SummaryWriter

        writer = SummaryWriter(str(args.track))
    text, found = evaluate(agent, tables, args)
    before = hands = sum(each.hands for each in collectors)
    print(f"{hands:>11,} hands: {text}")
    start, waited = time.perf_counter(), sum(each.waited for each in collectors)
    while hands < args.hands:
        left = 1 - hands / args.hands
        optimizer.param_groups[0]["lr"] = args.learning_rate * left
        batch = collect(collectors, agent)
        hands = sum(each.hands for each in collectors)
        losses = update(agent, magnet, optimizer, batch, args)
        if hands * args.reports >= (done + 1) * args.hands:
            done = hands * args.reports // args.hands
            seconds = time.perf_counter() - start
            share = (sum(each.waited for each in collectors) - waited) / seconds
            text, found = evaluate(agent, tables, args)
            print(
                f"{hands:>11,} hands: {text}, divergence {losses['divergence']:.4f}, "
                f"{(hands - before) / seconds:,.0f} hands/s, "
                f"{share:.0%} of the time waiting for the game"
            )
            if writer:
                for name, value in {"evaluation": found, **losses}.items():
                    writer.add_scalar(name, value, hands)
            if checkpoint and args.out:
                args.out.mkdir(parents=True, exist_ok=True)
                parts = {"agent": agent.state_dict(), "optimizer": optimizer.state_dict()}
                parts |= {"collectors": collectors, "reports": done, "args": asdict(args)}
                parts |= {"magnet": magnet.state_dict() if magnet else None}
                if args.game == "holdem":
                    agents.save_player(args.out / "player.npz", compiled_player(agent, args.hidden))
                # An interruption leaves the old checkpoint.
                torch.save({**parts, "random": torch.get_rng_state()}, args.out / "new.pt")
                (args.out / "new.pt").replace(checkpoint)
    if writer:
        writer.close()
    return found


if __name__ == "__main__":
    main(tyro.cli(Args))
