"""The session: one typed object for each visitor, and the address that carries what they look at."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, cast

import streamlit as st

from ares_core.costs import Comparison, Costs
from ares_core.people import Schema
from ares_core.store import CostSet
from ares_core.wording import counted
from ares_core.worker import Brought, Describe, Errands, LearnCosts, ModelSpec, PoolCosts, Question, RuleFile, Wish
from ui import links
from ui.demos import demo_model, demo_setup
from ui.shared import pool, shelf, store
from ui.shelf import Setup
from ui.state import AuditState, View

KEY = "ares"
ByExpert = tuple[tuple[str, tuple[Comparison, ...]], ...]


@dataclass(frozen=True, slots=True)
class Said:
    """What was said of costs: each expert's answers, how much each expert counts, and costs entered directly."""

    answers: ByExpert
    weights: tuple[tuple[str, float], ...]
    direct: tuple[tuple[str, float], ...]

    @property
    def every(self) -> tuple[Comparison, ...]:
        """All answers, expert by expert."""
        return tuple(one for _, own in self.answers for one in own)


@dataclass(slots=True)
class Session:
    """A visitor's audit, questions and messages.

    Parameters
    ----------
    state
        Where the audit stands; change it with the methods below.
    errands
        The visitor's questions.
    told
        Sentences to show once, on the next page that opens.
    stopped
        Questions the visitor cancelled, which are not asked again by themselves.
    """

    state: AuditState
    errands: Errands
    told: list[str] = field(default_factory=list)
    stopped: set[Question[Any]] = field(default_factory=set)

    def set_setup(self, setup: Setup | None) -> None:
        """Change the data, its schema or its costs, and say what that clears."""
        self.state, cleared = self.state.with_setup(setup)
        self._changed(cleared)

    def set_model(self, model: ModelSpec | None) -> None:
        """Change the model, and say what that clears."""
        self.state, cleared = self.state.with_model(model)
        self._changed(cleared)

    def set_view(self, **changes: Any) -> None:
        """Change some of what is looked at: fields of `View`."""
        self.state = self.state.with_view(replace(self.state.view, **changes))
        self._changed()

    def begin(self, state: AuditState) -> None:
        """Start over with another audit."""
        self.state = state
        self.stopped.clear()
        self._changed()

    @property
    def view(self) -> View:
        """What is looked at."""
        return self.state.view

    def schema(self) -> Schema:
        """Return the features of the data, which must be there."""
        assert self.state.setup is not None
        return self.errands.ask(Describe(self.state.setup.source)).result().schema

    def costs(self) -> Costs:
        """Return what the features of the data cost; whatever was said of features that are gone is passed over."""
        said, names = self.said(), self.schema().names
        kept = self.cost_set()
        if kept is not None:
            known = {name: cost for name, cost in kept.costs.items() if name in names}
            return Costs({**Costs.unit(names), **known})
        if said.weights:
            return self.errands.ask(PoolCosts(names, said.answers, said.weights, said.direct)).result()
        return self.errands.ask(LearnCosts(names, said.every, said.direct)).result()

    def compared(self) -> tuple[Comparison, ...] | None:
        """Return the answers behind the costs; None for kept ones, of which they are not known."""
        return None if self.cost_set() is not None else self.said().every

    def cost_set(self) -> CostSet | None:
        """Return the kept costs that count, if there are any."""
        setup = self.state.setup
        return store().cost_sets.read(setup.cost_set) if setup is not None and setup.cost_set else None

    def costs_told(self) -> str:
        """Say where the costs come from, for the record of a run."""
        kept, setup = self.cost_set(), self.state.setup
        assert setup is not None
        if kept is not None:
            return f"The costs are the kept set {kept.title!r} of {kept.created[:10]}."
        if setup.study:
            study = store().studies.by_id(setup.study)
            return f"The costs are pooled from the experts of the study {study.title if study else setup.study!r}."
        if setup.comparisons or setup.direct:
            typed = f" and {counted(len(setup.direct), 'cost')} typed in" if setup.direct else ""
            return f"The costs come from {counted(len(setup.comparisons), 'answer')} of one person{typed}."
        return "Nobody said what changes cost, so every feature costs 1."

    def said(self) -> Said:
        """Return what was said of the costs of features that are there."""
        setup, names = self.state.setup, self.schema().names
        assert setup is not None
        direct = tuple((name, cost) for name, cost in setup.direct if name in names)
        if setup.study:
            return Said(*_said(setup.study, names), direct)
        given = tuple(one for one in setup.comparisons if {one.first, one.second} <= set(names))
        return Said((("", given),) if given else (), (), direct)

    def wish(self) -> Wish:
        """Return what the summary should be like."""
        return self.state.wish(self.costs())

    def _changed(self, cleared: str = "") -> None:
        if cleared:
            self.told.append(cleared)
        self.enter()
        write_address(self)

    def own(self) -> None:
        """Make this an audit of the visitor's own in the store, unless it is one."""
        setup = self.state.setup
        if setup is not None and not setup.audit:
            self.state = replace(self.state, setup=replace(setup, audit=shelf().begin_audit(setup.source.name)))
            write_address(self)

    def leave_deleted(self) -> None:
        """Start over if this audit was deleted, in another window or by another program; the worker forgets it too."""
        setup = self.state.setup
        if setup is not None and setup.audit and not shelf().holds(setup.audit):
            self.state, self.errands = AuditState(), Errands(pool(), shelf().file)
            self.told.append("This audit was deleted, and nothing of it is left here.")

    def enter(self) -> None:
        """Begin an audit in the store once something of the visitor's own is to be kept.

        The next click may end a run anywhere, so every page makes up for one that ended before it came to this.
        """
        setup, model = self.state.setup, self.state.model
        if setup is None or setup.audit:
            return
        untouched = setup.demo and setup == demo_setup(setup.demo, shelf())
        brought = isinstance(model, RuleFile | Brought) and model != demo_model(setup.demo, shelf())
        if not untouched or brought:
            self.own()


def _said(study: str, names: tuple[str, ...]) -> tuple[ByExpert, tuple[tuple[str, float], ...]]:
    """Return what the experts of a study who count for anything have said so far, and how much each of them counts."""
    studies, known = store().studies, set(names)
    invited = studies.experts(study)
    spoken: dict[str, list[Comparison]] = {expert.id: [] for expert in invited}
    for given in studies.standing(study):
        said = given.comparison
        if said is not None and {said.first, said.second} <= known:
            spoken[given.expert].append(said)
    weights = tuple((expert.id, expert.weight) for expert in invited if expert.weight > 0 and spoken[expert.id])
    return tuple((expert, tuple(spoken[expert])) for expert, _ in weights), weights


def session() -> Session:
    """Return this visitor's session; a new one begins where the address says."""
    if KEY not in st.session_state:
        state, problem = links.read(address(), shelf())
        found = Session(state, Errands(pool(), shelf().file))
        found.told += [problem] if problem else []
        st.session_state[KEY] = found
    return cast(Session, st.session_state[KEY])


def start_over(told: str = "") -> None:
    """Forget this visitor's audit, choices and address, and say something if there is something to say.

    The worker ends with them.
    """
    st.session_state.clear()
    st.query_params.clear()
    if told:
        session().told.append(told)


def write_address(found: Session, **extra: str) -> None:
    """Let the address carry what is looked at, so that a copied link shows the same thing."""
    wanted = {**links.parameters(found.state, shelf()), **{name: [value] for name, value in extra.items()}}
    if wanted != address():
        st.query_params.from_dict(wanted)


def address() -> dict[str, list[str]]:
    """Return the parameters of this page's address."""
    return {name: st.query_params.get_all(name) for name in st.query_params}
