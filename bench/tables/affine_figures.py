# SPDX-License-Identifier: Apache-2.0
"""The tables of the suite affine's groups figures and transposes: the BMMC paper's Figures 9 to 12, means over random permutations,
and its section 2.3. Functions as affine_tables.py has them."""
from affine import BMMC, bandwidth, geometric_mean, rows_of
from markdown import count, device, markdown, milliseconds

WAYS = [*BMMC, "affine"]


def best_of(name):
    """The paper's kernel with all optimizations that apply."""
    return "bmmc-tile-banks" if name == "random affine" else "bmmc-tile-banks-iters"


def mean_and_spread(row):
    spread = row["seconds_range"]
    return f"{milliseconds(row['seconds'])} ({milliseconds(spread['min'])} to {milliseconds(spread['max'])}) / {row['ratio']:.2f}"


def times(found, names, n):
    cells = [[name, *[mean_and_spread(found[n, name, way]) if (n, name, way) in found else "-" for way in WAYS]] for name in names]
    return ["Milliseconds, the mean (and the least to the most) / times a copy (Figure 9):", "", *markdown(["permutations", *WAYS], cells)]


def bandwidths(found, names, n):
    cells = []
    for name in names:
        rows = [found.get((n, name, way)) for way in ("bmmc-naive", best_of(name), "affine")]
        cells.append([name, *[f"{bandwidth(row) / 1e9:.0f}" if row else "-" for row in rows]])
    heads = ["permutations", "bmmc-naive", "all of the paper's optimizations", "affine"]
    return ["GB/s read and written, those of both passes counted (Figure 10):", "", *markdown(heads, cells)]


def speedups(found, names):
    cells = []
    for n in sorted({n for n, _, _ in found}):
        pairs = [(found.get((n, name, "bmmc-naive")), found.get((n, name, way))) for name in names for way in (best_of(name), "affine")]
        cells.append([count(n), *[f"{slow['seconds'] / fast['seconds']:.2f}" if slow and fast else "-" for slow, fast in pairs]])
    heads = ["elements", *[f"{name}, {way}" for name in names for way in ("paper's best", "affine")]]
    return ["Speedup over bmmc-naive, of means (Figure 11):", "", *markdown(heads, cells, 0)]


def figures(run, runs):
    rows = rows_of(run, "figures")
    found = {(row["n"], row["by"], row["asked_algorithm"]): row for row in rows}
    if not found:
        return []
    names, most = list(dict.fromkeys(row["by"] for row in rows)), max(row["n"] for row in rows)
    measured = [row["permutations"] for row in rows]
    note = f"{min(measured)} to {max(measured)}" if min(measured) < max(measured) else f"{max(measured)}"
    return [f"{device(run)} {count(most)} floats; {note} random permutations a row.", "", *times(found, names, most), "",
            *bandwidths(found, names, most), "", *speedups(found, names)]


def columns_of(row):
    return int(row["by"].rpartition("x")[2])


def figure12(rows):
    found = {(columns_of(row), row["asked_algorithm"]): row for row in rows}
    ways = list(dict.fromkeys(row["asked_algorithm"] for row in rows))
    cells = [[f"2^{columns.bit_length() - 1}", *[f"{found[columns, way]['ratio']:.2f}" if (columns, way) in found else "-" for way in ways]]
             for columns in sorted({columns for columns, _ in found})]
    spread = [[row["ratio"] for row in rows if row["asked_algorithm"] == way] for way in ways]
    cells.append(["mean / worst", *[f"{geometric_mean(values):.2f} / {max(values):.2f}" for values in spread]])
    return [f"Transposes of {count(rows[0]['n'])} floats by number of columns, times a copy (Figure 12):", "", *markdown(["columns", *ways], cells)]


def transposes(run, runs):
    rows = rows_of(run, "transposes")
    if not rows:
        return []
    most = max(row["n"] for row in rows)
    square, others = [row for row in rows if row["n"] == most], [row for row in rows if row["n"] < most]
    cells = [[row["asked_algorithm"], milliseconds(row["seconds"]), f"{row['ratio']:.2f}"] for row in square]
    lines = [f"{device(run)} `{square[0]['by']}` of floats (section 2.3: 2.84 copies the naive one, 1.31 the tiled one, on an RTX 4090):", "",
             *markdown(["algorithm", "ms", "times a copy"], cells)]
    return [*lines, "", *figure12(others)] if others else lines
