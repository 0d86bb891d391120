"""Screenshots: pictures of every page for docs/dashboard.md. Run by `make screenshots`."""

from __future__ import annotations

import re
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, expect

from ares_core.costs import bradley_terry_expert, random_pairs
from ares_core.store import Given, Item, Store
from tests.browser.driving import MILLISECONDS, TOP, Server, Visitor, browser

FOLDER = TOP / "docs" / "images"
DEMO = "data=german&model=rf&groups=age"
PLANTED = "/Subgroups?data=planted&groups=race"
PHONE = {"width": 390, "height": 844}
MOST_BYTES = 300_000


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture: its file, the page, what must be there before it is taken, and how the browser is set.

    Parameters
    ----------
    height
        Of the picture; as tall as the page when 0, but no taller than three screens.
    """

    name: str
    path: str
    wait: str
    height: int = 900
    options: dict[str, Any] = field(default_factory=dict)


RULES = ".st-key-size_chart .main-svg"
SHOTS = (
    Shot("start", "/", ".demo"),
    Shot("data", f"/Data?{DEMO}", ".st-key-data_overview", 1100),
    Shot("model", f"/Model?{DEMO}", ".st-key-model_refused .main-svg", 1100),
    Shot("costs", f"/Costs?{DEMO}", ".st-key-cost_forest .main-svg"),
    Shot("experts", f"/Experts?{DEMO}", ".st-key-expert_forest .main-svg", 1500),
    Shot("answer", "/Answer?invite={invitation}", ".st-key-answer_question strong", 520),
    Shot("answer-phone", "/Answer?invite={invitation}", ".st-key-answer_question strong", 844, {"viewport": PHONE}),
    Shot("recourse", f"/Recourse?{DEMO}", RULES, 1200),
    Shot("recourse-dark", f"/Recourse?{DEMO}", RULES, 1200, {"color_scheme": "dark"}),
    Shot("recourse-phone", f"/Recourse?{DEMO}", ".rule-set", 1700, {"viewport": PHONE}),
    Shot("subgroups", PLANTED, ".st-key-groups_forest .main-svg", 1100),
    Shot("applicant", f"/Applicant?{DEMO}", ".st-key-person_answer", 1100),
    Shot("presenter", f"/Recourse?{DEMO}&present=1", ".slide"),
)


def answer_costs(visitor: Visitor, _store: Store) -> None:
    """Answer some questions of the Costs page."""
    for number in range(6):
        visitor.press(f"cost_{'first' if number % 3 else 'second'}_{number}")


def answer_cards(visitor: Visitor, _store: Store) -> None:
    """Answer some questions as an expert."""
    for _ in range(3):
        visitor.click(visitor.page.locator("[class*=st-key-answer_left_]").get_by_role("button").first)


def run_study(visitor: Visitor, store: Store) -> None:
    """Let three simulated experts answer in a new study, and reveal it."""
    visitor.press("expert_create")
    audit = re.search(r"data=([\w-]+)", visitor.page.url)
    document = store.documents.read(audit[1] if audit else "")
    assert document is not None
    (study,) = store.studies.of_audit(document.audit)
    rng, names = np.random.default_rng(0), [item.name for item in study.items]
    truth = dict(zip(names, rng.normal(0, 2, len(names)), strict=True))
    for who in ("Ada", "Ben", "Cleo"):
        expert = store.studies.invite(study.id, who)
        said = bradley_terry_expert(truth, random_pairs(names, 40, rng), rng)
        store.studies.bring(
            (),
            [
                Given(
                    id=f"{expert.id}{place}", expert=expert.id, first=one.first, second=one.second, verdict=one.answer
                )
                for place, one in enumerate(said)
            ],
        )
    visitor.press("expert_reveal")


PREPARE = {"costs": answer_costs, "experts": run_study, "answer": answer_cards, "answer-phone": answer_cards}


def invitation(store: Store) -> str:
    """Return an invitation to a study of the demonstration's features."""
    items = [
        Item("savings", "Savings", "below 100 DM → 100 to 500 DM", 0.1),
        Item("job", "Job", "unskilled → skilled", 0.63),
        Item("telephone", "Telephone", "no → yes", 0.4),
        Item("duration", "Loan duration", "24 to 35 months → 18 to 23 months", 0.19),
        Item("guarantor", "Other debtors or guarantors", "none → guarantor", 0.05),
    ]
    return store.studies.invite(store.studies.create("Loans, autumn round", items).id, "Ada").token


def take(found: Browser, server: Server, store: Store, shot: Shot) -> Path:
    """Take one picture, with the page settled and nothing in motion."""
    path = shot.path.format(invitation=invitation(store))
    visitor = Visitor(found, server.url, **shot.options).open(path)
    PREPARE.get(shot.name, lambda *_: None)(visitor, store)
    expect(visitor.page.locator(shot.wait).first).to_be_visible()
    for waiting in (".rule-waiting", ".rule-status"):
        expect(visitor.page.locator(waiting)).to_have_count(0, timeout=MILLISECONDS)
    width = shot.options.get("viewport", {"width": 1400})["width"]
    visitor.page.set_viewport_size({"width": width, "height": shot.height})
    visitor.page.evaluate("document.activeElement && document.activeElement.blur()")
    visitor.page.mouse.move(0, 0)  # what is pointed at shows its help
    expect(visitor.page.locator("[data-testid=stSkeleton]")).to_have_count(0)
    path = FOLDER / f"{shot.name}.png"
    visitor.page.screenshot(path=path, animations="disabled", caret="hide")
    visitor.close()
    return path


def main(names: list[str]) -> int:
    """Take every picture, or only those named."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, browser() as found:
        url = f"sqlite:///{place}/store.sqlite3"
        store, server = Store(url), Server(Path(place) / "log.txt", ARES_STORE=url)
        try:
            for shot in SHOTS:
                if not names or shot.name in names:
                    path = take(found, server, store, shot)
                    size = path.stat().st_size
                    print(f"{path.relative_to(TOP)} ({size / 1000:.0f} kB)")
                    if size > MOST_BYTES:
                        raise RuntimeError(f"{path.name} is too large for a document: {size:,} bytes.")
        finally:
            server.close()
            store.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
