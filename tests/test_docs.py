"""Documents that cannot rot: what they show is what the program does, and what it does they explain."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ares_core import audit, costs, models, people, recourse, store
from ares_core.audit.person import PersonRecourse, PricedMove
from ares_core.cli import main
from ares_core.people import Conjunction, Predicate, Value
from ares_core.recourse import RecourseRule, search
from ares_core.settings import Settings
from tests.docs import COMMANDS_PAGE, TOP, arguments, commands_page, run_all, steps, subparsers, with_real_output
from tests.services import mlflow, served

DOCUMENTS = sorted([*TOP.glob("*.md"), *TOP.glob("docs/**/*.md"), *TOP.glob("ares_core/**/*.md")])
LINK = re.compile(r"\]\((?P<path>[^)#\s]*)(?:#(?P<part>[^)\s]*))?\)")
# Maps whose keys are names of the user's or of packages, not ours.
NAMED = {"locked_features", "ignored", "columns", "versions"}
NOUNS = (
    "affected",
    "level",
    "move",
    "option",
    "candidate",
    "subject",
    "stand-in",
    "learn people",
    "check people",
    "certificate",
    "gap (of a search)",
    "gap (between groups)",
    "frontier",
    "recourse accuracy",
    "coverage",
    "conflict",
    "covered",
    "helped",
    "flips",
    "incorrect",
    "mean FCost",
    "deciding rule",
    "features of interest",
    "frozen",
    "forbidden target",
    "magnitude",
    "support",
    "width",
    "subgroup",
    "gain",
    "pool",
    "preset",
)
SYMBOLS = ("B", "X", "X_aff", "q", "c", "c′", "SD", "R", "ε1", "ε2", "ε3", "λ1 … λ4", "β")
ROOMS = (audit, costs, models, people, recourse, search, store)


def text(path: str) -> str:
    """Return a document of the project."""
    return (TOP / path).read_text("utf-8")


# ------------------------------------------------------------------ README


def test_readme_opens_with_the_two_commands() -> None:
    """Whoever opens the README reads one sentence and then how to run and test."""
    opening = text("README.md").split("\n\n")[:3]
    assert opening[0].startswith("# ")
    assert opening[1].count(". ") == 0
    assert re.findall(r"^    (make \w+)", opening[2], re.MULTILINE) == ["make run", "make test"]


def test_readme_shows_real_output(tmp_path: Path) -> None:
    """Every command in the README prints what stands below it (made anew by `python -m tests.docs`)."""
    written = text("README.md")
    assert len(list(steps(written))) >= 5
    assert with_real_output(written, tmp_path) == written


def test_a_changed_output_is_noticed(tmp_path: Path) -> None:
    """A block whose output is not the command's is not what the blocks made anew say."""
    document = "```console\n$ echo one \\\n  two\none too\n$ true\n$ echo three\nthree\n```\n"
    assert [command for command, _ in steps(document)] == ["echo one \\\n  two", "true", "echo three"]
    assert with_real_output(document, tmp_path) == document.replace("one too", "one two")


def test_a_failing_command_is_noticed(tmp_path: Path) -> None:
    """A command of the README that fails fails the test too."""
    with pytest.raises(Exception, match="exit status 2"):
        run_all(["python -m ares_core audit gone.csv"], tmp_path)


def test_pictures_are_small() -> None:
    """The README loads quickly: no picture is over 300 KB."""
    pictures = re.findall(r"!\[[^\]]*\]\((.*?)\)", text("README.md"))
    assert pictures
    assert all((TOP / picture).stat().st_size < 300_000 for picture in pictures)


# ------------------------------------------------------------------ commands and settings


def test_the_list_of_commands_is_in_step() -> None:
    """docs/commands.md is what `python -m tests.docs` would write."""
    assert COMMANDS_PAGE.read_text("utf-8") == commands_page()


def test_every_option_and_setting_is_documented() -> None:
    """Each option of each command stands there with a meaning, and each setting is one of them."""
    page = {part.split("\n")[0]: part for part in text("docs/commands.md").split("\n## ")[1:]}
    for command, parser in subparsers().items():
        for action in arguments(parser):
            names = action.option_strings or [str(action.metavar)]
            assert re.search(rf"^\| `{re.escape(names[0])}[` ][^|]*\| \w+", page[command], re.MULTILINE), names
    for item in fields(Settings):
        assert f"`--{item.name.replace('_', '-')}" in page["audit"]
        assert f"`settings.{item.name}" in text("docs/run-file.md")


# ------------------------------------------------------------------ the run file


def table() -> str:
    """Return a table with a number, its marker for missing, empty cells, and columns that are one choice."""
    rows = []
    for number in range(240):
        house = ("1,0,0", "0,1,0", "0,0,1")[number * 7 % 3]
        income = -9 if number % 11 == 0 else number * 37 % 100
        town = "" if number % 13 == 0 else "abc"[number % 5 % 3]
        rows.append(f"{income},{town},{house},{'yes' if number % 3 else 'no'},{number % 2}")
    return "\n".join(["income,town,house_own,house_rent,house_free,job,good", *rows]) + "\n"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return a real run in which every form of predicate occurs."""
    folder = tmp_path_factory.mktemp("run")
    rules = [{"before": [{"feature": "job", "equals": "no"}], "after": [{"feature": "job", "equals": "yes"}]}]
    schema = {"format": "ares-schema", "version": 1, "ignored": {}, "features": [{"name": "income", "missing": [-9]}]}
    (folder / "people.csv").write_text(table(), "utf-8")
    (folder / "rules.json").write_text(json.dumps({"format": "ares-rules", "rules": rules}), "utf-8")
    (folder / "schema.json").write_text(json.dumps(schema), "utf-8")
    options = [word for name in ("income", "town", "house") for word in ("--subgroup", name)]
    code = main(
        [
            "audit",
            str(folder / "people.csv"),
            "--target",
            "good",
            "--favourable",
            "1",
            *options,
            "--model",
            str(folder / "rules.json"),
            "--schema",
            str(folder / "schema.json"),
            "--quiet",
            "--subgroup-width",
            "1",
            "--max-rules",
            "4",
            "--json",
            str(folder / "run.json"),
        ]
    )
    assert code == 0
    document: dict[str, Any] = json.loads((folder / "run.json").read_text("utf-8"))
    return document


@pytest.fixture(scope="module")
def run_of_service(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return a real run of a model from elsewhere."""
    folder = tmp_path_factory.mktemp("service")
    (folder / "people.csv").write_text(table(), "utf-8")
    steady = mlflow(lambda frame: [int(job == "yes") for job in frame["job"]])
    with served(steady) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARES_ALLOWED_HOSTS", server.host)
        options = ["--target", "good", "--favourable", "1", "--model", server.mlflow, "--max-changes", "1"]
        (folder / "known.csv").write_text("row,answer\n0,0\n1,1\n", "utf-8")
        options += ["--favourable-answer", "1", "--expected", str(folder / "known.csv")]
        files = [str(folder / "people.csv"), "--json", str(folder / "run.json")]
        assert main(["audit", *files, *options, "--max-rules", "2", "--quiet"]) == 0
    document: dict[str, Any] = json.loads((folder / "run.json").read_text("utf-8"))
    return document


def paths(value: Any, path: str = "") -> Iterator[str]:
    """Yield the path of every leaf, written as docs/run-file.md does."""
    name = path.rpartition(".")[2]
    if isinstance(value, dict) and value and name not in NAMED:
        for key, inner in value.items():
            one = "*" if path == "costs" else key
            yield from paths(inner, "T" if path == "totals" else f"{path}.{one}" if path else one)
    elif isinstance(value, list) and any(isinstance(entry, dict) for entry in value):
        predicates = name in ("subgroup", "before", "after", "move", "changes")
        if predicates:
            yield path
        for entry in value:
            yield from paths(entry, "P" if predicates else f"{path}[]")
    else:
        yield path


def documented_keys() -> tuple[set[str], set[str]]:
    """Return the keys that docs/run-file.md explains: those of a run, and those of the answer for one person."""
    keys = re.findall(r"^\| `([^`]+)` \| \S", text("docs/run-file.md"), re.MULTILINE)
    assert len(keys) == len(set(keys))
    of_person = {key for key in keys if key.startswith("person.")}
    return set(keys) - of_person, of_person


def test_every_key_of_a_run_is_documented_and_every_documented_key_occurs(
    run: dict[str, Any], run_of_service: dict[str, Any]
) -> None:
    """docs/run-file.md explains exactly the keys that a run file has, be the model made here or from elsewhere."""
    assert documented_keys()[0] == set(paths(run)) | set(paths(run_of_service))


def test_every_key_of_a_person_s_answer_is_documented_and_occurs() -> None:
    """docs/run-file.md explains exactly the keys of the answer for one person, with and without a rule and a move."""
    job = [Conjunction.of([Predicate("job", Value(word, word))]) for word in ("no", "yes")]
    town = Conjunction.of([Predicate("town", Value("a", "a"))])
    rule, move = RecourseRule(town, job[0], job[1]), PricedMove(job[1], 1.0, 1)
    answers = [
        PersonRecourse(3, 5, False, rule, True, move, 1, False).to_json(),
        PersonRecourse(4, 6, True, None, False, None, 0, False).to_json(),
    ]
    found = {path for answer in answers for path in paths({"person": answer})}
    assert documented_keys()[1] == found - {"P.feature", "P.equals"}


def test_the_walk_through_a_run_sees_everything() -> None:
    """Keys are found at any depth, in lists, in totals and in predicates; names of the user's are not keys."""
    document = {
        "a": [{"b": 1, "c": [1, 2]}],
        "totals": {"learn": {"d": 1}},
        "costs": {"x": {"cost": 1}},
        "rules": [{"before": [{"feature": "x"}]}],
        "ignored": {"y": "why"},
    }
    assert set(paths(document)) == {"a[].b", "a[].c", "T.d", "costs.*.cost", "rules[].before", "P.feature", "ignored"}


# ------------------------------------------------------------------ glossary and links


def glossary() -> dict[str, str]:
    """Return the rows of the glossary by their first word."""
    rows = re.findall(r"^\| ([^|]+) \|([^|]*\|[^|]*)\|", text("docs/glossary.md"), re.MULTILINE)
    return {part.strip(): rest for word, rest in rows for part in [word, *word.split(", ")]}


@pytest.mark.parametrize("noun", NOUNS)
def test_the_glossary_has_the_project_s_nouns(noun: str) -> None:
    """Each word the program uses in a sense of its own has a row."""
    assert noun in glossary()


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_the_glossary_has_the_paper_s_symbols(symbol: str) -> None:
    """Whoever comes from the paper finds its symbols."""
    assert re.search(rf"(?<!\w){re.escape(symbol)}(?!\w)", "\n".join(glossary().values()))


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.__name__)
def test_the_glossary_has_what_the_rooms_export(room: ModuleType) -> None:
    """Every type a room exports stands in the glossary's column of code."""
    code = set(re.findall(r"`(?:\w+\.)?(\w+)", "\n".join(glossary().values())))
    aliases = {"Rule", "Rules"}  # numbers of a rule, explained where they are defined
    exported = {name for name in room.__all__ if name[0].isupper() and not name.isupper()}
    assert exported - aliases <= code


def identifiers() -> set[str]:
    """Return every name that the code of the rooms defines, uses or writes as a key, and those of its modules."""
    found: set[str] = set()
    for path in TOP.glob("ares_core/**/*.py"):
        found |= {path.stem, path.parent.name}
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            named = [getattr(node, key, None) for key in ("id", "attr", "arg", "name", "value")]
            found |= {name for name in named if isinstance(name, str)}
    return found


def test_the_glossary_names_what_is_there() -> None:
    """Every name in the glossary's column of code occurs in the code; only the run file is named for its place."""
    code = re.findall(r"`([^`]+)`", "\n".join(row.split("|")[1] for row in glossary().values()))
    named = {name for words in code for name in re.findall(r"[A-Za-z_]\w*", words)}
    assert "METHODS" in named
    assert named - identifiers() <= {"RUN"}


def anchors(path: Path) -> set[str]:
    """Return the fragments a document's headings can be linked by."""
    headings = re.findall(r"^#+ (.*)$", path.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(TOP).as_posix())
def test_relative_links_resolve(document: Path) -> None:
    """Every link to a file of the project, or to a part of one, leads somewhere."""
    for link in LINK.finditer(document.read_text("utf-8")):
        if re.match(r"\w+:", link["path"]):
            continue
        target = document.parent / link["path"] if link["path"] else document
        assert target.exists(), link[0]
        assert not link["part"] or link["part"] in anchors(target), link[0]


def test_documents_pass_no_verdict_on_models() -> None:
    """No document says the words that CONTRIBUTING bans, except CONTRIBUTING where it bans them."""
    banned = re.compile(r"\b(?:debias\w*|unbiased|biased)\b", re.IGNORECASE)
    found = [path.name for path in DOCUMENTS if banned.search(path.read_text("utf-8"))]
    assert found == ["CONTRIBUTING.md"]
