"""``python -m evolve``."""

import signal
import sys

try:
    from agents.commands.interruption import run_program
    from evolve.commands.main import main
except KeyboardInterrupt:  # while it loads
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(130)
except ImportError:
    from nlhe_env.extras import check_agents

    check_agents()  # another package may have its name
    raise

run_program(main)
