# SPDX-License-Identifier: Apache-2.0
"""Suites of a CPU: small, a move a row and a length a column; and choice, how well the planner chooses, a group a row."""
import math

import axes
from markdown import device, markdown


def move_of(row):
    """The move without what follows from its length: transpose, axes 2,1,0."""
    name, *rest = row["by"].split(":")
    return f"{name} {rest[-1]}" if name == "axes" else row["by"] if name == "rotate" else name


def cell_of(row):
    us = row["seconds"] * 1e6 if row else 0
    return f"{us:,.0f} us, {row['ratio']:.2f}" if us >= 1000 else f"{us:.3g} us, {row['ratio']:.2f}" if row else ""


IMAGES = ("images", "channels", "flips", "crops")
PEERS = {"numpy": "NumPy", "opencv": "OpenCV", "torch": "PyTorch"}


def own_of(run):
    return [row for row in run["results"] if row["suite"] == "small" and row["algorithm"] not in PEERS]


def peers_of(run):
    """The rows that bench/peers/numpy_peer.py has added, by what is moved and by whom."""
    peers = [row for row in run["results"] if row["suite"] == "small" and row["algorithm"] in PEERS]
    return {(*axes.what_moves(row), row["algorithm"]): row for row in axes.over_riffles_copies(peers, own_of(run))}


def small(run, runs):
    """Times, and beside them multiples of the copy of riffle's row, of peers too."""
    rows = [row for row in own_of(run) if row["group"] not in IMAGES]
    peers = {(move_of(row), row["elem_bytes"], row["group"], name): row for (*_, name), row in peers_of(run).items()}
    found = {(move_of(row), row["elem_bytes"], row["group"]): row for row in rows}
    groups = list(dict.fromkeys(row["group"] for row in rows))
    cells = []
    for move, size in dict.fromkeys((move, size) for move, size, _ in found):
        cells.append([f"`{move}`", size, *[cell_of(found.get((move, size, group))) for group in groups]])
        for name, words in PEERS.items():
            if any((move, size, group, name) in peers for group in groups):
                cells.append([f"... {words}", size, *[cell_of(peers.get((move, size, group, name))) for group in groups]])
    return [device(run) + " Time, and times riffle-bench's copy of as many bytes.", "", *markdown(["move", "bytes each", *groups], cells)] if rows else []


def images(run, runs):
    """Images of three channels, taken apart and woven."""
    rows, peers = [row for row in own_of(run) if row["group"] == "images"], peers_of(run)
    names = [name for name in PEERS if any(peer == name for *_, peer in peers)]
    cells = [[f"`{row['by']}`", row["elem_bytes"], cell_of(row), *[cell_of(peers.get((row["by"], row["n"], row["elem_bytes"], name))) for name in names]] for row in rows]
    heads = ["move", "bytes each", "riffle", *[versions(run)[name] for name in names]]
    return [device(run) + " One thread: time, and times riffle-bench's copy of as many bytes.", "", *markdown(heads, cells)] if rows else []


def image_kinds(run, runs):
    """Images of every kind: riffle's multiples of a copy, and in how many rows it takes less time than each peer."""
    peers = peers_of(run)
    names = [name for name in PEERS if any(peer == name for *_, peer in peers)]
    cells = []
    for kind, size in [(kind, size) for kind in IMAGES for size in (1, 2, 4)]:
        rows = [row for row in own_of(run) if (row["group"], row["elem_bytes"]) == (kind, size)]
        both = {name: [(row, peers[key]) for row in rows if (key := (*axes.what_moves(row), name)) in peers] for name in names}
        ahead = [f"{sum(row['seconds'] < peer['seconds'] for row, peer in both[name])} of {len(both[name])}" for name in names]
        ratios = [row["ratio"] for row in rows]
        if rows:
            cells.append([kind, size, f"{mean(ratios):.2f}", f"{max(ratios):.2f}", *ahead])
    heads = ["group", "bytes each", "copies, mean", "most", *[f"ahead of {versions(run)[name]}" for name in names]]
    return [device(run) + " One thread.", "", *markdown(heads, cells)] if len({cell[0] for cell in cells}) > 1 else []


def versions(run):
    """The peers' names, with what is known of their versions."""
    return {name: f"{words} {run[name]}" if run.get(name) else words for name, words in PEERS.items()}


def mean(figures):
    return math.exp(sum(map(math.log, figures)) / len(figures))


def hptt_planning(run, runs):
    """Seconds that HPTT's measuring plans for, by the shape, on the same device."""
    return {axes.what_moves(row): row["plan_seconds"] for other in runs if other["device"] == run["device"]
            for row in other["results"] if row.get("algorithm") == "hptt-measure" and "plan_seconds" in row}


def behind(rows, key):
    """Times of the best: the geometric mean, and the worst with its move."""
    figures = [row[key] / row["best_seconds"] for row in rows]
    worst = max(rows, key=lambda row: row[key] / row["best_seconds"])
    return f"{mean(figures):.3f}", f"{max(figures):.2f} (`{worst['by']}`, {worst['elem_bytes']})"


def planning(rows, hptt):
    """MEASURE's seconds, and the part of HPTT's that this is where HPTT was measured."""
    both = [row["measured_plan_seconds"] / hptt[axes.what_moves(row)] for row in rows if axes.what_moves(row) in hptt]
    return [f"{mean([row['measured_plan_seconds'] for row in rows]):.2g}", f"1/{1 / mean(both):.0f} ({len(both)})" if both else "-"]


def choice(run, runs):
    """Groups, then all but the TTC's shapes together."""
    rows = [row for row in run["results"] if row.get("suite") == "choice" and "seconds" in row]
    hptt = hptt_planning(run, runs)
    parts = {group: [row for row in rows if row["group"] == group] for group in dict.fromkeys(row["group"] for row in rows)}
    lengths = [row for row in rows if row["group"] != "ttc-4"]
    parts |= {"all but ttc-4": lengths} if lengths else {}
    cells = [[name, len(part), *behind(part, "seconds"), *behind(part, "measured_seconds"), *planning(part, hptt)] for name, part in parts.items() if part]
    heads = ["group", "moves", "`auto`, mean", "worst", "measured, mean", "worst", "planning, s", "of HPTT's"]
    return [device(run) + " Times of the best of all ways.", "", *markdown(heads, cells)] if rows else []


SHOWN = {"small": small, "small-images": images, "small-image-kinds": image_kinds, "choice": choice}
