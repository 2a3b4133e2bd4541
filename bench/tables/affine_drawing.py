#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/images/affine-tile.svg: the worked example of docs/affine.md.

    affine_drawing.py    rewrite the picture

16 elements in segments of 2 move along y = A x, whose matrix is not tiled. All that the picture shows is computed from the
rows of A: the cosets of S = E + A^-1 E, their segments in src and in dst, and the first of them in shared memory.
"""
from pathlib import Path

OUT = Path(__file__).resolve().parents[2] / "docs/images/affine-tile.svg"
ROWS = [0b1100, 0b0110, 0b0001, 0b1001]  # affine:c,6,1,9
M, SEGMENT = len(ROWS), 2
FILLS = ["#ffb347", "#cfe3f5", "#d9ead3", "#e5dcef"]  # fills of the tiles; the first is the one that is followed
CELL, GAP, LEFT = 36, 10, 64
SRC_Y, TILE_Y, DST_Y, WIDTH, HEIGHT = 46, 158, 300, 760, 372
TILE_X = 400


def times(x):
    """A x."""
    return sum((bin(row & x).count("1") & 1) << k for k, row in enumerate(ROWS))


INVERSE = {times(x): x for x in range(1 << M)}
S = sorted({e ^ INVERSE[f] for e in range(SEGMENT) for f in range(SEGMENT)})
TILES = []
for start in range(1 << M):
    if not any(start in tile for tile in TILES):
        TILES.append([start ^ s for s in S])


def tile_of(x):
    return next(k for k, tile in enumerate(TILES) if x in tile)


def left_of(index):
    """Where the cell of an index begins."""
    return LEFT + index * CELL + index // SEGMENT * GAP


def text(x, y, words, anchor="middle", size=14, weight="normal"):
    return (f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}">{words}</text>')


def cell(x, y, content):
    """The element `content`, in its tile's colour; the followed tile's are bold."""
    tile = tile_of(content)
    weight = "normal" if tile else "bold"
    return [f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{FILLS[tile]}" stroke="#777"/>',
            text(x + CELL / 2, y + CELL / 2 + 5, content, weight=weight)]


def array(name, y, contents, index_y):
    """An array, the numbers of its elements beside the cells and a frame around each segment."""
    lines = [text(LEFT - 14, y + CELL / 2 + 5, name, "end", weight="bold")]
    for index, content in enumerate(contents):
        lines += cell(left_of(index), y, content)
        lines.append(text(left_of(index) + CELL / 2, index_y, index, size=11))
    for first in range(0, len(contents), SEGMENT):
        lines.append(f'<rect x="{left_of(first)}" y="{y}" width="{SEGMENT * CELL}" height="{CELL}" fill="none" '
                     'stroke="#222" stroke-width="2"/>')
    return lines


def arrow(x0, y0, x1, y1, bend):
    """From one point down to another, ending downwards, or to the right."""
    control = f"{x1} {y0 + 40}" if bend == "down" else f"{x0} {y1}"
    end = f"{x1} {y1}"
    return (f'<path d="M {x0} {y0} Q {control} {end}" fill="none" stroke="#b35900" stroke-width="2" '
            'marker-end="url(#head)"/>')


def middle_of(segment):
    return left_of(SEGMENT * segment) + SEGMENT * CELL / 2


def shared_tile():
    """Rows are segments of src, columns what becomes segments of dst."""
    followed = TILES[0]
    rows = sorted({x // SEGMENT for x in followed})
    columns = sorted({times(x) // SEGMENT for x in followed})
    lines = []
    for r, row in enumerate(rows):
        for c, column in enumerate(columns):
            both = [x for x in followed if x // SEGMENT == row and times(x) // SEGMENT == column]
            assert len(both) == 1
            lines += cell(TILE_X + c * CELL, TILE_Y + r * CELL, both[0])
        lines.append(arrow(middle_of(row), SRC_Y + CELL + 4, TILE_X - 8, TILE_Y + (r + 0.5) * CELL, "right"))
    bottom = TILE_Y + len(rows) * CELL
    for c, column in enumerate(columns):
        lines.append(arrow(TILE_X + (c + 0.5) * CELL, bottom + 4, middle_of(column), DST_Y - 8, "down"))
    right = TILE_X + len(columns) * CELL + 18
    lines.append(text(right, TILE_Y + 14, "the tile 0 + S in shared memory:", "start"))
    lines.append(text(right, TILE_Y + 34, "a row is a segment of src,", "start"))
    lines.append(text(right, TILE_Y + 54, "a column becomes a segment of dst", "start"))
    return lines


def main():
    for tile in TILES:  # whole segments on both sides
        assert {x ^ 1 for x in tile} == set(tile)
        assert {times(x) ^ 1 for x in tile} == {times(x) for x in tile}
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            'font-family="sans-serif" fill="#111">')
    marker = ('<defs><marker id="head" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="7" markerHeight="7" '
              'orient="auto"><path d="M 0 0 L 10 5 L 0 10 z" fill="#b35900"/></marker></defs>')
    lines = [head, "<title>S = E + A^-1 E in src, and A S in dst</title>", marker,
             f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#fff"/>',
             *array("src", SRC_Y, range(1 << M), SRC_Y - 8),
             *shared_tile(),
             *array("dst", DST_Y, [INVERSE[y] for y in range(1 << M)], DST_Y + CELL + 16), "</svg>"]
    OUT.write_text("\n".join(lines) + "\n")
    print(f"drawn: {OUT.relative_to(OUT.parents[2])}")


main()
