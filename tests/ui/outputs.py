"""Outputs of a summary: pages opened by a link, and the rules on screen, on slides and in files, read back."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup
from streamlit.testing.v1 import AppTest

from ares_core.audit.words import conjunction_text
from ares_core.people import Predicate, Schema
from ares_core.worker import Errands
from tests.patience import PATIENCE
from ui import links
from ui.cards.slides import Slide
from ui.people_lists import KINDS
from ui.session import KEY, Session
from ui.shared import pool, shelf

PAGES = Path(__file__).resolve().parents[2] / "pages"
Address = dict[str, list[str]]
Files = dict[str, str]  # their text, by the key of the button that offers them
Rule = tuple[str, str, str, int, int]  # subgroup, condition, goal, people helped, people described
GROUP = re.compile(r'<section class="rule-group"><h3 class="rule-if">(.*?):</h3>(.*?)</section>')
CARD = re.compile(r'<p class="rule-before">(.*?),</p><p class="rule-then">(.*?)</p>(.*?)</li>')
ASIDE = re.compile(r'<span class="rule-(?:was|arrow|key)">.*?</span>')
COUNTS = re.compile(r"([\d,]+) of ([\d,]+)")


@cache
def errands(who: str) -> Errands:
    """Return a visitor's questions, kept over tests: a worker takes seconds to start."""
    assert who
    return Errands(pool(), shelf().file)


def opened(page: str, address: Address, who: str = "first") -> AppTest:
    """Open a page by a link, as a visitor whose worker runs already."""
    state, problem = links.read(address, shelf())
    assert not problem
    test = AppTest.from_file(str(PAGES / page), default_timeout=PATIENCE)
    test.session_state[KEY] = Session(state, errands(who))
    for kind in KINDS:
        test.session_state[f"list_{kind.name}"] = True
    return test


def visitor(page: AppTest) -> Session:
    """Return the visitor's session."""
    found = page.session_state[KEY]
    assert isinstance(found, Session)
    return found


def address_of(page: AppTest) -> Address:
    """Return the address a page stands at."""
    return {name: value if isinstance(value, list) else [value] for name, value in page.query_params.items()}


def settled(page: AppTest) -> AppTest:
    """Wait for the background work, and return the page as it then runs by itself."""
    while pending := [job for job in visitor(page).errands._jobs.values() if not job.done]:
        for job in pending:
            assert job.wait(PATIENCE)
        page.run()
    assert not page.exception
    assert not page.error
    return page


def prepared(page: AppTest, files: Files) -> Files:
    """Click every button that prepares a file, and return all files."""
    files.clear()
    settled(page.run())
    assert "save_record" not in files, "a record prepared before was offered after a control was moved"
    for button in page.button:
        if button.key and button.key.startswith(("prepare_", "whole_")):
            button.click()
    files.clear()
    page.run()
    assert not page.exception
    return dict(files)


def steady(text: str) -> dict[str, Any]:
    """Return a record without what another moment or machine changes."""
    return {**json.loads(text), "timings": None}


def markup(page: AppTest) -> str:
    """Return all HTML of a page but its styles."""
    return "\n".join(body for element in page.get("html") if "<style" not in (body := element.proto.body))


def rules_of_cards(html: str) -> list[Rule]:
    """Return the rules of the Recourse page's cards."""
    return [rule for whom, cards in GROUP.findall(html) for rule in _cards(_plain(whom), cards)]


def rules_of_slides(deck: Iterable[Slide]) -> list[Rule]:
    """Return the rules on slides."""
    shown = [slide for slide in deck if 'class="slide-rules"' in slide.body]
    return [rule for slide in shown for rule in _cards(slide.title.removeprefix("If "), str(slide.body))]


def _cards(whom: str, cards: str) -> list[Rule]:
    return [(whom, _plain(before), _plain(after), *_counts(rest)) for before, after, rest in CARD.findall(cards)]


def _plain(html: str) -> str:
    return Markup(ASIDE.sub("", html)).striptags()


def _counts(words: str) -> tuple[int, int]:
    found = COUNTS.search(words)
    assert found is not None, words
    helped, described = (int(number.replace(",", "")) for number in found.groups())
    return helped, described


def rules_of_text(text: str) -> list[Rule]:
    """Return the rules of the text file."""
    lines = re.sub(r"\n(?: {6}| {2})(?=\S)", " ", text).splitlines()
    whom, rules = "", list[Rule]()
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith("If ") and line.endswith(":"):
            whom = line[3:-1]
        elif line.startswith("    If "):
            before, _, after = line[7:].replace("*", "").removesuffix(".").partition(", then → ")
            rules.append((whom, before, after, *_counts(below)))
    return rules


def rules_of_table(text: str) -> list[Rule]:
    """Return the rules of the CSV file."""
    rows = csv.DictReader(io.StringIO(text))
    return [(row["if"], row["and if"], row["then"], int(row["helped"]), int(row["people"])) for row in rows]


def rules_of_record(schema: Schema, record: dict[str, Any]) -> list[Rule]:
    """Return the rules of a run file, in the words of the schema."""
    named = {
        repr(predicate.to_json()): predicate
        for feature in schema.features
        for predicate in (Predicate(feature.name, level) for level in feature.levels)
    }

    def words(entries: list[dict[str, Any]]) -> str:
        return conjunction_text(schema, [named[repr(entry)] for entry in entries])

    found = []
    for rule in record["rules"]:
        subgroup, before, after = (words(rule[part]) for part in ("subgroup", "before", "after"))
        found.append((subgroup, before, after, rule["check"]["flips"], rule["check"]["covers"]))
    return found


def first_column(text: str) -> list[int]:
    """Return the first column of a CSV file of people: their rows."""
    return [int(row[0]) for row in list(csv.reader(io.StringIO(text)))[1:]]
