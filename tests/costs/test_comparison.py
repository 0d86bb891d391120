"""Comparisons: values, and PAIRS.csv in and out."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.costs import Answer, Comparison, beyond, read_comparisons, write_comparisons
from ares_core.costs.sheet import MAX_BYTES
from ares_core.errors import CostError

Write = Callable[[str | bytes], Path]

plain = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)
awkward = st.text(st.sampled_from("'=+-@\t\r\n\", ;a"), max_size=6)
words = plain | awkward
names = words.filter(str.strip)
pairs = st.tuples(names, names).filter(lambda pair: pair[0] != pair[1])
comparisons = st.builds(
    lambda pair, answer, expert, reason: Comparison(*pair, answer, expert, reason),
    pairs,
    st.sampled_from(Answer),
    words,
    words,
)


def test_the_example_of_the_documentation_is_read(write: Write) -> None:
    """Optional columns, empty answers, ties and "cannot say" mean what the format says."""
    path = write(
        "harder,easier,answer,expert,reason\n"
        "income,bank accounts,,Ada,\n"
        "income,car,tie,Ada,depends on the car\n"
        "\n"
        "age,car,Cannot say,Ben,\n"
    )
    assert read_comparisons(path) == (
        Comparison("income", "bank accounts", Answer.HARDER, "Ada"),
        Comparison("income", "car", Answer.TIE, "Ada", "depends on the car"),
        Comparison("age", "car", Answer.CANNOT_SAY, "Ben"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "harder,easier\na,b\n",
        "\ufeffharder,easier\r\na,b\r\n",
        "easier,harder\nb,a",
        "Harder , EASIER\n a , b \n",
        "harder,easier\ra,b\r",
        'harder,easier\n"a","b"\n',
        "harder,easier,answer\na,b,harder\n",
        "harder,easier\n,\na,b\n",
    ],
)
def test_harmless_spellings_are_read(write: Write, text: str) -> None:
    """A byte order mark, any line ending, capitals in the header, quotes and blanks do not matter."""
    assert read_comparisons(write(text)) == (Comparison("a", "b"),)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "'file.csv' is empty."),
        ("\n\n", "'file.csv' is empty."),
        ("harder\na\n", "no column 'easier'"),
        ("harder;easier\na;b\n", "no column 'harder'; it is 'harder;easier'"),
        ("a,b\n", "no column 'harder'"),
        ("harder,easier,weight\na,b,2\n", "unknown column 'weight'"),
        ("harder,easier,harder\na,b,a\n", "column 'harder' twice"),
        ("harder,easier\na,b\na,b,c\n", "Row 3 of 'file.csv' has 3 fields but the header has 2."),
        ("harder,easier,answer\na,b,tie\n\na\n", "Row 4 of 'file.csv' has 1 field but the header has 3."),
        ("harder,easier,answer\na,b,maybe\n", "Row 2 of 'file.csv' has the unknown answer 'maybe'."),
        ("harder,easier\na,b\nb,b\n", "Row 3 of 'file.csv': Feature 'b' is compared with itself."),
        ("harder,easier\na,\n", "Row 2 of 'file.csv': A comparison lacks the name of a feature."),
        ('harder,easier\na,"b\n', "Row 2 of 'file.csv' is not well-formed CSV"),
        ('harder,easier\na,"b"c\n', "Row 2 of 'file.csv' is not well-formed CSV"),
        ("harder,easier\na," + "b" * 200_000, "Row 2 of 'file.csv' is not well-formed CSV"),
        ("harder,easier\nMaß,b\n".encode("latin-1"), "line 2 holds the byte 0xdf"),
        ("harder,easier\na,b\n".encode("utf-16"), "it holds NUL bytes"),
        ("harder,easier\na,b\n".encode("utf-16-le"), "it holds NUL bytes"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "it holds NUL bytes"),
        (b"a" * (MAX_BYTES + 1), "'file.csv' is larger than 10 MB."),
    ],
)
def test_a_bad_file_is_named_with_what_to_do(write: Write, content: str | bytes, problem: str) -> None:
    """Each bad file gives one sentence that says what is wrong and where, and one hint."""
    with pytest.raises(CostError) as caught:
        read_comparisons(write(content))
    assert problem in caught.value.problem
    assert caught.value.problem.endswith(".")
    assert caught.value.hint.endswith(".")


@pytest.mark.parametrize("name", ["missing.csv", "."])
def test_a_file_that_cannot_be_opened_is_an_error(tmp_path: Path, name: str) -> None:
    """A missing file and a folder are problems the user can mend."""
    with pytest.raises(CostError, match=r"does not exist|is a folder"):
        read_comparisons(tmp_path / name)


def test_a_header_without_rows_is_no_comparison(write: Write) -> None:
    """A file to be filled in is not an error."""
    assert read_comparisons(write(write_comparisons([]))) == ()


@given(st.lists(comparisons, max_size=4))
def test_what_is_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, some: list[Comparison]) -> None:
    """PAIRS.csv keeps every text: quotes, line breaks, blanks, apostrophes and formulas."""
    path = tmp_path_factory.mktemp("pairs") / "pairs.csv"
    path.write_text(write_comparisons(some), encoding="utf-8", newline="")
    assert read_comparisons(path) == tuple(some)


@given(st.lists(comparisons, max_size=4))
def test_no_written_cell_is_a_formula(some: list[Comparison]) -> None:
    """No cell begins with a character that makes a spreadsheet run it."""
    rows = csv.reader(io.StringIO(write_comparisons(some), newline=""))
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for row in rows for cell in row)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("first is harder", Comparison("a", "b", Answer.HARDER, "Ada", "why")),
        ("second is harder", Comparison("b", "a", Answer.HARDER, "Ada", "why")),
        ("about the same", Comparison("a", "b", Answer.TIE, "Ada", "why")),
        ("cannot say", Comparison("a", "b", Answer.CANNOT_SAY, "Ada", "why")),
    ],
)
def test_the_four_answers_an_expert_may_give(said: str, expected: Comparison) -> None:
    """To say "second is harder" is to say "first is harder" of the pair turned round."""
    assert Comparison.from_words("a", "b", said, expert="Ada", reason="why") == expected


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("a", "a"), "Feature 'a' is compared with itself."),
        (("a", " "), "lacks the name"),
        (("", "a"), "lacks the name"),
        (("a", "b\0"), "holds a NUL character"),
    ],
)
def test_a_comparison_that_exists_is_usable(arguments: tuple[str, str], problem: str) -> None:
    """Two different names, and nothing that a text file cannot hold."""
    with pytest.raises(CostError, match=problem):
        Comparison(*arguments)


def test_an_unknown_answer_is_refused() -> None:
    """The hint lists the four answers."""
    with pytest.raises(CostError, match="'perhaps' is not an answer") as caught:
        Comparison.from_words("a", "b", "perhaps")
    assert "'second is harder'" in caught.value.hint


@given(st.lists(comparisons, max_size=8), st.lists(comparisons, max_size=4))
def test_what_is_known_already_is_not_found_again(found: list[Comparison], more: list[Comparison]) -> None:
    """Bringing the same answers twice adds nothing; an answer found more often than known is added that often."""
    assert beyond(found, []) == tuple(found)
    assert beyond(found, [*more, *reversed(found)]) == ()
    assert beyond([*found, *found], found) == tuple(found)
