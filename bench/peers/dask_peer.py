#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dask_peer.py [--side N] [--cluster WORKERS]: Dask's own rechunk and transpose, and riffle.dask's, of N x N floats that workers have in
16 chunks of rows: the time, and the peak of memory beyond what it was at first, in arrays (1 is the result itself). Each is run in a process of its own.

    pip install 'riffle-arrays[dask]' distributed
    python bench/peers/dask_peer.py --side 16384 --cluster 4

Without --cluster by Dask's threads, two of them.
"""
import argparse
import subprocess
import sys
import threading
import time

import dask
import dask.array
import numpy
import psutil
import riffle.dask

PARTS = 16


def block(block_info=None):
    return numpy.full(block_info[None]["chunk-shape"], block_info[None]["chunk-location"][0], "f4")


def moved(who, case, x, side):
    """The lazy result: columns as chunks; squares; the transpose in chunks of rows."""
    chunks = {"columns": (side, side // PARTS), "squares": (side // 4, side // 4), "transpose": (side // PARTS, side)}[case]
    if who == "dask":
        return (x.T if case == "transpose" else x).rechunk(chunks)
    return riffle.dask.transpose(x, chunks=chunks) if case == "transpose" else riffle.dask.rechunk(x, chunks)


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
    print(f"{case:10} {who:7} {seconds:6.2f} s, {grown / x.nbytes:.2f} arrays more", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--side", type=int, default=16384)
    parser.add_argument("--cluster", type=int, default=0)
    parser.add_argument("--only", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.only:
        measure(*arguments.only, arguments.side, arguments.cluster)
        return
    for case in ("columns", "squares", "transpose"):
        for who in ("dask", "riffle"):
            subprocess.run([sys.executable, __file__, "--side", str(arguments.side), "--cluster", str(arguments.cluster), "--only", who, case], check=True)


if __name__ == "__main__":
    main()
