# SPDX-License-Identifier: Apache-2.0
"""permute, transpose, take and shuffle against NumPy, for arrays of every kind."""
import numpy as np
import pytest
import riffle
from arrays import arrays, check, elements, filled, numbered
from hypothesis import given
from hypothesis import strategies as st


def moved(indices, p, axis=None):
    """y[p(i)] = x[i] by NumPy."""
    flat = indices if axis is not None else indices.ravel()
    where = (~p).to_numpy()
    return flat.take(where, axis if axis is not None else 0) if axis is not None else flat[where].reshape(indices.shape)


@st.composite
def perms(draw, n):
    specs = ["identity", "reverse", f"rotate:{draw(st.integers(-9, 9))}", f"random:{draw(st.integers(0, 9))}"]
    if n and n & (n - 1) == 0:
        specs += ["bit-reversal", "random-affine:3"]
    return riffle.Perm(draw(st.sampled_from(specs)), n)


def outs(draw, shape, dtype):
    """An array for the result, filled with what must go: dense, with gaps, flipped or in Fortran order."""
    kind = draw(st.sampled_from(["C", "F", "gaps", "flipped"]))
    if kind == "gaps":
        return filled([2 * n for n in shape], dtype, 7)[(*[slice(0, None, 2)] * len(shape), ...)]
    out = filled(shape, dtype, 7)
    return out.copy("F") if kind == "F" else out[(*[slice(None, None, -1)] * out.ndim, ...)] if kind == "flipped" else out


def both(draw, move, x, expected):
    """The move's result is as expected, as a new array and in one that is given; x stays."""
    before = elements(x)
    y = move(out=None)
    check(y, x, expected)
    assert y.flags.c_contiguous and y.flags.writeable
    out = outs(draw, expected.shape, x.dtype)
    assert move(out=out) is out
    check(out, x, expected)
    np.testing.assert_array_equal(elements(x), before)


@given(x=arrays(), data=st.data())
def test_permute(x, data):
    axis = data.draw(st.sampled_from([None, *range(-x.ndim, x.ndim)]))
    p = data.draw(perms(x.size if axis is None else x.shape[axis]))
    both(data.draw, lambda out: riffle.permute(x, p, axis, out), x, moved(numbered(x), p, axis))


@given(x=arrays(), data=st.data())
def test_permute_by_table(x, data):
    axis = data.draw(st.sampled_from([None, *range(x.ndim)]))
    n = x.size if axis is None else x.shape[axis]
    table = np.random.default_rng(data.draw(st.integers(0, 99))).permutation(n).astype(data.draw(st.sampled_from(["u1", "i2", ">i4", "u4", "i8"])))
    both(data.draw, lambda out: riffle.permute(x, table, axis, out), x, moved(numbered(x), riffle.Perm.table(table), axis))


@given(x=arrays(), data=st.data())
def test_transpose(x, data):
    order = data.draw(st.permutations(range(x.ndim)))
    both(data.draw, lambda out: riffle.transpose(x, order, out), x, numbered(x).transpose(order))
    check(riffle.transpose(x), x, numbered(x).transpose())
    check(riffle.transpose(x, [k - x.ndim for k in order]), x, numbered(x).transpose(order))


@given(x=arrays(min_dims=1), data=st.data())
def test_take(x, data):
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    n = x.shape[axis]
    shape = data.draw(st.lists(st.integers(0, 4), max_size=3)) if n else [0]
    low = data.draw(st.sampled_from([0, -n])) if n else 0
    dtype = data.draw(st.sampled_from(["i1", "i4", "i8", ">i8"] + (["u1", "u4", "u8"] if low == 0 else [])))
    indices = np.random.default_rng(data.draw(st.integers(0, 99))).integers(low, max(n, 1), shape).astype(dtype)
    both(data.draw, lambda out: riffle.take(x, indices, axis, out), x, numbered(x).take(indices.astype(np.int64), axis))


@pytest.mark.parametrize("dtype", ["i2", "u4", "i8", ">i8"])
def test_indices_at_odd_addresses(dtype):
    """As slices of files' bytes are: takes, tables, segments and traces read them."""
    def odd(numbers):
        return np.frombuffer(b"x" + np.array(numbers, dtype).tobytes(), dtype, offset=1)
    x = filled((9,), "f8")
    np.testing.assert_array_equal(riffle.take(x, odd([3, 8, 3])), x[[3, 8, 3]])
    np.testing.assert_array_equal(riffle.permute(x[:4], odd([1, 3, 0, 2])), x[[2, 0, 3, 1]])
    assert riffle.Perm.table(odd([1, 2, 0]))(odd([2, 1])).tolist() == [0, 2]
    assert riffle.recognize(odd([1, 2, 0])).spec == "rotate:1"
    assert riffle.sort(np.arange(5)[::-1], first=odd([0, 2, 5])).tolist() == [3, 4, 0, 1, 2]
    assert riffle.vat.replay(odd([1, 2, 3])) == riffle.vat.replay([1, 2, 3])
    assert len(riffle.hull(np.eye(4, 2), first=odd([0, 3, 4]))) == 2


def test_take_of_all_elements():
    x = filled((3, 4), "f4")
    check(riffle.take(x, [[3, -1]], axis=None), x, numbered(x).take([[3, -1]]))


@given(x=arrays(min_dims=1), data=st.data())
def test_shuffle(x, data):
    axis, seed = data.draw(st.integers(-x.ndim, x.ndim - 1)), data.draw(st.integers(0, 9))
    both(data.draw, lambda out: riffle.shuffle(x, seed, axis, out), x, moved(numbered(x), riffle.Perm(f"random:{seed}", x.shape[axis]), axis))


@pytest.mark.parametrize("n", [1 << 16, 99991])
@pytest.mark.parametrize("spec", ["reverse", "random:1", "rotate:77"])
def test_long(n, spec):
    p = riffle.Perm(spec, n)
    for dtype in ("u1", "f4", "c16", "V3"):
        x = filled((n,), dtype)
        check(riffle.permute(x, p), x, (~p).to_numpy())


def test_shapes_that_a_permutation_gives():
    x = filled((3, 4), "f4")
    check(riffle.permute(x, "transpose:3x4"), x, numbered(x).T)
    check(riffle.permute(x, "axes:3x2x2:1,2,0"), x, numbered(x).reshape(3, 2, 2).transpose(1, 2, 0))
    x = filled((2, 6, 5), "f4")
    check(riffle.permute(x, "transpose:2x3", axis=1), x, numbered(x).reshape(2, 2, 3, 5).transpose(0, 2, 1, 3))


@given(x=arrays(dtypes=["u1", "i4", ">f8", "c16"]), spec=st.sampled_from(["reverse", "identity", "bit-reversal"]))
def test_in_place(x, spec):
    """x itself as out: moved within itself, whatever its strides."""
    if not x.flags.writeable or (spec == "bit-reversal" and (x.size == 0 or x.size & (x.size - 1))):
        return
    before = x.copy()
    p = riffle.Perm(spec, x.size)
    assert riffle.permute(x, p, out=x) is x
    check(x, before, moved(numbered(before), p))


def test_transposed_in_place():
    """The result has the shape of x: there is no other array."""
    x = filled((5, 7), "f8")
    expected = x.T.copy()
    riffle.permute(x, "transpose:5x7", out=x)
    np.testing.assert_array_equal(x.reshape(7, 5).view("u8"), expected.view("u8"))


def test_what_is_read_as_an_array():
    """Lists, memoryviews and scalars come back as NumPy's arrays."""
    np.testing.assert_array_equal(riffle.permute([1, 2, 3], "reverse"), [3, 2, 1])
    np.testing.assert_array_equal(riffle.transpose([[1, 2], [3, 4]]), [[1, 3], [2, 4]])
    np.testing.assert_array_equal(riffle.permute(memoryview(b"abcd"), "bit-reversal"), np.frombuffer(b"acbd", "u1"))
    plan = riffle.plan("reverse", [1, 2, 3])
    np.testing.assert_array_equal(plan([4, 5, 6]), [6, 5, 4])
    assert riffle.permute(np.float32(5), "identity").shape == ()


class Foreign:
    """An array of a library that riffle does not know, with DLPack and the array API's names."""

    def __init__(self, x, place=(1, 0)):
        self.x, self.place = np.asarray(x), place

    def __dlpack_device__(self):
        return self.place

    def __array__(self, dtype=None, copy=None):
        return self.x

    def __array_namespace__(self):
        class space:
            from_dlpack = Foreign
        return space


def test_results_of_the_inputs_kind():
    x = Foreign(np.arange(8.0))
    for y in (riffle.permute(x, "reverse"), riffle.plan("reverse", x)(x), riffle.take(x, np.arange(7, -1, -1))):
        assert isinstance(y, Foreign)
        np.testing.assert_array_equal(y.x, x.x[::-1])
    with pytest.raises(riffle.errors.InvalidArgument, match="leave it out"):
        riffle.permute(x, "reverse", out=np.empty(8))
    with pytest.raises(riffle.errors.Unsupported, match="x: a Foreign on a device"):
        riffle.permute(Foreign([1], (2, 0)), "reverse")
