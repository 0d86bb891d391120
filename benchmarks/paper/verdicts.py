"""Verdicts: the tables of the comparison, and cell by cell what of the paper's claims holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ares_core.wording import counted
from benchmarks.paper.gathered import ALONE, EXACT, FRUGAL, OTHERS, ROWS, Gathered, Mean, Row, own
from benchmarks.paper.published import ARES, WITHIN_POINTS, printed_systems, published
from benchmarks.paper.scene import PAPER
from benchmarks.report import Grid

ALIKE = 0.005  # costs closer than this are alike
UNTOLD = {row.title for row in OTHERS if row.pick is own or row.system == "face"}
TITLES = {ARES: "AReS", "ar": "AR", "ar-lime": "AR-LIME", "ar-kmeans": "AR-KMeans", "face": "FACE"}


def comparison(gathered: Gathered, protocol: str, families: Sequence[str]) -> Grid:
    """Return a table of accuracy and cost, a line for each model and system, two columns for each data set."""
    cases = gathered.plan.cases
    columns = [("model", ""), ("system", "")]
    for case in cases:
        columns += [(f"{case.title}: accuracy", ""), ("FCost", "")]
    rows = []
    for family in families:
        for row in _rows(gathered, protocol, family):
            cells = [text for case in cases for text in _figures(gathered, case.name, family, protocol, row)]
            rows.append((family, row.title, *cells))
        for system in printed_systems(family) if protocol == PAPER.name else ():
            cells = [text for case in cases for text in _printed(case.name, family, system)]
            rows.append((family, f"*paper: {TITLES[system]}*", *cells))
    return Grid(tuple(columns), tuple(rows))


def _rows(gathered: Gathered, protocol: str, family: str) -> Iterator[Row]:
    """Yield the lines that a model has under a protocol."""
    for row in ROWS:
        suits = any(True for case in gathered.plan.cases for _ in gathered.seeds(case.name, family, protocol, row))
        frugal = row is not FRUGAL or (protocol == PAPER.name and published("german", family))
        if suits and frugal:
            yield row


def _figures(gathered: Gathered, table: str, family: str, protocol: str, row: Row) -> tuple[str, str]:
    accuracy = gathered.mean(table, family, protocol, row, "accuracy")
    cost = gathered.mean(table, family, protocol, row, "mean_fcost")
    absent = "none" if gathered.is_impossible(table, family, protocol) else "missing"
    return accuracy.text(100, 1) if accuracy else absent, cost.text() if cost else "–"


def _printed(table: str, family: str, system: str) -> tuple[str, str]:
    accuracy, cost = published(table, family, system) or (None, None)
    return "–" if accuracy is None else f"*{accuracy:.1f}*", "–" if cost is None else f"*{cost:.2f}*"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What of the paper's claims holds in one cell."""

    title: str
    family: str
    ours: Mean
    printed: float | None
    best: tuple[float, str]
    frugal: tuple[float, float]
    cheapest: tuple[float, str]
    untold: tuple[float, str]
    rival: tuple[float, str] | None
    floor: float | None
    limits: tuple[float, float | None]

    @property
    def accurate(self) -> bool:
        """Whether we meet the accuracy the paper prints for AReS."""
        return self.printed is not None and 100 * self.ours.value >= self.printed - 1e-9

    @property
    def near_best(self) -> bool:
        """Whether no other system is more accurate by more than half a point."""
        return 100 * (self.best[0] - self.ours.value) <= WITHIN_POINTS

    @property
    def cheap(self) -> bool:
        """Whether no other system is cheaper than our frugal rules."""
        return self.frugal[1] <= self.cheapest[0] + ALIKE

    @property
    def cheap_untold(self) -> bool:
        """Whether no other system that was not told the costs is cheaper than our frugal rules."""
        return self.frugal[1] <= self.untold[0] + ALIKE

    @property
    def worth_it(self) -> bool:
        """Whether no other system that is about as accurate is cheaper than our frugal rules."""
        return self.rival is None or self.frugal[1] <= self.rival[0] + ALIKE

    def row(self) -> tuple[str, ...]:
        """Return the cells of the table."""
        met = {True: "yes", False: "**no**"}
        return (
            self.title,
            self.family,
            f"{self.ours.count}",
            f"{100 * self.ours.value:.2f}",
            "–" if self.printed is None else f"{self.printed:.2f}",
            "–" if self.printed is None else met[self.accurate],
            f"{100 * self.best[0]:.1f} ({self.best[1]})",
            met[self.near_best],
            f"{self.frugal[1]:.2f} at {100 * self.frugal[0]:.1f}",
            f"{self.cheapest[0]:.2f} ({self.cheapest[1]})",
            met[self.cheap],
            f"{self.untold[0]:.2f} ({self.untold[1]})",
            met[self.cheap_untold],
            "none" if self.rival is None else f"{self.rival[0]:.2f} ({self.rival[1]})",
            met[self.worth_it],
            "–" if self.floor is None else f"{self.floor:.2f}",
            f"{100 * self.limits[0]:.1f}",
            "–" if self.limits[1] is None else f"{100 * self.limits[1]:.1f}",
        )


COLUMNS = (
    ("table", ""),
    ("model", ""),
    ("seeds", "computed so far"),
    ("ours", "recourse accuracy of our rules in percent, the most accurate ones"),
    ("paper", "what the paper prints for AReS"),
    ("met", "whether ours is at least that"),
    ("best other", "the most accurate of the other systems"),
    ("within 0.5", "whether ours is at most half a point below it"),
    ("frugal", "mean FCost of our frugal rules, at their accuracy"),
    ("cheapest other", "the lowest mean FCost of another system, whatever its accuracy"),
    ("lowest", "whether our frugal rules cost at most that"),
    ("cheapest untold", "the lowest of those not told the costs: AR and its kin with their own costs, and FACE"),
    ("lowest", ""),
    ("cheapest as accurate", "the lowest mean FCost of another system at most half a point less accurate than frugal"),
    ("lowest", ""),
    ("floor", "mean FCost of the cheapest move of each person: no system can be cheaper on the same people"),
    ("limit", "percent of people whom some candidate move of ours helps: no set of our rules can be more accurate"),
    ("any move", "percent of sampled people whom some move of up to three changes helps"),
)


def verdicts(gathered: Gathered, families: Sequence[str]) -> list[Verdict]:
    """Judge every cell of the paper's protocol that has our rules and at least one other system."""
    found = []
    for case in gathered.plan.cases:
        for family in families:
            verdict = _verdict(gathered, case.title, case.name, family)
            if verdict is not None:
                found.append(verdict)
    return found


def _verdict(gathered: Gathered, title: str, table: str, family: str) -> Verdict | None:
    def mean(row: Row, key: str) -> float | None:
        found = gathered.mean(table, family, PAPER.name, row, key)
        return None if found is None else found.value

    ours = gathered.mean(table, family, PAPER.name, EXACT, "accuracy")
    limit = mean(EXACT, "limit")
    frugal = (mean(FRUGAL, "accuracy"), mean(FRUGAL, "mean_fcost"))
    others = [(mean(row, "accuracy"), mean(row, "mean_fcost"), row.title) for row in OTHERS]
    known = [(accuracy, cost, name) for accuracy, cost, name in others if accuracy is not None and cost is not None]
    untold = [(cost, name) for _, cost, name in known if name in UNTOLD]
    if ours is None or limit is None or frugal[0] is None or frugal[1] is None or not untold:
        return None
    best = max((accuracy, name) for accuracy, _, name in known)
    cheapest = min((cost, name) for _, cost, name in known)
    able = [(cost, name) for accuracy, cost, name in known if accuracy >= frugal[0] - WITHIN_POINTS / 100]
    printed = published(table, family, ARES)
    return Verdict(
        title,
        family,
        ours,
        printed[0] if printed else None,
        best,
        (frugal[0], frugal[1]),
        cheapest,
        min(untold),
        min(able, default=None),
        mean(ALONE, "mean_fcost"),
        (limit, mean(ALONE, "accuracy")),
    )


def tally(found: Sequence[Verdict]) -> Iterator[str]:
    """Say in how many cells each claim holds, and where it does not."""
    printed = [verdict for verdict in found if verdict.printed is not None]
    claims = (
        ("the accuracy the paper prints for AReS is met", printed, [each for each in printed if not each.accurate]),
        ("ours is the most accurate or within 0.5 points of it", found, [each for each in found if not each.near_best]),
        ("our frugal rules cost least of all", found, [each for each in found if not each.cheap]),
        (
            "our frugal rules cost least of the systems not told the costs",
            found,
            [each for each in found if not each.cheap_untold],
        ),
        (
            "our frugal rules cost least of the systems about as accurate",
            found,
            [each for each in found if not each.worth_it],
        ),
    )
    for words, judged, missed in claims:
        where = ", ".join(f"{each.title} {each.family}" for each in missed)
        yield (
            f"- In {len(judged) - len(missed)} of {counted(len(judged), 'cell')} {words}."
            + (f" Not in: {where}." if where else "")
        )


def search_grid(gathered: Gathered, families: Sequence[str]) -> Grid:
    """Return exact search beside local search and greedy, on the same candidates with the same weights."""
    columns = (
        ("table", ""),
        ("model", ""),
        ("candidates", "rules the certificate speaks of"),
        ("exact gap", "how much more any set can gain, in percent, as proven; the mean over seeds"),
        ("exact s", "seconds of the search"),
        ("local gain", "what the paper's local search gains, in percent of the exact gain"),
        ("local s", ""),
        ("greedy gain", ""),
        ("greedy s", ""),
        ("accuracy", "recourse accuracy in percent: exact, local, greedy"),
    )
    rows = []
    for case in gathered.plan.cases:
        for family in families:
            lines = [each["beside"] for each in gathered.seeds(case.name, family, PAPER.name, EXACT)]
            if lines:
                rows.append((case.title, family, *_searched(lines)))
    return Grid(columns, tuple(rows))


def _searched(lines: Sequence[Sequence[dict[str, float]]]) -> tuple[str, ...]:
    def mean(place: int, key: str) -> float:
        return sum(line[place][key] for line in lines) / len(lines)

    shares = [sum(line[place]["gain"] / line[0]["gain"] for line in lines) / len(lines) for place in (1, 2)]
    return (
        f"{mean(0, 'candidates'):,.0f}",
        f"{100 * mean(0, 'gap'):.3f}",
        f"{mean(0, 'seconds'):.1f}",
        f"{100 * shares[0]:.1f}",
        f"{mean(1, 'seconds'):.1f}",
        f"{100 * shares[1]:.1f}",
        f"{mean(2, 'seconds'):.1f}",
        " / ".join(f"{100 * mean(place, 'accuracy'):.1f}" for place in range(3)),
    )
