"""Plain labels: names that say which answer is favourable, and names that do not."""

from __future__ import annotations

import pytest

from ares_core.models.labels import find_label, plain_label


@pytest.mark.parametrize(
    ("labels", "outcomes", "plain"),
    [
        (("bad", "good"), ("good", "bad"), "good"),
        (("0", "1"), ("0", "1"), "0"),
        (("0", "1"), ("True", "False"), "1"),
        (("False", "True"), ("1", "0"), "True"),
        (("1.0", "0.0"), ("1", "0"), "1.0"),
        (("Approved", "Declined"), ("1", "0"), "Approved"),
        (("not approved", "approved"), (), "approved"),
        (("REFUSED", "GRANTED"), (), "GRANTED"),
        (("granted", "refused"), ("refused", "granted"), "refused"),
        (("refused",), ("granted", "refused"), "granted"),
        (("granted",), ("granted", "refused"), "granted"),
        (("0", "1"), ("good", "bad"), None),
        (("0", "1"), (), None),
        (("yes", "no"), (), None),
        (("approved", "other"), (), None),
        (("approved", "granted"), (), None),
        (("A", "B"), ("good", "bad"), None),
        (("approved",), (), None),
        (("score 1", "score 2"), ("1", "0"), None),
    ],
)
def test_a_label_is_plain_if_it_is_the_outcome_or_both_are_words_for_it(
    labels: tuple[str, ...], outcomes: tuple[str, str] | tuple[()], plain: str | None
) -> None:
    """0 and 1 say nothing to a table whose outcomes are words, and nothing at all without outcomes."""
    assert plain_label(labels, *outcomes) == plain
    assert plain_label(labels[::-1], *outcomes) == plain


def test_a_label_is_found_as_it_is_written_first() -> None:
    """Of labels that mean the same the one written alike is found, and none if none is."""
    assert find_label(["True", "1"], "1") == "1"
    assert find_label(["True", "1.0"], "1") is None
    assert find_label(["Yes", "no"], "yes") == "Yes"
    assert find_label(["inf", "1_0"], "10") is None
