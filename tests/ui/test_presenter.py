"""Presenter mode: what the slides tell, and how they are turned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ares_core.audit.intervals import Share
from ares_core.worker import CompareGroups, Describe, Errands, Evaluate, LearnCosts, Pool, Summarise, TradeOff
from tests.patience import PATIENCE
from tests.ui.shelves import fresh_shelf
from ui.cards.slides import NOT_SAID, Slide, Story, slide_markup, slides
from ui.demos import demo_state
from ui.html import tag

RECOURSE = str(Path(__file__).resolve().parents[2] / "pages" / "4_Recourse.py")


@pytest.fixture(scope="module")
def story() -> Iterator[Story]:
    """What the worker answers about the table with a planted bias."""
    shelf, pool = fresh_shelf(), Pool()
    errands = Errands(pool, shelf.file)
    state = demo_state("planted", shelf)
    asked = state.evaluated
    assert state.setup is not None
    assert asked is not None
    schema = errands.ask(Describe(state.setup.source)).result().schema
    wish = state.wish(errands.ask(LearnCosts(schema.names)).result())
    summary = errands.ask(Summarise(asked, wish)).result()
    yield Story(
        schema,
        "Rules of planted_bias.rules.json",
        errands.ask(Evaluate(asked)).result(),
        summary,
        errands.ask(CompareGroups(summary.key)).result(),
        errands.ask(TradeOff(summary.key)).result(),
    )


def words(slide: Slide) -> str:
    """Return what is read on a slide."""
    return slide.body.striptags()


def test_the_story_is_told_in_order(story: Story) -> None:
    """Headline, one slide for each subgroup, the comparison of the two halves once, fewer rules, and how sure it is."""
    assert [slide.title for slide in slides(story)] == [
        "The model refuses 2,148 of 4,000 people",
        "If Race = Not Caucasian",
        "If Race = Caucasian",
        "Race = Not Caucasian, and everybody else",
        "How much do fewer rules achieve?",
        "How sure is this?",
    ]


def test_the_headline_has_people_and_interval(story: Story) -> None:
    """Its figure stands with how many of how many, the interval, the model, and on whom it was measured."""
    slide = slides(story)[0]
    accuracy = story.summary.check.accuracy
    assert f"{accuracy.count:,} of {accuracy.total:,}, 95 % interval 99–100 %" in words(slide)
    assert "4 rules help" in words(slide)
    assert "planted_bias.rules.json" in slide.notes
    assert "whom the rules were not chosen on" in slide.notes


def test_each_rule_says_how_often_it_works(story: Story) -> None:
    """The rules of a subgroup stand on its slide, each with share, people, interval and cost."""
    text = words(slides(story)[1])
    assert text.count("Works for 100 %: ") == 2
    assert text.count("95 % interval") == 2
    assert text.count("Cost 2.") == 2


def test_many_rules_get_a_slide_each(story: Story) -> None:
    """A subgroup with more rules than fit is spread out, and each slide says which rule it is."""
    first = story.summary.rules[0]
    crowded = replace(story, summary=replace(story.summary, rules=(first,) * 4))
    deck = [slide for slide in slides(crowded) if slide.title.startswith("If ")]
    assert [slide.notes[:11] for slide in deck] == [f"Rule {n} of 4" for n in (1, 2, 3, 4)]
    assert all(words(slide).count("Works for") == 1 for slide in deck)


def test_few_people_are_marked(story: Story) -> None:
    """A rule measured on few people says so, and one measured on nobody gives no percentage."""
    view = story.summary.rules[0]
    for share, told in ((Share(2, 3), "Few people: read with care."), (Share(0, 0), "nobody to measure it on")):
        rare = replace(view, figures=replace(view.figures, check=share))
        slide = slides(replace(story, summary=replace(story.summary, rules=(rare,))))[1]
        assert told in words(slide)


def test_the_planted_bias_is_on_a_slide(story: Story) -> None:
    """Both halves are helped as often, and one must change twice as many features: the slide says both."""
    slide = slides(story)[3]
    assert "as often" in words(slide)
    assert "2 times as many features as everybody else" in words(slide)
    assert words(slide).count(" % interval") >= 4


def test_a_gap_is_said_with_direction_interval_and_chance(story: Story) -> None:
    """A group helped less often is told in points, with the interval and whether chance explains it."""
    gap = {"gap": -0.3, "gap_interval": (-0.5, -0.1), "p_holm": 0.001, "gap_level": 0.025}
    group = replace(story.groups.groups[0], accuracy=Share(10, 20), without_recourse=Share(0, 20), others=515, **gap)
    everybody = replace(story.groups.everybody, helped=422, affected=535)
    slide = slides(replace(story, groups=replace(story.groups, groups=(group,), everybody=everybody)))[3]
    assert "30 points less (97.5 % interval −50 to −10). Chance alone hardly explains it (p = 0.002" in words(slide)
    assert slide.notes.startswith("Fewer than 30 people on one side")


def test_too_many_groups_are_counted(story: Story) -> None:
    """The groups that chance explains least get slides; how many more there are is said."""
    group = story.groups.groups[0]
    many = tuple(replace(group, others=group.others + place) for place in range(20))
    deck = slides(replace(story, groups=replace(story.groups, groups=many)))
    told = [slide for slide in deck if slide.title.endswith("everybody else")]
    assert len(told) == 12
    assert "8 more groups on the Subgroups page." in told[0].notes


def test_sizes_end_where_more_rules_help_nobody(story: Story) -> None:
    """The table of sizes stops at the size that helps as many as the largest."""
    slide = slides(story)[4]
    assert "4 rules" in words(slide)
    assert "5 rules" not in words(slide)
    assert slide.notes.startswith("More than 4 rules help no more people.")
    assert not [each for each in slides(replace(story, points=())) if "fewer" in each.title]


def test_the_last_slide_says_what_is_not_claimed(story: Story) -> None:
    """What is proven stands above what nobody claims."""
    slide = slides(story)[-1]
    assert words(slide).startswith("Proven: no summary of at most 20 rules")
    assert all(claim in words(slide) for claim in NOT_SAID)


def test_without_rules_there_are_two_slides(story: Story) -> None:
    """When no rule can be offered, the slides say so and why, and compare nothing."""
    check = replace(story.summary.check, size=0, helped=0, covered=0)
    deck = slides(replace(story, summary=replace(story.summary, rules=(), check=check)))
    assert len(deck) == 2
    assert "No rule can be offered" in words(deck[0])


def test_a_slide_is_escaped_and_shrinks() -> None:
    """Names from the data cannot break out of a slide, and long ones are set smaller."""
    small = str(slide_markup(Slide("<b>", tag("p", "<i>"), "<u>"), 1, 2))
    assert "<b>" not in small
    assert "<i>" not in small
    assert "<u>" not in small
    assert 'aria-label="Slide 1 of 2"' in small
    assert 'class="slide slide-long"' in slide_markup(Slide("x", tag("p", "y" * 300)), 1, 1)
    assert 'class="slide slide-very-long"' in slide_markup(Slide("x", tag("p", "y" * 600)), 1, 1)


def slide_text(page: AppTest) -> str:
    """Return the slide on the page."""
    return " ".join(element.proto.body for element in page.get("html") if 'aria-label="Slide' in element.proto.body)


def test_slides_are_turned_and_left() -> None:
    """A link opens on its slide; buttons turn the slides; leaving shows the page again."""
    page = AppTest.from_file(RECOURSE, default_timeout=PATIENCE)
    for name, value in (("data", "planted"), ("groups", "race"), ("present", "0")):
        page.query_params[name] = value
    page.run()
    assert not page.exception
    assert "Slide 1 of 6" in slide_text(page)
    assert page.button(key="present_previous").disabled
    assert not page.slider
    page.button(key="present_next").click().run()
    assert "If Race = Not Caucasian" in slide_text(page)
    page.session_state["ares"].set_view(slide=900)
    page.run()
    assert "Slide 6 of 6" in slide_text(page)
    assert page.button(key="present_next").disabled
    page.button(key="present_leave").click().run()
    assert not slide_text(page)
    assert page.title[0].value == "Recourse"
    page.button(key="present").click().run()
    assert "Slide 1 of 6" in slide_text(page)


def test_without_a_model_there_is_nothing_to_present() -> None:
    """A link to a slide of an audit without data shows the page, which says what is missing."""
    page = AppTest.from_file(RECOURSE, default_timeout=PATIENCE)
    page.query_params["present"] = "3"
    page.run()
    assert not page.exception
    assert page.title[0].value == "Recourse"
    assert page.info
