#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sort_peer.py RESULTS.json: measures NumPy and the C++ library on the rows of `riffle bench --suite sort --json` and adds them.

For each row of one array there are two more: "numpy" (its sort, or its stable argsort) and "std" (std::sort, or std::stable_sort of
indices, by sort_std.cpp, where a C++ compiler is). Of the orders uniform, sorted, reversed, few, equal and alternating, whose
numbers are made here as the suite makes them. Both are one thread. Run it right after the benchmark, on the same idle machine.
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

REPEAT = 3
DTYPES = {"u8": "u1", "i16": "<i2", "u32": "<u4", "u64": "<u8", "i64": "<i8", "f16": "<f2", "f32": "<f4", "f64": "<f8"}


def mixed(k):
    """splitmix64's mixing."""
    with np.errstate(over="ignore"):
        k = k + np.uint64(0x9E3779B97F4A7C15)
        k = (k ^ (k >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        k = (k ^ (k >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return k ^ (k >> np.uint64(31))


def reversed_bits(k, bits):
    out = np.zeros_like(k)
    for bit in range(bits):
        out |= ((k >> np.uint64(bit)) & np.uint64(1)) << np.uint64(63 - bit)
    return out


def numbers_of(row):
    """Numbers of 64 bits in the row's order, or None."""
    n = row["n"]
    k = np.arange(n, dtype=np.uint64)
    step = np.uint64((2**64 - 1) // n)
    orders = {"uniform": lambda: mixed(k), "sorted": lambda: k * step, "reversed": lambda: k[::-1] * step,
              "few": lambda: mixed(k) >> np.uint64(60) << np.uint64(60), "equal": lambda: np.full(n, 2**62, np.uint64),
              "alternating": lambda: reversed_bits(k, (n - 1).bit_length())}
    return orders[row["by"]]() if row["by"] in orders else None


def array_of(row):
    numbers, dtype = numbers_of(row), np.dtype(DTYPES[row["type"]])
    if numbers is None:
        return None
    if dtype.kind == "f":
        kept = {2: 11, 4: 24, 8: 53}[dtype.itemsize]
        return ((numbers >> np.uint64(64 - kept)) * 2.0**-kept).astype(dtype)
    if dtype.kind == "i":
        numbers = numbers ^ np.uint64(2**63)
    return (numbers >> np.uint64(64 - 8 * dtype.itemsize)).astype(f"u{dtype.itemsize}").view(dtype)


def timed(function):
    began = time.perf_counter()
    function()
    return time.perf_counter() - began


def numpy_seconds(row, array):
    if row["algorithm"] == "argsort":
        return statistics.median(timed(lambda: np.argsort(array, kind="stable")) for _ in range(REPEAT))
    return statistics.median(timed(lambda: np.sort(array)) for _ in range(REPEAT))


def compile_std(folder):
    source = Path(__file__).parent / "sort_std.cpp"
    command = ["c++", "-O3", "-DNDEBUG", *os.environ.get("CXXFLAGS", "").split(), str(source), "-o", f"{folder}/std"]
    return subprocess.run(command, capture_output=True, text=True).returncode == 0


def std_seconds(row, array, folder):
    if row["type"] == "f16":
        return None
    array.tofile(f"{folder}/numbers")
    done = subprocess.run([f"{folder}/std", row["type"], f"{folder}/numbers", str(REPEAT)], capture_output=True, text=True, check=True)
    return float(done.stdout.split()[row["algorithm"] == "argsort"])


def peers_of(row, folder, has_std):
    array = array_of(row)
    if array is None:
        return
    yield "numpy", numpy_seconds(row, array)
    if has_std:
        seconds = std_seconds(row, array, folder)
        if seconds is not None:
            yield "std", seconds


def main():
    path = Path(sys.argv[1])
    document = json.loads(path.read_text())
    results = []
    with tempfile.TemporaryDirectory() as folder:
        has_std = compile_std(folder)
        for row in document["results"]:
            results.append(row)
            if row["suite"] != "sort" or "arrays" in row or row["algorithm"] not in ("sort", "argsort"):
                continue
            for name, seconds in peers_of(row, folder, has_std):
                peer = {key: row[key] for key in ("suite", "group", "by", "n", "elem_bytes", "type", "copy_seconds")}
                peer.update(algorithm=name, asked_algorithm=row["algorithm"], seconds=seconds, ratio=seconds / row["copy_seconds"], threads=1)
                results.append(peer)
                print(f"{row['by']} {row['n']} {row['type']} {row['algorithm']}: {name} {seconds:.4f} s, riffle {row['seconds']:.4f} s")
    document["results"] = results
    path.write_text(json.dumps(document, indent=1) + "\n")


main()
