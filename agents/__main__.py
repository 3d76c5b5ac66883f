"""``python -m agents``."""

import sys

from agents.commands.main import main

sys.exit(main())
