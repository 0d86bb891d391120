"""Answering with something else than one label for each row."""

from __future__ import annotations

import io
import json
import os
import pickle
import struct
import sys
import time

import numpy as np

REPLY_PIPES = range(3, 20)


def answer_with_160_megabytes(frame, where):
    return np.zeros((len(frame), 160_000_000 // 8 // len(frame)))


def print_200_megabytes(frame, where):
    for _ in range(200):
        sys.stdout.write("x" * 500_000)
        os.write(1, bytes(500_000))
    return ["yes"] * len(frame)


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
    return ["yes"] * len(frame)


def forge_an_endless_frame(frame, where):
    for pipe in REPLY_PIPES:
        try:
            os.write(pipe, struct.pack("<Q", 1 << 60))
        except OSError:
            continue
    return ["yes"] * len(frame)


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


def forge_an_error(frame, where):
    """The parent takes it for an orderly refusal, and the process is still at it when the next question comes."""
    forge(b"E", json.dumps(["failed", "\x1b[2J<script>alert(1)</script>" + "a" * 50_000]).encode())


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
