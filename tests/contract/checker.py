"""An independent checker: every count of a run file, counted again from the table and the model.

It shares no code with the engine and knows only the promises: the run file's keys, what a predicate means,
that a person with several rules follows the one most accurate on the learn people (the first among equals),
and that a move takes a number to the nearest value observed among the audited rows. Rows count from 0.
"""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import Any

from tests.contract.blocked import blocked
from tests.contract.brute import Brute, Predict, brute, subgroups
from tests.contract.recount import Checker, Counted, Summary, mean, share
from tests.contract.rows import all_hold
from tests.contract.shares import (
    Count,
    dealing_p,
    exact_p,
    holm,
    holm_levels,
    inverted,
    ratio_with_interval,
    score_p,
    student,
    wilson,
)

SMALL_TABLE_OF_GROUPS = 60


def check_totals(checker: Checker, summary: Summary) -> None:
    """Compare the totals over learn, check and all people."""
    parts = {"learn": checker.learn, "check": checker.check, "all": checker.affected}
    for name, people in parts.items():
        for key, found in summary.totals(people, checker.hopeless).items():
            checker.same(f"totals.{name}.{key}", checker.run["totals"][name][key], found)


def check_frontier(checker: Checker) -> None:
    """Compare the figures of every size, from the rules it chose, and see that more rules never gain less."""
    run, before = checker.run, 0.0
    known = [checker.counted(rule) for rule in run["frontier_rules"]]
    for size, point in enumerate(run["frontier"], start=1):
        where, chosen = f"frontier[{size - 1}]", [known[place] for place in point["chosen"]]
        learn = Summary(chosen).totals(checker.learn, set())
        check = Summary(chosen).totals(checker.check, set())
        checker.same(f"{where}.rules", point["rules"], size)
        checker.must(f"{where} keeps to its size", len(chosen) <= size)
        checker.same(f"{where}.accuracy_learn", point["accuracy_learn"], learn["recourse_accuracy"])
        for key, found in (
            ("accuracy", "recourse_accuracy"),
            ("coverage", "coverage"),
            ("mean_fcost", "mean_fcost"),
        ):
            checker.same(f"{where}.{key}_check", point[f"{key}_check"], check[found])
        checker.must(f"{where}: gain at most its bound", point["gain"] <= point["upper_bound"] + 1e-9)
        checker.must(f"{where}: gain at least that of fewer rules", point["gain"] >= before - 1e-9)
        if run["settings"]["selection"] == "paper":
            checker.same(f"{where}.gain", point["gain"], gain(checker, chosen))
        before = point["gain"]
    checker.must("frontier: every size allowed", len(run["frontier"]) >= run["settings"]["max_rules"])
    checker.must("rules: no more than allowed", len(run["rules"]) <= run["settings"]["max_rules"])


def gain(checker: Checker, rules: list[Counted]) -> float:
    """Return the paper's objective over that of no rules, on the learn people."""
    weights, learn = checker.run["settings"]["weights"], checker.learn
    wrong = sum(len((rule.covers - rule.flips) & learn) for rule in rules)
    return float(
        weights["coverage"] * Summary(rules).covered(learn)
        - weights["correctness"] * wrong
        - weights["feature_cost"] * sum(rule.cost for rule in rules)
        - weights["feature_change"] * sum(rule.change for rule in rules)
    )


def check_certificate(checker: Checker, rules: list[Counted]) -> None:
    """See that the certificate is consistent, and its gain the one of the rules."""
    proof = checker.run["certificate"]
    room = proof["upper_bound"] - proof["gain"]
    checker.must("certificate: gain at most the bound", room >= -1e-9)
    checker.same("certificate.gap", proof["gap"], relative(proof["gain"], proof["upper_bound"]))
    checker.must("certificate: proven means no gap worth the name", not proof["proven"] or proof["gap"] <= 1e-3)
    if checker.run["settings"]["selection"] == "paper":
        checker.same("certificate.gain", proof["gain"], gain(checker, rules))


def relative(value: float, bound: float) -> float:
    """Return how far the bound lies above the value, as a share of the value; 0 when both are the same."""
    return (bound - value) / value if bound > value else 0.0


def check_subgroups(checker: Checker, summary: Summary) -> None:
    """Compare the table of subgroups, on the check people."""
    listed = checker.run["subgroups"]
    every = [checker.world.predicates(items) for items in subgroups(checker.world)]
    expected = every if len(every) <= SMALL_TABLE_OF_GROUPS else [rule.subgroup for rule in summary.rules]
    checker.same(
        "subgroups: which",
        sorted({repr(entry["subgroup"]) for entry in listed}),
        sorted(set(map(repr, expected))),
    )
    tests: dict[int, tuple[Count, Count]] = {}
    for place, entry in enumerate(listed):
        inside = {n for n in checker.check if all_hold(entry["subgroup"], checker.world.people[n])}
        sides = check_subgroup(checker, summary, f"subgroups[{place}]", entry, inside)
        if None not in (entry[key] for key in COMPARED):
            tests[place] = sides
    values = [score_p(*sides, 0.0) for sides in tests.values()]
    for (place, sides), p, level in zip(tests.items(), holm(values), holm_levels(values), strict=True):
        where, entry = f"subgroups[{place}]", listed[place]
        gap = sides[0][0] / sides[0][1] - sides[1][0] / sides[1][1]
        checker.same(f"{where}.gap", entry["gap"], gap)
        checker.same(f"{where}.p_holm", entry["p_holm"], p)
        checker.same(f"{where}.gap_confidence", entry["gap_confidence"], 1 - level)
        found = inverted(partial(score_p, *sides), gap, level, [-1.0, 1.0])
        checker.same(f"{where}.gap_interval", entry["gap_interval"], found)
        agree = (2 * entry["p_holm"] < 0.05) == (not entry["gap_interval"][0] <= 0 <= entry["gap_interval"][1])
        checker.must(f"{where}: interval and p-value give one verdict", agree)
        helped, total = (sum(pair) for pair in zip(*sides, strict=True))
        rare = min(helped, total - helped) < 10 and 2 * p < 0.05 and exact_p(*sides) >= level
        checker.same(f"{where}.rare_cases", entry["rare_cases"], rare)


BY_RULES = (
    "helped",
    "accuracy",
    "interval",
    "coverage",
    "coverage_interval",
    "mean_fcost",
    "fcost_interval",
    "mean_changes",
    "changes_interval",
    "cost_ratio",
    "cost_ratio_interval",
    "changes_ratio",
    "changes_ratio_interval",
)
COMPARED = ("gap", "gap_interval", "gap_confidence", "p_holm")


def check_subgroup(
    checker: Checker, summary: Summary, where: str, entry: dict[str, Any], inside: set[int]
) -> tuple[Count, Count]:
    """Compare one subgroup's figures; return who is helped of how many, in it and of everybody else."""
    outside = checker.check - inside
    here, there = summary.helped(inside), summary.helped(outside)
    covered, stuck = summary.covered(inside), len(inside & checker.hopeless)
    costs, changes = [rule.cost for rule in here], [float(rule.changes) for rule in here]
    ratio, ratio_interval = ratio_with_interval(costs, [rule.cost for rule in there])
    times, times_interval = ratio_with_interval(changes, [float(rule.changes) for rule in there])
    found = {
        "affected": len(inside),
        "helped": len(here),
        "accuracy": share(len(here), len(inside)),
        "interval": wilson(len(here), len(inside)),
        "coverage": share(covered, len(inside)),
        "coverage_interval": wilson(covered, len(inside)),
        "mean_fcost": mean(costs),
        "fcost_interval": student(costs),
        "mean_changes": mean(changes),
        "changes_interval": student(changes),
        "without_recourse": share(stuck, len(inside)),
        "without_recourse_people": stuck,
        "without_recourse_interval": wilson(stuck, len(inside)),
        "cost_ratio": ratio,
        "cost_ratio_interval": ratio_interval,
        "changes_ratio": times,
        "changes_ratio_interval": times_interval,
    }
    if "why_none" in entry:
        checker.must(f"{where}: nobody without a rule is under one", covered == 0)
        found |= dict.fromkeys((*BY_RULES, *COMPARED), None)
    checker.must(f"{where}: a group of nobody says why", bool(inside) or "why_none" in entry)
    for key in COMPARED:
        checker.same(f"{where}.{key} is null", entry[key] is None, entry["gap"] is None)
    for key, value in found.items():
        checker.same(f"{where}.{key}", entry[key], value)
    return (len(here), len(inside)), (len(there), len(outside))


def check_ruleless(checker: Checker, found: Brute) -> None:
    """See that just those groups lack figures that no candidate rule describes anybody of, and why they say so."""
    run, world = checker.run, checker.world
    for place, entry in enumerate(run["subgroups"]):
        where = f"subgroups[{place}]"
        members = {n for n in checker.affected if all_hold(entry["subgroup"], world.people[n])}
        measured, teaching = members & checker.check, len(members & checker.learn)
        lacking = not measured or not members & found.described
        checker.same(f"{where} lacks figures", "why_none" in entry, lacking)
        others = checker.check - measured
        checker.same(f"{where} lacks a gap", entry["gap"] is None, lacking or not others & found.described)
        why, fewest = entry.get("why_none", ""), run["settings"]["guard"]["min_people"]
        if measured and lacking and teaching < fewest:
            told = f"{'only ' + str(teaching) if teaching else 'none'} of the people the rules were chosen on"
            checker.must(f"{where}.why_none", told in why and f"a rule needs at least {fewest}." in why)
        elif measured and lacking and len(entry["subgroup"]) < run["settings"]["max_width"]:
            checker.must(f"{where}.why_none", f"fits at least {fewest} of the {teaching} people" in why)


def check_moves(checker: Checker, found: Brute) -> None:
    """Compare how every move of the rules fares in every subgroup, among the check people it was tried on."""
    run, features = checker.run, checker.world.features
    changes = [[then for then in rule["after"] if then not in rule["before"]] for rule in run["rules"]]
    checker.same("moves: which", [entry["move"] for entry in run["moves"]], distinct(changes))
    for place, entry in enumerate(run["moves"]):
        where, listed = f"moves[{place}].subgroups", entry["subgroups"]
        checker.same(f"{where}: which", [one["subgroup"] for one in listed], [o["subgroup"] for o in run["subgroups"]])
        move = tuple((then["feature"], features[then["feature"]].index(then)) for then in entry["move"])
        for nth, said in enumerate(listed):
            inside = {n for n in checker.check if all_hold(said["subgroup"], checker.world.people[n])}
            tried, works = len(inside & found.tried[move]), len(inside & found.working[move])
            counts = {"tried": tried, "works": works, "accuracy": share(works, tried), "interval": wilson(works, tried)}
            for key, value in counts.items():
                checker.same(f"{where}[{nth}].{key}", said[key], value)


def check_needs(checker: Checker, found: Brute) -> None:
    """Compare what acceptance costs each subgroup at least, over the check people for whom some move works."""
    costs = checker.run["costs"]
    need: dict[int, float] = {}
    for move, who in found.working.items():
        price = sum(costs[name]["cost"] for name, _ in move)
        need |= {number: min(price, need.get(number, price)) for number in who}
    tests: dict[int, tuple[list[float], list[float]]] = {}
    for place, entry in enumerate(checker.run["subgroups"]):
        inside = {n for n in checker.check if all_hold(entry["subgroup"], checker.world.people[n])}
        here, there = (sorted(need[n] for n in who if n in need) for who in (inside, checker.check - inside))
        told = {"needed_cost": mean(here), "needed_cost_interval": student(here)}
        if here and there:
            tests[place] = here, there
        else:
            names = ("needed_ratio", "needed_ratio_interval", "needed_ratio_confidence", "p_needed")
            told |= dict.fromkeys(names, None)
        for key, value in told.items():
            checker.same(f"subgroups[{place}].{key}", entry[key], value)
    values = [dealing_p(*sides, 0.0) for sides in tests.values()]
    for (place, sides), p, level in zip(tests.items(), holm(values), holm_levels(values), strict=True):
        where, entry = f"subgroups[{place}]", checker.run["subgroups"][place]
        one, other = (math.fsum(side) / len(side) for side in sides)
        low, high = inverted(partial(dealing_p, *sides), one - other, level, [-math.inf, math.inf])
        ends = [max(0.0, 1 + low / other), None if math.isinf(high) else 1 + high / other]
        told = None if ends == [0.0, None] else ends
        checker.same(f"{where}.needed_ratio", entry["needed_ratio"], one / other)
        checker.same(f"{where}.needed_ratio_interval", entry["needed_ratio_interval"], told)
        checker.same(f"{where}.needed_ratio_confidence", entry["needed_ratio_confidence"], 1 - level)
        checker.same(f"{where}.p_needed", entry["p_needed"], p)


def distinct(entries: list[Any]) -> list[Any]:
    """Return each different entry once, in order."""
    return [entry for place, entry in enumerate(entries) if entry not in entries[:place]]


def check_candidates(checker: Checker) -> None:
    """Compare what needs every candidate: moves, people without recourse, rows asked, candidates, best rule."""
    run, found = checker.run, brute(checker.world)
    check_moves(checker, found)
    check_needs(checker, found)
    check_ruleless(checker, found)
    checker.same("no_recourse.rows", run["no_recourse"]["rows"], sorted(found.no_recourse))
    checker.same("no_recourse.people", run["no_recourse"]["people"], len(found.no_recourse))
    for key, value in (blocked(checker.world, found.no_recourse) or {}).items():
        checker.same(f"no_recourse.{key}", run["no_recourse"][key], value)
    if run["settings"]["guard"]["stand_ins"] == 0:
        checker.same("model_rows", run["model_rows"], found.model_rows)
        checker.same("certificate.candidates", run["certificate"]["candidates"], found.candidates)
    else:  # invented people are asked about too, and narrow the candidates further
        checker.must("model_rows: everybody was asked", run["model_rows"] > found.model_rows)
        checker.must("certificate.candidates", 0 <= run["certificate"]["candidates"] <= found.candidates)
    if run["settings"]["selection"] == "paper":
        checker.same("frontier[0].gain", run["frontier"][0]["gain"], found.best_single)
        checker.must(
            "certificate: the bound reaches the best rule alone",
            run["certificate"]["upper_bound"] >= found.best_single - 1e-9,
        )


def check_run(run: dict[str, Any], path: Path, predict: Predict, *, candidates: bool = True) -> list[str]:
    """Return a complaint for every figure of a run file that a recount does not confirm.

    Parameters
    ----------
    run, path
        The run file's content and the table it was made from.
    predict
        The model: answers 0 or 1 for rows given as {column: number, text or None}.
    candidates
        Whether to list every candidate by brute force too; for small tables.
    """
    checker = Checker(run, path, predict)
    checker.people()
    rules = [checker.counted(rule) for rule in run["rules"]]
    for place, (rule, counted) in enumerate(zip(run["rules"], rules, strict=True)):
        checker.rule(f"rules[{place}]", rule, counted)
    check_totals(checker, Summary(rules))
    check_subgroups(checker, Summary(rules))
    check_certificate(checker, rules)
    check_frontier(checker)
    if candidates:
        check_candidates(checker)
    return checker.complaints
