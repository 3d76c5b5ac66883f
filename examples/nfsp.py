"""Neural fictitious self-play on Kuhn's poker, Leduc hold'em and heads-up hold'em, in one file.

Each player learns action values against the other's average policy (a best response), and imitates
its own best responses with a second network, which becomes the average policy (J. Heinrich and D.
Silver, "Deep Reinforcement Learning from Self-Play in Imperfect-Information Games", 2016). Both
seats share the networks here, because observations include the player to act, and Adam replaces
plain gradient descent. The average policy is evaluated. One half of the tables is played in a
thread while the networks work on the other. Needs PyTorch.

    python examples/nfsp.py --game leduc --hands 4000000
"""

from __future__ import annotations

import copy
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

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
    from torch.nn.functional import cross_entropy, logsigmoid, mse_loss
except ModuleNotFoundError as error:
    raise SystemExit(f"this example needs {error.name}: pip install '.[rl]'") from None

INPUTS = "features_cash"
FREE = {"hands", "reports", "lbr_blocks", "device", "threads", "out", "track"}
"""Options that may change when a run continues."""


@dataclass
class Args:
    """Options of the command line."""

    game: Literal["kuhn", "leduc", "holdem"] = "leduc"
    hands: int = 4_000_000
    """Training hands."""
    num_tables: int = 256
    rollout: int = 8
    """Decisions at each table between updates."""
    batches: int = 4
    """Batches from each memory per update."""
    batch_size: int = 512
    anticipation: float = 0.1
    """Probability of playing the best response in a hand."""
    exploration: float = 0.06
    """Probability of a random action in a best response; falls with the square root of time."""
    hidden: tuple[int, ...] = (64,)
    learning_rate: float = 1e-3
    target_every: int = 300
    """Updates between copies of the action values to the target network."""
    replay: int = 200_000
    """Size of the memory of the latest transitions, for action values."""
    reservoir: int = 1_000_000
    """Size of the memory of best responses, a uniform sample of all so far."""
    reports: int = 10
    """Number of exploitability measurements during the run."""
    lbr_blocks: int = 500
    """Duplicate blocks of a local best response, in hold'em."""
    seed: int = 1
    device: str = "cpu"
    """Device of the networks, such as ``cuda``; the tables stay on the processor."""
    threads: int = 1
    """Threads that play each half of the tables of hold'em."""
    out: Path | None = None
    """Folder of the checkpoint and the player; an existing run continues."""
    track: Path | None = None
    """Folder for TensorBoard."""


def network(n_in: int, hidden: tuple[int, ...], n_out: int) -> nn.Sequential:
    sizes, layers = (n_in, *hidden, n_out), list[nn.Module]()
    for before, after in pairwise(sizes):
        layers += [nn.Linear(before, after), nn.Tanh()]
    return nn.Sequential(*layers[:-1])


class Memory:
    """Rows of arrays up to a size: the latest, or a uniform sample of all (a reservoir)."""

    def __init__(self, size: int, *, keeps_sample: bool) -> None:
        self.size, self.keeps_sample = size, keeps_sample
        self.seen = 0  # rows so far
        self.columns: list[torch.Tensor] = []

    def __len__(self) -> int:
        return min(self.seen, self.size)

    def add(self, *rows: torch.Tensor) -> None:
        n = len(rows[0])
        if not self.columns:
            self.columns = [torch.zeros(self.size, *row.shape[1:], dtype=row.dtype) for row in rows]
        places = torch.arange(self.seen, self.seen + n)
        kept = torch.ones(n, dtype=torch.bool)
        if self.keeps_sample:  # row i gets a random index below i; it is dropped beyond the size
            random = (torch.rand(n) * (places + 1)).long()
            places = torch.where(places < self.size, places, random)
            kept = places < self.size
        places = places % self.size
        for column, row in zip(self.columns, rows, strict=True):
            column[places[kept]] = row[kept]
        self.seen += n

    def sample(self, n: int) -> list[torch.Tensor]:
        chosen = torch.randint(len(self), (n,))
        return [column[chosen] for column in self.columns]


class Half:
    """Half of the tables.

    For every player at every table it knows whether the player plays the best response in this
    hand, and its last decision, with an unknown outcome so far.
    """

    def __init__(self, args: Args, number: int) -> None:
        self.tables = make_tables(args)
        self.turns = self.tables.reset(seed=args.seed + 2**32 * number)
        n, n_in = self.tables.num_tables, self.tables.observation_size
        self.responds = torch.rand(n, 2) < args.anticipation
        self.waits = torch.zeros(n, 2, dtype=torch.bool)
        self.last_seen = torch.zeros(n, 2, n_in)
        self.last_action = torch.zeros(n, 2, dtype=torch.long)


class Learner:
    """Networks, memories and tables."""

    def __init__(self, args: Args) -> None:
        self.halves = [Half(args, number) for number in range(2)]
        tables = self.halves[0].tables
        n_in, n_out = tables.observation_size, tables.n_actions
        self.values = network(n_in, args.hidden, n_out)
        self.targets = copy.deepcopy(self.values)
        self.average = network(n_in, args.hidden, n_out)
        self.optimizers = [
            torch.optim.Adam(net.parameters(), lr=args.learning_rate)
            for net in (self.values, self.average)
        ]
        self.replay = Memory(args.replay, keeps_sample=False)
        self.reservoir = Memory(args.reservoir, keeps_sample=True)
        self.hands = self.updates = 0
        self.waited = 0.0  # seconds without work until the game went on
        self.reward_scale = 0.05 if args.game == "holdem" else 0.25

    @torch.no_grad()
    def chances(self, seen: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Average policy: normalised sigmoids, as in a compiled network player."""
        return self.average_scores(seen, masks).softmax(dim=-1)

    def average_scores(self, seen: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Log probabilities, up to a constant."""
        return torch.where(masks, logsigmoid(self.average(seen)), -1e8)

    def play(self, args: Args, pool: ThreadPoolExecutor) -> None:
        """Play some decisions at every table; one half plays while the other decides."""
        played: list[Future[Any]] = []
        for step in range(args.rollout + 1):
            for half in self.halves:
                if step > 0:
                    before = time.perf_counter()
                    half.turns = played.pop(0).result()
                    self.waited += time.perf_counter() - before
                    self._end_hands(half, args)
                if step < args.rollout:
                    actions = self._decide(half, args)
                    played.append(pool.submit(half.tables.step, actions.cpu().numpy()))

    @torch.no_grad()
    def _decide(self, half: Half, args: Args) -> torch.Tensor:
        """Actions of the players to act; stores what is known now in the memories."""
        turns, rows = half.turns, torch.arange(half.tables.num_tables)
        seen, player = torch.tensor(turns.observation), torch.tensor(turns.player)
        masks = torch.tensor(turns.action_mask) == 1
        best = torch.where(masks, self.values(seen), -1e8).argmax(dim=1)
        explores = torch.rand(len(rows)) < args.exploration / (1 + self.updates / 1000) ** 0.5
        best = torch.where(explores, torch.multinomial(masks.float(), 1)[:, 0], best)
        usual = torch.multinomial(self.chances(seen, masks), 1)[:, 0]
        responds = half.responds[rows, player]
        actions = torch.where(responds, best, usual)
        self.reservoir.add(seen[responds], masks[responds], actions[responds])
        # The player's previous decision led here without a reward.
        known = half.waits[rows, player]
        no_reward = torch.zeros(int(known.sum()))
        self._remember(half, rows[known], player[known], no_reward, seen, masks)
        half.waits[rows, player] = True
        half.last_seen[rows, player], half.last_action[rows, player] = seen, actions
        return actions

    def _end_hands(self, half: Half, args: Args) -> None:
        """Store the outcomes of the last decisions of finished hands."""
        turns, rows = half.turns, torch.arange(half.tables.num_tables)
        masks = torch.tensor(turns.action_mask) == 1
        over = torch.tensor(turns.terminated)
        rewards = torch.tensor(turns.rewards, dtype=torch.float32) * self.reward_scale
        for p in range(2):
            ended = rows[over & half.waits[:, p]]
            self._remember(half, ended, torch.full_like(ended, p), rewards[ended, p], None, masks)
        half.waits[over] = False
        half.responds[over] = torch.rand(int(over.sum()), 2) < args.anticipation
        self.hands += int(over.sum())

    def _remember(
        self, half: Half, rows: torch.Tensor, players: torch.Tensor, rewards: torch.Tensor,
        seen: torch.Tensor | None, masks: torch.Tensor,
    ) -> None:  # fmt: skip
        """Store transitions of the last decisions; without ``seen`` their hands have ended."""
        if len(rows):
            before = half.last_seen[rows, players]
            after = torch.zeros_like(before) if seen is None else seen[rows]
            goes_on = torch.full((len(rows),), float(seen is not None))
            last = half.last_action[rows, players]
            self.replay.add(before, last, rewards, goes_on, after, masks[rows])

    def learn(self, args: Args) -> dict[str, float]:
        """Train both networks on several batches; returns their mean losses."""
        sums = {"value_loss": 0.0, "average_loss": 0.0}
        for _ in range(args.batches):
            seen, actions, rewards, goes_on, after, masks = self.replay.sample(args.batch_size)
            with torch.no_grad():
                best = torch.where(masks, self.targets(after), -1e8).amax(dim=1)
                wanted = rewards + goes_on * best
            found = self.values(seen).gather(1, actions[:, None])[:, 0]
            self._minimise(0, mse_loss(found, wanted), "value_loss", sums, args)
            if len(self.reservoir):
                seen, masks, actions = self.reservoir.sample(args.batch_size)
                loss = cross_entropy(self.average_scores(seen, masks), actions)
                self._minimise(1, loss, "average_loss", sums, args)
        self.updates += 1
        if self.updates % args.target_every == 0:
            self.targets.load_state_dict(self.values.state_dict())
        return sums

    def _minimise(
        self, which: int, loss: torch.Tensor, name: str, sums: dict[str, float], args: Args
    ) -> None:
        self.optimizers[which].zero_grad()
        loss.backward()
        self.optimizers[which].step()
        sums[name] += loss.item() / args.batches


def compiled_player(net: nn.Sequential, hidden: tuple[int, ...]) -> MixedPotSizedNetworkPlayer:
    """The policy as an equivalent compiled player: tanh(x) is 2 sigmoid(2x) - 1."""
    linears = [layer for layer in net if isinstance(layer, nn.Linear)]
    rows = []
    for i, linear in enumerate(linears):
        weights, bias = linear.weight.detach().cpu().T, linear.bias.detach().cpu()
        if i > 0:  # inputs are 2 sigmoid - 1
            bias, weights = bias - weights.sum(dim=0), 2 * weights
        if i + 1 < len(linears):
            bias, weights = 2 * bias, 2 * weights
        rows += [weights.flatten().numpy(), bias.numpy()]
    return MixedPotSizedNetworkPlayer(
        np.concatenate(rows), inputs=INPUTS, hidden=hidden, name="nfsp"
    )


def exploitability(learner: Learner, args: Args) -> tuple[str, float]:
    """Exploitability: exact, or a lower bound in thousandths of a big blind per hand."""
    tables = learner.halves[0].tables
    if isinstance(tables, GameTables):

        def policy(seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
            return learner.chances(torch.tensor(seen), torch.tensor(masks) == 1).cpu().numpy()

        return "chips a hand", tables.game.exploitability(tables.strategy(policy))
    player = compiled_player(learner.average, args.hidden)
    game = nlhe_env.Game.cash(
        table_size=2, blinds=(50, 100), starting_stack=10_000, num_hands=1, score="big_blinds"
    )
    with evolve.thread_workers() as workers:
        (bound,) = evolve.local_exploitability(
            player, game, [Menu.of("fcpa")], blocks=args.lbr_blocks, seed=7, workers=workers
        )
    low, _ = bound.interval()
    return f"± {bound.value - low:.0f} mbb a hand, at least", bound.value


def make_tables(args: Args) -> Any:
    n = args.num_tables // 2
    if args.game == "holdem":
        return nlhe_env.BatchEnv(
            n, 2, mode="cash", blinds=(50, 100), starting_stack=10_000,
            actions=(0.5, 1.0), observation=INPUTS, reward="big_blinds", threads=args.threads,
        )  # fmt: skip
    return GameTables(kuhn() if args.game == "kuhn" else leduc(), n)


def main(args: Args) -> float:
    """Trains the networks, and returns the last exploitability."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    if args.device != "cpu":
        torch.set_default_device(args.device)
    learner, done = Learner(args), 0
    checkpoint = args.out / "checkpoint.pt" if args.out else None
    if checkpoint and checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=False)
        for name, value in asdict(args).items():
            if name not in FREE and value != (then := saved["args"][name]):
                raise SystemExit(f"{checkpoint} is of a run with {name} {then}; got {value}")
        learner, done = saved["learner"], saved["reports"]
        torch.set_rng_state(saved["random"])
        print(f"goes on after {learner.hands:,} hands")
    writer = None
    if args.track:
        from torch.utils.tensorboard import SummaryWriter

        writer = SummaryWriter(str(args.track))
    unit, found = exploitability(learner, args)
    print(f"{learner.hands:>11,} hands: exploitability {found:.4f} {unit}")
    start, before, waited = time.perf_counter(), learner.hands, learner.waited
    pool = ThreadPoolExecutor(2)
    while learner.hands < args.hands:
        learner.play(args, pool)
        losses = learner.learn(args)
        if learner.hands * args.reports >= (done + 1) * args.hands:
            done = learner.hands * args.reports // args.hands
            seconds = time.perf_counter() - start
            unit, found = exploitability(learner, args)
            print(
                f"{learner.hands:>11,} hands: exploitability {found:.4f} {unit}, "
                f"{(learner.hands - before) / seconds:,.0f} hands/s, "
                f"{(learner.waited - waited) / seconds:.0%} of the time waiting for the game"
            )
            if writer:
                for name, value in {"exploitability": found, **losses}.items():
                    writer.add_scalar(name, value, learner.hands)
            if checkpoint and args.out:
                args.out.mkdir(parents=True, exist_ok=True)
                parts = {"learner": learner, "reports": done, "args": asdict(args)}
                if args.game == "holdem":
                    player = compiled_player(learner.average, args.hidden)
                    agents.save_player(args.out / "player.npz", player)
                # An interruption leaves the old checkpoint.
                torch.save({**parts, "random": torch.get_rng_state()}, args.out / "new.pt")
                (args.out / "new.pt").replace(checkpoint)
    pool.shutdown()
    if writer:
        writer.close()
    return found


if __name__ == "__main__":
    main(tyro.cli(Args))
