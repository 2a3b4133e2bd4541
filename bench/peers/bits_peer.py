#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bits_peer.py: the bitshuffle library of PyPI on the arrays of the suite `bits`, beside NumPy's copy of the same array.

    python -m venv peers && peers/bin/pip install bitshuffle
    OMP_NUM_THREADS=2 peers/bin/python bench/peers/bits_peer.py

The library shuffles blocks of its own choice, of 4 to 16 KiB; its times are the least of some.
"""
import time

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


def main():
    print(f"bitshuffle {bitshuffle.__version__}, NumPy {np.__version__}")
    for dtype, n in ROWS:
        x = np.random.default_rng(1).integers(0, 256, n * np.dtype(dtype).itemsize, "u1").view(dtype)
        y = np.empty_like(x)
        copy = least(lambda: np.copyto(y, x))
        there, back = least(lambda: bitshuffle.bitshuffle(x)), least(lambda: bitshuffle.bitunshuffle(x))
        print(f"{n} of {dtype}: copy {copy * 1e3:.1f} ms, to planes {there * 1e3:.1f} ms, back {back * 1e3:.1f} ms")


main()
