#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The BMMC paper (Bouverot-Dupuis, Sheeran 2023) counted without a GPU, for docs/affine.md.

    bmmc.py over [--bits M] [--samples N]   n_over of random bit permutations and of random matrices' factors, beside closed forms
    bmmc.py channels                        Figure 12: channels of memory that tiles of transposes of 2^25 elements meet
    bmmc.py transposes RIFFLE               section 2.3: the transposes on the memory machine, a second
    bmmc.py count RIFFLE                    all of it, into bench/results/bmmc/: two minutes
    bmmc.py check RIFFLE                    count channels and transposes again; exit 1 if they are not what bench/results/bmmc/ says
    bmmc.py tables [--check]                rewrite docs/affine.md's regions, or exit 1 if one is not what bench/results/bmmc/ says

A vector of bits is a number; a matrix is the list of its columns.
"""
import argparse
import json
import math
import random
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/tables"))
import results as files  # noqa: E402
from markdown import markdown  # noqa: E402

PAGE = ROOT / "docs/affine.md"
REGION = re.compile(r"(<!-- begin bmmc: (\w+) -->\n).*?(<!-- end bmmc -->)", re.DOTALL)
TILE = 5  # n_tile: a warp's 32 lanes


# -------------------------------------------------------------------------------------- linear algebra

def rank(vectors):
    leading = {}
    for vector in vectors:
        while vector and (top := vector.bit_length()) in leading:
            vector ^= leading[top]
        if vector:
            leading[vector.bit_length()] = vector
    return len(leading)


def random_matrix(chance, m):
    """Any invertible matrix, each with the same chance."""
    while True:
        columns = [chance.getrandbits(m) for _ in range(m)]
        if rank(columns) == m:
            return columns


def apply(columns, x):
    y = 0
    for j, column in enumerate(columns):
        if x >> j & 1:
            y ^= column
    return y


# ---------------------------------------------------------------------------------------------- n_over

def over_of_bits(chance, m):
    """Index bits that stay among the lowest."""
    to = list(range(m))
    chance.shuffle(to)
    return sum(bit < TILE for bit in to[:TILE])


def over_of_factor(columns, pick):
    """n_over of RLP in A = (UR)(RLP). Its row bits are the pivots of A's highest n_tile rows, from the highest down; `pick` chooses
    each among the columns that have the row's bit."""
    rest, left, over = list(columns), set(range(len(columns))), 0
    for k in reversed(range(len(columns) - TILE, len(columns))):
        having = [j for j in left if rest[j] >> k & 1]
        pivot = pick(having)
        left.remove(pivot)
        over += pivot < TILE
        for j in having:
            if j != pivot:
                rest[j] ^= rest[pivot]
    return over


def bits_exactly(m, over):
    return Fraction(math.comb(TILE, over) * math.comb(m - TILE, TILE - over), math.comb(m, TILE))


def independent(count, length):
    """Lists of `count` independent vectors of `length` bits."""
    return math.prod(2**length - 2**i for i in range(count))


def factor_exactly(m, over):
    """The highest columns first make n_over what the highest rows' rank lacks without the lowest columns. Counted are such blocks
    of rank n_tile - over, and what the lowest columns may be for the rows to be independent."""
    height, width, full = TILE, m - TILE, TILE - over
    if full > width:
        return Fraction(0)
    blocks = Fraction(independent(full, height) * independent(full, width), independent(full, full))
    return blocks * 2**(full * TILE) * independent(over, TILE) / independent(TILE, m)


def interval(hits, trials):
    """Wilson's, of 95%."""
    z, share = 1.96, hits / trials
    centre, half = share + z * z / 2 / trials, z * math.sqrt(share * (1 - share) / trials + z * z / 4 / trials**2)
    return [max(0, (centre - half) / (1 + z * z / trials)), min(1, (centre + half) / (1 + z * z / trials))]


def over(m, samples):
    chance = random.Random(m)
    drawn = {"bits": [0] * (TILE + 1), "highest": [0] * (TILE + 1), "lowest": [0] * (TILE + 1)}
    for _ in range(samples):
        matrix = random_matrix(chance, m)
        drawn["bits"][over_of_bits(chance, m)] += 1
        drawn["highest"][over_of_factor(matrix, max)] += 1
        drawn["lowest"][over_of_factor(matrix, min)] += 1
    exactly = {"bits": bits_exactly, "highest": factor_exactly}
    return {"bits": m, "samples": samples, "counted": drawn,
            "exactly": {name: [float(of(m, k)) for k in range(TILE + 1)] for name, of in exactly.items()},
            "second": max(0, 2 * TILE - m)}


def print_over(row):
    print(f"{row['samples']} random permutations of 2^{row['bits']} elements, n_over = 0 to {TILE}: counted, 95% interval, exactly")
    heads = {"bits": "bit permutations", "highest": "first factors, highest column as pivot", "lowest": "first factors, lowest column as pivot"}
    for name, head in heads.items():
        print(f"{head}:")
        for k, hits in enumerate(row["counted"][name]):
            low, high = interval(hits, row["samples"])
            exact = f"  {row['exactly'][name][k]:.3g}" if name in row["exactly"] else ""
            print(f"  {k}: {hits}  {low:.2%} to {high:.2%}{exact}")
    print(f"second factors: always {row['second']}")


# -------------------------------------------------------------------------------------------- Figure 12

BITS = 25
ELEM_BITS = 2             # floats
CHANNEL_BITS = 4          # 16 channels
CHANNEL_AT = 8            # 256 bytes go to one channel
ADDRESS_BITS = BITS + ELEM_BITS
WAVE_BITS = 7             # blocks that run at the same time: 128


def plain(k):
    """Channel bit k is an address bit."""
    return 1 << (CHANNEL_AT + k)


def folded(k):
    """Channel bit k is the sum of every fourth address bit from there on."""
    return sum(1 << bit for bit in range(CHANNEL_AT + k, ADDRESS_BITS, CHANNEL_BITS))


def channel_of(functionals, address):
    return sum((bin(functional & address).count("1") & 1) << k for k, functional in enumerate(functionals))


def transpose_to(columns_log2):
    """Where index bits go."""
    rows_log2 = BITS - columns_log2
    return [bit + rows_log2 if bit < columns_log2 else bit - columns_log2 for bit in range(BITS)]


def tile_bits(to):
    return {bit for bit in range(BITS) if bit < TILE or to[bit] < TILE}


def paper_wave(to):
    """The bits of the blocks that run first: the lowest that are no tile's."""
    return [bit for bit in range(BITS) if bit not in tile_bits(to)][:WAVE_BITS]


def turns_wave(to):
    """riffle's order: the lowest of src and the lowest of dst by turns."""
    wave, used = [], tile_bits(to)
    by_source, by_image = list(range(BITS)), sorted(range(BITS), key=lambda bit: to[bit])
    while len(wave) < WAVE_BITS:
        bit = next(bit for bit in (by_image if len(wave) % 2 else by_source) if bit not in used)
        used.add(bit)
        wave.append(bit)
    return wave


MAPS = {name: [of(k) for k in range(CHANNEL_BITS)] for name, of in (("plain", plain), ("folded", folded))}
ORDERS = {"tile": lambda to: [], "paper": paper_wave, "turns": turns_wave}


def load(functionals, bits):
    """How many times its share the busiest channel has of the segments that vary in these address bits, counted one by one. They are a
    subspace, so that a channel has none or as many as any other: the share is a power of two that a rank gives."""
    varied, hits = [bit for bit in bits if bit >= ELEM_BITS + TILE], {}
    addresses = [0]
    for bit in varied:
        addresses += [address | 1 << bit for address in addresses]
    for address in addresses:
        channel = channel_of(functionals, address)
        hits[channel] = hits.get(channel, 0) + 1
    met = 1 << rank([channel_of(functionals, 1 << bit) for bit in varied])
    if len(hits) != met or len(set(hits.values())) != 1:
        sys.exit(f"{len(hits)} channels are met where the rank says {met}")
    return (1 << CHANNEL_BITS) // met


def channels():
    rows = []
    for columns_log2 in range(BITS + 1):
        to = transpose_to(columns_log2)
        row = {"columns": 2**columns_log2}
        for name, functionals in MAPS.items():
            for order, wave in ORDERS.items():
                moved = [*tile_bits(to), *wave(to)]
                row[f"{name}_{order}"] = [load(functionals, [bit + ELEM_BITS for bit in side])
                                          for side in (moved, [to[bit] for bit in moved])]
        rows.append(row)
    return rows


# ------------------------------------------------------------------------------------------ section 2.3

TRANSPOSE_BITS = 18
WAYS = ["copy", "bmmc-naive", "bmmc-tile", "bmmc-tile-banks", "affine"]


def simulated(riffle, way):
    side = 2**(TRANSPOSE_BITS // 2)
    by = "identity" if way == "copy" else f"transpose:{side}x{side}"
    done = subprocess.run([riffle, "simulate", "--by", by, "--n", str(side * side), "--algorithm", way, "--json"], check=True,
                          capture_output=True, text=True)
    report = json.loads(done.stdout)
    rounds = report["rounds"]
    return {"way": way, "n": side * side,
            **{space: sum(row["requests"] for row in rounds if row["space"] == space) for space in ("global", "shared")},
            "time_units": report["time_units"]}


def transposes(riffle):
    return [simulated(riffle, way) for way in WAYS]


# ----------------------------------------------------------------------------------------------- tables

def over_table(rows):
    def counted(row, name, k):
        hits = sum(row["counted"][name][k:]) if k > 2 else row["counted"][name][k]
        return hits / row["samples"]

    cells = []
    for row in rows:
        beyond = row["samples"] - row["counted"]["highest"][0]
        low, high = interval(beyond, row["samples"])
        exact = row["exactly"]["bits"]
        lowest = sum(k * hits for k, hits in enumerate(row["counted"]["lowest"])) / row["samples"]
        cells.append([f"2^{row['bits']}",
                      *[f"{100 * counted(row, 'bits', k):.1f} / {100 * (exact[k] if k < 3 else sum(exact[3:])):.1f}" for k in range(4)],
                      f"{100 * beyond / row['samples']:.2f} ({100 * low:.2f} to {100 * high:.2f})",
                      f"{100 * sum(row['exactly']['highest'][1:]):.2g}", row["second"], f"{lowest:.2f}"])
    heads = ["elements", *[f"n_over {k}, %" for k in ("0", "1", "2", "3 to 5")], "first factor: n_over > 0, %", "exactly, %",
             "second factor: n_over", "lowest pivots: mean n_over"]
    note = f"{rows[0]['samples']:,} random bit permutations (counted / exactly) and {rows[0]['samples']:,} random matrices a row; intervals of 95%."
    return [note, "", *markdown(heads, cells)]


def channel_table(rows):
    heads = ["columns", "plain: a tile", "128 tiles, the paper's order", "128 tiles, riffle's order",
             "folded: a tile", "128 tiles, the paper's order", "128 tiles, riffle's order"]
    alike = {}
    for row in rows:
        loads = [f"{row[f'{name}_{order}'][0]} / {row[f'{name}_{order}'][1]}" for name in MAPS for order in ORDERS]
        alike.setdefault(tuple(loads), []).append(f"2^{row['columns'].bit_length() - 1}")
    return markdown(heads, [[", ".join(columns), *loads] for loads, columns in alike.items()])


def transpose_table(rows):
    copy = rows[0]
    cells = [[row["way"], f"{row['global']:,}", f"{row['shared']:,}", f"{row['time_units']:,}",
              f"{row['global'] / copy['global']:.2f}", f"{row['time_units'] / copy['time_units']:.2f}"] for row in rows]
    heads = ["", "sectors of 32 bytes", "turns of shared memory", "time units", "sectors over a copy's", "time units over a copy's"]
    return markdown(heads, cells)


TABLES = {"over": over_table, "channels": channel_table, "transposes": transpose_table}


def tables(check):
    old = PAGE.read_text()
    new = REGION.sub(lambda m: m[1] + "\n" + "\n".join(TABLES[m[2]](files.read(f"bmmc/{m[2]}.json"))) + "\n\n" + m[3], old)
    if new == old:
        return 0
    if check:
        print("stale, run bench/papers/bmmc.py tables: docs/affine.md")
        return 1
    PAGE.write_text(new)
    return 0


def count(riffle):
    files.write_rows("bmmc/over.json", [over(m, 10000) for m in (10, 12, 14, 16, 20, 25, 30)])
    files.write_rows("bmmc/channels.json", channels())
    files.write_rows("bmmc/transposes.json", transposes(riffle))


def check(riffle):
    for name, now in (("channels", channels()), ("transposes", transposes(riffle))):
        if now != files.read(f"bmmc/{name}.json"):
            sys.exit(f"stale, run bench/papers/bmmc.py count: bench/results/bmmc/{name}.json")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(dest="part", required=True)
    part = parts.add_parser("over")
    part.add_argument("--bits", type=int, default=30, choices=range(2 * TILE, 41), metavar="M")
    part.add_argument("--samples", type=int, default=1000)
    parts.add_parser("channels")
    for name in ("transposes", "count", "check"):
        parts.add_parser(name).add_argument("riffle")
    parts.add_parser("tables").add_argument("--check", action="store_true")
    asked = parser.parse_args()
    if asked.part == "over":
        print_over(over(asked.bits, asked.samples))
    elif asked.part == "channels":
        print("\n".join(channel_table(channels())))
    elif asked.part == "transposes":
        print("\n".join(transpose_table(transposes(asked.riffle))))
    elif asked.part == "count":
        count(asked.riffle)
    elif asked.part == "check":
        check(asked.riffle)
    else:
        sys.exit(tables(asked.check))


if __name__ == "__main__":
    main()
