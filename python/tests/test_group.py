# SPDX-License-Identifier: Apache-2.0
"""Groups of rows against NumPy's stable argsort, the way back against plain sums, and what is refused."""
import collections

import numpy as np
import pytest
import riffle
from hypothesis import given
from hypothesis import strategies as st

KEYS = ["u1", "i1", "<u2", ">i2", "<i4", "<u8", "<i8"]


def grouped(x, keys, groups):
    """Rows and offsets as NumPy makes them."""
    flat = keys.ravel().astype("i8")
    order = np.argsort(flat, kind="stable")
    order = order[(flat[order] >= 0) & (flat[order] < groups)]
    counts = np.bincount(flat[(flat >= 0) & (flat < groups)], minlength=groups)
    return x[order // (keys.shape[1] if keys.ndim == 2 else 1)], counts


@given(st.integers(0, 300), st.integers(1, 70), st.sampled_from(KEYS), st.integers(0, 4), st.sampled_from([(), (3,), (2, 4)]), st.integers(0, 2**32 - 1))
def test_groups(n, groups, dtype, each, row, seed):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 1 << 30, (n, *row)).astype(rng.choice(["u1", "<f4", "<i8", "<c16"]))
    keys = rng.integers(0, min(groups + 2, 127), (n, each) if each else (n,)).astype(dtype)
    if n > 1 and seed % 2:
        x, keys = x[::-1], keys[::-1]
    got = riffle.group(x, keys, groups, threads=seed % 4, check=seed % 3 == 0)
    wanted, counts = grouped(x, keys, groups)
    np.testing.assert_array_equal(got.rows, wanted)
    assert got.rows.dtype == x.dtype
    np.testing.assert_array_equal(got.counts, counts)
    np.testing.assert_array_equal(got.offsets, np.concatenate([[0], np.cumsum(counts)]))
    assert got.left_out.tolist() == [keys.size - counts.sum(), 0]
    assert got.places.shape == keys.shape
    for i in range(n):
        for place in np.atleast_1d(got.places[i]):
            assert place == -1 or np.array_equal(got.rows[place], x[i])


@given(st.integers(0, 300), st.integers(1, 70), st.integers(0, 3), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_columns_go_to_the_same_places(n, groups, each, columns, seed):
    rng = np.random.default_rng(seed)
    kinds = [("u1", ()), ("<f4", (3,)), (">i8", ()), ("<c16", (2, 2)), ("<f4", (0,)), ([("a", "<i4"), ("b", "u1")], ())]
    x = [np.zeros((n, *row), dtype) for dtype, row in (kinds[k] for k in rng.integers(0, len(kinds), columns))]
    for column in x:
        column.view("u1").reshape(-1)[:] = rng.integers(0, 64, column.nbytes)
    keys = rng.integers(0, groups + 1, (n, each) if each else n)
    got = riffle.group(x, keys, groups, threads=seed % 3, check=seed % 2 == 0, capacity=5 if seed % 5 == 0 else None)
    assert isinstance(got.rows, list)
    for column, rows in zip(x, got.rows):
        alone = riffle.group(column, keys, groups, capacity=5 if seed % 5 == 0 else None)
        np.testing.assert_array_equal(rows, alone.rows)
        assert rows.dtype == column.dtype
        for name in ("offsets", "counts", "places", "left_out"):
            np.testing.assert_array_equal(getattr(got, name), getattr(alone, name))
    if each == 0:
        for column, back in zip(x, riffle.ungroup(got.rows, got.places)):
            np.testing.assert_array_equal(back, np.where((got.places >= 0).reshape(-1, *[1] * (column.ndim - 1)), column, np.zeros((), column.dtype)))


def test_a_table_is_a_tuple_too():
    ids, names = np.array([7, 8, 9]), np.array(["a", "b", "c"])
    rows, offsets, *_ = riffle.group((ids, names), [1, 0, 1], 2)
    assert isinstance(rows, tuple) and rows[0].tolist() == [8, 7, 9] and rows[1].tolist() == ["b", "a", "c"]
    assert offsets.tolist() == [0, 1, 3]
    with pytest.raises(riffle.errors.LengthError, match=r"x\[1\]: of 2 rows; the columns of a table have as many, and x\[0\] has 3"):
        riffle.group([ids, names[:2]], [1, 0, 1], 2)


class Named(collections.namedtuple("Named", "ids names")):
    pass


@pytest.mark.parametrize("make, kind", [(lambda *x: Named(*x), Named), (lambda *x: type("Own", (tuple,), {})(x), tuple), (lambda *x: [*x], list)])
def test_results_are_what_a_table_was(make, kind):
    x = make(np.array([7, 8, 9]), np.array([1.5, 2.5, 3.5]))
    got = riffle.group(x, np.array([1, 0, 1]), 2)
    back = riffle.ungroup(got.rows, got.places)
    assert type(got.rows) is kind and type(back) is kind
    assert [each.tolist() for each in got.rows] == [[8, 7, 9], [2.5, 1.5, 3.5]]
    assert [each.tolist() for each in back] == [[7, 8, 9], [1.5, 2.5, 3.5]]


@pytest.mark.parametrize("x", [[np.arange(3), [1, 2]], [[1, 2], [3]]])
def test_what_is_no_array_is_refused_by_name(x):
    with pytest.raises(riffle.errors.InvalidArgument, match="^x: .*inhomogeneous"):
        riffle.group(x, [0, 1, 0], 2)
    with pytest.raises(riffle.errors.InvalidArgument, match="^x: .*inhomogeneous"):
        riffle.ungroup(x, [0, 1, 0])
    with pytest.raises(riffle.errors.InvalidArgument, match="^keys: .*inhomogeneous"):
        riffle.group(np.arange(3), x, 2)


@pytest.mark.parametrize("dtype", KEYS)
def test_keys_that_are_alike_and_keys_of_none(dtype):
    """One group has all, into one group and into many; keys at the ends of their type name none."""
    x, ends = np.arange(5000), np.iinfo(dtype)
    for groups in (1, 100):
        got = riffle.group(x, np.full(5000, groups - 1, dtype), groups)
        np.testing.assert_array_equal(got.rows, x)
        assert got.counts.tolist() == [0] * (groups - 1) + [5000] and got.left_out.tolist() == [0, 0]
        none = riffle.group(x, np.full(5000, ends.max, dtype), groups)
        assert none.rows.size == 0 and none.left_out.tolist() == [5000, 0] and (none.places == -1).all()


def test_padding_capacity_and_ways():
    x, keys = np.arange(1, 9), np.array([1, 0, 1, 1, 9, 0, 1, 1])
    got = riffle.group(x, keys, 2, multiple=4, capacity=3)
    np.testing.assert_array_equal(got.rows, [2, 6, 0, 0, 1, 3, 4, 0])
    assert (got.offsets.tolist(), got.counts.tolist(), got.left_out.tolist()) == ([0, 4, 8], [2, 3], [1, 2])
    assert got.places.tolist() == [4, 0, 5, 6, -1, 1, -1, -1]
    top = riffle.group(np.arange(4.0), np.array([-128, -1, 0, 127], "i1"), 4, by="top")
    assert top.counts.tolist() == [1, 1, 1, 1]
    hashed = riffle.group(np.arange(10000), np.arange(10000), 10, by="hash")
    assert hashed.counts.min() > 800 and hashed.counts.sum() == 10000
    assert riffle.group([5.0, 6.0, 7.0], [True, False, True], 2).rows.tolist() == [6.0, 5.0, 7.0]


@given(st.integers(1, 60), st.integers(1, 8), st.sampled_from(["<f2", "<f4", "<f8"]), st.booleans(), st.integers(0, 2**32 - 1))
def test_sums(n, each, dtype, is_weighted, seed):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, 5)).astype(dtype)
    got = riffle.group(x, rng.integers(0, 7, (n, each)), 6)
    wide = "f8" if dtype == "<f8" else "f4"
    weights = rng.standard_normal((n, each)).astype(wide) if is_weighted else None
    back = riffle.ungroup(got.rows, got.places, weights)
    wanted = np.zeros((n, 5), wide)
    for i in range(n):
        is_first = True
        for j in range(each):
            if got.places[i, j] < 0:
                continue
            term = got.rows[got.places[i, j]].astype(wide)
            term = term * weights[i, j] if is_weighted else term
            wanted[i] = term if is_first else wanted[i] + term
            is_first = False
    np.testing.assert_array_equal(back, wanted.astype(dtype))


def test_the_way_back():
    x = np.random.default_rng(3).integers(0, 255, (100_000, 3)).astype("u1")
    keys = np.arange(100_000) * 7 % 1001
    got = riffle.group(x, keys, 1000, multiple=16)
    back = riffle.ungroup(got.rows, got.places)
    np.testing.assert_array_equal(back, np.where(keys[:, None] < 1000, x, 0))


@pytest.mark.parametrize("dtype", [">f8", "<f8", ">i2", [("a", ">u2"), ("b", "<f4")]])
def test_byte_orders_stay(dtype):
    x = np.arange(6).astype(dtype)
    got = riffle.group(x, np.array([1, 0, 1, 1, 0, 2], ">i4"), 2)
    for order in ("<i8", ">i8", "<i4", ">i4"):
        back = riffle.ungroup(got.rows, got.places.astype(order))
        assert got.rows.dtype == back.dtype == x.dtype
        np.testing.assert_array_equal(back[:5], x[:5])
        assert back[5] == np.zeros((), dtype)


@pytest.mark.parametrize("dtype", [">f2", ">f4", ">f8"])
def test_sums_of_the_other_byte_order(dtype):
    x, wide = np.arange(6).astype(dtype), ">f8" if dtype == ">f8" else ">f4"
    got = riffle.group(x, np.arange(6) % 2, 2)
    back = riffle.ungroup(got.rows, got.places.astype(">i4"), np.full(6, 2, wide))
    assert back.dtype == x.dtype
    np.testing.assert_array_equal(back, 2 * x)


def test_refusals():
    x, keys = np.zeros((4, 2)), np.zeros(4, "i8")
    for call, error, words in [
            (lambda: riffle.group(np.float64(1), keys, 2), ValueError, "x: of no dimension"),
            (lambda: riffle.group(x, keys[:3], 2), ValueError, r"keys: of shape \(3,\); of 4 rows it is"),
            (lambda: riffle.group(x, np.zeros((4, 0), "i8"), 2), ValueError, "keys: rows have none"),
            (lambda: riffle.group(x, keys.astype("f4"), 2), NotImplementedError, "keys of type f32; groups are made by integers"),
            (lambda: riffle.group(x, keys, 0), ValueError, "groups: 0; it is from 1 to 65536"),
            (lambda: riffle.group(x, keys, 2, by="xyzzy"), ValueError, "xyzzy"),
            (lambda: riffle.group(x, keys, 2, multiple=0), ValueError, "multiple: 0"),
            (lambda: riffle.ungroup(x, keys.astype("i2")), ValueError, "places: of shape .* and dtype int16; they are int64 or int32"),
            (lambda: riffle.ungroup(x, keys - 2), ValueError, "place 0 is -2; it names none of 4 rows"),
            (lambda: riffle.ungroup(x, keys + 4), ValueError, "place 0 is 4; it names none of 4 rows"),
            (lambda: riffle.ungroup(x.astype("i4"), keys.reshape(4, 1)), NotImplementedError, "x: of dtype int32; sums are of"),
            (lambda: riffle.ungroup(x, keys, np.ones(4, "f4")), ValueError, "weights: of shape")]:
        with pytest.raises(error, match=words):
            call()
