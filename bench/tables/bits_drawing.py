#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/images/bits.svg: the bits of a bit's index on its way from elements to planes.

    bits_drawing.py    rewrite the picture

Elements of 4 bytes. A step is an order of fields of index bits, and the picture follows from the three orders.
"""
from pathlib import Path

OUT = Path(__file__).resolve().parents[2] / "docs/images/bits.svg"
# Fields of the index, the highest first: which bits they are, and how many.
FIELDS = {"i high": ["i9", "...", "i4", "i3"], "i low": ["i2", "i1", "i0"], "byte": ["p4", "p3"], "bit": ["p2", "p1", "p0"]}
STEPS = [("elements", "element i, byte, bit", ["i high", "i low", "byte", "bit"]),
         ("bytes moved", "the stage: rows (i, j), bytes q", ["i low", "byte", "i high", "bit"]),
         ("planes", "plane p, bit i", ["byte", "bit", "i high", "i low"])]
FILLS = {"i high": "#cfe3f5", "i low": "#9cc4e8", "byte": "#ffe0b3", "bit": "#ffc070"}
CELL, LEFT, TOP, ROW, WIDTH = 40, 210, 24, 92, 720


def text(x, y, words, anchor="start", size=14, weight="normal"):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}">{words}</text>'


def places(order):
    """Where each field begins, in cells."""
    out, at = {}, 0
    for field in order:
        out[field] = at
        at += len(FIELDS[field])
    return out


def draw_step(y, name, words, order):
    lines = [text(12, y + 18, name, weight="bold"), text(12, y + 36, words, size=12)]
    for field, at in places(order).items():
        for k, bit in enumerate(FIELDS[field]):
            x = LEFT + (at + k) * CELL
            lines.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{FILLS[field]}" stroke="#777"/>')
            lines.append(text(x + CELL / 2, y + CELL / 2 + 5, bit, "middle", 13))
    total = sum(map(len, FIELDS.values()))
    x = LEFT + (total - 3) * CELL
    return lines + [f'<path d="M {x} {y - 6} V {y + CELL + 6}" stroke="#b30000" stroke-width="2"/>']


def draw_moves(y, before, after):
    lines = []
    for field, at in places(before).items():
        half = len(FIELDS[field]) * CELL / 2
        x0, x1 = LEFT + at * CELL + half, LEFT + places(after)[field] * CELL + half
        lines.append(f'<path d="M {x0} {y + CELL + 2} L {x1} {y + ROW - 3}" stroke="#555" stroke-width="1.4" fill="none"/>')
    return lines


def main():
    lines, y = [], TOP
    for number, (name, words, order) in enumerate(STEPS):
        lines += draw_step(y, name, words, order)
        if number + 1 < len(STEPS):
            lines += draw_moves(y, order, STEPS[number + 1][2])
        y += ROW
    height = y - ROW + CELL + 44
    lines.append(text(LEFT, height - 14, "behind the red line: the bits below a byte's index", size=12))
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            'font-family="sans-serif" fill="#111">')
    OUT.write_text("\n".join([head, "<title>A bit transposition as a map of index bits</title>",
                              f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#fff"/>', *lines, "</svg>"]) + "\n")
    print(f"drawn: {OUT.relative_to(OUT.parents[2])}")


main()
