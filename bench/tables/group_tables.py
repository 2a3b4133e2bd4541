# SPDX-License-Identifier: Apache-2.0
"""The table of the suite group, as bench/tables/once_tables.py has those of once."""
from markdown import count, device, markdown, milliseconds


def groups(run, runs):
    cells = [[count(row["n"]), f"{row['elem_bytes']:,}", count(row["groups"]), row["keys_per_row"], "yes" if row["index_bytes"] else "no",
              milliseconds(row["seconds"]), f"{row['ratio']:.2f}", f"{row['bound_copies']:g}"]
             for row in run["results"] if row["suite"] == "group" and "ratio" in row]
    heads = ["rows", "bytes each", "groups", "keys a row", "places", "ms", "copies", "bound, copies"]
    return [device(run), "", *markdown(heads, cells, 0)] if cells else []


SHOWN = {"group": groups}
