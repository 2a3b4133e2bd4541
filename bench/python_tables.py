# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/python.md: what bench/python.py measured, on a host and on a GPU."""
from markdown import count, device, markdown


def seconds(value):
    for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if value >= unit:
            return f"{value / unit:.3g} {name}"
    return f"{value * 1e9:.0f} ns"


def reach(row):
    """What the issue asked for, and whether it was met."""
    if row.get("reach") is None:
        return ""
    if "times" in row:
        return f"{row['reach']} times: {'yes' if row['times'] >= row['reach'] else '**no**'}"
    return f"{seconds(row['reach'])}: {'yes' if row['seconds'] <= row['reach'] else '**no**'}"


def cells(row):
    beside = [f"`{row['peer']}`", seconds(row["peer_seconds"]), f"{row['times']:.1f}"] if "times" in row else ["", "", ""]
    return [row["name"], seconds(row["seconds"]), *beside, reach(row)]


def table(run, runs, engine):
    rows = [row for row in run["results"] if row["suite"] == "python"]
    if not rows or run["engine"] != engine:
        return []
    where = f"{device(run)} Python {run['python']}, NumPy {run['numpy']}, arrays of {count(1 << run['log2'])} floats"
    where += f"; {run['load']:.0f} processes were at work beside." if run["load"] >= 1 else "."
    return [where, "", *markdown(["", "riffle", "others", "take", "times", "reach"], map(cells, rows), 1)]


SHOWN = {"python-host": lambda run, runs: table(run, runs, "cpu"), "python-gpu": lambda run, runs: table(run, runs, "cuda")}
