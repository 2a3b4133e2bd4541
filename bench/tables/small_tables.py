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


def small(run, runs):
    """Times, and beside them multiples of the copy."""
    rows = [row for row in run["results"] if row["suite"] == "small"]
    found = {(move_of(row), row["elem_bytes"], row["group"]): row for row in rows}
    groups = list(dict.fromkeys(row["group"] for row in rows))
    moves = dict.fromkeys((move, size) for move, size, _ in found)
    cells = [[f"`{move}`", size, *[cell_of(found.get((move, size, group))) for group in groups]] for move, size in moves]
    return [device(run) + " Time, and times a copy of as many bytes.", "", *markdown(["move", "bytes each", *groups], cells)] if rows else []


SHOWN = {"small": small}
