"""Run the paper's experiments and write docs/results.md; what was computed before is not computed again.

Run everything with ``python -m benchmarks.paper``, a short version with ``python -m benchmarks.paper --quick``, and
only write the page from what is there with ``python -m benchmarks.paper --page``.
"""

from __future__ import annotations

import sys

from benchmarks.paper.command import main

if __name__ == "__main__":
    sys.exit(main())
