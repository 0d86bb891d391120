"""Dashboard: how soon a moved slider shows new rules, and what a page costs the server that has nothing to compute."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from playwright.sync_api import expect

from benchmarks.cases import Case
from benchmarks.report import Check, Grid, Section, at_most
from tests.browser.driving import Server, Visitor, browser, find_browser

SLIDER, RERUN = 1.5, 0.15  # seconds, and seconds of the server's processor
MOVES, RERUNS = 8, 20
GERMAN = "/Recourse?data=german&model=rf&groups=age"
COMPAS = "compas"
# Notes when other rules stand on the page; the observer sees the very change that the visitor does.
WATCH = """() => {
  const rules = () => (document.querySelector(".rule-set") || {}).innerText;
  const before = rules();
  window.__new = new Promise((done) => {
    const look = () => { const now = rules(); if (now && now !== before) { watcher.disconnect(); done(true); } };
    const watcher = new MutationObserver(look);
    watcher.observe(document, {subtree: true, childList: true, characterData: true});
  });
}"""
COLUMNS = (
    ("table", ""),
    ("model", ""),
    ("moves", "how often the limit on the number of rules was moved by one"),
    ("median", "seconds from the key press to other rules on the screen"),
    ("slowest", "the most of these seconds"),
    ("rerun", "seconds of the server's processor for running the page again with nothing to compute"),
)
SAYS = (
    "A real browser on the Recourse page; each line is one visitor. The time is that of the browser: from the key that "
    "moves the slider to the change of the rules on the page.",
)
NO_BROWSER = "The dashboard was not measured: there is no browser on this machine."


@dataclass(frozen=True, slots=True)
class Measured:
    """What one visitor saw: seconds of each move, and of the server's processor for one run of the page."""

    title: str
    model: str
    moves: tuple[float, ...]
    rerun: float


def run(cases: Sequence[Case], folder: Path, left_out: tuple[str, ...]) -> Section:
    """Measure on German Credit, and on COMPAS where its file is."""
    if find_browser() is None:
        return Section("dashboard", "The dashboard", SAYS, (), (), (NO_BROWSER,))
    compas = next((case for case in cases if case.name == COMPAS), None)
    missing = tuple(words for words in left_out if words.startswith("COMPAS"))
    with tempfile.TemporaryDirectory() as place, browser() as found:
        server = Server(Path(place) / "log.txt")
        try:
            measured = [_measure(server, Visitor(found, server.url).open(GERMAN), "German Credit", "rf")]
            if compas is not None:
                visitor = _bring(Visitor(found, server.url), folder / compas.file, compas)
                measured.append(_measure(server, visitor, compas.title, "rf"))
        finally:
            server.close()
    grid = Grid(COLUMNS, tuple(_row(one) for one in measured))
    return Section("dashboard", "The dashboard", SAYS, (grid,), tuple(_checks(measured)), missing)


def _bring(visitor: Visitor, path: Path, case: Case) -> Visitor:
    """Upload a table, train a random forest and compare people by the case's features, as a visitor does."""
    visitor.open("/Data").upload(visitor.page.locator("[data-testid=stMain]"), path)
    target = visitor.key("data_target").get_by_role("combobox")
    target.fill(case.target)
    option = visitor.page.get_by_role("option").filter(has_text=case.target).first
    if target.input_value() != option.inner_text():
        visitor.act(option.click)
    good = visitor.page.get_by_role("radiogroup").get_by_text(case.favourable, exact=True)
    if not visitor.page.get_by_role("radio", name=case.favourable, exact=True).is_checked():
        visitor.act(good.click)
    visitor.press("data_use").go("Model").press("model_train").go("Recourse")
    visitor.key("interest").get_by_role("combobox").click()
    for name in case.interest:
        visitor.act(visitor.page.get_by_role("option", name=name, exact=True).click)
    visitor.page.keyboard.press("Escape")
    return visitor


def _measure(server: Server, visitor: Visitor, title: str, model: str) -> Measured:
    expect(visitor.page.locator(".rule-set")).to_be_visible()
    _settled(visitor)
    moves = tuple(_moves(visitor))
    _settled(visitor)
    rerun = _rerun(server, visitor)
    visitor.close()
    return Measured(title, model, moves, rerun)


def _settled(visitor: Visitor) -> None:
    """Wait until nothing is worked out in the background any more."""
    for waiting in (".rule-waiting", ".rule-status"):
        expect(visitor.page.locator(waiting)).to_have_count(0, timeout=120_000)


def _moves(visitor: Visitor) -> Iterator[float]:
    """Move the limit as often as wanted, or until one rule is left; yield the seconds of each move."""
    for _ in range(MOVES):
        if visitor.page.locator(".rule-item").count() > 1:
            yield _moved(visitor)


def _moved(visitor: Visitor) -> float:
    """Move the limit below the number of rules, and return the seconds until other rules are there."""
    slider = visitor.key("limit_max_rules").get_by_role("slider")
    rules = visitor.page.locator(".rule-item").count()
    while int(slider.input_value()) > rules:
        _press(visitor, "ArrowLeft")
    visitor.page.evaluate(WATCH)
    slider.focus()
    began = perf_counter()
    visitor.page.keyboard.press("ArrowLeft")
    visitor.page.evaluate("window.__new")
    return perf_counter() - began


def _press(visitor: Visitor, key: str) -> None:
    visitor.key("limit_max_rules").get_by_role("slider").focus()
    visitor.act(lambda: visitor.page.keyboard.press(key))


def _rerun(server: Server, visitor: Visitor) -> float:
    """Open and close a list of people that is known already, and return the server's seconds for each run."""
    head = visitor.key("list_helped").locator("summary")
    visitor.act(head.click).act(head.click)
    before = server.cpu_seconds()
    for _ in range(RERUNS):
        visitor.act(head.click)
    return (server.cpu_seconds() - before) / RERUNS


def _row(one: Measured) -> tuple[str, ...]:
    moves = (f"{median(one.moves):.2f}", f"{max(one.moves):.2f}")
    return (one.title, one.model, str(len(one.moves)), *moves, f"{one.rerun:.3f}")


def _checks(measured: Sequence[Measured]) -> Iterator[Check]:
    moves = [(one.title, max(one.moves)) for one in measured]
    yield at_most(f"slider change to new rules on screen at most {SLIDER} s", moves, SLIDER, " s")
    reruns = [(one.title, 1000 * one.rerun) for one in measured]
    claim = f"a page rerun with nothing to compute at most {1000 * RERUN:.0f} ms of server CPU"
    yield at_most(claim, reruns, 1000 * RERUN, " ms")
