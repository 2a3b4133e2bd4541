#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Races and wasted requests that `riffle lint` finds in the kernels of Faial's own tests.

    faial.py FOLDER OUT.json [--riffle FILE] [--commit NAME] [--jobs N] [--only WORD]

FOLDER is a check-out of Faial (Cogumbreiro, Lange, Rong, Zicarelli, CAV 2021), whose examples/drf has kernels without host code and, in test.ml, whether Faial's verifier takes
them; examples/bc has those for its analysis of costs, with the costs: wavefronts of shared memory beyond the first, or sectors of global memory, of a warp. They are compiled
unmodified, between gpuverify.py's header and host program, in one block, for a run shows races of a grid too and Faial was asked for those of a block. Tests that give Faial other
options than the launch, that do not compile, or whose cost is a formula are not judged.
"""
import concurrent.futures
import json
import math
import pathlib
import re
import sys
import tempfile

from gpuverify import HEADER, host_of, lint_program, shape_of
from runs import arguments, commit_of

ASSUMED = """#define __assume(...) do { if (!(__VA_ARGS__)) return; } while (0)
#define __requires(...) do { if (!(__VA_ARGS__)) return; } while (0)
#define __uniform_int(x) true
"""
LIST = re.compile(r'^  "([\w-]+\.cu)", \[([^\]]*(?:\[[^\]]*\][^\]]*)*)\], ("?)([^";]+)\3;', re.M)
THREADS, SECONDS, SHARED_BYTES = 256, 20, 1 << 14


def tests(folder):
    """Each test as (room, list, file, words of its options, what is expected)."""
    for room in ("drf", "bc"):
        text = (folder / f"examples/{room}/test.ml").read_text(encoding="utf-8")
        for name, words in re.findall(r"^let (\w*tests) = \[(.*?)^\]", text, re.M | re.S):
            yield from ((room, name, one[0], re.findall(r'"([^"]*)"', one[1]), one[3]) for one in LIST.findall(words))


def is_judged(room, words, expected, file):
    launch = all(re.match(r"--(blockDim|gridDim)=", word) for word in words)
    return file.exists() and launch and (expected in ("0", "1") if room == "drf" else expected.isdigit())


def sides_of(room, launch):
    """The block: Faial's own; for costs the first warp of a row."""
    sides = shape_of(launch, "blockDim")
    if room == "bc":
        return "32" if re.fullmatch(r"\d+(,1)*", sides) else sides
    return sides if math.prod(map(int, sides.split(","))) <= 1024 else str(THREADS)


def cost_of(report, group):
    """In the mean over all warps: wavefronts of shared memory beyond the first of each access, or sectors of global memory."""
    space = "shared" if group == "bc_tests" else "global"
    rows = [row for row in report["rounds"] if row["space"] == space and row["op"] == "write"]
    return sum(row["requests"] - (row["warps"] if space == "shared" else 0) for row in rows)


def judge(room, group, expected, report, warps):
    if room == "drf":
        kinds = sorted({one["kind"] for one in report["hazards"]})
        return {"verdict": "right" if ("race" in kinds) == (expected == "1") else "wrong", "kinds": kinds}
    cost = cost_of(report, group) / warps
    return {"verdict": "equal" if cost == int(expected) else "less" if cost < int(expected) else "more", "cost": round(cost, 3)}


def run_one(task):
    """Returns what lint told of a test beside what was expected."""
    riffle, folder, (room, group, name, words, expected) = task
    file = folder / "examples" / room / name
    row = {"test": " ".join([f"{room}/{name}", *words]), "expected": expected, "seconds": 0}
    if not is_judged(room, words, expected, file):
        return {**row, "verdict": "not judged"}
    text = file.read_text(encoding="utf-8")
    launch = " ".join([*words, *re.findall(r"//\s*(--.*)", text), f"--blockDim={THREADS}"])
    sides, grid = sides_of(room, launch), shape_of(launch, "gridDim") if room == "bc" else "1"
    host = host_of(text, f"--blockDim=[{sides}] --gridDim=[{grid}]")
    if host is None:
        return {**row, "verdict": "not run", "said": "no kernel"}
    host = host.replace(">>>(", f", {SHARED_BYTES}>>>(")
    if room == "bc":  # costs of a launch with one number
        host = re.sub(r"for \(int v : \{[^}]*\}\)", "for (int v : {1})", host)
    with tempfile.TemporaryDirectory() as place:
        program = f"{place}/program.cu"
        pathlib.Path(program).write_text(f'{HEADER}#undef __assume\n{ASSUMED}#include "{file.resolve()}"\n{host}', encoding="utf-8")
        report, said, row["seconds"] = lint_program(riffle, program, file.parent, [], SECONDS)
    if report is None or not report["rounds"]:
        return {**row, "verdict": "not run", "said": (said.strip().split("\n") or [""])[0].replace(place, "").replace(str(folder), "")[:160]}
    threads = math.prod(map(int, sides.split(",")))
    return {**row, **judge(room, group, expected, report, (threads + 31) // 32 * math.prod(map(int, grid.split(","))))}


def main():
    parser = arguments(__doc__)
    parser.add_argument("--only", default="", help="only tests with this word in their names")
    args = parser.parse_args()
    folder, riffle = args.folder.resolve(), args.riffle.resolve(strict=True)
    chosen = [(riffle, folder, one) for one in tests(folder) if args.only in f"{one[0]}/{one[2]}"]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        rows = list(pool.map(run_one, chosen))
    document = {"set": "Faial's examples/drf and examples/bc", "set_commit": commit_of(folder), "commit": args.commit, "compiler": args.compiler, "tests": rows}
    args.out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
