"""The Experts page's parts before the result: a new study, invitations, and answers coming in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import cast

import streamlit as st

from ares_core.costs import Panel
from ares_core.errors import AresError
from ares_core.store import Expert, Given, Study
from ares_core.wording import counted
from ares_core.worker import Description
from ui.cards.experts import Voice, voices_table
from ui.experts import Facilitator, ago, first_choice, guarded, invitation, study_items
from ui.experts_found import expert_names
from ui.html import show
from ui.words import error_text, safe

KEY = "expert_desk"
EVERY = 2.0  # seconds between looks at whether answers came in
MOST_WEIGHT = 10.0
MOST_TITLE = 120


@dataclass(slots=True)
class Desk:
    """What a facilitator is doing.

    Parameters
    ----------
    study
        The id of the study looked at; the newest if empty.
    problems
        Why the last thing could not be done; at most one.
    reopening
        The pair that is about to be asked again.
    panel, of
        What the experts say together, and of which study that is.
    hurry
        Whether that must be worked out anew before anything is shown, since the facilitator did something.
    invited
        How many were invited here, which tells one box for a name from the next.
    stands, until
        The answers that stand, and in which study up to which number; so that looking again costs nothing.
    """

    study: str = ""
    told: list[str] = field(default_factory=list)
    problems: list[AresError] = field(default_factory=list)
    reopening: tuple[str, str] | None = None
    panel: Panel | None = None
    of: str = ""
    hurry: bool = False
    invited: int = 0
    stands: tuple[Given, ...] = ()
    until: tuple[str, int] = ("", 0)

    def do(self, action: Callable[[], str | None]) -> None:
        """Do something for the facilitator; keep what it says, or why it could not be done."""
        self.hurry = True
        guarded(action, self.told, self.problems)


def desk() -> Desk:
    """Return what this visitor is doing."""
    if KEY not in st.session_state:
        st.session_state[KEY] = Desk()
    return cast(Desk, st.session_state[KEY])


def show_messages() -> None:
    """Show what came of the last click."""
    for problem in desk().problems:
        st.error(error_text(problem))
    while desk().told:
        st.success(safe(desk().told.pop(0)))


def show_creation(lead: Facilitator, description: Description) -> None:
    """Offer to begin a study."""
    names = first_choice(description)
    st.text_input(
        "Title",
        key="expert_title",
        max_chars=MOST_TITLE,
        placeholder="For example: Loans, autumn round",
        help="Experts see it above every question.",
    )
    st.multiselect(
        "Features to compare",
        names,
        default=names,
        format_func=lambda name: description.schema[name].title,
        key="expert_features",
        help="Those that may change. Fewer features need fewer answers: about 3 for each.",
    )

    def create() -> None:
        def made() -> str:
            items = study_items(description, st.session_state.get("expert_features", names))
            desk().study = lead.create(str(st.session_state.get("expert_title", "")), items).id
            return "The study is ready. Invite the first expert below."

        desk().do(made)

    st.button(
        "Begin the study",
        key="expert_create",
        type="primary",
        on_click=create,
        help="Makes the study; nobody is told until you send somebody a link.",
    )


def choose_study(known: Sequence[Study]) -> Study:
    """Let one of several studies be looked at; a single one is taken without asking."""
    found = desk()
    ids = [study.id for study in known]
    chosen = found.study if found.study in ids else ids[0]
    titles = {study.id: study.title for study in known}

    def changed() -> None:
        found.study, found.reopening = str(st.session_state["expert_study"]), None

    if len(known) > 1:
        st.session_state["expert_study"] = chosen
        st.selectbox(
            "Study",
            ids,
            format_func=lambda one: f"{len(ids) - ids.index(one)}. {titles[one]}",
            key="expert_study",
            on_change=changed,
            help="The studies of this audit, the newest first.",
        )
    return known[ids.index(chosen)]


def show_invitation(lead: Facilitator, study: Study, experts: Sequence[Expert]) -> None:
    """Offer to invite somebody, and list the links."""
    key = f"expert_name_{desk().invited}"

    def invite() -> None:
        def made() -> str:
            expert = lead.invite(study, str(st.session_state.get(key, "")))
            desk().invited += 1
            return f"{expert.name} is invited. Send the link below."

        desk().do(made)

    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Name of an expert", key=key, max_chars=80, help="Shown to you alone, beside their answers.")
        st.button("Invite", key="expert_invite", on_click=invite, help="Makes a link for this one person.")
    open_to = [expert for expert in experts if not expert.revoked]
    if not open_to:
        st.caption("Nobody is invited yet. Each expert gets a link of their own; no account is needed.")
        return
    names = expert_names(experts)
    address = st.context.url
    st.code(
        "\n".join(f"{names[one.id]}: {invitation(address, one.token)}" for one in open_to),
        language=None,
        wrap_lines=True,
    )
    where = "" if address else " Put this server's address in front."
    st.caption(f"Each link is for one person: whoever has it answers in that name.{where}")


def show_expert(lead: Facilitator, experts: Sequence[Expert]) -> None:
    """Let one expert count for more or less, or take the invitation back."""
    names, known = expert_names(experts), {expert.id: expert for expert in experts}
    chosen = st.selectbox(
        "Expert",
        list(known),
        format_func=lambda one: names[one],
        key="expert_chosen",
        help="Whose weight or invitation to change.",
    )
    if chosen is None:
        return
    expert = known[chosen]
    key = f"expert_weight_{chosen[:8]}_{expert.weight:g}"

    def weigh() -> None:
        lead.studies.change_expert(chosen, weight=float(st.session_state[key]))

    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "Weight",
            0.0,
            MOST_WEIGHT,
            expert.weight,
            0.5,
            key=key,
            on_change=weigh,
            help="How much each answer of this expert counts beside those of others. 0 leaves the expert out.",
        )
        st.button(
            "Open the invitation again" if expert.revoked else "Take the invitation back",
            key="expert_revoke",
            on_click=lead.studies.change_expert,
            args=(chosen,),
            kwargs={"revoked": not expert.revoked},
            help="Without an invitation the link does not open. Answers given stay; weight 0 leaves them out.",
        )


def show_switches(lead: Facilitator, study: Study) -> None:
    """Offer to close the study and to reveal its result, and to undo either."""
    with st.container(horizontal=True):
        st.button(
            "Hide the group's result" if study.revealed else "Reveal the group's result",
            key="expert_reveal",
            type="secondary" if study.revealed else "primary",
            on_click=lead.studies.set,
            args=(study.id,),
            kwargs={"revealed": not study.revealed},
            help="Until then everybody sees only their own view, so that nobody follows the others. Experts then see "
            "everybody's beside their own.",
        )
        st.button(
            "Open the study again" if study.closed else "Close the study",
            key="expert_close",
            on_click=lead.studies.set,
            args=(study.id,),
            kwargs={"closed": not study.closed},
            help="A closed study takes no more answers; experts still see their own.",
        )


def read_answers(lead: Facilitator, study: Study) -> tuple[tuple[Given, ...], int]:
    """Return the answers that stand and the number of the newest; they are read only when one came in."""
    kept, newest = desk(), lead.studies.newest(study.id)
    if kept.until != (study.id, newest):
        kept.stands, kept.until = lead.studies.standing(study.id), (study.id, newest)
    return kept.stands, newest


@st.fragment(run_every=EVERY)
def show_voices(lead: Facilitator, study: Study, newest: int) -> None:
    """Show how many answers came from whom, again and again; what is revealed follows the answers."""
    stands, now = read_answers(lead, study)
    experts = lead.studies.experts(study.id)
    if not experts:
        return
    show(voices_table(voices(experts, stands, datetime.now(UTC))))
    if study.closed:
        st.caption("The study is closed: no more answers are taken.")
    if study.revealed and now != newest:
        st.rerun()  # last, so that the counts need not wait for the result


def voices(experts: Sequence[Expert], stands: Sequence[Given], now: datetime) -> list[Voice]:
    """Return how far each expert is."""
    names = expert_names(experts)
    own: dict[str, list[Given]] = {expert.id: [] for expert in experts}
    for given in stands:
        own.setdefault(given.expert, []).append(given)
    return [
        Voice(
            names[one.id],
            len(own[one.id]),
            ago(own[one.id][-1].at if own[one.id] else "", now),
            one.weight,
            one.revoked,
        )
        for one in experts
    ]


def status_words(study: Study, used: bool) -> str:
    """Say where a study stands, as markdown."""
    parts = [
        counted(len(study.items), "feature"),
        "closed" if study.closed else "open",
        "result revealed" if study.revealed else "result hidden",
        "its costs are used in this audit" if used else "its costs are not used in this audit",
    ]
    return safe(" · ".join(parts))
