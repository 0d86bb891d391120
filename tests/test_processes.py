"""Frames on a pipe, and children that end."""

from __future__ import annotations

import io
import os
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.processes import LongFrameError, close_pipes, end, read_frame, start, write_frame


def written(*frames: tuple[bytes, ...]) -> io.BytesIO:
    """Return a stream with frames in it, at its beginning."""
    stream = io.BytesIO()
    for parts in frames:
        write_frame(stream, *parts)
    stream.seek(0)
    return stream


@given(st.lists(st.lists(st.binary(max_size=50), max_size=3), max_size=5))
def test_frames_come_back(frames: list[list[bytes]]) -> None:
    """Frames are read as they were written, their parts joined, and then comes the end."""
    stream = written(*map(tuple, frames))
    assert [read_frame(stream, 200) for _ in frames] == [b"".join(parts) for parts in frames]
    assert read_frame(stream, 200) is None


@given(st.binary(min_size=1, max_size=50), st.data())
def test_a_frame_cut_off_is_the_end(body: bytes, data: st.DataObject) -> None:
    """A stream that ends in the middle of a frame has no frame."""
    whole = written((body,)).getvalue()
    cut = data.draw(st.integers(0, len(whole) - 1))
    assert read_frame(io.BytesIO(whole[:cut]), 100) is None


def test_a_long_frame_is_not_read() -> None:
    """Of a frame that says it is longer than allowed, no byte is read."""
    stream = written((bytes(11),))
    with pytest.raises(LongFrameError, match="11 bytes where 10 are allowed"):
        read_frame(stream, 10)
    assert stream.tell() == 8


def test_a_child_is_ended_with_its_group() -> None:
    """A child that ignores everything and its own children are ended, and ending it again is harmless."""
    code = "import os, signal, time; signal.signal(15, signal.SIG_IGN); os.fork(); os.write(1, b'x'); time.sleep(600)"
    child = start([sys.executable, "-c", code], os.environ)
    assert child.stdout is not None
    assert child.stdout.read(2) == b"xx"
    assert end(child) == -9
    assert child.stdout.read() == b"", "somebody still holds the pipe"
    assert end(child) == -9
    close_pipes(child)
