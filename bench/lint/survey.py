#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Outcomes of `riffle lint` on public CUDA programs, unmodified, by cause of failure.

    survey.py run FOLDER OUT.json [--list FILE] [--riffle FILE] [--commit NAME] [--seconds N] [--jobs N] [--only WORD]
    survey.py check FOLDER [--list FILE]    which files of the list are missing

The list is files.json beside, or another of its form: repositories with their commits, the flags that their own build gives the compiler, and files.
FOLDER has a check-out of each, in a folder named OWNER+NAME. Their code stays outside this repository. A file is run with its
host code in a copy of its own folder, so that what it writes stays out of the check-out. It has so many seconds of processor time:
what else the machine does changes nothing. One outcome is noted for each:

    no compile    with what was missing, or the compiler's words
    no main       compiled, and its main is in no file of the list
    no link       compiled, and calls functions that are in no file of the list
    ran           to its end, at least one launch counted
    no launch     ended before it launched a kernel: it wants arguments or files
    time out      was not done within its processor time
    crash         of the program, or of lint
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIST = HERE / "files.json"
WALL_FOR_PROCESSOR = 20  # a program that waits for ever ends after so many times its processor time


def entries(path=LIST):
    """Each file of a list with its repository's."""
    for repository in json.loads(path.read_text())["repositories"]:
        for one in repository["files"]:
            one = {"file": one} if isinstance(one, str) else one
            yield repository, one


def folder_of(folder, repository):
    return pathlib.Path(folder) / repository["repository"].replace("/", "+")


def flags(top, repository, one):
    """Returns a compiler's flags for a file's headers and macros, in nvcc's words."""
    beside = (top / one["file"]).resolve().parent
    folders = [top / name for name in repository.get("include", [])]
    folders += [beside / name for name in repository.get("include_beside", []) + one.get("include_beside", [])]
    line = [word for folder in folders for word in ("-I", str(folder.resolve()))]
    return line + [word for name in repository.get("define", []) + one.get("define", []) for word in ("-D", name)]


def sources(top, one):
    """The files of a program. They stay where they are for the compiler; the program runs in a copy of their folder."""
    beside = (top / one["file"]).resolve().parent
    return [str((top / one["file"]).resolve()), *[str(beside / name) for name in one.get("with", [])]]


def words(riffle, top, repository, one, timeout):
    """The command line."""
    return [riffle, "lint", "--json", "--timeout", str(timeout), *sources(top, one), *flags(top, repository, one), "--",
            *one.get("arguments", [])]


def outcome(done):
    """Returns (what, why) for a finished command."""
    said = [line for line in done.stderr.splitlines() if line.startswith("riffle: ")]
    last = said[-1].removeprefix("riffle: ") if said else ""
    if -done.returncode in (signal.SIGXCPU, signal.SIGKILL):
        return "time out", ""
    if done.returncode < 0:
        return "crash", f"lint itself, by signal {-done.returncode}"
    if "not done after" in last:
        return "time out", ""
    if done.stdout.startswith("{"):
        report = json.loads(done.stdout)
        if report["launched"]:
            return "ran", f"{len(report['hazards'])} hazards" if report["hazards"] else ""
        return "no launch", f"status {report['exit_status']}"
    if "nothing defines" in last:
        return "no link", last.removeprefix("nothing defines ").split(";")[0]
    if "has no main" in last:
        return "no main", ""
    if "crashed" in last or "ended the process" in last or "does not define" in last:
        words_before = [line for line in said[:-1] if "not supplied" in line or "supplied" in line]
        return "crash", words_before[-1].removeprefix("riffle: ") if words_before else last.split(": ", 1)[-1]
    missing = re.search(r": ([^:]*): the machine does not supply", last)
    if missing:
        return "no compile", missing.group(1)
    error = re.match(r"(.*?):(\d+): (.*)", last)
    return "no compile", error.group(3) if error else last


def run_one(task):
    riffle, folder, repository, one, seconds = task
    wall = seconds * WALL_FOR_PROCESSOR
    top = folder_of(folder, repository)
    beside = (top / one["file"]).resolve().parent
    row = {"repository": repository["repository"], "file": one["file"],
           "main": bool(re.search(r"\bmain\s*\(", (top / one["file"]).read_text(errors="replace"))) or bool(one.get("with"))}
    with tempfile.TemporaryDirectory() as at:
        line = words(riffle, top, repository, one, wall)
        for name in os.listdir(beside):
            if (beside / name).is_file():
                shutil.copy(beside / name, at)
        start = time.monotonic()
        try:
            done = subprocess.run(line, cwd=at, capture_output=True, text=True, errors="replace", timeout=wall + 60,
                                  stdin=subprocess.DEVNULL, check=False,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5)))
            what, why = outcome(done)
            where = re.findall(r"^riffle: (.*?:\d+): ", done.stderr, re.MULTILINE)
        except subprocess.TimeoutExpired:
            what, why, where = "crash", "lint itself went on after its time", []
    row.update(outcome=what, seconds=round(time.monotonic() - start, 1))
    if why:
        row["why"] = why.replace(f"{top.resolve()}/", "")[:200]
    if where and what == "no compile":
        row["where"] = where[-1].replace(str(top.resolve()), "").lstrip("/")[:120]
    return row


def run(args):
    tasks = [(args.riffle, args.folder, repository, one, args.seconds) for repository, one in entries(args.list)
             if args.only in repository["repository"] + "/" + one["file"]]
    rows = []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for row in pool.map(run_one, tasks):
            rows.append(row)
            print(row["outcome"], row["repository"], row["file"], row.get("where", ""), row.get("why", ""), row["seconds"],
                  file=sys.stderr, flush=True)
    document = {"commit": args.commit, "compiler": args.compiler, "limit": f"{args.seconds} seconds of processor time each", "files": rows}
    pathlib.Path(args.out).write_text(json.dumps(document, indent=1) + "\n")


def check(args):
    missing = [f"{repository['repository']}: {one['file']}" for repository, one in entries(args.list)
               if not (folder_of(args.folder, repository) / one["file"]).exists()]
    print("\n".join(missing))
    return 1 if missing else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["run", "check"])
    parser.add_argument("folder")
    parser.add_argument("out", nargs="?", default="survey.json")
    parser.add_argument("--list", type=pathlib.Path, default=LIST)
    parser.add_argument("--riffle", default=str(ROOT / "build" / "riffle"))
    parser.add_argument("--commit", default="unknown")
    parser.add_argument("--compiler", default="g++ 12")
    parser.add_argument("--seconds", type=int, default=30, help="of processor time, for each file")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    args.riffle = str(pathlib.Path(args.riffle).resolve())
    return (run if args.what == "run" else check)(args)


if __name__ == "__main__":
    sys.exit(main())
