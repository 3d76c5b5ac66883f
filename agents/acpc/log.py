"""Logs of matches as hands that can be replayed."""

from __future__ import annotations

import re

from agents.acpc.games import competition_game
from agents.acpc.protocol import N_STREETS, ProtocolError, parse_betting, parse_finished_hand
from nlhe_env.errors import IllegalActionError
from nlhe_env.game.table import NOBODY
from nlhe_env.hand_history import MOST_CHIPS, Action, Hand, HandHistoryError, refuse_too_many
from nlhe_env.hand_history.chip_table import ChipTable
from nlhe_env.hand_history.record import CALL, FOLD, RAISE

_GAME = re.compile(
    r"holdem\.(limit|nolimit)\.(\d{1,2})p(?:\.reverse_blinds)?(?:\.(\d{1,9}))?\.(\d{1,9})-(\d{1,9})"
)
_KINDS = {"f": FOLD, "c": CALL, "r": RAISE}
_BOARD_CARDS = (0, 3, 4, 5)
_LIMIT_STACK = 1000  # big blinds; nobody is ever all-in


def is_log(text: str) -> bool:
    """Whether a text looks like a log of a match."""
    return re.search(r"^STATE:", text, re.MULTILINE) is not None


def read_log(text: str, *, most_hands: int | None = None) -> list[Hand]:
    """The hands of a log that ``Dealer`` wrote.

    Stacks and blinds are not in the lines of the hands; they are taken from the name of the game in
    the first comment, such as ``holdem.nolimit.2p.reverse_blinds.20000.50-100``.

    Args:
        text: Of the log.
        most_hands: Refuse a log of more hands, before any is played; ``None`` for no limit.

    Raises:
        HandHistoryError: There is no such name, a line is damaged, or a hand is not possible.
    """
    lines = text.splitlines()
    refuse_too_many(sum(line.startswith("STATE:") for line in lines), most_hands)
    env: ChipTable | None = None
    game = ""
    hands = []
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            found = _GAME.search(line)
            if found is not None and found[0] != game:
                try:
                    game, env = found[0], _environment(found)
                except ValueError as error:
                    raise HandHistoryError(number, str(error)) from None
        elif line.startswith("STATE:"):
            if env is None:
                raise HandHistoryError(
                    number,
                    "stacks and blinds are not known: a comment before the first hand must name "
                    "the game, as in # name/game/hands/seed match "
                    "holdem.nolimit.2p.reverse_blinds.20000.50-100 100 1",
                )
            try:
                hands.append(_read_hand(line, env))
            except (ProtocolError, ValueError, IllegalActionError) as error:
                raise HandHistoryError(number, str(error)) from None
    if not hands:
        raise HandHistoryError(1, "there is no hand in this log")
    return hands


def _environment(found: re.Match[str]) -> ChipTable:
    """An environment for the hands of a game; positions are seats, the last has the button."""
    limit, big = found[1] == "limit", int(found[5])
    stack = int(found[3]) if found[3] else _LIMIT_STACK * big
    if int(found[2]) * stack > MOST_CHIPS:
        raise ValueError(f"at most {MOST_CHIPS} chips can be in play; got {found[0]}")
    game = competition_game(
        stack=stack,
        small_blind=int(found[4]),
        big_blind=big,
        betting="fixed-limit" if limit else "no-limit",
    )
    return ChipTable(int(found[2]), game)


def _read_hand(line: str, env: ChipTable) -> Hand:
    finished = parse_finished_hand(line)
    n = env.num_players
    if len(finished.names) != n:
        raise ProtocolError(f"the game has {n} players, this hand {len(finished.names)}")
    board = "".join(finished.board)
    known = {f"player_{i}": cards for i, cards in enumerate(finished.hole_cards) if cards}
    env.reset(seed=0, options={"button": n - 1, "hole_cards": known, "board": board})
    table = env.tables[0]
    actions = []
    for street, acts in enumerate(parse_betting(finished.betting)[:N_STREETS]):
        for act in acts:
            seat = int(table["actor"])
            if seat == NOBODY or int(table["street"]) != street:
                raise ProtocolError(f"the action {act} does not belong to its street")
            to = 0
            if act.kind == "r":
                # Totals are those of the whole hand; fixed-limit writes none.
                earlier = int(table["hand_bet"][seat] - table["street_bet"][seat])
                most = env.infos[env.agent_selection]["max_raise_to"]
                to = most if act.total is None else act.total - earlier
            actions.append(Action(seat, _KINDS[act.kind], to, _BOARD_CARDS[street]))
            env.act({"f": 0, "c": 1}.get(act.kind, max(to, 2)))
    if table["actor"] != NOBODY:
        raise ProtocolError("the hand breaks off")
    whole = all(chips.is_integer() for chips in finished.net)
    if any(abs(chips) > MOST_CHIPS for chips in finished.net):
        raise ProtocolError("somebody wins or loses more chips than are in play")
    stacks = env.stacks
    return Hand(
        stacks=stacks,
        hole_cards=finished.hole_cards,
        board=board,
        actions=tuple(actions),
        small_blind=int(table["small_blind"]),
        big_blind=int(table["big_blind"]),
        betting=env.game.betting,
        shown=tuple(bool(shown) for shown in table["shown"][:n]),
        finishing_stacks=tuple(
            stack + int(chips) for stack, chips in zip(stacks, finished.net, strict=True)
        )
        if whole
        else None,
        players=finished.names,
        seats=tuple(range(n)),
        seat_count=n,
        number=finished.hand_number + 1,
    )
