# SPDX-License-Identifier: Apache-2.0
"""The tables of the suite affine, by the names of their regions. Each function takes one run, and all, for what peers
are compared with is in another file, and returns lines of Markdown, none where the run has nothing for it. The pictures
are bench/plots.py's."""
import statistics

import affine_figures
from affine import (BMMC, PAPER_PERMS, bandwidth, best_tiled, copy_bandwidth, family, geometric_mean, paper_rows,
                    rows_of)
from markdown import count, device, markdown, milliseconds

NAMED = ["identity", "reverse", "shuffle", "bit-reversal", "transpose"]
RANDOM = ["random bits", "random affine"]


def ratios(rows, key="ratio"):
    """One permutation's, or the mean of many and the worst."""
    values = [row[key] for row in rows]
    if not values:
        return "-"
    return f"{values[0]:.2f}" if len(values) == 1 else f"{geometric_mean(values):.2f} / {max(values):.2f}"


def large(run, runs):
    """Sizes in rows, permutations in columns."""
    rows, cells = rows_of(run, "large"), []
    for n, size in dict.fromkeys((row["n"], row["elem_bytes"]) for row in rows):
        here = [row for row in rows if (row["n"], row["elem_bytes"]) == (n, size)]
        by_family = [[row for row in here if family(row["by"]) == name] for name in NAMED + RANDOM]
        cells.append([count(n), size, milliseconds(statistics.median(row["copy_seconds"] for row in here)),
                      f"{statistics.median(row['copy_seconds'] / row['copy_kernel_seconds'] for row in here):.2f}",
                      *map(ratios, by_family)])
    heads = ["elements", "bytes each", "cudaMemcpy, ms", "its time over a copy kernel's", *NAMED, *RANDOM]
    note = "Times a cudaMemcpy; of random ones the geometric mean / the worst"
    counts = [len({row["by"] for row in rows if family(row["by"]) == name and row["n"] == rows[0]["n"]})
              for name in RANDOM] if rows else []
    return [f"{device(run)} {note} of {counts[0]} bit permutations and of {counts[1]} affine ones.", "", *markdown(heads, cells, 0)] if cells else []


def small(run, runs):
    """Ratios to cudaMemcpy and to a copy kernel."""
    rows, cells = rows_of(run, "small"), []
    names = list(dict.fromkeys(family(row["by"]) for row in rows))
    for n in dict.fromkeys(row["n"] for row in rows):
        here = [row for row in rows if row["n"] == n]
        kinds = [[row for row in here if family(row["by"]) == name] for name in names]
        both = [f"{geometric_mean([row['ratio'] for row in kind]):.2f} / "
                f"{geometric_mean([row['kernel_ratio'] for row in kind]):.2f}" if kind else "-" for kind in kinds]
        cells.append([count(n), "yes" if here[0]["in_l2"] else "no",
                      *[f"{statistics.median(row[key] for row in here) * 1e6:.2f}"
                        for key in ("copy_seconds", "copy_kernel_seconds")], *both])
    heads = ["elements", "in L2", "cudaMemcpy, µs", "copy kernel, µs", *names]
    picture = "![Time over cudaMemcpy's and over a copy kernel's, against the length](images/affine-sizes.svg)"
    note = "Times a cudaMemcpy / times a copy kernel; of random affine ones the geometric mean. "\
           "Each row has copies of its own beside it; the columns of copies are their medians."
    return [picture, "", f"{device(run)} {note}", "", *markdown(heads, cells, 2)] if cells else []


def in_place(run, runs):
    cells = []
    for row in rows_of(run, "in-place"):
        name = f"`{row['by']}`"
        if row["by"].startswith("bits:"):
            to = [int(bit) for bit in row["by"][len("bits:"):].split(",")]
            pairs = sum(bit != k for k, bit in enumerate(to)) // 2
            name = "a random bit permutation" if row["passes"] > 1 else \
                f"{pairs} pair{'s' if pairs > 1 else ''} of bits exchanged"
        cells.append([name, count(row["n"]), row["elem_bytes"], row["passes"], milliseconds(row["seconds"]),
                      f"{row['ratio']:.2f}"])
    heads = ["permutation", "elements", "bytes each", "passes", "ms", "times a copy"]
    return [device(run), "", *markdown(heads, cells)] if cells else []


def batch(run, runs):
    cells = [[f"`{row['by']}`", f"{row['arrays']:,}", count(row["n"]), f"{row['stride']:,}",
              milliseconds(row["seconds"]), f"{row['ratio']:.2f}"] for row in rows_of(run, "batch")]
    heads = ["permutation of each", "arrays", "elements of one", "stride", "ms", "times a copy"]
    what = " ".join(dict.fromkeys(f"Elements of {row['elem_bytes']} bytes." for row in rows_of(run, "batch")))
    return [f"{device(run)} {what}", "", *markdown(heads, cells)] if cells else []


def checked(run, runs):
    """A move, and the same with a check, in copies."""
    rows = rows_of(run, "checked")
    cells = []
    for plain in rows:
        full = next((row for row in rows if row.get("check") == "full" and all(row[key] == plain[key] for key in ("by", "n", "elem_bytes"))), None)
        if "check" not in plain and full:
            cells.append([f"`{plain['by']}`", count(plain["n"]), plain["elem_bytes"], milliseconds(plain["copy_seconds"]), f"{plain['ratio']:.2f}",
                          f"{full['ratio']:.2f}", f"{full['seconds'] / plain['seconds']:.2f}"])
    heads = ["permutation", "elements", "bytes each", "a copy, ms", "the move, copies", "with its check, copies", "times the move"]
    return [device(run), "", *markdown(heads, cells)] if cells else []


def optimizations(found, n):
    """Figure 9."""
    cells = []
    for perm in PAPER_PERMS:
        rows = [found.get((n, perm, algorithm)) for algorithm in [*BMMC, "affine"]]
        cells.append([perm, *[f"{milliseconds(row['seconds'])} / {row['ratio']:.2f}" if row else "-" for row in rows]])
    heads = ["permutation", *BMMC, "affine"]
    return ["Milliseconds / times a copy (Figure 9):", "", *markdown(heads, cells)]


def bandwidths(found, n):
    """Figure 10."""
    cells, copies = [], [row for (length, _, _), row in found.items() if length == n]
    for name, key in (("cudaMemcpy", "copy_seconds"), ("a copy kernel", "copy_kernel_seconds")):
        cells.append([name, f"{statistics.median(copy_bandwidth(row, key) for row in copies) / 1e9:.0f}", "", "", ""])
    for perm in PAPER_PERMS:
        rows = [found.get((n, perm, "bmmc-naive")), best_tiled(found, n, perm), found.get((n, perm, "affine"))]
        cells.append([perm, "", *[f"{bandwidth(row) / 1e9:.0f}" if row else "-" for row in rows]])
    heads = ["", "copy", "bmmc-naive", "all of the paper's optimizations", "affine"]
    return ["GB/s read and written, those of both passes counted (Figure 10):", "", *markdown(heads, cells)]


def speedups(found):
    """Figure 11."""
    cells = []
    for n in sorted({n for n, _, _ in found}):
        naive = [found.get((n, perm, "bmmc-naive")) for perm in PAPER_PERMS]
        fast = [[best_tiled(found, n, perm), found.get((n, perm, "affine"))] for perm in PAPER_PERMS]
        cells.append([count(n), *[f"{slow['seconds'] / row['seconds']:.2f}" if slow and row else "-"
                                  for slow, both in zip(naive, fast) for row in both]])
    heads = ["elements", *[f"{perm}, {which}" for perm in PAPER_PERMS for which in ("paper's best", "affine")]]
    return ["Speedup over bmmc-naive (Figure 11):", "", *markdown(heads, cells, 0)]


def paper(run, runs):
    found = paper_rows(run)
    if not found:
        return []
    most = max(n for n, _, _ in found)
    pictures = ["![Times by optimization](images/affine-figure9.svg)", "", "![Bandwidths](images/affine-figure10.svg)", "",
                "![Speedups against the length](images/affine-figure11.svg)"]
    return [*pictures, "", f"{device(run)} {count(most)} floats.", "", *optimizations(found, most), "", *bandwidths(found, most), "",
            *speedups(found)]


def plan(run, runs):
    """The host's time to plan, by what is planned."""
    kinds = {}
    for row in rows_of(run):
        if row["group"] == "checked":
            continue
        what = "affine, in place" if row.get("in_place") else row["asked_algorithm"]
        name = family(row["by"]) if family(row["by"]) in RANDOM else "named"
        kinds.setdefault((what, name, row["passes"]), []).append(row)
    cells = [[what, name, passes, len(rows), *[f"{pick(row['plan_seconds'] for row in rows) * 1e6:.1f}"
                                              for pick in (statistics.median, max)],
              f"{max(row['plan_bytes'] for row in rows):,}"] for (what, name, passes), rows in sorted(kinds.items())]
    heads = ["algorithm", "permutations", "passes", "plans", "median, µs", "longest, µs", "bytes"]
    return [device(run), "", *markdown(heads, cells, 2)] if cells else []


def peer_cell(row):
    return "" if row is None else f"{row['ratio']:.2f}" if "ratio" in row else "-"


def peers(run, runs):
    rows = [row for row in run["results"] if row["suite"] == "affine-peers"]
    if not rows:
        return []
    own = {(row["by"], row["n"], row["elem_bytes"]): row for other in runs if other["device"] == run["device"]
           for row in rows_of(other) if row["group"] in ("large", "paper") and row["asked_algorithm"] == "affine"}
    ways = list(dict.fromkeys((row["algorithm"], row["how"]) for row in rows))
    found = {(row["by"], row["n"], row["elem_bytes"], row["algorithm"], row["how"]): row for row in rows}
    cells = []
    for what in dict.fromkeys(key[:3] for key in found):
        cells.append([f"`{what[0]}`", count(what[1]), what[2], peer_cell(own.get(what)),
                      *[peer_cell(found.get((*what, *way))) for way in ways]])
    names = {"torch": f"PyTorch {run['torch']}", "cupy": f"CuPy {run['cupy']}"}
    heads = ["permutation", "elements", "bytes each", "riffle", *[f"{names[name]}, {how}" for name, how in ways]]
    errors = dict.fromkeys(f"{names[row['algorithm']]}, {row['how']}: {row['error']}" for row in rows if "error" in row)
    return [f"{run['device']}, times a copy; riffle's as above. Empty where it was not measured.", "", *markdown(heads, cells), "",
            *[f"Refused (-): {error}" for error in errors]]


SHOWN = {"affine-large": large, "affine-small": small, "affine-in-place": in_place, "affine-batch": batch, "affine-checked": checked,
         "affine-paper": paper, "affine-figures": affine_figures.figures, "affine-transposes": affine_figures.transposes,
         "affine-peers": peers, "affine-plan": plan}
