"""Answers: what comes back from the process is what the engine says in this one, and what the command line writes."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from ares_core.audit import People, Request, person_recourse, run_audit
from ares_core.audit.audit import Audit
from ares_core.cli import main
from ares_core.costs import Comparison, Costs, fit_costs
from ares_core.datasets import load_german
from ares_core.errors import DataError, SchemaError
from ares_core.files import dump_json
from ares_core.models import parse_rule_model, quality
from ares_core.people import read_csv, read_numbers, schema_for
from ares_core.recourse import Learned, learn
from ares_core.settings import Settings, Weights
from ares_core.worker import (
    AskPerson,
    CompareGroups,
    CostTradeOff,
    Describe,
    Errands,
    Evaluate,
    Evaluated,
    Export,
    FindPeople,
    LearnCosts,
    ListPeople,
    MeetModel,
    ReadTable,
    RuleFile,
    Source,
    Subject,
    Summarise,
    SummaryKey,
    TradeOff,
    TrainHere,
    WhatBlocks,
    WhatIf,
    Wish,
)
from ares_core.worker.desk import KEPT, Desk
from tests.contract.checker import check_run
from tests.contract.tables import FAVOURABLE, RULES, SCHEMA, TARGET, answers, make_rows, refusing, write_table
from tests.worker.conftest import Files

SETTINGS = Settings(support=0.05, condition_width=2, max_rules=6)
PAIRS = (("income", "debts"), ("income", "home"), ("home", "debts"))


@dataclass(frozen=True)
class Case:
    """An audit as a visitor asks for it, and the same audit made in this process."""

    table: Path
    rules: Path
    evaluated: Evaluated
    wish: Wish
    audit: Audit

    @property
    def subject(self) -> Subject:
        """People and model."""
        return self.evaluated.subject


@pytest.fixture(scope="module")
def case(shelf: Files, tmp_path_factory: pytest.TempPathFactory) -> Case:
    """Return an audit of 200 people by a rule model, with costs."""
    folder = tmp_path_factory.mktemp("audit")
    table = write_table(folder / "people.csv", make_rows(61, 200))
    rules = folder / "rules.json"
    rules.write_text(json.dumps({"format": "ares-rules", "rules": RULES}), "utf-8")
    source = Source(shelf.put(table.read_bytes()), "people.csv", TARGET, FAVOURABLE, json.dumps(SCHEMA))
    subject = Subject(source, RuleFile(shelf.put(rules.read_bytes()), "rules.json"))
    raw = read_csv(table)
    people = People.of(
        read_numbers(raw.frame, SCHEMA), TARGET, FAVOURABLE, lambda frame: schema_for(frame, SCHEMA), raw.sha256
    )
    costs = fit_costs([Comparison(*pair) for pair in PAIRS], people.table.schema.names)
    model = parse_rule_model(rules.read_bytes(), "rules.json")
    audit = run_audit(Request(people=people, model=model, settings=SETTINGS, costs=costs, interest=("sex",)))
    return Case(table, rules, Evaluated(subject, SETTINGS, ("sex",)), Wish(SETTINGS, costs, ("sex",)), audit)


def shown(visitor: Errands, case: Case) -> SummaryKey:
    """Return what names the summary on screen."""
    return visitor.ask(Summarise(case.evaluated, case.wish)).result().key


def test_a_table_is_described(visitor: Errands, case: Case) -> None:
    """Rows, columns, what may be the target, and the schema with people at every level."""
    source, audited = case.subject.source, case.audit.people
    seen = visitor.ask(ReadTable(source.sha256, source.name)).result()
    assert (seen.rows, seen.columns[:2], dict(seen.two_valued)[TARGET]) == (200, ("sex", "age"), ("bad", "good"))
    described = visitor.ask(Describe(source)).result()
    assert described.schema.to_json() == audited.table.schema.to_json()
    assert described.favourable.total == 200
    assert all(sum(people) == 200 for people in described.people)


def test_costs_are_learnt(visitor: Errands, case: Case) -> None:
    """Comparisons give the costs the engine gives, and what was typed goes before them."""
    comparisons = tuple(Comparison(*pair) for pair in PAIRS)
    names = case.audit.people.table.schema.names
    assert visitor.ask(LearnCosts(names, comparisons)).result() == case.wish.costs
    assert visitor.ask(LearnCosts(names, comparisons, (("income", 2.5),))).result().of("income") == 2.5


def test_a_model_is_met(visitor: Errands, case: Case) -> None:
    """Its quality and whom it refuses are counted over everybody."""
    view, bench = visitor.ask(MeetModel(case.subject)).result(), case.audit.bench
    assert view.sha256 == case.audit.model.sha256
    assert (view.refused.count, view.refused.total) == (len(bench.affected), 200)
    assert view.quality == quality(case.audit.model, bench.table.frame, case.audit.people.outcomes)
    assert all(sum(share.count for _, share in levels) == view.refused.count for _, levels in view.by_level)


def test_asking_the_model_everything_is_counted(visitor: Errands, case: Case) -> None:
    """What evaluation came to is what the engine says."""
    view, bench = visitor.ask(Evaluate(case.evaluated)).result(), case.audit.bench
    assert (view.people, view.affected) == (200, len(bench.affected))
    assert (view.learn, view.check) == (len(bench.split.learn), len(bench.split.check))
    assert (view.moves, view.model_rows) == (len(bench.candidates.moves), bench.evaluation.model_rows)


@pytest.mark.parametrize("thorough", [False, True])
def test_a_summary_is_the_engines(visitor: Errands, case: Case, thorough: bool) -> None:
    """Rules, figures, totals and certificate are those of the audit in this process."""
    view, audit = visitor.ask(Summarise(case.evaluated, case.wish, thorough)).result(), case.audit
    assert [each.rule for each in view.rules] == list(audit.learned.rules)
    assert [each.figures for each in view.rules] == list(audit.rule_figures)
    assert view.check == audit.totals(audit.bench.split.check)
    assert view.learn == audit.totals(audit.bench.split.learn)
    assert view.certificate == audit.learned.certificate


def test_an_answer_does_not_depend_on_what_was_asked_before() -> None:
    """Whoever moved a limit step by step sees the rules that a colleague with the link sees."""
    data = load_german()
    source = Source(data.sha256, "german.csv", data.target, data.favourable, dump_json(data.schema.to_json()))
    evaluated = Evaluated(Subject(source, TrainHere("rf")), Settings(), ("age",))
    desk = Desk(lambda _stage, _share: None)
    desk.keep(data.sha256, data.csv_bytes)
    bench, costs = desk.bench(evaluated), Costs.unit(data.schema.names)
    for size in (20, 18, 12):
        settings = Settings(max_rules=size)
        walked = desk.learned(evaluated, Wish(settings, costs, ("age",)), thorough=False)
        assert walked.rules == learn(bench, settings, costs, ("age",)).rules


def test_an_answer_far_from_its_proof_goes_on_from_the_one_before(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where time ends a live search early, what was found before helps; the thorough answer begins from nothing."""
    desk = Desk(lambda _stage, _share: None)
    for path, sha256 in ((case.table, case.subject.source.sha256), (case.rules, case.subject.model.sha256)):
        desk.keep(sha256, path.read_bytes())
    desk.learned(case.evaluated, replace(case.wish, settings=replace(SETTINGS, max_rules=5)), thorough=True)
    starts: list[bool] = []

    def in_a_hurry(*given: Any, start: Any = ()) -> Learned:
        starts.append(bool(start))
        found = learn(*given, start=start)
        gain = found.certificate.gain / (1 if start else 2)
        return replace(found, certificate=replace(found.certificate, proven=False, gap=0.5, gain=gain))

    monkeypatch.setattr("ares_core.worker.desk.learn_live", in_a_hurry)
    best = learn(desk.bench(case.evaluated), case.wish.settings, case.wish.costs, case.wish.interest)
    live = desk.learned(case.evaluated, case.wish, thorough=False)
    assert starts == [False, True]
    assert live.certificate.gain == pytest.approx(best.certificate.gain)
    assert desk.learned(case.evaluated, case.wish, thorough=True).certificate.proven


def test_the_lists_are_the_people_behind_the_totals(visitor: Errands, case: Case) -> None:
    """Every figure of the totals is openable as people, who are refused and audited."""
    view = visitor.ask(Summarise(case.evaluated, case.wish)).result()
    lists, totals = view.lists, view.check
    assert len(lists.helped) + len(lists.failed) + len(lists.uncovered) == totals.affected
    assert (len(lists.conflicts), len(lists.without_recourse)) == (totals.conflicts, totals.no_recourse)
    shown = visitor.ask(ListPeople(case.subject, lists.helped)).result()
    assert shown.rows == lists.helped
    assert not any(shown.accepted)


def test_a_new_weight_asks_the_model_nothing(visitor: Errands, case: Case) -> None:
    """Weights and limits do not name another evaluation, the share of people a rule needs does."""
    settings = replace(SETTINGS, weights=Weights(2, 1, 0, 0), max_rules=3, time_limit=1.0, search="greedy")
    assert Evaluated(case.subject, settings, ("sex",)) == case.evaluated
    assert Evaluated(case.subject, replace(SETTINGS, support=0.1), ("sex",)) != case.evaluated
    view = visitor.ask(Summarise(case.evaluated, replace(case.wish, settings=settings))).result()
    assert 0 < len(view.rules) <= 3
    assert view.settings == settings


def test_sizes_and_costs_are_traded_off(visitor: Errands, case: Case) -> None:
    """There is a summary for every size, as the engine's frontier has it, and one for each weight of cost."""
    full = visitor.ask(Summarise(case.evaluated, case.wish)).result()
    sizes = visitor.ask(TradeOff(full.key)).result()
    gains = [point.certificate.gain for point in case.audit.frontier]
    assert [point.certificate.gain for point in sizes] == pytest.approx(gains)
    assert all(len(point.rules) <= size for size, point in enumerate(sizes, start=1))
    assert [point.settings.max_rules for point in sizes] == [1, 2, 3, 4, 5, 6]
    assert sizes[-1] == full
    costs = visitor.ask(CostTradeOff(case.evaluated, case.wish)).result()
    assert len(costs) > 1


def test_groups_and_blockers_are_the_engines(visitor: Errands, case: Case) -> None:
    """The same gaps, the same moves across groups, the same obstacles."""
    view = visitor.ask(CompareGroups(shown(visitor, case))).result()
    assert view.groups == case.audit.subgroups
    assert view.moves == case.audit.moves
    assert visitor.ask(WhatBlocks(case.evaluated)).result() == case.audit.blockers


def test_a_person_is_the_engines(visitor: Errands, case: Case) -> None:
    """One person's recourse is what the engine finds, and what-if asks the model."""
    bench, learned = case.audit.bench, case.audit.learned
    place = int(bench.affected[0])
    row = int(bench.table.lines[place])
    view = visitor.ask(AskPerson(shown(visitor, case), row)).result()
    ranked = list(zip(learned.rules, learned.coverage.accuracy.tolist(), strict=True))
    alone = person_recourse(
        case.audit.model, bench.table, place, ranked, case.wish.costs, case.evaluated.settings.max_changes
    )
    assert view.recourse == alone
    unchanged = visitor.ask(WhatIf(case.subject, row, ())).result()
    assert unchanged.accepted is False


def test_people_are_found(visitor: Errands, case: Case) -> None:
    """Filters keep to those at a level; the rest is counted, not sent."""
    everybody = visitor.ask(FindPeople(case.subject, refused=False, most=10)).result()
    assert (len(everybody.rows), everybody.found) == (10, 200)
    women = visitor.ask(FindPeople(case.subject, (("sex", "F"),))).result()
    assert 0 < women.found < 200
    assert not any(women.accepted)


def test_an_export_is_the_command_lines_file(visitor: Errands, case: Case, tmp_path: Path) -> None:
    """The same table, model, settings and costs give the same run file, seconds aside, and a recount confirms it."""
    schema, pairs, out = tmp_path / "schema.json", tmp_path / "pairs.csv", tmp_path / "run.json"
    schema.write_text(json.dumps(SCHEMA), "utf-8")
    pairs.write_text("harder,easier\n" + "".join(f"{harder},{easier}\n" for harder, easier in PAIRS), "utf-8")
    options = {"--target": TARGET, "--favourable": FAVOURABLE, "--subgroup": "sex", "--schema": schema}
    options |= {"--model": case.rules, "--support": 0.05, "--condition-width": 2, "--max-rules": 6}
    options |= {"--comparisons": pairs, "--json": out}
    words = [str(word) for pair in options.items() for word in pair]
    assert main(["audit", str(case.table), *words, "--quiet"]) == 0
    written = json.loads(out.read_text("utf-8"))
    sizes = visitor.ask(TradeOff(shown(visitor, case))).result()
    exported = json.loads(visitor.ask(Export(shown(visitor, case), tuple(size.key for size in sizes))).result())
    assert written["timings"].keys() == exported["timings"].keys()
    assert {**exported, "timings": 0} == {**written, "timings": 0}
    assert check_run(exported, case.table, answers(refusing(RULES))) == []


def test_a_trained_model_is_audited_on_the_others(visitor: Errands, case: Case) -> None:
    """Whoever a model was trained on is not asked about, and asking for them says so."""
    subject = Subject(case.subject.source, TrainHere("lr"))
    view = visitor.ask(MeetModel(subject)).result()
    assert view.trained_on + view.refused.total == 200
    audited = set(visitor.ask(FindPeople(subject, refused=False, most=200)).result().rows)
    stranger = next(row for row in range(2, 202) if row not in audited)
    with pytest.raises(DataError, match=rf"Row {stranger} of the file \(its first line is row 1\) is not among the"):
        visitor.ask(WhatIf(subject, stranger, ())).result()


def test_what_cannot_be_read_is_told(visitor: Errands, shelf: Files) -> None:
    """A broken table and a broken schema come back as the engine's errors."""
    with pytest.raises(DataError):
        visitor.ask(ReadTable(shelf.put(b"a,b\n1,2,3\n"), "odd.csv")).result()
    fine = shelf.put(b"a,good\n" + b"1,0\n2,1\n" * 30)
    with pytest.raises(SchemaError):
        visitor.ask(Describe(Source(fine, "odd.csv", "good", "1", dump_json({"format": "something"})))).result()


def test_a_desk_forgets(files: Files) -> None:
    """Of each kind it holds the last few things, so that a long visit does not fill the memory."""
    desk = Desk(lambda _stage, _share: None)
    tables = [files.put(f"a,good\n{number},0\n2,1\n".encode()) for number in range(KEPT + 3)]
    for sha256 in tables:
        desk.keep(sha256, files[sha256])
        desk.raw(sha256, "people.csv")
    assert [len(known) for known in desk._made.values()] == [KEPT]
    assert len(desk._files) == KEPT
