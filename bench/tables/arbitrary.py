# SPDX-License-Identifier: Apache-2.0
"""Reading the results of the suite arbitrary and of its peers: one figure by what is moved and by whom."""

LONG_BYTES = 1 << 26  # bytes of an array that is timed by itself: launching it takes no time beside moving it

WAYS = ["auto", "bucket", "gather", "scatter", "scheduled"]
PEERS = {"thrust::gather": "thrust::gather", "cub sort pairs": "CUB sort pairs", "x[p]": "PyTorch x[p]",
         "index_select": "PyTorch index_select", "take, 32-bit": "CuPy take, 32-bit", "take, 64-bit": "CuPy take, 64-bit"}
SHUFFLES = {"thrust::shuffle": "thrust::shuffle", "randperm": "torch.randperm alone",
            "randperm, x[p]": "torch.randperm, x[p]"}


def rows_of(run, *groups):
    """Rows of these groups, or of all but checks'; those that were not measured too."""
    return [row for row in run["results"] if row["suite"] == "arbitrary" and (row["group"] in groups if groups else row["group"] != "checked")]


def way_of(row):
    """Who moves: an algorithm that was asked for, or a peer's expression."""
    return row.get("how", row.get("asked_algorithm"))


def what_moves(row):
    return row["n"], row["elem_bytes"]


def is_comparable(row):
    """True if the row's time is the GPU's alone, as riffle's are: a short array's is if it was in a CUDA graph."""
    return row.get("graph") or row["n"] * row["elem_bytes"] >= LONG_BYTES


def random_ones(run, runs):
    """Rows along random permutations by (n, bytes) and by way: the run's, and what other files have of its device, peers
    as far as they were timed as the run's rows are, and what the suite hmm measured of scheduling where the suite has nothing."""
    found = {}
    for other in runs:
        if other["device"] != run["device"]:
            continue
        for row in other["results"]:
            is_hmm = row["suite"] == "hmm" and row["by"] == "random:1" and row["asked_algorithm"] == "scheduled"
            is_peer = row["suite"] == "arbitrary-peers" and "ratio" in row and (way_of(row) in SHUFFLES or is_comparable(row))
            if (is_hmm and "ratio" in row) or is_peer:
                found[(what_moves(row), way_of(row))] = row
    for row in rows_of(run, "ways", "sizes", "rows", "peers", "crossovers"):
        if "ratio" in row:
            found[(what_moves(row), way_of(row))] = row
    return found


def best(found, what, ways):
    """The least ratio of these ways, or None."""
    return min((found[(what, way)]["ratio"] for way in ways if (what, way) in found), default=None)
