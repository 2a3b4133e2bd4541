# SPDX-License-Identifier: Apache-2.0
"""Histograms against numpy.bincount, and what is refused."""
import numpy as np
import pytest
import riffle
from arrays import arrays, filled
from hypothesis import given
from hypothesis import strategies as st

KEYS = ["u1", "?", "<u2", ">u2"]


def size_of(keys):
    return 256 ** keys.dtype.itemsize


def wanted(keys):
    return np.bincount(keys.ravel().astype("i8"), minlength=size_of(keys))


def room(size, is_strided):
    """Poisoned, with strides of its own or without."""
    return np.full(3 * size, -7)[::-3] if is_strided else np.full(size, -7)


def same(counts, keys):
    assert counts.dtype == np.int64
    np.testing.assert_array_equal(counts, wanted(keys))


@given(arrays(max_side=9, dtypes=KEYS), st.booleans(), st.sampled_from([None, 0, 1, 2]))
def test_shapes_and_strides(keys, is_strided, threads):
    if keys.dtype.kind == "b":
        keys = np.asarray(keys.view("u1") > 99)
    before = keys.copy()
    same(riffle.histogram(keys, threads=threads), keys)
    out = room(size_of(keys), is_strided)
    assert riffle.histogram(keys, out=out) is out
    same(out, keys)
    np.testing.assert_array_equal(keys, before)


@pytest.mark.parametrize("dtype", KEYS)
def test_long(dtype):
    """Longer than one thread's share; random keys, and one key alone."""
    keys = filled((1_200_003,), dtype, 11) if dtype != "?" else filled((1_200_003,), "u1", 11) > 99
    for some in (keys, keys[1:], keys[::-2], np.broadcast_to(keys[:1], keys.shape)):
        for threads in (None, 1, 3):
            same(riffle.histogram(some, threads=threads), some)


def test_what_numpy_reads():
    same(riffle.histogram(bytearray(b"abca")), np.frombuffer(b"abca", "u1"))
    same(riffle.histogram(memoryview(np.arange(9, dtype="u2"))), np.arange(9, dtype="u2"))
    same(riffle.histogram([True, False, True]), np.array([1, 0, 1], "?"))
    assert riffle.histogram(np.uint16(5)).nonzero()[0].tolist() == [5]


def refused(error, words, *arguments, **named):
    with pytest.raises(error, match=words):
        riffle.histogram(*arguments, **named)


@pytest.mark.parametrize("dtype", ["i1", "i2", ">i2", "u4", "f2", "S2", "m8[s]", [("a", "u1")]])
def test_dtypes_are_refused(dtype):
    refused(riffle.errors.Unsupported, "keys: of dtype .*; histograms are of uint8, bool and uint16", np.zeros(5, dtype))


def test_refusals():
    keys, errors = np.zeros(5, "u1"), riffle.errors
    refused(errors.WrongType, "keys: None; an array is wanted", None)
    refused(errors.WrongType, "keys: b'abc'; an array is wanted", b"abc")
    refused(errors.Unsupported, "a masked array; pass keys.filled", np.ma.zeros(3, "u1"))
    for threads, error, words in ((-1, errors.InvalidArgument, "threads: -1; it is from 0"), ("2", errors.WrongType, "threads: '2'; a whole number")):
        refused(error, words, keys, threads=threads)


def test_outs():
    """Refused before anything is written."""
    keys, errors = np.zeros(5, "u1"), riffle.errors
    both = np.full(256, -7)
    read_only = both.view()
    read_only.flags.writeable = False
    for out, error, words in ((both.view("u8"), errors.InvalidArgument, "out: of dtype uint64; counts are int64"),
                              (both.view(">i8"), errors.InvalidArgument, "out: of dtype >i8; counts are int64"),
                              (both[:255], errors.LengthError, r"out: counts of keys of 1 bytes are of shape \(256,\)"),
                              (both.reshape(16, 16), errors.LengthError, r"of shape \(256,\)"),
                              (read_only, errors.InvalidArgument, "out: is read-only"),
                              (5, errors.WrongType, "out: no array, but a int")):
        refused(error, words, keys, out=out)
    refused(errors.LengthError, r"out: counts of keys of 2 bytes are of shape \(65536,\)", keys.astype("u2"), out=both)
    refused(errors.InvalidArgument, "overlap|share memory", both.view("u1")[8:800], out=both)
    assert (both == -7).all()
