"""The benchmarks: they find their tables, measure what they say, and never write half a page."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from ares_core.models.sandbox import levels_in_force
from ares_core.people import Change
from ares_core.store import Given, Store
from benchmarks import __main__ as command
from benchmarks import durability, elicitation, experts, growth, honest, lone, optimal, recovery, sandbox
from benchmarks.cases import CASES, Case, available, enlarged
from benchmarks.clients import Heard, Outcome, Shown
from benchmarks.measure import best_seconds, machine, peak_megabytes
from benchmarks.planted import recover
from benchmarks.report import Check, Grid, Section, at_most, rewrite
from ui.cards.answer import saved_line

STAGES = {"mine", "evaluate", "search", "frontier"}
TINY = Case(
    name="tiny",
    title="Tiny",
    file="tiny.csv",
    target="paid",
    favourable="yes",
    protected=("sex",),
    interest=("sex",),
    others=(("town",),),
)


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """Return a folder with a table of 400 people, in which savings and a job decide."""
    rng = np.random.default_rng(0)
    people = pd.DataFrame(
        {
            "sex": rng.choice(["f", "m"], 400),
            "town": rng.choice(["north", "south"], 400),
            "job": rng.choice(["none", "skilled"], 400),
            "savings": rng.integers(0, 100, 400),
        }
    )
    score = people["savings"] + 30 * (people["job"] == "skilled") + rng.normal(0, 10, 400)
    people["paid"] = np.where(score > 60, "yes", "no")
    people.to_csv(tmp_path / TINY.file, index=False)
    return tmp_path


def test_without_its_tables_a_benchmark_says_so_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each missing table is named in a sentence, the exit code is 0, and no page is written."""
    monkeypatch.setattr(command, "PAGE", tmp_path / "page.md")
    assert command.main(["fast", "growth", "honest", "--data", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    for case in CASES:
        assert f"{case.title} is left out: the data folder has no file {case.file!r}." in said
    assert not (tmp_path / "page.md").exists()


def test_an_unknown_part_is_refused() -> None:
    """A part that does not exist ends with exit code 2."""
    with pytest.raises(SystemExit) as caught:
        command.main(["fastest"])
    assert caught.value.code == 2


def test_only_the_tables_asked_for_are_looked_for(tmp_path: Path) -> None:
    """With `--only` the others are neither used nor missed."""
    (tmp_path / CASES[1].file).write_text("a,b\n1,2\n", "utf-8")
    there, gone = available(tmp_path, [CASES[0].name, CASES[1].name])
    assert there == (CASES[1],)
    assert len(gone) == 1
    assert CASES[0].title in gone[0]


def test_a_part_run_alone_rewrites_its_own_section_only(tmp_path: Path) -> None:
    """Sections of other parts stay, in the order of the page."""
    page = tmp_path / "page.md"
    old, other, new = (
        Section(name, name.title(), (text,)) for name, text in (("a", "old"), ("b", "kept"), ("a", "new"))
    )
    rewrite(page, "# Top\n", [other, old], ("a", "b"))
    rewrite(page, "# Top\n", [new], ("a", "b"))
    text = page.read_text("utf-8")
    assert "old" not in text
    assert text.index("# Top") < text.index("new") < text.index("kept")
    assert text.count("## A") == text.count("## B") == 1


def test_a_target_is_met_or_missed() -> None:
    """The largest number decides, is named, and the limit itself is met."""
    check = at_most("small", [("one", 1.0), ("two", 2.0)], 2.0, " s")
    assert (check.measured, check.verdict) == ("at most 2 s (two)", "met")
    assert not at_most("small", [("one", 1.0), ("two", 2.1)], 2.0, " s").met
    assert "**missed**" in Section("x", "X", (), (), (Check("claim", "no", False),)).markdown()


def test_a_table_has_a_cell_for_every_column() -> None:
    """A row too short is refused; a column with a meaning is explained below."""
    grid = Grid((("a", ""), ("b", "the second")), (("1", "2"),))
    assert list(grid.markdown()) == ["| a | b |", "| --- | --- |", "| 1 | 2 |", "", "- *b*: the second"]
    with pytest.raises(ValueError, match="every column"):
        Grid((("a", ""),), (("1", "2"),))


def test_people_multiply_without_changing_what_is_known_of_them() -> None:
    """Numbers move to the next observed value at most; the target, flags, words and missing cells stay."""
    frame = pd.DataFrame({"n": [1, 5, 9, -9], "flag": [0, 1, 0, 1], "word": list("abcd"), "out": [0, 1, 2, 3]})
    more = enlarged(frame, 5, "out", -9)
    assert len(more) == 20
    repeated = pd.concat([frame] * 5, ignore_index=True)
    pd.testing.assert_frame_equal(more.drop(columns="n"), repeated.drop(columns="n"))
    allowed = {1: {1, 5}, 5: {1, 5, 9}, 9: {5, 9}, -9: {-9}}
    assert all(new in allowed[old] for new, old in zip(more["n"], repeated["n"], strict=True))
    assert (more["n"] != repeated["n"]).any()


def test_a_case_freezes_what_it_says_and_nothing_else(tiny: Path) -> None:
    """Names that are guessed to be protected change no measured result."""
    frame = pd.read_csv(tiny / TINY.file).rename(columns={"town": "married"})
    frame.to_csv(tiny / TINY.file, index=False)
    schema = TINY.people(tiny).table.schema
    assert [feature.name for feature in schema.features if feature.change is Change.FROZEN] == ["sex"]


def test_cells_that_stand_for_missing_are_declared_so(tiny: Path) -> None:
    """A number that means "missing" is a level of its own, in no interval, and nothing else is described anew."""
    frame = pd.read_csv(tiny / TINY.file)
    frame.loc[::7, "savings"] = -9
    frame.to_csv(tiny / TINY.file, index=False)
    schema = replace(TINY, missing=-9).people(tiny).table.schema
    assert schema["savings"].levels[-1].to_json() == {"missing": True, "values": [-9]}
    assert all(level.to_json()["except"] == [-9] for level in schema["savings"].levels[:-1])
    plain = TINY.people(tiny).table.schema
    assert [schema[name] for name in ("sex", "town", "job")] == [plain[name] for name in ("sex", "town", "job")]
    assert not any("missing" in level.to_json() for level in plain["savings"].levels)


def test_seconds_are_the_best_of_a_few_and_leave_the_preparation_out() -> None:
    """The work is done three times, each time after its preparation."""
    done: list[str] = []
    assert best_seconds(lambda: done.append("work"), before=lambda: done.append("before")) < 1
    assert done == ["before", "work"] * 3
    assert 10 < peak_megabytes() < 100_000
    assert "numpy" in machine()


def test_the_planted_rules_come_back() -> None:
    """The benchmark sees that exactly the planted rules were found."""
    assert recover(4000, 0).exact


def test_exact_search_is_shown_beside_the_others(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The gap is proven, and greedy and local search gain no more than the optimum."""
    monkeypatch.setattr(optimal, "FAMILIES", ("lr",))
    monkeypatch.setattr(optimal, "PLANTED", ())
    section = optimal.run([TINY], tiny, ())
    assert [check.met for check in section.checks] == [True]
    (row,) = section.grids[0].rows
    assert row[:2] == ("Tiny", "lr")
    assert all(0 < float(cell.removesuffix(" %")) <= 100 for cell in row[-2:])


def test_both_selections_are_compared_on_people_not_seen(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a line for each model, with figures on the learn and on the check people."""
    monkeypatch.setattr(honest, "FAMILIES", ("lr",))
    monkeypatch.setattr(honest, "OTHER_SPLITS", 2)
    (row,) = honest.run([TINY], tiny, ()).grids[0].rows
    assert row[:3] == ("Tiny", "lr", "2")
    assert all(0 <= float(cell) <= 1 for cell in row[4:8])


def test_a_lone_audit_prints_all_that_is_shown(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Times of every stage and every change, memory, and the size of it all."""
    monkeypatch.setattr(lone, "case_of", lambda _name: TINY)
    monkeypatch.setattr(lone, "TURNS", 1)
    lone.main(str(tiny), "tiny", "lr", "2", "again")
    figures = json.loads(capsys.readouterr().out)
    assert figures["people"] == 400
    assert STAGES | {
        "predict",
        "weight",
        "limit",
        "cost",
        "subgroups",
        "memory",
        "imports",
        "model_rows",
        "live gap",
    } <= set(figures)
    assert all(number >= 0 for number in figures.values())


def test_growth_is_measured_for_each_person() -> None:
    """Twice the seconds for twice the people is as much for each; four times is twice as much."""
    first = dict.fromkeys(STAGES, 1.0) | {"people": 10.0, "memory": 3.0, "imports": 1.0}
    assert growth.relative(growth.seconds, first, first | dict.fromkeys(STAGES, 2.0) | {"people": 20.0}) == 1.0
    assert growth.relative(growth.data, first, first | {"people": 20.0, "memory": 9.0}) == 2.0


def test_costs_come_back_closer_with_more_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Needs no table."""
    monkeypatch.setattr(recovery, "EXPERTS", 2)
    monkeypatch.setattr(recovery, "ANSWERS", (12, 240))
    section = recovery.run((), tmp_path, ())
    assert [check.met for check in section.checks] == [True]
    assert [row[0] for row in section.grids[0].rows] == ["12", "240"]


def test_informative_questions_are_shown_beside_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line for each size and mark, a curve for each way in a well-formed picture, and intervals that mostly hold."""
    monkeypatch.setattr(elicitation, "PICTURE", tmp_path / "images" / "curves.svg")
    monkeypatch.setattr(elicitation, "SIZES", (4, 5))
    monkeypatch.setattr(elicitation, "EXPERTS", {4: 6, 5: 6})
    monkeypatch.setattr(elicitation, "PUBLISHED", 1)
    section = elicitation.run((), tmp_path, ())
    rows = section.grids[0].rows
    assert [row[0] for row in rows] == ["4"] * 5 + ["5"] * 10
    assert all(float(row[3]) > 0 for row in rows)
    assert all(0.5 <= float(row[-1]) <= 1 for row in rows if row[-1] != "–")
    picture = ElementTree.parse(tmp_path / "images" / "curves.svg").getroot()
    assert len(picture.findall(".//{*}g/{*}polyline")) == 6
    assert "images/curves.svg" in section.markdown()


def test_kills_and_speeds_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line for what was killed and one for how fast it is, on SQLite alone where there is no server."""
    monkeypatch.setattr(durability, "find_programs", lambda: None)
    monkeypatch.setattr(durability, "ROUNDS", 1)
    monkeypatch.setattr(durability, "EXPERTS", 3)
    section = durability.run((), tmp_path, ())
    killed, speed = (grid.rows for grid in section.grids)
    assert [row[1] for row in killed] == ["1"]
    assert [row[:2] for row in speed] == [("SQLite", "60")]
    assert [check.met for check in section.checks] == [True]
    assert "no PostgreSQL server" in section.left_out[0]


def test_a_model_is_timed_beside_itself_behind_locks(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line for each family with a ratio, and how soon a model that hangs has ended; without locks a sentence."""
    monkeypatch.setattr(sandbox, "TABLE", TINY.name)
    monkeypatch.setattr(sandbox, "FAMILIES", ("lr",))
    monkeypatch.setattr(sandbox, "TURNS", 1)
    monkeypatch.setattr(sandbox, "HANGS", ("sleep_for_ever",))
    monkeypatch.setenv("ARES_SANDBOX", "none")
    assert sandbox.run([TINY], tiny, ()).left_out == (sandbox.NOTHING,)
    monkeypatch.setenv("ARES_SANDBOX", "landlock")
    if not levels_in_force():
        pytest.skip("this machine has no sandbox")
    costs, ended = (grid.rows for grid in sandbox.run([TINY], tiny, ()).grids)
    assert [row[:2] for row in costs] == [("landlock, seccomp and limits", "lr")]
    assert float(costs[0][-1]) > 0
    assert [row[1:3] for row in ended] == [("sleep for ever", "3")]


@pytest.mark.long
def test_experts_at_websockets_are_served_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every answer of three experts is acknowledged and stored once; a short run says that it was short."""
    monkeypatch.setattr(experts, "LOADS", (experts.Load(3, 1.0, 250.0),))
    section = experts.run((), tmp_path, (), seconds=2.0)
    (row,) = section.grids[0].rows
    assert row[:2] == ("3", "6")
    assert 0 < float(row[2]) <= 6
    assert row[6:9] == ("0", "0", "0")
    assert section.checks[0].met
    assert section.left_out == ("Each load ran for 2 seconds, not 120.",)


def test_an_answer_that_is_lost_or_doubled_is_counted(tmp_path: Path) -> None:
    """What was heard and what is stored are compared one by one: the expert, the id, both features, the verdict."""
    url = f"sqlite:///{tmp_path / 'store.sqlite3'}"
    study, (invitation,) = experts.new_study(url, 1)
    store = Store(url)
    (expert,) = store.studies.experts(study.id)
    for number in range(2):
        name = f"{number}" * 32
        store.studies.save(Given(id=name, expert=expert.id, first="feature_1", second="feature_2", verdict="harder"))
    store.close()
    told = [(mark, "Feature 1", "Feature 2", "harder", 0.1) for mark in ("0" * 8, "7" * 8)]
    heard = experts.heard_answers(Outcome(tuple(Heard(invitation, *one) for one in told), (), 1.0))
    stored = experts.stored_answers(url, study)
    assert [key[1] for key in heard - stored] == ["7" * 8]
    assert [key[1] for key in stored - heard] == ["1" * 8]


def test_a_client_reads_a_page_as_a_browser_does() -> None:
    """Buttons are found by their keys, cards by what they say in bold, and what is saved by its line."""
    shown = Shown()
    for side, title in (("left", "Savings"), ("right", "Job")):
        message = ForwardMsg()
        message.delta.new_element.button.id = f"$$ID-0a-answer_{side}_12345678"
        message.delta.new_element.button.label = f"**{title}**  \nfrom none to some"
        shown.take(message)
    message = ForwardMsg()
    message.delta.new_element.html.body = str(saved_line("“Savings” is harder than “Job”"))
    shown.take(message)
    assert (shown.mark, shown.title("left"), shown.title("right")) == ("12345678", "Savings", "Job")
    assert shown.saved == "“Savings” is harder than “Job”"
    message.delta.new_element.alert.body = "Not saved"
    shown.take(message)
    assert "Not saved" in shown.problems[0]


def test_answers_saved_are_those_at_the_same_error() -> None:
    """Half the answers for the same error saves 50 %; an error that is never reached saves nothing that is known."""
    errors = [[4.0, 3.0, 2.0], [9.0, 9.0, 9.0], [3.0, 2.0, np.nan]]
    curves = elicitation.Curves(4, 1.0, np.array([10.0, 20.0, 40.0]), np.array(errors)[..., None])
    assert [curves.saved(mark) for mark in (1, 2)] == [0.5, 0.5]
    assert np.isnan(curves.saved(0))
