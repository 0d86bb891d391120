"""Rule models: whom they refuse, and which files they refuse."""

from __future__ import annotations

import hashlib
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ares_core.audit.figures import RuleFigures
from ares_core.audit.intervals import Share
from ares_core.errors import ModelError
from ares_core.models import RuleModel, ask, read_rule_model
from tests.calls import count_calls


def equals(**levels: object) -> list[dict[str, object]]:
    return [{"feature": feature, "equals": value} for feature, value in levels.items()]


def rule(subgroup: Any, before: Any, after: Any) -> dict[str, Any]:
    return {"subgroup": subgroup, "before": before, "after": after}


def write(path: Path, *rules: Any, word: str = "ares-rules") -> Path:
    path.write_text(json.dumps({"format": word, "rules": list(rules)}), "utf-8")
    return path


def everybody(**values: tuple[object, ...]) -> pd.DataFrame:
    return pd.DataFrame(list(itertools.product(*values.values())), columns=list(values))


YES_NO = everybody(group=("a", "b"), job=("no", "yes"), home=("no", "yes"), married=("no", "yes"))


def refused(model: RuleModel, frame: pd.DataFrame) -> set[tuple[Any, ...]]:
    return set(frame[ask(model, frame) == 0].itertuples(index=False, name=None))


def test_one_change_refuses_exactly_those_before(tmp_path: Path) -> None:
    """A rule with one change refuses the people of its subgroup and its before, and nobody else."""
    path = write(
        tmp_path / "m.json",
        rule(equals(group="a"), equals(job="no", married="no"), equals(married="no", job="yes")),
    )
    assert refused(read_rule_model(path), YES_NO) == {("a", "no", home, "no") for home in ("no", "yes")}


def test_two_changes_need_both(tmp_path: Path) -> None:
    """After one of two changes a person is still refused; after both they are not; the rest must hold."""
    path = write(
        tmp_path / "m.json",
        rule(
            equals(group="a"),
            equals(job="no", home="no", married="no"),
            equals(job="yes", home="yes", married="no"),
        ),
    )
    halves = [("no", "no"), ("no", "yes"), ("yes", "no")]
    assert refused(read_rule_model(path), YES_NO) == {("a", job, home, "no") for job, home in halves}


def test_a_changed_feature_elsewhere_leaves_the_rule(tmp_path: Path) -> None:
    """Somebody at neither the before nor the after level of a changed feature is not refused."""
    people = everybody(savings=("none", "some", "much"), job=("no", "yes"))
    path = write(tmp_path / "m.json", rule([], equals(savings="none", job="no"), equals(savings="some", job="yes")))
    assert refused(read_rule_model(path), people) == {("none", "no"), ("none", "yes"), ("some", "no")}


def test_rules_add_up(tmp_path: Path) -> None:
    """A person is refused when any rule refuses them, even at the end of another rule."""
    path = write(
        tmp_path / "m.json",
        rule([], equals(job="no"), equals(job="yes")),
        rule([], equals(home="no"), equals(home="yes")),
    )
    assert refused(read_rule_model(path), YES_NO) == {
        row for row in YES_NO.itertuples(index=False, name=None) if row[1] == "no" or row[2] == "no"
    }


def test_numbers_choices_and_missing(tmp_path: Path) -> None:
    """Intervals are half open, several columns make one feature, and missing describes people."""
    people = pd.DataFrame(
        {"income": [99.0, 100.0, 199.0, 200.0, np.nan], "own": [0, 0, 0, 0, 0], "rent": [1, 1, 0, 1, 1]}
    )
    renting = {"feature": "home", "equals": "rents", "columns": {"own": 0, "rent": 1}}
    low = {"feature": "income", "at_least": 100, "below": 200}
    path = write(
        tmp_path / "m.json",
        rule([renting], [low], [{"feature": "income", "at_least": 200, "below": None}]),
        rule(
            [{"feature": "income", "missing": True}],
            [renting],
            [{"feature": "home", "equals": "owns", "columns": {"own": 1, "rent": 0}}],
        ),
    )
    assert ask(read_rule_model(path), people).tolist() == [1, 0, 1, 1, 0]


def test_a_run_file_is_a_rule_model(tmp_path: Path) -> None:
    """The rules of a run file serve as a black box, whatever else stands beside them."""
    entry = rule([], equals(job="no"), equals(job="yes")) | {"learn": {"covers": 3}}
    path = write(tmp_path / "run.json", entry, word="ares-run")
    model = read_rule_model(path)
    assert (model.kind, model.sha256) == ("rules", hashlib.sha256(path.read_bytes()).hexdigest())
    assert ask(model, YES_NO).sum() == 8


def test_the_rules_of_a_run_file_may_be_copied_with_their_figures(tmp_path: Path) -> None:
    """Every key that a run file gives a rule is known, in a run as in a rule model, with a version or without."""
    share = Share(1, 3)
    figures = RuleFigures(learn=share, check=share, feature_cost=2.0, feature_change=1)
    entry = rule([], equals(job="no"), equals(job="yes"))
    for word in ("ares-run", "ares-rules"):
        path = write(tmp_path / "m.json", entry | figures.to_json(), word=word)
        assert ask(read_rule_model(path), YES_NO).sum() == 8
        path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"version": 1}), "utf-8")
        assert ask(read_rule_model(path), YES_NO).sum() == 8


def test_rows_and_columns_may_stand_in_any_order(tmp_path: Path) -> None:
    """Each person gets the same answer wherever they stand."""
    model = read_rule_model(write(tmp_path / "m.json", rule(equals(group="b"), equals(job="no"), equals(job="yes"))))
    shuffled = YES_NO.sample(frac=1, random_state=1)[["married", "job", "group", "home"]]
    expected = pd.Series(ask(model, YES_NO), index=YES_NO.index)
    assert (ask(model, shuffled) == expected[shuffled.index].to_numpy()).all()


def test_answers_are_computed_column_by_column(tmp_path: Path) -> None:
    """A million people take as many calls as sixteen."""
    model = read_rule_model(write(tmp_path / "m.json", rule(equals(group="a"), equals(job="no"), equals(job="yes"))))
    many = pd.concat([YES_NO] * 60_000, ignore_index=True)
    few = count_calls(lambda: model.predict(YES_NO))
    assert count_calls(lambda: model.predict(many)) < 1.1 * few


GOOD = rule(equals(group="a"), equals(job="no"), equals(job="yes"))
BAD_FILES: dict[str, tuple[str, str]] = {
    "not JSON": ("{", "is not JSON"),
    "a bare NaN": ('{"format": "ares-rules", "rules": [NaN]}', "is not JSON: NaN"),
    "another format": ('{"format": "ares-schema"}', "'ares-schema'"),
    "a list": ("[]", "'list'"),
    "no list of rules": ('{"format": "ares-rules"}', "has no rules"),
    "empty rules": ('{"format": "ares-rules", "rules": []}', "has no rules"),
    "another version": (
        '{"format": "ares-rules", "version": 99, "rules": []}',
        "is of version 99; this program reads 1",
    ),
    "a run of another version": ('{"format": "ares-run", "version": 2, "rules": []}', "is of version 2"),
    "a misspelt key": ('{"format": "ares-rules", "rule": []}', "The rule model 'm.json' has the unknown key 'rule'."),
    "a rule that is a word": ('{"format": "ares-rules", "rules": ["x"]}', "Rule 1 of 'm.json': It is 'x'"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_files_without_rules_are_refused(case: str, tmp_path: Path) -> None:
    """A file that is no rule model is refused in a sentence that names what is wrong."""
    text, words = BAD_FILES[case]
    (tmp_path / "m.json").write_text(text, "utf-8")
    with pytest.raises(ModelError) as caught:
        read_rule_model(tmp_path / "m.json")
    assert words in caught.value.problem
    assert caught.value.hint


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (rule([], equals(job="no"), equals(home="no")), "Feature 'home' stands in only one"),
        (rule([], equals(job="no", home="no"), equals(job="yes")), "Feature 'home' stands in only one"),
        (rule([], equals(job="no"), equals(job="no")), "Nothing changes"),
        (rule([], equals(job=1), equals(job=1.0)), "Nothing changes"),
        (rule([], [], []), "Nothing changes"),
        (rule([], equals(job="no") + equals(job="yes"), equals(job="yes")), "names the feature 'job' twice"),
        (rule("group", equals(job="no"), equals(job="yes")), "\"subgroup\" is 'group', not a list"),
        (rule([{"equals": 3}], equals(job="no"), equals(job="yes")), "names no feature"),
        (rule([], [{"feature": "job"}], equals(job="yes")), "has no level"),
        ({**rule([], equals(job="no"), equals(job="yes")), "cost": 3}, "It has the unknown key 'cost'"),
        (
            rule([{"feature": "home", "equals": "x", "columns": {}}], equals(job="no"), equals(job="yes")),
            "'home'",
        ),
    ],
)
def test_rules_that_say_nothing_are_refused(entry: Any, words: str, tmp_path: Path) -> None:
    """A rule that contradicts itself is refused by its number."""
    with pytest.raises(ModelError) as caught:
        read_rule_model(write(tmp_path / "m.json", GOOD, entry))
    assert caught.value.problem.startswith("Rule 2 of 'm.json': ")
    assert words in caught.value.problem


@pytest.mark.parametrize("misspelt", ["subgroups", "Subgroup", "sub_group"])
def test_a_misspelt_part_does_not_make_another_model(misspelt: str, tmp_path: Path) -> None:
    """Read without its subgroup the rule would refuse everybody; the hint says what was meant."""
    entry = {misspelt: equals(group="a"), "before": equals(job="no"), "after": equals(job="yes")}
    with pytest.raises(ModelError) as caught:
        read_rule_model(write(tmp_path / "m.json", entry))
    assert caught.value.problem == f"Rule 1 of 'm.json': It has the unknown key {misspelt!r}."
    assert caught.value.hint == "Write 'subgroup', or leave it out."


def test_work_grows_with_the_number_of_predicates(tmp_path: Path) -> None:
    """Reading and checking twice as many predicates takes twice as many calls, not four times."""

    def calls(predicates: int) -> int:
        names = [f"f{number}" for number in range(predicates)]
        before, after = (equals(**dict.fromkeys(names, "x") | {"f0": end}) for end in ("no", "yes"))
        path = write(tmp_path / "m.json", rule([], before, after))
        people = pd.DataFrame("x", index=[0], columns=names)
        return count_calls(lambda: read_rule_model(path).check(people))

    assert calls(10_000) < 2.5 * calls(5_000)


LONG = "x" * 100_000


@pytest.mark.parametrize(
    "entry",
    [
        rule([], equals(**{LONG: "no"}), equals(job="yes")),
        rule([], equals(**{LONG: "no"}) * 2, equals(**{LONG: "yes"})),
        rule([], equals(**{LONG: "no"}), equals(**{LONG: "yes"})),
        rule([], equals(flag=LONG), equals(flag="no")),
        {LONG: []},
    ],
)
def test_no_sentence_repeats_a_long_text(entry: Any, tmp_path: Path) -> None:
    """However long a name or a value is, what is said of it can be read."""
    with pytest.raises(ModelError) as caught:
        read_rule_model(write(tmp_path / "m.json", entry)).check(YES_NO.assign(flag=1))
    assert len(caught.value.problem) < 250
    assert len(caught.value.hint) < 250


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """A path that leads nowhere, or to a folder, is said so without a machine's path."""
    for path in (tmp_path / "gone.json", tmp_path, Path("a\0b")):
        with pytest.raises(ModelError) as caught:
            read_rule_model(path)
        assert caught.value.problem.startswith(f"The rule model {path.name!r} ")
        assert caught.value.problem.endswith(("does not exist.", "is a folder, not a file."))
        assert str(tmp_path) not in caught.value.problem


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    """More than 5 MB is no rule model."""
    path = tmp_path / "m.json"
    with path.open("wb") as file:
        file.truncate(5_000_001)
    with pytest.raises(ModelError, match="larger than 5 MB"):
        read_rule_model(path)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (rule(equals(colour="red"), equals(job="no"), equals(job="yes")), "names the column 'colour'"),
        (rule([], equals(flag="1"), equals(flag="0")), "column 'flag', which holds numbers, with '1'"),
        (rule([], equals(job=0), equals(job=1)), "column 'job', which holds text, with 0"),
        (
            rule([], [{"feature": "job", "below": 3}], [{"feature": "job", "at_least": 3}]),
            "which holds text, with 3",
        ),
        (
            rule(
                [],
                [{"feature": "x", "equals": "p", "columns": {"flag": "1", "job": "no"}}],
                [{"feature": "x", "equals": "q", "columns": {"flag": "0", "job": "no"}}],
            ),
            "'flag', which holds numbers",
        ),
    ],
)
def test_a_table_the_rules_do_not_speak_of_is_refused(entry: Any, words: str, tmp_path: Path) -> None:
    """Rules never silently match nobody because a column lacks or text is compared with numbers."""
    model = read_rule_model(write(tmp_path / "m.json", GOOD, entry))
    people = YES_NO.assign(flag=1)
    with pytest.raises(ModelError) as caught:
        model.check(people)
    assert "Rule 2 of the rule model" in caught.value.problem
    assert words in caught.value.problem
    with pytest.raises(ModelError):
        ask(model, people)


def test_no_rules_no_model() -> None:
    """A rule model without rules cannot exist."""
    with pytest.raises(ModelError):
        RuleModel((), "0")
