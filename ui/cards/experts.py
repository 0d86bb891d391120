"""Cards on a study: who answered how much, who agrees with whom, and about what they do not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ares_core.audit.words import cost_text, percent
from ares_core.costs import Concordance, Dispute, LeftOut, Likeness
from ares_core.people.levels import number_text
from ares_core.wording import counted
from ui.html import joined, tag

Names = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Voice:
    """How far one expert is."""

    name: str
    answers: int
    last: str
    weight: float
    revoked: bool


def table(caption: str, words: Sequence[str], rows: Iterable[Sequence[str]]) -> Markup:
    """Return a table whose first column names the rows."""
    head = tag("tr", *(tag("th", word, scope="col") for word in words))
    body = joined(tag("tr", tag("th", row[0], scope="row"), *(tag("td", cell) for cell in row[1:])) for row in rows)
    made = tag("table", tag("caption", caption), tag("thead", head), tag("tbody", body), css="expert-table")
    return tag("div", made, css="expert-scroll", tabindex="0", role="region", aria_label=caption)


def voices_table(voices: Sequence[Voice]) -> Markup:
    """Show how many answers came from whom, and nothing of what they say."""
    rows = [
        (
            voice.name,
            f"{voice.answers}",
            voice.last or "–",
            number_text(voice.weight),
            "taken back" if voice.revoked else "open",
        )
        for voice in voices
    ]
    total = sum(voice.answers for voice in voices)
    caption = f"{counted(total, 'answer')} of {counted(len(voices), 'expert')}"
    return table(caption, ("Expert", "Answers", "Last answer", "Weight", "Invitation"), rows)


def agreement_words(found: Concordance | None) -> str:
    """Say how far experts rank the changes alike."""
    if found is None:
        return "Fewer than two experts have compared enough to say how far they agree."
    return (
        f"Kendall's W is {found.w:.2f}, over {counted(found.experts, 'expert')} and "
        f"{counted(found.features, 'feature')}: 0 says that their rankings have nothing in common, "
        "1 that all rank alike."
    )


def likeness_table(found: Sequence[Likeness], names: Names) -> Markup:
    """Show how far every two experts agree, those who agree least first."""
    ordered = sorted(found, key=lambda one: 2.0 if one.correlation is None else one.correlation)
    rows = [
        (
            f"{names[one.one]} and {names[one.other]}",
            "–" if one.correlation is None else f"{one.correlation:.2f}",
            f"{one.same} of {one.common}" + (f" ({percent(one.share)})" if one.common else ""),
        )
        for one in ordered
    ]
    words = ("Experts", "Rank correlation", "Same answer to the same question")
    return table("How far every two experts agree, those who agree least first", words, rows)


def disputes_table(found: Sequence[Dispute], names: Names, titles: Names) -> Markup:
    """Show on which pairs experts disagree, and who says what."""
    rows = [
        (
            f"{titles[one.first]} / {titles[one.second]}",
            _who(one.first_harder, names),
            _who(one.second_harder, names),
            _who(one.same, names),
        )
        for one in found
    ]
    words = ("Pair", "The first is harder", "The second is harder", "About the same")
    return table("Pairs experts disagree on, the most even first", words, rows)


def left_out_table(found: Sequence[LeftOut], names: Names, titles: Names) -> Markup:
    """Show whose answers move the costs most."""
    rows = [(names[one.expert], titles[one.feature], _signed(one.most)) for one in found]
    words = ("Without", "Cost that changes most", "Change")
    return table("What would change if one expert had not answered", words, rows)


def groups_words(groups: Sequence[Sequence[str]], names: Names) -> list[str]:
    """Say who thinks alike."""
    return [
        ", ".join(names[one] for one in group) if len(group) > 1 else f"{names[group[0]]}, like nobody else"
        for group in groups
    ]


def _who(experts: Sequence[str], names: Names) -> str:
    return ", ".join(names[one] for one in experts) or "–"


def _signed(change: float) -> str:
    return f"{'+' if change > 0 else '−' if change < 0 else ''}{cost_text(abs(change))}"
