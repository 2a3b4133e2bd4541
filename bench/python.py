#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""python.py RESULTS.json [--log2 26] [--parts import calls moves gpu]: what the Python package takes, beside NumPy, and on a GPU
beside PyTorch.

Needs the package installed, and NumPy; PyTorch and CuPy are measured where they are and see a GPU. Each figure is the least of
several runs, and NumPy's is taken in turn with riffle's. "processor" has seconds of this process's threads together, which other work on
the machine disturbs less; "seconds" are the clock's. Overheads of calls are a call's processor time, the C call's taken off."""
import argparse
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import riffle

CALLS, ROUNDS, REPEAT = 100_000, 7, 3


def least(*functions, repeat=REPEAT, wait=lambda: None):
    """Seconds by the clock, and of the processor, of each function."""
    best = [[float("inf")] * 2 for _ in functions]
    for _ in range(repeat):
        for k, function in enumerate(functions):
            wait()
            clock, processor = time.perf_counter(), time.process_time()
            function()
            wait()
            taken = time.perf_counter() - clock, time.process_time() - processor
            best[k] = [min(a, b) for a, b in zip(best[k], taken)]
    return best


def a_call(function, calls=CALLS):
    """Processor seconds of one call, the loop's own taken off."""
    def loop(what):
        for _ in range(calls):
            what()
    best = least(lambda: loop(function), lambda: loop(nothing), repeat=ROUNDS)
    return (best[0][1] - best[1][1]) / calls


def nothing():
    pass


def row(name, reach, seconds, peer=None, peer_seconds=None, processor=None, **more):
    made = dict(suite="python", name=name, reach=reach, seconds=seconds, **(processor or {}), **more)
    if peer is not None:
        made |= dict(peer=peer, peer_seconds=peer_seconds, times=peer_seconds / seconds)
    print(f"{name}: {seconds:.3g} s" + (f", {peer} {peer_seconds:.3g} s: {peer_seconds / seconds:.1f} times" if peer else ""), flush=True)
    return made


# ------------------------------------------------------------------ the host

def imported():
    words = [sys.executable, "-c", "import time; a = time.perf_counter(); import riffle; print(time.perf_counter() - a)"]
    runs = [float(subprocess.run(words, capture_output=True, text=True, check=True).stdout) for _ in range(10)]
    return [row("import riffle", 0.05, min(runs))]


def overheads():
    x, out = np.arange(8.0), np.empty(8)
    plan = riffle.plan("reverse", x)
    alone = a_call(lambda: riffle._core.repeat(plan, x, out, 1000), CALLS // 1000) / 1000
    yield row("plan(x, out) of 8 floats of NumPy's", 1e-6, a_call(lambda: plan(x, out)) - alone)
    yield row("plan(x) of 8 floats of NumPy's", 1e-6, a_call(lambda: plan(x)) - alone)
    yield row("riffle.permute of 8 floats", None, a_call(lambda: riffle.permute(x, "reverse")))
    yield row("riffle.sort of 8 floats", None, a_call(lambda: riffle.sort(x), CALLS // 10))


def moves(log2):
    n, rng = 1 << log2, np.random.default_rng(1)
    x = rng.random(n, dtype="f4")
    out, side = np.empty_like(x), 1 << log2 // 2
    yield row("a copy", None, *_pair(lambda: np.copyto(out, x), None))
    square, turned = x.reshape(side, -1), out.reshape(-1, side)
    yield row("transpose, of a matrix", 3, *_pair(lambda: riffle.transpose(square, out=turned), lambda: np.ascontiguousarray(square.T), "numpy.ascontiguousarray(x.T)"))
    p = riffle.Perm("bit-reversal", n)
    table, plan = (~p).to_numpy(), riffle.plan(p, x)
    yield row("permute, bit reversal", 5, *_pair(lambda: plan(x, out), lambda: x.take(table, out=out, mode="clip"), "x.take(indices, out)"))
    table = rng.permutation(n)
    plan = riffle.plan(table, x, inverse=True)
    yield row("permute, a table that is planned", 5, *_pair(lambda: plan(x, out), lambda: x.take(table, out=out, mode="clip"), "x.take(indices, out)"))
    del plan
    yield row("take, indices used once", None, *_pair(lambda: riffle.take(x, table, out=out), lambda: x.take(table, out=out, mode="clip"), "x.take(indices, out)"))
    del table
    seeds = iter(range(1, 1000))
    yield row("shuffle, a new order", 20, *_pair(lambda: riffle.shuffle(x, next(seeds), out=out), lambda: rng.shuffle(out), "rng.shuffle(x)"))
    riffle.cache.clear()
    plan = riffle.plan("random:1", x)
    yield row("shuffle, planned", 20, *_pair(lambda: plan(x, out), lambda: rng.shuffle(out), "rng.shuffle(x)", repeat=2))


def _pair(mine, peers, peer=None, repeat=REPEAT):
    best = least(*[f for f in (mine, peers) if f is not None], repeat=repeat)
    processor = {"processor": best[0][1]}
    if peers is None:
        return best[0][0], None, None, processor
    return best[0][0], peer, best[1][0], processor | {"peer_processor": best[1][1]}


# --------------------------------------------------------------------- GPUs

def on_gpu(library, log2):
    """Times moves by a GPU's clock, and calls that queue 8 floats by the processor's."""
    import torch
    name, n = library.__name__, 1 << log2
    sync = torch.cuda.synchronize
    x, out = (torch.empty(8, device="cuda") if name == "torch" else library.empty(8, library.float32) for _ in range(2))
    plan = riffle.plan("reverse", x)
    launch = _queued(lambda: riffle._core.repeat(plan, x, out, 100), sync, 5) / 100
    for text, call in (("plan(x, out)", lambda: plan(x, out)), ("plan(x)", lambda: plan(x))):
        yield row(f"{text} of 8 floats of {name}'s on a GPU", 3e-6 if name == "torch" else None, _queued(call, sync) - launch, launch=launch)
    if name != "torch":
        return
    x, out = torch.rand(n, device="cuda"), torch.empty(n, device="cuda")
    copy = _timed(lambda: out.copy_(x))
    index = torch.randperm(n, device="cuda")
    narrow = index.int()
    plan, p = riffle.plan(index, x, inverse=True), riffle.plan("bit-reversal", x)
    square, half = x.reshape(1 << log2 // 2, -1), (x[: n // 16] * 1000).to(torch.int32)
    points = torch.rand(10_000_000, 2, device="cuda")
    for text, reach, mine, peer, peers in (
            ("take of random int64 indices, once", 1.05, lambda: riffle.take(x, index, out=out), "x[indices]", lambda: x[index]),
            ("take of random int32 indices, once", 1.05, lambda: riffle.take(x, narrow, out=out), "x[indices]", lambda: x[narrow]),
            ("the same, planned", 1.05, lambda: plan(x, out), "x[indices]", lambda: x[index]),
            ("shuffle, a new order", None, lambda: riffle.shuffle(x, 3, out=out), "x[torch.randperm(n)]", lambda: x[torch.randperm(n, device="cuda")]),
            ("permute, bit reversal", None, lambda: p(x, out), None, None),
            ("transpose, of a matrix", None, lambda: riffle.transpose(square), "x.T.contiguous()", lambda: square.T.contiguous()),
            ("sort, of 2^-4 as many int32", None, lambda: riffle.sort(half), "torch.sort(x, stable=True)", lambda: torch.sort(half, stable=True)),
            ("hull of 10^7 points of a square", None, lambda: riffle.hull(points, padded=True), None, None)):
        seconds, alone = _timed(mine), _timed(_captured(mine))
        yield row(f"{text}, on a GPU", reach, seconds, *((peer, _timed(peers)) if peer else ()), copies=seconds / copy, library=alone)


def _queued(call, wait, calls=500):
    """Processor seconds of a call that queues, with the queue never full."""
    best = float("inf")
    for _ in range(40):
        wait()
        before = time.process_time()
        for _ in range(calls):
            call()
        best = min(best, (time.process_time() - before) / calls)
    wait()
    return best


def _captured(call):
    """The library's launches alone, without Python: a call as a CUDA graph."""
    import torch
    graph = torch.cuda.CUDAGraph()
    call()
    with torch.cuda.graph(graph):
        kept = call()
    return lambda: (graph.replay(), kept)


def _timed(function, repeat=10):
    """Seconds of the GPU."""
    import torch
    best = float("inf")
    for _ in range(repeat + 2):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        start.record()
        function()
        end.record()
        end.synchronize()
        best = min(best, start.elapsed_time(end) * 1e-3)
    return best


def gpu_libraries():
    try:
        import torch
    except ImportError:
        return []
    if not torch.cuda.is_available():
        return []
    try:
        import cupy
        return [torch, cupy]
    except ImportError:
        return [torch]


# --------------------------------------------------------------------- all

def processor():
    words = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    return next((line.split(":")[1].strip() for line in words.splitlines() if line.startswith("model name")), platform.processor())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--log2", type=int, default=26)
    parser.add_argument("--parts", nargs="+", choices=["import", "calls", "moves", "gpu"], default=["import", "calls", "moves", "gpu"])
    asked = parser.parse_args()
    libraries = gpu_libraries()
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=Path(__file__).parent).stdout.strip()
    document = dict(version=riffle.__version__, commit=commit or "?", engine="cuda" if libraries else "cpu", device=processor(),
                    threads=len(os.sched_getaffinity(0)), load=os.getloadavg()[0], log2=asked.log2, python=platform.python_version(),
                    numpy=np.__version__, results=[])
    if libraries:
        torch = libraries[0]
        document |= dict(device=torch.cuda.get_device_name(), driver=f"CUDA {torch.version.cuda}", host=processor(), torch=torch.__version__)
    parts = {"import": [imported], "calls": [overheads], "moves": [lambda: moves(asked.log2)],
             "gpu": [lambda library=library: on_gpu(library, asked.log2) for library in libraries]}
    for part in (part for name in asked.parts for part in parts[name]):
        for one in part():
            document["results"].append(one)
            asked.results.write_text(json.dumps(document, indent=1) + "\n")


main()
