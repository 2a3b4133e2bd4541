# SPDX-License-Identifier: Apache-2.0
"""Reading the results of the suite affine: its rows by group, and what permutations are called."""
import math

BMMC = ["bmmc-naive", "bmmc-tile", "bmmc-tile-banks", "bmmc-tile-iters", "bmmc-tile-banks-iters"]
PAPER_PERMS = ["bit-reversal", "random bits", "random affine"]
FIGURES = ("transposes", "figures")  # groups that may be measured alone, in a file of their own


def rows_of(run, group=None):
    """A group's, or all but those of FIGURES."""
    return [row for row in run["results"] if row["suite"] == "affine" and "ratio" in row
            and (row["group"] == group if group else row["group"] not in FIGURES)]


def family(by):
    """One word for all of a kind: "bits:2,0,1" is random bits."""
    word = by.split(":")[0]
    return {"bits": "random bits", "random-affine": "random affine"}.get(word, word)


def bandwidth(row):
    """Bytes read and written a second, those of a second pass too."""
    return 2 * row["passes"] * row["n"] * row["elem_bytes"] / row["seconds"]


def copy_bandwidth(row, key="copy_seconds"):
    return 2 * row["n"] * row["elem_bytes"] / row[key]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def paper_rows(run):
    """The group paper by length, family and algorithm."""
    return {(row["n"], family(row["by"]), row["asked_algorithm"]): row for row in rows_of(run, "paper")}


def best_tiled(found, n, perm):
    """The paper's kernel with all optimizations that apply."""
    return found.get((n, perm, "bmmc-tile-banks" if perm == "random affine" else "bmmc-tile-banks-iters"))
