# SPDX-License-Identifier: Apache-2.0
"""Reading the results of the suite arbitrary and of its peers: one figure by what is moved and by whom."""

WAYS = ["auto", "bucket", "gather", "scatter", "scheduled"]
PEERS = {"thrust::gather": "thrust::gather", "cub sort pairs": "CUB sort pairs", "x[p]": "PyTorch x[p]",
         "index_select": "PyTorch index_select", "take, 32-bit": "CuPy take, 32-bit", "take, 64-bit": "CuPy take, 64-bit"}
SHUFFLES = {"thrust::shuffle": "thrust::shuffle", "randperm": "torch.randperm alone",
            "randperm, x[p]": "torch.randperm, x[p]"}


def rows_of(run, *groups):
    """Of these groups, or of all; those that were not measured too."""
    return [row for row in run["results"] if row["suite"] == "arbitrary" and (not groups or row["group"] in groups)]


def way_of(row):
    """Who moves: an algorithm that was asked for, or a peer's expression."""
    return row.get("how", row.get("asked_algorithm"))


def what_moves(row):
    return row["n"], row["elem_bytes"]


def random_ones(run, runs):
    """Rows along random permutations by (n, bytes) and by way: the run's, and what other files have of its device,
    PyTorch and CuPy, and what the suite hmm measured of scheduling where the suite has nothing."""
    found = {}
    for other in runs:
        if other["device"] != run["device"]:
            continue
        for row in other["results"]:
            is_hmm = row["suite"] == "hmm" and row["by"] == "random:1" and row["asked_algorithm"] == "scheduled"
            if (is_hmm or row["suite"] == "arbitrary-peers") and "ratio" in row:
                found[(what_moves(row), way_of(row))] = row
    for row in rows_of(run, "ways", "sizes", "rows", "peers", "crossovers"):
        if "ratio" in row:
            found[(what_moves(row), way_of(row))] = row
    return found


def best(found, what, ways):
    """The least ratio of these ways, or None."""
    return min((found[(what, way)]["ratio"] for way in ways if (what, way) in found), default=None)
