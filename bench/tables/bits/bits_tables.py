# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/bits.md, f2.md and cycles.md, of the files of bench/results/bits/: the suites bits and f2, and what bench/peers/ measured beside them."""
import results
from markdown import count, device, markdown, milliseconds

FOLDER = "bits"
PLANES = ("bitshuffle", "bitunshuffle")


def runs_of(engine, suite):
    """The engine's runs that have rows of the suite."""
    return [run for run in results.read_all(FOLDER)
            if run["engine"] == engine and any(row.get("suite") == suite for row in run["results"])]


def what(row):
    """The elements in words."""
    bits = row["elem_bits"]
    size = f"{bits} bit{'s' if bits > 1 else ''}" if bits < 8 else f"{bits // 8} byte{'s' if bits > 8 else ''}"
    return f"{count(row['n'] * 8 // bits)} of {size}" + (f", in blocks of {row['block']:,}" if row.get("block") else "")


def figures(row):
    return [milliseconds(row["seconds"]), f"{row['ratio']:.2f}"] if row else ["", ""]


def planes(engine):
    """A row for elements of each kind: to planes and back, and the bitshuffle library's where it was measured on the same processor."""
    lines = []
    for run in runs_of(engine, "bits"):
        own = {(row["by"], what(row)): row for row in run["results"] if row["by"] in PLANES}
        peers = [other for other in runs_of(engine, "bits-peers") if other["device"] == run["device"]]
        theirs = {(row["by"], what(row)): row for other in peers for row in other["results"]}
        cells = [[name, *figures(own.get((PLANES[0], name))), *figures(own.get((PLANES[1], name))),
                  *[f"{theirs[by, name]['seconds'] / own[by, name]['seconds']:.1f}" if (by, name) in theirs and (by, name) in own else ""
                    for by in PLANES if peers]] for name in dict.fromkeys(name for _, name in own)]
        heads = ["elements", "to planes, ms", "copies", "back, ms", "copies"]
        heads += [f"bitshuffle {peers[0]['bitshuffle']}: to planes, times as long", "back"] if peers else []
        lines += [device(run), "", *markdown(heads, cells), ""]
    return lines


def maps(engine):
    lines = []
    for run in runs_of(engine, "bits"):
        cells = [[f"`{row['by']}`", what(row), *figures(row)] for row in run["results"] if row["by"] not in PLANES]
        lines += [device(run), "", *markdown(["map", "elements", "ms", "copies"], cells, 2), ""]
    return lines


def f2_host(_):
    """Riffle and M4RI in one process."""
    lines = []
    for run in results.read_all(FOLDER):
        if "m4ri" not in run:
            continue
        cells = [[row["what"], f"{row['seconds']:.2f}", f"{row['m4ri_seconds']:.2f}", f"{row['m4ri_seconds'] / row['seconds']:.1f}"]
                 for row in run["results"]]
        lines += [f"{run['device']}, one thread; riffle {run['riffle']}, M4RI {run['m4ri']}; {run['n']:,} x {run['n']:,}, seconds.", "",
                  *markdown(["", "riffle", "M4RI", "M4RI / riffle"], cells), ""]
    return lines


def f2_cuda(_):
    lines = []
    for run in runs_of("cuda", "f2"):
        cells = [[f"`{row['by']}`", f"{row['rows']:,}", milliseconds(row["seconds"])] for row in run["results"] if "ratio" in row]
        lines += [device(run), "", *markdown(["", "rows and columns", "ms"], cells), ""]
    return lines


def cycles(_):
    lines = []
    for run in results.read_all(FOLDER):
        if "versions" not in run:
            continue
        names = list(run["versions"])
        cells = [[row["graph"], f"{row['edges']:,}", f"{row['total']:,.0f}", *[milliseconds(row[name]) if name in row else "" for name in names]]
                 for row in run["results"]]
        lines += [f"{run['device']}, one thread, by their Python packages; milliseconds.", "",
                  *markdown(["graph", "edges", "weight of the basis", *[f"{name} {run['versions'][name]}" for name in names]], cells), ""]
    return lines


SHOWN = {"bits-planes": planes, "bits-maps": maps, "f2-host": f2_host, "f2-cuda": f2_cuda, "cycles": cycles}


def tables(name, engine):
    """A region's text."""
    return "\n".join(SHOWN[name](engine)).rstrip() + "\n" or "Not measured yet.\n"
