# SPDX-License-Identifier: Apache-2.0
"""riffle ungroup against NumPy: copies and sums along places, the way back of riffle group, and what is refused."""
import os

import numpy as np

from command import SEED, CommandTest, main


def sums(rows, places, weights):
    """Sums over places in their order, each product and sum rounded by itself; of float16 in float32, rounded once."""
    wide = rows.astype("<f4") if rows.dtype == "<f2" else rows
    with_zeros = np.concatenate([wide, np.zeros((1,) + wide.shape[1:], wide.dtype)])
    out = np.zeros((len(places),) + wide.shape[1:], wide.dtype)
    for j in range(places.shape[1]):
        part = with_zeros[places[:, j]]
        if weights is not None:
            part = part * weights[:, j].reshape((-1,) + (1,) * (wide.ndim - 1))
        is_there = (places[:, j] >= 0).reshape((-1,) + (1,) * (wide.ndim - 1))
        out = np.where(is_there, part if j == 0 else out + part, out)
    return out.astype(rows.dtype)


class Ungroup(CommandTest):
    def ungroup(self, rows, places, weights=None, *options):
        for name, array in (("in", rows), ("places", places), ("weights", weights)):
            if array is not None:
                np.save(self.path(f"{name}.npy"), array)
        given = () if weights is None else ("--weights", "weights.npy")
        return self.run_riffle("ungroup", "in.npy", "out.npy", "--places", "places.npy", *given, *options)

    def test_copies(self):
        for dtype, shape, n in (("u1", (5,), 9), ("<f8", (3001,), 4001), ("<i2", (500, 3), 300), ("<c16", (70, 2, 2), 71), ("<f4", (4, 0), 3), ("<f4", (5,), 0)):
            for places_type in ("<i8", "<i4"):
                rows = self.random_array(shape, dtype)
                places = self.rng.integers(-1, shape[0], n).astype(places_type)
                done = self.ungroup(rows, places, None, "--threads", 2)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), f"{dtype} {shape}, seed {SEED}")
                wanted = np.concatenate([rows, np.zeros((1,) + shape[1:], dtype)])[places]
                self.assert_same(np.load(self.path("out.npy")), wanted, f"{dtype} {shape}, seed {SEED}")

    def test_sums(self):
        for dtype in ("<f2", "<f4", "<f8"):
            for k in (1, 2, 5):
                rows = self.rng.uniform(-1, 1, (200, 7)).astype(dtype)
                places = self.rng.integers(0, 200, (301, k))
                weights = self.rng.uniform(-1, 1, places.shape).astype("<f8" if dtype == "<f8" else "<f4")
                for factors in (None, weights):
                    done = self.ungroup(rows, places, factors)
                    self.assertEqual((done.returncode, done.stderr), (0, ""), f"{dtype} {k}, seed {SEED}")
                    self.assert_same(np.load(self.path("out.npy")), sums(rows, places, factors), f"{dtype} {k}, seed {SEED}")

    def test_the_way_back(self):
        """Rows that riffle group brought together come back, but for rows that were left out."""
        rows, keys = self.random_array((2003, 3), "<i4"), self.rng.integers(-1, 20, 2003)
        np.save(self.path("rows.npy"), rows)
        np.save(self.path("keys.npy"), keys)
        done = self.run_riffle("group", "rows.npy", "grouped.npy", "--keys", "keys.npy", "--groups", 20, "--multiple", 8, "--places", "places.npy")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.run_riffle("ungroup", "grouped.npy", "out.npy", "--places", "places.npy", "--verbose")
        self.assertRegex(done.stderr, r"^riffle: out.npy: 2003 rows of 12 bytes of 1 places each in \d+\.\d{3} s\n$")
        self.assert_same(np.load(self.path("out.npy")), np.where((keys >= 0)[:, None], rows, 0), f"seed {SEED}")

    def test_places_that_are_cut_short_afterwards(self):
        """Once they were looked at, places are the command's own."""
        rows = np.arange(1 << 16)
        np.save(self.path("in.npy"), rows)
        np.save(self.path("places.npy"), rows[::-1])
        done = self.run_at("fallocate:truncate:8192:places.npy", "ungroup", "in.npy", "out.npy", "--places", "places.npy")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assert_same(np.load(self.path("out.npy")), rows[::-1], "rows")

    def refuses(self, words, done, status=1):
        self.assertEqual((done.returncode, done.stderr), (status, f"riffle: {words}\n"))
        self.assertNotIn("out.npy", os.listdir(self.folder))

    def test_refusals(self):
        rows, places = np.zeros((4, 2)), np.zeros(4, "<i8")
        self.refuses("places.npy: place 2 is 4; it names none of 4 rows", self.ungroup(rows, np.array([0, -1, 4])))
        self.refuses("places.npy: place 0 is -2; it names none of 4 rows", self.ungroup(rows, np.array([-2])))
        self.refuses("places.npy: dtype '<u8'; places are little-endian int64 or int32, as riffle group writes them", self.ungroup(rows, places.astype("<u8")))
        self.refuses("places.npy: places are an array of shape (n,), one of each row of OUT, or (n, k), k of each; this one has another", self.ungroup(rows, np.zeros((4, 0), "<i8")))
        self.refuses("places.npy: is in Fortran order; save numpy.ascontiguousarray of it", self.ungroup(rows, np.zeros((4, 2), "<i8", order="F")))
        self.refuses("in.npy: dtype '<i8'; sums of rows are of little-endian float16, float32 or float64", self.ungroup(np.zeros(4, "<i8"), np.zeros((4, 2), "<i8")))
        self.refuses("in.npy: a 0-dimensional array has no rows to bring back", self.ungroup(np.zeros(()), places))
        for weights in (np.zeros(4, "<f4"), np.zeros(3)):
            self.refuses("weights.npy: weights of these rows are little-endian float64 of the shape of places.npy", self.ungroup(rows, places, weights))
        self.refuses("weights.npy: weights of these rows are little-endian float32 of the shape of places.npy", self.ungroup(rows.astype("<f4"), places, np.zeros(4)))
        done = self.run_riffle("ungroup", "in.npy", "out.npy")
        self.assertEqual((done.returncode, "no places given; say which with --places PLACES.npy" in done.stderr), (2, True))


main()
