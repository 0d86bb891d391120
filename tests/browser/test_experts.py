"""Experts at their screens and whoever asks them: nothing is lost or doubled, and the rules follow the answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from ares_core.store import Expert, Item, Store, Study
from tests.browser.conftest import Come
from tests.browser.driving import Visitor, plain
from tests.browser.test_axe import SCHEMES, violations
from tests.browser.test_view import rules

Said = tuple[str, str, str]  # two features, the harder one first, and the verdict
NAMES = ("Savings", "Housing", "Job", "Debts", "Loan term", "Guarantor", "Telephone", "Other loans")
ITEMS = tuple(Item(name.lower(), name, "less → more", 0.2) for name in NAMES)
UNDO = "Backspace"
STROKES = {"l": "ArrowLeft", "r": "ArrowRight", "d": "ArrowDown", "s": " ", "u": UNDO}
KEYS = tuple(STROKES[letter] for letter in "lrdslurrlsuudrlrldlrr")  # eighteen answers, three of them undone
SMALLEST = 44  # pixels a thumb needs
WIDE = "all => all.filter(one => one.scrollWidth > innerWidth).map(one => one.tagName)"
AWKWARD = """(all, least) => all.filter(one => {
  const box = one.getBoundingClientRect();
  return box.height < least || box.left < 0 || box.right > innerWidth;
}).map(one => one.innerText)"""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
LEFT, RIGHT = ("[class*=st-key-answer_left_]", "[class*=st-key-answer_right_]")


@pytest.fixture
def study(store: Store) -> Study:
    """Begin a study."""
    return store.studies.create("Loans, autumn round", ITEMS)


@pytest.fixture
def ada(store: Store, study: Study) -> Expert:
    """Invite somebody."""
    return store.studies.invite(study.id, "Ada")


def link(expert: Expert) -> str:
    """Return where an invitation leads."""
    return f"/Answer?invite={expert.token}"


def sit(come: Come, expert: Expert, **options: Any) -> Visitor:
    """Return an expert in front of the first question."""
    visitor = come(link(expert), **options)
    expect(visitor.page.locator(f"{RIGHT} strong")).to_be_visible()
    return visitor


def asked(visitor: Visitor) -> tuple[str, str]:
    """Return the features on the left and on the right."""
    left, right = (visitor.page.locator(f"{side} strong").inner_text().lower() for side in (LEFT, RIGHT))
    return left, right


def meant(visitor: Visitor, key: str) -> Said:
    """Return what a key says about the question shown."""
    left, right = asked(visitor)
    said = {
        "ArrowLeft": (left, right, "harder"),
        "ArrowRight": (right, left, "harder"),
        "ArrowDown": (left, right, "tie"),
        " ": (left, right, "skipped"),
    }
    return said[key]


def type_key(visitor: Visitor, key: str, meanwhile: Callable[[], None] = lambda: None) -> None:
    """Press a key, and wait until another question is shown; something else may happen meanwhile."""
    shown = visitor.page.locator(f"{LEFT} strong").element_handle()

    def press() -> None:
        visitor.page.keyboard.press(key)
        meanwhile()

    visitor.act(press)
    shown.wait_for_element_state("hidden")


def say(visitor: Visitor, keys: Sequence[str]) -> list[Said]:
    """Answer with keys; return what was said and not taken back."""
    said: list[Said] = []
    for key in keys:
        if key == UNDO:
            back = said.pop()
            type_key(visitor, key)
            assert set(asked(visitor)) == set(back[:2])
            continue
        said.append(meant(visitor, key))
        type_key(visitor, key)
        expect(visitor.page.get_by_role("status")).to_contain_text("Saved")
    return said


def stands(store: Store, expert: Expert) -> list[Said]:
    """Return what stands in the store of one expert's answers."""
    return [(one.first, one.second, one.verdict) for one in store.studies.standing(expert.study, expert=expert.id)]


def counted(visitor: Visitor) -> int:
    """Return how many answers the page says there are."""
    way = visitor.key("answer_to_answers")
    expect(way).to_contain_text(re.compile(r"\(\d+\)"))
    return int(re.sub(r"\D", "", way.inner_text()))


def listed(visitor: Visitor) -> list[str]:
    """Return the answers on the list, the oldest first."""
    buttons = visitor.press("answer_to_answers").key("answer_list").get_by_role("button")
    return [plain(words) for words in reversed(buttons.all_inner_texts())]


def in_words(said: Said) -> str:
    """Return an answer as the page lists it."""
    first, second = (f"“{name.capitalize()}”" for name in said[:2])
    return {
        "harder": f"{first} is harder than {second}",
        "tie": f"{first} and {second} are about the same",
        "skipped": f"{first} or {second}: skipped",
    }[said[2]]


def test_fifteen_answers_by_keyboard(come: Come, store: Store, ada: Expert) -> None:
    """What stands in the store is what was pressed, less what was undone; the rest is history."""
    visitor = sit(come, ada)
    said = say(visitor, KEYS)
    assert len(said) == 15
    assert stands(store, ada) == said
    undone = KEYS.count(UNDO)
    assert len(store.studies.history(ada.study, expert=ada.id)) == 15 + 2 * undone
    assert listed(visitor) == [in_words(one) for one in said]


def test_two_experts_at_once(come: Come, store: Store, study: Study, ada: Expert) -> None:
    """Two people who answer at the same moment see and keep their own answers alone."""
    ben = store.studies.invite(study.id, "Ben")
    one, other = sit(come, ada), sit(come, ben)
    said: tuple[list[Said], list[Said]] = ([], [])
    for mine, theirs in (("ArrowLeft", "ArrowRight"), ("ArrowLeft", "ArrowDown"), ("ArrowRight", " "), (" ", " ")):
        said[0].append(meant(one, mine))
        said[1].append(meant(other, theirs))
        type_key(one, mine, meanwhile=partial(type_key, other, theirs))
    assert (stands(store, ada), stands(store, ben)) == said
    for visitor, own in ((one, said[0]), (other, said[1])):
        assert listed(visitor) == [in_words(each) for each in own]
        visitor.press("answer_to_ask").press("answer_to_enough")
        visitor.see("4 answers of yours are kept")
        assert "Everybody together" not in visitor.text()


def test_a_reload_goes_on_where_it_was(come: Come, store: Store, ada: Expert) -> None:
    """What was saved is there after a reload, one that comes before the page has answered included."""
    visitor = sit(come, ada)
    said = say(visitor, ("ArrowLeft", "ArrowDown", "ArrowRight"))
    visitor.reload()
    assert counted(visitor) == 3
    said += say(visitor, ("ArrowRight", UNDO, "ArrowLeft"))
    pressed = meant(visitor, "ArrowRight")
    visitor.page.keyboard.press("ArrowRight")
    visitor.reload()
    kept = stands(store, ada)
    assert kept in (said, [*said, pressed])  # nobody was told that the last one is saved
    assert counted(visitor) == len(kept)
    kept += say(visitor, ("ArrowDown", "ArrowLeft"))
    assert stands(store, ada) == kept
    ids = [one.id for one in store.studies.history(ada.study, expert=ada.id)]
    assert len(set(ids)) == len(ids)


def test_a_wrong_link_and_one_taken_back_say_so(come: Come, store: Store, ada: Expert) -> None:
    """Without an invitation nothing is asked, and an answer from a window still open is refused."""
    come("/Answer?invite=guessed").see("This invitation is not known here.")
    come("/Answer").see("This invitation is not known here.")
    visitor = sit(come, ada)
    store.studies.change_expert(ada.id, revoked=True)
    visitor.act(lambda: visitor.page.keyboard.press("ArrowLeft"))
    visitor.see("This answer is not saved")
    assert stands(store, ada) == []
    visitor.reload().see("This invitation was taken back.")
    assert visitor.page.get_by_role("button").count() == 0


def test_answering_on_a_phone(come: Come, store: Store, ada: Expert) -> None:
    """Every screen fits the width of a phone, and a thumb finds every button."""
    visitor = sit(come, ada, **PHONE)
    for side in (LEFT, RIGHT, LEFT):
        tap(visitor, visitor.page.locator(side).get_by_role("button"))
    fits(visitor, "Which is harder to change?")
    for way, title in (("answers", "Your answers"), ("enough", "Thank you")):
        tap(visitor, visitor.key(f"answer_to_{way}").get_by_role("button"))
        fits(visitor, title)
        tap(visitor, visitor.key("answer_to_ask").get_by_role("button"))
    tap(visitor, visitor.page.get_by_role("button", name="Cannot compare"))
    fits(visitor, "Why can they not be compared?")
    tap(visitor, visitor.key("answer_unsure").get_by_role("button"))
    assert [verdict for _, _, verdict in stands(store, ada)] == ["harder"] * 3 + ["cannot say"]


def tap(visitor: Visitor, button: Locator) -> None:
    """Touch a button, and wait until it is gone, as every button here leads on."""
    touched = button.element_handle()
    visitor.act(touched.tap)
    touched.wait_for_element_state("hidden")


def fits(visitor: Visitor, title: str) -> None:
    """Check that a screen is no wider than the window, nor any button lower than a thumb needs."""
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text(title)
    assert visitor.page.locator("html, [data-testid=stMain]").evaluate_all(WIDE) == []
    buttons = visitor.page.locator("[data-testid=stButton] button >> visible=true")  # some have a hidden twin
    assert buttons.count() and buttons.evaluate_all(AWKWARD, SMALLEST) == []


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_answer_page_is_accessible(come: Come, ada: Expert, scheme: str) -> None:
    """A question, the answers, and thanks with what they say."""
    visitor = sit(come, ada, color_scheme=scheme)
    say(visitor, ("ArrowLeft", "ArrowRight"))
    assert violations(visitor) == "", "question"
    visitor.press("answer_to_answers")
    assert violations(visitor) == "", "answers"
    visitor.press("answer_to_ask").press("answer_to_enough")
    expect(visitor.page.locator(".answer-table")).to_be_visible()
    assert violations(visitor) == "", "thanks"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_experts_page_is_accessible(come: Come, scheme: str) -> None:
    """Without data, before the first study, with one whose expert has answered, and revealed."""
    visitor = come("/Experts", color_scheme=scheme)
    assert violations(visitor) == "", "without data"
    visitor.open("/Experts?data=planted")
    expect(visitor.key("expert_create")).to_be_visible()
    assert violations(visitor) == "", "without a study"
    expert = invite(visitor, come)
    say(expert, ("ArrowLeft", "ArrowRight", "ArrowLeft"))
    visitor.see("3 answers of 1 expert")  # by itself
    assert violations(visitor) == "", "with a study"
    visitor.press("expert_reveal")
    expect(visitor.key("expert_forest").locator(".main-svg").first).to_be_visible()
    assert violations(visitor) == "", "revealed"


def invite(visitor: Visitor, come: Come) -> Visitor:
    """Begin a study and invite somebody; return them at the link the page shows."""
    visitor.press("expert_create")
    name = visitor.page.get_by_role("textbox", name="Name of an expert")
    name.fill("Ada")
    visitor.act(lambda: name.press("Enter"))
    visitor.press("expert_invite")
    invitation = visitor.page.locator("[data-testid=stCode]").get_by_text(visitor.url).first.inner_text()
    return come(invitation.partition(visitor.url)[2].strip())


def costs(visitor: Visitor) -> list[str]:
    """Return what each rule costs."""
    return re.findall(r"Cost (\S+)", plain(rules(visitor).inner_text()))


def test_the_rules_follow_the_answers(come: Come) -> None:
    """As an expert answers, rules are found anew by the new costs without a click, and say how often they stay."""
    visitor = come("/Experts?data=german&model=rf&groups=age")
    expert = invite(visitor, come)
    visitor.press("expert_reveal").press("expert_use")
    visitor.go("Recourse")
    expect(rules(visitor)).to_be_visible()
    expect(visitor.page.locator(".rule-status, .rule-waiting")).to_have_count(0)  # nothing else runs the page again
    before = costs(visitor)
    assert before and set(before) <= {"1", "2", "3"}  # nobody has said anything, so every change costs 1
    assert "draws of the costs" not in visitor.text()
    say(expert, ("ArrowLeft", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowRight"))
    expect(rules(visitor)).to_contain_text(re.compile(r"Stays in \d+ % of \d+ draws of the costs"))
    expect(visitor.page.locator(".rule-item").filter(has_text="Stays in")).to_have_count(len(costs(visitor)))
    assert set(costs(visitor)) - {"1", "2", "3"}
    sure = re.compile("no recommendation changes|at least one rule changes")
    expect(visitor.page.locator(".rule-sure")).to_contain_text(sure)
