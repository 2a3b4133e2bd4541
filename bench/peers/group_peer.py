#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""group_peer.py RESULTS.json: measures other libraries on the rows of `riffle-bench --suite group --json` and on the group top of `--suite sort`
or `sort-gpu`, and adds them to the file, as rows of the suites group-peers and top-peers.

    group    a stable argsort of the keys, and the rows taken by it: PyTorch's sort and index_select, CuPy's argsort and take; of results of the CPU
             PyTorch's and NumPy's there
    top      PyTorch's topk, CuPy's partition and a sort of its first; NumPy's

Run it right after the benchmark, on the same idle machine: libraries are measured one after the other in this process, on the GPU that the results
are of, or on the host, with as many threads as each takes by itself. Keys and numbers are riffle-bench's (bench/peers/sort_numbers.py). Results are looked at before they are timed. A library that is not there is left out, and of an error the row has the words.
"""
import json
import statistics
import sys
import time
from pathlib import Path

import numpy as np

from sort_numbers import array_of, mixed, shifted

REPEAT, WARM_SECONDS = 7, 0.1
WORDS = {1: "uint8", 2: "int16", 4: "int32", 8: "int64"}


def keys_of(row):
    """The keys, of the fewest bytes that libraries sort: fewer bytes are fewer passes for them."""
    entries = mixed(np.arange(row["n"] * row["keys_per_row"]))
    return (shifted(entries, 32) * row["groups"] >> 32).astype("int16" if row["groups"] <= 2**15 else "int32")


def rows_of(row):
    """Rows of words, which are their numbers."""
    word = next(size for size in (8, 4, 2, 1) if row["elem_bytes"] % size == 0)
    words = np.arange(row["n"] * row["elem_bytes"] // word).astype(WORDS[word])
    return words.reshape(row["n"], -1)


class Numpy:
    name = "numpy"

    def bring(self, array):
        return array

    def order(self, keys):
        return np.argsort(keys, kind="stable")

    def take(self, rows, order):
        return rows.take(order, 0)

    def top(self, x, count):
        return np.sort(np.partition(x, count - 1, 1)[:, :count], 1)

    def host(self, array):
        return np.asarray(array)

    def wait(self):
        pass


class Cupy(Numpy):
    name = "cupy"

    def __init__(self):
        import cupy
        self.lib = cupy

    def bring(self, array):
        return self.lib.asarray(array)

    def order(self, keys):
        return self.lib.argsort(keys, kind="stable")

    def top(self, x, count):
        return self.lib.sort(self.lib.partition(x, count - 1, 1)[:, :count], 1)

    def host(self, array):
        return self.lib.asnumpy(array)

    def wait(self):
        self.lib.cuda.get_current_stream().synchronize()


class Torch(Numpy):
    name = "torch"

    def __init__(self, device):
        import torch
        self.lib, self.device = torch, device
        if device == "cuda":
            torch.zeros(1, device=device)

    def bring(self, array):
        return self.lib.from_numpy(array).to(self.device)

    def order(self, keys):
        return self.lib.sort(keys, stable=True).indices

    def take(self, rows, order):
        return rows.index_select(0, order)

    def top(self, x, count):
        return self.lib.topk(x, count, 1, largest=False, sorted=True).values

    def host(self, array):
        return array.cpu().numpy()

    def wait(self):
        if self.device == "cuda":
            self.lib.cuda.synchronize()


def libraries(engine):
    for make in (lambda: Torch("cuda"), Cupy) if engine == "cuda" else (Numpy, lambda: Torch("cpu")):
        try:
            yield make()
        except Exception as error:  # not there, or without a GPU
            print(f"left out: {error}", file=sys.stderr)


def key_of(row):
    """The numbers by which a row of riffle's and a peer's are of the same move. Rows whose peers are in the file already are not measured again."""
    return tuple(row.get(name) for name in ("by", "n", "elem_bytes", "groups", "keys_per_row", "index_bytes", "type", "arrays", "count", "indices"))


def seconds_of(lib, function):
    until = time.perf_counter() + WARM_SECONDS
    while time.perf_counter() < until:
        function()
        lib.wait()
    times = []
    for _ in range(REPEAT):
        began = time.perf_counter()
        function()
        lib.wait()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def group_of(row):
    keys, rows, each = keys_of(row), rows_of(row), row["keys_per_row"]
    return (keys, rows), rows[np.argsort(keys, kind="stable") // each]


def group_call(lib, row, data):
    there, from_rows, each = lib.bring(data[0]), lib.bring(data[1]), row["keys_per_row"]

    def call():
        order = lib.order(there)
        return lib.take(from_rows, order // each if each > 1 else order)
    return call


def top_of(row):
    x = array_of(row).reshape(row.get("arrays", 1), row["n"])
    first = np.sort(np.partition(x, row["count"] - 1, 1)[:, :row["count"]], 1)
    return x, first


def top_call(lib, row, x):
    there = lib.bring(x)
    return lambda: lib.top(there, row["count"])


def peer_of(lib, row, suite, call_of, data, wanted):
    """A library's row, once its result has been looked at."""
    peer = {key: row[key] for key in row.keys() - {"suite", "seconds", "ratio", "plan_seconds", "workspace_bytes", "threads"}}
    peer.update(suite=suite, algorithm=lib.name)
    try:
        call = call_of(lib, row, data)
        if not np.array_equal(lib.host(call()), wanted):
            raise ArithmeticError("the result is not what it has to be")
        peer["seconds"] = seconds_of(lib, call)
        peer["ratio"] = peer["seconds"] / row["copy_seconds"]
    except Exception as error:
        peer["error"] = str(error)
    return peer


def peers_of(row, libs):
    """A row's data are made once for all libraries."""
    if row["suite"] == "group":
        suite, data_of, call_of = "group-peers", group_of, group_call
    elif row["suite"] in ("sort", "sort-gpu") and row.get("group") == "top" and not row.get("indices"):
        suite, data_of, call_of = "top-peers", top_of, top_call
    else:
        return
    if libs and "seconds" in row:
        data, wanted = data_of(row)
        for lib in libs:
            yield peer_of(lib, row, suite, call_of, data, wanted)


def main():
    path = Path(sys.argv[1])
    document = json.loads(path.read_text())
    libs = list(libraries(document["engine"]))
    there = {key_of(peer) for peer in document["results"] if peer["suite"] in ("group-peers", "top-peers")}
    for row in list(document["results"]):
        for peer in peers_of(row, [] if key_of(row) in there else libs):
            document["results"].append(peer)
            told = peer.get("error") or f"{peer['seconds'] * 1e3:.3f} ms, riffle {row['seconds'] * 1e3:.3f} ms"
            print(f"{row['by']} {row['n']} x {row['elem_bytes']}: {peer['algorithm']} {told}", flush=True)
            path.write_text(json.dumps(document, indent=1) + "\n")


main()
