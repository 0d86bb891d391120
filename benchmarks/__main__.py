"""Run the benchmarks, print what they find, and write it to docs/benchmarks.md.

Run every part with ``python -m benchmarks``, one part on one table with ``python -m benchmarks fast --only german``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from benchmarks import dashboard, durability, elicitation, experts, fast, growth, honest, optimal, recovery, sandbox
from benchmarks.cases import CASES, TOP, Case, available, data_folder
from benchmarks.measure import machine
from benchmarks.report import Section, rewrite

Part = Callable[[Sequence[Case], Path, tuple[str, ...]], Section]
PARTS: dict[str, Part] = {
    "optimal": optimal.run,
    "fast": fast.run,
    "growth": growth.run,
    "honest": honest.run,
    "costs": recovery.run,
    "elicitation": elicitation.run,
    "durability": durability.run,
    "sandbox": sandbox.run,
    "dashboard": dashboard.run,
    "experts": experts.run,
}
PAGE = TOP / "docs" / "benchmarks.md"
PREAMBLE = """# Benchmarks

Written by `make bench`; a part run alone (`python -m benchmarks fast`) rewrites its own section. Seconds depend on the
machine and on what else it does; ratios hardly do. The tables are not part of this project: they are looked for in
`../shared/data`, or where `--data` or the variable `ARES_BENCH_DATA` says.

Measured with {machine}
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the arguments ask for."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    strange = [name for name in asked.part if name not in PARTS]
    if strange:
        parser.error(f"there is no part {strange[0]!r}; use {', '.join(PARTS)}")
    parts = PARTS | {"experts": partial(experts.run, seconds=asked.seconds)}
    folder = data_folder(asked.data)
    cases, left_out = available(folder, asked.only)
    sections = []
    for name in asked.part or PARTS:
        section = parts[name](cases, folder, left_out)
        print(section.markdown(), flush=True)
        sections.append(section)
    # What was measured on some of the tables, or for less time, must not replace what was measured in full.
    whole = [section for section in sections if not asked.only and not section.left_out]
    if whole:
        rewrite(PAGE, PREAMBLE.format(machine=machine()), whole, tuple(PARTS))
        print(f"Written to {PAGE.relative_to(TOP)}: {', '.join(section.name for section in whole)}.")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure what the engine promises.")
    parser.add_argument("part", nargs="*", help=f"{', '.join(PARTS)}; all when none is named")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        choices=[case.name for case in CASES],
        help="only this table; may be repeated; nothing is written then",
    )
    parser.add_argument("--data", help="the folder with the tables")
    parser.add_argument(
        "--seconds",
        type=float,
        default=experts.SECONDS,
        help=f"how long experts answer under each load; nothing is written of fewer than {experts.SECONDS:g}",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
