"""What a facilitator does with a study, each called by a widget before the page runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import NAMESPACE_URL, uuid4, uuid5

from ares_core.costs import Answer, Comparison, beyond, comparisons_json, parse_comparisons, write_comparisons
from ares_core.errors import AresError, CostError, StoreError
from ares_core.people import Change
from ares_core.store import Expert, Given, Item, Store, Study, new_expert
from ares_core.store.answers import WITHDRAWN, standing
from ares_core.wording import counted
from ares_core.worker import Description
from ui.comparing import comparable, example_step
from ui.costing import added_words
from ui.experts_found import expert_names
from ui.schema_desk import edit
from ui.schema_edits import with_change
from ui.session import Session
from ui.shelf import Setup, Shelf

PLACE = "experts"  # where a refused edit of the schema is shown
MOST_EXPERTS = 500
MOST_BROUGHT = 5_000


def study_items(description: Description, names: Sequence[str]) -> tuple[Item, ...]:
    """Put features into words an expert understands: an example of a change, and how many people are there already."""
    schema = description.schema
    found = []
    for place, feature in enumerate(schema.features):
        if feature.name in names:
            step = example_step(feature, description.people[place], description.favoured[place])
            words = "" if step is None else f"{step.start} → {step.target}"
            found.append(Item(feature.name, feature.title, words, None if step is None else step.there))
    return tuple(found)


class Facilitator:
    """Changes a visitor's studies.

    Parameters
    ----------
    session
        The visitor's.
    store, shelf
        Where studies are, and what begins an audit.
    """

    def __init__(self, session: Session, store: Store, shelf: Shelf) -> None:
        self._session, self._shelf, self.studies = session, shelf, store.studies

    @property
    def setup(self) -> Setup:
        """The data, which must be there."""
        assert self._session.state.setup is not None, "the page opens with need(session, Step.DATA)"
        return self._session.state.setup

    def known(self) -> tuple[Study, ...]:
        """Return the studies of this audit, the newest first."""
        audit = self.setup.audit
        return tuple(reversed(self.studies.of_audit(audit))) if audit else ()

    def create(self, title: str, items: Sequence[Item]) -> Study:
        """Begin a study; a demonstration nobody changed becomes an audit of its own."""
        if len(items) < 2:
            raise StoreError("A study needs at least two features to compare.", "Choose more of them.")
        setup = self.setup
        audit = setup.audit or self._shelf.begin_audit(setup.source.name)
        study = self.studies.create(title.strip() or "What changes cost people", items, audit)
        if not setup.audit:
            self._session.set_setup(replace(setup, audit=audit))
        return study

    def invite(self, study: Study, name: str) -> Expert:
        """Invite somebody whose name nobody else in the study has."""
        wanted, experts = _plain(name), self.studies.experts(study.id)
        if not wanted:
            raise StoreError("An expert needs a name.", "Type a name; it is shown to you alone.")
        if wanted in {expert.name for expert in experts}:
            raise StoreError(f"{wanted!r} is invited already.", "Add something to the name to tell them apart.")
        _refuse_crowd(len(experts) + 1)
        return self.studies.invite(study.id, wanted)

    def use(self, study: str) -> None:
        """Let a study's experts decide the costs of this audit; nothing stops that."""
        self._session.set_setup(replace(self.setup, study=study))

    def freeze(self, name: str) -> None:
        """Let a feature never change."""
        edit(self._session, PLACE, lambda document: with_change(document, [name], Change.FROZEN))

    def reopen(self, answers: Sequence[Given]) -> str:
        """Withdraw answers, so that their question is asked again; return a sentence on what came of it."""
        done, problem = 0, ""
        for given in answers:
            withdrawal = Given(
                id=uuid4().hex,
                expert=given.expert,
                first=given.first,
                second=given.second,
                verdict=WITHDRAWN,
                reason="opened again",
                supersedes=given.id,
            )
            try:
                self.studies.save(withdrawal)
                done += 1
            except StoreError as error:
                problem = f" {len(answers) - done} not: {error.problem}"
        return f"{counted(done, 'answer')} withdrawn; the pair is asked again.{problem}"

    def bring(self, study: Study, content: bytes, name: str) -> str:
        """Add the answers of a file that are not there yet, each to the expert it names, all of them or none.

        Raises
        ------
        AresError
            If the file or an answer in it cannot be used; then nothing is added.
        """
        found = parse_comparisons(content, name)
        if len(found) > MOST_BROUGHT:
            raise CostError(f"'{name}' holds {len(found):,} answers.", f"Bring at most {MOST_BROUGHT:,} at once.")
        _refuse_strangers(found, study, name)
        if study.closed:
            raise StoreError("The study is closed.", "Open it again to add answers.")
        invited = self.studies.experts(study.id)
        names = expert_names(invited)
        known = {names[expert.id]: expert for expert in invited}
        named = {_plain(one.expert) or _plain(name) for one in found}
        newcomers = {who: new_expert(study.id, who) for who in sorted(named - set(known))}
        _refuse_crowd(len(known) + len(newcomers))
        experts = {**known, **newcomers}
        theirs = [replace(one, expert=experts[_plain(one.expert) or _plain(name)].id) for one in found]
        new = self._not_there(study, theirs)
        self.studies.bring(list(newcomers.values()), new)
        return added_words(len(new), len(found), name)

    def _not_there(self, study: Study, found: Sequence[Comparison]) -> list[Given]:
        """Return the answers of a file that do not stand yet; two windows that bring it at once make the same ids."""
        history = self.studies.history(study.id)
        times = Counter(one.comparison for one in history)
        made = []
        for one in beyond(found, filter(None, (given.comparison for given in standing(history)))):
            times[one] += 1
            made.append(_brought(study, times[one], one))
        return made


def answers_csv(experts: Sequence[Expert], stands: Sequence[Given]) -> str:
    """Return the answers that stand as a table, with the experts' names."""
    return write_comparisons(_named(experts, stands))


def answers_json(experts: Sequence[Expert], stands: Sequence[Given]) -> str:
    """Return the answers that stand as JSON, with the experts' names."""
    return comparisons_json(_named(experts, stands))


def _named(experts: Sequence[Expert], stands: Sequence[Given]) -> list[Comparison]:
    names = expert_names(experts)
    said = (given.comparison for given in stands)
    return [replace(one, expert=names[one.expert]) for one in said if one is not None]


def invitation(address: str | None, token: str) -> str:
    """Return the link of an invitation, given the address of any page of this server; only its path without one."""
    base = (address or "").partition("?")[0].rpartition("/")[0]
    return f"{base}/Answer?invite={token}"


def ago(at: str, now: datetime) -> str:
    """Say how long ago something was: '3 min ago'; nothing for an empty time."""
    if not at:
        return ""
    seconds = max(0, int((now - datetime.fromisoformat(at)).total_seconds()))
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit} ago"
    return "just now" if seconds < 10 else f"{seconds} s ago"


def first_choice(description: Description) -> tuple[str, ...]:
    """Return the features a study asks about unless told otherwise: all that may change."""
    return comparable(description.schema)


def guarded(action: Callable[[], str | None], told: list[str], problems: list[AresError]) -> None:
    """Do something; keep what it says, or why it could not be done."""
    problems.clear()
    try:
        words = action()
    except AresError as error:
        problems.append(error)
        return
    if words:
        told.append(words)


def _plain(name: str) -> str:
    return " ".join(name.replace("\0", "").split())[:80]


def _refuse_crowd(experts: int) -> None:
    if experts > MOST_EXPERTS:
        raise StoreError(f"A study takes {MOST_EXPERTS} experts, not {experts}.", "Begin another study for more.")


def _refuse_strangers(found: Sequence[Comparison], study: Study, name: str) -> None:
    known = {item.name for item in study.items}
    for one in found:
        for feature in (one.first, one.second):
            if feature not in known:
                raise CostError(
                    f"'{name}' compares {feature!r}, which this study does not ask about.",
                    f"The features are: {', '.join(sorted(known))}.",
                )


def _brought(study: Study, time: int, one: Comparison) -> Given:
    """Return an answer of a file; its id says what is said, by whom, and for which time."""
    said = (study.id, one.expert, str(time), one.first, one.second, str(one.answer), one.reason)
    return Given(
        id=uuid5(NAMESPACE_URL, "\0".join(said)).hex,
        expert=one.expert,
        first=one.first,
        second=one.second,
        verdict=str(Answer(one.answer)),
        reason=one.reason,
    )
