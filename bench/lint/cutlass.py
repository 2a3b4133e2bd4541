#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CUTLASS's CuTe tutorials under `riffle lint`: which run to the end, what is told of them, and that those for newer GPUs are refused.

    cutlass.py FOLDER OUT.json [--riffle FILE] [--commit NAME] [--jobs N] [--only WORD]

FOLDER is a check-out of github.com/NVIDIA/cutlass. The programs are compiled unmodified, as for a GPU of compute capability 9.0, and run at small sizes; the first
launch of each kernel is counted, and the others, which measure times, run with nobody looking.
"""
import concurrent.futures
import json
import pathlib
import re
import sys
import tempfile

from runs import arguments, commit_of, lint

SECONDS = 300
SIZES = {"sgemm_1": ["128", "128", "32"], "sgemm_2": ["128", "128", "32"], "sgemm_sm70": ["128", "128", "32"], "sgemm_sm80": ["128", "128", "64", "T", "N"],
         "tiled_copy": [], "tiled_copy_if": [], "wgmma_sm90": ["256", "128", "128"], "wgmma_tma_sm90": ["256", "128", "128"]}


def tutorials(folder):
    return sorted((folder / "examples/cute/tutorial").rglob("*.cu"))


def version_of(folder):
    text = (folder / "include/cutlass/version.h").read_text(encoding="utf-8")
    return ".".join(re.search(rf"define CUTLASS_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def run_one(task):
    """Returns what became of a program: its hazards, or what lint says in place of a report."""
    riffle, folder, program = task
    includes = [word for part in ("include", "tools/util/include", "examples/common") for word in ("-I", folder / part)]
    row = {"program": str(program.relative_to(folder / "examples/cute/tutorial")), "arguments": SIZES.get(program.stem, [])}
    with tempfile.NamedTemporaryFile() as said:
        done, seconds = lint(riffle, SECONDS, [program, *includes, "-arch=sm_90a", "--launches", "1", "--", *row["arguments"]], said.name)
        text = pathlib.Path(said.name).read_text(encoding="utf-8", errors="replace").strip().replace(str(folder), "")
    row["seconds"] = round(seconds, 1)
    if not done.stdout.startswith("{"):
        return {**row, "verdict": "refused", "said": text.split("\n")[-1][:200]}
    report = json.loads(done.stdout)
    ran = report["exit_status"] == 0 and not report["partial"] and bool(report["rounds"])
    return {**row, "verdict": "ran" if ran else "not to the end", "said": text.split("\n")[-1][:200], "rows": len(report["rounds"]),
            "hazards": [{"kind": one["kind"], "file": one["file"], "line": one["line"], "text": one["text"].replace(str(folder), "")} for one in report["hazards"]]}


def main():
    parser = arguments(__doc__)
    parser.add_argument("--only", default="", help="only programs with this word in their paths; the others' rows stay as OUT.json has them")
    args = parser.parse_args()
    folder, riffle = args.folder.resolve(), args.riffle.resolve(strict=True)
    rows = {row["program"]: row for row in (json.loads(args.out.read_text(encoding="utf-8"))["programs"] if args.only and args.out.exists() else [])}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        found = pool.map(run_one, [(riffle, folder, program) for program in tutorials(folder) if args.only in str(program.relative_to(folder))])
        rows.update((row["program"], row) for row in found)
    document = {"set": "CUTLASS's examples/cute/tutorial", "version": version_of(folder), "set_commit": commit_of(folder), "commit": args.commit,
                "compiler": args.compiler, "programs": [rows[name] for name in sorted(rows)]}
    args.out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
