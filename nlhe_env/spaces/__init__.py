"""What a player may do and see: actions, bet sizes, observations."""
