"""Errands: one visitor's questions on a process of their own; cancelled, crashed and crowded out, they go on."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Callable

import pytest

from ares_core.errors import AresError, Cancelled, DataError, SettingError
from ares_core.settings import Settings
from ares_core.worker import (
    Errands,
    Evaluate,
    Evaluated,
    MeetModel,
    Pool,
    ReadTable,
    Source,
    Subject,
    TrainHere,
    client,
)
from ares_core.worker import WorkerError as Failure
from ares_core.worker import errands as errands_module
from tests.patience import PATIENCE
from tests.worker.conftest import Files, Visit, process, running
from tests.worker.odd import ENDLESS, Break, Die, Echo, Mend, Shout, Size, Stubborn, Swallow, Who, Work


def until(holds: Callable[[], bool]) -> bool:
    """Wait until something holds, and say whether it does."""
    end = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a process as long as it needs to let go of a cancelled question."""
    monkeypatch.setattr(client, "GRACE", PATIENCE)


def subject(number: int) -> Subject:
    """Return a subject whose file is nowhere."""
    return Subject(Source(f"{number}", "gone.csv", "y", "1"), TrainHere("lr"))


def test_an_answer_comes_from_another_process(visitor: Errands) -> None:
    """What answers is a process of its own, the same one for every question."""
    assert os.getpid() != process(visitor) == process(visitor)


def test_an_answer_is_remembered(visitor: Errands) -> None:
    """The same question again is the same job."""
    assert visitor.ask(Echo("once")) is visitor.ask(Echo("once"))


def test_the_last_answers_are_remembered(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as said are kept, the oldest go, and none goes before there are too many."""
    monkeypatch.setattr(errands_module, "REMEMBERED", 4)
    visitor = visit()
    jobs = [visitor.ask(Echo(str(number))) for number in range(4) if visitor.ask(Echo(str(number))).wait()]
    assert [visitor.ask(job.question) is job for job in jobs] == [True] * 4
    visitor.ask(Echo("more")).wait()
    assert [visitor.ask(job.question) is job for job in jobs[1:]] == [True] * 3
    assert visitor.ask(jobs[0].question) is not jobs[0]


def test_what_the_user_can_mend_comes_back_as_it_was(visitor: Errands) -> None:
    """An error keeps its class, its problem and its hint on the way."""
    for kind in (DataError, SettingError):
        with pytest.raises(kind) as caught:
            visitor.ask(Mend(kind.__name__)).result()
        assert type(caught.value) is kind
        assert (caught.value.problem, caught.value.hint) == ("The 'sky' is too low.", "Lift it.")


def test_an_unforeseen_error_is_told_and_survived(visitor: Errands) -> None:
    """The visitor reads a sentence, the log has the traceback, and the same process answers the next question."""
    before = process(visitor)
    with pytest.raises(Failure, match="ended unexpectedly"):
        visitor.ask(Break()).result()
    assert process(visitor) == before


def test_stray_prints_do_no_harm(visitor: Errands) -> None:
    """Whatever prints while an answer is made, the answer arrives."""
    assert visitor.ask(Shout()).result() == "calm"


def test_progress_is_told(visitor: Errands) -> None:
    """A job says its stage, and a share that grows."""
    job = visitor.ask(Work(ENDLESS))
    assert until(lambda: job.share > 0)
    first = job.share
    assert job.stage == "evaluate"
    assert until(lambda: job.share > first)
    assert not job.done
    visitor.cancel(job)


def test_the_time_left_is_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quarter done in ten seconds leaves thirty; nothing is said in the first second or before 2 % are done."""
    now = [100.0]
    monkeypatch.setattr(client, "monotonic", lambda: now[0])
    job = client.Job(Echo("slow"), 1)
    job.tell("evaluate", 0.25)
    assert job.seconds_left is None
    now[0] += 10
    assert job.seconds_left == 30
    job.tell("evaluate", 0.01)
    assert job.seconds_left is None


def test_a_cancelled_question_is_over_at_once(visitor: Errands, patient: None) -> None:
    """The job says that it is cancelled, and the same process answers the next question."""
    before = process(visitor)
    job = visitor.ask(Work(ENDLESS))
    assert until(lambda: job.share > 0)
    visitor.cancel(job)
    assert job.done and job.cancelled
    with pytest.raises(Cancelled):
        job.result()
    assert process(visitor) == before


def test_cancelling_does_not_wait_for_the_process(visit: Visit, patient: None) -> None:
    """Cancelling returns while the process is still busy with work that heeds no signal."""
    visitor = visit()
    job = visitor.ask(Stubborn(ENDLESS))
    assert until(lambda: job.share > 0)
    visitor.cancel(job)
    assert job.cancelled
    assert visitor._worker is not None and visitor._worker.busy


def test_a_stopped_question_can_be_asked_again(visitor: Errands) -> None:
    """What was given up is done anew, not remembered as given up."""
    visitor.ask(Work(ENDLESS))
    job = visitor.ask(Echo("again"), later=True)  # which cannot be answered before it is stopped
    visitor.cancel(job)
    again = visitor.ask(Echo("again"))
    assert again is not job
    assert again.result() == "again"


def test_a_question_can_be_stopped_before_its_process_has_started(pool: Pool) -> None:
    """Whoever stops at once is told so, and the next question is answered."""
    for turn in range(3):
        visitor = Errands(pool, Files().__getitem__)
        job = visitor.ask(Work(ENDLESS, turn))
        visitor.cancel(job)
        assert job.cancelled
        assert process(visitor) > 0


def test_a_process_that_does_not_heed_is_ended(visitor: Errands) -> None:
    """Work that hears no signal costs the process, not the visitor's patience."""
    before = process(visitor)
    job = visitor.ask(Stubborn(ENDLESS))
    assert until(lambda: job.share > 0)
    visitor.cancel(job)
    assert process(visitor) != before
    assert not running(before)


def test_a_signal_that_gets_lost_is_sent_again(visitor: Errands, patient: None) -> None:
    """Code that swallows what ends it is told again, and the process lives on."""
    before = process(visitor)
    job = visitor.ask(Swallow(3))
    assert not job.wait(0.2)
    visitor.cancel(job)
    assert process(visitor) == before


def test_a_killed_process_is_a_sentence_and_is_replaced(visitor: Errands) -> None:
    """A process killed in the middle is an error in words; the next question gets another process."""
    before = process(visitor)
    job = visitor.ask(Work(ENDLESS))
    assert until(lambda: job.share > 0)
    os.kill(before, signal.SIGKILL)
    with pytest.raises(Failure) as caught:
        job.result()
    assert caught.value.hint.endswith(".")
    assert process(visitor) != before


def test_a_process_that_ends_itself_is_replaced(visitor: Errands) -> None:
    """So is one that dies of its work, and one that died between two questions."""
    with pytest.raises(Failure):
        visitor.ask(Die()).result()
    before = process(visitor)
    os.kill(before, signal.SIGKILL)
    assert until(lambda: not running(before))
    assert process(visitor) != before


def test_a_file_is_sent_when_it_is_wanted(visitor: Errands, shelf: Files) -> None:
    """The process asks for a file it does not know, and the visitor's answer needs no more than that."""
    assert visitor.ask(Size(shelf.put(b"x" * 300_000))).result() == 300_000


def test_a_file_that_is_gone_is_told(visitor: Errands) -> None:
    """A file the shelf no longer has is a sentence, and the process goes on."""
    before = process(visitor)
    with pytest.raises(Failure, match="no longer on the server") as caught:
        visitor.ask(ReadTable("0" * 64, "gone.csv")).result()
    assert caught.value.hint == "Bring it again, or begin another audit."
    assert process(visitor) == before


def test_two_visitors_work_at_the_same_time(visit: Visit) -> None:
    """Neither waits for the other, and neither sees the other's answer to the same question."""
    one, other = visit(), visit()
    assert process(one) != process(other)
    long, short = one.ask(Work(ENDLESS)), other.ask(Echo("short"))
    assert short.result() == "short"
    assert not long.done
    one.cancel(long)
    assert one.ask(Who()).result() != other.ask(Who()).result()


def test_a_question_for_later_gives_way(visitor: Errands) -> None:
    """A question asked now ends what may wait, at hand or not, and is answered at once."""
    process(visitor)
    later = [visitor.ask(Work(ENDLESS, turn), later=True) for turn in range(3)]
    assert visitor.ask(Echo("now")).wait(PATIENCE)
    assert [job.cancelled for job in later] == [True] * 3


def test_a_question_for_later_waits(visitor: Errands) -> None:
    """It ends nothing, and is answered after the others."""
    first = visitor.ask(Work(ENDLESS))
    second = visitor.ask(Echo("second"), later=True)
    assert until(lambda: first.share > 0)
    assert not second.done and not first.done
    visitor.cancel(first)
    assert second.result() == "second"


def test_a_question_for_later_can_become_urgent(visitor: Errands) -> None:
    """Asked now, a question that waited is the same job, and what was before it gives way."""
    process(visitor)
    before = visitor.ask(Work(ENDLESS), later=True)
    waiting = visitor.ask(Echo("soon"), later=True)
    assert visitor.ask(Echo("soon")) is waiting
    assert waiting.wait(PATIENCE) and before.cancelled


@pytest.mark.parametrize(
    ("old", "new", "goes_on"),
    [
        (Evaluate(Evaluated(subject(1), Settings())), Echo("small"), True),
        (Evaluate(Evaluated(subject(1), Settings())), MeetModel(subject(1)), True),
        (Evaluate(Evaluated(subject(1), Settings())), MeetModel(subject(2)), False),
        (Evaluate(Evaluated(subject(1), Settings())), Evaluate(Evaluated(subject(1), Settings(support=0.1))), False),
        (MeetModel(subject(1)), Evaluate(Evaluated(subject(1), Settings())), True),
        (Echo("old"), Echo("new"), False),
    ],
)
def test_long_work_goes_on_while_it_is_of_use(visitor: Errands, old: object, new: object, goes_on: bool) -> None:
    """A smaller question waits for long work; a long one about something else ends it."""
    visitor.ask(Work(ENDLESS), later=True)
    job = visitor.ask(old, later=True)  # type: ignore[var-annotated, arg-type]
    visitor.ask(new)  # type: ignore[arg-type]
    assert job.cancelled is not goes_on


def test_a_visitor_who_leaves_takes_the_process_along(visit: Visit) -> None:
    """Nothing runs for a visitor who is gone."""
    visitor = visit()
    pid = process(visitor)
    del visitor
    gc.collect()
    assert until(lambda: not running(pid) or bool(gc.collect()))
    assert not running(pid)


def test_many_threads_may_ask_and_cancel(visitor: Errands) -> None:
    """Whatever comes when, every job ends, none hangs, and the process answers afterwards."""
    ends: list[str] = []

    def hurry(thread: int) -> None:
        for turn in range(25):
            job = visitor.ask(Echo(f"{thread} {turn}"), later=turn % 2 == 0)
            if turn % 3 == 0:
                visitor.cancel(job)
            assert job.wait(PATIENCE)
            try:
                ends.append(job.result())
            except AresError as error:
                ends.append(type(error).__name__)

    threads = [threading.Thread(target=hurry, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(ends) == 100
    assert "WorkerError" not in ends
    assert visitor.ask(Echo("calm again")).result() == "calm again"


def test_a_pool_is_bounded(files: Files) -> None:
    """Beyond the most, the process idle longest is ended, whose visitor gets another when they ask."""
    crowded = Pool(most=2)
    try:
        first, second, third = (Errands(crowded, files.__getitem__) for _ in range(3))
        one, two = process(first), process(second)
        assert process(first) == one
        process(third)
        assert (running(one), running(two)) == (True, False)
        assert process(second) not in (one, two)
    finally:
        crowded.close()


def test_a_full_pool_makes_visitors_wait(files: Files) -> None:
    """While every process is at work the next visitor waits, can stop waiting, and is served when one is free."""
    crowded = Pool(most=1)
    try:
        first, second = (Errands(crowded, files.__getitem__) for _ in range(2))
        work = first.ask(Work(ENDLESS))
        assert until(lambda: work.share > 0)
        tired = second.ask(Echo("tired"))
        assert not tired.wait(0.5)
        second.cancel(tired)
        assert tired.cancelled
        patient = second.ask(Echo("patient"))
        first.cancel(work)
        assert patient.result() == "patient"
    finally:
        crowded.close()


def test_a_closed_pool_leaves_no_process(files: Files) -> None:
    """Closing ends every process, the spare too, and warming starts none again."""
    closing = Pool()
    pid = process(Errands(closing, files.__getitem__))
    closing.warm()
    spare = closing._spare
    assert spare is not None and spare.alive
    closing.close()
    closing.warm()
    assert not running(pid) and not spare.alive
    assert closing._spare is spare
