#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/images/beyond.svg: the transpose of a matrix of 8 x 8 elements over 4 ranks.

    exchange_drawing.py    rewrite the picture

Index bits are 3 of the row and 3 of the column; the 2 highest say the rank. The picture follows from the permutation and from the order in
which messages are packed: by rank, and then by the source's index.
"""
from pathlib import Path

OUT = Path(__file__).resolve().parents[2] / "docs/images/beyond.svg"
SIDE, RANKS = 8, 4
PART = SIDE * SIDE // RANKS
FILLS = ["#9cc4e8", "#ffc070", "#b5d99c", "#e3b7d8"]
CELL, LEFT, TOP, GAP = 15, 84, 34, 116


def target(i):
    return i % SIDE * SIDE + i // SIDE


def text(x, y, words, size=13, weight="normal", anchor="start"):
    return f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}">{words}</text>'


def rows():
    """src, packed, got and dst: for each rank the indices that its elements have in the array src."""
    src = [list(range(p * PART, (p + 1) * PART)) for p in range(RANKS)]
    packed = [sorted(part, key=lambda i: (target(i) // PART, i)) for part in src]
    got = [[i for part in packed for i in part if target(i) // PART == q] for q in range(RANKS)]
    dst = [sorted(part, key=target) for part in got]
    return [("src", src), ("packed", packed), ("got", got), ("dst", dst)]


def draw_row(y, name, parts):
    """A cell's colour is the rank that its element goes to."""
    lines = [text(12, y + CELL, name, weight="bold")]
    for p, part in enumerate(parts):
        for k, i in enumerate(part):
            x = LEFT + p * (PART * CELL + 12) + k * CELL
            lines.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL + 6}" fill="{FILLS[target(i) // PART]}" stroke="#777"/>')
            lines.append(text(x + CELL / 2, y + 14, i, 9, anchor="middle"))
    return lines


def arrows(y):
    """Each message, from where it is packed to where it comes."""
    lines = []
    size = PART // RANKS
    for p in range(RANKS):
        for q in range(RANKS):
            start = LEFT + p * (PART * CELL + 12) + (q + 0.5) * size * CELL
            end = LEFT + q * (PART * CELL + 12) + (p + 0.5) * size * CELL
            lines.append(f'<line x1="{start}" y1="{y}" x2="{end}" y2="{y + GAP - CELL - 10}" stroke="{FILLS[q]}" stroke-width="2"/>')
    return lines


def picture():
    width = LEFT + RANKS * (PART * CELL + 12) + 4
    steps = [TOP, TOP + 60, TOP + 60 + GAP, TOP + 120 + GAP]
    words = [text(LEFT, 20, "rank 0"), *(text(LEFT + p * (PART * CELL + 12), 20, f"rank {p}") for p in range(1, RANKS)),
             text(12, steps[0] + 44, "pack", 12), text(12, steps[1] + 72, "exchange", 12), text(12, steps[2] + 44, "unpack", 12)]
    cells = [line for y, (name, parts) in zip(steps, rows()) for line in draw_row(y, name, parts)]
    height = steps[-1] + 34
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
                      'font-family="sans-serif" fill="#111">', "<title>A matrix of 8 x 8 elements transposed over 4 ranks</title>",
                      f'<rect width="{width}" height="{height}" fill="#fff"/>', *arrows(steps[1] + CELL + 8), *words, *cells, "</svg>"]) + "\n"


OUT.write_text(picture())
