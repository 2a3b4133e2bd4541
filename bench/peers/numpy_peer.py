#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""numpy_peer.py RESULTS.json: measures NumPy on the rows of `riffle bench --json` and adds them to the file.

For each permutation that NumPy can do in one expression (axes and transposes by ascontiguousarray, random ones by
x[q]) one row is added, algorithm "numpy", with the time of a copy between the same arrays, by as many threads as riffle took, measured in
turn with it. Where OpenCV is installed (PyPI's opencv-python-headless) matrices and images of three channels have one of the algorithm
"opencv": its transpose, split or merge, into arrays that are there. For programs it is its sort; and where FFTW is installed (Debian's libfftw3-single3) transforms have a row
of the algorithm "fftw". Run it right after the benchmark, on the same idle machine.
"""
import json
import re
import statistics
import sys
import threading
import time

import numpy as np

import fftw

try:
    import cv2
except ImportError:
    cv2 = None

REPEAT = 5
SHORT_SECONDS = 2e-4  # a work that takes less is done often in a row
PEERS = ("numpy", "opencv", "fftw")
DTYPES = {"u32": "u4", "c64": "c8"}


def parallel_copy(dst, src, threads):
    """copyto in contiguous parts; NumPy lets go of the interpreter while it copies."""
    if threads == 1:
        np.copyto(dst, src)
        return
    cuts = [len(src) * t // threads for t in range(threads + 1)]
    parts = [(dst[a:b], src[a:b]) for a, b in zip(cuts, cuts[1:])]
    workers = [threading.Thread(target=np.copyto, args=part) for part in parts]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def timed(function, times=1):
    start = time.perf_counter()
    for _ in range(times):
        function()
    return (time.perf_counter() - start) / times


def expression(row, x):
    """Returns a NumPy user's expression for this row, as a function, or None."""
    axes = re.fullmatch(r"axes:([\dx]+):([\d,]+)", row["by"])
    transpose = re.fullmatch(r"transpose:(\d+)x(\d+)", row["by"])
    if axes:
        shaped = x.reshape([int(d) for d in axes[1].split("x")])
        order = [int(a) for a in axes[2].split(",")]
        return lambda: np.ascontiguousarray(shaped.transpose(order))
    if transpose:
        return lambda: np.ascontiguousarray(x.reshape(int(transpose[1]), int(transpose[2])).T)
    if row["by"].startswith("random:"):
        q = np.random.default_rng(1).permutation(len(x))
        return lambda: x[q]
    return None


def arrays_of(row):
    """Returns the array to move, and an array for it to go to."""
    if row["suite"] == "programs":
        numbers = np.random.default_rng(0).integers(0, 1 << 31, row["n"] * row.get("arrays", 1), dtype=np.uint32)
        x = numbers.astype(DTYPES.get(row["type"], "f4"))
    else:
        x = np.random.default_rng(0).integers(0, 255, row["n"] * row["elem_bytes"], dtype=np.uint8)
        x = x.view(f"V{row['elem_bytes']}" if row["elem_bytes"] not in (1, 2, 4, 8) else f"u{row['elem_bytes']}")
    return x, np.zeros_like(x)


def opencv(row, x, dst, threads):
    """OpenCV's function for a matrix, or for an image of three channels."""
    image = re.fullmatch(r"axes:(\d+)x(\d+)x3:2,0,1", row["by"])
    planes = re.fullmatch(r"axes:3x(\d+)x(\d+):1,2,0", row["by"])
    matrix = re.fullmatch(r"transpose:(\d+)x(\d+)", row["by"]) or re.fullmatch(r"axes:(\d+)x(\d+):1,0", row["by"])
    if cv2 is None or row["elem_bytes"] > 4:
        return None
    cv2.setNumThreads(threads)
    x, dst = (array.view({1: "u1", 2: "u2", 4: "i4"}[row["elem_bytes"]]) for array in (x, dst))
    if matrix:
        rows, cols = map(int, matrix.groups())
        src, out = x.reshape(rows, cols), dst.reshape(cols, rows)
        return lambda: cv2.transpose(src, dst=out)
    if image:
        src, out = x.reshape(int(image[1]), int(image[2]), 3), list(dst.reshape(3, int(image[1]), int(image[2])))
        return lambda: cv2.split(src, out)
    if planes:
        src, out = list(x.reshape(3, int(planes[1]), int(planes[2]))), dst.reshape(int(planes[1]), int(planes[2]), 3)
        return lambda: cv2.merge(src, out)
    return None


def peers_of(row, x, dst, threads):
    """Functions that are timed, by whose they are."""
    if row["suite"] != "programs":
        found = {"numpy": expression(row, x), "opencv": opencv(row, x, dst, threads)}
    elif row["by"] == "sort n":
        found = {"numpy": lambda: np.sort(x.reshape(-1, row["n"]), axis=-1)}
    else:
        found = {"fftw": fftw.transform(x, dst, threads) if row["by"] == "fft n" else None}
    return {name: work for name, work in found.items() if work is not None}


def measure(row, x, dst, threads, name, work):
    work()
    if name == "fftw":  # NumPy's own is of doubles in older versions, and slow in all
        np.testing.assert_allclose(dst[:1], x.sum(dtype="c16", keepdims=True), rtol=1e-4)
    times = 1 + int(SHORT_SECONDS / timed(work))
    runs = [(timed(work, times), timed(lambda: parallel_copy(dst, x, threads), times)) for _ in range(REPEAT)]
    seconds, copy_seconds = (statistics.median(column) for column in zip(*runs))
    peer = {key: row[key] for key in ("suite", "group", "by", "n", "elem_bytes", "arrays", "type") if key in row}
    return peer | {"algorithm": name, "seconds": seconds, "copy_seconds": copy_seconds, "ratio": seconds / copy_seconds}


def measure_all(row, threads):
    x, dst = arrays_of(row)
    return [measure(row, x, dst, threads, *peer) for peer in peers_of(row, x, dst, threads).items()]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        run = json.load(file)
    rows = [row for row in run["results"] if row["algorithm"] not in PEERS]
    peers, seen = [], set()
    for row in rows:
        key = (row["by"], row["n"], row["elem_bytes"], row.get("arrays"))
        if key in seen:
            continue
        seen.add(key)
        for peer in measure_all(row, 1 if row["suite"] == "small" else run["threads"]):
            print(f"{peer['by']:32} {peer['n']:>11} {peer['seconds'] * 1e3:10.4f} ms {peer['ratio']:6.2f} copies by {peer['algorithm']}"
                  f"   riffle is {peer['seconds'] / row['seconds']:.1f} times as fast", file=sys.stderr)
            peers.append(peer)
    run["results"] = rows + peers
    run["numpy"] = np.__version__
    if cv2 is not None:
        run["opencv"] = cv2.__version__
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(run, file, indent=1)
        file.write("\n")


main()
