# SPDX-License-Identifier: Apache-2.0
"""riffle's moves of Dask arrays: graphs of tasks that cut blocks and join them, between which Dask carries the pieces.

    y = riffle.dask.permute(x, "bit-reversal")          y.ravel()[p(i)] = x.ravel()[i]
    y = riffle.dask.transpose(x, (2, 0, 1), chunks=...)  in new chunks at once

Nothing is computed until Dask is asked to. Every element that leaves its block is copied twice, once to be carried and once
to its place, and carried once."""
import bisect
import functools
import itertools
import math
import re
from collections.abc import Sequence
from typing import Any

import dask.array
import numpy
from dask.base import tokenize
from dask.highlevelgraph import HighLevelGraph

from . import _blocks
from ._arguments import several, shown, whole
from ._arrays import along
from ._perm import Perm, table_of
from .errors import InvalidArgument, LengthError, Unsupported, WrongType

__all__ = ["permute", "rechunk", "shuffle", "sort", "transpose"]

_LOOKED_AT = 1 << 22  # rows of which graphs are made that have no empty pieces


def _checked(x):
    """A Dask array whose blocks riffle can move."""
    if not isinstance(x, dask.array.Array):
        raise WrongType(f"x: a {type(x).__name__}; a Dask array is wanted, dask.array.from_array(x) say, or of xarray's x.data")
    for axis, sizes in enumerate(x.chunks):
        if any(math.isnan(size) for size in sizes):
            raise InvalidArgument(f"x: chunks of unknown size along axis {axis}; call x.compute_chunk_sizes() first")
    if type(x._meta) is not numpy.ndarray:
        raise Unsupported(f"x: blocks are of {type(x._meta).__name__}; riffle.dask moves blocks of numpy.ndarray")
    if x.dtype.hasobject:
        raise Unsupported("x: of dtype object; elements of a fixed size are moved")
    return x


def _array(name, tasks, x, chunks):
    return dask.array.Array(HighLevelGraph.from_collections(name, tasks, dependencies=[x]), name, chunks, dtype=x.dtype)


def _bounds(sizes):
    """Where blocks begin, and the end."""
    return [0, *itertools.accumulate(sizes)]


def _blocks_of(chunks):
    """The index of each block."""
    return itertools.product(*(range(len(sizes)) for sizes in chunks))


# ------------------------------------------------------------ axes and chunks

def _overlaps(old, new):
    """For each new chunk of an axis the old ones that it has a part of: their number, the part within them, and its place."""
    begins, found = _bounds(old), []
    for low, high in itertools.pairwise(_bounds(new)):
        number, parts = max(bisect.bisect_right(begins, low) - 1, 0), []
        while number < len(old) and begins[number] < high:
            first, end = max(low, begins[number]), min(high, begins[number + 1])
            if first < end:
                parts.append((number, slice(first - begins[number], end - begins[number]), slice(first - low, end - low)))
            number += 1
        found.append(parts)
    return found


def _task_of_box(tasks, x, key, order, parts, shape):
    """Adds the task of one block of the result: a cut, or a join of cuts. A block that is joined whole is read where it is."""
    axes = {axis: k for k, axis in enumerate(order)}
    keys, places, orders = [], [], []
    for number, taken in enumerate(itertools.product(*parts)):
        source = [taken[axes[axis]] for axis in range(x.ndim)]
        block, box = tuple(s[0] for s in source), tuple(s[1] for s in source)
        is_whole = all(b.stop - b.start == x.chunks[axis][block[axis]] for axis, b in enumerate(box))
        keys.append((x.name, *block))
        places.append(tuple(t[2] for t in taken))
        orders.append(list(order))
        if not is_whole:
            piece = (f"cut-{key[0]}", *key[1:], number)
            tasks[piece] = (functools.partial(_blocks.cut, box=(*box, ...), order=list(order)), keys[-1])
            keys[-1], orders[-1] = piece, list(range(x.ndim))
    tasks[key] = (functools.partial(_blocks.join, shape, x.dtype, places, orders), *keys)


def _boxes(x, order, chunks, what):
    """x with its axes in another order, in such chunks."""
    turned = tuple(x.chunks[axis] for axis in order)
    if chunks == turned and order == tuple(range(x.ndim)):
        return x
    overlaps = [_overlaps(old, new) for old, new in zip(turned, chunks)]
    name, tasks = f"riffle-{what}-{tokenize(x.name, order, chunks)}", {}
    for block in _blocks_of(chunks):
        shape = tuple(sizes[k] for sizes, k in zip(chunks, block))
        _task_of_box(tasks, x, (name, *block), order, [overlap[k] for overlap, k in zip(overlaps, block)], shape)
    return _array(name, tasks, x, chunks)


def _chunks(chunks, shape, dtype, previous):
    """A user's chunks as Dask has them; None, of an axis too: as they were."""
    if chunks is None:
        return previous
    if isinstance(chunks, dict):
        named = {along(axis, len(shape), "chunks"): sizes for axis, sizes in chunks.items()}
        chunks = tuple(named.get(axis, previous[axis]) for axis in range(len(shape)))
    elif isinstance(chunks, (tuple, list)) and len(chunks) == len(shape):
        chunks = tuple(before if sizes is None else sizes for sizes, before in zip(chunks, previous))
    try:
        return dask.array.core.normalize_chunks(chunks, shape, dtype=dtype, previous_chunks=previous)
    except (ValueError, TypeError, ZeroDivisionError) as error:
        raise InvalidArgument(f"chunks: {shown(chunks)}: {error}") from None


def transpose(x: dask.array.Array, axes: Sequence[int] | None = None, chunks: Any = None) -> dask.array.Array:
    """x.transpose(axes), moved: blocks are in C order, and in new chunks at once.

    axes     a permutation of the axes; None: all of them in opposite order
    chunks   of the result, as dask.array.rechunk takes them; None: x's, in the new order"""
    x, rank = _checked(x), x.ndim
    order = tuple(range(rank))[::-1] if axes is None else tuple(along(k, rank, "axes") for k in several(axes, "axes"))
    if sorted(order) != list(range(rank)):
        raise InvalidArgument(f"axes: {order} is no order of {rank} axes")
    shape, turned = tuple(x.shape[k] for k in order), tuple(x.chunks[k] for k in order)
    return _boxes(x, order, _chunks(chunks, shape, x.dtype, turned), "transpose")


def rechunk(x: dask.array.Array, chunks: Any) -> dask.array.Array:
    """dask.array.rechunk(x, chunks) in one step, whatever the chunks: each element is carried once."""
    x = _checked(x)
    return _boxes(x, tuple(range(x.ndim)), _chunks(chunks, x.shape, x.dtype, x.chunks), "rechunk")


# -------------------------------------------------------- blocks in C order

def _rows(shape, count):
    """About `count` chunks of a shape that are consecutive in C order: one axis is cut, those before it one by one, none after."""
    if math.prod(shape) == 0 or not shape:
        return tuple((n,) for n in shape)
    axis, before = 0, 1
    while axis < len(shape) - 1 and before * shape[axis] < count:
        before *= shape[axis]
        axis += 1
    length = shape[axis]
    parts = min(-(-count // before), length)
    bounds = [length * k // parts for k in range(parts + 1)]
    sizes = tuple(high - low for low, high in itertools.pairwise(bounds))
    return (*((1,) * n for n in shape[:axis]), sizes, *((n,) for n in shape[axis + 1:]))


def _is_rows(chunks):
    """True where such chunks are consecutive in C order."""
    cut = [axis for axis, sizes in enumerate(chunks) if len(sizes) > 1]
    return not cut or all(size <= 1 for sizes in chunks[:cut[-1]] for size in sizes)


def _sizes(chunks):
    return tuple(math.prod(sizes) for sizes in itertools.product(*chunks))


def _renamed(x, chunks):
    """The blocks of x, one by one in C order, as those of an array of other chunks."""
    name = f"riffle-reshape-{tokenize(x.name, chunks)}"
    shapes = itertools.product(*chunks)
    tasks = {(name, *new): (functools.partial(_blocks.reshaped, shape), (x.name, *old))
             for new, old, shape in zip(_blocks_of(chunks), _blocks_of(x.chunks), shapes)}
    return _array(name, tasks, x, chunks)


def _flat(x):
    """All elements of x in C order, as an array of one dimension."""
    if x.ndim == 1:
        return x
    if x.ndim > 1 and not _is_rows(x.chunks):
        x = rechunk(x, _rows(x.shape, x.npartitions))
    return _renamed(x, (_sizes(x.chunks),))


# --------------------------------------------------------------- permutations

_AFFINE = re.compile(r"(identity|reverse|bit-reversal|shuffle|unshuffle|(bits|affine|transpose|axes):[^|]*)$")
_AXES = re.compile(r"(?:axes|transpose):([\dx]+)(?::([\d,]+))?$")


def _perm(p, n):
    """The permutation, and its table where it has one: then nothing of it is computed on workers."""
    if not isinstance(p, (str, Perm)):
        p = Perm.table(table_of(p, "p"))
    perm = Perm(p, n) if isinstance(p, str) else p
    if perm.n != n:
        raise LengthError(f"x: {n} elements to be moved, and the permutation is of {perm.n}")
    return perm, perm.to_numpy() if perm._text is None else None


def _as_axes(perm):
    """The shape and the order of a permutation of axes, or None."""
    found = _AXES.match(perm._text or "")
    if found is None:
        return None
    shape = tuple(int(n) for n in found[1].split("x"))
    return shape, tuple(int(k) for k in found[2].split(",")) if found[2] else (1, 0)


def _spans(perm, sizes):
    """Where each of some equal blocks of 2^k rows goes by an affine map: to a coset of what the bits within a block reach. None for
    another permutation, or other blocks."""
    n, size = perm.n, sizes[0]
    if n & (n - 1) or size & (size - 1) or len(set(sizes)) > 1 or not _AFFINE.match(perm._text or ""):
        return None
    at_zero, reached = perm(0), {0}
    for bit in range(size.bit_length() - 1):
        step = (perm(1 << bit) ^ at_zero) // size
        reached |= {step ^ known for known in reached}
    return [sorted(perm(first) // size ^ step for step in reached) for first in range(0, n, size)]


def _targets(perm, table, old, new):
    """For each block of rows the blocks that it has rows for; all of them where to know it all rows had to be looked at."""
    spans = _spans(perm, old) if old == new and perm.n else None
    if spans is not None:
        return spans
    if table is None and perm.n > _LOOKED_AT:
        return [list(range(len(new)))] * len(old)
    bounds, found = _bounds(new), []
    for first, end in itertools.pairwise(_bounds(old)):
        goes_to = _blocks.images(perm, first, end - first) if table is None else table[first:end]
        found.append(numpy.unique(_blocks.owners(bounds, goes_to)).tolist())
    return found


def _numbers(tasks, name, perm, table, sizes):
    """Adds tasks whose results are the images of each block's rows: parts of a table, or computed."""
    for block, (first, end) in enumerate(itertools.pairwise(_bounds(sizes))):
        tasks[name, block] = table[first:end] if table is not None else (functools.partial(_blocks.images, perm, first, end - first),)


def _moved_rows(x, perm, table, axis, sizes):
    """x with row i of an axis at P(i), in chunks of such sizes along it."""
    token = tokenize(x.name, axis, sizes, perm._text if table is None else table)
    name, tasks = f"riffle-permute-{token}", {}
    targets, sources = _targets(perm, table, x.chunks[axis], sizes), [[] for _ in sizes]
    for block, blocks in enumerate(targets):
        for number, target in enumerate(blocks):
            sources[target].append((block, number))
    inverse = None if table is None else (~perm).to_numpy()
    _numbers(tasks, f"images-{token}", perm, table, x.chunks[axis])
    _numbers(tasks, f"sources-{token}", ~perm, inverse, sizes)
    bounds = _bounds(sizes)
    for at in _blocks_of(x.chunks):
        cut = functools.partial(_blocks.cut_rows, bounds, targets[at[axis]], axis)
        tasks[(f"cut-{token}", *at)] = (cut, (x.name, *at), (f"images-{token}", at[axis]))
        for number in range(len(targets[at[axis]])):
            tasks[(f"piece-{token}", *at, number)] = (functools.partial(_blocks.pick, number=number), (f"cut-{token}", *at))
    chunks = (*x.chunks[:axis], sizes, *x.chunks[axis + 1:])
    for at in _blocks_of(chunks):
        pieces = [(f"piece-{token}", *at[:axis], block, *at[axis + 1:], number) for block, number in sources[at[axis]]]
        shape = tuple(sizes[k] for sizes, k in zip(chunks, at))
        join = functools.partial(_blocks.join_rows, axis) if pieces else functools.partial(numpy.empty, shape, x.dtype)
        tasks[(name, *at)] = (join, (f"sources-{token}", at[axis]), *pieces) if pieces else (join,)
    return _array(name, tasks, x, chunks)


def permute(x: dask.array.Array, p: Any, axis: int | None = None, chunks: Any = None) -> dask.array.Array:
    """riffle.permute(x, p, axis) of a Dask array: y with y[p(i)] = x[i], of all elements in C order, or along one axis.

    p        a Perm, the text of one, or a table: integers of shape (n,). A table is cut, and each task gets its part of it
    chunks   of the result, as dask.array.rechunk takes them; None: x's where it has one dimension or an axis is given, and else chunks
             of consecutive elements, about as many as x has

    Shapes: x.shape, or with p.output_shape in the place of the axis (of all axes, if None)."""
    x = _checked(x)
    axis = None if axis is None else along(axis, x.ndim)
    perm, table = _perm(p, x.size if axis is None else x.shape[axis])
    if axis is None and _as_axes(perm) is not None and _as_axes(perm)[0] == x.shape:
        return transpose(x, _as_axes(perm)[1], chunks)
    given = perm.output_shape or (x.shape if axis is None else (perm.n,))
    if axis is None:
        x, axis = _flat(x), 0
    new = (x.chunks[axis],) if len(given) == 1 else _rows(given, len(x.chunks[axis]))
    y = _moved_rows(x, perm, table, axis, _sizes(new))
    new = (*y.chunks[:axis], *new, *y.chunks[axis + 1:])
    y = y if y.chunks == new else _renamed(y, new)
    return y if chunks is None else rechunk(y, chunks)


def shuffle(x: dask.array.Array, seed: int, axis: int = 0, chunks: Any = None) -> dask.array.Array:
    """riffle.shuffle(x, seed, axis) of a Dask array: rows in the order of random:SEED, the same whatever the chunks. Else as permute."""
    return permute(x, f"random:{whole(seed, 'seed', 0, (1 << 64) - 1)}", along(axis, _checked(x).ndim), chunks)


# ---------------------------------------------------------------------- sorts

def _sorted_lanes(x, axis, how):
    """Sorted along an axis that no chunk cuts."""
    name = f"riffle-sort-{tokenize(x.name, axis, how)}"
    return _array(name, {(name, *at): (functools.partial(_blocks.sort_rows, how, axis), (x.name, *at)) for at in _blocks_of(x.chunks)}, x, x.chunks)


def _float_of(dtype):
    """The float that is all of an element, or None."""
    while dtype.names is not None and len(dtype.names) == 1 and dtype[0].itemsize == dtype.itemsize:
        dtype = dtype[0]
    return dtype if dtype.kind == "f" else None


def _sorted_all(x, how):
    """Sorted blocks, exact pivots from samples and the elements between them, and each block merged of its parts."""
    number, down = _float_of(x.dtype), bool(how["descending"])
    sort_run, merge = functools.partial(_blocks.sort_rows, how, 0), functools.partial(_blocks.merge_rows, how)
    if number is not None:
        sort_run, merge = functools.partial(_blocks.sort_codes, number, down), functools.partial(_blocks.merge_codes, number, x.dtype, down)
    among = how if number is None else {}
    (lengths,), token, tasks = x.chunks, tokenize(x.name, how), {}
    ranks, every, name = _bounds(lengths)[1:-1], range(len(lengths)), f"riffle-sort-{token}"
    step = _blocks.step_for(x.size, len(lengths))
    for k in every:
        run = (f"run-{token}", k)
        tasks[run] = (sort_run, (x.name, k))
        tasks[f"sample-{token}", k] = (functools.partial(_blocks.sample, step), run)
        tasks[f"windows-{token}", k] = (functools.partial(_blocks.windows, k), run, f"bracket-{token}")
        for target in every:
            tasks[f"part-{token}", k, target] = (functools.partial(_blocks.part, k, target), run, f"split-{token}")
        tasks[name, k] = (merge, *((f"part-{token}", source, k) for source in every))
    tasks[f"bracket-{token}"] = (functools.partial(_blocks.bracket, lengths, step, ranks, among), *((f"sample-{token}", k) for k in every))
    tasks[f"split-{token}"] = (functools.partial(_blocks.split, lengths, ranks, among), f"bracket-{token}", *((f"windows-{token}", k) for k in every))
    return _array(name, tasks, x, x.chunks)


def sort(x: dask.array.Array, axis: int | None = -1, descending: Any = False, order: Any = None) -> dask.array.Array:
    """riffle.sort(x, axis, descending, order) of a Dask array: stable, the same bytes, in x's chunks.

    axis   None: all elements in C order, as an array of one dimension

    An array of one dimension is sorted block by block, cut at exact pivots, and merged. In an array of more dimensions each run along the
    axis is brought into one block, which must hold it."""
    x, how = _checked(x), {"descending": descending, "order": order}
    x, axis = (_flat(x), 0) if axis is None else (x, along(axis, x.ndim))
    _blocks.sort_rows(how, 0, numpy.empty(1, x.dtype))  # refuses at once what no task can sort
    if len(x.chunks[axis]) == 1:
        return _sorted_lanes(x, axis, how)
    if x.ndim == 1:
        return _sorted_all(x, how)
    whole_runs = rechunk(x, tuple(-1 if k == axis else "auto" for k in range(x.ndim)))
    return rechunk(_sorted_lanes(whole_runs, axis, how), x.chunks)
