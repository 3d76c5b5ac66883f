"""Action topographies: probabilities of actions as a map over strength and cost."""
