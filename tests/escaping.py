"""A lint: nothing from data, a file or a visitor reaches what Streamlit reads as markdown unless it was made safe.

An expression is safe if it is a constant, a call of `safe`, a number written as a number, or made of such; a name is
what it was assigned, and a call of a function of the dashboard is what that function returns. A parameter shown by a
function makes that function itself a place to look at: its callers must pass something safe.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef
Comprehension = ast.GeneratorExp | ast.ListComp | ast.DictComp | ast.SetComp
Scope = Function | ast.Module | Comprehension
TEXT = {"label", "body", "help", "text", "caption", "captions"}
# What reads markdown, with its further arguments that do.
SINKS: dict[str, set[str]] = {
    **{name: set() for name in ("write", "markdown", "caption", "info", "error", "warning", "success", "title")},
    **{name: set() for name in ("header", "subheader", "toast", "button", "download_button", "form_submit_button")},
    **{name: set() for name in ("link_button", "checkbox", "toggle", "selectbox", "multiselect", "slider")},
    **{name: set() for name in ("select_slider", "number_input", "text_input", "text_area", "date_input")},
    **{name: set() for name in ("file_uploader", "expander", "popover", "spinner", "status", "latex")},
    **{name: {"options", "format_func"} for name in ("radio", "pills", "segmented_control")},
    "metric": {"delta"},
    "progress": {"text"},
    "page_link": {"label"},
    "tabs": {"tabs"},
    "table": {"data"},
}
FIRST = {"progress": None, "page_link": None}  # whose first argument is not text
SECOND = {"radio", "pills", "segmented_control"}  # whose second argument is a list of texts
NOT_STREAMLIT = {"log", "logging", "costing"}
# Functions of the engine that make text of numbers alone, and what they and Python make safe.
NUMBERS = {"counted", "people", "percent", "share_text", "span_text", "cost_text", "len", "int", "round", "float"}
SAFE_CALLS = {"safe", *NUMBERS}
KEPT = {"strip", "capitalize", "upper", "lower", "removesuffix", "rstrip", "lstrip", "format", "replace", "get", "join"}
KEPT |= {"partition", "split"}


@dataclass(frozen=True, slots=True)
class Complaint:
    """Where something is shown that is not safe, and what."""

    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"


@dataclass(slots=True)
class Lint:
    """The dashboard's sources, what of them is trusted ("file: expression"), and functions that show what they get."""

    trees: dict[str, ast.Module]
    trusted: frozenset[str] = frozenset()
    functions: dict[str, list[Function]] = field(init=False)
    homes: dict[int, ast.Module] = field(init=False)
    shows: dict[str, set[str]] = field(default_factory=dict)
    _asked: set[object] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.functions, self.homes = {}, {}
        for tree in self.trees.values():
            for node in ast.walk(tree):
                if isinstance(node, Function):
                    self.functions.setdefault(node.name, []).append(node)
                    self.homes[id(node)] = tree

    def complaints(self) -> list[Complaint]:
        """Return everything shown that is not safe; looks again while more functions turn out to show things."""
        while True:
            known = {name: set(parameters) for name, parameters in self.shows.items()}
            found = [each for file, tree in self.trees.items() for each in self._file(file, tree)]
            if known == self.shows:
                found += self._unseen()
                return sorted(set(found), key=lambda each: (each.file, each.line, each.what))

    def _unseen(self) -> Iterator[Complaint]:
        """Yield functions that show what they are given, by callers that cannot be seen."""
        called = {_name(call.func) for tree in self.trees.values() for _, call in _calls(tree, (tree,))}
        for name in self.shows.keys() - called:
            yield Complaint(name, self.functions[name][0].lineno, "shows its arguments, and nobody calls it by name")

    def _file(self, file: str, tree: ast.Module) -> Iterator[Complaint]:
        for scopes, call in _calls(tree, (tree,)):
            for shown in self._shown(call):
                text = ast.unparse(shown)
                if f"{file}: {text}" not in self.trusted and not self._is_safe(shown, scopes):
                    yield Complaint(file, shown.lineno, text)

    def _shown(self, call: ast.Call) -> Iterator[ast.expr]:
        """Yield what a call shows."""
        name, owner = _name(call.func), _owner(call.func)
        if isinstance(call.func, ast.Attribute) and name in SINKS and owner not in NOT_STREAMLIT:
            wanted = TEXT | SINKS[name]
            if name not in FIRST:
                yield from call.args if name == "write" else call.args[:1]
            worded = any(each.arg == "format_func" and not _plain(each.value) for each in call.keywords)
            if name in SECOND and not worded:
                yield from call.args[1:2]
            wanted = wanted - ({"options"} if worded else {"format_func"})
            yield from (each.value for each in call.keywords if each.arg in wanted)
        elif name in self.shows and name in self.functions:
            yield from self._passed(call, self.shows[name], self.functions[name][0])

    def _passed(self, call: ast.Call, parameters: set[str], function: Function) -> Iterator[ast.expr]:
        names = [each.arg for each in function.args.args]
        yield from (value for name, value in zip(names, call.args, strict=False) if name in parameters)
        yield from (each.value for each in call.keywords if each.arg in parameters)

    def _is_safe(self, node: ast.expr, scopes: tuple[Scope, ...]) -> bool:
        match node:
            case ast.Constant():
                return True
            case ast.JoinedStr(values=values):
                return all(self._is_safe(value, scopes) for value in values)
            case ast.FormattedValue(value=value, format_spec=spec):
                return spec is not None or self._is_safe(value, scopes)
            case ast.IfExp(body=body, orelse=other):
                return self._is_safe(body, scopes) and self._is_safe(other, scopes)
            case ast.BinOp(left=left, right=right) | ast.BoolOp(values=[left, right]):
                return self._is_safe(left, scopes) and self._is_safe(right, scopes)
            case ast.List(elts=each) | ast.Tuple(elts=each) | ast.Set(elts=each):
                return all(self._is_safe(value, scopes) for value in each)
            case ast.Dict(values=each):
                return all(self._is_safe(value, scopes) for value in each)
            case ast.Starred(value=value) | ast.Lambda(body=value):
                return self._is_safe(value, scopes)
            case ast.DictComp(value=value) | ast.GeneratorExp(elt=value) | ast.ListComp(elt=value):
                return self._is_safe(value, (*scopes, node))
        return self._named(node, scopes)

    def _named(self, node: ast.expr, scopes: tuple[Scope, ...]) -> bool:
        """Judge names, parts of named things, and calls."""
        match node:
            case ast.Call():
                return self._call(node, scopes)
            case ast.Attribute(value=value) | ast.Subscript(value=value):
                return _constant(node) or self._is_safe(value, scopes)
            case ast.Name(id=name):
                return _constant(node) or self._name(name, scopes)
        return False

    def _call(self, call: ast.Call, scopes: tuple[Scope, ...]) -> bool:
        name = _name(call.func)
        if name in SAFE_CALLS:
            return True
        if isinstance(call.func, ast.Attribute) and name in KEPT:
            given = call.args[1:] if name == "get" else call.args
            return all(self._is_safe(each, scopes) for each in (call.func.value, *given))
        if name in ("list", "tuple", "dict", "sorted"):
            return all(self._is_safe(each, scopes) for each in call.args)
        found = self._meant(name, scopes)
        return bool(found) and all(map(self._returns, found))

    def _meant(self, name: str, scopes: tuple[Scope, ...]) -> list[Function]:
        """Return the functions a name can mean: those of the same module if there are any."""
        home = self.homes.get(id(scopes[0]), scopes[0])
        found = self.functions.get(name, [])
        return [each for each in found if self.homes[id(each)] is home] or found

    def _returns(self, function: Function) -> bool:
        """Say whether everything a function returns is safe; its parameters count as what callers must see to."""
        if id(function) in self._asked:
            return True
        self._asked.add(id(function))
        try:
            values = [node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value]
            return bool(values) and all(self._is_safe(value, (function,)) for value in values)
        finally:
            self._asked.discard(id(function))

    def _name(self, name: str, scopes: tuple[Scope, ...]) -> bool:
        """Judge a name by everything it is assigned where it lives, or make its function a place to look at."""
        if name in SAFE_CALLS:
            return True
        for scope in reversed(scopes):
            if isinstance(scope, Function) and name in _parameters(scope):
                self.shows.setdefault(scope.name, set()).add(name)
                return True
            values = list(_assigned(scope, name))
            if values:
                return self._all_safe(values, (id(scope), name), scopes)
        found = self._meant(name, scopes)  # a function given to format_func
        return bool(found) and all(map(self._returns, found))

    def _all_safe(self, values: list[ast.expr | None], key: object, scopes: tuple[Scope, ...]) -> bool:
        """Judge everything a name is assigned; where that speaks of the name itself, the rest decides."""
        if key in self._asked:
            return True
        self._asked.add(key)
        try:
            return all(value is not None and self._is_safe(value, scopes) for value in values)
        finally:
            self._asked.discard(key)


def _calls(node: ast.AST, scopes: tuple[Scope, ...]) -> Iterator[tuple[tuple[Scope, ...], ast.Call]]:
    for child in ast.iter_child_nodes(node):
        inner = (*scopes, child) if isinstance(child, Function) else scopes
        if isinstance(child, ast.Call):
            yield inner, child
        yield from _calls(child, inner)


def _plain(node: ast.expr) -> bool:
    """Say whether a function is a method of text, which leaves what it is given as safe as it was."""
    return isinstance(node, ast.Attribute) and _owner(node) == "str"


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _owner(node: ast.expr) -> str:
    return _name(node.value) if isinstance(node, ast.Attribute) else ""


def _constant(node: ast.expr) -> bool:
    """Say whether something is named in capitals, or a part of what is: HELP, words.HELP, HELP["x"], PARTS[0].text."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        if isinstance(node, ast.Attribute) and node.attr.isupper():
            return True
        node = node.func if isinstance(node, ast.Call) else node.value
    return isinstance(node, ast.Name) and node.id.strip("_").isupper()


def _parameters(function: Function) -> set[str]:
    given = function.args
    return {each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)}


def _assigned(scope: Scope, name: str) -> Iterator[ast.expr | None]:
    """Yield what a name is assigned in a scope; what a loop draws from constants is constant, None is anything else."""
    for node in scope.generators if isinstance(scope, Comprehension) else ast.walk(scope):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _taken(target, node.value, name)
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr | ast.AugAssign) and node.value is not None:
            yield from _taken(node.target, node.value, name)
        elif isinstance(node, ast.For | ast.comprehension) and name in _names(node.target):
            yield _drawn(node.iter)


def _taken(target: ast.expr, value: ast.expr, name: str) -> Iterator[ast.expr | None]:
    """Yield what of a value goes to a name."""
    if isinstance(target, ast.Name):
        if target.id == name:
            yield value
    elif isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
        for inner, part in zip(target.elts, value.elts, strict=False):
            yield from _taken(inner, part, name)
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.IfExp):
        yield from _taken(target, value.body, name)
        yield from _taken(target, value.orelse, name)
    elif name in _names(target):
        yield value if _constant(value) else None


def _drawn(source: ast.expr) -> ast.expr | None:
    """Return a constant if a loop runs over constants, or over several side by side of which one is."""
    if isinstance(source, ast.Call) and _name(source.func) in ("zip", "enumerate"):
        return ast.Constant("") if any(_constant(each) for each in source.args) else None
    if isinstance(source, ast.Tuple | ast.List) and all(_literal(each) for each in source.elts):
        return ast.Constant("")
    return ast.Constant("") if _constant(source) else None


def _literal(node: ast.expr) -> bool:
    parts = node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
    return any(isinstance(part, ast.Constant) for part in parts)


def _names(node: ast.expr) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def sources(top: Path) -> dict[str, ast.Module]:
    """Return every module of the dashboard, parsed, by its path."""
    paths = [top / "app.py", *sorted(top.glob("pages/*.py")), *sorted(top.glob("ui/**/*.py"))]
    return {path.relative_to(top).as_posix(): ast.parse(path.read_text("utf-8")) for path in paths}


def snippets(texts: Iterable[str]) -> dict[str, ast.Module]:
    """Return texts as modules, to try the lint on."""
    return {f"snippet {number}": ast.parse(text) for number, text in enumerate(texts)}
