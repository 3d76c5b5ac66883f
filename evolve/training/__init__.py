"""The one loop of a training run, its configuration, state and folder."""
