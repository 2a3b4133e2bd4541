# SPDX-License-Identifier: Apache-2.0
"""Parts of bench/papers/pictures.py's drawings: SVG as text, on a white sheet that is read on light and dark pages alike.

Memory is drawn as a grid: columns are banks, rows go down. A mark's colour says to which group it belongs, and words say it too.
"""
import math

FILLS = ["#cfe3f5", "#f8dcc4", "#d3e8cc", "#e9d5f0"]  # cells, by group
LINES = ["#0072b2", "#d55e00", "#009e73", "#aa3377"]  # lines, by group
DASHES = ["", "7 3", "2 3", "9 3 2 3"]
CELL = 40


def escaped(words):
    return str(words).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def text(x, y, words, anchor="middle", size=13, weight="normal", colour="#222"):
    style = (f' font-weight="{weight}"' if weight != "normal" else "") + (f' fill="{colour}"' if colour != "#222" else "")
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}"{style}>{escaped(words)}</text>'


def note(x, y, words, anchor="start"):
    return text(x, y, words, anchor, 12, colour="#555")


def box(x, y, width, height, fill="none", stroke="#888"):
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}" stroke="{stroke}"/>'


def line(x0, y0, x1, y1, colour="#555", width=1.5, dash=""):
    style = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path d="M{x0:g} {y0:g}L{x1:g} {y1:g}" stroke="{colour}" stroke-width="{width}" fill="none"{style}/>'


def arrow(x0, y0, x1, y1, colour="#555"):
    angle = math.atan2(y1 - y0, x1 - x0)
    ends = [(x1 - 8 * math.cos(angle + turn), y1 - 8 * math.sin(angle + turn)) for turn in (0.4, -0.4)]
    head = f'<path d="M{x1:g} {y1:g}L{ends[0][0]:.1f} {ends[0][1]:.1f}L{ends[1][0]:.1f} {ends[1][1]:.1f}z" fill="{colour}"/>'
    return line(x0, y0, x1, y1, colour) + head


def grid(x, y, words, fills=None, cell=CELL, size=12):
    """A matrix of words; `fills` has a group for each, None for none."""
    parts = []
    for r, row in enumerate(words):
        for c, word in enumerate(row):
            group = fills[r][c] if fills else None
            parts.append(box(x + c * cell, y + r * cell, cell, cell, "#fff" if group is None else FILLS[group % len(FILLS)]))
            if word != "":
                parts.append(text(x + (c + 0.5) * cell, y + (r + 0.5) * cell + size / 3, word, size=size))
    return parts


def banks(x, y, count, cell=CELL):
    """Names of banks above a grid that begins at x, y."""
    return [note(x + (b + 0.5) * cell, y - 7, f"B[{b}]", "middle") for b in range(count)]


def sheet(width, height, title, parts):
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
            'font-family="sans-serif" fill="#222">')
    return "\n".join([head, f"<title>{escaped(title)}</title>", f'<rect width="{width:g}" height="{height:g}" rx="8" fill="#fff"/>',
                      *parts, "</svg>"]) + "\n"
