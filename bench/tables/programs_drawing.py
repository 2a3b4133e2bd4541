#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/images/programs-tile.svg: the worked example of docs/programs.md.

    programs_drawing.py    rewrite the picture

The four stages of `merge 4` on 16 elements, and the tiles of 2^3 elements of the two passes that they take. Pairs come from
the definitions by plain recursion over lists of indices; directions, functionals and tiles from the pairs.
"""
from pathlib import Path

OUT = Path(__file__).resolve().parents[2] / "docs/images/programs-tile.svg"
N, TILE_BITS = 4, 3
CELL, LEFT, TOP, ROW, WIDTH = 34, 196, 26, 92, 768
FILLS = ["#ffe0b3", "#cfe3f5"]  # the first element of a pair, the second; or the first tile, the second
LINES = ["#b35900", "#2a6099"]


def parity(x):
    return bin(x).count("1") & 1


def parm(mask, program, indices):
    """The stages of parm: of both halves, side by side."""
    halves = [[x for k, x in enumerate(indices) if parity(k & mask) == half] for half in (0, 1)]
    return [one + other for one, other in zip(*(program(half) for half in halves))]


def vcolumn(indices):
    return [[tuple(indices)]] if len(indices) == 2 else parm(3, vcolumn, indices)


def merge(indices):
    return [] if len(indices) == 1 else vcolumn(indices) + parm(len(indices) // 2, merge, indices)


def direction(stage):
    steps = {a ^ b for a, b in stage}
    assert len(steps) == 1
    return steps.pop()


def functional(stage):
    """The mask of one bit that tells the second elements from the first."""
    return next(1 << k for k in range(N) if all(a >> k & 1 == 0 and b >> k & 1 for a, b in stage))


def span(vectors):
    sums = {0}
    for v in vectors:
        sums |= {s ^ v for s in sums}
    return sums


def passes(stages):
    """As many stages in order as tiles of 2^TILE_BITS with lane 0001 take: (the stages' numbers, what spans the tile)."""
    out, taken, vectors = [], [], [1]
    for number, stage in enumerate(stages):
        wider = [*vectors, direction(stage)]
        if len(span(wider)) > 1 << TILE_BITS:
            out, taken, vectors = [*out, (taken, vectors)], [], [1]
        taken, vectors = [*taken, number], [*vectors, direction(stage)]
    out.append((taken, vectors))
    filled = []
    for taken, vectors in out:
        for k in range(N):  # the rest of a tile makes runs longer
            if len(span(vectors)) < 1 << TILE_BITS:
                vectors = [*vectors, 1 << k]
        filled.append((taken, vectors))
    return filled


def text(x, y, words, anchor="start", size=14, weight="normal"):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}">{words}</text>'


def cells(y, fill):
    lines = []
    for x in range(1 << N):
        lines.append(f'<rect x="{LEFT + x * CELL}" y="{y}" width="{CELL}" height="{CELL}" fill="{FILLS[fill(x)]}" stroke="#777"/>')
        lines.append(text(LEFT + (x + 0.5) * CELL, y + CELL / 2 + 5, x, "middle", 13))
    return lines


def arc(a, b, y):
    """From one cell's upper side to another's, higher the farther they are apart."""
    x0, x1 = LEFT + (a + 0.5) * CELL, LEFT + (b + 0.5) * CELL
    return f'<path d="M {x0} {y} Q {(x0 + x1) / 2} {y - 8 - 4 * abs(b - a)} {x1} {y}" fill="none" stroke="{LINES[0]}" stroke-width="1.6"/>'


def draw_stage(y, number, stage):
    second = functional(stage)
    lines = [text(12, y + 14, f"stage {number + 1}", weight="bold"),
             text(12, y + 32, f"d = {direction(stage):04b}, f = {second:04b}", size=13)]
    return lines + cells(y, lambda x: parity(x & second)) + [arc(a, b, y - 1) for a, b in stage]


def draw_tiles(y, number, taken, vectors):
    tile, done = span(vectors), " and ".join(str(k + 1) for k in taken)
    spanning = list(dict.fromkeys(f"{v:04b}" for v in vectors))
    lines = [text(12, y + 14, f"pass {number + 1}: stages {done}", weight="bold"),
             text(12, y + 32, "spanned by " + ", ".join(spanning), size=12)]
    return lines + cells(y, lambda x: int(x not in tile))


def main():
    stages = merge(list(range(1 << N)))
    assert [direction(stage) for stage in stages] == [15, 7, 3, 1]  # Figure 13 of the BMMC paper
    y, lines = TOP + 46, []
    for number, stage in enumerate(stages):
        lines += draw_stage(y, number, stage)
        y += ROW if number < 2 else ROW - 20
    for number, (taken, vectors) in enumerate(passes(stages)):
        assert all(direction(stages[k]) in span(vectors) for k in taken)
        lines += draw_tiles(y, number, taken, vectors)
        y += CELL + 18
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}" '
            'font-family="sans-serif" fill="#111">')
    lines = [head, "<title>The stages of merge 4, and the tiles of its two passes</title>",
             f'<rect width="{WIDTH}" height="{y}" rx="8" fill="#fff"/>', *lines, "</svg>"]
    OUT.write_text("\n".join(lines) + "\n")
    print(f"drawn: {OUT.relative_to(OUT.parents[2])}")


main()
