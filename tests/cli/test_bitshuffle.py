# SPDX-License-Identifier: Apache-2.0
"""riffle bitshuffle against NumPy's packbits, and what is refused."""
import os

import numpy as np

from command import SEED, CommandTest, main


def planes_of(elements, width, order):
    """(width, bytes): bit i of plane p is bit p of element i."""
    bits = np.unpackbits(elements.view("u1").reshape(-1, width // 8), axis=1, bitorder="little")
    return np.packbits(bits.T, axis=1, bitorder=order)


class Bitshuffle(CommandTest):
    def shuffle(self, array, *options):
        np.save(self.path("in.npy"), array)
        return self.run_riffle("bitshuffle", "in.npy", "out.npy", *options)

    def done(self, array, *options):
        done = self.shuffle(array, *options)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), f"{options}, seed {SEED}")
        return np.load(self.path("out.npy"))

    def test_planes_and_back(self):
        for dtype in ("u1", "<f4", "<i8", "<c16", "S3"):
            for shape in ((1,), (1003,), (30, 72), (70001,)):
                array = self.random_array(shape, dtype)
                width = 8 * array.dtype.itemsize
                for order in ("little", "big"):
                    planes = self.done(array, "--bit-order", order)
                    self.assert_same(planes, planes_of(array.ravel(), width, order), f"{dtype} {shape} {order}")
                    back = self.done(planes, "--dtype", array.dtype.str, "--n", array.size, "--bit-order", order, "--threads", 2)
                    self.assert_same(back, array.ravel(), f"{dtype} {shape} {order} back")

    def test_fortran_order_is_read_in_c_order(self):
        array = self.random_array((31, 64), "<u2", order="F")
        self.assert_same(self.done(array), planes_of(np.ascontiguousarray(array).ravel(), 16, "little"), "Fortran order")

    def test_blocks(self):
        array = self.random_array((40, 100), "<f4")
        planes = self.done(array, "--block", 500)
        self.assert_same(planes, np.stack([planes_of(block, 32, "little") for block in array.reshape(-1, 500)]), "blocks")
        self.assert_same(self.done(planes, "--dtype", "<f4", "--n", 500), array.ravel(), "blocks back")
        self.assertEqual(self.done(np.zeros(0, "<f4"), "--block", 8).shape, (0, 32, 1))

    def test_parts_of_bytes(self):
        array = self.random_array((777,), "u1")
        for bits in (1, 2, 4):
            for order in ("little", "big"):
                parts = [(array >> at) & ((1 << bits) - 1) for at in range(0, 8, bits)]
                elements = np.stack(parts if order == "little" else parts[::-1], axis=1).ravel()
                wanted = np.stack([np.packbits(elements >> p & 1, bitorder=order) for p in range(bits)])
                planes = self.done(array, "--elem-bits", bits, "--bit-order", order)
                self.assert_same(planes, wanted, f"{bits} bits, {order}")
                back = self.done(planes, "--elem-bits", bits, "--dtype", "u1", "--n", elements.size, "--bit-order", order)
                self.assert_same(back, array, f"{bits} bits, {order} back")

    def test_parts_of_bytes_in_blocks(self):
        array = self.random_array((12, 20), "u1")
        planes = self.done(array, "--elem-bits", 4, "--block", 40)
        self.assertEqual(planes.shape, (12, 4, 5))
        self.assert_same(self.done(planes, "--elem-bits", 4, "--dtype", "u1"), array.ravel(), "blocks of 4 bits back")

    def test_no_elements(self):
        planes = self.done(np.zeros((3, 0), "<f4"))
        self.assertEqual(planes.shape, (32, 0))
        for n in ((), ("--n", 0)):
            self.assert_same(self.done(planes, "--dtype", "<f4", *n), np.zeros(0, "<f4"), f"no elements back, {n}")

    def test_what_is_refused(self):
        for array, options, status, words in (
                (np.zeros(8, "<f4"), ("--elem-bits", 4), 1, "in.npy: dtype '<f4'; elements of 4 bits are packed in an array of uint8"),
                (np.zeros(8, "u1"), ("--elem-bits", 3), 2, "option --elem-bits: number of bits '3': unknown; the choices are 1, 2, 4"),
                (np.zeros(9, "<f4"), ("--block", 4), 1, "in.npy: 9 elements are no blocks of 4 in whole bytes; choose a --block that divides their number"),
                (np.zeros(6, "u1"), ("--elem-bits", 1, "--block", 12), 1, "in.npy: 48 elements are no blocks of 12 in whole bytes; choose a --block that divides their number"),
                (np.zeros((8, 2), "<f4"), ("--dtype", "<f4"), 1, "in.npy: planes are of dtype uint8 and of shape (bits, bytes) or (blocks, bits, bytes)"),
                (np.zeros((12, 2), "u1"), ("--dtype", "<f4"), 1, "in.npy: 12 planes; elements of --dtype have a multiple of 8 bits, or --elem-bits 1, 2 or 4"),
                (np.zeros((32, 2), "u1"), ("--dtype", "<f4", "--n", 17), 1, "in.npy: planes of 2 bytes are not those of 17 elements (--n)"),
                (np.zeros((8, 2), "u1"), ("--n", 9), 2, "--n: how many elements planes are of; that is for --dtype"),
                (np.zeros((32, 2), "u1"), ("--dtype", "<f4", "--n", 0), 1, "in.npy: planes of 2 bytes are not those of 0 elements (--n)"),
                (np.zeros((4, 2), "u1"), ("--dtype", "u1"), 1, "in.npy: 4 planes; elements of --dtype have a multiple of 8 bits, or --elem-bits 1, 2 or 4"),
                (np.zeros((4, 2), "u1"), ("--dtype", "u1", "--elem-bits", 2), 1, "in.npy: 4 planes; elements of --elem-bits 2 have 2"),
                (np.zeros((4, 2), "u1"), ("--dtype", "<f4", "--elem-bits", 4), 2, "--dtype <f4: elements of --elem-bits are packed in an array of uint8; say --dtype u1"),
                (np.zeros((8, 2), "u1"), ("--dtype", "u1", "--block", 9), 2, "--dtype says that IN has planes; --block is for elements")):
            done = self.shuffle(array, *options)
            self.assertEqual((done.returncode, done.stderr.splitlines()[0]), (status, f"riffle: {words}"), options)
            self.assertEqual(os.listdir(self.folder), ["in.npy"])
        done = self.shuffle(np.zeros((32, 2), "u1"), "--dtype", "<f8")
        self.assertEqual(done.returncode, 2)
        self.assertIn("elements of this descr have 8", done.stderr)


main()
