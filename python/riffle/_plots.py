# SPDX-License-Identifier: Apache-2.0
"""The pictures of plot(), where Matplotlib is: of permutations, plans, programs' plans, and the machine's reports."""
import re

from .errors import Unsupported

GOOD, BAD, IDEAL = "#4878a8", "#c44e52", "#bbbbbb"
MOST_DOTS = 1 << 14


def _axes(ax, **size):
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError:
        raise Unsupported("plot: Matplotlib is not installed; pip install matplotlib") from None
    return pyplot.subplots(layout="constrained", **size)[1]


def _bars(ax, names, values, colors, words):
    """Horizontal bars from the top, each with its number."""
    bars = ax.barh(range(len(names)), values, color=colors)
    ax.bar_label(bars, [f"{value:g}" for value in values], padding=3)
    ax.set_yticks(range(len(names)), names)
    ax.invert_yaxis()
    ax.margins(x=0.15)
    ax.set_xlabel(words)
    return ax


def perm(self, ax=None):
    """Draws a dot for each index, up to 2^14 of them evenly: from the left i, upwards p(i). Returns Matplotlib's axes."""
    import numpy
    ax = _axes(ax, figsize=(5, 5))
    at = numpy.unique(numpy.linspace(0, max(self.n - 1, 0), min(self.n, MOST_DOTS)).astype(numpy.int64))
    ax.plot(at, self(at), "s", color=GOOD, markersize=max(0.5, 200 / max(self.n, 20)))
    ax.set(title=repr(self), xlabel="i", ylabel="p(i)", aspect="equal")
    return ax


def plan(self, ax=None):
    """Draws what the plan is expected to cost, in copies of the array: the memory that its passes read and write, and the time.
    Returns Matplotlib's axes."""
    text = self.explain()
    traffic = re.search(r"^traffic +(\S+) bytes an element, where a copy carries (\S+)", text, re.MULTILINE)
    expected = re.search(r"^expected +about (\S+) times", text, re.MULTILINE)
    names, values = ["a copy"], [1.0]
    if traffic:
        names.append("memory")
        values.append(float(traffic[1]) / float(traffic[2]))
    if expected:
        names.append("time")
        values.append(float(expected[1]))
    ax = _bars(_axes(ax, figsize=(6, 2)), names, values, [IDEAL, GOOD, GOOD], "copies of the array")
    ax.set_title(f"{self.algorithm}, {self.passes} pass{'' if self.passes == 1 else 'es'}")
    return ax


def program(self, ax=None):
    """Draws how many passes the program takes, the fewest that there can be, and stages that are not fused. Returns Matplotlib's axes."""
    numbers = self.numbers
    kinds = {"passes": "passes", "bound": "at least", "stages": "one stage at a time"}
    ax = _bars(_axes(ax, figsize=(6, 2)), list(kinds.values()), [numbers[key] for key in kinds], [GOOD, IDEAL, IDEAL], "passes over the array")
    ax.set_title(f"2^{self.n} elements")
    return ax


def report(self, ax=None):
    """Draws for each line that touches memory its requests, red where they waste it, and over them those that would do. Returns
    Matplotlib's axes."""
    rows, wasteful = self.rounds, self.wasteful
    names = [f"{r['file']}:{r['line']}" if r["line"] else r["kernel"] for r in rows]
    names = [f"{name} {r['space']} {r['op']}" + (f" of {r['array']}" if r.get("array") else "") for name, r in zip(names, rows)]
    ax = _axes(ax, figsize=(8, 1 + 0.3 * len(rows)))
    _bars(ax, names, [r["requests"] for r in rows], [BAD if r in wasteful else GOOD for r in rows], "requests; the line: as few as would do")
    ax.plot([value for r in rows for value in (r["ideal_requests"],) * 2 + (None,)],
            [value for k in range(len(rows)) for value in (k - 0.4, k + 0.4, None)], color="black")
    ax.set_title(f"{self.time_units} time units")
    return ax
