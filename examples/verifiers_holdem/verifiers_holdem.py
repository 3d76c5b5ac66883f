"""Two language models play heads-up hold'em in verifiers, which trains or evaluates them.

    pip install ./examples/verifiers_holdem
    vf-eval verifiers_holdem -m MODEL --no-push --select.limit 10

A task is a session of cash hands with its own cards, an episode is that session, and the reward of
each model is its result in big blinds. The prompt of a model is the turn as text, and its reply has
a JSON object. Most of a result is chance: ``--env.variance-reduction all-in`` or ``aivat`` removes
card luck, so training needs fewer hands.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from typing import Any, Literal

import verifiers.v1 as vf

import agents
import nlhe_env
from agents.external.chat import read_answer

ANSWER = (
    'Answer with a JSON object on the last line: {"action": "fold"}, {"action": "check"}, '
    '{"action": "call"} or {"action": "raise", "to": N}. Only what the list of the turn allows is '
    "legal; anything else is a check, or a fold facing a bet."
)
SYSTEM_PROMPT = f"{agents.rules_text('no-limit', 'cash')}\n\n{ANSWER}"

SCHEMA = {
    "type": "object",
    "properties": {
        "action": {"type": "string", "enum": ["fold", "check", "call", "raise"]},
        "to": {"type": "integer", "minimum": 0},
    },
    "required": ["action", "to"],
    "additionalProperties": False,
}
FORMAT = {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA}}
CHAT = {
    "harness": {"id": "null"},
    "runtime": {"type": "subprocess"},
    "sampling": {"response_format": FORMAT},
}
"""A conversation without tools, from a process of this machine."""


class HoldemData(vf.TaskData):
    """A session of hands."""

    seed: int
    """Seed of the cards."""


class HoldemTask(vf.Task[HoldemData, vf.State, vf.TaskConfig]):
    """A task; the first prompt of its models is their first turn."""


class HoldemTaskset(vf.Taskset[HoldemTask, vf.TasksetConfig]):
    """Endless sequence of sessions with different cards."""

    INFINITE = True

    def load(self) -> Iterator[HoldemTask]:
        for seed in itertools.count():
            data = HoldemData(
                name=f"session {seed}", prompt=None, system_prompt=SYSTEM_PROMPT, seed=seed
            )
            yield HoldemTask(data, self.config.task)


class HoldemConfig(vf.EnvConfig):
    """Models and game."""

    first: vf.AgentConfig = vf.AgentConfig(**CHAT)
    second: vf.AgentConfig = vf.AgentConfig(**CHAT)
    hands: int = 1
    stack_bb: int = 100
    variance_reduction: Literal["none", "all-in", "aivat"] = "none"
    """Variance reduction of the rewards; see ``agents.play``."""


class Seat(agents.ChipPlayer):
    """A model at the table, which plays in its own thread."""

    def __init__(self, interaction: vf.Interaction, loop: asyncio.AbstractEventLoop) -> None:
        self.interaction = interaction
        self.loop = loop
        self.decisions = self.illegal = 0

    def decide(self, turn: dict[str, Any]) -> int:
        asked = self.interaction.turn(agents.turn_text(turn))
        segment = asyncio.run_coroutine_threadsafe(asked, self.loop).result()
        action = None if segment.terminated else read_action(segment.last_reply, turn)
        self.decisions += 1
        self.illegal += action is None
        if action is None:
            return agents.FOLD if turn["to_call"] else agents.CHECK_OR_CALL
        return action


def read_action(reply: str, turn: dict[str, Any]) -> int | None:
    """The action in a reply, read as that of a ``ChatPlayer``; None if there is no legal one."""
    try:
        (action,) = read_answer(reply, turn)
    except ValueError:
        return None
    return action


class HoldemEnv(vf.Env[HoldemConfig]):
    """A session between two models."""

    async def run(self, task: HoldemTask, models: vf.Agents) -> None:
        async with (
            models.first.interaction(task) as first,
            models.second.interaction(task) as second,
        ):
            loop = asyncio.get_running_loop()
            seats = [Seat(interaction, loop) for interaction in (first, second)]
            tally = await asyncio.to_thread(self.play, seats, task.data.seed)
        plain_scores = (tally.plain or tally).scores
        for seat, score, plain in zip(seats, tally.scores, plain_scores, strict=True):
            trace = seat.interaction.trace
            trace.record_reward("big_blinds", float(score))
            trace.record_metric("plain_big_blinds", float(plain))
            trace.record_metric("decisions", float(seat.decisions))
            trace.record_metric("illegal", float(seat.illegal))

    def play(self, seats: list[Seat], seed: int) -> agents.Tally:
        """Play the session.

        It is played once: in a duplicate block both models would play the same cards again, in the
        same conversation, and know the other's cards.
        """
        big_blind = 100
        game = nlhe_env.Game.cash(
            num_hands=self.config.hands,
            starting_stack=self.config.stack_bb * big_blind,
            blinds=(big_blind // 2, big_blind),
            score="big_blinds",
        )
        return agents.play(
            seats,
            agents.Tournaments(1, first=seed),
            game,
            seed=0,
            variance_reduction=self.config.variance_reduction,
        )


__all__ = ["HoldemEnv", "HoldemTaskset"]
