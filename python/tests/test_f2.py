# SPDX-License-Identifier: Apache-2.0
"""Matrices over F2 against NumPy's integers."""
import numpy as np
import pytest
import riffle
from hypothesis import given
from hypothesis import strategies as st
from riffle import f2

SIZES = st.integers(0, 150)
SEEDS = st.integers(0, 1 << 30)


def bits(seed, rows, columns, rank=None):
    """Random, of a rank at most."""
    rng = np.random.default_rng(seed)
    if rank is None:
        return rng.integers(0, 2, (rows, columns)).astype(bool)
    return (rng.integers(0, 2, (rows, rank)) @ rng.integers(0, 2, (rank, columns))) % 2 == 1


def times(a, b):
    return (a.astype(int) @ b.astype(int)) % 2 == 1


@given(SIZES, SIZES, SIZES, SEEDS)
def test_products(rows, inner, columns, seed):
    a, b = bits(seed, rows, inner), bits(seed + 1, inner, columns)
    np.testing.assert_array_equal(f2.product(a, b), times(a, b))
    np.testing.assert_array_equal(f2.transpose(a), a.T)
    np.testing.assert_array_equal(f2.product(a[::-1].astype("i4") + 2, b, threads=1), times(a[::-1], b))


@given(SIZES, SIZES, SIZES, SEEDS)
def test_equations(rows, columns, rank, seed):
    a = bits(seed, rows, columns, rank)
    of_rows, of_columns = f2.rank_profile(a)
    found = f2.rank(a)
    assert found == len(of_rows) == len(of_columns) <= min(rank, rows, columns)
    assert f2.rank(a[of_rows][:, of_columns]) == found
    for k in range(0, rows, 7):
        assert f2.rank(a[:k]) == (of_rows < k).sum()
    x = bits(seed + 1, columns, 3)
    np.testing.assert_array_equal(times(a, f2.solve(a, times(a, x))), times(a, x))
    np.testing.assert_array_equal(times(a, f2.solve(a, times(a, x[:, :1])[:, 0])[:, None])[:, 0], times(a, x[:, :1])[:, 0])
    basis = f2.kernel(a)
    assert basis.shape == (columns - found, columns) and f2.rank(basis) == len(basis)
    assert not times(a, basis.T).any()


@given(st.integers(1, 150), SEEDS)
def test_inverses(n, seed):
    a = np.tril(bits(seed, n, n), -1) | np.eye(n, dtype=bool)
    a = times(a, np.triu(bits(seed + 1, n, n), 1) | np.eye(n, dtype=bool))
    np.testing.assert_array_equal(times(f2.inverse(a), a), np.eye(n, dtype=bool))


def test_refusals():
    with pytest.raises(riffle.errors.Singular, match="its 3 rows have rank 1"):
        f2.inverse(np.ones((3, 3), bool))
    with pytest.raises(riffle.errors.Singular, match="has no solution"):
        f2.solve([[1], [1]], [0, 1])
    with pytest.raises(riffle.errors.LengthError, match="b: 3 x 3; it is 2 x 3, as a has columns"):
        f2.product(np.ones((3, 2), bool), np.ones((3, 3), bool))
    with pytest.raises(riffle.errors.InvalidArgument, match="a: of shape .3,.; a matrix has two dimensions"):
        f2.rank([1, 0, 1])
    with pytest.raises(riffle.errors.WrongType, match="of bool or integers"):
        f2.rank([[0.5]])
    with pytest.raises(riffle.errors.LengthError, match="at most 65536"):
        f2.rank(np.zeros((1, 70000), bool))
    with pytest.raises(riffle.errors.InvalidArgument, match="threads"):
        f2.rank([[1]], threads=-1)
