#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""demo.py RIFFLE: permutes NumPy files with the command RIFFLE and with NumPy, and compares both.

Each way starts with files (the array, and the table of indices where there is one) and ends with a file that
is synced to disk; the time of riffle is that of the whole process. Each also tells how long the move itself
took in memory, with the table loaded and, for riffle, the plan made. Every result is compared, element by
element. RIFFLE_DEMO_LOG2 (24) gives the number of elements, 2^that, 4 bytes each; RIFFLE_DEMO_REPEAT (3) how
often each is timed, of which the best counts.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

LOG2 = int(os.environ.get("RIFFLE_DEMO_LOG2", "24"))
REPEAT = int(os.environ.get("RIFFLE_DEMO_REPEAT", "3"))


def bit_reversal_table(log2):
    """A NumPy user's way: the table of reversed indices, doubled log2 times."""
    table = np.zeros(1, dtype=np.int64)
    for _ in range(log2):
        table = np.concatenate([2 * table, 2 * table + 1])
    return table


def cases(folder):
    """Yields (name, the array, the file of the table or None, arguments of riffle, the same for NumPy)."""
    random = np.random.default_rng(2024)
    n = 1 << LOG2
    array = random.integers(0, 1 << 32, n, dtype=np.uint32).view(np.float32)
    array = np.where(np.isnan(array), np.float32(0), array)

    reversal = bit_reversal_table(LOG2)
    yield "bit reversal", array, None, ["--by", "bit-reversal"], lambda x, _: x[reversal]

    rows = 1 << LOG2 // 2
    matrix = array.reshape(rows, -1)
    by = f"transpose:{rows}x{n // rows}"
    yield "transpose", matrix, None, ["--by", by], lambda x, _: np.ascontiguousarray(x.T)

    shape = (rows, n // rows // 3, 3)
    image = array[: np.prod(shape)].reshape(shape)
    by = "axes:" + "x".join(map(str, shape)) + ":2,0,1"
    yield "axes of (x, y, 3) to (3, x, y)", image, None, ["--by", by], lambda x, _: np.ascontiguousarray(
        x.transpose(2, 0, 1))

    def scatter(x, table):
        out = np.empty_like(x)
        out[table] = x
        return out

    def gather(x, table):
        return x[table]

    table = f"{folder}/table.npy"
    np.save(table, random.permutation(n))
    yield "out[p] = x, p random", array, table, ["--by", f"table:{table}"], scatter
    yield "x[p], p random", array, table, ["--by", f"~table:{table}"], gather

    samples = array.reshape(-1, 64)
    np.save(table, random.permutation(len(samples)))
    yield "shuffle rows of 256 bytes", samples, table, ["--rows", "--by", f"~table:{table}"], gather


def with_numpy(move, table, source, target):
    """Returns the seconds of the whole and of the move."""
    start = time.perf_counter()
    array = np.load(source)
    indices = np.load(table) if table else None
    loaded = time.perf_counter()
    array = move(array, indices)
    moved = time.perf_counter()
    with open(target, "wb") as file:
        np.save(file, array)
        file.flush()
        os.fsync(file.fileno())
    return time.perf_counter() - start, moved - loaded


def with_riffle(riffle, arguments, source, target):
    start = time.perf_counter()
    command = [riffle, "permute", source, target, "--verbose", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"demo: {' '.join(command)}\n{done.stderr}")
    return seconds, float(re.search(r"\bmove ([0-9.]+) s", done.stderr)[1])


def best(measure, *arguments):
    return tuple(map(min, zip(*(measure(*arguments) for _ in range(REPEAT)))))


def main():
    riffle = sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__)
    print(f"2^{LOG2} elements of 4 bytes ({4 << LOG2 >> 20} MiB), {os.cpu_count()} processors; "
          f"seconds, best of {REPEAT}")
    print(f"{'':32}{'file to file':^30}{'the move in memory':^30}")
    print(f"{'':32}" + f"{'NumPy':>9}{'riffle':>9}{'speedup':>9}   " * 2)
    slower, wrong = [], []
    with tempfile.TemporaryDirectory(prefix="riffle-demo-", dir=os.environ.get("RIFFLE_DEMO_DIR", ".")) as folder:
        source, expected, target = (f"{folder}/{name}.npy" for name in ("in", "numpy", "riffle"))
        for name, array, table, arguments, move in cases(folder):
            np.save(source, array)
            theirs, their_move = best(with_numpy, move, table, source, expected)
            ours, our_move = best(with_riffle, riffle, arguments, source, target)
            result = np.load(target, mmap_mode="r")
            equal = np.array_equal(result, np.load(expected, mmap_mode="r"))
            if not equal:
                wrong.append(name)
            if theirs < ours:
                slower.append(name)
            print(f"{name:32}{theirs:9.3f}{ours:9.3f}{theirs / ours:8.1f}x   "
                  f"{their_move:9.3f}{our_move:9.3f}{their_move / max(our_move, 1e-3):8.1f}x   "
                  f"{'equal' if equal else 'WRONG'}", flush=True)
    if wrong:
        sys.exit(f"Wrong results: {'; '.join(wrong)}.")
    faster = "everywhere" if not slower else f"except for: {'; '.join(slower)}"
    print(f"Every result equals NumPy's. From file to file riffle is faster {faster}.")


main()
