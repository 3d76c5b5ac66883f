"""Runs in the browser: ``nlhe serve``.

``viewed_run`` reads the files of a running run, independently of
HTTP. ``pages`` adds them to the web application of ``agents.web``. This package never writes to a
run folder.
"""
