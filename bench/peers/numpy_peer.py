#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""numpy_peer.py RESULTS.json [--only GROUP] [--seconds S]: NumPy, OpenCV, PyTorch and FFTW on the rows of `riffle bench --json`, added to the file.

For each permutation that NumPy can do in one expression (axes and transposes by ascontiguousarray, random ones by x[q]) one row is added,
algorithm "numpy", with the time of a copy between the same arrays, by as many threads as riffle took, measured in turn with it. Where PyTorch
is installed the same have one of the algorithm "torch" (copy_ of a permuted tensor, index_select), and where OpenCV is (PyPI's
opencv-python-headless) matrices and images one of the algorithm "opencv" (transpose, split, merge, flip): both into arrays that
are there, and compared with NumPy's results. For programs it is NumPy's sort; and where FFTW is installed (Debian's libfftw3-single3) transforms
have a row of the algorithm "fftw". Run it right after the benchmark, on the same idle machine.

Rows that the file has are kept. With --seconds no row is begun after so many, and the next call goes on: an idle machine may be had
for a minute at a time.
"""
import argparse
import json
import math
import re
import statistics
import sys
import threading
import time
from pathlib import Path

import numpy as np

import fftw

try:
    import cv2
except ImportError:
    cv2 = None
try:
    import torch
except ImportError:
    torch = None

REPEAT = 5
SHORT_SECONDS = 2e-4  # a work that takes less is done often in a row
PEERS = ("numpy", "opencv", "torch", "fftw")
SIGNED = {1: "u1", 2: "i2", 4: "i4", 8: "i8"}  # types that OpenCV and PyTorch move
DTYPES = {"u32": "u4", "c64": "c8"}


def parallel_copy(dst, src, threads):
    """copyto in contiguous parts; NumPy lets go of the interpreter while it copies."""
    if threads == 1:
        np.copyto(dst, src)
        return
    cuts = [len(src) * t // threads for t in range(threads + 1)]
    parts = [(dst[a:b], src[a:b]) for a, b in zip(cuts, cuts[1:])]
    workers = [threading.Thread(target=np.copyto, args=part) for part in parts]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def timed(function, times=1):
    start = time.perf_counter()
    for _ in range(times):
        function()
    return (time.perf_counter() - start) / times


class View:
    """A row that copies elements with strides of their own to an array without gaps: where they lie, by forward strides, and which axes are
    turned. An image is of rows, columns and channels, whatever comes first."""

    def __init__(self, row):
        shape, strides, _ = row["by"].split(":")[1:]
        self.shape = [int(length) for length in shape.split("x")]
        self.strides = [int(stride) for stride in strides.split(",")]
        self.turned = [axis for axis, stride in enumerate(self.strides) if stride < 0]
        self.span = 1 + sum((length - 1) * abs(stride) for length, stride in zip(self.shape, self.strides))
        self.is_apart = self.shape[0] == min(self.shape)  # channels come first
        self.is_woven = self.strides[2] > 1

    def of(self, x):
        strides = [abs(stride) * x.itemsize for stride in self.strides]
        return np.lib.stride_tricks.as_strided(x, self.shape, strides)

    def turn(self, view):
        return view[tuple(slice(None, None, -1 if axis in self.turned else 1) for axis in range(3))]

    def opencv(self, x, dst):
        """flip, split and merge, one after the other where it takes two, or a copy of a part."""
        view, out, image = self.of(x), dst.reshape(self.shape), np.empty_like(dst)
        code = {0: 0, 1: 1, 2: 1}[self.turned[0]] if self.turned else None
        if self.is_apart:
            pixels, planes = view.transpose(1, 2, 0), list(out)
            image = image.reshape(pixels.shape)
            return (lambda: cv2.split(cv2.flip(pixels, 1, dst=image), planes)) if self.turned else lambda: cv2.split(pixels, planes)
        if self.is_woven:
            planes, image = [view[..., channel] for channel in range(self.shape[2])], image.reshape(self.shape)
            return (lambda: cv2.flip(cv2.merge(planes, image), 1, dst=out)) if self.turned else lambda: cv2.merge(planes, out)
        return (lambda: cv2.flip(view, code, dst=out)) if self.turned else lambda: cv2.copyTo(view, None, out)

    def pytorch(self, x, dst):
        view, out = torch.as_strided(x, self.shape, [abs(stride) for stride in self.strides]), dst.reshape(self.shape)
        return (lambda: out.copy_(view.flip(self.turned))) if self.turned else lambda: out.copy_(view)


def axes_of(row):
    """The shape and the order of a row that moves axes, or two Nones."""
    axes = re.fullmatch(r"axes:([\dx]+):([\d,]+)", row["by"])
    transpose = re.fullmatch(r"transpose:(\d+)x(\d+)", row["by"])
    if axes:
        return [int(length) for length in axes[1].split("x")], [int(axis) for axis in axes[2].split(",")]
    return ([int(length) for length in transpose.groups()], [1, 0]) if transpose else (None, None)


def indices_of(row):
    """The indices of a row that is random, or None."""
    return np.random.default_rng(1).permutation(row["n"]) if row["by"].startswith("random:") else None


def expression(row, x, q):
    """Returns a NumPy user's expression for this row, as a function, or None."""
    if row["by"].startswith("view:"):
        view = View(row)
        return lambda: np.ascontiguousarray(view.turn(view.of(x)))
    shape, order = axes_of(row)
    if shape:
        return lambda: np.ascontiguousarray(x.reshape(shape).transpose(order))
    return None if q is None else lambda: x[q]


def arrays_of(row):
    """Returns the array to move, and an array for it to go to."""
    if row["suite"] == "programs":
        numbers = np.random.default_rng(0).integers(0, 1 << 31, row["n"] * row.get("arrays", 1), dtype=np.uint32)
        x = numbers.astype(DTYPES.get(row["type"], "f4"))
    else:
        elements = View(row).span if row["by"].startswith("view:") else row["n"]
        x = np.random.default_rng(0).integers(0, 255, elements * row["elem_bytes"], dtype=np.uint8)
        x = x.view(f"V{row['elem_bytes']}" if row["elem_bytes"] not in (1, 2, 4, 8) else f"u{row['elem_bytes']}")
    return x, np.zeros_like(x[:row["n"] * row.get("arrays", 1)])


def opencv(row, x, dst, threads):
    """OpenCV's function for a matrix, or for an image."""
    shape, order = axes_of(row)
    is_view = row["by"].startswith("view:")
    if cv2 is None or shape is None and not is_view or row["elem_bytes"] > 4:
        return None
    cv2.setNumThreads(threads)
    if is_view:
        return View(row).opencv(x.view(SIGNED[row["elem_bytes"]]), dst.view(SIGNED[row["elem_bytes"]]))
    x, dst = (array.view(SIGNED[row["elem_bytes"]]).reshape(sides) for array, sides in ((x, shape), (dst, [shape[axis] for axis in order])))
    if len(shape) == 2:
        return lambda: cv2.transpose(x, dst=dst)
    if len(shape) == 3 and shape[2] <= 4 and order == [2, 0, 1]:
        planes = list(dst)
        return lambda: cv2.split(x, planes)
    if len(shape) == 3 and shape[0] <= 4 and order == [1, 2, 0]:
        planes = list(x)
        return lambda: cv2.merge(planes, dst)
    return None


def pytorch(row, x, dst, q, threads):
    """PyTorch's copy of a permuted tensor, or its index_select."""
    shape, order = axes_of(row)
    is_view = row["by"].startswith("view:")
    if torch is None or row["elem_bytes"] not in SIGNED or shape is None and q is None and not is_view:
        return None
    torch.set_num_threads(threads)
    x, dst = (torch.from_numpy(array.view(SIGNED[row["elem_bytes"]])) for array in (x, dst))
    if is_view:
        return View(row).pytorch(x, dst)
    if shape:
        moved, out = x.reshape(shape).permute(order), dst.reshape([shape[axis] for axis in order])
        return lambda: out.copy_(moved)
    index = torch.from_numpy(q)
    return lambda: torch.index_select(x, 0, index, out=dst)


def moves_of(row, x, dst, threads):
    """Functions that are timed, by whose they are; those that fill dst are compared with NumPy's."""
    q = indices_of(row)
    own = expression(row, x, q)
    if own is None:
        return {}
    moves = {"numpy": own, "opencv": opencv(row, x, dst, threads), "torch": pytorch(row, x, dst, q, threads)}
    wanted = own().reshape(-1)
    for name, work in moves.items():
        if name == "numpy" or work is None:
            continue
        dst.view("u1").fill(0xa5)
        work()
        if not np.array_equal(dst.view("u1"), wanted.view("u1")):
            sys.exit(f"{row['by']}: {name} moves elements elsewhere")
    return moves


def peers_of(row, x, dst, threads):
    """Functions that are timed, by whose they are."""
    if row["suite"] != "programs":
        found = moves_of(row, x, dst, threads)
    elif row["by"] == "sort n":
        found = {"numpy": lambda: np.sort(x.reshape(-1, row["n"]), axis=-1)}
    else:
        found = {"fftw": fftw.transform(x, dst, threads) if row["by"] == "fft n" else None}
    return {name: work for name, work in found.items() if work is not None}


def measure(row, x, dst, threads, name, work):
    work()
    if name == "fftw":  # NumPy's own is of doubles in older versions, and slow in all
        np.testing.assert_allclose(dst[:1], x.sum(dtype="c16", keepdims=True), rtol=1e-4)
    times = 1 + int(SHORT_SECONDS / timed(work))
    runs = [(timed(work, times), timed(lambda: parallel_copy(dst, x[:len(dst)], threads), times)) for _ in range(REPEAT)]
    seconds, copy_seconds = (statistics.median(column) for column in zip(*runs))
    peer = {key: row[key] for key in ("suite", "group", "by", "n", "elem_bytes", "arrays", "type") if key in row}
    return peer | {"algorithm": name, "seconds": seconds, "copy_seconds": copy_seconds, "ratio": seconds / copy_seconds}


def measure_all(row, threads):
    x, dst = arrays_of(row)
    return [measure(row, x, dst, threads, *peer) for peer in peers_of(row, x, dst, threads).items()]


def what_moves(row):
    return row["suite"], row["by"], row["n"], row["elem_bytes"], row.get("arrays")


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--only", metavar="GROUP")
    parser.add_argument("--seconds", type=float, default=math.inf)
    return parser.parse_args()


def rows_left(run, group):
    """A row of each move that no peer has done yet."""
    done = {what_moves(row) for row in run["results"] if row["algorithm"] in PEERS}
    rows = [row for row in run["results"] if row["algorithm"] not in PEERS and group in (None, row.get("group")) and "seconds" in row]
    return list({what_moves(row): row for row in reversed(rows) if what_moves(row) not in done}.values())[::-1]


def main():
    ask, began = read_arguments(), time.monotonic()
    run = json.loads(ask.results.read_text(encoding="utf-8"))
    run["numpy"] = np.__version__
    run |= ({"opencv": cv2.__version__} if cv2 else {}) | ({"torch": torch.__version__} if torch else {})
    for row in rows_left(run, ask.only):
        if time.monotonic() - began > ask.seconds:
            break
        for peer in measure_all(row, 1 if row["suite"] == "small" else run["threads"]):
            print(f"{peer['by']:32} {peer['n']:>11} {peer['seconds'] * 1e3:10.4f} ms {peer['ratio']:6.2f} copies by {peer['algorithm']}"
                  f"   riffle is {peer['seconds'] / row['seconds']:.1f} times as fast", file=sys.stderr)
            run["results"].append(peer)
        ask.results.write_text(json.dumps(run, indent=1) + "\n", encoding="utf-8")


main()
