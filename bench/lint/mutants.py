#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Faults put into public CUDA programs, one at a time: which of them `riffle lint` tells.

    mutants.py FOLDER OUT.json [--riffle FILE] [--commit NAME] [--jobs N] [--only WORD]

The list is mutants.json beside: repositories with their commits, programs, and of each program faults: a dropped barrier, a wrong
mask, an off by one, a missing copy, an atomic that is none. A fault is a text of the file, which stands in it once, and the text that takes its
place. FOLDER has a check-out of each repository in a folder named OWNER+NAME. A program runs with its host code, once as it is, where no
hazard may be told, and once with each fault. A fault is seen if a hazard of the kind that the list states is told, or a call
refused where the kind is "refused". Exit status 1: a fault was not seen, or a program was not right as it is.
"""
import concurrent.futures
import json
import pathlib
import sys
import tempfile

from runs import arguments, lint

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 120


def told(report):
    """The kinds of what a report tells against a program."""
    return sorted({one["kind"] for one in report["hazards"]} | ({"refused"} if report.get("refused") else set()))


def run(riffle, top, program, text):
    """Returns what is told of a program with this text, or why nothing is."""
    path = top / program["file"]
    with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=".riffle-mutant-", suffix=path.suffix) as file, tempfile.TemporaryDirectory() as at:
        file.write(text)
        file.flush()
        include = [word for name in program.get("include", []) for word in ("-I", top / name)]
        done, seconds = lint(riffle, SECONDS, [file.name, *include, "--", *program.get("arguments", [])], at=at)
    row = {"seconds": round(seconds, 1)}
    if not done.stdout.startswith("{"):
        return {**row, "failed": f"status {done.returncode}"}
    report = json.loads(done.stdout)
    return {**row, "told": told(report)} if report["launched"] else {**row, "failed": "no launch"}


def faulty(text, mutant, name):
    if text.count(mutant["old"]) != 1:
        sys.exit(f"mutants.json: {name}: {mutant['name']}: the file has this {text.count(mutant['old'])} times, not once: {mutant['old']}")
    return text.replace(mutant["old"], mutant["new"])


def tasks(folder, only):
    for repository in json.loads((HERE / "mutants.json").read_text())["repositories"]:
        top = folder / repository["repository"].replace("/", "+")
        for program in repository["programs"]:
            program = {"include": repository.get("include", []), **program}
            if only in f"{repository['repository']}/{program['file']}":
                text = (top / program["file"]).read_text()
                name = {"program": f"{repository['repository']}/{program['file']}"}
                yield top, program, text, {**name, "mutant": "", "kind": ""}
                for mutant in program["mutants"]:
                    yield top, program, faulty(text, mutant, program["file"]), {**name, "mutant": mutant["name"], "kind": mutant["kind"]}


def judged(task, riffle):
    top, program, text, row = task
    row.update(run(riffle, top, program, text))
    row["right"] = "failed" not in row and (row["kind"] in row["told"] if row["kind"] else not row["told"])
    print("right" if row["right"] else "WRONG", row, file=sys.stderr, flush=True)
    return row


def main():
    parser = arguments(__doc__)
    parser.add_argument("--only", default="", help="only programs with this word in their names")
    args = parser.parse_args()
    riffle = args.riffle.resolve()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        rows = list(pool.map(lambda task: judged(task, riffle), tasks(args.folder.resolve(), args.only)))
    document = {"commit": args.commit, "compiler": args.compiler, "rows": rows}
    args.out.write_text(json.dumps(document, indent=1) + "\n")
    return 0 if all(row["right"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
