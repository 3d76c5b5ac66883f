"""How players behave: actions, adaptation, beliefs, the importance of inputs."""
