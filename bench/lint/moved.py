#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hopper's moves beside a kernel's threads, as `riffle lint` counts it and as Nsight Compute does: the launches of moved.cu, one by one.

    nvcc -gencode arch=compute_90a,code=sm_90a -O2 -o moved moved.cu
    ncu --csv --log-file moved.csv --print-units base --print-kernel-base function --metrics "$(moved.py --metrics)" ./moved
    moved.py moved.csv OUT.json [--riffle FILE] [--commit NAME] [--device TEXT] [--ncu TEXT] [--nvcc TEXT]

Launches that the machine refuses (under RIFFLE_LINT in moved.cu), and those behind the last that ncu had time for, are left out.
"""
import argparse
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "hardware")]
import hardware  # noqa: E402

PROGRAM = HERE / "moved.cu"
REFUSED = {"tensor_reduce"}
TMA, GMMA = "l1tex__m_{}_sectors_mem_{}_op_tma_{}.sum", "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_gmma.sum"
COUNTERS = {"global to shared": TMA.format("xbar2l1tex_read", "global", "ld"), "shared to global": TMA.format("l1tex2xbar_write", "global", "st"),
            "shared to shared of the cluster": TMA.format("l1tex2xbar_write", "dshared", "st"), "factors of products": GMMA,
            "warps that store to another block": "l1tex__t_requests_pipe_lsu_mem_dshared_op_st.sum"}


def counted(riffle):
    """{launch: {what: requests}} of lint; launches without any are not among them."""
    done = subprocess.run([riffle, "lint", PROGRAM, "-arch=sm_90a", "--timeout", "600", "--json"], capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    found = {}
    for row in report["moved"]:
        at = found.setdefault(row["launch"], {})
        at[row["what"]] = at.get(row["what"], 0) + row["requests"]
    for row in report["rounds"]:
        if row["op"] == "write" and row["array"].endswith(" of the cluster"):
            at = found.setdefault(row["launch"], {})
            at["warps that store to another block"] = at.get("warps that store to another block", 0) + row["warps"]
    return found


def compared(launches, found):
    for k, launch in enumerate(one for one in launches if one["kernel"] not in REFUSED):
        own = found.get(k, {})
        for what, counter in COUNTERS.items():
            gpu = launch["metrics"].get(counter) or 0
            if gpu or own.get(what):
                yield {"launch": k, "kernel": launch["kernel"], "what": what, "gpu": gpu, "lint": own.get(what, 0)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", nargs="?", type=pathlib.Path)
    parser.add_argument("out", nargs="?", type=pathlib.Path)
    parser.add_argument("--metrics", action="store_true", help="print the counters, for ncu")
    parser.add_argument("--riffle", default=str(HERE.parents[1] / "build/riffle"))
    for name in ("commit", "device", "ncu", "nvcc"):
        parser.add_argument(f"--{name}", default="unknown")
    options = parser.parse_args()
    if options.metrics:
        print(",".join(COUNTERS.values()))
        return 0
    launches = hardware.parse_counters(options.csv.read_text())
    rows = list(compared(launches, counted(options.riffle)))
    head = {name: getattr(options, name) for name in ("commit", "device", "ncu", "nvcc")}
    hardware.save(options.out, {**head, "counters": COUNTERS, "results": rows})
    print(f"{sum(row['gpu'] == row['lint'] for row in rows)} of {len(rows)} counts equal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
