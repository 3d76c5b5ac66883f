"""What is read from games played: places, leagues, meta-games, progress."""
