#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts of `riffle lint` for public CUDA programs beside those of Nsight Compute on a GPU: whole programs, kernel by kernel.

    nsight.py lint FOLDER OUT.json [--commit NAME] [--riffle FILE] [--nvcc NVCC] [--timeout SECONDS] [--jobs N] [--only WORD]
    nsight.py gpu FOLDER OUT.json [--commit NAME] [--seconds ALL] [--only WORD]        needs nvcc, ncu and Python alone
    nsight.py merge LINT.json GPU.json OUT.json

The programs are those of nsight.json beside (survey.py says how FOLDER is laid out); their code stays outside this repository. With
--nvcc lint's accesses are as wide as nvcc's, which is what is to be compared. All launches of a kernel are summed, by the name
that stands before its template arguments. Kernels that lint has counted in part only are left out, and those whose launches
differ in number: what a program does may hang on its clock. Accesses to __constant__ variables, which a GPU reads by a
cache of its own, are not compared. Each half writes OUT.json anew after each program.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "hardware")]
import hardware  # noqa: E402
import survey  # noqa: E402

LIST = HERE / "nsight.json"
# One counter for each figure: each further one is another run of a kernel. But nvcc makes an atomic operation whose result nobody wants
# another instruction, with a counter of its own.
ATOMICS, REDUCTIONS = (f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum" for op in ("atom", "red"))
METRICS = [names[0] for *_, names in hardware.COUNTERS] + [REDUCTIONS]
PROGRAM_SECONDS = 20  # seconds of a program under ncu, which runs each kernel several times


def programs(folder, only):
    """(name, the repository's folder, its entry, the file's entry) of what is there."""
    for repository, one in survey.entries(LIST):
        top, name = survey.folder_of(folder, repository), " ".join([f"{repository['repository']}: {one['file']}", *one.get("arguments", [])])
        if (top / one["file"]).exists() and (only is None or only in name):
            yield name, top, repository, one


def in_a_copy(at, work):
    """Returns what work makes of a copy of the file's folder, whose files a program may change."""
    with tempfile.TemporaryDirectory() as away:
        copy = pathlib.Path(away) / "copy"
        shutil.copytree(at.parent, copy, symlinks=True, ignore_dangling_symlinks=True)
        return work(copy)


def plain(kernel):
    """"n::tiled<0>" is tiled."""
    return re.sub(r"[<(].*", "", kernel, flags=re.DOTALL).split("::")[-1].strip()


# ------------------------------------------------------------------------------------------------- lint's half

CONSTANT = " (constant memory)"  # ends the name of an array that a GPU reads by a cache of its own, with none of the counters below


def kernels_of(document):
    """{name: launches and hardware.sums' counts} of a report."""
    found = {}
    for launch in document["launches"]:
        at = found.setdefault(plain(launch["kernel"]), {"launches": 0, "rows": []})
        at["launches"] += launch.get("launches", 1)
    for row in document["rounds"]:
        if not row.get("array", "").endswith(CONSTANT):
            found[plain(row["kernel"])]["rows"].append(row)
    return {name: {"launches": at["launches"], "counts": hardware.sums({"rounds": at["rows"]})} for name, at in found.items()}


def lint(top, repository, one, options):
    line = survey.words(options.riffle, top, repository, one, options.timeout)
    line[line.index("--"):line.index("--")] = ["--accesses", "0", "--work", "0", *(["--nvcc", options.nvcc] if options.nvcc else [])]
    done = in_a_copy((top / one["file"]).resolve(), lambda copy: subprocess.run(
        line, cwd=copy, capture_output=True, text=True, errors="replace", check=False))
    if not done.stdout.startswith("{"):
        return {"failed": (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]}
    document = json.loads(done.stdout)
    whole = not document["partial"] and document["blocks"] == document["counted_blocks"]
    return {"kernels": kernels_of(document)} if whole else {"failed": "counted in part"}


def lint_half(options):
    results, work = [], list(programs(options.folder, options.only))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (name, *_), found in zip(work, pool.map(lambda row: lint(*row[1:], options), work)):
            results.append({"program": name, **found})
            print(name, found.get("failed") or f"{len(found['kernels'])} kernels", flush=True)
            head = {"riffle": hardware.printed(options.riffle, "--version"), "commit": options.commit, "nvcc": options.nvcc}
            hardware.save(options.out, {**head, "results": results})


# ---------------------------------------------------------------------------------------------- the GPU's half

def compile_line(nvcc, top, repository, one, out):
    return [nvcc, "-O3", "-arch=native", "-std=c++17", *survey.sources(top, one), *survey.flags(top, repository, one), "-o", str(out),
            "-Xlinker", "--as-needed", "-lcublas", "-lcurand"]


def sum_launches(launches):
    found = {}
    for launch in launches:
        at = found.setdefault(plain(launch["kernel"]), {"launches": 0, "metrics": {}})
        at["launches"] += 1
        for metric, value in launch["metrics"].items():
            at["metrics"][metric] = None if value is None else (at["metrics"].get(metric) or 0) + value
    return found


def build(nvcc, program, folder):
    """The program, built in a copy of its folder, whose files it may change; or nvcc's words."""
    name, top, repository, one = program
    copy = folder / "copy"
    shutil.copytree((top / one["file"]).resolve().parent, copy, symlinks=True, ignore_dangling_symlinks=True)
    built = subprocess.run(compile_line(nvcc, top, repository, one, copy / "counted"), cwd=copy, capture_output=True, text=True,
                           errors="replace", check=False)
    return name, one, copy, None if built.returncode == 0 else (built.stderr.strip().splitlines() or ["nvcc failed"])[0]


def count(ncu, metrics, one, copy, seconds):
    log = copy / "counted.csv"
    options = ["--csv", "--log-file", log, "--print-units", "base", "--print-kernel-base", "function", "--clock-control", "none",
               "--cache-control", "none", "--metrics", ",".join(metrics)]
    os.chdir(copy)
    said = hardware.run_for(seconds, [ncu, *map(str, options), "./counted", *one.get("arguments", [])])
    launches = hardware.parse_counters(log.read_text(errors="replace")) if log.exists() else []
    if "stopped after" in said.rsplit("\n", 1)[-1]:
        return {"failed": "not done in time"}
    return {"kernels": sum_launches(launches)} if launches else {"failed": " ".join(said.split()[-12:])}


def gpu_half(options):
    nvcc, ncu, end = hardware.tool("nvcc"), hardware.tool("ncu"), time.monotonic() + options.seconds
    device = hardware.printed("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    head = {"device": device, "commit": options.commit, "ncu": hardware.printed(ncu, "--version").split("\n")[-1],
            "nvcc": hardware.printed(nvcc, "--version").split("\n")[-1]}
    out, metrics, results = pathlib.Path(options.out).resolve(), hardware.metrics_to_count(ncu, METRICS), []
    work = list(programs(pathlib.Path(options.folder).resolve(), options.only))
    with tempfile.TemporaryDirectory() as away, concurrent.futures.ThreadPoolExecutor() as pool:
        folders = [pathlib.Path(tempfile.mkdtemp(dir=away)) for _ in work]
        for name, one, copy, failed in pool.map(lambda both: build(nvcc, *both), zip(work, folders)):
            left = end - time.monotonic()
            found = {"failed": failed} if failed else {"failed": "the time was over"} if left < 2 else \
                count(ncu, metrics, one, copy, min(left, PROGRAM_SECONDS))
            results.append({"program": name, **found})
            print(f"{options.seconds - left:6.1f}", name, found.get("failed") or f"{len(found['kernels'])} kernels", flush=True)
            hardware.save(out, {**head, "results": results})
        os.chdir("/")


# -------------------------------------------------------------------------------------------------- merging

def with_reductions(metrics):
    """Atomic operations of both kinds together; nothing where one was not counted."""
    both = metrics.get(ATOMICS), metrics.get(REDUCTIONS)
    return {**metrics, ATOMICS: None if None in both else sum(both)}


def compared(ours, theirs):
    """Kernels that both halves have, with as many launches."""
    for name, own in ours.get("kernels", {}).items():
        its = theirs.get("kernels", {}).get(name)
        if its is not None and its["launches"] == own["launches"]:
            yield name, own["launches"], hardware.compare(own["counts"], with_reductions(its["metrics"]))


def merge(options):
    ours, theirs = (json.loads(pathlib.Path(path).read_text()) for path in (options.folder, options.out))
    by_name = {row["program"]: row for row in theirs["results"]}
    results = [{"program": row["program"], "kernel": kernel, "launches": launches, "compared": counts}
               for row in ours["results"] for kernel, launches, counts in compared(row, by_name.get(row["program"], {}))]
    pairs = [both for row in results for both in row["compared"].values()]
    equal = sum(both["gpu"] == both["machine"] for both in pairs)
    head = {"riffle": ours["riffle"], "lint_commit": ours["commit"], **{key: theirs[key] for key in ("device", "commit", "ncu", "nvcc")}}
    hardware.save(options.merged, {"engine": "lint", **head, "kernels": len(results), "counts": len(pairs), "equal": equal,
                                   "results": results})
    print(f"{len(results)} kernels, {equal} of {len(pairs)} counts equal")
    for row in results:
        for name, both in row["compared"].items():
            if both["gpu"] != both["machine"]:
                print(f"{row['program']}, {row['kernel']}: {name}: GPU {both['gpu']}, lint {both['machine']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["lint", "gpu", "merge"])
    parser.add_argument("folder", help="of the check-outs; of merge lint's half")
    parser.add_argument("out", help="what is written; of merge the GPU's half")
    parser.add_argument("merged", nargs="?", help="of merge: what is written")
    parser.add_argument("--riffle", default="riffle", type=lambda name: str(pathlib.Path(name).resolve()) if "/" in name else name)
    parser.add_argument("--nvcc", help="for lint --nvcc")
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=2, help="of lint's half")
    parser.add_argument("--commit", default="")
    parser.add_argument("--seconds", type=float, default=480, help="for all programs on the GPU together")
    parser.add_argument("--only", help="programs whose names have this word")
    options = parser.parse_args()
    if (options.what == "merge") != (options.merged is not None):
        parser.error("merge takes three files, the others a folder and a file")
    {"lint": lint_half, "gpu": gpu_half, "merge": merge}[options.what](options)


if __name__ == "__main__":
    main()
