#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""numpy_peer.py RESULTS.json: measures NumPy on the rows of `riffle bench --json` and adds them to the file.

For each permutation that NumPy can do in one expression (axes and transposes by ascontiguousarray, random ones by
x[q]) one row is added, algorithm "numpy", with the time of a threaded copy between the same arrays measured in
turn with it. For programs it is its sort; and where FFTW is installed (Debian's libfftw3-single3) transforms have a row
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

REPEAT = 5
DTYPES = {"u32": "u4", "c64": "c8"}


def parallel_copy(dst, src, threads):
    """copyto in contiguous parts; NumPy lets go of the interpreter while it copies."""
    cuts = [len(src) * t // threads for t in range(threads + 1)]
    parts = [(dst[a:b], src[a:b]) for a, b in zip(cuts, cuts[1:])]
    workers = [threading.Thread(target=np.copyto, args=part) for part in parts]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def timed(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


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


def peer_of(row, x, dst, threads):
    """Whose function is timed, and that; or None twice."""
    if row["suite"] != "programs":
        return "numpy", expression(row, x)
    if row["by"] == "sort n":
        return "numpy", lambda: np.sort(x.reshape(-1, row["n"]), axis=-1)
    if row["by"] == "fft n":
        return "fftw", fftw.transform(x, dst, threads)
    return None, None


def measure(row, threads):
    x, dst = arrays_of(row)
    name, work = peer_of(row, x, dst, threads)
    if work is None:
        return None
    work()
    if name == "fftw":  # NumPy's own is of doubles in older versions, and slow in all
        np.testing.assert_allclose(dst[:1], x.sum(dtype="c16", keepdims=True), rtol=1e-4)
    runs = [(timed(work), timed(lambda: parallel_copy(dst, x, threads))) for _ in range(REPEAT)]
    seconds, copy_seconds = (statistics.median(column) for column in zip(*runs))
    peer = {key: row[key] for key in ("suite", "group", "by", "n", "elem_bytes", "arrays", "type") if key in row}
    peer.update(algorithm=name, seconds=seconds, copy_seconds=copy_seconds, ratio=seconds / copy_seconds)
    return peer


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        run = json.load(file)
    rows = [row for row in run["results"] if row["algorithm"] not in ("numpy", "fftw")]
    peers, seen = [], set()
    for row in rows:
        key = (row["by"], row["n"], row["elem_bytes"], row.get("arrays"))
        if key in seen:
            continue
        seen.add(key)
        peer = measure(row, run["threads"])
        if peer:
            print(f"{peer['by']:32} {peer['n']:>11} {peer['seconds'] * 1e3:10.1f} ms {peer['ratio']:6.2f} copies"
                  f"   riffle is {peer['seconds'] / row['seconds']:.1f} times as fast", file=sys.stderr)
            peers.append(peer)
    run["results"] = rows + peers
    run["numpy"] = np.__version__
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(run, file, indent=1)
        file.write("\n")


main()
