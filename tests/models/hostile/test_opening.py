"""A hostile model file does nothing when it is opened but fail, with a sentence, and the next file opens as usual."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ares_core.errors import ModelError
from ares_core.models.formats import PICKLE_VARIABLE, detect
from ares_core.models.raw import Output
from ares_core.models.sandbox import open_model
from tests.models.hostile import files, onnx_files
from tests.models.hostile.cells import HURRIED, Cell
from tests.models.hostile.files import (
    FRAME,
    honest_boosting,
    honest_lightgbm,
    honest_skops,
    honest_xgboost,
    tampered_lightgbm,
    tampered_xgboost,
    when_opened,
    with_part,
)
from tests.patience import PATIENCE

TOUCHED = Path(tempfile.gettempdir(), "ares-hostile-touched")
Make = Callable[[], bytes]
FORBIDDEN, MEMORY, LATE = "something a model may not do", "takes more memory than the 500 MB", "took longer than"
DAMAGED, CRASHED = "cannot be read as", "ended its process"
# What makes the file, and what the user may read: one of these, since which lock is met first is the library's choice.
OPENED: dict[str, tuple[Make, tuple[str, ...]]] = {
    "pickle: command": (when_opened(f"__import__('os').system('touch {TOUCHED}')"), (DAMAGED,)),
    "pickle: program": (when_opened("__import__('subprocess').run(['/bin/true'])"), (FORBIDDEN,)),
    "pickle: file": (when_opened("open('/etc/passwd').read()"), (FORBIDDEN, "No such file")),
    "pickle: environment": (
        when_opened("{}[__import__('os').environ.get('ARES_SECRET', 'none')]"),
        ("'none'",),
    ),
    "pickle: connection": (when_opened("__import__('socket').create_connection(('127.0.0.1', 1))"), (FORBIDDEN,)),
    "pickle: endless": (when_opened("any(iter(int, 1))"), (LATE,)),
    "pickle: sleep": (when_opened("__import__('time').sleep(1000)"), (LATE,)),
    "pickle: six gigabytes": (when_opened("bytearray(6_000_000_000)"), (MEMORY,)),
    "pickle: leaves": (when_opened("__import__('os')._exit(0)"), (CRASHED,)),
    "pickle: crashes": (when_opened("__import__('ctypes').string_at(0)"), (CRASHED,)),
    "pickle: exits": (when_opened("__import__('sys').exit('bye')"), (DAMAGED,)),
    "pickle: deep": (files.deep_pickle, (DAMAGED, CRASHED, MEMORY, LATE)),
    "pickle: bomb": (files.compressed_pickle, (MEMORY, CRASHED, LATE)),
    "pickle: truncated": (lambda: when_opened("1 + 1")()[:-5], (DAMAGED,)),
    "pickle: not a model": (when_opened("1 + 1"), ("it holds a int, which cannot predict",)),
    "skops: bomb": (files.zip_bomb, (MEMORY, LATE)),
    "skops: pickle as arrays": (files.pickle_inside, (DAMAGED,)),
    "skops: pickle beside": (files.pickle_called_skops, ("builtins.bytes",)),
    "skops: deep": (files.deep_schema, (DAMAGED,)),
    "skops: huge array": (files.huge_array, (DAMAGED, MEMORY)),
    "skops: no schema": (lambda: files.zipped({"schema.json": b"[1, 2"}), (DAMAGED,)),
    "skops: schema of nothing": (lambda: files.zipped({"schema.json": b"{}"}), (DAMAGED,)),
    "skops: no model": (files.no_model, ("it holds a dict, which cannot predict",)),
    "skops: type not on the list": (files.clusters, ("sklearn.cluster._kmeans.KMeans",)),
    "skops: command": (
        with_part(__module__="os", __class__="system", __loader__="FunctionNode", content="os.system"),
        ("'os.system'",),
    ),
    "skops: type of a command": (
        with_part(__module__="os", __class__="system", __loader__="TypeNode"),
        ("'os.system'",),
    ),
    "skops: method": (
        with_part(__module__="builtins", __class__="str", __loader__="MethodNode", content={}),
        ("by MethodNode",),
    ),
    "skops: operator": (
        with_part(__module__="operator", __class__="methodcaller", __loader__="OperatorFuncNode", attrs={}),
        ("operator.methodcaller",),
    ),
    "skops: constructor": (
        with_part(__module__="builtins", __class__="slice", __loader__="ConstructorFromReduceNode", content={}),
        ("by ConstructorFromReduceNode",),
    ),
    "xgboost: truncated": (lambda: honest_xgboost()[:-200], (DAMAGED,)),
    "xgboost: truncated binary": (lambda: honest_xgboost("ubj")[:200], (DAMAGED, CRASHED)),
    "xgboost: endless text": (files.endless_xgboost, (DAMAGED, MEMORY, CRASHED, LATE)),
    "xgboost: nothing in it": (lambda: b'{"learner": {}, "version": [3, 0, 0]}', (DAMAGED,)),
    "xgboost: deep": (lambda: b'{"learner":' + b"[" * 500_000, (DAMAGED, CRASHED, LATE)),
    "lightgbm: truncated": (lambda: honest_lightgbm()[:300], (DAMAGED, CRASHED)),
    "lightgbm: malformed": (lambda: b"tree\nversion=v4\nnum_class=x\n", (DAMAGED, CRASHED)),
    "lightgbm: bytes": (lambda: b"tree\nversion=v4\n\xff\xfe\0\0", (DAMAGED, CRASHED)),
    "lightgbm: endless": (tampered_lightgbm("num_leaves", "2000000000"), (DAMAGED, CRASHED, MEMORY, LATE)),
    "onnx: truncated graph": (lambda: onnx_files.honest_onnx()[:-1] + b"\xff", (DAMAGED,)),
    "onnx: a file of the server": (onnx_files.onnx_external("/etc/passwd"), (DAMAGED,)),
    "onnx: a file above": (onnx_files.onnx_external("../../../etc/passwd"), (DAMAGED,)),
    "onnx: unknown operator": (onnx_files.onnx_unknown, (DAMAGED,)),
    "onnx: short weights": (onnx_files.onnx_short_weights, (DAMAGED, MEMORY)),
}
# What opens, and then fails when it is asked; some libraries look closely enough to refuse it before.
ASKED: dict[str, tuple[Make, Output, tuple[str, ...]]] = {
    "skops: tree out of range": (files.tree_out_of_range, "label", (CRASHED, DAMAGED)),
    "skops: boosting out of range": (files.boosting_out_of_range, "label", (CRASHED, DAMAGED)),
    "xgboost: child out of range": (tampered_xgboost("left_children", 2_000_000_000), "score", (CRASHED, DAMAGED)),
    "xgboost: column out of range": (tampered_xgboost("split_indices", 2_000_000_000), "score", (CRASHED, DAMAGED)),
    "lightgbm: child out of range": (tampered_lightgbm("left_child", "2000000000"), "score", (CRASHED, DAMAGED)),
    "lightgbm: column out of range": (tampered_lightgbm("split_feature", "2000000000"), "score", (CRASHED, DAMAGED)),
    "onnx: sixteen gigabytes": (onnx_files.onnx_memory, "score", (DAMAGED, MEMORY, CRASHED, LATE, "failed")),
    "onnx: loop": (onnx_files.onnx_loop, "score", (LATE,)),
}
HONEST: dict[str, tuple[Make, Output]] = {
    "skops": (honest_skops, "label"),
    "xgboost": (honest_xgboost, "score"),
    "lightgbm": (honest_lightgbm, "score"),
    "onnx": (onnx_files.honest_onnx, "score"),
}
NO_MODELS = {
    "nothing": b"",
    "text": b"hello",
    "picture": b"\x89PNG\r\n\x1a\n" + bytes(100),
    "page": b"<html><body>404</body></html>",
    "program": b"\x7fELF" + bytes(100),
    "document": b"%PDF-1.7\n",
    "Keras": b"\x89HDF\r\n\x1a\n" + bytes(100),
    "zeros": bytes(1_000),
    "old pickle": b"cos\nsystem\n(S'true'\ntR.",
    "skops cut off": honest_skops()[: len(honest_skops()) // 2],
    "another zip": files.zipped({"word/document.xml": b"<a/>"}),
    "empty zip": files.zipped({}),
    "fields of nobody's": b"\x0a\x02hi" * 10,
    "ONNX cut off": onnx_files.honest_onnx()[:-20],
    "ONNX without a graph": b"\x08\x09",
}


def next_honest_model_works(cell: Cell, kind: str) -> None:
    """Check that an honest file of the same kind opens and answers."""
    make, output = HONEST[kind if kind in HONEST else "skops"]
    assert len(cell.answer(make(), FRAME, output)) == len(FRAME)


@pytest.mark.parametrize("case", OPENED)
def test_opening_is_contained(case: str, cell: Cell) -> None:
    """A file that is hostile when it is opened ends in a sentence."""
    make, allowed = OPENED[case]
    content = make()
    with pytest.raises(ModelError) as caught:
        cell.load(content, HURRIED.load_seconds if LATE in allowed else PATIENCE)
    assert any(words in caught.value.problem for words in allowed), caught.value.problem
    assert caught.value.problem.isprintable()
    assert len(caught.value.problem) < 500
    assert not TOUCHED.exists()
    next_honest_model_works(cell, detect(content))


@pytest.mark.parametrize("case", ASKED)
def test_asking_is_contained(case: str, cell: Cell) -> None:
    """A file that is hostile only when it is asked ends in a sentence too."""
    make, output, allowed = ASKED[case]
    content = make()
    with pytest.raises(ModelError) as caught:
        cell.answer(content, FRAME, output, HURRIED.answer_seconds if LATE in allowed else PATIENCE)
    assert any(words in caught.value.problem for words in allowed), caught.value.problem
    next_honest_model_works(cell, detect(content))


@pytest.mark.parametrize("case", NO_MODELS)
def test_what_is_no_model_starts_no_process(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not a model by its content is refused whatever it is called, and no process is started for it."""
    monkeypatch.setattr("ares_core.models.sandbox.model.ModelProcess", None)
    with pytest.raises(ModelError) as caught:
        open_model(NO_MODELS[case], "model.skops")
    assert "'model.skops'" in caught.value.problem


def test_pickles_are_refused_unless_the_operator_allows_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the operator's variable a pickle is not opened, not even behind the locks."""
    monkeypatch.setattr("ares_core.models.sandbox.model.ModelProcess", None)
    for value in ("", "0", "yes"):
        monkeypatch.setenv(PICKLE_VARIABLE, value)
        with pytest.raises(ModelError, match="is a pickle, which can do anything"):
            open_model(when_opened("1 + 1")(), "model.pkl")


def test_honest_files_are_honest(cell: Cell) -> None:
    """The files the hostile ones are made of open and answer."""
    for make, output in (*HONEST.values(), (honest_boosting, "label")):
        assert len(cell.answer(make(), FRAME, output)) == len(FRAME)
