# SPDX-License-Identifier: Apache-2.0
"""riffle.Perm and recognize."""
import pickle

import numpy as np
import pytest
import riffle
from hypothesis import given
from hypothesis import strategies as st


def test_bit_reversal():
    p = riffle.Perm("bit-reversal", 8)
    assert (len(p), p.n, p(1), p(-1), p.spec) == (8, 8, 4, 7, "bit-reversal")
    assert repr(p) == "riffle.Perm('bit-reversal', 8)"
    assert p(np.int8(1)) == 4
    np.testing.assert_array_equal(p([[1, -2], [0, 3]]), [[4, 3], [0, 6]])
    np.testing.assert_array_equal(p.to_numpy(), [0, 4, 2, 6, 1, 5, 3, 7])
    assert p.to_numpy().dtype == np.int64
    assert p.distribution(2) == 8


@given(st.integers(0, 40), st.integers(0, 99), st.integers(-9, 9))
def test_algebra(n, seed, k):
    p, q = riffle.Perm(f"random:{seed}", n), riffle.Perm(f"rotate:{k}", n)
    table = p.to_numpy()
    np.testing.assert_array_equal((p | q).to_numpy(), (table + k) % n if n else [])
    assert (p | ~p) == riffle.Perm("identity", n) == riffle.Perm.table(np.arange(n))
    assert riffle.Perm.table(table) == p and hash(riffle.Perm.table(table)) == hash(p)
    assert pickle.loads(pickle.dumps(p)) == p
    x = np.arange(n)
    np.testing.assert_array_equal(riffle.permute(x, p | q), riffle.permute(riffle.permute(x, p), q))
    np.testing.assert_array_equal(x[(~p).to_numpy()], riffle.permute(x, p))


def test_equality():
    p = riffle.Perm("reverse", 8)
    assert p != riffle.Perm("identity", 8) and p != riffle.Perm("reverse", 9) and p != "reverse"
    assert riffle.Perm("bits:2,1,0", 8) == riffle.Perm("bit-reversal", 8)
    assert len({p, riffle.Perm("reverse", 8), ~p}) == 1
    assert riffle.Perm("random:1", 3 * 4096) != riffle.Perm("random:2", 3 * 4096)
    with pytest.raises(TypeError):
        p | "reverse"


def test_recognize():
    n = 1 << 10
    assert riffle.recognize(riffle.Perm("bit-reversal", n).to_numpy()).spec == "bit-reversal"
    assert riffle.recognize(riffle.Perm.table(np.roll(np.arange(10), 3))).spec == "rotate:7"
    table = np.random.default_rng(1).permutation(9)
    assert riffle.recognize(table) == riffle.Perm.table(table)
    assert riffle.Perm("transpose:3x4", 12).output_shape == (4, 3)
    assert riffle.Perm("reverse", 12).output_shape is None


def test_long_specs_are_quoted_in_part():
    p = riffle.Perm.table(np.random.default_rng(1).permutation(1000))
    assert len(repr(p)) < 300 and repr(p).endswith("...', 1000)")
    assert riffle.Perm(p.spec, 1000) == p
