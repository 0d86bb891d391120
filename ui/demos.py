"""The demonstrations: bundled tables, each with a model and a question worth asking."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ares_core.datasets import Dataset, load_german, planted_bias
from ares_core.datasets.dataset import bundled
from ares_core.files import dump_json
from ares_core.worker import ModelSpec, RuleFile, Source, TrainHere
from ui.shelf import Setup, Shelf
from ui.state import AuditState, View


@dataclass(frozen=True, slots=True)
class Demo:
    """What a visitor is told of a demonstration, and what is looked at first."""

    title: str
    about: str
    question: str
    interest: tuple[str, ...]


DEMOS = {
    "german": Demo(
        "German Credit",
        "1,000 loans of the 1970s, and a random forest trained here that decides who is a good risk.",
        "Is the way to a loan harder for the young?",
        ("age",),
    ),
    "planted": Demo(
        "Bail, with a planted bias",
        "4,000 generated people and rules that ask twice as many changes of one group as of the other.",
        "Here the unfairness is known. Do the rules bring it to light?",
        ("race",),
    ),
}


@cache
def _dataset(name: str) -> Dataset:
    return load_german() if name == "german" else planted_bias()[0]


def caveats(name: str) -> tuple[str, ...]:
    """Return what a careful reader should know of a demonstration's data."""
    data = _dataset(name)
    return (*data.caveats, data.citation)


def demo_setup(name: str, shelf: Shelf) -> Setup:
    """Return a demonstration's table, its files on the shelf."""
    data = _dataset(name)
    shelf.put_file(data.csv_bytes)
    source = Source(data.sha256, f"{data.name}.csv", data.target, data.favourable, dump_json(data.schema.to_json()))
    return Setup(source, demo=name)


def demo_model(name: str, shelf: Shelf) -> ModelSpec:
    """Return a demonstration's model."""
    if name == "german":
        return TrainHere("rf")
    file = "planted_bias.rules.json"
    return RuleFile(shelf.put_file(bundled(file)), file)


def demo_state(name: str, shelf: Shelf) -> AuditState:
    """Return a demonstration, ready to be asked."""
    return AuditState(demo_setup(name, shelf), demo_model(name, shelf), View(interest=DEMOS[name].interest))
