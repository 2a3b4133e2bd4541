#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bits_peer.py: the bitshuffle library of PyPI on the arrays of the suite `bits`, beside NumPy's copy of the same array.

    python -m venv peers && peers/bin/pip install bitshuffle
    OMP_NUM_THREADS=2 peers/bin/python bench/peers/bits_peer.py > RESULTS.json

The library shuffles blocks of its own choice, of 4 to 16 KiB; its times are the least of some. Arrays that it brings back are compared.
"""
import json
import os
import re
import time
from pathlib import Path

import bitshuffle
import numpy as np

REPEAT = 5
ROWS = [("f4", 1 << 26), ("u1", 1 << 26), ("u2", 1 << 27), ("f8", 1 << 25)]


def least(function):
    times = []
    for _ in range(REPEAT):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def measure(by, run, x, copy):
    seconds = least(run)
    return {"suite": "bits-peers", "by": by, "n": x.nbytes, "elem_bits": 8 * x.itemsize, "algorithm": "bitshuffle",
            "seconds": seconds, "copy_seconds": copy, "ratio": seconds / copy}


def rows(dtype, n):
    x = np.random.default_rng(1).integers(0, 256, n * np.dtype(dtype).itemsize, "u1").view(dtype)
    y = np.empty_like(x)
    copy = least(lambda: np.copyto(y, x))
    planes = bitshuffle.bitshuffle(x)
    if bitshuffle.bitunshuffle(planes).tobytes() != x.tobytes():
        raise SystemExit(f"bits_peer: {dtype}: not brought back")
    return [measure("bitshuffle", lambda: bitshuffle.bitshuffle(x), x, copy), measure("bitunshuffle", lambda: bitshuffle.bitunshuffle(planes), x, copy)]


def main():
    processor = re.search("model name.*: (.*)", Path("/proc/cpuinfo").read_text())[1]
    run = {"engine": "cpu", "device": processor, "threads": int(os.environ["OMP_NUM_THREADS"]), "bitshuffle": bitshuffle.__version__,
           "numpy": np.__version__, "results": [row for dtype, n in ROWS for row in rows(dtype, n)]}
    print(json.dumps(run, indent=1))


main()
