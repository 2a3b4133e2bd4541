# SPDX-License-Identifier: Apache-2.0
"""Moves without a plan to keep: transposes, takes, shuffles."""
from . import _core
from ._arguments import several, whole
from ._arrays import adopt, along, writable
from ._perm import Perm, entries
from ._plan import _form, _plan
from .errors import IndexOutOfRange, InvalidArgument


def transpose(x, axes=None, out=None):
    """numpy.ascontiguousarray(x.transpose(axes)): the axes of x in another order, in memory too.

    axes   a permutation of the axes; None: all of them in opposite order
    out    where the result goes: an array of its shape, of any strides, that shares no memory with x"""
    x, finish = adopt(x)
    rank = len(x.shape)
    order = tuple(range(rank))[::-1] if axes is None else tuple(along(k, rank, "axes") for k in several(axes, "axes"))
    if sorted(order) != list(range(rank)):
        raise InvalidArgument(f"axes: {order} is no order of {rank} axes")
    y = _core.transpose(x, list(order), writable(out, finish))
    return y if finish is None else finish(y)


def take(x, indices, axis=0, out=None, check=False):
    """x.take(indices, axis): rows that indices name, which may repeat and leave some out.

    indices   integers of any shape, where x is. On the host those below zero count from the end; on a GPU they may not be.
    axis      None: of all elements in C order
    check     on a GPU: waits for the result and raises if an index was out of range. Else nothing waits, and where one was,
              the result holds anything. On the host indices are looked at before anything is written.

    Shapes: x.shape[:axis] + indices.shape + x.shape[axis + 1:]. Raises IndexOutOfRange, which names the first such index."""
    x, finish = adopt(x)
    if axis is None:
        x, axis = x.reshape(-1), 0
    axis = along(axis, len(x.shape))
    n = x.shape[axis]
    indices = entries(indices, "indices")
    if n > 1 << 31 and "uint" not in str(indices.dtype) and indices.dtype.itemsize == 4:
        indices = indices + indices.dtype.type(0).astype("int64")  # -1 is no 4294967295
    try:
        y = _core.take(x, indices, axis, writable(out, finish), bool(check))
    except InvalidArgument as error:
        if not str(error).startswith("indices: number") and "of 0 rows" not in str(error):
            raise
        if _core.describe(x)[0] >= 0:
            raise IndexOutOfRange(str(error)) from None
        y = _core.take(x, _from_the_end(indices, n), axis, out, False)
    return y if finish is None else finish(y)


def _from_the_end(indices, n):
    """Host indices, those below zero counted from the end; raises for one that is out of range."""
    import numpy
    given = numpy.asarray(indices)
    if n == 0 and given.size > 0:
        raise IndexOutOfRange(f"{given.size} indices into an array of 0 rows: there are none")
    wrong = (given >= n) | (given < -n)
    if wrong.any():
        number = int(wrong.argmax())
        raise IndexOutOfRange(f"indices: number {number} is {given.flat[number]}; of {n} rows they are {-n} to {n - 1}")
    wide = given.astype(numpy.int64)
    wide[wide < 0] += n
    return wide if isinstance(indices, numpy.ndarray) else type(indices)(wide)


def shuffle(x, seed, axis=0, out=None):
    """x with its rows in the pseudo-random order of Perm("random:SEED", n): the same for the same seed on every machine.

    Row i goes to P(i). No table of it is made on a GPU along axis 0. Shapes: x.shape. To shuffle with the same seed often, keep
    a plan of that permutation."""
    x, finish = adopt(x)
    seed = whole(seed, "seed", 0, (1 << 64) - 1)
    axis = along(axis, len(x.shape))
    out = writable(out, finish)
    if axis == 0 and _core.describe(x)[0] >= 0:
        return _core.shuffle_on_gpu(x, seed, out)
    device, batch, n, elem_bytes, axis = _form(x, axis)
    perm = Perm(f"random:{seed}", n)
    y = _core.plan(perm._handle, x, batch, elem_bytes, axis, device, "auto", 0, 1, False)(x, out)
    return y if finish is None else finish(y)
