"""Errors of the operating system, reported as messages."""

import errno
import os

import pytest

import agents.commands.play
import evolve.commands.main
import evolve.commands.presets
from agents.commands import main as agents_main
from nlhe_env.system.command_line import in_words


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EROFS, "runs/x: this folder is read-only"),
        (errno.ENOSPC, "runs/x: the disk is full"),
        (errno.EACCES, "runs/x: permission denied"),
        (errno.EADDRINUSE, "runs/x: another program listens on this port: choose another --port"),
        (errno.EMFILE, f"runs/x: {os.strerror(errno.EMFILE)}"),
    ],
)
def test_a_write_error_gives_the_path_and_the_reason(number, words, monkeypatch, capsys):
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number), "runs/x")

    monkeypatch.setattr(agents.commands.play.PlayCommand, "run", refuse)
    assert agents_main.main(["play"]) == 1
    assert capsys.readouterr().err == f"error: {words}\n"
    monkeypatch.setattr(evolve.commands.presets.Presets, "run", refuse)
    assert evolve.commands.main.main(["presets"]) == 1
    assert capsys.readouterr().err == f"error: {words}\n"


def test_an_error_without_errno_keeps_its_message():
    assert in_words(OSError("of its own")) == "of its own"
    assert in_words(OSError(errno.ENOSPC, "x")) == "the disk is full"
