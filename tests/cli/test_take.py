# SPDX-License-Identifier: Apache-2.0
"""riffle take against NumPy's own x[indices], byte for byte, and what is refused."""
import os

import numpy as np

from command import SEED, CommandTest, main

INTEGERS = ["u1", "i1", "<u2", ">i2", "<i4", "<u4", ">u4", "<i8", ">i8", "<u8"]


class Take(CommandTest):
    def take(self, array, indices, *options):
        np.save(self.path("in.npy"), array)
        np.save(self.path("indices.npy"), indices)
        done = self.run_riffle("take", "in.npy", "indices.npy", "out.npy", *options)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), f"{options}, seed {SEED}")
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "indices.npy", "out.npy"])
        return np.load(self.path("out.npy"))

    def indices(self, n, shape, dtype):
        dtype = np.dtype(dtype)
        least = max(-n, np.iinfo(dtype).min) if dtype.kind == "i" else 0
        return self.rng.integers(least, min(n, np.iinfo(dtype).max), shape, endpoint=False).astype(dtype)

    def test_every_integer(self):
        for dtype in INTEGERS:
            for array in (self.random_array((1009,), "<f4"), self.random_array((97, 3), "S5"),
                          self.random_array((300, 7, 2), "<f8")):
                indices = self.indices(len(array), 4001, dtype)
                self.assert_same(self.take(array, indices), array[indices], f"{array.shape} by {dtype}")

    def test_shapes(self):
        array = self.random_array((31, 5), "<i2")
        for shape in ((), (0,), (1,), (3, 4), (2, 0, 3), (2, 3, 5)):
            indices = self.indices(31, shape, "<i8")
            self.assert_same(self.take(array, indices), array[indices], f"indices of shape {shape}")
        rows_of_nothing = np.zeros((5, 0, 3), "<f4")
        self.assert_same(self.take(rows_of_nothing, np.array([1, 1])), rows_of_nothing[[1, 1]], "rows of nothing")
        nothing = np.zeros((0, 4), "<f4")
        self.assert_same(self.take(nothing, np.zeros(0, "<i4")), nothing, "nothing of nothing")

    def test_fortran_order(self):
        array = self.random_array((65, 33, 3), "<f4", order="F")
        indices = self.indices(65, 200, "<i8")
        self.assert_same(self.take(array, indices), array[indices], "rows in Fortran order")

    def test_long(self):
        array, indices = self.random_array((300001,), "<f4"), self.indices(300001, 500000, "<i8")
        for threads in (1, 3):
            self.assert_same(self.take(array, indices, "--threads", threads), array[indices], f"{threads} threads")

    def refuses(self, status, pattern, *arguments, **options):
        before = sorted(os.listdir(self.folder))
        done = self.run_riffle("take", *arguments, **options)
        self.assertEqual((done.returncode, done.stdout), (status, ""), arguments)
        self.assertRegex(done.stderr, pattern)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_what_is_refused(self):
        for name, array in {"x": np.arange(10.0), "scalar": np.array(1.0), "floats": np.array([1.0]),
                            "late": np.array([3, 10, 2]), "early": np.array([3, 1, -11], "<i2"),
                            "right": np.array([3, 1]),
                            "unsigned": np.array([3, 10, 2], "u2"), "least": np.array([0, -2**63], ">i8"), "first": np.array([9, -11, 10], "i1"),
                            "nothing": np.zeros((5, 0)), "beyond": np.array([4, 5], "u4"), "fortran": np.asfortranarray(np.zeros((2, 3), "<i8")),
                            "empty": np.zeros(0), "deep": np.zeros((1,) * 32, "<i8"),
                            "matrix": np.zeros((2, 2))}.items():
            np.save(self.path(f"{name}.npy"), array)
        for arguments, status, pattern in [
                (("x.npy", "unsigned.npy"), 1, r"unsigned.npy: indices: number 1 is 10, which is not below n = 10\n$"),
                (("x.npy", "late.npy"), 1, r"late.npy: indices: number 1 is 10; of 10 rows they are -10 to 9\n$"),
                (("x.npy", "early.npy"), 1, r"early.npy: indices: number 2 is -11; of 10 rows they are -10 to 9\n$"),
                (("x.npy", "least.npy"), 1, r"least.npy: indices: number 1 is -9223372036854775808; of 10 rows"),
                (("x.npy", "first.npy"), 1, r"first.npy: indices: number 1 is -11; of 10 rows"),
                (("nothing.npy", "early.npy"), 1, r"early.npy: indices: number 2 is -11; of 5 rows they are -5 to 4\n$"),
                (("nothing.npy", "beyond.npy"), 1, r"beyond.npy: indices: number 1 is 5, which is not below n = 5\n$"),
                (("empty.npy", "right.npy"), 1, "right.npy: 2 indices into an array of 0 rows"),
                (("scalar.npy", "right.npy"), 1, "scalar.npy: a 0-dimensional array has no rows to take"),
                (("x.npy", "floats.npy"), 1, "floats.npy: dtype '<f8'; indices are integers of 1, 2, 4 or 8 bytes"),
                (("x.npy", "fortran.npy"), 1, "fortran.npy: is in Fortran order"),
                (("matrix.npy", "deep.npy"), 1, "more than 32 dimensions"),
                (("x.npy", "missing.npy"), 1, "missing.npy: .*No such file")]:
            self.refuses(status, pattern, *arguments, "out.npy")
        self.refuses(2, "in.npy|x.npy", "x.npy", "right.npy", "x.npy")
        self.refuses(2, "take", "x.npy", "right.npy")

    def test_cuda_is_not_there(self):
        """Said of the engine, not of a file; and also where there is nothing to take."""
        np.save(self.path("x.npy"), np.arange(10.0))
        np.save(self.path("fortran.npy"), np.asfortranarray(np.zeros((3, 2))))
        np.save(self.path("right.npy"), np.array([2, -1]))
        np.save(self.path("none.npy"), np.zeros(0, "<i8"))
        for array, indices in (("x.npy", "right.npy"), ("x.npy", "none.npy"), ("fortran.npy", "right.npy")):
            self.refuses(1, r"^riffle: take: (the cuda engine is in libriffle-cuda|the cuda engine finds no GPU)", array,
                         indices, "out.npy", "--engine", "cuda", env={**os.environ, "CUDA_VISIBLE_DEVICES": ""})
        self.refuses(2, "engine 'cdua': unknown; did you mean 'cuda'", "x.npy", "right.npy", "out.npy", "--engine", "cdua")


main()
