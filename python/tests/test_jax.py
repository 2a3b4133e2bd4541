# SPDX-License-Identifier: Apache-2.0
"""riffle.jax, where JAX is installed, on its default device."""
import numpy as np
import pytest
import riffle
from arrays import filled

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402
import riffle.jax  # noqa: E402

X = jnp.asarray(np.random.default_rng(1).normal(size=(4, 6)).astype("f4"))
INDICES = jnp.asarray([[1, 1], [0, 3]])
MOVES = [lambda x: riffle.jax.permute(x, "random:1"), lambda x: riffle.jax.permute(x, "rotate:2", 1), lambda x: riffle.jax.permute(x, "transpose:4x6"),
         lambda x: riffle.jax.permute(x, "transpose:2x3", 1), lambda x: riffle.jax.permute(x, riffle.Perm.table(np.roll(np.arange(24), 5))),
         lambda x: riffle.jax.take(x, INDICES), lambda x: riffle.jax.take(x, INDICES, 1), lambda x: riffle.jax.transpose(x),
         lambda x: riffle.jax.shuffle(x, 3)]
SAME = [lambda x: riffle.permute(x, "random:1"), lambda x: riffle.permute(x, "rotate:2", 1), lambda x: riffle.permute(x, "transpose:4x6"),
        lambda x: riffle.permute(x, "transpose:2x3", 1), lambda x: riffle.permute(x, np.roll(np.arange(24), 5)),
        lambda x: riffle.take(x, np.asarray(INDICES)), lambda x: riffle.take(x, np.asarray(INDICES), 1), lambda x: riffle.transpose(x),
        lambda x: riffle.shuffle(x, 3)]


def test_moves():
    for move, same in zip(MOVES, SAME):
        expected = same(np.asarray(X))
        np.testing.assert_array_equal(move(X), expected)
        np.testing.assert_array_equal(jax.jit(move)(X), expected)
        np.testing.assert_array_equal(jax.jit(lambda x: move(x * 2) / 2)(X), expected)


def test_derivatives():
    for move in MOVES:
        weights = jnp.asarray(filled(move(X).shape, "u1")).astype("f4")
        linear = lambda x: (move(x) * weights).sum()  # noqa: E731
        by_rows = np.stack([np.asarray(move(e.reshape(X.shape)) * weights).sum() for e in jnp.eye(24, dtype="f4")])
        np.testing.assert_allclose(jax.grad(linear)(X).ravel(), by_rows, rtol=1e-5)
        np.testing.assert_array_equal(jax.jvp(move, (X,), (2 * X,))[1], 2 * move(X))
        jax.jit(jax.grad(jax.grad(lambda t: (move(X * t) ** 2).sum())))(1.0)


def test_vmap():
    many = jnp.stack([X, X + 1, X * 2])
    for move in MOVES:
        np.testing.assert_array_equal(jax.vmap(move)(many), jnp.stack([move(x) for x in many]))
        np.testing.assert_array_equal(jax.vmap(move, 2)(jnp.moveaxis(many, 0, 2)), jnp.stack([move(x) for x in many]))
    rows = jnp.asarray([[0, 3], [1, 1], [2, 0]])
    for axis in (0, 1):
        take = lambda x, i: riffle.jax.take(x, i, axis)  # noqa: E731
        np.testing.assert_array_equal(jax.vmap(take)(many, rows), jnp.stack([take(x, i) for x, i in zip(many, rows)]))
        np.testing.assert_array_equal(jax.vmap(take, (None, 0))(X, rows), jnp.stack([take(X, i) for i in rows]))


def test_dtypes_and_lengths():
    for dtype in ("u1", "i2", "i4", "f2", "f4", "c8", "bool"):
        x = jnp.arange(3 << 10).astype(dtype)
        np.testing.assert_array_equal(riffle.jax.permute(x, "random:2"), riffle.permute(np.asarray(x), "random:2"))
    long = jnp.arange(1 << 20, dtype="f4")
    np.testing.assert_array_equal(riffle.jax.permute(long, "random:2"), riffle.permute(np.asarray(long), "random:2"))
    assert riffle.jax.permute(jnp.zeros((0, 3)), "reverse").shape == (0, 3)
    assert riffle.jax.transpose(jnp.zeros((0, 3))).shape == (3, 0)
    assert riffle.jax.take(X, jnp.zeros((0,), int)).shape == (0, 6)


def test_arrays_themselves():
    """JAX's arrays on the host are read where they are, and results are JAX's."""
    if jax.default_backend() == "cpu":
        y = riffle.permute(X, "reverse")
        assert isinstance(y, jax.Array)
        np.testing.assert_array_equal(y.ravel(), X.ravel()[::-1])
    else:
        with pytest.raises(riffle.errors.Unsupported, match="inside jit by riffle.jax"):
            riffle.permute(X, "reverse")


def test_refusals():
    with pytest.raises(ValueError, match="power of two"):
        riffle.jax.permute(X, "bit-reversal", 1)
    with pytest.raises(ValueError, match="x: 24 elements to be moved, and the permutation is of 8"):
        riffle.jax.permute(X, riffle.Perm("reverse", 8))
    with pytest.raises(ValueError, match="indices: of dtype float32"):
        riffle.jax.take(X, X)
    if jax.default_backend() == "cpu":
        with pytest.raises(Exception, match="indices: number 1 is 9, which is not below n = 4"):
            riffle.jax.take(X, jnp.asarray([0, 9])).block_until_ready()
