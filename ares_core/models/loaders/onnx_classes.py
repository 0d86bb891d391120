"""Read the class names of a ZipMap from an ONNX file; only these few fields of its protocol buffers are looked at."""

from __future__ import annotations

from collections.abc import Iterator

from ares_core.models.raw import Label

_GRAPH, _NODE = 7, 1  # fields of a model and of a graph
_OUTPUT, _OPERATOR, _ATTRIBUTE = 2, 4, 5  # of a node
_NAME, _INTEGERS, _STRINGS = 1, 8, 9  # of an attribute
_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5  # how a field is written


def zipmap_classes(content: bytes, output: str) -> tuple[Label, ...]:
    """Return the classes of the ZipMap node that makes an output, in the order of its scores; empty if none does."""
    for node in _parts(content, _GRAPH, _NODE):
        fields = list(_fields(node))
        named = {number: value for number, value in fields if number in (_OUTPUT, _OPERATOR)}
        if named.get(_OPERATOR) == b"ZipMap" and named.get(_OUTPUT) == output.encode():
            return tuple(_labels([bytes(value) for number, value in fields if number == _ATTRIBUTE]))
    return ()


def _labels(attributes: list[bytes]) -> Iterator[Label]:
    for attribute in attributes:
        fields = list(_fields(attribute))
        name = next((value for number, value in fields if number == _NAME), b"")
        if name == b"classlabels_strings":
            yield from (bytes(value).decode() for number, value in fields if number == _STRINGS)
        elif name == b"classlabels_int64s":
            for number, value in fields:
                if number == _INTEGERS:
                    yield from _integers(value)


def _integers(value: bytes | int) -> Iterator[int]:
    """Yield signed numbers, whether written one by one or packed together."""
    if isinstance(value, int):
        yield _signed(value)
        return
    place = 0
    while place < len(value):
        number, place = _varint(value, place)
        yield _signed(number)


def _signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number


def _parts(content: bytes, *numbers: int) -> Iterator[bytes]:
    """Yield the parts found by following field numbers down from the whole."""
    if not numbers:
        yield content
        return
    for number, value in _fields(content):
        if number == numbers[0] and isinstance(value, bytes):
            yield from _parts(value, *numbers[1:])


def _fields(content: bytes) -> Iterator[tuple[int, bytes | int]]:
    """Yield the number and the value of each field."""
    place = 0
    while place < len(content):
        tag, place = _varint(content, place)
        value: bytes | int
        if tag & 7 == _VARINT:
            value, place = _varint(content, place)
        else:
            length, place = _length(content, place, tag & 7)
            value, place = content[place : place + length], place + length
        yield tag >> 3, value


def _length(content: bytes, place: int, way: int) -> tuple[int, int]:
    if way == _BYTES:
        return _varint(content, place)
    if way not in (_EIGHT_BYTES, _FOUR_BYTES):
        raise ValueError("a field written in an unknown way")
    return (8 if way == _EIGHT_BYTES else 4), place


def _varint(content: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = content[place]
        value |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if byte < 0x80:
            return value, place
