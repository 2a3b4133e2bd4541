# SPDX-License-Identifier: Apache-2.0
"""The program that test_mpi.py has mpirun run: each rank's results against riffle's own in one memory, of arrays that every rank knows whole."""
import sys
from contextlib import nullcontext
from unittest.mock import patch

import numpy as np
import riffle
import riffle.mpi
from mpi4py import MPI

WORLD = MPI.COMM_WORLD
RANK, RANKS = WORLD.rank, WORLD.size


def blocks(n, comm=WORLD):
    block = -(-n // comm.size)
    return slice(min(comm.rank * block, n), min((comm.rank + 1) * block, n))


def cut(n, rng):
    """Parts of any lengths."""
    at = [0, *sorted(rng.integers(0, n + 1, RANKS - 1).tolist()), n]
    return slice(at[RANK], at[RANK + 1])


def same(mine, wanted):
    assert mine.dtype == wanted.dtype and mine.shape == wanted.shape, (mine.dtype, wanted.dtype, mine.shape, wanted.shape)
    assert mine.tobytes() == np.ascontiguousarray(wanted).tobytes(), (RANK, RANKS)


def filled(n, dtype, rng):
    return np.frombuffer(rng.bytes(n * np.dtype(dtype).itemsize), dtype)


def moves():
    rng = np.random.default_rng(7)
    for n, dtype, p in ((64, "f4", "bit-reversal"), (60, "u1", "transpose:4x15"), (997, "c16", "random:3"), (1, "i8", "reverse"), (0, "f8", "identity"), (5, "S3", "rotate:2")):
        x = filled(n, dtype, rng)
        same(riffle.mpi.permute(x[blocks(n)], p), riffle.permute(x, p).reshape(-1)[blocks(n)])
    x, table = filled(300, "u2", rng).reshape(100, 3), rng.permutation(100)
    for p in (table, riffle.Perm.table(table), riffle.Perm("rotate:7", 100) | riffle.Perm("reverse", 100)):
        same(riffle.mpi.permute(x[blocks(100)], p, axis=0, threads=2), riffle.permute(x, p, axis=0)[blocks(100)])
    same(riffle.mpi.permute(x[blocks(100), :0], "reverse", axis=0), x[blocks(100), :0])
    half = WORLD.Split(RANK % 2, RANK)  # communicators of fewer ranks, at one time
    x = np.arange(41.0) + RANK % 2
    same(riffle.mpi.permute(x[blocks(41, half)], "reverse", half), x[::-1][blocks(41, half)])
    half.Free()


def gpus():
    """Parts on each rank's GPU, on a stream of PyTorch's; ranks may have one GPU."""
    import torch
    where = torch.device("cuda", RANK % torch.cuda.device_count())
    rng = np.random.default_rng(7)
    for n, dtype, p, transport in ((64, "f4", "bit-reversal", "staged"), (60, "u1", "transpose:4x15", "staged"), (997, "c16", "random:3", "auto"), (1, "i8", "reverse", "auto")):
        x = filled(n, dtype, rng)
        with torch.cuda.stream(torch.cuda.Stream(where)):
            mine = torch.from_numpy(x[blocks(n)].copy()).to(where)
            got = riffle.mpi.permute(mine, p, transport=transport)
            assert got.device == where
            same(got.cpu().numpy(), riffle.permute(x, p).reshape(-1)[blocks(n)])
    x = filled(300, "u2", rng).reshape(100, 3).view("i2")
    mine = torch.from_numpy(x[blocks(100)].copy()).to(where)
    same(riffle.mpi.permute(mine, "reverse", axis=0).cpu().numpy(), x[::-1][blocks(100)])
    refused(riffle.errors.Unsupported, "on a GPU", riffle.mpi.sort, mine[:, 0])


def sorts():
    rng = np.random.default_rng(8)
    for n, dtype in ((1000, "i4"), (0, "u1"), (333, ">f8"), (77, "M8[s]"), (50, "S2")):
        x = filled(n, dtype, rng)
        part = cut(n, rng)
        same(riffle.mpi.sort(x[part]), riffle.sort(x)[part])
    x, part = rng.integers(-9, 9, 501).astype("i2"), cut(501, rng)
    y, indices = riffle.sort(x, return_index=True)
    mine, mine_indices = riffle.mpi.sort(x[part], return_index=True, threads=2)
    same(mine, y[part]), same(mine_indices, indices[part])
    mine, values = riffle.mpi.sort(x[part], None, True, values=np.arange(501.0)[part])
    y, carried = riffle.sort(x, descending=True, values=np.arange(501.0))
    same(mine, y[part]), same(values, carried[part])
    same(riffle.mpi.sort(x[part], count=len(x) if RANK == RANKS - 1 else 0), riffle.sort(x) if RANK == RANKS - 1 else x[:0])
    rows = np.array([(k * 7 % 5, k * 11 % 13) for k in range(200)], "u2, f4")
    same(riffle.mpi.sort(rows[blocks(200)], order="f1", descending=["f1"]), riffle.sort(rows, order="f1", descending=["f1"])[blocks(200)])
    same(riffle.mpi.sort(x[part], before="a % 5 < b % 5"), riffle.sort(x, before="a % 5 < b % 5")[part])


def plans():
    """They are kept with their communicator, and taken where all ranks know them."""
    n, kept, rng = 60, riffle.mpi.cache(), np.random.default_rng(10)
    kept.clear()
    before = kept.hits, kept.misses

    def tells(hits, misses, size):
        assert (kept.hits - before[0], kept.misses - before[1], kept.size) == (hits, misses, size), (kept, hits, misses, size)
    table = riffle.Perm.table(rng.permutation(n))
    for _ in range(3):
        for p in ("reverse", table, riffle.Perm("rotate:7", n)):
            x = filled(n, "f4", rng)
            same(riffle.mpi.permute(x[blocks(n)], p), riffle.permute(x, p)[blocks(n)])
    tells(6, 3, 3)
    x = filled(n, "f4", rng)  # another name, size or shape, or no name
    for p, y in (("rotate:7", x), ("reverse", x.view("i2")), ("reverse", x.reshape(n // 4, 4))):
        axis = 0 if y.ndim == 2 else None
        same(riffle.mpi.permute(y[blocks(len(y))], p, axis=axis), riffle.permute(y, p, axis=0)[blocks(len(y))])
    same(riffle.mpi.permute(x[blocks(n)], table.to_numpy()), riffle.permute(x, table)[blocks(n)])
    tells(6, 6, 6)
    mine = table if RANK == 0 else riffle.Perm.table(table.to_numpy())  # the same table, which the other ranks do not know again
    same(riffle.mpi.permute(x[blocks(n)], mine), riffle.permute(x, table)[blocks(n)])
    same(riffle.mpi.permute(x[blocks(n)], mine), riffle.permute(x, table)[blocks(n)])
    tells(7, 7, 7) if RANKS > 1 else tells(8, 6, 6)
    kept.clear()
    sizes = kept.hits, kept.misses
    for k in range(4):  # rank 0 has the same part each time, and knows two plans for it
        n = 5 * RANKS - k % 2
        same(riffle.mpi.permute(np.arange(n)[blocks(n)], "reverse"), np.arange(n)[::-1][blocks(n)])
    assert (kept.hits - sizes[0], kept.misses - sizes[1]) == (2, 2), kept
    kept.clear()
    n = 60
    for k in range(3):
        part = cut(n, np.random.default_rng(k // 2))
        x = filled(n, "u2", rng)
        same(riffle.mpi.sort(x[part]), np.sort(x)[part])
        same(riffle.mpi.sort(x[part], descending=True), np.sort(x)[::-1][part])
    assert kept.size == 4 if RANKS > 1 else 2, kept
    block = 4 * -(-n // RANKS)
    kept.limit_bytes = 2 * block  # a move's two workspaces
    x = filled(n, "f4", rng)
    for p in ("reverse", "rotate:1", "reverse"):
        same(riffle.mpi.permute(x[blocks(n)], p), riffle.permute(x, p)[blocks(n)])
        assert (kept.size, kept.bytes) == (1, 2 * block), kept
    kept.limit = 0
    same(riffle.mpi.permute(x[blocks(n)], "reverse"), x[::-1][blocks(n)])
    assert (kept.size, kept.bytes) == (0, 0)
    kept.limit, kept.limit_bytes = 64, 1 << 30
    half = WORLD.Split(RANK % 2, RANK)  # a communicator's plans go with it, and are not those of the next one, which may have its handle
    for _ in range(2):
        x = filled(41, "i8", np.random.default_rng(RANK % 2))
        for _ in range(2):
            same(riffle.mpi.permute(x[blocks(41, half)], "reverse", half), x[::-1][blocks(41, half)])
        assert (riffle.mpi.cache(half).size, riffle.mpi.cache(half).hits) == (1, 1)
        gone = riffle.mpi.cache(half)
        half.Free()
        assert gone.size == 0
        half = WORLD.Split(RANK % 2, -RANK)
    half.Free()
    assert "riffle.mpi.cache(): 0 of 64 plans" in repr(kept)
    same(riffle.mpi.permute(filled(0, "f4", rng), "reverse"), filled(0, "f4", rng))  # and one is left at the end


def groups():
    rng = np.random.default_rng(9)
    for shape, dtype, keys, count, by in (((500, 3), "f4", "u1", 7, "value"), ((0,), "u1", "i8", 3, "value"), ((64,), "S5", ">i4", 100, "hash"), ((97, 0), "u1", "?", 2, "value"),
                                          ((333, 2), "c8", "u2", 5, "top")):
        x, part = filled(int(np.prod(shape)), dtype, rng).reshape(shape), cut(shape[0], rng)
        named = rng.integers(0, 9, shape[0]).astype(keys)
        got, whole = riffle.mpi.group(x[part], named[part], count, by=by), riffle.group(x, named, count, by=by)
        block = -(-count // RANKS)
        first, end = min(RANK * block, count), min((RANK + 1) * block, count)
        assert got.first == first
        same(got.offsets, whole.offsets[first:end + 1] - whole.offsets[first])
        same(got.rows, whole.rows[whole.offsets[first]:whole.offsets[end]])
        assert WORLD.allreduce(got.left_out) == whole.left_out[0]


def refused(kind, words, function, *arguments, **named):
    try:
        function(*arguments, **named)
    except kind as error:
        assert words in str(error), error
        return
    raise AssertionError(f"{words}: nothing was raised")


def faults():
    """Every rank hears of it, and all go on."""
    is_last, errors, x = RANK == RANKS - 1, riffle.errors, np.arange(8.0)[blocks(8)]
    refused(errors.SpecSyntaxError, "", riffle.mpi.permute, x, "reverse" if not is_last else "no such thing")
    refused(errors.WrongType if is_last else errors.InvalidArgument, "x: None; an array is wanted", riffle.mpi.permute, None if is_last else x, "reverse")
    refused(errors.LengthError, "a permutation of 9, and the ranks have 8 together", riffle.mpi.permute, x, riffle.Perm("reverse", 9))
    refused(errors.InvalidArgument, "axis: 1", riffle.mpi.permute, x, "reverse", axis=1)
    refused(errors.InvalidArgument, "transport: 'telex'; one of auto, aware, nccl, peers, staged", riffle.mpi.permute, x, "reverse", transport="telex")
    refused(errors.InvalidArgument, "is for arrays of GPUs; between hosts there are aware and peers", riffle.mpi.permute, x, "reverse", transport="staged")
    refused(errors.Unsupported, "complex", riffle.mpi.sort, x.astype("c16"))
    refused(errors.InvalidArgument, "exclude each other", riffle.mpi.sort, x, values=x, return_index=True)
    refused(errors.InvalidArgument, "sum of from_counts", riffle.mpi.sort, x, count=1)
    refused(errors.LengthError, "one of each row", riffle.mpi.group, x, np.zeros(99, "u1"), 4)
    refused(errors.InvalidArgument, "groups: 0", riffle.mpi.group, x, np.zeros(len(x), "u1"), 0)
    if RANKS > 1:
        refused(errors.LengthError, "parts are equal blocks", riffle.mpi.permute, np.zeros(0 if RANK == 0 else 3), "reverse")
        refused(errors.InvalidArgument, "do not agree on the permutation", riffle.mpi.permute, x, "reverse" if is_last else "rotate:1")
        refused(errors.LengthError, f"x: rows of 8 bytes on rank 0 and of 16 on rank {RANKS - 1}", riffle.mpi.permute, np.zeros((2, 1 + is_last)), "reverse", axis=0)
        ints, rows = x.astype("f8" if is_last else "i8"), np.zeros((len(x), 2), "i4")
        for call in (lambda x: riffle.mpi.permute(x, "reverse"), riffle.mpi.sort, lambda x: riffle.mpi.group(x, np.zeros(len(x), "u1"), 4)):
            refused(errors.InvalidArgument, f"x: the ranks do not agree on the dtype: it is int64 on rank 0 and float64 on rank {RANKS - 1}", call, ints)
        for call in (lambda x: riffle.mpi.permute(x, "reverse", axis=0), lambda x: riffle.mpi.group(x, np.zeros(len(x), "u1"), 4)):
            refused(errors.InvalidArgument, "do not agree on the shape of a row: it is (2, 1) on rank 0 and (1, 2)", call, rows.reshape(len(x), *((1, 2) if is_last else (2, 1))))
        refused(errors.InvalidArgument, "values: the ranks do not agree on the dtype: it is int64", riffle.mpi.sort, x, values=ints)
        refused(errors.InvalidArgument, "values: the ranks do not agree on the dtype: it is float64", riffle.mpi.sort, x, values=None if is_last else x)
        refused(errors.InvalidArgument, "do not agree on the key", riffle.mpi.sort, x, descending=is_last)
        refused(errors.InvalidArgument, f"the number of groups: it is 3 on rank 0 and 4 on rank {RANKS - 1}", riffle.mpi.group, x, np.zeros(len(x), "u1"), 3 + is_last)
    with patch.object(riffle.mpi.Part, "empty", side_effect=MemoryError("no more")) if is_last else nullcontext():
        refused(MemoryError if is_last else errors.OutOfMemory, "no more", riffle.mpi.permute, x, "reverse")
    refused(errors.WrongType, "a communicator of mpi4py's", riffle.mpi.sort, x, 1)
    refused(errors.InvalidArgument, "MPI.COMM_NULL", riffle.mpi.sort, x, MPI.COMM_NULL)
    same(riffle.mpi.sort(x), x)


for name in sys.argv[1:]:
    globals()[name]()
if RANK == 0:
    print("all is right")
