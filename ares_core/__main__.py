"""Run the command line: python -m ares_core."""

from __future__ import annotations

import io
import sys

from ares_core.cli import main

if __name__ == "__main__":
    # Where a stream was closed, what is written to it goes nowhere.
    sys.stdout = sys.stdout or io.StringIO()
    sys.stderr = sys.stderr or io.StringIO()
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that cannot show an arrow shows a question mark rather than nothing at all.
        sys.stdout.reconfigure(errors="replace")
    sys.exit(main(sys.argv[1:]))
