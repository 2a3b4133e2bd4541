# SPDX-License-Identifier: Apache-2.0
"""Refusals: the class, which is one of Python's own too, the sentence, and that nothing was written."""
import warnings

import numpy as np
import pytest
import riffle
from arrays import filled
from riffle import errors

X = np.arange(8.0)


def refused(kinds, words, call, *arguments, **named):
    with pytest.raises(riffle.Error) as caught:
        call(*arguments, **named)
    for kind in kinds if isinstance(kinds, tuple) else (kinds,):
        assert isinstance(caught.value, kind)
    assert words in str(caught.value)


def test_classes():
    assert issubclass(errors.OutOfMemory, MemoryError) and issubclass(errors.FileError, OSError)
    assert issubclass(errors.Unsupported, NotImplementedError) and issubclass(errors.DeviceError, RuntimeError)
    assert sorted(errors.CLASSES) == list(range(1, 14))
    for status, kind in errors.CLASSES.items():
        assert issubclass(kind, riffle.Error) and riffle._core.status_string(status)


def test_permutations():
    refused((errors.SpecSyntaxError, ValueError), "did you mean 'bit-reversal'", riffle.Perm, "bit-reversl", 8)
    refused((errors.LengthError, ValueError), "power of two", riffle.Perm, "bit-reversal", 7)
    refused(errors.LengthError, "2^40", riffle.Perm, "identity", (1 << 40) + 1)
    refused((errors.NotAPermutation, ValueError), "index 1 and index 2 both map to 2", riffle.Perm.table, [0, 2, 2])
    refused(errors.NotAPermutation, "index 1 maps to 3", riffle.Perm.table, [0, 3, 2])
    refused(errors.NotAPermutation, "table: index 0 maps to -1; a table of 2 has numbers from 0 to 1", riffle.Perm.table, [-1, 0])
    refused(errors.NotAPermutation, "table: index 1 maps to -7; a table of 3", riffle.permute, X[:3], np.array([0, -7, 9], "i4"))
    refused(errors.NotAPermutation, "index 0 maps to 4294967295, which is not below n = 2", riffle.Perm.table, np.array([2**32 - 1, 0], "u4"))
    refused(errors.NotAPermutation, "index 0 maps to 9", riffle.Perm.table, [9, -1])
    refused((errors.Singular, ValueError), "row", riffle.Perm, "affine:1,1", 4)
    refused(errors.LengthError, "n = 3, the second n = 4", lambda: riffle.Perm("reverse", 3) | riffle.Perm("reverse", 4))
    refused(errors.InvalidArgument, "table: of dtype float64", riffle.Perm.table, [0.5])
    refused(errors.InvalidArgument, "i: of dtype float64", riffle.Perm("reverse", 3), [0.5])
    with pytest.raises(IndexError, match="index 3 of a permutation of 3"):
        riffle.Perm("reverse", 3)(3)
    with pytest.raises(IndexError, match="index -4 of a permutation of 3"):
        riffle.Perm("reverse", 3)([0, -4])
    with pytest.raises(TypeError):
        riffle.Perm("reverse", 3.5)


def test_arguments():
    """Texts, numbers and types, each in a sentence; what nanobind would say of them nobody sees."""
    assert issubclass(errors.WrongType, TypeError)
    for call in (lambda: riffle.Perm("reverse\0x", 8), lambda: riffle.permute(X, "reverse\0x"), lambda: riffle.run("sort n\0", X),
                 lambda: riffle.plan("reverse", X, algorithm="copy\0"), lambda: riffle.lint("k.cu\0", "k"), lambda: riffle.vat.replay([1], "lru\0")):
        refused(errors.InvalidArgument, "has the character NUL at", call)
    for call in (lambda: riffle.Perm(5, 8), lambda: riffle.run(5, X), lambda: riffle.plan("reverse", X, algorithm=None), lambda: riffle.lint(5, "k"),
                 lambda: riffle.lint("k.cu", None), lambda: riffle.vat.replay([1], 5)):
        refused((errors.WrongType, TypeError), "a text is wanted", call)
    for call in (lambda: riffle.Perm("reverse", "8"), lambda: riffle.shuffle(X, 0.5), lambda: riffle.permute(X, "reverse", axis="x"),
                 lambda: riffle.plan("reverse", X, threads=1.5), lambda: riffle.machine.simulate("reverse", 8, width="x"),
                 lambda: riffle.Perm("reverse", 8).distribution("x"), lambda: setattr(riffle.cache, "limit", None), lambda: riffle.transpose(X, ["x"])):
        refused((errors.WrongType, TypeError), "a whole number is wanted", call)
    for call in (lambda: riffle.Perm("reverse", -1), lambda: riffle.shuffle(X, -1), lambda: riffle.shuffle(X, 1 << 64),
                 lambda: riffle.plan("reverse", X, threads=-1), lambda: riffle.machine.simulate("reverse", 8, width=1 << 40)):
        refused(errors.InvalidArgument, "it is from 0 to", call)
    refused(errors.InvalidArgument, "UTF-8 cannot have", riffle.Perm, "rev\udc80", 8)
    refused(errors.WrongType, "out: no array, but a int", riffle.permute, X, "reverse", out=5)
    for call in (lambda: riffle.permute(None, "reverse"), lambda: riffle.plan("reverse", X)(None), lambda: riffle.sort(None), lambda: riffle.hull(None)):
        refused(errors.WrongType, "None; an array is wanted", call)
    refused((errors.WrongType, TypeError), "x: 'cab'; an array is wanted", riffle.sort, "cab")
    refused(errors.WrongType, "x: b'cab'; an array is wanted", riffle.permute, b"cab", "reverse")
    refused(errors.WrongType, "x[1]: 'b'; an array is wanted", riffle.merge, [[1], "b"])
    refused(errors.WrongType, "indices: 'a'; an array is wanted", riffle.take, X, "a")
    refused(errors.WrongType, "axes: 1.5; several are wanted", riffle.transpose, X, 1.5)
    refused(errors.WrongType, "order: 1.5; several are wanted", riffle.sort, np.zeros(3, [("a", "i4")]), order=1.5)
    refused(errors.WrongType, "args: a text; it is a list", riffle.lint, "k.cu", "k", args="float:8")
    refused(errors.InvalidArgument, "grid: 4 numbers", riffle.lint, "k.cu", "k", grid=(1, 1, 1, 1))
    for index in (1 << 63, 1 << 64, -9, np.array([1 << 63], "u8"), [-9]):
        refused((errors.IndexOutOfRange, IndexError), "of a permutation of 8", riffle.Perm("reverse", 8), index)
    refused(errors.LengthError, "a table is of shape (n,)", riffle.permute, X, [[1, 0]])


def test_subclasses():
    """Read as the arrays that they are, but for masks, which would be lost."""
    masked = np.ma.array([1, 2, 3], mask=[0, 1, 0])
    for call in (lambda: riffle.permute(masked, "reverse"), lambda: riffle.sort(masked), lambda: riffle.take([1, 2, 3], masked), lambda: riffle.take(masked, [5]),
                 lambda: riffle.Perm.table(masked), lambda: riffle.Perm("reverse", 4)(masked), lambda: riffle.permute([1, 2, 3], "reverse", out=masked),
                 lambda: riffle.hull(np.ma.zeros((3, 2))), lambda: riffle.histogram(masked.astype("u1")), lambda: riffle.bitshuffle(masked), lambda: riffle.f2.rank(np.ma.ones((2, 2), bool)),
                 lambda: riffle.f2.solve(np.ones((1, 1), bool), np.ma.ones(1, bool)), lambda: riffle.minimum_cycle_basis(np.ma.zeros((1, 2), int)),
                 lambda: riffle.minimum_cycle_basis([[0, 0]], np.ma.ones(1))):
        refused(errors.Unsupported, "a masked array; pass", call)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy's: do not use it
        y = riffle.transpose(np.matrix([[1, 2], [3, 4]]))
    assert type(y) is np.ndarray and y.tolist() == [[1, 3], [2, 4]]
    assert riffle.permute(np.array(["2020-01-01", "NaT"], "M8[D]"), "reverse").astype(str).tolist() == ["NaT", "2020-01-01"]


def test_arrays():
    refused((errors.Unsupported, NotImplementedError), "x: an array of Python objects", riffle.permute, np.array([None]), "reverse")
    refused(errors.Unsupported, "Python objects", riffle.transpose, np.zeros(2, [("a", "O"), ("b", "i4")]))
    refused(errors.LengthError, "x: 8 elements to be moved, and the permutation is of 4", riffle.permute, X, riffle.Perm("reverse", 4))
    refused(errors.InvalidArgument, "axis: 1 of an array of 1 dimensions", riffle.permute, X, "reverse", axis=1)
    refused(errors.InvalidArgument, "axes: (0, 0) is no order of 2 axes", riffle.transpose, X.reshape(2, 4), (0, 0))
    refused(errors.SpecSyntaxError, "spec", riffle.permute, X, "revers")


@pytest.mark.skipif(np.__version__.startswith("1."), reason="this NumPy has 32 dimensions at most")
def test_dimensions():
    refused(errors.InvalidArgument, "x: 40 dimensions; riffle takes up to 32", riffle.transpose, np.zeros((1,) * 40))
    refused(errors.LengthError, "indices: the result would have 33 dimensions", riffle.take, np.zeros((2,) + (1,) * 31), [[0]])


def test_outs():
    """Refused before anything is written."""
    out = filled((8,), "f8")
    before = out.tobytes()
    out.flags.writeable = False
    refused(errors.InvalidArgument, "out: is read-only", riffle.permute, X, "reverse", out=out)
    refused(errors.LengthError, "out: has not the shape of the result, (8,)", riffle.permute, X, "reverse", out=np.empty((2, 4)))
    refused(errors.InvalidArgument, "out: elements of 4 bytes", riffle.permute, X, "reverse", out=np.empty(8, "f4"))
    refused(errors.InvalidArgument, "out: of another dtype", riffle.permute, X, "reverse", out=np.empty(8, "i8"))
    both = filled((12,), "f8")
    kept = both.tobytes()
    refused(errors.InvalidArgument, "overlap", riffle.permute, both[:8], "reverse", out=both[2:10])
    refused(errors.InvalidArgument, "share memory", riffle.transpose, both.reshape(3, 4)[:, :3], out=both.reshape(3, 4)[:, 1:])
    refused(errors.InvalidArgument, "overlap", riffle.take, both[:4], [3, 2], out=both[1:3])
    refused(errors.Unsupported, "in place", riffle.permute, both, "random:1", out=both)
    assert both.tobytes() == kept and out.tobytes() == before


def test_indices():
    out = filled((2,), "f8", 3)
    before = out.tobytes()
    refused((errors.IndexOutOfRange, IndexError, ValueError), "indices: number 1 is 8; of 8 rows they are -8 to 7", riffle.take, X, [0, 8], out=out)
    refused((errors.IndexOutOfRange, IndexError), "2 indices into an array of 0 rows: there are none", riffle.take, X[:0], [0, -1])
    refused(errors.IndexOutOfRange, "indices: number 0 is -9; of 8 rows", riffle.take, X, [-9, 0], out=out)
    refused(errors.IndexOutOfRange, "indices: number 0 is 18446744073709551615; of 8 rows", riffle.take, X, np.array([2**64 - 1, 0], "u8"), out=out)
    refused(errors.InvalidArgument, "indices: of dtype bool", riffle.take, X, [True, False], out=out)
    refused(errors.InvalidArgument, "indices: of dtype float64", riffle.take, X, [0.0, 1.0], out=out)
    refused(errors.IndexOutOfRange, "of 0 rows", riffle.take, np.empty(0), [0])
    for dtype in ("u1", "u4", "u8", "i4", "i8"):  # rows and arrays of nothing have indices too
        for x, axis in ((np.zeros((3, 0)), 0), (np.zeros((3, 2), "V0"), 1), (np.zeros((0, 3)), 1), (np.zeros((2, 3, 0)), 1)):
            n = x.shape[axis]
            refused(errors.IndexOutOfRange, f"indices: number 1 is 99; of {n} rows", riffle.take, x, np.array([1, 99], dtype), axis)
            assert riffle.take(x, np.array([1, 1, n - 1], dtype), axis).shape == (*x.shape[:axis], 3, *x.shape[axis + 1:])
    refused(errors.IndexOutOfRange, "into an array of 0 rows", riffle.take, np.zeros((0, 0)), [0])
    assert out.tobytes() == before
    refused(errors.InvalidArgument, "axis: 0 of an array of 0 dimensions", riffle.take, np.float64(1), [0])


def test_plans():
    plan = riffle.plan("reverse", X)
    refused(errors.LengthError, "x: 1 arrays of 4 elements of 8 bytes, and the plan is for 1 of 8 of 8 bytes", plan, X[:4])
    refused(errors.LengthError, "x: 1 dimensions, and the plan moves along axis 1", riffle.plan("reverse", np.zeros((2, 4)), axis=1), X)
    refused(errors.Unsupported, "algorithm", riffle.plan, "random:1", X, algorithm="affine")
    refused(errors.InvalidArgument, "there are auto, copy", riffle.plan, "random:1", X, algorithm="xyzzy")
    refused(errors.InvalidArgument, "within themselves", riffle.plan("reverse", X, in_place=True), X, np.empty(8))


def test_programs():
    for text, meant in (("hadamar n", "hadamard"), ("bit-reversl", "bit-reversal"), ("pair minmx", "minmax"), ("parn 1 id", "parm")):
        refused(errors.SpecSyntaxError, f"; did you mean '{meant}'?", riffle.run, text, X)
    refused(errors.LengthError, "x: 1 arrays of 7 elements; programs are done to arrays of 2^n", riffle.run, "hadamard n", X[:7])
    refused(errors.Unsupported, "the other byte order; pass x.astype('<f8')", riffle.run, "hadamard n", X.astype(">f8"))
    refused(errors.Unsupported, "x: elements of type bool", riffle.run, "hadamard n", np.zeros(8, bool))
    refused(errors.InvalidArgument, "axis: 0; a program is done", riffle.run, "hadamard n", np.zeros((8, 8)), axis=0)
    refused(errors.InvalidArgument, "x: of dtype int64, and the plan is for float64", riffle.program("hadamard n", X), np.arange(8))
    refused(errors.Unsupported, "not defined for elements of type c128", riffle.run, "sort n", X.astype("c16"))


def test_hulls_and_machines():
    refused(errors.InvalidArgument, "points: of shape (8,)", riffle.hull, X)
    refused(errors.InvalidArgument, "point 1", riffle.hull, [[0.0, 0.0], [np.nan, 1.0]])
    refused(errors.Unsupported, "hulls are of integers", riffle.hull, np.zeros((3, 2), "c8"))
    refused(errors.InvalidArgument, "widht: no option of the machine", riffle.machine.simulate, "reverse", 8, widht=4)
    refused((errors.FileError, OSError), "missing.cu", riffle.lint, "missing.cu", "k")
    refused(errors.InvalidArgument, "policy", riffle.vat.replay, [1], "xyzzy")
    refused(errors.InvalidArgument, "unknown algorithm of hulls 'xyzzy'; there are auto and paper", riffle.hull, [[0, 0]], algorithm="xyzzy")
    refused(errors.Unsupported, "finds corners and not the points between them", riffle.hull, [[0, 0]], algorithm="paper", all=True)
    refused(errors.InvalidArgument, "first: from 0 to 1; it is from 0 to 2", riffle.hull, [[0, 0], [1, 1]], first=[0, 1])
