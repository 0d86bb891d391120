"""Reading a model from elsewhere: which of its answers is the good one, with what each choice comes to."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import streamlit as st

from ares_core.audit.intervals import Share
from ares_core.audit.words import share_text
from ares_core.models import Reading
from ares_core.models.inspection import Inspection, ScoreSpread, usual_step, usual_threshold
from ares_core.models.labels import find_label, is_same_label
from ares_core.models.reading import Ties, refuse_many
from ui.charts import show_chart
from ui.charts.threshold import threshold_alt, threshold_figure
from ui.holding import begin, begin_with
from ui.words import safe

LABELS, SCORES = "Its labels", "Its scores, against a threshold"
HIGHER, LOWER = "A higher score is better", "A lower score is better"
SIDES: list[Ties] = ["higher", "lower"]
LARGEST = 1e12
ALL_DIGITS = "%.17g"  # the browser then writes the shortest number that is the same
TIES_HELP = (
    "Begins with the rule of the model's own library where that is known: XGBoost and LightGBM answer 1 only above 0.5."
)


def choose_reading(found: Inspection, before: Reading | None, place: str) -> Reading | None:
    """Ask which answers are favourable; None until somebody has said so.

    Parameters
    ----------
    before
        How the answers are read now.
    place
        A word that tells this model's widgets from another's.
    """
    start = before or found.suggested
    if not found.spreads:
        refuse_many([label for label, _ in found.labels])
    if start is None:
        _show_readings(found)
    if _what_is_read(found, start, place) == SCORES:
        return _by_score(found, start, place)
    return _by_label(found, start, place)


def confirm_reading(found: Inspection, reading: Reading, place: str) -> bool:
    """Say whether a reading may be used: outcomes do not contradict it, or the user insists on it."""
    figures = found.figures(reading)
    if not figures.is_contradicted or figures.agreement is None:
        return True
    st.error(
        safe(
            f"Read so, the model {figures.agreement.words()}, which is worse than chance. Its favourable answer is "
            "probably the other one."
        )
    )
    if found.named == reading:
        _show_readings(found)
    return st.checkbox(
        "Use this reading all the same",
        key=f"model_insist_{place}_{hashlib.sha256(reading.options().encode()).hexdigest()[:8]}",
        help="A warning stays on every page that shows figures.",
    )


def _show_readings(found: Inspection) -> None:
    """Show what each reading comes to: whom it refuses, and how far it agrees with the outcomes."""
    st.write("Nothing says for sure which answer is the good one, so say it. What each choice comes to:")
    st.markdown("\n".join(f"- {safe(_reading_line(found, reading))}" for reading in found.readings))


def _reading_line(found: Inspection, reading: Reading) -> str:
    words = found.figures(reading).words()
    return f"{reading.words()} The model then {words}."


def _what_is_read(found: Inspection, start: Reading | None, place: str) -> str:
    """Ask whether labels or scores are read, where there are both and two labels."""
    if not found.spreads or not found.labels:
        return SCORES if found.spreads else LABELS
    if len(found.labels) > 2:
        st.info(
            f"The model answers {len(found.labels)} labels. An audit needs yes or no, so the score of one of them is "
            "read against a threshold."
        )
        return SCORES
    key = f"model_way_{place}"
    begin_with(key, SCORES if start is not None and start.threshold is not None else LABELS)
    help_text = "Scores let you move the line between yes and no; labels take the model's own."
    return str(st.radio("What is read", [LABELS, SCORES], key=key, help=help_text))


def _by_label(found: Inspection, start: Reading | None, place: str) -> Reading | None:
    labels = [label for label, _ in found.labels]
    counts, key = dict(found.labels), f"model_label_{place}"
    chosen = start.favourable if start is not None and start.threshold is None else None
    begin_with(key, None if chosen is None else find_label(labels, chosen))
    label = st.radio(
        "Which answer is the good one?",
        labels,
        format_func=lambda label: safe(_label_line(found, label, counts[label])),
        index=None,
        key=key,
        help="The one people hope for; whoever gets another is refused.",
    )
    if label is None:
        return None
    refused = Share(found.people - counts[label], found.people)
    st.caption(safe(f"Read so, the model refuses {share_text(refused, ' people')}."))
    return Reading(label)


def _label_line(found: Inspection, label: str, count: int) -> str:
    """Write a label with who gets it and, where outcomes are known, how far it agrees with them as the good one."""
    agreement = found.figures(Reading(label)).agreement
    agrees = "" if agreement is None else f"; as the good one {agreement.short_words()}"
    return f"{label} ({count:,} of {found.people:,} people{agrees})"


def _by_score(found: Inspection, start: Reading | None, place: str) -> Reading | None:
    usual = start if start is not None and start.threshold is not None else None
    spread = _spread(found, usual, place)
    if spread is None:
        return None
    side = f"model_side_{place}"
    known = None if usual is None else (HIGHER if usual.above else LOWER)
    begin_with(side, known or (HIGHER if len(found.spreads) > 1 else None))
    way = st.radio("Which way", [HIGHER, LOWER], index=None, key=side, help="Which end of the scores is good.")
    if way is None:
        return None
    begin_at = usual_threshold(found.spreads) if usual is None or usual.threshold is None else usual.threshold
    threshold = _threshold(spread, begin_at, place)
    spread = replace(spread, ties=_ties(spread, usual, place))
    reading = Reading(spread.name, threshold, way == HIGHER, spread.ties)
    figures = found.figures(reading)
    refused = share_text(Share(figures.refused, found.people), " people")
    tied = figures.tied_words()
    st.caption(safe(f"At this threshold the model refuses {refused}.{f' {tied}.' if tied else ''}"))
    figure = threshold_figure(spread, threshold, above=reading.above)
    show_chart(figure, threshold_alt(spread, threshold, above=reading.above), key=f"model_curve_{place}")
    return reading


def _threshold(spread: ScoreSpread, begin_at: float, place: str) -> float:
    """Ask for the threshold.

    What the box begins with is set only where the box is drawn: Streamlit would keep it for good otherwise, and show it
    in place of the threshold in use.
    """
    key = f"model_threshold_{place}"
    held = begin(key, begin_at)
    step = usual_step(spread.scores)
    box = st.number_input(
        "Threshold",
        -LARGEST,
        LARGEST,
        step=step,
        format=ALL_DIGITS,
        key=key,
        help="Where scores are cut into favourable ones and the rest.",
        **held,
    )
    return float(box)


def _ties(spread: ScoreSpread, usual: Reading | None, place: str) -> Ties:
    """Ask what a score exactly at the threshold counts as; each class has its own answer."""
    key = f"model_ties_{place}_{hashlib.sha256(spread.name.encode()).hexdigest()[:8]}"
    is_known = usual is not None and is_same_label(usual.favourable, spread.name)
    begin_with(key, usual.ties if usual is not None and is_known else spread.ties)
    label = "A score exactly at the threshold counts as"
    return st.radio(label, SIDES, key=key, horizontal=True, help=TIES_HELP)


def _spread(found: Inspection, usual: Reading | None, place: str) -> ScoreSpread | None:
    """Return the scores that are read; of several classes one is chosen, None until it is."""
    spreads = {spread.name: spread for spread in found.spreads}
    names, key = list(spreads), f"model_score_{place}"
    if len(names) == 1:
        return spreads[names[0]]
    start = usual or found.suggested
    begin_with(key, None if start is None else find_label(names, start.favourable))
    help_text = "The class people hope for, or the other one with a lower score as the better."
    name = st.selectbox("Whose score", names, index=None, key=key, help=help_text)
    return None if name is None else spreads[str(name)]
