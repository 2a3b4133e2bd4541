#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dask_peer.py RESULTS [--side N] [--workers W...] [--times T]: Dask's own rechunk and transpose, and riffle.dask's, of N x N floats that workers have in
16 chunks of rows: the time, and the peak of memory of all workers together beyond what it was at first, in arrays (1 is the result itself). Each is run
T times, by turns, in a process of its own, and the medians are written as JSON. The result is compared with the definition in places.

    pip install 'riffle-arrays[dask]' distributed psutil
    python bench/peers/dask_peer.py bench/results/dask/cpu.json --side 32768 --workers 4

0 workers are Dask's threads, two of them, in one process.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

import dask
import dask.array
import numpy
import psutil
import riffle.dask

PARTS = 16


CASES = ("columns", "squares", "transpose")


def block(block_info=None):
    """Element (i, j) is i + j / 65536, rounded."""
    (first, last), (left, right) = block_info[None]["array-location"]
    return numpy.arange(first, last, dtype="f4")[:, None] + numpy.arange(left, right, dtype="f4")[None] / 65536


def moved(who, case, x, side):
    """The lazy result: columns as chunks; squares; the transpose in chunks of rows."""
    chunks = {"columns": (side, side // PARTS), "squares": (side // 4, side // 4), "transpose": (side // PARTS, side)}[case]
    if who == "dask":
        return (x.T if case == "transpose" else x).rechunk(chunks)
    return riffle.dask.transpose(x, chunks=chunks) if case == "transpose" else riffle.dask.rechunk(x, chunks)


def check(case, y, side):
    """Corners of the result's blocks."""
    at = [k * side // 8 + k for k in range(8)]
    got = y.vindex[at, at[::-1]].compute()
    rows, columns = (at[::-1], at) if case == "transpose" else (at, at[::-1])
    wanted = numpy.array(rows, "f4") + numpy.array(columns, "f4") / 65536
    assert (got == wanted).all(), (case, got, wanted)


def peak_while(function, processes):
    """Seconds, and the growth of the processes' memory at most."""
    def bytes_now():
        return sum(process.memory_info().rss for process in processes)
    before, is_done = bytes_now(), threading.Event()
    seen = [before]

    def watch():
        while not is_done.wait(0.005):
            seen.append(bytes_now())
    watcher = threading.Thread(target=watch)
    watcher.start()
    start = time.perf_counter()
    function()
    seconds = time.perf_counter() - start
    is_done.set()
    watcher.join()
    return seconds, max(seen) - before


def measure(who, case, side, workers):
    wait, processes = (lambda x: x), [psutil.Process()]
    if workers:
        import distributed
        client = distributed.Client(distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None))
        wait, processes = distributed.wait, [psutil.Process(worker.process.pid) for worker in client.cluster.workers.values()]
    else:
        dask.config.set(scheduler="threads", num_workers=2)
    x = dask.array.map_blocks(block, chunks=((side // PARTS,) * PARTS, (side,)), dtype="f4", meta=numpy.empty((0, 0), "f4")).persist()
    wait(x)
    y = moved(who, case, x, side)
    kept = []
    seconds, grown = peak_while(lambda: (kept.append(y.persist()), wait(kept[0])), processes)
    check(case, kept[0], side)
    print(json.dumps({"seconds": seconds, "peak": grown / x.nbytes}))


def medians(runs):
    return {name: statistics.median(run[name] for run in runs) for name in ("seconds", "peak")}


def processor():
    words = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    return next((line.split(":")[1].strip() for line in words.splitlines() if line.startswith("model name")), "unknown")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("results", type=Path)
    parser.add_argument("--side", type=int, default=16384)
    parser.add_argument("--workers", type=int, nargs="+", default=[4])
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--only", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.only:
        measure(*asked.only, asked.side, asked.workers[0])
        return
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, cwd=Path(__file__).parent).stdout.strip()
    document = dict(version=riffle.__version__, commit=commit or "?", device=processor(), processors=os.cpu_count(), load=os.getloadavg()[0], dask=dask.__version__, side=asked.side,
                    times=asked.times, results=[])
    asked.results.parent.mkdir(parents=True, exist_ok=True)
    for workers in asked.workers:
        for case in CASES:
            runs = {"dask": [], "riffle": []}
            for who in [*runs] * asked.times:
                words = [sys.executable, __file__, str(asked.results), "--side", str(asked.side), "--workers", str(workers), "--only", who, case]
                runs[who].append(json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[-1]))
            document["results"].append({"case": case, "workers": workers} | {who: medians(of) for who, of in runs.items()})
            asked.results.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
