# SPDX-License-Identifier: Apache-2.0
"""The numbers of bench's sorts, made by its kernels on the memory machine: peers make the same, results that are right are found to be so, and
wrong ones are not."""
import pathlib
import re
import sys

import numpy as np

from command import CommandTest, main

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bench/peers"))
import sort_numbers  # noqa: E402

ORDERS = ["uniform", "sorted", "reversed", "few", "equal", "zipf", "nearly", "staggered", "alternating"]
TYPES = {"u8": 1, "i16": 2, "u32": 4, "i64": 8, "u64": 8, "f16": 2, "f32": 4, "f64": 8, "u64 of 16": 16, "i64 of 24": 24}
N, SEGMENTS = 130, 3


class Numbers(CommandTest):
    def test_kernels(self):
        words = ["--accesses", 1, "--checks", 1, "--work", 0, "--timeout", 110, "-I", ROOT / "bench/suites", "-I", ROOT / "cli", "-I", ROOT / "include", "--", self.path("numbers")]
        done = self.run_riffle("lint", ROOT / "tests/bench/numbers.cu", *words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        found = re.search(r"(\d+) looks, (\d+) mistakes", done.stdout + done.stderr)
        self.assertGreater(int(found[1]), 400)
        self.assertEqual(int(found[2]), 0)
        whole, at = pathlib.Path(self.path("numbers")).read_bytes(), 0
        for by in ORDERS:
            for name, elem_bytes in TYPES.items():
                part, at = whole[at:at + SEGMENTS * N * elem_bytes], at + SEGMENTS * N * elem_bytes
                if elem_bytes == 16 or by == "zipf":  # peers do not sort the one, and a pow may differ in the last bit
                    continue
                row = {"by": by, "n": N, "arrays": SEGMENTS, "type": name.split()[0], "elem_bytes": elem_bytes}
                self.assertEqual(np.ascontiguousarray(sort_numbers.array_of(row)).tobytes(), part, row)


main()
