"""``python -m evolve``."""

import signal
import sys

try:
    from agents.commands.interruption import run_program
    from evolve.commands.main import main
except KeyboardInterrupt:  # while it loads
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(130)

run_program(main)
