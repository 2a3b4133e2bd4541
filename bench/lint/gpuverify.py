#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Races and barriers that `riffle lint` finds in the CUDA kernels of GPUVerify's own tests.

    gpuverify.py FOLDER OUT.json [--riffle FILE] [--commit NAME] [--jobs N] [--only WORD]

FOLDER is a check-out of github.com/mc-imperial/gpuverify (Betts, Chong, Donaldson, Qadeer, Thomson, OOPSLA 2012), whose
testsuite/CUDA has kernels without host code: the first line says whether GPUVerify's verifier takes them, the second how they are
launched. They are compiled unmodified, between a header that stands for GPUVerify's annotations (a precondition that does not hold ends the kernel) and a
host program that is made here: each pointer leads to 1 MiB of its own, words of 0 to 1023 in turn, and all integers have the values of VALUES in turn. So a
verifier's question is made a run's: what no such run meets is not found, and accesses out of bounds are not judged but where they are what is wrong.
EXPECTED has what is wrong with each kernel that GPUVerify refuses, by its own comments; those refused for what a run has not
(assertions, loop invariants, constants, parts of C++ that GPUVerify lacks) are not judged, nor those taken for lanes of a warp that keep step,
which CUDA has not promised since Volta.
"""
import concurrent.futures
import json
import pathlib
import re
import sys
import tempfile

from runs import arguments, commit_of, lint

SECONDS = 60
VALUES = (0, 1, 2, 8, 64, 185)
EXPECTED = {
    "race": ["cooperative_groups/fail/race", "curand_tests/fail/curand_mtgp32_block_race", "curand_tests/fail/curand_mtgp32_race",
             "curand_tests/fail/curand_race", "curand_tests/fail/init_race", "fail_tests/race_on_shared", "fail_tests/shared_int",
             "fresh_arrays/fail/array", "fresh_arrays/fail/inherit", "fresh_arrays/fail/struct_char", "fresh_arrays/fail/struct_float",
             "fresh_arrays/fail/struct_nested", "loop_unwind", "memcpy/fail_arrayofstruct", "memcpy/fail_overstep",
             "memcpy/lentoobig", "memcpy/notexactdiv", "memcpy/unhandled_varlen", "memset/unhandled_varlen", "misc/fail/miscfail3",
             "misc/fail/miscfail4", "param_values/value_causing_race", "pointeranalysistests/testbasicaliasing", "pointertests/cast",
             "warpsync/bad_inter_group", "warpsync/broken_shuffle"],
    "barrier": ["cooperative_groups/fail/block_divergence_grid_group", "cooperative_groups/fail/divergence_grid_group",
                "cooperative_groups/fail/divergence_thread_block"],
    "out-of-bounds": ["memcpy/null_dst", "memcpy/null_src", "memset/null_dst", "misc/fail/miscfail7"],
}
ANNOTATIONS = """invariant global_invariant function_wide_invariant assert assume axiom ensures global_assert global_requires
    global_ensures requires_fresh_array reads_from writes_to reads_from_local writes_to_local barrier_invariant
    barrier_invariant_binary candidate_invariant candidate_assert non_temporal_loads_begin""".split()
HEADER = """#include <cuda.h>
#include <cooperative_groups.h>
#include <curand_kernel.h>
#include <tuple>
#include <cstring>
namespace cooperative_groups {
template <class Group> __device__ __forceinline__ void synchronize(const Group &group) { group.sync(); }
}
""" + "".join(f"#define __{name}(...) {'' if name == 'axiom' else '((void)0)'}\n" for name in ANNOTATIONS)
HOST = """
#undef memcpy
#undef memset
template <unsigned K, class Kernel> struct parameter;
template <unsigned K, class... P> struct parameter<K, void(P...)> { typedef std::tuple_element_t<K, std::tuple<P...>> type; };
template <class T> struct array {
    static T *make() {
        void *place;
        cudaMalloc(&place, 1 << 20);
        static unsigned words[1 << 18];
        for (unsigned k = 0; k < 1 << 18; k++) words[k] = k & 1023;
        cudaMemcpy(place, words, sizeof words, cudaMemcpyHostToDevice);
        return (T *)place;
    }
};
template <class T> T value_of(int number) {
    if constexpr (std::is_pointer<T>::value) return array<std::remove_pointer_t<T>>::make();
    else if constexpr (std::is_arithmetic<T>::value) return (T)number;
    else { T zeros; std::memset((void *)&zeros, 0, sizeof zeros); return zeros; }
}
"""


def kernels(folder):
    return sorted((folder / "testsuite/CUDA").rglob("kernel.cu"))


def name_of(kernel, folder):
    return str(kernel.parent.relative_to(folder / "testsuite/CUDA"))


def expected_of(name, first, words):
    """Returns the kind of hazard that lint should tell, "" for a kernel that is right, and None for one that is not judged."""
    for kind, names in EXPECTED.items():
        if name in names:
            return kind
    return "" if first.lower().startswith("//pass") and "--warp-sync" not in words else None


def shape_of(words, name):
    """A dimension's numbers: 64 and [8,8] mean what they look like."""
    found = re.search(rf"--{name}=(\[[\d,]+\]|\d+)", words)
    return ",".join(re.findall(r"\d+", found[1])) if found else "1"


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def host_of(text, words):
    """The host code for the last kernel of a file; None without one."""
    found = re.findall(r"__global__\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?(?:\w+\s+)*?void\s+(\w+)\s*\(([^)]*)\)\s*\{", without_comments(text))
    if not found:
        return None
    name, parameters = found[-1]
    count = 0 if parameters.strip() in ("", "void") else parameters.count(",") + 1
    types = [f"parameter<{k}, decltype({name})>::type" for k in range(count)]
    grid, block = shape_of(words, "gridDim"), shape_of(words, "blockDim")
    declared = "".join(f"        auto a{k} = value_of<{type_name}>(v);\n" for k, type_name in enumerate(types))
    given = ", ".join(f"a{k}" for k in range(count))
    if "this_grid" in text:
        launch = f"void *all[] = {{{', '.join(f'&a{k}' for k in range(count))}}};\n        cudaLaunchCooperativeKernel((void *){name}, dim3({grid}), dim3({block}), all);"
    else:
        launch = f"{name}<<<dim3({grid}), dim3({block})>>>({given});"
    values = ", ".join(map(str, VALUES if re.search(r"\b(int|unsigned|char|short|long|size_t|uint)\s+\w+\s*(,|$)", parameters) else VALUES[-1:]))
    return f"{HOST}int main() {{\n    for (int v : {{{values}}}) {{\n{declared}        {launch}\n        cudaDeviceSynchronize();\n    }}\n}}\n"


def lint_program(riffle, program, include, defines, limit=SECONDS):
    """Runs lint for so many seconds of processor time, and returns its report or None, what it said, and its processor time."""
    done, seconds = lint(riffle, limit, [program, "-I", include, *defines], program + ".said")
    said = pathlib.Path(program + ".said").read_text(encoding="utf-8", errors="replace")
    return json.loads(done.stdout) if done.stdout.startswith("{") else None, said, seconds


def run_one(task):
    """Returns what became of a kernel: its hazards by kind, or why it did not run."""
    riffle, folder, kernel = task
    text = kernel.read_text(encoding="utf-8", errors="replace").replace("\r", "")
    first, words = (text.split("\n") + [""])[:2]
    row = {"kernel": name_of(kernel, folder), "expected": expected_of(name_of(kernel, folder), first, words), "seconds": 0}
    if row["expected"] is None:
        return row
    host = host_of(text, words)
    if host is None:
        return {**row, "failed": "no kernel"}
    defines = re.findall(r"-D\S+", words)
    with tempfile.TemporaryDirectory() as place:
        program = f"{place}/program.cu"
        for requires in ("do { if (!(__VA_ARGS__)) return; } while (0)", ""):  # the second: a function that returns something has one
            pathlib.Path(program).write_text(f"{HEADER}#define __requires(...) {requires}\n#include \"{kernel.resolve()}\"\n{host}", encoding="utf-8")
            report, said, seconds = lint_program(riffle, program, kernel.parent, defines)
            row["seconds"] = round(row["seconds"] + seconds, 2)
            if report is not None:
                break
    if report is None:
        return {**row, "failed": (said.strip().split("\n") or ["nothing said"])[0].replace(place, "").replace(str(folder), "")[:160]}
    refused = next((line for line in said.split("\n") if "refused" in line), "")
    if refused:
        return {**row, "failed": refused[:160]}
    return {**row, "kinds": sorted({one["kind"] for one in report["hazards"]} - {"same-value"})}


def judged(rows):
    """Returns the set's numbers, and the kernels that are told otherwise than they are."""
    count = {"kernels": len(rows), "not judged": 0, "not run": 0, "right": 0, "false alarms": 0,
             **{f"{kind}{of}": 0 for kind in EXPECTED for of in ("", " found")},
             "seconds": round(sum(row["seconds"] for row in rows), 1)}
    wrong = []
    for row in rows:
        expected, kinds = row["expected"], row.get("kinds", [])
        if expected is None:
            count["not judged"] += 1
        elif "failed" in row:
            count["not run"] += 1
            wrong.append(row)
        elif expected:
            count[expected] += 1
            count[f"{expected} found"] += expected in kinds
            wrong += [row] if expected not in kinds else []
        else:
            alarm = "race" in kinds or "barrier" in kinds
            count["right"] += 1
            count["false alarms"] += alarm
            wrong += [row] if alarm else []
    return count, wrong


def main():
    parser = arguments(__doc__)
    parser.add_argument("--only", default="", help="only kernels with this word in their paths")
    args = parser.parse_args()
    folder, riffle = args.folder.resolve(), args.riffle.resolve()
    tasks = [(riffle, folder, kernel) for kernel in kernels(folder) if args.only in name_of(kernel, folder)]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        rows = list(pool.map(run_one, tasks))
    count, wrong = judged(rows)
    document = {"set": "GPUVerify's testsuite/CUDA", "set_commit": commit_of(folder), "commit": args.commit, "compiler": args.compiler,
                "values": list(VALUES), "count": count, "wrong": wrong}
    args.out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print(count, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
