"""Prior of a Vexbot: its statistics before its first hand."""
