"""``python -m agents``."""

import os
import signal

# While it loads, nothing can be lost: Ctrl-C ends it there and then.
signal.signal(signal.SIGINT, lambda number, frame: os._exit(130))

from agents.commands.main import main  # noqa: E402
from nlhe_env.system.command_interrupts import run_program  # noqa: E402

run_program(main)
