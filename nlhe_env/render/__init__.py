"""Images and text of a table."""
