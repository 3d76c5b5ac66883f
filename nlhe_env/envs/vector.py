"""Gymnasium vector environment: learners at many tables, stepped in one compiled call."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from nlhe_env.arguments import action_ids, one_of, whole_number
from nlhe_env.envs import decision_facts as at
from nlhe_env.envs.batch import check_out
from nlhe_env.envs.batch_kernels import BatchSettings, Outputs
from nlhe_env.envs.checksums import SEAL, check_seal, seal
from nlhe_env.envs.decision_facts import explain_illegal
from nlhe_env.envs.learner_kernels import ACT, BEGIN, REST, Learners, begin_episodes
from nlhe_env.envs.opponents import provider
from nlhe_env.envs.reset_options import NOTHING, FirstHand, read_options
from nlhe_env.envs.single import NoLimitHoldemEnv
from nlhe_env.equity import load_tables
from nlhe_env.equity.tables.store import blank_tables
from nlhe_env.errors import IllegalActionError
from nlhe_env.game.description import GameArrays
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.scoring import SCORES, illegal_action_reward
from nlhe_env.jit.array_types import F32, F64, I64, AnyArray, Bool, Records
from nlhe_env.jit.function_pointers import NO_FUNCTION
from nlhe_env.render.view import AVAILABLE_MODES

RENDER_MODES = ("ansi", "rgb_array")

Infos = dict[str, Any]
StepResult = tuple[F32, F64, Bool, Bool, Infos]

_CHECK_OR_CALL = 1  # id in every encoding; always legal

_FACTS = {
    "street": at.STREET,
    "pot": at.POT,
    "to_call": at.TO_CALL,
    "min_raise_to": at.MIN_RAISE_TO,
    "max_raise_to": at.MAX_RAISE_TO,
    "effective_stack": at.EFFECTIVE_STACK,
    "hand_number": at.HAND,
    "decision": at.DECISION_NUMBER,
    "table": at.TABLE_NUMBER,
    "button": at.BUTTON,
    "big_blind": at.BIG_BLIND,
}


class NoLimitHoldemVectorEnv(VectorEnv[F32, I64, AnyArray]):
    """Vector of ``NoLimitHoldemEnv`` environments with compiled opponents.

    With seed s, environment i is bit-identical to ``NoLimitHoldemEnv`` after ``reset(seed=s + i)``
    and as many further resets: observations, rewards and terminations are equal. It can replace a
    ``SyncVectorEnv`` of single environments. Created by
    ``gymnasium.make_vec("nlhe/NoLimitHoldem-v0", num_envs=1024, opponents=["caller"])``.

    Args:
        num_envs: Number of environments, at least 1.
        opponents: See ``NoLimitHoldemEnv``; all must be compiled players.
        autoreset_mode: Gymnasium's mode for the end of an episode. ``NEXT_STEP``: the next step
            starts a new episode and ignores the action. ``SAME_STEP``: the same step does, and
            infos contain ``final_obs`` and ``final_info``. ``DISABLED``: only
            ``reset(options={"reset_mask": ended})`` starts new episodes.
        threads: Threads that share the tables; results do not depend on their number.
        render_mode: ``"ansi"`` or ``"rgb_array"``; ``render()`` returns one result per table.
        infos: ``"flat"``: one array per number; ``"none"``: only the masks. Text and hand results
            (``"full"``) are available only in single environments.
        **arguments: All other arguments of ``NoLimitHoldemEnv``.

    Raises:
        ValueError: An argument is out of range, or an opponent is not a compiled player.

    >>> envs = NoLimitHoldemVectorEnv(4, ["caller", "random"], blinds=(10, 20))
    >>> observations, infos = envs.reset(seed=7)
    >>> observations.shape, infos["to_call"]
    ((4, 172), array([20,  0, 20, 10]))
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (as Gymnasium declares it)
        "render_modes": [mode for mode in RENDER_MODES if mode in AVAILABLE_MODES],
        "render_fps": 2,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Any = "random",
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        render_mode: Literal["ansi", "rgb_array"] | None = None,
        infos: Literal["flat", "none"] = "flat",
        **arguments: Any,
    ) -> None:
        self.num_envs = whole_number("num_envs", num_envs, least=1)
        threads = whole_number("threads", threads, least=1)
        modes = [mode.value for mode in AutoresetMode]
        given = (
            autoreset_mode.value if isinstance(autoreset_mode, AutoresetMode) else autoreset_mode
        )
        self._mode = AutoresetMode(one_of("autoreset_mode", given, modes))
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}
        if render_mode is not None:
            one_of("render_mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        if arguments.get("record") is not None:
            raise ValueError(
                "record needs a single environment or a BatchEnv: a NoLimitHoldemVectorEnv does "
                f"not record hands; got {arguments['record']!r}"
            )
        self._tells_numbers = one_of("infos", infos, ("flat", "none")) == "flat"
        self.single = NoLimitHoldemEnv(opponents, render_mode=render_mode, infos=infos, **arguments)
        """One of the environments, for shared properties; it is not stepped."""
        self.single_observation_space = self.single.observation_space
        self.single_action_space = self.single.action_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        lineups = [self.single.players_around(name) for name in self.single.possible_learners]
        self._opponent_group = provider().opponent_group(lineups, self.num_envs, threads)
        self._draws = _Draws(self.num_envs, len(lineups)) if len(lineups) > 1 else None
        self._of = self._connected(self._make_games())
        self._rows = np.arange(self.num_envs)
        self._is_seeded = np.zeros(self.num_envs, np.bool_)
        self._has_begun = np.zeros(self.num_envs, np.bool_)
        self._is_over = np.zeros(self.num_envs, np.bool_)  # as returned by step()
        self._is_asked = np.zeros(self.num_envs, np.bool_)  # whether its action counts
        self._owed = np.zeros(self.num_envs)  # reward from before its first action

    def _make_games(self) -> Learners:
        n, aec = self.num_envs, self.single.aec_env
        one = aec.game.arrays(aec.num_players)
        shape = (n, aec.num_players)
        return Learners(
            games=np.repeat(one.game, n),
            tables=np.tile(one.tables, (n, 1)),
            players=np.tile(one.players, (n, 1)),
            settings=BatchSettings(
                levels=one.levels,
                encoding=aec.encoding.kind,
                fractions=aec.fractions,
                masks=True,
                observation=NO_FUNCTION,
                reward=SCORES.index(aec.game.score),
            ),
            out=Outputs(
                facts=np.zeros((n, at.N_ALL_FACTS), np.int64),
                observations=np.zeros(self.observation_space.shape or (), np.float32),
                masks=np.zeros((n, aec.encoding.size(sum(aec.stacks))), np.int8),
                rewards=np.zeros(shape),
                since_action=np.zeros(shape),
                places=np.zeros(shape),
                hands=np.zeros(n, np.int64),
                terminated=np.zeros(n, np.bool_),
                truncated=np.zeros(n, np.bool_),
                episodes=np.zeros(n, np.int64),
            ),
            learner=np.full(n, aec.possible_agents.index(self.single.learner)),
            todo=np.zeros(n, np.int8),
            action_ids=np.zeros(n, np.int64),
            strength_tables=self._opponent_group.strength_tables,
        )

    def _connected(self, of: Learners) -> Learners:
        """Copy with the addresses and tables of this process."""
        seen = self.single.aec_env.observation
        return of._replace(
            settings=of.settings._replace(observation=seen.address),
            strength_tables=load_tables()
            if seen.looks_up
            else self._opponent_group.strength_tables,
        )

    def __copy__(self) -> Self:
        """A deep copy, since a partial copy of a game is useless."""
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        """State with all games: a copied or pickled environment continues identically."""
        kept = self._of._replace(strength_tables=blank_tables())
        return {**self.__dict__, "_of": kept, SEAL: seal(kept[:3])}

    def __setstate__(self, state: dict[str, Any]) -> None:
        check_seal(state.pop(SEAL, None), state["_of"][:3])
        self.__dict__.update(state)
        self._of = self._connected(self._of)

    # --- playing ----------------------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: Mapping[str, Any] | None = None,
        out: F32 | None = None,
    ) -> tuple[F32, Infos]:
        """Start a new episode in every environment, and play up to the learners' first turns.

        Args:
            seed: Environment i gets ``seed + i``, or the i-th seed of a list. Without a seed, each
                environment continues with the next episode of its last seed (at first, of a random
                seed).
            options: ``"reset_mask"``, ``(num_envs,)`` bool: environments to reset; the others are
                unchanged. Also the options of ``NoLimitHoldemEnv.reset``, for all environments.
            out: Array for the observations, see ``step``.

        Returns:
            ``(num_envs, size)`` float32 observations, and infos.

        Raises:
            ValueError: A seed, an option or ``out`` is invalid.
        """
        check_out(out, self._of.out.observations)
        options = dict(options or {})
        begins = self._read_mask(options.pop("reset_mask", None))
        aec = self.single.aec_env
        number_of = {name: i for i, name in enumerate(aec.possible_agents)}
        first_hand = read_options(aec.game, options, number_of)
        self._give_seeds(seed, begins)
        super().reset(seed=seed if isinstance(seed, int) else None)
        self._of.todo[:] = np.where(begins, BEGIN, REST)
        self._play(first_hand)
        self._has_begun |= begins
        self._is_over &= ~begins
        return self._observations(out), self._infos()

    def step(self, actions: npt.ArrayLike, *, out: F32 | None = None) -> StepResult:
        """Execute the action of every learner, and play up to their next turns.

        Args:
            actions: ``(num_envs,)`` integer action ids.
            out: ``(num_envs, size)`` float32 array in C order, to which the observations are
                written: a row of a rollout, or pinned memory. Default: a new array.

        Returns:
            ``(num_envs, size)`` float32 observations, ``(num_envs,)`` float64 rewards,
            ``(num_envs,)`` bools for terminated and truncated episodes, and infos.

        Raises:
            IllegalActionError: An action is illegal and ``illegal_action="raise"``; the message
                names the first. All environments are unchanged.
            TypeError: ``actions`` are not integers; all environments are unchanged.
            ValueError: ``actions`` does not have ``num_envs`` entries, or ``out`` has another
                shape, type or order.
            RuntimeError: An episode is over without a reset, or not started.
        """
        check_out(out, self._of.out.observations)
        ids = self._read_actions(actions)
        begins = self._is_over.copy()  # all False except with NEXT_STEP
        acts = self._is_asked & ~begins
        given = np.asarray(actions)  # for messages
        illegal = self._find_illegal(ids, acts, given)
        reasons = {i: self._explain(given, i) for i in np.flatnonzero(illegal).tolist()}
        ends = illegal if self.single.illegal_action == "penalty" else np.zeros_like(illegal)

        rewards, self._owed = self._owed, np.zeros(self.num_envs)
        rewards[begins] = 0.0
        of, done = self._of, self._of.out
        of.action_ids[:] = np.where(illegal, _CHECK_OR_CALL, ids)
        of.todo[:] = np.where(begins, BEGIN, np.where(acts & ~ends, ACT, REST))
        acted = of.todo == ACT
        self._play()
        rewards += np.where(acted, self._received(), 0.0)
        for i in np.flatnonzero(ends).tolist():
            rewards[i] += self._cost_of_illegal(i)
        terminated = (done.terminated & ~begins) | ends
        truncated = done.truncated & ~begins
        self._is_over = terminated | truncated
        infos = self._infos(reasons)
        if self._mode == AutoresetMode.SAME_STEP and self._is_over.any():
            infos = self._begin_in_same_step(infos, reasons)
        return self._observations(out), rewards, terminated, truncated, infos

    def _observations(self, out: F32 | None) -> F32:
        """A copy of the observations, in ``out`` if that is given.

        The games keep their own, because tables that rest do not write theirs again.
        """
        seen = self._of.out.observations
        if out is None:
            return seen.copy()
        np.copyto(out, seen)
        return out

    def _play(self, first_hand: FirstHand = NOTHING) -> None:
        """Execute ``todo``; for new episodes, store the learners' pending rewards."""
        of = self._of
        begins = of.todo == BEGIN
        if begins.any() and self._draws is not None:
            of.learner[begins] = self._draws.next(np.flatnonzero(begins))
        if first_hand != NOTHING:
            begin_episodes(of)
            for i in np.flatnonzero(begins).tolist():
                levels = of.settings.levels
                first_hand.apply(
                    GameArrays(of.games[i : i + 1], of.tables[i], of.players[i], levels)
                )
        self._opponent_group.play(of)
        if begins.any():
            self._is_asked[begins] = ~(of.out.terminated | of.out.truncated)[begins]
            np.copyto(self._owed, self._received(), where=begins)

    def _received(self) -> F64:
        """``(num_envs,)`` rewards of the learners since their last action."""
        received: F64 = self._of.out.since_action[self._rows, self._of.learner]
        return received

    def _begin_in_same_step(self, last: Infos, reasons: Mapping[int, str]) -> Infos:
        """Restart finished episodes; returns the infos, including the final ones."""
        over = self._is_over
        observations = np.full(self.num_envs, None, dtype=object)
        for i, row in zip(
            np.flatnonzero(over).tolist(), self._of.out.observations[over], strict=True
        ):
            observations[i] = row
        of_those: Infos = {}
        for name, value in last.items():
            if name.startswith("_") and (counts := value & over).any():
                of_those[name], of_those[name[1:]] = counts, _only(last[name[1:]], counts)
        self._of.todo[:] = np.where(over, BEGIN, REST)
        self._play()
        self._is_over = np.zeros_like(over)
        ends = {
            "final_obs": observations,
            "_final_obs": over,
            "final_info": of_those,
            "_final_info": over.copy(),
        }
        going_on = {i: text for i, text in reasons.items() if not over[i]}
        return {**self._infos(going_on), **ends}

    # --- arguments --------------------------------------------------------------------------------

    def _read_mask(self, mask: Any) -> Bool:
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        given = np.asarray(mask)
        if given.shape != (self.num_envs,) or given.dtype != np.bool_ or not given.any():
            raise ValueError(
                f"the reset option reset_mask must be ({self.num_envs},) bools, one of them True; "
                f"got {mask!r}"
            )
        return given

    def _give_seeds(self, seed: int | Sequence[int | None] | None, begins: Bool) -> None:
        """Set new seeds for resets, and return to the first episode of each seed."""
        n = self.num_envs
        if seed is None:
            seeds: list[int | None] = [None] * n
        elif isinstance(seed, Sequence):
            seeds = [None if each is None else make_seed(each) for each in seed]
            if len(seeds) != n:
                raise ValueError(f"seed must be one number or a list of {n}; got {len(seeds)}")
        else:
            seeds = [make_seed(make_seed(seed) + i) for i in range(n)]
        rows = [
            i
            for i in np.flatnonzero(begins).tolist()
            if seeds[i] is not None or not self._is_seeded[i]
        ]
        games, drawn = self._of.games, make_seed(None)
        for i in rows:
            each = seeds[i]
            games["seed"][i] = (drawn + i) % 2**64 if each is None else each
            if self._draws is not None:
                self._draws.seed(i, each)
        games["decision_seed"][rows] = games["seed"][rows]
        games["tournament"][rows] = -1  # the next is 0
        self._is_seeded[rows] = True

    def _read_actions(self, actions: npt.ArrayLike) -> I64:
        if not self._has_begun.all():
            raise RuntimeError("reset() must be called before step()")
        if self._mode == AutoresetMode.DISABLED and self._is_over.any():
            ended = np.flatnonzero(self._is_over).tolist()
            raise RuntimeError(
                f"episodes are over in the environments {ended}: call "
                'reset(options={"reset_mask": terminated | truncated})'
            )
        return action_ids(actions, self.num_envs, "environment")

    def _find_illegal(self, ids: I64, acts: Bool, given: AnyArray) -> Bool:
        """``(num_envs,)`` True where an action is effective and illegal."""
        masks = self._of.out.masks
        exists = (ids >= 0) & (ids < masks.shape[1])
        legal = exists & (masks[self._rows, np.where(exists, ids, 0)] == 1)
        illegal: Bool = acts & ~legal
        if self.single.illegal_action == "raise" and illegal.any():
            i = int(illegal.argmax())
            why = f"in environment {i}: {self._explain(given, i)}"
            raise IllegalActionError(why, "The state is unchanged")
        return illegal

    def _explain(self, given: AnyArray, i: int) -> str:
        aec, out = self.single.aec_env, self._of.out
        return explain_illegal(
            int(given[i]),
            aec.encoding,
            out.facts[i].tolist(),
            out.masks[i],
            name="action",
            player=aec.possible_agents[self._of.learner[i]],
        )

    def _cost_of_illegal(self, i: int) -> float:
        of = self._of
        learner = of.players[i, of.learner[i]]
        return illegal_action_reward(
            self.single.aec_env.game.score, of.tables[i, learner["table"]], learner["seat"]
        )

    # --- looking ----------------------------------------------------------------------------------

    def _infos(self, reasons: Mapping[int, str] | None = None) -> Infos:
        """Facts of all turns, one array per fact, with ``_fact`` masks of valid entries."""
        out = self._of.out
        everywhere = np.ones(self.num_envs, np.bool_)
        infos: Infos = {
            "action_mask": out.masks.copy(),
            "_action_mask": everywhere,
        }
        if self._tells_numbers:
            done = out.terminated | out.truncated
            facts = np.where(done[:, None], 0, out.facts)
            for name, place in _FACTS.items():
                infos[name] = facts[:, place]
                infos[f"_{name}"] = everywhere
            places = out.places[self._rows, self._of.learner]
            out_of_it = done & (not self.single.aec_env.game.is_cash)
            infos["place"], infos["_place"] = np.where(out_of_it, places, 0.0), everywhere
        if reasons:
            texts = np.full(self.num_envs, None, dtype=object)
            for i, text in reasons.items():
                texts[i] = text
            infos["illegal_action"] = texts
            infos["_illegal_action"] = np.isin(self._rows, list(reasons))
        return infos

    def action_masks(self) -> Bool:
        """``(num_envs, n_actions)`` True where legal, equal to ``infos["action_mask"]``."""
        return self._of.out.masks.astype(np.bool_)

    @property
    def learners(self) -> I64:
        """``(num_envs,)`` player number of the learner in the current episode."""
        return self._of.learner.copy()

    @property
    def tables(self) -> Records:
        """``(num_envs, n_tables)`` records of ``nlhe_env.game.table.TABLE``, all cards included."""
        return self._of.tables

    def render(self) -> tuple[Any, ...]:
        """The current table of each environment; see ``NoLimitHoldemEnv.render``."""
        playing = self._of.tables[self._rows, self._of.games["table"]]
        return tuple(self.single.aec_env.renderer.render(table) for table in playing)

    def close_extras(self, **arguments: Any) -> None:
        """Stop the threads."""
        if hasattr(self, "_opponent_group"):  # Gymnasium 1.1 also closes failed ones
            self._opponent_group.close()


class _Draws:
    """Learners of the next episodes, drawn in blocks like in single environments."""

    _BLOCK = 64

    def __init__(self, num_envs: int, num_players: int) -> None:
        self._num_players = num_players
        self._generators = [np.random.default_rng(0)] * num_envs  # until seeded
        self._drawn = np.zeros((num_envs, self._BLOCK), np.int64)
        self._used = np.zeros(num_envs, np.int64)

    def seed(self, i: int, seed: int | None) -> None:
        """Reseed one environment."""
        self._generators[i] = seeding.np_random(seed)[0]
        self._used[i] = self._BLOCK

    def next(self, rows: I64) -> I64:
        """Player number of the next learner in each of these environments."""
        for i in rows[self._used[rows] == self._BLOCK].tolist():
            self._drawn[i] = self._generators[i].integers(self._num_players, size=self._BLOCK)
            self._used[i] = 0
        drawn: I64 = self._drawn[rows, self._used[rows]]
        self._used[rows] += 1
        return drawn


def _only(values: AnyArray, where: Bool) -> AnyArray:
    """Copy of the values with zeros, or None, for excluded entries."""
    if values.dtype == object:
        return np.where(where, values, np.full(len(values), None))
    columns = where.reshape(-1, *(1,) * (values.ndim - 1))
    return np.where(columns, values, values.dtype.type(0))
