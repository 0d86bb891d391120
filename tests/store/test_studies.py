"""Studies: who may answer, and what the facilitator may change."""

from __future__ import annotations

import pytest

from ares_core.errors import StoreError
from ares_core.store import Expert, Given, Item, Store, Study
from ares_core.store.documents import new_token
from tests.store.conftest import ITEMS


def answer(expert: Expert) -> Given:
    """Return an answer with an id of its own."""
    return Given(id=new_token(), expert=expert.id, first="savings", second="job", verdict="harder")


def test_a_study_is_found_by_its_id_and_its_audit(store: Store) -> None:
    """It comes back as it was made, and an audit's studies come in the order they were."""
    audit = store.documents.begin_audit("Loans")
    item = Item("savings", "Savings", "from below 100 DM to 100–500 DM", 0.2)
    study = store.studies.create("Loans", [item, ITEMS[1]], audit)
    assert store.studies.by_id(study.id) == study
    assert study.items[0] == item
    assert store.studies.by_id(audit) is None
    second = store.studies.create("More", ITEMS, audit)
    assert store.studies.of_audit(audit) == (study, second)


def test_a_study_needs_two_features(store: Store) -> None:
    """There is nothing to compare one feature with."""
    with pytest.raises(StoreError, match="at least two"):
        store.studies.create("Loans", ITEMS[:1])


def test_an_invitation_opens_its_study(store: Store, study: Study) -> None:
    """Each expert has a token of their own, and they are listed in the order they were invited."""
    invited = [store.studies.invite(study.id, f" Expert {number} ") for number in range(5)]
    assert store.studies.invited(invited[2].token) == (invited[2], study)
    assert invited[2].name == "Expert 2"
    assert store.studies.experts(study.id) == tuple(invited)
    assert len({secret for one in invited for secret in (one.id, one.token)}) == 10


def test_an_invitation_to_nothing_is_refused(store: Store) -> None:
    """Nobody is invited to a study that is not there."""
    with pytest.raises(StoreError, match="could not write"):
        store.studies.invite("no-such-study", "Ada")


def test_an_unknown_invitation_is_refused(store: Store, expert: Expert) -> None:
    """Neither a guess nor the expert's id, which others may see, opens the study."""
    for token in (new_token(), expert.id, ""):
        with pytest.raises(StoreError, match="not known"):
            store.studies.invited(token)


def test_an_invitation_taken_back_opens_nothing(store: Store, study: Study, expert: Expert) -> None:
    """The link stops working, no answer is taken any more, and those given stay."""
    kept = store.studies.save(answer(expert))
    store.studies.change_expert(expert.id, revoked=True)
    with pytest.raises(StoreError, match="taken back"):
        store.studies.invited(expert.token)
    with pytest.raises(StoreError, match="No more answers"):
        store.studies.save(answer(expert))
    assert store.studies.standing(study.id) == (kept,)


def test_a_closed_study_takes_no_answers_until_it_is_opened_again(store: Store, study: Study, expert: Expert) -> None:
    """Closing is told in a sentence and can be undone."""
    store.studies.set(study.id, closed=True)
    with pytest.raises(StoreError, match="study is closed"):
        store.studies.save(answer(expert))
    store.studies.set(study.id, closed=False)
    store.studies.save(answer(expert))
    assert len(store.studies.history(study.id)) == 1


def test_an_answer_saved_before_the_end_may_be_sent_again_after_it(store: Store, study: Study, expert: Expert) -> None:
    """Whoever did not hear that an answer was saved hears it, although the study was closed meanwhile."""
    given = answer(expert)
    saved = store.studies.save(given)
    store.studies.set(study.id, closed=True)
    assert store.studies.save(given) == saved


def test_a_study_is_revealed_when_the_facilitator_says_so(store: Store, study: Study) -> None:
    """Nothing is shown to the group before."""
    assert not study.revealed
    store.studies.set(study.id, revealed=True)
    found = store.studies.by_id(study.id)
    assert found is not None
    assert (found.revealed, found.closed) == (True, False)


def test_an_expert_s_weight_and_name_can_be_changed(store: Store, study: Study, expert: Expert) -> None:
    """Only that expert changes."""
    other = store.studies.invite(study.id, "Bob")
    store.studies.change_expert(expert.id, weight=2.5, name="Ada L.")
    changed, same = store.studies.experts(study.id)
    assert (changed.name, changed.weight, changed.token) == ("Ada L.", 2.5, expert.token)
    assert same == other


def test_somebody_never_invited_cannot_answer(store: Store, study: Study) -> None:
    """An answer needs an expert."""
    with pytest.raises(StoreError, match="No more answers"):
        store.studies.save(Given(id="1", expert="nobody", first="savings", second="job", verdict="harder"))
    assert store.studies.history(study.id) == ()
