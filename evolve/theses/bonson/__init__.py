"""Evolution of teams by symbiosis."""
