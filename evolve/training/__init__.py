"""The training loop, with its configuration, state and folder."""
