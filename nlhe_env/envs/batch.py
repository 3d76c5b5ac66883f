"""Vectorized environment: many tables in lockstep, with arrays and without Python per table."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple, Self, Unpack

import numpy as np
import numpy.typing as npt

from nlhe_env.arguments import action_ids, whole_number
from nlhe_env.envs import batch_kernels as kernels
from nlhe_env.envs import decision_facts as facts_at
from nlhe_env.envs.batch_kernels import BatchSettings, Outputs
from nlhe_env.envs.checksums import SEAL, check_seal, seal
from nlhe_env.envs.decision_facts import explain_illegal
from nlhe_env.equity import load_tables
from nlhe_env.equity.tables.store import blank_tables
from nlhe_env.errors import IllegalActionError
from nlhe_env.game.description import Game, GameRules, read_game, takes_rules
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.scoring import SCORES, Score
from nlhe_env.hand_history.recording import Record, TableNotes, check_recorded, hand_sink
from nlhe_env.jit.array_types import F32, F64, I8, I64, AnyArray, Bool, Int, Records
from nlhe_env.jit.compilation import direct_call
from nlhe_env.jit.function_pointers import NO_FUNCTION
from nlhe_env.spaces.actions import CHIPS, ActionEncoding
from nlhe_env.spaces.observations import find_observation
from nlhe_env.system.threads import Threads


class Turns(NamedTuple):
    """Output of ``reset`` and ``step``: players to act, observations, rewards, terminations.

    The next step overwrites the arrays.
    """

    player: I64
    """``(n,)`` number of the player to act."""
    observation: F32
    """``(n, observation_size)`` observation of that player, in ``out`` if that was given; no
    columns without observations."""
    action_mask: I8
    """``(n, n_actions)`` 1 for legal ids; no columns with actions in chips, unless
    ``chip_masks``."""
    rewards: F64
    """``(n, num_players)`` every player's reward of the last step."""
    rewards_since_action: F64
    """``(n, num_players)`` every player's total reward since (and including) its own last action in
    the episode: PettingZoo's cumulative reward. After the last step of an episode these are still
    the rewards of that episode."""
    hands: I64
    """``(n,)`` hands finished by the last step: 0, 1 or, if antes and blinds put players all-in,
    more."""
    terminated: Bool
    """``(n,)`` whether the last step ended the episode. The next one has begun: all fields except
    rewards, hands, places, ``terminated`` and ``truncated`` belong to the new episode."""
    truncated: Bool
    """``(n,)`` whether the hand limit truncated a tournament, likewise."""
    places: F64
    """``(n, num_players)`` places of eliminated players, 0 for the others; after the last step of
    an episode its final places. 1 is best; ties share the mean."""
    episode: I64
    """``(n,)`` number of the episode in which the last action was taken."""
    hand: I64
    """``(n,)`` number of earlier hands in the episode."""
    street: I64
    """``(n,)`` 0 preflop, 1 flop, 2 turn, 3 river."""
    pot: I64
    """``(n,)`` chips."""
    to_call: I64
    """``(n,)`` chips, at most the stack."""
    min_raise_to: I64
    """``(n,)`` chips; 0 when no raise is legal."""
    max_raise_to: I64
    """``(n,)`` chips; 0 when no raise is legal."""
    big_blind: I64
    """``(n,)`` chips."""

    @property
    def over(self) -> Bool:
        """``(n,)`` whether the last step terminated or truncated the episode."""
        return self.terminated | self.truncated


class BatchEnv:
    """Many independent single-table games, stepped together.

    Every table is at a decision, and ``step`` takes one action per table. Finished episodes restart
    automatically. A step is compiled code without the GIL, so batches in several threads run in
    parallel, as do the tables of one batch with ``threads``.

    With seed s, table i of n plays episodes i, i + n, i + 2n, ... of s: the same games as
    ``nlhe_env.raw_env`` after ``reset(seed=s)`` and that many further resets. Episodes without
    decisions, because antes and blinds put the players all-in, are skipped. A hand without
    decisions at the start of an episode gives no reward.

    Args:
        num_tables: Number of tables, at least 1.
        num_players: Players at each table, 2 to 10.
        game: As in ``nlhe_env.env``, like all that follow.
        actions: Pot fractions, ``"chips"`` or ``"sized"``.
        observation: As in ``nlhe_env.env``, or None for no observations.
        reward: ``"chips"`` (the default without ``game``), ``"big_blinds"`` or ``"place"``.
        chip_masks: Return masks with ``actions="chips"`` too. They have one column per chip;
            ``min_raise_to`` and ``max_raise_to`` contain the same information.
        record: Target for finished hands, as in ``nlhe_env.env``; hands without a decision are not
            recorded.
        threads: Threads that share the tables of every step; results do not depend on their number.
        **rules: Fields of ``Game``.

    Raises:
        ValueError: An argument is out of range; the message gives its name and the allowed values.

    >>> batch = BatchEnv(4, num_players=3, mode="cash", blinds=(10, 20))
    >>> turns = batch.reset(seed=7)
    >>> turns = batch.step(batch.sample_actions(np.random.default_rng(0)))
    >>> turns.observation.shape
    (4, 172)
    """

    @takes_rules
    def __init__(
        self,
        num_tables: int,
        num_players: int = 6,
        *,
        game: Game | None = None,
        actions: Literal["chips", "sized"] | Iterable[float] = (0.5, 1.0),
        observation: str | None = "cards",
        reward: Score | None = None,
        chip_masks: bool = False,
        record: Record | None = None,
        threads: int = 1,
        **rules: Unpack[GameRules],
    ) -> None:
        self.num_tables = whole_number("num_tables", num_tables, least=1)
        self.threads = whole_number("threads", threads, least=1)
        """Number of threads that share the tables."""
        self.game = read_game(game, reward, **rules)
        """The game at every table."""
        self.stacks = self.game.stacks(num_players)
        """Chips of every player at the start."""
        self.num_players = len(self.stacks)
        if self.game.tables(self.num_players) > 1:
            raise ValueError(
                f"num_players must be in 2 .. {self.game.table_size}, one table a game; "
                f"got {num_players!r}"
            )
        self.encoding = ActionEncoding.of(actions)
        self.observation = None if observation is None else find_observation(observation)
        """The observation; None without observations."""
        self.n_actions = self.encoding.size(sum(self.stacks))
        self.observation_size = 0
        if self.observation is not None:
            self.observation_size = self.observation.size_in(self.game, self.num_players)
        self._has_masks = chip_masks or self.encoding.kind != CHIPS
        one_game = self.game.arrays(self.num_players)
        self._games = np.repeat(one_game.game, self.num_tables)
        self._tables = np.repeat(one_game.tables, self.num_tables)
        self._players = np.tile(one_game.players, (self.num_tables, 1))
        self._settings = BatchSettings(
            levels=one_game.levels,
            encoding=self.encoding.kind,
            fractions=self.encoding.fractions_array(),
            masks=self._has_masks,
            observation=NO_FUNCTION,
            reward=SCORES.index(self.game.score),
        )
        self._out = self._new_outputs()
        self._observations = self._out.observations  # without ``out=``
        self._facts = self._out.facts.copy()
        self._stride = 0  # 0 before the first reset
        if record is not None:
            check_recorded(self.game, record)
        self._sink = None if record is None else hand_sink(record)
        self._notes: TableNotes | None = None  # of recorded hands
        self._connect()

    def _connect(self) -> None:
        """Create the parts that copies and pickles omit."""
        self._turns = _turns(self._out, self._facts)
        seen = self.observation
        address = NO_FUNCTION if seen is None else seen.address
        self._settings = self._settings._replace(observation=address)
        self._strength_tables = load_tables() if seen and seen.looks_up else blank_tables()
        self._threads = Threads(min(self.threads, self.num_tables) - 1)

    def __copy__(self) -> Self:
        """A deep copy, since a partial copy of a game is useless."""
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        """State with all games: a copied or unpickled batch continues identically."""
        left_out = {"_turns", "_strength_tables", "_threads"}
        kept = {name: value for name, value in self.__dict__.items() if name not in left_out}
        return {**kept, SEAL: seal(self._sealed(kept))}

    def __setstate__(self, state: dict[str, Any]) -> None:
        check_seal(state.pop(SEAL, None), self._sealed(state))
        self.__dict__.update(state)
        self._connect()

    @staticmethod
    def _sealed(state: Mapping[str, Any]) -> list[AnyArray]:
        """Arrays of a state that kernels trust, the written ones included for their shapes."""
        return [*(state[name] for name in ("_games", "_tables", "_players")), *state["_out"]]

    def _new_outputs(self) -> Outputs:
        n = self.num_tables
        return Outputs(
            facts=np.zeros((n, facts_at.N_FACTS), np.int64),
            observations=np.zeros((n, self.observation_size), np.float32),
            masks=np.zeros((n, self.n_actions if self._has_masks else 0), np.int8),
            rewards=np.zeros((n, self.num_players)),
            since_action=np.zeros((n, self.num_players)),
            places=np.zeros((n, self.num_players)),
            hands=np.zeros(n, np.int64),
            terminated=np.zeros(n, np.bool_),
            truncated=np.zeros(n, np.bool_),
            episodes=np.zeros(n, np.int64),
        )

    def reset(
        self,
        seed: int | None = None,
        *,
        first: int = 0,
        stride: int | None = None,
        out: F32 | None = None,
    ) -> Turns:
        """Begin a new episode at every table.

        Args:
            seed: Integer from 0 to 2**64 - 1. Without a seed, every table continues with its next
                episode of the last seed (at first, of a random seed).
            first: Table i plays episodes ``first + i``, ``first + i + stride``, ... of the seed, so
                several batches can share one seed.
            stride: Default: ``num_tables``.
            out: Array for the observations, see ``step``.

        Raises:
            ValueError: An argument is out of range, or the stacks are too short for any decision
                after blinds and antes.
        """
        check_out(out, self._observations)
        if seed is not None or not self._stride:
            stride = self.num_tables if stride is None else whole_number("stride", stride, least=1)
            first = whole_number("first", first, least=0)
            self._games["seed"] = self._games["decision_seed"] = make_seed(seed)
            self._games["tournament"] = first - stride + np.arange(self.num_tables)
            self._stride = stride
        elif first != 0 or stride is not None:
            raise ValueError("first and stride need a seed")
        self._observe_in(out)
        stuck = kernels.begin(*self._state, self._stride, self._strength_tables)
        self._show()
        if self._sink is not None:
            names = [f"player_{i}" for i in range(self.num_players)]
            self._notes = TableNotes(self._tables, names, self._sink)
        return self._turns_unless(stuck)

    def step(self, actions: npt.ArrayLike, *, out: F32 | None = None) -> Turns:
        """Execute one action at every table.

        Args:
            actions: ``(num_tables,)`` integer action ids of the players to act.
            out: ``(num_tables, observation_size)`` float32 array in C order, for the observations
                of this step: a row of a rollout, or pinned memory. Default: an array of the batch,
                which the next step overwrites.

        Raises:
            IllegalActionError: An action is illegal; the message names the first such table. All
                tables are unchanged.
            TypeError: ``actions`` are not integers.
            ValueError: ``actions`` does not have ``num_tables`` entries, or ``out`` has another
                shape, type or order.
            RuntimeError: ``reset`` has not been called.
        """
        self._check_has_reset("step()")
        check_out(out, self._observations)
        ids = np.require(action_ids(actions, self.num_tables, "table"), requirements="A")
        games, tables, _, settings, shown = self._state
        wrong = _machine_code(kernels.first_illegal, games, tables, settings, shown.masks, ids)
        if wrong != kernels.NONE:
            facts = shown.facts[wrong].tolist()
            why = explain_illegal(
                int(np.asarray(actions)[wrong]),
                self.encoding,
                facts,
                shown.masks[wrong],
                name=f"actions[{wrong}]",
                player=f"player_{facts[facts_at.PLAYER]} of table {wrong}",
            )
            raise IllegalActionError(why, "No table has changed")
        if self._notes is not None:
            noted = np.empty_like(ids)
            kernels.decode_all(games, tables, settings, ids, noted)
            self._notes.note(noted)
        self._observe_in(out)
        stuck = self._step(ids)
        if self._notes is not None:
            self._notes.begin_anew(tables, np.flatnonzero(self._out.hands).tolist())
        return self._turns_unless(stuck)

    def _step(self, ids: I64) -> int:
        """Execute legal ids; see ``batch_kernels.step`` for the result."""
        rest = self._stride, ids, self._strength_tables
        if self._threads.count == 0:
            stuck = _machine_code(kernels.step, *self._state, *rest)
            self._show()
            return stuck
        arguments = *self._state, self._facts, self._turns.action_mask, *rest
        found = self._threads.share(
            lambda counter, span: _machine_code(kernels.step_shared, counter, span, *arguments),
            self.num_tables,
        )
        return max(found)

    def sample_actions(self, rng: np.random.Generator) -> I64:
        """Uniformly random legal action ids for ``step``, ``(num_tables,)``.

        Args:
            rng: Random generator; one number is drawn per table.
        """
        self._check_has_reset("sample_actions()")
        ids = np.empty(self.num_tables, np.int64)
        facts, masks = self._out.facts, self._out.masks
        kernels.sample(self.encoding.kind, facts, masks, rng.random(self.num_tables), ids)
        return ids

    @property
    def turns(self) -> Turns:
        """Return value of the last ``reset`` or ``step``."""
        return self._turns

    @property
    def tables(self) -> Records:
        """``(num_tables,)`` records of dtype ``nlhe_env.game.table.TABLE``, all cards included."""
        return self._tables

    @property
    def players(self) -> Records:
        """``(num_tables, num_players)`` records of dtype ``nlhe_env.game.player.PLAYER``."""
        return self._players

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays of the batch, without the strength tables."""
        *records, _, out = self._state
        arrays: list[AnyArray] = [*records, *out, self._facts, self._turns.action_mask]
        return sum(array.nbytes for array in arrays)

    @property
    def _state(self) -> tuple[Records, Records, Records, BatchSettings, Outputs]:
        return self._games, self._tables, self._players, self._settings, self._out

    def _check_has_reset(self, call: str) -> None:
        if not self._stride:
            raise RuntimeError(f"reset() must be called before {call}")

    def _observe_in(self, out: F32 | None) -> None:
        """Write observations to this array, or to that of the batch."""
        out = self._observations if out is None else out
        if out is not self._out.observations:
            self._out = self._out._replace(observations=out)
            self._turns = self._turns._replace(observation=out)

    def _show(self) -> None:
        """Copy what the game relies on for the caller."""
        self._facts[:] = self._out.facts
        self._turns.action_mask[:] = self._out.masks

    def _turns_unless(self, stuck: Int) -> Turns:
        """The current turns, unless a table has no decision."""
        if stuck != kernels.NONE:
            self._stride = 0
            raise ValueError(
                "blinds and antes put all players all-in: no player ever has a decision; lower "
                f"them or raise starting_stack, which is {self.stacks}"
            )
        return self._turns


def check_out(out: F32 | None, observations: F32) -> None:
    """Raise ValueError if an array cannot take the observations of a step."""
    if out is None:
        return
    fits = isinstance(out, np.ndarray) and out.shape == observations.shape
    if not fits or out.dtype != observations.dtype or not out.flags.carray:
        got = f"{out.shape} of {out.dtype}" if isinstance(out, np.ndarray) else repr(out)
        raise ValueError(
            f"out must be a writable float32 array in C order, {observations.shape}; got {got}"
        )


_entries: dict[str, Callable[..., Any]] = {}


def _machine_code(kernel: Callable[..., Any], *arguments: Any) -> int:
    """Call a kernel whose arguments always have the same types, which Numba need not look up."""
    entry = _entries.get(kernel.__name__)
    if entry is None:
        entry = _entries[kernel.__name__] = direct_call(kernel, *arguments)
    return int(entry(*arguments))


def _turns(out: Outputs, facts: I64) -> Turns:
    return Turns(
        player=facts[:, facts_at.PLAYER],
        observation=out.observations,
        action_mask=out.masks.copy(),
        rewards=out.rewards,
        rewards_since_action=out.since_action,
        hands=out.hands,
        terminated=out.terminated,
        truncated=out.truncated,
        places=out.places,
        episode=out.episodes,
        hand=facts[:, facts_at.HAND],
        street=facts[:, facts_at.STREET],
        pot=facts[:, facts_at.POT],
        to_call=facts[:, facts_at.TO_CALL],
        min_raise_to=facts[:, facts_at.MIN_RAISE_TO],
        max_raise_to=facts[:, facts_at.MAX_RAISE_TO],
        big_blind=facts[:, facts_at.BIG_BLIND],
    )
