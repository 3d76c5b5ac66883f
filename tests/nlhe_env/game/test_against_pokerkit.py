"""Random hands played side by side with PokerKit, an independent implementation of the rules.

Run as a script with ``20000 fixed-limit`` or ``20000 options`` it plays more hands than the test.
Options are antes of the big blind, straddles, rake and two boards.
"""

import functools
import os
import sys
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from chip_table import ChipTable

from nlhe_env import BlindSchedule, Game, Rake
from nlhe_env.cards import CARD_NAMES, format_cards
from nlhe_env.game.table import NO_PLAYER, PREFLOP, TURN

pokerkit = pytest.importorskip("pokerkit")

FEW_HANDS = 100
MORE_HANDS = int(os.environ.get("NLHE_POKERKIT_HANDS", "300"))  # others than the few

# All chips are multiples of 2 * 20 * 9 * 8 * 7 * 5: neither a pot, nor its half for a board, nor a
# rake of 1/20 leaves odd chips, of which PokerKit gives all to the first winner, and we one each
# (tested in test_rules.py).
UNIT = 100_800
BIG_BLIND = 2 * UNIT

AUTOMATIONS = (
    pokerkit.Automation.ANTE_POSTING,
    pokerkit.Automation.BET_COLLECTION,
    pokerkit.Automation.BLIND_OR_STRADDLE_POSTING,
    pokerkit.Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    pokerkit.Automation.HAND_KILLING,
    pokerkit.Automation.CHIPS_PUSHING,
    pokerkit.Automation.CHIPS_PULLING,
)


@functools.lru_cache(maxsize=256)
def formed(hole, board):
    return pokerkit.StandardHighHand.from_game(hole, board)


class FormedHand(pokerkit.StandardHighHand):
    """PokerKit's hands, each formed once: it asks for those of all players again and again."""

    @classmethod
    def from_game(cls, hole_cards, board_cards=()):
        return formed(tuple(hole_cards), tuple(board_cards))


class PotLimitTexasHoldem(pokerkit.games.PotLimitPokerMixin, pokerkit.NoLimitTexasHoldem):
    """PokerKit's pot-limit betting with two hole cards, which it has no class for."""


GAMES = {
    "no-limit": pokerkit.NoLimitTexasHoldem,
    "pot-limit": PotLimitTexasHoldem,
    "fixed-limit": pokerkit.FixedLimitTexasHoldem,
}


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("n", "seed"), [(FEW_HANDS, 20), pytest.param(MORE_HANDS, 21, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("kind", [*GAMES, "options"])
def test_random_hands_play_out_as_in_pokerkit(kind, n, seed):
    counts = play_hands(n, seed, kind)
    assert counts["decisions"] > 2 * n
    assert counts["showdowns"] > n / 3
    # Rare: see `compare_raises`.
    assert counts["PokerKit allows"] + counts["PokerKit forbids"] < counts["decisions"] / 50
    if kind == "options":
        assert min(counts[name] for name in ("straddles", "antes", "raked", "two boards")) > n / 20
        assert counts["two boards with side pots"] > n / 130


def play_hands(n: int, seed: int, kind: str) -> Counter[str]:
    """Play hands both ways; raises AssertionError where they differ."""
    generator = np.random.default_rng(seed)
    counts: Counter[str] = Counter()
    for i in range(n):
        game, button = draw_game(kind, generator)
        env = ChipTable(len(game.starting_stack), game)
        env.reset(seed=i, options={"button": button})
        try:
            compare_hand(env, button, generator, counts)
        except AssertionError as error:
            raise AssertionError(f"hand {i}: {game}, button {button}: {error}") from error
    return counts


def draw_game(kind: str, generator: np.random.Generator) -> tuple[Game, int]:
    """A game of one hand, and its button."""
    players = int(generator.integers(2, 10))
    options = kind == "options"
    ante = int(generator.integers(3 if options else 2))
    stacks = generator.integers(1, 61 if generator.random() < 0.3 else 15, players)
    button = int(generator.integers(players))
    # We measure a call against the full big blind when its owner is short, PokerKit against what
    # was posted (TDA rules know only the former), and it posts the ante of a big blind first. In
    # the rest of its rules it agrees; so here the big blind can pay both.
    big_blind = (button + (1 if players == 2 else 2)) % players
    stacks[big_blind] = max(stacks[big_blind], ante + 2)
    game = Game(
        mode="cash",
        starting_stack=tuple((stacks * UNIT).tolist()),
        blinds=BlindSchedule(((UNIT, BIG_BLIND, ante * UNIT),)),
        betting="no-limit" if options else kind,
    )
    if options:
        by, rakes = ("everyone", "big blind"), (None, Rake(share=0.05), Rake(share=0.05))
        game = replace(
            game,
            blinds=replace(game.blinds, ante_by=by[generator.integers(2)]),
            straddle=str(generator.choice(["none", "under the gun", "button"])),
            rake=rakes[generator.integers(3)],
            boards=int(generator.integers(1, 3)),
        )
        if game.rake is not None:
            free = bool(generator.integers(2))
            game = replace(game, rake=replace(game.rake, no_flop_no_drop=free))
    return game, button


def compare_hand(env: ChipTable, button: int, generator, counts) -> None:
    """Play one hand that has been dealt."""
    n, game, table = env.num_players, env.game, env.tables[0]
    seats = [(button + 1 + i) % n for i in range(n)]  # PokerKit's players, by our seats
    cards = table["cards"].tolist()
    state = pokerkit_state(game, [game.stacks(n)[seat] for seat in seats], counts)
    for seat in seats:
        state.deal_hole(format_cards(cards[2 * seat : 2 * seat + 2]))
    boards = [
        [CARD_NAMES[card] for card in cards[first : first + 5]] for first in (2 * n, 2 * n + 5)
    ]
    board = boards[0].copy()
    reopening = Reopening(limit=game.betting == "fixed-limit", first=int(table["current_bet"]))
    while True:
        while any(state.runout_count_selector_statuses):
            state.select_runout_count(game.boards)
        while state.can_burn_card():
            state.burn_card("??")
            opened = 5 - len(board)
            if opened == 5:  # the first board is complete: now the rest of the second one
                board = boards[1][len(list(state.get_board_cards(1))) :]
                opened = 5 - len(board)
            count = 1 if opened else 3
            state.deal_board("".join(board[:count]))
            del board[:count]
        theirs = state.actor_index
        ours = int(table["actor"])
        if theirs is None:
            break
        if ours != seats[theirs] and only_checks(state):
            # PokerKit still asks the last player with chips, who has matched every all-in.
            state.check_or_call()
            continue
        assert ours == seats[theirs], f"seat {ours} acts, not {seats[theirs]}"
        counts["decisions"] += 1
        info, street = env.infos[env.agent_selection], int(table["street"])
        assert info["to_call"] == state.checking_or_calling_amount
        assert info["pot"] == state.total_pot_amount
        least, most = compare_raises(info, state, street, ours, reopening, counts)
        before = max(state.bets)
        amount = act(env, state, info, least, most, generator)
        reopening.note(street, ours, before, max(before, amount))
    assert int(table["actor"]) == NO_PLAYER
    rake = int(table["rake"])
    stacks = [state.stacks[seats.index(seat)] for seat in range(n)]
    if not table["showdown"] and rake:
        # PokerKit 0.7.7 gives the last player the whole bet of the street back before it rakes, and
        # not only its uncalled part; so the rake is counted here.
        winner = int(np.flatnonzero(table["won"])[0])
        lost = [before - after for before, after in zip(game.stacks(n), stacks, strict=True)]
        lost[winner] = 0
        antes = antes_of(game, (button + (1 if n == 2 else 2)) % n)
        called = max(lost[seat] - antes[seat] for seat in range(n) if seat != winner)
        pot = sum(lost) + called + antes[winner]
        stacks[winner] = game.stacks(n)[winner] + sum(lost) - pot // 20
    assert table["stack"][:n].tolist() == stacks
    assert int(table["stack"][:n].sum()) + rake == sum(game.stacks(n))
    counts["showdowns"] += bool(table["showdown"])
    counts["raked"] += rake > 0
    if table["shared_cards"] < 5:
        counts["two boards"] += 1
        counts["two boards with side pots"] += int(table["pots"]) > 1


def only_checks(state) -> bool:
    return (
        state.checking_or_calling_amount == 0
        and state.min_completion_betting_or_raising_to_amount is None
    )


def antes_of(game, big_blind: int) -> list[int]:
    """Chips of the ante that every seat puts in, which need not be called."""
    ante = game.blinds.levels[0][2]
    if game.blinds.ante_by == "big blind":
        return [ante if seat == big_blind else 0 for seat in range(len(game.starting_stack))]
    return [min(ante, stack) for stack in game.starting_stack]


def pokerkit_state(game, stacks, counts):
    """The same game of PokerKit, by the stacks of its players."""
    n = len(stacks)
    small, big, ante = game.blinds.levels[0]
    by_big_blind = game.blinds.ante_by == "big blind"
    blinds = [small, big] + [0] * (n - 2)
    if n > 2 and game.straddle != "none":
        place = n - 1 if game.straddle == "button" else 2
        if stacks[place] - (0 if by_big_blind else ante) >= 2 * big:
            blinds[place] = 2 * big
    straddled = max(blinds) > big
    # PokerKit turns antes around heads-up as it does blinds.
    antes = {1: ante} if by_big_blind else dict.fromkeys(range(n), ante)
    counts["straddles"] += straddled
    counts["antes"] += by_big_blind and ante > 0

    def rake(amount, state):
        taken = 0
        free = game.rake is not None and game.rake.no_flop_no_drop and not any(state.board_cards)
        if game.rake is not None and not free:
            taken = amount // 20
        return taken, amount - taken

    fixed = game.betting == "fixed-limit"
    state = GAMES[game.betting].create_state(
        AUTOMATIONS,
        not by_big_blind,  # a short ante of one's own is all-in for its part of the pot
        antes,
        blinds,
        *((big, 2 * big) if fixed else (big,)),
        tuple(stacks),
        n,
        mode=pokerkit.Mode.CASH_GAME,
        rake=rake,
    )
    state.hand_types = (FormedHand,)
    first = state.streets[0]
    if straddled:  # the least raise is by the straddle
        first = replace(first, min_completion_betting_or_raising_amount=2 * big)
    if fixed:  # the big blind is the first of the four bets; it would allow four raises after it
        first = replace(first, max_completion_betting_or_raising_count=3)
    state.streets = (first, *state.streets[1:])
    return state


class Reopening:
    """TDA 2024 rule 47 in its own words, to judge between two implementations.

    All-ins totaling less than a full bet or raise do not reopen betting for players who have
    already acted and are not facing at least a full bet or raise when action returns to them. In
    limit, half of a full bet or raise is enough.
    """

    def __init__(self, *, limit: bool, first: int) -> None:
        self.limit = limit
        self.street = -1
        self.full, self.first = 0, first
        self.seen: dict[int, int] = {}

    def note(self, street: int, seat: int, bet_before: int, bet_after: int) -> None:
        self.open(street)
        self.full = max(self.full, bet_after - bet_before)
        self.seen[seat] = bet_after

    def open(self, street: int) -> None:
        if street != self.street:
            big_bet = self.limit and street >= TURN
            full = self.first if street == PREFLOP else BIG_BLIND
            self.street, self.full, self.seen = street, 2 * full if big_bet else full, {}

    def allows(self, street: int, seat: int, bet: int) -> bool:
        self.open(street)
        needed = self.full / 2 if self.limit else self.full
        return seat not in self.seen or bet - self.seen[seat] >= needed


def compare_raises(info, state, street, seat, reopening, counts) -> tuple[int, int]:
    """The range of raises, where both agree that there is one."""
    theirs = (
        state.min_completion_betting_or_raising_to_amount or 0,
        state.max_completion_betting_or_raising_to_amount or 0,
    )
    ours = (info["min_raise_to"], info["max_raise_to"])
    if ours == theirs:
        return ours
    # PokerKit 0.7.7 goes its own way with short all-ins in two cases. It takes a bet or raise of
    # less than the big blind, first on its street, for a full one and lets those raise who acted
    # before. And of several short all-ins it forgets those that made up a full raise when another
    # comes on top. The rule decides.
    assert (0, 0) in (ours, theirs), f"raises {ours}, not {theirs}"
    allowed = reopening.allows(street, seat, max(state.bets))
    assert allowed == (ours != (0, 0)), f"raises {ours}, PokerKit {theirs}, rule {allowed}"
    counts["PokerKit forbids" if allowed else "PokerKit allows"] += 1
    return (0, 0)


def act(env: ChipTable, state, info, least, most, generator) -> int:
    """Take a random legal action in both; returns the amount of a raise, else 0."""
    amount = 0
    u = generator.random()
    if least and u < 0.45:
        if u < 0.15:
            amount = least
        elif u < 0.22:
            amount = most
        else:
            units = generator.integers(least // UNIT, min(most, 3 * least) // UNIT + 1)
            amount = max(least, int(units) * UNIT)
        env.act(amount)
        state.complete_bet_or_raise_to(amount)
    elif info["to_call"] and u > 0.75:
        env.act(0)
        state.fold()
    else:
        env.act(1)
        state.check_or_call()
    return amount


if __name__ == "__main__":
    print(play_hands(int(sys.argv[1]), seed=20, kind=sys.argv[2]))
