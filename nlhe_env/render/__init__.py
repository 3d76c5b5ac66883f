"""Pictures and text of a table."""
