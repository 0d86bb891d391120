"""Bringing a model from elsewhere: a file or an address comes in, is inspected elsewhere, and its answers are read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import cast

import streamlit as st

from ares_core.errors import AresError, Cancelled, ModelError
from ares_core.files import refuse_large
from ares_core.models.endpoint import USUAL_BUDGET, Address, parse_description
from ares_core.models.endpoint.address import HINT
from ares_core.models.endpoint.dialects import check_path
from ares_core.models.formats import RULES, detect, require_reader
from ares_core.models.sandbox import LIMITS
from ares_core.models.sandbox.ladder import require_level
from ares_core.worker import Brought, DescribeModel, InspectModel, MeetModel, ModelFile, Origin, ServiceAt
from ui.brought_checks import ask_categories, choose_columns, choose_expected, show_expected
from ui.brought_reading import choose_reading, confirm_reading
from ui.cards.brought import MOST_COLUMNS, self_card, sent_card
from ui.holding import begin
from ui.html import show
from ui.intake import show_notes
from ui.session import Session
from ui.shared import shelf
from ui.shell import answer
from ui.uploads import upload_box
from ui.words import error_text, safe

PENDING, PROBLEMS = "model_origin", "model_origin_problems"
MOST_BUDGET = 1_000_000_000
FILE_HELP = (
    "A scikit-learn pipeline saved by skops, a single ONNX file, XGBoost's JSON or UBJSON, or LightGBM's text. What it "
    "is is told by its content. Up to 50 MB. It is never opened in the process that shows this page."
)
DESCRIPTION_HELP = (
    "Only for a service that does not say which columns it wants: "
    '{"inputs": [{"name": "income", "datatype": "FP64"}], "outputs": [{"name": "predict", "datatype": "BYTES"}]}'
)
BUDGET_HELP = "The most rows the service may be asked about; the audit stops with a sentence when they are used up."


def choose_file(session: Session) -> None:
    """Let the visitor give a model file, and read its answers; say so where files cannot be opened."""
    try:
        level = require_level()
    except ModelError as error:
        st.info(error_text(error))
        return
    st.caption(safe(f"A model file is opened only in a process of its own, behind {level.words}."))
    _forget_on_arrival(ModelFile, "model_upload")
    upload_box("Model file", key="model_upload", on_change=_file_given, help=FILE_HELP, args=())
    _go_on(session, ModelFile)


def choose_service(session: Session) -> None:
    """Let the visitor give the address of a service, and read its answers."""
    _forget_on_arrival(ServiceAt, "model_url")
    now = _current(session)
    known = now.origin if now is not None and isinstance(now.origin, ServiceAt) else ServiceAt("")
    address, budget = begin("model_url", known.url), begin("model_budget", known.budget or USUAL_BUDGET)
    st.text_input("Address of the service", key="model_url", help=HINT, **address)
    st.number_input("Budget (rows)", 1, MOST_BUDGET, step=1000, key="model_budget", help=BUDGET_HELP, **budget)
    with st.expander("Describe the service", expanded=bool(known.description)):
        described = begin("model_description", known.description)
        st.text_area("Inputs and outputs (JSON)", key="model_description", help=DESCRIPTION_HELP, **described)
    st.button(
        "Ask this service",
        key="model_ask",
        width="stretch",
        on_click=_service_given,
        help="It is asked about everybody in the table, to see what it answers.",
    )
    st.caption("Keys and passwords are not typed in here: whoever runs this server adds them as headers.")
    _go_on(session, ServiceAt)


def _file_given() -> None:
    given = st.session_state["model_upload"]
    _set_problem(ModelFile, None)
    if given is not None:
        _bring(ModelFile, lambda: file_origin(given.getvalue(), given.name))


def _service_given() -> None:
    url, budget, description = (st.session_state[f"model_{name}"] for name in ("url", "budget", "description"))
    _bring(ServiceAt, lambda: service_origin(str(url), int(budget), str(description)))


def _bring(kind: type[Origin], make: Callable[[], Origin]) -> None:
    _set_problem(kind, None)
    try:
        st.session_state[PENDING] = make()
    except AresError as error:
        st.session_state[PENDING] = None
        _set_problem(kind, error)


def _problems() -> dict[str, AresError]:
    """Return what is wrong with what was given last, for each way to bring a model."""
    return cast("dict[str, AresError]", st.session_state.setdefault(PROBLEMS, {}))


def _set_problem(kind: type[Origin], problem: AresError | None) -> None:
    others = {name: error for name, error in _problems().items() if name != kind.__name__}
    st.session_state[PROBLEMS] = others if problem is None else {**others, kind.__name__: problem}


def _forget_on_arrival(kind: type[Origin], widget: str) -> None:
    """Clear the problem of a way that was left: its widgets are then not known yet, or no longer."""
    if widget not in st.session_state:
        _set_problem(kind, None)


def file_origin(content: bytes, name: str) -> ModelFile:
    """Put a model file on the shelf, unopened.

    Raises
    ------
    ModelError
        If it is too large, or its first bytes are those of nothing that can be read here.
    """
    refuse_large(content, f"The model file {name!r}", LIMITS.file_bytes, ModelError, "Save a smaller model.")
    kind = detect(content, name)
    if kind == RULES:
        raise ModelError(f"The file {name!r} holds JSON, but no model of XGBoost's.", "Bring rules as a set of rules.")
    require_reader(kind, name, content)
    return ModelFile(shelf().put_file(content), name)


def service_origin(url: str, budget: int, description: str = "") -> ServiceAt:
    """Read an address and the visitor's own description of its model, without asking anybody.

    Raises
    ------
    ModelError
        If it is none, or that of no protocol known here, or the description cannot be read.
    """
    address = Address.parse(url.strip())
    check_path(address)
    if description.strip():
        parse_description(description)
    return ServiceAt(str(address), budget, description.strip())


def _go_on(session: Session, kind: type[Origin]) -> None:
    """Go on with what was given last, or with the model there is."""
    problem = _problems().get(kind.__name__)
    if problem is not None:
        st.error(error_text(problem))
    pending, now = st.session_state.get(PENDING), _current(session)
    if isinstance(pending, kind) and (now is None or now.origin != pending) and not _opens(session, kind, pending):
        pending = None
    origin = pending if isinstance(pending, kind) else now.origin if now is not None else None
    if isinstance(origin, kind):
        _inspect(session, origin, now if now is not None and now.origin == origin else None)


def _opens(session: Session, kind: type[Origin], origin: Origin) -> bool:
    """Open what was given; if that fails, say why, and forget it."""
    try:
        answer(session, DescribeModel(origin), "Opening the model")
    except Cancelled:
        raise
    except AresError as error:
        st.session_state[PENDING] = None
        _set_problem(kind, error)
        st.error(error_text(error))
        return False
    return True


def _inspect(session: Session, origin: Origin, before: Brought | None) -> None:
    """Ask what the model's columns and answers mean, check it, and offer to use it."""
    setup = session.state.setup
    assert setup is not None
    signature = answer(session, DescribeModel(origin), "Opening the model")
    if signature.lacking and isinstance(origin, ModelFile):
        ask_categories(origin, signature.lacking, PENDING)
        return
    place = hashlib.sha256(repr((origin, setup.source)).encode()).hexdigest()[:8]
    columns = choose_columns(session, signature, () if before is None else before.columns, place)
    if columns is None:
        return
    question = InspectModel(setup.source, origin, columns)
    view = answer(session, question, "Opening the model and asking it about everybody")
    show(self_card(view))
    matching = view.found.matching
    if matching.warnings:
        st.warning("\n\n".join(safe(warning) for warning in matching.warnings))
    show_notes(matching.notes[len(matching.warnings) :], "How the columns were matched")
    pairings = matching.pairings
    with st.expander("What the model is sent", expanded=len(pairings) <= MOST_COLUMNS):
        show(sent_card(pairings))
    reading = choose_reading(view.found, None if before is None else before.reading, place)
    sure = reading is not None and confirm_reading(view.found, reading, place)
    expected = choose_expected(session, None if before is None else before.expected, place)
    model = None if reading is None else Brought(origin, reading, columns, expected)
    _offer(session, model, before, allowed=show_expected(session, model) and sure)


def _offer(session: Session, model: Brought | None, before: Brought | None, *, allowed: bool) -> None:
    used = model is not None and model == before
    st.button(
        "This model is used" if used else "Use this model",
        type="primary",
        width="stretch",
        key="model_use",
        disabled=model is None or used or not allowed,
        on_click=_use,
        args=(session, model),
        help="The audit goes on with this model. What was found with another model is cleared.",
    )


def _use(session: Session, model: Brought) -> None:
    session.set_model(model)
    assert session.state.subject is not None
    session.stopped.discard(MeetModel(session.state.subject))


def _current(session: Session) -> Brought | None:
    model = session.state.model
    return model if isinstance(model, Brought) else None
