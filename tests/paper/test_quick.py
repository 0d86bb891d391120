"""The short run: every system, both protocols, the page and its picture, and going on where a run was stopped."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.paper import command, published, run
from benchmarks.paper.gathered import EXACT, FRUGAL, Gathered, Mean
from benchmarks.paper.results import Cell, Results
from benchmarks.paper.verdicts import comparison, tally, verdicts

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run the command once and return the folder of its results and page."""
    folder = tmp_path_factory.mktemp("quick")
    assert command.main(["--quick", "--results", str(folder / "results")]) == 0
    return folder


def gathered(folder: Path) -> Gathered:
    """Read the results of the short run."""
    plan = run.Plan((run.QUICK,), command.QUICK_MODELS, (0,))
    return Gathered.of(plan, run.Runner((run.QUICK,), folder, Results(folder / "results")))


def test_every_cell_is_there_and_plausible(made: Path) -> None:
    """Each system has figures, shares are shares, and what helps costs at least the cheapest feature."""
    found = gathered(made)
    assert len(found.found) == found.cells
    for cell, each in found.found.items():
        if cell.system != "frontier":
            assert 0 <= each["accuracy"] <= 1
            assert each["mean_fcost"] is None or each["mean_fcost"] >= 1


def test_nobody_is_helped_beyond_the_limit(made: Path) -> None:
    """Our accuracy is at most the share some candidate helps, and no way to search gains more than is proven."""
    found = gathered(made).found
    for cell, each in found.items():
        if cell.system == "ares":
            assert each["accuracy"] <= each["limit"]
            assert all(each["upper_bound"] >= other["gain"] - 1e-6 for other in each["beside"])


def test_the_page_says_what_was_measured(made: Path) -> None:
    """A run on some of the tables leaves docs/results.md alone; all parts are there, and what was computed is shown."""
    text = (made / "results" / "results.md").read_text("utf-8")
    for title in ("Table 2", "What of the paper's claims holds", "Accuracy against size", "In place of participants"):
        assert f"# {title}" in text
    assert "22 of 22 cells are there." in text
    assert "| rf | AR-LIME, own costs |" in text
    assert "If Race = Not Caucasian:" in text


def test_a_second_run_computes_nothing(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is there is read, and the page comes out the same."""
    before = (made / "results" / "results.md").read_text("utf-8")
    command.main(["--quick", "--results", str(made / "results"), "--to", str(made / "again.md")])
    assert capsys.readouterr().out.strip() == "Written to again.md."
    assert (made / "again.md").read_text("utf-8") == before


def test_missing_cells_are_shown_as_missing(made: Path) -> None:
    """Without a cell its figures are missing, not zero, and no verdict is passed on it."""
    found = gathered(made)
    without = Gathered(found.plan, {cell: each for cell, each in found.found.items() if cell.family != "rf"})
    measured = [row for row in comparison(without, "paper", ("rf", "lr")).rows if not row[1].startswith("*paper")]
    assert {row[0] for row in measured} == {"lr"}
    assert [verdict.family for verdict in verdicts(without, ("rf", "lr"))] == ["lr"]


def test_verdicts_compare_with_what_is_printed() -> None:
    """Accuracy is met at the printed figure, the cheapest enough is frugal, and a claim not met is named."""
    tried = [{"accuracy": share, "mean_fcost": cost} for share, cost in ((1.0, 3.0), (0.9, 1.5), (0.3, 1.0))]
    ours = {"accuracy": 1.0, "mean_fcost": 3.0, "tried": tried, "limit": 1.0}
    lime = {"accuracy": 0.5, "mean_fcost": 1.2, "own": {"accuracy": 0.4, "mean_fcost": 2.0}}
    plan = run.Plan(tuple(case for case in run.CASES if case.name == "german"), ("rf",), (0,), ("paper",))
    cells = {Cell("german", "rf", 0, "paper", system): found for system, found in (("ares", ours), ("ar-lime", lime))}
    (verdict,) = verdicts(Gathered(plan, cells), ("rf",))
    assert verdict.accurate
    assert verdict.near_best
    assert verdict.frugal == (0.9, 1.5)
    assert not verdict.cheap
    assert verdict.cheap_untold
    assert verdict.rival is None
    assert verdict.worth_it
    assert "Not in: German Credit rf." in list(tally([verdict]))[2]


def test_what_the_paper_prints_is_transcribed() -> None:
    """Spot checks of both tables; nothing where the paper prints nothing."""
    assert published.published("compas", "dnn3") == (99.37, 2.83)
    assert published.published("bail", "svm", "face") == (88.12, 7.02)
    assert published.published("german", "dnn5", "ar-lime") == (0.0, None)
    assert published.published("german", "dt") is None
    assert FRUGAL.system == EXACT.system == published.ARES


def test_means_have_a_spread_from_two_seeds_on() -> None:
    """One seed has no standard deviation, two have."""
    one, two = Mean.of([0.5]), Mean.of([0.5, 0.7])
    assert one is not None
    assert two is not None
    assert (one.text(100, 1), two.text(100, 1)) == ("50.0", "60.0 ± 14.1")
    assert Mean.of([]) is None
