"""Bits: sets of people packed 64 to a word, and counted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.recourse.bits import count, pack


@given(st.integers(0, 5), st.integers(0, 200), st.integers(0, 2**32 - 1))
def test_packing_keeps_every_person_of_every_set(sets: int, people: int, seed: int) -> None:
    """Bit p of word w of a set is person 64·w + p, and the bits beyond the last person are empty."""
    masks = np.random.default_rng(seed).random((sets, people)) < 0.5
    bits = pack(masks)
    assert bits.shape == (max(1, -(-people // 64)), sets)
    assert bits.dtype == np.uint64
    for number in range(sets):
        whole = sum(int(word) << 64 * place for place, word in enumerate(bits[:, number]))
        assert whole == sum(1 << person for person in range(people) if masks[number, person])


@pytest.mark.parametrize("people", [0, 1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 1000])
def test_counting_bits_counts_people(people: int) -> None:
    """The count of a packed set is its number of people, whatever the size of the last word."""
    masks = np.random.default_rng(people).random((7, people)) < 0.4
    masks[0], masks[1] = False, True
    counted = count(pack(masks))
    assert counted.tolist() == [sum(map(bool, row)) for row in masks]
    assert counted.tolist()[:2] == [0, people]


@given(st.integers(1, 150), st.integers(0, 2**32 - 1))
def test_intersections_of_bits_are_intersections_of_sets(people: int, seed: int) -> None:
    """And-ing words and counting gives the size of the intersection."""
    first, second = np.random.default_rng(seed).random((2, 4, people)) < 0.6
    assert count(pack(first) & pack(second)).tolist() == [int(n) for n in (first & second).sum(axis=1)]


def test_more_people_than_a_byte_can_count_are_counted() -> None:
    """A set of 40,000 people is counted as such."""
    assert count(pack(np.ones((2, 40_000), dtype=bool))).tolist() == [40_000, 40_000]
