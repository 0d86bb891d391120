"""Sets of people as bits, 64 to a word; word-major, so that counting runs along long rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.uint64]


def pack(masks: NDArray[np.bool_]) -> Bits:
    """Pack (sets, people) booleans into (words, sets); nobody takes one word too."""
    sets, people = masks.shape
    words = max(1, -(-people // 64))
    padded = np.zeros((sets, words * 8), dtype=np.uint8)
    padded[:, : -(-people // 8)] = np.packbits(masks, axis=1, bitorder="little")
    return np.ascontiguousarray(padded.view(np.uint64).T)


def count(bits: Bits) -> NDArray[np.int32]:
    """Count the people of each set of (words, sets)."""
    total = np.zeros(bits.shape[1:], dtype=np.int32)
    for word in bits:
        total += np.bitwise_count(word)
    return total
