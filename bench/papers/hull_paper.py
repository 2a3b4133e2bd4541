#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The dissertation's hull (Jurkiewicz 2013, chapter 3): what its Figures 3.4 to 3.6 show, own beside theirs.

    hull_paper.py count LIBRIFFLE.so OUT.json    count on the memory machine: accesses of warps, iterations; a quarter of an hour
    hull_paper.py one LIBRIFFLE.so SHAPE N       count one row of Figures 3.5 and 3.6, and print it beside the text's
    hull_paper.py growth LIBRIFFLE.so            Theorem 3.1: count 20,000 points with more and more corners, and print them
    hull_paper.py check LIBRIFFLE.so             count the smallest row again; exit 1 if it is not what bench/results/hull/ says
    hull_paper.py times OWN.json PAPER.json [OUT]  times on a GPU, into bench/results/hull/h200.json: of the documents that
                                                 riffle-bench --suite hull --only figure --engine cuda --json printed, and
                                                 the same with --algorithm paper (bench/gpu.sh hull runs both)
    hull_paper.py tables                         rewrite the generated regions of docs/hull.md
    hull_paper.py tables --check                 exit 1 if they are not what bench/results/hull/ says

Regions stand between <!-- begin hull: NAME --> and <!-- end hull -->. Times on a GPU are a row a line. The algorithm "paper" is the
dissertation's, "auto" what riffle_cuda_hull_execute does, and "sorted" the steps by sorting alone, on all points.
"""
import ctypes
import json
import math
import random
import re
import sys
from array import array
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/hull.md"
sys.path.insert(0, str(ROOT / "bench/tables"))
import results  # noqa: E402

F32, PAPER = 9, 1
# Figure 3.4: shape, n, h, milliseconds on a GTX 285.
THEIRS = {("square", 10**5): (36, 9), ("square", 10**6): (40, 14), ("square", 10**7): (42, 58),
          ("disc", 10**5): (160, 12), ("disc", 10**6): (344, 20), ("disc", 10**7): (715, 73),
          ("ring", 10**5): (31526, 27), ("ring", 10**6): (58982, 53), ("ring", 10**7): (101405, 282)}


# Figures 3.5 and 3.6: thousands of reads and of writes, n log h / 1000 S, splitting iterations, independent ones.
THEIR_COUNTS = {("square", 10**5): (36, 13, 19, 3, 19), ("square", 10**6): (225, 59, 188, 4, 30), ("square", 10**7): (2085, 453, 1875, 4, 27),
                ("disc", 10**5): (55, 31, 25, 6, 98), ("disc", 10**6): (293, 153, 281, 9, 218), ("disc", 10**7): (2500, 1265, 3125, 11, 453),
                ("ring", 10**5): (206, 127, 47, 14, 23198), ("ring", 10**6): (1224, 693, 500, 12, 47540), ("ring", 10**7): (11409, 6315, 5313, 13, 85074)}
# As far as the machine takes minutes: the ring of 10^7 would take half an hour, and 16 GB.
COUNTED = [(shape, n) for n in (10**4, 10**5, 10**6) for shape in ("square", "disc", "ring")] + [("square", 10**7)]


class Options(ctypes.Structure):
    _fields_ = [("segments", ctypes.c_uint64), ("all", ctypes.c_bool), ("points", ctypes.c_bool), ("index_bytes", ctypes.c_size_t),
                ("threads", ctypes.c_uint), ("algorithm", ctypes.c_uint), ("callers_workspace", ctypes.c_bool)]


class Counts(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("corners", "outside", "iterations", "problems", "pivots", "reads", "writes")]


def points_of(shape, n, on_circle):
    """Pairs of floats; of "circle" so many on a circle, and the others within."""
    chance, out = random.Random(18), array("f")
    for k in range(n):
        u, v, angle = chance.random(), chance.random(), 2 * math.pi * chance.random()
        radius = {"ring": 1, "disc": math.sqrt(u), "circle": 1 if k < on_circle else 0.9 * math.sqrt(u)}.get(shape)
        out.extend((u, v) if shape == "square" else (radius * math.cos(angle), radius * math.sin(angle)))
    return out


def count_one(library, shape, n, on_circle=0):
    points, counts, report = points_of(shape, n, on_circle), Counts(), ctypes.c_void_p()
    address = ctypes.c_void_p(points.buffer_info()[0])
    if library.riffle_simulate_hull(ctypes.c_uint64(n), F32, address, ctypes.byref(Options(algorithm=PAPER)), None,
                                    ctypes.byref(counts), ctypes.byref(report)) != 0:
        sys.exit(library.riffle_error_detail().decode())
    library.riffle_report_free(report)
    row = {"shape": shape, "n": n, **{name: getattr(counts, name) for name, _ in Counts._fields_}}
    print(row, file=sys.stderr, flush=True)
    return row


def load(path):
    library = ctypes.CDLL(path)
    library.riffle_error_detail.restype = ctypes.c_char_p
    return library


def check(path):
    kept = next(row for row in results.read("hull/machine.json") if (row["shape"], row["n"]) == ("square", 10**4))
    now = count_one(load(path), "square", 10**4)
    if now != kept:
        sys.exit(f"stale, run hull_paper.py count: bench/results/hull/machine.json has {kept}")


def growth(library):
    return [count_one(library, "circle", 2 * 10**4, 2**k) for k in (4, 6, 8, 10, 12)]


def count(path, out):
    library = load(path)
    rows = [count_one(library, shape, n) for shape, n in COUNTED] + growth(library)
    Path(out).write_text(results.rows_text(rows))


def show_one(path, shape, n):
    rows = [count_one(load(path), shape, int(n))]
    print("\n".join([*figures(rows), "", *beside(rows)]))


def show_growth(path):
    print("\n".join(figures(growth(load(path)))))


# --------------------------------------------------------------------- times

def figure_rows(path, algorithm):
    """A run's rows of Figure 3.4."""
    run = json.loads(Path(path).read_text())
    rows = [row for row in run["results"] if row.get("group") == "figure" and "seconds" in row]
    missing = set(THEIRS) - {(row["by"], row["n"]) for row in rows if row["algorithm"] == algorithm}
    if missing or run["engine"] != "cuda":
        sys.exit(f"{path}: no rows of a GPU by {algorithm} of {sorted(missing) or 'the figure'}")
    return [{"shape": row["by"], "type": row["type"], "n": row["n"], "algorithm": "paper" if algorithm == "hull-paper" else "auto",
             "corners": row["corners"], "checked": "wrong" not in row, "seconds": row["seconds"], "copy_seconds": row["copy_seconds"],
             "commit": run.get("commit")} for row in rows]


def keep_times(own, paper, out):
    rows = figure_rows(paper, "hull-paper") + figure_rows(own, "hull")
    Path(out).write_text(results.rows_text(rows))


# -------------------------------------------------------------------- tables

def power(n):
    exponent = round(math.log10(n))
    return f"10^{exponent}" if n == 10**exponent else f"{n}"


def ratio(row):
    return (row["reads"] + row["writes"]) / (row["n"] * math.log2(row["corners"]) / 32)


def figures(rows):
    lines = ["| points | n | corners | outside | iterations | problems then | pivots then | reads and writes | of n log h / S |",
             "| --- |" + " --: |" * 8]
    for row in rows:
        lines.append(f"| {row['shape']} | {power(row['n'])} | {row['corners']} | {row['outside']} | {row['iterations']} "
                     f"| {row['problems']} | {row['pivots']} | {row['reads'] + row['writes']} | {ratio(row):.1f} |")
    return lines


def beside(rows):
    """Figures 3.5 and 3.6, theirs and ours."""
    lines = ["| points | n | reads, thousands: theirs | ours | writes: theirs | ours | over n log h / S: theirs | ours | times as many "
             "| splitting iterations: theirs | ours | pivots then: theirs | ours |", "| --- |" + " --: |" * 12]
    for row in rows:
        if (row["shape"], row["n"]) not in THEIR_COUNTS:
            continue
        reads, writes, unit, split, alone = THEIR_COUNTS[row["shape"], row["n"]]
        lines.append(f"| {row['shape']} | {power(row['n'])} | {reads} | {row['reads'] / 1000:.0f} | {writes} | {row['writes'] / 1000:.0f} | {(reads + writes) / unit:.1f} "
                     f"| {ratio(row):.1f} | {(row['reads'] + row['writes']) / 1000 / (reads + writes):.1f} | {split} | {row['iterations']} "
                     f"| {alone} | {row['pivots']} |")
    return lines


def times(rows):
    found = {(row["shape"], row["n"], row["algorithm"]): row for row in rows}
    ways = {"paper": "ms", "auto": "riffle's, ms", "sorted": "by sorting, ms"}
    ways = {way: title for way, title in ways.items() if any(row["algorithm"] == way for row in rows)}
    lines = ["| points | n | theirs: corners | ms | the same on an H200: corners | " + " | ".join(ways.values()) + " | copy, ms |",
             "| --- |" + " --: |" * (5 + len(ways))]
    for (shape, n), (corners, milliseconds) in THEIRS.items():
        paper = found[shape, n, "paper"]
        cells = [f"{found[shape, n, way]['seconds'] * 1e3:.2f}" for way in ways]
        lines.append(f"| {shape} | {power(n)} | {corners} | {milliseconds} | {paper['corners']} | {' | '.join(cells)} "
                     f"| {paper['copy_seconds'] * 1e3:.3f} |")
    return lines


def region(name):
    if name == "times":
        rows = results.read("hull/h200.json")
        return times(rows) if rows else ["Not measured yet."]
    rows = results.read("hull/machine.json")
    if name == "beside":
        return beside(rows)
    return figures([row for row in rows if (row["shape"] == "circle") == (name == "growth")])


def tables(check):
    old = PAGE.read_text()
    new = re.sub(r"(<!-- begin hull: (\w+) -->\n).*?(<!-- end hull -->)",
                 lambda found: found[1] + "\n".join(region(found[2])) + "\n" + found[3], old, flags=re.DOTALL)
    if check and new != old:
        sys.exit("docs/hull.md is not what bench/results/hull/ says: run bench/papers/hull_paper.py tables")
    if not check:
        PAGE.write_text(new)


if __name__ == "__main__":
    if sys.argv[1:2] == ["count"] and len(sys.argv) == 4:
        count(*sys.argv[2:])
    elif sys.argv[1:2] == ["times"] and len(sys.argv) in (4, 5):
        keep_times(*sys.argv[2:4], *(sys.argv[4:] or [results.FOLDER / "hull/h200.json"]))
    elif sys.argv[1:2] == ["one"] and len(sys.argv) == 5 and sys.argv[3] in ("square", "disc", "ring") and sys.argv[4].isdigit():
        show_one(*sys.argv[2:])
    elif sys.argv[1:2] == ["growth"] and len(sys.argv) == 3:
        show_growth(sys.argv[2])
    elif sys.argv[1:2] == ["check"] and len(sys.argv) == 3:
        check(sys.argv[2])
    elif sys.argv[1:2] == ["tables"]:
        tables("--check" in sys.argv)
    else:
        sys.exit(__doc__)
