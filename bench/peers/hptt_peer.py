#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hptt_peer.py RESULTS.json HPTT [--measure] [--only GROUP] [--seconds S]: HPTT on the axes of `riffle bench --suite axes --json`, added to the file.

HPTT is the folder of a checkout of it in which `make avx lib/libhptt.a` was run. Rows of 4 and 8 bytes, of one group or of all, have one more each,
algorithm "hptt", planned by HPTT's model; with --measure it is "hptt-measure", planned by its measuring, some seconds a row. Some plans
that its measuring chooses move elements elsewhere: then it plans anew, and the row counts `wrong_plans`; where three were wrong it is `wrong`
and has no times. Run it right after the benchmark, on the same idle machine.

Rows that the file has are kept. With --seconds no row is begun after so many, and the next call goes on: an idle machine may be had
for a minute at a time.
"""
import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPEAT = 51
TRIES = 3
WRONG = 5  # the driver's status where HPTT moved an element elsewhere


def compile_driver(hptt, folder):
    driver = f"{folder}/hptt_axes"
    flags = ["-O3", "-std=c++11", "-fopenmp", "-march=native", "-DHPTT_ARCH_AVX", *os.environ.get("CXXFLAGS", "").split()]
    source = Path(__file__).parent / "hptt_axes.cpp"
    subprocess.run(["c++", *flags, f"-I{hptt}/include", str(source), f"{hptt}/lib/libhptt.a", "-o", driver], check=True)
    return driver


def measure(row, driver, threads, name):
    shape, order = re.fullmatch(r"axes:([\dx]+):([\d,]+)", row["by"]).groups()
    command = [driver, str(row["elem_bytes"]), shape, order, str(threads), str(REPEAT), "1" if name == "hptt-measure" else "0"]
    peer = {key: row[key] for key in ("suite", "group", "by", "n", "elem_bytes") if key in row} | {"algorithm": name}
    for wrong in range(TRIES):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != WRONG:
            done.check_returncode()
            seconds, copy_seconds, plan_seconds = map(float, done.stdout.split())
            return peer | {"seconds": seconds, "copy_seconds": copy_seconds, "ratio": seconds / copy_seconds, "plan_seconds": plan_seconds, "wrong_plans": wrong}
    return peer | {"wrong": True, "wrong_plans": TRIES}


def is_asked(row, group):
    is_own = row["by"].startswith("axes:") and row["elem_bytes"] in (4, 8) and not row["algorithm"].startswith("hptt")
    return is_own and group in (None, row.get("group"))


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("hptt")
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--only", metavar="GROUP")
    parser.add_argument("--seconds", type=float, default=math.inf)
    return parser.parse_args()


def main():
    ask, began = read_arguments(), time.monotonic()
    path, name = ask.results, "hptt-measure" if ask.measure else "hptt"
    run = json.loads(path.read_text(encoding="utf-8"))
    known = {(row["by"], row["elem_bytes"]) for row in run["results"] if row["algorithm"] == name}
    missing = [row for row in run["results"] if is_asked(row, ask.only) and (row["by"], row["elem_bytes"]) not in known]
    with tempfile.TemporaryDirectory() as folder:
        driver = compile_driver(ask.hptt, folder)
        for row in missing:
            if time.monotonic() - began > ask.seconds:
                break
            peer = measure(row, driver, run["threads"], name)
            print(f"{peer['by']:40} {peer['elem_bytes']} {peer.get('ratio', math.nan):6.2f} copies, riffle {row['ratio']:6.2f}", file=sys.stderr)
            run["results"].append(peer)
            path.write_text(json.dumps(run, indent=1) + "\n", encoding="utf-8")


main()
