"""Words: what comes from data is shown as it is, and nothing comes of it."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ares_core.errors import DataError
from ares_core.models import Reading
from ares_core.worker import Brought, ModelFile, RuleFile, ServiceAt, TrainHere
from ui.words import error_text, model_name, safe, time_left

JOINER = "\N{WORD JOINER}"
HOSTILE = (
    "![x](http://host/x.png)",
    "[click](http://host)",
    "[x]: http://host",
    "![][x]",
    "<img src=http://host/a.png onerror=alert(1)>",
    "<script>alert(1)</script>",
    "<http://host>",
    "http://host/auto",
    "HTTPS://HOST",
    "www.host.test",
    "mail@host.test",
    "xmpp:a@host.test",
    "javascript:alert(1)",
    ":red[danger]",
    ":blue-background[x]",
    ":red-badge[x]",
    ":small[x]",
    ":material/home:",
    ":smile:",
    ":+1:",
    ":streamlit:",
    ":::note",
    "$x^2$",
    r"$$\frac{1}{2}$$",
    r"\(x\)",
    "`code`",
    "**bold**",
    "*it* _it_",
    "~~strike~~ ~sub~ ^sup^",
    "# heading",
    "- item",
    "1. item",
    "> quote",
    "| a | b |",
    "---",
    "a -- b -> c <- d",
    "a >= b <= c ~= d",
    "&lt;b&gt; &amp; &#x3c;",
    r"\*x\*",
    "[^1] [ ] task",
    "line\nbreak\n\n# heading",
    "\t    code",
    "\u202egnp.exe",
    "\u2066a\u2069",
    "a\u200bb\u200d",
    "{{x}}",
)


def shown(markdown: str) -> str:
    """Return what a reader of markdown sees of escaped text."""
    return re.sub(r"\\(.)", r"\1", markdown).replace(JOINER, "")


@pytest.mark.parametrize("text", HOSTILE)
def test_no_markdown_is_left_alive(text: str) -> None:
    """Every punctuation mark stands behind a backslash, so no construct of markdown can begin."""
    found = safe(text)
    assert not set(re.sub(r"\\.", "", found)) & set(string.punctuation)
    assert "\n" not in found
    assert "\t" not in found


@pytest.mark.parametrize("text", HOSTILE)
def test_the_text_is_shown_as_it_is(text: str) -> None:
    """A reader sees the text, its white space drawn together and marks that turn it around left out."""
    assert shown(safe(text)) == re.sub("[\u202a-\u202e\u2066-\u2069]", "", re.sub(r"\s+", " ", text))


@pytest.mark.parametrize(
    "text", ["http://host", "HTTPS://HOST", "WWW.host", "a@host.test", "-->", "<--", ">=", ":streamlit:"]
)
def test_what_is_made_of_plain_text_is_kept_apart(text: str) -> None:
    """Links, arrows and the logo, which come of escaped text too, are broken by a sign nobody sees."""
    assert JOINER in safe(text)
    assert not re.search(r"://|www\.|\w@|--|->|<-|>=|:streamlit:", safe(text).replace("\\", ""), re.IGNORECASE)


@given(st.text())
def test_any_text_comes_back(text: str) -> None:
    """Nothing but white space, turning marks and joiners is lost, whatever the text."""
    plain = re.sub("[\u202a-\u202e\u2066-\u2069]", "", re.sub(r"\s+", " ", text))
    assert shown(safe(text)) == plain.replace(JOINER, "")


def test_ordinary_words_are_left_alone() -> None:
    """Letters, digits and spaces of any language need no escape."""
    assert safe("Größe 12 名前 возраст") == "Größe 12 名前 возраст"
    assert safe(12) == "12"


def test_an_error_is_a_sentence_and_a_hint() -> None:
    """The problem is bold, the hint on a line of its own, and neither can break out."""
    found = error_text(DataError(" Column '**x**' is gone. ", "Look [here](http://host)."))
    problem, hint = found.split("  \n")
    assert problem.startswith("**Column")
    assert problem.endswith(r"\.**")
    assert r"\*\*x\*\*" in problem
    assert "](" not in hint


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, ""),
        (0.2, "about 1 s left"),
        (12.4, "about 12 s left"),
        (89.4, "about 89 s left"),
        (95, "about 2 min left"),
    ],
)
def test_time_left(seconds: float | None, words: str) -> None:
    """Seconds are said up to a minute and a half, minutes beyond, and nothing where nobody knows."""
    assert time_left(seconds) == words


def test_models_have_names() -> None:
    """A model trained here is named by what it is, a rule model by its file."""
    assert model_name(TrainHere("rf")) == "Random forest"
    assert model_name(TrainHere("dnn3")) == "Neural network with 3 hidden layers of 50 units"
    assert model_name(RuleFile("0" * 64, "mine.json")) == "Rules of mine.json"
    assert model_name(Brought(ModelFile("0" * 64, "mine.skops"), Reading("1"))) == "mine.skops"
    service = Brought(ServiceAt("https://models.example/invocations"), Reading("1"))
    assert model_name(service) == "Service at models.example"
