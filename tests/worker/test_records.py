"""Questions about the summary on screen: every answer is of those rules, whatever a search would find by now."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ares_core.audit import read_run
from ares_core.cli import main
from ares_core.costs import Costs
from ares_core.settings import Settings
from ares_core.worker import (
    AskPerson,
    CompareGroups,
    Describe,
    Evaluated,
    Export,
    ListPeople,
    RuleFile,
    Source,
    Subject,
    Summarise,
    SummaryKey,
    SummaryView,
    TradeOff,
    Wish,
)
from ares_core.worker.answers import answer
from ares_core.worker.desk import Desk
from tests.contract.checker import check_run
from tests.contract.tables import FAVOURABLE, RULES, SCHEMA, TARGET, answers, make_rows, refusing, write_table
from tests.worker.conftest import Files

SETTINGS = Settings(support=0.05, condition_width=2, max_rules=6)


class Audit:
    """An audit of 200 people by a rule model, and what is asked of it."""

    def __init__(self, folder: Path) -> None:
        files = Files()
        self.table, self.model = write_table(folder / "people.csv", make_rows(61, 200)), folder / "rules.json"
        self.model.write_text(json.dumps({"format": "ares-rules", "rules": RULES}), "utf-8")
        source = Source(files.put(self.table.read_bytes()), "people.csv", TARGET, FAVOURABLE, json.dumps(SCHEMA))
        subject = Subject(source, RuleFile(files.put(self.model.read_bytes()), "rules.json"))
        self.evaluated = Evaluated(subject, SETTINGS, ("sex",))
        self.desk = Desk(lambda _stage, _share: None)
        for sha256, content in files.items():
            self.desk.keep(sha256, content)
        self.wish = Wish(SETTINGS, Costs.unit(answer(Describe(source), self.desk).schema.names), ("sex",))
        self.full: SummaryView = answer(Summarise(self.evaluated, self.wish, thorough=True), self.desk)
        self.sizes: tuple[SummaryView, ...] = answer(TradeOff(self.full.key), self.desk)

    def record(self, key: SummaryKey) -> dict[str, Any]:
        """Return the run file of a summary."""
        found = json.loads(answer(Export(key, tuple(point.key for point in self.sizes)), self.desk))
        assert isinstance(found, dict)
        return found


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    """Return the audit, its rules chosen for every size."""
    return Audit(tmp_path_factory.mktemp("audit"))


@pytest.mark.parametrize("size", [1, 2])
def test_a_record_of_a_chosen_size_holds_that_summary(audit: Audit, size: int) -> None:
    """Rules, totals, groups and proof are those of the size, its limit is written down, and a recount confirms it."""
    view = audit.sizes[size - 1]
    found, full = audit.record(view.key), audit.record(audit.full.key)
    point, rules = found["frontier"][size - 1], [each.rule.to_json() for each in view.rules]
    assert found["rules"] == [{**each.rule.to_json(), **each.figures.to_json()} for each in view.rules]
    assert [found["frontier_rules"][place] for place in point["chosen"]] == rules
    assert found["totals"]["check"] == view.check.to_json()
    assert (found["certificate"]["gain"], found["certificate"]["proven"]) == (point["gain"], view.certificate.proven)
    groups = answer(CompareGroups(view.key), audit.desk)
    assert found["subgroups"] == [group.to_json() for group in groups.groups]
    assert found["moves"] == [move.to_json() for move in groups.moves]
    assert found["settings"] == {**full["settings"], "max_rules": size}
    assert found["frontier"] == full["frontier"]
    assert len(found["rules"]) < len(full["rules"])
    assert check_run(found, audit.table, answers(refusing(RULES))) == []


def test_a_record_of_a_chosen_size_answers_for_a_person(
    audit: Audit, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command line reads it, and finds for a person the rule that the page finds."""
    run, out, key = tmp_path / "run.json", tmp_path / "person.json", audit.sizes[1].key
    run.write_text(json.dumps(audit.record(key)), "utf-8")
    rules = [each.rule.to_json() for each in audit.sizes[1].rules]
    assert [rule.to_json() for rule, _ in read_run(run).ranked] == rules
    row = audit.sizes[1].lists.helped[0]
    command = ["person", str(run), str(audit.table), "--model", str(audit.model)]
    assert main([*command, "--row", str(row - 2), "--json", str(out)]) == 0, capsys.readouterr().err
    shown = answer(AskPerson(key, row), audit.desk).recourse
    assert json.loads(out.read_text("utf-8")) == shown.to_json()
    assert shown.rule is not None


def test_a_summary_found_later_replaces_none_that_is_shown(audit: Audit) -> None:
    """Groups, persons and records are of the rules they were asked for, although a search now finds better ones."""
    best = audit.full.key
    unproven = replace(best.certificate, upper_bound=2 * best.certificate.gain, gap=1.0, proven=False)
    live = replace(best, triples=best.triples[:2], certificate=unproven)
    written = audit.record(live)
    assert len(written["rules"]) == written["totals"]["check"]["size"] == 2
    assert (written["certificate"]["gap"], written["certificate"]["proven"]) == (1.0, False)
    assert answer(CompareGroups(live), audit.desk).everybody.to_json() == written["totals"]["check"]
    rules = audit.desk.summary(live).rules
    people = answer(ListPeople(best.evaluated.subject, audit.full.lists.helped), audit.desk)
    found = {answer(AskPerson(live, row), audit.desk).recourse.rule for row in people.rows}
    assert found == {None, *rules}
