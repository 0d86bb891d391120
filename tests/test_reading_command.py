"""How answers of a model are read on the command line: asked where names do not tell, stopped where outcomes do."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.commands import Captured, refusal, run
from tests.saved_models import needs_sandbox
from tests.services import Asked, Reply, mlflow, served

FEW = ["--max-rules", "3", "--max-changes", "1", "--condition-width", "2", "--selection", "paper", "--quiet"]
OUTCOME = ["--target", "loan", "--favourable", "granted"]
PEOPLE = 150
Serve = Callable[[Callable[[pd.DataFrame], list[Any]]], str]


def table() -> pd.DataFrame:
    """Return people whose income decides, with some noise in the outcome."""
    number = np.arange(PEOPLE)
    frame = pd.DataFrame({"income": number * 37 % 101, "job": np.where(number % 3 > 0, "yes", "no")})
    good = (frame["income"] > 40) ^ (number % 11 == 0)
    return frame.assign(loan=np.where(good, "granted", "refused"))


def accepts(frame: pd.DataFrame) -> pd.Series[bool]:
    """Say whom the model accepts, told here and not by any code under test."""
    return frame["income"].astype(float) > 45


REFUSED = np.flatnonzero(~accepts(table())).tolist()
ACCEPTED = np.flatnonzero(accepts(table())).tolist()


def _speak(replies: list[Callable[[pd.DataFrame], list[Any]]], asked: Asked) -> Reply:
    return mlflow(replies[-1])(asked)


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Work in a folder with a table, and return what puts a model behind an address."""
    table().to_csv(tmp_path / "loans.csv", index=False)
    monkeypatch.chdir(tmp_path)
    replies: list[Callable[[pd.DataFrame], list[Any]]] = []
    with served(lambda asked: _speak(replies, asked)) as server:
        monkeypatch.setenv("ARES_ALLOWED_HOSTS", server.host)

        def start(predict: Callable[[pd.DataFrame], list[Any]]) -> str:
            replies.append(predict)
            return server.mlflow

        yield start


def one_is_bad(frame: pd.DataFrame) -> list[int]:
    """Answer 1 for a refusal."""
    return [int(not each) for each in accepts(frame)]


def two_scores(frame: pd.DataFrame) -> list[list[float]]:
    """Give two scores without names, the first that of granting."""
    return [[0.8, 0.2] if each else [0.3, 0.7] for each in accepts(frame)]


def less_is_better(frame: pd.DataFrame) -> list[float]:
    """Give a risk."""
    return [0.15 if each else 0.65 for each in accepts(frame)]


def swapped_words(frame: pd.DataFrame) -> list[str]:
    """Say 'granted' of whom it refuses."""
    return ["refused" if each else "granted" for each in accepts(frame)]


def recorded() -> dict[str, Any]:
    """Return the run file."""
    document: dict[str, Any] = json.loads(Path("run.json").read_text("utf-8"))
    return document


def refused_rows() -> list[int]:
    """Return the rows of everybody the run says is refused."""
    split = recorded()["split"]
    return sorted(split["learn"] + split["check"])


def audit(address: str, *options: str) -> int:
    """Audit the loans."""
    return run("audit", "loans.csv", *options, *FEW, "--model", address, "--json", "run.json")


def figures(refused: list[int]) -> str:
    """Count what a reading comes to that refuses these rows."""
    good = (table()["loan"] == "granted").to_numpy()
    yes = ~np.isin(np.arange(PEOPLE), refused)
    balanced = (yes[good].mean() + (~yes[~good]).mean()) / 2
    right = int((yes == good).sum())
    return (
        f"(refuses {len(refused)} of {PEOPLE} people; agrees with {right} of {PEOPLE} outcomes, "
        f"balanced accuracy {balanced:.2f})"
    )


@pytest.mark.parametrize(
    ("predict", "right", "wrong", "words"),
    [
        (one_is_bad, "--favourable-answer 0", "--favourable-answer 1", "answers '0' and '1', and nothing"),
        (two_scores, "--threshold 0.5 --score 'score 1'", "--threshold 0.5 --score 'score 2'", "and from where on"),
        (less_is_better, "--threshold 0.5 --below", "--threshold 0.5", "gives one score, and nothing says"),
    ],
)
def test_what_names_do_not_tell_is_asked(
    serve: Serve, capsys: Captured, predict: Any, right: str, wrong: str, words: str
) -> None:
    """Both readings are named with their figures; one refuses exactly whom the model refuses, the other warns."""
    address = serve(predict)
    told = refusal(audit(address, *OUTCOME), capsys)
    assert words in told.replace("'1' and '0'", "'0' and '1'")
    assert f"{right} {figures(REFUSED)}" in told
    assert f"{wrong} {figures(ACCEPTED)}" in told
    assert not Path("run.json").exists()
    assert audit(address, *OUTCOME, *shlex.split(right)) == 0
    assert refused_rows() == REFUSED
    assert "WARNING" not in capsys.readouterr().out
    assert recorded()["behaviour"]["agreement"]["below_chance"] is False
    assert recorded()["behaviour"]["warning"] is None
    assert audit(address, *OUTCOME, *shlex.split(wrong)) == 0
    assert refused_rows() == ACCEPTED
    printed = " ".join(capsys.readouterr().out.split())
    assert printed.startswith("WARNING: The model agrees with ")
    assert "Its favourable answer may be the other one" in printed
    assert recorded()["behaviour"]["warning"].endswith("about the wrong people.")


def test_a_plain_name_that_outcomes_contradict_stops_the_audit(serve: Serve, capsys: Captured) -> None:
    """The label is the favourable outcome, but the people who get it are those it went badly for."""
    address = serve(swapped_words)
    told = refusal(audit(address, *OUTCOME), capsys)
    assert "The answer 'granted' is favourable by its name, but read so the model agrees with" in told
    assert f"--favourable-answer refused {figures(REFUSED)}" in told
    assert audit(address, *OUTCOME, "--favourable-answer", "refused") == 0
    assert refused_rows() == REFUSED
    capsys.readouterr()


def test_a_plain_name_is_taken(serve: Serve, capsys: Captured) -> None:
    """A label that is the favourable outcome, borne out by outcomes, needs no option; `person` reads as recorded."""
    address = serve(lambda frame: ["granted" if each else "refused" for each in accepts(frame)])
    assert audit(address, *OUTCOME) == 0
    assert refused_rows() == REFUSED
    printed = " ".join(capsys.readouterr().out.split())
    assert "This reading was not checked against answers the model is known to give (--expected)." in printed
    assert run("person", "run.json", "loans.csv", "--model", address, "--row", str(REFUSED[0])) == 0
    assert "the model refuses this person" in capsys.readouterr().out


def test_without_outcomes_the_user_is_asked_unless_labels_are_words_for_it(serve: Serve, capsys: Captured) -> None:
    """No target is needed; 0 and 1 are asked about, approved and denied are not, and what is not known is said."""
    table().drop(columns="loan").to_csv("loans.csv", index=False)
    address = serve(one_is_bad)
    told = refusal(audit(address), capsys)
    assert f"--favourable-answer 0 (refuses {len(REFUSED)} of {PEOPLE} people)" in told
    assert "agrees" not in told
    for options in (["--favourable", "0"], ["--favourable-answer", "0"], ["--favourable", "False"]):
        assert audit(address, *options) == 0
        assert refused_rows() == REFUSED
    assert (recorded()["data"]["target"], recorded()["data"]["favourable"]) == (None, None)
    assert (recorded()["behaviour"]["right"], recorded()["behaviour"]["agreement"]) == (None, None)
    assert "the table has no outcome" in " ".join(capsys.readouterr().out.split())
    assert run("person", "run.json", "loans.csv", "--model", address, "--row", str(REFUSED[0])) == 0
    assert "the model refuses this person" in capsys.readouterr().out
    plain = serve(lambda frame: ["Approved" if each else "Denied" for each in accepts(frame)])
    assert audit(plain) == 0
    assert refused_rows() == REFUSED
    scored = serve(less_is_better)
    assert audit(scored, "--threshold", "0.5", "--below") == 0
    assert refused_rows() == REFUSED
    capsys.readouterr()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--train", "dt"], "Option '--train' needs '--target'"),
        (["--target", "loan", "--train", "dt"], "Option '--target' needs '--favourable'"),
        (["--train", "dt", *OUTCOME, "--expected", "loan"], "is the target"),
        (["--train", "dt", *OUTCOME, "--expected", "income"], "'--expected' does not go with a model trained here"),
        (["--train", "dt", *OUTCOME, "--columns", "income"], "'--columns' does not go with a model trained here"),
        (["--model", "http://127.0.0.1:1/invocations", "--columns", "a,,b"], "with an empty name"),
        (["--model", "http://127.0.0.1:1/invocations", "--categories", "c.json"], "complete a model file"),
        (["--model", "http://127.0.0.1:1/invocations", "--expected", "gone"], "neither a column of the table nor"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    serve: Serve, capsys: Captured, options: list[str], words: str
) -> None:
    """One sentence and a hint, before any model is asked."""
    assert serve is not None
    assert words in refusal(run("audit", "loans.csv", *options, "--quiet"), capsys)


def test_favourable_is_named_once_without_outcomes(serve: Serve, capsys: Captured) -> None:
    """Without a target --favourable is the model's answer, so no second option names it."""
    told = refusal(audit(serve(one_is_bad), "--favourable", "0", "--favourable-answer", "1"), capsys)
    assert "and so does --favourable-answer" in told


@pytest.mark.parametrize("way", ["answers", "scores", "column"])
def test_known_answers_are_compared_first(serve: Serve, capsys: Captured, way: str) -> None:
    """Ten right ones pass and are recorded; one wrong one stops the audit and is named by its row."""
    frame = table()
    scored = way == "scores"
    known: list[Any] = (less_is_better if scored else one_is_bad)(frame)
    address = serve(less_is_better if scored else one_is_bad)
    reading = ["--threshold", "0.5", "--below"] if scored else ["--favourable-answer", "0"]
    rows = [3, 7, 20, 21, 40, 41, 77, 90, 120, 149]
    for wrong in (False, True):
        told = {row: known[row] for row in rows}
        if wrong:
            told[77] = told[77] + 0.001 if scored else 1 - told[77]
        if way == "column":
            frame.assign(before=pd.Series(told, dtype="Int64")).to_csv("loans.csv", index=False)
        named = "score" if scored else "answer"
        content = pd.DataFrame({"row": list(told), named: list(told.values())})
        content.to_csv("known.csv", index=False)
        code = audit(address, *OUTCOME, *reading, "--expected", "before" if way == "column" else "known.csv")
        if not wrong:
            assert code == 0
            assert recorded()["model"]["expected"]["compared"] == 10
            assert recorded()["model"]["expected"]["differ"] == 0
            assert "The model gives all 10 expected answers." in " ".join(capsys.readouterr().out.split())
            assert refused_rows() == REFUSED
            assert run("person", "run.json", "loans.csv", "--model", address, "--row", str(REFUSED[0])) == 0
            capsys.readouterr()
            if way == "column":
                assert "before" not in json.dumps(recorded()["schema"])
                assert recorded()["model"]["columns"] == [["income", "income", "as it is"], ["job", "job", "as it is"]]
            Path("run.json").unlink()
        else:
            words = refusal(code, capsys)
            assert "differs from 1 of 10 expected answers (row 77: expected" in words
            assert not Path("run.json").exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("row,other\n1,0\n2,1\n", "has the columns 'row', 'other'"),
        ("row,answer\n1,0\n1,1\n", "names row 1 twice"),
        ("row,answer\n1,0\n999,1\n", "expected for row 999"),
        ("row,answer\n1,0\n-1,1\n", "not whole numbers from 0 on"),
        ("row,score\n1,high\n2,low\n", "scores that are not numbers"),
        ("row,answer\n1,\n2,1\n", "has no answer for row 1"),
    ],
)
def test_files_of_known_answers_are_checked(serve: Serve, capsys: Captured, content: str, words: str) -> None:
    """What is no list of answers is told in a sentence."""
    Path("known.csv").write_text(content)
    options = [*OUTCOME, "--favourable-answer", "0", "--expected", "known.csv"]
    assert words in refusal(audit(serve(one_is_bad), *options), capsys)


def test_listed_columns_are_kept_by_a_run(serve: Serve, capsys: Captured) -> None:
    """A list of columns decides what a service is sent, is in the run file, and holds for `person` too."""

    def by_place(frame: pd.DataFrame) -> list[int]:
        assert list(frame.columns) == ["job", "income"]
        return [int(not each) for each in frame.iloc[:, 1].astype(float) > 45]

    address = serve(by_place)
    options = [*OUTCOME, "--favourable-answer", "0", "--columns", "job,income"]
    assert audit(address, *options) == 0
    assert refused_rows() == REFUSED
    assert [pair[0] for pair in recorded()["model"]["columns"]] == ["job", "income"]
    assert run("person", "run.json", "loans.csv", "--model", address, "--row", str(REFUSED[0])) == 0
    capsys.readouterr()
    assert "names 'gone', which the table does not have" in refusal(
        audit(address, *OUTCOME, "--favourable-answer", "0", "--columns", "gone"), capsys
    )


def fitted_on_arrays() -> tuple[bytes, list[int]]:
    """Return a skops file of a tree fitted on debts and income as an array, and the rows it refuses."""
    from sklearn.tree import DecisionTreeClassifier
    from skops.io import dumps

    frame = numbers()
    values = frame[["debts", "income"]].to_numpy()
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(values, frame["loan"])
    return dumps(tree), np.flatnonzero(tree.predict(values) == "refused").tolist()


def numbers() -> pd.DataFrame:
    """Return people with two columns that a model may take for each other."""
    return table()[["income", "loan"]].assign(debts=np.arange(PEOPLE) * 11 % 90)[["income", "debts", "loan"]]


@needs_sandbox
def test_a_file_without_column_names_is_given_them_in_order(serve: Serve, capsys: Captured) -> None:
    """Without the list it is refused; with it exactly those are refused whom the model refuses here."""
    assert serve is not None
    numbers().to_csv("loans.csv", index=False)
    content, refused = fitted_on_arrays()
    Path("model.skops").write_bytes(content)
    told = refusal(audit("model.skops", *OUTCOME), capsys)
    assert "does not say which columns it wants" in told
    assert "--columns a,b,c" in told
    assert audit("model.skops", *OUTCOME, "--columns", "debts,income") == 0
    assert refused_rows() == refused
    assert run("person", "run.json", "loans.csv", "--model", "model.skops", "--row", str(refused[0])) == 0
    capsys.readouterr()
