# SPDX-License-Identifier: Apache-2.0
"""The tables of the suite once, by the names of their regions, as bench/tables/affine_tables.py has those of affine."""
from markdown import count, device, markdown, milliseconds

# The targets, first and then: times a copy of the elements at most.
TAKE, PUT, SHUFFLE = "take by {}-byte indices", "put by {}-byte indices", "shuffle by a seed"
TARGETS = [(TAKE.format(4), 26, 9, 6.5), (TAKE.format(8), 26, 10.5, 6.5), (TAKE.format(4), 28, 9, 6.5),
           (TAKE.format(8), 28, 10.5, 6.5), (PUT.format(4), 28, 8, 5.5), (SHUFFLE, 28, 8, 5.5)]
PLAIN = "random:1"  # a plan's gather, which is executed with its table planned before


def rows_of(run, *groups):
    return [row for row in run["results"] if row["suite"] == "once" and (not groups or row["group"] in groups)]


def found_in(rows):
    return {(row["by"], row["n"], row["elem_bytes"]): row for row in rows if "ratio" in row}


def verdict(reached):
    return "yes" if reached else "**no**"


def targets(run, runs):
    found = found_in(rows_of(run))
    cells = []
    for by, bits, first, then in TARGETS:
        row = found.get((by, 1 << bits, 4))
        if row:
            cells.append([by, f"2^{bits}", f"{first:g}; {then:g}", f"{row['ratio']:.2f}",
                          f"{verdict(row['ratio'] <= first)}; {verdict(row['ratio'] <= then)}"])
    return [device(run), "", *markdown(["", "floats", "at most; then", "measured", "reached"], cells, 4)] if cells else []


def columns(run, groups, ways):
    """A line for each length and size, a column for each way."""
    found = found_in(rows_of(run, *groups))
    cells = []
    for n, size in dict.fromkeys((row["n"], row["elem_bytes"]) for row in rows_of(run, *groups)):
        here = [found.get((by, n, size)) for by in ways]
        copy = next((row["copy_seconds"] for row in here if row), None)
        kept = max((row["workspace_bytes"] / n for row in here if row), default=0)
        cells.append([count(n), size, milliseconds(copy) if copy else "",
                      *[f"{row['ratio']:.2f}" if row else "" for row in here], f"{kept:.1f}"])
    heads = ["elements", "bytes each", "cudaMemcpy, ms", "plain gather", *ways[1:], "workspace, bytes an element, at most"]
    return [device(run), "", *markdown(heads, cells, 0)] if cells else []


def lengths(run, runs):
    return columns(run, ["take", "put", "shuffle"],
                   [PLAIN, TAKE.format(4), TAKE.format(8), PUT.format(4), PUT.format(8), SHUFFLE])


def sizes(run, runs):
    return columns(run, ["sizes"], [PLAIN, TAKE.format(4), PUT.format(4), SHUFFLE])


def plans(run, runs):
    """Plans by the algorithm once: of a seed, and of a table in device memory."""
    found = found_in(rows_of(run, "plan"))
    cells = []
    for n in dict.fromkeys(n for _, n, _ in found):
        of_seed, of_table = (found.get((by, n, 4)) for by in ("random:1", "random:2"))
        if of_seed and of_table:
            cells.append([count(n), *[cell for row in (of_seed, of_table)
                                      for cell in (milliseconds(row["plan_seconds"]), milliseconds(row["seconds"]), f"{row['ratio']:.2f}")]])
    heads = ["elements", "a seed: plan, ms", "move, ms", "copies", "a table: plan, ms", "move, ms", "copies"]
    return [device(run), "", *markdown(heads, cells, 0)] if cells else []


SHOWN = {"once-targets": targets, "once-lengths": lengths, "once-sizes": sizes, "once-plans": plans}
