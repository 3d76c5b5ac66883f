"""Cards are made again from their hands: whatever was forged is named."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bot_processes import Caller

import agents
from agents.commands.main import main
from agents.measure.bench.bounds import bound_again, bound_of
from agents.measure.bench.scorecard import Scorecard
from agents.measure.bench.suites import SUITES
from agents.measure.bench.verification import not_shown, verify

HEADS_UP = SUITES["heads-up"]
BLOCKS = 2


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Folders of the card of a compiled player, with a bound, and of one with logged hands."""
    folder = tmp_path_factory.mktemp("cards")
    hands = BLOCKS * HEADS_UP.hands_of_block
    card = agents.bench("caller", hands=hands, seed=1, out=folder / "compiled", bound=False)
    options = {"seed": 1, "seconds": 0.1, "seconds_per_decision": 0.0}
    card.suites["heads-up"].bound = bound_of(agents.make("caller"), HEADS_UP, **options)
    card.save(folder / "compiled")
    agents.bench(Caller(), hands=hands, seed=1, out=folder / "logged")
    return folder


@pytest.fixture
def forge(made, tmp_path):
    """A function that changes a copy of a card, and returns its folder."""

    def changed(which: str, change: Callable[[dict[str, Any]], Any]) -> Path:
        folder = tmp_path / which
        shutil.copytree(made / which, folder)
        file = folder / "scorecard.json"
        card = json.loads(file.read_text())
        change(card)
        file.write_text(json.dumps(card))
        return folder

    return changed


def suite(card):
    return card["suites"]["heads-up"]


def row(card):
    return suite(card)["results"][1]


@pytest.mark.parametrize("which", ["compiled", "logged"])
def test_an_honest_card_is_verified(made, which, capsys):
    assert verify(made / which) == []
    assert main(["bench", "verify", str(made / which)]) == 0
    said = capsys.readouterr().out
    assert "all values of the card follow from its hands" in said
    assert "Hands do not show: times, whether the seed was given or drawn" in said
    assert ("who chose the logged actions" in said) == (which == "logged")


FORGERIES: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "rating": (lambda card: suite(card).update(rating=250.0), "heads-up, rating is 250"),
    "rating error": (lambda card: suite(card).update(rating_error=0.1), "rating_error is 0.1"),
    "no rating": (lambda card: suite(card).update(rating=None), "rating is None"),
    "mean": (lambda card: row(card).update(mean=99.0), "caller, mean is 99"),
    "low": (lambda card: row(card).update(low=98.0), "caller, low is 98"),
    "high": (lambda card: row(card).update(high=99.5), "caller, high is 99.5"),
    "plain mean": (lambda card: row(card).update(plain_mean=9.0), "plain_mean is 9.0"),
    "plain error": (lambda card: row(card).update(plain_error=0.5), "plain_error is 0.5"),
    "unit": (lambda card: row(card).update(unit="chips"), "unit is 'chips'"),
    "hands": (lambda card: row(card).update(hands=10**6), "hands is 1000000"),
    "fewer blocks": (lambda card: row(card)["sums"].update(blocks=1), "caller, hands is 40"),
    "total": (
        lambda card: row(card)["sums"]["plain"].update(total=1, squares=1),
        "plain, total is 1",
    ),
    "squares": (lambda card: row(card)["sums"]["adjusted"].update(squares=1), "squares is 1"),
    "points": (lambda card: row(card)["sums"]["plain"].update(unit="7"), "plain, unit is '7'"),
    "style": (lambda card: suite(card)["style"].update(voluntarily_in_pot=0.5), "style, volu"),
    "counts": (lambda card: row(card)["sums"]["style_counts"].__setitem__(0, 1), "style_counts"),
    "illegal": (lambda card: suite(card).update(illegal=3), "illegal is 3"),
    "invalid": (
        lambda card: suite(card).update(invalid={"counts": {"late": 9}, "examples": {"late": ""}}),
        "invalid, counts, late is 9 in the card, and missing",
    ),
    "anchors": (lambda card: card.update(anchors={}), "anchors, random is missing"),
    "a hash": (lambda card: card["anchors"].update(random="0"), "anchors, random is '0'"),
    "another anchor": (lambda card: card["anchors"].update(me="0"), "anchors, me is '0'"),
    "bound of a row": (lambda card: row(card).update(bound=-50.0), "caller, bound is -50"),
    "what nobody knows": (lambda card: suite(card).update(skill=9), "skill is 9 in the card, and"),
    "no hands": (lambda card: row(card)["sums"].update(blocks=0), "no hands against caller"),
    "seed": (lambda card: card.update(seed=2), "heads-up"),
}


LOGGED = ("rating", "hands", "style", "counts", "illegal", "invalid", "anchors", "no hands")
"""Forgeries of a card that is made again from logs: all are found by the same comparison."""


@pytest.mark.parametrize(
    ("which", "forgery"),
    [("compiled", each) for each in FORGERIES]
    + [pytest.param("logged", each, marks=pytest.mark.slow) for each in LOGGED],
)
def test_a_forgery_is_named(forge, which, forgery):
    change, words = FORGERIES[forgery]
    found = verify(forge(which, change))
    assert any(words in sentence for sentence in found), found


@pytest.mark.parametrize(
    ("which", "change", "words"),
    [
        ("compiled", {"value": -50.0, "error": 0.01}, "bound, value is -50.0"),
        ("compiled", {"asked": 20, "value": 1.0}, "bound, value is 1.0"),
        ("compiled", {"by": "x"}, "bound: by must be one of"),
        ("compiled", {"hands": 10}, "bound: hands must be at least 30 blocks"),
        ("compiled", {"session": 3}, "bound: session must be 1 or 10"),
        ("compiled", {"asked": 1}, "bound: asked must be one of 1326"),
        ("logged", {}, "bound: the player does not report action probabilities"),
    ],
)
def test_a_forged_bound_is_named(forge, made, which, change, words):
    bound = suite(json.loads((made / "compiled" / "scorecard.json").read_text()))["bound"]
    found = verify(forge(which, lambda card: suite(card).update(bound=bound | change)))
    assert any(words in sentence for sentence in found), found


def test_a_bound_of_a_compiled_player_can_be_measured_again(made):
    bound = Scorecard.load(made / "compiled").suites["heads-up"].bound
    assert bound_again(agents.make("caller"), HEADS_UP, bound, seed=1) == bound


def test_a_compiled_player_must_be_the_one_of_the_card(forge, made):
    with pytest.raises(ValueError, match="the scorecard is for 'caller'"):
        verify(made / "compiled", "folder")
    with pytest.raises(ValueError, match="with the hash '0': give that player"):
        verify(forge("compiled", lambda card: card.update(player_hash="0")))


def test_a_compiled_player_gives_its_probabilities(forge):
    found = verify(forge("compiled", lambda card: card.update(gives_probabilities=False)))
    assert found == ["gives_probabilities is False in the card, and True by its hands"]


def test_what_the_hands_of_a_card_do_not_show_is_said(forge):
    def probabilities(card):
        card.update(gives_probabilities=True)
        suite(card).update(
            bound={"by": "x", "value": 1.0, "error": 1.0, "hands": 1, "asked": 1, "session": 1}
        )

    said = not_shown(forge("logged", probabilities))
    assert "the action probabilities behind its adjusted results, the bounds" in said


def test_altered_hands_are_found(made, tmp_path):
    shutil.copytree(made / "logged", tmp_path, dirs_exist_ok=True)
    path = next((tmp_path / "hands" / "heads-up" / "random").glob("*.phhs"))
    text = path.read_text()
    path.write_text(text.replace("As", "Xx").replace("Ah", "As").replace("Xx", "Ah"))
    assert any("random: the logged hands" in words for words in verify(tmp_path))
    path.write_text(text.partition("\n")[2])  # without the line about illegal answers
    assert any("illegal is" in words for words in verify(tmp_path))
    path.write_text(text.replace("player_0", "nobody"))
    with pytest.raises(ValueError, match="random: a logged hand has no player player_0"):
        verify(tmp_path)


MALFORMED: dict[str, Callable[[dict[str, Any]], Any]] = {
    "suites": lambda card: card.update(suites=[]),
    "a suite": lambda card: card.update(suites={"heads-up": []}),
    "unknown suite": lambda card: card.update(suites={"chess": suite(card)}),
    "results": lambda card: suite(card).update(results={}),
    "a missing anchor": lambda card: suite(card)["results"].pop(),
    "a doubled anchor": lambda card: suite(card)["results"].append(row(card)),
    "an unknown anchor": lambda card: row(card).update(opponent="evil.py:F"),
    "a listed anchor": lambda card: row(card).update(opponent=["caller"]),
    "blocks a": lambda card: row(card)["sums"].update(blocks="a"),
    "blocks 1.5": lambda card: row(card)["sums"].update(blocks=1.5),
    "blocks -5": lambda card: row(card)["sums"].update(blocks=-5),
    "blocks 10**400": lambda card: row(card)["sums"].update(blocks=10**400),
    "total 10**400": lambda card: row(card)["sums"]["plain"].update(total=10**400),
    "half points": lambda card: row(card)["sums"]["plain"].update(unit="1/0"),
    "counts": lambda card: row(card)["sums"].update(style_counts=[1]),
    "impossible sums": lambda card: row(card)["sums"]["adjusted"].update(total=5, squares=-30),
    "no sums": lambda card: row(card).pop("sums"),
    "anchors": lambda card: card.update(anchors=None),
    "an anchor": lambda card: card["anchors"].update(random=5),
    "player": lambda card: card.update(player=5),
    "seed": lambda card: card.update(seed=True),
    "bound": lambda card: suite(card).update(bound=[]),
    "half a bound": lambda card: suite(card).update(bound={"value": 1.0}),
    "seconds": lambda card: suite(card).update(seconds="1"),
    "more": lambda card: card.update(more=1),
    "no player": lambda card: card.pop("player"),
}


@pytest.mark.parametrize("fault", MALFORMED)
@pytest.mark.parametrize("command", ["verify", "compare"])
def test_a_malformed_card_is_refused_in_one_line(forge, capsys, command, fault):
    folder = forge("compiled", MALFORMED[fault])
    assert main(["bench", command, str(folder)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "is not a scorecard" in said


@pytest.mark.parametrize("name", ["evil.py:Evil", "process:./evil", "chat:model=x,log=card.json"])
def test_the_player_of_a_card_is_typed_if_it_is_not_built_in(forge, name, capsys):
    folder = forge("compiled", lambda card: card.update(player=name))
    with pytest.raises(ValueError, match="a file may not choose code, programs, addresses"):
        verify(folder)
    assert main(["bench", "verify", str(folder), "--player", "caller"]) == 0


def test_a_card_of_another_version_says_which_may_read_it(forge):
    def older(card):
        card.update(package="0.9")
        row(card).update(low=-1.0)

    found = verify(forge("compiled", older))
    assert "the card was written by nlhe-env '0.9'" in found[-1]
