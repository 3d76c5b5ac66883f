"""``python -m evolve``."""

import os
import signal

# While it loads, nothing can be lost: Ctrl-C ends it there and then.
signal.signal(signal.SIGINT, lambda number, frame: os._exit(130))

try:
    from evolve.commands.main import main
    from nlhe_env.system.command_interrupts import run_program
except ImportError:
    from nlhe_env.extras import check_agents

    check_agents()  # another package may have its name
    raise

run_program(main)
