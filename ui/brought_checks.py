"""What a model from elsewhere may need beside itself: its columns, its categories, and answers it is known to give."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from ares_core.errors import AresError, DataError, ModelError
from ares_core.files import refuse_large
from ares_core.models.categories import read_categories
from ares_core.models.expected import ExpectedAnswers, read_expected
from ares_core.models.raw import Signature
from ares_core.worker import Brought, CheckExpected, ModelFile, ReadTable
from ui.holding import begin_with, choose
from ui.session import Session
from ui.shell import answer
from ui.uploads import upload_box
from ui.words import error_text, safe

MOST_BYTES, MOST_TABLE_BYTES = 5_000_000, 20_000_000
CATEGORIES_HELP = 'JSON such as {"home": ["own", "rent"]}, in the order of training, or the training table as CSV.'
EXPECTED_HELP = (
    "A CSV file with the columns row and answer, or row and score. Row 0 is the first person of the table. Choose "
    "people so that every category, and a blank cell of each column that has some, occurs at least once."
)
NO_COLUMN = "No column"


def choose_columns(
    session: Session, signature: Signature, before: tuple[str, ...], place: str
) -> tuple[str, ...] | None:
    """Ask for the columns of a model that does not name its own; empty for others, None until they are listed."""
    if signature.columns or signature.by_name:
        return ()
    key, names = f"model_columns_{place}", _columns(session)
    begin_with(key, [name for name in before if name in names])
    wants = "" if signature.width is None else f", {signature.width:,} in all"
    chosen = st.multiselect(
        "Columns of the model, in the order it was trained on",
        names,
        key=key,
        help="The model does not name its columns. Choose the first one first.",
    )
    if len(chosen) == signature.width or (signature.width is None and chosen):
        return tuple(chosen)
    st.info(f"The model does not say which columns it wants{wants}. Choose them in the order it was trained on.")
    return None


def ask_categories(origin: ModelFile, lacking: Sequence[str], pending: str) -> None:
    """Ask for the categories that a model file lacks; what is given goes on under the key `pending`."""
    names = ", ".join(lacking[:6])
    st.warning(safe(f"The file does not hold the categories of {names}, so its answers would be wrong."))
    if "model_categories" not in st.session_state:  # the box was left
        st.session_state["model_categories_problem"] = None
    upload_box(
        "Categories (JSON) or training table (CSV)",
        key="model_categories",
        on_change=_categories_given,
        args=(origin, tuple(lacking), pending),
        help=CATEGORIES_HELP,
    )
    problem = st.session_state.get("model_categories_problem")
    if problem is not None:
        st.error(error_text(problem))


def _categories_given(origin: ModelFile, lacking: tuple[str, ...], pending: str) -> None:
    given = st.session_state["model_categories"]
    st.session_state["model_categories_problem"] = None
    if given is None:
        return
    try:
        content = given.getvalue()
        refuse_large(content, "The file of categories", MOST_TABLE_BYTES, ModelError, "Give only the columns it names.")
        found = read_categories(content, given.name, lacking)
    except AresError as error:
        st.session_state["model_categories_problem"] = error
        return
    written = json.dumps({column: list(values) for column, values in found.items()})
    st.session_state[pending] = replace(origin, categories=written)


def choose_expected(session: Session, before: ExpectedAnswers | None, place: str) -> ExpectedAnswers | None:
    """Ask for answers the model is known to give; None without a file of them."""
    key = f"model_expected_{place}"
    if key not in st.session_state:  # the box was left
        st.session_state[f"{key}_problem"] = None
    with st.expander("Check the model against its own answers"):
        st.write(
            "Bring ten known answers or more: what your model said of people of this table. They are compared first. "
            "Let them cover every category, because a category nobody checks may still be read wrongly."
        )
        upload_box("Known answers (CSV)", key=key, on_change=_expected_given, args=(key,), help=EXPECTED_HELP)
        _choose_column(session)
    problem = st.session_state.get(f"{key}_problem")
    if problem is not None:
        st.error(error_text(problem))
    found = st.session_state.get(f"{key}_found", before)
    return found if isinstance(found, ExpectedAnswers) else None


def _choose_column(session: Session) -> None:
    setup = session.state.setup
    assert setup is not None
    st.selectbox(
        "Or a column of the table that holds them",
        [NO_COLUMN, *_columns(session, with_expected=True)],
        key=choose("model_expected_column", setup.source.expected or NO_COLUMN),
        on_change=_column_chosen,
        args=(session,),
        help="It is then no feature: the model is not shown it, and no rule speaks of it. Cells may be empty.",
    )


def _column_chosen(session: Session) -> None:
    setup, chosen = session.state.setup, st.session_state["model_expected_column"]
    assert setup is not None
    source = replace(setup.source, expected="" if chosen == NO_COLUMN else chosen)
    session.set_setup(replace(setup, source=source))


def _expected_given(key: str) -> None:
    given = st.session_state[key]
    st.session_state[f"{key}_problem"], st.session_state[f"{key}_found"] = None, None
    if given is None:
        return
    try:
        content = given.getvalue()
        refuse_large(content, "The file of known answers", MOST_BYTES, DataError, "Give fewer rows.")
        st.session_state[f"{key}_found"] = read_expected(content, given.name)
    except AresError as error:
        st.session_state[f"{key}_problem"] = error


def show_expected(session: Session, model: Brought | None) -> bool:
    """Show how a model compares with the answers it is known to give; say whether it may be used."""
    setup = session.state.setup
    assert setup is not None
    if model is None:
        return False
    try:
        found = answer(session, CheckExpected(setup.source, model), "Comparing known answers")
    except AresError as error:
        st.error(error_text(error))
        return False
    if found is None:
        st.caption("How its answers are read was not checked. Bring ten known answers to be sure.")
        return True
    (st.error if found.differ else st.success)(safe(found.words()))
    if found.differ:
        rows = [
            {"Row of the file": each.line, "Expected": each.expected, "Got": each.got} for each in found.differences
        ]
        st.dataframe(rows, hide_index=True, key="model_differences")
    return not found.differ


def _columns(session: Session, *, with_expected: bool = False) -> list[str]:
    """Return the columns of the table but the outcome, and but that of expected answers unless it is wanted."""
    setup = session.state.setup
    assert setup is not None
    source = setup.source
    table = answer(session, ReadTable(source.sha256, source.name), "Reading the table")
    left_out = {source.target} if with_expected else {source.target, source.expected}
    return [column for column in table.columns if column not in left_out]
