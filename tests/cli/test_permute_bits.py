# SPDX-License-Identifier: Apache-2.0
"""riffle permute --elem-bits against NumPy's packbits, and what is refused."""
import os

import numpy as np

from command import SEED, CommandTest, main


def unpacked(packed, bits, order):
    """The elements, one a byte, of the last axis."""
    parts = [packed >> at & (1 << bits) - 1 for at in range(0, 8, bits)]
    return np.stack(parts if order == "little" else parts[::-1], axis=-1).reshape(*packed.shape[:-1], -1)


def packed(elements, bits, order):
    parts = elements.reshape(*elements.shape[:-1], -1, 8 // bits)
    shifts = np.arange(0, 8, bits, dtype="u1")
    return (parts << (shifts if order == "little" else shifts[::-1])).sum(axis=-1).astype("u1")


class PermuteBits(CommandTest):
    def test_transposes(self):
        for shape in ((64, 40), (8, 8), (48, 2, 24)):
            for bits in (1, 2, 4):
                for order in ("little", "big"):
                    array = self.random_array((*shape[:-1], shape[-1] * bits // 8), "u1")
                    elements = unpacked(array, bits, order)
                    axes = tuple(range(len(shape)))[::-1]
                    by = f"axes:{'x'.join(map(str, shape))}:{','.join(map(str, axes))}"
                    got = self.permute(array, by, "--elem-bits", bits, "--bit-order", order)
                    self.assert_same(got, packed(np.ascontiguousarray(elements.transpose(axes)), bits, order), f"{by}, {bits} bits, {order}")

    def test_rows_that_fill_no_bytes_are_one_row(self):
        array = self.random_array((3, 8), "u1")
        wanted = packed(unpacked(array, 1, "little").T.reshape(1, -1), 1, "little")
        self.assert_same(self.permute(array, "transpose:3x64|transpose:192x1", "--elem-bits", 1), wanted, "one row")

    def test_verbose_counts_bits(self):
        for size, bits, words in ((77, 1, r"616 elements of 1 bit \(0\.0 MiB\)"), (3 << 18, 4, r"1572864 elements of 4 bits \(0\.8 MiB\)")):
            np.save(self.path("in.npy"), np.zeros(size, "u1"))
            done = self.run_riffle("permute", "in.npy", "out.npy", "--by", "reverse", "--elem-bits", bits, "--verbose", "--force")
            self.assertRegex(done.stderr, f"^riffle: out.npy: {words} moved by 'bits'\n")

    def test_other_permutations_keep_the_shape(self):
        array = self.random_array((32, 64), "u1")
        bits = np.unpackbits(array)
        self.assert_same(self.permute(array, "reverse", "--elem-bits", 1, "--bit-order", "big"), np.packbits(bits[::-1]).reshape(32, 64), "reverse")
        table = self.rng.permutation(bits.size)
        np.save(self.path("table.npy"), table)
        self.extra_files = ("table.npy",)
        wanted = np.packbits(bits[np.argsort(table)]).reshape(32, 64)
        self.assert_same(self.permute(array, "table:table.npy", "--elem-bits", 1, "--bit-order", "big"), wanted, f"a table, seed {SEED}")

    def test_fortran_order(self):
        array = self.random_array((16, 24), "u1", order="F")
        self.assert_same(self.permute(array, "identity", "--elem-bits", 2), np.ascontiguousarray(array), "Fortran order")

    def test_what_is_refused(self):
        for array, options, status, words in (
                (np.zeros(8, "<u2"), ("--by", "reverse", "--elem-bits", 1), 1, "in.npy: dtype '<u2'; elements of 1 bit are packed in an array of uint8"),
                (np.zeros((3, 8), "u1"), ("--by", "transpose:3x64", "--elem-bits", 1), 1,
                 "out.npy: the last axis of 3 elements of 1 bit does not fill bytes; 'SPEC|transpose:192x1' writes all in one row"),
                (np.zeros(8, "u1"), ("--by", "reverse", "--bit-order", "big"), 2, "permute: --bit-order goes with --elem-bits; give that too, or leave it out"),
                (np.zeros(8, "u1"), ("--by", "reverse", "--elem-bits", 3), 2, "option --elem-bits: number of bits '3': unknown; the choices are 1, 2, 4"),
                (np.zeros(8, "u1"), ("--by", "reverse", "--elem-bits", 1, "--rows"), 2,
                 "permute: --elem-bits has no --rows; leave it out")):
            np.save(self.path("in.npy"), array)
            done = self.run_riffle("permute", "in.npy", "out.npy", *options)
            self.assertEqual((done.returncode, done.stderr.splitlines()[0]), (status, f"riffle: {words}"), options)
            self.assertEqual(os.listdir(self.folder), ["in.npy"])

    def test_explain(self):
        done = self.run_riffle("explain", "--by", "bit-reversal", "--n", "2^20", "--elem-bits", 1, "--bit-order", "big")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("of 1048576 elements of 1 bit, big order", done.stdout)
        self.assertIn("way: affine, one pass: tiles of 512 lines", done.stdout)
        done = self.run_riffle("explain", "--by", "reverse", "--n", 64, "--elem-bits", 1, "--elem-bytes", 4)
        self.assertEqual(done.returncode, 2)
        self.assertIn("explain: --elem-bits has no --elem-bytes", done.stderr)
        self.assertIn("--bit-order goes with --elem-bits", self.run_riffle("explain", "--by", "reverse", "--n", 64, "--bit-order", "big").stderr)


main()
