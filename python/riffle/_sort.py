# SPDX-License-Identifier: Apache-2.0
"""Sorts, stable and on the host."""
import math

from . import _core
from ._arrays import adopt, along
from ._moves import transpose
from ._program import _type
from .errors import InvalidArgument, Unsupported

SIGNED, UNSIGNED, FLOAT, BYTES = range(4)
_KINDS = {"i": SIGNED, "u": UNSIGNED, "b": UNSIGNED, "f": FLOAT, "S": BYTES}


def _fields(dtype, descending, order):
    """What the core compares: kind, bytes, offset, descending of each field."""
    names = getattr(dtype, "names", None)
    if names is None:
        if order is not None:
            raise InvalidArgument(f"order: {order!r}, and x has no fields")
        return [(*_kind(dtype), 0, descending)]
    first = [] if order is None else [order] if isinstance(order, str) else list(order)
    for name in first:
        if name not in names:
            raise InvalidArgument(f"order: {name!r} is no field; they are {', '.join(names)}")
    wanted = first + [name for name in names if name not in first]
    return [(*_kind(dtype.fields[name][0]), dtype.fields[name][1], descending) for name in wanted]


def _kind(dtype):
    if not hasattr(dtype, "kind"):  # PyTorch's
        name = _type(dtype)
        kind, size = ("u", 1) if name == "bool" else (name[0], int(name[1:]) // 8 if name[1:].isdigit() else 0)
        dtype_is_fine = kind in _KINDS and size > 0
    else:
        kind, size = dtype.kind, dtype.itemsize
        if kind == "S" or dtype.isnative:
            dtype_is_fine = kind in _KINDS and dtype.subdtype is None and not (kind == "f" and size > 8)
        else:
            raise Unsupported(f"x: of dtype {dtype}, the other byte order; pass x.astype({dtype.newbyteorder('=').str!r})")
    if not dtype_is_fine:
        raise Unsupported(f"x: of dtype {dtype}; sorts are of integers, floats of 16 to 64 bits, and bytes ('S10')")
    return _KINDS[kind], size


def _sorted(x, axis, descending, order, wants_indices):
    x, finish = adopt(x)
    device, _, shape, _ = _core.describe(x)
    if device >= 0:
        raise Unsupported("x: on a GPU; riffle sorts on the host")
    axis, last = along(axis, len(shape)), len(shape) - 1
    swapped = list(range(len(shape)))
    swapped[axis], swapped[last] = last, axis
    rows = x if axis == last else transpose(x, swapped)
    fields, n = _fields(x.dtype, bool(descending), order), shape[axis]
    import numpy
    out = _core.like(rows, list(rows.shape))
    indices = numpy.empty(tuple(rows.shape), numpy.int64) if wants_indices else None
    if math.prod(shape):
        _core.sort(rows, fields, math.prod(shape) // n, None if wants_indices else out, indices)
    if wants_indices:
        indices -= (numpy.arange(indices.size // n if n else 0) * n).reshape(*rows.shape[:-1], 1) if indices.size else 0
        out = indices if isinstance(x, numpy.ndarray) else type(x)(indices)
    if axis != last:
        out = transpose(out, swapped)
    return out if finish is None else finish(out)


def sort(x, axis=-1, descending=False, order=None):
    """numpy.sort(x, axis, kind="stable", order=order): x with each run along an axis sorted, by threads.

    x           integers, floats of 16 to 64 bits, bytes of fixed length; or a structured dtype of such fields
    descending  the greatest first; NaN is last all the same
    order       of a structured dtype: the field, or the fields, that are compared before the others

    Shapes: x.shape. On the host."""
    return _sorted(x, axis, descending, order, False)


def argsort(x, axis=-1, descending=False, order=None):
    """numpy.argsort(x, axis, kind="stable", order=order): int64 indices along an axis that sort x; as sort else."""
    return _sorted(x, axis, descending, order, True)
