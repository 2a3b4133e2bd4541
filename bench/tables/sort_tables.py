# SPDX-License-Identifier: Apache-2.0
"""Tables of the suite sort-gpu, peers beside, as bench/tables/affine_tables.py has those of affine."""
from functools import partial

from markdown import count, device, markdown, milliseconds
from results import over_peers, seconds_of_peers

PEERS = ["cub merge", "cub radix", "cub segmented", "cub pairs", "thrust", "torch", "cupy"]
MOST_OF_UNIFORM = 1.3

# By type, bytes, numbers and whether indices go along: a peer, and which part of its time riffle's is to be at most.
REACH = {("u32", 4, 2**28, False): [("cub merge", 0.5), ("cub radix", 1)],
         ("u64", 8, 2**28, False): [("cub merge", 0.44), ("cub radix", 0.75)],
         ("u64", 16, 2**27, False): [("cub merge", 0.36)],
         ("u64", 8, 2**27, True): [("cub merge", 0.5), ("cub radix", 0.85)]}
REACH |= {("i64", 24, 2**26, True): [("cub merge", 0.5), ("torch", 0.5)]}
REACH |= {("u32", 4, 2**bits, False): [("cub merge", 0.8)] for bits in range(16, 25)}


def key_of(row):
    """The sort of a row: the same for riffle's row and a peer's."""
    has_indices = row["algorithm"] == "argsort" or row.get("indices", 0) > 0
    return row["by"], row["n"], row["elem_bytes"], row["type"], max(row.get("arrays", 1), 1), has_indices, row.get("count", 0)


def name_of(row):
    return {16: "u128", 24: "3 i64"}.get(row["elem_bytes"], row["type"])


def rows_of(run, group=None):
    return [row for row in run["results"] if row["suite"] == "sort-gpu" and "ratio" in row and group in (None, row["group"])]


def peers_of(run, runs):
    """Peers' rows by what they sort and who they are, of the same device."""
    return {(key_of(row), row["algorithm"]): row for other in runs if other.get("device") == run["device"]
            for row in other["results"] if row["suite"] == "sort-gpu-peers" and "seconds" in row}


def reached(row, peers):
    by, n, elem_bytes, kind, arrays, has_indices, _ = key_of(row)
    said = []
    for name, most in REACH.get((kind, elem_bytes, n, has_indices), []) if by == "uniform" and arrays == 1 else []:
        peer = peers.get((key_of(row), name))
        if peer:
            said.append(f"{most:g} of {name}: {'yes' if row['seconds'] <= most * peer['seconds'] else '**no**'}")
    return "; ".join(said)


def of_uniform(row, rows):
    """Over the time of uniform numbers of the same type, where this is another order."""
    for other in rows:
        if other["by"] == "uniform" and key_of(other)[1:] == key_of(row)[1:] and row["by"] != "uniform":
            ratio = row["seconds"] / other["seconds"]
            return f"{ratio:.2f} of uniform" if ratio <= MOST_OF_UNIFORM else f"**{ratio:.2f} of uniform**"
    return ""


def group_rows(run, runs, group):
    rows, peers = rows_of(run, group), peers_of(run, runs)
    if run["engine"] != "cuda" or not rows:
        return []
    names = [name for name in PEERS if any((key_of(row), name) in peers for row in rows)]
    cells = []
    for row in rows:
        found = [peers.get((key_of(row), name)) for name in names]
        arrays = row.get("arrays", 1)
        cells.append([row["by"] + (", indices" if row["algorithm"] == "argsort" else ""), name_of(row),
                      f"{count(arrays)} x {count(row['n'])}" if arrays > 1 else count(row["n"]), milliseconds(row["seconds"]),
                      f"{row['ratio']:.1f}", *[f"{row['seconds'] / peer['seconds']:.2f}" if peer else "" for peer in found],
                      "; ".join(filter(None, [reached(row, peers), of_uniform(row, rows)]))])
    heads = ["numbers", "type", "how many", "ms", "copies", *[f"of {name}" for name in names], "at most"]
    return [device(run), "", *markdown(heads, cells, 2)]


def top(run, runs):
    """The first of many: half of a copy's time is a read of the elements."""
    rows = rows_of(run, "top")
    if run["engine"] != "cuda" or not rows:
        return []
    peers = seconds_of_peers(run, "top-peers", key_of)
    names, cells = [name for name in PEERS if any(name == algorithm for _, algorithm in peers)], []
    for row in rows:
        arrays = row.get("arrays", 1)
        cells.append([row["by"] + (", indices" if row["indices"] else ""), name_of(row), count(row["count"]),
                      f"{count(arrays)} x {count(row['n'])}" if arrays > 1 else count(row["n"]), milliseconds(row["seconds"]), f"{2 * row['ratio']:.2f}",
                      *over_peers(row, key_of, peers, names)])
    return [device(run), "", *markdown(["numbers", "type", "first", "of", "ms", "reads", *[f"of {name}" for name in names]], cells, 2)]


def partition(run, runs):
    """Numbers and rows parted around the one in their middle."""
    rows = rows_of(run, "partition")
    if run["engine"] != "cuda" or not rows:
        return []
    cells = []
    for row in rows:
        arrays = row.get("arrays", 1)
        cells.append([row["by"] + (", indices" if row["indices"] else ""), name_of(row), f"{count(arrays)} x {count(row['n'])}" if arrays > 1 else count(row["n"]),
                      milliseconds(row["seconds"]), f"{row['ratio']:.2f}"])
    return [device(run), "", *markdown(["numbers", "type", "how many", "ms", "copies"], cells, 2)]


def what_of(row):
    """A row's way, of the first of many with how many."""
    return row["algorithm"] + (f" {count(row['count'])}" if "count" in row else "") + (", indices" if row.get("indices") else "")


def host(run, runs):
    """The suite sort on the host."""
    if run["engine"] != "cpu":
        return []
    cells = [[row["group"], what_of(row), row["by"], f"{row['arrays']:,} x {row['n']}" if row.get("arrays", 1) > 1 else count(row["n"]),
              f"{row['type']}, {row['elem_bytes']}", f"{row['seconds'] * 1e3:.3g}", f"{row['ratio']:.1f}"]
             for row in run["results"] if row["suite"] == "sort" and "ratio" in row]
    heads = ["group", "what", "order", "how many", "type, bytes", "ms", "times a copy"]
    return [device(run), "", *markdown(heads, cells, 5)] if cells else []


def checked(run, runs):
    """Sorts, and the same with each check."""
    rows = rows_of(run, "checked")
    cells = []
    for plain in rows:
        same = {row.get("check"): row for row in rows if key_of(row) == key_of(plain)}
        if "check" not in plain and {"full", "passes"} <= same.keys():
            full, passes = same["full"], same["passes"]
            cells.append([plain["by"] + (", indices" if plain["algorithm"] == "argsort" else ""), name_of(plain), count(plain["n"]), milliseconds(plain["seconds"]),
                          milliseconds(full["seconds"]), f"{(full['seconds'] - plain['seconds']) * 1e3:.2f}",
                          milliseconds(passes["seconds"]), f"{passes['seconds'] / plain['seconds']:.3f}"])
    heads = ["numbers", "type", "how many", "the sort, ms", "with FULL", "more, ms", "with PASSES", "PASSES, times the sort"]
    return [device(run), "", *markdown(heads, cells, 2)] if cells else []


SHOWN = {f"sort-gpu-{group}": partial(group_rows, group=group) for group in ("sizes", "shapes", "types", "order", "segments", "rows", "merge")} | {"sort-gpu-top": top, "sort-gpu-partition": partition, "sort-checked": checked, "sort-host": host}
