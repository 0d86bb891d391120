"""What is said of a summary, on the command line and on pages alike: sentences, not yet laid out."""

from __future__ import annotations

from collections.abc import Sized
from typing import Protocol

from ares_core.audit.blockers import Blockers
from ares_core.audit.figures import RuleFigures, Totals
from ares_core.audit.words import cost_text, hundredths, people, percent, sentence, share_text
from ares_core.people import Change, Schema
from ares_core.recourse import Certificate
from ares_core.settings import Settings
from ares_core.wording import counted

FEW = 5  # a rule measured on fewer people is said to be
CARE = "Few people: read with care."


class Summary(Protocol):
    """A summary as far as these sentences speak of it."""

    @property
    def rules(self) -> Sized:
        """The rules."""

    @property
    def certificate(self) -> Certificate:
        """What is proven."""

    @property
    def settings(self) -> Settings:
        """The limits it was found within."""

    @property
    def min_people(self) -> int:
        """The fewest people a rule had to describe."""

    @property
    def stand_ins(self) -> int:
        """How many of the people it was chosen on are invented."""


def protocol_words(learn: int, check: int, *, same_people: bool) -> str:
    """Say on whom rules were chosen and on whom they were measured."""
    if same_people:
        return "Rules were chosen and measured on the same people (the paper's protocol)."
    if not check:
        return "Rules were chosen on all of them, so nobody is left to measure on; keep a larger share aside."
    return f"Rules were chosen on {learn:,} of those refused; every figure below is measured on the other {check:,}."


def no_rule_words(summary: Summary, learn: int) -> str:
    """Say that no rule was found, and why; `learn` is how many refused people it would have been chosen on."""
    proof = summary.certificate
    if not proof.candidates:
        return f"No rule can be offered: {_no_candidate(summary, learn)}"
    if not proof.proven:
        return "No rule was found before the time for the search was over. Allow it more seconds."
    return (
        "No rule can be offered: each would cost more, in failures and in changes, than the people it "
        "helps are worth. Raise the weight of coverage, lower those of correctness and cost, or lower the support."
    )


def _no_candidate(summary: Summary, learn: int) -> str:
    """Say why there is no candidate, and what to do."""
    if summary.certificate.lone:
        return (
            f"{summary.certificate.lone!r} alone may change and alone describes subgroups, but a rule describes its "
            "subgroup by one feature and changes another. Choose another feature of interest, or free or add a feature."
        )
    return (
        f"no change that is allowed speaks to at least {people(summary.min_people)} among the {learn:,} refused it "
        "would be chosen on. Audit more people, allow more changes, or lower the support or the fewest people of a "
        "rule."
    )


def rule_words(figures: RuleFigures, *, same_people: bool) -> str:
    """Say how often a rule works, on whom, and what it costs."""
    chosen = f"it helps {figures.learn.count:,} of the {figures.learn.total:,} it was chosen on"
    works = "There is nobody to measure it on"
    if figures.check.total:
        works = f"Works for {share_text(figures.check)}"
    few = f" {CARE}" if figures.check.total < FEW else ""
    return f"{works}{'' if same_people else f'; {chosen}'}. Cost {cost_text(figures.feature_cost)}.{few}"


def totals_words(check: Totals, learn: Totals, *, same_people: bool) -> str:
    """Say what the rules achieve together; empty when there is nothing to say."""
    if not check.size:
        return sentence(left_out(check)) if check.affected else ""
    if not check.affected:
        return f"Of the people the rules were chosen on, {percent(learn.accuracy.value)} are helped."
    rules, groups = counted(check.size, "rule"), counted(check.subgroups, "subgroup")
    helps = "helps" if check.size == 1 else "help"
    covers = "covers" if check.size == 1 else "cover"
    words = [
        f"Together, {rules} for {groups} {helps} {share_text(check.accuracy, ' refused')} and {covers} "
        f"{percent(check.coverage.value)}."
    ]
    if not same_people:
        words.append(f"Of the people the rules were chosen on, {percent(learn.accuracy.value)} are helped.")
    if check.mean_fcost is not None:
        words.append(f"A person who is helped pays {cost_text(check.mean_fcost)} on average.")
    words.append(sentence(f"{_under(check.conflicts)} under more than one rule; {left_out(check)}"))
    return " ".join(words)


def _under(count: int) -> str:
    return f"{people(count)} {'is' if count < 2 else 'are'}"


def left_out(check: Totals) -> str:
    """Say for how many of the people measured on no candidate move works."""
    if check.affected == 1:
        return f"for the only person measured on, {'no' if check.no_recourse else 'some'} candidate move works"
    if not check.no_recourse:
        return f"for each of the {check.affected:,} measured on, some candidate move works"
    return f"for {check.no_recourse:,} of the {check.affected:,} measured on, no candidate move works"


def claim_words(summary: Summary) -> str:
    """Say what is proven of a summary; empty when there was nothing to choose from."""
    proof, settings = summary.certificate, summary.settings
    if not proof.candidates:
        return ""
    limits = (
        f"at most {counted(settings.max_rules, 'rule')} in {counted(settings.max_subgroups, 'subgroup')}, "
        f"made from {counted(proof.candidates, 'candidate')},"
    )
    if not proof.proven and not len(summary.rules):
        return "The search ended before it could prove that no rule is worth offering."
    if proof.proven:
        return f"Proven: no summary of {limits} scores higher."
    return (
        f"No summary of {limits} can score more than {hundredths(proof.gap)} % higher; the search ended "
        "before it could prove that none does."
    )


def trust_words(summary: Summary, learn: int) -> list[str]:
    """Say what keeps rules from being chosen by chance; `learn` counts the real people they were chosen on."""
    if not summary.certificate.candidates:
        return []
    words = [f"Rules must describe at least {people(summary.min_people)}."]
    if summary.stand_ins:
        teach, were = "teaches" if learn == 1 else "teach", "was" if summary.stand_ins == 1 else "were"
        words.append(
            f"Because {people(learn)} {teach} little, {people(summary.stand_ins)} {were} invented whom the model "
            "refuses too, to help choose the rules; no figure counts them."
        )
    return words


def certificate_words(summary: Summary, learn: int) -> str:
    """Say what is proven, on what grounds rules were chosen, and how the candidates were kept few."""
    return " ".join(filter(None, [claim_words(summary), *trust_words(summary, learn), *summary.certificate.narrowed]))


def blocker_words(schema: Schema, found: Blockers, affected: int) -> str:
    """Say what stands between people and recourse; empty when nobody is without."""
    if not found.people:
        return ""
    have = "has" if found.people == 1 else "have"
    words = [f"Of all {affected:,} refused, {people(found.people)} {have} no candidate move that works."]
    if found.looked_at < found.people:
        words.append(f"Of the first {found.looked_at} of them:")
    words += [f"{_would(count)} if {_unlocked(schema, name)}." for name, count in found.locked[:5]]
    if found.rare:
        words.append(f"{_would(found.rare)} if more people were where it starts or where it leads.")
    if found.further:
        words.append(sentence(f"{people(found.further)} would need more changes than were tried, if any help at all"))
    return " ".join(words)


def _would(count: int) -> str:
    return f"{people(count).capitalize()} would have one"


def _unlocked(schema: Schema, name: str) -> str:
    feature = schema[name]
    how = "" if feature.change is Change.FROZEN else " in a way that is not allowed"
    return f"{feature.title!r} could change{how}"
