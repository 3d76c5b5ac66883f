"""Permutation importance: dependence of a player's decisions on each of its inputs.

With raw chips as inputs, the sums in a network's hidden units are in the thousands and the sigmoids
saturate for any cards, so evolution can only adjust the folding frequency. A table of places does
not show this. Therefore the network's own situations are evaluated again, with each input in turn
replaced by that of another situation (L. Breiman, "Random Forests", Machine Learning 45, 2001,
section 10, permutes inputs in the same way), and the change of its action probabilities is
measured. Pictures of it need Matplotlib.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import agents
from agents.measure.figures import BLUE, GREY, ORANGE, new_figure, save_figure
from agents.policy.action_probabilities import policy_of_inputs
from agents.policy.compiled_player import CompiledPlayer
from evolve.files import safe as files
from evolve.genomes.networks import layer_shapes
from evolve.opponents.behaviour_probes import CARD_PARTS, BehaviourProbes
from nlhe_env import Game
from nlhe_env.jit.array_types import F32, F64
from nlhe_env.spaces.observations import find_observation

SATURATED = 0.01
"""A sigmoid is saturated within this distance of 0 or 1."""
BLIND = 0.01
"""Importance of the cards below which a player counts as blind to them."""
SITUATIONS = 2000
"""Number of situations, enough for a relative error of about 1%."""


_FILE = "permutation_importance.json"


def save_importance(
    importance: PermutationImportance, folder: Path, *, stem: str = "permutation_importance"
) -> Path:
    """Writes ``permutation_importance.json`` and returns its path."""
    path = folder / f"{stem}.json"
    files.write_json(path, importance.as_dict())
    return path


def load_importance(folder: Path) -> PermutationImportance | None:
    """Permutation importance for a run's champion; None if not measured.

    Raises:
        DamagedFileError: The file does not hold one.
    """
    return files.load_record(PermutationImportance, folder / _FILE)


def draw_importance(importance: PermutationImportance, path: Path, *, title: str) -> Path:
    """Draws bars of the importance of each part of the inputs.

    Args:
        importance: Importance for the player.
        path: The PNG to write.
        title: Title of the figure, which names the player.

    Raises:
        ImportError: Matplotlib is not installed.
    """
    names = list(importance.moves)
    figure = new_figure(6.5, 1.4 + 0.3 * len(names))
    axes = figure.subplots()
    colours = [ORANGE if importance.moves[name] < BLIND else BLUE for name in names]
    axes.barh(range(len(names)), list(importance.moves.values()), color=colours, height=0.7)
    for row, name in enumerate(names):
        axes.annotate(
            f"{importance.moves[name]:.3f}",
            (importance.moves[name], row),
            xytext=(3, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
        )
    axes.axvline(BLIND, color=GREY, linewidth=0.8, linestyle=":")
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlim(0.0, max(0.1, *importance.moves.values()) * 1.15)
    axes.set_xlabel("total variation of the action chances when the input is exchanged")
    units = (
        ""
        if importance.saturated is None
        else f"; {importance.saturated:.0%} of units at their ends"
    )
    axes.set_title(f"{title}: {importance.inputs}{units}", fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    return save_figure(figure, path)


@dataclass(frozen=True)
class PermutationImportance:
    """Influence of inputs on a player's decisions.

    Attributes:
        situations: Number of examined decisions.
        inputs: Name of its observation.
        moves: For each part of the inputs, the mean total variation (0 to 1) of the action
            probabilities when this part is from another situation.
        saturated: Share of saturated hidden units over all situations; None for other players.
        net_input: Median absolute input of their sigmoids; None for other players.
    """

    situations: int
    inputs: str
    moves: dict[str, float]
    saturated: float | None = None
    net_input: float | None = None

    @property
    def cards(self) -> float | None:
        """Importance of the cards; None if no input depends on cards alone."""
        return next((self.moves[name] for name in CARD_PARTS if name in self.moves), None)

    @property
    def is_blind(self) -> bool:
        """Whether the decisions hardly depend on the cards."""
        return self.cards is not None and self.cards < BLIND

    def conclusion(self) -> str:
        """Sentence about the importance of the cards; empty if no input depends on cards alone."""
        if self.cards is None:
            return ""
        if self.is_blind:
            return (
                f"It plays blind: its cards change its action probabilities by {self.cards:.3f} (0 "
                "to 1)."
            )
        return f"Its cards change its action probabilities by {self.cards:.3f} (0 to 1)."

    def as_dict(self) -> dict[str, Any]:
        """The values by name, for JSON."""
        return asdict(self)


def has_permutation_importance(player: agents.Player) -> bool:
    """Whether a player decides by an input vector alone, as the measurement requires."""
    return (
        isinstance(player, CompiledPlayer)
        and player.sees_inputs
        and (player.kind.answers == "sizes" or player.kind.by_inputs is not None)
        and player.kind.on_event is None
    )


def measure_permutation_importance(
    player: CompiledPlayer,
    opponents: Sequence[agents.Player],
    *,
    game: Game | None = None,
    seed: int = 1,
    count: int = SITUATIONS,
) -> PermutationImportance:
    """Measure the input importance of a player in its own games.

    Args:
        player: A player with ``has_permutation_importance``.
        opponents: At least one opponent.
        game: The game; default: tournaments.
        seed: Seed of cards, decisions and exchanges.
        count: Number of situations, at least 2.
    """
    if not has_permutation_importance(player):
        raise ValueError(f"{player.name} does not decide on a vector of inputs alone")
    return permutation_importance(
        player, record_situations(player, opponents, game=game, seed=seed, count=count), seed=seed
    )


def permutation_importance(
    player: CompiledPlayer, situations: BehaviourProbes, *, seed: int = 1
) -> PermutationImportance:
    """Permutation importance in given situations."""
    field = agents.pack_players([player])
    seen, masks = situations.observations, situations.masks
    usual = policy_of_inputs(field, seen, masks)[0]
    rng = np.random.default_rng(seed)
    moves = {}
    for part in find_observation(player.inputs).parts(Game(), 2):  # the same in all games
        changed = seen.copy()
        donors = (np.arange(len(seen)) + rng.integers(1, len(seen), len(seen))) % len(seen)
        changed[:, part.start : part.stop] = seen[donors, part.start : part.stop]
        moved = policy_of_inputs(field, changed, masks)[0]
        moves[part.name] = float(0.5 * np.abs(moved - usual).sum(axis=1).mean())
    sums = net_inputs(player, seen) if isinstance(player, agents.NetworkPlayer) else None
    if sums is None:
        return PermutationImportance(len(seen), player.inputs, moves)
    end = np.log((1.0 - SATURATED) / SATURATED)
    saturated, size = float((np.abs(sums) > end).mean()), float(np.median(np.abs(sums)))
    return PermutationImportance(len(seen), player.inputs, moves, saturated, size)


def net_inputs(player: agents.NetworkPlayer, observations: F32) -> F64:
    """``(n_situations, n_units)`` inputs of the sigmoids of all hidden units."""
    values = observations.astype(np.float64)
    sums, first = [], 0
    for rows, columns in layer_shapes(values.shape[1], player.hidden)[:-1]:
        links = player.weights[first : first + rows * columns].reshape(rows, columns)
        sums.append(values @ links[:-1] + links[-1])
        values = 1.0 / (1.0 + np.exp(-np.clip(sums[-1], -50.0, 50.0)))
        first += rows * columns
    return np.hstack(sums)


def record_situations(
    player: CompiledPlayer,
    opponents: Sequence[agents.Player],
    *,
    game: Game | None = None,
    seed: int = 1,
    count: int = SITUATIONS,
) -> BehaviourProbes:
    """Situations of a player's decisions in games with opponents."""
    if not opponents or count < 2:
        raise ValueError(
            f"give at least one opponent and two situations; got {len(opponents)} and {count}"
        )
    recorder, number = _RecordingPlayer(_by_inputs(player)), 0
    game = game or Game.tournament()
    unit = agents.Blocks if game.is_cash else agents.Tournaments
    while len(recorder.seen) < count:
        agents.play([recorder, *opponents], unit(1, first=number), game, seed=seed)
        number += 1
    return BehaviourProbes(
        np.array(recorder.seen[:count]), np.array(recorder.masks[:count], np.int8)
    )


def _by_inputs(player: CompiledPlayer) -> CompiledPlayer:
    """The player; if it names amounts, its equivalent that chooses sizes."""
    kind = player.kind.by_inputs
    if kind is None:
        return player
    traits = player.weights, player.inputs, player.sizes, player.origin, player.interpretation
    return CompiledPlayer(player.name, kind, *traits)


class _RecordingPlayer:
    """A player that records its observations."""

    actions = "sized"

    def __init__(self, player: CompiledPlayer) -> None:
        self.observation = player.inputs
        self.seen: list[F32] = []
        self.masks: list[Any] = []
        self.begin = player.begin
        self._player = player

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """Decisions of the player."""
        self.seen.append(observation["observation"].copy())
        self.masks.append(observation["action_mask"].copy())
        return self._player.act(observation, info)
