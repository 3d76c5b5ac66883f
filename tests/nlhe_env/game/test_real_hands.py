"""4,689 recorded hands of professionals and a program, replayed to the chip."""

import json
from itertools import islice
from pathlib import Path

import pytest
from style_recount import Recount, check_counts

import nlhe_env
from nlhe_env.cards import format_cards

HANDS = Path(__file__).parents[4] / "shared" / "data" / "pluribus_odd_sessions.jsonl"

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(not HANDS.exists(), reason=f"the recorded hands are not at {HANDS}"),
]


@pytest.mark.parametrize("n", [800, pytest.param(4689, marks=pytest.mark.slow)])
def test_recorded_hands_give_the_recorded_winnings(n):
    env = nlhe_env.raw_env(6, starting_stack=10_000, blinds=(50, 100), mode="cash", actions="chips")
    n_hands = 0
    with HANDS.open() as lines:
        for line in islice(lines, n):
            hand = json.loads(line)
            recount = replay(env, hand)
            check(env, hand)
            check_counts(env.players["style_counts"], recount)
            n_hands += 1
    assert n_hands == n


def replay(env: nlhe_env.raw_env, hand: dict) -> Recount:
    env.reset(
        seed=0,
        options={
            "button": 5,
            "stacks": hand["stacks"],
            "hole_cards": {f"player_{i}": cards for i, cards in enumerate(hand["hole"])},
            "board": hand["board"],
        },
    )
    recount = Recount(env)
    for seat, kind, amount in hand["actions"]:
        assert env.agent_selection == f"player_{seat}", hand["id"]
        if kind == "r":
            recount.act(amount)
            continue
        info = env.infos[env.agent_selection]
        assert (info["to_call"] > 0) == (kind != "k"), hand["id"]
        recount.act(0 if kind == "f" else 1)
    return recount


def check(env: nlhe_env.raw_env, hand: dict) -> None:
    assert all(env.terminations.values()), hand["id"]
    recorded = [int(chips) for chips in hand["net"]]
    result = env.full_info("player_0")["last_hand"]
    net = list(result["net"].values())
    # The records give the odd chips of a split pot to whichever winner.
    odd = max((pot["size"] % len(pot["winners"]) for pot in result["pots"]), default=0)
    assert all(abs(a - b) <= odd for a, b in zip(net, recorded, strict=True)), hand["id"]
    assert sum(net) == 0
    assert list(env.rewards.values()) == net
    assert result["board"] == format_cards(nlhe_env.parse_cards(hand["board"]))
