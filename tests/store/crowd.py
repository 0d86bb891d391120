"""A crowd of experts in a process of its own, made to be killed: answers from several threads, and who heard "saved".

    python -m tests.store.crowd URL < tasks

Each line of stdin is an expert and the first answer to send; from then on each sends one answer after the other. An
id is printed only after the store has said that it is saved.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random

from ares_core.errors import StoreError
from ares_core.store import Given, Item, Store, Study
from ares_core.store.backup import check
from tests.patience import PATIENCE
from tests.store.postgres import Server

MOST_HEARD = 150  # answers before a kill
TOP = Path(__file__).resolve().parents[2]


def numbered(expert: str, number: int) -> Given:
    """Return an expert's answer of a number; the same one whenever it is asked for."""
    return Given(id=f"{expert}-{number}", expert=expert, first="savings", second="job", verdict="harder")


def answer_on(store: Store, expert: str, begin: int) -> None:
    """Send answers for ever; one that fails is sent again, as a browser would."""
    for number in count(begin):
        sent = numbered(expert, number)
        while True:
            try:
                store.studies.save(sent)
                break
            except StoreError:
                time.sleep(0.02)
        os.write(1, f"{sent.id}\n".encode())  # whole lines, unbuffered: a kill takes back no acknowledgement


@dataclass(slots=True)
class Tally:
    """What all rounds came to."""

    rounds: int = 0
    acknowledged: int = 0
    lost: int = 0
    repeated: int = 0
    unheard: int = 0
    damaged: int = 0
    heard: dict[str, int] = field(default_factory=dict)

    @property
    def clean(self) -> bool:
        """Whether nothing was lost, doubled or damaged."""
        return self.lost == self.repeated == self.damaged == 0


class Trial:
    """Rounds of killing: the crowd on SQLite, the server below it on PostgreSQL.

    Parameters
    ----------
    url
        An empty database.
    server
        What is killed; None to kill the crowd itself.
    """

    def __init__(self, url: str, server: Server | None, *, threads: int = 6, seed: int = 0) -> None:
        self._url, self._server, self._random = url, server, Random(seed)
        store = Store(url)
        self._study: Study = store.studies.create("Trial", _items())
        self.tally = Tally()
        self.tally.heard = {store.studies.invite(self._study.id, str(number)).id: -1 for number in range(threads)}
        store.close()

    def run(self, rounds: int) -> None:
        """Kill so many times; while one crowd answers, the next one starts, which would else be most of a round."""
        crowd = self._start()
        for left in reversed(range(rounds)):
            ahead = self._start() if left else crowd
            self._round(crowd)
            crowd = ahead

    def _round(self, crowd: subprocess.Popen[str]) -> None:
        """Let a crowd answer, kill after a random number of answers, and look at what is stored."""
        self._send_off(crowd)
        watchdog = threading.Timer(PATIENCE, crowd.kill)  # a crowd that hangs is heard of no more
        watchdog.start()
        heard = self._listen(crowd)
        if self._server is not None:
            self._server.kill()
            self._server.start()
            heard += self._listen(crowd)  # the crowd goes on by itself
        crowd.kill()
        watchdog.cancel()
        heard += crowd.communicate()[0].splitlines()
        self._judge([line.strip() for line in heard if line.strip()])

    def _listen(self, crowd: subprocess.Popen[str]) -> list[str]:
        """Return the next answers that were saved, a random number of them."""
        assert crowd.stdout is not None
        return [crowd.stdout.readline() for _ in range(self._random.randint(7, MOST_HEARD))]

    def _start(self) -> subprocess.Popen[str]:
        """Start a crowd, which waits for its tasks."""
        return subprocess.Popen(
            [sys.executable, "-m", "tests.store.crowd", self._url],
            cwd=TOP,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def _send_off(self, crowd: subprocess.Popen[str]) -> None:
        """Let a crowd begin; each expert sends the first answer again of which nobody heard that it was saved."""
        tasks = "".join(f"{expert} {last + 1}\n" for expert, last in self.tally.heard.items())
        assert crowd.stdin is not None
        crowd.stdin.write(tasks)
        crowd.stdin.close()
        crowd.stdin = None
        return crowd

    def _judge(self, heard: Sequence[str]) -> None:
        tally = self.tally
        for line in heard:
            expert, _, number = line.rpartition("-")
            tally.heard[expert] = max(tally.heard[expert], int(number))
        store = Store(self._url)
        stored = Counter(given.id for given in store.studies.history(self._study.id))
        store.close()
        promised = {f"{expert}-{number}" for expert, last in tally.heard.items() for number in range(last + 1)}
        tally.rounds += 1
        tally.acknowledged = len(promised)
        tally.lost = len(promised - set(stored))
        tally.repeated += sum(times - 1 for times in stored.values())
        tally.unheard += len(set(stored) - promised)
        try:
            tally.damaged += check(self._url)["answers"] != len(stored)
        except StoreError:
            tally.damaged += 1


def _items() -> tuple[Item, ...]:
    return tuple(Item(name, name.title()) for name in ("savings", "job"))


def main() -> None:
    """Answer until killed."""
    tasks = [line.split() for line in sys.stdin]
    store = Store(sys.argv[1])
    for expert, begin in tasks:
        threading.Thread(target=answer_on, args=(store, expert, int(begin))).start()


if __name__ == "__main__":
    main()
