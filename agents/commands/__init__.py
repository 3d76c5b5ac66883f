"""Commands of ``python -m agents``, also available in ``nlhe``."""
