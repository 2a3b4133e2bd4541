#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts of the memory machine beside those of Nsight Compute on a GPU, for the same launches.

    hardware.py machine RIFFLE OUT.json            the machine's half: `riffle lint` on each launch, minutes
    hardware.py gpu OUT.json [COMMIT]              the GPU's half: needs nvcc, ncu and Python alone
    hardware.py merge MACHINE.json GPU.json OUT.json
                                                   both, launch by launch; as bench/results/NAME-hardware.json it is
                                                   what bench/tables.py writes into docs/machine.md

The launches are those of bench/hardware/launches.py. The GPU's half keeps what ncu printed in OUT.csv/, one file for
each program, and writes OUT.json anew after each program, so that what is done is not lost.
"""
import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import launches

ROOT = Path(__file__).resolve().parents[2]
GPU_SECONDS = 85  # for all programs together, since GPUs are lent by the minute

# The comparisons: (name, space, op, the machine's figure, the GPU's counters, the first that was counted is taken).
# The counters of smsp__sass count a program's own wavefronts; those of l1tex__data also what arbitration repeats.
COUNTERS = [
    ("global sectors read", "global", "read", "requests", ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]),
    ("global sectors written", "global", "write", "requests", ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"]),
    ("global warps reading", "global", "read", "warps", ["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"]),
    ("global warps writing", "global", "write", "warps", ["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"]),
    ("shared wavefronts read", "shared", "read", "requests",
     ["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"]),
    ("shared wavefronts written", "shared", "write", "requests",
     ["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"]),
    ("bank conflicts read", "shared", "read", "conflicts",
     ["smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"]),
    ("bank conflicts written", "shared", "write", "conflicts",
     ["smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"]),
    ("shared wavefronts of atomics", "shared", "atomic", "requests",
     ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"]),
    ("global sectors of atomics", "global", "atomic", "requests",
     ["l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"]),
]
# Counted too, for whoever has a difference to explain.
FURTHER = ["l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
           "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
           "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
           "smsp__inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_shared_st.sum",
           "smsp__inst_executed_op_shared_atom.sum"]
METRICS = list(dict.fromkeys([metric for *_, metrics in COUNTERS for metric in metrics] + FURTHER))


def save(path, document):
    """One result a line."""
    results = ",\n  ".join(json.dumps(result) for result in document["results"])
    head = json.dumps({key: value for key, value in document.items() if key != "results"}, indent=1)[:-2]
    Path(path).write_text(f'{head},\n "results": [\n  {results}\n ]\n}}\n')


# ------------------------------------------------------------------------------------------- the machine's half

def lint(riffle, program, launch):
    """The document that `riffle lint --json` prints of a launch."""
    sides = {"--grid": launch.grid, "--block": launch.block}
    command = [riffle, "lint", str(ROOT / program.source), "--json", "--kernel", launch.kernel,
               "-I", str(ROOT / "src"), "-I", str(ROOT / "include"), "--shared", str(launch.shared), *program.flags]
    command += [text for side, sizes in sides.items() for text in (side, ",".join(map(str, sizes)))]
    command += [text for argument in launch.arguments for text in ("--arg", argument)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"hardware.py: {program.name}, {launch.name}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def sums(document):
    """The machine's counts by "space op", over all lines."""
    found = {}
    for row in document["rounds"]:
        at = found.setdefault(f"{row['space']} {row['op']}", {"warps": 0, "stages": 0, "requests": 0, "conflicts": 0})
        for key in ("warps", "stages", "requests"):
            at[key] += row[key]
        if row["space"] == "shared":
            at["conflicts"] += row["requests"] - row["ideal_requests"]
    return found


def machine_result(riffle, program, launch):
    document = lint(riffle, program, launch)
    return {"program": program.name, "launch": launch.name, "elem_bytes": launch.elem_bytes,
            "hazards": len(document["hazards"]), "counts": sums(document)}


def machine(riffle, out):
    riffle = str(Path(riffle).resolve())
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        work = [(program, launch) for program in launches.programs(folder) for launch in program.launches]
        results = list(pool.map(lambda pair: machine_result(riffle, *pair), work))
    save(out, {"machine": subprocess.run([riffle, "--version"], capture_output=True, text=True).stdout.strip(),
               "results": results})


# ----------------------------------------------------------------------------------------------- the GPU's half

def tool(name):
    found = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/local/cuda/bin")
    return found or sys.exit(f"hardware.py: {name}: not found; install CUDA's toolkit or add it to PATH")


def printed(*command):
    """Nothing where there is no such command or it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def metrics_to_count(ncu, wanted=METRICS):
    """Returns the metrics that ncu knows here; all, if it does not tell."""
    told = printed(ncu, "--query-metrics")
    names = {line.split()[0] for line in told.splitlines() if line.strip()}
    known = [metric for metric in wanted if metric.rsplit(".", 1)[0] in names]
    return known or wanted


def number(text):
    """"1,024" and "1024.00" are 1024; "n/a" is nothing."""
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return int(value) if value.is_integer() else value


def sides(text):
    """"(32, 8, 1)" as (32, 8); ncu tells all three."""
    found = [int(side) for side in re.findall(r"\d+", text)]
    while len(found) > 1 and found[-1] == 1:
        found.pop()
    return found


def parse_counters(text):
    """The launches of `ncu --csv`, which has a row for each metric of each launch, in the order of launching."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    found = {}
    for row in csv.DictReader(lines):
        at = found.setdefault(int(row["ID"]), {"kernel": row["Kernel Name"], "grid": sides(row["Grid Size"]),
                                               "block": sides(row["Block Size"]), "metrics": {}})
        at["metrics"][row["Metric Name"]] = number(row["Metric Value"])
    return [found[launch] for launch in sorted(found)]


def compile_program(nvcc, program, folder):
    out = f"{folder}/{program.name}"
    done = subprocess.run([nvcc, "-O3", "-arch=native", "-std=c++17", "-I", ROOT / "include", "-I", ROOT / "src",
                           *program.flags, ROOT / program.source, "-o", out], capture_output=True, text=True)
    return out if done.returncode == 0 else sys.exit(f"hardware.py: {program.source}: {done.stderr}")


def compile_all(nvcc, programs, folder):
    """Each source file with the same flags once; the path of each program."""
    kinds = {(program.source, *program.flags): program for program in programs}
    with ThreadPoolExecutor() as pool:
        paths = dict(zip(kinds, pool.map(lambda program: compile_program(nvcc, program, folder), kinds.values())))
    return [paths[program.source, *program.flags] for program in programs]


def run_for(seconds, command):
    """Returns what a command and its children print; they are stopped after so many seconds."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               start_new_session=True, env=dict(os.environ, LC_ALL="C"))
    try:
        return process.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0] + f"\nstopped after {seconds:.0f} s"


def count(ncu, metrics, program, path, log, seconds):
    """Runs a program under ncu: its launches, and what it printed."""
    began = time.monotonic()
    options = ["--csv", "--log-file", log, "--print-units", "base", "--print-kernel-base", "function"]
    options += ["--clock-control", "none", "--cache-control", "none", "--metrics", ",".join(metrics)]
    said = run_for(seconds, [ncu, *options, path, *program.operands])
    text = log.read_text() if log.exists() else ""
    found = parse_counters(text)
    print(f"{program.name}: {len(found)} of {len(program.launches)} launches counted in "
          f"{time.monotonic() - began:.1f} s; {' '.join(said.split()[-6:])}", flush=True)
    if not found:
        print(text[-1000:])
    return found, said


def gpu(out, commit=""):
    ncu, nvcc, end = tool("ncu"), tool("nvcc"), time.monotonic() + GPU_SECONDS
    name, driver = (printed("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").splitlines()
                    or ["unknown, unknown"])[0].split(", ")
    document = {"device": name, "driver": driver, "commit": commit, "ncu": printed(ncu, "--version").split("\n")[-1],
                "nvcc": printed(nvcc, "--version").split("\n")[-1], "results": []}
    logs = Path(out).with_suffix(".csv")
    logs.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        programs, metrics = launches.programs(folder), metrics_to_count(ncu)
        print("not known to ncu here:", ", ".join(sorted(set(METRICS) - set(metrics))) or "nothing")
        for program, path in zip(programs, compile_all(nvcc, programs, folder)):
            left = end - time.monotonic()
            if left < 5:
                print(f"{program.name}: left out, the time was over")
                continue
            found, said = count(ncu, metrics, program, path, logs / f"{program.name}.csv", left)
            document["results"] += [{"program": program.name, **launch} for launch in found]
            document.setdefault("printed", {})[program.name] = said.strip().splitlines()[-30:]
            save(out, document)


# -------------------------------------------------------------------------------------------------- merging

def compare(counts, metrics, counters=COUNTERS):
    """For each of the counters of which either side has something: both figures, and the GPU's name for it."""
    found = {}
    for name, space, op, figure, candidates in counters:
        ours = counts.get(f"{space} {op}", {}).get(figure, 0)
        counter = next((metric for metric in candidates if metrics.get(metric) is not None), None)
        if counter is not None and (ours or metrics[counter]):
            found[name] = {"gpu": metrics[counter], "machine": ours, "counter": counter}
    return found


def check_same(program, launch, counted):
    """A launch that ncu saw is the one that the machine was given."""
    kernel = re.sub(r"<.*", "", launch.kernel)
    if (re.sub(r"[<(].*", "", counted["kernel"]) == kernel and counted["grid"] == list(launch.grid)
            and counted["block"] == list(launch.block)):
        return
    sys.exit(f"hardware.py: {program.name}: expected {launch.kernel} {launch.grid} {launch.block}, the GPU's half has "
             f"{counted['kernel']} {counted['grid']} {counted['block']}")


def merge(machine_path, gpu_path, out):
    ours, theirs = (json.loads(Path(path).read_text()) for path in (machine_path, gpu_path))
    by_name = {(row["program"], row["launch"], row["elem_bytes"]): row for row in ours["results"]}
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for program in launches.programs(folder):
            counted = [row for row in theirs["results"] if row["program"] == program.name]
            if len(counted) != len(program.launches):
                print(f"{program.name}: left out, {len(counted)} of {len(program.launches)} launches were counted")
                continue
            for launch, row in zip(program.launches, counted):
                check_same(program, launch, row)
                counts = by_name[program.name, launch.name, launch.elem_bytes]["counts"]
                results.append({"suite": f"hardware-{program.suite}", "launch": launch.name,
                                "elem_bytes": launch.elem_bytes, "compared": compare(counts, row["metrics"]),
                                "metrics": row["metrics"], "machine": counts})
    head = {key: theirs[key] for key in ("device", "driver", "commit", "ncu", "nvcc")}
    save(out, {"engine": "hardware", **head, "results": results})
    show_differences(results)


def show_differences(results):
    for row in results:
        for name, both in row["compared"].items():
            if both["gpu"] != both["machine"]:
                print(f"{row['launch']}, {row['elem_bytes']} bytes: {name}: GPU {both['gpu']}, "
                      f"machine {both['machine']}")


def main():
    commands = {"machine": (machine, 2, 2), "gpu": (gpu, 1, 2), "merge": (merge, 3, 3)}
    work, least, most = commands.get(sys.argv[1] if len(sys.argv) > 1 else "", (None, 0, -1))
    if not least <= len(sys.argv) - 2 <= most:
        sys.exit(__doc__)
    work(*sys.argv[2:])


if __name__ == "__main__":
    main()
