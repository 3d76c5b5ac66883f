"""The commands of ``python -m agents``, which ``nlhe`` has too."""
