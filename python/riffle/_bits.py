# SPDX-License-Identifier: Apache-2.0
"""The bits of an array's elements as planes, and back."""
from . import _core
from ._arguments import shown, whole
from ._arrays import along, on_host
from ._perm import Perm, table_of
from .errors import InvalidArgument, LengthError, WrongType

ORDERS = ("little", "big")


def is_big(order, name="order"):
    """True if bytes begin with their highest bit."""
    if order not in ORDERS:
        raise InvalidArgument(f"{name}: {shown(order)}; orders of bits are 'little' and 'big'")
    return order == "big"


def _threads(threads):
    return 0 if threads is None else whole(threads, "threads")


def _room(out, shape, dtype):
    """out, or a new array."""
    import numpy
    if out is None:
        return numpy.empty(shape, dtype)
    if type(out) is not numpy.ndarray:
        raise WrongType(f"out: {type(out).__name__}; a numpy.ndarray is wanted")
    if out.shape != shape or out.dtype != dtype:
        raise LengthError(f"out: of {out.dtype} and shape {out.shape}; the result is of {dtype} and shape {shape}")
    return out


def _check_packed(x, bits):
    """That x has elements of so many bits."""
    if whole(bits, "bits") not in (1, 2, 4) or x.dtype != "u1":
        raise InvalidArgument(f"bits: {bits} of {x.dtype}; elements of 1, 2 or 4 bits are packed in an array of uint8")


def bitshuffle(x, *, block=None, bits=None, order="little", out=None, threads=None):
    """The bits of x's elements as planes of uint8: bit i of plane p is bit p of x.ravel()[i], each counted from the lowest.

    block    elements of a block, which divides their number: each block is shuffled by itself, as HDF5 and Blosc do
    bits     1, 2 or 4: x is of uint8, and has elements of so many bits in each byte
    order    where in bytes their first elements are: "little", the lowest bits, or "big", as numpy.packbits has them
    out      where the planes go
    threads  at most; None or 0: as many as pay

    The result is of shape (bits of an element, bytes of a plane), or (blocks, ...) with `block`. Bits of planes behind the last element are 0.
    bitunshuffle is the inverse. docs/bits.md has more."""
    x = on_host(x, "x")
    if bits is not None:
        _check_packed(x, bits)
    width = 8 * x.dtype.itemsize if bits is None else bits
    count = x.size if bits is None else x.size * (8 // bits)
    n = count if block is None else whole(block, "block", 1)
    batch = count // n if n else 1
    if batch * n != count or n * width % 8:
        raise LengthError(f"block: {count} elements are no blocks of {n} in whole bytes; choose one that divides their number")
    shape = (width, (n + 7) // 8) if block is None else (batch, width, (n + 7) // 8)
    out = _room(out, shape, "u1")
    if x.size:
        _core.bitshuffle(out, x, n, width, batch, is_big(order), True, _threads(threads))
    return out


def bitunshuffle(planes, dtype, n=None, *, order="little", out=None, threads=None):
    """The elements whose bits are in planes: the inverse of bitshuffle.

    planes   uint8 of shape (bits of an element, bytes), or (blocks, bits of an element, bytes)
    dtype    of the elements, in this machine's byte order
    n        how many elements a plane is of; None: 8 a byte

    The result has one dimension; with blocks it is of shape (blocks, n)."""
    import numpy
    planes, dtype = on_host(planes, "planes"), numpy.dtype(dtype)
    if planes.dtype != "u1" or planes.ndim not in (2, 3):
        raise WrongType(f"planes: of {planes.dtype} and {planes.ndim} dimensions; they are uint8 of shape (bits, bytes) or (blocks, bits, bytes)")
    if dtype.hasobject or planes.shape[-2] != 8 * dtype.itemsize or dtype.itemsize == 0:
        raise WrongType(f"dtype: {dtype}, for {planes.shape[-2]} planes; it must have as many bits as there are planes")
    n = 8 * planes.shape[-1] if n is None else whole(n, "n", 0)
    if (n + 7) // 8 != planes.shape[-1]:
        raise LengthError(f"n: {n} elements have planes of {(n + 7) // 8} bytes, and these have {planes.shape[-1]}")
    out = _room(out, (*planes.shape[:-2], n), dtype)
    if out.size:
        _core.bitshuffle(out, planes, n, 8 * dtype.itemsize, out.size // n, is_big(order), False, _threads(threads))
    return out


def _permutation(p, n):
    if isinstance(p, str):
        return Perm(p, n)
    p = p if isinstance(p, Perm) else Perm.table(table_of(p, "p"))
    if p.n != n:
        raise LengthError(f"x: {n} elements to be moved, and the permutation is of {p.n}")
    return p


def _packed_shape(shape, bits):
    if shape[-1] * bits % 8:
        raise LengthError(f"p: {shape[-1]} elements of {bits} bits in the last axis do not fill bytes")
    return (*shape[:-1], shape[-1] * bits // 8)


def permute_packed(x, p, axis, out, bits, order):
    """permute() of elements of 1, 2 or 4 bits: all of them, or those of each row of the last axis."""
    import math
    x = on_host(x, "x")
    _check_packed(x, bits)
    if axis is not None and along(axis, x.ndim) != x.ndim - 1:
        raise InvalidArgument(f"axis: {axis}; packed elements move along the last axis, or all of them")
    rows, kept = (1, ()) if axis is None else (math.prod(x.shape[:-1]), x.shape[:-1])
    p = _permutation(p, (x.size if axis is None else x.shape[-1]) * (8 // bits))
    shape = x.shape if p.output_shape is None else (*kept, *_packed_shape(p.output_shape, bits))
    out = _room(out, shape, "u1")
    if x.size:
        _core.permute_bits(out, x, p._handle, bits, rows, is_big(order))
    return out
