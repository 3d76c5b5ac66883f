"""Published experiments over several seeds, with reports."""
