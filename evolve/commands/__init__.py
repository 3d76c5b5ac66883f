"""The commands of ``python -m evolve``, which ``nlhe`` has too."""
