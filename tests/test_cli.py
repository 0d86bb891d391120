"""The command line: what each command prints and writes, and how every other command refuses bad input."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ares_core import cli
from ares_core.cli import main
from tests.commands import AUDIT, PERSON, Captured, people, refusal, run
from tests.patience import PATIENCE

TOP = Path(__file__).resolve().parent.parent


def test_an_audit_prints_and_writes(folder: Path, capsys: Captured) -> None:
    """Text goes to stdout, progress to stderr, and the run into the file that was asked for."""
    assert run(*AUDIT, "--subgroup", "town", "--json", "run.json") == 0
    out, err = capsys.readouterr()
    assert "then → **job = yes**" in out
    assert 0 < len(err.splitlines()) <= 10
    assert json.loads((folder / "run.json").read_text("utf-8"))["data"]["affected"] == 30
    assert {path.name for path in folder.iterdir()} == {"people.csv", "rules.json", "run.json"}


def test_a_quiet_audit_tells_no_progress(folder: Path, capsys: Captured) -> None:
    """With --quiet stderr stays empty, and stdout says the same."""
    assert run(*AUDIT) == 0
    loud = capsys.readouterr().out
    assert run(*AUDIT, "--quiet") == 0
    assert capsys.readouterr() == (loud, "")


@pytest.mark.parametrize(
    "options",
    [
        ["--min-people", "1000"],
        ["--weights", "1,0,0,0"],
        ["--weights", "1,1,900,900"],
        ["--holdout", "0.9"],
    ],
    ids=" ".join,
)
def test_finding_no_rule_is_a_result(options: list[str], folder: Path, capsys: Captured) -> None:
    """An audit whose best summary is empty ends well, says so in a sentence, and writes its run."""
    assert run(*AUDIT, *options, "--json", "run.json", "--quiet") == 0
    assert "No rule can be offered: " in capsys.readouterr().out
    assert json.loads((folder / "run.json").read_text("utf-8"))["rules"] == []


def test_what_is_free_because_nobody_said_otherwise_is_noted(folder: Path, capsys: Captured) -> None:
    """Without a schema the features worth checking are named; whoever describes the table has decided."""
    note = "- Rules may change 'job' and 'town': freeze what people can hardly change.\n"
    assert run(*AUDIT, "--quiet") == 0
    assert note in capsys.readouterr().out
    assert run(*AUDIT, "--quiet", "--freeze", "town") == 0
    assert note.replace(" and 'town'", "") in capsys.readouterr().out
    (folder / "schema.json").write_text('{"format": "ares-schema", "version": 1, "features": []}', "utf-8")
    assert run(*AUDIT, "--quiet", "--schema", "schema.json") == 0
    assert "Rules may change" not in capsys.readouterr().out


@pytest.mark.parametrize("affected", [1, 2, 4])
def test_a_handful_of_refused_people_is_audited(affected: int, folder: Path, capsys: Captured) -> None:
    """With fewer people than a rule must describe there is no rule, and no failure."""
    (folder / "people.csv").write_text(people(40, lambda number: number >= affected), "utf-8")
    assert run(*AUDIT, "--json", "run.json", "--quiet") == 0
    assert f"refuses {affected} of the 40 people" in capsys.readouterr().out
    assert run(*AUDIT, "--paper-protocol", "--min-people", "1", "--quiet") == 0
    assert "**job = yes**" in capsys.readouterr().out


def test_without_candidates_nothing_is_claimed_of_them(folder: Path, capsys: Captured) -> None:
    """Where there was nothing to choose from, no proof, no table of groups and no sizes are told."""
    assert run(*AUDIT, "--min-people", "1000", "--quiet") == 0
    out = capsys.readouterr().out
    assert not re.search("Proven|scores? higher|How recourse differs|Helped by", out)


def test_nobody_left_to_measure_on_is_said_so(folder: Path, capsys: Captured) -> None:
    """When everybody refused was needed to choose rules, no share of nobody is told."""
    (folder / "people.csv").write_text(people(40, lambda number: number >= 2), "utf-8")
    assert run(*AUDIT, "--holdout", "0.1", "--min-people", "1", "--quiet") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "Rules were chosen on all of them, so nobody is left to measure on" in out
    assert "Of the people the rules were chosen on, 100 % are helped." in out
    assert "–" not in out


def test_numbers_that_look_like_codes_are_told(folder: Path, capsys: Captured) -> None:
    """A lone -9 among counts is named by the schema command and by an audit until the schema lists it."""
    lines = people(90).splitlines()
    cells = ["priors", *(str(number % 6 if number % 9 else -9) for number in range(90))]
    (folder / "people.csv").write_text("\n".join(map(",".join, zip(cells, lines, strict=True))), "utf-8")
    told = "Column 'priors' holds -9 in 10 cells and no other number below 0"
    assert run("schema", "people.csv", "--json", "schema.json") == 0
    assert told in " ".join(capsys.readouterr().out.split())
    assert run(*AUDIT, "--quiet") == 0
    assert told in " ".join(capsys.readouterr().out.split())
    document = {"format": "ares-schema", "version": 1, "features": [{"name": "priors", "missing": [-9]}]}
    (folder / "schema.json").write_text(json.dumps(document), "utf-8")
    assert run(*AUDIT, "--quiet", "--schema", "schema.json") == 0
    assert "-9" not in capsys.readouterr().out


@pytest.mark.parametrize("family", ["lr", "dt", "svm"])
def test_two_people_of_each_outcome_can_be_halved(family: str, folder: Path, capsys: Captured) -> None:
    """Four people are enough to train on two and audit two, or are refused in a sentence."""
    (folder / "people.csv").write_text(people(4), "utf-8")
    code = run("audit", "people.csv", "--target", "good", "--favourable", "1", "--train", family, "--quiet")
    assert code == 0 or refusal(code, capsys)


def test_huge_numbers_are_audited(folder: Path, capsys: Captured) -> None:
    """Numbers near the largest there are cut into levels and printed without failing; no model learns from them."""
    lines = people(90).splitlines()
    cells = ["big", *(f"{(-1) ** number}e{300 + number % 8}" for number in range(90))]
    rows = [f"{cell},{line}" for cell, line in zip(cells, lines, strict=True)]
    (folder / "people.csv").write_text("\n".join(rows), "utf-8")
    assert run(*AUDIT, "--quiet", "--json", "run.json") == 0
    capsys.readouterr()
    trained = ["audit", "people.csv", "--target", "good", "--favourable", "1", "--quiet", "--train"]
    for family in ("dt", "lr"):
        assert "too large a number for a model trained here" in refusal(run(*trained, family), capsys)


def test_the_demos_run(capsys: Captured) -> None:
    """Both bundled tables are audited; of the planted one exactly the four planted rules are found."""
    assert run("demo", "--quiet") == 0
    assert "Foreign worker" in capsys.readouterr().out
    assert run("demo", "--data", "planted-bias", "--quiet") == 0
    out = capsys.readouterr().out
    assert out.count("then →") == 4
    assert "Recourse costs people with Race = Not Caucasian 2 times as much" in " ".join(out.split())


def test_costs_and_schema_print_and_write(folder: Path, capsys: Captured) -> None:
    """The two small commands print to people and write what machines read."""
    (folder / "pairs.csv").write_text("harder,easier\nincome,job\n", "utf-8")
    assert run("costs", "pairs.csv", "--json", "costs.json") == 0
    assert json.loads((folder / "costs.json").read_text("utf-8"))["costs"]["job"]["cost"] == 1
    assert run("schema", "people.csv", "--json", "schema.json") == 0
    capsys.readouterr()
    assert run("schema", "people.csv") == 0
    assert capsys.readouterr().out == (folder / "schema.json").read_text("utf-8")
    assert run(*AUDIT, "--schema", "schema.json", "--quiet") == 0


@pytest.mark.parametrize("command", [[], ["audit"], ["costs"], ["schema"], ["person"], ["demo"]], ids=str)
def test_every_command_explains_itself(command: list[str], capsys: Captured) -> None:
    """--help prints and ends well."""
    with pytest.raises(SystemExit) as ended:
        run(*command, "--help")
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert "usage: python -m ares_core" in out
    assert not re.search(r"\.\s+\(default", out), "an option's help is no sentence"


def test_a_command_half_said_points_to_its_own_help(capsys: Captured) -> None:
    """The hint names the command that lacks something, not the list of commands."""
    assert "hint: Run 'python -m ares_core costs --help'" in refusal(run("costs"), capsys)


BAD_COMMANDS: dict[str, tuple[list[str], str]] = {
    "no command": ([], "COMMAND"),
    "an unknown command": (["predict"], "'predict'"),
    "an unknown flag": (["--magic"], "COMMAND"),
    "an unknown demo": (["demo", "--data", "compas"], "'compas'"),
    "costs without a file": (["costs"], "PAIRS.csv"),
    "costs of a missing file": (["costs", "gone.csv"], "'gone.csv' does not exist"),
    "costs of no comparisons": (["costs", "people.csv"], "no column 'harder'"),
    "a schema of a missing file": (["schema", "gone.csv"], "'gone.csv' does not exist"),
    "a schema of a folder": (["schema", "."], "is a folder"),
    "an output in a missing folder": (
        [*AUDIT, "--json", "gone/run.json"],
        "The folder of the output 'run.json'",
    ),
    "an output below a file": ([*AUDIT, "--json", "people.csv/run.json"], "does not exist"),
    "an output onto a folder": ([*AUDIT, "--json", "."], "is a folder"),
    "an output of no name": ([*AUDIT, "--json", ""], "is a folder"),
    "an output onto the data": ([*AUDIT, "--json", "people.csv"], "is also an input"),
    "an output onto the model": ([*AUDIT, "--json", "./rules.json"], "is also an input"),
    "an output with too long a name": ([*AUDIT, "--json", "x" * 300], "cannot be written"),
    "data with too long a name": (["schema", "x" * 300], "x"),
    "a schema onto its data": (["schema", "people.csv", "--json", "people.csv"], "is also an input"),
    "a demo into a missing folder": (["demo", "--json", "gone/run.json"], "does not exist"),
    "a person of a missing run": (
        ["person", "gone.json", "people.csv", "--train=lr", "--row=1"],
        "'gone.json'",
    ),
    "a person without a row": (["person", "run.json", "people.csv", "--train", "lr"], "--row"),
}


@pytest.mark.parametrize("name", BAD_COMMANDS)
def test_commands_refuse_what_they_cannot_do(name: str, folder: Path, capsys: Captured) -> None:
    """Every other bad command line is refused in two lines and leaves the folder as it was."""
    arguments, words = BAD_COMMANDS[name]
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert words in refusal(run(*arguments), capsys).splitlines()[0]
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


WORDS = st.one_of(
    st.sampled_from(
        [
            *AUDIT,
            *PERSON,
            "costs",
            "schema",
            "job",
            "town",
            "3",
            "0.3",
            ".",
            "--",
            "--json",
            "--train",
            "--row",
            "dt",
            "--subgroup",
            "--support",
            "--max-rules",
            "--seed",
            "--freeze",
            "--quiet",
            "--schema",
            "--costs",
        ]
    ),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0/"), max_size=6),
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(WORDS, max_size=12), whole=st.booleans())
def test_no_list_of_arguments_fails_in_another_way(folder: Path, words: list[str], whole: bool) -> None:
    """Whatever the arguments, a command ends with 0 or 2, or prints its help."""
    try:
        code = main([*AUDIT, *words] if whole else words)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    assert code in (0, 2)
    (folder / "people.csv").write_text(people(90), "utf-8")


def test_a_text_nobody_can_read_leaves_no_file(folder: Path) -> None:
    """A full disk behind standard output is an error like any other, and the run does not appear without its text."""
    with Path("/dev/full").open("wb") as full:
        asked = [sys.executable, "-m", "ares_core", *AUDIT, "--quiet", "--json", "run.json"]
        done = subprocess.run(
            asked,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(TOP)},
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr.decode().splitlines()[0][:30]) == (2, "error: The text cannot be writ")
    assert not (folder / "run.json").exists()


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_a_closed_stream_is_no_error(closed: str, folder: Path) -> None:
    """What would be written to a stream that was closed goes nowhere; the exit code says how it went."""
    command = (
        f'"{sys.executable}" -m ares_core {" ".join(AUDIT)} --json run.json {"1" if closed == "stdout" else "2"}>&-'
    )
    done = subprocess.run(command, shell=True, cwd=folder, env={**os.environ, "PYTHONPATH": str(TOP)}, check=False)
    assert (done.returncode, (folder / "run.json").exists()) == (0, True)


def test_what_commands_a_terminal_is_not_sent_to_one(folder: Path, capsys: Captured) -> None:
    """A cell that would colour or clear the screen is shown without its code; the run file keeps it, escaped."""
    text = people(90).replace("yes", "y\x1b[31mes")
    (folder / "people.csv").write_text(text, "utf-8")
    asked = [word for word in AUDIT if word not in ("--model", "rules.json")]
    assert run(*asked, "--train", "dt", "--quiet", "--json", "run.json") == 0
    assert "\x1b" not in capsys.readouterr().out
    written = (folder / "run.json").read_text("utf-8")
    assert "\x1b" not in written and "y\\u001b[31mes" in written


@pytest.mark.parametrize("stage", ["run_audit", "summary_text", "replace"])
def test_an_interruption_leaves_nothing_half_written(
    stage: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """Ctrl-C, even while the run takes its place, ends with 130 and one line; no file appears."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path if stage == "replace" else cli, stage, interrupt)
    assert run(*AUDIT, "--quiet", "--json", "run.json") == 130
    told = capsys.readouterr()
    assert (bool(told.out), told.err) == (stage == "replace", "Stopped before the end.\n")
    assert {path.name for path in folder.iterdir()} == {"people.csv", "rules.json"}


def process(folder: Path, *arguments: str, **more: str) -> subprocess.Popen[bytes]:
    """Start a real process."""
    environment = {**os.environ, "PYTHONPATH": str(TOP), **more}
    return subprocess.Popen(
        [sys.executable, "-m", "ares_core", *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_a_terminal_without_arrows_and_a_reader_who_leaves(folder: Path) -> None:
    """A process that can print ASCII only still prints; one whose reader is gone ends without a traceback."""
    poor = process(folder, *AUDIT, "--quiet", PYTHONIOENCODING="ascii")
    gone = process(folder, *AUDIT, "--quiet")
    assert gone.stdout is not None
    gone.stdout.close()
    out, err = poor.communicate(timeout=PATIENCE)
    assert (poor.returncode, err) == (0, b"")
    assert b"then ? **job = yes**" in out
    assert gone.communicate(timeout=PATIENCE)[1] == b""
    assert gone.returncode == 0
