#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of docs/images from bench/results/*.json, with Matplotlib.

    plots.py             rewrite every picture that there are measurements for

    hmm-table2-float.svg    the HMM paper's Table II for 4-byte elements: time over a copy's against sqrt n
    hmm-table2-double.svg   the same for 8-byte elements
    dmm-figure7.svg         the DMM paper's Figure 7: time to permute arrays of 1024 elements against their number
    affine-figure9.svg      the BMMC paper's Figure 9: what each of its optimizations does, and riffle's affine tiles
    affine-figure10.svg     its Figure 10: bandwidths
    affine-figure11.svg     its Figure 11: speedups over the naive kernel against the length
    affine-sizes.svg        time of affine tiles over that of copies against the length
    arbitrary-ways.svg      a random permutation: time over a copy's against the length, riffle's ways and its peers
    arbitrary-crossovers.svg   the same of short arrays, for elements of 4, 8 and 16 bytes
    axes-shapes.svg         tensors of any shape: time over a copy's, riffle's and its peers', from the fastest shape to the
                            slowest
    sort-sizes.svg          sorts on a GPU: time a number against the length, riffle's and its peers'
    sort-keys.svg           the same of 2^26 numbers of each size of key

The last file by name is drawn of several with a suite. The papers' own figures are dotted, from bench/papers/papers.json.
"""
import json
import math
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "riffle"  # the same measurements give the same bytes
import matplotlib.pyplot as plt

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench/tables"))
import affine  # noqa: E402
import arbitrary  # noqa: E402
import axes as shapes  # noqa: E402
import results  # noqa: E402
import sort_tables as sorts  # noqa: E402

IMAGES = ROOT / "docs/images"
PAPERS = json.loads((ROOT / "bench/papers/papers.json").read_text())
COLOURS = {"copy": "black", "scatter": "tab:red", "gather": "tab:orange", "scheduled": "tab:blue",
           "conflict-free": "tab:blue"}
SHAPE_COLOURS = {"riffle": "tab:orange", "cutensor": "tab:green", "torch": "tab:red", "cupy": "tab:blue"}
PERMS = ["identity", "shuffle", "random", "bit-reversal", "transpose"]


def family(by):
    return by.split(":")[0]


def save(figure, name):
    IMAGES.mkdir(parents=True, exist_ok=True)
    figure.savefig(IMAGES / name, metadata={"Date": None})
    plt.close(figure)
    print(f"drawn: docs/images/{name}")


def draw_points(axes, points, algorithm):
    if points:
        axes.plot(*zip(*points), "o-", color=COLOURS[algorithm], label=algorithm, markersize=3)


def draw_paper(axes, elem_bytes, perm, algorithm):
    """The paper's times over those of its identity, destination-designated, which is its copy."""
    ms = {(r["sqrt_n"], r["permutation"], r["algorithm"]): r["ms"]
          for r in PAPERS["hmm"]["table2"]["rows"] if r["elem_bytes"] == elem_bytes}
    roots = sorted({root for root, _, _ in ms})
    ratios = [ms[root, perm, algorithm] / ms[root, "identity", "scatter"] for root in roots]
    axes.plot(roots, ratios, ":", color=COLOURS[algorithm], linewidth=1)


def draw_hmm(run, elem_bytes, name):
    rows = [row for row in run["results"]
            if row["suite"] == "hmm" and row["elem_bytes"] == elem_bytes and "ratio" in row]
    if not rows:
        return
    figure, panels = plt.subplots(1, len(PERMS), figsize=(14, 3.4), sharey=True, layout="constrained")
    for axes, perm in zip(panels, PERMS):
        for algorithm in ("scatter", "gather", "scheduled"):
            points = sorted((math.isqrt(row["n"]), row["ratio"]) for row in rows
                            if family(row["by"]) == perm and row["asked_algorithm"] == algorithm)
            draw_points(axes, points, algorithm)
            draw_paper(axes, elem_bytes, perm, algorithm)
        axes.set(yscale="log", title=perm, xlabel="sqrt n")
        axes.set_xscale("log", base=2)
        axes.grid(alpha=0.3)
    panels[0].set_ylabel("time over that of a copy")
    panels[0].legend(title=f"{run['device']}\n(dotted: {PAPERS['hmm']['device']})", fontsize=7, title_fontsize=7)
    save(figure, name)


def draw_dmm(run):
    rows = [row for row in run["results"] if row["suite"] == "dmm" and "ratio" in row]
    least = min((row["repetitions"] for row in rows), default=0)
    rows = [row for row in rows if row["repetitions"] == least]
    perms = list(dict.fromkeys(row["by"] for row in rows))
    if not rows:
        return
    figure, panels = plt.subplots(1, len(perms), figsize=(5.5 * len(perms), 3.6), squeeze=False, layout="constrained")
    for axes, perm in zip(panels[0], perms):
        for algorithm in ("copy", "scatter", "gather", "conflict-free"):
            points = sorted((row["blocks"], row["seconds"] * 1e9) for row in rows
                            if row["by"] == perm and row["algorithm"] == algorithm)
            draw_points(axes, points, algorithm)
        axes.set(title=perm, xlabel="arrays of 1024 elements", ylabel="ns to permute all of them", ylim=(0, None))
        axes.grid(alpha=0.3)
    panels[0][0].legend(title=run["device"], fontsize=8, title_fontsize=8)
    save(figure, "dmm-figure7.svg")


def draw_bars(axes, groups, names, value):
    """A group of bars for each permutation; value(group, name) is None where there is none."""
    width = 0.8 / len(names)
    for k, name in enumerate(names):
        bars = [(at + k * width, value(group, name)) for at, group in enumerate(groups)]
        bars = [bar for bar in bars if bar[1] is not None]
        if bars:
            texts = [f"{value:.0f}" if value >= 100 else f"{value:.3g}" for _, value in bars]
            axes.bar_label(axes.bar(*zip(*bars), width, label=name), texts, fontsize=5)
    axes.set_xticks([at + 0.4 - width / 2 for at in range(len(groups))], groups)
    axes.grid(axis="y", alpha=0.3)


def draw_figure9(run, found, n):
    def value(perm, algorithm):
        row = found.get((n, perm, algorithm))
        return row["seconds"] * 1e3 if row else None

    figure, axes = plt.subplots(figsize=(8, 3.6), layout="constrained")
    draw_bars(axes, affine.PAPER_PERMS, [*affine.BMMC, "affine"], value)
    copy = min(row["copy_seconds"] for (length, _, _), row in found.items() if length == n)
    axes.axhline(copy * 1e3, color="black", linestyle=":", label="cudaMemcpy")
    axes.set(ylabel=f"ms for {n:,} floats")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), title=run["device"], fontsize=7, title_fontsize=7)
    save(figure, "affine-figure9.svg")


def draw_figure10(run, found, n):
    def value(perm, which):
        row = affine.best_tiled(found, n, perm) if which.startswith("all") else found.get((n, perm, which))
        return affine.bandwidth(row) / 1e9 if row else None

    figure, axes = plt.subplots(figsize=(8, 3.6), layout="constrained")
    draw_bars(axes, affine.PAPER_PERMS, ["bmmc-naive", "all of the paper's optimizations", "affine"], value)
    copy = max(affine.copy_bandwidth(row) for (length, _, _), row in found.items() if length == n)
    axes.axhline(copy / 1e9, color="black", linestyle=":", label="cudaMemcpy")
    axes.set(ylabel="GB/s read and written")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), title=run["device"], fontsize=7, title_fontsize=7)
    save(figure, "affine-figure10.svg")


def draw_figure11(run, found):
    lengths = sorted({n for n, _, _ in found})
    figure, panels = plt.subplots(1, len(affine.PAPER_PERMS), figsize=(12, 3.4), sharey=True, layout="constrained")
    for axes, perm in zip(panels, affine.PAPER_PERMS):
        for name in ("the paper's best", "affine"):
            points = []
            for n in lengths:
                slow = found.get((n, perm, "bmmc-naive"))
                fast = found.get((n, perm, name)) if name == "affine" else affine.best_tiled(found, n, perm)
                if slow and fast:
                    points.append((n, slow["seconds"] / fast["seconds"]))
            if points:
                axes.plot(*zip(*points), "o-", label=name, markersize=3)
        axes.set(title=perm, xlabel="floats")
        axes.set_xscale("log", base=2)
        axes.grid(alpha=0.3)
    panels[0].set(ylabel="speedup over bmmc-naive", ylim=(0, None))
    panels[0].legend(title=run["device"], fontsize=7, title_fontsize=7)
    save(figure, "affine-figure11.svg")


def draw_sizes(run):
    """Floats only, random ones by their geometric mean."""
    rows = [row for group in ("small", "large") for row in affine.rows_of(run, group) if row["elem_bytes"] == 4]
    names = ["identity", "shuffle", "bit-reversal", "random affine"]
    figure, panels = plt.subplots(1, 2, figsize=(10, 3.6), sharey=True, layout="constrained")
    for axes, key, copy in zip(panels, ("ratio", "kernel_ratio"), ("cudaMemcpy", "a copy kernel")):
        for name in names:
            points = []
            for n in sorted({row["n"] for row in rows}):
                here = [row[key] for row in rows if row["n"] == n and affine.family(row["by"]) == name]
                if here:
                    points.append((n, affine.geometric_mean(here)))
            if points:
                axes.plot(*zip(*points), "o-", label=name, markersize=3)
        axes.set(title=f"time over that of {copy}", xlabel="floats", ylim=(0, 1.5))
        axes.set_xscale("log", base=2)
        axes.grid(alpha=0.3)
    panels[0].legend(title=run["device"], fontsize=7, title_fontsize=7)
    save(figure, "affine-sizes.svg")


def draw_affine(run):
    found = affine.paper_rows(run)
    if found:
        most = max(n for n, _, _ in found)
        draw_figure9(run, found, most)
        draw_figure10(run, found, most)
        draw_figure11(run, found)
    if affine.rows_of(run, "small"):
        draw_sizes(run)


def draw_ways(axes, found, size, names):
    """A curve of ratios against n for each way; names has what it is called."""
    for way, name in names.items():
        points = sorted((n, row["ratio"]) for ((n, bytes_each), found_way), row in found.items()
                        if (bytes_each, found_way) == (size, way))
        if points:
            axes.plot(*zip(*points), "o-", label=name, markersize=3, **({"color": "black"} if way == "auto" else {}))
    axes.set_xscale("log", base=2)
    axes.set(xlabel=f"elements of {size} bytes", ylim=(0, None))
    axes.grid(alpha=0.3)


def draw_arbitrary(run, runs):
    found = arbitrary.random_ones(run, runs)
    ways = {(what, way): row for (what, way), row in found.items() if what[0] >= 1 << 20}
    figure, panels = plt.subplots(1, 2, figsize=(11, 4), sharey=True, layout="constrained")
    draw_ways(panels[0], ways, 4, {way: way for way in arbitrary.WAYS})
    draw_ways(panels[1], ways, 4, {"auto": "riffle, auto", **arbitrary.PEERS})
    panels[0].set_ylabel("time over that of a copy")
    panels[0].legend(title=run["device"], fontsize=7, title_fontsize=7)
    panels[1].legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize=7)
    save(figure, "arbitrary-ways.svg")


def draw_crossovers(run, runs):
    most = max(row["n"] for row in arbitrary.rows_of(run, "crossovers"))
    found = {(what, way): row for (what, way), row in arbitrary.random_ones(run, runs).items() if what[0] <= most}
    figure, panels = plt.subplots(1, 3, figsize=(12, 3.6), sharey=True, layout="constrained")
    for axes, size in zip(panels, (4, 8, 16)):
        draw_ways(axes, found, size, {way: way for way in ("auto", "gather", "bucket")})
    panels[0].set_ylabel("time over that of a copy")
    panels[0].legend(title=run["device"], fontsize=7, title_fontsize=7)
    save(figure, "arbitrary-crossovers.svg")


def draw_shapes(run, runs):
    """A panel for each group, a curve for each library: of its ratios, sorted."""
    peers, names = shapes.peers_of(run, runs), shapes.versions(run, runs)
    groups = [group for group in shapes.GROUPS if shapes.rows_of(run, group)]
    figure, panels = plt.subplots(2, (len(groups) + 1) // 2, figsize=(13, 6), sharey=True, squeeze=False, layout="constrained")
    for axes, group in zip(panels.flat, groups):
        rows = shapes.rows_of(run, group)
        curves = {name: [peer["ratio"] for _, peer in shapes.both(rows, peers, name)] for name in shapes.PEERS}
        for name, ratios in {"riffle": [row["ratio"] for row in rows], **curves}.items():
            if ratios:
                axes.plot(sorted(ratios), "o-", label=names.get(name, name), markersize=2, linewidth=1,
                          color=SHAPE_COLOURS[name])
        axes.axhline(1, color="black", linestyle=":", linewidth=1)
        axes.set(title=shapes.GROUPS[group], yscale="log", xlabel="shapes, each library's fastest first")
        axes.set_yticks([1, 1.5, 2, 3, 5, 10, 20], ["1", "1.5", "2", "3", "5", "10", "20"], minor=False)
        axes.minorticks_off()
        axes.grid(alpha=0.3)
    for axes in panels.flat[len(groups):]:
        axes.remove()
    for axes in panels[:, 0]:
        axes.set_ylabel("time over that of a copy")
    panels[0][0].legend(title=run["device"], fontsize=7, title_fontsize=7)
    save(figure, "axes-shapes.svg")


def sort_curves(run, runs, rows):
    """Numbers' rows and nanoseconds a number, by who sorts them."""
    peers, curves = sorts.peers_of(run, runs), {}
    for row in rows:
        curves.setdefault("riffle", []).append((row, row["seconds"] * 1e9 / row["n"]))
        for name in sorts.PEERS:
            peer = peers.get((sorts.key_of(row), name))
            if peer:
                curves.setdefault(name, []).append((row, peer["seconds"] * 1e9 / row["n"]))
    return curves


def draw_sorts(run, runs):
    figure, panels = plt.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
    for axes, kind in zip(panels, ("u32", "u64")):
        rows = [row for row in sorts.rows_of(run, "sizes") if row["type"] == kind]
        for name, points in sort_curves(run, runs, rows).items():
            axes.plot([row["n"] for row, _ in points], [ns for _, ns in points], "o-", label=name, markersize=3, linewidth=1)
        axes.set(title=kind, xscale="log", yscale="log", xlabel="numbers")
        axes.grid(alpha=0.3)
    panels[0].set_ylabel("nanoseconds a number")
    panels[0].legend(title=run["device"], fontsize=7, title_fontsize=7)
    save(figure, "sort-sizes.svg")
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    rows = [row for row in sorts.rows_of(run, "types") if row["n"] == 1 << 26]
    for name, points in sort_curves(run, runs, rows).items():
        axes.plot([f"{sorts.name_of(row)}" for row, _ in points], [ns for _, ns in points], "o", label=name, markersize=4)
    axes.set(yscale="log", ylabel="nanoseconds a number", xlabel="numbers, 2^26")
    axes.legend(title=run["device"], fontsize=7, title_fontsize=7)
    axes.grid(alpha=0.3)
    save(figure, "sort-keys.svg")


def main():
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    latest, runs = {}, []
    for run in results.read_all():
        runs.append(run)
        for suite in {row["suite"] for row in run["results"]}:
            latest[suite] = run
    if "hmm" in latest:
        draw_hmm(latest["hmm"], 4, "hmm-table2-float.svg")
        draw_hmm(latest["hmm"], 8, "hmm-table2-double.svg")
    if "dmm" in latest:
        draw_dmm(latest["dmm"])
    affine_runs = [run for run in runs if affine.paper_rows(run) or affine.rows_of(run, "small")]
    if affine_runs:
        draw_affine(affine_runs[-1])
    on_gpus = [run for run in runs if run["engine"] == "cuda" and shapes.rows_of(run)]
    if on_gpus:
        draw_shapes(on_gpus[-1], runs)
    sort_runs = [run for run in runs if run["engine"] == "cuda" and sorts.rows_of(run, "sizes")]
    if sort_runs:
        draw_sorts(sort_runs[-1], runs)
    if "arbitrary" in latest:
        draw_arbitrary(latest["arbitrary"], runs)
        if arbitrary.rows_of(latest["arbitrary"], "crossovers"):
            draw_crossovers(latest["arbitrary"], runs)


main()
