# SPDX-License-Identifier: Apache-2.0
"""What the README and docs/python.md show runs, and names are what they say."""
import re
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


def test_names():
    """docs/python.md's table has every public name, and every name has a docstring."""
    page = (ROOT / "docs/python.md").read_text()
    for name in riffle.__all__:
        assert re.search(rf"\b{name}\b", page), name
        assert getattr(riffle, name).__doc__, name
    for name in riffle.errors.CLASSES.values():
        assert f"`{name.__name__}`" in page
