#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""torch_peer.py RESULTS.json [SUITE [ROWS.json]] [--only TEXT] [--seconds S]: measures PyTorch and CuPy on the GPU along the
permutations of a suite.

    affine      (the default) bit reversal and a transpose: PyTorch's view().permute().contiguous(), CuPy's
                ascontiguousarray(transpose()). A library that does not move so many dimensions at a time leaves its error
                in the row; bit reversal is then also done in two steps, of half of the bits each.
    arbitrary   random permutations: PyTorch's x[p] and index_select with 64-bit indices, its randperm alone and followed by
                x[p], CuPy's take with 32- and 64-bit indices, of elements of 4 and 8 bytes and of rows
    programs    what programs do: torch.fft.fft (cuFFT) of complex floats, torch.sort of one array and of rows, the fast-hadamard-transform
                package where it is installed
    views       the rows that ROWS.json has, what `riffle-bench --suite views --json` wrote: PyTorch's and CuPy's copies between
                strided arrays; PyTorch has no negative strides, and flips
    axes        the rows that ROWS.json has, what `riffle-bench --suite axes --json` wrote: PyTorch's and CuPy's as in affine
    sort        the rows that ROWS.json has, what `riffle-bench --suite sort-gpu --json` wrote: PyTorch's sort and stable argsort, unsigned
                numbers as signed ones in the same order, and CuPy's

A row of the file is one expression for one length and size of element. Times are medians of REPEAT, by CUDA's events,
each beside torch's copy_ of the same bytes in turn with it, once both have worked for WARM_SECONDS. Short ones are done many
times over as one CUDA graph, and the copy likewise ("graph": true), as riffle-bench times riffle; what cannot be captured,
randperm among it, is called many times in a row, and so is its copy, and then what Python takes to call them counts. Moved
elements are compared with the definition first, where they look random; after randperm, whether everything is still
there. Without PyTorch or a GPU it says so and exits with 77; without CuPy it leaves that out.

--only takes of ROWS.json the rows whose "by" contains TEXT, and those of the group TEXT. --seconds begins no more rows after S
seconds; the file is whole all the same.
"""
import argparse
import contextlib
import json
import math
import statistics
import sys
import time

try:
    import torch
except ImportError:
    torch = None
try:
    import cupy
except ImportError:
    cupy = None
try:
    from fast_hadamard_transform import hadamard_transform
except ImportError:
    hadamard_transform = None

REPEAT, SAMPLE = 20, 1 << 16
WARM_SECONDS = 0.1  # a GPU raises its clocks only after some time at work
TIMED_BYTES, MOST_MOVES = 1 << 26, 64  # shorter arrays are moved as many times in a row
AFFINE_SIZES = [(28, 4), (30, 4), (29, 8)]
ARBITRARY_SIZES = [(1 << bits, 4) for bits in range(20, 29)] + [(1 << 27, 8)]
ARBITRARY_SIZES += [((1 << 30) // size, size) for size in (32, 64, 128)]
TYPES = {1: "uint8", 2: "float16", 4: "float32", 8: "float64", 16: "complex128"}
WORDS = {1: "uint8", 2: "int16", 4: "int32", 8: "int64"}


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


def axes_of(by):
    """Shape and order of "axes:SHAPE:ORDER"."""
    _, shape, order = by.split(":")
    return [int(length) for length in shape.split("x")], [int(axis) for axis in order.split(",")]


def axes_destination(shape, order):
    def destination(index):
        to, step, steps = torch.zeros_like(index), 1, [0] * len(shape)
        for axis in reversed(order):
            steps[axis], step = step, step * shape[axis]
        for length, step in zip(reversed(shape), reversed(steps)):
            to, index = to + index % length * step, index // length
        return to
    return destination


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


def affine_cases(m):
    """Name of the permutation, its destinations, and for each library the expressions to try until one works."""
    rows, cols = 1 << m - m // 2, 1 << m // 2
    yield ("bit-reversal", bit_reversal(m),
           [("torch", "one permute", torch_bits(m)), ("torch", "two permutes", torch_bits_in_two_steps(m)),
            ("cupy", "one transpose", cupy_bits(m))])
    yield (f"transpose:{rows}x{cols}", transpose(rows, cols),
           [("torch", "one permute", torch_transpose(rows, cols)), ("cupy", "one transpose", cupy_transpose(rows, cols))])


def seconds_of(work):
    before, after = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    before.record()
    work()
    after.record()
    after.synchronize()
    return before.elapsed_time(after) * 1e-3


def called(function, moves):
    def work():
        for _ in range(moves):
            function()
    return work


def cupy_on(stream):
    return cupy.cuda.ExternalStream(stream.cuda_stream) if cupy is not None else contextlib.nullcontext()


def captured(function, moves):
    """The same as one CUDA graph. The first call loads kernels and fills the pools that memory is taken from."""
    stream, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream), cupy_on(stream):
        function()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph, stream=stream, capture_error_mode="thread_local"), cupy_on(stream):
        called(function, moves)()
    return graph.replay


def works(function, copy, moves, capturable):
    """Both to be timed in the same way, and whether that is as graphs."""
    if moves > 1 and capturable:
        try:
            return captured(function, moves), captured(copy, moves), True
        except RuntimeError as error:  # CuPy's errors of CUDA are RuntimeErrors too
            print("not captured:", first_line(error), file=sys.stderr)
            torch.cuda.synchronize()
    return called(function, moves), called(copy, moves), False


def as_words(moved, x):
    """In x's shape, a complex number a row. Equal bits are equal words, where a NaN is not equal to itself."""
    tensor = torch.as_tensor(moved, device="cuda").reshape(x.shape)
    parts = torch.view_as_real(tensor) if tensor.is_complex() else tensor
    return parts.view(getattr(torch, WORDS[parts.element_size()]))


def goes_to(destination):
    """A check of what was moved to the destination of each index."""
    def check(moved, x):
        index = torch.randint(len(x), (SAMPLE,), device="cuda")
        return torch.equal(as_words(moved, x)[destination(index)], as_words(x, x)[index])
    return check


def comes_from(p):
    """A check of x[p]."""
    def check(moved, x):
        index = torch.randint(len(x), (SAMPLE,), device="cuda")
        return torch.equal(as_words(moved, x)[index], as_words(x, x)[p[index]])
    return check


def is_rearranged(moved, x):
    return torch.equal(as_words(moved, x).sort().values, as_words(x, x).sort().values)


def is_permutation(moved, x):
    found = torch.zeros(len(x), dtype=torch.bool, device="cuda")
    found[moved] = True
    return len(moved) == len(x) and bool(found.all())


def warm_up(*works):
    worked = 0
    while worked < WARM_SECONDS:
        worked += sum(seconds_of(work) for work in works)


def measure(function, x, y, argument, is_right, capturable):
    """The row's figures; `argument` is x as the library has it."""
    moved = function(argument)
    if not is_right(moved, x):
        return {"wrong": True}
    del moved
    moves = min(max(TIMED_BYTES // (y.numel() * y.element_size()), 1), MOST_MOVES)
    work, copy, is_graph = works(lambda: function(argument), lambda: y.copy_(x[:len(y)]), moves, capturable)
    times, copies = [], []
    warm_up(copy, work)
    for _ in range(REPEAT):
        copies.append(seconds_of(copy) / moves)
        times.append(seconds_of(work) / moves)
    seconds, copy_seconds = statistics.median(times), statistics.median(copies)
    return {"seconds": seconds, "copy_seconds": copy_seconds, "ratio": seconds / copy_seconds, "graph": is_graph}


def first_line(error):
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def elements(n, elem_bytes):
    """n numbers of random bits, or n rows of them."""
    words = torch.randint(-2**31, 2**31, (-(-n * elem_bytes // 16) * 4,), dtype=torch.int32, device="cuda")
    if elem_bytes in TYPES:
        return words.view(getattr(torch, TYPES[elem_bytes]))[:n]
    return words.view(torch.float32).view(n, elem_bytes // 4)


def measure_cases(suite, n, elem_bytes, x, cases, copied=None):
    """A row for each case: the permutation's name, library, words for the expression, the expression, its check. A copy is of the
    first `copied` elements of x, or of all."""
    y, rows = torch.empty_like(x[:copied]), []
    for by, library, how, function, is_right in cases:
        if library == "cupy" and cupy is None:
            continue
        row = {"suite": f"{suite}-peers", "by": by, "n": n, "elem_bytes": elem_bytes, "algorithm": library, "how": how}
        try:
            row |= measure(function, x, y, cupy.asarray(x) if library == "cupy" else x, is_right,
                           not how.startswith("randperm"))
        except Exception as error:  # a library's refusal is a result too
            row["error"] = first_line(error)
        print(json.dumps(row), flush=True)
        rows.append(row)
        torch.cuda.empty_cache()
        if cupy is not None:
            cupy.get_default_memory_pool().free_all_blocks()
    return rows


chosen = argparse.Namespace(only=None, until=math.inf)  # main reads it


def in_time(cases):
    """They, until the time of --seconds is over."""
    for case in cases:
        if time.monotonic() > chosen.until:
            print("not all was measured: the time of --seconds was over", file=sys.stderr)
            return
        yield case


def rows_of(path, suite):
    """The rows of a file of riffle's that --only says."""
    with open(path, encoding="utf-8") as file:
        rows = [row for row in json.load(file)["results"] if row["suite"] == suite]
    return [row for row in rows if chosen.only is None or chosen.only in row["by"] or chosen.only == row.get("group")]


def affine():
    for m, elem_bytes in in_time(AFFINE_SIZES):
        flat = ((by, library, how, function, goes_to(destination)) for by, destination, expressions in affine_cases(m)
                for library, how, function in expressions)
        yield from measure_cases("affine", 1 << m, elem_bytes, elements(1 << m, elem_bytes), flat)


def arbitrary_cases(n, elem_bytes):
    p = torch.randperm(n, device="cuda")
    yield "random", "torch", "x[p]", lambda x: x[p], comes_from(p)
    yield "random", "torch", "index_select", lambda x: torch.index_select(x, 0, p), comes_from(p)
    if cupy is not None:
        for bits, indices in ((32, cupy.asarray(p.to(torch.int32))), (64, cupy.asarray(p))):
            yield ("random", "cupy", f"take, {bits}-bit", lambda x, indices=indices: x.take(indices, axis=0),
                   comes_from(p))
    if elem_bytes == 4:
        yield "random", "torch", "randperm", lambda x: torch.randperm(len(x), device="cuda"), is_permutation
        yield ("random", "torch", "randperm, x[p]", lambda x: x[torch.randperm(len(x), device="cuda")], is_rearranged)


def arbitrary():
    for n, elem_bytes in in_time(ARBITRARY_SIZES):
        yield from measure_cases("arbitrary", n, elem_bytes, elements(n, elem_bytes), arbitrary_cases(n, elem_bytes))


def axes_cases(by):
    shape, order = axes_of(by)
    is_right = goes_to(axes_destination(shape, order))
    yield by, "torch", "permute", lambda x: x.view(shape).permute(order).contiguous(), is_right
    yield by, "cupy", "transpose", lambda x: cupy.ascontiguousarray(x.reshape(shape).transpose(order)), is_right


def axes(path):
    for by, n, elem_bytes in in_time(dict.fromkeys((row["by"], row["n"], row["elem_bytes"]) for row in rows_of(path, "axes"))):
        yield from measure_cases("axes", n, elem_bytes, elements(n, elem_bytes), axes_cases(by))


def view_of(by):
    """Shape of "view:SHAPE:STRIDES:STRIDES", and of either side the strides, the place of element 0, 0, ... and the span."""
    _, lengths, *sides = by.split(":")
    shape = [int(length) for length in lengths.split("x")]
    strides = [[int(stride) for stride in side.split(",")] for side in sides]
    reaches = [[(length - 1) * stride for length, stride in zip(shape, side)] for side in strides]
    firsts = [-sum(reach for reach in side if reach < 0) for side in reaches]
    return shape, [(side, first, 1 + sum(map(abs, reach))) for side, first, reach in zip(strides, firsts, reaches)]


def is_view(shape, strides, first):
    """A check of what a view of x was copied to."""
    def check(moved, x):
        rest, at, place = torch.randint(math.prod(shape), (SAMPLE,), device="cuda"), first, []
        for length, stride in zip(reversed(shape), reversed(strides)):
            place.insert(0, rest % length)
            at = at + rest % length * stride
            rest = rest // length
        got = torch.as_tensor(moved, device="cuda")[tuple(place)]
        return torch.equal(as_words(got, got), as_words(x[at], got))
    return check


def views_cases(by):
    shape, ((strides, first, span), (to_strides, _, to_span)) = view_of(by)
    is_right = is_view(shape, strides, first)
    dst = {}  # made when the first case wants it

    def torch_copy(x):
        if "torch" not in dst:
            dst["torch"] = torch.empty(to_span, dtype=x.dtype, device="cuda").as_strided(shape, to_strides)
        return dst["torch"].copy_(x.as_strided(shape, strides, first))

    def torch_flip(x):
        turned = [axis for axis, stride in enumerate(strides) if stride < 0]
        return x.as_strided(shape, [abs(stride) for stride in strides]).flip(turned)

    def cupy_copy(x):
        as_strided, size = cupy.lib.stride_tricks.as_strided, x.itemsize
        if "cupy" not in dst:
            dst.clear()
            dst["cupy"] = as_strided(cupy.empty(to_span, x.dtype), shape, [size * stride for stride in to_strides])
        dst["cupy"][...] = as_strided(x[first:span], shape, [size * stride for stride in strides])
        return dst["cupy"]

    yield (by, "torch", *(("flip", torch_flip) if min(strides) < 0 else ("copy_", torch_copy)), is_right)
    yield by, "cupy", "assignment", cupy_copy, is_right


def views(path):
    for by, n, elem_bytes in in_time(dict.fromkeys((row["by"], row["n"], row["elem_bytes"]) for row in rows_of(path, "views"))):
        span = view_of(by)[1][0][2]
        yield from measure_cases("views", n, elem_bytes, elements(max(n, span), elem_bytes), views_cases(by), copied=n)


def is_sorted(moved, x):
    values = moved.values
    return bool((values[..., 1:] >= values[..., :-1]).all()) and values.sum().item() == x.sum().item()


def keeps_squares(n):
    """Checks a transform whose matrix is the square root of n times a unitary one."""
    def check(moved, x):
        before, after = (torch.linalg.vector_norm(torch.view_as_real(t) if t.is_complex() else t, dtype=torch.float64) for t in (x, moved))
        return abs((after / before).item() / n**0.5 - 1) < 1e-3
    return check


def program_cases():
    """Program, length, arrays, type, the tensor, its function, and the check."""
    integers = lambda shape: torch.randint(-2**31, 2**31, shape, dtype=torch.int32, device="cuda")
    for n, arrays in ((1 << 24, 1), (1 << 28, 1), (1 << 10, 1 << 18)):
        yield "sort n", n, arrays, "u32", integers((arrays, n)), ("sort", lambda x: torch.sort(x, dim=-1)), is_sorted
    for n in (1 << 24, 1 << 28):
        yield ("fft n", n, 1, "c64", torch.randn(n, dtype=torch.complex64, device="cuda"), ("fft.fft", torch.fft.fft), keeps_squares(n))
    for n, dtype in ((1 << 13, "float32"), (1 << 15, "float32"), (1 << 13, "float16"), (1 << 15, "float16")):
        if hadamard_transform is not None:
            x = torch.randn(((1 << 28) // n, n), dtype=getattr(torch, dtype), device="cuda")
            yield "hadamard n", n, len(x), "f" + dtype[5:], x, ("fast_hadamard_transform", hadamard_transform), keeps_squares(n)


def programs():
    for by, n, arrays, kind, x, (how, function), is_right in in_time(program_cases()):
        rows = measure_cases("programs", n, x.element_size(), x, [(by, "torch", how, function, is_right)])
        yield from ({**row, "arrays": arrays, "type": kind} for row in rows)


def is_argsort(arrays):
    """Checks indices: whether what they name is in order, and all are there."""
    def check(moved, x):
        order = torch.as_tensor(moved, device="cuda").reshape(arrays, -1).long()
        values = torch.gather(x.view(arrays, -1), 1, order)
        return bool((values[:, 1:] >= values[:, :-1]).all()) and bool((torch.bincount(order.flatten()) == arrays).all())
    return check


def is_in_order(arrays):
    def check(moved, x):
        values = torch.as_tensor(moved, device="cuda").reshape(arrays, -1)
        return bool((values[:, 1:] >= values[:, :-1]).all()) and as_words(values, x).sum().item() == as_words(x, x).sum().item()
    return check


def sort_cases(by, arrays, has_indices):
    """Sorts one array by its only axis: rows of one are sorted another way."""
    shape = (arrays, -1) if arrays > 1 else (-1,)
    if has_indices:
        yield by, "torch", "argsort, stable", lambda x: torch.argsort(x.view(shape), dim=-1, stable=True), is_argsort(arrays)
        yield by, "cupy", "argsort", lambda x: cupy.argsort(x.reshape(shape), axis=-1), is_argsort(arrays)
    else:
        yield by, "torch", "sort", lambda x: torch.sort(x.view(shape), dim=-1).values, is_in_order(arrays)
        yield by, "cupy", "sort", lambda x: cupy.sort(x.reshape(shape), axis=-1), is_in_order(arrays)


def by_fields(x):
    """Rows in the order of their fields, by a stable argsort for each, the last first."""
    order = torch.argsort(x[:, -1], stable=True)
    for field in reversed(range(x.shape[1] - 1)):
        order = order[torch.argsort(x[order, field], stable=True)]
    return x[order]


def are_rows_in_order(moved, x):
    """The sums tell that they are x's."""
    is_before = torch.zeros(len(x) - 1, dtype=torch.bool, device="cuda")
    for field in reversed(range(x.shape[1])):
        a, b = moved[:-1, field], moved[1:, field]
        is_before = (a < b) | ((a == b) & (is_before | (field == x.shape[1] - 1)))
    return bool(is_before.all()) and torch.equal(moved.sum(0), x.sum(0))


def sort(path):
    from sort_numbers import array_of
    signed = {"u32": "i32", "u64": "i64"}  # in the same order
    for row in in_time(row for row in rows_of(path, "sort-gpu") if row["elem_bytes"] != 16 and row["algorithm"] in ("sort", "argsort")):
        arrays, has_indices = row.get("arrays", 1), row["algorithm"] == "argsort"
        with torch.device("cuda"):
            x = array_of({**row, "type": signed.get(row["type"], row["type"])}, torch)
        cases = sort_cases(row["by"], arrays, has_indices)
        if row["elem_bytes"] == 24:
            cases = [(row["by"], "torch", "a stable argsort a field, x[order]", by_fields, are_rows_in_order)]
        found = measure_cases("sort-gpu", row["n"], row["elem_bytes"], x, cases)
        yield from ({**of, "group": row["group"], "type": row["type"], "arrays": arrays, "indices": 4 if has_indices else 0} for of in found)


SUITES = {"affine": affine, "arbitrary": arbitrary, "axes": axes, "programs": programs, "sort": sort, "views": views}


def main():
    began, parser = time.monotonic(), argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("results")
    parser.add_argument("suite", nargs="?", default="affine", choices=SUITES)
    parser.add_argument("rows", nargs="?")
    parser.add_argument("--only")
    parser.add_argument("--seconds", type=float, default=math.inf)
    asked = parser.parse_args()
    if (asked.rows is not None) != (asked.suite in ("axes", "sort", "views")) or (asked.only and not asked.rows):
        sys.exit(__doc__)
    chosen.only, chosen.until = asked.only, began + asked.seconds
    if torch is None or not torch.cuda.is_available():
        print("no peers: there is no PyTorch that finds a GPU")
        sys.exit(77)
    document = {"engine": "cuda", "device": torch.cuda.get_device_name(), "torch": torch.__version__,
                "cupy": cupy.__version__ if cupy is not None else None, "cuda": torch.version.cuda,
                "results": list(SUITES[asked.suite](*filter(None, [asked.rows])))}
    with open(asked.results, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)
        file.write("\n")
    print(len(document["results"]), "rows of peers")
    sys.exit(1 if any("wrong" in row for row in document["results"]) else 0)


main()
