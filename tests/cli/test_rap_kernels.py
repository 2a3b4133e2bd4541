# SPDX-License-Identifier: Apache-2.0
"""The kernels of examples/rap/ under every layout, run by riffle lint: the memory machine counts the congestion that
riffle/rap.h's host functions say, and no hazard. bench/papers/rap.py makes Table III of docs/rap.md from the same runs."""
import itertools
import os
import pathlib
import sys

from command import RIFFLE, SEED, CommandTest, main

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench/papers"))
import rap  # noqa: E402  (bench/papers/rap.py)

QUICK = "SANITIZED" in os.environ
LAYOUTS = ["raw", "rap", "swizzle128"] if QUICK else [*rap.FLAT, "swizzle128"]
BYTES = {"float": 4, "double": 8, "double2": 16}


def source_of(algorithm, i, j):
    """Where thread (i, j) reads, by the paper's section III; it writes with row and column exchanged."""
    return {"crsw": (i, j), "srcw": (j, i), "drdw": ((i + j) % 32, j)}[algorithm]


def most_in_a_bank(addresses, banks):
    different = set(addresses)
    return max(sum(address % banks == bank for address in different) for bank in range(banks))


def turns(addresses, elem_bytes):
    """Turns of one warp on a GPU: its phases' congestions added up; with 4 bytes the congestion of the model."""
    lanes = 32 * 4 // elem_bytes
    return sum(most_in_a_bank(addresses[k:k + lanes], lanes) for k in range(0, 32, lanes))


class Transposes(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.addresses = rap.Addresses()
        cls.addClassCleanup(cls.addresses.folder.cleanup)

    def check(self, algorithm, layout, element, drawn_for, seed):
        words, address = self.addresses.of(layout, drawn_for, seed)
        rows, hazards = rap.lint_transpose(RIFFLE, algorithm, layout, element, words)
        what = f"{algorithm} {layout} {element} drawn for {drawn_for}, seed {seed}"
        self.assertEqual(hazards, [], what)
        for op in ("read", "write"):
            warps = []
            for i in range(32):
                places = [source_of(algorithm, i, j) for j in range(32)]
                warps.append([address[r][c] if op == "read" else address[c][r] for r, c in places])
            row = rows[op]
            self.assertEqual((row["op"], row["warps"], row["rounds"]), (op, 32, 1), what)
            self.assertEqual(row["stages"], sum(turns(warp, 4) for warp in warps), what)
            self.assertEqual(row["worst_stages"], max(turns(warp, 4) for warp in warps), what)
            self.assertEqual(row["requests"], sum(turns(warp, BYTES[element]) for warp in warps), what)
        return rows

    def test_every_layout(self):
        for algorithm, layout in itertools.product(rap.ALGORITHMS, LAYOUTS):
            self.check(algorithm, layout, "float", 4, SEED)
            if not QUICK:
                self.check(algorithm, layout, "double", 4, SEED)

    def test_numbers_drawn_for_wide_elements(self):
        for algorithm, (element, elem_bytes) in itertools.product(("crsw", "srcw"), BYTES.items()):
            rows = self.check(algorithm, "rap", element, elem_bytes, SEED)
            for row in rows.values():  # free of conflicts in the model and in every phase of a GPU
                self.assertEqual((row["stages"], row["requests"]), (32, 32 * elem_bytes // 4), f"seed {SEED}")

    def test_the_swizzle_of_tensor_copies(self):
        for algorithm, read, write in (("crsw", 1, 4), ("srcw", 4, 1), ("drdw", 1, 1)):
            rows = self.check(algorithm, "swizzle128", "float", 4, SEED)
            self.assertEqual((rows["read"]["worst_stages"], rows["write"]["worst_stages"]), (read, write), algorithm)

    def test_the_machine_sees_table_iii(self):
        """Results that do not depend on chance."""
        for algorithm, layout, read, write in (("crsw", "raw", 1, 32), ("srcw", "raw", 32, 1), ("drdw", "raw", 1, 1),
                                               ("crsw", "rap", 1, 1), ("srcw", "rap", 1, 1)):
            rows = self.check(algorithm, layout, "double", 4, SEED)
            self.assertEqual((rows["read"]["stages"] // 32, rows["write"]["stages"] // 32), (read, write))


class Axes(CommandTest):
    """Section VII: congestion along the axes of a 32 x 32 x 32 array."""

    EXPECTED = {"raw": (1, 32, 32), "1p": (1, 1, 32), "r1p": (1, 1, 1), "3p": (1, 1, 1), "padded": (1, 1, 32),
                "xor": (1, 1, 32)}

    def test_axes(self):
        addresses = rap.Addresses()
        self.addCleanup(addresses.folder.cleanup)
        words = [word for k in range(3) for word in addresses.of("rap", 4, SEED + k)[0]]
        for layout, expected in self.EXPECTED.items():
            for axis, congestion in zip(("contiguous", "stride1", "stride2"), expected):
                rows, hazards = rap.lint_axes(RIFFLE, layout, axis, words)
                row, what = rows["read"], f"{layout} {axis}, seed {SEED}"
                self.assertEqual(hazards, [], what)
                self.assertEqual((row["rounds"], row["warps"]), (32, 1024), what)
                self.assertEqual((row["stages"], row["requests"]), (1024 * congestion, 1024 * congestion), what)


main()
