# SPDX-License-Identifier: Apache-2.0
"""Bits of elements as planes against NumPy's packbits, and what is refused."""
import numpy as np
import pytest
import riffle
from arrays import arrays, filled
from hypothesis import given
from hypothesis import strategies as st

ORDERS = st.sampled_from(["little", "big"])


def planes_of(x, order):
    bits = np.unpackbits(np.ascontiguousarray(x).view("u1").reshape(x.size, x.dtype.itemsize), axis=1, bitorder="little")
    return np.packbits(bits.T, axis=1, bitorder=order)


def same(got, wanted):
    assert got.dtype == wanted.dtype and got.shape == wanted.shape
    assert got.tobytes() == wanted.tobytes()


@given(arrays(max_side=9), ORDERS, st.sampled_from([None, 0, 1, 2]))
def test_shapes_and_strides(x, order, threads):
    if x.ndim == 0:
        x = x[None]
    flat = x.ravel()
    planes = riffle.bitshuffle(x, order=order, threads=threads)
    same(planes, planes_of(flat, order))
    same(riffle.bitunshuffle(planes, x.dtype, x.size, order=order, threads=threads), flat)
    out = np.full(planes.shape, 7, "u1")
    assert riffle.bitshuffle(x, order=order, out=out) is out
    same(out, planes)


def test_long_and_in_blocks():
    x = filled((64, 4096), "f4", 3)
    same(riffle.bitshuffle(x), planes_of(x.ravel(), "little"))
    blocks = riffle.bitshuffle(x, block=2048, threads=2)
    same(blocks, np.stack([planes_of(block, "little") for block in x.reshape(-1, 2048)]))
    back = np.empty((128, 2048), "f4")
    assert riffle.bitunshuffle(blocks, "f4", out=back) is back
    same(back, x.reshape(128, 2048))


@given(st.integers(0, 300), st.sampled_from([1, 2, 4]), ORDERS)
def test_parts_of_bytes(count, bits, order):
    x = filled((count,), "u1", 5)
    parts = [x >> at & (1 << bits) - 1 for at in range(0, 8, bits)]
    elements = np.stack(parts if order == "little" else parts[::-1], axis=1).ravel()
    same(riffle.bitshuffle(x, bits=bits, order=order), np.stack([np.packbits(elements >> p & 1, bitorder=order) for p in range(bits)]))


def refused(error, words, call, *arguments, **named):
    with pytest.raises(error, match=words):
        call(*arguments, **named)


def test_what_is_refused():
    x, e = np.arange(12.0), riffle.errors
    planes = riffle.bitshuffle(x)
    refused(e.LengthError, "block: 12 elements are no blocks of 5", riffle.bitshuffle, x, block=5)
    refused(e.InvalidArgument, "bits: 3 of uint8", riffle.bitshuffle, np.zeros(4, "u1"), bits=3)
    refused(e.InvalidArgument, "bits: 4 of float64", riffle.bitshuffle, x, bits=4)
    refused(e.LengthError, "are no blocks of 12 in whole bytes", riffle.bitshuffle, np.zeros(6, "u1"), bits=1, block=12)
    refused(e.InvalidArgument, "order: 'middle'; orders of bits are", riffle.bitshuffle, x, order="middle")
    refused(e.LengthError, "out: of uint8 and shape", riffle.bitshuffle, x, out=np.zeros(4, "u1"))
    refused(e.WrongType, "out: list; a numpy.ndarray is wanted", riffle.bitshuffle, x, out=[0])
    refused(e.InvalidArgument, "share memory|overlap", riffle.bitshuffle, planes, out=np.lib.stride_tricks.as_strided(planes, (8, 16)))
    refused(e.WrongType, "planes: of float64 and 1 dimensions", riffle.bitunshuffle, x, "f8")
    refused(e.WrongType, "dtype: float32, for 64 planes", riffle.bitunshuffle, planes, "f4")
    refused(e.LengthError, "n: 17 elements have planes of 3 bytes, and these have 2", riffle.bitunshuffle, planes, "f8", 17)


@given(st.integers(1, 40), st.integers(1, 9), st.sampled_from([1, 2, 4]), ORDERS)
def test_packed_elements(rows, columns, bits, order):
    x = filled((rows, columns), "u1", 6)
    parts = [x >> at & (1 << bits) - 1 for at in range(0, 8, bits)]
    elements = np.stack(parts if order == "little" else parts[::-1], axis=-1).reshape(rows, -1)

    def packed(e):
        shifts = np.arange(0, 8, bits, dtype="u1")
        return (e.reshape(*e.shape[:-1], -1, 8 // bits) << (shifts if order == "little" else shifts[::-1])).sum(axis=-1).astype("u1")

    n = elements.shape[1]
    table = np.random.default_rng(1).permutation(n)
    same(riffle.permute(x, ~riffle.Perm.table(table), -1, bits=bits, order=order), packed(elements[:, table]))
    same(riffle.permute(x, "reverse", bits=bits, order=order), packed(elements.ravel()[::-1].reshape(rows, n)))
    if rows * bits % 8 == 0:
        same(riffle.permute(x, f"transpose:{rows}x{n}", bits=bits, order=order), packed(np.ascontiguousarray(elements.T)))


def test_what_packed_elements_refuse():
    e, x = riffle.errors, np.zeros((3, 8), "u1")
    refused(e.LengthError, "p: 3 elements of 1 bit in the last axis do not fill bytes", riffle.permute, x, "transpose:3x64", bits=1)
    refused(e.InvalidArgument, "bits: 3 of uint8", riffle.permute, x, "reverse", bits=3)
    refused(e.InvalidArgument, "axis: 0; packed elements move along the last axis", riffle.permute, x, "reverse", 0, bits=1)
    refused(e.LengthError, "x: 192 elements to be moved, and the permutation is of 8", riffle.permute, x, riffle.Perm("reverse", 8), bits=1)
