"""Results: computed once, kept whole, and computed again when they depend on something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from ares_core.errors import DataError
from benchmarks.paper import results as module
from benchmarks.paper import run
from benchmarks.paper.gathered import Gathered
from benchmarks.paper.results import Cell, Results, fingerprint
from benchmarks.paper.run import MODELS, QUICK, Plan, Runner, tables
from benchmarks.paper.systems import SYSTEMS


def test_what_is_there_is_not_computed_again(tmp_path: Path) -> None:
    """The second time the file is read; another mark, or a damaged file, computes anew."""
    results, calls = Results(tmp_path / "kept"), []

    def compute() -> dict[str, int]:
        calls.append(1)
        return {"answer": len(calls)}

    assert results.get("a.json", "one", compute) == ({"answer": 1}, True)
    assert results.get("a.json", "one", compute) == ({"answer": 1}, False)
    assert results.get("a.json", "two", compute) == ({"answer": 2}, True)
    (tmp_path / "kept" / "a.json").write_text('{"mark": "two", "fou', "utf-8")
    assert results.get("a.json", "two", compute) == ({"answer": 3}, True)


def test_an_interrupted_cell_leaves_nothing(tmp_path: Path) -> None:
    """Whatever stops a computation, no file of it is left, and the next run computes it."""
    results = Results(tmp_path)

    def stopped() -> dict[str, int]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        results.get("a.json", "one", stopped)
    assert list(tmp_path.iterdir()) == []
    assert results.read("a.json", "one") is None


def test_code_decides_the_mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mark changes with the code of the modules named, and not with other code."""
    (tmp_path / "benchmarks" / "paper").mkdir(parents=True)
    for name in ("face", "other"):
        (tmp_path / "benchmarks" / "paper" / f"{name}.py").write_text("a = 1\n", "utf-8")
    monkeypatch.setattr(module, "TOP", tmp_path)
    monkeypatch.setattr(module, "CODE", ())
    plain = fingerprint.__wrapped__
    before = plain(("face",))
    (tmp_path / "benchmarks" / "paper" / "other.py").write_text("a = 2\n", "utf-8")
    assert plain(("face",)) == before
    (tmp_path / "benchmarks" / "paper" / "face.py").write_text("a = 2\n", "utf-8")
    assert plain(("face",)) != before


def test_what_marks_a_result_exists() -> None:
    """Every file and module that a mark speaks of is there, so that no change to it goes unnoticed."""
    assert all((module.TOP / place).exists() for place in module.CODE)
    names = {name for system in SYSTEMS.values() for name in system.modules}
    assert all((module.TOP / "benchmarks" / "paper" / f"{name}.py").is_file() for name in names)


def test_a_plan_has_every_system_where_it_applies() -> None:
    """AR is for linear models, its stand-ins for the others, and every cell has a file of its own."""
    cells = list(Plan((QUICK,)).cells())
    assert len({cell.file for cell in cells}) == len(cells)
    assert {cell.family for cell in cells} == set(MODELS)
    assert {cell.family for cell in cells if cell.system == "ar"} == {"lr", "svm"}
    assert not {cell.family for cell in cells if cell.system == "ar-lime"} & {"lr", "svm"}
    assert Cell("quick", "dt", 2, "ours", "face") in cells


def test_a_model_that_refuses_nobody_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scene that cannot be is kept with its reason, and the run goes on."""

    def nobody(*_: object) -> None:
        raise DataError("The model refuses nobody.", "Take another.")

    monkeypatch.setattr(run, "_scene", nobody)
    runner, cell = Runner((QUICK,), tmp_path, Results(tmp_path)), Cell("quick", "lr", 0, "paper", "face")
    _, job = runner.job(cell)
    assert job()
    assert not job()
    found = Gathered.of(Plan((QUICK,), ("lr",), (0,)), runner)
    assert found.found == {}
    assert found.impossible == {cell: "The model refuses nobody."}


def test_a_missing_table_is_said_and_german_credit_ships(tmp_path: Path) -> None:
    """Without the data folder German Credit is the bundled table, and every missing file is named."""
    cases, said = tables(tmp_path)
    assert [case.name for case in cases] == ["german"]
    assert not cases[0].file
    assert len(said) == 3
    assert all("--data" in sentence for sentence in said)
