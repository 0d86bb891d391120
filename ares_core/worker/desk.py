"""Desk: what a worker knows. Files it was given, and the last few things it made of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ares_core.audit import People, behaviour_of, described, recheck_of, subject, without_column
from ares_core.audit.blockers import Blockers, find_blockers
from ares_core.errors import SchemaError
from ares_core.files import parse_json
from ares_core.models import Answers, Behaviour, BlackBox, ForeignModel, RawModel, ask, parse_rule_model
from ares_core.models.categories import parse_categories
from ares_core.models.endpoint import open_service, parse_description
from ares_core.models.sandbox import open_model
from ares_core.people import (
    RawTable,
    Table,
    read_table,
    without_target,
)
from ares_core.people.table import Indices
from ares_core.recourse import Learned, Recheck, Workbench, learn, learn_live, prepare, restore
from ares_core.worker.recipe import (
    Brought,
    Evaluated,
    ModelFile,
    Origin,
    RuleFile,
    ServiceAt,
    Source,
    Subject,
    SummaryKey,
    TrainHere,
    Wish,
)
from ares_core.worker.secrets import Headers

T = TypeVar("T")
Tell = Callable[[str, float], None]
FAR = 0.01  # a live answer that may be this much below the best is not built upon
KEPT = 3  # things of a kind, the last ones used


class NeedsFileError(Exception):
    """The worker was not given this file, or has forgotten it."""

    def __init__(self, sha256: str) -> None:
        super().__init__(sha256)
        self.sha256 = sha256


@dataclass(frozen=True, slots=True)
class Met:
    """People and their model: `table` holds those audited, `accepted` what the model says of each of them."""

    people: People
    model: BlackBox
    table: Table
    trained_on: Indices
    accepted: Answers
    notes: tuple[str, ...]

    @property
    def outcomes(self) -> NDArray[np.int8] | None:
        """The outcome of each person audited; None where the table has no outcome."""
        if self.people.outcomes is None:
            return None
        by_row = dict(zip(self.people.table.rows.tolist(), self.people.outcomes.tolist(), strict=True))
        return np.array([by_row[row] for row in self.table.rows.tolist()], dtype=np.int8)

    def place(self, row: int) -> int:
        """Return a person's place in the audited table, by the line of the file; -1 for one that is not audited."""
        places = np.flatnonzero(self.table.lines == row)
        return int(places[0]) if len(places) else -1

    def places(self, rows: Sequence[int]) -> Indices:
        """Return the places of many people, in this order, without those who are not audited."""
        found = pd.Index(self.table.lines).get_indexer(pd.Index(rows, dtype=np.int64))
        return found[found >= 0]


class Desk:
    """Makes things from recipes and keeps the last few of each kind.

    Parameters
    ----------
    tell
        Called with a stage and the share of it that is done.

    Attributes
    ----------
    headers
        What the services of the question at hand want, by address; they may be keys, so they are no part of what is
        kept here.
    """

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self.headers: Headers = {}
        self._files: OrderedDict[str, bytes] = OrderedDict()
        self._made: dict[str, OrderedDict[Hashable, Any]] = {}

    def keep(self, sha256: str, content: bytes) -> None:
        """Take a file in; the oldest beyond a few is forgotten."""
        self._files[sha256] = content
        while len(self._files) > KEPT:
            self._files.popitem(last=False)

    def raw(self, sha256: str, name: str) -> RawTable:
        """Return a file as a table."""
        return self._once("raw", (sha256, name), lambda: read_table(self._file(sha256), name=name))

    def people(self, source: Source) -> tuple[People, tuple[str, ...]]:
        """Return the people of a source, and notes for a careful reader."""
        return self._once("people", source, lambda: self._people(source))

    def met(self, who: Subject) -> Met:
        """Return the model and the people it is audited on."""
        return self._once("met", who, lambda: self._met(who))

    def opened(self, origin: Origin) -> RawModel:
        """Return a model from elsewhere, in its sandbox or behind its address."""
        return self._once("opened", origin, lambda: self._open(origin))

    def behaviour(self, who: Subject) -> Behaviour | None:
        """Return how a model from elsewhere behaves; None for one made here."""
        return self._once("behaviour", who, lambda: self._behaviour(who))

    def bench(self, evaluated: Evaluated) -> Workbench:
        """Return everything the model said, asking it unless that was done."""
        return self._once("bench", evaluated, lambda: self._bench(evaluated))

    def recheck(self, evaluated: Evaluated) -> Recheck | None:
        """Return whether a model from elsewhere repeats its answers in other batches; None for one made here."""
        return self._once("recheck", evaluated, lambda: self._recheck(evaluated))

    def blockers(self, evaluated: Evaluated) -> Blockers:
        """Return what stands between recourse and the people no candidate move helps."""
        return self._once("blockers", evaluated, lambda: self._blockers(evaluated))

    def learned(self, evaluated: Evaluated, wish: Wish, *, thorough: bool) -> Learned:
        """Return the best rules; a live answer that is proven already serves as the thorough one, and the reverse.

        Every search begins from nothing, so that whoever asks the same finds the same, whatever they asked before. Only
        where a live one is far from its proof does it go on from the answer before; the thorough one replaces it.
        """
        proven: Learned | None = self._known("thorough", (evaluated, wish))
        if proven is not None:
            return proven
        search = learn if thorough else learn_live
        found = search(self.bench(evaluated), wish.settings, wish.costs, wish.interest)
        if not thorough and found.certificate.gap > FAR:
            found = self._continued(evaluated, wish, found)
        if thorough or found.certificate.proven:
            self._remember("thorough", (evaluated, wish), found)
        self._remember("pool", _basis(evaluated, wish), found.pool)
        return found

    def _continued(self, evaluated: Evaluated, wish: Wish, found: Learned) -> Learned:
        """Search again from the answer before, if there is one, and return the better of the two."""
        start = self._known("pool", _basis(evaluated, wish))
        if not start:
            return found
        other = learn_live(self.bench(evaluated), wish.settings, wish.costs, wish.interest, start=start)
        return max(found, other, key=lambda each: each.certificate.gain)

    def summary(self, key: SummaryKey) -> Learned:
        """Return the summary a page shows; nothing is searched."""
        bench, wish = self.bench(key.evaluated), key.wish
        groups = bench.subgroups(wish.interest, wish.settings.selection)
        return restore(bench, wish.settings, groups, key.triples, key.certificate)

    def prices(self, evaluated: Evaluated, wish: Wish) -> NDArray[np.float64]:
        """Return what every candidate move costs."""
        return self.bench(evaluated).prices(wish.settings, wish.costs).move_costs

    def seconds(self, what: Source | Subject) -> float:
        """Return how long it took to read a table, or to train a model and ask it about everybody."""
        return self._known("seconds", what) or 0.0

    def watch(self, stage: str, share: float) -> bool:
        """Tell how far it is, and never cancel."""
        self._tell(stage, share)
        return True

    def _known(self, kind: str, key: Hashable) -> Any:
        return self._made.setdefault(kind, OrderedDict()).get(key)

    def _file(self, sha256: str) -> bytes:
        if sha256 not in self._files:
            raise NeedsFileError(sha256)
        self._files.move_to_end(sha256)
        return self._files[sha256]

    def _once(self, kind: str, key: Hashable, make: Callable[[], T]) -> T:
        known = self._made.setdefault(kind, OrderedDict())
        if key not in known:
            self._remember(kind, key, make())
        known.move_to_end(key)
        return known[key]  # type: ignore[no-any-return]

    def _remember(self, kind: str, key: Hashable, value: Any) -> None:
        known = self._made.setdefault(kind, OrderedDict())
        known[key] = value
        known.move_to_end(key)
        while len(known) > KEPT:
            known.popitem(last=False)

    def _people(self, source: Source) -> tuple[People, tuple[str, ...]]:
        began = perf_counter()
        raw = without_column(self.raw(source.sha256, source.name), source.expected)
        found = described(raw, source.target, source.favourable, _document(source))
        self._remember("seconds", source, perf_counter() - began)
        return found

    def _met(self, who: Subject) -> Met:
        self._tell("model", 0.0)
        people, notes = self.people(who.source)
        began = perf_counter()
        model, table, trained_on = subject(people, self._model(who, people.table), who.seed)
        accepted = ask(model, table.frame)
        self._remember("seconds", who, perf_counter() - began)
        matched = model.matching.notes if isinstance(model, ForeignModel) else ()
        return Met(people, model, table, trained_on, accepted, (*notes, *matched))

    def _model(self, who: Subject, table: Table) -> BlackBox | str:
        if isinstance(who.model, TrainHere):
            return who.model.family
        if isinstance(who.model, Brought):
            return self.fitted(who.model, table)
        return self._rule_model(who.model, table)

    def fitted(self, model: Brought, table: Table) -> ForeignModel:
        """Return a model from elsewhere, matched to a table."""
        return ForeignModel.fitted(self.opened(model.origin), table.frame, model.reading, model.columns)

    def _open(self, origin: Origin) -> RawModel:
        if isinstance(origin, ServiceAt):
            described = parse_description(origin.description) if origin.description else None
            headers = self.headers.get(origin.url, {})
            return open_service(origin.url, budget=origin.budget, headers=headers, description=described)
        content = self._file(origin.sha256)
        self._close_files()
        if not origin.categories:
            return open_model(content, origin.name)
        return open_model(content, origin.name, categories=parse_categories(origin.categories.encode()))

    def _close_files(self) -> None:
        """Let go of the model file opened before: each holds a process, and one for each visitor is enough."""
        opened, met = (self._made.setdefault(kind, OrderedDict()) for kind in ("opened", "met"))
        for origin in [origin for origin in opened if isinstance(origin, ModelFile)]:
            del opened[origin]
        for who in [who for who, each in met.items() if isinstance(each.model, ForeignModel) and each.model.sandbox]:
            del met[who]

    def _behaviour(self, who: Subject) -> Behaviour | None:
        met = self.met(who)
        return behaviour_of(met.people, met.model, self.watch)

    def _rule_model(self, spec: RuleFile, table: Table) -> BlackBox:
        model = parse_rule_model(self._file(spec.sha256), spec.name)
        model.check(table.frame)
        return model

    def _bench(self, evaluated: Evaluated) -> Workbench:
        met = self.met(evaluated.subject)
        self._tell("evaluate", 0.0)
        return prepare(met.model, met.table, evaluated.settings, evaluated.strata, partial(self.watch, "evaluate"))

    def _recheck(self, evaluated: Evaluated) -> Recheck | None:
        bench = self.bench(evaluated)
        return recheck_of(self.met(evaluated.subject).model, bench, self.watch)

    def _blockers(self, evaluated: Evaluated) -> Blockers:
        bench, met = self.bench(evaluated), self.met(evaluated.subject)
        self._tell("blockers", 0.0)
        without = bench.affected[~bench.recourse]
        return find_blockers(met.model, met.table, without, evaluated.settings.max_changes)


def _basis(evaluated: Evaluated, wish: Wish) -> Hashable:
    """Return what two searches must have in common for one to go on from the other."""
    return evaluated, wish.interest, wish.settings.selection


def _document(source: Source) -> Mapping[str, Any] | None:
    """Return the content of the schema file without what it says of the target."""
    if not source.schema:
        return None
    hint = "Start from a schema that was downloaded here."
    document = parse_json(source.schema.encode(), "The schema", SchemaError, hint)
    return without_target(without_target(document, source.target), source.expected)
