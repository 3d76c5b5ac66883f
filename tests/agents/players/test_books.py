"""Players with a book look things up in bytes that lie in memory once."""

import pickle

import numpy as np
import pytest

import agents
from agents import Kind, register_kind
from agents.match.style import Style
from agents.measure.leagues.league import fingerprint
from agents.policy.view import offer_legal
from nlhe_env import Game
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.record_pointers import record_pointer

byte_at = record_pointer(np.dtype([("value", np.uint8)]))


@kernel
def reader_policy(parameters, memory, view):
    """Folds, calls or raises as the book says."""
    for action_id in range(3):
        weight = byte_at(parameters.traits.book + action_id).value
        offer_legal(view, action_id, np.float64(weight))


READER = register_kind(Kind("reader of books", reader_policy))


def reader(*weights):
    return agents.CompiledPlayer("Reader", READER, book=np.array(weights, np.uint8))


def raises(players):
    """Shares of raises among what players did."""
    tally = agents.play(players, agents.Blocks(30), Game.cash(num_hands=3), seed=3)
    return [Style.of(counts).aggression for counts in tally.style_counts]


def test_every_player_reads_its_own_book():
    calling, raising = reader(0, 1, 0), reader(0, 0, 1)
    assert raises([calling, raising]) == [0.0, 1.0]
    batch = agents.concat(
        agents.pack_players([agents.make("caller")]), agents.pack_players([raising, calling])
    )
    assert raises(batch.take(np.array([2, 1]))) == [0.0, 1.0]
    assert raises(pickle.loads(pickle.dumps(batch.take(np.array([1, 2]))))) == [1.0, 0.0]


def test_player_batches_with_different_books_differ():
    batch = agents.pack_players([reader(0, 1, 0)])
    assert batch.is_same_as(agents.pack_players([reader(0, 1, 0)]))
    assert not batch.is_same_as(agents.pack_players([reader(0, 1, 1)]))
    assert not batch.is_same_as(agents.pack_players([agents.CompiledPlayer("Reader", READER)]))


def test_books_are_saved_and_part_of_the_fingerprint(tmp_path):
    player = reader(3, 2, 1)
    agents.save_player(tmp_path / "reader.npz", player)
    read = agents.load_player(tmp_path / "reader.npz")
    np.testing.assert_array_equal(read.book, player.book)
    assert fingerprint(read) == fingerprint(player) != fingerprint(reader(3, 2, 2))


@pytest.mark.parametrize("name", ["caller", "old-start"])
def test_players_without_a_book_are_saved_without_one(tmp_path, name):
    agents.save_player(tmp_path / "player.npz", agents.make(name))
    assert agents.load_player(tmp_path / "player.npz").book is None
