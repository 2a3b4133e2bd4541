# SPDX-License-Identifier: Apache-2.0
"""riffle histogram against NumPy's bincount, and what is refused."""
import os

import numpy as np

from command import SEED, CommandTest, main


class Histogram(CommandTest):
    def histogram(self, array, *options):
        np.save(self.path("in.npy"), array)
        return self.run_riffle("histogram", "in.npy", "out.npy", *options)

    def test_counts(self):
        for dtype, size in (("u1", 256), ("<u2", 65536), ("?", 256)):
            for shape in ((), (0,), (1,), (300, 701), (1200003,)):
                for order, options in (("C", ()), ("F", ("--threads", 3))):
                    array = self.random_array(shape, dtype, order=order) if dtype != "?" else np.asarray(self.rng.integers(0, 2, shape), "?", order=order)
                    done = self.histogram(array, *options)
                    self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), f"{dtype} {shape}, seed {SEED}")
                    wanted = np.bincount(np.ravel(array).astype("<i8"), minlength=size).astype("<u8")
                    self.assert_same(np.load(self.path("out.npy")), wanted, f"{dtype} {shape} {order}")

    def test_verbose(self):
        for dtype, words in (("u1", "5 keys of 1 byte counted"), ("<u2", "5 keys of 2 bytes counted")):
            done = self.histogram(np.zeros(5, dtype), "--verbose")
            self.assertEqual((done.returncode, done.stdout), (0, ""))
            self.assertIn(words, done.stderr)

    def test_other_types_are_refused(self):
        for dtype in ("i1", "<i2", ">u2", "<u4", "<f2", "S2"):
            done = self.histogram(np.zeros(5, dtype))
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, r"^riffle: in.npy: dtype '.*'; keys are of dtype uint8, bool or little-endian uint16; ")
            self.assertEqual(os.listdir(self.folder), ["in.npy"])


main()
