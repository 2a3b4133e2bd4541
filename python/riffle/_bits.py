# SPDX-License-Identifier: Apache-2.0
"""The bits of an array's elements as planes, and back."""
import math

from . import _core
from ._arguments import shown, whole
from ._arrays import adopt, along, library_of, on_host
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


def _taken(x, name):
    """x where it is: NumPy's array, or PyTorch's or CuPy's on a GPU."""
    known, _ = adopt(x, name)
    return known if _core.describe(known, name)[0] >= 0 else on_host(x, name)


def _is_on_gpu(x):
    return _core.describe(x)[0] >= 0


def _name(dtype):
    """NumPy's name of a dtype, of PyTorch's too."""
    return str(dtype).rpartition(".")[2]


def _bytes_of(x):
    """The bytes of a GPU's array, in one dimension."""
    library = library_of(x)
    return (x.contiguous().reshape(-1) if library.__name__ == "torch" else library.ascontiguousarray(x).reshape(-1)).view(library.uint8)


def _room_there(out, shape, x):
    """out, or a new array of bytes where x is."""
    if out is None:
        return _core.like(_bytes_of(x), shape)
    if not _core.is_known(out) or not _is_on_gpu(out):
        raise WrongType(f"out: {type(out).__name__}; an array where x is is wanted")
    if tuple(out.shape) != shape or _name(out.dtype) != "uint8":
        raise LengthError(f"out: of {_name(out.dtype)} and shape {tuple(out.shape)}; the result is of uint8 and shape {shape}")
    return out


def _room(out, shape, dtype, x):
    """out, or a new array."""
    import numpy
    if _is_on_gpu(x):
        return _room_there(out, shape, x)
    if out is None:
        return numpy.empty(shape, dtype)
    if type(out) is not numpy.ndarray:
        raise WrongType(f"out: {type(out).__name__}; a numpy.ndarray is wanted")
    if out.shape != shape or out.dtype != dtype:
        raise LengthError(f"out: of {out.dtype} and shape {out.shape}; the result is of {dtype} and shape {shape}")
    return out


def _check_packed(x, bits):
    """That x has elements of so many bits."""
    if whole(bits, "bits") not in (1, 2, 4) or _name(x.dtype) != "uint8":
        raise InvalidArgument(f"bits: {bits} of {_name(x.dtype)}; elements of 1, 2 or 4 bits are packed in an array of uint8")


def bitshuffle(x, *, block=None, bits=None, order="little", out=None, threads=None):
    """The bits of x's elements as planes of uint8: bit i of plane p is bit p of x.ravel()[i], each counted from the lowest.

    block    elements of a block, which divides their number: each block is shuffled by itself, as HDF5 and Blosc do
    bits     1, 2 or 4: x is of uint8, and has elements of so many bits in each byte
    order    where in bytes their first elements are: "little", the lowest bits, or "big", as numpy.packbits has them
    out      where the planes go
    threads  at most; None or 0: as many as pay

    The result is of shape (bits of an element, bytes of a plane), or (blocks, ...) with `block`. Bits of planes behind the last element are 0.
    bitunshuffle is the inverse. docs/bits.md has more."""
    x = _taken(x, "x")
    if bits is not None:
        _check_packed(x, bits)
    size = math.prod(x.shape)
    width = 8 * _core.describe(x)[1] if bits is None else bits
    count = size if bits is None else size * (8 // bits)
    n = count if block is None else whole(block, "block", 1)
    batch = count // n if n else 1
    if batch * n != count or n * width % 8:
        raise LengthError(f"block: {count} elements are no blocks of {n} in whole bytes; choose one that divides their number")
    shape = (width, (n + 7) // 8) if block is None else (batch, width, (n + 7) // 8)
    out = _room(out, shape, "u1", x)
    if size:
        _core.bitshuffle(out, _bytes_of(x) if _is_on_gpu(x) else x, n, width, batch, is_big(order), True, _threads(threads))
    return out


def bitunshuffle(planes, dtype, n=None, *, order="little", out=None, threads=None):
    """The elements whose bits are in planes: the inverse of bitshuffle.

    planes   uint8 of shape (bits of an element, bytes), or (blocks, bits of an element, bytes)
    dtype    of the elements, in this machine's byte order
    n        how many elements a plane is of; None: 8 a byte

    The result has one dimension; with blocks it is of shape (blocks, n)."""
    planes = _taken(planes, "planes")
    if _name(planes.dtype) != "uint8" or len(planes.shape) not in (2, 3):
        raise WrongType(f"planes: of {_name(planes.dtype)} and {len(planes.shape)} dimensions; they are uint8 of shape (bits, bytes) or (blocks, bits, bytes)")
    dtype, width = _dtype_of(dtype, planes)
    if width != planes.shape[-2] or width == 0:
        raise WrongType(f"dtype: {dtype}, for {planes.shape[-2]} planes; it must have as many bits as there are planes")
    n = 8 * planes.shape[-1] if n is None else whole(n, "n", 0)
    if (n + 7) // 8 != planes.shape[-1]:
        raise LengthError(f"n: {n} elements have planes of {(n + 7) // 8} bytes, and these have {planes.shape[-1]}")
    shape = (*planes.shape[:-2], n)
    batch = math.prod(shape[:-1])
    if _is_on_gpu(planes):
        if out is not None:
            raise InvalidArgument("out: results on a GPU are new arrays; leave it out")
        made = _core.like(planes, (batch * n * width // 8,))
        if batch * n:
            _core.bitshuffle(made, planes, n, width, batch, is_big(order), False, 0)
        return made.view(dtype).reshape(shape)
    out = _room(out, shape, dtype, planes)
    if out.size:
        _core.bitshuffle(out, planes, n, width, batch, is_big(order), False, _threads(threads))
    return out


def _dtype_of(dtype, planes):
    """A dtype of planes' library, and its bits; 0 of one that holds objects."""
    import numpy
    if _is_on_gpu(planes) and library_of(planes).__name__ == "torch":
        return dtype, 8 * dtype.itemsize
    dtype = numpy.dtype(dtype)
    return dtype, 0 if dtype.hasobject else 8 * dtype.itemsize


def _permutation(p, n):
    if isinstance(p, str):
        return Perm(p, n)
    p = p if isinstance(p, Perm) else Perm.table(table_of(p, "p"))
    if p.n != n:
        raise LengthError(f"x: {n} elements to be moved, and the permutation is of {p.n}")
    return p


def _packed_shape(shape, bits):
    if shape[-1] * bits % 8:
        raise LengthError(f"p: {shape[-1]} elements of {bits} bit{'s' * (bits > 1)} in the last axis do not fill bytes")
    return (*shape[:-1], shape[-1] * bits // 8)


def permute_packed(x, p, axis, out, bits, order):
    """permute() of elements of 1, 2 or 4 bits: all of them, or those of each row of the last axis."""
    x = _taken(x, "x")
    _check_packed(x, bits)
    size, shape = math.prod(x.shape), tuple(x.shape)
    if axis is not None and along(axis, len(shape)) != len(shape) - 1:
        raise InvalidArgument(f"axis: {axis}; packed elements move along the last axis, or all of them")
    rows, kept = (1, ()) if axis is None else (math.prod(shape[:-1]), shape[:-1])
    p = _permutation(p, (size if axis is None else shape[-1]) * (8 // bits))
    if p.output_shape is not None:
        shape = (*kept, *_packed_shape(p.output_shape, bits))
    out = _room(out, shape, "u1", x)
    if size:
        _core.permute_bits(out, x, p._handle, bits, rows, is_big(order))
    return out
