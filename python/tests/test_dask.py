# SPDX-License-Identifier: Apache-2.0
"""riffle.dask, where Dask is installed: each move equals the whole array's, whatever the chunks."""
import subprocess
import sys

import numpy as np
import pytest
import riffle
from arrays import elements, filled
from hypothesis import given, settings
from hypothesis import strategies as st

da = pytest.importorskip("dask.array", reason="no Dask: pip install riffle-arrays[dask]")
import dask  # noqa: E402
import riffle.dask  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:Increasing number of chunks")
DTYPES = ["?", "u1", "f4", ">f8", "c16", "S3", "V5", "M8[s]", [("a", "u1"), ("b", ">i4")]]


@pytest.fixture(autouse=True)
def two_threads():
    with dask.config.set(scheduler="threads", num_workers=2):
        yield


@st.composite
def sizes(draw, n):
    """Chunks of an axis, of unlike lengths."""
    cuts = sorted(draw(st.sets(st.integers(1, n - 1), max_size=3))) if n > 1 else []
    return tuple(np.diff([0, *cuts, n]).tolist())


@st.composite
def chunked(draw, min_dims=0, max_dims=3, max_side=9, dtypes=DTYPES):
    """An array of NumPy's, and the same of Dask's."""
    shape = draw(st.lists(st.integers(0, max_side), min_size=min_dims, max_size=max_dims))
    x = filled(shape, draw(st.sampled_from(dtypes)), draw(st.integers(0, 99)))
    return x, da.from_array(x, chunks=tuple(draw(sizes(n)) for n in shape))


def same(lazy, y):
    """A Dask array of y's shape, dtype and elements, each block of the shape that its chunks say."""
    assert isinstance(lazy, da.Array) and (lazy.shape, lazy.dtype) == (y.shape, y.dtype)
    with dask.config.set(scheduler="synchronous"):
        kept, = dask.persist(lazy)
        got = np.asarray(kept.compute())
    for index in np.ndindex(*lazy.numblocks):
        block = kept.dask[(kept.name, *index)]
        block = getattr(block, "value", block)
        assert block.shape == tuple(sizes[k] for sizes, k in zip(lazy.chunks, index)) and (block.flags.c_contiguous or block.size == 0)
    assert got.dtype == y.dtype
    np.testing.assert_array_equal(elements(got), elements(y))


@settings(max_examples=15)
@given(pair=chunked(), data=st.data())
def test_transpose_and_rechunk(pair, data):
    x, lazy = pair
    order = data.draw(st.permutations(range(x.ndim)))
    chunks = tuple(data.draw(sizes(n)) for n in x.transpose(order).shape)
    y = riffle.dask.transpose(lazy, order, chunks)
    assert y.chunks == chunks
    same(y, x.transpose(order).copy())
    same(riffle.dask.transpose(lazy), x.transpose().copy())
    assert riffle.dask.rechunk(lazy, -1).chunks == tuple((n,) for n in x.shape)
    same(riffle.dask.rechunk(lazy, -1), x)


@settings(max_examples=15)
@given(pair=chunked(), data=st.data())
def test_permute(pair, data):
    x, lazy = pair
    axis = data.draw(st.sampled_from([None, *range(-x.ndim, x.ndim)]))
    n = x.size if axis is None else x.shape[axis]
    specs = ["identity", "reverse", "rotate:2", "random:5", "random:1|reverse", f"transpose:1x{n}"]
    p = data.draw(st.sampled_from([*specs, np.random.default_rng(n).permutation(n)]))
    same(riffle.dask.permute(lazy, p, axis), riffle.permute(x, p, axis))


@pytest.mark.parametrize("spec", ["bit-reversal", "random-affine:3", "unshuffle", "reverse", "transpose:8x32", "axes:2x8x4x4:3,1,0,2", "rotate:64",
                                  "random:7", "~random:7|bit-reversal"])
@pytest.mark.parametrize("chunks", [16, 64, (100, 6, 0, 150), 256])
def test_specs(spec, chunks):
    x = filled((256,), "u4", 3)
    same(riffle.dask.permute(da.from_array(x, chunks=chunks if np.isscalar(chunks) else (chunks,)), spec), riffle.permute(x, spec))


def test_shapes():
    """Axes of the array itself are boxes; a shape that a permutation gives is the result's, along an axis too."""
    x = filled((6, 10, 4), "f4")
    lazy = da.from_array(x, chunks=((2, 4), (3, 7), 3))
    y = riffle.dask.permute(lazy, "axes:6x10x4:2,0,1")
    assert y.chunks == ((3, 1), (2, 4), (3, 7))
    same(y, x.transpose(2, 0, 1).copy())
    same(riffle.dask.permute(lazy, "transpose:60x4"), x.reshape(60, 4).T.copy())
    same(riffle.dask.permute(lazy, "transpose:2x5", 1), riffle.permute(x, "transpose:2x5", 1))
    y = riffle.dask.permute(lazy, "random:3", chunks=(6, 5, None))
    assert y.chunks[:2] == ((6,), (5, 5))
    same(y, riffle.permute(x, "random:3"))


def test_affine_exchanges_are_of_cosets():
    """A block has pieces for 2^r others only, as the map's bits say, without a look at 2^30 elements."""
    x = da.zeros(1 << 30, chunks=1 << 26, dtype="u1")
    for spec, others in (("identity", 1), ("reverse", 1), ("shuffle", 2), ("bit-reversal", 16)):
        keys = riffle.dask.permute(x, spec).dask.to_dict()
        assert sum(str(key[0]).startswith("piece-") for key in keys if isinstance(key, tuple)) == 16 * others


@pytest.mark.parametrize("seed", [0, 42])
def test_shuffle(seed):
    x = filled((101, 7), "f8")
    for chunks in ((10, 3), (101, 7), ((50, 51), 7)):
        lazy = da.from_array(x, chunks=chunks)
        same(riffle.dask.shuffle(lazy, seed), riffle.shuffle(x, seed))
        same(riffle.dask.shuffle(lazy, seed, 1), riffle.shuffle(x, seed, 1))


@settings(max_examples=15)
@given(pair=chunked(max_dims=2, max_side=60, dtypes=["u1", "i4", ">f4", "f8", "M8[s]", "S2", [("a", "u1"), ("b", ">i2")]]), data=st.data())
def test_sort(pair, data):
    """The same bytes: of elements that are equal and differ (-0.0 and 0.0, NaNs) each is where it is in one sort."""
    x, lazy = pair
    axis = data.draw(st.sampled_from([None, *range(x.ndim)]))
    if x.ndim == 0 and axis is None:
        x, lazy = x.reshape(1), lazy.reshape(1)
    down = data.draw(st.booleans())
    y = riffle.dask.sort(lazy, axis, down)
    assert axis is None or y.chunks == lazy.chunks
    same(y, riffle.sort(x, axis, down))


@pytest.mark.parametrize("kinds", [1, 7, 1000, 1 << 30])
def test_sort_is_exact(kinds):
    """Long enough for samples with gaps, and with many equal keys; which of them comes first is seen by a field that is not compared."""
    n = 30000
    x = np.random.default_rng(kinds).integers(0, kinds, n, "i8").astype("f8")
    x[::11] = -0.0
    x[::13] = np.nan
    x.view("u8")[::13] += np.arange(len(x[::13]), dtype="u8")  # NaNs that can be told apart
    for chunks in (5000, (1, 0, 29000, 999), (10000, 20000)):
        lazy = da.from_array(x, chunks=chunks if np.isscalar(chunks) else (chunks,))
        same(riffle.dask.sort(lazy), riffle.sort(x))
        same(riffle.dask.sort(lazy, descending=True), riffle.sort(x, descending=True))
    pairs = np.zeros(n, [("key", "i4"), ("number", "i4")])
    pairs["key"], pairs["number"] = np.nan_to_num(x) % 1000, np.arange(n)[::-1]
    same(riffle.dask.sort(da.from_array(pairs, chunks=7000), order="key"), riffle.sort(pairs, order="key"))


def test_nothing_is_computed_before():
    """Graphs are lazy, and made of one array twice they are one."""
    def never(x):
        raise AssertionError("computed")
    x = da.zeros((64, 64), chunks=16).map_blocks(never, dtype="f8", meta=np.empty((0, 0)))
    for move in (lambda: riffle.dask.permute(x, "bit-reversal"), lambda: riffle.dask.shuffle(x, 1), lambda: riffle.dask.sort(x, 0),
                 lambda: riffle.dask.rechunk(x, (64, 1)), lambda: riffle.dask.sort(x, None)):
        assert move().name == move().name
        with pytest.raises(AssertionError, match="computed"):
            move().compute()


def test_distributed():
    """By a cluster's scheduler, whose workers are two, each with its own data."""
    distributed = pytest.importorskip("distributed")
    x = filled((96, 50), "f4")
    x = np.where(np.isnan(x), 0, x)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            lazy = da.from_array(x, chunks=(17, 20))
            moves = [(riffle.dask.transpose(lazy, chunks=(50, 10)), x.T), (riffle.dask.shuffle(lazy, 3), riffle.shuffle(x, 3)),
                     (riffle.dask.permute(lazy, np.arange(4800)[::-1]), x.ravel()[::-1].reshape(x.shape)),
                     (riffle.dask.sort(lazy, None), np.sort(x, None))]
            for y, (_, expected) in zip(client.gather(client.compute([y for y, _ in moves])), moves):
                np.testing.assert_array_equal(y, expected)


def test_tasks_are_carried_to_processes():
    """Graphs are pickled as cloudpickle does for a cluster of processes."""
    import pickle
    x = filled((12, 10), "f4")
    lazy = da.from_array(x, chunks=5)
    for y, expected in ((riffle.dask.transpose(lazy), x.T.copy()), (riffle.dask.permute(lazy, "random:2"), riffle.permute(x, "random:2")),
                        (riffle.dask.permute(lazy, np.arange(120)[::-1]), x.ravel()[::-1].reshape(12, 10)), (riffle.dask.sort(lazy, None), riffle.sort(x, None))):
        same(pickle.loads(pickle.dumps(y)), expected)


def test_refusals():
    x = da.zeros((4, 6), chunks=2)
    with pytest.raises(riffle.errors.WrongType, match="x: a ndarray; a Dask array is wanted"):
        riffle.dask.rechunk(np.zeros(3), 1)
    for move in (lambda y: riffle.dask.permute(y, "reverse"), lambda y: riffle.dask.shuffle(y, 1), riffle.dask.sort, lambda y: riffle.dask.rechunk(y, 1)):
        with pytest.raises(riffle.errors.InvalidArgument, match=r"x: chunks of unknown size along axis 0; call x.compute_chunk_sizes\(\) first"):
            move(da.arange(9, chunks=3)[da.arange(9, chunks=3) > 4])
    with pytest.raises(riffle.errors.Unsupported, match="x: of dtype object"):
        riffle.dask.rechunk(x.astype(object), 1)
    with pytest.raises(riffle.errors.Unsupported, match="x: blocks are of MaskedArray"):
        riffle.dask.rechunk(da.ma.masked_equal(x, 0), 1)
    with pytest.raises(riffle.errors.InvalidArgument, match=r"chunks: \(\(1, 1\), \(6,\)\): "):
        riffle.dask.rechunk(x, ((1, 1), (6,)))
    with pytest.raises(riffle.errors.InvalidArgument, match="chunks: "):
        riffle.dask.rechunk(x, {0: 0})
    with pytest.raises(riffle.errors.InvalidArgument, match="axes: .* is no order of 2 axes"):
        riffle.dask.transpose(x, (0, 0))
    with pytest.raises(riffle.errors.LengthError, match="x: 24 elements to be moved, and the permutation is of 8"):
        riffle.dask.permute(x, riffle.Perm("reverse", 8))
    with pytest.raises(riffle.errors.NotAPermutation):
        riffle.dask.permute(x, np.zeros(24, int))
    with pytest.raises(riffle.errors.LengthError, match="power of two"):
        riffle.dask.permute(x, "bit-reversal")
    with pytest.raises(riffle.errors.Unsupported, match="complex"):
        riffle.dask.sort(x.astype("c8"))
    with pytest.raises(riffle.errors.InvalidArgument, match="order: 'a', and x has no fields"):
        riffle.dask.sort(x, order="a")


def test_xarray():
    xarray = pytest.importorskip("xarray")
    x = xarray.DataArray(da.ones((4, 6), chunks=2), dims=("a", "b"))
    assert x.copy(data=riffle.dask.shuffle(x.data, 1)).dims == ("a", "b")


def test_import_without_dask():
    code = "import sys, riffle; riffle.sort([1]); assert 'dask' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
