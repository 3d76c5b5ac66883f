"""The exact strength tables: how hands are numbered, built, stored and looked up."""
