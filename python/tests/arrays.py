# SPDX-License-Identifier: Apache-2.0
"""Arrays of every kind, and what a move makes of them: the definition is NumPy's move of an array of indices."""
import numpy as np
from hypothesis import strategies as st

DTYPES = ["?", "i1", "u2", "i4", "<u8", "f2", "f4", "f8", "c8", "c16", ">i2", ">i4", ">f8", ">c16", "S3", "U2", "V5", "M8[s]", "m8[ns]",
          [("a", "u1"), ("b", ">i4")], np.dtype([("a", "u1"), ("b", "f8")], align=True), [("x", "f4", (3,))]]


def filled(shape, dtype, seed=0):
    """Random bytes as elements."""
    dtype = np.dtype(dtype)
    data = np.random.default_rng(seed).integers(0, 256, int(np.prod(shape)) * dtype.itemsize, np.uint8)
    return data.view(dtype).reshape(shape) if data.size else np.empty(shape, dtype)


@st.composite
def arrays(draw, min_dims=0, max_dims=4, max_side=6, dtypes=DTYPES):
    """Any dtype, shape, strides and order; some read-only, some at odd addresses, some broadcast."""
    dtype = np.dtype(draw(st.sampled_from(dtypes)))
    shape = draw(st.lists(st.integers(0, max_side), min_size=min_dims, max_size=max_dims))
    kind = draw(st.sampled_from(["C", "F", "steps", "flipped", "mixed", "read-only", "odd", "broadcast"]))
    seed = draw(st.integers(0, 1000))
    if kind == "odd":  # one byte beyond where elements like to be
        data = np.zeros(int(np.prod(shape)) * dtype.itemsize + 1, np.uint8)
        x = np.frombuffer(data.data, dtype, int(np.prod(shape)), 1).reshape(shape) if data.size > 1 else np.empty(shape, dtype)
        if x.size:
            x[...] = filled(shape, dtype, seed)
        return x
    if kind == "broadcast":
        return np.broadcast_to(filled([n if k % 2 else min(n, 1) for k, n in enumerate(shape)], dtype, seed), shape)
    if kind == "steps":
        return filled([2 * n + 1 for n in shape], dtype, seed)[(*(slice(1, 2 * n + 1, 2) for n in shape), ...)]
    x = filled(shape, dtype, seed)
    if kind == "F":
        x = x.copy("F")
    elif kind == "flipped":
        x = x[(*[slice(None, None, -1)] * x.ndim, ...)]
    elif kind == "mixed":
        x = filled(shape[::-1], dtype, seed).transpose()
    elif kind == "read-only":
        x.flags.writeable = False
    return x


def elements(x):
    """Elements in C order as rows of bytes; what is between fields does not count."""
    if x.dtype.names:
        return np.hstack([elements(x[name].ravel()).reshape(x.size, x.dtype[name].itemsize) for name in x.dtype.names])
    return np.frombuffer(x.tobytes(), np.uint8).reshape(x.size, x.dtype.itemsize) if x.size else np.empty((0, x.dtype.itemsize))


def check(y, x, indices):
    """y has the elements of x that `indices`, numbers of x's elements in C order, names, in its shape and x's dtype."""
    assert (y.shape, y.dtype) == (indices.shape, x.dtype)
    np.testing.assert_array_equal(elements(y), elements(x)[indices.ravel()])


def numbered(x):
    return np.arange(x.size).reshape(x.shape)
