"""Store commands: back a store up, restore it, check it, delete an audit."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from ares_core.errors import SettingError
from ares_core.store import Store, default_url
from ares_core.store.backup import backup, check, restore

OPERANDS = {"backup": "FILE", "restore": "FILE", "check": None, "delete": "AUDIT"}


def store_command(options: argparse.Namespace) -> str:
    """Do one thing to a store and say what was done."""
    _check_operand(options.action, options.what)
    return ACTIONS[options.action](options.store or default_url(), options.what or "")


def _check_operand(action: str, what: str | None) -> None:
    operand = OPERANDS[action]
    if operand is not None and not what:
        raise SettingError(
            f"The command 'store {action}' needs to know which.", f"Write: python -m ares_core store {action} {operand}"
        )
    if operand is None and what is not None:
        raise SettingError(f"The command 'store {action}' takes nothing, not {what!r}.", f"Leave {what!r} out.")


def _backup(url: str, what: str) -> str:
    return f"{_rows(backup(url, Path(what)))} written to {Path(what).name}.\n"


def _restore(url: str, what: str) -> str:
    return f"{_rows(restore(Path(what), url))} restored from {Path(what).name}.\n"


def _check(url: str, _what: str) -> str:
    counts = [f"{name.replace('_', ' ')} {count:,}" for name, count in check(url).items()]
    return f"The store is whole. Rows: {', '.join(counts)}.\n"


def _delete(url: str, what: str) -> str:
    check(url)  # a database that holds no store is not made into one, nor a damaged one written to
    store = Store(url)
    try:
        store.documents.delete_audit(what)
    finally:
        store.close()
    return "The audit is deleted, with everything that belonged to it alone.\n"


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"


ACTIONS: dict[str, Callable[[str, str], str]] = {
    "backup": _backup,
    "restore": _restore,
    "check": _check,
    "delete": _delete,
}
