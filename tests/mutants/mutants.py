#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mutants.py DIR [--only NAME]... [--seconds S] [--results FILE]: which test sees a small fault, and how soon.

Each record of mutants.json is a fault: a text of a file, and the text that takes its place. The faults are applied one at a time to a
copy of the sources in DIR, which is built in DIR/build as the plain tier is. The tests that a record names run one after the other, those of the fault's own
room first, until one fails. Results are added to FILE (results.json beside this program), each with the commit that it is of; a test that takes
more than S seconds (300) has failed. Exit status 1: a fault was seen by none.

A fault that needs two threads at one moment says so by "tier": what the thread sanitizer sees in every run a plain test sees now and then.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def copy_sources(to):
    """Writes the tracked files that differ, so that only these are compiled again, and removes copies of those that are gone."""
    names = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=True).stdout.splitlines()
    copied = to / ".copied"
    for name in set(copied.read_text().splitlines() if copied.exists() else []) - set(names):
        (to / name).unlink(missing_ok=True)
    to.mkdir(parents=True, exist_ok=True)
    copied.write_text("\n".join(names))
    for name in names:
        source, target = ROOT / name, to / name
        if not source.is_file() or target.is_file() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
        os.utime(target)


def configure(folder):
    launcher = shutil.which("ccache")
    options = [f"-DCMAKE_{language}_COMPILER_LAUNCHER={launcher}" for language in ("C", "CXX") if launcher]
    options += ["-G", "Ninja"] if shutil.which("ninja") else []
    subprocess.run(["cmake", "-S", folder, "-B", folder / "build", "-DRIFFLE_CUDA=OFF", *options], check=True, stdout=subprocess.DEVNULL)


def build(folder, tests):
    """The seconds that it took, or None if it failed."""
    began = time.monotonic()
    command = ["cmake", "--build", folder / "build", "-j", str(os.cpu_count()), "--target", *tests]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        print(done.stdout[-2000:], file=sys.stderr)
    return time.monotonic() - began if done.returncode == 0 else None


def run(folder, test, seconds):
    """How the test ended, and after how long: "passed", "failed" or "no end"."""
    began = time.monotonic()
    try:
        done = subprocess.run([folder / "build/tests" / test], cwd=folder / "build", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              timeout=seconds, env={**os.environ, "OMP_WAIT_POLICY": "passive"})
        how = "passed" if done.returncode == 0 else "failed"
    except subprocess.TimeoutExpired:
        how = "no end"
    return how, round(time.monotonic() - began, 2)


def mutated(text, record):
    for old, new in [[record["old"], record["new"]], *record.get("also", [])]:
        if text.count(old) != 1:
            sys.exit(f"mutants.json: {record['name']}: {record['file']} has this {text.count(old)} times, not once: {old}")
        text = text.replace(old, new)
    return text


def commit():
    """The sources' commit, marked where they have been changed since."""
    return subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty", "--abbrev=8", "--exclude=*"], capture_output=True, text=True,
                          check=True).stdout.strip()


def look(folder, record, seconds, of):
    """One record's result, of the sources' commit."""
    path = folder / record["file"]
    text = path.read_text()
    result = {"name": record["name"], "change": record["change"], "file": record["file"], "commit": of, "seen_by": None, "tests": []}
    try:
        path.write_text(mutated(text, record))
        for test in record["tests"]:
            if build(folder, [test]) is None:
                sys.exit(f"{record['name']}: does not compile: a fault must")
            how, took = run(folder, test, seconds)
            result["tests"].append({"test": test, "how": how, "seconds": took})
            if how != "passed":
                result["seen_by"] = test
                break
    finally:
        path.write_text(text)
    return result


def main():
    asked = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    asked.add_argument("folder", type=Path)
    asked.add_argument("--only", action="append")
    asked.add_argument("--seconds", type=float, default=300)
    asked.add_argument("--results", type=Path, default=HERE / "results.json")
    asked = asked.parse_args()
    records = json.loads((HERE / "mutants.json").read_text())
    found = {one["name"]: one for one in json.loads(asked.results.read_text())} if asked.results.exists() else {}
    folder = asked.folder.resolve()
    of = commit()
    copy_sources(folder)
    configure(folder)
    for record in records:
        if asked.only and record["name"] not in asked.only:
            continue
        found[record["name"]] = one = look(folder, record, asked.seconds, of)
        print(f"{one['name']}: {one['seen_by'] or 'SEEN BY NONE'} {one['tests'][-1]['seconds']} s", flush=True)
        ordered = [found[r["name"]] for r in records if r["name"] in found]
        asked.results.write_text("[\n" + ",\n".join(" " + json.dumps(one) for one in ordered) + "\n]\n")
    looked_at = [found[r["name"]] for r in records if r["name"] in found]
    missed = [one["name"] for one in looked_at if one["seen_by"] is None]
    print(f"{len(looked_at) - len(missed)} of {len(looked_at)} seen" + "".join(f"; not {name}" for name in missed))
    sys.exit(1 if missed else 0)


main()
