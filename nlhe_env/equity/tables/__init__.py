"""The exact strength tables: numbering of hands, construction, storage and lookup."""
