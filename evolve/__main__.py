"""``python -m evolve``."""

import sys

from evolve.commands.main import main

sys.exit(main())
