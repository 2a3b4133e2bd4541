#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hptt_peer.py RESULTS.json HPTT [measure] [SECONDS]: measures HPTT on the axes of `riffle bench --suite axes --json` and adds them to the file.

HPTT is the folder of a checkout of it in which `make avx lib/libhptt.a` was run. Rows of 4 and 8 bytes have one more each, algorithm "hptt", planned
by HPTT's model; with `measure` it is "hptt-measure", planned by its measuring, some seconds a row. Some plans that
its measuring chooses move elements elsewhere: then it plans anew, and the row counts `wrong_plans`; `wrong` is one whose plans were
so each time, and that has no times. Run it right after the
benchmark, on the same idle machine.

Rows that the file has are kept. With SECONDS no row is begun after so many, and the next call goes on: an idle machine may be had
for a minute at a time.
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPEAT = 7
TRIES = 8
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


def is_asked(row):
    return row["by"].startswith("axes:") and row["elem_bytes"] in (4, 8) and not row["algorithm"].startswith("hptt")


def main():
    arguments = sys.argv[1:]
    most = float(arguments.pop()) if arguments and arguments[-1].isdigit() else float("inf")
    if len(arguments) not in (2, 3) or arguments[2:] not in ([], ["measure"]):
        sys.exit(__doc__)
    path, name, began = Path(arguments[0]), "hptt-measure" if arguments[2:] else "hptt", time.monotonic()
    run = json.loads(path.read_text(encoding="utf-8"))
    known = {(row["by"], row["elem_bytes"]) for row in run["results"] if row["algorithm"] == name}
    missing = [row for row in run["results"] if is_asked(row) and (row["by"], row["elem_bytes"]) not in known]
    with tempfile.TemporaryDirectory() as folder:
        driver = compile_driver(arguments[1], folder)
        for row in missing:
            if time.monotonic() - began > most:
                break
            peer = measure(row, driver, run["threads"], name)
            print(f"{peer['by']:40} {peer['elem_bytes']} {peer.get('ratio', math.nan):6.2f} copies, riffle {row['ratio']:6.2f}", file=sys.stderr)
            run["results"].append(peer)
            path.write_text(json.dumps(run, indent=1) + "\n", encoding="utf-8")


main()
