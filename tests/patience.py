"""How long a test waits for something that must happen."""

from __future__ import annotations

PATIENCE = 300.0  # seconds; whatever takes longer hangs. No test passes or fails by a shorter time.
