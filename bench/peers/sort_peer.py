#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sort_peer.py RESULTS.json: measures NumPy and the C++ library on the rows of `riffle-bench --suite sort --json` and adds them.

For each row of one array there are two more: "numpy" (its sort, or its stable argsort) and "std" (std::sort, or std::stable_sort of
indices, by sort_std.cpp, where a C++ compiler is), of the same numbers (bench/peers/sort_numbers.py). Both are one thread. Run it right after the benchmark, on the same idle machine.
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

from sort_numbers import array_of

REPEAT = 3


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
