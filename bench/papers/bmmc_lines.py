#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The kernels that the BMMC paper's program would generate (Bouverot-Dupuis, Sheeran 2023, section 6 and appendix), by their lines.

    bmmc_lines.py [--bits M] [--samples N]   lines that make addresses, a bit a line and merged, in the kernels of random bit permutations;
                                             exit 1 if for the appendix's permutation they are not as many as bmmc_kernels.cu has

A line takes bits of one variable to an address: `out_addr |= (block & 31) << 5`. Bits whose offset is the same need one line together.
An index is the bits of a warp's lanes (`thread`), of a warp in its block (`warp`), and of a tile (`block`, some of them `iter`).
"""
import argparse
import random
import re
import sys
from pathlib import Path

TILE, ITERATIONS = 5, 3
KERNELS = Path(__file__).with_name("bmmc_kernels.cu")


def lines(sources, merged):
    """Lines of an address whose bit to[k] is bit k of a variable, for each variable."""
    return sum(len({at - bit for bit, at in enumerate(to)}) if merged else len(to) for to in sources)


def tiled(to, iterations):
    """The variables' places in the four addresses of a tiled kernel: in_addr, itile_addr, otile_addr, out_addr."""
    column = list(range(TILE))
    row = sorted(range(len(to)), key=lambda bit: to[bit])[:TILE]
    row.sort()
    tile = sorted({*column, *row})
    block = [bit for bit in range(len(to)) if bit not in tile]
    other_row, other_column = ([bit for bit in side if bit not in over] for side, over in ((row, column), (column, row)))
    blocks = [block[:iterations], block[iterations:]]
    return {"in": [column, other_row, *blocks], "itile": [[tile.index(bit) for bit in side] for side in (column, other_row)],
            "otile": [[tile.index(bit) for bit in side] for side in (row, other_column)],
            "out": [[to[bit] for bit in side] for side in (row, other_column, *blocks)]}


def kernels(to, merged):
    """Lines of each kernel. A shift is the upper bits of a place within the tile."""
    naive = lines([to], merged)
    plain = sum(lines(address, merged) for address in tiled(to, 0).values())
    iterated = sum(lines(address, merged) for address in tiled(to, ITERATIONS).values())
    rows = sum(to[bit] >= TILE for bit in range(TILE))
    return {"naive": naive, "tiled": plain, "banks": plain + 2 * (1 if merged and rows else rows), "iters": iterated}


def printed():
    return {name: body.count("|=") for name, body in re.findall(r"__global__ void bit_reverse_(\w+)\((.*?)\n}", KERNELS.read_text(), re.DOTALL)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bits", type=int, default=30, choices=range(2 * TILE + ITERATIONS, 41), metavar="M")
    parser.add_argument("--samples", type=int, default=1000)
    asked = parser.parse_args()
    reversal = list(reversed(range(15)))
    if kernels(reversal, True) != printed():
        sys.exit(f"bit reversal of 2^15: {kernels(reversal, True)} lines, and the appendix prints {printed()}")
    print("bit reversal of 2^15, as the appendix prints it:", ", ".join(f"{name} {count}" for name, count in printed().items()))
    chance = random.Random(asked.bits)
    sums = {merged: dict.fromkeys(printed(), 0) for merged in (False, True)}
    for _ in range(asked.samples):
        to = list(range(asked.bits))
        chance.shuffle(to)
        for merged, of in sums.items():
            for name, count in kernels(to, merged).items():
                of[name] += count
    print(f"means of {asked.samples} random bit permutations of 2^{asked.bits}, a bit a line, merged, and what merging saves:")
    for name in printed():
        alone, merged = (sums[way][name] / asked.samples for way in (False, True))
        print(f"  {name}: {alone:.1f} {merged:.1f} {1 - merged / alone:.0%}")


if __name__ == "__main__":
    main()
