"""The Experts page: without data, a study from its beginning to costs in the audit, and files."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from ares_core.people import Change
from ares_core.store import Given, Study
from tests.patience import PATIENCE
from tests.ui.studies import PAGES, said
from ui.links import parameters
from ui.shared import shelf, store


def opened(**address: str) -> AppTest:
    """Return the page at an address."""
    page = AppTest.from_file(str(PAGES / "7_Experts.py"), default_timeout=PATIENCE)
    for name, value in address.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def press(page: AppTest, key: str) -> None:
    """Press a button."""
    page.button(key=key).click().run()
    assert not page.exception


def session(page: AppTest) -> Any:
    """Return the visitor's session."""
    return page.session_state["ares"]


def study_of(page: AppTest) -> Study:
    """Return the newest study of the audit."""
    return store().studies.of_audit(session(page).state.setup.audit)[-1]


def begun() -> AppTest:
    """Begin a study on the generated people."""
    page = opened(data="planted")
    page.text_input(key="expert_title").set_value("Loans *now*")
    press(page, "expert_create")
    return page


def invited(page: AppTest, *names: str) -> None:
    """Invite experts."""
    for name in names:
        box = next(box for box in page.text_input if str(box.key).startswith("expert_name_"))
        box.set_value(name)
        press(page, "expert_invite")


def answered(study: Study) -> None:
    """Let both experts of a study compare its first three features, and differ on one pair."""
    names = [item.name for item in study.items][:3]
    for expert in store().studies.experts(study.id):
        pairs = [(names[0], names[1]), (names[1], names[2]), (names[0], names[2])]
        for number, (first, second) in enumerate(pairs):
            turned = expert.name == "Ben" and number == 2
            store().studies.save(
                Given(
                    id=f"{expert.id}{number}",
                    expert=expert.id,
                    first=second if turned else first,
                    second=first if turned else second,
                    verdict="harder",
                )
            )


def test_without_data_the_page_says_what_to_do() -> None:
    """There is nothing to compare before there are people."""
    assert "There are no people to look at yet." in said(opened())


def test_a_study_begins_with_what_may_change() -> None:
    """One feature is too few; the demonstration becomes an audit of its own, whose link finds the study again."""
    page = opened(data="planted")
    names = page.multiselect(key="expert_features").value
    page.multiselect(key="expert_features").set_value(names[:1])
    press(page, "expert_create")
    assert "at least two features" in said(page)
    assert session(page).state.setup.audit == ""
    page.multiselect(key="expert_features").set_value(names)
    page.text_input(key="expert_title").set_value("Loans *now*")
    press(page, "expert_create")
    study = study_of(page)
    assert study.title == "Loans *now*"
    assert all(item.step and item.share is not None for item in study.items)
    frozen = {one.name for one in session(page).schema().features if one.change is Change.FROZEN}
    assert frozen.isdisjoint(item.name for item in study.items)
    again = opened(**{name: values[0] for name, values in parameters(session(page).state, shelf()).items()})
    assert "Loans *now*" in " ".join(header.value for header in again.header).replace("\\", "")


def test_the_facilitator_sees_counts_until_the_result_is_revealed() -> None:
    """Own view before group view; revealing can be undone."""
    page = begun()
    invited(page, "Ada", "Ben")
    study = study_of(page)
    assert all(expert.token in page.code[0].value for expert in store().studies.experts(study.id))
    answered(study)
    page.run()
    assert "6 answers of 2 experts" in said(page)
    assert "What the experts say together" not in [header.value for header in page.header]
    assert not page.get("plotly_chart")
    assert not page.get("download_button")
    press(page, "expert_reveal")
    assert page.get("plotly_chart")
    assert page.get("download_button")
    assert "Kendall" in said(page)
    assert "nothing links" in said(page)  # the other features were not compared
    press(page, "expert_reveal")
    assert not page.get("plotly_chart")


def test_costs_go_into_the_audit_and_out_again() -> None:
    """The wish holds the pooled costs, also while an invited expert has said nothing, and unit costs afterwards."""
    page = begun()
    invited(page, "Ada", "Ben")
    study = study_of(page)
    answered(study)
    invited(page, "Silent")
    press(page, "expert_reveal")
    press(page, "expert_use")
    assert session(page).state.setup.study == study.id
    hardest = study.items[0].name
    assert session(page).costs().of(hardest) > 1
    assert "follows the answers" in said(page)
    press(page, "expert_unuse")
    assert session(page).costs().of(hardest) == 1


def test_a_pair_is_asked_again_only_when_confirmed_and_what_cannot_change_is_frozen() -> None:
    """The disputed pair comes first, and saying no keeps its answers; freezing edits the schema."""
    page = begun()
    invited(page, "Ada", "Ben")
    study = study_of(page)
    answered(study)
    press(page, "expert_reveal")
    press(page, "expert_reopen")
    press(page, "expert_reopen_no")
    assert len(store().studies.standing(study.id)) == 6
    press(page, "expert_reopen")
    press(page, "expert_reopen_yes")
    assert len(store().studies.standing(study.id)) == 4
    assert "2 answers withdrawn" in said(page)
    assert "There is no pair that two experts answered differently." in said(page)
    first, second = (item.name for item in study.items[:2])
    ada, reason = store().studies.experts(study.id)[0], f"cannot change: {first}"
    store().studies.save(
        Given(id=f"{ada.id}f", expert=ada.id, first=first, second=second, verdict="cannot say", reason=reason)
    )
    page.run()
    press(page, "expert_freeze_0")
    assert session(page).schema()[first].change is Change.FROZEN
    assert "is frozen, as Ada suggested" in said(page)


def test_invitations_and_weights_are_changed() -> None:
    """A link that was taken back is not listed; a weight shows in the table."""
    page = begun()
    invited(page, "Ada", "Ada")
    assert "'Ada' is invited already." in said(page)
    study = study_of(page)
    next(box for box in page.number_input if str(box.key).startswith("expert_weight_")).set_value(2.5).run()
    press(page, "expert_revoke")
    ada = store().studies.experts(study.id)[0]
    assert (ada.weight, ada.revoked) == (2.5, True)
    assert not page.code
    assert "2.5" in said(page)
    press(page, "expert_revoke")
    press(page, "expert_close")
    assert "The study is closed" in said(page)
    assert study_of(page).closed


def test_answers_are_brought_in_and_studies_are_kept_apart() -> None:
    """A file adds its experts and answers, and a wrong one says why; another study has none of them."""
    page = begun()
    earlier = study_of(page)
    first, second = (item.name for item in earlier.items[:2])
    content = f"harder,easier,answer,expert,reason\n{first},{second},,Zoe,\n".encode()
    page.file_uploader(key="expert_file").upload("pairs.csv", content, "text/csv").run()
    assert "1 answer of 'pairs.csv' added." in said(page)
    assert "1 answer of 1 expert" in said(page)
    page.file_uploader(key="expert_file").upload("bad.csv", b"harder,easier\nmoon,sun\n", "text/csv").run()
    assert "which this study does not ask about" in said(page)
    assert len(store().studies.standing(earlier.id)) == 1
    page.text_input(key="expert_title").set_value("")
    press(page, "expert_create")
    newer = study_of(page)
    assert page.header[0].value.replace("\\", "") == newer.title == "What changes cost people"
    assert "Zoe" not in said(page)
    page.selectbox(key="expert_study").set_value(earlier.id).run()
    assert page.header[0].value.replace("\\", "") == earlier.title
    assert "Zoe" in said(page)
