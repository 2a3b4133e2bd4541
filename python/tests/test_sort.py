# SPDX-License-Identifier: Apache-2.0
"""Sorts against NumPy's stable ones; a comparison of one's own against Python's."""
import functools

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
    np.testing.assert_array_equal(riffle.sort(x, None), np.sort(x, None))
    np.testing.assert_array_equal(riffle.argsort(x, None), np.argsort(x, None, kind="stable"))


@given(x=arrays(min_dims=1, dtypes=["i1", "i4", "u8"]), data=st.data())
def test_parts_of_sorts(x, data):
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    n, order = x.shape[axis], np.argsort(x, axis, kind="stable")
    count = data.draw(st.integers(0, n))
    first, where = riffle.top(x, count, axis, return_index=True)
    np.testing.assert_array_equal(first, np.sort(x, axis).take(range(count), axis))
    np.testing.assert_array_equal(where, order.take(range(count), axis))
    if n:
        kth = data.draw(st.integers(-n, n - 1))
        y, where = riffle.partition(x, kth, axis, return_index=True)
        np.testing.assert_array_equal(np.take_along_axis(x, where, axis), y)
        np.testing.assert_array_equal(y.take([kth], axis), np.sort(x, axis).take([kth], axis))
        np.testing.assert_array_equal(np.sort(y.take(range(kth % n), axis), axis), np.sort(x, axis).take(range(kth % n), axis))
    for mine, numpys in zip(riffle.unique(x, return_index=True), np.unique(x, return_index=True)):
        np.testing.assert_array_equal(mine, numpys)
    y, where = riffle.sort(x, axis, return_index=True)
    np.testing.assert_array_equal(where, order)
    values = np.arange(x.size, dtype="i4").reshape(x.shape)
    y, moved = riffle.sort(x, axis, values=values)
    np.testing.assert_array_equal(moved, np.take_along_axis(values, order, axis))


@given(x=arrays(min_dims=1, dtypes=["i2", "f4", "S3"]), axis=st.sampled_from([-1, 0]), swaps=st.booleans())
def test_out(x, axis, swaps):
    """Into x itself, or into an array of other strides."""
    x = np.nan_to_num(x) + 0 if x.dtype.kind == "f" else x.copy("K")
    expected = np.sort(x, axis, kind="stable")
    out = np.empty(x.shape, x.dtype).T.copy().T if swaps else x
    assert riffle.sort(x, axis, out=out) is out
    np.testing.assert_array_equal(out, expected)


@given(st.lists(st.integers(0, 9), max_size=40), st.data())
def test_segments(numbers, data):
    x = np.array(numbers, "i4")
    first = [0, *sorted(data.draw(st.lists(st.integers(0, len(x)), max_size=5))), len(x)]
    parts = [x[a:b] for a, b in zip(first, first[1:])]
    np.testing.assert_array_equal(riffle.sort(x, first=first), np.concatenate([np.sort(part) for part in parts]))
    np.testing.assert_array_equal(x[riffle.argsort(x, first=np.array(first))], riffle.sort(x, first=first))
    for mine, part in zip(riffle.unique(x, first=first), parts):
        np.testing.assert_array_equal(mine, np.unique(part))
    count = max(map(len, parts)) if max(map(len, parts)) * len(parts) <= len(x) else 0
    for mine, part in zip(riffle.top(x, count, first=first), parts):
        np.testing.assert_array_equal(mine, np.sort(part)[:count])
    merged, where = riffle.merge([np.sort(part) for part in parts], return_index=True)
    np.testing.assert_array_equal(merged, np.sort(x))
    np.testing.assert_array_equal(where, np.argsort(np.concatenate([np.sort(part) for part in parts]), kind="stable"))
    rows = np.sort(np.resize(x, (3, 4)) if len(x) else np.zeros((3, 4)), axis=1)
    np.testing.assert_array_equal(riffle.merge(rows), np.sort(rows, None))


def test_comparisons():
    x = np.random.default_rng(4).integers(-99, 99, 300)
    np.testing.assert_array_equal(riffle.sort(x, before="abs(a) < abs(b)"), sorted(x, key=abs))
    points = np.zeros(200, [("x", "f4"), ("y", "i4")])
    points["x"], points["y"] = np.random.default_rng(5).integers(-9, 9, (2, 200))
    before = lambda a, b: float(b["x"] * b["y"] < a["x"] * a["y"]) - float(a["x"] * a["y"] < b["x"] * b["y"])  # noqa: E731
    expected = sorted(range(200), key=functools.cmp_to_key(lambda i, k: before(points[i], points[k])))
    np.testing.assert_array_equal(riffle.argsort(points, before="a.x * a.y < b.x * b.y", check=True), expected)
    assert riffle.cache.find(next(k for k in riffle.cache._plans if k[0] == "sort"), None) is not None  # compiled once
    with pytest.raises(ValueError, match="the comparison is no order"):
        riffle.sort(x, before="a <= b", check=True)
    with pytest.raises(riffle.errors.SpecSyntaxError, match="the compiler refuses this comparison"):
        riffle.sort(x, before="a <")
    with pytest.raises(ValueError, match="decides alone; leave out order and descending"):
        riffle.sort(x, before="a < b", descending=True)


def test_nan_is_last():
    x = np.array([np.nan, 1, -1, np.nan, 0])
    np.testing.assert_array_equal(riffle.argsort(x), [2, 4, 1, 0, 3])
    np.testing.assert_array_equal(riffle.argsort(x, descending=True), [1, 4, 2, 0, 3])


def test_fields():
    x = np.zeros(500, [("name", "S3"), ("pad", "u1"), ("value", "f4"), ("id", "i8")])
    rng = np.random.default_rng(1)
    x["name"], x["value"], x["id"] = rng.choice([b"a", b"bc", b"d"], 500), rng.integers(0, 9, 500), rng.permutation(500)
    ranks = np.unique(x["name"], return_inverse=True)[1]
    np.testing.assert_array_equal(riffle.sort(x, order=["name", "value"], descending="name"), x[np.lexsort((x["id"], x["pad"], x["value"], -ranks))])
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
    with pytest.raises(ValueError, match="order: 'a' is named twice"):
        riffle.sort(np.zeros(3, [("a", "i4")]), order=["a", "a"])
    with pytest.raises(ValueError, match="descending: 'b' is no field"):
        riffle.sort(np.zeros(3, [("a", "i4")]), descending=["b"])
    x, before = np.arange(6)[::-1].copy(), list(range(5, -1, -1))
    for words, call in (("first: from 0 to 5; it is from 0 to 6", lambda: riffle.sort(x, first=[0, 5], out=x)),
                        ("first: segment 1 begins at 4 and ends at 2", lambda: riffle.sort(x, first=[0, 4, 2, 6], out=x)),
                        ("first: of shape", lambda: riffle.sort(x, first=[0], out=x)),
                        ("first: of 2 arrays", lambda: riffle.sort(x.reshape(2, 3), first=[0, 6])),
                        ("count: the first 7 of 6", lambda: riffle.top(x, 7)), ("kth: 6; it is from -6 to 5", lambda: riffle.partition(x, 6)),
                        ("values: of shape", lambda: riffle.sort(x, values=x[:3], out=x)), ("values have 4 or 8 bytes", lambda: riffle.sort(x, values=x.astype("i1"))),
                        ("values and indices at once", lambda: riffle.sort(x, values=x, return_index=True)),
                        ("there is no algorithm 'bubble'", lambda: riffle.sort(x, algorithm="bubble", out=x)),
                        ("runs are a list of arrays", lambda: riffle.merge(x)), ("runs of several dtypes", lambda: riffle.merge([x, x * 1.0])),
                        ("keys and from_keys overlap", lambda: riffle.sort(x[:4], out=x[2:]))):
        with pytest.raises(ValueError, match=words):
            call()
    assert x.tolist() == before
