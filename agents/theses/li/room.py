"""Record of ASHE."""

from __future__ import annotations

from dataclasses import replace

from agents.rooms import PlayerRecord, Room


def _saved(name: str, does: str) -> PlayerRecord:
    return PlayerRecord(name, does, f"agents.theses.li:data/{name}.npz", memory=True)


def _second(name: str, does: str) -> PlayerRecord:
    return replace(_saved(name, does), seats=2, betting="no-limit")


ROOM = Room(
    does="ASHE: evolved recurrent networks that adapt to their opponent in heads-up no-limit",
    players=(
        _saved("ashe-1.0", "heads-up: an evolved network with memory that adapts to its opponent"),
        _saved(
            "ashe-1.0-tuned",
            "ashe-1.0 by an evolution strategy that starts from a calling network",
        ),
        _saved(
            "ashe-1.0-refined",
            "ashe-1.0-tuned trained further, half of the time against statisticians",
        ),
        _second("ashe-2.0", "heads-up: estimates the value of every line of play"),
        _second("ashe-2.0-tuned", "ashe-2.0 after ten million hands of an evolution strategy"),
        _second("ashe-2.1", "small size: as ashe-2.0, with default trees and board clusters"),
        _second("ashe-2.2", "small size: as ashe-2.1, with look-ahead to the end of the hand"),
        _second("ashe-2.3", "small size: as ashe-2.2, with opponent ranges"),
    ),
    kinds={
        "ashe-1": "agents.theses.li.ashe1",
        "ashe-2": "agents.theses.li.ashe2",
        "ashe-2-ahead": "agents.theses.li.ashe2",
    },
    names={
        "AshePlayer": "agents.theses.li.ashe1",
        "AsheShape": "agents.theses.li.ashe1",
        "ModelPlayer": "agents.theses.li.ashe2",
        "ModelShape": "agents.theses.li.shape",
    },
)
