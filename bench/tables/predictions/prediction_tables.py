# SPDX-License-Identifier: Apache-2.0
"""How exact predictions are, as tests/support/predicted/bounds.h lists it for tests: "predictions all", "predictions sorts" and
"predictions hulls". A bound that no test judges by is an error."""
import re
from pathlib import Path

from markdown import markdown

TESTS = Path(__file__).resolve().parents[3] / "tests"
ROW = re.compile(r'BOUND\((\w+), (\w+), (\d+), (\d+), "(.*)"\)')


def part(percent):
    """A bound in words, of how many percent one may exceed the other."""
    if percent == 0:
        return "exact"
    return f"{percent}%" if percent < 100 else f"a factor of {1 + percent / 100:g}"


def tables(what):
    rows = ROW.findall((TESTS / "support/predicted/bounds.h").read_text())
    judged = {name for path in TESTS.glob("*/*.[ch]") for name in re.findall(r"\bBOUND_(\w+)", path.read_text())}
    if idle := {name for name, *_ in rows} - judged:
        raise ValueError(f"no test judges predictions by {', '.join(sorted(idle))}")
    cells = []
    for _, table, percent, slow, words in rows:
        if table == what:
            cells.append([words, part(int(percent)) + ("" if slow == percent else f"; {part(int(slow))} where latency is 400")])
    if not cells:
        raise ValueError(f"no table of predictions is called {what}")
    return "\n".join(markdown(["what", "time units within"], cells, 2)) + "\n"
