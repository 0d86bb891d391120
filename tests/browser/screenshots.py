"""Screenshots: pictures of every page for docs/dashboard.md. Run by `make screenshots`."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect

from tests.browser.driving import TOP, Server, Visitor, browser

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
    Shot("recourse", f"/Recourse?{DEMO}", RULES, 1200),
    Shot("recourse-dark", f"/Recourse?{DEMO}", RULES, 1200, {"color_scheme": "dark"}),
    Shot("recourse-phone", f"/Recourse?{DEMO}", ".rule-set", 1700, {"viewport": PHONE}),
    Shot("subgroups", PLANTED, ".st-key-groups_forest .main-svg", 1100),
    Shot("applicant", f"/Applicant?{DEMO}", ".st-key-person_answer", 1100),
    Shot("presenter", f"/Recourse?{DEMO}&present=1", ".slide"),
)


def take(found: Browser, server: Server, shot: Shot) -> Path:
    """Take one picture, with the page settled and nothing in motion."""
    visitor = Visitor(found, server.url, **shot.options).open(shot.path)
    if shot.name == "costs":
        for number in range(6):
            visitor.press(f"cost_{'first' if number % 3 else 'second'}_{number}")
    expect(visitor.page.locator(shot.wait).first).to_be_visible()
    for waiting in (".rule-waiting", ".rule-status"):
        expect(visitor.page.locator(waiting)).to_have_count(0, timeout=120_000)
    width = shot.options.get("viewport", {"width": 1400})["width"]
    visitor.page.set_viewport_size({"width": width, "height": shot.height})
    visitor.page.evaluate("document.activeElement && document.activeElement.blur()")
    expect(visitor.page.locator("[data-testid=stSkeleton]")).to_have_count(0)
    path = FOLDER / f"{shot.name}.png"
    visitor.page.screenshot(path=path, animations="disabled", caret="hide")
    visitor.close()
    return path


def main(names: list[str]) -> int:
    """Take every picture, or only those named."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, browser() as found:
        server = Server(Path(place) / "log.txt")
        try:
            for shot in SHOTS:
                if not names or shot.name in names:
                    path = take(found, server, shot)
                    size = path.stat().st_size
                    print(f"{path.relative_to(TOP)} ({size / 1000:.0f} kB)")
                    if size > MOST_BYTES:
                        raise RuntimeError(f"{path.name} is too large for a document: {size:,} bytes.")
        finally:
            server.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
