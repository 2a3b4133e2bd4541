#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hptt_peer.py RESULTS.json HPTT [measure]: measures HPTT on the axes of `riffle bench --suite axes --json` and adds them to the file.

HPTT is the folder of a checkout of it in which `make avx lib/libhptt.a` was run. Rows of 4 and 8 bytes have one more each, algorithm "hptt", planned
by HPTT's model; with `measure` it is "hptt-measure", planned by its measuring, some seconds a row. Some plans that
its measuring chooses move elements elsewhere: then it plans anew, and the row counts `wrong_plans`. Run it right after the
benchmark, on the same idle machine.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

REPEAT = 7
TRIES = 20
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
    for wrong in range(TRIES):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != WRONG:
            break
    done.check_returncode()
    seconds, copy_seconds, plan_seconds = map(float, done.stdout.split())
    peer = {key: row[key] for key in ("suite", "group", "by", "n", "elem_bytes") if key in row}
    peer.update(algorithm=name, seconds=seconds, copy_seconds=copy_seconds, ratio=seconds / copy_seconds, plan_seconds=plan_seconds, wrong_plans=wrong)
    return peer


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["measure"]):
        sys.exit(__doc__)
    path, name = Path(sys.argv[1]), "hptt-measure" if sys.argv[3:] else "hptt"
    run = json.loads(path.read_text(encoding="utf-8"))
    rows = [row for row in run["results"] if row["algorithm"] != name]
    peers = []
    with tempfile.TemporaryDirectory() as folder:
        driver = compile_driver(sys.argv[2], folder)
        for row in rows:
            if not row["by"].startswith("axes:") or row["elem_bytes"] not in (4, 8) or row["algorithm"].startswith("hptt"):
                continue
            peer = measure(row, driver, run["threads"], name)
            print(f"{peer['by']:40} {peer['elem_bytes']} {peer['ratio']:6.2f} copies, riffle {row['ratio']:6.2f}", file=sys.stderr)
            peers.append(peer)
    run["results"] = rows + peers
    path.write_text(json.dumps(run, indent=1) + "\n", encoding="utf-8")


main()
