"""Documents that are made, not written: docs/commands.md, and the console blocks of README.md.

    python -m tests.docs

writes both anew from the parser and from real output; tests/test_docs.py holds that nothing would change.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory

from ares_core.arguments import build_parser
from ares_core.cli import COMMANDS
from ares_core.settings import PRESETS, Settings
from tests.patience import PATIENCE

TOP = Path(__file__).resolve().parent.parent
README, COMMANDS_PAGE = TOP / "README.md", TOP / "docs/commands.md"
BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
# A command begins with a dollar sign and goes on while lines end with a backslash; its output follows.
STEP = re.compile(r"^\$ (?P<command>(?:.*\\\n)*.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)
DEFAULT = re.compile(r" \(default: (?P<said>.*)\)$")
OPENING = """\
# Commands

Made from the program itself by `python -m tests.docs`; a test keeps it in step. In front of each command stands
`python -m ares_core`. Text goes to stdout, progress to stderr. Exit code 0 means done, 2 bad input (one sentence
and a hint on stderr, nothing written), 130 interrupted.
"""


def steps(text: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of all console blocks, in order, each with the output written below it."""
    for block in BLOCK.findall(text):
        for step in STEP.finditer(block):
            yield step["command"], step["output"]


def run_all(commands: list[str], folder: Path) -> list[str]:
    """Run commands one after the other in a folder that looks like the project's, and return what each prints."""
    (folder / "ares_core").symlink_to(TOP / "ares_core")
    environment = {**os.environ, "PYTHON": sys.executable, "PYTHONPATH": str(TOP), "PYTHONIOENCODING": "utf-8"}
    printed = []
    for command in commands:
        script = f'python() {{ "$PYTHON" "$@"; }}\n{command}\n'
        done = subprocess.run(
            ["sh", "-c", script],
            cwd=folder,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=True,
        )
        printed.append(done.stdout.rstrip("\n") + "\n" if done.stdout else "")
    return printed


def with_real_output(text: str, folder: Path) -> str:
    """Return a document with the output of every command in its console blocks made anew."""
    printed = iter(run_all([command for command, _ in steps(text)], folder))

    def renewed(step: re.Match[str]) -> str:
        return f"$ {step['command']}\n{next(printed)}"

    return BLOCK.sub(lambda block: STEP.sub(renewed, block[0]), text)


def subparsers() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of each command."""
    actions = build_parser(COMMANDS)._actions
    return dict(next(action.choices for action in actions if isinstance(action, argparse._SubParsersAction)))


def arguments(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return what a command takes, help aside."""
    return [action for action in parser._actions if action.dest != "help"]


def commands_page() -> str:
    """Return the text of docs/commands.md."""
    parts = [OPENING]
    for name, parser in subparsers().items():
        rows = [_row(action) for action in arguments(parser)]
        parts.append(
            f"## {name}\n{parser.description}\n\n| argument | meaning | default | from the paper |\n"
            "|---|---|---|---|\n" + "".join(rows) + _exclusive(parser)
        )
    presets = "".join(
        f"| `{name}` | {weights.correctness:g}, {weights.coverage:g}, {weights.feature_cost:g}, "
        f"{weights.feature_change:g} | {text} |\n"
        for name, (weights, text) in PRESETS.items()
    )
    parts.append(f"## Presets\n| preset | weights | meaning |\n|---|---|---|\n{presets}")
    return "\n".join(parts)


def _row(action: argparse.Action) -> str:
    rules = {item.name: item.metadata for item in fields(Settings)}
    rule = rules.get(action.dest, {"symbol": "", "low": None})
    text = DEFAULT.sub("", action.help or "").replace("%%", "%").rstrip(".")
    words = text[:1].upper() + text[1:]
    if action.choices:
        words += (": " if words else "") + ", ".join(f"`{choice}`" for choice in action.choices)
    if rule["low"] is not None:
        words += f" ({rule['low']:,.10g} to {rule['high']:,.10g})"
    words += "; may be given several times" if isinstance(action.default, list) else ""
    return f"| `{_named(action)}` | {words or 'The file to read'} | {_default(action)} | {rule['symbol']} |\n"


def _default(action: argparse.Action) -> str:
    if action.default is None or isinstance(action.default, bool | list):
        said = DEFAULT.search(action.help or "")  # a default that depends on other options is only said
        return said["said"] if said else "required" if action.required and action.option_strings else ""
    return f"`{action.default}`"


def _named(action: argparse.Action) -> str:
    if not action.option_strings:
        return str(action.metavar)
    takes = action.nargs != 0
    word = str(action.metavar or action.dest.upper())
    return action.option_strings[0] + (f" {word}" if takes else "")


def _exclusive(parser: argparse.ArgumentParser) -> str:
    """Say which arguments exclude one another."""
    lines = []
    for group in parser._mutually_exclusive_groups:
        names = ", ".join(f"`{action.option_strings[0]}`" for action in group._group_actions)
        lines.append(f"\n{'Exactly' if group.required else 'At most'} one of {names}.\n")
    return "".join(lines)


if __name__ == "__main__":
    with TemporaryDirectory() as place:
        README.write_text(with_real_output(README.read_text("utf-8"), Path(place)), "utf-8")
    COMMANDS_PAGE.write_text(commands_page(), "utf-8")
