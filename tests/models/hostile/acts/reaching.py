"""Reaching for files, the network and other processes."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

OUT = "got out"


def system_call(number, *arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    result = libc.syscall(number, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return [OUT]


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
