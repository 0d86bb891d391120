"""Links: an audit's state as the parameters of an address, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from ares_core.errors import AresError
from ares_core.models import FAMILIES
from ares_core.settings import Settings, Weights
from ares_core.worker import Brought, ModelSpec, RuleFile, TrainHere
from ui.demos import DEMOS, demo_model, demo_setup
from ui.shelf import Setup, Shelf
from ui.state import AuditState, View

Parameters = dict[str, list[str]]
NO_MODEL = "none"
AS_GROUPS, AS_EVEN = "1", "even"  # what the people were split by: the groups looked at, or those listed as even


def parameters(state: AuditState, shelf: Shelf) -> Parameters:
    """Return a state as the parameters of an address; what has its usual value is left out."""
    found: Parameters = {}
    data = "" if state.setup is None else _setup_word(state.setup, shelf)
    if state.setup is not None and data:
        found["data"] = [data]
        found |= _model_word(state.setup, state.model, shelf)
    view = state.view
    if view.interest:
        found["groups"] = list(view.interest)
    if view.strata is not None:
        found["asked"] = [AS_GROUPS if view.strata == view.interest else AS_EVEN]
    if view.strata and view.strata != view.interest:
        found["even"] = list(view.strata)
    places = {"size": view.size, "present": view.slide, "line": view.row}
    found |= {name: [str(value)] for name, value in places.items() if value is not None}
    return found | _setting_words(view.settings)


def read(given: Mapping[str, Sequence[str]], shelf: Shelf) -> tuple[AuditState, str]:
    """Return the state an address names, as far as it can be read, and a sentence on what cannot, empty if all can."""
    setup = _setup(given, shelf)
    if "data" in given and setup is None:
        return AuditState(), "This link names data that is no longer on the server. Ask for it to be uploaded again."
    model = _model(given, shelf)
    if setup is not None and model is None and _first(given, "model") not in ("", NO_MODEL):
        return AuditState(setup), "This link names a model that is not on the server. Choose one on the Model page."
    view, problem = _view(given)
    return AuditState(setup, model if setup else None, view), problem


def _setup_word(setup: Setup, shelf: Shelf) -> str:
    if setup.demo and not setup.audit:
        return setup.demo
    return shelf.token(setup, setup.audit)


def _setup(given: Mapping[str, Sequence[str]], shelf: Shelf) -> Setup | None:
    word = _first(given, "data")
    if word in DEMOS:
        return demo_setup(word, shelf)
    value = shelf.value(word)
    return value if isinstance(value, Setup) else None


def _model_word(setup: Setup, model: ModelSpec | None, shelf: Shelf) -> Parameters:
    """Say which model; a demonstration brings its own along, unless told that there is none."""
    if model is None:
        return {"model": [NO_MODEL]} if setup.demo else {}
    if isinstance(model, TrainHere):
        return {"model": [model.family]}
    known = (name for name in DEMOS if model == demo_model(name, shelf))
    word = next(known, "") or shelf.token(model, setup.audit)
    return {"model": [word]} if word else {}


def _model(given: Mapping[str, Sequence[str]], shelf: Shelf) -> ModelSpec | None:
    word = _first(given, "model") or _first(given, "data")
    if word in DEMOS:
        return demo_model(word, shelf)
    if word in FAMILIES:
        return TrainHere(word)
    value = shelf.value(word)
    return value if isinstance(value, RuleFile | Brought) else None


def _view(given: Mapping[str, Sequence[str]]) -> tuple[View, str]:
    interest = tuple(given.get("groups", ()))
    splits = {AS_GROUPS: interest, AS_EVEN: tuple(given.get("even", ()))}
    strata = splits.get(_first(given, "asked"))
    try:
        settings, problem = _settings(given), ""
    except (AresError, ValueError):
        settings, problem = Settings(), "Some settings in this link cannot be used, so the usual ones are."
    places = _place(given, "size"), _place(given, "present"), _place(given, "line", digits=9) or None
    return View(interest, settings, strata, *places), problem


def _place(given: Mapping[str, Sequence[str]], name: str, digits: int = 3) -> int | None:
    word = _first(given, name)
    return int(word) if word.isascii() and word.isdecimal() and len(word) <= digits else None


def _setting_words(settings: Settings) -> Parameters:
    usual = Settings()
    found = {}
    for item in fields(settings):
        value = getattr(settings, item.name)
        if value != getattr(usual, item.name):
            found[item.name] = [_weights_word(value) if isinstance(value, Weights) else str(value)]
    return found


def _weights_word(weights: Weights) -> str:
    return ",".join(repr(float(getattr(weights, item.name))).removesuffix(".0") for item in fields(weights))


def _settings(given: Mapping[str, Sequence[str]]) -> Settings:
    usual, changed = Settings(), dict[str, Any]()
    for item in fields(usual):
        word, value = _first(given, item.name), getattr(usual, item.name)
        if word:
            changed[item.name] = Weights.parse(word) if isinstance(value, Weights) else type(value)(word)
    return Settings(**changed)


def _first(given: Mapping[str, Sequence[str]], name: str) -> str:
    values = given.get(name, ())
    return values[0] if values else ""
