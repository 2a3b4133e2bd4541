#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts of `riffle lint` for public CUDA programs beside those of Nsight Compute on a GPU: whole programs, kernel by kernel.

    nsight.py lint FOLDER OUT.json [--list FILE] [--commit NAME] [--riffle FILE] [--nvcc NVCC] [--timeout SECONDS] [--jobs N] [--only WORD]
    nsight.py build FOLDER BUILT [--list FILE] [--commit NAME] [--nvcc NVCC] [--jobs N] [--only WORD]
    nsight.py gpu BUILT OUT.json [--seconds ALL]        needs a GPU, ncu and Python alone
    nsight.py merge LINT.json GPU.json OUT.json

The programs are those of nsight.json beside or of another list of its form (survey.py says how FOLDER is laid out); their code stays outside
this repository. BUILT is a folder that is carried to the GPU: each program ready to run in a copy of its own folder. With
--nvcc lint's accesses are as wide as nvcc's, which is what is to be compared. All launches of a kernel are summed, by the name
that stands before its template arguments; of a program that states "launches" its first so many. Kernels that lint has counted in part only are
left out, and those whose launches differ in number: what a program does may hang on its clock. Accesses to __constant__ variables, which a GPU
reads by a cache of its own, are not compared, nor those to global memory and atomics of programs with "prints", whose text goes that way. Each half
writes OUT.json anew after each program.
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
# Accesses of a warp to shared memory of other blocks of its cluster, which have counters of their own.
DISTRIBUTED = [(f"distributed warps {doing}", "distributed", op, "warps", [f"l1tex__t_requests_pipe_lsu_mem_dshared_op_{short}.sum"])
               for op, doing, short in (("read", "reading", "ld"), ("write", "writing", "st"))]
COUNTERS = hardware.COUNTERS + DISTRIBUTED
# One figure of lint's is several instructions of the hardware's, each with a counter: atomic operations whose result nobody wants, asynchronous copies, matrices.
FURTHER = {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum": ["l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"]}
FURTHER |= {f"smsp__sass_l1tex_data_{what}_mem_shared_op_{op}.sum": [f"smsp__sass_l1tex_data_{what}_mem_shared_op_{other}.sum" for other in others]
            for what in ("pipe_lsu_wavefronts", "bank_conflicts_pipe_lsu") for op, others in (("ld", ("ldsm",)), ("st", ("stsm", "ldgsts")))}
# Bytes of bulk copies, beside which no access of lint's stands.
BULK = ["l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld.sum", "l1tex__m_l1tex2xbar_write_bytes_mem_global_op_tma_st.sum"]
PRINTING = re.compile("^global|atomics$")  # figures that printing has a part in
METRICS = [names[0] for *_, names in COUNTERS] + [name for names in FURTHER.values() for name in names] + BULK
PROGRAM_SECONDS = 20  # seconds of a program under ncu, which runs each kernel several times


def programs(options):
    """(name, the repository's folder, its entry, the file's entry) of what is there."""
    for repository, one in survey.entries(options.list):
        top, name = survey.folder_of(options.folder, repository), " ".join([f"{repository['repository']}: {one['file']}", *one.get("arguments", [])])
        if (top / one["file"]).exists() and (options.only is None or options.only in name):
            yield name, top, repository, one


def architecture(repository):
    return f"-arch={repository.get('architecture', 'sm_90')}"


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

CLUSTERS = " of the cluster"  # ends the name of another block's array; of several blocks' it is the next one
SEVERAL = "several arrays"
CONSTANT = " (constant memory)"  # ends the name of an array that a GPU reads by a cache of its own, with none of the counters below


def kernels_of(document, clusters):
    """{name: launches and hardware.sums' counts} of a report; of clusters' kernels several arrays of shared memory are other blocks'."""
    found = {}
    for launch in document["launches"]:
        at = found.setdefault(plain(launch["kernel"]), {"launches": 0, "rows": []})
        at["launches"] += launch.get("launches", 1)
    for row in document["rounds"]:
        array = row.get("array", "")
        is_far = array.endswith(CLUSTERS) or clusters and row["space"] == "shared" and array == SEVERAL
        if not array.endswith(CONSTANT):
            found[plain(row["kernel"])]["rows"].append({**row, "space": "distributed"} if is_far else row)
    return {name: {"launches": at["launches"], "counts": hardware.sums({"rounds": at["rows"]})} for name, at in found.items()}


def lint(top, repository, one, options):
    line = survey.words(options.riffle, top, repository, one, options.timeout)
    more = [architecture(repository), *(["--nvcc", options.nvcc] if options.nvcc else []), *(["--launches", str(one["launches"])] if "launches" in one else [])]
    line[line.index("--"):line.index("--")] = ["--accesses", "0", "--work", "0", *more]
    done = in_a_copy((top / one["file"]).resolve(), lambda copy: subprocess.run(
        line, cwd=copy, capture_output=True, text=True, errors="replace", check=False))
    if not done.stdout.startswith("{"):
        return {"failed": (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]}
    document = json.loads(done.stdout)
    whole = not document["partial"] and document["blocks"] == document["counted_blocks"]
    return {"kernels": kernels_of(document, one.get("clusters", False))} if whole else {"failed": "counted in part"}


def lint_half(options):
    results, work = [], list(programs(options))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (name, *_), found in zip(work, pool.map(lambda row: lint(*row[1:], options), work)):
            results.append({"program": name, **found})
            print(name, found.get("failed") or f"{len(found['kernels'])} kernels", flush=True)
            head = {"riffle": hardware.printed(options.riffle, "--version"), "commit": options.commit, "nvcc": options.nvcc}
            hardware.save(options.out, {**head, "results": results})


# ---------------------------------------------------------------------------------------------- the GPU's half

def compile_line(nvcc, top, repository, one, out):
    return [nvcc, "-O3", architecture(repository), "-std=c++17", *survey.sources(top, one), *survey.flags(top, repository, one), "-o", str(out),
            "-Xlinker", "--as-needed", "-lcublas", "-lcurand", "-lcuda"]


def build(nvcc, program, at):
    """Builds a program in a copy of its folder, whose files it may change; returns nvcc's words if it fails."""
    _, top, repository, one = program
    shutil.copytree((top / one["file"]).resolve().parent, at, symlinks=True, ignore_dangling_symlinks=True)
    built = subprocess.run(compile_line(nvcc, top, repository, one, at / "counted"), cwd=at, capture_output=True, text=True,
                           errors="replace", check=False)
    return {} if built.returncode == 0 else {"failed": (built.stderr.strip().splitlines() or ["nvcc failed"])[0]}


def build_all(options):
    """Builds each program once, and tells the GPU's half with which arguments it runs."""
    nvcc, work, at = options.nvcc or hardware.tool("nvcc"), list(programs(options)), pathlib.Path(options.out).resolve()
    once = {" ".join(map(str, compile_line(nvcc, *program[1:], ""))): program for program in work}
    places = {line: at / f"{k:03}" for k, line in enumerate(once)}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        built = dict(zip(once, pool.map(lambda line: build(nvcc, once[line], places[line]), once)))
    rows = []
    for name, *program in work:
        line, one = " ".join(map(str, compile_line(nvcc, *program, ""))), program[-1]
        rows.append({"program": name, "at": places[line].name, "arguments": one.get("arguments", []), "launches": one.get("launches"),
                     "prints": one.get("prints", False), **built[line]})
        print(name, rows[-1].get("failed", "built"))
    document = {"commit": options.commit, "nvcc": hardware.printed(nvcc, "--version").split("\n")[-1], "programs": rows}
    (at / "programs.json").write_text(json.dumps(document, indent=1) + "\n")


def sum_launches(launches):
    found = {}
    for launch in launches:
        at = found.setdefault(plain(launch["kernel"]), {"launches": 0, "metrics": {}})
        at["launches"] += 1
        for metric, value in launch["metrics"].items():
            at["metrics"][metric] = None if value is None else (at["metrics"].get(metric) or 0) + value
    return found


def count(ncu, metrics, row, at, seconds):
    log = at / "counted.csv"
    options = ["--csv", "--log-file", log, "--print-units", "base", "--print-kernel-base", "function", "--clock-control", "none",
               "--cache-control", "none", "--metrics", ",".join(metrics)]
    first = ["--kernel-id", ":::" + "|".join(map(str, range(1, row["launches"] + 1)))] if row["launches"] else []
    log.unlink(missing_ok=True)
    os.chdir(at)
    said = hardware.run_for(seconds, [ncu, *map(str, options), *first, "./counted", *row["arguments"]])
    launches = hardware.parse_counters(log.read_text(errors="replace")) if log.exists() else []
    if "stopped after" in said.rsplit("\n", 1)[-1]:
        return {"failed": "not done in time"}
    return {"kernels": sum_launches(launches)} if launches else {"failed": " ".join(said.split()[-12:])}


def gpu_half(options):
    ncu, began, folder = hardware.tool("ncu"), time.monotonic(), pathlib.Path(options.folder).resolve()
    built = json.loads((folder / "programs.json").read_text())
    device = hardware.printed("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    head = {"device": device, "commit": built["commit"], "ncu": hardware.printed(ncu, "--version").split("\n")[-1], "nvcc": built["nvcc"]}
    out, metrics, results = pathlib.Path(options.out).resolve(), hardware.metrics_to_count(ncu, METRICS), []
    for row in built["programs"]:
        left = options.seconds - (time.monotonic() - began)
        found = {"failed": row["failed"]} if "failed" in row else {"failed": "the time was over"} if left < 2 else \
            count(ncu, metrics, row, folder / row["at"], min(left, PROGRAM_SECONDS))
        results.append({"program": row["program"], "prints": row["prints"], **found})
        print(f"{options.seconds - left:6.1f}", row["program"], found.get("failed") or f"{len(found['kernels'])} kernels", flush=True)
        hardware.save(out, {**head, "results": results})


# -------------------------------------------------------------------------------------------------- merging

def with_further(metrics):
    """Each figure's counters together; nothing where one was not counted. A further one that ncu does not know counts nothing; without the first there is no figure."""
    together = {}
    for name, further in FURTHER.items():
        if name not in metrics:
            continue
        values = [metrics[one] for one in (name, *further) if one in metrics]
        together[name] = None if not values or None in values else sum(values)
    return {**metrics, **together}


def compared(ours, theirs):
    """Kernels that both halves have, with as many launches; a program's only one by any name, since lint knows none of a void pointer's."""
    kernels = theirs.get("kernels", {})
    only = next(iter(kernels), None) if len(kernels) == len(ours.get("kernels", {})) == 1 else None
    for called, own in ours.get("kernels", {}).items():
        name = only or called
        its = kernels.get(name)
        if its is not None and its["launches"] == own["launches"]:
            both = hardware.compare(own["counts"], with_further(its["metrics"]), COUNTERS)
            yield name, own["launches"], {what: one for what, one in both.items() if not (theirs.get("prints") and PRINTING.search(what))}


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
    parser.add_argument("what", choices=["lint", "build", "gpu", "merge"])
    parser.add_argument("folder", help="of the check-outs; of gpu what build has written, of merge lint's half")
    parser.add_argument("out", help="what is written; of merge the GPU's half")
    parser.add_argument("merged", nargs="?", help="of merge: what is written")
    parser.add_argument("--list", type=pathlib.Path, default=LIST)
    parser.add_argument("--riffle", default="riffle", type=lambda name: str(pathlib.Path(name).resolve()) if "/" in name else name)
    parser.add_argument("--nvcc", help="for lint --nvcc, and what builds")
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=2, help="at a time, of lint and build")
    parser.add_argument("--commit", default="")
    parser.add_argument("--seconds", type=float, default=480, help="for all programs on the GPU together")
    parser.add_argument("--only", help="programs whose names have this word")
    options = parser.parse_args()
    if (options.what == "merge") != (options.merged is not None):
        parser.error("merge takes three files, the others a folder and a file")
    {"lint": lint_half, "build": build_all, "gpu": gpu_half, "merge": merge}[options.what](options)


if __name__ == "__main__":
    main()
