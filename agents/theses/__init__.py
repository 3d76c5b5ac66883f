"""Players of one publication each; see ``agents.rooms``."""
