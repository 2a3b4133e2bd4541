#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the papers' figures for docs/pictures.md, from what commands of riffle trace or print.

    pictures.py RIFFLE            rewrite docs/pictures.md and its pictures, docs/images/NAME.svg
    pictures.py RIFFLE --check    exit 1 if one of them is not what the commands give now

A picture is one record of PICTURES. Its commands are run in an empty folder that has examples/ and bench/ of the sources; `draw` gets the names of
the files that they wrote and gives the drawing. Whatever is drawn is taken from the accesses: where an element is, from who read it and where
he wrote it.
"""
import csv
import json
import math
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Callable, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))
from drawing import CELL, DASHES, FILLS, LINES, arrow, banks, box, grid, line, note, sheet, text  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PAGE, IMAGES = ROOT / "docs/pictures.md", ROOT / "docs/images"
WORKED = "riffle lint examples/lint/worked_example.cu --kernel {0} --width 4 --latency 5 --shared-latency 5 --block 8 --arg int:8 --arg int:16:index --trace {0}.csv"
W = 4


class Picture(NamedTuple):
    name: str
    title: str
    commands: list[str]
    words: str
    draw: Callable[[Path], str]


# --------------------------------------------------------------------------------------- traces

NUMBERS = ("time", "launch", "round", "block", "warp", "lane", "group", "address", "bytes")


def trace_of(path):
    with open(path, newline="") as file:
        return [{name: int(value) if name in NUMBERS else value for name, value in row.items()} for row in csv.DictReader(file)]


def rounds_of(trace):
    """The accesses of each round, by warp and lane."""
    found = {}
    for row in trace:
        found.setdefault(row["round"], []).append(row)
    return [sorted(found[k], key=lambda row: (row["block"], row["warp"], row["lane"])) for k in sorted(found)]


def follow(trace, source):
    """Where the elements of `source` are after each launch: {launch: {array: {address: the element's address in `source`}}}."""
    memory, held, after = {}, {}, {}
    for accesses in rounds_of(trace):
        for row in accesses:
            who = (row["launch"], row["block"], row["warp"], row["lane"])
            array = (row["array"], row["launch"], row["block"]) if row["space"] == "shared" else row["array"]
            if row["op"] == "read" and row["array"] not in ("s", "d"):
                place = row["address"] // row["bytes"]
                held[who] = memory.get(array, {}).get(place, place if array == source else None)
            elif row["op"] == "write":
                memory.setdefault(array, {})[row["address"] // row["bytes"]] = held[who]
        launch = accesses[0]["launch"]
        after[launch] = {name: dict(cells) for name, cells in memory.items() if isinstance(name, str)}
    return after


def place_of(row):
    return row["address"] // row["bytes"]


# ------------------------------------------------------------------------------------ HMM paper

def draw_stages(trace, space, latency, x, y, title):
    """Figure 3: a row a pipeline stage, its requests in their banks, and its way through the pipeline."""
    rows = [row for row in trace if row["space"] == space and row["op"] == "read"]
    rows = [row for row in rows if row["round"] == max(one["round"] for one in rows)]
    first = min(row["time"] for row in rows)
    stages = max(row["time"] for row in rows) - first + 1
    cell, unit, bars = 48, 26, x + 4 * 48 + 120
    parts = [text(x, y - 26, title, "start", weight="bold"), *banks(x, y, W, cell)]
    for k in range(stages):
        requests = [row for row in rows if row["time"] - first == k]
        top = y + k * 30
        parts += [box(x + b * cell, top, cell, 26, "#fff", "#ddd") for b in range(W)]
        for row in requests:
            bank = place_of(row) % W
            parts += [box(x + bank * cell, top, cell, 26, FILLS[row["warp"]]), text(x + (bank + 0.5) * cell, top + 17, f"m[{place_of(row)}]", size=12)]
        words = f"W({requests[0]['warp']})" + (f", group {requests[0]['group']}" if space == "global" else "")
        parts += [note(x + W * cell + 10, top + 17, words), box(bars + k * unit, top + 4, latency * unit, 18, FILLS[requests[0]["warp"]])]
    bottom, total = y + stages * 30 + 6, stages + latency - 1
    parts.append(line(bars, bottom, bars + total * unit, bottom))
    for t in range(total + 1):
        parts += [line(bars + t * unit, bottom, bars + t * unit, bottom + 5), note(bars + t * unit, bottom + 19, t, "middle")]
    parts.append(note(bars + total * unit + 14, bottom + 19, f"{stages} + {latency} - 1 = {total} time units"))
    return parts


def hmm_figure3(folder):
    parts = draw_stages(trace_of(folder / "dmm.csv"), "shared", 5, 24, 64, "DMM: a stage is of requests for different banks")
    parts += draw_stages(trace_of(folder / "umm.csv"), "global", 5, 24, 254, "UMM: a stage is of requests for one address group")
    return sheet(780, 450, "Two warps on the DMM and on the UMM", parts)


def hmm_figure4(folder):
    rounds = rounds_of(trace_of(folder / "transpose.csv"))
    held = {(r["warp"], r["lane"]): place_of(r) for r in rounds[0]}
    stored = {place_of(r): held[r["warp"], r["lane"]] for r in rounds[1]}
    read = {place_of(r): r["warp"] for r in rounds[2]}
    plain = [[f"{r},{c}" for c in range(W)] for r in range(W)]
    words = [[f"{stored[r * W + c] // W},{stored[r * W + c] % W}" for c in range(W)] for r in range(W)]
    fills = [[read[r * W + c] for c in range(W)] for r in range(W)]
    columns = [[c for c in range(W)] for _ in range(W)]
    at = [r["group"] for r in rounds[2] if r["warp"] == 0]
    parts = [text(24, 30, "a, as it is", "start", weight="bold"), *banks(24, 66, W), *grid(24, 66, plain, columns),
             text(264, 30, "α, as the transpose's kernel stores it", "start", weight="bold"), *banks(264, 66, W), *grid(264, 66, words, fills),
             arrow(194, 146, 254, 146), note(24, 252, "Equal colours: a column of a, which one warp reads."),
             note(24, 270, f"Warp 0 finds its column in banks {', '.join(map(str, at))}.")]
    return sheet(580, 290, "The diagonal arrangement of a 4 x 4 matrix", parts)


def steps_of(trace):
    """For each warp of block 0 the addresses that its lanes read in the permuting round, and write."""
    rounds = [[r for r in accesses if r["block"] == 0] for accesses in rounds_of(trace)]
    shared = [accesses for accesses in rounds if accesses and accesses[0]["space"] == "shared"]
    steps = {}
    for read, write in zip(shared[1], shared[2]):
        steps.setdefault(read["warp"], []).append((place_of(read), place_of(write)))
    return steps


def hmm_figure5(folder):
    steps = steps_of(trace_of(folder / "rows.csv"))
    base = min(write for pairs in steps.values() for _, write in pairs)
    left, right, top, apart = 110, 400, 76, 74
    parts = [text(24, 30, "One row of 16 elements: an edge an element, a colour a warp", "start", weight="bold"),
             text(left - 12, top - 20, "banks of α", "end"), text(right + 12, top - 20, "banks of β", "start")]
    edges = [(read % W, write % W, warp) for warp, pairs in steps.items() for read, write in pairs]
    for k, (u, v, warp) in enumerate(edges):
        twin = [j for j, other in enumerate(edges) if other[:2] == (u, v)].index(k)
        y0, y1 = top + u * apart, top + v * apart
        bend = 26 * twin
        parts.append(f'<path d="M{left} {y0}C{left + 110} {y0 - bend} {right - 110} {y1 - bend} {right} {y1}" fill="none" stroke="{LINES[warp]}" '
                     f'stroke-width="2"' + (f' stroke-dasharray="{DASHES[warp]}"' if DASHES[warp] else "") + "/>")
    for b in range(W):
        for x, anchor, shift in ((left, "end", -14), (right, "start", 14)):
            y = top + b * apart
            parts += [f'<circle cx="{x}" cy="{y}" r="7" fill="#fff" stroke="#222"/>', text(x + shift, y + 4, f"B[{b}]", anchor)]
    for warp, pairs in steps.items():
        y = top + warp * apart - 22
        parts += [line(490, y, 520, y, LINES[warp], 2, DASHES[warp]), text(530, y + 4, f"warp {warp}", "start", weight="bold"),
                  note(490, y + 22, "reads α " + ", ".join(str(read) for read, _ in pairs)),
                  note(490, y + 39, "writes β " + ", ".join(str(write - base) for _, write in pairs))]
    return sheet(690, 330, "A regular bipartite graph of degree 4 in 4 colours", parts)


def hmm_figure6(folder):
    trace = trace_of(folder / "scheduled.csv")
    after = follow(trace, "src")
    target = {element: place for place, element in after[4]["dst"].items()}
    start = {k: k for k in range(W * W)}
    names = ["a", "after step 1, within rows", "after step 2, within columns", "b, after step 3, within rows"]
    states = [start, after[0]["dst"], after[3]["workspace"], after[4]["dst"]]
    colour = {element: place % W for place, element in states[1].items()}
    parts = [text(24, 30, "Each cell has the place that its element is on the way to, row and column", "start", weight="bold")]
    for k, (name, state) in enumerate(zip(names, states)):
        x = 24 + k * (W * CELL + 44)
        words = [[f"{target[state[r * W + c]] // W},{target[state[r * W + c]] % W}" for c in range(W)] for r in range(W)]
        fills = [[colour[state[r * W + c]] for c in range(W)] for r in range(W)]
        parts += [note(x, 62, name), *grid(x, 72, words, fills)]
        if k > 0:
            parts.append(arrow(x - 36, 152, x - 8, 152))
    parts.append(note(24, 258, "Equal colours: one column after step 1. No two elements of a row have the same, nor two on the way to the same row."))
    return sheet(24 + 4 * (W * CELL + 44), 278, "How the scheduled permutation routes 16 elements", parts)


# ------------------------------------------------------------------------------------ RAP paper

def turns(accesses):
    """The time units that each warp's requests take: its congestion."""
    return [len({r["time"] for r in accesses if r["warp"] == warp}) for warp in sorted({r["warp"] for r in accesses})]


def draw_requests(accesses, x, y, title):
    """Threads in the cells that they ask for."""
    words, fills = [[""] * W for _ in range(W)], [[None] * W for _ in range(W)]
    for row in accesses:
        r, c = divmod(place_of(row), W)
        one = f"T{row['warp'] * W + row['lane']}"
        words[r][c] = one if words[r][c] == "" else f"{words[r][c].split('-')[0]}-{row['lane']}"
        fills[r][c] = row["warp"]
    worst = max(turns(accesses))
    return [text(x, y - 28, title, "start", weight="bold"), *banks(x, y, W), *grid(x, y, words, fills),
            note(x, y + W * CELL + 20, f"congestion {worst}")]


def rap_figure2(folder):
    parts = []
    for k, accesses in enumerate(rounds_of(trace_of(folder / "requests.csv"))):
        parts += draw_requests(accesses, 24 + k * 200, 66, ["(1) different banks", "(2) one bank", "(3) one address"][k])
    return sheet(600, 262, "Four requests of a warp, and their congestion", parts)


def rap_figures4_5(folder):
    names = ["CRSW: rows to columns", "SRCW: columns to rows", "DRDW: diagonals"]
    parts = []
    for k, name in enumerate(names):
        trace = [r for r in trace_of(folder / "transposes.csv") if r["launch"] == k]
        shared = [accesses for accesses in rounds_of(trace) if accesses[0]["space"] == "shared"]
        y = 92 + k * 280
        parts += [text(24, y - 58, name, "start", 14, "bold"), *draw_requests(shared[1], 24, y, "reads a"), arrow(196, y + 80, 244, y + 80),
                  *draw_requests(shared[2], 256, y, "writes b")]
    parts.append(note(24, 870, "Colours are warps; a thread reads a and writes b where its number stands."))
    return sheet(480, 890, "Contiguous, stride and diagonal access in three transposes", parts)


def rap_figure6(folder):
    def stored(launch):
        rounds = rounds_of([r for r in trace_of(folder / "transposes.csv") if r["launch"] == launch])
        held = {(r["warp"], r["lane"]): place_of(r) for r in rounds[0]}
        cells = {place_of(r): held[r["warp"], r["lane"]] for r in rounds[1]}
        return [[cells[r * W + c] for c in range(W)] for r in range(W)]

    raw, rap = stored(0), stored(3)
    columns = [[c % W for c in row] for row in rap]
    shifts = [row.index(raw[k][0]) for k, row in enumerate(rap)]
    parts = [text(24, 30, "RAW", "start", weight="bold"), *banks(24, 66, W), *grid(24, 66, raw, [[c for c in range(W)]] * W, size=13),
             text(330, 30, f"RAP, r = ({', '.join(map(str, shifts))})", "start", weight="bold"), *banks(330, 66, W), *grid(330, 66, rap, columns, size=13)]
    for r, shift in enumerate(shifts):
        y = 66 + (r + 0.5) * CELL
        parts += [arrow(196, y, 318, y), note(252, y - 5, f"by r{r} = {shift}", "middle")]
    parts += [note(24, 252, "Equal colours: a column of a, in one bank on the left, in all of them on the right.")]
    return sheet(560, 270, "The random address permute-shift", parts)


# ----------------------------------------------------------------------------------- BMMC paper

def matrix_of(cells, bits):
    """Rows of the bit matrix of x -> y, where cells[y] is x; the map must be affine."""
    to = {x: y for y, x in cells.items()}
    columns = [to[1 << k] ^ to[0] for k in range(bits)]
    return [[columns[c] >> r & 1 for c in range(bits)] for r in range(bits)]


def product(a, b):
    return [[sum(a[r][k] & b[k][c] for k in range(len(b))) & 1 for c in range(len(b))] for r in range(len(a))]


def draw_bits(matrix, allowed, x, y, title, cell=20):
    m = len(matrix)
    parts = [text(x + m * cell / 2, y - 12, title, weight="bold")]
    for r in range(m):
        for c in range(m):
            parts.append(box(x + c * cell, y + r * cell, cell, cell, FILLS[0] if allowed(r, c) else "#fff", "#bbb"))
            if matrix[r][c]:
                parts.append(text(x + (c + 0.5) * cell, y + (r + 0.5) * cell + 5, 1, weight="bold"))
    return parts


def bmmc_figure8(folder):
    bits = 8
    after = follow(trace_of(folder / "bmmc.csv"), "src")
    whole = matrix_of(after[1]["dst"], bits)
    first = matrix_of(after[0]["workspace"], bits)
    of_first = {element: place for place, element in after[0]["workspace"].items()}
    second = matrix_of({place: of_first[element] for place, element in after[1]["dst"].items()}, bits)
    if product(second, first) != whole:
        raise ValueError("the passes' matrices do not multiply to the whole's")
    # A column of RL ends in row m - 1 - j, j being its number: P is what puts the columns in that order.
    ends = [bits - 1 - max(r for r in range(bits) if first[r][c]) for c in range(bits)]
    lower = [[first[r][ends.index(j)] for j in range(bits)] for r in range(bits)]
    order = [[int(ends[c] == r) for c in range(bits)] for r in range(bits)]
    upper = [list(reversed(row)) for row in second]
    if any(upper[r][c] for r in range(bits) for c in range(r)) or product(lower, order) != first:
        raise ValueError("a factor is not as the paper has it")
    x = [24 + k * 218 for k in range(4)]
    parts = draw_bits(whole, lambda r, c: False, x[0], 44, "A")
    parts += draw_bits(second, lambda r, c: r + c < bits, x[1], 44, "UR: the second pass")
    parts += draw_bits(lower, lambda r, c: r + c < bits, x[2], 44, "RL")
    parts += draw_bits(order, lambda r, c: False, x[3], 44, "P")
    parts += [text(x[k] - 29, 130, "=·×"[0] if k == 1 else "·", size=20) for k in (1, 2, 3)]
    parts += [line(x[2], 216, x[3] + 160, 216), note((x[2] + x[3] + 160) / 2, 234, "the first pass", "middle"),
              note(24, 234, "Entries outside of the shaded area are 0.")]
    return sheet(x[3] + 184, 250, "A bit matrix as two tiled ones", parts)


def draw_axes(left, right, top, bottom, ms_y, bits_x):
    parts = [line(left, top, left, bottom), line(left, bottom, right, bottom)]
    for ms in (0.05, 0.1, 0.2, 0.5, 1, 2):
        parts += [line(left, ms_y(ms), right, ms_y(ms), "#e2e2e2", 1), note(left - 8, ms_y(ms) + 4, f"{ms:g}", "end")]
    for bits in range(26):
        is_named = bits % 5 == 0
        parts.append(line(bits_x(bits), bottom, bits_x(bits), bottom + (6 if is_named else 3), "#555", 1))
        if is_named:
            parts.append(note(bits_x(bits), bottom + 21, f"2^{bits}", "middle"))
    return parts


def bmmc_figure12(_):
    run = json.loads((ROOT / "bench/results/h200-affine-transposes.json").read_text())
    rows = [row for row in run["results"] if row["n"] == 1 << 25 and "seconds" in row]
    names = [name for name in ("bmmc-naive", "bmmc-tile", "affine") if any(row["asked_algorithm"] == name for row in rows)]
    left, right, top, bottom = 70, 560, 50, 310

    def ms_y(ms):
        return bottom - math.log(ms / 0.04) / math.log(3 / 0.04) * (bottom - top)

    def bits_x(bits):
        return left + 12 + bits / 25 * (right - left - 24)

    parts = [text(left, 28, f"Transposes of 2^25 floats on an {run['device']}", "start", 14, "bold"), note(14, 184, "ms"),
             note((left + right) / 2, 352, "columns", "middle"), *draw_axes(left, right, top, bottom, ms_y, bits_x)]
    for k, name in enumerate(names):
        points = sorted((int(row["by"].split("x")[1]).bit_length() - 1, row["seconds"] * 1e3) for row in rows if row["asked_algorithm"] == name)
        path = "L".join(f"{bits_x(bits):.1f} {ms_y(ms):.1f}" for bits, ms in points)
        parts += [f'<path d="M{path}" fill="none" stroke="{LINES[k]}" stroke-width="2"/>',
                  *(f'<circle cx="{bits_x(bits):.1f}" cy="{ms_y(ms):.1f}" r="2.5" fill="{LINES[k]}"/>' for bits, ms in points),
                  line(580, 62 + 22 * k, 606, 62 + 22 * k, LINES[k], 2), text(614, 66 + 22 * k, name, "start")]
    copies = sorted(row["copy_seconds"] * 1e3 for row in rows)
    y, below = round(ms_y(copies[len(copies) // 2]), 1), 62 + 22 * len(names)
    parts += [line(left, y, right, y, "#222", 1.5, "2 3"), line(580, below, 606, below, "#222", 1.5, "2 3"), text(614, below + 4, "a copy", "start")]
    return sheet(720, 370, "Transposes by number of columns", parts)


def own(name):
    """The picture is one that a command has drawn."""
    return lambda folder: (folder / name).read_text()


PICTURES = [
    Picture("hmm-figure3", "Two warps on the DMM and the UMM (HMM paper, Figure 3; RAP paper, Figure 3)", [WORKED.format("dmm"), WORKED.format("umm")],
            "Warps W(0) and W(1) read cells <7, 5, 15, 0> and <10, 11, 12, 9> of memories with width 4 and latency 5. Requests that the memory cannot serve "
            "together take stages of their own.", hmm_figure3),
    Picture("hmm-figure4", "The diagonal arrangement (HMM paper, Figure 4)",
            ["riffle simulate --by transpose:4x4 --n 16 --algorithm transpose --width 4 --latency 5 --trace transpose.csv"],
            "Element a[i][j] goes to bank (i + j) mod 4, so that rows are written and columns read without a conflict.", hmm_figure4),
    Picture("hmm-figure5", "The colouring of a bipartite graph (HMM paper, Figure 5; DMM paper, Figure 3)",
            ["riffle simulate --by random:1 --n 64 --algorithm row-wise --row-length 16 --width 4 --trace rows.csv"],
            "An element that moves from bank u of shared memory to bank v is an edge. Each warp takes the edges of one colour, of which no two share a bank on either side, so it "
            "reads and writes without a conflict. The colours are those of the schedule that ran.", hmm_figure5),
    Picture("hmm-figure6", "The scheduled permutation's way (HMM paper, Figure 6)",
            ["riffle simulate --by random:1 --n 16 --algorithm scheduled --width 4 --trace scheduled.csv"],
            "Step 2 is a transpose, a row-wise permutation and a transpose back: launches 1 to 3 of the five.", hmm_figure6),
    Picture("rap-figure2", "Requests and their congestion (RAP paper, Figure 2)",
            ["riffle congestion --layout raw --pattern file:bench/papers/rap-figure2.txt --width 4 --trials 3 --trace requests.csv"],
            "Four threads of a warp ask for cells of four banks. Equal addresses are one request.", rap_figure2),
    Picture("rap-figures4-5", "Three transposes (RAP paper, Figures 4 and 5)", ["riffle lint bench/papers/figures.cu --width 4 --trace transposes.csv"],
            "Contiguous, stride and diagonal accesses of four warps, as the paper's three transposes make them. The colours are warps.", rap_figures4_5),
    Picture("rap-figure6", "Random address permute-shift (RAP paper, Figure 6)", ["riffle lint bench/papers/figures.cu --width 4 --trace transposes.csv"],
            "The fourth launch of the same program, whose rows are rotated by the paper's r = (2, 0, 3, 1). As in the text, a[10] is where a[9] was.", rap_figure6),
    Picture("bmmc-figure8", "A bit matrix as two tiled ones (BMMC paper, Figure 8)",
            ["riffle simulate --by random-affine:3 --n 2^8 --algorithm bmmc-tile --width 4 --trace bmmc.csv"],
            "A = (UR)(RLP), of an upper and a lower triangular matrix, the reversal R and a permutation P of bits. The matrices are read off where both passes put the elements.",
            bmmc_figure8),
    Picture("bmmc-figure12", "Transposes by number of columns (BMMC paper, Figure 12)", ["riffle-bench --suite affine --only transposes --engine cuda --json"],
            "The paper's AMD GPU slows down at some numbers of columns. This one does not where tiles are read and written; "
            "[affine.md](affine.md) counts which channels of memory they meet. Drawn from `bench/results/h200-affine-transposes.json`.", bmmc_figure12),
    Picture("vat-em", "Random scan over its cost in external memory (dissertation, Figure 2.2)",
            ["riffle vat curve --program random-scan --n 2^10..2^22 --memory 2^15:4.08,2^18:4.575,12582912:9.937,38.746 --tau 20 --per em --csv em.csv --svg em.svg"],
            "The caption's memory hierarchy, in nanoseconds, and 20 ns a fault: misses of data and of translations together over T_EM. By the hierarchy alone it would be 1 "
            "throughout; from 2^20 elements on the translation cache of 1536 nodes no longer holds them.", own("em.svg")),
    Picture("vat-logarithms", "Functions of a logarithmic flavour (dissertation, Figure 2.3)",
            ["riffle vat curve --program sequential-scan,heapify,random-scan,permute,binary-search --n 2^12..2^40x4 --replay 0 --per operation --draw vat_most "
             "--csv logs.csv --svg logs.svg"],
            "The text names no functions, so these are the model's own upper bounds for an operation: a constant twice, a logarithm twice, and log^2 n over log n. Steps are levels of "
            "the tree.", own("logs.svg")),
    Picture("vat-nested", "Permutation and introsort on a virtual machine (dissertation, Figure 2.6)",
            ["riffle vat curve --program permute,introsort --n 2^10..2^19 --nested --cache 256 --tau 30 --per element --replay 2^24 --csv nested.csv --svg nested.svg"],
            "Time over n where an operation takes 1 and a fault of the guest or of the host 30. As in the text, sorting takes less than permuting once the caches are too small, with 19 times "
            "the operations.", own("nested.svg")),
    Picture("sweep", "Time units over lengths and machines",
            ["riffle sweep --by random:1 --n 2^10..2^20 --width 4,32 --global-latency 1,100,500 --algorithm scheduled --csv sweep.csv --svg sweep.svg"],
            "No figure of the papers, but what their Table I says of the scheduled permutation: its time is 32 n/w + 16 (L - 1), so that the first term counts on long arrays and the second on short ones. It is drawn by the command itself.", own("sweep.svg")),
]

HEAD = """# The papers' figures, drawn from runs

Each picture is drawn from what the command above it traces or measures, by `bench/papers/pictures.py build/riffle`; a test draws them anew and compares. Commands run
in the root of the sources. [papers.md](papers.md) has every figure, table and theorem of the papers; `--svg` and `--html` of `riffle simulate`, `lint` and
`congestion` draw such traces of any run ([machine.md](machine.md#traces)).
"""


# ----------------------------------------------------------------------------------- the page

def run(riffle, command, folder):
    words = shlex.split(command)
    done = subprocess.run([str(riffle), *words[1:]], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command}\n{done.stderr}")


def drawings(riffle):
    """The text of each picture; pictures that share a command have it run once."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("examples", "bench"):
            os.symlink(ROOT / part, folder / part)
        for command in dict.fromkeys(command for picture in PICTURES for command in picture.commands):
            if command.startswith("riffle "):  # riffle-bench wants a GPU
                run(riffle, command, folder)
        return {picture.name: picture.draw(folder) for picture in PICTURES}


def page():
    parts = [HEAD]
    for picture in PICTURES:
        commands = "\n".join(f"    {command}" for command in picture.commands)
        parts.append(f"## {picture.title}\n\n{commands}\n\n{picture.words}\n\n![{picture.title}](images/{picture.name}.svg)\n")
    return "\n".join(parts)


def main():
    words = sys.argv[1:]
    if len(words) not in (1, 2) or words[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    texts = {PAGE: page(), **{IMAGES / f"{name}.svg": drawing for name, drawing in drawings(Path(words[0]).resolve()).items()}}
    large = [str(path) for path, words_of in texts.items() if len(words_of) > 30 << 10]
    stale = [str(path.relative_to(ROOT)) for path, now in texts.items() if not path.exists() or path.read_text() != now]
    if large:
        sys.exit(f"larger than 30 KiB: {', '.join(large)}")
    if words[1:] and stale:
        sys.exit(f"stale, run bench/papers/pictures.py RIFFLE: {', '.join(stale)}")
    for path, now in texts.items():
        if not words[1:]:
            path.write_text(now)
    print(f"{len(texts) - 1} pictures" + (" are what their commands give" if words[1:] else " drawn"))


if __name__ == "__main__":
    main()
