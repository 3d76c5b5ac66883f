"""Bots that do one thing wrong each: ``faulty_bot.py FAULT FOLDER``.

A file in FOLDER holds the process id. Standard library alone, to start quickly.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

FAULT, FOLDER = "", Path()


def note_pid(pid):
    (FOLDER / str(pid)).touch()


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def answer(turn, **action):
    say(json.dumps({"type": "action", "id": turn["id"], **action}))


def forever():
    while True:
        time.sleep(1)


def flood_errors():
    while True:
        os.write(2, b"complaint\n" * 6000)


def act(turn, n):
    if FAULT == "crash-once" and len(list(FOLDER.iterdir())) == 1:
        sys.exit("out of ideas")
    elif FAULT == "hang":
        forever()
    elif FAULT == "crash":
        sys.stderr.write("out of ideas\n")
        sys.exit(3)
    elif FAULT == "crash-at-third" and n == 3:
        os.kill(os.getpid(), signal.SIGSEGV)
    elif FAULT == "garbage":
        os.write(1, b"\xff?!\x00\n")
    elif FAULT == "list":
        say("[1, 2, 3]")
    elif FAULT == "nested":
        say("[" * 50_000)
    elif FAULT == "garbage-first":
        say("thinking")
        answer(turn, action="call")
    elif FAULT == "action-is-a-list":
        deep = "[" * 900 + "]" * 900
        say(f'{{"type": "action", "id": {turn["id"]}, "action": {deep}}}')
    elif FAULT == "late":
        time.sleep(0.15)
        answer(turn, action="call")
    elif FAULT == "wrong-number":
        say(json.dumps({"type": "action", "id": turn["id"] + 5, "action": "call"}))
        answer(turn, action="call")
    elif FAULT == "twice":
        answer(turn, action="call")
        answer(turn, action="call")
    elif FAULT == "flood-lines":
        while True:
            os.write(1, b"spam\n" * 1000)
    elif FAULT == "flood-one-line":
        while True:
            os.write(1, b"spam" * 1000)
    elif FAULT.startswith("line-of-"):
        say(json.dumps({"type": "news"}).ljust(int(FAULT.removeprefix("line-of-"))))
        answer(turn, action="call")
    elif FAULT == "cannot-start-again":
        sys.exit("out of ideas")
    elif FAULT == "close-input":
        os.close(0)
        answer(turn, action="call")
        forever()
    elif FAULT == "close-output":
        os.close(1)
        forever()
    elif FAULT == "never-read":
        answer(turn, action="call")
        forever()
    elif FAULT == "illegal-word":
        answer(turn, action="bet")
    elif FAULT == "illegal-amount":
        answer(turn, action="raise", to=turn["max_raise_to"] + 1)
    elif FAULT == "illegal-number":
        answer(turn, action="raise", to=10.5)
    elif FAULT == "illegal-truth":
        answer(turn, action="raise", to=True)
    elif FAULT == "illegal-check":
        answer(turn, action="check")
    else:
        answer(turn, action="call")


def main(fault, folder):
    global FAULT, FOLDER
    FAULT, FOLDER = fault, Path(folder)
    if FAULT == "cannot-start-again" and any(FOLDER.iterdir()):
        sys.exit("no weights left")
    note_pid(os.getpid())
    if FAULT == "hang-at-start":
        forever()
    if FAULT == "crash-at-start":
        sys.exit("no weights found")
    if FAULT in ("stubborn", "stubborn-and-deaf"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if FAULT == "flood-errors":
        threading.Thread(target=flood_errors, daemon=True).start()
    if FAULT == "child":
        child = subprocess.Popen(["sleep", "1000"], stdin=subprocess.DEVNULL)
        note_pid(child.pid)
    if FAULT == "child-session":
        child = subprocess.Popen(
            ["sleep", "1000"], stdin=subprocess.DEVNULL, start_new_session=True
        )
        note_pid(child.pid)
    if FAULT == "child-daemon":
        leave = "import os, subprocess, sys; os.setsid();"
        leave += "print(subprocess.Popen(['sleep', '1000']).pid)"
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE}
        with subprocess.Popen([sys.executable, "-I", "-S", "-c", leave], **quiet) as parent:
            note_pid(int(parent.stdout.readline()))
    n = 0
    while line := sys.stdin.readline():
        message = json.loads(line)
        if message["type"] == "hello":
            say(json.dumps({"type": "ready", "name": FAULT}))
        elif message["type"] == "act":
            n += 1
            act(message, n)
        elif message["type"] == "hand_start" and FAULT == "out-of-turn":
            say(json.dumps({"type": "action", "id": 0, "action": "fold"}))
    if FAULT == "stubborn":
        forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
