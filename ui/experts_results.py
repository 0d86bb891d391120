"""The Experts page's parts after revealing: costs, agreement, disagreement, and what to do with them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ares_core.audit.words import percent
from ares_core.costs import MOST_COMPARED, preview
from ares_core.people import Change, Schema
from ares_core.store import Expert, Given, Study
from ares_core.wording import counted
from ui.background import finished, later, watch
from ui.cards.experts import agreement_words, disputes_table, groups_words, left_out_table, likeness_table
from ui.charts import show_chart
from ui.charts.experts import experts_alt, experts_figure
from ui.downloads import download
from ui.experts import PLACE, Facilitator, answers_csv, answers_json
from ui.experts_found import Findings, expert_names, findings, names_of, panel_question
from ui.experts_view import desk
from ui.html import show, tag
from ui.schema_desk import show_problem
from ui.session import Session
from ui.shell import answer
from ui.uploads import upload_box
from ui.words import safe

NOBODY = ""


def found_of(session: Session, study: Study, experts: Sequence[Expert], stands: Sequence[Given]) -> Findings:
    """Return what the answers say; while those that have just come in are worked out, what was said before them."""
    question, kept = panel_question(study, experts, stands), desk()
    if kept.hurry or kept.panel is None or kept.of != study.id:
        kept.panel, kept.of, kept.hurry = answer(session, question, "Working out what they say"), study.id, False
    else:
        kept.panel = finished(later(session, question)) or kept.panel
        watch(session, [question])
    return findings(study, stands, kept.panel)


def show_costs(study: Study, experts: Sequence[Expert], found: Findings) -> None:
    """Draw what everybody together says, with one expert's view if wanted."""
    titles, names = _titles(study), expert_names(experts)
    if not found.spoken:
        st.info("Nobody has answered yet, so every feature costs 1.")
        return
    chosen = st.selectbox(
        "Beside everybody, show",
        [NOBODY, *found.spoken],
        format_func=lambda one: names.get(one, "nobody"),
        key="expert_overlay",
        help="One expert's own costs, below those of everybody together.",
    )
    own = preview({chosen: found.spoken[chosen]}, None, names_of(study)) if chosen in found.spoken else None
    figure = experts_figure(titles, found.panel.costs, own, names.get(chosen or NOBODY, ""))
    show_chart(figure, experts_alt(titles, found.panel.costs), key="expert_forest")
    if found.panel.link is not None:
        first, second = (titles[name] for name in found.panel.link)
        st.warning(
            safe(
                f"The comparisons fall into {found.panel.unlinked} parts that nothing links, so costs of different "
                f"parts cannot be set against each other. Comparing “{first}” with “{second}” would link two of them."
            )
        )


def show_probability(study: Study, found: Findings) -> None:
    """Say how probable it is that one feature is harder than another."""
    titles = _titles(study)
    with st.container(horizontal=True):
        one = st.selectbox(
            "Is", list(titles), format_func=titles.__getitem__, key="expert_one", help="The one that may be harder."
        )
        other = st.selectbox(
            "harder than",
            list(titles),
            index=1,
            format_func=titles.__getitem__,
            key="expert_other",
            help="The one that may be easier.",
        )
    if one == other:
        st.write("Choose two different features.")
        return
    chance = found.panel.belief.probability_harder(one, other)
    st.write(f"“{safe(titles[one])}” is harder than “{safe(titles[other])}” with a probability of {percent(chance)}.")


def show_agreement(experts: Sequence[Expert], found: Findings) -> None:
    """Say how far experts agree, and who is like whom."""
    names = expert_names(experts)
    st.write(safe(agreement_words(found.panel.agreement)))
    if not found.panel.likenesses:
        return
    if len(found.panel.groups) == 1:
        st.write("All experts compared here are like-minded.")
    elif len(found.panel.groups[0]) == 1:
        st.write("No two experts are like-minded.")
    else:
        st.write(f"{counted(len(found.panel.groups), 'group')} of like-minded experts:")
        show(tag("ul", *(tag("li", words) for words in groups_words(found.panel.groups, names)), css="expert-groups"))
    if len(found.spoken) > MOST_COMPARED:
        st.caption(f"Only the first {MOST_COMPARED} experts are compared two by two.")
    with st.expander("Every two experts"):
        show(likeness_table(found.panel.likenesses, names))


def show_left_out(study: Study, experts: Sequence[Expert], found: Findings) -> None:
    """Show whose answers move the costs most."""
    if found.panel.left_out:
        show(left_out_table(found.panel.left_out, expert_names(experts), _titles(study)))
    else:
        st.write("With fewer than two experts there is nobody to leave out.")


def show_disputes(lead: Facilitator, study: Study, experts: Sequence[Expert], found: Findings) -> None:
    """Show the pairs experts disagree on, and offer to ask about a pair again."""
    titles = _titles(study)
    if found.panel.disputes:
        show(disputes_table(found.panel.disputes, expert_names(experts), titles))
    else:
        st.write("There is no pair that two experts answered differently.")
    _show_reopening(
        lead, found, {**titles, **{name: name for pair in found.pairs for name in pair if name not in titles}}
    )


def _show_reopening(lead: Facilitator, found: Findings, titles: dict[str, str]) -> None:
    disputed = [pair for one in found.panel.disputes if (pair := (one.first, one.second)) in found.pairs]
    pairs = [*disputed, *(pair for pair in found.pairs if pair not in disputed)]
    if not pairs:
        return
    kept = desk()
    pair = st.selectbox(
        "Ask about a pair again",
        pairs,
        format_func=lambda pair: f"{titles[pair[0]]} / {titles[pair[1]]} ({counted(len(found.pairs[pair]), 'answer')})",
        key="expert_pair",
        help="Pairs experts disagree on come first.",
    )

    def begin() -> None:
        kept.reopening = pair

    def finish(sure: bool) -> None:
        wanted, kept.reopening = kept.reopening, None
        if sure and wanted is not None:
            kept.do(lambda: lead.reopen(found.pairs.get(wanted, ())))

    if kept.reopening != pair:
        st.button("Ask again …", key="expert_reopen", on_click=begin, help="Withdraws the answers to this pair first.")
        return
    times = counted(len(found.pairs[pair]), "answer")
    st.warning(f"This withdraws {times}. They stay in the record, and count no more.")
    with st.container(horizontal=True):
        st.button("Yes, ask again", key="expert_reopen_yes", type="primary", on_click=finish, args=(True,))
        st.button("No, keep them", key="expert_reopen_no", on_click=finish, args=(False,))


def show_fixed(lead: Facilitator, schema: Schema, experts: Sequence[Expert], found: Findings) -> None:
    """Offer to freeze what experts say cannot change at all."""
    names = expert_names(experts)
    show_problem(PLACE)
    for place, (name, who) in enumerate(found.fixed.items()):
        if name not in schema.names:
            continue
        title, said = schema[name].title, ", ".join(names[one] for one in who)
        if schema[name].change is Change.FROZEN:
            st.caption(safe(f"“{title}” is frozen, as {said} suggested."))
            continue
        st.warning(safe(f"“{title}” cannot change at all, says {said}."))
        st.button(
            f"Freeze “{safe(title)}”",
            key=f"expert_freeze_{place}",
            on_click=lead.freeze,
            args=(name,),
            help="No rule will tell anybody to change it. The model is asked again. The Data page undoes this.",
        )


def show_use(lead: Facilitator, study: Study) -> None:
    """Offer to let these experts decide the costs of the audit."""
    if lead.setup.study == study.id:
        st.success("The audit uses these costs, and follows the answers as they come in.")
        st.button("Stop using these costs", key="expert_unuse", on_click=lead.use, args=("",))
        return
    st.button(
        "Use these costs in the audit",
        key="expert_use",
        type="primary",
        on_click=lead.use,
        args=(study.id,),
        help="The rules are then found with these costs, and follow the answers as they come in. Costs typed in on the "
        "Costs page still go before.",
    )


def show_files(lead: Facilitator, study: Study, experts: Sequence[Expert], stands: Sequence[Given]) -> None:
    """Offer the answers as a file, and take such a file in."""
    if study.revealed:
        with st.container(horizontal=True):
            download("Answers (CSV)", answers_csv(experts, stands), "experts-answers.csv", key="expert_csv")
            download("Answers (JSON)", answers_json(experts, stands), "experts-answers.json", key="expert_json")
    else:
        st.caption("The answers can be saved once the result is revealed.")
    upload_box(
        "Bring answers (CSV or JSON)",
        key="expert_file",
        on_change=_given,
        args=(lead, study),
        help="Columns harder and easier, and if wanted answer, expert and reason. Experts who are new are invited, "
        "and answers that are here already are not added again.",
    )


def _given(lead: Facilitator, study: Study) -> None:
    given = st.session_state["expert_file"]
    if given is not None:
        desk().do(lambda: lead.bring(study, given.getvalue(), given.name))


def _titles(study: Study) -> dict[str, str]:
    return {item.name: item.title for item in study.items}
