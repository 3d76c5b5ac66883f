"""Behaviour of players: actions, adaptation, beliefs, the importance of inputs."""
