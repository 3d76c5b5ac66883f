"""Training by the methods of one publication each; see ``agents.rooms``."""
