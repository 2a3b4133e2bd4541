# SPDX-License-Identifier: Apache-2.0
"""The table of the suite group, as bench/tables/once_tables.py has those of once."""
from markdown import count, device, markdown, milliseconds


PEERS = ["torch", "cupy", "numpy"]


def key_of(row):
    """The numbers by which a row of riffle's and a peer's are of the same groups."""
    return tuple(row[name] for name in ("n", "elem_bytes", "groups", "keys_per_row", "index_bytes"))


def beside(row, peers, names):
    """Riffle's time over each peer's."""
    times = [peers.get((key_of(row), name)) for name in names]
    return [f"{row['seconds'] / time:.2f}" if time else "" for time in times]


def groups(run, runs):
    peers = {(key_of(row), row["algorithm"]): row["seconds"] for row in run["results"] if row["suite"] == "group-peers" and "seconds" in row}
    names = [name for name in PEERS if any(name == algorithm for _, algorithm in peers)]
    cells = [[count(row["n"]), f"{row['elem_bytes']:,}", count(row["groups"]), row["keys_per_row"], "yes" if row["index_bytes"] else "no",
              milliseconds(row["seconds"]), f"{row['ratio']:.2f}", f"{row['bound_copies']:g}", *beside(row, peers, names)]
             for row in run["results"] if row["suite"] == "group" and "ratio" in row]
    heads = ["rows", "bytes each", "groups", "keys a row", "places", "ms", "copies", "bound, copies", *[f"of {name}" for name in names]]
    return [device(run), "", *markdown(heads, cells, 0)] if cells else []


SHOWN = {"group": groups}
