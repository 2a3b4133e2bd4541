#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""torch_peer.py RESULTS.json: measures PyTorch and CuPy along bit reversal and a transpose on the GPU.

A row of the file is one expression for one length and size of element: PyTorch's view().permute().contiguous(), CuPy's
ascontiguousarray(transpose()). A library that does not move so many dimensions at a time leaves its error in the row;
bit reversal is then also done in two steps, of half of the bits each. Times are medians of REPEAT, by CUDA's events,
each beside torch's copy_ of the same bytes in turn with it. What was moved is compared with the definition first, on
elements that look random. Without PyTorch or a GPU it says so and exits with 77; without CuPy it leaves that out.
"""
import json
import statistics
import sys

try:
    import torch
except ImportError:
    torch = None
try:
    import cupy
except ImportError:
    cupy = None

REPEAT, SAMPLE = 20, 1 << 16
SIZES = [(28, 4), (30, 4), (29, 8)]
TYPES = {4: "float32", 8: "float64"}


def bit_reversal(m):
    """The destination of each index of a tensor."""
    def destination(index):
        to = torch.zeros_like(index)
        for k in range(m):
            to |= (index >> k & 1) << (m - 1 - k)
        return to
    return destination


def transpose(rows, cols):
    return lambda index: index % cols * rows + index // cols


def torch_bits(m):
    return lambda x: x.view([2] * m).permute(*reversed(range(m))).contiguous()


def torch_bits_in_two_steps(m):
    """The upper half's bits first; then the lower half's, which change places with it."""
    low, high = m // 2, m - m // 2
    first = [*reversed(range(high)), high]
    second = [*reversed(range(1, low + 1)), 0]
    return lambda x: (x.view([2] * high + [1 << low]).permute(first).contiguous()
                      .view([1 << high] + [2] * low).permute(second).contiguous())


def torch_transpose(rows, cols):
    return lambda x: x.view(rows, cols).permute(1, 0).contiguous()


def cupy_bits(m):
    return lambda x: cupy.ascontiguousarray(x.reshape([2] * m).transpose())


def cupy_transpose(rows, cols):
    return lambda x: cupy.ascontiguousarray(x.reshape(rows, cols).T)


def cases(m):
    """Name of the permutation, its destinations, and for each library the expressions to try until one works."""
    rows, cols = 1 << m - m // 2, 1 << m // 2
    yield ("bit-reversal", bit_reversal(m),
           [("torch", "one permute", torch_bits(m)), ("torch", "two permutes", torch_bits_in_two_steps(m)),
            ("cupy", "one transpose", cupy_bits(m))])
    yield (f"transpose:{rows}x{cols}", transpose(rows, cols),
           [("torch", "one permute", torch_transpose(rows, cols)), ("cupy", "one transpose", cupy_transpose(rows, cols))])


def milliseconds(function):
    before, after = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    before.record()
    function()
    after.record()
    after.synchronize()
    return before.elapsed_time(after)


def as_words(tensor, elem_bytes):
    """Equal bits are equal words, where a NaN is not equal to itself."""
    return tensor.reshape(-1).view({4: torch.int32, 8: torch.int64}[elem_bytes])


def is_right(moved, x, destination, elem_bytes):
    index = torch.randint(len(x), (SAMPLE,), device="cuda")
    expected = as_words(x, elem_bytes)[index]
    return bool(torch.equal(as_words(torch.as_tensor(moved, device="cuda"), elem_bytes)[destination(index)], expected))


def measure(function, x, y, argument, destination, elem_bytes):
    """The row's figures; `argument` is x as the library has it."""
    moved = function(argument)
    if not is_right(moved, x, destination, elem_bytes):
        return {"wrong": True}
    del moved
    times, copies = [], []
    for _ in range(REPEAT + 1):  # the first warms up
        copies.append(milliseconds(lambda: y.copy_(x)) * 1e-3)
        times.append(milliseconds(lambda: function(argument)) * 1e-3)
    seconds, copy_seconds = statistics.median(times[1:]), statistics.median(copies[1:])
    return {"seconds": seconds, "copy_seconds": copy_seconds, "ratio": seconds / copy_seconds}


def first_line(error):
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def measure_size(m, elem_bytes):
    words = torch.randint(-2**31, 2**31, ((1 << m) * elem_bytes // 4,), dtype=torch.int32, device="cuda")
    x = words.view(getattr(torch, TYPES[elem_bytes]))
    y = torch.empty_like(x)
    rows = []
    for by, destination, expressions in cases(m):
        for library, how, function in expressions:
            if library == "cupy" and cupy is None:
                continue
            row = {"suite": "affine-peers", "by": by, "n": 1 << m, "elem_bytes": elem_bytes, "algorithm": library,
                   "how": how}
            try:
                row |= measure(function, x, y, cupy.asarray(x) if library == "cupy" else x, destination, elem_bytes)
            except Exception as error:  # what a library refuses is a result too
                row["error"] = first_line(error)
            print(json.dumps(row), flush=True)
            rows.append(row)
            torch.cuda.empty_cache()
            if cupy is not None:
                cupy.get_default_memory_pool().free_all_blocks()
    return rows


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    if torch is None or not torch.cuda.is_available():
        print("no peers: there is no PyTorch that finds a GPU")
        sys.exit(77)
    document = {"engine": "cuda", "device": torch.cuda.get_device_name(), "torch": torch.__version__,
                "cupy": cupy.__version__ if cupy is not None else None, "cuda": torch.version.cuda,
                "results": [row for size in SIZES for row in measure_size(*size)]}
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)
        file.write("\n")
    print(len(document["results"]), "rows of peers")
    sys.exit(1 if any("wrong" in row for row in document["results"]) else 0)


main()
