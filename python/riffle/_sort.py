# SPDX-License-Identifier: Apache-2.0
"""Sorts, stable, on the host and on a GPU: of each run along an axis, or of segments of any lengths."""
import math
import sys

from . import _core
from ._arguments import check_name, text, whole
from ._arrays import adopt, along, library_of, writable
from ._keys import Keys
from ._moves import transpose
from ._plan import cache
from ._segments import Segments
from .errors import InvalidArgument, LengthError, Unsupported

ALL, MERGE, TOP, PARTITION, UNIQUE = range(5)  # riffle_sort_task


def _comparison(before, order, descending):
    if before is None:
        return None
    if order is not None or (descending is not False and descending is not None):
        raise InvalidArgument("before: a comparison of your own decides alone; leave out order and descending")
    return text(before, "before")


# --------------------------------------------------------------------- doing

def _plan(x, fields, before, task, segments, count, value_bytes, index_bytes, algorithm, threads, check):
    """Kept where making one takes long, or a CUDA graph that is captured forbids it."""
    device, elem_bytes, shape, _ = _core.describe(x)
    options = (math.prod(shape), fields, elem_bytes, before, task, segments, count, value_bytes, index_bytes, algorithm, threads, check)
    if device < 0 and before is None:
        return _core.sort_plan(x, *options)
    return cache.find(("sort", device, *options), lambda: _core.sort_plan(x, *options))


def _done(task, x, segments, shape, *, count=0, order=None, descending=False, values=None, before=None, algorithm="auto", threads=0, check=False,
          out=None, wants_keys=True, wants_indices=False):
    """Keys, values, indices within their segments of the last axis (of `first`: in x), and lengths; None what is not wanted."""
    compared = Keys(x.dtype, descending, order, before)
    before, check = _comparison(before, order, descending), check_name(check)
    is_checked = check != "none"
    if is_checked and before is None and task not in (ALL, MERGE):
        raise Unsupported("check: top, partition and unique have none; leave it out, or check a sort")
    if is_checked and before is not None and _core.describe(x)[0] >= 0:
        raise Unsupported("check: it looks at elements in host memory, and x is on a GPU; bring a part of x to the host, and check that")
    value_bytes = 0
    if values is not None:
        device, value_bytes, given, _ = _core.describe(values)
        if given != tuple(x.shape) or device != _core.describe(x)[0]:
            raise LengthError(f"values: of shape {given}; there is one for each element of x, of shape {tuple(x.shape)}, where x is")
    shape, x = list(shape), compared.read(x)
    keys = None if not wants_keys else _core.like(x, shape) if out is None else out
    carried = None if values is None else _core.like(values, shape)
    indices = _core.numbers(x, shape) if wants_indices else None
    lengths = _core.numbers(x, [max(segments.count, 1)]) if task == UNIQUE else None
    if math.prod(x.shape) == 0:
        return compared.give(keys), carried, indices, lengths if lengths is None else lengths * 0
    plan = _plan(x, compared.fields, before, task, segments.count, count, value_bytes, 8 if wants_indices else 0, text(algorithm, "algorithm"),
                 whole(threads, "threads"), check if task in (ALL, MERGE) else "none")
    if is_checked and before is not None:
        _core.sort_check(plan, x)
    _core.sort(plan, x, values, segments.first if segments.count > 1 else None, keys, carried, indices, lengths)
    if wants_indices and segments.first is None and task != MERGE:
        indices %= segments.length
    return compared.give(keys), carried, indices, lengths


def _along(x, axis, values=None, first=None):
    """x and values with the axis that is sorted as the last, the segments, what puts results back, and results' kind."""
    x, finish = adopt(x)
    values = None if values is None else adopt(values, "values")[0]
    if axis is None:
        x, values, axis = x.reshape(-1), None if values is None else values.reshape(-1), -1
    axis, last = along(axis, len(x.shape)), len(x.shape) - 1
    swapped = list(range(len(x.shape)))
    swapped[axis], swapped[last] = last, axis

    def back(y, out=None):
        if out is not None:
            return transpose(y, swapped, out)
        y = y if axis == last or y is None else transpose(y, swapped)
        return y if finish is None or y is None else finish(y)

    def rows(y):
        return y if axis == last or y is None else transpose(y, swapped)

    x = rows(x)
    return x, rows(values), Segments(x, math.prod(x.shape[:-1]), x.shape[-1], first), back


def _pair(back, wanted):
    """Returns the wanted results: an array, or a tuple of several."""
    results = tuple(back(y) for y in wanted if y is not None)
    return results[0] if len(results) == 1 else results


def _each(back, segments, results, lengths, begins=None):
    """The same for each segment: a list."""
    return [_pair(back, parts) for parts in zip(*(segments.cut(y, lengths, begins) for y in results))]


_SHORT, _NARROW = 64, 16  # elements of a column at most; columns of a strip at least
_STRIPS, _STRIP, _LONG_STRIP = 32, 1 << 19, 1 << 22  # strips of an array, and their bytes: one thread's work, or several threads' of a long one


def _strip(x, axis):
    """How many places of the last axis make a strip of x, which has short columns along another one; 0: it is not cut."""
    device, elem_bytes, shape, _ = _core.describe(x)
    total = math.prod(shape) * elem_bytes
    strip = min(max(total // _STRIPS, _STRIP), _LONG_STRIP)
    if device >= 0 or len(shape) < 2 or total <= strip:
        return 0
    axis, width = along(axis, len(shape)), strip * shape[-1] // total
    return width if axis < len(x.shape) - 1 and x.shape[axis] <= _SHORT and width >= _NARROW else 0


def _sort_strips(x, axis, width, **how):
    """Strip by strip, so that each stays in the caches while it is turned, sorted and turned back."""
    y = _core.like(x, list(x.shape))
    for begin in range(0, x.shape[-1], width):
        part = (..., slice(begin, begin + width))
        sort(x[part], axis, out=y[part], **how)
    return y


# ---------------------------------------------------------------- what users call

def sort(x, axis=-1, descending=False, order=None, *, values=None, first=None, before=None, out=None, return_index=False, algorithm="auto", threads=0,
         check=False):
    """numpy.sort(x, axis, kind="stable", order=order): x with each run along an axis sorted.

    x             integers, floats of 16 to 64 bits, times (NaT is last), bytes of fixed length; or a structured dtype of such fields
    axis          None: all elements, as an array of one dimension
    descending    the greatest first; NaN is last all the same. For a structured dtype also a list of the fields that descend
    order         of a structured dtype: the field, or the fields, that are compared before the others
    values        an array of x's shape, of elements of 4 or 8 bytes, that go with x's: comes back as the second of a pair
    first         segments of x, of one dimension: segment s has elements first[s] up to first[s + 1], and is sorted by itself
    before        a comparison instead, in C: "abs(a) < abs(b)", or of fields "a.x * a.y < b.x * b.y" (docs/sort.md). It is code, which is compiled
                  and runs with your rights: pass none that you would not run. `check` looks first for elements that contradict it, and raises
    out           where the result goes, of x's shape and dtype; x itself: sorted in place
    return_index  (sorted, indices), as argsort has them
    algorithm, threads   docs/sort.md has the names; 0 threads: as many as pay
    check         True, "full": the result is read once more, waited for on a GPU, and Damaged raised if it is not what it should be; "passes":
                  what the first pass and the last one read is compared instead (docs/check.md)

    Shapes: x.shape. On a GPU by fields; nothing waits. Unsupported says what is not done there."""
    x, finish = adopt(x)
    writable(out, finish)
    is_plain = values is None and first is None and before is None and out is None and not return_index
    width = _strip(x, axis) if is_plain and axis is not None else 0
    if width:
        y = _sort_strips(x, axis, width, descending=descending, order=order, algorithm=algorithm, threads=threads, check=check)
        return y if finish is None else finish(y)
    rows, moved, segments, back = _along(x, axis, values, first)
    how = dict(order=order, descending=descending, values=moved, before=before, algorithm=algorithm, threads=threads, check=check,
               wants_indices=bool(return_index))
    is_native = getattr(rows.dtype, "isnative", True)
    is_last = axis is not None and along(axis, len(rows.shape)) == len(rows.shape) - 1
    where = rows if axis is not None and not is_last and is_native else None  # a copy, which is sorted in place
    if out is None:
        return _pair(back if finish is None else lambda y: finish(back(y)), _done(ALL, rows, segments, rows.shape, out=where, **how))
    if is_last and is_native and _core.is_dense_out(x, out, math.gcd(rows.dtype.itemsize, 16)):
        return _pair(lambda y: y, _done(ALL, rows, segments, rows.shape, out=out, **how))
    keys, *others = _done(ALL, rows, segments, rows.shape, out=where, **how)
    return _pair(lambda y: y, (back(keys, out), *(back(y) for y in others if y is not None)))


def argsort(x, axis=-1, descending=False, order=None, *, first=None, before=None, algorithm="auto", threads=0, check=False):
    """numpy.argsort(x, axis, kind="stable", order=order): int64 indices along an axis that sort x; of segments: in x. Else as sort."""
    rows, _, segments, back = _along(x, axis, None, first)
    return _pair(back, _done(ALL, rows, segments, rows.shape, order=order, descending=descending, before=before, algorithm=algorithm, threads=threads,
                             check=check, wants_keys=False, wants_indices=True))


def top(x, count, axis=-1, descending=False, order=None, *, values=None, first=None, before=None, return_index=False, algorithm="auto", threads=0,
        check=False):
    """The first `count` elements of each run along an axis as if it were sorted: sort(x)[:count], sooner. Else as sort.

    Shapes: x.shape with count in the place of the axis. For segments a list of arrays, of those that are shorter all."""
    rows, moved, segments, back = _along(x, axis, values, first)
    count = whole(count, "count", 0, sys.maxsize)
    if count > segments.length:
        raise LengthError(f"count: the first {count} of {segments.length} elements")
    if segments.first is not None and segments.numbers is None:
        raise Unsupported("first: on a GPU; lists of arrays need its numbers, so pass it from the host")
    shape = [*rows.shape[:-1], count] if segments.first is None else [segments.count * count]
    done = _done(TOP, rows, segments, shape, count=count, order=order, descending=descending, values=moved, before=before, algorithm=algorithm,
                 threads=threads, check=check, wants_indices=bool(return_index))
    if segments.first is None:
        return _pair(back, done)
    lengths = [min(count, end - begin) for begin, end in zip(segments.numbers, segments.numbers[1:])]
    return _each(back, segments, done[:3], lengths, [k * count for k in range(segments.count)])


def partition(x, kth, axis=-1, descending=False, order=None, *, values=None, first=None, before=None, return_index=False, algorithm="auto",
              threads=0, check=False):
    """numpy.partition(x, kth, axis): element kth of each run as if it were sorted, before it what comes before it, behind it all else, both in the order
    that they came in. Else as sort."""
    rows, moved, segments, back = _along(x, axis, values, first)
    kth = whole(kth, "kth", -segments.length, segments.length - 1) % max(segments.length, 1)
    return _pair(back, _done(PARTITION, rows, segments, rows.shape, count=kth, order=order, descending=descending, values=moved, before=before,
                             algorithm=algorithm, threads=threads, check=check, wants_indices=bool(return_index)))


def unique(x, descending=False, order=None, *, values=None, first=None, before=None, return_index=False, algorithm="auto", threads=0, check=False):
    """numpy.unique(x, return_index): all elements sorted, of equal ones the first; with the indices, or the values, of these. Else as sort.

    Shapes: one dimension; of segments a list of arrays. On a GPU it waits, for how many there are."""
    rows, moved, segments, back = _along(x, None if first is None else -1, values, first)
    done = _done(UNIQUE, rows, segments, rows.shape, order=order, descending=descending, values=moved, before=before, algorithm=algorithm,
                 threads=threads, check=check, wants_indices=bool(return_index))
    found = _each(back, segments, done[:3], done[3].tolist())
    return found if segments.first is not None else found[0]


def merge(x, first=None, descending=False, order=None, *, values=None, before=None, return_index=False, algorithm="auto", threads=0, check=False):
    """Runs that are sorted already, as one sorted array; of equal elements those of earlier runs come first. Else as sort.

    x       a list of arrays, or an array of shape (runs, length); or with `first` one of one dimension: run s is elements first[s] up to
            first[s + 1]
    Shapes: one dimension, all elements. Indices are those in the runs one behind the other. On a GPU unsigned numbers alone."""
    if isinstance(x, (list, tuple)) and first is None:
        x, first = _joined(x)
    x, finish = adopt(x)
    values = None if values is None else adopt(values, "values")[0]
    if len(x.shape) != (1 if first is not None else 2):
        raise LengthError(f"x: of shape {tuple(x.shape)}; runs are a list of arrays, (runs, length), or (n,) with first")
    segments = Segments(x, 1 if first is not None else x.shape[0], x.shape[-1], first)
    keys, carried, indices, _ = _done(MERGE, x, segments, x.shape, order=order, descending=descending, values=values, before=before,
                                      algorithm=algorithm, threads=threads, check=check, wants_indices=bool(return_index))
    return _pair(lambda y: y.reshape(-1) if finish is None else finish(y.reshape(-1)), (keys, carried, indices))


def _joined(runs):
    """Arrays of one dimension as one, and where they begin in it."""
    runs = [adopt(run, f"x[{k}]")[0] for k, run in enumerate(runs)]
    if not runs or any(len(run.shape) != 1 for run in runs):
        raise LengthError("x: a list of runs has at least one, and each is of one dimension")
    if any(run.dtype != runs[0].dtype for run in runs):
        raise InvalidArgument("x: runs of several dtypes")
    library, first = library_of(runs[0]), [0]
    for run in runs:
        first.append(first[-1] + run.shape[0])
    if library.__name__ == "torch":
        return library.cat(runs), first
    joined = library.concatenate(runs)
    return joined if joined.dtype == runs[0].dtype else joined.astype(runs[0].dtype), first  # NumPy makes them native
