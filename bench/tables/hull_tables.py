# SPDX-License-Identifier: Apache-2.0
"""The tables of the suite hull, on the host and on a GPU, as bench/tables/affine_tables.py has those of affine."""
from functools import partial

from markdown import count, device, markdown

# Milliseconds at most, first and then, by shape, points of a set, sets and type.
REACH = {"cuda": {("square", 10**7, 0, "f32"): (0.2, 0.12), ("disc", 10**7, 0, "f32"): (0.2, 0.12), ("normal", 10**7, 0, "f32"): (0.2, 0.12),
         ("square", 10**8, 0, "f32"): (0.35,), ("disc", 10**8, 0, "f32"): (0.35,), ("normal", 10**8, 0, "f32"): (0.35,),
         ("ring", 10**7, 0, "f32"): (1.5,), ("parabola", 10**8, 0, "f32"): (6,), ("disc", 32, 10**6, "f32"): (0.5,)},
         "cpu": {("square", 10**7, 0, "f64"): (10,), ("disc", 10**7, 0, "f64"): (10,), ("ring", 10**6, 0, "f64"): (35,),
                 ("parabola", 10**6, 0, "f64"): (35,)}}


def reached(engine, key, milliseconds):
    return "; ".join(f"{most:g}: {'yes' if milliseconds <= most else '**no**'}" for most in REACH[engine].get(key, ()))


def rows(engine, run, runs):
    """Every row once: that of 10^7 floats on a disc is in two groups."""
    if run["engine"] != engine:
        return []
    found = {}
    for row in run["results"]:
        if row["suite"] == "hull" and "ratio" in row:
            found.setdefault((row["by"], row["n"], row.get("arrays", 0), row["type"]), row)
    cells = [[key[0], f"{key[2]:,} x {key[1]}" if key[2] else count(key[1]), key[3], f"{row['corners']:,}", f"{row['seconds'] * 1e3:.3f}",
              f"{row['ratio']:.2f}", reached(engine, key, row["seconds"] * 1e3)] for key, row in found.items()]
    heads = ["points", "how many", "type", "corners", "ms", "times a copy", "ms at most"]
    return [device(run), "", *markdown(heads, cells, 1)] if cells else []


SHOWN = {"hull-gpu": partial(rows, "cuda"), "hull-host": partial(rows, "cpu")}
