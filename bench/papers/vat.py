#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The experiments of the VAT model's chapter (Jurkiewicz, Mehlhorn), measured, for docs/vat.md.

    vat.py measure RIFFLE NAME [OPTION]...   riffle vat measure --json OPTION... >bench/results/vat/NAME.json
    vat.py count RIFFLE                      riffle vat curve at the measured sizes, as a guest on several hosts, into bench/results/vat/counted/
    vat.py tables                            write the tables into docs/vat.md
    vat.py tables --check                    exit 1 if a table is not what bench/results/vat/ says
    vat.py plots                             rewrite the pictures, with Matplotlib

    vat-figure1.svg   Figure 2.1: the normalized operation time of all programs against the bytes of the array
    vat-figure2.svg   Figure 2.2: random scan's time over its cost in external memory
    vat-figure5.svg   Figure 2.5: time with 2 MiB pages over that with 4 KiB pages
    vat-figure7.svg   Figure 2.7: the transpose by rows and in the recursive layout

A later result in that folder, by name, replaces what an earlier one has of a program and kind of pages. The models'
shares were fitted by the command that measured.
"""
import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/tables"))
import results  # noqa: E402
from markdown import markdown  # noqa: E402

PAGE = ROOT / "docs/vat.md"
IMAGES = ROOT / "docs/images"
REGION = re.compile(r"(<!-- begin vat: (\w+) -->\n).*?(<!-- end vat -->)", re.DOTALL)
MEASURED = ["random-scan", "permute", "binary-search", "heapsort"]  # the programs that the model must explain
COUNTED = ["random-scan", "permute"]  # one access an operation, so that they can be counted at these sizes
MOST_COUNTED = 52_000_000
HOST_NAMES = {"none": "none", "4k": "pages of 4 KiB", "2m": "pages of 2 MiB"}
HOSTS = {"none": [], "4k": ["--nested"], "2m": ["--nested", "--host-page", "2^21"]}  # and the host's pages
ENOUGH = 0.9
GRANTED = 0.9
KIB, MIB = 2**10, 2**20


def load():
    """All results as one: what a later file has of a program and kind of pages takes the place of an earlier one's."""
    whole = None
    for run in results.read_all("vat"):
        if whole is None:
            whole = run
            continue
        for part in ("results", "fits"):
            newer = {(row["program"], row["pages"]) for row in run[part]}
            at = next((k for k, row in enumerate(whole[part]) if (row["program"], row["pages"]) in newer), 0)
            kept = [row for row in whole[part] if (row["program"], row["pages"]) not in newer]
            whole[part] = kept[:at] + run[part] + kept[at:]
        whole["seconds"] += run["seconds"]
    return whole


def measure(riffle, name, options):
    done = subprocess.run([riffle, "vat", "measure", "--json", *options], check=True, stdout=subprocess.PIPE, text=True)
    json.loads(done.stdout)
    (results.FOLDER / f"vat/{name}.json").write_text(done.stdout)


def count(riffle):
    """Faults of each translation at the measured sizes beyond the last-level cache, as far as counting takes minutes."""
    run, rows = load(), []
    cache = run["model"]["4k"]["cache"]
    for name, options in HOSTS.items():
        for program in COUNTED:
            sizes = [row["n"] for row in rows_of(run, program, "4k") if row["bytes"] > run["cache"] and row["n"] <= MOST_COUNTED]
            done = subprocess.run([riffle, "vat", "curve", "--program", program, "--n", ",".join(map(str, sizes)), "--cache", str(cache),
                                   "--replay", str(MOST_COUNTED), *options], check=True, stdout=subprocess.PIPE, text=True)
            for row in csv.DictReader(io.StringIO(done.stdout)):
                rows.append({"program": program, "pages": "4k", "host": name, "n": int(row["n"]), "faults": int(row["faults"]),
                             "host_faults": int(row["host_faults"] or 0)})
    results.write_rows("vat/counted/zen4.json", rows)


def granted(row):
    return (row["huge_share"] if row["pages"] == "2m" else 1 - row["huge_share"]) >= GRANTED


def rows_of(run, program, pages):
    return [row for row in run["results"]
            if row["program"] == program and row["pages"] == pages and granted(row)]


def programs_of(run):
    return list(dict.fromkeys(row["program"] for row in run["results"]))


def fit_of(run, program, pages):
    return next((fit for fit in run["fits"] if fit["program"] == program and fit["pages"] == pages), None)


# ---------------------------------------------------------------------------------------------- tables

def size(bytes_):
    return f"{bytes_ / MIB:.3g} MiB" if bytes_ >= MIB else f"{bytes_ / KIB:.3g} KiB"


def machine(run):
    cache = run["model"]["4k"]["cache"], run["model"]["2m"]["cache"]
    return [f"{run['cpu']} (translation cache: {run['translation_cache']}, W = {cache[0]} for pages of 4 KiB and "
            f"{cache[1]} for 2 MiB), last-level cache of {run['cache'] // MIB} MiB; riffle {run['version']} "
            f"({run['commit']}), {run['seconds']:.0f} seconds for everything.", ""]


def at(rows, bytes_):
    """The row whose size is the nearest, at most a tenth away."""
    near = [row for row in rows if abs(row["bytes"] / bytes_ - 1) < 0.1]
    return min(near, key=lambda row: abs(row["bytes"] - bytes_), default=None)


def times(run):
    """Normalized times at a few of the sizes that permute was measured at."""
    sizes = [row["bytes"] for row in rows_of(run, "permute", "4k")]
    chosen = [bytes_ for k, bytes_ in enumerate(reversed(sizes)) if k % 5 == 0][::-1]
    lines = []
    for program in programs_of(run):
        for pages in ("4k", "2m"):
            found = [at(rows_of(run, program, pages), bytes_) for bytes_ in chosen]
            lines.append([f"`{program}`" if pages == "4k" else "", pages,
                          *(f"{row['normalized_ns']:.3g}" if row else "" for row in found)])
    return machine(run) + markdown(["program", "pages", *map(size, chosen)], lines, texts=2)


def percent(explained):
    return f"{100 * explained['r2']:.1f}%" if explained else "–"


def fits(run):
    lines = []
    for fit in run["fits"]:
        lines.append([f"`{fit['program']}`", fit["pages"], fit["sizes"],
                      *(percent(fit[name][base]) for name in ("em", "vat_least", "vat_most")
                        for base in ("smallest", "edge"))])
    heads = ["program", "pages", "sizes", "EM", "EM, edge", "VAT, lower", "lower, edge", "VAT, upper", "upper, edge"]
    return markdown(heads, lines, texts=2)


def together(run, program, fit):
    """R2 of t0 + a em + c vat from the smallest, a constant for each machine."""
    rows = [row for row in rows_of(run, program, "4k") if row["bytes"] > run["cache"]]
    time = np.array([row["normalized_ns"] for row in rows])
    costs = np.array([[row["em"] / row["ram"], row["vat_most"] / row["ram"]] for row in rows])
    constants = np.linalg.lstsq(costs, time - fit["smallest_ns"], rcond=None)[0]
    rest = time - fit["smallest_ns"] - costs @ constants
    return 1 - (rest**2).sum() / ((time - time.mean())**2).sum()


def verdict(run):
    """By the upper bound, and from the edge of the last-level cache, for all programs alike."""
    lines = []
    for program in MEASURED:
        fit = fit_of(run, program, "4k")
        if not fit or not fit["vat_most"]["edge"]:
            lines.append(f"- `{program}`: not measured at three sizes beyond the last-level cache.")
            continue
        explained = fit["vat_most"]["edge"]
        fits_well = "fits" if explained["r2"] >= ENOUGH else "**does not fit**"
        lines.append(f"- `{program}` {fits_well}: the VAT explains {percent(explained)}, the EM {percent(fit['em']['edge'])}, "
                     f"the RAM 0%. A fault costs {explained['constant_ns']:.3g} ns. EM and VAT together, a constant "
                     f"for each, explain {100 * together(run, program, fit):.1f}%.")
    return lines


def replayed(run):
    """Counted faults beside the bounds, at the largest size that was replayed."""
    lines = []
    for program in programs_of(run):
        for pages in ("4k", "2m"):
            rows = [row for row in rows_of(run, program, pages) if row["faults"] is not None]
            if not rows:
                continue
            row = rows[-1]
            least, faults, most = (f"{row[name] / row['ram']:.3g}" for name in ("vat_least", "faults", "vat_most"))
            lines.append([f"`{program}`" if pages == "4k" else "", pages, size(row["bytes"]), least, faults, most])
    return markdown(["program", "pages", "array", "lower bound", "LRU", "upper bound"], lines, texts=2)


def best(run, program, counted, with_em):
    """R2 of t0 + c f + e em from the smallest, and c: f faults of both translations for an operation, e = 0 without the EM."""
    rows = [row for row in rows_of(run, program, "4k") if row["n"] in counted and row["bytes"] > run["cache"]]
    time = np.array([row["normalized_ns"] for row in rows])
    costs = np.array([[counted[row["n"]] / row["ram"], *([row["em"] / row["ram"]] if with_em else [])] for row in rows])
    rest = time - fit_of(run, program, "4k")["smallest_ns"]
    constants = np.linalg.lstsq(costs, rest, rcond=None)[0]
    return 1 - ((rest - costs @ constants)**2).sum() / ((time - time.mean())**2).sum(), constants[0]


def nested(run):
    """Counts of one translation and of two, fitted to the times."""
    rows, lines = results.read("vat/counted/zen4.json"), []
    for program in COUNTED:
        for host in HOSTS:
            counted = {row["n"]: row["faults"] + row["host_faults"] for row in rows if (row["program"], row["host"]) == (program, host)}
            alone, with_em = best(run, program, counted, False), best(run, program, counted, True)
            lines.append([f"`{program}`" if host == "none" else "", HOST_NAMES[host], len(counted), f"{counted[min(counted)] / min(counted):.3g}",
                          f"{counted[max(counted)] / max(counted):.3g}", f"{alone[1]:.3g}", f"{100 * alone[0]:.1f}%", f"{with_em[1]:.3g}",
                          f"{100 * with_em[0]:.1f}%"])
    heads = ["program", "host", "sizes", "faults at the least", "at the greatest", "ns a fault", "explained", "ns, with EM", "explained"]
    return markdown(heads, lines, texts=2)


TABLES = {"times": times, "fits": fits, "verdict": verdict, "replayed": replayed, "nested": nested}


def tables(check):
    run = load()

    def table(name):
        return "\n".join(TABLES[name](run)) if run else "Not measured yet."

    old = PAGE.read_text()
    new = REGION.sub(lambda m: f"{m[1]}\n{table(m[2])}\n\n{m[3]}", old)
    if new == old:
        return 0
    if check:
        print("stale, run bench/papers/vat.py tables: docs/vat.md")
        return 1
    PAGE.write_text(new)
    return 0


# --------------------------------------------------------------------------------------------- drawing

def predict(run, fit, row):
    """t0 + c (x - x0) of the upper bound from the edge; None where there is none."""
    explained = fit["vat_most"]["edge"]
    if not explained:
        return None
    edge = next(r for r in rows_of(run, fit["program"], fit["pages"]) if r["n"] == fit["edge_n"])
    x0 = edge["vat_most"] / edge["ram"]
    return fit["edge_ns"] + explained["constant_ns"] * (row["vat_most"] / row["ram"] - x0)


def draw_prediction(axes, run, program, pages, colour, scale=lambda row, time: time):
    """Dotted, beyond the last-level cache, where it was fitted."""
    fit = fit_of(run, program, pages)
    rows = [row for row in rows_of(run, program, pages) if row["bytes"] > run["cache"]]
    if fit and rows and predict(run, fit, rows[0]) is not None:
        axes.plot([row["bytes"] for row in rows], [scale(row, predict(run, fit, row)) for row in rows], "--", color=colour)


def finish(plt, figure, axes, run, name, **labels):
    axes.set_xscale("log", base=2)
    axes.set(xlabel="bytes of the array", **labels)
    axes.axvline(run["cache"], color="grey", linestyle=":", linewidth=1)
    axes.grid(alpha=0.3)
    axes.legend(title=f"{run['cpu']}\n(dashed: VAT, fitted beyond the last-level cache)", fontsize=7, title_fontsize=7)
    IMAGES.mkdir(parents=True, exist_ok=True)
    figure.savefig(IMAGES / name, metadata={"Date": None})
    plt.close(figure)
    print(f"drawn: docs/images/{name}")


def draw_times(plt, run, programs, name):
    figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
    for k, program in enumerate(programs):
        rows = rows_of(run, program, "4k")
        if rows:
            axes.plot([row["bytes"] for row in rows], [row["normalized_ns"] for row in rows], "o-", color=f"C{k}",
                      label=program, markersize=3)
            draw_prediction(axes, run, program, "4k", f"C{k}")
    finish(plt, figure, axes, run, name, ylabel="ns for an operation of the RAM, 4 KiB pages", yscale="log")


def draw_over_em(plt, run):
    figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
    for k, pages in enumerate(("4k", "2m")):
        rows = [row for row in rows_of(run, "random-scan", pages) if row["bytes"] > run["cache"]]
        axes.plot([row["bytes"] for row in rows], [row["seconds"] * 1e9 / row["em"] for row in rows], "o-", color=f"C{k}",
                  label=f"random-scan, {pages} pages", markersize=3)
        draw_prediction(axes, run, "random-scan", pages, f"C{k}", lambda row, time: time * row["ram"] / row["em"])
    finish(plt, figure, axes, run, "vat-figure2.svg", ylabel="ns for a block transfer of the EM", ylim=(0, None))


def draw_pages(plt, run):
    figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
    for k, program in enumerate(("permute", "random-scan", "binary-search", "heapsort", "introsort")):
        small = {row["n"]: row for row in rows_of(run, program, "4k")}
        huge = [row for row in rows_of(run, program, "2m") if row["n"] in small]
        if not huge:
            continue
        axes.plot([row["bytes"] for row in huge], [100 * row["seconds"] / small[row["n"]]["seconds"] for row in huge], "o-",
                  color=f"C{k}", label=program, markersize=3)
        fit_small, fit_huge = fit_of(run, program, "4k"), fit_of(run, program, "2m")
        beyond = [row for row in huge if row["bytes"] > run["cache"]]
        pairs = [(row["bytes"], predict(run, fit_huge, row), predict(run, fit_small, small[row["n"]])) for row in beyond]
        pairs = [(bytes_, 100 * huge_ns / small_ns) for bytes_, huge_ns, small_ns in pairs if huge_ns and small_ns]
        if pairs:
            axes.plot(*zip(*pairs), "--", color=f"C{k}")
    axes.axhline(100, color="grey", linewidth=1)
    finish(plt, figure, axes, run, "vat-figure5.svg", ylabel="time with 2 MiB pages, % of that with 4 KiB", ylim=(0, None))


def plots():
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "riffle"  # the same measurements give the same bytes
    import matplotlib.pyplot as plt
    run = load()
    if not run:
        sys.exit("nothing in bench/results/vat/ yet")
    draw_times(plt, run, [p for p in programs_of(run) if not p.startswith("transpose")], "vat-figure1.svg")
    draw_times(plt, run, ["transpose-rows", "transpose-recursive"], "vat-figure7.svg")
    draw_over_em(plt, run)
    draw_pages(plt, run)


def main():
    if len(sys.argv) >= 4 and sys.argv[1] == "measure":
        measure(sys.argv[2], sys.argv[3], sys.argv[4:])
    elif len(sys.argv) == 3 and sys.argv[1] == "count":
        count(sys.argv[2])
    elif sys.argv[1:] in (["tables"], ["tables", "--check"]):
        sys.exit(tables("--check" in sys.argv))
    elif sys.argv[1:] == ["plots"]:
        plots()
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
