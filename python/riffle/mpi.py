# SPDX-License-Identifier: Apache-2.0
"""riffle over MPI's ranks, for arrays of NumPy's that lie in parts on mpi4py's communicators; moves also take PyTorch's and CuPy's on each rank's GPU.

    y = riffle.mpi.permute(x, "bit-reversal")          x and y are this rank's parts
    y = riffle.mpi.sort(x)                             rank 0 ends with the first elements, and so on
    rows, offsets, first, left_out = riffle.mpi.group(x, keys, 64)

Every rank of the communicator makes the same calls in the same order. Where one of them is given what does not suit, all raise. The work is
libriffle-mpi's (docs/beyond.md), which has to be built for mpi4py's MPI."""
import ctypes
import math
from collections import namedtuple

import numpy
from mpi4py import MPI

from . import _mpi, _mpi_plans
from ._arguments import shown, text, whole
from ._keys import Keys
from ._parts import Part, on_the_host
from ._perm import Perm
from ._program import _type
from .errors import InvalidArgument, LengthError, WrongType

__all__ = ["Grouped", "cache", "group", "permute", "sort"]

Grouped = namedtuple("Grouped", "rows offsets first left_out")
Grouped.__doc__ = """This rank's groups: group first + g has rows[offsets[g]:offsets[g + 1]].

rows      those of all ranks, in the order of the ranks within a group
offsets   where each group begins, and the end
first     this rank's first group
left_out  how many of this rank's own rows have a key that names no group"""


def _communicator(comm):
    comm = MPI.COMM_WORLD if comm is None else comm
    if not isinstance(comm, MPI.Comm):
        raise WrongType(f"comm: {shown(comm)}; a communicator of mpi4py's is wanted")
    if comm == MPI.COMM_NULL:
        raise InvalidArgument("comm: is MPI.COMM_NULL, which has no ranks")
    if comm.Is_inter():
        raise InvalidArgument("comm: is between two groups; an intracommunicator is wanted")
    _mpi.library()
    return comm


def _check_alike(comm, name, x, row=()):
    """All ranks' parts have one dtype, and rows of one shape: bytes go between ranks as they are."""
    dtype = None if x is None else x.dtype
    told = comm.allgather((dtype if dtype is None or isinstance(dtype, numpy.dtype) else str(dtype), row))  # a rank may lack the other's library
    for rank, other in enumerate(told):
        for what, one, another in zip(("dtype", "shape of a row"), told[0], other):
            if type(one) is not type(another) or one != another:  # to NumPy None is float64
                raise InvalidArgument(f"{name}: the ranks do not agree on the {what}: it is {one} on rank 0 and {another} on rank {rank}; give all of them the same")


def cache(comm=None):
    """The plans of permute and sort that were used last on this communicator, with their workspaces: `limit` (64) of them at most, of `limit_bytes` (1 GiB) together on a
    rank. Both can be set, to 0 to keep none; `clear()` frees all. Do so on all ranks alike. `size`, `bytes`, `hits` and `misses` tell. A communicator's plans go with it."""
    return _mpi_plans.of(_communicator(comm))


def _threads(threads):
    return 0 if threads is None else whole(threads, "threads")


# -------------------------------------------------------------------- moves

def _units(x, itemsize, axis):
    """How many are moved, and bytes of each."""
    if axis is None:
        return math.prod(x.shape), itemsize
    if whole(axis, "axis", -1 << 31, (1 << 31) - 1) != 0 or x.ndim == 0:
        raise InvalidArgument(f"axis: {axis} of an array of {x.ndim} dimensions; ranks move all elements (None), or rows (0)")
    return len(x), itemsize * math.prod(x.shape[1:])


def _check_blocks(counts, sizes):
    """All ranks have rows of one size, in equal blocks."""
    for rank, size in enumerate(sizes):
        if size != sizes[0]:
            raise LengthError(f"x: rows of {sizes[0]} bytes on rank 0 and of {size} on rank {rank}; give all of them the same")
    n, block = sum(counts), -(-sum(counts) // len(counts))
    for rank, count in enumerate(counts):
        wanted = min(block, max(n - rank * block, 0))
        if count != wanted:
            raise LengthError(f"x: rank {rank} has {count} of {n}; parts are equal blocks of {block}, so that it has {wanted}")
    return n


def _table(p, n):
    """The permutation's short text, or its table."""
    p = p if isinstance(p, Perm) else Perm(p, n) if isinstance(p, str) else Perm.table(p)
    if len(p) != n:
        raise LengthError(f"p: a permutation of {len(p)}, and the ranks have {n} together")
    return (p._text, None) if p._text is not None else (None, p.to_numpy().astype(numpy.uint64))


def _name(p):
    """A name that equal permutations have; None: it has none."""
    if isinstance(p, str):
        return None if "table" in p else p  # its file may change
    return p._key if isinstance(p, Perm) else None


def _transport(name, engine):
    if name not in _mpi.TRANSPORTS:
        raise InvalidArgument(f"transport: {shown(name)}; one of {', '.join(_mpi.TRANSPORTS)} is wanted")
    if not engine and name in ("nccl", "staged"):
        raise InvalidArgument(f"transport: {shown(name)} is for arrays of GPUs; between hosts there are aware and peers")
    if not engine and name == "auto":
        return _mpi.TRANSPORTS.index("aware")
    return _mpi.TRANSPORTS.index(name)


def permute(x, p, comm=None, *, axis=None, threads=None, transport="auto"):
    """riffle.permute of an array that lies in equal blocks over the ranks: this rank's block of the result.

    x          this rank's block: of n elements (or rows) over P ranks the first ranks have ceil(n / P), the last ones fewer or none. On the host of all
               ranks, or, PyTorch's and CuPy's, on each rank's GPU, where the result is queued on the library's current stream
    p          a text, a Perm or a table, of all n and alike on all ranks. One that has no short text is evaluated on each rank, 8 bytes an index
    comm       a communicator of mpi4py's; None: MPI.COMM_WORLD
    axis       None: of all elements in C order; 0: of rows
    threads    of this rank's own steps on the host; None: one
    transport  between GPUs: "aware" (an MPI that knows CUDA), "nccl", "peers" (of one host), "staged" (in pinned memory), or the first of these that all ranks have, "auto";
               between hosts: "aware", MPI's messages, which "auto" is, as one move takes no longer so, or "peers", memory that ranks of one host share, which pays
               where a plan is used again (cache)

    Elements come back in one dimension, rows with x.shape[1:]. Each element that changes its rank is sent once."""
    comm = _communicator(comm)

    def look():
        own = Part(x)
        options = _mpi.MoveOptions(threads=_threads(threads), engine=own.engine, stream=own.stream, transport=_transport(transport, own.engine))
        count, size = _units(own.x, own.itemsize, axis)
        return own, own.x, count, size, options, own.empty((count,) if axis is None else (count, *own.x.shape[1:]))

    part, own, count, size, options, out = _mpi.together(comm, look)
    name, plans = _name(p), _mpi_plans.of(comm)
    key = None if name is None else (permute, name, count, size, options.threads, options.transport, part.engine, part.device, part.stream)
    counts, sizes, numbers = zip(*comm.allgather((count, size, plans.numbers(key))))
    n = _check_blocks(counts, sizes)
    _check_alike(comm, "x", own, tuple(own.shape[1:]) if axis == 0 else ())
    if size > 0:
        with part.current():
            plan = plans.agreed(numbers, key, lambda: _planned(comm, p, n, size, options, 2 * size * max(counts)))
            _mpi.call("riffle_mpi_execute", plan.handle, part.address(out), part.address(own))
    else:
        _mpi.library().riffle_perm_free(_perm_handle(comm, p, n))
    return out


def _perm_handle(comm, p, n):
    return _mpi.together(comm, lambda: _mpi.perm_handle(*_table(p, n), n))


def _planned(comm, p, n, size, options, kept):
    perm, plan = _perm_handle(comm, p, n), ctypes.c_void_p()
    try:
        _mpi.call("riffle_mpi_plan_create", perm, size, _mpi.handle_of(comm), ctypes.byref(options), ctypes.byref(plan))
    finally:
        _mpi.library().riffle_perm_free(perm)
    return _mpi_plans.Plan("riffle_mpi_plan_free", plan, kept)


# -------------------------------------------------------------------- sorts

def sort(x, comm=None, descending=False, order=None, *, values=None, before=None, return_index=False, count=None, threads=None):
    """riffle.sort of all ranks' elements as one array, rank 0's first: this rank's share of it, in one dimension.

    x                          this rank's elements, as many as it has; of more dimensions in C order
    comm                       a communicator of mpi4py's; None: MPI.COMM_WORLD
    descending, order, before  as riffle.sort has them
    values                     an array of x's shape, of elements of 4 or 8 bytes, that go with x's: the second of a pair
    return_index               (sorted, indices): where each element was among those of all ranks, int64
    count                      how many elements this rank is to have; None: as many as it brought. The sum of all ranks' is that of their elements
    threads                    of this rank's own sorts; None: one

    Stable, and the same bytes whatever the number of ranks."""
    comm = _communicator(comm)

    def look():
        return _sorted_parts(on_the_host(x).reshape(-1), descending, order, values, before, return_index, count), _threads(threads)

    (compared, key, arrays, kept), threads = _mpi.together(comm, look)
    for name, part in (("x", kept[0]), ("values", kept[1])):
        _check_alike(comm, name, part)
    keys, carried, indices = kept[2:]
    tag = 8 if return_index else 0 if carried is None else carried.dtype.itemsize
    options = _mpi.SortOptions(value_bytes=0 if carried is None else tag, indices=return_index, threads=threads)
    plans, asked = _mpi_plans.of(comm), (sort, str(kept[0].dtype), compared.fields, before, tag, return_index, arrays.from_count, arrays.count, threads)
    room = arrays.count + (arrays.from_count if arrays.from_count > arrays.count else 0)
    numbers, sizes = zip(*comm.allgather((plans.numbers(asked), room * (key.elem_bytes + tag))))
    plan = plans.agreed(numbers, asked, lambda: _planned_sort(comm, key, arrays, options, max(sizes)))
    _mpi.call("riffle_mpi_sort_execute", plan.handle, ctypes.byref(arrays), None)
    results = [compared.give(keys), *(y for y in (carried, indices) if y is not None)]
    return results[0] if len(results) == 1 else tuple(results)


def _planned_sort(comm, key, arrays, options, kept):
    plan = ctypes.c_void_p()
    _mpi.call("riffle_mpi_sort_plan_create", ctypes.byref(key), arrays.from_count, arrays.count, _mpi.handle_of(comm), ctypes.byref(options), ctypes.byref(plan))
    return _mpi_plans.Plan("riffle_mpi_sort_plan_free", plan, kept)


def _values(values, x):
    values = on_the_host(values, "values").reshape(-1)
    if values.size != x.size:
        raise LengthError(f"values: {values.size} of them; there is one for each of {x.size} elements of x")
    return values


def _sorted_parts(x, descending, order, values, before, return_index, count):
    """The compared fields, the key, and the arrays of a sort, with the arrays of NumPy's that it points to."""
    if before is not None and (order is not None or descending is not False):
        raise InvalidArgument("before: a comparison of your own decides alone; leave out order and descending")
    if values is not None and return_index:
        raise InvalidArgument("values: they and indices exclude each other; leave out return_index")
    compared = Keys(x.dtype, descending, order, before)
    x = numpy.ascontiguousarray(compared.read(x))
    key = _mpi.key_of(x.dtype, compared.fields, None if before is None else text(before, "before"))
    values = None if values is None else _values(values, x)
    count = x.size if count is None else whole(count, "count", 0, 1 << 40)
    keys = numpy.empty(count, x.dtype)
    carried = None if values is None else numpy.empty(count, values.dtype)
    indices = numpy.empty(count, numpy.int64) if return_index else None
    at = [None if y is None else y.ctypes.data for y in (x, keys, values, carried, indices)]
    return compared, key, _mpi.SortArrays(at[0], x.size, at[1], count, at[2], at[3], at[4]), (x, values, keys, carried, indices)


# -------------------------------------------------------------------- groups

def group(x, keys, groups, comm=None, *, by="value", threads=None):
    """Rows brought to the ranks that own their groups: those of riffle.group of all ranks' rows, rank 0's first, cut between groups.

    x        this rank's rows, as many as it has, of one dimension at least
    keys     integers, or bools, one of each row
    groups   of all ranks together, to 65,536: rank p owns ceil(groups / P) of them from p * ceil(groups / P) on, the last ranks fewer or none
    comm     a communicator of mpi4py's; None: MPI.COMM_WORLD
    by       "value", "hash" or "top", as riffle.group has them
    threads  of this rank's own grouping; None: one

    A Grouped(rows, offsets, first, left_out) comes back."""
    comm = _communicator(comm)

    def look():
        own, named = on_the_host(x), _keys(keys)
        if own.ndim == 0 or named.shape != own.shape[:1]:
            raise LengthError(f"keys: of shape {named.shape}; there is one of each row of x, of shape {own.shape}")
        options = _mpi.GroupOptions(_mpi.parsed("riffle_group_by_parse", text(by, "by")), _threads(threads))
        return own, named, whole(groups, "groups", 1, 1 << 16), _mpi.parsed("riffle_type_parse", _type(named.dtype)), options

    own, named, groups, kind, options = _mpi.together(comm, look)
    _check_alike(comm, "x", own, own.shape[1:])
    size, out = _units(own, own.dtype.itemsize, 0)[1], _mpi.Groups()
    _mpi.call("riffle_mpi_group", len(own), size, own.ctypes.data if size else None, kind, named.ctypes.data, groups, _mpi.handle_of(comm), ctypes.byref(options),
              ctypes.byref(out))
    try:
        return _grouped(out, own)
    finally:
        _mpi.library().riffle_mpi_group_free(ctypes.byref(out))


def _keys(keys):
    keys = on_the_host(keys, "keys")
    keys = keys if keys.dtype.isnative else keys.astype(keys.dtype.newbyteorder("="))
    return keys.view(numpy.uint8) if keys.dtype == bool else keys


def _grouped(out, x):
    """Copies of the library's arrays."""
    offsets = numpy.ctypeslib.as_array(out.offsets, (out.groups + 1,)).astype(numpy.int64)
    rows = numpy.empty((int(offsets[-1]), *x.shape[1:]), x.dtype)
    if rows.nbytes > 0:
        ctypes.memmove(rows.ctypes.data, out.rows, rows.nbytes)
    return Grouped(rows, offsets, out.first_group, out.left_out)
