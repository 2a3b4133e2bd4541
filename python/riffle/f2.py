# SPDX-License-Identifier: Apache-2.0
"""Matrices over F2, the field of 0 and 1 (docs/f2.md). A matrix is whatever NumPy reads as an array of two dimensions, of bool or of integers,
which count by their lowest bit; a result is an array of bool, on the host. `threads`: of the CPU, at most; 0: as many as pay."""
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._arguments import whole
from ._arrays import on_host
from .errors import InvalidArgument, LengthError, WrongType

Bits = NDArray[np.bool_]
MOST = 1 << 16  # rows, and columns


def _words(columns: int) -> int:
    return (columns + 63) // 64


def _packed(x: ArrayLike, name: str) -> tuple[NDArray[np.uint64], int]:
    """Rows of words, and how many columns they are."""
    bits = on_host(x, name)
    if bits.ndim != 2:
        raise InvalidArgument(f"{name}: of shape {bits.shape}; a matrix has two dimensions")
    if bits.dtype.kind not in "bui":
        raise WrongType(f"{name}: of {bits.dtype}; a matrix over F2 is of bool or integers")
    rows, columns = bits.shape
    if max(rows, columns) > MOST:
        raise LengthError(f"{name}: {rows} x {columns}; a matrix over F2 has at most {MOST} rows and columns")
    words: NDArray[Any] = np.zeros((rows, _words(columns) * 8), np.uint8)
    packed = np.packbits(bits if bits.dtype.kind == "b" else (bits & 1).astype(bool), axis=1, bitorder="little")
    words[:, :packed.shape[1]] = packed
    return words.view("<u8").reshape(rows, _words(columns)).astype(np.uint64, copy=False), columns


def _room(rows: int, columns: int) -> NDArray[np.uint64]:
    return np.zeros((rows, _words(columns)), np.uint64)


def _unpacked(words: NDArray[np.uint64], columns: int) -> Bits:
    if words.size == 0:
        return np.zeros((words.shape[0], columns), bool)
    octets = np.ascontiguousarray(words).astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(octets, axis=1, count=columns, bitorder="little").view(bool)


def transpose(a: ArrayLike, *, threads: int = 0) -> Bits:
    """The transpose of a, moved bit by bit."""
    words, columns = _packed(a, "a")
    to = _room(columns, words.shape[0])
    _core.f2_transpose(to, words.shape[0], words, columns, whole(threads, "threads"))
    return _unpacked(to, words.shape[0])


def product(a: ArrayLike, b: ArrayLike, *, threads: int = 0) -> Bits:
    """a b: (a.astype(int) @ b.astype(int)) % 2."""
    (left, inner), (right, columns) = _packed(a, "a"), _packed(b, "b")
    to = _room(left.shape[0], columns)
    _core.f2_product(to, columns, left, inner, right, columns, whole(threads, "threads"))
    return _unpacked(to, columns)


def rank_profile(a: ArrayLike, *, threads: int = 0) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(rows, columns): the rows that are no sum of rows above them, and the columns that are none of columns to their left; as many as the rank."""
    words, columns = _packed(a, "a")
    rows, those = _core.f2_profiles(words, columns, whole(threads, "threads"))
    return np.array(rows, np.int64), np.array(those, np.int64)


def rank(a: ArrayLike, *, threads: int = 0) -> int:
    """The rank of a."""
    return len(rank_profile(a, threads=threads)[0])


def solve(a: ArrayLike, b: ArrayLike, *, threads: int = 0) -> Bits:
    """An x with a x = b; its rows are 0 where a's column is not in the column rank profile. Singular if there is none. b may be a vector."""
    sides = on_host(b, "b")
    (left, inner), (right, columns) = _packed(a, "a"), _packed(sides[:, None] if sides.ndim == 1 else sides, "b")
    to = _room(inner, columns)
    _core.f2_solve(to, columns, left, inner, right, columns, whole(threads, "threads"))
    x = _unpacked(to, columns)
    return x[:, 0] if sides.ndim == 1 else x


def inverse(a: ArrayLike, *, threads: int = 0) -> Bits:
    """The inverse of a square matrix. Singular if there is none."""
    words, columns = _packed(a, "a")
    to = _room(words.shape[0], columns)
    _core.f2_inverse(to, columns, words, columns, whole(threads, "threads"))
    return _unpacked(to, columns)


def kernel(a: ArrayLike, *, threads: int = 0) -> Bits:
    """A basis of the vectors x with a x = 0, a row each."""
    words, columns = _packed(a, "a")
    to = _room(columns, columns)
    count = _core.f2_kernel(to, columns, words, columns, whole(threads, "threads"))
    return _unpacked(to[:count], columns)
