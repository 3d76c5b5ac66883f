"""Runs in the browser: ``python -m evolve watch``.

``lines``, ``contents`` and ``viewed_run`` read the files of a run while it goes on and know nothing
of HTTP; ``pages`` adds them to the web application of ``agents.web``. Nothing here ever writes into
a run folder.
"""
