#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of the RAP paper (Nakano, Matsumae, Ito 2014), measured, for docs/rap.md.

    rap.py simulate RIFFLE   Tables II and IV and Theorem 2 by `riffle congestion`, a minute
    rap.py machine RIFFLE    Table III's congestion by `riffle lint` on examples/rap/transpose.cu, minutes
    rap.py gpu PROGRAM       what PROGRAM printed on a GPU, a row a line, from the standard input: transpose, axes or rotate
    rap.py tables            write the tables into docs/rap.md
    rap.py tables --check    exit 1 if a table is not what bench/results/rap/ says

Results stand in bench/results/rap/: congestion.json, seeds.json and machine.json from here, and transpose.json, axes.json and
rotate.json, which are what the programs of examples/rap print on a GPU.
"""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/tables"))
import results as files  # noqa: E402

PAGE = ROOT / "docs/rap.md"
REGION = re.compile(r"(<!-- begin rap: (\w+) -->\n).*?(<!-- end rap -->)", re.DOTALL)

FLAT = ["raw", "ras", "rap", "padded", "xor"]
DEEP = ["raw", "ras", "1p", "r1p", "3p", "w2p", "1pw2r", "padded", "xor"]
WIDTHS = [16, 32, 64, 128, 256]
FLAT_PATTERNS = ["contiguous", "stride1", "diagonal", "random", "malicious"]
DEEP_PATTERNS = ["contiguous", "stride1", "stride2", "stride3", "diagonal", "random", "malicious"]
ALGORITHMS = ["crsw", "srcw", "drdw"]
SEEDS = 10000  # for Table III
ACCESSES = {"crsw": ("contiguous", "stride1"), "srcw": ("stride1", "contiguous"), "drdw": ("diagonal", "diagonal")}

# The paper's figures: Table II by layout and pattern, Table III by layout as read, write, nanoseconds.
PAPER_II = {
    "raw": {"contiguous": [1] * 5, "stride1": WIDTHS, "diagonal": [1] * 5, "random": [2.92, 3.44, 3.90, 4.34, 4.75]},
    "ras": {"contiguous": [1] * 5, "stride1": [3.08, 3.53, 3.96, 4.38, 4.77],
            "diagonal": [3.08, 3.53, 3.96, 4.38, 4.77], "random": [2.92, 3.44, 3.90, 4.34, 4.75]},
    "rap": {"contiguous": [1] * 5, "stride1": [1] * 5, "diagonal": [3.20, 3.61, 4.00, 4.41, 4.78],
            "random": [2.92, 3.44, 3.90, 4.34, 4.75]},
}
PAPER_III = {
    ("crsw", "raw"): (1, 32, 1595), ("crsw", "ras"): (1, 3.53, 303.6), ("crsw", "rap"): (1, 1, 154.5),
    ("srcw", "raw"): (32, 1, 1596), ("srcw", "ras"): (3.53, 1, 297.1), ("srcw", "rap"): (1, 1, 159.1),
    ("drdw", "raw"): (1, 1, 158.4), ("drdw", "ras"): (3.53, 3.53, 427.4), ("drdw", "rap"): (3.61, 3.61, 433.3),
}
ORDER, SIX = "Õ(log w / log log w)", "6 Õ(log w/6 / log log w/6)"
PAPER_IV = {  # contiguous, stride1 to stride3, random, malicious
    "raw": ["1", "w", "w", "w", ORDER, "w"], "ras": ["1"] + [ORDER] * 5, "1p": ["1", "1", "w", "w", ORDER, "w"],
    "r1p": ["1", "1", "1", "1", ORDER, SIX], "3p": ["1", "1", "1", "1", ORDER, ORDER],
    "w2p": ["1", "1"] + [ORDER] * 4, "1pw2r": ["1", "1"] + [ORDER] * 4,
}


# ------------------------------------------------------------------------------------------- measuring

def congestion(riffle, **options):
    arguments = [text for name, value in options.items() for text in (f"--{name}", str(value))]
    done = subprocess.run([riffle, "congestion", "--json", *arguments], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def simulate(riffle):
    results = [congestion(riffle, layout=layout, pattern=pattern, width=width, dims=2)
               for layout in FLAT for pattern in FLAT_PATTERNS for width in WIDTHS]
    results += [congestion(riffle, layout=layout, pattern=pattern, width=32, dims=4)
                for layout in DEEP for pattern in DEEP_PATTERNS]
    results += [congestion(riffle, layout="rap", pattern="malicious", width=2**k, dims=2)
                for k in (2, 3, 9, 10, 11, 12)]
    save("congestion.json", results)
    save("seeds.json", [congestion(riffle, layout=layout, pattern=pattern, width=32, dims=2, trials=SEEDS)
                        for layout in ("ras", "rap") for pattern in FLAT_PATTERNS[:3]])


class Addresses:
    """The host's side of riffle/rap.h: examples/rap/addresses.c, compiled into a folder of its own."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.program = Path(self.folder.name) / "addresses"
        compiler = os.environ.get("CC", "cc").split()
        subprocess.run([*compiler, "-std=c11", "-I", ROOT / "include", "-o", self.program,
                        ROOT / "examples/rap/addresses.c"], check=True)

    def of(self, layout, elem_bytes, seed):
        """The six words for the kernel, and the address of element [row][col]."""
        done = subprocess.run([self.program, layout, str(elem_bytes), str(seed)], check=True, capture_output=True,
                              text=True)
        words, *rows = ([int(number) for number in line.split()] for line in done.stdout.splitlines())
        return words, rows


def write_npy(path, words):
    """A .npy file of 4-byte unsigned integers; NumPy is not needed for it."""
    header = f"{{'descr': '<u4', 'fortran_order': False, 'shape': ({len(words)},), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
                     + struct.pack(f"<{len(words)}I", *words))


def marked_lines(program):
    """The lines of a program of examples/rap that are marked as its read and its write."""
    lines = (ROOT / "examples/rap" / program).read_text().splitlines()
    return {k: what for k, line in enumerate(lines, 1) for what in ("read", "write") if f"// the {what}" in line}


def lint(riffle, program, kernel, words, arguments, shared=0):
    """The machine's counts of a kernel in examples/rap, `arguments` and the words of its random numbers among them:
    the rows of the lines that are marked as its read and its write, and the hazards."""
    source, marked = ROOT / "examples/rap" / program, marked_lines(program)
    with tempfile.TemporaryDirectory() as folder:
        shifts = Path(folder) / "shifts.npy"
        write_npy(shifts, words)
        given = [text for argument in arguments for text in ("--arg", argument.replace("SHIFTS", str(shifts)))]
        done = subprocess.run([riffle, "lint", source, "--json", "-I", ROOT / "include", "--block", "1024", "--shared",
                               str(shared), "--kernel", kernel, *given], check=True, capture_output=True, text=True)
    document = json.loads(done.stdout)
    rows = {marked[row["line"]]: row for row in document["rounds"] if row["line"] in marked and row["space"] == "shared"}
    return rows, document["hazards"]


def transpose_kernel(algorithm, layout, element):
    return f"transpose<{algorithm.upper()}, RIFFLE_LAYOUT_{layout.upper()}, {element}>"


def lint_transpose(riffle, algorithm, layout, element, words):
    return lint(riffle, "transpose.cu", transpose_kernel(algorithm, layout, element), words,
                [f"{element}:1024", f"{element}:1024:index", "unsigned:SHIFTS", "unsigned=1"])


AXES_SHARED = 32 * 32 * 33 * 4


def axes_kernel(layout, axis):
    return f"sum_along<RIFFLE_LAYOUT_{layout.upper()}, {axis.upper()}>"


def machine(riffle):
    """Arrays of doubles, as the paper's: stages of the model a warp, and wavefronts of a GPU with 4-byte banks."""
    results, addresses = [], Addresses()
    for algorithm in ALGORITHMS:
        for layout, drawn_for in [*((layout, 4) for layout in FLAT), ("rap", 8)]:
            for seed in range(1, 65 if layout in ("ras", "rap") else 2):
                words, _ = addresses.of(layout, drawn_for, seed)
                rows, _ = lint_transpose(riffle, algorithm, layout, "double", words)
                result = {"algorithm": algorithm, "layout": layout, "drawn_for": drawn_for, "seed": seed}
                for what, row in rows.items():
                    result[what] = row["stages"] / row["warps"]
                    result[f"{what}_turns"] = row["requests"] / row["warps"]
                results.append(result)
    save("machine.json", results)


def save(name, results):
    files.write_rows(f"rap/{name}", results)


# --------------------------------------------------------------------------------------------- tables

def load(name):
    return files.read(f"rap/{name}") or []


def grid(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "| --- |" + " --: |" * (len(heads) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def figure(result):
    """The mean as the interval allows: whole numbers where nothing varies."""
    return f"{result['mean']:.2f}" if result["ci99"][0] < result["ci99"][1] else f"{result['mean']:g}"


def find(results, **wanted):
    return next((r for r in results if all(r[key] == value for key, value in wanted.items())), None)


def table2():
    rows = []
    results = load("congestion.json")
    for layout in FLAT:
        for pattern in FLAT_PATTERNS:
            cells = []
            for k, width in enumerate(WIDTHS):
                paper = PAPER_II.get(layout, {}).get(pattern)
                result = find(results, layout=layout, pattern=pattern, width=width, dims=2)
                cells.append(figure(result) + (f" ({paper[k]:g})" if paper else ""))
            rows.append([f"`{layout}`", pattern, *cells])
    return grid(["layout", "pattern", *(f"w = {width}" for width in WIDTHS)], rows)


def table4():
    results, rows = load("congestion.json"), []
    for layout in DEEP:
        found = [find(results, layout=layout, pattern=pattern, width=32, dims=4) for pattern in DEEP_PATTERNS]
        rows.append([f"`{layout}`", *map(figure, found), str(found[0]["random_numbers"])])
    return grid(["layout", *DEEP_PATTERNS, "random numbers"], rows)


def theorem2():
    results, rows = load("congestion.json"), []
    for k in range(2, 13):
        result = find(results, layout="rap", pattern="malicious", width=2**k, dims=2)
        rows.append([str(2**k), f"{result['mean']:.3f}", f"{result['ci99'][0]:.3f} to {result['ci99'][1]:.3f}",
                     str(result["max"]), f"{result['bound']:.2f}", f"{result['theorem2']:.2f}"])
    return grid(["w", "mean", "99% confidence", "largest", "sum of min(1, w/t!)", "Theorem 2"], rows)


def mean_of(results, key, **wanted):
    values = [r[key] for r in results if all(r[name] == value for name, value in wanted.items())]
    return sum(values) / len(values) if values else None


def over_seeds(layout, pattern):
    """The mean of a warp over 10,000 seeds and its 99% interval to either side. All warps of a transposition share it."""
    result = find(load("seeds.json"), layout=layout, pattern=pattern)
    wide = (result["ci99"][1] - result["ci99"][0]) / 2
    return f"{result['mean']:.2f} ± {wide:.2f}" if wide > 0 else f"{result['mean']:g}"


def table3():
    counted, timed, rows = load("machine.json"), load("transpose.json"), []
    for algorithm in ALGORITHMS:
        for layout, drawn_for in [("raw", 4), ("ras", 4), ("rap", 4), ("rap", 8), ("padded", 4), ("xor", 4)]:
            paper = PAPER_III.get((algorithm, layout)) if drawn_for == 4 else None
            which = {"algorithm": algorithm, "layout": layout, "drawn_for": drawn_for}
            row = [algorithm.upper(), f"`{layout}`" + (" drawn for 8" if drawn_for == 8 else "")]
            for k, what in enumerate(("read", "write")):
                is_drawn = layout in ("ras", "rap")
                own = over_seeds(layout, ACCESSES[algorithm][k]) if is_drawn and drawn_for == 4 else ""
                row.append((own or ("" if is_drawn else f"{mean_of(counted, what, **which):g}")) + (f" ({paper[k]:g})" if paper else ""))
                row.append(f"{mean_of(counted, what, **which):.2f}")
            row += [f"{mean_of(counted, f'{what}_turns', **which):.2f}" for what in ("read", "write")]
            row.append(f"{paper[2] / 158.4:.2f}" if paper else "")
            rows.append(row + [ratio_to_raw_drdw(timed, elem_bytes=elem_bytes, **which) for elem_bytes in (8, 4)])
    device = f"Times on an {timed[0]['device']}.\n\n" if timed else "The times on a GPU have not been measured yet.\n\n"
    return device + grid(["", "layout", "read", "the kernel's", "write", "the kernel's", "read, turns", "write, turns", "time, paper", "time, 8 bytes",
                          "time, 4 bytes"], rows)


def ratio_to_raw_drdw(timed, elem_bytes, **which):
    base = mean_of(timed, "nanoseconds", algorithm="drdw", layout="raw", elem_bytes=elem_bytes)
    time = mean_of(timed, "nanoseconds", elem_bytes=elem_bytes, **which)
    return f"{time / base:.2f}" if time and base else ""


def rotate():
    timed = load("rotate.json")
    if not timed:
        return "Not measured yet.\n"
    layouts = list(dict.fromkeys(r["layout"] for r in timed))
    rows = []
    for use in dict.fromkeys(r["use"] for r in timed):
        found = [find(timed, use=use, layout=layout) for layout in layouts]
        rows.append([use, *(f"{r['nanoseconds']:.0f} ({r['congestion']:.2f})" for r in found)])
    return f"On an {timed[0]['device']}.\n\n" + grid(["", *(f"`{layout}`" for layout in layouts)], rows)


def axes():
    timed = load("axes.json")
    if not timed:
        return "Not measured yet.\n"
    layouts = list(dict.fromkeys(r["layout"] for r in timed))
    rows = []
    for axis in dict.fromkeys(r["axis"] for r in timed):
        found = [find(timed, axis=axis, layout=layout) for layout in layouts]
        rows.append([axis, *(f"{r['nanoseconds']:.0f} ({r['congestion']:g})" for r in found)])
    return f"On an {timed[0]['device']}.\n\n" + grid(["", *(f"`{layout}`" for layout in layouts)], rows)


TABLES = {"table2": table2, "table3": table3, "table4": table4, "theorem2": theorem2, "rotate": rotate, "axes": axes}


def tables(check):
    old = PAGE.read_text()
    new = REGION.sub(lambda m: f"{m[1]}\n{TABLES[m[2]]()}\n{m[3]}", old)
    if new == old:
        return 0
    if check:
        print("stale, run bench/papers/rap.py tables: docs/rap.md")
        return 1
    PAGE.write_text(new)
    return 0


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "simulate":
        simulate(sys.argv[2])
    elif len(sys.argv) == 3 and sys.argv[1] == "machine":
        machine(sys.argv[2])
    elif len(sys.argv) == 3 and sys.argv[1] == "gpu" and sys.argv[2] in ("transpose", "axes", "rotate"):
        save(f"{sys.argv[2]}.json", [json.loads(line) for line in sys.stdin])
    elif sys.argv[1:] in (["tables"], ["tables", "--check"]):
        sys.exit(tables("--check" in sys.argv))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
