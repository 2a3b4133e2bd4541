# SPDX-License-Identifier: Apache-2.0
"""Rows brought together by a small key, in their order, and back."""
from collections import namedtuple

from . import _core
from ._arguments import is_checked, text, whole
from ._arrays import adopt, library_of
from ._plan import cache
from ._program import _type
from .errors import InvalidArgument, LengthError, Unsupported

MOST = 1 << 40
SUMS = {"f16": "f16", "bfloat16": "bf16", "f32": "f32", "f64": "f64"}

Grouped = namedtuple("Grouped", "rows offsets counts places left_out")
Grouped.__doc__ = """Rows that were grouped: group g is rows[offsets[g]:offsets[g] + counts[g]].

rows      the rows, those of group 0 first; of a table's columns as many arrays. On a GPU, where nothing waits, there is room for all that keys could ask for, and what is behind
          offsets[-1] is anything
offsets   where each group begins, and where the last one's padding ends
counts    how many rows each has, padding left out
places    where each key's row went, of the keys' shape; -1: it was left out
left_out  two numbers: keys that name no group, and keys whose group was full"""


def _native(x):
    return x.astype(x.dtype.newbyteorder("=")) if getattr(x.dtype, "isnative", True) is False else x


def _rows(x, name):
    x, finish = adopt(x, name)
    if len(x.shape) == 0:
        raise InvalidArgument(f"{name}: of no dimension; an array of rows has one at least")
    return x, finish


def _beside(values, x, name):
    """An array of one number for each row of x, or of several."""
    values, _ = adopt(values, name)
    values = _native(values)
    if len(values.shape) not in (1, 2) or values.shape[0] != x.shape[0]:
        raise LengthError(f"{name}: of shape {tuple(values.shape)}; of {x.shape[0]} rows it is ({x.shape[0]},), or ({x.shape[0]}, k)")
    return values


def _planned(columns, *options):
    """Kept on a GPU, for making one waits."""
    device = _core.describe(columns[0])[0]
    if device < 0:
        return _core.group_plan(columns, *options)
    key = ("group", device, *((tuple(x.shape), str(x.dtype)) for x in columns), *options)
    return cache.find(key, lambda: _core.group_plan(columns, *options))


def is_table(x):
    """True for a list or a tuple of arrays, which are columns."""
    return isinstance(x, (list, tuple)) and len(x) > 0 and all(len(getattr(each, "shape", ())) > 0 for each in x)


def like(x, columns):
    """Results of a table's columns in what x is: a list, a named tuple of its fields, or a tuple."""
    if isinstance(x, list):
        return list(columns)
    return x._make(columns) if hasattr(x, "_fields") else tuple(columns)


def _columns(x):
    """Columns of as many rows, and what makes results like them."""
    if not is_table(x):
        x, finish = _rows(x, "x")
        return [x], [finish]
    columns, finishes = map(list, zip(*(_rows(each, f"x[{k}]") for k, each in enumerate(x))))
    for k, each in enumerate(columns):
        if each.shape[0] != columns[0].shape[0]:
            raise LengthError(f"x[{k}]: of {each.shape[0]} rows; the columns of a table have as many, and x[0] has {columns[0].shape[0]}")
    return columns, finishes


def with_room(columns, keys, groups, by, multiple, capacity, threads, check=False):
    """group of columns, whose rows on the host, too, have room for all that keys could ask for."""
    keys = _beside(keys, columns[0], "keys")
    if str(keys.dtype).rpartition(".")[2] == "bool":
        keys = keys.view(library_of(keys).uint8)
    each = keys.shape[1] if len(keys.shape) == 2 else 1
    if each == 0:
        raise LengthError("keys: rows have none; they have one at least")
    options = (_type(keys.dtype), whole(groups, "groups", 1, 1 << 16), text(by, "by"), each,
               0 if multiple is None else whole(multiple, "multiple", 1, MOST), 0 if capacity is None else whole(capacity, "capacity", 1, MOST),
               0 if threads is None else whole(threads, "threads"), is_checked(check))
    return Grouped(*_core.group(_planned(columns, *options), columns, keys))


def group(x, keys, groups, *, by="value", multiple=None, capacity=None, threads=None, check=False):
    """The rows x[0], x[1], ... brought together by their keys, stable: numpy's x[numpy.argsort(keys, kind="stable")], and where groups begin.

    x         of any dtype and shape, of one dimension at least, on the host or on a GPU, where nothing waits; or a table, a list or tuple of
              such arrays: its columns, which go to the same places, by one count of the keys
    keys      integers, or bools, which are 0 and 1, of shape (n,), or (n, k): each row goes to k groups, and is read once
    groups    how many, to 65,536
    by        "value": the key is the group's number, and others name none; "hash": SplitMix64's number of it, in as many ranges;
              "top": ranges of the dtype's numbers
    multiple  pads each group with rows of zeros up to a multiple of so many; None: no padding
    capacity  most rows of a group, its first ones; None: no limit
    threads   of the CPU, at most; None or 0: as many as pay
    check     the result is read once more, waited for on a GPU, and Damaged raised if it is not what it should be (docs/check.md)

    A Grouped(rows, offsets, counts, places, left_out) comes back; ungroup(rows, places) is the way back. docs/group.md has more."""
    columns, finishes = _columns(x)
    rows, *numbers = with_room(columns, keys, groups, by, multiple, capacity, threads, check)
    if _core.describe(columns[0])[0] < 0:
        rows = [each[:int(numbers[0][-1])] for each in rows]
    rows = [each if finish is None else finish(each) for each, finish in zip(rows, finishes)]
    if finishes[0] is not None:
        numbers = map(finishes[0], numbers)
    return Grouped(like(x, rows) if is_table(x) else rows[0], *numbers)


def _sum(x):
    name = str(x.dtype).rpartition(".")[2]
    kind = SUMS.get(name if name == "bfloat16" else _type(x.dtype))
    if kind is None:
        raise Unsupported(f"x: of dtype {x.dtype}; sums are of float16, bfloat16, float32 and float64")
    return kind


def _places(places):
    """As int64 of this machine's byte order."""
    places, _ = adopt(places, "places")
    places = _native(places)
    name = str(places.dtype).rpartition(".")[2]
    if len(places.shape) not in (1, 2) or name not in ("int32", "int64"):
        raise InvalidArgument(f"places: of shape {tuple(places.shape)} and dtype {places.dtype}; they are int64 or int32, (n,) or (n, k)")
    if name == "int64":
        return places
    library = library_of(places)
    return places.to(library.int64) if library.__name__ == "torch" else places.astype("int64")


def ungroup(x, places, weights=None, *, threads=None):
    """Rows of a grouping where they came from: y[i] = x[places[i]], zeros for -1; of several places the sum of their rows, times weights.

    x        rows as group gives them, of a table too: each of its columns comes back
    places   int64 as group gives them, or int32, of shape (n,) or (n, k)
    weights  a factor for each place, float32, of float64 rows float64; None: rows are added as they are
    threads  of the CPU, at most; None or 0: as many as pay

    Sums are of float16, bfloat16, float32 or float64, in the order of the places; those of 2 bytes are made in float32 and rounded once.
    So the same bytes come out each time. The result has x's dtype, its byte order too."""
    if is_table(x):
        return like(x, [ungroup(each, places, weights, threads=threads) for each in x])
    x, finish = _rows(x, "x")
    places = _places(places)
    if len(places.shape) == 2 and places.shape[1] == 0:
        raise LengthError("places: rows have none; they have one at least")
    sums, dtype = "none", x.dtype
    if len(places.shape) == 2 or weights is not None:
        x = _native(x)
        sums = _sum(x)
    if weights is not None:
        weights, _ = adopt(weights, "weights")
        weights = _native(weights)
        wanted = "float64" if sums == "f64" else "float32"
        if str(weights.dtype).rpartition(".")[2] != wanted or tuple(weights.shape) != tuple(places.shape):
            raise InvalidArgument(f"weights: of shape {tuple(weights.shape)} and dtype {weights.dtype}; they are {wanted}, of places' shape {tuple(places.shape)}")
    y = _core.ungroup(x, places, weights, sums, 0 if threads is None else whole(threads, "threads"))
    if y.dtype != dtype:
        y = y.astype(dtype)
    return y if finish is None else finish(y)
