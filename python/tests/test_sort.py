# SPDX-License-Identifier: Apache-2.0
"""sort and argsort against NumPy's stable ones."""
import numpy as np
import pytest
import riffle
from arrays import arrays
from hypothesis import given
from hypothesis import strategies as st

PLAIN = ["?", "i1", "u2", "i4", "u8", "f2", "f4", "f8", "S3"]


@given(x=arrays(min_dims=1, dtypes=PLAIN), data=st.data())
def test_sort(x, data):
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    if x.dtype.kind == "b":
        x = x.view("u1") > 99
    if x.dtype.kind == "f":  # zeros and NaNs of a number are not told apart
        x = np.nan_to_num(x) + 0
    y = riffle.sort(x, axis)
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(y, np.sort(x, axis, kind="stable"))
    np.testing.assert_array_equal(riffle.argsort(x, axis), np.argsort(x, axis, kind="stable"))
    down = riffle.argsort(x, axis, descending=True)
    if x.dtype.kind in "iub":
        np.testing.assert_array_equal(down, np.argsort(~x, axis, kind="stable"))
    np.testing.assert_array_equal(riffle.sort(x, axis, descending=True), np.take_along_axis(x, down, axis))


def test_nan_is_last():
    x = np.array([np.nan, 1, -1, np.nan, 0])
    np.testing.assert_array_equal(riffle.argsort(x), [2, 4, 1, 0, 3])
    np.testing.assert_array_equal(riffle.argsort(x, descending=True), [1, 4, 2, 0, 3])


def test_fields():
    x = np.zeros(500, [("name", "S3"), ("pad", "u1"), ("value", "f4"), ("id", "i8")])
    rng = np.random.default_rng(1)
    x["name"], x["value"], x["id"] = rng.choice([b"a", b"bc", b"d"], 500), rng.integers(0, 9, 500), rng.permutation(500)
    for order in (None, "name", ["value", "name"], "id"):
        np.testing.assert_array_equal(riffle.argsort(x, order=order), np.argsort(x, order=order, kind="stable"))
        np.testing.assert_array_equal(riffle.sort(x, order=order), np.sort(x, order=order, kind="stable"))


def test_long():
    x = np.random.default_rng(2).integers(0, 1000, 1 << 20)
    np.testing.assert_array_equal(riffle.sort(x), np.sort(x))
    np.testing.assert_array_equal(riffle.argsort(x), np.argsort(x, kind="stable"))


def test_refusals():
    for x, words in ((np.zeros(3, "c8"), "of dtype complex64; sorts are of"), (np.zeros(3, ">i4"), "the other byte order; pass x.astype"),
                     (np.zeros(3, "M8[s]"), "of dtype datetime64"), (np.zeros(3, [("a", "i4", (2,))]), "sorts are of")):
        with pytest.raises(riffle.errors.Unsupported, match=words):
            riffle.sort(x)
    with pytest.raises(ValueError, match="order: 'b' is no field; they are a"):
        riffle.sort(np.zeros(3, [("a", "i4")]), order="b")
    with pytest.raises(ValueError, match="order: 'a', and x has no fields"):
        riffle.sort(np.zeros(3), order="a")
    with pytest.raises(ValueError, match="axis: 0 of an array of 0 dimensions"):
        riffle.sort(np.float64(1), axis=0)
