"""The experiments with halls of fame, and their study over seeds."""
