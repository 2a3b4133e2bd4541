#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of measured results into README.md and docs/*.md, and the README's picture.

    tables.py            rewrite every generated region
    tables.py --check    exit 1 if a region is not what bench/results/ says

A region stands between <!-- begin generated: ENGINE --> and <!-- end generated -->, and shows every file
bench/results/*.json (what `riffle bench --json` printed, peers' rows included) of that engine. A row whose algorithm is not
one of riffle's, such as "numpy", is a peer: it becomes a column. "ENGINE hmm", "ENGINE hmm-random" and "ENGINE dmm" show those
suites as the papers' tables do, with the papers' own figures (bench/papers/papers.json) beside; the plain regions leave these
suites out. "hardware kernels" and "hardware patterns" show what bench/hardware/hardware.py merged.

All other regions have a file in bench/tables/, where its functions say what they show:

    first                                           first.py: the README's table, whose picture is written besides
    cpu-claim                                       processors.py: what structured permutations take on a CPU. cli/main.c and the
                                                    manual page have regions of it too, between comments of their own kind, and
                                                    docs/command.md the paragraph that --help prints
    affine-GROUP, affine-plan, affine-peers         affine_tables.py
    arbitrary-PART, axes-PART, once-PART, views     arbitrary_tables.py and so on: peers are beside
    hull-gpu, hull-host, sort-gpu-GROUP, sort-host  hull_tables.py, sort_tables.py
    programs-gpu, programs-host, programs-levels    programs_tables.py
    small, small-images, small-image-kinds, choice; group  host_tables.py, group_tables.py
    passes                                          passes.py, which asks riffle
    neon                                            beyond/neon_tables.py: what bench/hardware/neon_loops.py counted
    bits-planes ENGINE, bits-maps ENGINE, f2-host,  bits/bits_tables.py: files of bench/results/bits/
    f2-cuda, cycles
    python cpu, python cuda; light                  package/python_tables.py, light_tables.py: what bench/python.py and light.py measured
    predictions all, sorts, hulls                   predictions/prediction_tables.py: the bounds that tests judge by
    multigpu                                        beyond/multigpu_tables.py: what bench/multigpu measured
    mpi                                             beyond/mpi_tables.py: what bench/mpi/gpus.c measured
    ranks moves, sort, plan, dask                   beyond/ranks_tables.py: what bench/mpi/measure.sh and bench/peers/dask_peer.py measured
    lint-survey files, causes, unseen, unseen-causes, for-all, nsight, differences, hopper, hopper-differences, moved, races, sanitizer, gpuverify, gpuverify-wrong, mutants, mutants-wrong, cutlass, faial, faial-other
                                                    survey_tables.py: what bench/lint/ measured
"""
import json
import math
import re
import sys
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "bench/tables"), *[str(ROOT / "bench/tables" / name) for name in ("beyond", "bits", "package", "predictions")]]
import affine_tables  # noqa: E402
import arbitrary_tables  # noqa: E402
import axes_tables  # noqa: E402
import bits_tables  # noqa: E402
import first  # noqa: E402
import group_tables  # noqa: E402
import host_tables  # noqa: E402
import hull_tables  # noqa: E402
import light_tables  # noqa: E402
import mpi_tables  # noqa: E402
import multigpu_tables  # noqa: E402
import neon_tables  # noqa: E402
import once_tables  # noqa: E402
import passes  # noqa: E402
import prediction_tables  # noqa: E402
import processors  # noqa: E402
import programs_tables  # noqa: E402
import python_tables  # noqa: E402
import ranks_tables  # noqa: E402
import results  # noqa: E402
import sort_tables  # noqa: E402
import survey_tables  # noqa: E402
import views_tables  # noqa: E402
from markdown import count, device, markdown, milliseconds  # noqa: E402

REGION = re.compile(r"(<!-- begin generated: ([\w-]+)(?: ([\w-]+))? -->\n).*?(<!-- end generated -->)", re.DOTALL)
OWN = {"copy", "scatter", "gather", "affine", "axes", "bucket",
       "transpose", "row-wise", "column-wise", "scheduled", "conflict-free"}
# A region of cli/main.c or of the manual page; and --help's paragraph as docs/command.md quotes it.
PLAIN_REGION = re.compile(r"((?:/\*|\.\\\") begin generated: ([\w-]+)(?: \*/)?\n).*?([ \t]*(?:/\*|\.\\\") end generated)", re.DOTALL)
HELP = re.compile(r"^Permutes the arrays of \.npy files\..*?(?=\n\n)", re.DOTALL | re.MULTILINE)
PLAIN = {"cpu-claim-help": processors.c_lines, "cpu-claim-manual": processors.manual_lines}
PAPERS = json.loads((ROOT / "bench/papers/papers.json").read_text())


def what_moves(row):
    return row["by"], row["n"], row["elem_bytes"]


def table(run):
    """The Markdown lines for one run of the benchmark."""
    rows = [row for row in run["results"] if row["suite"] not in ELSEWHERE and "skipped" not in row]
    own = [row for row in rows if row["algorithm"] in OWN]
    peers = {(row["algorithm"], what_moves(row)): row for row in rows if row["algorithm"] not in OWN}
    names = sorted({name for name, _ in peers})
    if not own:
        return []

    heads = ["permutation", "elements", "bytes each", "algorithm", "ms", "times a copy", "plan ms", "plan bytes"]
    lines = [device(run), ""]
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


def family(by):
    """The paper's word for a permutation: "random:1" is random."""
    return by.split(":")[0]


def hmm(run):
    """Table II of the HMM paper. The paper timed no copy, so its times are given over its own fastest: the identity,
    destination-designated."""
    algorithms = ["scatter", "gather", "scheduled"]
    paper = {(r["elem_bytes"], r["sqrt_n"], r["permutation"], r["algorithm"]): r["ms"]
             for r in PAPERS["hmm"]["table2"]["rows"]}
    rows = [row for row in run["results"] if row["suite"] == "hmm"]
    lines = []
    for size in sorted({row["elem_bytes"] for row in rows}):
        found = {(row["n"], row["by"], row["asked_algorithm"]): row for row in rows if row["elem_bytes"] == size}
        cells = []
        for n, by in dict.fromkeys((n, by) for n, by, _ in found):
            root = math.isqrt(n)
            ours = [found.get((n, by, algorithm), {}) for algorithm in algorithms]
            copies = [row["copy_seconds"] for row in ours if "ratio" in row]
            theirs = [paper.get((size, root, family(by), algorithm)) for algorithm in algorithms]
            base = paper.get((size, root, "identity", "scatter"))
            if not copies:
                continue
            cells.append([f"{root:,}", f"`{by}`", milliseconds(min(copies))]
                         + [f"{row['ratio']:.2f}" if "ratio" in row else "-" for row in ours]
                         + [f"{ms / base:.2f}" if ms else "" for ms in theirs])
        heads = ["sqrt n", "permutation", "copy, ms"] + [f"{a}, copies" for a in algorithms]
        heads += [f"{a}, the paper's" for a in algorithms]
        lines += [f"{size}-byte elements:", "", *markdown(heads, cells, 2), ""]
    skipped = {row["skipped"] for row in rows if "skipped" in row}
    return [device(run), "", *lines, *[f"Not measured (-): {why}." for why in sorted(skipped)]] if rows else []


def hmm_random(run):
    """Table III of the HMM paper."""
    paper = PAPERS["hmm"]["table3"]
    rows = [row for row in run["results"] if row["suite"] == "hmm-random" and "skipped" not in row]
    cells = []
    for row in rows:
        spread, theirs = row["seconds_range"], paper[row["algorithm"]]
        cells.append([row["algorithm"], f"{row['permutations']:,}", f"{row['copy_seconds'] * 1e3:.4f}"]
                     + [f"{spread[key] * 1e3:.4f}" for key in ("min", "mean", "max")]
                     + [f"{theirs[key]:.2f}" for key in ("min", "mean", "max")])
    for row in rows:
        if "distribution" in row:
            cells.append(["D_w(P)/n", f"{row['permutations']:,}", ""]
                         + [f"{row['distribution'][key]:.5f}" for key in ("min", "mean", "max")]
                         + [f"{paper['distribution'][key]:.5f}" for key in ("min", "mean", "max")])
    heads = ["algorithm", "permutations", "copy, ms", "least", "mean", "most"]
    heads += [f"the paper's {word}" for word in ("least", "mean", "most")]
    return [device(run), "", *markdown(heads, cells)] if rows else []


def dmm(run):
    """Table II of the DMM paper: nanoseconds, and times a copy."""
    algorithms, paper = ["scatter", "gather", "conflict-free"], PAPERS["dmm"]["table2"]
    theirs = {(r["permutation"], r["algorithm"]): r["ns"] for r in paper["rows"]}
    # The rows with the most repetitions are Table II's; the others are Figure 7's.
    rows = [row for row in run["results"] if row["suite"] == "dmm" and "skipped" not in row]
    most = max((row["repetitions"] for row in rows), default=0)
    found = {(row["by"], row["algorithm"]): row for row in rows if row["repetitions"] == most}

    def figures(ns, copy_ns):
        return f"{ns:.1f} / {ns / copy_ns:.2f}"

    cells = []
    for by in dict.fromkeys(by for by, _ in found):
        ours = [found.get((by, algorithm)) for algorithm in algorithms]
        copy = found.get((by, "copy"))
        cells.append([f"`{by}`", f"{copy['seconds'] * 1e9:.1f}" if copy else ""]
                     + [figures(row["seconds"] * 1e9, row["copy_seconds"] * 1e9) if row else "" for row in ours]
                     + [figures(theirs[family(by), algorithm], paper["copy_ns"]) for algorithm in algorithms])
    heads = ["permutation", "copy, ns"] + [f"{a}, ns / copies" for a in algorithms]
    heads += [f"{a}, the paper's" for a in algorithms]
    return [device(run), "", *markdown(heads, cells)] if found else []


def both_counts(compared, name):
    """A count of the GPU, with the machine's in brackets where it is another."""
    if name not in compared:
        return ""
    gpu, machine = compared[name]["gpu"], compared[name]["machine"]
    return f"{gpu:,}" if gpu == machine else f"**{gpu:,}** ({machine:,})"


def counted_on(run, rows):
    equal = [both["gpu"] == both["machine"] for row in rows for both in row["compared"].values()]
    return [f"{run['device']}, driver {run['driver']}, Nsight Compute {run['ncu']}; riffle {run['commit']}. "
            f"{sum(equal)} of {len(equal)} counts are equal; where one is not, it is bold, with the machine's in "
            "brackets.", ""]


def hardware_kernels(run):
    """A launch of a kernel a row, a counter a column."""
    rows = [row for row in run["results"] if row["suite"] == "hardware-kernels"]
    names = list(dict.fromkeys(name for row in rows for name in row["compared"]))
    cells = []
    for row in rows:
        equal = all(both["gpu"] == both["machine"] for both in row["compared"].values())
        cells.append([row["launch"], row["elem_bytes"], *[both_counts(row["compared"], name) for name in names],
                      "yes" if equal else "no"])
    return [*counted_on(run, rows), *markdown(["launch", "bytes each", *names, "equal"], cells)] if rows else []


def hardware_patterns(run):
    """A counter of a warp's pattern a row, a size of cells a column; what the pattern is about, and what differs."""
    rows = [row for row in run["results"] if row["suite"] == "hardware-patterns"]
    shown = {"shared_access": "wavefronts", "global_access": "sectors"}
    found = {(row["launch"], name, row["elem_bytes"]): row["compared"] for row in rows
             for name, both in row["compared"].items()
             if shown.get(row["launch"].split(",")[0], "of atomics") in name or both["gpu"] != both["machine"]}
    sizes = sorted({size for *_, size in found})
    cells = [[*key, *[both_counts(found.get((*key, size), {}), key[1]) for size in sizes]]
             for key in dict.fromkeys(key[:2] for key in found)]
    heads = ["launch", "counter", *[f"{size} bytes" for size in sizes]]
    return [*counted_on(run, rows), *markdown(heads, cells, 2)] if rows else []


SHOWN = {"hmm": hmm, "hmm-random": hmm_random, "dmm": dmm,
         "kernels": hardware_kernels, "patterns": hardware_patterns}
OF_SUITES = affine_tables.SHOWN | arbitrary_tables.SHOWN | axes_tables.SHOWN | group_tables.SHOWN | host_tables.SHOWN | hull_tables.SHOWN | once_tables.SHOWN | programs_tables.SHOWN | sort_tables.SHOWN | views_tables.SHOWN
# Suites that the plain regions leave out.
ELSEWHERE = {"hmm", "hmm-random", "dmm", "affine", "affine-peers", "arbitrary", "arbitrary-peers", "axes", "axes-peers", "choice", "group", "hull", "once", "programs", "programs-peers", "small", "sort", "sort-gpu", "sort-gpu-peers", "views", "views-peers"}


def region(engine, what, runs):
    """Returns a region's text: a table for each run that has something for it."""
    if engine == "first":
        return "\n".join(first.table(runs)) + "\n"
    if engine == "cpu-claim":
        return "\n".join(processors.claim(runs)) + "\n"
    if engine == "passes":
        return passes.table()
    if engine == "programs-levels":
        return programs_tables.levels()
    if engine == "neon":
        return neon_tables.table()
    if engine == "lint-survey":
        return "\n".join(survey_tables.region(what) or ["Not measured yet."]) + "\n"
    if engine == "predictions":
        return prediction_tables.tables(what)
    if engine in bits_tables.SHOWN:
        return bits_tables.tables(engine, what)
    if engine == "python":
        return python_tables.tables(what)
    if engine == "light":
        return light_tables.tables()
    if engine == "mpi":
        return mpi_tables.tables()
    if engine == "ranks":
        return ranks_tables.tables(what)
    if engine == "multigpu":
        return multigpu_tables.tables()
    show = SHOWN.get(what, table)
    if engine in OF_SUITES:
        show, engine = partial(OF_SUITES[engine], runs=runs), None
    of_engine = [run for run in runs if engine in (None, run["engine"])]
    tables = ["\n".join(lines).rstrip() for lines in map(show, of_engine) if lines]
    return "\n\n".join(tables) + "\n" if tables else "Not measured yet.\n"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    runs = results.read_all()
    wanted = {ROOT / first.PICTURE: first.picture(runs)}
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        wanted[path] = REGION.sub(lambda m: m[1] + "\n" + region(m[2], m[3], runs) + "\n" + m[4], path.read_text())
    for path in (ROOT / "cli/main.c", ROOT / "packaging/riffle.1"):
        wanted[path] = PLAIN_REGION.sub(lambda m: m[1] + PLAIN[m[2]](runs) + m[3], path.read_text())
    page = ROOT / "docs/command.md"
    wanted[page] = HELP.sub(lambda _: "\n".join(processors.about(runs)), wanted[page])
    stale = []
    for path, new in wanted.items():
        if not path.exists() or path.read_text() != new:
            stale.append(str(path.relative_to(ROOT)))
            if not sys.argv[1:]:
                path.write_text(new)
    if stale:
        print(("stale, run bench/tables.py: " if sys.argv[1:] else "rewritten: ") + ", ".join(stale))
    sys.exit(1 if stale and sys.argv[1:] else 0)


main()
