#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Races that `riffle lint` finds in the Indigo programs of HiRace's artifact, on the graphs of its Table I.

    races.py FOLDER OUT.json [--riffle FILE] [--commit NAME] [--jobs N] [--graph WORD] [--only WORD]

FOLDER is a check-out of github.com/JohnJacobsonIII/HiRace-Artifact-SC24 (HiRace: Jacobson, Burtscher, Gopalakrishnan, SC 2024).
Its programs are run unmodified, 1,024 blocks of 256 threads as there. Their names say what is wrong with them: atomicBug, guardBug,
syncBug and raceBug are races, boundsBug accesses beyond arrays, and those without a Bug are right. A program with a race counts as
found if lint tells a race; programs that are right must have no hazard of any kind. A program with boundsBug may be ended by an access
that no GPU survives: what was told until then counts. Each run that is judged otherwise than its name says stands in OUT.json,
which keeps other graphs' rows of the same commits.
"""
import concurrent.futures
import json
import re
import sys

from runs import arguments, commit_of, lint

RACY = re.compile(r"atomicBug|guardBug|syncBug|raceBug")
BLOCKS, THREADS = 1024, 256
SECONDS = 120


def programs(folder):
    return sorted((folder / "indigo/indigo_sources").glob("*/*.cu"))


def run_one(task):
    """Returns a run's hazards by kind, or its failure, and its processor time."""
    riffle, folder, program, graph = task
    done, seconds = lint(riffle, SECONDS, [program, "-I", folder / "indigo/indigo_include", "--", graph, THREADS, BLOCKS])
    row = {"program": program.stem, "graph": graph.stem, "seconds": round(seconds, 2)}
    if not done.stdout.startswith("{"):
        return {**row, "failed": f"status {done.returncode}"}
    report = json.loads(done.stdout)
    if not report["launched"]:
        return {**row, "failed": "no launch"}
    return {**row, "kinds": sorted({one["kind"] for one in report["hazards"]} - {"same-value"})}


def judged(rows):
    """Returns a graph's numbers and the runs that are not as their names say."""
    count = {"programs": len(rows), "racy": 0, "found": 0, "missed": 0, "right": 0, "false alarms": 0, "bounds": 0, "bounds found": 0,
             "failed": 0, "seconds": round(sum(row["seconds"] for row in rows), 1)}
    wrong = []
    for row in rows:
        name, kinds = row["program"], row.get("kinds", [])
        racy, bounds = bool(RACY.search(name)), "boundsBug" in name
        if "failed" in row:
            count["failed"] += 1
            wrong.append(row)
            continue
        count["racy"] += racy
        count["found"] += racy and "race" in kinds
        count["missed"] += racy and "race" not in kinds
        count["bounds"] += bounds
        count["bounds found"] += bounds and "out-of-bounds" in kinds
        count["right"] += not racy and not bounds
        count["false alarms"] += not racy and not bounds and bool(kinds)
        expected = {kind for kind, holds in (("race", racy), ("out-of-bounds", bounds)) if holds}
        if not expected <= set(kinds) or (not expected and kinds):
            wrong.append(row)
    return count, wrong


def main():
    parser = arguments(__doc__)
    parser.add_argument("--graph", default="", help="only graphs with this word in their names")
    parser.add_argument("--only", default="", help="only programs with this word in their names")
    args = parser.parse_args()
    folder, riffle = args.folder.resolve(), args.riffle.resolve()
    graphs = [graph for graph in sorted((folder / "indigo/input").glob("*.egr")) if args.graph in graph.stem]
    head = {"set": "Indigo programs of HiRace-Artifact-SC24", "set_commit": commit_of(folder), "commit": args.commit,
            "compiler": args.compiler, "launch": f"{BLOCKS} blocks of {THREADS} threads"}
    document = json.loads(args.out.read_text()) if args.out.exists() else {}
    if not head.items() <= document.items():
        document = {**head, "graphs": {}, "wrong": []}
    for graph in graphs:
        tasks = [(riffle, folder, program, graph) for program in programs(folder) if args.only in program.stem]
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            rows = list(pool.map(run_one, tasks))
        document["graphs"][graph.stem], wrong = judged(rows)
        document["wrong"] = [row for row in document["wrong"] if row["graph"] != graph.stem] + wrong
        print(graph.stem, document["graphs"][graph.stem], file=sys.stderr, flush=True)
        args.out.write_text(json.dumps(document, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
