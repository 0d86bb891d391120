"""Escaping: what comes from data never becomes markup, and no page can ask anything of another machine."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.escaping import Lint, snippets, sources

TOP = Path(__file__).resolve().parent.parent
# Shown although the lint cannot see that it is safe, and why it is.
TRUSTED = frozenset(
    {
        "ui/schema_checks.py: about",  # the last of four words that are written where the remedies are
        "ui/cost_sets.py: problem",  # kept by a callback, which made it safe
    }
)
HTML = {"ui/html.py", "ui/shell.py", "ui/uploads.py"}  # markup that escapes by itself, style sheets, a fixed script
BANNED = {
    "data_editor": re.compile(r"\bdata_editor\b"),  # loses edits
    "unsafe_allow_html": re.compile(r"unsafe_allow_html"),  # lets the data write HTML
    "material icon": re.compile(r":material/"),  # fetched from a font host
    "other machine": re.compile(r"https?://|@import|\burl\((?!['\"]?data:)"),
    "components": re.compile(r"components\.v1|st\.iframe"),
}
GOOD = (
    "st.write('Plain words.')",
    "st.write(safe(name), safe(other))",
    "st.info(f'**{safe(name)}** has {rows:,} rows and {len(columns)} columns')",
    "st.caption(HELP['x'] if x else words.ABOUT)",
    "for demo in DEMOS.values():\n    st.button(demo.title)",
    "def f(x):\n    return safe(x)\nst.write(f(name))",
    "def f(label):\n    st.button(label)\nf('Go')",
    "def f(x):\n    text = safe(x)\n    text = text + '.'\n    st.write(text)",
    "st.radio('Which?', values, format_func=safe)",
    "st.selectbox('Which?', values)",
    "st.text(name)",
    "log.error(name)",
)
BAD = (
    "st.write(name)",
    "st.write('Hello', name)",
    "st.info(f'{name} is there')",
    "st.error(str(error))",
    "st.caption('About ' + name)",
    "st.caption(', '.join(names))",
    "st.markdown('\\n'.join(f'- {name}' for name in names))",
    "st.button('Go', help=feature.title)",
    "st.radio('Which?', values)",
    "st.radio('Which?', values, format_func=str)",
    "st.radio('Which?', values, format_func=lambda value: f'{value}!')",
    "st.segmented_control('Which?', options=names)",
    "st.tabs(names)",
    "st.metric(feature.title, 3)",
    "st.progress(0.5, text=name)",
    "st.expander(safe(name) + other)",
    "column.selectbox(feature.label, [])",
    "for name in schema.names:\n    st.write(name)",
    "def f(label):\n    st.button(label)\nf(name)",
    "def f(label):\n    g(label)\ndef g(text):\n    st.info(text)\nf(label=name)",
    "def f(x):\n    return x.title\nst.write(f(x))",
    "def f(x):\n    if x:\n        return safe(x)\n    return x.y\nst.write(f(x))",
    "def f(x):\n    text = x.name\n    st.write(text)",
    "st.page_link('app.py', label=name)",
)


def test_nothing_from_the_data_is_shown_as_markup() -> None:
    """Whatever reads markdown gets constants, numbers, and text made safe."""
    assert [str(each) for each in Lint(sources(TOP), TRUSTED).complaints()] == []


def test_what_is_trusted_is_still_there() -> None:
    """Every exception is needed: without it the lint complains."""
    found = {f"{each.file}: {each.what}" for each in Lint(sources(TOP)).complaints()}
    assert found == TRUSTED


@pytest.mark.parametrize("code", GOOD)
def test_the_lint_lets_good_code_pass(code: str) -> None:
    """Safe ways to show things are not reported."""
    assert Lint(snippets([code])).complaints() == []


@pytest.mark.parametrize("code", BAD)
def test_the_lint_can_fail(code: str) -> None:
    """Text that was not made safe is reported, whatever way it takes."""
    assert len(Lint(snippets([code])).complaints()) >= 1


def test_html_is_written_in_few_places() -> None:
    """Only the module that escapes, and those that show a fixed text or style sheet, hand HTML to the page."""
    writes = {
        file
        for file, tree in sources(TOP).items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "html"
    }
    assert writes <= HTML
    assert "ui/html.py" in writes


def test_markup_is_made_of_constants() -> None:
    """Text becomes markup unescaped only where it is written out, or where it was escaped a moment before."""
    made = [
        f"{file}:{node.lineno}: {ast.unparse(node)}"
        for file, tree in sources(TOP).items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Markup"
        if not (node.args and isinstance(node.args[0], ast.Constant)) and file != "ui/html.py"
    ]
    assert made == []


@pytest.mark.parametrize("what", BANNED)
def test_no_page_uses_what_is_banned(what: str) -> None:
    """No editor that loses edits, no raw HTML, nothing fetched from another machine."""
    paths = [TOP / "app.py", *TOP.glob("pages/*.py"), *TOP.glob("ui/**/*.py"), *TOP.glob("assets/*.css")]
    found = [
        f"{path.relative_to(TOP)}:{number}: {line.strip()}"
        for path in paths
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if BANNED[what].search(line)
    ]
    assert found == []
