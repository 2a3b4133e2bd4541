# SPDX-License-Identifier: Apache-2.0
"""The README's first table and its picture: moves by riffle, and the same by what people use otherwise.

bench/tables.py writes both. Each figure is a row of a file in bench/results/: the time of the move over that of a copy of
the same bytes, measured in the same run. A move that was not measured by both is left out.
"""
from markdown import count, markdown, where

PICTURE = "docs/images/first.svg"
NAMES = {"numpy": "NumPy", "torch": "PyTorch"}
# The moves in words; the engine, permutation and length of their rows; and the peer, and how it was told to move.
MOVES = [("transpose a matrix", "cpu", "transpose:8192x8192", 1 << 26, "numpy", None),
         ("put elements in random order", "cpu", "random:1", 1 << 26, "numpy", None),
         ("transpose a matrix", "cuda", "transpose:16384x16384", 1 << 28, "torch", "one permute"),
         ("transpose an odd matrix", "cuda", "axes:10007x10009:1,0", 10007 * 10009, "torch", "permute"),
         ("images to channels last", "cuda", "axes:32x3x1024x1024:0,2,3,1", 3 << 25, "torch", "permute"),
         ("reverse the index bits (FFT)", "cuda", "bit-reversal", 1 << 28, "torch", "two permutes"),
         ("put elements in random order", "cuda", "random:1", 1 << 28, "torch", "x[p]")]
BYTES = 4
LEFT, SCALE, BAR, STEP, TOP = 262, 5.4, 15, 48, 52  # measures of the picture: pixels, and pixels a copy


def found(runs, engine, by, n, wanted):
    """The measured row that `wanted` accepts, and the run that it is of: the last such run by name, or two Nones. Peers call
    some permutations by their first word alone."""
    rows = [(row, run) for run in runs if run["engine"] == engine for row in run["results"]
            if row["by"] in (by, by.split(":")[0]) and (row["n"], row["elem_bytes"]) == (n, BYTES) and wanted(row)]
    return rows[-1] if rows else (None, None)


def of_riffle(row):
    """True for the planner's choices: of the affine suite, whose rows ask for what it would choose, the large ones."""
    return row.get("asked_algorithm") == "auto" and not row.get("table") or row.get("group") == "large"


def on_each_device(runs):
    """The runs of each device, of the last by name first: both of what is compared are measured on one."""
    devices = dict.fromkeys(run["device"] for run in reversed(runs))
    return [[run for run in runs if run["device"] == device] for device in devices]


def measured(runs):
    """For each of MOVES: its words, the run, the length, riffle's row, the peer's name and row."""
    rows = []
    for words, engine, by, n, peer, how in MOVES:
        for there in on_each_device(runs):
            own, run = found(there, engine, by, n, of_riffle)
            other, _ = found(there, engine, by, n, lambda row: row["algorithm"] == peer and row.get("how") == how)
            if own and other:
                rows.append((words, run, n, own, NAMES[peer], other))
                break
    return rows


def times(row):
    return f"{row['seconds'] / row['copy_seconds']:.1f}"


def table(runs):
    cells = [[words, count(n), where(run), f"**{times(own)}**", f"{times(other)} ({name})"]
             for words, run, n, own, name, other in measured(runs)]
    return markdown(["move", "floats", "machine", "riffle, times a copy", "what else there is"], cells, 3)


def text(x, y, words, anchor="start", size=13, weight="normal"):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}">{words}</text>'


def bar(y, row, fill, name):
    width = round(SCALE * row["seconds"] / row["copy_seconds"], 1)
    return [f'<rect x="{LEFT}" y="{y}" width="{width}" height="{BAR}" fill="{fill}"/>',
            text(LEFT + width + 6, y + BAR - 3, f"{name} {times(row)}", size=12)]


def picture(runs):
    """Two bars for each move, and a line where a copy's would end."""
    rows = measured(runs)
    bottom = TOP + STEP * len(rows)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {bottom + 10}" width="760" height="{bottom + 10}" '
             'font-family="sans-serif" fill="#111">', "<title>Moves, over the time of a copy</title>",
             f'<rect width="760" height="{bottom + 10}" rx="8" fill="#fff"/>',
             text(LEFT + SCALE, 24, "time over that of a copy of the same bytes; the line is a copy", size=13)]
    for k, (words, run, n, own, name, other) in enumerate(rows):
        y = TOP + STEP * k
        lines += [text(LEFT - 12, y + 12, words, "end", weight="bold"),
                  text(LEFT - 12, y + 29, f"{n:,} floats, {where(run)}", "end", size=11),
                  *bar(y, own, "#d9730d", "riffle"), *bar(y + BAR + 1, other, "#9fb4c7", name)]
    lines.append(f'<path d="M {LEFT + SCALE} 32 V {bottom}" stroke="#111" stroke-dasharray="3 3"/>')
    return "\n".join([*lines, "</svg>"]) + "\n"
