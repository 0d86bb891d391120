"""A hostile model that was loaded reaches nothing, takes no more than it may, and its answers are read with care."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ares_core.errors import ModelError
from ares_core.models.raw import Output
from ares_core.models.sandbox import SandboxedModel
from tests.models.hostile import acts
from tests.models.hostile.acts import reaching
from tests.models.hostile.cells import hurried

SECRET = "a neighbour's secret"
# A file that landlock hides is forbidden; in bubblewrap's world it does not exist, and neither does a server for names.
FORBIDDEN = ("something a model may not do", "No such file or directory", "name resolution")
FILES = (
    "read_a_file",
    "read_by_a_system_call",
    "list_a_folder",
    "read_the_users",
    "read_memory_of_its_parent",
    "write_a_file",
    "create_a_file",
    "delete_a_file",
    "rename_a_file",
    "truncate_a_file",
    "make_a_folder",
    "make_a_link",
    "change_rights",
    "fill_shared_memory",
    "fill_the_root",
    "make_a_file_in_memory",
)
NETWORK = (
    "connect_by_tcp",
    "send_by_udp",
    "connect_by_unix",
    "connect_by_an_abstract_name",
    "make_a_pair_of_sockets",
    "listen_on_a_port",
    "look_a_name_up",
)
PROCESSES = (
    "run_a_command",
    "run_a_shell",
    "become_another_program",
    "become_python",
    "fork_once",
    "fork_bomb",
    "kill_its_parent",
    "kill_everybody",
    "signal_a_thread_of_another",
    "leave_its_session",
    "outlive_its_parent",
    "raise_its_limits",
    "trace_its_parent",
    "read_another_process",
    "mount_something",
    "make_a_namespace",
    "use_io_uring",
    "load_a_kernel_program",
    "become_root",
)
TOO_LONG = ("took longer than the 3 seconds",)
TOO_MUCH = ("takes more memory than the 500 MB",)
# What a model does, and the words that must be in the sentence the user reads.
TAKES = {
    "thread_bomb": ("can't start new thread",),
    "endless_loop": TOO_LONG,
    "endless_without_letting_go": TOO_LONG,
    "sleep_for_ever": TOO_LONG,
    "ignore_signals": TOO_LONG,
    "take_six_gigabytes": TOO_MUCH,
    "take_memory_bit_by_bit": TOO_MUCH,
    "take_memory_as_an_array": TOO_MUCH,
    "recurse": ("RecursionError",),
    "recurse_without_a_limit": ("ended its process", "memory that is not there"),
    "leave_politely": ("failed: SystemExit",),
    "leave_at_once": ("ended its process", "status 0"),
    "crash": ("ended its process", "memory that is not there"),
    "abort": ("ended its process", "gave up on its own data"),
    "call_in_the_old_way": ("ended its process", "a call that is not allowed"),
    "raise_an_error": ("failed: ValueError: the column 'income' is odd.",),
    "raise_an_interrupt": ("failed: KeyboardInterrupt.",),
    "raise_a_long_error": ("failed: ValueError: [31m a very long story", "…"),
    "raise_an_error_that_has_no_words": ("ended its process",),
}
ANSWERS = {
    "answer_with_160_megabytes": ("more than the 8 MB",),
    "forge_an_answer_to_another_question": ("a question that was not asked",),
    "forge_an_endless_frame": ("more than the 8 MB",),
    "forge_a_pickle": ("not an array",),
    "forge_an_array_of_objects": ("not an array",),
    "forge_an_array_of_terabytes": ("another size",),
    "answer_too_few": ("2 labels for 3 rows",),
    "answer_too_many": ("4 labels for 3 rows",),
    "answer_nan": ("answered nan as the label of number 1",),
    "answer_infinity": ("answered inf as the label of number 1",),
    "answer_a_table": ("a table of 3 by 2 values where 3 labels are due",),
    "answer_a_cube": ("not an array",),
    "answer_a_scalar": ("a single value where 3 labels are due",),
    "answer_nothing": ("answered with None",),
    "answer_missing_labels": ("answered with None",),
    "answer_a_mixture": ("answered with None",),
    "answer_dictionaries": ("answered with a dict",),
    "answer_complex_numbers": ("values of the type complex128",),
    "answer_dates": ("values of the type datetime64[D]",),
    "answer_a_record": ("values of the type",),
}
SCORES = {
    "answer_text_as_scores": ("text such as high where scores are due",),
    "answer_too_few": ("2 scores for 3 rows",),
    "answer_nan": ("answered nan as the score of number 1",),
    "answer_a_scalar": ("a single value where 3 scores are due",),
}


@dataclass(frozen=True, slots=True)
class Targets:
    """What is there to be reached: a neighbour's file and servers that listen."""

    file: Path
    tcp: socket.socket
    udp: socket.socket
    unix: socket.socket
    abstract: socket.socket

    def of(self, act: str) -> str:
        """Return what an act is after."""
        match act:
            case "connect_by_tcp":
                return str(self.tcp.getsockname()[1])
            case "send_by_udp":
                return str(self.udp.getsockname()[1])
            case "connect_by_unix":
                return str(self.unix.getsockname())
            case "connect_by_an_abstract_name":
                return bytes(self.abstract.getsockname())[1:].decode()
        return str(self.file)


@pytest.fixture(scope="module")
def targets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Targets]:
    """Return a file beside which nothing else may appear, and servers nobody may reach."""
    folder = tmp_path_factory.mktemp("neighbour")
    file = folder / "secret.txt"
    file.write_text(SECRET, "utf-8")
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as unix,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        udp.bind(("127.0.0.1", 0))
        unix.bind(str(tmp_path_factory.mktemp("socket") / "s"))
        abstract.bind(f"\0{folder.name}-{tcp.getsockname()[1]}")
        for server in (tcp, udp, unix, abstract):
            server.setblocking(False)
        unix.listen()
        abstract.listen()
        yield Targets(file, tcp, udp, unix, abstract)


def rows(act: str, where: str = "") -> pd.DataFrame:
    """Return three rows that ask for an act."""
    return pd.DataFrame({"act": [act] * 3, "where": [where] * 3})


def refused(model: SandboxedModel, act: str, where: str = "", output: Output = "label") -> str:
    """Return the sentence an act ends with, having checked that the next call works."""
    hangs = TAKES.get(act) == TOO_LONG
    try:
        with hurried(model) if hangs else nullcontext(), pytest.raises(ModelError) as caught:
            model.answer(rows(act, where), output)
    finally:
        assert list(model.answer(rows("honest"), "label")) == ["yes"] * 3
    assert caught.value.hint.endswith(".")
    assert len(caught.value.problem) < 500
    assert caught.value.problem.isprintable()
    return caught.value.problem


@pytest.mark.parametrize("act", [*FILES, *NETWORK, *PROCESSES])
def test_what_is_forbidden_is_refused(act: str, hostile: SandboxedModel, targets: Targets) -> None:
    """No file, no connection and no process is within reach, and the user is told that the model tried."""
    problem = refused(hostile, act, targets.of(act))
    assert reaching.OUT not in problem
    assert any(words in problem for words in FORBIDDEN), problem
    assert targets.file.read_text("utf-8") == SECRET
    assert [path.name for path in targets.file.parent.iterdir()] == ["secret.txt"]
    for server in (targets.tcp, targets.unix, targets.abstract):
        with pytest.raises(BlockingIOError):
            server.accept()
    with pytest.raises(BlockingIOError):
        targets.udp.recv(100)


def test_the_environment_of_the_server_is_not_there(hostile: SandboxedModel) -> None:
    """A secret in the server's environment is in no place where a model can read."""
    assert list(hostile.answer(rows("read_the_environment"), "label")) == ["nothing"] * 3


@pytest.mark.parametrize(("act", "words"), TAKES.items(), ids=list(TAKES))
def test_what_takes_too_much_is_ended(act: str, words: tuple[str, ...], hostile: SandboxedModel) -> None:
    """Time, memory, crashes and every way to leave end in a sentence, and the next call works."""
    problem = refused(hostile, act)
    assert [word for word in words if word not in problem] == [], problem


@pytest.mark.parametrize(("act", "words"), ANSWERS.items(), ids=list(ANSWERS))
def test_strange_answers_are_explained(act: str, words: tuple[str, ...], hostile: SandboxedModel) -> None:
    """Whatever comes back instead of one label for each row is refused in one sentence and never unpickled."""
    problem = refused(hostile, act)
    assert [word for word in words if word not in problem] == [], problem


@pytest.mark.parametrize(("act", "words"), SCORES.items(), ids=list(SCORES))
def test_strange_scores_are_explained(act: str, words: tuple[str, ...], hostile: SandboxedModel) -> None:
    """Scores are checked as labels are, and must be numbers."""
    problem = refused(hostile, act, output="score")
    assert [word for word in words if word not in problem] == [], problem


def test_printing_is_no_answer(hostile: SandboxedModel) -> None:
    """Two hundred megabytes of printing reach nobody, and the answer that follows is read as usual."""
    assert list(hostile.answer(rows("print_200_megabytes"), "label")) == ["yes"] * 3


def test_a_table_of_scores_is_fine(hostile: SandboxedModel) -> None:
    """One score for each row and class is an answer."""
    assert np.array_equal(hostile.answer(rows("answer_a_table"), "score"), np.zeros((3, 2)))


def test_a_forged_error_is_cut_and_cleaned(hostile: SandboxedModel) -> None:
    """What the process says went wrong is shown as text of one line; its lie costs the next call, and no other."""
    with pytest.raises(ModelError) as caught:
        hostile.answer(rows("forge_an_error"), "label")
    assert "failed: [2J<script>alert(1)</script>aaa" in caught.value.problem
    assert len(caught.value.problem) < 300
    assert caught.value.problem.isprintable()
    with hurried(hostile), pytest.raises(ModelError, match="took longer"):
        hostile.answer(rows("honest"), "label")
    assert list(hostile.answer(rows("honest"), "label")) == ["yes"] * 3


def test_every_act_is_tried() -> None:
    """No act is left out by mistake."""
    tried = {*FILES, *NETWORK, *PROCESSES, *TAKES, *ANSWERS, *SCORES}
    tried |= {"honest", "read_the_environment", "print_200_megabytes", "answer_a_table", "forge_an_error"}
    made = {
        name
        for module in acts.MODULES
        for name, value in vars(module).items()
        if getattr(value, "__module__", "") == module.__name__
    }
    assert made - tried == {"Hostile", "forge", "question_number", "system_call", "write_frame"}
    assert len(tried) >= 60
