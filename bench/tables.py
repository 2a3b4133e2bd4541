#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of measured results into README.md and docs/*.md.

    tables.py            rewrite every generated region
    tables.py --check    exit 1 if a region is not what bench/results/ says

A region stands between <!-- begin generated: ENGINE --> and <!-- end generated -->, and shows every file
bench/results/*.json (what `riffle bench --json` printed, peers' rows included) of that engine. With
"ENGINE brief" it shows only 4-byte elements and the planner's own choice of algorithm. A row whose
algorithm is not one of riffle's, such as "numpy", is a peer: it becomes a column.
"""
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REGION = re.compile(r"(<!-- begin generated: (\w+)( brief)? -->\n).*?(<!-- end generated -->)", re.DOTALL)
OWN = {"copy", "scatter", "gather", "affine", "axes", "bucket"}


def count(n):
    """2^k for a power of two, digits otherwise."""
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 and n > 1024 else f"{n:,}"


def milliseconds(seconds):
    return f"{seconds * 1e3:.3g}" if seconds < 1 else f"{seconds * 1e3:.0f}"


def what_moves(row):
    return row["by"], row["n"], row["elem_bytes"]


def table(run, brief):
    """The Markdown lines for one run of the benchmark."""
    own = [row for row in run["results"] if row["algorithm"] in OWN]
    peers = {(row["algorithm"], what_moves(row)): row for row in run["results"] if row["algorithm"] not in OWN}
    names = sorted({name for name, _ in peers})
    if brief:
        own = [row for row in own if row["elem_bytes"] == 4 and row.get("asked_algorithm", "auto") == "auto"]

    heads = ["permutation", "elements", "bytes each", "algorithm", "ms", "times a copy", "plan ms", "plan bytes"]
    lines = [f"{run['device']}, {run.get('threads', '?')} threads; riffle {run['version']} ({run['commit']}).", ""]
    lines.append("| " + " | ".join(heads + [f"{name}, times a copy" for name in names]) + " |")
    lines.append("| --- |" + " --: |" * 2 + " --- |" + " --: |" * (len(heads) - 4 + len(names)))
    for row in own:
        asked = row.get("asked_algorithm", "auto")
        cells = [f"`{row['by']}`", count(row["n"]), str(row["elem_bytes"])]
        cells += [row["algorithm"] + (" (asked for)" if asked != "auto" else "")]
        cells += [milliseconds(row["seconds"]), f"{row['seconds'] / row['copy_seconds']:.2f}"]
        cells += [milliseconds(row.get("plan_seconds", 0)), f"{row.get('plan_bytes', 0):,}"]
        for name in names:
            peer = peers.get((name, what_moves(row)))
            cells.append(f"{peer['seconds'] / peer['copy_seconds']:.2f}" if peer and asked == "auto" else "")
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return lines


def region(engine, brief, runs):
    runs = [run for run in runs if run["engine"] == engine]
    if not runs:
        return "No measurements have been committed yet.\n"
    return "\n\n".join("\n".join(table(run, brief)) for run in runs) + "\n"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    runs = [json.loads(path.read_text()) for path in sorted((ROOT / "bench/results").glob("*.json"))]
    stale = []
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        old = path.read_text()
        new = REGION.sub(lambda m: m[1] + "\n" + region(m[2], bool(m[3]), runs) + "\n" + m[4], old)
        if new != old:
            stale.append(str(path.relative_to(ROOT)))
            if not sys.argv[1:]:
                path.write_text(new)
    if stale:
        print(("stale, run bench/tables.py: " if sys.argv[1:] else "rewritten: ") + ", ".join(stale))
    sys.exit(1 if stale and sys.argv[1:] else 0)


main()
