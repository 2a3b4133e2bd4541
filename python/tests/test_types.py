# SPDX-License-Identifier: Apache-2.0
"""The types that the package's functions declare, by mypy --strict of a program that uses each of them."""
import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import riffle

PROGRAM = '''
from typing import Any, assert_type
import numpy as np
from numpy.typing import NDArray
import pathlib
import riffle
import riffle.testing

class Tensor:
    """Stands for another library's array."""
    def __dlpack__(self, *, stream: object = None) -> object: ...

class Graph:
    """Stands for networkx's."""
    nodes: list[str]
    def is_directed(self) -> bool:
        return False

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
x, t = np.zeros(8, np.float32), Tensor()
numbers, keys = [3.0, 1.0, 2.0, 4.0], np.zeros(8, np.uint8)

p = riffle.Perm("reverse", 8)
assert_type(p(3), int)
assert_type(p([3]), Ints)
assert_type((p | ~riffle.Perm.table([1, 0])).to_numpy(), Ints)
assert_type(riffle.recognize(p).spec, str)
assert_type(riffle.permute(x, p), Floats)
assert_type(riffle.permute(t, "reverse"), Tensor)
assert_type(riffle.permute(numbers, [3, 2, 1, 0], axis=0), NDArray[Any])
assert_type(riffle.plan(p, x)(x, out=x), Floats)
assert_type(riffle.plan(p, x)(numbers), NDArray[Any])
assert_type(riffle.plan(p, x).explain(), str)
assert_type(riffle.plan(p, x, effort="measure", effort_seconds=0.1), riffle.Plan)
assert_type(riffle.transpose(x, (0,)), Floats)
assert_type(riffle.transpose(numbers), NDArray[Any])
assert_type(riffle.take(x, [3, 3]), Floats)
assert_type(riffle.take(numbers, np.array([3])), NDArray[Any])
assert_type(riffle.shuffle(x, 1), Floats)
assert_type(riffle.shuffle(t, 1), Tensor)
assert_type(riffle.run("sort n", x, out=x), Floats)
assert_type(riffle.program("sort n", x)(t), Tensor)
assert_type(riffle.program("sort n", x).numbers, dict[str, Any])
assert_type(riffle.sort(x, 0, True, out=x), Floats)
assert_type(riffle.sort(t), Tensor)
assert_type(riffle.sort(numbers), NDArray[Any])
assert_type(riffle.sort(x, return_index=True), tuple[Floats, Ints])
assert_type(riffle.sort(t, return_index=True), tuple[Tensor, Tensor])
assert_type(riffle.sort(numbers, return_index=True), tuple[NDArray[Any], Ints])
assert_type(riffle.sort(keys, values=x), tuple[NDArray[np.uint8], Floats])
assert_type(riffle.argsort(x, first=[0, 8]), Ints)
assert_type(riffle.argsort(t), Tensor)
assert_type(riffle.argsort(numbers, before="a < b", check=True), Ints)
assert_type(riffle.top(x, 3), Floats)
assert_type(riffle.top(x, 3, return_index=True), tuple[Floats, Ints])
assert_type(riffle.top(x, 3, first=[0, 8]), list[Any])
assert_type(riffle.partition(x, 3), Floats)
assert_type(riffle.partition(x, 3, values=x), tuple[Floats, Floats])
assert_type(riffle.unique(x), Floats)
assert_type(riffle.unique(numbers, return_index=True), tuple[NDArray[Any], Ints])
assert_type(riffle.unique(x, first=[0, 8]), list[Any])
assert_type(riffle.merge([x, x]), Floats)
assert_type(riffle.merge(np.zeros((2, 3), np.float32), return_index=True), tuple[Floats, Ints])
assert_type(riffle.merge([[1, 2], [3]]), NDArray[Any])
assert_type(riffle.histogram(keys, threads=2), Ints)
assert_type(riffle.group(t, t, 8, by="hash", multiple=4), riffle.Grouped)
assert_type(riffle.ungroup(t, t), Tensor)
assert_type(riffle.histogram(t, out=t), Tensor)
assert_type(riffle.histogram([True, False]), Ints)
assert_type(riffle.permute(keys, p, bits=1), NDArray[np.uint8])
assert_type(riffle.bitunshuffle(keys.reshape(8, 1), np.uint8), NDArray[Any])
assert_type(riffle.bitshuffle([1.0, 2.0], order="big"), NDArray[np.uint8])
assert_type(riffle.hull(np.zeros((3, 2)), padded=True), tuple[Ints, Ints])
assert_type(riffle.hull([[0, 0], [1, 0]], first=[0, 2]), list[Ints])
corners = riffle.hull(np.zeros((3, 2)))
report = riffle.lint("kernel.cu", "transpose", grid=(4, 4), block=32, args=["float:8"], threshold=2.0)
assert_type(report, riffle.machine.Report)
assert_type(report.rounds, list[dict[str, Any]])
assert_type(riffle.lint_for_all("kernel.cu", block=32, lengths={"a": "n"}).out_of_bounds, list[riffle.machine.Claim])
assert_type(riffle.machine.simulate(p).time_units, int | None)
assert_type(riffle.machine.explain_sort(8), dict[str, Any])
assert_type(riffle.machine.explain_group(8, 4, 2), dict[str, Any])
assert_type(riffle.machine.explain_hull(8, "f64", all=True), dict[str, Any])
assert_type(riffle.machine.explain_program("sort n", 8), dict[str, Any])
assert_type(riffle.machine.simulate_program("sort n", 8), riffle.machine.Report)
assert_type(riffle.machine.simulate_group(np.zeros(8, int), 2, 4), riffle.machine.Report)
assert_type(riffle.testing.assert_coalesced("kernel.cu", kernel="transpose"), riffle.machine.Report)
assert_type(riffle.minimum_cycle_basis([[0, 1], [1, 0]]), list[Ints])
assert_type(riffle.minimum_cycle_basis(np.array([[0, 0]]), counts=True), tuple[list[Ints], dict[str, Any]])
assert_type(riffle.minimum_cycle_basis([(0, 1), (1, 0)], np.ones(2)), list[Ints])
assert_type(riffle.minimum_cycle_basis(Graph(), "weight"), list[list[Any]])
assert_type(riffle.minimum_cycle_basis(Graph(), counts=True), tuple[list[list[Any]], dict[str, Any]])
assert_type(riffle.f2.product(keys[None], keys[:, None]), NDArray[np.bool_])
assert_type(riffle.f2.rank_profile([[1, 0]]), tuple[Ints, Ints])
assert_type(riffle.f2.rank([[1]]), int)
assert_type(riffle.vat.replay([1, 2]).faults, int)
assert_type(riffle.vat.presets()[0].name, str)
assert_type(riffle.vat.programs(), list[str])
assert_type(riffle.vat.curve(["permute"], [8], memory=None)[0].time, float)
assert_type(riffle.vat.detect().entries_4k, int)
riffle.cache.limit = 8
riffle.cache.clear()
riffle.wisdom_save("wisdom")
riffle.wisdom_load(pathlib.Path("wisdom"))
riffle.wisdom_forget()
try:
    p.plot(), report.plot(ax=None)
except (riffle.Error, riffle.errors.LengthError):
    raise
'''


WRONG = """
import numpy as np, riffle
x = np.zeros(8)
riffle.sort(x, return_index=True) + 1
riffle.permute(x)
y: int = riffle.argsort(x)
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """Messages of one run of mypy for both programs: it reads NumPy's stubs once."""
    pytest.importorskip("mypy")
    folder = tmp_path_factory.mktemp("mypy")
    (folder / "program.py").write_text(PROGRAM)
    (folder / "wrong.py").write_text(WRONG)
    words = [sys.executable, "-m", "mypy", "--strict", "--python-version", "3.11", "--cache-dir", os.devnull, "program.py", "wrong.py"]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True).stdout


def test_program(said):
    assert "program.py" not in said and said.endswith("(checked 2 source files)\n"), said


def test_program_has_each_function():
    for name in riffle.__all__:
        if name not in ("Plan", "ProgramPlan"):  # which plan and program make
            assert re.search(rf"\briffle\.{name}\b", PROGRAM), name


def test_wrong_uses(said):
    """A check that finds nothing wrong would find these right too."""
    assert [line.split(":")[:2] for line in said.splitlines() if ": error: " in line] == [["wrong.py", "4"], ["wrong.py", "5"], ["wrong.py", "6"]], said


def test_forms_have_the_arguments():
    """Each form of a function in riffle/__init__.pyi names arguments that there are, in their order."""
    import inspect
    tree = ast.parse((Path(riffle.__file__).parent / "__init__.pyi").read_text())
    for form in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        named = [a.arg for a in form.args.args + form.args.kwonlyargs]
        assert named == list(inspect.signature(getattr(riffle, form.name)).parameters), form.name
