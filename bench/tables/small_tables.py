# SPDX-License-Identifier: Apache-2.0
"""The suite small: a move a row, a length a column."""
from markdown import device, markdown


def move_of(row):
    """The move without what follows from its length: transpose, axes 2,1,0."""
    name, *rest = row["by"].split(":")
    return f"{name} {rest[-1]}" if name == "axes" else row["by"] if name == "rotate" else name


def cell_of(row):
    us = row["seconds"] * 1e6 if row else 0
    return f"{us:,.0f} us, {row['ratio']:.2f}" if us >= 1000 else f"{us:.3g} us, {row['ratio']:.2f}" if row else ""


PEERS = {"numpy": "NumPy", "opencv": "OpenCV"}


def own_of(run):
    return [row for row in run["results"] if row["suite"] == "small" and row["algorithm"] not in PEERS]


def peers_of(run):
    """The rows that bench/peers/numpy_peer.py has added, by what is moved and by whom."""
    return {(row["by"], row["n"], row["elem_bytes"], row["algorithm"]): row for row in run["results"] if row["suite"] == "small" and row["algorithm"] in PEERS}


def small(run, runs):
    """Times, and beside them multiples of the copy; of peers the times alone."""
    rows = [row for row in own_of(run) if row["group"] != "images"]
    peers = {(move_of(row), row["elem_bytes"], row["group"], name): row for (*_, name), row in peers_of(run).items()}
    found = {(move_of(row), row["elem_bytes"], row["group"]): row for row in rows}
    groups = list(dict.fromkeys(row["group"] for row in rows))
    cells = []
    for move, size in dict.fromkeys((move, size) for move, size, _ in found):
        cells.append([f"`{move}`", size, *[cell_of(found.get((move, size, group))) for group in groups]])
        for name, words in PEERS.items():
            if any((move, size, group, name) in peers for group in groups):
                cells.append([f"... {words}", size, *[cell_of(peers.get((move, size, group, name))) for group in groups]])
    return [device(run) + " Time, and times a copy of as many bytes.", "", *markdown(["move", "bytes each", *groups], cells)] if rows else []


def images(run, runs):
    """Images of three channels, taken apart and woven."""
    rows, peers = [row for row in own_of(run) if row["group"] == "images"], peers_of(run)
    names = [name for name in PEERS if any(peer == name for *_, peer in peers)]
    cells = [[f"`{row['by']}`", row["elem_bytes"], cell_of(row), *[cell_of(peers.get((row["by"], row["n"], row["elem_bytes"], name))) for name in names]] for row in rows]
    heads = ["move", "bytes each", "riffle", *[PEERS[name] for name in names]]
    return [device(run) + " One thread: time, and times a copy of as many bytes.", "", *markdown(heads, cells)] if rows else []


SHOWN = {"small": small, "small-images": images}
