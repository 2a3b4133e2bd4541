#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hull_peer.py RESULTS.json RIFFLE: measures Qhull and CGAL on the rows of `riffle-bench --suite hull --json` and adds them.

For each row of one set of up to 10^7 points there is one more for each peer that is installed: "qhull" by SciPy, and "cgal" by
hull_cgal.cpp, which is compiled where CGAL's headers are (Debian's libcgal-dev; CXXFLAGS may say where). Both get doubles.
CGAL decides exactly as riffle does, so its corners must be those of `riffle hull`; where Qhull's differ the row says how many it has.
Run it right after the benchmark, on the same idle machine.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

try:
    from scipy.spatial import ConvexHull, QhullError
except ImportError:
    ConvexHull = None

REPEAT, MOST_POINTS = 3, 10_000_000


def uniform(k):
    """The suite's random numbers: splitmix64's mixing."""
    with np.errstate(over="ignore"):
        k = k + np.uint64(0x9E3779B97F4A7C15)
        k = (k ^ (k >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        k = (k ^ (k >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((k ^ (k >> np.uint64(31))) >> np.uint64(11)) * 2.0**-53


def points_of(row):
    k = np.arange(row["n"], dtype=np.uint64) * np.uint64(3)
    u, v = uniform(k), uniform(k + np.uint64(1))
    def circle(radius):
        return radius * np.cos(2 * np.pi * u), radius * np.sin(2 * np.pi * u)
    shapes = {"square": lambda: (u, v), "disc": lambda: circle(np.sqrt(v)), "ring": lambda: circle(1.0),
              "normal": lambda: circle(np.sqrt(-2 * np.log1p(-v))), "parabola": lambda: (2 * u - 1, (2 * u - 1)**2),
              "grid": lambda: (np.floor(u * 16384), np.floor(v * 16384)),
              "collinear": lambda: (np.floor(u * 2**20), 3 * np.floor(u * 2**20) + 7),
              "duplicates": lambda: (np.floor(u * 30), np.floor(v * 30))}
    points = np.column_stack(shapes[row["by"]]())
    return points.astype("f4").astype("f8") if row["type"] == "f32" else points


def qhull(points, folder):
    def once():
        began = time.perf_counter()
        hull = ConvexHull(points)
        return time.perf_counter() - began, hull.vertices
    try:
        times = [once() for _ in range(REPEAT)]
    except QhullError:
        return None  # points on a line have no hull of Qhull's
    return statistics.median(seconds for seconds, _ in times), points[times[0][1]]


def compile_cgal(folder):
    source = Path(__file__).parent / "hull_cgal.cpp"
    command = ["c++", "-O3", "-DNDEBUG", "-frounding-math", *os.environ.get("CXXFLAGS", "").split(), str(source), "-o",
               f"{folder}/cgal", "-lgmp"]
    return subprocess.run(command, capture_output=True, text=True).returncode == 0


def cgal(points, folder):
    points.tofile(f"{folder}/points")
    done = subprocess.run([f"{folder}/cgal", f"{folder}/points", f"{folder}/corners", str(REPEAT)], capture_output=True, text=True, check=True)
    return float(done.stdout), np.fromfile(f"{folder}/corners").reshape(-1, 2)


def corners_of(riffle, points, folder):
    np.save(f"{folder}/points.npy", points)
    subprocess.run([riffle, "hull", f"{folder}/points.npy", f"{folder}/corners.npy"], check=True)
    return np.load(f"{folder}/corners.npy")


def same(found, corners):
    """The same circle of corners, wherever it begins."""
    first = np.lexsort((found[:, 1], found[:, 0]))[0]
    return np.array_equal(np.roll(found, -first, axis=0), corners)


def main():
    results, riffle = Path(sys.argv[1]), os.path.abspath(sys.argv[2])
    document, added = json.loads(results.read_text()), []
    rows = [row for row in document["results"] if row["suite"] == "hull" and "arrays" not in row and row["n"] <= MOST_POINTS]
    with tempfile.TemporaryDirectory() as folder:
        peers = {"qhull": qhull} if ConvexHull else {}
        if compile_cgal(folder):
            peers["cgal"] = cgal
        for row in (row for row in rows if row["algorithm"] == "hull"):
            points = points_of(row)
            corners = corners_of(riffle, points, folder)
            for name, peer in peers.items():
                found = peer(points, folder)
                if found is None:
                    continue
                is_same = same(found[1], corners)
                if name == "cgal" and not is_same:
                    sys.exit(f"{row['by']} of {row['n']}: CGAL has other corners, {len(found[1])} where riffle has {len(corners)}")
                added.append({**row, "algorithm": name, "asked_algorithm": name, "threads": 1, "seconds": found[0],
                              "ratio": round(found[0] / row["copy_seconds"], 4), "corners": len(found[1]), "same_corners": is_same})
                print(f"{row['by']:10} {row['n']:9} {row['type']} {name:5} {found[0] * 1e3:10.1f} ms, riffle {row['seconds'] * 1e3:.1f}; "
                      f"{len(found[1])} corners{'' if is_same else ', not the same as of exact decisions'}")
    document["results"] += added
    results.write_text(json.dumps(document, indent=1) + "\n")


main()
