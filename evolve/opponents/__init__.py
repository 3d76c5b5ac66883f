"""Whom candidates meet: halls of fame, pools, fixed players."""
