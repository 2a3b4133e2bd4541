# SPDX-License-Identifier: Apache-2.0
"""The examples of the README, docs/python.md and the tutorials run, and names are what they say."""
import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
import riffle

ROOT = Path(__file__).resolve().parents[2]


def programs(page):
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_programs(page, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    shown = programs(page)
    assert shown
    for text in shown:
        names = {}
        exec(compile(text, page, "exec"), names)
        for name, value in names.items():
            if name.startswith("test_"):
                value()
        printed = re.findall(r"^print\(.*# (.*)", text, re.MULTILINE)
        assert printed == [] or capsys.readouterr().out.splitlines() == printed


@pytest.mark.parametrize("page, program", [("numpy", "numpy_user"), ("sort", "sorts"), ("pytorch", "pytorch_user")])
def test_tutorial(page, program):
    """Its program agrees with NumPy or PyTorch, and the message that it ends with is the page's; documents.py compares the parts."""
    if page == "pytorch":
        pytest.importorskip("torch")
    done = subprocess.run([sys.executable, ROOT / f"examples/tutorial/{program}.py"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"```text\n{done.stdout}```" in (ROOT / f"docs/tutorial-{page}.md").read_text()


def test_names():
    """docs/python.md's table has every public name, and every name has a docstring."""
    page = (ROOT / "docs/python.md").read_text()
    for name in riffle.__all__:
        assert re.search(rf"\b{name}\b", page), name
        assert getattr(riffle, name).__doc__, name
    for name in riffle.errors.CLASSES.values():
        assert f"`{name.__name__}`" in page


def test_stubs():
    """riffle/__init__.pyi has every public name, with the arguments that there are."""
    tree = ast.parse((Path(riffle.__file__).parent / "__init__.pyi").read_text())
    said = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    for name in riffle.__all__:
        thing = getattr(riffle, name)
        if inspect.isfunction(thing) and thing.__module__ != "riffle.machine":
            named = [a.arg for a in said[name].args.args + said[name].args.kwonlyargs]
            assert named == list(inspect.signature(thing).parameters), name
        elif inspect.isclass(thing) and thing is not riffle.Error:
            names = {node.name for node in said[name].body if isinstance(node, ast.FunctionDef)}
            assert {n for n in vars(thing) if not n.startswith("_")} <= names <= set(dir(thing)), name


@pytest.mark.parametrize("name", ["shuffling", "qubits", "lint"])
def test_notebooks(name):
    """Each cell shows what the file has."""
    folder = ROOT / "examples/notebooks"
    done = subprocess.run([sys.executable, folder / "execute.py", "--check", folder / f"{name}.ipynb"], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
