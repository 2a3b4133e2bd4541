#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `riffle lint` counts of public CUDA programs beside what Nsight Compute counts on a GPU: whole programs, kernel by kernel.

    nsight.py lint FOLDER OUT.json [--riffle FILE] [--nvcc NVCC] [--timeout SECONDS] [--only WORD]
    nsight.py gpu FOLDER OUT.json [--commit NAME] [--seconds ALL] [--only WORD]        needs nvcc, ncu and Python alone
    nsight.py merge LINT.json GPU.json OUT.json

The programs are those of files.json beside (survey.py says how FOLDER is laid out); their code stays outside this repository. With
--nvcc lint's accesses are as wide as nvcc's, which is what is to be compared. All launches of a kernel are summed, by the name
that stands before its template arguments. Kernels that lint has counted in part only are left out, and those whose launches
differ in number: what a program does may hang on its clock. Each half writes OUT.json anew after each program.
"""
import argparse
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
sys.path[:0] = [str(HERE), str(HERE.parent)]
import hardware  # noqa: E402
import survey  # noqa: E402

PROGRAM_SECONDS = 60  # of a program under ncu, which runs each kernel several times


def programs(folder, only):
    """(name, the repository's folder, its entry, the file's entry) of what is there."""
    for repository, one in survey.entries():
        top, name = survey.folder_of(folder, repository), f"{repository['repository']}: {one['file']}"
        if (top / one["file"]).exists() and (only is None or only in name):
            yield name, top, repository, one


def in_a_copy(at, work):
    """What work makes of a copy of the file's folder, whose files a program may change."""
    with tempfile.TemporaryDirectory() as away:
        copy = pathlib.Path(away) / "copy"
        shutil.copytree(at.parent, copy, symlinks=True, ignore_dangling_symlinks=True)
        return work(copy)


def plain(kernel):
    """"n::tiled<0>" is tiled."""
    return re.sub(r"[<(].*", "", kernel, flags=re.DOTALL).split("::")[-1].strip()


# ------------------------------------------------------------------------------------------------- lint's half

def kernels_of(document):
    """{name: launches and hardware.sums' counts} of a report."""
    found = {}
    for launch in document["launches"]:
        at = found.setdefault(plain(launch["kernel"]), {"launches": 0, "rows": []})
        at["launches"] += launch.get("launches", 1)
    for row in document["rounds"]:
        found[plain(row["kernel"])]["rows"].append(row)
    return {name: {"launches": at["launches"], "counts": hardware.sums({"rounds": at["rows"]})} for name, at in found.items()}


def lint(top, repository, one, options):
    line = survey.words(options.riffle, top, repository, one, options.timeout)
    if options.nvcc:
        line[line.index("--"):line.index("--")] = ["--nvcc", options.nvcc]
    done = in_a_copy((top / one["file"]).resolve(), lambda copy: subprocess.run(
        line, cwd=copy, capture_output=True, text=True, errors="replace", check=False))
    if not done.stdout.startswith("{"):
        return {"failed": (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]}
    document = json.loads(done.stdout)
    whole = not document["partial"] and document["blocks"] == document["counted_blocks"]
    return {"kernels": kernels_of(document)} if whole else {"failed": "counted in part"}


def lint_half(options):
    results = []
    for name, top, repository, one in programs(options.folder, options.only):
        results.append({"program": name, **lint(top, repository, one, options)})
        print(name, "failed" in results[-1] and results[-1]["failed"] or f"{len(results[-1]['kernels'])} kernels", flush=True)
        hardware.save(options.out, {"riffle": hardware.printed(options.riffle, "--version"), "nvcc": options.nvcc, "results": results})


# ---------------------------------------------------------------------------------------------- the GPU's half

def compile_line(nvcc, top, repository, one, out):
    at = (top / one["file"]).resolve()
    line = [nvcc, "-O3", "-arch=native", "-std=c++17", at.name, *[word for word in one.get("with", []) if not word.startswith("-")]]
    return line + survey.flags(top, repository, one) + ["-o", str(out), "-lcublas", "-lcurand"]


def sum_launches(launches):
    found = {}
    for launch in launches:
        at = found.setdefault(plain(launch["kernel"]), {"launches": 0, "metrics": {}})
        at["launches"] += 1
        for metric, value in launch["metrics"].items():
            at["metrics"][metric] = None if value is None else (at["metrics"].get(metric) or 0) + value
    return found


def count(tools, metrics, top, repository, one, copy):
    nvcc, ncu = tools
    built = subprocess.run(compile_line(nvcc, top, repository, one, copy / "counted"), cwd=copy, capture_output=True, text=True,
                           errors="replace", check=False)
    if built.returncode != 0:
        return {"failed": (built.stderr.strip().splitlines() or ["nvcc failed"])[0]}
    log = copy / "counted.csv"
    options = ["--csv", "--log-file", log, "--print-units", "base", "--print-kernel-base", "function", "--clock-control", "none",
               "--cache-control", "none", "--metrics", ",".join(metrics)]
    os.chdir(copy)
    said = hardware.run_for(PROGRAM_SECONDS, [ncu, *map(str, options), "./counted", *one.get("arguments", [])])
    launches = hardware.parse_counters(log.read_text(errors="replace")) if log.exists() else []
    return {"kernels": sum_launches(launches)} if launches else {"failed": " ".join(said.split()[-12:])}


def gpu_half(options):
    tools, end = (hardware.tool("nvcc"), hardware.tool("ncu")), time.monotonic() + options.seconds
    device = hardware.printed("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    head = {"device": device, "commit": options.commit, "ncu": hardware.printed(tools[1], "--version").split("\n")[-1],
            "nvcc": hardware.printed(tools[0], "--version").split("\n")[-1]}
    out, metrics, results, home = pathlib.Path(options.out).resolve(), hardware.metrics_to_count(tools[1]), [], os.getcwd()
    for name, top, repository, one in programs(pathlib.Path(options.folder).resolve(), options.only):
        if time.monotonic() > end:
            print("the time is over:", name, "and what follows are left out")
            break
        found = in_a_copy((top / one["file"]).resolve(), lambda copy: count(tools, metrics, top, repository, one, copy))
        os.chdir(home)
        results.append({"program": name, **found})
        print(name, found.get("failed") or f"{len(found['kernels'])} kernels", flush=True)
        hardware.save(out, {**head, "results": results})


# -------------------------------------------------------------------------------------------------- merging

def compared(ours, theirs):
    """Kernels that both halves have, with as many launches."""
    for name, own in ours.get("kernels", {}).items():
        its = theirs.get("kernels", {}).get(name)
        if its is not None and its["launches"] == own["launches"]:
            yield name, own["launches"], hardware.compare(own["counts"], its["metrics"])


def merge(options):
    ours, theirs = (json.loads(pathlib.Path(path).read_text()) for path in (options.folder, options.out))
    by_name = {row["program"]: row for row in theirs["results"]}
    results = [{"program": row["program"], "kernel": kernel, "launches": launches, "compared": counts}
               for row in ours["results"] for kernel, launches, counts in compared(row, by_name.get(row["program"], {}))]
    pairs = [both for row in results for both in row["compared"].values()]
    equal = sum(both["gpu"] == both["machine"] for both in pairs)
    head = {key: theirs[key] for key in ("device", "commit", "ncu", "nvcc")}
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
    parser.add_argument("--commit", default="")
    parser.add_argument("--seconds", type=float, default=480, help="for all programs on the GPU together")
    parser.add_argument("--only", help="programs whose names have this word")
    options = parser.parse_args()
    if (options.what == "merge") != (options.merged is not None):
        parser.error("merge takes three files, the others a folder and a file")
    {"lint": lint_half, "gpu": gpu_half, "merge": merge}[options.what](options)


if __name__ == "__main__":
    main()
