#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""execute.py [--check] NOTEBOOK...: runs the cells of notebooks, in their folder, and writes what they show into them.

With --check the files stay as they are, and the exit status is 1 if a cell shows something else now. It does what Jupyter would
for cells that print and end with a value; nothing of Jupyter's is needed."""
import ast
import contextlib
import difflib
import io
import json
import os
import sys
from pathlib import Path


def shown(value):
    """A value as Jupyter keeps it."""
    data = {"text/plain": repr(value).splitlines(keepends=True)}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = value._repr_html_().splitlines(keepends=True)
    return {"output_type": "execute_result", "data": data, "metadata": {}}


def run(source, names):
    """The outputs of a cell."""
    body = ast.parse(source).body
    last = ast.Expression(body.pop().value) if body and isinstance(body[-1], ast.Expr) else None
    printed, outputs, value = io.StringIO(), [], None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        if last is not None:
            value = eval(compile(last, "cell", "eval"), names)
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue().splitlines(keepends=True)})
    return outputs + ([shown(value)] if value is not None else [])


def execute(path):
    """The notebook's text with the outputs that its cells have now."""
    notebook, names, here = json.loads(path.read_text()), {}, os.getcwd()
    os.chdir(path.parent)
    try:
        for number, cell in enumerate((c for c in notebook["cells"] if c["cell_type"] == "code"), start=1):
            cell["outputs"], cell["execution_count"] = run("".join(cell["source"]), names), number
            for output in cell["outputs"]:
                if output["output_type"] == "execute_result":
                    output["execution_count"] = number
    finally:
        os.chdir(here)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main():
    check, wrong = sys.argv[1:2] == ["--check"], []
    for path in map(Path, sys.argv[1 + check:]):
        text = execute(path.resolve())
        if check:
            wrong += difflib.unified_diff(path.read_text().splitlines(), text.splitlines(), str(path), "now", lineterm="")
        else:
            path.write_text(text)
    sys.exit("\n".join(wrong) if wrong else 0)


main()
