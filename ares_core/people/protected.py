"""Protected attributes, told by their names: what nobody should be asked to change. Names hint, and never prove."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable

from ares_core.people.feature import Change, Feature
from ares_core.people.levels import Missing

MOST_NAMED = 6
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
# A name that holds one of these, as whole words in any style, is proposed as frozen; accents do not matter.
PROTECTED = (
    *("sex", "gender", "male", "female", "woman", "women", "sexual", "pregnant", "pregnancy", "transgender"),
    *("geschlecht", "weiblich", "mannlich", "maennlich", "schwanger", "sexe", "femme", "sexo", "genero", "mujer"),
    *("age", "birth", "birthday", "birthdate", "birthyear", "born", "dob", "yob", "alter", "geburt", "geburtstag"),
    *("geburtsdatum", "geburtsjahr", "naissance", "edad", "nacimiento"),
    *("race", "racial", "ethn", "ethnic", "ethnicity", "nwhite", "nonwhite", "non white", "not white"),
    *("caucasian", "hispanic", "hisp", "latino", "latina", "latinx", "african american", "afam", "native american"),
    *("skin color", "skin colour", "caste", "minority", "indigenous", "aboriginal", "rasse", "hautfarbe", "ethnie"),
    *("raza", "etnia"),
    *("religion", "religious", "muslim", "jewish", "hindu", "catholic", "konfession"),
    *("nationality", "citizen", "citizenship", "foreigner", "foreign worker", "foreign born", "foreign national"),
    *("immigrant", "migrant", "immigration", "migration", "national origin", "country of origin", "native country"),
    *("native language", "mother tongue", "nationalitat", "nationalitaet", "staatsangehorigkeit"),
    *("staatsangehoerigkeit", "herkunft", "auslander", "auslaender", "nationalite", "etranger", "nacionalidad"),
    *("extranjero",),
    *("disability", "disabled", "handicap", "handicapped", "behinderung", "discapacidad", "veteran"),
)
# These say the same where they are the whole name, and may mean anything beside other words: 'white', 'white goods'.
ALONE = ("black", "white", "asian", "eth", "foreign", "native", "origin", "man", "men", "faith", "orientation")
# Whom somebody lives with changes, also in the paper's rules; whether a bank may ask for it is for people to say.
_FAMILY = (
    *("marital", "married", "maried", "marriage", "divorced", "widowed", "single", "spouse", "wife", "husband"),
    *("personal status", "civil status", "familienstand", "zivilstand", "verheiratet", "etat civil"),
    *("situation familiale", "estado civil", "casado"),
)
# Beside those above, words that are worth a look wherever they stand, and too often innocent to freeze by.
PERHAPS = ("nation", "language", "skin", "immigrated", *_FAMILY, *ALONE)
_FILLERS = {"is", "flag", "dummy", "ind", "indicator"}


def says_protected(*names: str) -> bool:
    """Say whether one of the names says sex, race, age or the like."""
    return any(_holds(name, PROTECTED) or _is(name, ALONE) for name in names)


def hints_at_protected(*names: str) -> bool:
    """Say whether one of the names may say so."""
    return says_protected(*names) or any(_holds(name, PERHAPS) for name in names)


def words_of(name: str) -> list[str]:
    """Return the words of a name in lower case and without accents: ['foreign', 'worker'] of 'ForeignWorker'."""
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return [word.lower() for word in _WORD.findall(letters)]


def _holds(name: str, phrases: Collection[str]) -> bool:
    text = f" {' '.join(words_of(name))} "
    return any(f" {phrase} " in text for phrase in phrases)


def _is(name: str, phrases: Collection[str]) -> bool:
    return " ".join(word for word in words_of(name) if word not in _FILLERS) in phrases


def hinting(features: Iterable[Feature]) -> tuple[Feature, ...]:
    """Return the features that may change although their name, label or a column may say sex, race, age or the like."""
    return tuple(
        feature
        for feature in features
        if feature.change is not Change.FROZEN and hints_at_protected(feature.name, feature.label, *feature.columns)
    )


def free_notes(features: Iterable[Feature]) -> tuple[str, ...]:
    """Name the features worth checking where nobody said what may change: those that hint, then those of two levels.

    What people cannot change is mostly there or not, whatever it is called.
    """
    free = [feature for feature in features if feature.change is Change.FREE]
    named = dict.fromkeys([*hinting(free), *(feature for feature in free if _two_valued(feature))])
    if not named:
        return ()
    *shown, last = [repr(feature.title) for feature in named]
    if len(shown) > MOST_NAMED:
        shown, last = shown[:MOST_NAMED], f"{len(named) - MOST_NAMED} more"
    listed = f"{', '.join(shown)} and {last}" if shown else last
    return (f"Rules may change {listed}: freeze what people can hardly change.",)


def _two_valued(feature: Feature) -> bool:
    return sum(not isinstance(level, Missing) for level in feature.levels) == 2
