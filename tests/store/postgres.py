"""A PostgreSQL server of our own: made anew in a folder, on a free port, ended or killed when told."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from tests.patience import PATIENCE

NONE_HERE = "there is no PostgreSQL server on this machine; install Debian's package postgresql"


def find_programs() -> Path | None:
    """Return the folder that the server's programs are in; Debian keeps it off the path."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return next((folder for folder in reversed(folders) if (folder / "postgres").exists()), None)


class Server:
    """A server that anybody on this machine may use, durable as in earnest (fsync is on)."""

    def __init__(self, programs: Path) -> None:
        self._programs, self._names = programs, count(1)
        self._folder = Path(tempfile.mkdtemp(prefix="postgres-"))
        self._as: dict[str, Any] = {}
        if os.getuid() == 0:  # the server refuses to run as root
            user = pwd.getpwnam("postgres")
            os.chown(self._folder, user.pw_uid, user.pw_gid)
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        wishes = ("-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        made: list[str | Path] = [programs / "initdb", "-D", self._folder / "data", *wishes]
        subprocess.run(made, cwd=self._folder, check=True, capture_output=True, **self._as)
        self.start()

    def start(self) -> None:
        """Start, and wait until it answers."""
        places = ("-D", self._folder / "data", "-k", self._folder, "-h", "127.0.0.1", "-p", str(self._port))
        swift = ("-c", "recovery_init_sync_method=syncfs")  # after a kill; one call instead of one for each file
        until = time.monotonic() + PATIENCE
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", *places, *swift],
                cwd=self._folder,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **self._as,
            )
        while not self._answers():
            if time.monotonic() > until or self._process.poll() is not None:
                raise RuntimeError((self._folder / "log").read_text("utf-8")[-2000:])
            time.sleep(0.05)

    def kill(self) -> None:
        """End the server and every process it started with SIGKILL, as a machine that loses power would."""
        parent = self._process.pid
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text("ascii").split()
        for process in (parent, *map(int, children)):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self._process.wait()

    def new_database(self) -> str:
        """Make an empty database and return its address."""
        name = f"store{next(self._names)}"
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self._address(name)

    def close(self) -> None:
        """End it, and remove everything it wrote."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(PATIENCE)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _address(self, name: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self._port}/{name}"

    def _answers(self) -> bool:
        try:
            psycopg.connect(self._address("postgres"), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True
