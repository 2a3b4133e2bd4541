#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare.py --before FILE... --after FILE... [--limit 1.03]: a suite before and after a change, side by side.

The files are what riffle-bench --json wrote, runs taken in turn: before, after, before, after. Each row's time is the median of
its runs; rows that one side lacks are counted. Prints the rows that are slower than the limit, the slowest first, and the
geometric mean of all."""
import argparse
import json
import math
import statistics

NOT_IDENTITY = ("seconds", "ratio", "_bytes", "passes", "in_l2", "rounds", "algorithm")


def identity(row):
    """A row without its measurements."""
    return tuple(sorted((name, str(value)) for name, value in row.items()
                        if name in ("elem_bytes", "asked_algorithm") or not name.endswith(NOT_IDENTITY)))


def medians(files):
    times = {}
    for file in files:
        with open(file) as opened:
            for row in json.load(opened)["results"]:
                if "seconds" in row:
                    times.setdefault(identity(row), []).append(row["seconds"])
    return {key: statistics.median(runs) for key, runs in times.items()}


def name(key):
    shown = dict(key)
    return " ".join(shown.pop(first) for first in ("suite", "group", "by", "n", "elem_bytes") if first in shown) + \
        "".join(f" {rest}={value}" for rest, value in shown.items())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", nargs="+", required=True)
    parser.add_argument("--after", nargs="+", required=True)
    parser.add_argument("--limit", type=float, default=1.03)
    given = parser.parse_args()
    before, after = medians(given.before), medians(given.after)
    ratios = sorted(((after[key] / before[key], key) for key in before.keys() & after.keys()), reverse=True)
    if not ratios:
        raise SystemExit("compare.py: no row is in both; take the same suite's files")
    slower = [(ratio, key) for ratio, key in ratios if ratio > given.limit]
    for ratio, key in slower:
        print(f"{ratio:.3f}  {before[key] * 1e3:.4f} ms to {after[key] * 1e3:.4f} ms  {name(key)}")
    mean = math.exp(statistics.fmean(math.log(ratio) for ratio, _ in ratios))
    print(f"{len(ratios)} rows, geometric mean {mean:.4f}, {len(slower)} beyond {given.limit}; "
          f"{len(before.keys() - after.keys())} rows only before, {len(after.keys() - before.keys())} only after")


if __name__ == "__main__":
    main()
