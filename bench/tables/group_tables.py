# SPDX-License-Identifier: Apache-2.0
"""The table of the suite group, as bench/tables/once_tables.py has those of once."""
from markdown import count, device, markdown, milliseconds
from results import over_peers, seconds_of_peers


PEERS = ["torch", "cupy", "numpy"]


def key_of(row):
    """The numbers by which a row of riffle's and a peer's are of the same groups."""
    return tuple(row[name] for name in ("n", "elem_bytes", "groups", "keys_per_row", "index_bytes"))


def groups(run, runs):
    peers = seconds_of_peers(run, "group-peers", key_of)
    names = [name for name in PEERS if any(name == algorithm for _, algorithm in peers)]
    cells = [[count(row["n"]), f"{row['elem_bytes']:,}", count(row["groups"]), row["keys_per_row"], "yes" if row["index_bytes"] else "no",
              milliseconds(row["seconds"]), f"{row['ratio']:.2f}", f"{row['bound_copies']:g}", *over_peers(row, key_of, peers, names)]
             for row in run["results"] if row["suite"] == "group" and "ratio" in row]
    heads = ["rows", "bytes each", "groups", "keys a row", "places", "ms", "copies", "bound, copies", *[f"of {name}" for name in names]]
    return [device(run), "", *markdown(heads, cells, 0)] if cells else []


SHOWN = {"group": groups}
