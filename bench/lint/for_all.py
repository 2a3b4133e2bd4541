#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many accesses of public kernels `riffle lint --for-all` decides: proves, or refutes by an example; and of how many of those to arrays
whose length the source has (shared and static ones) it proves that they are in bounds, or has an example.

    for_all.py FOLDER OUT.json [--riffle FILE] [--commit NAME] [--seconds N] [--only WORD]

The list is files.json beside, and FOLDER has a check-out of each of its repositories, as survey.py says; repositories that are not there are
left out and named. Each file is compiled alone, with the flags of its own build. An access is an access of one kernel at one line, by one
operation to one array at one index; blocks are any whose x is a multiple of 32.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys

import survey

VERDICTS = ("proved", "refuted", "not-affine", "open")
BOUNDS = ("proved", "refuted", "open", "no-length")


def ask(riffle, top, repository, one, seconds, more=()):
    """Returns the document of one file's claims, or the first line of what was said in place of it."""
    line = [riffle, "lint", str(top / one["file"]), "--for-all", "--json", "--timeout", str(seconds), *more]
    done = subprocess.run(line + survey.flags(top, repository, one), capture_output=True, text=True, errors="replace", timeout=10 * seconds)
    if done.returncode != 0 or not done.stdout.startswith("{"):
        return None, (done.stderr.strip().splitlines() or ["nothing was said"])[0][:300].replace(str(top), "")
    return json.loads(done.stdout), None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("out")
    parser.add_argument("--riffle", default="riffle")
    parser.add_argument("--commit", default="")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    files, missing = [], []
    for repository, one in survey.entries():
        top = survey.folder_of(given.folder, repository)
        name = f"{repository['repository']}/{one['file']}"
        if given.only not in name:
            continue
        if not top.is_dir():
            if repository["repository"] not in missing:
                missing.append(repository["repository"])
            continue
        document, said = ask(given.riffle, top, repository, one, given.seconds)
        row = {"file": name}
        if document is None:
            row["said"] = said
        else:
            row.update(kernels=document["kernels"], **{verdict: document[verdict] for verdict in VERDICTS}, bounds=document["bounds"])
        files.append(row)
        print(name, row.get("said") or [row[verdict] for verdict in VERDICTS], file=sys.stderr)
    total, bounds = collections.Counter(), collections.Counter()
    for row in files:
        total.update({key: row.get(key, 0) for key in ("kernels",) + VERDICTS})
        bounds.update(row.get("bounds", {}))
    accesses = sum(total[verdict] for verdict in VERDICTS)
    decided = total["proved"] + total["refuted"]
    in_or_out = bounds["proved"] + bounds["refuted"]
    of_length = in_or_out + bounds["open"]
    pathlib.Path(given.out).write_text(json.dumps({
        "what": "accesses of public kernels that riffle lint --for-all proves or refutes (bench/lint/for_all.py)",
        "commit": given.commit, "missing": missing, "files": len(files), "compiled": sum("said" not in row for row in files),
        "accesses": accesses, "decided": decided, "share": round(decided / max(accesses, 1), 4), "total": dict(total),
        "bounds": {"of_known_length": of_length, "decided": in_or_out, "share": round(in_or_out / max(of_length, 1), 4), **{word: bounds[word] for word in BOUNDS}},
        "rows": files}, indent=1) + "\n")
    print(f"{decided} of {accesses} accesses decided; bounds of {in_or_out} of {of_length}")


if __name__ == "__main__":
    main()
