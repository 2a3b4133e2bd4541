# SPDX-License-Identifier: Apache-2.0
"""The tasks of riffle.dask: blocks of an array cut and joined by one thread, where a worker has them. Nothing here knows Dask.

A row of a block is what one index of the axis names. Pieces of a move by rows are in the order of their source, each with its rows in
that order too, so that only the receiver sorts: by the sources of its rows."""
import math

import numpy

from . import _core
from ._plan import _form
from ._sort import argsort, merge, sort


# -------------------------------------------------------------- boxes of axes

def cut(block, box, order):
    """A copy of a box of a block, with its axes in another order."""
    return _core.transpose(block[box], order, None, 1)


def join(shape, dtype, places, orders, *pieces):
    """A block of pieces: each at its place, with its axes in its order."""
    block = numpy.empty(shape, dtype)
    for piece, place, order in zip(pieces, places, orders):
        _core.transpose(piece, order, block[(*place, ...)], 1)
    return block


def reshaped(shape, block):
    return block.reshape(shape)


# ----------------------------------------------------- rows along a permutation

def images(perm, first, count):
    """P(first), P(first + 1), ..."""
    numbers = numpy.empty(count, numpy.int64)
    _core.perm_map(perm._handle, first, numbers)
    return numbers


def owners(bounds, numbers):
    """The number of the block that has each row; bounds are where blocks begin, and the end."""
    kind = numpy.uint16 if len(bounds) <= 1 << 16 else numpy.int64
    return (numpy.searchsorted(bounds, numbers, side="right") - 1).astype(kind)


def cut_rows(bounds, targets, axis, block, goes_to):
    """The rows of a block by the block that each goes to: an array for each of `targets`."""
    owner = owners(bounds, goes_to)
    order, begins = argsort(owner, threads=1), numpy.searchsorted(numpy.sort(owner), targets)
    counts = numpy.bincount(owner, minlength=len(bounds))
    return [_core.take(block, order[begin:begin + counts[target]], axis, None, False, 1) for begin, target in zip(begins, targets)]


def pick(pieces, number):
    return pieces[number]


def join_rows(axis, comes_from, *pieces):
    """A block whose rows come from the rows `comes_from` of all, of pieces in the order of these."""
    rows = pieces[0] if len(pieces) == 1 else numpy.concatenate(pieces, axis)
    place = _core.perm_table(argsort(comes_from, threads=1))
    device, batch, n, elem_bytes, axis = _form(rows, axis)
    return _core.plan(place, rows, batch, elem_bytes, axis, device, "auto", 1, 1, False)(rows.astype(pieces[0].dtype, copy=False), None)


# ---------------------------------------------------------------------- sorts

def sort_rows(how, axis, block):
    return sort(block, axis, threads=1, **how)


def codes(down, block):
    """Floats as unsigned numbers in the order of a sort of nothing but floats (src/sort/key.h): -0.0 before 0.0, NaNs by their bits."""
    infinity, sign, bits = _form_of(block.dtype)
    block = bits.type(0) + block.view(bits.newbyteorder(block.dtype.byteorder))
    code = numpy.where(block & sign, ~block, block | sign) - ~(infinity | sign)
    return infinity * 2 + 1 - code if down else code


def floats(dtype, down, code):
    """Back from codes."""
    infinity, sign, bits = _form_of(dtype)
    code = (infinity * 2 + 1 - code if down else code) + ~(infinity | sign)
    return numpy.where(code & sign, code ^ sign, ~code).astype(bits.newbyteorder(dtype.byteorder)).view(dtype)


def _form_of(dtype):
    """The bits of infinity and of the sign, and the unsigned type of a float's width."""
    bits = numpy.dtype(f"u{dtype.itemsize}")
    infinity = numpy.array(numpy.inf, f"f{dtype.itemsize}").view(bits)[()]
    return infinity, bits.type(1 << 8 * dtype.itemsize - 1), bits


def sort_codes(number, down, block):
    return sort(codes(down, block.view(number)), threads=1)


def merge_codes(number, dtype, down, *runs):
    return floats(number, down, merge_rows({}, *runs)).view(dtype)


def sample(step, run):
    """Every step-th element of a sorted run, from its first on."""
    return run[::step].copy()


def bracket(lengths, step, ranks, how, *samples):
    """For each rank r, and each run, two places between which the run is cut where the first r elements of all are cut off.

    Samples in the order of all elements: of those up to a sample there are at least `least`, the samples' own, and at most `most`,
    as many as there are before each run's next sample. Shapes: (2, ranks, runs)."""
    run = numpy.repeat(numpy.arange(len(samples)), [len(s) for s in samples])
    place = numpy.concatenate([numpy.arange(0, n, step) for n in lengths])
    order = argsort(numpy.concatenate(samples), threads=1, **how) if len(run) else numpy.zeros(0, numpy.int64)
    run, place = run[order], place[order]
    least = numpy.cumsum(numpy.where(place == 0, 1, step))
    most = numpy.cumsum(numpy.minimum(step, numpy.asarray(lengths)[run] - place))
    found = numpy.empty((2, len(ranks), len(samples)), numpy.int64)
    for k, rank in enumerate(ranks):
        within, beyond = numpy.searchsorted(most, rank, side="right"), numpy.searchsorted(least, rank, side="right")
        found[0, k] = _last(run[:within], step, len(samples))
        found[1, k] = numpy.minimum(numpy.bincount(run[:beyond + 1], minlength=len(samples)) * step, lengths)
    return found


def _last(run, step, count):
    """Elements of each run up to its last one of some samples."""
    seen = numpy.bincount(run, minlength=count)
    return numpy.where(seen > 0, (seen - 1) * step + 1, 0)


def windows(number, run, brackets):
    """The elements of a sorted run between each rank's two places."""
    return [run[low:high].copy() for low, high in zip(brackets[0, :, number], brackets[1, :, number])]


def split(lengths, ranks, how, brackets, *seen):
    """For each rank, where each run is cut exactly; before and after them all 0, and the runs' lengths. Shapes: (ranks + 2, runs)."""
    cuts = numpy.zeros((len(ranks) + 2, len(lengths)), numpy.int64)
    cuts[-1] = lengths
    for k, rank in enumerate(ranks):
        parts = [window[k] for window in seen]
        owner = numpy.repeat(numpy.arange(len(parts)), [len(part) for part in parts])
        missing = rank - int(brackets[0, k].sum())
        first = argsort(numpy.concatenate(parts), threads=1, **how)[:missing] if missing else numpy.zeros(0, numpy.int64)
        cuts[k + 1] = brackets[0, k] + numpy.bincount(owner[first], minlength=len(parts))
    return cuts


def part(number, target, run, cuts):
    """The elements of a sorted run that a block gets."""
    return run[cuts[target, number]:cuts[target + 1, number]].copy()


def merge_rows(how, *runs):
    """Sorted runs as one."""
    some = [run for run in runs if len(run)] or [runs[0]]
    return merge(some, threads=1, **how) if len(some) > 1 else some[0]


def step_for(elements, runs):
    """The distance of samples for which they are about as many as the windows' elements."""
    return max(1, math.isqrt(elements // (3 * runs * runs) + 1))
