# SPDX-License-Identifier: Apache-2.0
"""Instructions a byte of inner loops for aarch64: what bench/hardware/neon_loops.py counted."""
import json

import results
from markdown import markdown


def table():
    """A loop a row."""
    run = json.loads((results.FOLDER / "neon/loops.json").read_text())
    cells = [[row["family"], f"`{row['function']}`", row["store"], row["instructions"], row["bytes"], f"{row['instructions_a_byte']:.2f}"]
             for row in run["rows"]]
    heads = ["loops", "function", "widest store, bytes", "instructions a turn", "bytes stored", "instructions a byte"]
    return "\n".join([f"{run['compiler']}.", "", *markdown(heads, cells, 2)]) + "\n"
