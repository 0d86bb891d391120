"""Choosing the model: each way to bring one is a function that shows its controls, and a row of `WAYS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from ares_core.errors import AresError, ModelError
from ares_core.files import refuse_large
from ares_core.models import FAMILIES, parse_rule_model
from ares_core.models.rule_model import MOST_BYTES
from ares_core.worker import Brought, MeetModel, ModelFile, ModelSpec, RuleFile, TrainHere
from ui.brought import choose_file, choose_service
from ui.holding import begin, begin_with
from ui.session import Session
from ui.shared import shelf
from ui.uploads import upload_box
from ui.words import error_text, model_name, safe

USUAL = "rf"
MOST_SEED = 2**32 - 1
PROBLEM = "model_problem"  # what was wrong with the file given last
SEED_HELP = (
    "Decides by chance who is trained on, and every random choice after that. The same seed gives the same audit."
)
FILE_HELP = (
    'Rules that say who is refused, as JSON: a file with "format": "ares-rules", or a run file of an earlier audit.'
)


@dataclass(frozen=True, slots=True)
class Way:
    """A way to bring a model: what it is called, a sentence on it, and a function that shows its controls."""

    title: str
    about: str
    controls: Callable[[Session], None]


def choose_model(session: Session) -> None:
    """Show the ways to bring a model and the controls of the chosen one."""
    begin_with("model_way", way_of(session.state.model, has_outcome=_has_outcome(session)))
    way = st.radio(
        "Where the model comes from",
        list(WAYS),
        format_func=lambda name: WAYS[name].title,
        captions=[way.about for way in WAYS.values()],
        key="model_way",
        help="An audit asks a model about people; it never looks inside.",
    )
    WAYS[way].controls(session)


def way_of(model: ModelSpec | None, *, has_outcome: bool = True) -> str:
    """Name the way a model was brought; to begin with, training one, or a file where the table has no outcome."""
    if model is None and not has_outcome:
        return "file"
    if isinstance(model, Brought):
        return "file" if isinstance(model.origin, ModelFile) else "service"
    return "rules" if isinstance(model, RuleFile) else "train"


def train(session: Session, family: str, seed: int) -> None:
    """Have a model of this family trained with this seed, also if that was stopped before."""
    if seed != session.view.settings.seed:
        told = "The seed changed, so the model will be trained and asked again."
        session.told += [told] if session.state.model is not None else []
        settings = replace(session.view.settings, seed=seed)
        session.set_view(settings=settings, strata=None, size=None, slide=None, row=None)
    session.set_model(TrainHere(family))
    assert session.state.subject is not None
    session.stopped.discard(MeetModel(session.state.subject))


def use_rules(session: Session, content: bytes, name: str) -> None:
    """Let the rules in a file decide.

    Raises
    ------
    ModelError
        If they are no rules; then the model stays what it was.
    """
    refuse_large(content, f"The rule model {name!r}", MOST_BYTES, ModelError, 'Keep only its "format" and its "rules".')
    parse_rule_model(content, name)
    session.set_model(RuleFile(shelf().put_file(content), name))


def family_words(family: str) -> tuple[str, str]:
    """Return what a family is called and a sentence on it: 'Random forest', '100 decision trees vote.'."""
    title, _, about = FAMILIES[family].description.partition(": ")
    return title.rstrip("."), about[:1].upper() + about[1:]


def _has_outcome(session: Session) -> bool:
    return session.state.setup is None or bool(session.state.setup.source.target)


def _train_here(session: Session) -> None:
    if not _has_outcome(session):
        st.info(
            "The table has no outcome, and a model is trained on outcomes. Bring a model of your own, or name the "
            "outcome on the Data page."
        )
        return
    model = session.state.model
    begin_with("model_family", model.family if isinstance(model, TrainHere) else USUAL)
    st.radio(
        "Kind of model",
        list(FAMILIES),
        format_func=lambda family: family_words(family)[0],
        captions=[family_words(family)[1] for family in FAMILIES],
        key="model_family",
        help="Half of the people train it; the other half is audited.",
    )
    with st.expander("More"):
        held = begin("model_seed", session.view.settings.seed)
        st.number_input("Seed", 0, MOST_SEED, step=1, key="model_seed", help=SEED_HELP, **held)
    chosen = TrainHere(st.session_state["model_family"])
    label = "Train it again" if chosen == model else "Train this model"
    st.button(
        label,
        type="primary",
        width="stretch",
        key="model_train",
        on_click=_train_clicked,
        args=(session,),
        help="Takes a few seconds. What was found with another model is cleared.",
    )
    if model is not None and chosen != model:
        st.caption(safe(f"Until then the model is: {model_name(model)}."))


def _train_clicked(session: Session) -> None:
    train(session, st.session_state["model_family"], int(st.session_state["model_seed"]))


def _rule_file(session: Session) -> None:
    upload_box("Rules (JSON)", key="model_file", on_change=_file_given, args=(session,), help=FILE_HELP)
    problem = st.session_state.get(PROBLEM)
    if problem is not None:
        st.error(error_text(problem))
    elif isinstance(session.state.model, RuleFile):
        st.caption(safe(f"The rules of {session.state.model.name} decide."))


def _file_given(session: Session) -> None:
    given = st.session_state["model_file"]
    st.session_state[PROBLEM] = None
    if given is None:
        return
    try:
        use_rules(session, given.getvalue(), given.name)
    except AresError as error:
        st.session_state[PROBLEM] = error


WAYS = {
    "train": Way("Train one here", "On half of the people; the other half is audited.", _train_here),
    "file": Way("Upload a model file", "Made elsewhere and saved; everybody is audited.", choose_file),
    "service": Way("Ask a service over HTTP", "An MLflow or KServe address; everybody is audited.", choose_service),
    "rules": Way("A set of rules", "A file that says who is refused; everybody is audited.", _rule_file),
}
