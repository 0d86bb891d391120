"""Report: sections of tables and targets, as markdown for the screen and for docs/benchmarks.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its columns with what each means (nothing where the name says it), and its rows."""

    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError("every row needs a cell for every column")

    def markdown(self) -> Iterator[str]:
        """Yield the lines of the table and of its legend."""
        yield _line(name for name, _ in self.columns)
        yield _line("---" for _ in self.columns)
        yield from (_line(row) for row in self.rows)
        yield ""
        yield from (f"- *{name}*: {meaning}" for name, meaning in self.columns if meaning)


@dataclass(frozen=True, slots=True)
class Check:
    """A target: what was promised, what was measured, and whether that is enough."""

    claim: str
    measured: str
    met: bool

    @property
    def verdict(self) -> str:
        """The word for it."""
        return "met" if self.met else "**missed**"


@dataclass(frozen=True, slots=True)
class Section:
    """What one part found: sentences, tables, targets, and sentences on what was left out."""

    name: str
    title: str
    says: tuple[str, ...]
    grids: tuple[Grid, ...] = ()
    checks: tuple[Check, ...] = ()
    left_out: tuple[str, ...] = ()

    def markdown(self) -> str:
        """Return the section as markdown."""
        lines = [f"## {self.title}", "", *self._paragraphs(self.says)]
        for grid in self.grids:
            lines += [*grid.markdown(), ""]
        if self.checks:
            rows = tuple((check.claim, check.measured, check.verdict) for check in self.checks)
            lines += Grid((("target", ""), ("measured", ""), ("", "")), rows).markdown()
        lines += self._paragraphs(self.left_out)
        return "\n".join(lines).rstrip() + "\n"

    @staticmethod
    def _paragraphs(sentences: Sequence[str]) -> list[str]:
        return [line for sentence in sentences for line in (sentence, "")]


def at_most(claim: str, numbers: Iterable[tuple[str, float]], limit: float, unit: str) -> Check:
    """Check that no number exceeds a limit, and name the largest."""
    where, worst = max(numbers, key=lambda pair: pair[1])
    return Check(claim, f"at most {worst:.3g}{unit} ({where})", worst <= limit)


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def rewrite(path: Path, preamble: str, sections: Sequence[Section], order: Sequence[str]) -> None:
    """Write sections to a page, and keep what the page already says of other parts.

    Parameters
    ----------
    order
        The names of all parts, in the order of the page. Each section stands behind a comment that names its part.
    """
    kept = _parts(path.read_text("utf-8")) if path.is_file() else {}
    kept |= {section.name: section.markdown() for section in sections}
    texts = [f"<!-- part: {name} -->\n{kept[name].strip()}\n" for name in order if name in kept]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([preamble, *texts]), "utf-8")


def _parts(text: str) -> dict[str, str]:
    pieces = re.split(r"<!-- part: (\w+) -->\n", text)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))
