"""Stability, asked in this process: it speaks of the summary's rules, at costs the same answers leave possible."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace

import pytest

from ares_core.costs import Comparison, cost_draws, pool
from ares_core.datasets import planted_bias
from ares_core.datasets.dataset import bundled
from ares_core.errors import Cancelled, CostError
from ares_core.files import dump_json
from ares_core.recourse import stability
from ares_core.settings import Settings, Weights
from ares_core.worker import Evaluated, RuleFile, Source, Stability, StabilityView, Subject, Summarise, Wish
from ares_core.worker.answers import answer
from ares_core.worker.desk import Desk

DATA = planted_bias()[0]
RULES = bundled("planted_bias.rules.json")
SUBJECT = Subject(
    Source(DATA.sha256, "bail.csv", DATA.target, DATA.favourable, dump_json(DATA.schema.to_json())),
    RuleFile(hashlib.sha256(RULES).hexdigest(), "rules.json"),
)
EVALUATED = Evaluated(SUBJECT, Settings(condition_width=2), ("race",))
ANSWERS = (
    ("ann", (Comparison("has_job", "has_phone"), Comparison("property", "has_job"))),
    ("bo", (Comparison("drugs", "pays_rent"), Comparison("has_job", "drugs"))),
)
WEIGHTS = (("ann", 1.0), ("bo", 0.5))
DIRECT = (("property", 4.0),)
NAMES = DATA.schema.names
COSTS = pool(dict(ANSWERS), dict(WEIGHTS), NAMES).with_direct(dict(DIRECT))
SETTINGS = Settings(condition_width=2, max_rules=6, weights=Weights(1.0, 1.0, 20.0, 0.005))
WISH = Wish(SETTINGS, COSTS, ("race",))
QUESTION = Stability(EVALUATED, WISH, ANSWERS, WEIGHTS, DIRECT, draws=40)


def desk_telling(tell: Callable[[str, float], None]) -> Desk:
    """Return a desk with the data and the model."""
    made = Desk(tell)
    made.keep(DATA.sha256, DATA.csv_bytes)
    made.keep(SUBJECT.model.sha256 if isinstance(SUBJECT.model, RuleFile) else "", RULES)
    return made


@pytest.fixture(scope="module")
def desk() -> Desk:
    """Return a desk that tells nobody."""
    return desk_telling(lambda _stage, _share: None)


def test_shares_are_the_engines_and_speak_of_the_summary(desk: Desk) -> None:
    """The rules are those of the thorough summary in its order, and every share is what the engine counts."""
    view = answer(QUESTION, desk)
    assert isinstance(view, StabilityView)
    summary = answer(Summarise(EVALUATED, WISH, thorough=True), desk)
    assert view.rules == tuple(each.rule for each in summary.rules)
    learned = desk.learned(EVALUATED, WISH, thorough=True)
    bench = desk.bench(EVALUATED)
    names = [feature.name for feature in bench.table.features]
    alone = stability(bench, learned, cost_draws(dict(ANSWERS), dict(WEIGHTS), names, dict(DIRECT), 40))
    assert (view.shares, view.unchanged, view.draws) == (alone.shares, alone.unchanged, 40)
    assert len(view.shares) == len(view.rules) > 0


def test_costs_that_count_for_much_make_rules_unsteady(desk: Desk) -> None:
    """With a high weight of cost and few answers some rule goes in some draw; without weight none does."""
    assert answer(QUESTION, desk).unchanged < 1
    free = replace(SETTINGS, weights=replace(SETTINGS.weights, feature_cost=0.0))
    assert answer(replace(QUESTION, wish=replace(WISH, settings=free)), desk).unchanged == 1


def test_without_answers_nothing_changes(desk: Desk) -> None:
    """Unit costs have no uncertainty, so every draw is the costs of the summary."""
    plain = replace(WISH, costs=pool({}, None, NAMES))
    assert answer(Stability(EVALUATED, plain, (), draws=5), desk).unchanged == 1


def test_a_stranger_among_the_answers_is_refused(desk: Desk) -> None:
    """An answer about what is not a feature comes back as the engine's error."""
    strange = (("ann", (Comparison("has_job", "phone"),)),)
    with pytest.raises(CostError, match="names 'phone', which is not a feature"):
        answer(replace(QUESTION, answers=strange, weights=()), desk)


def test_it_tells_how_far_it_is_and_a_signal_ends_it() -> None:
    """Whatever the teller raises, as the worker's signal does, gets through."""
    told: list[tuple[str, float]] = []

    def give_up(stage: str, share: float) -> None:
        told.append((stage, share))
        if stage == "stability" and share > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        answer(QUESTION, desk_telling(give_up))
    shares = [share for stage, share in told if stage == "stability"]
    assert shares == sorted(shares)
    assert len(shares) > 10
