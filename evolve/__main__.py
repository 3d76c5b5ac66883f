"""``python -m evolve``."""

import os
import signal

# While it loads, nothing can be lost: Ctrl-C ends it there and then.
signal.signal(signal.SIGINT, lambda number, frame: os._exit(130))

from nlhe_env.system.command_line import run_command_line  # noqa: E402

run_command_line("evolve.commands.main:main", prog="python -m evolve")
