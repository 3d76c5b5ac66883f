"""Validated setup of a game from a page."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agents.web.request_validation import whole_number
from agents.web.table.positions import MOST_CHIPS, Position
from nlhe_env.arguments import LARGEST_SEED, one_of
from nlhe_env.game.blinds import BlindSchedule
from nlhe_env.game.description import MODES, PAGE_OPTIONS, Game
from nlhe_env.game.rake import Rake
from nlhe_env.game.table import MAX_SEATS, MIN_SEATS

HUMAN = "human"
UNNAMED = "You"
"""Name of an unnamed person on that person's page."""
HERO = "Hero"
"""Name of that person in downloaded hands, as usual in hand histories."""
ENDLESS = 2**40
"""Number of hands of an unlimited cash game."""

_MOST_HANDS = 1_000_000
_LONGEST_PERSON = 20
_LEVEL = re.compile(r"(\d{1,12})/(\d{1,12})(?:/(\d{1,12}))?")
_FIELDS = (
    "seats",
    "mode",
    "starting_stack",
    "blinds",
    "hands_per_level",
    "rake",
    "num_hands",
    "seed",
    "position",
    "clock",
    "time_bank",
    "stacks",
    *PAGE_OPTIONS,
)
_STACKS = ("put back", "carried")
_MOST_SECONDS = 3600


_FIELD_LABELS = {
    "starting_stack": "Starting stack",
    "num_hands": "Maximum hands",
    "hands_per_level": "Hands per level",
    "seed": "Card seed",
    "clock": "Seconds per decision",
    "time_bank": "Time bank",
}
"""Labels of the page's numeric fields."""


class FieldError(ValueError):
    """A request is invalid because of one field.

    Args:
        field: Name of the field in the request.
        text: Error message for the person.
    """

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field


@dataclass(frozen=True)
class GameSetup:
    """Setup of a game at one table.

    Args:
        seats: ``HUMAN`` or the name of a player for each seat, 2 to 10.
        game: The rules; ``ENDLESS`` hands for a cash game without limit.
        seed: Seed of the cards; ``None`` for a new one.
        position: Position in which the first hand begins; None for a normal deal.
        clock: Seconds for a person's decision; 0 for no limit.
        time_bank: Additional seconds per person and game.
        carries: Whether stacks of a cash game are carried from hand to hand.
    """

    seats: tuple[str, ...]
    game: Game = field(default_factory=Game)
    seed: int | None = None
    position: Position | None = None
    clock: int = 0
    time_bank: int = 0
    carries: bool = False

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips of every seat at the start."""
        return self.game.stacks(len(self.seats))

    @property
    def num_hands(self) -> int | None:
        """Hands after which the game ends; ``None`` for no limit."""
        return None if self.game.num_hands == ENDLESS else self.game.num_hands

    @property
    def humans(self) -> tuple[int, ...]:
        """Seats for people."""
        return tuple(seat for seat, name in enumerate(self.seats) if name == HUMAN)

    def view(self) -> dict[str, Any]:
        """Plain values for pages."""
        return {
            "mode": self.game.mode,
            "betting": self.game.betting,
            "starting_stack": self.game.starting_stack,
            "num_hands": self.num_hands,
        }

    @classmethod
    def read(cls, values: Any) -> GameSetup:
        """Setup sent by a page.

        Args:
            values: Plain values under the names of the fields. ``blinds`` is ``""`` for the
                published schedule (in cash games its first level), or text such as ``"10/20, 15/30,
                25/50/5"`` (small, big, ante), each level for ``hands_per_level`` hands. ``rake`` is
                text such as ``"5%/300"`` for cash games, ignored in other games. With ``position``
                (see ``Position.read``), stacks are those of the position.

        Raises:
            ValueError: A value is missing or invalid; the message says which.
        """
        if not isinstance(values, Mapping):
            raise ValueError("a game must be described by an object")
        for name in values:
            one_of("a field of a game", name, _FIELDS)
        seats = values.get("seats")
        if not isinstance(seats, list) or not all(isinstance(name, str) for name in seats):
            raise ValueError("a game needs a list of seats")
        if not MIN_SEATS <= len(seats) <= MAX_SEATS:
            raise ValueError(f"a table has {MIN_SEATS} to {MAX_SEATS} seats; got {len(seats)}")
        hands = values.get("num_hands")
        seed = values.get("seed")
        mode = one_of("mode", values.get("mode", "tournament"), MODES)
        position, stack = (
            None,
            _number("starting_stack", values.get("starting_stack", 1000), 2, MOST_CHIPS),
        )
        if values.get("position") is not None:
            position = Position.read(values["position"], len(seats))
            stack = max(position.stacks)
        blinds = _schedule(values.get("blinds", ""), values.get("hands_per_level", 15))
        if mode == "cash":
            blinds = _one_level(blinds, stack, given=bool(values.get("blinds")))
        limit = None if hands in (None, "") else _number("num_hands", hands, 1, _MOST_HANDS)
        with _attributing_to("rake"):
            rake = Rake.read(values.get("rake", "")) if mode == "cash" else None
        options = {name: _choice(name, values) for name in PAGE_OPTIONS}
        blinds = replace(blinds, ante_by=options.pop("ante_by"))
        with _attributing_to(*options):
            game = Game(
                mode=mode,
                starting_stack=position.stacks if position else stack,
                blinds=blinds,
                num_hands=ENDLESS if limit is None and mode == "cash" else limit,
                rake=rake,
                **options,
            )
        chosen = None if seed in (None, "") else _number("seed", seed, 0, LARGEST_SEED)
        return cls(
            tuple(seats),
            game,
            chosen,
            position,
            clock=_number("clock", values.get("clock") or 0, 0, _MOST_SECONDS),
            time_bank=_number("time_bank", values.get("time_bank") or 0, 0, _MOST_SECONDS),
            carries=one_of("stacks", values.get("stacks", "put back"), _STACKS) == "carried"
            and mode == "cash",
        )


def participant_name(name: Any) -> str:
    """A person's name, normalised for display.

    Raises:
        ValueError: The name is not a string, empty or too long.
    """
    if not isinstance(name, str):
        raise FieldError("name", "Your name must be text.")
    shown = "".join(letter for letter in " ".join(name.split()) if letter.isprintable())
    if not 1 <= len(shown) <= _LONGEST_PERSON:
        raise FieldError("name", f"Your name must have 1 to {_LONGEST_PERSON} characters.")
    return shown


def _number(field: str, value: Any, least: int, most: int) -> int:
    """``whole_number`` for a field of the page, named by its label."""
    try:
        return whole_number(field, value, least, most)
    except ValueError:
        text = f"{_FIELD_LABELS[field]}: enter a whole number from {least:,} to {most:,}."
        raise FieldError(field, text) from None


def _choice(name: str, values: Mapping[str, Any]) -> Any:
    """Value of an option of the game, also given as text."""
    option = PAGE_OPTIONS[name]
    choices = {str(choice): choice for choice in option.metadata["choices"]}
    return choices[one_of(name, str(values.get(name, option.default)), choices)]


@contextlib.contextmanager
def _attributing_to(*fields: str) -> Iterator[None]:
    """Context in which a ``ValueError`` is of one field: the only one, or that it begins with."""
    try:
        yield
    except FieldError:
        raise
    except ValueError as error:
        named = [name for name in fields if len(fields) == 1 or str(error).startswith(f"{name} ")]
        if not named:
            raise
        raise FieldError(named[0], str(error)) from None


def _schedule(text: Any, hands_per_level: Any) -> BlindSchedule:
    hands = _number("hands_per_level", hands_per_level, 1, _MOST_HANDS)
    if not isinstance(text, str) or len(text) > 2000:
        raise FieldError("blinds", "Blinds are text such as 10/20, 15/30, 25/50/5.")
    if not text.strip():
        return BlindSchedule(BlindSchedule.pokerstars().levels, hands)
    levels = []
    for part in text.replace(",", " ").split():
        match = _LEVEL.fullmatch(part)
        if match is None:
            raise FieldError(
                "blinds", f"A blind level must look like 10/20 or 10/20/5; got {part[:20]}."
            )
        small, big, ante = int(match[1]), int(match[2]), int(match[3] or 0)
        if small > big:
            raise FieldError(
                "blinds",
                f"The small blind comes first and must not exceed the big blind; got {part}.",
            )
        if big < 2:
            raise FieldError("blinds", f"The big blind must be at least 2 chips; got {part}.")
        levels.append((small, big, ante))
    for before, level in itertools.pairwise(levels):
        if any(now < then for then, now in zip(before, level, strict=True)):
            written = "/".join(map(str, level))
            raise FieldError("blinds", f"Blinds and antes cannot go down; got {written}.")
    return BlindSchedule(tuple(levels), hands)


def _one_level(blinds: BlindSchedule, stack: int, *, given: bool) -> BlindSchedule:
    """Blinds of a cash game, which do not rise."""
    if given and len(blinds.levels) > 1:
        raise FieldError(
            "blinds", "The blinds of a cash game do not rise: enter one level, such as 10/20."
        )
    level = blinds.levels[0]
    if stack <= level[1] + level[2]:
        # Every hand would end without a decision, for ever.
        raise FieldError(
            "starting_stack",
            f"Starting stack: enter more than big blind plus ante, {level[1] + level[2]:,}.",
        )
    return BlindSchedule((level,), 1)
