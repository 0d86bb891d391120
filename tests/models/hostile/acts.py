"""What a hostile model does when it is asked: the source of this module travels in a pickle, and runs in the sandbox.

Each act takes the rows it was asked about and the path or address it is after. What gets through is returned as the
label "got out"; a lock shows as an error, or as labels that say nothing.
"""

from __future__ import annotations

import ctypes
import io
import itertools
import json
import os
import pickle
import resource
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np

OUT = "got out"
REPLY_PIPES = range(3, 20)


class Hostile:
    """A model whose rows say what it should do."""

    classes_ = np.array(["no", "yes"])

    def predict(self, frame):
        act, where = frame["act"].iloc[0], frame["where"].iloc[0]
        return globals()[act](frame, where)

    def predict_proba(self, frame):
        return self.predict(frame)


def system_call(number, *arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    result = libc.syscall(number, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return [OUT]


# ---------------------------------------------------------------- an honest day


def honest(frame, where):
    return np.array(["yes"] * len(frame))


# ---------------------------------------------------------------- reaching for files


def read_a_file(frame, where):
    Path(where).read_bytes()
    return [OUT]


def read_by_a_system_call(frame, where):
    return system_call(2, where.encode(), 0)


def list_a_folder(frame, where):
    os.listdir(Path(where).parent)
    return [OUT]


def read_the_users(frame, where):
    return read_a_file(frame, "/etc/passwd")


def read_memory_of_its_parent(frame, where):
    return read_a_file(frame, f"/proc/{os.getppid()}/mem")


def read_the_environment(frame, where):
    """The server's secrets are in the environment of the parent, and must not be in this one."""
    found = [OUT for name in os.environ if "SECRET" in name]
    for place in ("/proc/self/environ", f"/proc/{os.getppid()}/environ"):
        try:
            found += [OUT] if b"SECRET" in Path(place).read_bytes() else []
        except OSError:
            pass
    return (found or ["nothing"]) * len(frame)


def write_a_file(frame, where):
    Path(where).write_text("changed")
    return [OUT]


def create_a_file(frame, where):
    Path(where + ".new").write_text("made")
    return [OUT]


def delete_a_file(frame, where):
    os.unlink(where)
    return [OUT]


def rename_a_file(frame, where):
    os.rename(where, where + ".moved")
    return [OUT]


def truncate_a_file(frame, where):
    os.truncate(where, 0)
    return [OUT]


def make_a_folder(frame, where):
    os.mkdir(where + ".folder")
    return [OUT]


def make_a_link(frame, where):
    os.symlink(where, where + ".link")
    return [OUT]


def change_rights(frame, where):
    os.chmod(where, 0o777)
    return [OUT]


def fill_shared_memory(frame, where):
    with open("/dev/shm/ares-hostile", "wb") as file:
        for _ in range(2_000):
            file.write(bytes(1 << 20))
    return [OUT]


def fill_the_root(frame, where):
    with open("/ares-hostile", "wb") as file:
        for _ in range(2_000):
            file.write(bytes(1 << 20))
    return [OUT]


def make_a_file_in_memory(frame, where):
    os.memfd_create("ares-hostile")
    return [OUT]


# ---------------------------------------------------------------- reaching for the network


def connect_by_tcp(frame, where):
    with socket.create_connection(("127.0.0.1", int(where)), timeout=2):
        return [OUT]


def send_by_udp(frame, where):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.sendto(b"secret", ("127.0.0.1", int(where)))
    return [OUT]


def connect_by_unix(frame, where):
    with socket.socket(socket.AF_UNIX) as unix:
        unix.connect(where)
    return [OUT]


def connect_by_an_abstract_name(frame, where):
    with socket.socket(socket.AF_UNIX) as unix:
        unix.connect("\0" + where)
    return [OUT]


def make_a_pair_of_sockets(frame, where):
    socket.socketpair()
    return [OUT]


def listen_on_a_port(frame, where):
    socket.create_server(("127.0.0.1", 0))
    return [OUT]


def look_a_name_up(frame, where):
    socket.getaddrinfo("localhost", 80)
    return [OUT]


# ---------------------------------------------------------------- reaching for processes


def run_a_command(frame, where):
    subprocess.run(["/bin/true"], check=True)
    return [OUT]


def run_a_shell(frame, where):
    if os.system("/bin/true") != 0:
        raise PermissionError("the shell did not start")
    return [OUT]


def become_another_program(frame, where):
    os.execv("/bin/true", ["true"])


def become_python(frame, where):
    os.execv(sys.executable, [sys.executable, "-c", ""])


def fork_once(frame, where):
    if os.fork() == 0:
        os._exit(0)
    return [OUT]


def fork_bomb(frame, where):
    while True:
        os.fork()


def thread_bomb(frame, where):
    while True:
        threading.Thread(target=time.sleep, args=(60,)).start()


def kill_its_parent(frame, where):
    os.kill(os.getppid(), signal.SIGKILL)
    return [OUT]


def kill_everybody(frame, where):
    os.kill(-1, signal.SIGKILL)
    return [OUT]


def signal_a_thread_of_another(frame, where):
    return system_call(234, os.getppid(), os.getppid(), signal.SIGKILL)


def leave_its_session(frame, where):
    os.setsid()
    return [OUT]


def outlive_its_parent(frame, where):
    if ctypes.CDLL(None).prctl(1, 0, 0, 0, 0) != 0:
        raise PermissionError("the kernel still ends it with its parent")
    return [OUT]


def raise_its_limits(frame, where):
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except ValueError as error:
        raise PermissionError(str(error)) from error
    return [OUT]


def trace_its_parent(frame, where):
    return system_call(101, 16, os.getppid(), 0, 0)


def read_another_process(frame, where):
    return system_call(310, os.getppid(), 0, 0, 0, 0, 0)


def mount_something(frame, where):
    return system_call(165, b"tmpfs", b"/", b"tmpfs", 0, 0)


def make_a_namespace(frame, where):
    return system_call(272, 0x10000000)


def use_io_uring(frame, where):
    return system_call(425, 8, ctypes.create_string_buffer(200))


def load_a_kernel_program(frame, where):
    return system_call(321, 0, ctypes.create_string_buffer(200), 120)


def become_root(frame, where):
    os.setuid(0)
    return [OUT]


# ---------------------------------------------------------------- taking time, memory and the process itself


def endless_loop(frame, where):
    while True:
        pass


def endless_without_letting_go(frame, where):
    return sum(itertools.repeat(0))  # in C, where no other thread of Python gets a turn


def sleep_for_ever(frame, where):
    time.sleep(10_000)


def ignore_signals(frame, where):
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    time.sleep(10_000)


def take_six_gigabytes(frame, where):
    return len(bytearray(6_000_000_000))


def take_memory_bit_by_bit(frame, where):
    hoard = []
    while True:
        hoard.append(bytes(1_000_000))


def take_memory_as_an_array(frame, where):
    return np.ones(800_000_000)


def recurse(frame, where):
    return recurse(frame, where)


def recurse_without_a_limit(frame, where):
    """Each call goes through C, so that it is the stack of the machine that ends."""

    def deeper(value):
        return max([value], key=deeper)

    sys.setrecursionlimit(1_000_000_000)
    return deeper(0)


def leave_politely(frame, where):
    sys.exit(0)


def leave_at_once(frame, where):
    os._exit(0)


def crash(frame, where):
    ctypes.string_at(0)


def abort(frame, where):
    os.abort()


def call_in_the_old_way(frame, where):
    """Thirty-two-bit calls have other numbers: number 11 there starts a program."""
    code = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"  # mov eax, 20 (getpid); int 0x80; ret
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    page = libc.mmap(None, 4096, 7, 0x22, -1, 0)
    ctypes.memmove(page, code, len(code))
    ctypes.CFUNCTYPE(ctypes.c_int)(page)()
    return [OUT]


def raise_an_error(frame, where):
    raise ValueError("the column 'income' is odd")


def raise_an_interrupt(frame, where):
    raise KeyboardInterrupt


def raise_a_long_error(frame, where):
    raise ValueError("\x1b[31m\u202e" + "a very long story " * 1_000_000)


def raise_an_error_that_has_no_words(frame, where):
    class Speechless(Exception):
        def __str__(self):
            raise RuntimeError("no words")

    raise Speechless


# ---------------------------------------------------------------- answering


def answer_with_160_megabytes(frame, where):
    return np.zeros((len(frame), 160_000_000 // 8 // len(frame)))


def print_200_megabytes(frame, where):
    for _ in range(200):
        sys.stdout.write("x" * 500_000)
        os.write(1, bytes(500_000))
    return honest(frame, where)


def write_frame(*parts):
    """Write to whatever may be the pipe to the parent."""
    body = b"".join(parts)
    for pipe in REPLY_PIPES:
        try:
            os.write(pipe, struct.pack("<Q", len(body)) + body)
        except OSError:
            continue


def forge_an_answer_to_another_question(frame, where):
    write_frame(struct.pack("<cI", b"A", 4_000_000), b"")
    return honest(frame, where)


def forge_a_letter(frame, where):
    write_frame(struct.pack("<cI", b"?", 0), b"")
    return honest(frame, where)


def forge_a_frame_too_short(frame, where):
    write_frame(b"A")
    return honest(frame, where)


def forge_an_endless_frame(frame, where):
    for pipe in REPLY_PIPES:
        try:
            os.write(pipe, struct.pack("<Q", 1 << 60))
        except OSError:
            continue
    return honest(frame, where)


def question_number():
    """Find the number of the question in the frame that asked it."""
    frame = sys._getframe()
    while frame is not None:
        if frame.f_code.co_name == "serve":
            return frame.f_locals["number"]
        frame = frame.f_back
    raise RuntimeError("no number")


def forge(letter, content):
    write_frame(struct.pack("<cI", letter, question_number()), content)
    time.sleep(10_000)


def forge_a_pickle(frame, where):
    forge(b"A", pickle.dumps(np.array([None])))


def forge_an_array_of_objects(frame, where):
    file = io.BytesIO()
    np.save(file, np.array([{}, None, 1], dtype=object), allow_pickle=True)
    forge(b"A", file.getvalue())


def forge_an_array_of_terabytes(frame, where):
    head = b"{'descr': '<f8', 'fortran_order': False, 'shape': (100000000000,), }".ljust(117) + b"\n"
    forge(b"A", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + bytes(80))


def forge_an_array_with_a_deep_head(frame, where):
    head = b"(" * 9_000
    forge(b"A", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head)


def forge_an_error(frame, where):
    """The parent takes it for an orderly refusal, and the process is still at it when the next question comes."""
    forge(b"E", json.dumps(["failed", "\x1b[2J<script>alert(1)</script>" + "a" * 50_000]).encode())


def forge_an_error_of_no_kind(frame, where):
    forge(b"E", json.dumps(["nonsense", "x"]).encode())


def forge_an_error_that_is_not_text(frame, where):
    forge(b"E", b"\xff\xfe{{{{")


def answer_nan(frame, where):
    return np.array([np.nan] * len(frame))


def answer_infinity(frame, where):
    return np.array([np.inf] * len(frame))


def answer_too_few(frame, where):
    return np.array([1] * (len(frame) - 1))


def answer_too_many(frame, where):
    return np.array([1] * (len(frame) + 1))


def answer_a_table(frame, where):
    return np.zeros((len(frame), 2))


def answer_a_cube(frame, where):
    return np.zeros((len(frame), 2, 2))


def answer_a_scalar(frame, where):
    return 1


def answer_text_as_scores(frame, where):
    return np.array(["high"] * len(frame))


def answer_nothing(frame, where):
    return None


def answer_missing_labels(frame, where):
    return [None] * len(frame)


def answer_a_mixture(frame, where):
    return [1, "two", None][: len(frame)]


def answer_dictionaries(frame, where):
    return [{}] * len(frame)


def answer_complex_numbers(frame, where):
    return np.zeros(len(frame), dtype=complex)


def answer_dates(frame, where):
    return np.array(["2020-01-01"] * len(frame), dtype="datetime64[D]")


def answer_a_record(frame, where):
    return np.zeros(len(frame), dtype=[("a", "f8"), ("b", "f8")])


def answer_an_array_that_loops(frame, where):
    class Endless:
        def __array__(self, dtype=None, copy=None):
            while True:
                pass

    return Endless()
