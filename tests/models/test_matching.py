"""Matching: a model is shown the columns it wants, in its order, and what does not fit is explained."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.errors import ModelError
from ares_core.models import ask
from ares_core.models.foreign import ForeignModel
from ares_core.models.matching import match_columns
from ares_core.models.raw import Signature, Wanted
from ares_core.models.reading import Reading
from tests.models.raws import PlainRaw

TABLE = pd.DataFrame(
    {
        "Income": [1000, 2500, 4000],
        "home_status": ["own", "rent", None],
        "code": ["1", "2", "3"],
        "rooms": [1.0, np.nan, 3.5],
    }
)


def wanting(*columns: Wanted) -> Signature:
    """Return the signature of a model that wants these columns."""
    return Signature(columns)


@given(st.permutations(list(TABLE.columns)), st.permutations(list(TABLE.columns)))
def test_the_order_is_the_model_s_whatever_the_table_s(model: list[str], table: list[str]) -> None:
    """Columns are found by name, handed over in the model's order, and their cells are untouched."""
    matching = match_columns(wanting(*map(Wanted, model)), TABLE[table])
    shown = matching.apply(TABLE[table])
    assert list(shown.columns) == model
    pd.testing.assert_frame_equal(shown, TABLE[model])
    assert matching.notes == ()


def test_names_that_only_look_alike_are_told() -> None:
    """Case, blanks and underscores do not keep a column from its model, but a reader hears of it."""
    matching = match_columns(wanting(Wanted("income"), Wanted("home status")), TABLE)
    assert list(matching.apply(TABLE).columns) == ["income", "home status"]
    assert matching.notes == (
        "The model's column 'income' is the table's 'Income'.",
        "The model's column 'home status' is the table's 'home_status'.",
        "2 columns are not shown to the model: 'code', 'rooms'.",
    )


def test_a_model_that_picks_its_columns_by_name_is_shown_everything() -> None:
    """A service that is sent a table with names picks its columns itself, and a reader hears of that."""
    table = TABLE.drop(columns="code")
    matching = match_columns(Signature(by_name=True), table)
    pd.testing.assert_frame_equal(matching.apply(table), table)
    assert "does not say which columns it wants" in matching.notes[0]


def test_a_model_without_column_names_is_given_them_in_order() -> None:
    """It is shown what the list names, in the order of the list, and the rest is named as not shown."""
    for signature in (Signature(width=2), Signature(), Signature(by_name=True)):
        matching = match_columns(signature, TABLE, ("rooms", "Income"))
        pd.testing.assert_frame_equal(matching.apply(TABLE), TABLE[["rooms", "Income"]])
        assert matching.notes == ("2 columns are not shown to the model: 'home_status', 'code'.",)


@pytest.mark.parametrize(
    ("signature", "columns", "words"),
    [
        (Signature(), (), "does not say which columns it wants."),
        (Signature(width=4), (), "does not say which columns it wants, only that there are 4."),
        (Signature(width=3), ("rooms", "Income"), "wants 3 columns, and 2 are listed."),
        (Signature(), ("rooms", "gone"), "names 'gone', which the table does not have."),
        (Signature(), ("rooms", "code", "rooms"), "names 'rooms' twice."),
        (Signature((Wanted("rooms"),)), ("rooms",), "names its columns itself"),
    ],
)
def test_columns_are_never_guessed(signature: Signature, columns: tuple[str, ...], words: str) -> None:
    """A model without names is refused unless its columns are listed, each once, as many as it wants."""
    with pytest.raises(ModelError) as caught:
        match_columns(signature, TABLE, columns)
    assert words in str(caught.value)
    assert caught.value.hint.endswith(".")


def test_types_are_reconciled() -> None:
    """Numbers become text where the model wants text, text that spells numbers becomes numbers; empty stays empty."""
    matching = match_columns(wanting(Wanted("rooms", "text"), Wanted("code", "number")), TABLE)
    shown = matching.apply(TABLE)
    assert shown["rooms"].tolist()[::2] == ["1", "3.5"]
    assert shown["rooms"].isna().tolist() == [False, True, False]
    assert shown["code"].tolist() == [1, 2, 3]
    assert any("sent to the model as text" in note for note in matching.notes)
    assert any("as the numbers it spells" in note for note in matching.notes)


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (Wanted("salary"), "wants the column 'salary', which the table does not have"),
        (Wanted("home_status", "number"), "wants numbers in column 'home_status', which holds text such as 'own'"),
        (Wanted("home_status", "text", ("A151", "A152")), "knows none of the categories in column 'home_status'"),
    ],
)
def test_what_does_not_fit_is_explained(wanted: Wanted, words: str) -> None:
    """A missing column, text for numbers and another coding each end in one sentence and a hint."""
    with pytest.raises(ModelError, match=words) as caught:
        match_columns(wanting(Wanted("rooms"), wanted), TABLE)
    assert caught.value.hint.endswith(".")


def test_of_two_columns_that_look_alike_none_is_guessed() -> None:
    """A name that could be either of two columns is missing, not guessed."""
    twins = pd.DataFrame({"net_income": [1], "net.income": [2]})
    with pytest.raises(ModelError, match="wants the column 'net income'"):
        match_columns(wanting(Wanted("net income")), twins)


def test_categories_the_model_has_never_seen_are_told() -> None:
    """A few unknown categories are no reason to refuse, but to say so; numbers are compared as they are written."""
    some = match_columns(wanting(Wanted("home_status", "text", ("own",))), TABLE)
    assert some.warnings == ("Column 'home_status' holds a category the model has never seen ('rent'), for 1 person.",)
    assert some.notes[0] == some.warnings[0]
    assert match_columns(wanting(Wanted("rooms", "any", (1.0, 3.5))), TABLE).notes[0].startswith("3 columns")


def test_a_fitted_model_is_a_black_box() -> None:
    """Columns, order and labels are set right on the way, and only what is wanted is shown."""
    seen: list[list[str]] = []

    def decide(frame: pd.DataFrame) -> list[str]:
        seen.append(list(frame.columns))
        return ["granted" if income > 2000 else "denied" for income in frame["income"]]

    model = ForeignModel.fitted(PlainRaw(decide, wanting(Wanted("rooms"), Wanted("income"))), TABLE, Reading("granted"))
    assert ask(model, TABLE).tolist() == [0, 1, 1]
    assert seen == [["rooms", "income"]]
    assert model.kind == "plain"


def test_the_digest_covers_model_matching_and_reading() -> None:
    """Whatever could change an answer changes the digest; nothing else does."""
    raw = PlainRaw(len, wanting(Wanted("rooms")))
    base = ForeignModel.fitted(raw, TABLE, Reading("1"))
    others = [
        ForeignModel.fitted(PlainRaw(len, wanting(Wanted("rooms")), sha256="1" * 64), TABLE, Reading("1")),
        ForeignModel.fitted(PlainRaw(len, wanting(Wanted("Rooms"))), TABLE, Reading("1")),
        ForeignModel.fitted(PlainRaw(len, wanting(Wanted("rooms", "text"))), TABLE, Reading("1")),
        ForeignModel.fitted(raw, TABLE, Reading("0")),
        ForeignModel.fitted(raw, TABLE, Reading("1", 0.5)),
    ]
    assert len({model.sha256 for model in (base, *others)}) == 6
    assert ForeignModel.fitted(raw, TABLE.iloc[:2], Reading("1")).sha256 == base.sha256


FLAGS = pd.DataFrame(
    {
        "card": [True, False, True],
        "owner": pd.array([True, None, False], dtype="boolean"),
        "zero_one": [0, 1, 1],
        "half": [0.5, 1.0, 2.0],
        "yes_no": ["yes", "no", "no"],
    }
)


@pytest.mark.parametrize(
    ("wanted", "cells"),
    [
        (Wanted("card"), [True, False, True]),
        (Wanted("card", "true/false"), [True, False, True]),
        (Wanted("card", "number"), [1, 0, 1]),
        (Wanted("card", "whole number"), [1, 0, 1]),
        (Wanted("card", "text"), ["True", "False", "True"]),
        (Wanted("card", "text", ("false", "true")), ["true", "false", "true"]),
        (Wanted("card", "any", (False, True)), [True, False, True]),
        (Wanted("card", "any", ("FALSE", "TRUE")), ["TRUE", "FALSE", "TRUE"]),
        (Wanted("card", "any", (0, 1)), [1, 0, 1]),
        (Wanted("zero_one", "true/false"), [False, True, True]),
        (Wanted("zero_one", "any", (False, True)), [False, True, True]),
        (Wanted("zero_one", "any", ("0.0", "1.0")), ["0.0", "1.0", "1.0"]),
        (Wanted("zero_one", "any", (0.0, 1.0)), [0, 1, 1]),
        (Wanted("half", "any", ("0.5", "1.0", "2.0")), ["0.5", "1.0", "2.0"]),
    ],
)
def test_a_column_is_sent_as_the_model_wants_it(wanted: Wanted, cells: list[object]) -> None:
    """True and false, numbers and text reach the model in the type, and with the spelling, that it knows."""
    sent = match_columns(wanting(wanted), FLAGS).apply(FLAGS)[wanted.name].tolist()
    assert (sent, [type(each) for each in sent]) == (cells, [type(each) for each in cells])


@pytest.mark.parametrize(
    ("wanted", "problem"),
    [
        (Wanted("half", "true/false"), "wants true or false in column 'half', which holds 0.5"),
        (Wanted("half", "whole number"), "wants whole numbers in column 'half', which holds 0.5"),
        (Wanted("owner", "whole number"), "wants whole numbers in column 'owner', which has empty cells"),
        (Wanted("yes_no", "true/false"), "wants true or false in column 'yes_no', which holds text such as 'yes'"),
        (Wanted("yes_no", "any", (True, False)), "wants true or false in column 'yes_no'"),
        (Wanted("card", "text", ("yes", "no")), "knows none of the categories in column 'card', such as 'True'"),
    ],
)
def test_what_cannot_be_sent_exactly_is_refused(wanted: Wanted, problem: str) -> None:
    """Nothing is rounded, guessed or sent as a category the model cannot know."""
    with pytest.raises(ModelError) as caught:
        match_columns(wanting(wanted), FLAGS)
    assert problem in caught.value.problem


def test_missing_stays_missing() -> None:
    """An empty cell among true and false stays empty in every type."""
    for kind in ("any", "true/false", "number", "text"):
        sent = match_columns(wanting(Wanted("owner", kind)), FLAGS).apply(FLAGS)["owner"]  # type: ignore[arg-type]
        assert sent.isna().tolist() == [False, True, False]


def test_what_is_sent_is_told() -> None:
    """Each column says what the model is sent."""
    matching = match_columns(wanting(Wanted("card"), Wanted("zero_one", "true/false"), Wanted("half", "text")), FLAGS)
    assert [pairing.sent for pairing in matching.pairings] == ["true/false", "true/false", "text"]


@pytest.mark.parametrize("word", ["NA", "None", "nan", "#N/A"])
@pytest.mark.parametrize("signature", [Signature(by_name=True), wanting(Wanted("job", "text", ("clerk", "nurse")))])
def test_words_that_pandas_takes_for_empty_are_refused(word: str, signature: Signature) -> None:
    """Production may have read such a cell as empty, so a model that does not know the word is not asked."""
    frame = pd.DataFrame({"job": ["clerk", word, "nurse"]})
    with pytest.raises(ModelError, match="which pandas reads as an empty cell"):
        match_columns(signature, frame)
    known = wanting(Wanted("job", "text", ("clerk", "nurse", word)))
    assert match_columns(known, frame).apply(frame)["job"].tolist() == ["clerk", word, "nurse"]
    assert match_columns(wanting(Wanted("job", "text")), frame).apply(frame)["job"].tolist() == ["clerk", word, "nurse"]


def test_text_that_spells_numbers_is_not_sent_to_a_model_that_may_want_numbers() -> None:
    """A service that says nothing of its columns could have been trained on 123 or on '00123'."""
    frame = pd.DataFrame({"post": ["00123", "04711", None]})
    with pytest.raises(ModelError, match="holds text that spells numbers, such as '00123'") as caught:
        match_columns(Signature(by_name=True), frame)
    assert "--service-description" in caught.value.hint
    assert match_columns(wanting(Wanted("post", "text")), frame).apply(frame)["post"].iloc[0] == "00123"
    words = pd.DataFrame({"post": ["00123", "none", "A4"]})
    assert match_columns(Signature(by_name=True), words).apply(words)["post"].tolist() == ["00123", "none", "A4"]


OFFENDING = {
    "a word for an empty cell": (
        ["12", "NA", "7.5", "NA"],
        "number",
        "text such as 'NA' (2 cells)",
        "such cells empty",
    ),
    "a decimal comma": (["12", "2679,52", "7,5"], "number", "text such as '2679,52' (2 cells)", "point: 2679.52."),
    "a word among truths": (["True", "False", "NA"], "true/false", "text such as 'NA' (1 cell)", "such cells empty"),
    "truths and 0": (["True", "0", "False"], "true/false", "which holds them as text", "True and False"),
}


@pytest.mark.parametrize("case", OFFENDING)
def test_the_first_cell_that_does_not_fit_is_named(case: str) -> None:
    """The sentence names the cell that keeps a column from being numbers, and the hint says what to write instead."""
    cells, kind, problem, hint = OFFENDING[case]
    with pytest.raises(ModelError) as caught:
        match_columns(wanting(Wanted("savings", kind)), pd.DataFrame({"savings": cells}))  # type: ignore[arg-type]
    assert problem in caught.value.problem
    assert hint in caught.value.hint


def test_numbers_sent_as_text_are_an_open_warning_where_no_category_says_how_they_are_written() -> None:
    """A model that wants text and names no categories may have been trained on '2.50'."""
    frame = pd.DataFrame({"tier": [2.5, 3.1], "rooms": [1, 2]})
    matching = match_columns(wanting(Wanted("tier", "text"), Wanted("rooms", "text")), frame)
    assert len(matching.warnings) == 1
    assert "column 'tier' are sent as text such as '2.5'" in matching.warnings[0]


def test_trees_that_know_none_are_warned_of_blanks() -> None:
    """A blank may be what training called 'none', or a missing value: nobody can tell."""
    frame = pd.DataFrame({"job": ["clerk", None, "none"]})
    matching = match_columns(wanting(Wanted("job", "any", ("clerk", "none"))), frame)
    assert "It also knows the category 'none'" in matching.warnings[0]
    assert "1 person" in matching.warnings[0]
    assert match_columns(wanting(Wanted("job", "any", ("clerk", "none"), blanks=True)), frame).warnings == ()
