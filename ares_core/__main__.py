"""Run the command line: python -m ares_core."""

from __future__ import annotations

import sys

from ares_core.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
