# SPDX-License-Identifier: Apache-2.0
"""The table of docs/library.md: what bench/light.py measured of getting riffle, the clock's seconds beside those of processors."""
import results
from markdown import markdown

ASKED = {"reach_seconds": "{:.0f} s", "reach_bytes": "{:,} bytes"}


def cells(row):
    taken = [f"{row['seconds']:.1f}", f"{row['processor_seconds']:.1f}", ""] if "seconds" in row else ["", "", f"{row['bytes']:,}"]
    asked = [shown.format(row[name]) for name, shown in ASKED.items() if row.get(name)]
    return [f"`{row['name']}`", *taken, *(asked or [""])]


def table(run):
    used = ", ".join(run["compilers"].values())
    where = f"{run['device']}, {run['processors']} threads; {used}; commit {run['commit']}"
    where += f"; {run['load']:.0f} processes were at work beside." if run["load"] >= 1 else "."
    return "\n".join([where, "", *markdown(["", "s", "s of processors", "bytes", "asked for"], map(cells, run["results"]))])


def tables():
    shown = [table(run) for run in results.read_all("light")]
    return "\n\n".join(shown) + "\n" if shown else "Not measured yet.\n"
