# SPDX-License-Identifier: Apache-2.0
"""Reading the results of the suite axes and of its peers: riffle's rows by group, and others' beside them."""
import math

GROUPS = {"table": "the table's", "ttc-4": "TTC's, 4 bytes", "ttc-8": "TTC's, 8 bytes", "random-1": "random, 1 byte",
          "random-2": "random, 2 bytes", "random-4": "random, 4 bytes", "random-8": "random, 8 bytes",
          "random-16": "random, 16 bytes"}
PEERS = {"cutensor": "cuTENSOR", "torch": "PyTorch", "cupy": "CuPy"}
HOST_PEERS = {"numpy": "NumPy", "opencv": "OpenCV", "torch": "PyTorch", "hptt": "HPTT by its model", "hptt-measure": "HPTT by its measuring"}


def group_of(row):
    return row.get("group", "table")


def rows_of(run, *groups):
    return [row for row in run["results"] if row["suite"] == "axes" and "ratio" in row and row["algorithm"] not in HOST_PEERS
            and (not groups or group_of(row) in groups)]


def what_moves(row):
    return row["by"], row["n"], row["elem_bytes"]


def peers_of(run, runs):
    """The peers' times on the run's device, or refusals: their rows by what is moved and by whom."""
    return {(what_moves(row), row["algorithm"]): row for other in runs if other["device"] == run["device"]
            for row in other["results"] if row["suite"] == "axes-peers"}


def over_riffles_copies(peers, own):
    """Peers' rows with times over the copies of riffle's rows: a peer that streams past a cache, or allocates, has slower copies of its own."""
    copies = {what_moves(row): row["copy_seconds"] for row in own}
    return [{**row, "ratio": row["seconds"] / copies[what_moves(row)]} if "ratio" in row else row for row in peers if what_moves(row) in copies]


def host_peers_of(run):
    """The rows that bench/peers/numpy_peer.py and hptt_peer.py have added, by what is moved and by whom."""
    peers = [row for row in run["results"] if row["suite"] == "axes" and row["algorithm"] in HOST_PEERS]
    return {(what_moves(row), row["algorithm"]): row for row in over_riffles_copies(peers, rows_of(run))}


def versions(run, runs):
    """The peers' names, with their versions."""
    found = {name: other[name] for other in runs if other["device"] == run["device"] for name in PEERS if other.get(name)}
    return {name: f"{words} {found[name]}" if name in found else words for name, words in PEERS.items()}


def both(rows, peers, name):
    """Pairs of riffle's row and a peer's of the same, as far as the peer has moved it."""
    pairs = [(row, peers.get((what_moves(row), name))) for row in rows]
    return [(row, peer) for row, peer in pairs if peer and "ratio" in peer]


def geometric_mean(rows):
    return math.exp(sum(math.log(row["ratio"]) for row in rows) / len(rows))
