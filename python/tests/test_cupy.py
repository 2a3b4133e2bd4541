# SPDX-License-Identifier: Apache-2.0
"""CuPy's arrays, where CuPy and a GPU are."""
import numpy as np
import pytest
import riffle
from arrays import check, filled, numbered
from hypothesis import given
from hypothesis import strategies as st

cupy = pytest.importorskip("cupy")
if not cupy.cuda.is_available():
    pytest.skip("no GPU", allow_module_level=True)


@given(data=st.data())
def test_moves(data):
    shape = data.draw(st.lists(st.integers(0, 6), min_size=1, max_size=4))
    host = filled(shape, data.draw(st.sampled_from(["u1", "i2", "f4", "f8", "c16"])))
    x = cupy.asarray(host)
    if data.draw(st.booleans()) and x.ndim > 1:
        x, host = x.T, host.T
    if data.draw(st.booleans()):
        x, host = x[::-1], host[::-1]
    before = numbered(host)
    axis = data.draw(st.integers(0, x.ndim - 1))
    p = riffle.Perm(data.draw(st.sampled_from(["reverse", "rotate:2", "random:3"])), x.shape[axis])
    out = cupy.asfortranarray(cupy.empty(x.shape, x.dtype))
    for y in (riffle.permute(x, p, axis), riffle.permute(x, p, axis, out), riffle.permute(x, cupy.asarray(p.to_numpy()), axis)):
        assert isinstance(y, cupy.ndarray)
        check(y.get(), host, before.take((~p).to_numpy(), axis))
    check(riffle.transpose(x).get(), host, before.T)
    if x.shape[axis]:
        indices = np.random.default_rng(1).integers(0, x.shape[axis], (2, 3))
        check(riffle.take(x, cupy.asarray(indices), axis).get(), host, before.take(indices, axis))
    check(riffle.shuffle(x, 5).get(), host, before.take((~riffle.Perm("random:5", x.shape[0])).to_numpy(), 0))


def test_streams():
    x = cupy.arange(1 << 20, dtype=cupy.float32)
    plan, stream = riffle.plan("bit-reversal", x), cupy.cuda.Stream(non_blocking=True)
    cupy.cuda.Device().synchronize()
    with stream:
        y = plan(x)
    stream.synchronize()
    assert (y == x[cupy.asarray(riffle.Perm("bit-reversal", 1 << 20).to_numpy())]).all()
    assert (riffle.run("sort n", -x) == cupy.sort(-x)).all()


def test_sorts_and_hulls():
    rng = np.random.default_rng(8)
    for dtype in ("u1", "i4", "u8", "f4", "f8"):
        host = rng.integers(0, 99, 5000).astype(dtype)
        x = cupy.asarray(host)
        np.testing.assert_array_equal(riffle.sort(x).get(), np.sort(host))
        np.testing.assert_array_equal(riffle.argsort(x).get(), np.argsort(host, kind="stable"))
        back, values = x[::-1], cupy.arange(10_000, dtype="u4")[::2]  # arrays of other strides
        y, moved = riffle.sort(back, values=values)
        assert isinstance(y, cupy.ndarray) and (moved == values[riffle.argsort(back)]).all()
    rows = np.sort(rng.integers(0, 99, (7, 50)).astype("u4"))
    np.testing.assert_array_equal(riffle.merge(cupy.asarray(rows)).get(), np.sort(rows, None))
    np.testing.assert_array_equal(riffle.merge([cupy.asarray(row) for row in rows]).get(), np.sort(rows, None))
    cloud = rng.normal(size=(3000, 2))
    np.testing.assert_array_equal(riffle.hull(cupy.asarray(cloud)).get(), riffle.hull(cloud))
    first = [0, 10, 3000]
    for mine, theirs in zip(riffle.hull(cupy.asarray(cloud), first=first), riffle.hull(cloud, first=first)):
        np.testing.assert_array_equal(mine.get(), theirs)


def test_histograms():
    for dtype in ("?", "u1", "u2"):
        host = np.random.default_rng(9).integers(0, 2 if dtype == "?" else 256, (300, 401)).astype(dtype)
        x = cupy.asarray(host)
        for some, there in ((host, x), (host[:, 1:], x[:, 1:]), (host[::-2], x[::-2]), (host[:0], x[:0])):
            wanted = np.bincount(some.ravel().astype("i8"), minlength=256 ** host.itemsize)
            out = cupy.full(2 * len(wanted), -7)[::2]
            assert riffle.histogram(there, out=out) is out
            for counts in (riffle.histogram(there), out):
                assert isinstance(counts, cupy.ndarray) and counts.dtype == "i8"
                np.testing.assert_array_equal(counts.get(), wanted)
    with pytest.raises(ValueError, match="out: on host -1 and keys on GPU 0"):
        riffle.histogram(x, out=np.empty(65536, "i8"))


def test_refusals():
    x = cupy.arange(8.0)
    with pytest.raises(IndexError, match="indices: number 1 is 8"):
        riffle.take(x, cupy.asarray([0, 8]), check=True)
    with pytest.raises(ValueError, match="both must be in one memory"):
        riffle.take(x, np.asarray([0]))
    with pytest.raises(ValueError, match="point 1"):
        riffle.hull(cupy.asarray([[0, 0], [np.nan, 0]]))
    with pytest.raises(NotImplementedError, match="a GPU merges unsigned numbers"):
        riffle.merge(x, first=cupy.asarray([0, 4, 8]), before="a < b")
    with pytest.raises(NotImplementedError, match="check: it looks at elements in host memory"):
        riffle.sort(x, before="a < b", check=True)
    with pytest.raises(riffle.errors.SpecSyntaxError, match="NVRTC refuses this comparison"):
        riffle.sort(x, before="a < c")
    with pytest.raises(ValueError, match="first: on a GPU it is of int64"):
        riffle.sort(x, first=cupy.asarray([0, 8], "i4"))
