"""What a study's answers say, and what a facilitator does with it: values, words and files."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from ares_core.costs import Concordance, Costs, Likeness, hear_panel
from ares_core.errors import CostError, StoreError
from ares_core.store import Expert, Given, Store, Study
from tests.ui.studies import begun
from ui.cards.experts import Voice, agreement_words, disputes_table, groups_words, likeness_table, voices_table
from ui.charts.experts import experts_alt, experts_figure
from ui.experts import Facilitator, ago, answers_csv, answers_json, invitation
from ui.experts_found import Findings, expert_names, findings, group_view, own_view, panel_question
from ui.experts_view import status_words, voices
from ui.shared import store

FEATURES = ("job", "phone", "savings")
TITLES = {name: name.title() for name in FEATURES}


class Lead(Facilitator):
    """A facilitator without a visitor's session, for what needs none."""

    def __init__(self, store: Store) -> None:
        self.studies = store.studies


@pytest.fixture
def lead() -> Lead:
    """Return a facilitator."""
    return Lead(store())


def told(study: Study, *answers: tuple[Expert, str, str, str]) -> None:
    """Store answers."""
    for number, (expert, first, second, verdict) in enumerate(answers):
        given = Given(id=f"{study.id}{number}", expert=expert.id, first=first, second=second, verdict=verdict)
        store().studies.save(given)


def found(study: Study) -> Findings:
    """Return what a study's answers say."""
    studies = store().studies
    question = panel_question(study, studies.experts(study.id), stands := studies.standing(study.id))
    return findings(study, stands, hear_panel(dict(question.answers), dict(question.weights), question.features))


def own_costs(study: Study, expert: Expert) -> Costs:
    """Return what one expert's answers say."""
    own = own_view(FEATURES, store().studies.standing(study.id, expert=expert.id))
    assert own is not None
    return own


def test_a_study_without_answers_says_nothing() -> None:
    """Every cost is 1, and there is nobody to compare."""
    _, study = begun(*FEATURES)
    empty = found(study).panel
    assert {cost.cost for _, cost in empty.costs.items()} == {1.0}
    assert (empty.agreement, empty.link, empty.left_out, empty.groups) == (None, None, (), ())
    assert found(study).spoken == {}


def test_answers_become_costs_disputes_and_links() -> None:
    """Two experts disagree on one pair; a feature nobody compared is named as the missing link."""
    studies, study = begun(*FEATURES)
    ada, ben = studies.invite(study.id, "Ada"), studies.invite(study.id, "Ben")
    told(study, (ada, "job", "phone", "harder"), (ben, "phone", "job", "harder"), (ada, "job", "savings", "skipped"))
    said, own = found(study).panel, own_costs(study, ada)
    assert [(one.first_harder, one.second_harder) for one in said.disputes] == [((ada.id,), (ben.id,))]
    assert said.link is not None
    assert "savings" in said.link
    assert said.costs.of("job") == pytest.approx(said.costs.of("phone"))
    assert own.of("job") > own.of("phone")
    assert len(said.left_out) == 2
    assert len(found(study).pairs["job", "phone"]) == 2
    table = str(disputes_table(said.disputes, expert_names([ada, ben]), TITLES))
    assert "Job / Phone" in table
    assert "Ada" in table


def test_weights_move_the_costs_and_zero_leaves_out() -> None:
    """Without the other's weight only one expert's view is left; with nobody's, every cost is 1."""
    studies, study = begun(*FEATURES)
    ada, ben = studies.invite(study.id, "Ada"), studies.invite(study.id, "Ben")
    told(study, (ada, "job", "phone", "harder"), (ben, "phone", "job", "harder"))
    studies.change_expert(ben.id, weight=0.0)
    alone = found(study).panel
    assert alone.costs.of("job") == pytest.approx(own_costs(study, ada).of("job"))
    assert group_view(studies, study).of("job") == pytest.approx(alone.costs.of("job"))
    assert alone.left_out == ()
    studies.change_expert(ada.id, weight=0.0)
    assert {cost.cost for _, cost in found(study).panel.costs.items()} == {1.0}


def test_what_cannot_change_is_listed_with_who_says_so() -> None:
    """Each expert once."""
    studies, study = begun(*FEATURES)
    ada = studies.invite(study.id, "Ada")
    for number, second in enumerate(("phone", "savings")):
        studies.save(
            Given(
                id=f"{study.id}{number}",
                expert=ada.id,
                first="job",
                second=second,
                verdict="cannot say",
                reason="cannot change: job",
            )
        )
    assert found(study).fixed == {"job": (ada.id,)}


def test_experts_have_different_names(lead: Lead) -> None:
    """An invitation needs a name of its own; brought answers may still share one."""
    _, study = begun()
    lead.invite(study, " Ada  Lovelace ")
    assert [expert.name for expert in lead.studies.experts(study.id)] == ["Ada Lovelace"]
    with pytest.raises(StoreError, match="is invited already"):
        lead.invite(study, "Ada Lovelace")
    with pytest.raises(StoreError, match="needs a name"):
        lead.invite(study, " \0 ")
    lead.studies.invite(study.id, "Ada Lovelace")
    assert list(expert_names(lead.studies.experts(study.id)).values()) == ["Ada Lovelace", "Ada Lovelace (2)"]


def test_reopening_withdraws_answers_and_says_what_it_could_not(lead: Lead) -> None:
    """An expert whose invitation was taken back keeps their answer."""
    studies, study = begun(*FEATURES)
    ada, ben = studies.invite(study.id, "Ada"), studies.invite(study.id, "Ben")
    told(study, (ada, "job", "phone", "harder"), (ben, "phone", "job", "harder"))
    studies.change_expert(ben.id, revoked=True)
    words = lead.reopen(found(study).pairs["job", "phone"])
    assert words.startswith("1 answer withdrawn")
    assert "1 not:" in words
    assert [one.expert for one in studies.standing(study.id)] == [ben.id]


def test_a_file_of_answers_comes_back_with_names(lead: Lead) -> None:
    """Saved and brought into another study, the answers say the same; the same file twice adds nothing."""
    studies, study = begun(*FEATURES)
    ada = studies.invite(study.id, "Ada, Countess")
    told(study, (ada, "job", "phone", "harder"), (ada, "phone", "savings", "tie"), (ada, "job", "savings", "skipped"))
    text = answers_csv(studies.experts(study.id), studies.standing(study.id))
    _, other = begun(*FEATURES)
    assert lead.bring(other, text.encode(), "a.csv") == "2 answers of 'a.csv' added."
    again = lead.bring(other, text.encode(), "b.csv")
    assert again == "0 answers of 'b.csv' added. 2 answers of it were here already."
    assert answers_csv(studies.experts(other.id), studies.standing(other.id)) == text


def test_a_study_takes_its_own_answers_for_known(lead: Lead) -> None:
    """Brought again in any order they add nothing, also of two experts of one name; one withdrawn returns."""
    studies, study = begun(*FEATURES)
    ada, other = studies.invite(study.id, "Ada"), studies.invite(study.id, "Ada")
    told(study, (ada, "job", "phone", "harder"), (other, "job", "phone", "harder"), (ada, "job", "phone", "harder"))
    stands = studies.standing(study.id)
    text = answers_json(studies.experts(study.id), stands[::-1]).encode()
    assert lead.bring(study, text, "a.json").startswith("0 answers")
    assert studies.history(study.id) == stands
    lead.reopen(stands[:1])
    assert lead.bring(study, text, "a.json").startswith("1 answer of")
    assert [one.expert for one in studies.standing(study.id)] == [other.id, ada.id, ada.id]
    assert len(studies.experts(study.id)) == 2


def test_many_answers_are_brought_at_once_or_not_at_all(lead: Lead) -> None:
    """One expert who may not answer any more keeps all others out, and nobody is invited for nothing."""
    studies, study = begun(*FEATURES)
    ada = studies.invite(study.id, "Ada")
    studies.change_expert(ada.id, revoked=True)
    rows = [f"job,phone,,Expert {number},reason {number}" for number in range(400)]
    text = "\n".join(["harder,easier,answer,expert,reason", *rows, "job,phone,,Ada,"])
    with pytest.raises(StoreError, match="No more answers are taken"):
        lead.bring(study, text.encode(), "a.csv")
    assert (studies.history(study.id), studies.experts(study.id)) == ((), (replace(ada, revoked=True),))
    studies.change_expert(ada.id, revoked=False)
    assert lead.bring(study, text.encode(), "a.csv") == "401 answers of 'a.csv' added."
    assert len(studies.standing(study.id)) == len(studies.experts(study.id)) == 401
    crowd = "\n".join(["harder,easier,expert", *(f"job,phone,Another {number}" for number in range(100))])
    with pytest.raises(StoreError, match="takes 500 experts, not 501"):
        lead.bring(study, crowd.encode(), "b.csv")


@pytest.mark.parametrize(("text", "problem"), [("harder,easier\njob,moon\n", "'moon'"), ("a,b\n1,2\n", "harder")])
def test_a_file_that_cannot_be_used_adds_nothing(lead: Lead, text: str, problem: str) -> None:
    """Not even the answers before the one that is wrong."""
    studies, study = begun(*FEATURES)
    with pytest.raises(CostError, match=problem):
        lead.bring(study, text.encode(), "a.csv")
    assert studies.experts(study.id) == ()
    studies.set(study.id, closed=True)
    closed = studies.by_id(study.id)
    assert closed is not None
    with pytest.raises(StoreError, match="closed"):
        lead.bring(closed, b"harder,easier\njob,phone\n", "a.csv")


@pytest.mark.parametrize(
    ("address", "link"),
    [
        (None, "/Answer?invite=t"),
        ("", "/Answer?invite=t"),
        ("http://host:1/Experts", "http://host:1/Answer?invite=t"),
        ("https://host/audit/Experts?data=a/b", "https://host/audit/Answer?invite=t"),
    ],
)
def test_links_name_this_server(address: str | None, link: str) -> None:
    """The path alone where the address is not known."""
    assert invitation(address, "t") == link


@pytest.mark.parametrize(
    ("seconds", "words"), [(3, "just now"), (30, "30 s ago"), (90, "1 min ago"), (8000, "2 h ago"), (10**6, "11 d ago")]
)
def test_times_are_said_as_ago(seconds: int, words: str) -> None:
    """The largest unit is enough."""
    now = datetime(2024, 5, 1, tzinfo=UTC)
    assert ago((now - timedelta(seconds=seconds)).isoformat(), now) == words
    assert ago("", now) == ""


def test_voices_tell_how_many_and_nothing_of_what() -> None:
    """Counts, times and weights only."""
    studies, study = begun(*FEATURES)
    ada = studies.invite(study.id, "<Ada>")
    studies.invite(study.id, "Ben")
    told(study, (ada, "job", "phone", "harder"))
    rows = voices(studies.experts(study.id), studies.standing(study.id), datetime.now(UTC))
    assert [(row.name, row.answers) for row in rows] == [("<Ada>", 1), ("Ben", 0)]
    table = str(voices_table([*rows, Voice("Cleo", 0, "", 0.5, revoked=True)]))
    assert "&lt;Ada&gt;" in table
    assert "taken back" in table
    assert "1 answer of 3 experts" in table
    assert "job" not in table.lower()
    assert "result hidden" in status_words(study, used=False)


def test_agreement_is_said_with_its_numbers() -> None:
    """W comes with how many experts and features it is over."""
    assert "Fewer than two" in agreement_words(None)
    words = agreement_words(Concordance(0.714, 3, 8))
    assert "0.71, over 3 experts and 8 features" in words
    names = {"a": "Ada", "b": "Ben", "c": "Cleo"}
    table = str(likeness_table([Likeness("a", "b", 4, 3, 0.5), Likeness("a", "c", 0, 0, None)], names))
    assert table.index("Ada and Ben") < table.index("Ada and Cleo")
    assert "3 of 4 (75 %)" in table
    assert groups_words([["a", "b"], ["c"]], names) == ["Ada, Ben", "Cleo, like nobody else"]


def test_the_forest_lays_one_expert_below_everybody() -> None:
    """Two shapes, each feature twice, the hardest on top; the words name everything."""
    studies, study = begun(*FEATURES)
    ada, ben = studies.invite(study.id, "Ada"), studies.invite(study.id, "Ben")
    told(study, (ada, "job", "phone", "harder"), (ben, "job", "phone", "harder"), (ben, "phone", "savings", "harder"))
    said, own = found(study).panel, own_costs(study, ada)
    alone, both = experts_figure(TITLES, said.costs), experts_figure(TITLES, said.costs, own, "<Ada>")
    assert [len(trace.x) for trace in alone.data] == [3]
    assert [(len(trace.x), trace.marker.symbol) for trace in both.data] == [(3, "circle"), (3, "diamond")]
    assert both.data[1].name == "&lt;Ada&gt;"
    assert list(both.layout.yaxis.ticktext) == ["Job", "", "Phone", "", "Savings", ""]
    assert experts_alt(TITLES, said.costs).index("Job") < experts_alt(TITLES, said.costs).index("Phone")
