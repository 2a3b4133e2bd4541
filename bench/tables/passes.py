#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many passes programs take: asks `riffle explain --json` of each case and writes
bench/results/programs/passes.json.

    passes.py RIFFLE
"""
import json
import subprocess
import sys

import results
from markdown import markdown

RESULT = "programs/passes.json"
CASES = [("hadamard n", 20, "f32"), ("hadamard n", 26, "f32"), ("hadamard n", 28, "f32"), ("sequency n", 26, "f32"), ("zeta n", 28, "u64"),
         ("fft n", 24, "c64"), ("fft n", 28, "c64"), ("sort n", 10, "u32"), ("sort n", 20, "u32"), ("sort n", 24, "u32"), ("sort n", 28, "u32"),
         ("bitonic n", 24, "u32"), ("bitonic n", 28, "u32")]


def explain(riffle, program, bits, kind):
    """Returns the document of `riffle explain --json`."""
    words = [riffle, "explain", "--by", program, "--n", f"2^{bits}", "--type", kind, "--json"]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def table():
    """A program a row: a pass for each operation, the paper's way, this compiler, and the bound."""
    cells = [[f"`{row['by']}`", row["n"].bit_length() - 1, row["type"], row["bit_by_bit"], row["paper"], row["passes"], row["bound"]]
             for row in results.read(RESULT)]
    return "\n".join(markdown(["program", "n", "type", "bit by bit", "paper's way", "fused", "bound"], cells)) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    results.write_rows(RESULT, [{"by": case[0], **explain(sys.argv[1], *case)} for case in CASES])
