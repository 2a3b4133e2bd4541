#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Remark 2.25 of the VAT model's chapter: how many cells more an initial segment wants, where pages are accessed uniformly at random.

    vat_cells.py RIFFLE     for trees of 2^12 pages and caches of W cells the fewest x with ISMIN(W + x) <= MIN(W), beside the remark's
                            d - log_K(W) + 1 and Lemma 2.18's d

ISMIN is the best strategy with the property (Theorem 2.13), so no other does with fewer cells on this trace. Faults are what
`riffle vat run random-scan` counts for pages of one element.
"""
import json
import math
import subprocess
import sys

N = 2**12
TREES = [(2, 12), (4, 6), (8, 4), (16, 3)]  # K and d, with K^d pages
CACHES = [16, 32, 64, 128, 256, 512]


def faults(riffle, policy, fanout, height, cache):
    words = ["--n", str(N), "--page", "8", "--fanout", str(fanout), "--height", str(height), "--cache", str(cache), "--policy", policy, "--json"]
    done = subprocess.run([riffle, "vat", "run", "random-scan", *words], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["faults"]


def cells(riffle, fanout, height, cache):
    """More cells never cost ISMIN a fault, so halving finds the fewest."""
    enough = faults(riffle, "min", fanout, height, cache)
    low, high = 0, height
    while low < high:
        middle = (low + high) // 2
        if faults(riffle, "ismin", fanout, height, cache + middle) <= enough:
            high = middle
        else:
            low = middle + 1
    return low


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    below = 0
    print("   K    d    W   fewest   remark 2.25")
    for fanout, height in TREES:
        for cache in CACHES:
            found, remark = cells(sys.argv[1], fanout, height, cache), height - math.log(cache, fanout) + 1
            print(f"{fanout:4} {height:4} {cache:4} {found:8} {remark:13.2f}")
            below += found <= remark
    print(f"{below} of {len(TREES) * len(CACHES)} within the remark")


if __name__ == "__main__":
    main()
