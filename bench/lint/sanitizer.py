#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Races and accesses beyond arrays that NVIDIA's compute-sanitizer finds on a GPU in the programs of races.py, to stand beside what lint does.

    sanitizer.py FOLDER OUT.json [--commit NAME] [--jobs N] [--graph NAME] [--seconds ALL]

FOLDER is as races.py has it. It needs a GPU, nvcc, compute-sanitizer and Python alone. Each program is built with line information, and runs once under memcheck
and once under racecheck, which looks at shared memory; both are its processor's and GPU's seconds, of N programs at a time. A program with a race counts as found if racecheck
tells an error or a warning, one with a boundsBug if memcheck tells an error; programs that are right must have neither. When the time is over no other program begins: they
come in an order that spreads over all, so that those that were run are a fair part.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "hardware")]
import hardware  # noqa: E402
from races import BLOCKS, RACY, THREADS, programs  # noqa: E402

RUN_SECONDS = 20
TOOLS = {"memcheck": r"ERROR SUMMARY: (\d+) error", "racecheck": r"RACECHECK SUMMARY: (\d+) hazard"}
STRIDE = 233  # has no factor with the number of programs


def spread(files):
    return [files[k * STRIDE % len(files)] for k in range(len(files))]


def build(nvcc, folder, program, out):
    line = [nvcc, "-arch=sm_90", "-O3", "-lineinfo", "-I", str(folder / "indigo/indigo_include"), str(program), "-o", str(out)]
    return subprocess.run(line, capture_output=True, text=True, check=False).returncode == 0


def run_tool(tool, sanitizer, line):
    """Returns what a tool tells of a program: how many errors or hazards, until it was stopped where it was not done in time."""
    began = time.monotonic()
    said = hardware.run_for(RUN_SECONDS, [sanitizer, "--tool", tool, "--print-limit", "1", *line])
    found = re.findall(TOOLS[tool], said)
    told = int(found[-1]) if found else said.count("Host Frame: main")
    return {"told": told, "seconds": round(time.monotonic() - began, 2), **({} if found else {"stopped": True})}


def run_one(task):
    options, program, nvcc, sanitizer, ends = task
    if time.monotonic() > ends:
        return None
    row = {"program": program.stem}
    with tempfile.TemporaryDirectory() as away:
        out, graph = pathlib.Path(away) / "program", options.folder / f"indigo/input/{options.graph}.egr"
        if not build(nvcc, options.folder, program, out):
            return {**row, "failed": "nvcc"}
        return {**row, **{tool: run_tool(tool, sanitizer, [str(out), str(graph), str(THREADS), str(BLOCKS)]) for tool in TOOLS}}


def judged(rows):
    """Returns the numbers of all, and those programs that are told otherwise than their names say."""
    count = {"programs": len(rows), "racy": 0, "found": 0, "right": 0, "false alarms": 0, "bounds": 0, "bounds found": 0, "stopped": 0, "failed": 0}
    count |= {f"{tool} seconds": round(sum(row[tool]["seconds"] for row in rows if tool in row), 1) for tool in TOOLS}
    wrong = []
    for row in rows:
        racy, bounds = bool(RACY.search(row["program"])), "boundsBug" in row["program"]
        if "failed" in row:
            count["failed"] += 1
            wrong.append(row)
            continue
        count["stopped"] += any("stopped" in row[tool] for tool in TOOLS)
        races, errors = row["racecheck"]["told"] > 0, row["memcheck"]["told"] > 0
        count["racy"] += racy
        count["found"] += racy and races
        count["bounds"] += bounds
        count["bounds found"] += bounds and errors
        count["right"] += not racy and not bounds
        count["false alarms"] += not racy and not bounds and (races or errors)
        if (racy and not races) or (bounds and not errors) or (not racy and races) or (not bounds and errors):
            wrong.append({"program": row["program"], **{tool: row[tool]["told"] for tool in TOOLS}})
    return count, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--commit", default="unknown")
    parser.add_argument("--set-commit", default="unknown", help="the check-out's")
    parser.add_argument("--jobs", type=int, default=16)
    parser.add_argument("--graph", default="power_law_200n_1000e")
    parser.add_argument("--seconds", type=float, default=480)
    options = parser.parse_args()
    began, nvcc, sanitizer = time.monotonic(), hardware.tool("nvcc"), hardware.tool("compute-sanitizer")
    files = programs(options.folder)
    tasks = [(options, program, nvcc, sanitizer, began + options.seconds) for program in spread(files)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = [row for row in pool.map(run_one, tasks) if row is not None]
    count, wrong = judged(rows)
    head = {"set": "Indigo programs of HiRace-Artifact-SC24", "set_commit": options.set_commit, "commit": options.commit, "of": len(files), "graph": options.graph,
            "launch": f"{BLOCKS} blocks of {THREADS} threads", "jobs": options.jobs,
            "device": hardware.printed("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"),
            "sanitizer": hardware.printed(sanitizer, "--version").split("\n")[-1], "nvcc": hardware.printed(nvcc, "--version").split("\n")[-1]}
    options.out.write_text(json.dumps({**head, "count": count, "wrong": wrong}, indent=1) + "\n")
    print(count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
