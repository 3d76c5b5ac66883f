"""Feed-forward and recurrent networks as compiled players."""

from __future__ import annotations

from nlhe_env.system.public_names import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__)
